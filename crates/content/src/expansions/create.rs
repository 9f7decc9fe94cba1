//! `POST /v1/content/integrations/expansions`: accepts a source and queues its expansion (content-api section 4).
//!
//! One transaction writes the job with its outputs, the work for the queue, the event and the idempotency
//! row: an answered request is never lost, whatever happens next.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{At, JsonBody, id, label, list, one_of, text};
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::problem::{ContentErrorBody, Problem};
use events::{NewEvent, Surface};
use http::{HeaderMap, StatusCode};
use kernel::ambient::Ambient;
use kernel::id::{ClassroomId, OrganizationId};
use kernel::json::canonical_sha256;
use kernel::time::Timestamp;
use serde_json::{Value, json};
use store::jobs::{self, NewJob};
use store::{StoreError, Tx};

use super::rows::{self, Expansion, Output, OutputKind, Progress};
use super::view::ExpansionJob;
use super::{payload, work};
use crate::{Content, ContentKey, load_classroom, organization_of};

const ROUTE: &str = "POST /v1/content/integrations/expansions";
const DEFAULT_SOURCE_TYPE: &str = "source_json";
const RESERVED_SOURCE_TYPE: &str = "standalone_lesson";
/// The event of an accepted job: for the record, no endpoint can subscribe to it.
const QUEUED: &str = "content.queued";

/// A source to expand.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct CreateExpansionRequest {
    /// A classroom of the list.
    #[schema(value_type = String, format = Uuid)]
    classroom_id: ClassroomId,
    /// What to make; everything when it is absent.
    requested_outputs: Option<Vec<OutputKind>>,
    /// The source JSON: `level`, `categories` or `lessons`.
    #[schema(value_type = Object, example = json!({
        "language": "en",
        "category": "Biology",
        "level": { "title": "Cells", "lessons": [
            { "title": "The cell", "type": "reading", "text": "A cell is the smallest unit of life." }
        ] }
    }))]
    payload: Value,
    /// `source_json` when it is absent.
    source_type: Option<String>,
    /// Where no `Idempotency-Key` header is sent.
    idempotency_key: Option<String>,
}

struct NewExpansion {
    classroom: ClassroomId,
    kinds: Vec<OutputKind>,
    source_type: String,
    source_title: String,
    payload: String,
    /// The key and the digest of the request, made before the transaction: one thread writes for everybody.
    idempotency: Option<(IdempotencyKey, String)>,
}

/// Accepts a source and queues its expansion.
#[utoipa::path(
    post, path = "/v1/content/integrations/expansions", tag = "Expansions",
    operation_id = "createExpansion", security(("contentKey" = [])), request_body = CreateExpansionRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters")),
    responses(
        (status = 202, description = "Accepted; poll the job or wait for the webhook", body = ExpansionJob),
        (status = 400, description = "The body is invalid; every fault is listed", body = ContentErrorBody),
        (status = 401, description = "The key is invalid or missing", body = ContentErrorBody),
        (status = 404, description = "There is no such classroom", body = ContentErrorBody),
        (status = 409, description = "The idempotency key was used for another request", body = ContentErrorBody),
        (status = 413, description = "The body is too large", body = ContentErrorBody),
        (status = 415, description = "The body is not JSON", body = ContentErrorBody),
        (status = 429, description = "The key's rate limit is exceeded", body = ContentErrorBody),
        (status = 503, description = "Try again with the same idempotency key", body = ContentErrorBody),
    )
)]
pub async fn create(
    State(content): State<Content>,
    key: ContentKey,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let request = read(&headers, &body);
    let parts = content.clone();
    content
        .door
        .write_by_key(key, "expansions.create", move |tx, caller| {
            let organization = organization_of(caller)?;
            let new = request.as_ref().map_err(Clone::clone)?;
            let claim = new.idempotency.as_ref().map(|(key, request_hash)| Claim {
                scope: caller.owner_id.clone(),
                route: ROUTE,
                key: key.clone(),
                request_hash: request_hash.clone(),
                retention: Retention::Forever,
            });
            parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
                load_classroom(tx, organization, new.classroom)?;
                let expansion = accept(tx, &parts.door.ambient, organization, new)?;
                Ok((Answer::json(StatusCode::ACCEPTED, &ExpansionJob::of(&expansion, &parts.links)), Kept::Same))
            })
        })
        .await
}

fn read(headers: &HeaderMap, body: &JsonBody) -> Result<NewExpansion, Problem> {
    let header_key = IdempotencyKey::from_headers(headers)?;
    let (classroom, kinds, source_type, body_key) = body.read(|fields| {
        let classroom = fields.required("classroomId", id::<ClassroomId>);
        let kinds = fields.optional("requestedOutputs", list(1..=100, one_of(OutputKind::WORDS)));
        let payload = fields.required("payload", payload::check);
        let source_type = fields.optional("sourceType", source_type);
        let key = fields.optional("idempotencyKey", |value, at| {
            let key = text(1..=255)(value, at)?;
            IdempotencyKey::new(&key, "").ok().or_else(|| at.refuse("must be 1 to 255 visible ASCII characters"))
        });
        payload?;
        Some((classroom?, kinds?, source_type?, key?))
    })?;
    let value = body.value()?;
    let source = &value["payload"];
    let level = payload::source_level(source).ok_or_else(|| Problem::field("payload", "has no level to expand"))?;
    let mut kinds = kinds.unwrap_or_else(|| OutputKind::ALL.to_vec());
    kinds.sort_unstable();
    kinds.dedup();
    Ok(NewExpansion {
        classroom,
        kinds,
        source_type: source_type.unwrap_or_else(|| DEFAULT_SOURCE_TYPE.to_owned()),
        source_title: payload::source_title(&level),
        payload: source.to_string(),
        idempotency: header_key.or(body_key).map(|key| (key, canonical_sha256(&without_key(value)))),
    })
}

/// The caller's label for its source. One label is taken: it belongs to the export of standalone lessons.
fn source_type(value: &Value, at: &mut At<'_>) -> Option<String> {
    let label = label(1..=100)(value, at)?;
    if label == RESERVED_SOURCE_TYPE { at.refuse("is reserved") } else { Some(label) }
}

/// The request apart from its key, so that a retry may carry the key in the other place.
fn without_key(body: &Value) -> Value {
    let mut request = body.clone();
    if let Some(members) = request.as_object_mut() {
        members.shift_remove("idempotencyKey");
    }
    request
}

fn accept(
    tx: &mut Tx<'_>,
    ambient: &Ambient,
    organization: OrganizationId,
    new: &NewExpansion,
) -> Result<Expansion, StoreError> {
    let now = tx.now();
    let expansion = queued(ambient, organization, new, now);
    rows::insert(tx, &expansion, &new.payload)?;
    let job = NewJob {
        kind: work::KIND,
        tenant: organization.to_string(),
        payload: work::job_payload(organization, expansion.id),
        run_at: now,
        priority: 0,
    };
    jobs::enqueue(tx, ambient.id(), &job)?;
    let event = NewEvent {
        id: ambient.id(),
        surface: Surface::Content,
        owner_id: organization.to_string(),
        event_type: QUEUED,
        subject_id: expansion.id.to_string(),
        body: json!({ "jobId": expansion.id, "createdAt": now }).to_string(),
    };
    events::note(tx, &event)?;
    Ok(expansion)
}

fn queued(ambient: &Ambient, organization: OrganizationId, new: &NewExpansion, now: Timestamp) -> Expansion {
    let outputs = new.kinds.iter().map(|kind| Output {
        id: ambient.id(),
        kind: *kind,
        progress: Progress::Queued,
        resource_id: None,
        manifest: None,
        module_is_public: None,
    });
    Expansion {
        id: ambient.id(),
        organization_id: organization,
        classroom_id: new.classroom,
        source_type: new.source_type.clone(),
        source_title: new.source_title.clone(),
        source_resource_id: None,
        source_resource_type: None,
        progress: Progress::Queued,
        created_at: now,
        updated_at: now,
        outputs: outputs.collect(),
    }
}

#[cfg(test)]
mod replays;
#[cfg(test)]
mod tests;
