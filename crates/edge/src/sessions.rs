//! Admin sessions: sign-in, sign-out, and the cookie `jwt` in between (content-api sections 4 and 5).
//!
//! The cookie holds a random token of which only the SHA-256 is kept, so a session ends on the server
//! whenever we want it to, and a stolen database opens none.

pub mod login;
pub mod logout;
mod throttle;

use std::time::Duration;

use axum::extract::{FromRef, FromRequestParts};
use http::header::COOKIE;
use http::request::Parts;
use http::{HeaderMap, Method};
use kernel::id::UserId;
use kernel::secret::sha256_hex;
use kernel::time::Timestamp;
use store::{StoreError, Tx};

use crate::admins::Admin;
use crate::context;
use crate::door::{Door, SendsBody};
use crate::problem::Problem;

pub use throttle::LoginThrottle;

/// The cookie's name (content-api section 5).
pub const COOKIE_NAME: &str = "jwt";
/// How long a session lasts.
pub const SESSION_LIFE: Duration = Duration::from_secs(12 * 3600);

const NOT_SIGNED_IN: Problem = Problem::Unauthorized("You are not signed in.");

/// A session cookie that a request carries, not yet looked up.
#[derive(Clone)]
pub struct PresentedSession {
    token_hash: String,
    context: std::sync::Arc<context::RequestContext>,
}

impl<S: Send + Sync> FromRequestParts<S> for PresentedSession
where
    Door: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        Self::find(parts, state).await?.ok_or(NOT_SIGNED_IN)
    }
}

impl PresentedSession {
    /// The session that a request carries; `None` when it carries none.
    ///
    /// # Errors
    /// 403 for a change that another site asks for; 401 for a large body without a valid session.
    pub async fn find<S>(parts: &Parts, state: &S) -> Result<Option<Self>, Problem>
    where
        Door: FromRef<S>,
        S: Sync,
    {
        let Some(token) = cookie(&parts.headers) else { return Ok(None) };
        let token_hash = sha256_hex(token.as_bytes());
        let is_safe = matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS);
        let session = Self { token_hash, context: context::of(parts) };
        if !is_safe {
            let door = Door::from_ref(state);
            if !door.own_origin.is_not_disproven_by(&parts.headers) {
                return Err(Problem::Forbidden("The request comes from another site."));
            }
            door.admit_session(&session, SendsBody::of(&parts.headers)).await?;
        }
        Ok(Some(session))
    }
}

/// The session token, when the request has one.
fn cookie(headers: &HeaderMap) -> Option<&str> {
    let pairs = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|line| line.split(';'));
    pairs.filter_map(|pair| pair.trim().split_once('=')).find(|(name, _)| *name == COOKIE_NAME).map(|(_, token)| token)
}

pub(crate) fn authenticate(tx: &mut Tx<'_>, session: &PresentedSession) -> Result<Admin, Problem> {
    let now = tx.now();
    let admin = tx.find(
        "SELECT u.id, u.is_operator FROM admin_session s JOIN admin_user u ON u.id = s.user_id
         WHERE s.token_hash = $1 AND s.expires_at > $2",
        &[&session.token_hash, &now],
        |row| Ok(Admin { user_id: row.get(0)?, is_operator: row.get(1)? }),
    )?;
    let admin = admin.ok_or(NOT_SIGNED_IN)?;
    session.context.caller.get_or_init(|| admin.user_id.to_string());
    session.context.tenant.get_or_init(|| admin.user_id.to_string().into());
    Ok(admin)
}

fn open(tx: &mut Tx<'_>, token_hash: &str, user: UserId, timezone: &str) -> Result<Timestamp, StoreError> {
    let now = tx.now();
    let expires_at = now.plus(SESSION_LIFE);
    tx.execute(
        "INSERT INTO admin_session (token_hash, user_id, timezone, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
        &[&token_hash, &user, &timezone, &now, &expires_at],
    )?;
    Ok(expires_at)
}

fn close(tx: &mut Tx<'_>, token_hash: &str) -> Result<u64, StoreError> {
    tx.execute("DELETE FROM admin_session WHERE token_hash = $1", &[&token_hash])
}

/// Forgets sessions whose time is over.
pub fn sweep(tx: &mut Tx<'_>) -> Result<u64, StoreError> {
    let now = tx.now();
    tx.execute("DELETE FROM admin_session WHERE expires_at <= $1", &[&now])
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn the_cookie_is_found_among_others_by_its_exact_name() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, HeaderValue::from_static("a=1; xjwt=no; jwt=token=; b=2"));
        assert_eq!(cookie(&headers), Some("token="));
        headers.clear();
        headers.append(COOKIE, HeaderValue::from_static("JWT=no; jwtx=no"));
        assert_eq!(cookie(&headers), None);
    }
}
