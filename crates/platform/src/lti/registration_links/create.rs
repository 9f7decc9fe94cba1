//! `POST /v1/platform/lti/registration-links`: beyond the document, a link that registers a learning platform.

use std::time::Duration;

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{At, Body, JsonBody};
use edge::idempotency::{Kept, Repeatable};
use edge::keys::expires_later;
use edge::problem::Problem;
use http::StatusCode;
use kernel::id::{RegistrationLinkId, WorkspaceId};
use kernel::json::JsonText;
use kernel::secret::{random_token, sha256_hex};
use kernel::time::Timestamp;
use serde::Serialize;
use serde_json::json;
use store::{Record as _, StoreError, Tx, sql};

use super::RegistrationLink;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::lti::REGISTER_PATH;
use crate::lti::registrations::fields;
use crate::named::NamedInQuery;

const USUAL_LIFE: Duration = Duration::from_secs(24 * 3600);
const LONGEST_LIFE: Duration = Duration::from_secs(7 * 24 * 3600);
/// Links of a workspace that are open at a time.
const MOST_OPEN: i64 = 100;
/// Links of a workspace that are listed after their end.
const MOST_KEPT: u32 = 1000;

/// A link to make.
#[derive(Body)]
#[body(context = Option<Timestamp>)]
pub struct CreateLtiRegistrationLinkRequest {
    /// The name of the registration, 1 to 200 characters; the platform's kind and host when it is absent.
    #[field(fields::name(), example = "Riverside Moodle")]
    name: Option<String>,
    /// The metadata of the registration, with its settings: at most 16384 bytes.
    #[field(fields::metadata(), example = json!({ "launchUrl": "https://app.example.com/lti" }))]
    metadata: Option<JsonText>,
    /// When the link ends: a time in the future, at most 7 days away; 24 hours from now when it is absent.
    #[field(rule = expires_soon(expires_at, context))]
    expires_at: Option<Timestamp>,
}

/// The rule of a link's end. Without a time it is not judged.
fn expires_soon(at: &mut At<'_>, expires_at: &Option<Timestamp>, now: &Option<Timestamp>) {
    let Some(now) = now else { return };
    expires_later(at, expires_at, now);
    if expires_at.is_some_and(|end| end > now.plus(LONGEST_LIFE)) {
        at.member("expiresAt").refuse::<()>("must be at most 7 days in the future");
    }
}

/// A link that was just made.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedLtiRegistrationLink {
    /// Its id.
    id: RegistrationLinkId,
    /// What the platform's administrator enters as registration URL. It is in this answer only: null in a replay.
    #[schema(
        required,
        format = "uri",
        example = "https://lectern.example.com/v1/platform/lti/register/3q2-7w4mZ0bq8Jt1mXKpC5yWl9dVhU6eRgTzNfAoBiS"
    )]
    url: Option<String>,
    /// When it ends.
    expires_at: Timestamp,
}

/// Makes a link by which a learning platform's administrator registers the platform, once.
///
/// The administrator enters it in the platform as the tool's registration URL, and confirms. Whoever has the link can do that:
/// send it by a way that others don't read. Its token is stored as a digest, so a repeated request gets `url: null`: revoke that
/// link and make another.
#[utoipa::path(
    post, path = "/v1/platform/lti/registration-links", tag = "LTI", operation_id = "createLtiRegistrationLink",
    request_body = CreateLtiRegistrationLinkRequest,
    params(NamedInQuery),
    responses(
        (status = 201, description = "Made; the URL is shown this once", body = CreatedLtiRegistrationLink),
        (status = 409, description = "100 links are open, or the idempotency key was used for another request",
            body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn create(
    State(platform): State<Platform>,
    credential: Credential,
    named: NamedInQuery,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::write(&platform.door, credential, "lti_registration_links.create", move |tx, caller| {
        let now = tx.now();
        // An end that has come since does not stand in the way of a replay.
        let read = body.read_in::<CreateLtiRegistrationLinkRequest>(&None).or_else(|_| body.read_in(&Some(now)));
        let (key, (named, request)) = Problem::both(repeatable.key(), Problem::both(named.optional(), read))?;
        let workspace = caller.workspace(tx, named)?;
        let claim =
            key.claim(caller.idempotency_scope(), || json!({ "workspace": workspace, "body": body.value().ok() }));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            body.read_in::<CreateLtiRegistrationLinkRequest>(&Some(now))?;
            make_room(tx, workspace)?;
            let token = random_token(tx.ambient());
            let link = request.link(tx, workspace, &token);
            link.insert(tx)?;
            let shown = |url| CreatedLtiRegistrationLink { id: link.id, url, expires_at: link.expires_at };
            let url = format!("{}{REGISTER_PATH}/{token}", parts.base_url);
            let kept = json!(shown(None)).to_string();
            Ok((Answer::json(StatusCode::CREATED, &shown(Some(url))), Kept::Instead(kept)))
        })
    })
    .await
}

/// Forgets the oldest links that have ended.
///
/// # Errors
/// 409 where too many are open.
fn make_room(tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<(), Problem> {
    let now = tx.now();
    let open = sql!(
        "SELECT count(*) FROM lti_registration_link
         WHERE workspace_id = {workspace} AND used_at IS NULL AND revoked_at IS NULL AND expires_at > {now}"
    )
    .find(tx, |row| row.get::<i64>(0))?;
    if open.is_some_and(|open| open >= MOST_OPEN) {
        return Err(Problem::Conflict("The workspace has 100 open registration links. Revoke some of them first."));
    }
    forget_ended(tx, workspace)?;
    Ok(())
}

fn forget_ended(tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<(), StoreError> {
    let now = tx.now();
    sql!(
        "DELETE FROM lti_registration_link
         WHERE workspace_id = {workspace} AND (used_at IS NOT NULL OR revoked_at IS NOT NULL OR expires_at <= {now})
             AND id NOT IN (SELECT id FROM lti_registration_link WHERE workspace_id = {workspace}
                            ORDER BY created_at DESC, id DESC LIMIT {MOST_KEPT})"
    )
    .execute_later(tx)
}

impl CreateLtiRegistrationLinkRequest {
    fn link(self, tx: &Tx<'_>, workspace: WorkspaceId, token: &str) -> RegistrationLink {
        let now = tx.now();
        RegistrationLink {
            id: tx.ambient().id(),
            workspace_id: workspace,
            name: self.name,
            metadata: self.metadata,
            token_digest: sha256_hex(token.as_bytes()),
            expires_at: self.expires_at.unwrap_or(now.plus(USUAL_LIFE)),
            lease_token: None,
            leased_until: None,
            failure: None,
            used_at: None,
            revoked_at: None,
            registration_id: None,
            created_at: now,
        }
    }
}
