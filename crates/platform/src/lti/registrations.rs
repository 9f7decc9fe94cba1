//! Registrations: what this service knows of a learning platform, and by which client id the platform knows this service
//! (platform-api sections 2 and 4).

pub mod create;
pub mod delete;
pub(super) mod fields;
pub mod find;
pub mod get;
pub mod list;
pub mod update;

use billing::catalog::Tier;
use edge::body::{At, Check, Plain, any_text};
use edge::openapi::AnyObject;
use edge::problem::Problem;
use kernel::id::{RegistrationId, WorkspaceId};
use kernel::json::JsonText;
use kernel::time::Timestamp;
use net::Url;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{Record, StoreError, Tx, sql};

use crate::callers::Caller;

/// A learning platform that a workspace registered (platform-api section 2).
#[derive(Clone, Debug, Record, Serialize, utoipa::ToSchema)]
#[record(table = "lti_registration")]
#[serde(rename_all = "camelCase")]
#[schema(as = LtiRegistration)]
pub struct Registration {
    /// Its id.
    #[column(key)]
    pub id: RegistrationId,
    /// The workspace.
    #[serde(rename = "platformWorkspaceId")]
    #[column(fixed)]
    pub workspace_id: WorkspaceId,
    /// Its name.
    #[schema(example = "Riverside Moodle")]
    pub name: String,
    /// The `iss` of its tokens.
    #[schema(example = "https://moodle.riverside.example.com")]
    pub issuer: String,
    /// How it calls this service.
    #[schema(example = "Xk3vQ9sT2")]
    pub client_id: String,
    /// Where browsers are sent to sign in.
    #[schema(format = "uri", example = "https://moodle.riverside.example.com/mod/lti/auth.php")]
    pub authorization_endpoint: String,
    /// Where access tokens for its services are asked for.
    #[schema(format = "uri", example = "https://moodle.riverside.example.com/mod/lti/token.php")]
    pub token_endpoint: String,
    /// Where its public keys are.
    #[schema(format = "uri", example = "https://moodle.riverside.example.com/mod/lti/certs.php")]
    pub jwks_endpoint: String,
    /// `active` or `inactive`.
    #[schema(example = "active")]
    pub status: Status,
    /// The workspace's own data, and settings of this service.
    #[schema(required, value_type = Option<AnyObject>)]
    pub metadata: Option<JsonText>,
    /// When it was made.
    #[column(fixed, now)]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[column(now)]
    pub updated_at: Timestamp,
    /// Since when it is a client of its token endpoint's server; see [`tokens`](super::tokens).
    #[serde(skip)]
    pub client_since: Timestamp,
    /// Since when it has tokens made for the server of its token audience.
    #[serde(skip)]
    pub audience_since: Timestamp,
}

/// Whether a learning platform may launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema, store::Words)]
#[serde(rename_all = "lowercase")]
#[schema(as = LtiRegistrationStatus)]
pub enum Status {
    /// It may.
    Active,
    /// It may not.
    Inactive,
}

/// The names of the states in a query.
const STATUS_NAMES: &[(&str, Status)] = &[("ACTIVE", Status::Active), ("INACTIVE", Status::Inactive)];

edge::documented_words! {
    /// Whether a learning platform may launch. A request may write it in either case.
    pub LtiRegistrationStatusName = STATUS_NAMES
}

const NOT_FOUND: Problem = Problem::NotFound("LTI registration");

impl Registration {
    /// The registration with an ID.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(crate) fn find(tx: &mut Tx<'_>, id: RegistrationId) -> Result<Option<Self>, StoreError> {
        sql!("SELECT {Registration::*} FROM lti_registration WHERE id = {id}").find(tx, Self::from_row)
    }

    /// The registration that a path names, where the caller may see it.
    ///
    /// # Errors
    /// 404 for one that does not exist for the caller.
    pub(super) fn load(tx: &mut Tx<'_>, caller: &Caller, id: &str) -> Result<Self, Problem> {
        let id: RegistrationId = id.parse().map_err(|_| NOT_FOUND)?;
        Self::find(tx, id)?.filter(|registration| caller.sees(registration.workspace_id)).ok_or(NOT_FOUND)
    }
}

/// What of a registration's metadata this service reads; the rest is the workspace's own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Where launches lead.
    pub(crate) launch_url: Option<Url>,
    /// The only deployments that may launch.
    pub(crate) deployment_ids: Option<Vec<String>>,
    /// Whom the platform wants assertions for access tokens to be for, where it is not the token endpoint.
    pub(crate) token_audience: Option<String>,
    /// How scores are sent.
    pub(crate) grade_sync: Option<GradeSync>,
    /// How tests are taken.
    pub(crate) tests: Option<TestSettings>,
}

/// How tests are taken in launches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct TestSettings {
    /// How often a learner may hand in the test of a link, from 1; as often as they like where it is `None`.
    pub(crate) attempts: Option<u32>,
    /// The tier at which open answers are graded; `advanced` where it is `None`.
    pub(crate) tier: Option<Tier>,
}

/// How scores are sent to a platform.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct GradeSync {
    /// What becomes of a score that a person should look at.
    pub(crate) on_review: OnReview,
    /// What the learner reads beside a score that a person may still change.
    pub(crate) comment: Option<String>,
}

/// What becomes of a score that a person should look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OnReview {
    /// It is sent with a comment.
    #[default]
    Send,
    /// It waits for the reviewer.
    Hold,
}

impl Registration {
    /// The settings in its metadata.
    pub(crate) fn settings(&self) -> Settings {
        let metadata = self.metadata.as_ref().and_then(|text| serde_json::from_str::<Value>(text.as_str()).ok());
        let metadata = metadata.unwrap_or_default();
        // A member that an older version kept without reading it may have any form: the others hold nevertheless.
        fn member<T: serde::de::DeserializeOwned>(metadata: &Value, name: &str) -> Option<T> {
            T::deserialize(metadata.get(name)?).ok()
        }
        Settings {
            launch_url: member(&metadata, "launchUrl"),
            deployment_ids: member(&metadata, "deploymentIds"),
            token_audience: member(&metadata, "tokenAudience"),
            grade_sync: member(&metadata, "gradeSync"),
            tests: member(&metadata, "tests"),
        }
    }
}

impl Status {
    /// The status that a text names, in any case of letters.
    fn named(text: &str) -> Result<Self, String> {
        edge::query::one_of(STATUS_NAMES)(&text.to_ascii_uppercase())
    }
}

impl Plain for Status {
    fn check() -> impl Check<Value = Self> {
        let read =
            |text: String, at: &mut At<'_>| Self::named(&text).or_else(|message| at.refuse(message).ok_or(())).ok();
        any_text().then(read).shown_as::<Self>()
    }
}

/// Keeps that a platform has deployed the service in one of its places.
pub(super) fn deploy(tx: &mut Tx<'_>, registration: RegistrationId, deployment: &str) -> Result<(), StoreError> {
    let now = tx.now();
    sql!(
        "INSERT INTO lti_deployment (registration_id, deployment_id, created_at)
         VALUES ({registration}, {deployment}, {now}) ON CONFLICT (registration_id, deployment_id) DO NOTHING"
    )
    .execute_later(tx)
}

/// What an insert or an update came to.
fn unless_taken(written: Result<(), StoreError>) -> Result<(), Problem> {
    written.map_err(|error| match error {
        StoreError::Unique { .. } => Problem::Conflict("Another registration has this issuer and client ID."),
        error => error.into(),
    })
}

#[cfg(test)]
mod tests;
