//! Admin sessions: sign-in, sign-out, and the cookie `jwt` in between (content-api sections 4 and 5).
//!
//! The cookie holds a random token of which only the SHA-256 is kept, so a session ends on the server
//! whenever we want it to, and a stolen database opens none.

pub mod list;
pub mod login;
pub mod logout;
mod throttle;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRef, FromRequestParts};
use http::header::COOKIE;
use http::request::Parts;
use http::{HeaderMap, HeaderValue};
use kernel::id::{SessionId, UserId};
use kernel::secret::{ExposeSecret as _, SecretString, sha256_hex};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{StoreError, Tx, sql};

use crate::admins::Admin;
use crate::audit::{self, AuditNote, AuditedRequest, Changer, PersonalChange};
use crate::context;
use crate::door::{Door, SendsBody};
use crate::problem::Problem;
use crate::second_factors;

pub use throttle::LoginThrottle;

/// The cookie's name (content-api section 5).
pub const COOKIE_NAME: &str = "jwt";
/// How long a session lasts.
pub const SESSION_LIFE: Duration = Duration::from_secs(12 * 3600);

/// The audit log's name for a new session, however it was opened.
const SIGN_IN: &str = "signIn";
const NOT_SIGNED_IN: Problem = Problem::Unauthorized("You are not signed in.");

/// How a session was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// By a password alone.
    Password,
    /// By a password and a second factor.
    Totp,
    /// By an identity provider that did not vouch for a second factor.
    Oidc,
    /// By an identity provider that is trusted with the second factor.
    OidcMfa,
    /// By an identity provider and a second factor of this service.
    OidcTotp,
    /// By a passkey, which is a second factor too.
    Passkey,
    /// It may do nothing until a second factor was shown.
    Pending,
}

impl Method {
    const ALL: [Self; 7] =
        [Self::Password, Self::Totp, Self::Oidc, Self::OidcMfa, Self::OidcTotp, Self::Passkey, Self::Pending];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Totp => "totp",
            Self::Oidc => "oidc",
            Self::OidcMfa => "oidc_mfa",
            Self::OidcTotp => "oidc_totp",
            Self::Passkey => "passkey",
            Self::Pending => "pending",
        }
    }

    /// The safest for a word that a later version wrote.
    fn of(text: &str) -> Self {
        Self::ALL.into_iter().find(|method| method.as_str() == text).unwrap_or(Self::Pending)
    }

    /// What becomes of the method when a second factor of this service was shown.
    #[must_use]
    pub const fn with_second_factor(self) -> Self {
        match self {
            Self::Password | Self::Totp => Self::Totp,
            // Only a sign-in through an identity provider waits for its second factor.
            Self::Oidc | Self::OidcTotp | Self::Pending => Self::OidcTotp,
            Self::OidcMfa | Self::Passkey => self,
        }
    }

    /// What remains of the method when the second factor of this service is removed.
    const fn without_second_factor(self) -> Self {
        match self {
            Self::Totp | Self::Passkey => Self::Password,
            Self::OidcTotp => Self::Oidc,
            other => other,
        }
    }

    /// Whether an identity provider opened the session.
    pub const fn is_of_provider(self) -> bool {
        !matches!(self, Self::Password | Self::Totp | Self::Passkey)
    }
}

/// A session cookie that a request carries, not yet looked up.
#[derive(Clone)]
pub struct PresentedSession {
    token_hash: String,
    pub(crate) context: Arc<context::RequestContext>,
    /// What the audit log tells of the request, if it may change something.
    pub(crate) audited: Option<Arc<AuditedRequest>>,
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
        let is_safe = matches!(parts.method, http::Method::GET | http::Method::HEAD | http::Method::OPTIONS);
        let session = Self { token_hash, context: context::of(parts), audited: AuditedRequest::of(parts) };
        if !is_safe {
            let door = Door::from_ref(state);
            if !door.own_origin.is_not_disproven_by(&parts.headers) {
                return Err(Problem::Forbidden("The request comes from another site."));
            }
            door.admit_session(&session, SendsBody::of(&parts.headers)).await?;
        }
        Ok(Some(session))
    }

    /// Enters what the session changed into the audit log, in the transaction that changed it.
    pub(crate) fn record_change<T: 'static>(
        &self,
        tx: &mut Tx<'_>,
        signed_in: &SignedIn,
        outcome: &T,
    ) -> Result<(), StoreError> {
        let Some(request) = &self.audited else { return Ok(()) };
        let changer = Changer::Session { user: signed_in.admin.user_id, session: signed_in.session, owner: None };
        audit::record(tx, request, &self.context, &changer, outcome)
    }

    /// Takes the customer that the request concerns, for the audit log.
    pub fn audit_note(&self) -> AuditNote {
        AuditNote(self.audited.clone())
    }
}

/// The session token, when the request has one.
fn cookie(headers: &HeaderMap) -> Option<&str> {
    let pairs = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|line| line.split(';'));
    pairs.filter_map(|pair| pair.trim().split_once('=')).find(|(name, _)| *name == COOKIE_NAME).map(|(_, token)| token)
}

/// Whose session it is, and how it was opened.
#[derive(Clone, Copy, Debug)]
pub struct SignedIn {
    /// The admin.
    pub admin: Admin,
    /// The session, where it has an id.
    pub session: Option<SessionId>,
    /// How the session was opened.
    pub method: Method,
    /// When the session was opened.
    pub opened_at: Timestamp,
}

impl SignedIn {
    /// # Errors
    /// 401 where the session waits for its second factor, 403 for an operator who needs one and has none.
    pub(crate) fn check_second_factor(&self, tx: &mut Tx<'_>, operators_need_one: bool) -> Result<(), Problem> {
        match self.method {
            Method::Pending => Err(Problem::SecondFactorRequired),
            Method::Password | Method::Oidc if operators_need_one && self.admin.is_operator => {
                match second_factors::status(tx, self.admin.user_id)? {
                    second_factors::Status::Confirmed => Err(Problem::SecondFactorRequired),
                    second_factors::Status::Absent => Err(Problem::SecondFactorMissing),
                }
            }
            Method::Password | Method::Totp | Method::Oidc | Method::OidcMfa | Method::OidcTotp | Method::Passkey => {
                Ok(())
            }
        }
    }
}

pub(crate) fn authenticate(tx: &mut Tx<'_>, session: &PresentedSession) -> Result<SignedIn, Problem> {
    let now = tx.now();
    let signed_in = tx.find(
        "SELECT u.id, u.is_operator, s.method, s.created_at, s.id FROM admin_session s JOIN admin_user u ON u.id = s.user_id
         WHERE s.token_hash = $1 AND s.expires_at > $2",
        &[&session.token_hash, &now],
        |row| {
            let method: String = row.get(2)?;
            let admin = Admin { user_id: row.get(0)?, is_operator: row.get(1)? };
            Ok(SignedIn { admin, session: row.get(4)?, method: Method::of(&method), opened_at: row.get(3)? })
        },
    )?;
    let signed_in = signed_in.ok_or(NOT_SIGNED_IN)?;
    let user = signed_in.admin.user_id.to_string();
    session.context.caller.get_or_init(|| user.clone());
    session.context.tenant.get_or_init(|| user.into());
    Ok(signed_in)
}

/// Opens a session in the caller's transaction, whose token is random and kept nowhere else.
///
/// # Errors
/// Any [`StoreError`].
pub fn open(
    tx: &mut Tx<'_>,
    token: &SecretString,
    user: UserId,
    timezone: &str,
    method: Method,
) -> Result<Timestamp, StoreError> {
    let (now, id): (_, SessionId) = (tx.now(), tx.ambient().id());
    let expires_at = now.plus(SESSION_LIFE);
    let (token_hash, method) = (sha256_hex(token.expose_secret().as_bytes()), method.as_str());
    sql!(
        "INSERT INTO admin_session (token_hash, id, user_id, timezone, method, created_at, expires_at)
         VALUES ({token_hash}, {id}, {user}, {timezone}, {method}, {now}, {expires_at})"
    )
    .execute(tx)?;
    audit::record_of_person(tx, SIGN_IN, user, &PersonalChange { session: Some(id), ..PersonalChange::default() })?;
    Ok(expires_at)
}

fn close(tx: &mut Tx<'_>, token_hash: &str) -> Result<u64, StoreError> {
    tx.execute("DELETE FROM admin_session WHERE token_hash = $1", &[&token_hash])
}

/// The header that gives a browser the session of a token.
pub fn cookie_of(door: &Door, token: &SecretString) -> HeaderValue {
    login::set_cookie(token.expose_secret(), SESSION_LIFE.as_secs(), door.own_origin.is_secure())
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
    fn a_method_is_read_as_it_was_written_and_an_unknown_one_may_do_nothing() {
        for method in Method::ALL {
            assert_eq!(Method::of(method.as_str()), method);
            assert_eq!(serde_json::to_value(method).unwrap(), method.as_str());
            assert_eq!(method.with_second_factor().is_of_provider(), method.is_of_provider());
        }
        assert_eq!(Method::of("retina"), Method::Pending);
    }

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
