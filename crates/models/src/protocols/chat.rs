//! OpenAI's chat completions, and what vLLM, Ollama, llama.cpp, LM Studio and others understand of them.

use std::borrow::Cow;

use kernel::model::{Part, Prompt, Turn, Usage};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Json, Progress, data_url, instructions, most_tokens, number, text_alone};
use crate::failure::{Cause, Failure};
use crate::manners::{LengthName, Manner, Shape};
use crate::said::{Finish, Said};

#[derive(Serialize)]
struct Body<'p> {
    model: &'p str,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'p>>,
    messages: Vec<Message<'p>>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat<'p> {
    JsonSchema { json_schema: JsonSchema<'p> },
    JsonObject,
}

#[derive(Serialize)]
struct JsonSchema<'p> {
    name: &'p str,
    strict: bool,
    schema: &'p RawValue,
}

#[derive(Serialize)]
struct Message<'p> {
    role: &'static str,
    content: Content<'p>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'p> {
    Text(Cow<'p, str>),
    Parts(Vec<ContentPart<'p>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ContentPart<'p> {
    Text { text: &'p str },
    ImageUrl { image_url: ImageUrl },
}

#[derive(Serialize)]
struct ImageUrl {
    url: String,
}

pub(super) fn body<'p>(model: &'p str, prompt: &'p Prompt, manner: Manner) -> impl Serialize + 'p {
    let most_tokens = most_tokens(prompt, manner);
    let length = |name| (manner.length == name).then_some(most_tokens);
    let (name, schema) = (prompt.schema.name, super::schema(prompt, manner));
    let system = Message { role: "system", content: Content::Text(instructions(prompt, manner.shape)) };
    Body {
        model,
        stream: true,
        stream_options: manner.has_stream_options.then_some(StreamOptions { include_usage: true }),
        max_tokens: length(LengthName::MaxTokens),
        max_completion_tokens: length(LengthName::MaxCompletionTokens),
        temperature: prompt.temperature.filter(|_| manner.has_temperature),
        response_format: match manner.shape {
            Shape::Schema => {
                Some(ResponseFormat::JsonSchema { json_schema: JsonSchema { name, strict: true, schema } })
            }
            Shape::Object => Some(ResponseFormat::JsonObject),
            Shape::Words => None,
        },
        messages: std::iter::once(system).chain(prompt.turns.iter().map(message)).collect(),
    }
}

fn message(turn: &Turn) -> Message<'_> {
    match turn {
        Turn::Model(text) => Message { role: "assistant", content: Content::Text(text.into()) },
        // Templates of some local models can't read a list of parts.
        Turn::User(parts) => {
            let in_parts = || Content::Parts(parts.iter().map(part).collect());
            Message {
                role: "user",
                content: text_alone(parts).map_or_else(in_parts, |text| Content::Text(text.into())),
            }
        }
    }
}

fn part(part: &Part) -> ContentPart<'_> {
    match part {
        Part::Text(text) => ContentPart::Text { text },
        Part::Picture(picture) => ContentPart::ImageUrl { image_url: ImageUrl { url: data_url(picture) } },
    }
}

pub(super) fn event<'a>(event: &'a Json<'a>, said: &mut Said) -> Result<Progress, Failure> {
    let choice = event.get("choices").get(0);
    take(event, choice, choice.get("delta"), said)?;
    Ok(Progress::More)
}

pub(super) fn whole<'a>(answer: &'a Json<'a>, said: &mut Said) -> Result<(), Failure> {
    let choice = answer.get("choices").get(0);
    let message = choice.get("message");
    if !message.is_object() {
        return Err(Cause::Unreadable.into());
    }
    take(answer, choice, message, said)
}

fn take<'a>(
    envelope: &'a Json<'a>,
    choice: &'a Json<'a>,
    message: &'a Json<'a>,
    said: &mut Said,
) -> Result<(), Failure> {
    said.name(envelope.get("model").as_str());
    let counts = envelope.get("usage");
    if counts.is_object() {
        said.usage = usage(counts);
        said.has_thought |= number(counts.get("completion_tokens_details").get("reasoning_tokens")) > 0;
    }
    let is_said = |name: &'static str| message.get(name).as_str().is_some_and(|text| !text.is_empty());
    said.has_thought |= is_said("reasoning_content") || is_said("reasoning");
    if is_said("refusal") {
        said.refuse();
    }
    if let Some(text) = message.get("content").as_str() {
        said.push(text)?;
    }
    match choice.get("finish_reason").as_str() {
        None | Some("") => {}
        Some("length" | "model_length" | "max_tokens") => said.finish = Some(Finish::Length),
        Some("content_filter" | "safety" | "refusal") => said.finish = Some(Finish::Declined),
        Some("error") => return Err(Cause::Truncated.into()),
        Some(_) => said.finish = Some(Finish::Whole),
    }
    Ok(())
}

fn usage<'a>(usage: &'a Json<'a>) -> Usage {
    let cached = number(usage.get("prompt_tokens_details").get("cached_tokens"));
    Usage {
        input_tokens: number(usage.get("prompt_tokens")),
        output_tokens: number(usage.get("completion_tokens")),
        cached_tokens: cached.max(number(usage.get("prompt_cache_hit_tokens"))),
    }
}
