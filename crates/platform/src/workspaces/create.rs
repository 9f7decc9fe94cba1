//! `POST /v1/platform/workspaces` (platform-api section 4).

use axum::extract::State;
use billing::catalog::FREE_GRANT;
use billing::ledger;
use edge::answer::Answer;
use edge::body::{Body, JsonBody};
use edge::idempotency::{Kept, Repeatable};
use edge::problem::Problem;
use http::StatusCode;
use kernel::id::{OrganizationId, WorkspaceId};
use kernel::money::MicroUsd;
use serde_json::json;
use store::{StoreError, Tx, sql};

use super::fields::{self, DEFAULT_RATE_LIMIT_PER_MINUTE};
use super::{BillingMode, Processor, Status, Workspace};
use crate::Platform;
use crate::agent::verify_email::send;
use crate::callers::{self, Credential};

/// What a new workspace is to be.
#[derive(Body)]
pub struct CreateWorkspaceRequest {
    /// 1 to 200 characters.
    #[field(fields::name(), example = "Riverside School")]
    name: String,
    /// Unique; letters, digits, hyphens, dots and underscores.
    #[field(fields::slug(), example = "riverside-school")]
    slug: String,
    /// The contact address; it has to be verified before keys work, where the operator asks for that.
    #[field(fields::email())]
    email: Option<String>,
    /// Requests a minute of all keys together, 1 to 1000000; 1000 when it is absent.
    #[field(fields::rate_limit(), default = DEFAULT_RATE_LIMIT_PER_MINUTE)]
    rate_limit_per_minute: u32,
    /// The plan, in the operator's own words.
    #[field(fields::plan_code())]
    plan_code: Option<String>,
    /// `internal_invoice` when it is absent.
    #[field(default = BillingMode::InternalInvoice)]
    billing_mode: BillingMode,
    #[field(flatten)]
    processor: Processor,
}

/// A workspace that is to be made.
#[derive(Clone, Debug)]
pub struct NewWorkspace {
    /// Its name.
    pub name: String,
    /// Its unique handle.
    pub slug: String,
    /// The contact address.
    pub email: Option<String>,
    /// Whether the address counts as verified from the beginning.
    pub is_email_verified: bool,
    /// Requests a minute.
    pub rate_limit_per_minute: u32,
    /// The plan.
    pub plan_code: Option<String>,
    /// How it pays for what its credits don't cover.
    pub billing_mode: BillingMode,
    /// What the payment processor calls it.
    pub processor: Processor,
    /// The linked organization.
    pub organization: Option<OrganizationId>,
    /// What it may spend for free.
    pub free_grant: MicroUsd,
}

impl NewWorkspace {
    /// A workspace with the defaults of everything but its names, and the usual free credits.
    pub fn named(name: String, slug: String) -> Self {
        Self {
            name,
            slug,
            email: None,
            is_email_verified: false,
            rate_limit_per_minute: DEFAULT_RATE_LIMIT_PER_MINUTE,
            plan_code: None,
            billing_mode: BillingMode::InternalInvoice,
            processor: Processor::default(),
            organization: None,
            free_grant: FREE_GRANT,
        }
    }
}

/// Makes a workspace with its free credits.
#[utoipa::path(
    post, path = "/v1/platform/workspaces", tag = "Workspaces", operation_id = "createWorkspace",
    request_body = CreateWorkspaceRequest,
    responses((status = 201, description = "Made", body = Workspace))
)]
pub async fn create(
    State(platform): State<Platform>,
    credential: Credential,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::write(&platform.door, credential, "workspaces.create", move |tx, caller| {
        caller.manages_the_service()?;
        let (key, new) = Problem::both(repeatable.key(), body.read().map(CreateWorkspaceRequest::workspace))?;
        let claim = key.claim(caller.idempotency_scope(), || json!(body.value().ok()));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            let free_grant = parts.prices.free_grant(tx.now());
            let id = insert(tx, &NewWorkspace { free_grant, ..new.clone() })?;
            Ok((Answer::json(StatusCode::CREATED, &Workspace::load(tx, id)?), Kept::Same))
        })
    })
    .await
}

impl CreateWorkspaceRequest {
    fn workspace(self) -> NewWorkspace {
        NewWorkspace {
            email: self.email,
            rate_limit_per_minute: self.rate_limit_per_minute,
            plan_code: self.plan_code,
            billing_mode: self.billing_mode,
            processor: self.processor,
            ..NewWorkspace::named(self.name, self.slug)
        }
    }
}

/// Adds a workspace with its balance. An address that isn't verified yet gets a mail.
///
/// # Errors
/// 409 when the slug is taken.
pub fn insert(tx: &mut Tx<'_>, new: &NewWorkspace) -> Result<WorkspaceId, Problem> {
    let id: WorkspaceId = tx.ambient().id();
    let now = tx.now();
    let verified_at = new.is_email_verified.then_some(now);
    let (status, processor) = (Status::Active, &new.processor);
    let inserted = sql!(
        "INSERT INTO workspace (id, name, slug, email, email_verified_at, status, rate_limit_per_minute, plan_code,
            billing_mode, processor_customer_id, processor_subscription_id, processor_subscription_item_id_fast,
            processor_subscription_item_id_standard, processor_subscription_item_id_advanced, organization_id,
            created_at, updated_at)
         VALUES ({id}, {new.name}, {new.slug}, {new.email}, {verified_at}, {status}, {new.rate_limit_per_minute},
            {new.plan_code}, {new.billing_mode}, {processor.processor_customer_id}, {processor.processor_subscription_id},
            {processor.processor_subscription_item_id_fast}, {processor.processor_subscription_item_id_standard},
            {processor.processor_subscription_item_id_advanced}, {new.organization}, {now}, {now})"
    )
    .execute(tx);
    inserted.map_err(|error| match error {
        StoreError::Unique { .. } => Problem::Conflict("Another workspace has this slug."),
        error => error.into(),
    })?;
    ledger::open(tx, id, new.free_grant)?;
    if let Some(email) = new.email.as_ref().filter(|_| !new.is_email_verified) {
        send::request(tx, id, email)?;
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, WORKSPACES};

    const REFERENCES: [&str; 5] = [
        "processorCustomerId",
        "processorSubscriptionId",
        "processorSubscriptionItemIdFast",
        "processorSubscriptionItemIdStandard",
        "processorSubscriptionItemIdAdvanced",
    ];

    async fn start(test: TestStore) -> (App, String) {
        let app = App::new(test);
        let operator = app.operator("o@example.com").await;
        (app, operator)
    }

    #[both_stores]
    async fn only_the_names_are_needed_and_everything_else_has_its_default(test: TestStore) {
        let (app, operator) = start(test).await;
        let body = json!({ "name": "Riverside", "slug": "riverside" });
        let made = app.post(WORKSPACES).cookie(&operator).json(&body).send().await.expect(201);
        let mut expected = json!({
            "id": made["id"], "name": "Riverside", "slug": "riverside", "email": null, "emailVerified": false,
            "status": "ACTIVE", "creditBalance": 0, "freeCreditBalance": 100, "rateLimitPerMinute": 1000,
            "planCode": null, "billingMode": "internal_invoice", "organizationId": null,
            "createdAt": "2026-01-02T03:04:05.000Z", "updatedAt": "2026-01-02T03:04:05.000Z",
        });
        REFERENCES.iter().for_each(|name| expected[*name] = Value::Null);
        assert_eq!(made, expected);
        let path = format!("{WORKSPACES}/{}", made["id"].as_str().unwrap());
        assert_eq!(app.get(&path).cookie(&operator).send().await.expect(200), made);
    }

    #[both_stores]
    async fn every_field_that_is_given_is_kept_and_null_means_the_default(test: TestStore) {
        let (app, operator) = start(test).await;
        let mut body = json!({
            "name": "Riverside", "slug": "River_side-2.0", "email": "office@riverside.example", "rateLimitPerMinute": 7,
            "planCode": "standard", "billingMode": "processor_metered", "status": "SUSPENDED", "creditBalance": 9000,
        });
        REFERENCES.iter().for_each(|name| body[*name] = json!(format!("ref {name}")));
        let made = app.post(WORKSPACES).cookie(&operator).json(&body).send().await.expect(201);
        for (name, value) in body.as_object().unwrap().iter().take(6) {
            assert_eq!(&made[name], value, "{name}");
        }
        REFERENCES.iter().for_each(|name| assert_eq!(made[*name], body[*name], "{name}"));
        assert_eq!(
            (&made["status"], &made["creditBalance"]),
            (&json!("ACTIVE"), &json!(0)),
            "they are not the caller's to set"
        );
        assert_eq!(made["emailVerified"], false);
        let mut nulls = json!({ "name": "Other", "slug": "other", "email": null, "rateLimitPerMinute": null, "planCode": null, "billingMode": null });
        REFERENCES.iter().for_each(|name| nulls[*name] = Value::Null);
        let made = app.post(WORKSPACES).cookie(&operator).json(&nulls).send().await.expect(201);
        assert_eq!((&made["rateLimitPerMinute"], &made["billingMode"]), (&json!(1000), &json!("internal_invoice")));
    }

    #[both_stores]
    async fn every_wrong_field_is_named_at_once(test: TestStore) {
        let (app, operator) = start(test).await;
        let before = app.stored().await;
        let mut wrong = json!({
            "name": " ", "slug": "no spaces", "email": "nobody", "rateLimitPerMinute": 0, "planCode": 5, "billingMode": "cash",
        });
        REFERENCES.iter().for_each(|name| wrong[*name] = json!([]));
        let faults = app.post(WORKSPACES).cookie(&operator).json(&wrong).send().await.faults();
        let names = ["name", "slug", "email", "rateLimitPerMinute", "planCode", "billingMode"];
        assert_eq!(faults, [&names[..], &REFERENCES].concat());
        assert_eq!(app.post(WORKSPACES).cookie(&operator).json(&json!({})).send().await.faults(), ["name", "slug"]);
        for (field, values) in [
            ("name", vec![json!("x".repeat(201)), json!("a\nb"), json!(7), Value::Null]),
            (
                "slug",
                vec![
                    json!(""),
                    json!("-a"),
                    json!(".."),
                    json!("a/b"),
                    json!("ä"),
                    json!("x".repeat(101)),
                    json!("a\u{0}"),
                ],
            ),
            (
                "email",
                vec![
                    json!(""),
                    json!("a@"),
                    json!("@b"),
                    json!("a b@c.d"),
                    json!("a@b@c"),
                    json!("a@b,c"),
                    json!("a..b@example.com"),
                    json!("a@example..com"),
                    json!("A <a@example.com>"),
                    json!(format!("{}@b.c", "x".repeat(300))),
                ],
            ),
            ("rateLimitPerMinute", vec![json!(-1), json!(1_000_001), json!(1.5), json!("60"), json!(1e99)]),
            ("planCode", vec![json!(""), json!("x".repeat(101))]),
            ("processorCustomerId", vec![json!(""), json!("x".repeat(256))]),
        ] {
            for value in values {
                let mut body = json!({ "name": "Riverside", "slug": "riverside" });
                body[field] = value.clone();
                let reply =
                    app.post(WORKSPACES).cookie(&operator).raw("application/json", body.to_string()).send().await;
                if value == json!("a\u{0}") {
                    reply.expect(400);
                } else {
                    assert_eq!(reply.faults(), [field], "{value}");
                }
            }
        }
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn a_slug_is_taken_once(test: TestStore) {
        let (app, operator) = start(test).await;
        app.tenant("riverside").await;
        let before = app.stored().await;
        let body = json!({ "name": "Another", "slug": "riverside" });
        let refused = app.post(WORKSPACES).cookie(&operator).json(&body).send().await.expect(409);
        assert_eq!(refused["error"]["code"], "platform_conflict");
        assert_eq!(app.stored().await, before, "no workspace, no balance");
    }

    #[both_stores]
    async fn of_many_at_once_with_one_slug_one_is_made(test: TestStore) {
        let (app, operator) = start(test).await;
        let body = json!({ "name": "Riverside", "slug": "riverside" });
        let send = || app.post(WORKSPACES).cookie(&operator).json(&body).send();
        let replies = futures_util::future::join_all((0..6).map(|_| send())).await;
        let mut statuses: Vec<_> = replies.iter().map(|reply| reply.status.as_u16()).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409, 409, 409, 409, 409]);
    }

    #[both_stores]
    async fn a_replay_is_identical_and_another_request_conflicts(test: TestStore) {
        let (app, operator) = start(test).await;
        let send = |name: &str| {
            let body = json!({ "name": name, "slug": "riverside" });
            app.post(WORKSPACES).cookie(&operator).idempotency("k").json(&body)
        };
        let (first, replay) = (send("Riverside").send().await, send("Riverside").send().await);
        first.expect(201);
        assert!(!first.is_replay() && replay.is_replay());
        assert_eq!((replay.status, &replay.body), (first.status, &first.body));
        send("Another").send().await.expect(409);
        let other = app.operator("p@example.com").await;
        let body = json!({ "name": "Hillside", "slug": "hillside" });
        let own = app.post(WORKSPACES).cookie(&other).idempotency("k").json(&body).send().await;
        assert!(!own.is_replay(), "keys belong to an operator");
        assert_eq!(app.count("SELECT count(*) FROM workspace").await, 2);
    }

    #[both_stores]
    async fn an_unfit_idempotency_key_is_named_beside_the_fields(test: TestStore) {
        let (app, operator) = start(test).await;
        let call = app.post(WORKSPACES).cookie(&operator).idempotency("a b").json(&json!({ "slug": "riverside" }));
        assert_eq!(call.send().await.faults(), ["Idempotency-Key", "name"]);
    }
}
