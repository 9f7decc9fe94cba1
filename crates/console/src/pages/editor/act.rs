//! What a button of the editor asks for.

use super::draft::{Draft, Part};
use super::item::Item;
use crate::pages::resource_kind::Items;

/// A list of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Parts,
    Items,
}

/// What is done with a form that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Save,
    /// Moves the entry with this key one place up or down.
    Move {
        list: List,
        key: String,
        is_up: bool,
    },
    Remove {
        list: List,
        key: String,
    },
    /// Has another version of an entry drafted.
    Redraft {
        list: List,
        key: String,
    },
    /// Puts the version of an entry back that was there before.
    BringBack {
        list: List,
        key: String,
    },
    /// Adds an entry at the end.
    Add {
        list: List,
    },
}

impl Act {
    /// The act of a button's value, such as `up:item:3`. Everything else saves.
    pub(crate) fn of(value: &str) -> Self {
        let mut words = value.splitn(3, ':');
        let (act, list) = (words.next().unwrap_or_default(), words.next());
        let key = words.next().unwrap_or_default().to_owned();
        let list = match list {
            Some("part") => List::Parts,
            Some("item") => List::Items,
            _ => return Self::Save,
        };
        match act {
            "up" | "down" => Self::Move { list, key, is_up: act == "up" },
            "remove" => Self::Remove { list, key },
            "redraft" => Self::Redraft { list, key },
            "back" => Self::BringBack { list, key },
            "add" => Self::Add { list },
            _ => Self::Save,
        }
    }

    /// The form as it is afterwards.
    pub(crate) fn apply(&self, draft: &mut Draft, items: Items) {
        match self {
            // The API has to be called for these first.
            Self::Save | Self::Redraft { .. } => {}
            Self::BringBack { list: List::Parts, key } => {
                draft.parts.iter_mut().filter(|part| part.key == *key).for_each(Part::bring_back);
            }
            Self::BringBack { list: List::Items, key } => {
                draft.items.iter_mut().filter(|item| item.key == *key).for_each(|item| item.bring_back(items));
            }
            Self::Move { list: List::Parts, key, is_up } => shift(&mut draft.parts, *is_up, |part| part.key == *key),
            Self::Move { list: List::Items, key, is_up } => shift(&mut draft.items, *is_up, |item| item.key == *key),
            Self::Remove { list: List::Parts, key } => draft.parts.retain(|part| part.key != *key),
            Self::Remove { list: List::Items, key } => draft.items.retain(|item| item.key != *key),
            Self::Add { list: List::Parts } => {
                let part = Part { key: draft.new_key(), is_html: true, ..Part::default() };
                draft.parts.push(part);
            }
            Self::Add { list: List::Items } => draft.items.push(Item::new(draft.new_key())),
        }
    }
}

/// Moves the entry that is meant by one place, if there is one to move to.
fn shift<T>(list: &mut [T], is_up: bool, is_meant: impl Fn(&T) -> bool) {
    let Some(at) = list.iter().position(is_meant) else { return };
    let to = if is_up { at.checked_sub(1) } else { Some(at + 1).filter(|to| *to < list.len()) };
    if let Some(to) = to {
        list.swap(at, to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(act: &str) -> String {
        let part = |key: &str| Part { key: key.to_owned(), ..Part::default() };
        let mut draft = Draft { parts: vec![part("a"), part("b"), part("c")], ..Draft::default() };
        Act::of(act).apply(&mut draft, Items::Test);
        draft.parts.iter().map(|part| part.key.as_str()).collect()
    }

    #[test]
    fn entries_move_by_one_and_stop_at_the_ends() {
        assert_eq!(order("up:part:b"), "bac");
        assert_eq!(order("down:part:b"), "acb");
        assert_eq!((order("up:part:a"), order("down:part:c")), ("abc".to_owned(), "abc".to_owned()));
    }

    #[test]
    fn entries_are_removed_and_added() {
        assert_eq!(order("remove:part:b"), "ac");
        assert_eq!(order("add:part"), "abcn1");
    }

    #[test]
    fn nonsense_changes_nothing() {
        for act in ["", "save", "up", "up:part:x", "remove:item:a", "explode:part:a", "up:part"] {
            assert_eq!(order(act), "abc", "{act}");
        }
    }
}
