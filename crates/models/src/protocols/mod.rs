//! The three protocols: how a prompt is written in each, and how an answer is read.
//!
//! What all prompts of a kind have in common comes first on the wire, the turns last, so that providers can keep the
//! beginning. An answer is untrusted: every field may be missing or of another type.

mod chat;
mod messages;
mod responses;

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kernel::model::{Part, Picture, Prompt};
use net::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::value::RawValue;
/// What a server says: read where it lies, because a stream wraps each token in an object of its own.
use serde_json_borrow::Value as Json;

use crate::complaint::Complaint;
use crate::failure::{Cause, Failure};
use crate::manners::{Manner, ROOM_TO_THINK, Shape};
use crate::said::Said;
use crate::settings::Protocol;

/// Whether more of an answer is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    More,
    Done,
}

/// Below the provider's base.
pub(crate) fn path(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Chat => "chat/completions",
        Protocol::Responses => "responses",
        Protocol::Messages => "messages",
    }
}

/// What every request of a protocol has.
pub(crate) fn headers(protocol: Protocol) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if protocol == Protocol::Messages {
        headers.insert(HeaderName::from_static("anthropic-version"), HeaderValue::from_static("2023-06-01"));
    }
    headers
}

/// The header that a key goes into, and how.
pub(crate) fn secret(protocol: Protocol, key: &str) -> (HeaderName, String) {
    match protocol {
        Protocol::Chat | Protocol::Responses => (AUTHORIZATION, format!("Bearer {key}")),
        Protocol::Messages => (HeaderName::from_static("x-api-key"), key.to_owned()),
    }
}

/// The body of a request.
pub(crate) fn body(protocol: Protocol, model: &str, prompt: &Prompt, manner: Manner) -> Vec<u8> {
    let body = match protocol {
        Protocol::Chat => serde_json::to_vec(&chat::body(model, prompt, manner)),
        Protocol::Responses => serde_json::to_vec(&responses::body(model, prompt, manner)),
        Protocol::Messages => serde_json::to_vec(&messages::body(model, prompt, manner)),
    };
    body.expect("texts and numbers can be written as JSON")
}

/// Takes an event of a stream.
pub(crate) fn event(protocol: Protocol, data: &str, said: &mut Said) -> Result<Progress, Failure> {
    if data.trim() == "[DONE]" {
        return Ok(Progress::Done);
    }
    let event: Json<'_> = serde_json::from_str(data).map_err(|_| Cause::Unreadable)?;
    fail_with_error(&event)?;
    match protocol {
        Protocol::Chat => chat::event(&event, said),
        Protocol::Responses => responses::event(&event, said),
        Protocol::Messages => messages::event(&event, said),
    }
}

/// Takes an answer that came in one piece.
pub(crate) fn whole(protocol: Protocol, body: &str, said: &mut Said) -> Result<(), Failure> {
    let answer: &Json<'_> = &serde_json::from_str(body).map_err(|_| Cause::Unreadable)?;
    fail_with_error(answer)?;
    match protocol {
        Protocol::Chat => chat::whole(answer, said),
        Protocol::Responses => responses::whole(answer, said),
        Protocol::Messages => messages::whole(answer, said),
    }
}

/// Errors look alike in all protocols, wherever they come: an object `error`, or an event of that type.
fn fail_with_error<'a>(value: &'a Json<'a>) -> Result<(), Failure> {
    let is_error = !value.get("error").is_null() || value.get("type").as_str() == Some("error");
    if is_error { Err(Complaint::in_stream(value).into()) } else { Ok(()) }
}

/// The system's message: the prompt's own, and the schema where the server does not see to it.
fn instructions(prompt: &Prompt, shape: Shape) -> Cow<'_, str> {
    let own = &prompt.instructions;
    match shape {
        Shape::Schema => own.into(),
        Shape::Object | Shape::Words => Cow::Owned(format!(
            "{own}\n\nAnswer with one JSON object that fits this JSON Schema, and with nothing else: no explanation, no \
            Markdown.\n{}",
            prompt.schema.json()
        )),
    }
}

/// The schema, with limits of its lists and texts where the server takes them.
fn schema(prompt: &Prompt, manner: Manner) -> &RawValue {
    if manner.limits_schema() { prompt.schema.limited_json() } else { prompt.schema.json() }
}

/// The longest answer, thoughts included.
pub(crate) fn most_tokens(prompt: &Prompt, manner: Manner) -> u32 {
    prompt.max_output_tokens.saturating_add(if manner.has_room_to_think { ROOM_TO_THINK } else { 0 })
}

/// The text of parts without pictures; `None` when there are some.
fn text_alone(parts: &[Part]) -> Option<String> {
    let texts = parts.iter().map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        Part::Picture(_) => None,
    });
    Some(texts.collect::<Option<Vec<_>>>()?.join("\n\n"))
}

fn data_url(picture: &Picture) -> String {
    let mut url = format!("data:{};base64,", picture.mime_type);
    STANDARD.encode_string(&picture.bytes, &mut url);
    url
}

fn number<'a>(value: &'a Json<'a>) -> u64 {
    value.as_u64().unwrap_or(0)
}
