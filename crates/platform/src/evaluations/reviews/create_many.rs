//! `POST /v1/platform/evaluations/reviews`: many reviews in one request, each judged as one of its own.
//!
//! Each review has a transaction of its own and an outcome of its own: one that its evaluation refuses changes nothing and hinders no
//! other. What is no review at all, whatever the evaluation, refuses the whole request. A request that was cut off is carried on by repeating it with its `Idempotency-Key`.

use std::sync::Arc;

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{At, Body, Check, JsonBody, id, judged, list};
use edge::door::Access;
use edge::idempotency::{Kept, KeyedRequest, Repeatable, Retention};
use edge::problem::{PlatformError, Problem};
use http::StatusCode;
use kernel::id::EvaluationId;
use serde::Serialize;
use serde_json::Value;

use super::documented::EvaluationReview;
use super::request::{CreateReviewRequest, Reviewable};
use super::{once, request};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::evaluations::row::EvaluationRow;
use crate::evaluations::{Evaluation, NOT_FOUND};

/// Reviews in a request.
const MOST_REVIEWS: usize = 100;

/// Reviews of several evaluations.
#[derive(Body)]
#[body(rule = name_each_once(reviews))]
pub(super) struct CreateReviewsRequest {
    /// The reviews, each of another evaluation.
    #[field(list(1..=MOST_REVIEWS, review()))]
    reviews: Vec<ReviewOf>,
}

/// A review, not yet held against its evaluation.
#[derive(Clone, Debug)]
struct ReviewOf {
    evaluation: EvaluationId,
    /// The whole item: it has the members of a review.
    said: Value,
}

/// What became of reviews.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewResults {
    /// The outcome of each review, in the order of the request.
    results: Vec<ReviewResult>,
}

/// What became of a review.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewResult {
    /// Of which evaluation.
    evaluation_id: EvaluationId,
    /// The status that the review alone would have been answered with: 200, 400, 404 or 409.
    #[schema(example = 200)]
    status: u16,
    /// The evaluation in its new version; null where the review was refused.
    #[schema(required)]
    evaluation: Option<Evaluation>,
    /// Why the review was refused; null where it was not.
    #[schema(required)]
    error: Option<PlatformError>,
}

/// Reviews up to a hundred evaluations. Each review is judged and applied as by `POST …/evaluations/{id}/review`, in the order of the
/// request and independently of the others: `results` says what became of each. A request with an item that could be a review of no
/// evaluation is refused as a whole. Nothing is charged.
///
/// With an `Idempotency-Key`, a repeated request applies what the first one did not come to, and nothing twice. Where nothing
/// is left to apply, the answer has `Idempotent-Replayed: true`.
#[utoipa::path(
    post, path = "/v1/platform/evaluations/reviews", tag = "Evaluations", operation_id = "reviewEvaluations",
    request_body = CreateReviewsRequest,
    responses((status = 200, description = "What became of each review", body = ReviewResults))
)]
pub async fn create_many(
    State(platform): State<Platform>,
    credential: Credential,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let credential = credential.or_reviewer();
    let Accepted { reviews, keyed, is_repeated } = accept(&platform, &credential, repeatable, body).await?;
    // What has begun goes on when the client goes away.
    let work = tokio::spawn(async move {
        let mut results = Vec::with_capacity(reviews.len());
        for review in reviews {
            results.push(apply_one(&platform, &credential, review, keyed.clone()).await?);
        }
        let is_replay = is_repeated && !results.iter().any(ReviewResult::is_new);
        Ok(Answer { is_replay, ..Answer::ok(&ReviewResults { results }) })
    });
    work.await.map_err(Problem::unexpected)?
}

impl ReviewResult {
    /// Whether this request made the version, and no earlier one.
    fn is_new(&self) -> bool {
        self.evaluation.as_ref().is_some_and(|evaluation| !evaluation.is_replay())
    }
}

/// A request that may be carried out.
struct Accepted {
    reviews: Vec<ReviewOf>,
    keyed: Option<KeyedRequest>,
    /// Whether it was sent before with its key.
    is_repeated: bool,
}

/// Lets the caller in, reads the request, and takes its key.
async fn accept(
    platform: &Platform,
    credential: &Credential,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Accepted, Problem> {
    let read = Problem::both(repeatable.key(), body.read::<CreateReviewsRequest>());
    let (key, read) = callers::accept(&platform.door, credential, "evaluations.review_many", read).await?;
    let keyed = key.of(|| body.value().cloned().unwrap_or_default());
    let mut is_repeated = false;
    if let Some(keyed) = keyed.clone() {
        let idempotency = platform.door.idempotency.clone();
        let claimed =
            callers::write(&platform.door, credential.clone(), "evaluations.review_many", move |tx, caller| {
                let claim = keyed.clone().claim(caller.idempotency_scope(), Retention::Day);
                idempotency.once(tx, Some(&claim), |_| Ok((Answer::empty(StatusCode::OK), Kept::Same)))
            });
        is_repeated = claimed.await?.is_replay;
    }
    Ok(Accepted { reviews: read.reviews, keyed, is_repeated })
}

/// Judges and applies one review.
///
/// # Errors
/// What stands against the whole request: the credential, or the store.
async fn apply_one(
    platform: &Platform,
    credential: &Credential,
    review: ReviewOf,
    keyed: Option<KeyedRequest>,
) -> Result<ReviewResult, Problem> {
    let (parts, id) = (platform.clone(), review.evaluation);
    let body = Arc::new(JsonBody::of(review.said));
    let applied =
        callers::act(Access::Claim, &platform.door, credential.clone(), "evaluations.review", move |tx, caller| {
            let found = EvaluationRow::find(tx, id)?.filter(|row| caller.sees(row.workspace)).ok_or(NOT_FOUND)?;
            let judged = request::read(&body, Some(&found).filter(|row| row.asked.is_some()))?;
            let claim = keyed.as_ref().map(|keyed| keyed.claim_part(caller.idempotency_scope(), &id.to_string()));
            once(tx, &parts, id, &judged, claim.as_ref())
        });
    match applied.await {
        Ok((row, is_replay)) => {
            let shown = platform.show(row);
            let evaluation = Some(if is_replay { shown.into_replay() } else { shown });
            Ok(ReviewResult { evaluation_id: id, status: 200, evaluation, error: None })
        }
        Err(problem @ (Problem::Invalid(_) | Problem::NotFound(_) | Problem::Conflict(_))) => {
            let error = PlatformError::of(&problem);
            Ok(ReviewResult { evaluation_id: id, status: error.status, evaluation: None, error: Some(error) })
        }
        Err(problem) => Err(problem),
    }
}

/// The check of an item: it is a review of some evaluation. Whether it is one of this evaluation is judged beside that.
fn review() -> impl Check<Value = ReviewOf> {
    let read = |value: &Value, at: &mut At<'_>| {
        let mut fields = at.object(value)?;
        let evaluation = fields.required("evaluationId", id::<EvaluationId>());
        let review = CreateReviewRequest::read(&mut fields, &Reviewable::Unknown);
        review.and(evaluation).map(|evaluation| ReviewOf { evaluation, said: value.clone() })
    };
    judged(read).shown_as::<EvaluationReview>()
}

/// The rule of the reviews: each evaluation has one.
fn name_each_once(at: &mut At<'_>, reviews: &[ReviewOf]) {
    let mut at = at.member("reviews");
    for (index, review) in reviews.iter().enumerate() {
        if reviews[..index].iter().any(|earlier| earlier.evaluation == review.evaluation) {
            at.item(index).member("evaluationId").refuse::<()>("names an evaluation that an earlier review names");
        }
    }
}
