//! Anthropic's messages. The system's message and what stands before the last parts are marked to be kept for the next prompt
//! that begins the same.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use engine::model::{Part, Prompt, Turn};
use serde_json::{Value, json};

use super::{Progress, instructions, most_tokens, number};
use crate::failure::{Cause, Failure};
use crate::manners::{Manner, Shape};
use crate::said::{Finish, Said};

pub(super) fn body(model: &str, prompt: &Prompt, manner: Manner) -> Value {
    let mut body = json!({ "model": model, "stream": true, "max_tokens": most_tokens(prompt, manner) });
    if let Some(temperature) = prompt.temperature.filter(|_| manner.has_temperature) {
        body["temperature"] = json!(temperature);
    }
    let (name, schema) = (prompt.schema.name, &prompt.schema.schema);
    match manner.shape {
        Shape::Schema => body["output_config"] = json!({ "format": { "type": "json_schema", "schema": schema } }),
        Shape::Object => {
            body["tools"] = json!([{ "name": name, "description": "Gives the answer.", "input_schema": schema }]);
            body["tool_choice"] = json!({ "type": "tool", "name": name });
        }
        Shape::Words => {}
    }
    let mut system = json!([{ "type": "text", "text": instructions(prompt, manner.shape) }]);
    keep(&mut system[0]);
    body["system"] = system;
    body["messages"] = messages(&prompt.turns);
    body
}

fn messages(turns: &[Turn]) -> Value {
    let mut messages: Vec<(&str, Vec<Value>)> = turns.iter().map(message).collect();
    // What differs is last; the part in front of it is the last that may be the same again, or, where several parts
    // differ, the one that the turn begins with.
    if let Some(block) = messages.iter_mut().rev().flat_map(|(_, blocks)| blocks.iter_mut().rev()).nth(1) {
        keep(block);
    }
    if let Some((_, blocks)) = messages.last_mut()
        && blocks.len() > 2
    {
        keep(&mut blocks[0]);
    }
    messages.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

fn message(turn: &Turn) -> (&'static str, Vec<Value>) {
    match turn {
        Turn::Model(text) => ("assistant", vec![json!({ "type": "text", "text": text })]),
        Turn::User(parts) => ("user", parts.iter().filter_map(part).collect()),
    }
}

/// Empty texts are refused there.
fn part(part: &Part) -> Option<Value> {
    match part {
        Part::Text(text) if text.is_empty() => None,
        Part::Text(text) => Some(json!({ "type": "text", "text": text })),
        Part::Picture(picture) => {
            let data = STANDARD.encode(&picture.bytes);
            let source = json!({ "type": "base64", "media_type": picture.mime_type, "data": data });
            Some(json!({ "type": "image", "source": source }))
        }
    }
}

fn keep(block: &mut Value) {
    block["cache_control"] = json!({ "type": "ephemeral" });
}

pub(super) fn event(event: &Value, said: &mut Said) -> Result<Progress, Failure> {
    match event["type"].as_str().unwrap_or_default() {
        "message_start" => {
            said.name(event["message"]["model"].as_str());
            usage(&event["message"]["usage"], said);
        }
        "content_block_delta" => delta(&event["delta"], said)?,
        "message_delta" => {
            usage(&event["usage"], said);
            said.finish = finish(&event["delta"]["stop_reason"]).or(said.finish);
        }
        "message_stop" => return Ok(Progress::Done),
        _ => {}
    }
    Ok(Progress::More)
}

fn delta(delta: &Value, said: &mut Said) -> Result<(), Failure> {
    let text = |name: &str| delta[name].as_str().unwrap_or_default();
    match delta["type"].as_str() {
        Some("text_delta") => said.push(text("text"))?,
        Some("input_json_delta") => said.push_arguments(text("partial_json"))?,
        Some("thinking_delta") => said.has_thought = true,
        _ => {}
    }
    Ok(())
}

pub(super) fn whole(answer: &Value, said: &mut Said) -> Result<(), Failure> {
    let Some(blocks) = answer["content"].as_array() else { return Err(Cause::Unreadable.into()) };
    said.name(answer["model"].as_str());
    usage(&answer["usage"], said);
    for block in blocks {
        match block["type"].as_str() {
            Some("text") => said.push(block["text"].as_str().unwrap_or_default())?,
            Some("tool_use") => said.push_arguments(&block["input"].to_string())?,
            Some("thinking" | "redacted_thinking") => said.has_thought = true,
            _ => {}
        }
    }
    said.finish = finish(&answer["stop_reason"]);
    Ok(())
}

fn finish(reason: &Value) -> Option<Finish> {
    match reason.as_str()? {
        "end_turn" | "stop_sequence" | "tool_use" => Some(Finish::Whole),
        "max_tokens" | "model_context_window_exceeded" => Some(Finish::Length),
        "refusal" => Some(Finish::Declined),
        // It waits for something that nobody will do.
        _ => None,
    }
}

/// Counts are of the whole message each time; kept tokens are not among those of the input there.
fn usage(usage: &Value, said: &mut Said) {
    if usage["input_tokens"].is_u64() {
        let cached = number(&usage["cache_read_input_tokens"]);
        let written = number(&usage["cache_creation_input_tokens"]);
        said.usage.input_tokens = number(&usage["input_tokens"]) + cached + written;
        said.usage.cached_tokens = cached;
    }
    said.usage.output_tokens = said.usage.output_tokens.max(number(&usage["output_tokens"]));
}
