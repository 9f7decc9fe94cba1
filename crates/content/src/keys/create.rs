//! `POST /v1/content/organizations/{organizationId}/api-keys` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{JsonBody, integer, text, timestamp};
use edge::door::Door;
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::keys::{self, NewKey};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::{HeaderMap, StatusCode};
use kernel::time::Timestamp;
use serde_json::json;

use super::{CreatedKey, DEFAULT_RATE_LIMIT_PER_MINUTE, HIGHEST_RATE_LIMIT_PER_MINUTE};
use crate::ContentKeys;

const ROUTE: &str = "POST /v1/content/organizations/{organizationId}/api-keys";

/// What a new key is to be.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct CreateKeyRequest {
    /// 1 to 200 characters.
    #[schema(example = "production")]
    name: String,
    /// 1 to 100000 requests a minute; 60 when it is absent.
    #[schema(example = 60)]
    rate_limit_per_minute: Option<u32>,
    /// A time in the future after which the key stops authorizing.
    #[schema(format = DateTime)]
    expires_at: Option<String>,
}

/// Makes a content key. Its raw text is in this answer only.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/api-keys", tag = "API keys",
    operation_id = "createApiKey", security(("adminSession" = [])), request_body = CreateKeyRequest,
    params(
        ("organizationId" = String, Path),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters"),
    ),
    responses(
        (status = 201, body = CreatedKey),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "Not signed in", body = ContentErrorBody),
        (status = 403, description = "The admin cannot manage the organization", body = ContentErrorBody),
        (status = 409, description = "The idempotency key was used for another request", body = ContentErrorBody),
    )
)]
pub async fn create(
    State(door): State<Door>,
    session: PresentedSession,
    Params(organization): Params<String>,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let Door { ambient, idempotency, .. } = door.clone();
    door.write_by_admin(session, "keys.create", move |tx, admin| {
        let owner = admin.manages(tx, &organization)?.to_string();
        let new = read(&body, tx.now())?;
        let claim = idempotency_key.clone()?.map(|key| {
            let request = body.value().cloned().unwrap_or_default();
            Claim::new(owner.clone(), ROUTE, key, &request, Retention::Day)
        });
        idempotency.once(tx, claim.as_ref(), |tx| {
            let minted = keys::create::<ContentKeys>(tx, &ambient, &owner, &new)?;
            let answer = Answer::json(StatusCode::CREATED, &CreatedKey::of(&minted));
            Ok((answer, Kept::Instead(json!(CreatedKey::without_raw_key(&minted)).to_string())))
        })
    })
    .await
}

fn read(body: &JsonBody, now: Timestamp) -> Result<NewKey, Problem> {
    body.read(|fields| {
        let name = fields.required("name", text(1..=200));
        let limit = fields.optional("rateLimitPerMinute", integer(1..=i64::from(HIGHEST_RATE_LIMIT_PER_MINUTE)));
        let expires_at = fields.optional("expiresAt", |value, at| {
            timestamp(value, at).and_then(|end| if end > now { Some(end) } else { at.refuse("must be in the future") })
        });
        let limit = limit?.map_or(DEFAULT_RATE_LIMIT_PER_MINUTE, |limit| {
            u32::try_from(limit).expect("the range check leaves a small positive number")
        });
        Some(NewKey { name: name?, rate_limit_per_minute: limit, expires_at: expires_at? })
    })
}
