//! A request body that is read to its end even when the response did not wait for it.
//!
//! A request may be refused by its head alone. When the connection is then closed on a client that is still sending,
//! the client's system throws the response away together with what it could not send. So what is left of a body of
//! sensible length is read and forgotten, and the connection lives on. All such bodies share one pace: clients
//! that send large bodies in vain wait for each other, and cost the process next to nothing.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use http::HeaderMap;
use http::header::EXPECT;
use http_body_util::BodyExt as _;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::time::Instant;

/// What is left of a longer body is not waited for, in bytes.
const MOST_BYTES: u64 = 16 * 1024 * 1024;
/// How long the rest of a body may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// What is read in vain of all bodies together, in bytes a second.
const BYTES_PER_SECOND: u64 = 16 * 1024 * 1024;
/// What is read without a pause after a quiet time, in bytes.
const BURST_BYTES: u64 = 16 * 1024 * 1024;

/// The pace at which the bodies of a process are read in vain. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Pace(Arc<Mutex<Instant>>);

impl Pace {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }

    /// When so many more bytes may be read.
    fn after(&self, bytes: u64, now: Instant) -> Instant {
        let time_for = |bytes: u64| Duration::from_secs_f64(bytes as f64 / BYTES_PER_SECOND as f64);
        let mut paid_until = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let earliest = now.checked_sub(time_for(BURST_BYTES)).unwrap_or(now);
        // Who gives up does not wait for what it was to pay: a debt never grows beyond anybody's patience.
        let latest = now + PATIENCE;
        *paid_until = ((*paid_until).max(earliest) + time_for(bytes)).min(latest);
        *paid_until
    }
}

/// A body that is drained when it is dropped before its end.
pub(crate) struct Lingering {
    rest: Option<Incoming>,
    /// The client sends nothing before it is told to continue, which reading does.
    is_withheld: bool,
    pace: Pace,
}

impl Lingering {
    /// The body of a request with these headers.
    pub(crate) fn new(body: Incoming, headers: &HeaderMap, pace: Pace) -> Self {
        let is_withheld =
            headers.get(EXPECT).is_some_and(|expected| expected.as_bytes().eq_ignore_ascii_case(b"100-continue"));
        Self { rest: (!body.is_end_stream()).then_some(body), is_withheld, pace }
    }
}

impl Body for Lingering {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<hyper::Result<Frame<Bytes>>>> {
        self.is_withheld = false;
        let Some(rest) = &mut self.rest else { return Poll::Ready(None) };
        let polled = Pin::new(rest).poll_frame(context);
        let has_ended = match &polled {
            Poll::Pending => false,
            Poll::Ready(Some(Ok(_))) => self.rest.as_ref().is_some_and(Incoming::is_end_stream),
            Poll::Ready(None | Some(Err(_))) => true,
        };
        if has_ended {
            self.rest = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        self.rest.as_ref().map_or_else(|| SizeHint::with_exact(0), Incoming::size_hint)
    }
}

impl Drop for Lingering {
    fn drop(&mut self) {
        let Some(rest) = self.rest.take() else { return };
        // Without a runtime the process is ending.
        if !self.is_withheld
            && rest.size_hint().lower() <= MOST_BYTES
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(tokio::time::timeout(PATIENCE, drain(rest, self.pace.clone())));
        }
    }
}

async fn drain(mut rest: Incoming, pace: Pace) {
    let mut bytes = 0;
    while let Some(Ok(frame)) = rest.frame().await {
        let length = frame.data_ref().map_or(0, |data| data.len() as u64);
        bytes += length;
        if bytes > MOST_BYTES {
            return;
        }
        drop(frame);
        tokio::time::sleep_until(pace.after(length, Instant::now())).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_read_at_once_and_what_follows_at_the_pace_of_all() {
        let pace = Pace::new();
        let now = Instant::now();
        tokio::time::advance(Duration::from_secs(60)).await;
        let later = Instant::now();
        assert!(later > now && pace.after(BURST_BYTES, later) <= later);
        let waits = [1, 2, 3].map(|_| pace.after(BYTES_PER_SECOND, later).duration_since(later).as_secs());
        assert_eq!(waits, [1, 2, 3]);
        for _ in 0..100 {
            assert!(pace.after(BYTES_PER_SECOND, later) <= later + PATIENCE, "a debt is bounded");
        }
    }
}
