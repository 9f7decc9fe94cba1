//! OpenAI's responses. Nothing is stored there: `store` is false.

use engine::model::{Part, Prompt, Turn, Usage};
use serde_json::{Value, json};

use super::{Progress, data_url, instructions, most_tokens, number};
use crate::complaint::Complaint;
use crate::failure::{Cause, Failure};
use crate::manners::{Manner, Shape};
use crate::said::{Finish, Said};

pub(super) fn body(model: &str, prompt: &Prompt, manner: Manner) -> Value {
    let mut body = json!({ "model": model, "stream": true, "store": false });
    body["max_output_tokens"] = json!(most_tokens(prompt, manner));
    if let Some(temperature) = prompt.temperature.filter(|_| manner.has_temperature) {
        body["temperature"] = json!(temperature);
    }
    let (name, schema) = (prompt.schema.name, &prompt.schema.schema);
    match manner.shape {
        Shape::Schema => {
            let format = json!({ "type": "json_schema", "name": name, "strict": true, "schema": schema });
            body["text"] = json!({ "format": format });
        }
        Shape::Object => body["text"] = json!({ "format": { "type": "json_object" } }),
        Shape::Words => {}
    }
    body["instructions"] = json!(instructions(prompt, manner.shape));
    body["input"] = prompt.turns.iter().map(item).collect();
    body
}

fn item(turn: &Turn) -> Value {
    match turn {
        Turn::Model(text) => json!({ "role": "assistant", "content": [{ "type": "output_text", "text": text }] }),
        Turn::User(parts) => json!({ "role": "user", "content": parts.iter().map(part).collect::<Vec<_>>() }),
    }
}

fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({ "type": "input_text", "text": text }),
        Part::Picture(picture) => json!({ "type": "input_image", "image_url": data_url(picture) }),
    }
}

pub(super) fn event(event: &Value, said: &mut Said) -> Result<Progress, Failure> {
    match event["type"].as_str().unwrap_or_default() {
        "response.output_text.delta" => said.push(event["delta"].as_str().unwrap_or_default())?,
        "response.refusal.delta" => said.refuse(),
        "response.completed" | "response.incomplete" => {
            end(&event["response"], said)?;
            return Ok(Progress::Done);
        }
        "response.failed" => return Err(Complaint::in_stream(&event["response"]).into()),
        kind if kind.starts_with("response.reasoning") => said.has_thought = true,
        _ => said.name(event["response"]["model"].as_str()),
    }
    Ok(Progress::More)
}

pub(super) fn whole(answer: &Value, said: &mut Said) -> Result<(), Failure> {
    if !answer["output"].is_array() {
        return Err(Cause::Unreadable.into());
    }
    end(answer, said)
}

/// Takes the whole response. Its text counts only where none was streamed: the last event repeats all of it.
fn end(response: &Value, said: &mut Said) -> Result<(), Failure> {
    said.name(response["model"].as_str());
    let usage = &response["usage"];
    said.usage = Usage {
        input_tokens: number(&usage["input_tokens"]),
        output_tokens: number(&usage["output_tokens"]),
        cached_tokens: number(&usage["input_tokens_details"]["cached_tokens"]),
    };
    said.has_thought |= number(&usage["output_tokens_details"]["reasoning_tokens"]) > 0;
    let was_streamed = said.has_begun();
    let items = response["output"].as_array().into_iter().flatten().filter(|item| item["type"] == "message");
    for content in items.flat_map(|item| item["content"].as_array().into_iter().flatten()) {
        match content["type"].as_str() {
            Some("output_text") if !was_streamed => said.push(content["text"].as_str().unwrap_or_default())?,
            Some("refusal") => said.refuse(),
            _ => {}
        }
    }
    said.finish = match (response["status"].as_str(), response["incomplete_details"]["reason"].as_str()) {
        (Some("completed"), _) => Some(Finish::Whole),
        (Some("incomplete"), Some("content_filter")) => Some(Finish::Declined),
        (Some("incomplete"), _) => Some(Finish::Length),
        _ => None,
    };
    Ok(())
}
