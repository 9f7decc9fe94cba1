//! Why a store did not do what it was asked to.

use std::error::Error;

type Cause = Box<dyn Error + Send + Sync>;

/// A call that failed. The text may be shown to a customer; causes are for the log.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// There is no object of the name.
    #[error("the file is not there")]
    NotFound,
    /// Another object has the name.
    #[error("the file is there already")]
    Taken,
    /// The store can't be reached, refuses, is full or is too slow. A later call may work: 503.
    #[error("files can't be stored or read at the moment")]
    Unavailable {
        /// What the store said; `None` when it said nothing in time.
        #[source]
        cause: Option<Cause>,
    },
    /// What never should happen.
    #[error("the file store failed")]
    Unexpected {
        /// What it was.
        #[source]
        cause: Cause,
    },
}

impl From<object_store::Error> for StorageError {
    fn from(error: object_store::Error) -> Self {
        use object_store::Error as E;
        match error {
            E::NotFound { .. } => Self::NotFound,
            // The same refusal, by stores of two kinds.
            E::AlreadyExists { .. } | E::Precondition { .. } => Self::Taken,
            E::Generic { .. } | E::PermissionDenied { .. } | E::Unauthenticated { .. } => {
                Self::Unavailable { cause: Some(Box::new(error)) }
            }
            other => Self::Unexpected { cause: Box::new(other) },
        }
    }
}

/// A store that can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenStoreError {
    /// The local folder.
    #[error("can't use the folder of files {path}")]
    Folder {
        /// Which.
        path: String,
        /// What the operating system said.
        #[source]
        cause: Cause,
    },
    /// The S3-compatible store.
    #[error("the S3 settings make no store")]
    S3 {
        /// Which of them is wrong.
        #[source]
        cause: Cause,
    },
}
