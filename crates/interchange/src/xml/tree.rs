//! An XML document as a tree.

/// An element without its prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: String,
    /// Names as written, with their prefixes (`xml:lang`); values as XML normalizes them.
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Node>,
}

/// A part of an element's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Element(Element),
    /// Neighbouring runs of text are one.
    Text(String),
}

impl Element {
    /// The attribute's value.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The child elements, in order.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// The child elements of a name.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.elements().filter(move |element| element.name == name)
    }

    /// The first child element of a name.
    pub(crate) fn first(&self, name: &str) -> Option<&Element> {
        self.elements().find(|element| element.name == name)
    }

    /// The element at the end of a way of names.
    pub(crate) fn at(&self, way: &[&str]) -> Option<&Element> {
        way.iter().try_fold(self, |element, name| element.first(name))
    }

    /// This element and all inside it, in document order.
    pub(crate) fn descendants(&self) -> Descendants<'_> {
        Descendants { open: vec![self] }
    }

    /// The text directly and anywhere inside, as it is.
    pub(crate) fn text(&self) -> String {
        fn collect(element: &Element, text: &mut String) {
            for node in &element.children {
                match node {
                    Node::Text(own) => text.push_str(own),
                    Node::Element(child) => collect(child, text),
                }
            }
        }
        let mut text = String::new();
        collect(self, &mut text);
        text
    }

    /// Appends text, to the last run where there is one.
    pub(super) fn push_text(&mut self, text: &str) {
        match self.children.last_mut() {
            Some(Node::Text(last)) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.children.push(Node::Text(text.to_owned())),
        }
    }

    /// Renames all elements and attributes.
    pub(crate) fn rename(&mut self, name: fn(&str) -> String) {
        self.name = name(&self.name);
        for (own, _) in &mut self.attributes {
            *own = name(own);
        }
        for node in &mut self.children {
            if let Node::Element(element) = node {
                element.rename(name);
            }
        }
    }
}

/// An element and all inside it, in document order.
pub(crate) struct Descendants<'a> {
    open: Vec<&'a Element>,
}

impl<'a> Iterator for Descendants<'a> {
    type Item = &'a Element;

    fn next(&mut self) -> Option<&'a Element> {
        let element = self.open.pop()?;
        let before = self.open.len();
        self.open.extend(element.elements());
        self.open[before..].reverse();
        Some(element)
    }
}
