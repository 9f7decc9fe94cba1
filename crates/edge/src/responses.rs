//! Responses in flight, and what they may hold of the machine while their clients read them.
//!
//! A response up to [`SMALL_BYTES`] is sent as it is. A larger one is charged to its holder (a tenant at an address) for
//! as long as anything of it is held: in memory while that has room, else in a file without a name that is read piece by
//! piece, as the client takes it. So a thousand clients that read nothing hold a thousand small buffers. Where neither has
//! room the request is answered 429 or 503 with `Retry-After` instead.
//!
//! Nothing here waits for a client: [`crate::progress`] ends connections that make none.
//!
//! Read on in [`Spool`], for what is too large to be built in memory, and [`Pieces`], the body that reads from a source.

mod budget;
mod held;
mod pieces;
mod spool;

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};

pub use self::budget::{Address, Charge, Holder, Refused};
pub use self::held::Held;
pub use self::pieces::{PieceSource, Pieces};
pub use self::spool::Spool;

use self::budget::Budget;
use crate::problem::Problem;

/// A response of this size or less is not charged, in bytes.
pub const SMALL_BYTES: usize = 16 * 1024;
/// The most that one response holds in memory, in bytes; what is larger goes to a file.
const MOST_IN_MEMORY_BYTES: usize = 1024 * 1024;
/// A piece of a file for a client whose holder has room in memory, in bytes. Others get small ones, see [`PieceSource`].
const LARGE_PIECE_BYTES: usize = 256 * 1024;
/// What a client is told to wait when there is no room for its response.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// How many bytes responses in flight may hold, and where.
#[derive(Clone, Debug)]
pub struct ResponseLimits {
    /// In memory, all together. One tenant holds at most a quarter of it, and one address half.
    pub memory_bytes: u64,
    /// In files, all together, in the same shares.
    pub disk_bytes: u64,
    /// The folder of the files. They have no names and are gone with the process.
    pub folder: PathBuf,
}

impl ResponseLimits {
    /// The usual limits, with files in a folder that exists.
    pub fn in_folder(folder: &Path) -> Self {
        Self { memory_bytes: 32 * 1024 * 1024, disk_bytes: 1024 * 1024 * 1024, folder: folder.to_owned() }
    }
}

impl Default for ResponseLimits {
    fn default() -> Self {
        Self::in_folder(&std::env::temp_dir())
    }
}

/// The responses in flight of a process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Responses(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    memory: Budget,
    disk: Budget,
    folder: PathBuf,
}

impl Default for Responses {
    fn default() -> Self {
        Self::new(ResponseLimits::default())
    }
}

impl Responses {
    /// Nothing is in flight yet.
    pub fn new(limits: ResponseLimits) -> Self {
        let ResponseLimits { memory_bytes, disk_bytes, folder } = limits;
        Self(Arc::new(Parts { memory: Budget::new(memory_bytes), disk: Budget::new(disk_bytes), folder }))
    }

    /// A response that is written before it is sent, for a holder.
    pub fn spool(&self, holder: Holder) -> Spool {
        Spool::new(self.clone(), holder)
    }

    /// A response that is at hand, charged for as long as it is held.
    ///
    /// # Errors
    /// As [`Spool::write_all`](std::io::Write): where there is no room, or the disk fails.
    pub async fn hold(&self, bytes: Bytes, holder: Holder) -> Result<Body, Problem> {
        if bytes.len() <= SMALL_BYTES {
            return Ok(Body::from(bytes));
        }
        if bytes.len() <= MOST_IN_MEMORY_BYTES
            && let Ok(charge) = self.0.memory.charge(&holder, bytes.len() as u64)
        {
            return Ok(Body::from(budget::charged(bytes, charge)));
        }
        let spool = self.spool(holder);
        let writing = tokio::task::spawn_blocking(move || spool.with(&bytes)?.finish());
        Ok(writing.await.map_err(Problem::unexpected)??.into_body())
    }

    /// The response to a request that has done something: it is sent even where there is no room, because a client that is
    /// refused would ask again.
    pub async fn hold_beyond(&self, bytes: Bytes, holder: Holder) -> Body {
        if let Ok(body) = self.hold(bytes.clone(), holder.clone()).await {
            return body;
        }
        let (responses, whole) = (self.clone(), bytes.clone());
        let writing = tokio::task::spawn_blocking(move || {
            let mut file = responses.file()?;
            file.write_all(&whole).map_err(spool::disk_failed)?;
            let charge = responses.0.disk.charge_beyond(&holder, whole.len() as u64);
            Ok::<_, Problem>(Held::file(responses, holder, file, whole.len() as u64, charge))
        });
        match writing.await {
            Ok(Ok(held)) => held.into_body(),
            // The disk fails as well.
            Ok(Err(_)) | Err(_) => Body::from(bytes),
        }
    }

    /// A file to write a response to whose parts are not written in order. It has no name and is gone when it is closed.
    ///
    /// # Errors
    /// 503 where the disk fails.
    pub fn file(&self) -> Result<File, Problem> {
        tempfile::tempfile_in(&self.0.folder).map_err(spool::disk_failed)
    }

    /// A response that was written to a [`Responses::file`], from its beginning to its end.
    ///
    /// # Errors
    /// 429 or 503 where there is no room for it.
    pub fn hold_file(&self, file: File, holder: Holder) -> Result<Held, Problem> {
        let length = file.metadata().map_err(spool::disk_failed)?.len();
        let charge = self.0.disk.charge(&holder, length)?;
        Ok(Held::file(self.clone(), holder, file, length, charge))
    }

    /// Whether a large response of this holder has a chance: asked before work that would be thrown away.
    ///
    /// # Errors
    /// 429 or 503 where there is no room even for a small part of it.
    pub fn check_room(&self, holder: &Holder) -> Result<(), Problem> {
        self.0.disk.charge(holder, MOST_IN_MEMORY_BYTES as u64).map(drop).map_err(Problem::from)
    }

    /// The size of the next piece of a file, with its charge where it is a large one.
    fn piece(&self, holder: &Holder, remaining: u64, small: u64) -> (u64, Option<Charge>) {
        let large = remaining.min(LARGE_PIECE_BYTES as u64);
        match self.0.memory.charge(holder, large) {
            Ok(charge) => (large, Some(charge)),
            Err(_) => (remaining.min(small), None),
        }
    }

    /// Bytes in memory and on disk, as they are charged now.
    pub fn held_bytes(&self) -> (u64, u64) {
        (self.0.memory.total(), self.0.disk.total())
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Tenant | Refused::Address => Self::TooManyRequests {
                message: "Too many large responses are still being read; finish reading them first.",
                retry_after: RETRY_AFTER,
            },
            Refused::TooLarge => Self::NotReady {
                message: "The response is larger than this service may hold for a client; ask for a smaller page.",
                retry_after: RETRY_AFTER,
            },
            Refused::Process => Self::NotReady {
                message: "Too many large responses are being read; try again shortly.",
                retry_after: RETRY_AFTER,
            },
        }
    }
}

#[cfg(test)]
mod tests;
