//! Versions of one entry of the form: a question, a section or a slide.
//!
//! The form carries the versions that were shown before the present one, so that they can be brought back and don't come again.
//! None of them is stored: a save stores the present one.

use crate::fields::Fields;

/// The most versions that the form carries; the oldest is forgotten.
const MOST_EARLIER: usize = 20;

/// The versions of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Versions {
    /// What was shown before the present version, the oldest first: JSON of a question, or the source of a part.
    pub(crate) earlier: Vec<String>,
    /// What the person wants of the next version.
    pub(crate) instruction: String,
    /// Why there is no other version; empty where none was asked for.
    pub(crate) fault: String,
    /// The instruction was not followed.
    pub(crate) is_ignored: bool,
}

impl Versions {
    /// The versions of the entry whose fields begin with `prefix`.
    pub(crate) fn entered(prefix: &str, fields: &Fields) -> Self {
        let earlier = fields.all(&format!("{prefix}-earlier")).into_iter().map(super::item::lines);
        Self {
            earlier: earlier.collect(),
            instruction: fields.get(&format!("{prefix}-instruction")).to_owned(),
            ..Self::default()
        }
    }

    /// Whether the present version is a draft that nobody has saved.
    pub(crate) fn is_new(&self) -> bool {
        !self.earlier.is_empty()
    }

    /// Another version takes the place of `present`.
    pub(crate) fn replace(&mut self, present: String, is_ignored: bool) {
        self.earlier.push(present);
        if self.earlier.len() > MOST_EARLIER {
            self.earlier.remove(0);
        }
        (self.fault, self.is_ignored) = (String::new(), is_ignored);
    }

    /// There is no other version.
    pub(crate) fn refuse(&mut self, fault: String) {
        self.fault = fault;
    }
}
