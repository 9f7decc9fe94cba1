//! OpenAI's responses. Nothing is stored there: `store` is false.

use std::borrow::Cow;

use kernel::model::{Part, Prompt, Turn, Usage};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Json, Progress, data_url, instructions, most_tokens, number};
use crate::complaint::Complaint;
use crate::failure::{Cause, Failure};
use crate::manners::{Manner, Shape};
use crate::said::{Finish, Said};

#[derive(Serialize)]
struct Body<'p> {
    model: &'p str,
    stream: bool,
    store: bool,
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<TextOptions<'p>>,
    instructions: Cow<'p, str>,
    input: Vec<Item<'p>>,
}

#[derive(Serialize)]
struct TextOptions<'p> {
    format: Format<'p>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'p> {
    JsonSchema { name: &'p str, strict: bool, schema: &'p RawValue },
    JsonObject,
}

#[derive(Serialize)]
struct Item<'p> {
    role: &'static str,
    content: Vec<Content<'p>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Content<'p> {
    InputText { text: &'p str },
    InputImage { image_url: String },
    OutputText { text: &'p str },
}

pub(super) fn body<'p>(model: &'p str, prompt: &'p Prompt, manner: Manner) -> impl Serialize + 'p {
    let (name, schema) = (prompt.schema.name, super::schema(prompt, manner));
    let format = match manner.shape {
        Shape::Schema => Some(Format::JsonSchema { name, strict: true, schema }),
        Shape::Object => Some(Format::JsonObject),
        Shape::Words => None,
    };
    Body {
        model,
        stream: true,
        store: false,
        max_output_tokens: most_tokens(prompt, manner),
        temperature: prompt.temperature.filter(|_| manner.has_temperature),
        text: format.map(|format| TextOptions { format }),
        instructions: instructions(prompt, manner.shape),
        input: prompt.turns.iter().map(item).collect(),
    }
}

fn item(turn: &Turn) -> Item<'_> {
    match turn {
        Turn::Model(text) => Item { role: "assistant", content: vec![Content::OutputText { text }] },
        Turn::User(parts) => Item { role: "user", content: parts.iter().map(part).collect() },
    }
}

fn part(part: &Part) -> Content<'_> {
    match part {
        Part::Text(text) => Content::InputText { text },
        Part::Picture(picture) => Content::InputImage { image_url: data_url(picture) },
    }
}

pub(super) fn event<'a>(event: &'a Json<'a>, said: &mut Said) -> Result<Progress, Failure> {
    let response = event.get("response");
    match event.get("type").as_str().unwrap_or_default() {
        "response.output_text.delta" => said.push(event.get("delta").as_str().unwrap_or_default())?,
        "response.refusal.delta" => said.refuse(),
        "response.completed" | "response.incomplete" => {
            end(response, said)?;
            return Ok(Progress::Done);
        }
        "response.failed" => return Err(Complaint::in_stream(response).into()),
        kind if kind.starts_with("response.reasoning") => said.has_thought = true,
        _ => said.name(response.get("model").as_str()),
    }
    Ok(Progress::More)
}

pub(super) fn whole<'a>(answer: &'a Json<'a>, said: &mut Said) -> Result<(), Failure> {
    if !answer.get("output").is_array() {
        return Err(Cause::Unreadable.into());
    }
    end(answer, said)
}

/// Takes the whole response. Its text counts only where none was streamed: the last event repeats all of it.
fn end<'a>(response: &'a Json<'a>, said: &mut Said) -> Result<(), Failure> {
    said.name(response.get("model").as_str());
    let usage = response.get("usage");
    said.usage = Usage {
        input_tokens: number(usage.get("input_tokens")),
        output_tokens: number(usage.get("output_tokens")),
        cached_tokens: number(usage.get("input_tokens_details").get("cached_tokens")),
    };
    said.has_thought |= number(usage.get("output_tokens_details").get("reasoning_tokens")) > 0;
    let was_streamed = said.has_begun();
    let items = items(response.get("output")).filter(|item| item.get("type").as_str() == Some("message"));
    for content in items.flat_map(|item| self::items(item.get("content"))) {
        match content.get("type").as_str() {
            Some("output_text") if !was_streamed => said.push(content.get("text").as_str().unwrap_or_default())?,
            Some("refusal") => said.refuse(),
            _ => {}
        }
    }
    let reason = response.get("incomplete_details").get("reason").as_str();
    said.finish = match (response.get("status").as_str(), reason) {
        (Some("completed"), _) => Some(Finish::Whole),
        (Some("incomplete"), Some("content_filter")) => Some(Finish::Declined),
        (Some("incomplete"), _) => Some(Finish::Length),
        _ => None,
    };
    Ok(())
}

fn items<'a>(list: &'a Json<'a>) -> impl Iterator<Item = &'a Json<'a>> {
    list.as_array().unwrap_or_default().iter()
}
