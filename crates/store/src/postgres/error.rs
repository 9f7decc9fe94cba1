//! PostgreSQL's errors as the store's, and what may be done about them.

use std::collections::HashMap;
use std::error::Error as _;

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::StoreError;

/// What a failed statement means for its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// Another transaction was in the way: the same closure may succeed now.
    Conflict,
    /// Prepared statements are out of date.
    StalePlans,
    /// The connection is gone.
    Lost,
    /// The row exists, perhaps committed after this transaction's snapshot.
    Unique,
    /// Running the closure again would give the same.
    Final,
}

/// What an error of the server or the connection means.
pub(super) fn classify(error: Error, keys: &HashMap<String, String>) -> (Failure, StoreError) {
    let Some(server) = error.as_db_error() else {
        // The driver also fails on values that don't fit a statement; they leave the connection alive.
        let is_io =
            error.is_closed() || error.source().is_some_and(|source| source.downcast_ref::<std::io::Error>().is_some());
        if is_io {
            tracing::warn!(error = &error as &dyn std::error::Error, "the database is not available");
            return (Failure::Lost, StoreError::Unavailable);
        }
        return (Failure::Final, StoreError::unexpected(error));
    };
    let code = server.code().code();
    let (class, _) = code.split_at(2);
    match (class, server.code()) {
        ("40", _) => (Failure::Conflict, StoreError::Unavailable),
        (_, &SqlState::UNIQUE_VIOLATION) => {
            let name = server.constraint().unwrap_or_default();
            let constraint = keys.get(name).map_or(name, String::as_str).to_owned();
            (Failure::Unique, StoreError::Unique { constraint })
        }
        (_, &SqlState::FOREIGN_KEY_VIOLATION) => (Failure::Final, StoreError::ForeignKey),
        (_, &SqlState::CHECK_VIOLATION) => (Failure::Final, StoreError::Check),
        (_, &SqlState::FEATURE_NOT_SUPPORTED) if server.message().contains("cached plan") => {
            (Failure::StalePlans, StoreError::Unavailable)
        }
        (_, &SqlState::INVALID_SQL_STATEMENT_NAME) => (Failure::StalePlans, StoreError::Unavailable),
        ("08", _)
        | (_, &SqlState::ADMIN_SHUTDOWN | &SqlState::CRASH_SHUTDOWN | &SqlState::CANNOT_CONNECT_NOW)
        | (_, &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT) => {
            tracing::warn!(%error, code, "the database is not available");
            (Failure::Lost, StoreError::Unavailable)
        }
        // Out of space or memory, cancelled by a time limit, failing disks, read-only after a failover.
        ("53" | "57" | "58", _)
        | (_, &SqlState::LOCK_NOT_AVAILABLE | &SqlState::READ_ONLY_SQL_TRANSACTION | &SqlState::DATA_CORRUPTED) => {
            tracing::warn!(%error, code, "the database is not available");
            (Failure::Final, StoreError::Unavailable)
        }
        _ => (Failure::Final, unexpected(error)),
    }
}

/// A defect of the program, with the server's words kept for the log.
pub(super) fn unexpected(error: Error) -> StoreError {
    StoreError::unexpected(error)
}
