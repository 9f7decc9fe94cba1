//! `POST /v1/platform/workspaces/{id}/credits` (platform-api section 4).

use axum::extract::State;
use billing::ledger::{self, TopUpError};
use edge::answer::Answer;
use edge::body::{JsonBody, integer, text};
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::params::Params;
use edge::problem::Problem;
use http::HeaderMap;
use kernel::money::MicroUsd;
use serde_json::json;

use super::{NOT_FOUND, Workspace, path_param};
use crate::Platform;
use crate::callers::{self, Credential};

const ROUTE: &str = "POST /v1/platform/workspaces/{id}/credits";
/// A hundred million credits, USD 1 million: more is a slip of the hand.
const MOST_CREDITS: i64 = 100_000_000;

/// What to add.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct AddCreditsRequest {
    /// Credits of USD 0.01, a whole number from 1.
    #[schema(example = 500, minimum = 1)]
    amount: u64,
    /// Why, for the ledger.
    #[schema(example = "Invoice 2026-014")]
    reason: Option<String>,
}

/// Adds credits. Repeated with the same `Idempotency-Key` it adds them once.
#[utoipa::path(
    post, path = "/v1/platform/workspaces/{id}/credits", tag = "Workspaces", operation_id = "addWorkspaceCredits",
    security(("operatorSession" = []), ("platformKey" = [])), params(("id" = String, Path)),
    request_body = AddCreditsRequest,
    responses((status = 200, description = "The workspace with its new balance", body = Workspace))
)]
pub async fn credits(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let parts = platform.clone();
    callers::claim(&platform.door, credential, "workspaces.credits", move |tx, caller| {
        caller.manages_the_service()?;
        let (key, (amount, reason)) = Problem::both(idempotency_key.clone(), read(&body))?;
        let workspace = path_param(&id)?;
        let claim = key.map(|key| {
            let request = json!({ "id": workspace, "body": body.value().cloned().unwrap_or_default() });
            Claim::new(caller.idempotency_scope(), ROUTE, key, &request, Retention::Day)
        });
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            ledger::top_up(tx, workspace, amount, reason.as_deref()).map_err(refusal)?;
            Ok((Answer::ok(&Workspace::load(tx, workspace)?), Kept::Same))
        })
    })
    .await
}

fn read(body: &JsonBody) -> Result<(MicroUsd, Option<String>), Problem> {
    body.read(|fields| {
        let amount = fields.required("amount", |value, at| {
            let credits = integer(1..=MOST_CREDITS)(value, at)?;
            MicroUsd::from_credits(u64::try_from(credits).ok()?)
        });
        let reason = fields.optional("reason", text(0..=1000));
        Some((amount?, reason?))
    })
}

fn refusal(error: TopUpError) -> Problem {
    match error {
        TopUpError::Unknown => NOT_FOUND,
        TopUpError::Nothing => Problem::field("amount", "must be at least 1"),
        TopUpError::TooMuch => Problem::Conflict("The workspace can't hold that many credits."),
        TopUpError::Store(error) => error.into(),
    }
}
