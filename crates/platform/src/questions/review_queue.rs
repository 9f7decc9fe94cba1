//! `GET /v1/platform/questions/{id}/review-queue`: the answers to a question whose review teaches graders most, and why.
//!
//! At most the newest 1,000 answers are looked at, and no more of them than a bounded number of bytes. [`ranking`] puts them in
//! order.

mod ranking;

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use edge::query::{Parameters, Query, integer};
use kernel::id::{EvaluationId, QuestionId};
use kernel::json::{plain_number, plain_number_or_null};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{StoreError, Tx, sql};

use super::load;
use super::row::Question;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::evaluations::{EvaluationRow, GradedBy, reviewed_answers, text_of_answer};
use ranking::{Candidate, Ranked, Reason, Reviewed, Words, rank};

/// Answers that are looked at: the newest.
const MOST_CANDIDATES: i64 = 1_000;
/// Of what was asked in them and is kept of their files, in bytes: with long answers, fewer are looked at.
const MOST_BYTES: i64 = 16 * 1024 * 1024;
const DEFAULT_LIMIT: u64 = 10;
const HIGHEST_LIMIT: u64 = 50;
/// Of an answer that is shown, in characters.
const LONGEST_SHOWN: usize = 8_000;

/// The answers to review next.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewQueue {
    /// Of which question.
    question_id: QuestionId,
    /// Reviewed answers that graders learn from now.
    #[schema(value_type = u64, example = 5)]
    reviewed_answers: usize,
    /// Unreviewed answers that were looked at.
    #[schema(value_type = u64, example = 25)]
    examined: usize,
    /// The answers, the one whose review teaches most first.
    items: Vec<QueuedAnswer>,
}

/// An answer whose review teaches much.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueuedAnswer {
    /// Whose grade to review.
    evaluation_id: EvaluationId,
    /// Why its review teaches much.
    reason: Reason,
    /// Unreviewed answers in nearly the same words, those in files among them, which are not in the queue: the review teaches them,
    /// too. Answers with a file that was not read whole are nobody's copies.
    #[schema(value_type = u64, example = 2)]
    near_copies: usize,
    /// What the learner wrote, at most 8,000 characters of it. What is in files is read with the evaluation.
    learner_answer: String,
    /// Whether the learner wrote more.
    is_cut: bool,
    /// The points that it has.
    #[schema(required)]
    #[serde(serialize_with = "plain_number_or_null")]
    score: Option<f64>,
    /// The points of a perfect answer.
    #[serde(serialize_with = "plain_number")]
    max_score: f64,
    /// How sure the grader is.
    #[schema(required)]
    #[serde(serialize_with = "plain_number_or_null")]
    confidence: Option<f64>,
    /// Who gave the points.
    #[schema(required)]
    graded_by: Option<GradedBy>,
    /// Why the evaluation needs a review; empty where it needs none.
    review_reasons: Vec<String>,
    /// When the answer was sent.
    created_at: Timestamp,
}

/// The answers to a question whose review teaches graders most: those that need a review, that the grader is unsure of, that are unlike
/// all reviewed ones, or that lie between reviewed ones with different grades. Of answers in nearly the same words, one is
/// shown. The newest 1,000 answers are looked at, or fewer where they are long.
#[utoipa::path(
    get, path = "/v1/platform/questions/{id}/review-queue", tag = "Questions", operation_id = "getReviewQueue",
    params(("limit" = Option<u32>, Query, description = "Answers to show, 1 to 50; 10 when it is absent", minimum = 1, maximum = 50)),
    responses((status = 200, description = "The answers to review next", body = ReviewQueue))
)]
pub async fn get(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    query: Query,
) -> Result<Answer, Problem> {
    let material =
        callers::read(&platform.door, credential.or_reviewer(), "questions.review_queue", move |tx, caller| {
            let limit = query.read(read)?;
            let question = load(tx, caller, &id)?;
            Ok(Material::load(tx, &question, limit)?)
        });
    let material = material.await?;
    // Not where the store works: that is a comparison of thousands of texts.
    let queue = tokio::task::spawn_blocking(move || Answer::ok(&material.queue()));
    queue.await.map_err(Problem::unexpected)
}

fn read(parameters: &mut Parameters<'_>) -> Option<u64> {
    parameters.optional("limit", integer(1..=HIGHEST_LIMIT)).map(|limit| limit.unwrap_or(DEFAULT_LIMIT))
}

/// What the queue is made of.
struct Material {
    question: QuestionId,
    limit: u64,
    candidates: Vec<Unreviewed>,
    reviewed: Vec<Reviewed>,
}

/// An answer that no person has graded.
struct Unreviewed {
    row: EvaluationRow,
    /// What the learner wrote, in files too; `None` where some of it was not read.
    text: Option<String>,
}

impl Material {
    fn load(tx: &mut Tx<'_>, question: &Question, limit: u64) -> Result<Self, StoreError> {
        let reviewed = reviewed_answers(tx, question.workspace, &question.question_key)?;
        let reviewed = reviewed
            .into_iter()
            .map(|(_, reviewed)| Reviewed { words: Words::of(&reviewed.answer), share: reviewed.share });
        let ids = candidates(tx, question.id)?;
        let reviewed = reviewed.collect();
        let mut candidates = Vec::with_capacity(ids.len());
        for row in EvaluationRow::find_all(tx, &ids)?.into_iter().filter(|row| row.asked.is_some()) {
            candidates.push(Unreviewed { text: text_of_answer(tx, &row)?, row });
        }
        Ok(Self { question: question.id, limit, candidates, reviewed })
    }

    fn queue(self) -> ReviewQueue {
        let candidate = |Unreviewed { row, text }: &Unreviewed| Candidate {
            words: text.as_deref().map(Words::of),
            confidence: row.confidence.unwrap_or_default(),
            needs_review: !row.review_reasons().is_empty(),
        };
        let candidates: Vec<Candidate> = self.candidates.iter().map(candidate).collect();
        let ranked = rank(&candidates, &self.reviewed, usize::try_from(self.limit).unwrap_or(usize::MAX));
        ReviewQueue {
            question_id: self.question,
            reviewed_answers: self.reviewed.len(),
            examined: candidates.len(),
            items: ranked
                .into_iter()
                .map(|ranked| QueuedAnswer::of(&self.candidates[ranked.index].row, ranked))
                .collect(),
        }
    }
}

impl QueuedAnswer {
    fn of(row: &EvaluationRow, Ranked { reason, near_copies, .. }: Ranked) -> Self {
        let text = row.asked.as_ref().map(|asked| asked.learner_answer.as_str()).unwrap_or_default();
        let end = text.char_indices().nth(LONGEST_SHOWN).map(|(end, _)| end);
        Self {
            evaluation_id: row.id,
            reason,
            near_copies,
            learner_answer: text[..end.unwrap_or(text.len())].to_owned(),
            is_cut: end.is_some(),
            score: row.score,
            max_score: row.max_score,
            confidence: row.confidence,
            graded_by: row.graded_by,
            review_reasons: row.review_reasons().to_vec(),
            created_at: row.created_at,
        }
    }
}

/// The newest graded answers that no person has graded, as many as may be read.
fn candidates(tx: &mut Tx<'_>, question: QuestionId) -> Result<Vec<String>, StoreError> {
    let found = sql!(
        "SELECT id, length_bytes FROM (
            SELECT id, created_at, status, graded_by, CAST(octet_length(request)
                + CASE WHEN files > 0 THEN COALESCE(octet_length(record), 0) ELSE 0 END AS BIGINT) AS length_bytes
            FROM evaluation WHERE question_id = {question} ORDER BY created_at DESC, id DESC LIMIT {MOST_CANDIDATES}) AS newest
         WHERE status = 'COMPLETED' AND COALESCE(graded_by, '') <> 'reviewer' ORDER BY created_at DESC, id DESC"
    )
    .query(tx, |row| Ok((row.get::<String>(0)?, row.get::<i64>(1)?)))?;
    let mut bytes = 0_i64;
    let fitting = found.into_iter().take_while(|(_, length)| {
        bytes = bytes.saturating_add(*length);
        bytes <= MOST_BYTES
    });
    Ok(fitting.map(|(id, _)| id).collect())
}
