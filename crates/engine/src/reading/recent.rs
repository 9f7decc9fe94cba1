//! A small cache of what names mean: each record of a list has the same names.

use std::cell::RefCell;
use std::collections::HashMap;

/// Most names that are kept, and the longest of them, in bytes.
const MOST: usize = 512;
const LONGEST: usize = 60;

/// What was found for the names that were asked for last, in one thread.
pub(super) struct Recent<T>(RefCell<HashMap<String, T>>);

impl<T: Copy> Recent<T> {
    pub(super) fn new() -> Self {
        Self(RefCell::default())
    }

    /// What is known of a name, or what `find` finds.
    pub(super) fn of(&self, name: &str, find: impl FnOnce(&str) -> T) -> T {
        if name.len() > LONGEST {
            return find(name);
        }
        if let Some(known) = self.0.borrow().get(name) {
            return *known;
        }
        // Nothing is borrowed meanwhile: what is found for one name may need another.
        let found = find(name);
        let mut recent = self.0.borrow_mut();
        if recent.len() == MOST {
            recent.clear();
        }
        recent.insert(name.to_owned(), found);
        found
    }
}
