//! Where the bytes of files are: a local folder or an S3-compatible store.
//!
//! An object is named by ids alone, is there for good once [`FileStore::put`] has answered, and never changes. Rows say
//! which objects belong to whom; this module knows nothing of them. Every call ends within [`LONGEST_CALL`].

mod error;
mod key;
mod options;

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt as _, TryStreamExt as _};
use kernel::ambient::Ambient;
use kernel::id::WorkspaceId;
use kernel::time::Timestamp;
use object_store::{ObjectStore, ObjectStoreExt as _, PutMode, PutOptions};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use uuid::Uuid;

pub use error::{OpenStoreError, StorageError};
pub use key::FileKey;
pub use options::{S3Credentials, S3Options, StorageOptions};

/// The longest that a call takes, its repetitions included.
pub const LONGEST_CALL: Duration = Duration::from_secs(40);

/// Calls that read and are under way at once. In a folder each of them has a thread, whose memory outlasts the call.
const MOST_READS: usize = 32;

/// The store of files. Cheap to clone.
#[derive(Clone, Debug)]
pub struct FileStore {
    objects: Arc<dyn ObjectStore>,
    reads: Arc<Semaphore>,
    is_remote: bool,
}

/// An object that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredFile {
    /// Its name.
    pub key: FileKey,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// When it was put, by the store's clock: one that was put a moment ago may belong to a row still being written.
    pub put_at: Timestamp,
}

impl FileStore {
    /// Opens the store. A local folder is made, for its owner alone; an S3-compatible store is not called yet.
    ///
    /// # Errors
    /// When the folder can't be made or the options make no store.
    pub fn open(options: &StorageOptions) -> Result<Self, OpenStoreError> {
        let is_remote = matches!(options, StorageOptions::S3(_));
        Ok(Self { objects: options.open()?, reads: Arc::new(Semaphore::new(MOST_READS)), is_remote })
    }

    /// Whether every call is a request over the network.
    pub fn is_remote(&self) -> bool {
        self.is_remote
    }

    /// Stores an object: once this answers, it is on the disk or in the bucket. Putting the same bytes again is no
    /// error, as it may be the repetition of a call whose answer was lost.
    ///
    /// # Errors
    /// [`StorageError::Taken`] when other bytes have the name already.
    pub async fn put(&self, key: FileKey, bytes: Bytes) -> Result<(), StorageError> {
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        let path = key.path();
        match bounded(self.objects.put_opts(&path, bytes.clone().into(), options)).await {
            Ok(_) => Ok(()),
            Err(StorageError::Taken) if self.get(key).await? == bytes => Ok(()),
            // A bucket or a folder that is missing is nothing that the caller could know.
            Err(StorageError::NotFound) => Err(StorageError::Unavailable { cause: None }),
            Err(error) => Err(error),
        }
    }

    /// The bytes of an object.
    ///
    /// # Errors
    /// [`StorageError::NotFound`] when there is none of the name.
    pub async fn get(&self, key: FileKey) -> Result<Bytes, StorageError> {
        self.read(async { self.objects.get(&key.path()).await?.bytes().await }).await
    }

    /// The length of an object, in bytes.
    ///
    /// # Errors
    /// [`StorageError::NotFound`] when there is none of the name.
    pub async fn size_bytes(&self, key: FileKey) -> Result<u64, StorageError> {
        Ok(self.read(self.objects.head(&key.path())).await?.size)
    }

    /// Exactly a part of an object's bytes.
    ///
    /// # Errors
    /// [`StorageError::NotFound`] when there is no object of the name; any other when it has no such part.
    pub async fn get_range(&self, key: FileKey, range: Range<u64>) -> Result<Bytes, StorageError> {
        self.read(self.objects.get_range(&key.path(), range)).await
    }

    /// A call that reads, in its turn. The wait counts.
    async fn read<T>(&self, call: impl Future<Output = object_store::Result<T>>) -> Result<T, StorageError> {
        let in_turn = async {
            let _turn = self.reads.acquire().await;
            call.await
        };
        bounded(in_turn).await
    }

    /// Deletes an object. One that is gone already is no error.
    ///
    /// # Errors
    /// When the store could not be asked.
    pub async fn delete(&self, key: FileKey) -> Result<(), StorageError> {
        let path = key.path();
        match bounded(self.objects.delete(&path)).await {
            Err(StorageError::NotFound) => Ok(()),
            result => result,
        }
    }

    /// All objects, or those of one workspace, in no order: for finding those that no row knows. What others put into
    /// the place is passed over. The wait for each of them is bounded as a call is.
    pub fn list(&self, workspace: Option<WorkspaceId>) -> BoxStream<'static, Result<StoredFile, StorageError>> {
        let prefix = workspace.map(|workspace| object_store::path::Path::from(workspace.to_string()));
        let found = stream::try_unfold(self.objects.list(prefix.as_ref()), |mut found| async {
            Ok(bounded(found.try_next()).await?.map(|meta| (meta, found)))
        });
        found.try_filter_map(|meta| async move { Ok(stored(&meta)) }).boxed()
    }

    /// Writes, reads and deletes an object of no workspace.
    ///
    /// # Errors
    /// When any of it fails.
    pub async fn check(&self, ambient: &Ambient) -> Result<(), StorageError> {
        let key = FileKey { workspace: Uuid::nil().into(), file: ambient.id() };
        let probe = Bytes::from_static(b"lectern doctor\n");
        self.put(key, probe.clone()).await?;
        let read = self.get(key).await;
        self.delete(key).await?;
        if read? != probe {
            return Err(StorageError::Unexpected { cause: "the store gave other bytes than it was given".into() });
        }
        match self.get(key).await {
            Err(StorageError::NotFound) => Ok(()),
            Ok(_) => Err(StorageError::Unexpected { cause: "the store still has what was deleted".into() }),
            Err(error) => Err(error),
        }
    }
}

fn stored(meta: &object_store::ObjectMeta) -> Option<StoredFile> {
    let put_at = Timestamp::from_millis(meta.last_modified.timestamp_millis());
    Some(StoredFile { key: FileKey::of_path(&meta.location)?, size_bytes: meta.size, put_at })
}

async fn bounded<T>(call: impl Future<Output = object_store::Result<T>>) -> Result<T, StorageError> {
    match timeout(LONGEST_CALL, call).await {
        Ok(result) => Ok(result?),
        Err(_) => Err(StorageError::Unavailable { cause: None }),
    }
}
