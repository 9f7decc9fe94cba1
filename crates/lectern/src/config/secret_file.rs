//! The master key that the service makes for itself, once, in the data folder.
//!
//! Two processes that start at once agree on one key: each writes its own draft, whole and synced, and
//! exactly one draft gets the name. A key that was ever given out is never overwritten.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use kernel::ambient::Ambient;
use kernel::secret::{MasterKey, NotAMasterKey};

const NAME: &str = "secret.key";

/// The key file can't be used.
#[derive(Debug, thiserror::Error)]
pub enum SecretFileError {
    /// Not read or not written.
    #[error("can't use the secret key file {path}")]
    File {
        /// Which file.
        path: String,
        /// What the operating system said.
        #[source]
        cause: io::Error,
    },
    /// It holds something else than a key.
    #[error("the secret key file {path} is damaged: it {cause}. Restore it from a backup, or set LECTERN_SECRET_KEY")]
    Damaged {
        /// Which file.
        path: String,
        /// What it should hold.
        cause: NotAMasterKey,
    },
}

/// Where the key of a data folder is.
pub fn path(data_dir: &Path) -> PathBuf {
    data_dir.join(NAME)
}

/// The key of a data folder, made when there is none yet. The folder is made too, for its owner alone. Only for a
/// database that never had a key: see `master_key.rs`.
///
/// # Errors
/// When the file can't be read, made or understood.
pub fn load_or_make(data_dir: &Path, ambient: &Ambient) -> Result<MasterKey, SecretFileError> {
    match load(data_dir) {
        Ok(Some(key)) => Ok(key),
        Ok(None) => {
            make(data_dir, &MasterKey::generate(ambient), ambient).map_err(|cause| refuse(data_dir, cause))?;
            let key = load(data_dir)?;
            key.ok_or_else(|| refuse(data_dir, io::ErrorKind::NotFound.into()))
        }
        Err(error) => Err(error),
    }
}

/// The key of a data folder, when there is one.
///
/// # Errors
/// When the file is there and can't be read or understood.
pub fn load(data_dir: &Path) -> Result<Option<MasterKey>, SecretFileError> {
    let path = path(data_dir);
    match fs::read_to_string(&path) {
        Ok(text) => {
            let damaged = |cause| SecretFileError::Damaged { path: path.display().to_string(), cause };
            MasterKey::from_hex(&text).map(Some).map_err(damaged)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(refuse(data_dir, cause)),
    }
}

/// Makes a folder that only its owner may look into, unless it is there already.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn make(data_dir: &Path, key: &MasterKey, ambient: &Ambient) -> io::Result<()> {
    make_folder(data_dir)?;
    let suffix = u64::from_le_bytes(ambient.random());
    let draft = data_dir.join(format!("{NAME}.{suffix:016x}"));
    let named = write_new(&draft, &format!("{}\n", *key.to_hex())).and_then(|()| name_draft(&draft, &path(data_dir)));
    let _ = fs::remove_file(&draft);
    named?;
    File::open(data_dir)?.sync_all()
}

/// A link, unlike a renaming, never replaces what has the name.
fn name_draft(draft: &Path, name: &Path) -> io::Result<()> {
    match fs::hard_link(draft, name) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        result => result,
    }
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn refuse(data_dir: &Path, cause: io::Error) -> SecretFileError {
    SecretFileError::File { path: path(data_dir).display().to_string(), cause }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn starts_at_once_agree_on_one_key_that_only_the_owner_can_read() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = folder.path().join("new");
        let barrier = Barrier::new(8);
        let keys: Vec<String> = std::thread::scope(|scope| {
            let start = || {
                barrier.wait();
                load_or_make(&data_dir, &Ambient::system()).unwrap().to_hex().to_string()
            };
            let starts: Vec<_> = (0..8).map(|_| scope.spawn(start)).collect();
            starts.into_iter().map(|start| start.join().unwrap()).collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0]));
        let files: Vec<_> = fs::read_dir(&data_dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(files, [NAME], "no draft stays");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(path(&data_dir)).unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(fs::metadata(&data_dir).unwrap().permissions().mode() & 0o777, 0o700);
        }
    }

    #[test]
    fn a_damaged_key_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(path(folder.path()), "not a key").unwrap();
        let refused = load_or_make(folder.path(), &Ambient::system());
        assert!(matches!(refused, Err(SecretFileError::Damaged { .. })));
        assert_eq!(fs::read_to_string(path(folder.path())).unwrap(), "not a key");
    }
}
