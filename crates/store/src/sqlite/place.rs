//! Whether the database's path still leads to the file that is open.
//!
//! A file that was deleted or replaced goes on working for those who hold it, and everything written to it is
//! gone when they close it. So the engine looks: the writer around each commit, everybody else through the
//! checkpoint thread, twice a second. While the path leads elsewhere the store is unavailable.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The file behind a path, as it was when it was opened. Cheap to clone.
#[derive(Clone)]
pub(super) struct Place(Arc<Opened>);

struct Opened {
    path: PathBuf,
    identity: (u64, u64),
    is_lost: AtomicBool,
}

impl Place {
    /// The place of a file that is open now.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let identity = identity(path)?;
        Ok(Self(Arc::new(Opened { path: path.to_owned(), identity, is_lost: AtomicBool::new(false) })))
    }

    /// Looks, and tells the log when it changed.
    pub(super) fn look(&self) -> bool {
        let is_lost = identity(&self.0.path).ok() != Some(self.0.identity);
        if self.0.is_lost.swap(is_lost, Ordering::AcqRel) != is_lost {
            let path = self.0.path.display();
            if is_lost {
                tracing::error!(%path, "the database file was deleted or replaced; nothing is served from it");
            } else {
                tracing::info!(%path, "the database file is back in its place");
            }
        }
        !is_lost
    }

    /// What the last look saw.
    pub(super) fn is_lost(&self) -> bool {
        self.0.is_lost.load(Ordering::Acquire)
    }
}

/// Device and inode; where there is no such thing, only whether the file is there.
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let metadata = fs::metadata(path)?;
    #[cfg(unix)]
    return Ok((std::os::unix::fs::MetadataExt::dev(&metadata), std::os::unix::fs::MetadataExt::ino(&metadata)));
    #[cfg(not(unix))]
    return Ok((u64::from(metadata.is_file()), 0));
}
