//! A request body that is read to its end even when the answer did not wait for it.
//!
//! A request may be refused by its head alone. When the connection is then closed on a client that is still sending,
//! the client's system throws the answer away together with what it could not send. So what is left of a body of
//! sensible length is read and forgotten, and the connection lives on.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};

/// What is left of a longer body is not waited for, in bytes.
const MOST_BYTES: u64 = 16 * 1024 * 1024;
/// How long the rest may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// A body that is drained when it is dropped before its end.
pub(crate) struct Lingering {
    rest: Option<Incoming>,
}

impl Lingering {
    pub(crate) fn new(body: Incoming) -> Self {
        Self { rest: (!body.is_end_stream()).then_some(body) }
    }
}

impl Body for Lingering {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<hyper::Result<Frame<Bytes>>>> {
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
        if rest.size_hint().lower() <= MOST_BYTES
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(tokio::time::timeout(PATIENCE, drain(rest)));
        }
    }
}

async fn drain(mut rest: Incoming) {
    let mut bytes = 0;
    while let Some(Ok(frame)) = rest.frame().await {
        bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
        if bytes > MOST_BYTES {
            return;
        }
    }
}
