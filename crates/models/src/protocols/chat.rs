//! OpenAI's chat completions, and what vLLM, Ollama, llama.cpp, LM Studio and others understand of them.

use engine::model::{Part, Prompt, Turn, Usage};
use serde_json::{Value, json};

use super::{Progress, data_url, instructions, most_tokens, number, text_alone};
use crate::failure::{Cause, Failure};
use crate::manners::{Manner, Shape};
use crate::said::{Finish, Said};

pub(super) fn body(model: &str, prompt: &Prompt, manner: Manner) -> Value {
    let mut body = json!({ "model": model, "stream": true });
    if manner.has_stream_options {
        body["stream_options"] = json!({ "include_usage": true });
    }
    body[manner.length.as_str()] = json!(most_tokens(prompt, manner));
    if let Some(temperature) = prompt.temperature.filter(|_| manner.has_temperature) {
        body["temperature"] = json!(temperature);
    }
    match manner.shape {
        Shape::Schema => {
            let schema = json!({ "name": prompt.schema.name, "strict": true, "schema": prompt.schema.schema });
            body["response_format"] = json!({ "type": "json_schema", "json_schema": schema });
        }
        Shape::Object => body["response_format"] = json!({ "type": "json_object" }),
        Shape::Words => {}
    }
    let system = json!({ "role": "system", "content": instructions(prompt, manner.shape) });
    body["messages"] = std::iter::once(system).chain(prompt.turns.iter().map(message)).collect();
    body
}

fn message(turn: &Turn) -> Value {
    match turn {
        Turn::Model(text) => json!({ "role": "assistant", "content": text }),
        // Templates of some local models can't read a list of parts.
        Turn::User(parts) => match text_alone(parts) {
            Some(text) => json!({ "role": "user", "content": text }),
            None => json!({ "role": "user", "content": parts.iter().map(part).collect::<Vec<_>>() }),
        },
    }
}

fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::Picture(picture) => json!({ "type": "image_url", "image_url": { "url": data_url(picture) } }),
    }
}

pub(super) fn event(event: &Value, said: &mut Said) -> Result<Progress, Failure> {
    let choice = &event["choices"][0];
    take(event, choice, &choice["delta"], said)?;
    Ok(Progress::More)
}

pub(super) fn whole(answer: &Value, said: &mut Said) -> Result<(), Failure> {
    let choice = &answer["choices"][0];
    if !choice["message"].is_object() {
        return Err(Cause::Unreadable.into());
    }
    take(answer, choice, &choice["message"], said)
}

fn take(envelope: &Value, choice: &Value, message: &Value, said: &mut Said) -> Result<(), Failure> {
    said.name(envelope["model"].as_str());
    if envelope["usage"].is_object() {
        said.usage = usage(&envelope["usage"]);
        said.has_thought |= number(&envelope["usage"]["completion_tokens_details"]["reasoning_tokens"]) > 0;
    }
    let is_said = |name: &str| message[name].as_str().is_some_and(|text| !text.is_empty());
    said.has_thought |= is_said("reasoning_content") || is_said("reasoning");
    if is_said("refusal") {
        said.refuse();
    }
    if let Some(text) = message["content"].as_str() {
        said.push(text)?;
    }
    match choice["finish_reason"].as_str() {
        None | Some("") => {}
        Some("length" | "model_length" | "max_tokens") => said.finish = Some(Finish::Length),
        Some("content_filter" | "safety" | "refusal") => said.finish = Some(Finish::Declined),
        Some("error") => return Err(Cause::Truncated.into()),
        Some(_) => said.finish = Some(Finish::Whole),
    }
    Ok(())
}

fn usage(usage: &Value) -> Usage {
    let cached = number(&usage["prompt_tokens_details"]["cached_tokens"]);
    Usage {
        input_tokens: number(&usage["prompt_tokens"]),
        output_tokens: number(&usage["completion_tokens"]),
        cached_tokens: cached.max(number(&usage["prompt_cache_hit_tokens"])),
    }
}
