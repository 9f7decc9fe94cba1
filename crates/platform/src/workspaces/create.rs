//! `POST /v1/platform/workspaces` (platform-api section 4).

use axum::extract::State;
use billing::{catalog, ledger};
use edge::answer::Answer;
use edge::body::JsonBody;
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::problem::Problem;
use http::{HeaderMap, StatusCode};
use kernel::id::{OrganizationId, WorkspaceId};
use store::{StoreError, Tx};

use super::fields::{self, DEFAULT_RATE_LIMIT_PER_MINUTE};
use super::{BillingMode, Processor, Status, Workspace};
use crate::Platform;
use crate::agent::verify_email::send;
use crate::callers::{self, Credential};

const ROUTE: &str = "POST /v1/platform/workspaces";

/// What a new workspace is to be.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct CreateWorkspaceRequest {
    /// 1 to 200 characters.
    #[schema(example = "Riverside School")]
    name: String,
    /// Unique; letters, digits, hyphens, dots and underscores.
    #[schema(example = "riverside-school")]
    slug: String,
    /// The contact address; it has to be verified before keys work, where the operator asks for that.
    email: Option<String>,
    /// Requests a minute of all keys together, 1 to 1000000; 1000 when it is absent.
    rate_limit_per_minute: Option<u32>,
    /// The plan, in the operator's own words.
    plan_code: Option<String>,
    /// `internal_invoice` when it is absent.
    billing_mode: Option<BillingMode>,
    /// The payment processor's customer.
    processor_customer_id: Option<String>,
    /// The payment processor's subscription.
    processor_subscription_id: Option<String>,
    /// The subscription's item for the tier `fast`.
    processor_subscription_item_id_fast: Option<String>,
    /// The subscription's item for the tier `standard`.
    processor_subscription_item_id_standard: Option<String>,
    /// The subscription's item for the tier `advanced`.
    processor_subscription_item_id_advanced: Option<String>,
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
}

impl NewWorkspace {
    /// A workspace with the defaults of everything but its names.
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
        }
    }
}

/// Makes a workspace with its free credits.
#[utoipa::path(
    post, path = "/v1/platform/workspaces", tag = "Workspaces", operation_id = "createWorkspace",
    security(("operatorSession" = []), ("platformKey" = [])), request_body = CreateWorkspaceRequest,
    responses((status = 201, description = "Made", body = Workspace))
)]
pub async fn create(
    State(platform): State<Platform>,
    credential: Credential,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let parts = platform.clone();
    callers::write(&platform.door, credential, "workspaces.create", move |tx, caller| {
        caller.manages_the_service()?;
        let (key, new) = Problem::both(idempotency_key.clone(), read(&body))?;
        let claim = key.map(|key| {
            let request = body.value().cloned().unwrap_or_default();
            Claim::new(caller.idempotency_scope(), ROUTE, key, &request, Retention::Day)
        });
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            let id = insert(tx, &new)?;
            Ok((Answer::json(StatusCode::CREATED, &Workspace::load(tx, id)?), Kept::Same))
        })
    })
    .await
}

fn read(body: &JsonBody) -> Result<NewWorkspace, Problem> {
    body.read(|fields| {
        let name = fields.required("name", fields::name);
        let slug = fields.required("slug", fields::slug);
        let email = fields.optional("email", fields::email);
        let limit = fields.optional("rateLimitPerMinute", fields::rate_limit);
        let plan_code = fields.optional("planCode", fields::plan_code);
        let billing_mode = fields.optional("billingMode", fields::billing_mode);
        let processor = fields::processor(fields);
        Some(NewWorkspace {
            email: email?,
            rate_limit_per_minute: limit?.unwrap_or(DEFAULT_RATE_LIMIT_PER_MINUTE),
            plan_code: plan_code?,
            billing_mode: billing_mode?.unwrap_or(BillingMode::InternalInvoice),
            processor: processor?,
            ..NewWorkspace::named(name?, slug?)
        })
    })
}

/// Adds a workspace with its balance. An address that isn't verified yet gets a mail.
///
/// # Errors
/// 409 when the slug is taken.
pub fn insert(tx: &mut Tx<'_>, new: &NewWorkspace) -> Result<WorkspaceId, Problem> {
    let id: WorkspaceId = tx.ambient().id();
    let now = tx.now();
    let verified_at = new.is_email_verified.then_some(now);
    let inserted = tx.execute(
        "INSERT INTO workspace (id, name, slug, email, email_verified_at, status, rate_limit_per_minute, plan_code,
            billing_mode, processor_customer_id, processor_subscription_id, processor_subscription_item_id_fast,
            processor_subscription_item_id_standard, processor_subscription_item_id_advanced, organization_id,
            created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)",
        &[
            &id,
            &new.name,
            &new.slug,
            &new.email,
            &verified_at,
            &Status::Active.as_str(),
            &new.rate_limit_per_minute,
            &new.plan_code,
            &new.billing_mode.as_str(),
            &new.processor.processor_customer_id,
            &new.processor.processor_subscription_id,
            &new.processor.processor_subscription_item_id_fast,
            &new.processor.processor_subscription_item_id_standard,
            &new.processor.processor_subscription_item_id_advanced,
            &new.organization,
            &now,
        ],
    );
    inserted.map_err(|error| match error {
        StoreError::Unique { .. } => Problem::Conflict("Another workspace has this slug."),
        error => error.into(),
    })?;
    ledger::open(tx, id, catalog::FREE_GRANT)?;
    if let Some(email) = new.email.as_ref().filter(|_| !new.is_email_verified) {
        send::request(tx, id, email)?;
    }
    Ok(id)
}
