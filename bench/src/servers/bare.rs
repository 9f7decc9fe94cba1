//! The measure of all things here: an axum server that reads the request and answers a fixed JSON.

use axum::Router;
use axum::body::Bytes;
use axum::serve::ListenerExt as _;
use clap::Args;
use http::header::CONTENT_TYPE;
use serde_json::json;

/// How long its answers are.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Length of the body of every answer, in bytes.
    #[arg(long)]
    body_bytes: usize,
}

pub(super) async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let listener = lectern::app::listen("127.0.0.1:0".parse()?)?;
    super::say(&listener.local_addr()?)?;
    let listener = listener.tap_io(|stream| {
        // A server without it is slower at most; both sides of a contest have it.
        let _ = stream.set_nodelay(true);
    });
    let body = Bytes::from(body(arguments.body_bytes));
    let answer = move |_request: Bytes| {
        let body = body.clone();
        async move { ([(CONTENT_TYPE, "application/json")], body) }
    };
    let router = Router::new().fallback(answer);
    axum::serve(listener, router).with_graceful_shutdown(super::parent_is_done()).await?;
    Ok(())
}

/// A JSON object of this length, at least of the shortest that there is.
fn body(bytes: usize) -> String {
    let frame = json!({ "filler": "" }).to_string().len();
    json!({ "filler": "x".repeat(bytes.saturating_sub(frame)) }).to_string()
}
