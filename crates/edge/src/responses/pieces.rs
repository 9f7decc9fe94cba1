//! A body that is read from its source piece by piece, as the client takes it.

use std::future::ready;
use std::io;
use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Bytes;
use futures_util::future::BoxFuture;
use hyper::body::{Body, Frame, SizeHint};

use super::budget::charged;
use super::{Charge, Holder, Responses, SMALL_BYTES};

/// Where the bytes of a body come from.
pub trait PieceSource: Send + Sync + 'static {
    /// Exactly the bytes of a range.
    ///
    /// # Errors
    /// Where they can't be read: the response is then broken off, which its client sees.
    fn read(&self, range: Range<u64>) -> BoxFuture<'static, io::Result<Bytes>>;

    /// The length of a piece for a client whose holder has no room in memory, in bytes. More where each read costs much.
    fn small_piece_bytes(&self) -> u64 {
        SMALL_BYTES as u64
    }
}

/// A short file that is in memory as a whole.
impl PieceSource for Bytes {
    fn read(&self, range: Range<u64>) -> BoxFuture<'static, io::Result<Bytes>> {
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(self.len());
        Box::pin(ready(Ok(self.slice(place(range.start)..place(range.end)))))
    }
}

/// A range of a source, as a body.
pub struct Pieces<S> {
    source: S,
    range: Range<u64>,
    responses: Responses,
    holder: Holder,
    reading: Option<Reading>,
}

struct Reading {
    piece: BoxFuture<'static, io::Result<Bytes>>,
    length: u64,
    charge: Option<Charge>,
}

impl<S: PieceSource> Pieces<S> {
    /// The bytes of a range of a source; large pieces are charged to the holder.
    pub fn new(responses: Responses, holder: Holder, source: S, range: Range<u64>) -> Self {
        Self { source, range, responses, holder, reading: None }
    }

    pub(super) fn remaining(&self) -> u64 {
        self.range.end - self.range.start
    }

    fn begin(&self) -> Reading {
        let (length, charge) = self.responses.piece(&self.holder, self.remaining(), self.source.small_piece_bytes());
        let piece = self.source.read(self.range.start..self.range.start + length);
        Reading { piece, length, charge }
    }
}

impl<S: PieceSource + Unpin> Body for Pieces<S> {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if self.is_end_stream() {
            return Poll::Ready(None);
        }
        let mut reading = self.reading.take().unwrap_or_else(|| self.begin());
        let Poll::Ready(piece) = reading.piece.as_mut().poll(context) else {
            self.reading = Some(reading);
            return Poll::Pending;
        };
        let piece = piece.and_then(|piece| match piece.len() as u64 == reading.length {
            true => Ok(piece),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        });
        match piece {
            Ok(piece) => {
                self.range.start += reading.length;
                let piece = match reading.charge {
                    Some(charge) => charged(piece, charge),
                    None => piece,
                };
                Poll::Ready(Some(Ok(Frame::data(piece))))
            }
            Err(error) => {
                // What follows would be taken for what is missing.
                self.range.start = self.range.end;
                Poll::Ready(Some(Err(error)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.range.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.remaining())
    }
}
