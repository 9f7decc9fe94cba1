//! JSON pointers that share their beginnings.
//!
//! A value deep in the payload would otherwise carry a full copy of its path: with long keys and
//! many items that grows as their product. Here each value adds one step to its parent's path, and
//! only a citation writes one out.

use std::borrow::Cow;
use std::rc::Rc;

/// Longest pointer written into a citation, in bytes; a longer one gives way to its parent.
const MAX_WRITTEN: usize = 1024;

/// The place of a value in the payload.
#[derive(Debug, Clone)]
pub(crate) struct Pointer(Rc<Node>);

#[derive(Debug)]
enum Node {
    Root(String),
    Key(Pointer, String),
    Index(Pointer, usize),
    /// An object that is read as an array of the values of these members.
    Members(Pointer, Vec<String>),
}

impl Pointer {
    /// Starts from a pointer that is already written out.
    pub(crate) fn root(pointer: &str) -> Self {
        Self(Rc::new(Node::Root(pointer.to_owned())))
    }

    /// The member `key` of this object.
    pub(crate) fn key(&self, key: &str) -> Self {
        Self(Rc::new(Node::Key(self.clone(), key.to_owned())))
    }

    /// The element `index` of this array, or the member of an object that is read as one.
    pub(crate) fn index(&self, index: usize) -> Self {
        match &*self.0 {
            Node::Members(object, keys) if index < keys.len() => object.key(&keys[index]),
            _ => Self(Rc::new(Node::Index(self.clone(), index))),
        }
    }

    /// The same object, read as an array of its members' values.
    pub(crate) fn of_members<'k>(&self, keys: impl Iterator<Item = &'k String>) -> Self {
        Self(Rc::new(Node::Members(self.clone(), keys.cloned().collect())))
    }

    /// Whether it was made by [`Pointer::root`].
    pub(crate) fn is_root(&self) -> bool {
        matches!(&*self.0, Node::Root(_))
    }

    /// The names of the members that lead to it, the last first.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let mut node = Some(self);
        let mut root = "".rsplit('/');
        std::iter::from_fn(move || {
            while let Some(pointer) = node {
                match &*pointer.0 {
                    Node::Root(written) => {
                        root = written.rsplit('/');
                        node = None;
                    }
                    Node::Key(parent, key) => {
                        node = Some(parent);
                        return Some(Cow::Borrowed(key.as_str()));
                    }
                    Node::Index(parent, _) | Node::Members(parent, _) => node = Some(parent),
                }
            }
            root.next().map(|step| Cow::Owned(step.replace("~1", "/").replace("~0", "~")))
        })
    }

    /// The pointer as RFC 6901 writes it, or that of the closest ancestor that is not too long.
    pub(crate) fn written(&self) -> String {
        let mut steps = Vec::new();
        let mut node = self;
        let root = loop {
            match &*node.0 {
                Node::Root(root) => break root,
                Node::Key(parent, key) => {
                    steps.push(key.replace('~', "~0").replace('/', "~1"));
                    node = parent;
                }
                Node::Index(parent, index) => {
                    steps.push(index.to_string());
                    node = parent;
                }
                Node::Members(parent, _) => node = parent,
            }
        };
        let mut written = root.clone();
        for step in steps.iter().rev() {
            if written.len() + step.len() >= MAX_WRITTEN {
                break;
            }
            written.push('/');
            written.push_str(step);
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_names_are_told_from_the_end() {
        let pointer = Pointer::root("/lessons/0/a~1b").key("c").index(1).key("d");
        assert_eq!(pointer.keys().collect::<Vec<_>>(), ["d", "c", "a/b", "0", "lessons", ""]);
    }

    #[test]
    fn escapes_as_rfc_6901_says_and_stops_before_it_gets_too_long() {
        let root = Pointer::root("/level/lessons/0");
        assert_eq!(root.key("a/b~c").index(2).written(), "/level/lessons/0/a~1b~0c/2");
        assert_eq!(root.key(&"k".repeat(5000)).index(1).written(), "/level/lessons/0");
    }
}
