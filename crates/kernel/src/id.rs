//! Typed identifiers: an id of one thing can't be passed for an id of another.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Names one thing of a kind, such as a [`Module`]. Make new ones with [`crate::ambient::Ambient::id`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct Id<T> {
    uuid: Uuid,
    #[serde(skip)]
    of: PhantomData<T>,
}

impl<T> Id<T> {
    /// The UUID inside.
    pub const fn uuid(&self) -> Uuid {
        self.uuid
    }
}

/// Of a UUID that is known to be of this kind.
impl<T> From<Uuid> for Id<T> {
    fn from(uuid: Uuid) -> Self {
        Self { uuid, of: PhantomData }
    }
}

impl<T> fmt::Display for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uuid.as_hyphenated().fmt(f)
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is no UUID in its hyphenated form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a UUID")]
pub struct NotAnId;

impl<T> FromStr for Id<T> {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        parse_hyphenated(text).map(Self::from)
    }
}

/// Kinds of things that have ids, and the short name of each id.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident: $id:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind {}

        #[doc = concat!("Names a [`", stringify!($kind), "`].")]
        pub type $id = Id<$kind>;
    )*};
}

kinds! {
    /// A customer of the content surface.
    Organization: OrganizationId,
    /// A classroom of an organization; content resources live in one.
    Classroom: ClassroomId,
    /// An admin who signs in.
    User: UserId,
    /// An API key of either surface.
    Key: KeyId,
    /// An expansion job as the API shows it.
    Expansion: ExpansionId,
    /// One requested output of an expansion.
    Output: OutputId,
    /// A module.
    Module: ModuleId,
    /// A course.
    Course: CourseId,
    /// A video.
    Video: VideoId,
    /// A scene of a video.
    Scene: SceneId,
    /// A request to render a video.
    Rendering: RenderingId,
    /// A slide.
    Slide: SlideId,
    /// A test.
    Test: TestId,
    /// An item of a test or of a module's quiz.
    Item: ItemId,
    /// A row of the job queue.
    Job: JobId,
    /// An event of the outbox; receivers see duplicates by it.
    Event: EventId,
    /// A webhook endpoint.
    Endpoint: EndpointId,
    /// A customer of the platform surface.
    Workspace: WorkspaceId,
    /// An evaluation of a learner's answer.
    Evaluation: EvaluationId,
    /// A question that evaluations of a workspace share.
    Question: QuestionId,
    /// A file of an evaluation, or one that was rendered of a video.
    File: FileId,
    /// What money was reserved or usage recorded for: an evaluation, a generated resource.
    Subject: SubjectId,
    /// Credits that were added to a workspace.
    TopUp: TopUpId,
    /// Something that a workspace pays with at the payment processor.
    PaymentMethod: PaymentMethodId,
    /// A visit to the payment processor's page.
    BillingSession: BillingSessionId,
    /// A payment that the payment processor could not collect.
    PaymentFailure: PaymentFailureId,
    /// Usage that the payment processor is told at once.
    UsageReport: UsageReportId,
    /// A record of usage.
    Usage: UsageId,
    /// A learning platform that a workspace registered.
    Registration: RegistrationId,
    /// A link by which a learning platform's administrator registers it.
    RegistrationLink: RegistrationLinkId,
    /// A launch from a learning platform.
    Launch: LaunchId,
    /// A login or launch that was refused.
    Refusal: RefusalId,
    /// A link that a teacher picked for a course of a learning platform.
    Link: LinkId,
    /// A test that a learner handed in.
    Submission: SubmissionId,
    /// An entry of the audit log.
    AuditEntry: AuditEntryId,
    /// A session of an admin, as the admin sees it.
    Session: SessionId,
    /// A passkey of an admin.
    Passkey: PasskeyId,
    /// A request for a new password.
    PasswordReset: PasswordResetId,
    /// An invitation to administer an organization.
    Invitation: InvitationId,
}

impl SubjectId {
    /// The thing of this id as a subject.
    pub fn of<T>(thing: Id<T>) -> Self {
        Self::from(thing.uuid())
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
