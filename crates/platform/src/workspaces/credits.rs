//! `POST /v1/platform/workspaces/{id}/credits` (platform-api section 4).

use axum::extract::State;
use billing::ledger::{self, TopUpError};
use edge::answer::Answer;
use edge::body::{Body, Check, JsonBody, integer, text};
use edge::door::Access;
use edge::idempotency::{Kept, Repeatable};
use edge::params::Params;
use edge::problem::Problem;
use kernel::id::WorkspaceId;
use kernel::money::MicroUsd;
use serde_json::json;
use store::Tx;

use super::{NOT_FOUND, Workspace, path_param};
use crate::Platform;
use crate::callers::{self, Credential};

/// A hundred million credits, USD 1 million: more is a slip of the hand.
pub const MOST_CREDITS: u64 = 100_000_000;

/// What to add.
#[derive(Body)]
pub struct AddCreditsRequest {
    /// Credits of USD 0.01, a whole number from 1.
    #[field(credits_to_add(), example = 500)]
    amount: MicroUsd,
    /// Why, for the ledger.
    #[field(text(0..=1000), example = "Invoice 2026-014")]
    reason: Option<String>,
    /// Whether the workspace's invoice lists them as sold. Leave it out for a gift, and for what you invoice elsewhere.
    #[field(default)]
    sold: bool,
}

fn credits_to_add() -> impl Check<Value = MicroUsd> {
    integer(1..=MOST_CREDITS).parsed(|credits| MicroUsd::from_credits(credits).ok_or("is too much"))
}

/// Adds credits. Repeated with the same `Idempotency-Key` it adds them once.
#[utoipa::path(
    post, path = "/v1/platform/workspaces/{id}/credits", tag = "Workspaces", operation_id = "addWorkspaceCredits",
    request_body = AddCreditsRequest,
    responses((status = 200, description = "The workspace with its new balance", body = Workspace))
)]
pub async fn credits(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::act(Access::Claim, &platform.door, credential, "workspaces.credits", move |tx, caller| {
        caller.manages_the_service()?;
        let (key, AddCreditsRequest { amount, reason, sold }) = Problem::both(repeatable.key(), body.read())?;
        let workspace = path_param(&id)?;
        let claim = key.claim(caller.idempotency_scope(), || json!({ "id": workspace, "body": body.value().ok() }));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            Ok((Answer::ok(&add(tx, workspace, amount, reason.as_deref(), sold)?), Kept::Same))
        })
    })
    .await
}

/// Adds credits; the workspace with its new balance. `is_sold` puts them on the workspace's invoice.
///
/// # Errors
/// 404 when there is no such workspace, 409 when it would have too many.
pub fn add(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    amount: MicroUsd,
    reason: Option<&str>,
    is_sold: bool,
) -> Result<Workspace, Problem> {
    let add = if is_sold { ledger::top_up } else { ledger::give };
    add(tx, workspace, amount, reason).map_err(refusal)?;
    Workspace::load(tx, workspace)
}

fn refusal(error: TopUpError) -> Problem {
    match error {
        TopUpError::Unknown => NOT_FOUND,
        TopUpError::Nothing => Problem::field("amount", "must be at least 1"),
        TopUpError::TooMuch => Problem::Conflict("The workspace can't hold that many credits."),
        TopUpError::Store(error) => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, Tenant, WORKSPACES};

    async fn start(test: TestStore) -> (App, Tenant, String) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let operator = app.operator("o@example.com").await;
        (app, tenant, operator)
    }

    #[both_stores]
    async fn credits_add_up_and_the_free_ones_stay_apart(test: TestStore) {
        let (app, tenant, operator) = start(test).await;
        let path = tenant.path("/credits");
        for (body, balance) in [
            (json!({ "amount": 1 }), 1),
            (json!({ "amount": 499, "reason": "Invoice 2026-014" }), 500),
            (json!({ "amount": 5.0, "reason": null }), 505),
        ] {
            let workspace = app.post(&path).cookie(&operator).json(&body).send().await.expect(200);
            assert_eq!((&workspace["creditBalance"], &workspace["freeCreditBalance"]), (&json!(balance), &json!(100)));
        }
        assert_eq!(app.balance(&tenant).await, (json!(505), json!(100)));
        let (admin_key, _) = app.mint(tenant.workspace, true, None).await;
        app.post(&path).key(&admin_key).json(&json!({ "amount": 1 })).send().await.expect(200);
    }

    #[both_stores]
    async fn only_positive_whole_numbers_are_credits(test: TestStore) {
        let (app, tenant, operator) = start(test).await;
        let before = app.stored().await;
        for amount in [
            json!(0),
            json!(-5),
            json!(0.5),
            json!(1.01),
            json!("5"),
            json!(true),
            json!([1]),
            Value::Null,
            json!(100_000_001),
            json!(1e300),
            json!(i64::MIN),
            json!(u64::MAX),
        ] {
            let body = json!({ "amount": amount });
            let faults = app.post(&tenant.path("/credits")).cookie(&operator).json(&body).send().await.faults();
            assert_eq!(faults, ["amount"], "{amount}");
        }
        let body = json!({ "reason": "x".repeat(1001) });
        let faults = app.post(&tenant.path("/credits")).cookie(&operator).json(&body).send().await.faults();
        assert_eq!(faults, ["amount", "reason"]);
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn repeated_with_its_idempotency_key_they_are_added_once(test: TestStore) {
        let (app, tenant, operator) = start(test).await;
        let other = app.tenant("hillside").await;
        let add = |to: &Tenant, amount: i64| {
            app.post(&to.path("/credits")).cookie(&operator).idempotency("k").json(&json!({ "amount": amount }))
        };
        let first = add(&tenant, 5).send().await;
        first.expect(200);
        let all = futures_util::future::join_all((0..5).map(|_| add(&tenant, 5).send())).await;
        assert!(all.iter().all(|reply| reply.is_replay() && reply.body == first.body));
        add(&tenant, 6).send().await.expect(409);
        add(&other, 5).send().await.expect(409);
        assert_eq!((app.balance(&tenant).await.0, app.balance(&other).await.0), (json!(5), json!(0)));
    }

    #[both_stores]
    async fn many_at_once_are_all_added(test: TestStore) {
        let (app, tenant, operator) = start(test).await;
        let add = || app.post(&tenant.path("/credits")).cookie(&operator).json(&json!({ "amount": 3 })).send();
        let replies = futures_util::future::join_all((0..8).map(|_| add())).await;
        replies.iter().for_each(|reply| drop(reply.expect(200)));
        assert_eq!(app.balance(&tenant).await.0, json!(24));
    }

    #[both_stores]
    async fn an_unknown_workspace_is_404_and_a_plain_key_gives_itself_nothing(test: TestStore) {
        let (app, tenant, operator) = start(test).await;
        let before = app.stored().await;
        let body = json!({ "amount": 5 });
        for id in ["0192aee1-5a3b-7c2d-8e4f-123456789abc", "riverside"] {
            let path = format!("{WORKSPACES}/{id}/credits");
            app.post(&path).cookie(&operator).idempotency("k").json(&body).send().await.expect(404);
        }
        let refused = app.post(&tenant.path("/credits")).key(&tenant.key).json(&body).send().await.expect(403);
        assert_eq!(refused["error"]["code"], "platform_forbidden");
        assert_eq!(app.stored().await, before);
    }
}
