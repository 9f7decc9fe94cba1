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
use object_store::path::Path;
use object_store::{MultipartUpload as _, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions};
use tokio::fs::File;
use tokio::io::AsyncReadExt as _;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use uuid::Uuid;

pub use error::{OpenStoreError, StorageError};
pub use key::{FileKey, ObjectName, RenderingKey};
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

/// What a long file is sent in, in bytes: a bucket takes no shorter parts than 5 MiB, but for the last.
const PART_BYTES: u64 = 8 * 1024 * 1024;

/// An object that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredFile<N = FileKey> {
    /// Its name.
    pub key: N,
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
    pub async fn put(&self, key: impl ObjectName, bytes: Bytes) -> Result<(), StorageError> {
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        let path = path_of(key);
        match bounded(self.objects.put_opts(&path, bytes.clone().into(), options)).await {
            Ok(_) => Ok(()),
            Err(StorageError::Taken) if self.get(key).await? == bytes => Ok(()),
            // A bucket or a folder that is missing is nothing that the caller could know.
            Err(StorageError::NotFound) => Err(StorageError::Unavailable { cause: None }),
            Err(error) => Err(error),
        }
    }

    /// Stores a file of this machine, however long, a part at a time. The name must be new: another object of the name
    /// would be replaced.
    ///
    /// # Errors
    /// When the file can't be read or the store refuses it.
    pub async fn put_file(&self, key: impl ObjectName, file: &std::path::Path) -> Result<(), StorageError> {
        let mut upload = bounded(self.objects.put_multipart(&path_of(key))).await?;
        let sent = async {
            let mut file = File::open(file).await.map_err(unreadable)?;
            loop {
                let mut part = Vec::new();
                (&mut file).take(PART_BYTES).read_to_end(&mut part).await.map_err(unreadable)?;
                if part.is_empty() {
                    return bounded(upload.complete()).await;
                }
                bounded(upload.put_part(part.into())).await?;
            }
        };
        match sent.await {
            Ok(_) => Ok(()),
            Err(error) => {
                if let Err(error) = bounded(upload.abort()).await {
                    tracing::warn!(%key, %error, "the parts of a file that was not stored stay in the store");
                }
                Err(error)
            }
        }
    }

    /// The bytes of an object.
    ///
    /// # Errors
    /// [`StorageError::NotFound`] when there is none of the name.
    pub async fn get(&self, key: impl ObjectName) -> Result<Bytes, StorageError> {
        self.read(async { self.objects.get(&path_of(key)).await?.bytes().await }).await
    }

    /// The length of an object, in bytes.
    ///
    /// # Errors
    /// [`StorageError::NotFound`] when there is none of the name.
    pub async fn size_bytes(&self, key: impl ObjectName) -> Result<u64, StorageError> {
        Ok(self.read(self.objects.head(&path_of(key))).await?.size)
    }

    /// Exactly a part of an object's bytes.
    ///
    /// # Errors
    /// [`StorageError::NotFound`] when there is no object of the name; any other when it has no such part.
    pub async fn get_range(&self, key: impl ObjectName, range: Range<u64>) -> Result<Bytes, StorageError> {
        self.read(self.objects.get_range(&path_of(key), range)).await
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
    pub async fn delete(&self, key: impl ObjectName) -> Result<(), StorageError> {
        let path = path_of(key);
        match bounded(self.objects.delete(&path)).await {
            Err(StorageError::NotFound) => Ok(()),
            result => result,
        }
    }

    /// All files of workspaces, or those of one, in no order: for finding those that no row knows. What others put into
    /// the place is passed over. The wait for each of them is bounded as a call is.
    pub fn list(&self, workspace: Option<WorkspaceId>) -> BoxStream<'static, Result<StoredFile, StorageError>> {
        self.list_named(workspace.map(|workspace| Path::from(workspace.to_string())), FileKey::of_path)
    }

    /// All rendered files, as [`FileStore::list`] lists those of workspaces.
    pub fn list_renderings(&self) -> BoxStream<'static, Result<StoredFile<RenderingKey>, StorageError>> {
        self.list_named(Some(Path::from(key::RENDERINGS)), RenderingKey::of_path)
    }

    fn list_named<N: ObjectName + 'static>(
        &self,
        prefix: Option<Path>,
        name: fn(&Path) -> Option<N>,
    ) -> BoxStream<'static, Result<StoredFile<N>, StorageError>> {
        let found = stream::try_unfold(self.objects.list(prefix.as_ref()), |mut found| async {
            Ok(bounded(found.try_next()).await?.map(|meta| (meta, found)))
        });
        let stored = move |meta: object_store::ObjectMeta| {
            let put_at = Timestamp::from_millis(meta.last_modified.timestamp_millis());
            Some(StoredFile { key: name(&meta.location)?, size_bytes: meta.size, put_at })
        };
        found.try_filter_map(move |meta| std::future::ready(Ok(stored(meta)))).boxed()
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

fn path_of(name: impl ObjectName) -> Path {
    Path::from(name.to_string())
}

fn unreadable(error: std::io::Error) -> StorageError {
    StorageError::Unexpected { cause: Box::new(error) }
}

async fn bounded<T>(call: impl Future<Output = object_store::Result<T>>) -> Result<T, StorageError> {
    match timeout(LONGEST_CALL, call).await {
        Ok(result) => Ok(result?),
        Err(_) => Err(StorageError::Unavailable { cause: None }),
    }
}
