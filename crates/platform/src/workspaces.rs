//! Workspaces: the customers of this surface, with their credits, limits and billing settings (platform-api sections 2
//! and 4). An operator's business, except that a key may look at its own.

pub mod activate;
pub mod create;
pub mod credits;
pub mod fields;
pub mod find;
pub mod from_organization;
pub mod get;
pub mod link;
pub mod list;
pub(crate) mod processor_customer;
pub mod suspend;
pub mod transfers;
pub mod update;
pub mod verification;

use billing::ledger::{self, Balance};
use edge::body::Body;
use edge::problem::Problem;
use kernel::id::{OrganizationId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use serde::{Serialize, Serializer};
use store::{Record, StoreError, Tx, sql};

use self::fields::processor_reference;

/// A workspace as its operator sees it (platform-api section 2).
#[derive(Clone, Debug, Record, Serialize, utoipa::ToSchema)]
#[record(table = "workspace")]
#[serde(rename_all = "camelCase")]
pub struct Workspace {
    /// Its id.
    #[column(key)]
    pub id: WorkspaceId,
    /// Its name.
    #[schema(example = "Riverside School")]
    pub name: String,
    /// Its unique handle in URLs.
    #[schema(pattern = "^[A-Za-z0-9][A-Za-z0-9._~-]*$", example = "riverside-school")]
    #[column(fixed)]
    pub slug: String,
    /// The contact address.
    #[schema(required, format = "email")]
    pub email: Option<String>,
    /// Whether the contact address was verified.
    #[serde(serialize_with = "is_some")]
    #[schema(value_type = bool, required)]
    #[column(name = "email_verified_at", fixed)]
    pub email_verified: Option<Timestamp>,
    /// `ACTIVE` or `SUSPENDED`.
    #[schema(example = "ACTIVE")]
    #[column(fixed)]
    pub status: Status,
    /// Bought credits that are left, in credits of USD 0.01; what running evaluations reserved is not among them.
    #[schema(value_type = f64, example = 250)]
    #[serde(serialize_with = "MicroUsd::serialize_as_credits")]
    #[column(skip)]
    pub credit_balance: MicroUsd,
    /// Free credits that are left, in credits of USD 0.01; they are used before bought ones.
    #[schema(value_type = f64, example = 100)]
    #[serde(serialize_with = "MicroUsd::serialize_as_credits")]
    #[column(skip)]
    pub free_credit_balance: MicroUsd,
    /// Requests a minute of all keys together.
    #[schema(example = 1000)]
    pub rate_limit_per_minute: u32,
    /// The plan, in the operator's own words.
    #[schema(required)]
    pub plan_code: Option<String>,
    /// `internal_invoice` or `processor_metered`.
    #[schema(example = "internal_invoice")]
    pub billing_mode: BillingMode,
    /// What the payment processor calls the customer.
    #[schema(required)]
    pub processor_customer_id: Option<String>,
    /// What the payment processor calls the subscription.
    #[schema(required)]
    pub processor_subscription_id: Option<String>,
    /// The subscription's item for the tier `fast`.
    #[schema(required)]
    pub processor_subscription_item_id_fast: Option<String>,
    /// The subscription's item for the tier `standard`.
    #[schema(required)]
    pub processor_subscription_item_id_standard: Option<String>,
    /// The subscription's item for the tier `advanced`.
    #[schema(required)]
    pub processor_subscription_item_id_advanced: Option<String>,
    /// The linked organization of the content surface.
    #[schema(required)]
    #[column(fixed)]
    pub organization_id: Option<OrganizationId>,
    /// When it was made.
    #[column(fixed)]
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// What the payment processor calls a new workspace.
#[derive(Body, Clone, Debug, Default, PartialEq, Eq)]
pub struct Processor {
    /// The payment processor's customer.
    #[field(processor_reference())]
    pub processor_customer_id: Option<String>,
    /// The payment processor's subscription.
    #[field(processor_reference())]
    pub processor_subscription_id: Option<String>,
    /// The subscription's item for the tier `fast`.
    #[field(processor_reference())]
    pub processor_subscription_item_id_fast: Option<String>,
    /// The subscription's item for the tier `standard`.
    #[field(processor_reference())]
    pub processor_subscription_item_id_standard: Option<String>,
    /// The subscription's item for the tier `advanced`.
    #[field(processor_reference())]
    pub processor_subscription_item_id_advanced: Option<String>,
}

/// Whether a workspace's keys work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema, store::Words)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = WorkspaceStatus)]
pub enum Status {
    /// They do.
    Active,
    /// They don't.
    Suspended,
}

/// How a workspace pays for what its credits don't cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema, store::Words)]
#[serde(rename_all = "snake_case")]
pub enum BillingMode {
    /// It doesn't: the operator sells credits.
    InternalInvoice,
    /// The payment processor charges what was used.
    ProcessorMetered,
}

const NOT_FOUND: Problem = Problem::NotFound("Workspace");

impl Workspace {
    /// A workspace by its id.
    ///
    /// # Errors
    /// 404 when there is none.
    pub fn load(tx: &mut Tx<'_>, id: WorkspaceId) -> Result<Self, Problem> {
        let found = sql!("SELECT {Workspace::*} FROM workspace WHERE id = {id}").find(tx, Self::from_row)?;
        let mut workspace = found.ok_or(NOT_FOUND)?;
        workspace.set_balance(&ledger::find_balance(tx, id)?.unwrap_or_default());
        Ok(workspace)
    }

    /// The same workspace with another status; nothing changes when it has it already.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn turn(mut self, tx: &mut Tx<'_>, status: Status) -> Result<Self, StoreError> {
        if self.status != status {
            (self.status, self.updated_at) = (status, tx.now());
            tx.execute(
                "UPDATE workspace SET status = $2, updated_at = $3 WHERE id = $1",
                &[&self.id, &status, &self.updated_at],
            )?;
        }
        Ok(self)
    }

    fn set_balance(&mut self, balance: &Balance) {
        (self.credit_balance, self.free_credit_balance) = (balance.credits, balance.free);
    }
}

fn is_some<S: Serializer>(value: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(value.is_some())
}

/// The workspace that a path names.
pub(crate) fn path_param(text: &str) -> Result<WorkspaceId, Problem> {
    text.parse().map_err(|_| NOT_FOUND)
}
