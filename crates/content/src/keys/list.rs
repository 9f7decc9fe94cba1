//! `GET /v1/content/organizations/{organizationId}/api-keys` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::keys::{self, ApiKey};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use kernel::id::KeyId;
use kernel::time::Timestamp;
use serde::Serialize;

use crate::ContentKeys;

/// A key without anything secret.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedKey {
    #[schema(value_type = String, format = Uuid)]
    id: KeyId,
    #[schema(format = Uuid)]
    organization_id: String,
    name: String,
    #[schema(example = "svc_content_m3JxQ0aB")]
    key_prefix: String,
    /// `ACTIVE`, `REVOKED` or `EXPIRED`.
    #[schema(example = "ACTIVE")]
    status: &'static str,
    rate_limit_per_minute: u32,
    /// At most a minute behind.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_used_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl ListedKey {
    /// The listed form of a key at an instant.
    pub fn of(key: ApiKey, now: Timestamp) -> Self {
        Self {
            status: key.status(now).as_str(),
            id: key.id,
            organization_id: key.owner_id,
            name: key.name,
            key_prefix: key.prefix,
            rate_limit_per_minute: key.rate_limit_per_minute,
            last_used_at: key.last_used_at,
            expires_at: key.expires_at,
            created_at: key.created_at,
        }
    }
}

/// Lists an organization's keys, newest first.
#[utoipa::path(
    get, path = "/v1/content/organizations/{organizationId}/api-keys", tag = "API keys",
    operation_id = "listApiKeys", security(("adminSession" = [])),
    params(("organizationId" = String, Path)),
    responses(
        (status = 200, body = Vec<ListedKey>),
        (status = 401, description = "Not signed in", body = ContentErrorBody),
        (status = 403, description = "The admin cannot manage the organization", body = ContentErrorBody),
    )
)]
pub async fn list(
    State(door): State<Door>,
    session: PresentedSession,
    Params(organization): Params<String>,
) -> Result<Answer, Problem> {
    door.read_by_admin(session, "keys.list", move |tx, admin| {
        let owner = admin.manages(tx, &organization)?.to_string();
        let now = tx.now();
        let listed = keys::list::<ContentKeys>(tx, &owner)?.into_iter().map(|key| ListedKey::of(key, now));
        Ok(Answer::ok(&listed.collect::<Vec<_>>()))
    })
    .await
}
