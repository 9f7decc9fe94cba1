//! Live progress: server-sent events of a page that follows work of the service.
//!
//! A stream reads the operation that the page shows once a second, as a client that polls would, and sends an event when its
//! answer says something new: in words for people, which a screen reader speaks. The page then loads its parts that changed.
//! A stream ends with the work, or sooner than a server that stops waits for its requests; browsers come back by themselves
//! and say which event they had last.

use std::convert::Infallible;
use std::time::Duration;

use axum::response::IntoResponse as _;
use axum::response::sse::{Event, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::time::Instant;

use crate::pages::Page;
use crate::problem::ApiProblem;

/// How often the operation is called.
const PACE: Duration = Duration::from_secs(1);
/// How long a stream lasts at most: less than a server that stops waits for it.
const LIFE: Duration = Duration::from_secs(20);
/// The pause of a browser before it comes back.
const RETRY: Duration = Duration::from_millis(500);
static LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
static BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// How far work is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    /// In words: `1 of 3 outputs is ready.`
    pub(crate) words: String,
    /// Whether the work has ended, well or not.
    pub(crate) has_ended: bool,
    /// Tells this state from every other one of the work; without line ends.
    pub(crate) state: String,
}

/// Follows the work that `read` tells of.
///
/// # Errors
/// The first failure of `read`. A later one ends the stream.
pub(crate) async fn follow<R, F>(headers: &HeaderMap, read: R) -> Page
where
    R: Fn() -> F + Send + 'static,
    F: Future<Output = Result<Progress, ApiProblem>> + Send + 'static,
{
    let first = read().await?;
    let last = headers.get(&LAST_EVENT_ID).and_then(|id| id.to_str().ok()).unwrap_or_default().to_owned();
    let unbuffered = [(BUFFERING.clone(), HeaderValue::from_static("no"))];
    Ok((unbuffered, Sse::new(events(last, first, read))).into_response())
}

/// The position of a stream.
struct Position<R> {
    /// The last state that the browser was told.
    told: String,
    /// A reading that was not compared with it yet.
    next: Option<Progress>,
    until: Instant,
    read: R,
}

fn events<R, F>(told: String, first: Progress, read: R) -> impl Stream<Item = Result<Event, Infallible>>
where
    R: Fn() -> F,
    F: Future<Output = Result<Progress, ApiProblem>>,
{
    unfold(Some(Position { told, next: Some(first), until: Instant::now() + LIFE, read }), async |position| {
        let mut position = position?;
        loop {
            let progress = match position.next.take() {
                Some(progress) => progress,
                None if Instant::now() >= position.until => return None,
                None => {
                    tokio::time::sleep(PACE).await;
                    (position.read)().await.ok()?
                }
            };
            if progress.has_ended {
                return Some((Ok(event("end", &progress)), None));
            }
            if progress.state != position.told {
                position.told.clone_from(&progress.state);
                return Some((Ok(event("change", &progress)), Some(position)));
            }
        }
    })
}

fn event(name: &str, progress: &Progress) -> Event {
    Event::default().event(name).id(&progress.state).retry(RETRY).data(&progress.words)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use http_body_util::BodyExt as _;

    use super::*;

    fn at(state: &str) -> Progress {
        Progress { words: format!("It is {state}."), has_ended: state == "done", state: state.to_owned() }
    }

    /// The events of work whose reads give these states, the last one again and again; and how often it was read.
    async fn told(last: Option<&'static str>, states: &'static [&'static str]) -> (String, usize) {
        let reads = Arc::new(AtomicUsize::new(0));
        let counted = reads.clone();
        let read = move || {
            let read = counted.fetch_add(1, Ordering::Relaxed);
            let state = states[read.min(states.len() - 1)];
            async move { if state == "gone" { Err(ApiProblem::not_found()) } else { Ok(at(state)) } }
        };
        let headers = last.map(|id| (LAST_EVENT_ID.clone(), HeaderValue::from_static(id)));
        let response = follow(&headers.into_iter().collect(), read).await;
        let Ok(response) = response else { return ("refused".to_owned(), reads.load(Ordering::Relaxed)) };
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (String::from_utf8(body.to_vec()).unwrap(), reads.load(Ordering::Relaxed))
    }

    fn sent(name: &str, state: &str) -> String {
        format!("event: {name}\nid: {state}\nretry: 500\ndata: It is {state}.\n\n")
    }

    #[tokio::test(start_paused = true)]
    async fn each_state_is_told_once_and_the_end_ends_the_stream() {
        let (text, reads) = told(None, &["queued", "queued", "half", "half", "done"]).await;
        assert_eq!(text, sent("change", "queued") + &sent("change", "half") + &sent("end", "done"));
        assert_eq!(reads, 5);
    }

    #[tokio::test(start_paused = true)]
    async fn who_comes_back_is_told_what_is_new() {
        assert_eq!(told(Some("half"), &["half", "done"]).await.0, sent("end", "done"));
        assert_eq!(told(Some("queued"), &["half", "done"]).await.0, sent("change", "half") + &sent("end", "done"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_before_a_server_would_cut_it_off() {
        let started = Instant::now();
        let (text, reads) = told(None, &["queued"]).await;
        assert_eq!((text, reads), (sent("change", "queued"), 21));
        assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn what_cant_be_read_is_refused_at_first_and_ends_a_stream_later() {
        assert_eq!(told(None, &["gone"]).await, ("refused".to_owned(), 1));
        assert_eq!(told(None, &["queued", "gone"]).await, (sent("change", "queued"), 2));
    }
}
