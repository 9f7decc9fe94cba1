//! `POST /v1/content/integrations/expansions`: accepts a source and queues its expansion (content-api section 4).
//!
//! One transaction writes the job with its outputs, the work for the queue, the event and the idempotency
//! row: an answered request is never lost, whatever happens next.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, Check, JsonBody, label, list, one_of, text};
use edge::idempotency::{IdempotencyKey, Kept, KeyedRequest, Repeatable, Retention};
use edge::problem::{ContentErrorBody, Problem};
use engine::SourceLevel;
use http::StatusCode;
use kernel::id::ClassroomId;
use serde_json::Value;

use super::accept::{NewExpansion, STANDALONE_LESSON, accept};
use super::payload::{payload, source_title};
use super::rows::OutputKind;
use super::view::ExpansionJob;
use crate::{Content, ContentKey, organization_of, resources};

const DEFAULT_SOURCE_TYPE: &str = "source_json";

/// A source to expand.
#[derive(Body)]
pub struct CreateExpansionRequest {
    /// A classroom of the list.
    classroom_id: ClassroomId,
    /// What to make; everything when it is absent.
    #[field(list(1..=100, one_of(OutputKind::WORDS).shown_as::<OutputKind>()))]
    requested_outputs: Option<Vec<OutputKind>>,
    /// The source JSON: `level`, `categories` or `lessons`.
    #[field(payload())]
    payload: SourceLevel,
    /// `source_json` when it is absent.
    #[field(source_type(), default = DEFAULT_SOURCE_TYPE.to_owned())]
    source_type: String,
    /// Where no `Idempotency-Key` header is sent.
    #[field(body_key())]
    idempotency_key: Option<IdempotencyKey>,
}

/// Accepts a source and queues its expansion.
#[utoipa::path(
    post, path = "/v1/content/integrations/expansions", tag = "Expansions",
    operation_id = "createExpansion", security(("contentKey" = [])), request_body = CreateExpansionRequest,
    params(Repeatable),
    responses(
        (status = 202, description = "Accepted; poll the job or wait for the webhook", body = ExpansionJob),
        (status = 400, description = "The body is invalid; every fault is listed", body = ContentErrorBody),
        (status = 404, description = "There is no such classroom", body = ContentErrorBody),
        (status = 409, description = "The idempotency key was used for another request", body = ContentErrorBody),
        (status = 503, description = "Try again with the same idempotency key", body = ContentErrorBody),
    )
)]
pub async fn create(
    State(content): State<Content>,
    key: ContentKey,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    const NAME: &str = "expansions.create";
    let (new, keyed) = content.door.accept_by_key(&key, NAME, read(&repeatable, &body)).await?;
    let parts = content.clone();
    let door = &content.door;
    door.write_by_key(key, NAME, move |tx, caller| {
        let organization = organization_of(caller)?;
        let claim = keyed.clone().map(|request| request.claim(caller.owner_id.clone(), Retention::Forever));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            resources::load_place(tx, organization, new.classroom)?;
            let expansion = accept(tx, &parts.door.ambient, organization, &new)?;
            Ok((Answer::json(StatusCode::ACCEPTED, &ExpansionJob::of(&expansion, &parts.links)), Kept::Same))
        })
    })
    .await
}

fn read(repeatable: &Repeatable, body: &JsonBody) -> Result<(NewExpansion, Option<KeyedRequest>), Problem> {
    let read = body.read::<CreateExpansionRequest>();
    let (repeat_key, request) = Problem::both(repeatable.key(), read)?;
    let value = body.value()?;
    let mut kinds = request.requested_outputs.unwrap_or_else(|| OutputKind::ALL.to_vec());
    kinds.sort_unstable();
    kinds.dedup();
    let new = NewExpansion {
        classroom: request.classroom_id,
        kinds,
        source_type: request.source_type,
        source_title: source_title(&request.payload),
        source_module: None,
        payload: value["payload"].to_string(),
    };
    Ok((new, repeat_key.or(request.idempotency_key).of(|| without_key(value))))
}

/// An idempotency key in the body.
pub(super) fn body_key() -> impl Check<Value = IdempotencyKey> {
    let text = text(1..=255).pattern("^[!-~]+$");
    text.parsed(|key| IdempotencyKey::new(&key, "").map_err(|_| "must be 1 to 255 visible ASCII characters"))
}

/// The caller's label for its source. One label is taken: it belongs to the export of standalone lessons.
fn source_type() -> impl Check<Value = String> {
    label(1..=100).parsed(|label| if label == STANDALONE_LESSON { Err("is reserved") } else { Ok(label) })
}

/// The request apart from its key, so that a retry may carry the key in the other place.
pub(super) fn without_key(body: &Value) -> Value {
    let mut request = body.clone();
    if let Some(members) = request.as_object_mut() {
        members.shift_remove("idempotencyKey");
    }
    request
}

#[cfg(test)]
mod replays;
#[cfg(test)]
mod tests;
