//! A submission as its workspace and its learner see it.

use kernel::id::{EvaluationId, LaunchId, LinkId, RegistrationId, SubjectId, SubmissionId, WorkspaceId};
use kernel::json::{plain_number, plain_number_or_null};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{StoreError, Tx, sql};

use super::Status;
use super::row::{Submission, SubmittedItem};
use crate::evaluations::{self, EvaluationRow};
use crate::lti::sync::LtiSync;

/// A test that a learner handed in.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Submission)]
pub struct SubmissionSummary {
    /// Its id.
    pub id: SubmissionId,
    /// The workspace.
    platform_workspace_id: WorkspaceId,
    /// The registration of the learning platform.
    lti_registration_id: RegistrationId,
    /// The launch in which the test was taken.
    session_id: LaunchId,
    /// The link that was launched.
    link_id: LinkId,
    /// The same as the platform names it.
    resource_link_id: String,
    /// The test.
    test_id: String,
    /// The version of the test that was taken.
    #[schema(example = 1)]
    test_version: i64,
    /// The course whose link was launched, where the test is a part of one; null for a linked test. The gradebook gets one score
    /// for all tests of the course.
    #[schema(required)]
    course_id: Option<String>,
    /// The name of the test.
    pub title: String,
    /// The language of the test.
    #[schema(example = "en")]
    pub language: String,
    /// The learner, as evaluations and mastery name them: the registration, a colon, and the platform's own id. Null for an
    /// anonymous launch.
    #[schema(required)]
    learner_id: Option<String>,
    /// From 1: how often this learner has handed in this test of the link.
    #[schema(example = 1)]
    pub attempt_number: i64,
    /// How far it is.
    pub status: Status,
    /// Whether a person should look at the grade of an open answer.
    pub needs_review: bool,
    /// The points of all items; null until every item has its own.
    #[schema(required)]
    #[serde(serialize_with = "plain_number_or_null")]
    pub score: Option<f64>,
    /// The points of a perfect result.
    #[serde(serialize_with = "plain_number")]
    pub max_score: f64,
    /// The points that it takes to pass.
    #[serde(serialize_with = "plain_number")]
    pub passing_score: f64,
    /// Whether the learner passed; null until every item has its points.
    #[schema(required)]
    pub passed: Option<bool>,
    /// One higher with every change of the score; 0 while there is none.
    #[schema(example = 1)]
    version: i64,
    /// The trace that it is part of.
    trace_id: String,
    /// When the learner handed in.
    pub submitted_at: Timestamp,
    /// When it had a score first.
    #[schema(required)]
    graded_at: Option<Timestamp>,
    /// The items in their order. Only `GET` of one submission says them.
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Vec<GradedItem>>,
    /// How far the score is on its way to the gradebook. Only `GET` of one submission says it, of one that has a score.
    #[serde(skip_serializing_if = "Option::is_none")]
    lti_sync: Option<LtiSync>,
}

/// A submission with the points that its items have.
#[derive(Debug)]
pub struct GradedSubmission {
    /// All but the items.
    pub summary: SubmissionSummary,
    /// The items in their order.
    pub items: Vec<GradedItem>,
    /// How far the score is on its way to the gradebook; `None` while there is none.
    pub lti_sync: Option<LtiSync>,
}

/// An item of a submission, with its points.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SubmissionItem)]
pub struct GradedItem {
    /// Its id in the test.
    pub item_id: String,
    /// `select`, `true-false`, `blank`, `open-ended` or `submission`.
    #[serde(rename = "type")]
    #[schema(example = "open-ended")]
    pub kind: String,
    /// What was asked.
    pub question: String,
    /// What there was to choose from.
    #[serde(skip)]
    pub options: Vec<String>,
    /// The key, or model answers.
    #[serde(skip)]
    pub correct_answers: Vec<String>,
    /// Why the key is right.
    #[serde(skip)]
    pub explanation: String,
    /// What the learner chose or wrote; empty where nothing was answered.
    pub answers: Vec<String>,
    /// The points; null until there are any.
    #[schema(required)]
    #[serde(serialize_with = "plain_number_or_null")]
    pub score: Option<f64>,
    /// The points of a perfect answer.
    #[serde(serialize_with = "plain_number")]
    pub max_score: f64,
    /// The evaluation of an open answer; null for items with a key.
    #[schema(required)]
    pub evaluation_id: Option<EvaluationId>,
    /// Whether a person should look at the grade.
    pub needs_review: bool,
    /// What the grader says to the learner.
    #[serde(skip)]
    pub feedback: Option<String>,
    /// Whether there will be no grade unless a person gives one.
    #[serde(skip)]
    pub has_failed: bool,
}

impl GradedSubmission {
    /// The submission with the points of its open answers.
    pub(super) fn of(tx: &mut Tx<'_>, submission: Submission) -> Result<Self, StoreError> {
        let open =
            sql!("SELECT item_id, evaluation_id FROM submission_evaluation WHERE submission_id = {submission.id}")
                .query(tx, |row| Ok((row.get::<String>(0)?, row.get::<EvaluationId>(1)?)))?;
        let ids: Vec<String> = open.iter().map(|(_, id)| id.to_string()).collect();
        let evaluations = EvaluationRow::find_all(tx, &ids)?;
        let lti_sync = LtiSync::of_subject(tx, SubjectId::of(submission.id))?;
        let (items, summary) = SubmissionSummary::split(submission);
        let items = items.into_iter().map(|item| {
            let evaluation = open.iter().find(|(id, _)| *id == item.item_id).map(|(_, id)| *id);
            let row = evaluations.iter().find(|row| Some(row.id) == evaluation);
            GradedItem {
                score: item.score.or_else(|| row.and_then(|row| row.score)),
                evaluation_id: evaluation,
                needs_review: row.is_some_and(|row| !row.review_reasons().is_empty()),
                feedback: row.and_then(|row| row.feedback.as_ref()).map(|feedback| feedback.feedback_summary.clone()),
                has_failed: row.is_some_and(|row| row.status == evaluations::Status::Failed),
                item_id: item.item_id,
                kind: item.kind,
                question: item.question,
                options: item.options,
                correct_answers: item.correct_answers,
                explanation: item.explanation,
                answers: item.answers,
                max_score: item.max_score,
            }
        });
        Ok(Self { summary, items: items.collect(), lti_sync })
    }
}

impl From<GradedSubmission> for SubmissionSummary {
    fn from(GradedSubmission { summary, items, lti_sync }: GradedSubmission) -> Self {
        Self { items: Some(items), lti_sync, ..summary }
    }
}

impl SubmissionSummary {
    /// The items, and everything else.
    pub(crate) fn split(submission: Submission) -> (Vec<SubmittedItem>, Self) {
        let passed = submission.is_passed();
        let summary = Self {
            passed,
            passing_score: submission.passing_score,
            language: submission.language,
            id: submission.id,
            platform_workspace_id: submission.workspace_id,
            lti_registration_id: submission.registration_id,
            session_id: submission.session_id,
            link_id: submission.link_id,
            resource_link_id: submission.resource_link_id,
            test_id: submission.test_id,
            test_version: submission.test_version,
            course_id: submission.course.map(|course| course.course_id),
            title: submission.title,
            learner_id: submission.learner_id,
            attempt_number: submission.attempt_number,
            status: submission.status,
            needs_review: submission.needs_review,
            score: submission.score,
            max_score: submission.max_score,
            version: submission.version,
            trace_id: submission.trace_id,
            submitted_at: submission.submitted_at,
            graded_at: submission.graded_at,
            items: None,
            lti_sync: None,
        };
        (submission.items, summary)
    }
}
