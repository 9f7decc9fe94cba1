//! Typed identifiers: an id of one thing can't be passed for an id of another.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What all ids have in common. Make new ones with [`crate::ambient::Ambient::id`].
pub trait Id: Copy + fmt::Display + Send + Sync + 'static {
    /// Wraps a UUID that is known to be of this kind.
    fn from_uuid(uuid: Uuid) -> Self;
    /// The UUID inside.
    fn uuid(&self) -> Uuid;
}

/// The text is no UUID in its hyphenated form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a UUID")]
pub struct NotAnId;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl Id for $name {
            fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }
            fn uuid(&self) -> Uuid {
                self.0
            }
        }

        impl $name {
            /// The UUID inside.
            pub fn uuid(&self) -> Uuid {
                self.0
            }
        }

        impl From<Uuid> for $name {
            fn from(uuid: Uuid) -> Self {
                Self(uuid)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.as_hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;
            fn from_str(text: &str) -> Result<Self, NotAnId> {
                parse_hyphenated(text).map(Self)
            }
        }
    )*};
}

ids! {
    /// A customer of the content surface.
    OrganizationId,
    /// A classroom of an organization; content resources live in one.
    ClassroomId,
    /// An admin who signs in.
    UserId,
    /// An API key of either surface.
    KeyId,
    /// An expansion job as the API shows it.
    ExpansionId,
    /// One requested output of an expansion.
    OutputId,
    /// A module.
    ModuleId,
    /// A course.
    CourseId,
    /// A video.
    VideoId,
    /// A scene of a video.
    SceneId,
    /// A slide.
    SlideId,
    /// A test.
    TestId,
    /// An item of a test or of a module's quiz.
    ItemId,
    /// A row of the job queue.
    JobId,
    /// An event of the outbox; receivers see duplicates by it.
    EventId,
    /// A webhook endpoint.
    EndpointId,
    /// A customer of the platform surface.
    WorkspaceId,
    /// An evaluation of a learner's answer.
    EvaluationId,
    /// A file of an evaluation.
    FileId,
    /// What money was reserved or usage recorded for: an evaluation, a generated resource.
    SubjectId,
    /// Credits that were added to a workspace.
    TopUpId,
    /// A record of usage.
    UsageId,
}

impl SubjectId {
    /// The thing of this id as a subject.
    pub fn of(thing: impl Id) -> Self {
        Self(thing.uuid())
    }
}

/// Only the 36-character form: braces, URNs and bare hex name the same thing by another text, and
/// texts are compared in the database.
fn parse_hyphenated(text: &str) -> Result<Uuid, NotAnId> {
    if text.len() != 36 {
        return Err(NotAnId);
    }
    Uuid::try_parse(text).map_err(|_| NotAnId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_hyphenated_form_is_an_id() {
        let text = "0192aee1-5a3b-7c2d-8e4f-123456789abc";
        let id: ModuleId = text.parse().unwrap();
        assert_eq!(id.to_string(), text);
        assert_eq!(text.to_uppercase().parse::<ModuleId>().unwrap().to_string(), text);
        for wrong in ["", "x", &text.replace('-', ""), &format!("{{{text}}}"), &format!("{text} ")] {
            assert_eq!(wrong.parse::<ModuleId>(), Err(NotAnId), "{wrong:?}");
        }
    }
}
