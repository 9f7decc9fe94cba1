//! Anthropic's messages. The system's message and what stands before the last parts are marked to be kept for the next prompt
//! that begins the same.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kernel::model::{Part, Prompt, Turn};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Json, Progress, instructions, most_tokens, number};
use crate::failure::{Cause, Failure};
use crate::manners::{Manner, Shape};
use crate::said::{Finish, Said};

#[derive(Serialize)]
struct Body<'p> {
    model: &'p str,
    stream: bool,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'p>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[Tool<'p>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoice<'p>>,
    system: [Block<'p>; 1],
    messages: Vec<Message<'p>>,
}

#[derive(Serialize)]
struct OutputConfig<'p> {
    format: Format<'p>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'p> {
    JsonSchema { schema: &'p RawValue },
}

#[derive(Serialize)]
struct Tool<'p> {
    name: &'p str,
    description: &'static str,
    input_schema: &'p RawValue,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ToolChoice<'p> {
    Tool { name: &'p str },
}

#[derive(Serialize)]
struct Message<'p> {
    role: &'static str,
    content: Vec<Block<'p>>,
}

#[derive(Serialize)]
struct Block<'p> {
    #[serde(flatten)]
    content: Content<'p>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Content<'p> {
    Text { text: Cow<'p, str> },
    Image { source: Source<'p> },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Source<'p> {
    Base64 { media_type: &'p str, data: String },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum CacheControl {
    Ephemeral,
}

pub(super) fn body<'p>(model: &'p str, prompt: &'p Prompt, manner: Manner) -> impl Serialize + 'p {
    let (name, schema) = (prompt.schema.name, prompt.schema.json());
    let is = |shape| (manner.shape == shape).then_some(());
    let tool = || Tool { name, description: "Gives the answer.", input_schema: schema };
    let mut system = Block::text(instructions(prompt, manner.shape));
    system.keep();
    Body {
        model,
        stream: true,
        max_tokens: most_tokens(prompt, manner),
        temperature: prompt.temperature.filter(|_| manner.has_temperature),
        output_config: is(Shape::Schema).map(|()| OutputConfig { format: Format::JsonSchema { schema } }),
        tools: is(Shape::Object).map(|()| [tool()]),
        tool_choice: is(Shape::Object).map(|()| ToolChoice::Tool { name }),
        system: [system],
        messages: messages(&prompt.turns),
    }
}

fn messages(turns: &[Turn]) -> Vec<Message<'_>> {
    let mut messages: Vec<Message<'_>> = turns.iter().map(message).collect();
    // What differs is last; the part in front of it is the last that may be the same again, or, where several parts
    // differ, the one that the turn begins with.
    if let Some(block) = messages.iter_mut().rev().flat_map(|message| message.content.iter_mut().rev()).nth(1) {
        block.keep();
    }
    if let Some(Message { content, .. }) = messages.last_mut()
        && content.len() > 2
    {
        content[0].keep();
    }
    messages
}

fn message(turn: &Turn) -> Message<'_> {
    match turn {
        Turn::Model(text) => Message { role: "assistant", content: vec![Block::text(text)] },
        Turn::User(parts) => Message { role: "user", content: parts.iter().filter_map(part).collect() },
    }
}

/// Empty texts are refused there.
fn part(part: &Part) -> Option<Block<'_>> {
    match part {
        Part::Text(text) if text.is_empty() => None,
        Part::Text(text) => Some(Block::text(text)),
        Part::Picture(picture) => {
            let source = Source::Base64 { media_type: &picture.mime_type, data: STANDARD.encode(&picture.bytes) };
            Some(Block { content: Content::Image { source }, cache_control: None })
        }
    }
}

impl<'p> Block<'p> {
    fn text(text: impl Into<Cow<'p, str>>) -> Self {
        Self { content: Content::Text { text: text.into() }, cache_control: None }
    }

    fn keep(&mut self) {
        self.cache_control = Some(CacheControl::Ephemeral);
    }
}

pub(super) fn event<'a>(event: &'a Json<'a>, said: &mut Said) -> Result<Progress, Failure> {
    let changes = event.get("delta");
    match event.get("type").as_str().unwrap_or_default() {
        "message_start" => {
            let message = event.get("message");
            said.name(message.get("model").as_str());
            usage(message.get("usage"), said);
        }
        "content_block_delta" => delta(changes, said)?,
        "message_delta" => {
            usage(event.get("usage"), said);
            said.finish = finish(changes.get("stop_reason")).or(said.finish);
        }
        "message_stop" => return Ok(Progress::Done),
        _ => {}
    }
    Ok(Progress::More)
}

fn delta<'a>(delta: &'a Json<'a>, said: &mut Said) -> Result<(), Failure> {
    let text = |name: &'static str| delta.get(name).as_str().unwrap_or_default();
    match delta.get("type").as_str() {
        Some("text_delta") => said.push(text("text"))?,
        Some("input_json_delta") => said.push_arguments(text("partial_json"))?,
        Some("thinking_delta") => said.has_thought = true,
        _ => {}
    }
    Ok(())
}

pub(super) fn whole<'a>(answer: &'a Json<'a>, said: &mut Said) -> Result<(), Failure> {
    let Some(blocks) = answer.get("content").as_array() else { return Err(Cause::Unreadable.into()) };
    said.name(answer.get("model").as_str());
    usage(answer.get("usage"), said);
    for block in blocks {
        match block.get("type").as_str() {
            Some("text") => said.push(block.get("text").as_str().unwrap_or_default())?,
            Some("tool_use") => said.push_arguments(&block.get("input").to_string())?,
            Some("thinking" | "redacted_thinking") => said.has_thought = true,
            _ => {}
        }
    }
    said.finish = finish(answer.get("stop_reason"));
    Ok(())
}

fn finish<'a>(reason: &'a Json<'a>) -> Option<Finish> {
    match reason.as_str()? {
        "end_turn" | "stop_sequence" | "tool_use" => Some(Finish::Whole),
        "max_tokens" | "model_context_window_exceeded" => Some(Finish::Length),
        "refusal" => Some(Finish::Declined),
        // It waits for something that nobody will do.
        _ => None,
    }
}

/// Counts are of the whole message each time; kept tokens are not among those of the input there.
fn usage<'a>(usage: &'a Json<'a>, said: &mut Said) {
    if usage.get("input_tokens").is_u64() {
        let cached = number(usage.get("cache_read_input_tokens"));
        let written = number(usage.get("cache_creation_input_tokens"));
        said.usage.input_tokens = number(usage.get("input_tokens")) + cached + written;
        said.usage.cached_tokens = cached;
    }
    said.usage.output_tokens = said.usage.output_tokens.max(number(usage.get("output_tokens")));
}
