//! The kinds of resources by their names.

use serde::{Deserialize, Serialize};

/// A kind of resource. In JSON it is its [`Kind::as_str`], as in the database and in webhooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, store::Words)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A lesson with quiz items.
    Module,
    /// An ordered set of modules.
    Course,
    /// Scenes.
    Video,
    /// A deck.
    Slide,
    /// Items that a learner takes as a whole.
    Test,
}

impl Kind {
    /// The name of many, as in paths.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Module => "modules",
            Self::Course => "courses",
            Self::Video => "videos",
            Self::Slide => "slides",
            Self::Test => "tests",
        }
    }

    /// The name of one in a sentence for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Module => "Module",
            Self::Course => "Course",
            Self::Video => "Video",
            Self::Slide => "Slide",
            Self::Test => "Test",
        }
    }

    /// The kind that a path names.
    pub fn of_plural(plural: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.plural() == plural)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_kind_is_its_word_in_json() {
        for kind in Kind::ALL {
            assert_eq!(json!(kind), kind.as_str());
            assert_eq!(serde_json::from_value::<Kind>(json!(kind.as_str())).unwrap(), kind);
        }
        assert!(serde_json::from_value::<Kind>(json!("poem")).is_err());
    }
}
