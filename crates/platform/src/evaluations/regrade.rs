//! Grades an answer again in the light of reviews: a grade that comes out otherwise is a further version.
//!
//! Only what the built-in grader or the comparison of values gave is graded again, and by the same. A person's grade stays, and so does
//! a model's, which would cost somebody money. Nothing is charged, and nothing is counted as usage. An answer is graded with no
//! transaction open and written in one of its own, unless it was changed meanwhile: a process that dies leaves each answer
//! as it was or as it will be. Grading once more what was graded again comes out the same, so nothing is written twice.
//! [`crate::questions::regrade`] does this to the answers of a question.

use edge::idempotency::Claim;
use edge::problem::Problem;
use grading::ReviewedAnswer;
use kernel::id::EvaluationId;
use kernel::json::plain_number;
use serde::Serialize;
use store::{StoreError, Tx};

use super::end::announce;
use super::grade::Graded;
use super::records::{AnswerVersion, KeptRecord, ReadFile, attach};
use super::row::{EvaluationRow, read};
use super::versions::{self, MOST_VERSIONS, NextVersion};
use super::{GradedBy, ProcessingMode, Status, calibration, index};
use crate::Platform;
use crate::learners::mastery;

/// Differences of scores that only come of adding up.
const PRECISION: f64 = 1e-9;

/// What became of an answer that was to be graded again.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RegradedAnswer {
    /// Whose grade it is.
    evaluation_id: EvaluationId,
    /// Whether the grade changes, or has changed where `dryRun` is false.
    is_changed: bool,
    /// Why it does not change; null where it does.
    #[schema(required)]
    unchanged_because: Option<UnchangedBecause>,
    /// The grade that there was; null without one.
    #[schema(required)]
    before: Option<GradeSummary>,
    /// The grade that there is now, or would be; null where the answer is not graded again.
    #[schema(required)]
    after: Option<GradeSummary>,
}

/// A grade in short.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GradeSummary {
    /// Its version.
    #[schema(example = 2)]
    version: i64,
    /// The points.
    #[serde(serialize_with = "plain_number")]
    score: f64,
    /// How sure the grader is.
    #[serde(serialize_with = "plain_number")]
    confidence: f64,
    /// Whether a person should look at it.
    needs_review: bool,
    /// Why; empty where nobody needs to look.
    review_reasons: Vec<String>,
}

/// Why an answer keeps its grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum UnchangedBecause {
    /// The grade comes out the same.
    SameGrade,
    /// A person gave it.
    Reviewed,
    /// A language model gave it.
    GradedByModel,
    /// It has not ended yet: it will be graded in the light of the reviews.
    NotEnded,
    /// It has no grade, and nobody paid for one. A review can give it one.
    Failed,
    /// It was graded by a version of the service that did not say who graded.
    UnknownGrader,
    /// What was read of its files is not kept.
    FilesNotKept,
    /// It has a hundred versions.
    TooManyVersions,
    /// The grader failed.
    GradingFailed,
    /// It was reviewed or erased while it was graded, or an earlier request with the same key has changed it.
    ChangedMeanwhile,
}

/// Reviewed answers to the question, by which the others are graded.
pub(crate) type Taught = [(AnswerVersion, ReviewedAnswer)];

/// An answer with what is kept of its files.
pub(crate) struct Regradable {
    row: EvaluationRow,
    files: Vec<ReadFile>,
}

impl RegradedAnswer {
    /// Whether the grade changes.
    pub(crate) fn is_changed(&self) -> bool {
        self.is_changed
    }
}

impl Regradable {
    /// Whose answer it is.
    pub(crate) fn id(&self) -> EvaluationId {
        self.row.id
    }

    /// The evaluations of these ids, as they stand.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(crate) fn find_all(tx: &mut Tx<'_>, ids: &[String]) -> Result<Vec<Self>, StoreError> {
        let mut found = Vec::with_capacity(ids.len());
        for row in EvaluationRow::find_all(tx, ids)? {
            let files = match row.file_count {
                0 => Vec::new(),
                _ => kept_files(tx, &row)?,
            };
            found.push(Self { row, files });
        }
        Ok(found)
    }

    /// Grades the answer again; `apply` says whether a grade that comes out otherwise is written, and by which request.
    ///
    /// # Errors
    /// Where the store fails, or the request's key was used for another one.
    pub(crate) async fn regrade(
        self,
        platform: &Platform,
        taught: &Taught,
        apply: Option<Option<Claim>>,
    ) -> Result<RegradedAnswer, Problem> {
        let before = GradeSummary::of(&self.row);
        let outcome = |unchanged_because: Option<UnchangedBecause>, after: Option<GradeSummary>| RegradedAnswer {
            evaluation_id: self.row.id,
            is_changed: unchanged_because.is_none(),
            unchanged_because,
            before: before.clone(),
            after,
        };
        if let Some(why) = self.stays() {
            return Ok(outcome(Some(why), None));
        }
        let Some(graded) = self.grade(platform, taught).await else {
            return Ok(outcome(Some(UnchangedBecause::GradingFailed), None));
        };
        let after = GradeSummary {
            version: self.row.version,
            score: graded.score,
            confidence: graded.confidence,
            needs_review: !graded.feedback.review_reasons.is_empty(),
            review_reasons: graded.feedback.review_reasons.clone(),
        };
        if is_same(&self.row, &graded) {
            return Ok(outcome(Some(UnchangedBecause::SameGrade), Some(after)));
        }
        let after = GradeSummary { version: self.row.version + 1, ..after };
        let Some(claim) = apply else { return Ok(outcome(None, Some(after))) };
        let (row, idempotency) = (self.row.clone(), platform.door.idempotency.clone());
        let applied = platform.door.store.claim("evaluations.regrade", move |tx| {
            versions::once(tx, &idempotency, claim.as_ref(), |tx| Ok(write(tx, &row, graded.clone())?))
        });
        match applied.await? {
            Some(true) => Ok(outcome(None, Some(after))),
            Some(false) | None => Ok(outcome(Some(UnchangedBecause::ChangedMeanwhile), None)),
        }
    }

    /// Why the answer is not graded again; `None` where it is.
    fn stays(&self) -> Option<UnchangedBecause> {
        let row = &self.row;
        match (row.status, row.graded_by) {
            (Status::Pending | Status::Processing, _) => Some(UnchangedBecause::NotEnded),
            (Status::Failed, _) => Some(UnchangedBecause::Failed),
            (Status::Completed, Some(GradedBy::Reviewer)) => Some(UnchangedBecause::Reviewed),
            (Status::Completed, Some(GradedBy::Model)) => Some(UnchangedBecause::GradedByModel),
            (Status::Completed, None) => Some(UnchangedBecause::UnknownGrader),
            _ if row.asked.is_none() => Some(UnchangedBecause::ChangedMeanwhile),
            _ if self.files.len() != row.files.len() => Some(UnchangedBecause::FilesNotKept),
            _ if row.version >= MOST_VERSIONS => Some(UnchangedBecause::TooManyVersions),
            (Status::Completed, Some(GradedBy::Exact | GradedBy::Builtin)) => None,
        }
    }

    /// The grade of the built-in grader, or of the comparison; `None` where it fails.
    async fn grade(&self, platform: &Platform, taught: &Taught) -> Option<Graded> {
        let row = &self.row;
        let mut submission = row.asked.as_ref()?.submission(row.evaluation_type, row.max_score, row.tier());
        attach(&mut submission, &self.files);
        submission.tenant = row.workspace.to_string();
        let mut calibrated_by = Vec::new();
        if calibration::is_calibrated(row.evaluation_type) {
            let others = taught.iter().filter(|(version, _)| version.evaluation_id != row.id).cloned();
            (calibrated_by, submission.reviewed) = others.unzip();
        }
        let judged = platform.graders.grade(ProcessingMode::Builtin, row.evaluation_type, submission, None).await;
        match judged.and_then(|judged| Graded::of(judged, row.max_score)) {
            Ok(mut graded) => {
                (graded.record.files, graded.record.calibrated_by) = (self.files.clone(), calibrated_by);
                Some(graded)
            }
            Err(error) => {
                tracing::warn!(evaluation = %row.id, %error, "an answer could not be graded again");
                None
            }
        }
    }
}

impl GradeSummary {
    fn of(row: &EvaluationRow) -> Option<Self> {
        Some(Self {
            version: row.version,
            score: row.score?,
            confidence: row.confidence.unwrap_or_default(),
            needs_review: !row.review_reasons().is_empty(),
            review_reasons: row.review_reasons().to_vec(),
        })
    }
}

/// What the newest version's record keeps of an evaluation's files.
fn kept_files(tx: &mut Tx<'_>, row: &EvaluationRow) -> Result<Vec<ReadFile>, StoreError> {
    let kept =
        tx.find("SELECT record FROM evaluation WHERE id = $1", &[&row.id], |row| row.get::<Option<String>>(0))?;
    match kept.flatten() {
        Some(kept) => Ok(read::<KeptRecord>(&kept)?.files),
        None => Ok(Vec::new()),
    }
}

/// Whether a grade says of an answer what is said already, as far as it is counted. Feedback in other words is no new grade.
fn is_same(row: &EvaluationRow, graded: &Graded) -> bool {
    let near =
        |one: f64, other: f64| (one - other).abs() <= PRECISION * one.abs().max(other.abs()).max(f64::MIN_POSITIVE);
    let before = row.feedback.clone().unwrap_or_default();
    let points = |feedback: &super::row::Feedback| -> Vec<f64> {
        feedback.rubric_breakdown.iter().flatten().map(|part| part.score).collect()
    };
    let (parts, new_parts) = (points(&before), points(&graded.feedback));
    row.score.is_some_and(|score| near(score, graded.score))
        && row.confidence.is_some_and(|confidence| near(confidence, graded.confidence))
        && before.review_reasons == graded.feedback.review_reasons
        && before.integrity == graded.feedback.integrity
        && parts.len() == new_parts.len()
        && parts.into_iter().zip(new_parts).all(|(one, other)| near(one, other))
}

/// Writes a grade as the next version, with all that follows from a grade; false where the answer was changed meanwhile.
fn write(tx: &mut Tx<'_>, before: &EvaluationRow, graded: Graded) -> Result<bool, StoreError> {
    let held = EvaluationRow::hold(tx, before.id)?.filter(|row| row.version == before.version && row.asked.is_some());
    let Some(held) = held else { return Ok(false) };
    let former = held.score;
    let row = NextVersion::of(held, graded, None).save(tx)?;
    index::close_review(tx, &row)?;
    index::open_review(tx, &row)?;
    mastery::revise(tx, &row, former)?;
    announce(tx, &row)?;
    Ok(true)
}
