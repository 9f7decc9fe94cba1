//! SQLite's errors as the store's.

use rusqlite::ErrorCode;
use rusqlite::ffi;

use crate::StoreError;

/// What an error of SQLite means to a caller.
pub(super) fn store_error(error: rusqlite::Error) -> StoreError {
    let rusqlite::Error::SqliteFailure(failure, message) = &error else {
        return StoreError::unexpected(error);
    };
    match failure.code {
        ErrorCode::DiskFull
        | ErrorCode::SystemIoFailure
        | ErrorCode::CannotOpen
        | ErrorCode::ReadOnly
        | ErrorCode::NotADatabase
        | ErrorCode::DatabaseCorrupt
        | ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed
        | ErrorCode::PermissionDenied
        | ErrorCode::OutOfMemory => {
            tracing::warn!(%error, code = failure.extended_code, "the database is not available");
            StoreError::Unavailable
        }
        ErrorCode::ConstraintViolation => match failure.extended_code {
            ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY => {
                StoreError::Unique { constraint: unique_columns(message.as_deref().unwrap_or_default()) }
            }
            ffi::SQLITE_CONSTRAINT_FOREIGNKEY => StoreError::ForeignKey,
            ffi::SQLITE_CONSTRAINT_CHECK => StoreError::Check,
            _ => StoreError::unexpected(error),
        },
        _ => StoreError::unexpected(error),
    }
}

/// `UNIQUE constraint failed: t.a, t.b` as `t(a,b)`.
fn unique_columns(message: &str) -> String {
    let (_, columns) = message.rsplit_once(": ").unwrap_or(("", message));
    let mut table = "";
    let mut names = Vec::new();
    for column in columns.split(", ") {
        let (of, name) = column.split_once('.').unwrap_or(("", column));
        table = of;
        names.push(name);
    }
    format!("{table}({})", names.join(","))
}

#[cfg(test)]
mod tests {
    use super::unique_columns;

    #[test]
    fn names_the_key_as_postgres_does() {
        let message = "UNIQUE constraint failed: classroom.organization_id, classroom.slug";
        assert_eq!(unique_columns(message), "classroom(organization_id,slug)");
    }
}
