//! A response that is whole and charged: its bytes, or the file that they are in.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use futures_util::future::BoxFuture;

use super::budget::{Charge, charged};
use super::pieces::{PieceSource, Pieces};
use super::{Holder, Responses};

/// A response that is ready to be sent.
pub struct Held(Kind);

enum Kind {
    Memory(Bytes),
    File(Pieces<ChargedFile>),
}

impl Held {
    pub(super) fn memory(bytes: Vec<u8>, charge: Option<Charge>) -> Self {
        Self(Kind::Memory(match charge {
            Some(charge) => charged(bytes, charge),
            None => bytes.into(),
        }))
    }

    pub(super) fn file(responses: Responses, holder: Holder, file: File, length: u64, charge: Charge) -> Self {
        let source = ChargedFile { file: Arc::new(file), _charge: charge };
        Self(Kind::File(Pieces::new(responses, holder, source, 0..length)))
    }

    /// Its length, in bytes.
    pub fn length(&self) -> u64 {
        match &self.0 {
            Kind::Memory(bytes) => bytes.len() as u64,
            Kind::File(pieces) => pieces.remaining(),
        }
    }

    /// The body of a response, of known length.
    pub fn into_body(self) -> Body {
        match self.0 {
            Kind::Memory(bytes) => Body::from(bytes),
            Kind::File(pieces) => Body::new(pieces),
        }
    }
}

struct ChargedFile {
    file: Arc<File>,
    _charge: Charge,
}

impl PieceSource for ChargedFile {
    fn read(&self, range: Range<u64>) -> BoxFuture<'static, io::Result<Bytes>> {
        let file = self.file.clone();
        Box::pin(async move {
            let reading = tokio::task::spawn_blocking(move || {
                let length = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
                let mut piece = vec![0; length];
                file.read_exact_at(&mut piece, range.start)?;
                Ok(Bytes::from(piece))
            });
            reading.await.map_err(io::Error::other)?
        })
    }
}
