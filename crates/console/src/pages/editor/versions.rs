//! Versions of one entry of the form: a question, a section or a slide.
//!
//! The form carries the versions that were shown before the present one, so that they can be brought back and don't come again.
//! None of them is stored: a save stores the present one.

use crate::fields::Fields;

/// The most versions of each list that the form carries, and that the API takes; the oldest is forgotten.
const MOST_EARLIER: usize = 20;

/// The versions of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Versions {
    /// The versions before the present one, the oldest first: JSON of a question, or the source of a part.
    pub(crate) earlier: Vec<String>,
    /// The versions that were given up for an earlier one, the oldest first.
    pub(crate) put_away: Vec<String>,
    /// The person's instruction for the next version.
    pub(crate) instruction: String,
    /// Why there is no other version; empty where none was asked for.
    pub(crate) fault: String,
    /// The instruction was not followed.
    pub(crate) is_ignored: bool,
}

impl Versions {
    /// The versions of the entry whose fields begin with `prefix`.
    pub(crate) fn entered(prefix: &str, fields: &Fields) -> Self {
        let all = |name: &str| fields.all(&format!("{prefix}-{name}")).into_iter().map(super::item::lines).collect();
        Self {
            earlier: all("earlier"),
            put_away: all("put-away"),
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
        push(&mut self.earlier, present);
        (self.fault, self.is_ignored) = (String::new(), is_ignored);
    }

    /// The version before `present`, which is put away; `None` where there is none.
    pub(crate) fn restore(&mut self, present: String) -> Option<String> {
        let earlier = self.earlier.pop()?;
        push(&mut self.put_away, present);
        Some(earlier)
    }

    /// All versions that were shown and are not the present one: the newest, as many as the API takes.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &String> {
        let count = self.put_away.len() + self.earlier.len();
        self.put_away.iter().chain(&self.earlier).skip(count.saturating_sub(MOST_EARLIER))
    }

    /// There is no other version.
    pub(crate) fn refuse(&mut self, fault: String) {
        self.fault = fault;
    }
}

fn push(versions: &mut Vec<String>, version: String) {
    versions.push(version);
    if versions.len() > MOST_EARLIER {
        versions.remove(0);
    }
}
