//! A language model that takes its time, and of the processors as little as it can: it streams the same answer to everybody,
//! whole at one moment, and reads nothing of what it is asked. It says its address, and then the first request that it gets.

use std::convert::Infallible;
use std::sync::{Arc, Once};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::serve::ListenerExt as _;
use clap::Args;
use futures_util::stream;
use http::header::CONTENT_TYPE;
use serde_json::{Value, json};

/// How long an answer takes.
pub(crate) const ANSWERING_TIME: Duration = Duration::from_millis(500);

/// Letters of an event.
const PIECE: usize = 16;

/// There is nothing to choose.
#[derive(Args)]
pub(crate) struct Arguments {}

pub(super) async fn run(Arguments {}: Arguments) -> anyhow::Result<()> {
    let listener = lectern::app::listen("127.0.0.1:0".parse()?)?;
    super::say(&format!("http://{}/v1", listener.local_addr()?))?;
    let listener = listener.tap_io(|stream| {
        // A stream is small writes; one that waits for an acknowledgement is slower at most.
        let _ = stream.set_nodelay(true);
    });
    let (events, first) = (events(), Arc::new(Once::new()));
    let answer = move |request: Bytes| {
        // Where the parent is gone, this process ends too.
        first.call_once(|| drop(super::say(&String::from_utf8_lossy(&request))));
        let events = events.clone();
        async move {
            tokio::time::sleep(ANSWERING_TIME).await;
            let events = stream::iter((0..events.len()).map(move |at| Ok::<_, Infallible>(events[at].clone())));
            ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(events))
        }
    };
    let router = Router::new().fallback(answer);
    axum::serve(listener, router).with_graceful_shutdown(super::parent_is_done()).await?;
    Ok(())
}

/// A grade, as OpenAI's chat completions stream it.
fn events() -> Arc<[Bytes]> {
    let said = json!({
        "talksToGrader": [],
        "criteria": [{
            "id": "whole",
            "evidence": ["release the energy from sugar"],
            "reason": "It names what is released, and what for.",
            "points": 90,
        }],
        "strengths": ["You name what is released, and what for."],
        "mistakes": [],
        "suggestions": ["Say what the energy is released from."],
        "summary": "A good answer.",
        "nextStep": "Explain it to somebody else.",
    });
    let said: Vec<char> = said.to_string().chars().collect();
    let piece = |piece: &[char]| chunk(&json!([delta(&json!({ "content": piece.iter().collect::<String>() }), None)]));
    let end = [
        chunk(&json!([delta(&json!({}), Some("stop"))])),
        event(&json!({ "choices": [], "usage": { "prompt_tokens": 1200, "completion_tokens": 120 } }).to_string()),
        event("[DONE]"),
    ];
    said.chunks(PIECE).map(piece).chain(end).collect()
}

fn delta(delta: &Value, finish: Option<&str>) -> Value {
    json!({ "index": 0, "delta": delta, "finish_reason": finish })
}

fn chunk(choices: &Value) -> Bytes {
    let id = "chatcmpl-1";
    event(
        &json!({ "id": id, "object": "chat.completion.chunk", "created": 1, "model": "any", "choices": choices })
            .to_string(),
    )
}

fn event(data: &str) -> Bytes {
    format!("data: {data}\n\n").into()
}
