//! `POST /v1/platform/questions/{id}/regrade`: grades the answers to a question again, in the light of its reviews.
//!
//! It goes answer by answer, each in a transaction of its own ([`crate::evaluations::regrade`] does it), the newest first, and ends after
//! so many answers or so long a time with a cursor from which the next request goes on. By default it only shows what would change.

use std::time::Duration;

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, OptionalJsonBody, integer, text};
use edge::cursor::Position;
use edge::door::Access;
use edge::idempotency::{Kept, KeyedRequest, Repeatable, Retention};
use edge::params::Params;
use edge::problem::Problem;
use grading::ReviewedAnswer;
use http::StatusCode;
use kernel::id::QuestionId;
use kernel::time::Timestamp;
use serde::Serialize;
use serde_json::json;
use store::{StoreError, Tx, sql};

use super::load;
use super::row::Question;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::evaluations::records::AnswerVersion;
use crate::evaluations::regrade::{Regradable, RegradedAnswer};
use crate::evaluations::{READ_AT_ONCE, reviewed_answers};

const DEFAULT_LIMIT: u32 = 200;
const HIGHEST_LIMIT: u32 = 1_000;
const LONGEST_CURSOR: usize = 200;
/// How long a request grades. No caller's connection waits much longer for an answer.
const LONGEST: Duration = Duration::from_secs(40);

/// How to grade again.
#[derive(Body)]
pub(super) struct RegradeRequest {
    /// Whether the changes are only shown; true when it is absent.
    #[field(default = true)]
    dry_run: bool,
    /// Answers to look at, 1 to 1000; 200 when it is absent.
    #[field(integer(1..=HIGHEST_LIMIT), default = DEFAULT_LIMIT)]
    limit: u32,
    /// Where to go on: the `nextCursor` of the last answer.
    #[field(text(1..=LONGEST_CURSOR))]
    cursor: Option<String>,
}

/// What grading again comes to.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Regrading {
    /// Of which question.
    question_id: QuestionId,
    /// Whether the changes were only shown.
    dry_run: bool,
    /// Reviewed answers that the others were graded by.
    #[schema(value_type = u64, example = 5)]
    reviewed_answers: usize,
    /// Answers that were looked at.
    #[schema(value_type = u64, example = 30)]
    examined: usize,
    /// Those whose grade changes.
    #[schema(value_type = u64, example = 7)]
    changed: usize,
    /// Answer by answer, the newest first.
    answers: Vec<RegradedAnswer>,
    /// The `cursor` with which the next request goes on; null where all answers were looked at.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Grades the answers to a question again in the light of its reviews, and shows the changes answer by answer. With `dryRun: false`, each
/// grade that changes becomes a new version: `evaluation.completed` is sent again, mastery and gradebooks follow, earlier versions
/// stay in the record. Nothing is charged.
///
/// Only grades of the built-in grader and of `exact` change. Those of people and of models stay; `unchangedBecause` says why. A request ends
/// after `limit` answers or about 40 seconds: repeat it with `nextCursor` as `cursor` until that is null. A request that was cut
/// off may be repeated: no grade gets the same version twice. Where a repeated request with an `Idempotency-Key` changes nothing any
/// more, its answer has `Idempotent-Replayed: true`.
#[utoipa::path(
    post, path = "/v1/platform/questions/{id}/regrade", tag = "Questions", operation_id = "regradeQuestion",
    request_body = Option<RegradeRequest>,
    responses((status = 200, description = "What changes, or has changed", body = Regrading))
)]
pub async fn regrade(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    repeatable: Repeatable,
    OptionalJsonBody(body): OptionalJsonBody,
) -> Result<Answer, Problem> {
    let _place = platform.grading.place()?;
    let run = Run::begin(&platform, credential, id, repeatable, body).await?;
    // It ends when the client goes away, as if the process had died: each answer is whole, and nobody reads of the rest.
    let (is_repeated, regrading) = (run.is_repeated, run.carry_out(&platform).await?);
    let is_replay = is_repeated && !regrading.dry_run && regrading.changed == 0;
    Ok(Answer { is_replay, ..Answer::ok(&regrading) })
}

/// One request's work.
#[derive(Clone)]
struct Run {
    question: QuestionId,
    /// The name of the list that its cursors are of.
    list: String,
    dry_run: bool,
    /// The answers to look at, the newest first.
    answers: Vec<Position>,
    /// Whether there are more behind them.
    has_more: bool,
    taught: Vec<(AnswerVersion, ReviewedAnswer)>,
    /// The request's key with the scope that it holds in.
    keyed: Option<(KeyedRequest, String)>,
    /// Whether it was sent before with its key.
    is_repeated: bool,
}

impl Run {
    /// Lets the caller in, and finds what there is to do.
    async fn begin(
        platform: &Platform,
        credential: Credential,
        id: String,
        repeatable: Repeatable,
        body: JsonBody,
    ) -> Result<Self, Problem> {
        let parts = platform.clone();
        callers::act(Access::Claim, &platform.door, credential.or_teacher(), "questions.regrade", move |tx, caller| {
            let (key, request) = Problem::both(repeatable.key(), body.read::<RegradeRequest>())?;
            let question = load(tx, caller, &id)?;
            let list = format!("regrade {}", question.id);
            let from = match &request.cursor {
                Some(cursor) => parts.cursors.position(&list, cursor)?,
                None => Position::first(),
            };
            let keyed = key.of(|| json!({ "id": id, "body": body.value().ok() }));
            let claim = keyed.clone().map(|keyed| keyed.claim(caller.idempotency_scope(), Retention::Day));
            let claimed = |_: &mut Tx<'_>| Ok((Answer::empty(StatusCode::OK), Kept::Same));
            let is_repeated = parts.door.idempotency.once(tx, claim.as_ref(), claimed)?.is_replay;
            let (answers, has_more) = answers(tx, &question, &from, request.limit)?;
            Ok(Self {
                question: question.id,
                list,
                dry_run: request.dry_run,
                answers,
                has_more,
                taught: reviewed_answers(tx, question.workspace, &question.question_key)?,
                keyed: keyed.map(|keyed| (keyed, caller.idempotency_scope())),
                is_repeated,
            })
        })
        .await
    }

    async fn carry_out(self, platform: &Platform) -> Result<Regrading, Problem> {
        let ambient = &platform.door.ambient;
        let end = ambient.now().plus(LONGEST);
        let mut answers = Vec::with_capacity(self.answers.len());
        let mut examined = 0;
        for positions in self.answers.chunks(READ_AT_ONCE) {
            let ids: Vec<String> = positions.iter().map(|position| position.id.clone()).collect();
            let found = platform.door.store.read("questions.regrade", move |tx| Regradable::find_all(tx, &ids)).await?;
            for answer in found {
                answers.push(self.regrade(platform, answer).await?);
            }
            examined += positions.len();
            if ambient.now() >= end {
                break;
            }
        }
        let is_cut = self.has_more || examined < self.answers.len();
        let last = examined.checked_sub(1).and_then(|last| self.answers.get(last)).filter(|_| is_cut);
        Ok(Regrading {
            question_id: self.question,
            dry_run: self.dry_run,
            reviewed_answers: self.taught.len(),
            examined: answers.len(),
            changed: answers.iter().filter(|answer| answer.is_changed()).count(),
            next_cursor: last.map(|last| platform.cursors.write(&self.list, last)),
            answers,
        })
    }

    async fn regrade(&self, platform: &Platform, answer: Regradable) -> Result<RegradedAnswer, Problem> {
        let claim = self.keyed.as_ref().map(|(keyed, scope)| keyed.claim_part(scope.clone(), &answer.id().to_string()));
        answer.regrade(platform, &self.taught, (!self.dry_run).then_some(claim)).await
    }
}

/// So many answers behind a position, the newest first, and whether there are more.
fn answers(
    tx: &mut Tx<'_>,
    question: &Question,
    from: &Position,
    limit: u32,
) -> Result<(Vec<Position>, bool), StoreError> {
    let (at, one_more): (Timestamp, i64) = (from.created_at, i64::from(limit) + 1);
    let mut found = sql!(
        "SELECT created_at, id FROM evaluation WHERE question_id = {question.id} AND (created_at, id) < ({at}, {from.id})
         ORDER BY created_at DESC, id DESC LIMIT {one_more}"
    )
    .query(tx, Position::from_row)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = found.len() > limit;
    found.truncate(limit);
    Ok((found, has_more))
}
