//! What can go wrong with the database, in the few kinds that a caller can act on.
//!
//! The text of these errors is for logs and never for users.

use std::error::Error;

/// Why a transaction had no effect.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The database is lost, its disk is full or its queue is: try again later (503). When it was a
    /// write, the outcome may be unknown; it is either whole or absent.
    #[error("the database is not available")]
    Unavailable,
    /// A row with the same key exists. The text is `table(column,column)`, the same on both engines.
    #[error("a row of {constraint} exists already")]
    Unique {
        /// The violated key, such as `classroom(organization_id,slug)`.
        constraint: String,
    },
    /// The row refers to one that does not exist, or is referred to.
    #[error("a referenced row is missing or a referring row exists")]
    ForeignKey,
    /// A CHECK of the table refused the row.
    #[error("a check of the table refused the row")]
    Check,
    /// A defect: bad SQL, a type that does not fit, a panic in the closure.
    #[error("unexpected database error")]
    Unexpected(#[source] Box<dyn Error + Send + Sync>),
}

impl StoreError {
    pub(crate) fn unexpected(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unexpected(cause.into())
    }
}

/// Why a store could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The file or folder can't be made or read.
    #[error("can't open the database file {path}")]
    File {
        /// The path as configured.
        path: String,
        /// What the operating system said.
        #[source]
        cause: std::io::Error,
    },
    /// The URL of the database can't be understood. Its text is never repeated here: it holds a password.
    #[error("the database URL is not valid: {0}")]
    Url(String),
    /// The certificates given for the database can't be used.
    #[error("can't use the certificates for the database")]
    Certificates(#[source] Box<dyn Error + Send + Sync>),
    /// The database does not answer.
    #[error("can't reach the database")]
    Unreachable(#[source] Box<dyn Error + Send + Sync>),
    /// The database was migrated by a newer version of this program.
    #[error("the database is at version {database}, this program knows versions up to {program}")]
    Newer {
        /// The last migration that the database had.
        database: i64,
        /// The last migration that this program has.
        program: i64,
    },
    /// A migration failed, or an applied one differs from the one in this program.
    #[error("can't migrate the database")]
    Migration(#[source] Box<dyn Error + Send + Sync>),
}

impl OpenError {
    pub(crate) fn unreachable(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unreachable(cause.into())
    }
}
