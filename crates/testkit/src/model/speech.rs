//! An answer in the words of each protocol: the events of its stream, or its whole body.

use serde_json::{Value, json};

use super::asked::{Asked, Protocol};
use super::line::{Finish, Speech};

/// Pieces that a text is streamed in, at most.
const MOST_PIECES: usize = 32;
const SHORTEST_PIECE: usize = 6;

/// A stream, one event after the other.
pub(super) fn events(asked: &Asked, speech: &Speech) -> Vec<String> {
    match asked.protocol {
        Protocol::Chat => chat_events(asked, speech),
        Protocol::Responses => responses_events(asked, speech),
        Protocol::Messages => messages_events(asked, speech),
        Protocol::Speech => panic!("a line that speaks is sound: see Line::raw"),
    }
}

/// The answer as one body.
pub(super) fn whole(asked: &Asked, speech: &Speech) -> Value {
    match asked.protocol {
        Protocol::Chat => chat_whole(asked, speech),
        Protocol::Responses => responses_whole(asked, speech),
        Protocol::Messages => messages_whole(asked, speech),
        Protocol::Speech => panic!("a line that speaks is sound: see Line::raw"),
    }
}

/// An error as a body.
pub(super) fn error(protocol: Protocol, kind: &str, message: &str) -> Value {
    match protocol {
        Protocol::Chat | Protocol::Responses | Protocol::Speech => {
            json!({ "error": { "message": message, "type": kind, "param": null, "code": kind } })
        }
        Protocol::Messages => json!({ "type": "error", "error": { "type": kind, "message": message } }),
    }
}

/// An error in the middle of a stream.
pub(super) fn error_event(protocol: Protocol) -> String {
    let message = "The server had an error while processing your request.";
    match protocol {
        Protocol::Chat | Protocol::Speech => {
            data(&json!({ "error": { "message": message, "type": "server_error", "code": null } }))
        }
        Protocol::Responses => named(&json!({ "type": "error", "code": "server_error", "message": message })),
        Protocol::Messages => {
            named(&json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }))
        }
    }
}

/// A piece of an endless stream.
pub(super) fn more(protocol: Protocol) -> String {
    let text = "and so on ".repeat(100);
    match protocol {
        Protocol::Chat => data(&json!({ "choices": [{ "index": 0, "delta": { "content": text } }] })),
        Protocol::Responses => named(&json!({ "type": "response.output_text.delta", "delta": text })),
        Protocol::Messages => named(&json!({
            "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": text },
        })),
        // Large pieces, because sound is.
        Protocol::Speech => "\0".repeat(256 * 1024),
    }
}

fn chat_events(asked: &Asked, speech: &Speech) -> Vec<String> {
    let chunk = |delta: Value, finish: Value| {
        data(&json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": asked.model(),
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }],
        }))
    };
    let mut events = vec![chunk(json!({ "role": "assistant", "content": "" }), Value::Null)];
    for thought in pieces(speech.thinking.as_deref().unwrap_or_default()) {
        events.push(chunk(json!({ "reasoning_content": thought }), Value::Null));
    }
    let field = if speech.finish == Finish::Refusal { "refusal" } else { "content" };
    events.extend(pieces(&speech.text).map(|piece| chunk(json!({ field: piece }), Value::Null)));
    events.push(chunk(json!({}), json!(chat_finish(speech.finish))));
    if asked.body["stream_options"]["include_usage"] == true {
        events.push(data(&json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": asked.model(),
            "choices": [], "usage": chat_usage(asked, speech),
        })));
    }
    events.push("data: [DONE]\n\n".to_owned());
    events
}

fn chat_whole(asked: &Asked, speech: &Speech) -> Value {
    let is_refusal = speech.finish == Finish::Refusal;
    let mut message = json!({ "role": "assistant", "content": speech.text, "reasoning_content": speech.thinking });
    if is_refusal {
        message["content"] = Value::Null;
        message["refusal"] = json!(speech.text);
    }
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": asked.model(),
        "choices": [{ "index": 0, "message": message, "finish_reason": chat_finish(speech.finish) }],
        "usage": chat_usage(asked, speech),
    })
}

fn chat_finish(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop | Finish::Refusal => "stop",
        Finish::Length => "length",
        Finish::Filter => "content_filter",
    }
}

fn chat_usage(asked: &Asked, speech: &Speech) -> Value {
    let (input, output) = tokens(asked, speech);
    json!({
        "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
        "prompt_tokens_details": { "cached_tokens": speech.cached_tokens },
    })
}

fn responses_events(asked: &Asked, speech: &Speech) -> Vec<String> {
    let mut events = vec![named(&json!({
        "type": "response.created", "sequence_number": 0,
        "response": { "id": "resp_1", "object": "response", "status": "in_progress", "model": asked.model() },
    }))];
    for thought in pieces(speech.thinking.as_deref().unwrap_or_default()) {
        events.push(named(&json!({ "type": "response.reasoning_text.delta", "delta": thought })));
    }
    let kind = if speech.finish == Finish::Refusal { "refusal" } else { "output_text" };
    let kind = format!("response.{kind}.delta");
    events.extend(pieces(&speech.text).map(|piece| {
        named(&json!({ "type": kind, "item_id": "msg_1", "output_index": 0, "content_index": 0, "delta": piece }))
    }));
    let response = responses_whole(asked, speech);
    let last = if response["status"] == "completed" { "response.completed" } else { "response.incomplete" };
    events.push(named(&json!({ "type": last, "response": response })));
    events
}

fn responses_whole(asked: &Asked, speech: &Speech) -> Value {
    let content = match speech.finish {
        Finish::Refusal => json!({ "type": "refusal", "refusal": speech.text }),
        Finish::Stop | Finish::Length | Finish::Filter => {
            json!({ "type": "output_text", "text": speech.text, "annotations": [] })
        }
    };
    let reason = match speech.finish {
        Finish::Stop | Finish::Refusal => None,
        Finish::Length => Some("max_output_tokens"),
        Finish::Filter => Some("content_filter"),
    };
    let (input, output) = tokens(asked, speech);
    json!({
        "id": "resp_1", "object": "response", "model": asked.model(),
        "status": if reason.is_some() { "incomplete" } else { "completed" },
        "incomplete_details": reason.map(|reason| json!({ "reason": reason })),
        "output": [
            { "id": "rs_1", "type": "reasoning", "summary": [] },
            { "id": "msg_1", "type": "message", "role": "assistant", "content": [content] },
        ],
        "usage": {
            "input_tokens": input, "input_tokens_details": { "cached_tokens": speech.cached_tokens },
            "output_tokens": output, "total_tokens": input + output,
        },
    })
}

fn messages_events(asked: &Asked, speech: &Speech) -> Vec<String> {
    let (input, output) = tokens(asked, speech);
    let usage = json!({
        "input_tokens": input - speech.cached_tokens, "cache_read_input_tokens": speech.cached_tokens,
        "cache_creation_input_tokens": 0, "output_tokens": 1,
    });
    let mut events = vec![
        named(&json!({ "type": "message_start", "message": {
            "id": "msg_1", "type": "message", "role": "assistant", "model": asked.model(), "content": [],
            "stop_reason": null, "usage": usage,
        } })),
        named(&json!({ "type": "ping" })),
    ];
    let mut block = |start: Value, delta: &dyn Fn(&str) -> Value, text: &str| {
        let index = events.iter().filter(|event| event.contains("content_block_start")).count();
        events.push(named(&json!({ "type": "content_block_start", "index": index, "content_block": start })));
        for piece in pieces(text) {
            let delta = delta(piece);
            events.push(named(&json!({ "type": "content_block_delta", "index": index, "delta": delta })));
        }
        events.push(named(&json!({ "type": "content_block_stop", "index": index })));
    };
    if let Some(thinking) = &speech.thinking {
        let delta = |piece: &str| json!({ "type": "thinking_delta", "thinking": piece });
        block(json!({ "type": "thinking", "thinking": "" }), &delta, thinking);
    }
    if asked.wants_object() {
        let delta = |piece: &str| json!({ "type": "input_json_delta", "partial_json": piece });
        block(json!({ "type": "tool_use", "id": "toolu_1", "name": tool(asked), "input": {} }), &delta, &speech.text);
    } else {
        let delta = |piece: &str| json!({ "type": "text_delta", "text": piece });
        block(json!({ "type": "text", "text": "" }), &delta, &speech.text);
    }
    events.push(named(&json!({
        "type": "message_delta", "delta": { "stop_reason": messages_finish(asked, speech.finish) },
        "usage": { "output_tokens": output },
    })));
    events.push(named(&json!({ "type": "message_stop" })));
    events
}

fn messages_whole(asked: &Asked, speech: &Speech) -> Value {
    let (input, output) = tokens(asked, speech);
    let answer = if asked.wants_object() {
        let input: Value = serde_json::from_str(&speech.text).unwrap_or_else(|_| json!(speech.text));
        json!({ "type": "tool_use", "id": "toolu_1", "name": tool(asked), "input": input })
    } else {
        json!({ "type": "text", "text": speech.text })
    };
    let thinking = speech.thinking.as_ref().map(|text| json!({ "type": "thinking", "thinking": text }));
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": asked.model(),
        "content": thinking.into_iter().chain([answer]).collect::<Vec<_>>(),
        "stop_reason": messages_finish(asked, speech.finish),
        "usage": {
            "input_tokens": input - speech.cached_tokens, "cache_read_input_tokens": speech.cached_tokens,
            "output_tokens": output,
        },
    })
}

fn messages_finish(asked: &Asked, finish: Finish) -> &'static str {
    match finish {
        Finish::Stop if asked.wants_object() => "tool_use",
        Finish::Stop => "end_turn",
        Finish::Length => "max_tokens",
        Finish::Refusal | Finish::Filter => "refusal",
    }
}

fn tool(asked: &Asked) -> &Value {
    &asked.body["tool_choice"]["name"]
}

/// Of the prompt and of the answer: roughly as a tokenizer counts, and at least what was kept.
fn tokens(asked: &Asked, speech: &Speech) -> (u64, u64) {
    let count = |text: &str| u64::try_from(text.len() / 4 + 1).unwrap();
    (count(&asked.raw).max(speech.cached_tokens), count(&speech.text))
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let length = (text.len() / MOST_PIECES).max(SHORTEST_PIECE);
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(rest.ceil_char_boundary(length));
        rest = after;
        Some(piece)
    })
}

fn data(event: &Value) -> String {
    format!("data: {event}\n\n")
}

fn named(event: &Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
}
