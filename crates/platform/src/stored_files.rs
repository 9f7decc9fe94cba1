//! Files of the object store on their way to a client: their bytes, read as the client takes them, and what the store's refusals
//! mean for it.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use axum::body::Bytes;
use edge::problem::Problem;
use edge::responses::{PieceSource, SMALL_BYTES};
use files::storage::ObjectName;
use files::{FileStore, StorageError};
use futures_util::future::BoxFuture;

/// The bytes of an object, read as the client takes them.
pub(crate) struct StoredBytes<N> {
    pub(crate) store: FileStore,
    pub(crate) key: N,
}

impl<N: ObjectName + 'static> PieceSource for StoredBytes<N> {
    fn read(&self, range: Range<u64>) -> BoxFuture<'static, io::Result<Bytes>> {
        let (store, key) = (self.store.clone(), self.key);
        Box::pin(async move { store.get_range(key, range).await.map_err(io::Error::other) })
    }

    fn small_piece_bytes(&self) -> u64 {
        if self.store.is_remote() { 64 * 1024 } else { SMALL_BYTES as u64 }
    }
}

/// Links and retries for what the file store answers.
pub(crate) fn storage_problem(error: StorageError) -> Problem {
    match error {
        StorageError::NotFound => Problem::NotFound("File"),
        error @ StorageError::Unavailable { .. } => Problem::Unavailable(Arc::new(error)),
        error => Problem::unexpected(error),
    }
}
