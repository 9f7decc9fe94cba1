//! API keys of both surfaces: made, listed, rotated, revoked, and recognised at the door.
//!
//! Only the SHA-256 of a raw key is kept: it holds 256 random bits, so a slow hash would add nothing.
//! Which surface a key belongs to is a type, so that a content key can't open the platform.

use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use http::header::AUTHORIZATION;
use http::request::Parts;
use kernel::ambient::Ambient;
use kernel::id::KeyId;
use kernel::secret::{SecretString, random_token, sha256_hex};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Record, StoreError, Tx, Words, sql};
use uuid::Uuid;

use crate::admins::Admin;
use crate::audit::{AuditNote, AuditedRequest};
use crate::body::At;
use crate::context::{self, RequestContext};
use crate::door::{Door, SendsBody};
use crate::problem::Problem;
use crate::rate::RateSubject;
use crate::sessions::PresentedSession;

/// Characters of the random part that the visible prefix shows.
const VISIBLE_CHARACTERS: usize = 8;
const TOKEN_CHARACTERS: usize = 43;

/// One of the two API surfaces, as far as its keys go.
pub trait KeySurface: Send + Sync + 'static {
    /// The value of `api_key.surface`.
    const NAME: &'static str;
    /// What a raw key starts with.
    const PREFIX: &'static str;
    /// What a request without a valid key is told.
    const INVALID_KEY: &'static str;
    /// The header in which an admin's session names the owner of keys that it acts for; `None` where sessions act
    /// otherwise, or not at all.
    const ACTING_HEADER: Option<&'static str> = None;

    /// Looks a presented key up and judges whether it, and whoever owns it, may act now.
    ///
    /// # Errors
    /// 401 for a key that authorizes nothing, 403 for an owner who may not act.
    fn authenticate(tx: &mut Tx<'_>, token_hash: &str, rules: KeyRules) -> Result<KnownKey, Problem>;

    /// The id of the owner of keys that an admin names and may act for.
    ///
    /// # Errors
    /// 403 for any other, and on a surface where sessions don't act for owners.
    fn acting_for(_tx: &mut Tx<'_>, _admin: &Admin, _owner: &str) -> Result<String, Problem> {
        Err(Problem::Forbidden("A session can't act here."))
    }
}

/// What the operator decided about keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyRules {
    /// Whether a workspace without a verified e-mail address may do nothing yet.
    pub requires_verified_email: bool,
}

/// A key that a request carries, in the surface's format but not yet looked up; or an admin's session in its place, on a
/// surface with a [`KeySurface::ACTING_HEADER`].
pub struct PresentedKey<S> {
    pub(crate) credential: Presented,
    pub(crate) context: Arc<RequestContext>,
    /// What the audit log tells of the request, if it may change something.
    pub(crate) audited: Option<Arc<AuditedRequest>>,
    surface: PhantomData<S>,
}

/// What stands for the owner of keys.
#[derive(Clone)]
pub(crate) enum Presented {
    /// A key of the owner's.
    Key(KeyText),
    /// An admin's session, and the owner that it names.
    Session(PresentedSession, String),
}

/// What is kept of a raw key.
#[derive(Clone)]
pub(crate) struct KeyText {
    pub(crate) token_hash: String,
    pub(crate) prefix: String,
}

/// For an operation of several transactions: the request is counted once all the same.
impl<S> Clone for PresentedKey<S> {
    fn clone(&self) -> Self {
        let (context, audited) = (self.context.clone(), self.audited.clone());
        Self { credential: self.credential.clone(), context, audited, surface: PhantomData }
    }
}

impl<S> PresentedKey<S> {
    /// Takes the customer that the request concerns, for the audit log.
    pub fn audit_note(&self) -> AuditNote {
        AuditNote(self.audited.clone())
    }

    /// The request that carries the key.
    pub fn context(&self) -> &Arc<RequestContext> {
        &self.context
    }
}

impl<S: KeySurface, State: Send + Sync> FromRequestParts<State> for PresentedKey<S>
where
    Door: FromRef<State>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Problem> {
        let (context, audited) = (context::of(parts), AuditedRequest::of(parts));
        if let Some(owner) = named_owner::<S>(parts)
            && let Some(session) = PresentedSession::find(parts, state).await?
        {
            let credential = Presented::Session(session, owner);
            let presented = Self { credential, context, audited, surface: PhantomData };
            // A large body is read for nobody who may not act for the owner.
            if !parts.method.is_safe() && SendsBody::of(&parts.headers) == SendsBody::Large {
                Door::from_ref(state).read_by_key(presented.clone(), "keys.admit", |_, _| Ok(())).await?;
            }
            return Ok(presented);
        }
        let header = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let raw = header.and_then(bearer_token).filter(|raw| is_well_formed::<S>(raw));
        let raw = raw.ok_or(Problem::Unauthorized(S::INVALID_KEY))?;
        let key = KeyText { token_hash: sha256_hex(raw.as_bytes()), prefix: visible_prefix::<S>(raw).to_owned() };
        let token_hash = key.token_hash.clone();
        let presented = Self { credential: Presented::Key(key), context, audited, surface: PhantomData };
        // Nothing of a request is read for a key that may not act.
        if !parts.method.is_safe() {
            Door::from_ref(state).admit(&presented, &token_hash, SendsBody::of(&parts.headers)).await?;
        }
        Ok(presented)
    }
}

/// The owner of keys that a request without a key names. An `Authorization` header takes precedence over a session.
fn named_owner<S: KeySurface>(parts: &Parts) -> Option<String> {
    let named = parts.headers.get(S::ACTING_HEADER?).filter(|_| !parts.headers.contains_key(AUTHORIZATION))?;
    named.to_str().ok().map(str::to_owned)
}

fn bearer_token(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn is_well_formed<S: KeySurface>(raw: &str) -> bool {
    let is_token = |token: &str| token.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    raw.strip_prefix(S::PREFIX).is_some_and(|token| token.len() == TOKEN_CHARACTERS && is_token(token))
}

fn visible_prefix<S: KeySurface>(raw: &str) -> &str {
    &raw[..S::PREFIX.len() + VISIBLE_CHARACTERS]
}

/// What the door learns of a presented key.
#[derive(Clone, Debug)]
pub struct KnownKey {
    /// The key.
    pub id: KeyId,
    /// The organization or workspace whose key it is.
    pub owner_id: String,
    /// Whose requests are counted together: the key's own id, or its owner's where all keys share a limit.
    pub counted_as: Uuid,
    /// Requests a minute of all that are counted together.
    pub rate_limit_per_minute: u32,
    /// Whether the key may manage the whole service.
    pub is_service_admin: bool,
}

impl KnownKey {
    /// What the key's requests are counted as.
    pub(crate) fn rate_subject(&self) -> RateSubject {
        RateSubject { id: self.counted_as, limit: self.rate_limit_per_minute }
    }
}

/// The [`KeySurface::authenticate`] of keys that stand for themselves: each has its own limit, and revoked,
/// expired and unknown ones answer alike.
pub fn authenticate_alone<S: KeySurface>(tx: &mut Tx<'_>, token_hash: &str) -> Result<KnownKey, Problem> {
    let now = tx.now();
    let found = sql!(
        "SELECT id, owner_id, rate_limit_per_minute FROM api_key
         WHERE token_hash = {token_hash} AND surface = {S::NAME} AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > {now})"
    )
    .find(tx, |row| {
        let id: KeyId = row.get(0)?;
        let (owner_id, counted_as, rate_limit_per_minute) = (row.get(1)?, id.uuid(), row.get(2)?);
        Ok(KnownKey { id, owner_id, counted_as, rate_limit_per_minute, is_service_admin: false })
    })?;
    found.ok_or(Problem::Unauthorized(S::INVALID_KEY))
}

/// A key as its owner may see it.
#[derive(Clone, Debug, Record)]
#[record(table = "api_key")]
pub struct ApiKey {
    /// The key's id.
    pub id: KeyId,
    /// The organization or workspace.
    pub owner_id: String,
    /// The owner's name for it.
    pub name: String,
    /// Its first characters, safe to log.
    pub prefix: String,
    /// Requests a minute.
    pub rate_limit_per_minute: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used; at most a minute behind.
    pub last_used_at: Option<Timestamp>,
    /// When it stops authorizing.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// Whether it may manage the whole service.
    pub is_service_admin: bool,
}

/// Whether a key authorizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Words, utoipa::ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum KeyStatus {
    /// It does.
    Active,
    /// It was revoked, for good.
    Revoked,
    /// Its time is over.
    Expired,
}

impl ApiKey {
    /// The key's status at an instant.
    pub fn status(&self, now: Timestamp) -> KeyStatus {
        match (self.revoked_at, self.expires_at) {
            (Some(_), _) => KeyStatus::Revoked,
            (None, Some(end)) if end <= now => KeyStatus::Expired,
            _ => KeyStatus::Active,
        }
    }
}

/// What a new key is to be.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// The owner's name for it.
    pub name: String,
    /// Requests a minute, 1 to 100000.
    pub rate_limit_per_minute: u32,
    /// When it stops authorizing; `None` for never.
    pub expires_at: Option<Timestamp>,
    /// Whether it may manage the whole service.
    pub is_service_admin: bool,
}

/// The rule of a new key: it does not expire before it is made.
pub fn expires_later(at: &mut At<'_>, expires_at: &Option<Timestamp>, now: &Timestamp) {
    if expires_at.is_some_and(|end| end <= *now) {
        at.member("expiresAt").refuse::<()>("must be in the future");
    }
}

/// A key that was just made, with the only copy of its raw text.
pub struct MintedKey {
    /// The raw key. Shown once.
    pub raw: SecretString,
    /// Everything else.
    pub key: ApiKey,
}

/// Makes a key for an owner.
pub fn create<S: KeySurface>(
    tx: &mut Tx<'_>,
    ambient: &Ambient,
    owner_id: &str,
    new: &NewKey,
) -> Result<MintedKey, StoreError> {
    let raw = format!("{}{}", S::PREFIX, random_token(ambient));
    let key = ApiKey {
        id: ambient.id(),
        owner_id: owner_id.to_owned(),
        name: new.name.clone(),
        prefix: visible_prefix::<S>(&raw).to_owned(),
        rate_limit_per_minute: new.rate_limit_per_minute,
        created_at: tx.now(),
        last_used_at: None,
        expires_at: new.expires_at,
        revoked_at: None,
        is_service_admin: new.is_service_admin,
    };
    sql!(
        "INSERT INTO api_key (id, surface, owner_id, name, prefix, token_hash, rate_limit_per_minute, created_at, expires_at,
                              is_service_admin)
         VALUES ({key.id}, {S::NAME}, {key.owner_id}, {key.name}, {key.prefix}, {sha256_hex(raw.as_bytes())},
                 {key.rate_limit_per_minute}, {key.created_at}, {key.expires_at}, {key.is_service_admin})"
    )
    .execute(tx)?;
    Ok(MintedKey { raw: raw.into(), key })
}

/// The owner's keys, newest first, without anything secret.
pub fn list<S: KeySurface>(tx: &mut Tx<'_>, owner_id: &str) -> Result<Vec<ApiKey>, StoreError> {
    sql!(
        "SELECT {ApiKey::*} FROM api_key WHERE owner_id = {owner_id} AND surface = {S::NAME}
         ORDER BY created_at DESC, id DESC"
    )
    .query(tx, ApiKey::from_row)
}

/// A key of any owner.
pub fn find<S: KeySurface>(tx: &mut Tx<'_>, id: KeyId) -> Result<Option<ApiKey>, StoreError> {
    sql!("SELECT {ApiKey::*} FROM api_key WHERE id = {id} AND surface = {S::NAME}").find(tx, ApiKey::from_row)
}

fn load<S: KeySurface>(tx: &mut Tx<'_>, owner_id: &str, id: KeyId) -> Result<ApiKey, Problem> {
    let found =
        sql!("SELECT {ApiKey::*} FROM api_key WHERE id = {id} AND owner_id = {owner_id} AND surface = {S::NAME}")
            .find(tx, ApiKey::from_row)?;
    found.ok_or(Problem::NotFound("API key"))
}

/// Stops a key at once. Revoking it again changes nothing.
pub fn revoke<S: KeySurface>(tx: &mut Tx<'_>, owner_id: &str, id: KeyId) -> Result<ApiKey, Problem> {
    let mut key = load::<S>(tx, owner_id, id)?;
    if key.revoked_at.is_none() {
        let now = tx.now();
        tx.execute("UPDATE api_key SET revoked_at = $2 WHERE id = $1", &[&id, &now])?;
        key.revoked_at = Some(now);
    }
    Ok(key)
}

/// Replaces an active key by a new one of the same name, rate limit and expiry; the old one stops in the same
/// transaction. A key that is revoked or expired is a conflict.
pub fn rotate<S: KeySurface>(
    tx: &mut Tx<'_>,
    ambient: &Ambient,
    owner_id: &str,
    id: KeyId,
) -> Result<MintedKey, Problem> {
    let old = load::<S>(tx, owner_id, id)?;
    if old.status(tx.now()) != KeyStatus::Active {
        return Err(Problem::Conflict("Only an active key can be rotated."));
    }
    revoke::<S>(tx, owner_id, id)?;
    let new = NewKey {
        name: old.name,
        rate_limit_per_minute: old.rate_limit_per_minute,
        expires_at: old.expires_at,
        is_service_admin: old.is_service_admin,
    };
    Ok(create::<S>(tx, ambient, owner_id, &new)?)
}

/// Saves when keys were last used.
pub fn save_uses(tx: &mut Tx<'_>, uses: &[(KeyId, Timestamp)]) -> Result<(), StoreError> {
    for (key, used_at) in uses {
        tx.execute_later(
            "UPDATE api_key SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)",
            &[key, used_at],
        )?;
    }
    Ok(())
}
