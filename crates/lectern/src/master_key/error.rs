//! What is wrong with a master key, in words that say what to restore and what is lost otherwise.

use std::fmt;
use std::path::PathBuf;

use store::StoreError;

use crate::config::Config;
use crate::config::secret_file::{self, SecretFileError};

/// What can't be read or no longer holds without the right key.
pub(crate) const LOSS: &str = "Without the right key the stored webhook secrets can't be read, so no webhook is \
    delivered, administrators with an authenticator app can't sign in, and the preview, file and verification links that \
    were given out stop working.";
const LAST_RESORT: &str = "If the key is lost for good, `lectern replace-secret-key` accepts that loss.";

/// Why a master key can't be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MasterKeyError {
    /// The database has a key and this process has none.
    #[error(
        "the master key of this database is missing: there is no {}, and LECTERN_SECRET_KEY is not set. \
         Restore that file from a backup, or set LECTERN_SECRET_KEY to the key. {LOSS} {LAST_RESORT}",
        .expected.display()
    )]
    Lost {
        /// Where the key file should be.
        expected: PathBuf,
    },
    /// The database has another key.
    #[error("{0} {LOSS} {LAST_RESORT}")]
    Wrong(Source),
    /// The key file can't be used.
    #[error(transparent)]
    File(#[from] SecretFileError),
    /// The database failed.
    #[error("the master key can't be compared with the database")]
    Store(#[from] StoreError),
}

/// Where a wrong key comes from.
#[derive(Debug)]
pub(crate) enum Source {
    /// `LECTERN_SECRET_KEY`, or `secrets.secret_key` in the configuration file.
    Configuration {
        /// The key file of the data folder, when its key is the right one.
        fitting_file: Option<PathBuf>,
    },
    /// The key file of the data folder.
    File(PathBuf),
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Configuration { fitting_file: Some(file) } => write!(
                formatter,
                "the configured secret key (LECTERN_SECRET_KEY) is not the master key of this database, but {} is. \
                 Remove the setting, or set it to the key in that file.",
                file.display()
            ),
            Self::Configuration { fitting_file: None } => write!(
                formatter,
                "the configured secret key (LECTERN_SECRET_KEY) is not the master key of this database. \
                 Set LECTERN_SECRET_KEY to the key that the database was made with."
            ),
            Self::File(file) => write!(
                formatter,
                "{} is not the master key of this database. Restore that file from a backup of the installation that \
                 made the database, or set LECTERN_SECRET_KEY to its key.",
                file.display()
            ),
        }
    }
}

impl MasterKeyError {
    pub(crate) fn lost(config: &Config) -> Self {
        Self::Lost { expected: secret_file::path(&config.store.data_dir) }
    }
}
