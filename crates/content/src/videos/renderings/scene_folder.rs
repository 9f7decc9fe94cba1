//! The folder of one rendering request, on this machine: its scenes lie there until the video is whole, so that the next run
//! resumes after the last finished scene.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use kernel::id::RenderingId;

/// Folders that nothing was added to for so long belong to renderings that nobody goes on with here.
const KEEP: Duration = Duration::from_secs(24 * 3600);

pub(super) struct SceneFolder {
    /// The folder of all renderings.
    all: PathBuf,
    own: PathBuf,
}

impl SceneFolder {
    pub(super) fn of(all: &Path, run: RenderingId) -> Self {
        Self { all: all.to_owned(), own: all.join(run.to_string()) }
    }

    /// Makes the folder unless it is there, after old ones of other requests were removed.
    ///
    /// # Errors
    /// When the disk can't be used.
    pub(super) async fn open(&self) -> io::Result<PathBuf> {
        let (all, own) = (self.all.clone(), self.own.clone());
        let opened = tokio::task::spawn_blocking(move || {
            remove_old(&all, &own);
            std::fs::create_dir_all(&own)?;
            Ok(own)
        });
        opened.await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }

    /// Removes the folder with its scenes.
    pub(super) async fn forget(&self) {
        if let Err(error) = tokio::fs::remove_dir_all(&self.own).await
            && error.kind() != ErrorKind::NotFound
        {
            tracing::warn!(folder = %self.own.display(), %error, "scenes that nobody needs any more stay for a day");
        }
    }
}

fn remove_old(all: &Path, own: &Path) {
    let Ok(entries) = std::fs::read_dir(all) else { return };
    for folder in entries.flatten().map(|entry| entry.path()).filter(|folder| folder != own) {
        if is_old(&folder)
            && let Err(error) = std::fs::remove_dir_all(&folder)
        {
            tracing::warn!(folder = %folder.display(), %error, "old scenes can't be removed");
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the ages of folders are told by the clock of the machine that they are on"
)]
fn is_old(folder: &Path) -> bool {
    let modified = folder.metadata().and_then(|metadata| metadata.modified()).ok();
    modified.and_then(|modified| SystemTime::now().duration_since(modified).ok()).is_some_and(|age| age > KEEP)
}
