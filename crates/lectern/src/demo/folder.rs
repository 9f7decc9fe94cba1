//! What the demo remembers between two runs on the same folder: its own password and keys.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

const NAME: &str = "demo.json";

/// The credentials of a demo folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Credentials {
    pub(super) email: String,
    pub(super) password: String,
    pub(super) content_api_key: Option<String>,
    pub(super) platform_api_key: Option<String>,
}

/// Where they are kept.
pub(super) fn path(data_dir: &Path) -> PathBuf {
    data_dir.join(NAME)
}

/// The credentials of an earlier run.
pub(super) fn load(data_dir: &Path) -> anyhow::Result<Option<Credentials>> {
    let path = path(data_dir);
    match fs::read(&path) {
        Ok(text) => {
            let credentials = serde_json::from_slice(&text);
            credentials.map(Some).with_context(|| format!("{} is damaged: remove the folder", path.display()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("can't read {}", path.display())),
    }
}

/// Keeps them, for the owner of the folder alone.
pub(super) fn save(data_dir: &Path, credentials: &Credentials) -> anyhow::Result<()> {
    let (path, draft) = (path(data_dir), data_dir.join(format!("{NAME}.draft")));
    let text = serde_json::to_vec_pretty(credentials)?;
    let write = || {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&draft)?;
        file.write_all(&text)?;
        file.sync_all()?;
        fs::rename(&draft, &path)
    };
    write().with_context(|| format!("can't write {}", path.display()))
}
