//! An admin's sessions: listed, and ended one by one or all but the present one.

use kernel::id::{SessionId, UserId};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{StoreError, Tx};

use super::{Method, PresentedSession};

/// Sessions that are listed, the newest.
const MOST: i64 = 100;

/// A session as its admin sees it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedSession {
    /// Names the session; it opens none.
    #[schema(value_type = String, format = "uuid")]
    pub id: SessionId,
    /// How it was opened.
    pub method: Method,
    /// The time zone that the browser named.
    pub timezone: String,
    /// When it was opened.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it ends by itself.
    #[schema(value_type = String, format = "date-time")]
    pub expires_at: Timestamp,
    /// Whether the request came with it.
    pub is_current: bool,
}

/// The sessions of an admin that have not ended, the newest first.
///
/// # Errors
/// Any [`StoreError`].
pub fn of(tx: &mut Tx<'_>, user: UserId, present: &PresentedSession) -> Result<Vec<ListedSession>, StoreError> {
    let now = tx.now();
    tx.query(
        "SELECT id, method, timezone, created_at, expires_at, token_hash FROM admin_session
         WHERE user_id = $1 AND expires_at > $2 ORDER BY created_at DESC, id DESC LIMIT $3",
        &[&user, &now, &MOST],
        |row| {
            let (method, token_hash): (String, String) = (row.get(1)?, row.get(5)?);
            Ok(ListedSession {
                id: row.get(0)?,
                method: Method::of(&method),
                timezone: row.get(2)?,
                created_at: row.get(3)?,
                expires_at: row.get(4)?,
                is_current: token_hash == present.token_hash,
            })
        },
    )
}

/// How many sessions of an admin have not ended.
///
/// # Errors
/// Any [`StoreError`].
pub fn count(tx: &mut Tx<'_>, user: UserId) -> Result<i64, StoreError> {
    let now = tx.now();
    let counted =
        tx.find("SELECT count(*) FROM admin_session WHERE user_id = $1 AND expires_at > $2", &[&user, &now], |row| {
            row.get(0)
        })?;
    Ok(counted.unwrap_or(0))
}

/// Ends one of an admin's sessions; whether there was one.
///
/// # Errors
/// Any [`StoreError`].
pub fn end(tx: &mut Tx<'_>, user: UserId, session: SessionId) -> Result<bool, StoreError> {
    Ok(tx.execute("DELETE FROM admin_session WHERE id = $1 AND user_id = $2", &[&session, &user])? > 0)
}

/// Ends all of an admin's sessions but the present one; how many.
///
/// # Errors
/// Any [`StoreError`].
pub fn end_others(tx: &mut Tx<'_>, user: UserId, present: &PresentedSession) -> Result<u64, StoreError> {
    tx.execute("DELETE FROM admin_session WHERE user_id = $1 AND token_hash <> $2", &[&user, &present.token_hash])
}

/// Ends all of an admin's sessions; how many.
///
/// # Errors
/// Any [`StoreError`].
pub fn end_all(tx: &mut Tx<'_>, user: UserId) -> Result<u64, StoreError> {
    tx.execute("DELETE FROM admin_session WHERE user_id = $1", &[&user])
}

/// The second factor was removed: the other sessions end, and the present one counts as opened without it.
///
/// # Errors
/// Any [`StoreError`].
pub fn forget_second_factor(tx: &mut Tx<'_>, user: UserId, present: &PresentedSession) -> Result<(), StoreError> {
    end_others(tx, user, present)?;
    let token_hash = &present.token_hash;
    let method: Option<String> =
        tx.find("SELECT method FROM admin_session WHERE token_hash = $1", &[token_hash], |row| row.get(0))?;
    method.map_or(Ok(()), |method| complete(tx, present, Method::of(&method).without_second_factor()))
}

/// The second factor was shown: the session may act from now on.
///
/// # Errors
/// Any [`StoreError`].
pub fn complete(tx: &mut Tx<'_>, present: &PresentedSession, method: Method) -> Result<(), StoreError> {
    let method = method.as_str();
    tx.execute("UPDATE admin_session SET method = $2 WHERE token_hash = $1", &[&present.token_hash, &method])?;
    Ok(())
}
