//! `?fields=summary`: resources in a list without their long members.
//!
//! A summary is the same object without [`LEFT_OUT`]. The columns of these members are not read (`statements!`), so that a
//! page of a hundred costs little whatever the resources hold.

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::Resource;

/// The members of a resource that its summary does not have.
pub(crate) const LEFT_OUT: [&str; 4] = ["content", "scenes", "items", "metadata"];

/// The values of a list's parameter `fields`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListedFields {
    /// All but [`LEFT_OUT`].
    Summary,
}

impl ListedFields {
    pub(super) const WORDS: &'static [(&'static str, Self)] = &[("summary", Self::Summary)];
}

/// A resource whose long columns were not read.
pub(super) struct Summary<R>(pub(super) R);

impl<R: Resource> Serialize for Summary<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut value = serde_json::to_value(&self.0).map_err(S::Error::custom)?;
        if let Value::Object(members) = &mut value {
            members.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
        }
        value.serialize(serializer)
    }
}
