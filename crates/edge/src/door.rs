//! The one way from a request into the store.
//!
//! A closure gets its transaction only together with a caller who was authenticated, counted and authorized in
//! that same transaction: a key that is revoked stops at once, and one hop to the store serves a whole
//! request. Nobody caches a credential: [`known_keys`] only remembers which bodies may be read first.

mod known_keys;

use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::id::KeyId;
use kernel::secret::MasterKey;
use store::{Store, StoreError, Tx};

pub(crate) use self::known_keys::SendsBody;

use self::known_keys::KnownKeys;
use crate::admins::Admin;
use crate::audit::{self, Changer};
use crate::idempotency::Idempotency;
use crate::keys::{self, ApiKey, KeyRules, KeySurface, KeyText, KnownKey, Presented, PresentedKey};
use crate::origin::OwnOrigin;
use crate::problem::Problem;
use crate::rate::{self, Admission, RateLimiter, RateStatus, RateSubject, Sharing};
use crate::responses::Responses;
use crate::second_factors::SecondFactors;
use crate::sessions::{self, LoginThrottle, PresentedSession, SignedIn};

/// What every operation needs, behind one pointer: a request clones it several times.
#[derive(Clone)]
pub struct Door(Arc<Parts>);

/// What a [`Door`] leads to.
pub struct Parts {
    /// The store, for work that has no caller.
    pub store: Store,
    /// Time and chance.
    pub ambient: Ambient,
    /// Kept answers of create requests.
    pub idempotency: Idempotency,
    /// The service's own web origin.
    pub own_origin: OwnOrigin,
    /// Counts failed sign-ins.
    pub login_throttle: LoginThrottle,
    /// Second factors of admins.
    pub second_factors: SecondFactors,
    /// Responses in flight.
    pub responses: Responses,
    /// How long entries of the audit log are kept.
    pub audit_retention: Duration,
    requires_operator_second_factor: bool,
    key_rules: KeyRules,
    limiter: Arc<RateLimiter>,
    known_keys: KnownKeys,
    /// Turns to lease; keys that share one only wait a little longer.
    leasing: [tokio::sync::Mutex<()>; LEASING_TURNS],
}

const LEASING_TURNS: usize = 16;
/// The most requests a minute that an admin's sessions may make in place of content keys.
const REQUESTS_OF_AN_ADMIN_PER_MINUTE: u32 = 1_000;

impl Deref for Door {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// Who acts for an owner of keys, inside a transaction: the holder of a key, or an admin by session.
#[derive(Clone, Debug)]
pub struct KeyCaller {
    /// The key; `None` for an admin.
    pub key_id: Option<KeyId>,
    /// The organization or workspace whose key it is.
    pub owner_id: String,
    /// Whether the key may manage the whole service.
    pub is_service_admin: bool,
}

/// What a closure does with its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// See [`Store::read`].
    Read,
    /// See [`Store::write`].
    Write,
    /// See [`Store::claim`].
    Claim,
    /// See [`Store::delayed_claim`].
    DelayedClaim,
}

impl Access {
    async fn run<T, E>(
        self,
        store: &Store,
        name: &'static str,
        act: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + Sync + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        match self {
            Self::Read => store.read(name, act).await,
            Self::Write => store.write(name, act).await,
            Self::Claim => store.claim(name, act).await,
            Self::DelayedClaim => store.delayed_claim(name, act).await,
        }
    }
}

impl Door {
    /// A door to a store.
    pub fn new(
        store: Store,
        ambient: Ambient,
        master: &MasterKey,
        own_origin: OwnOrigin,
        sharing: Sharing,
        key_rules: KeyRules,
    ) -> Self {
        let idempotency = Idempotency::new(ambient.clone(), master.sealer("idempotent answers"));
        let limiter = Arc::new(RateLimiter::new(sharing));
        Self(Arc::new(Parts {
            store,
            ambient,
            idempotency,
            own_origin,
            login_throttle: LoginThrottle::default(),
            second_factors: SecondFactors::new(master),
            audit_retention: audit::USUAL_RETENTION,
            requires_operator_second_factor: false,
            responses: Responses::default(),
            key_rules,
            limiter,
            known_keys: KnownKeys::default(),
            leasing: Default::default(),
        }))
    }

    /// The same door with other limits of responses in flight, before anybody else has it.
    #[must_use]
    pub fn with_responses(self, responses: Responses) -> Self {
        let mut parts = Arc::into_inner(self.0).expect("a new door has one owner");
        parts.responses = responses;
        Self(Arc::new(parts))
    }

    /// The same door, where operators may need a second factor, before anybody else has it.
    #[must_use]
    pub fn requiring_operator_second_factor(self, requires: bool) -> Self {
        let mut parts = Arc::into_inner(self.0).expect("a new door has one owner");
        parts.requires_operator_second_factor = requires;
        Self(Arc::new(parts))
    }

    /// The same door with another retention of the audit log, before anybody else has it.
    #[must_use]
    pub fn keeping_audit_log_for(self, retention: Duration) -> Self {
        let mut parts = Arc::into_inner(self.0).expect("a new door has one owner");
        parts.audit_retention = retention;
        Self(Arc::new(parts))
    }

    /// Acts as the holder of a key, or as the admin whose session stands in its place.
    ///
    /// # Errors
    /// 401 without a valid key or session, 403 for a session that may not act for the owner, 429 over the key's limit, then whatever `act` fails with; an error rolls everything back.
    pub async fn by_key<S: KeySurface, T: Send + 'static>(
        &self,
        access: Access,
        key: PresentedKey<S>,
        name: &'static str,
        act: impl Fn(&mut Tx<'_>, &KeyCaller) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        let gate = KeyGate {
            access,
            key,
            rules: self.key_rules,
            operators_need_second_factor: self.requires_operator_second_factor,
            limiter: self.limiter.clone(),
            act,
        };
        let gate = Arc::new(gate);
        loop {
            let attempt = gate.clone();
            let outcome = access.run(&self.store, name, move |tx| attempt.pass(tx)).await;
            match outcome {
                Ok((result, subject)) => {
                    if let Presented::Key(text) = &gate.key.credential {
                        self.known_keys.remember(&text.token_hash, subject);
                    }
                    return Ok(result);
                }
                Err(Refusal::Problem(problem)) => return Err(problem),
                Err(Refusal::Key(problem)) => {
                    if let Presented::Key(text) = &gate.key.credential {
                        self.known_keys.forget(&text.token_hash);
                    }
                    return Err(problem);
                }
                Err(Refusal::NeedsSlice(subject)) => self.take_slice(subject).await?,
            }
        }
    }

    /// Acts as a signed-in admin. 401 without a valid session; an error rolls everything back.
    pub async fn by_admin<T: Send + 'static>(
        &self,
        access: Access,
        session: PresentedSession,
        name: &'static str,
        act: impl Fn(&mut Tx<'_>, &Admin) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        self.by_session(access, session, name, move |tx, signed_in| act(tx, &signed_in.admin)).await
    }

    /// The same, for what depends on how the session was opened.
    async fn by_session<T: Send + 'static>(
        &self,
        access: Access,
        session: PresentedSession,
        name: &'static str,
        act: impl Fn(&mut Tx<'_>, &SignedIn) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        let requires = self.requires_operator_second_factor;
        let act = move |tx: &mut Tx<'_>, signed_in: &SignedIn| {
            signed_in.check_second_factor(tx, requires)?;
            act(tx, signed_in)
        };
        self.by_incomplete_session(access, session, name, act).await
    }

    /// The same, whether or not the admin still has to set up or show a second factor.
    async fn by_incomplete_session<T: Send + 'static>(
        &self,
        access: Access,
        session: PresentedSession,
        name: &'static str,
        act: impl Fn(&mut Tx<'_>, &SignedIn) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        let act = move |tx: &mut Tx<'_>| {
            let signed_in = sessions::authenticate(tx, &session)?;
            let outcome = act(tx, &signed_in)?;
            if access != Access::Read {
                session.record_change(tx, &signed_in, &outcome)?;
            }
            Ok(outcome)
        };
        access.run(&self.store, name, act).await
    }

    /// Reads as an admin who may still have to set up or show a second factor. Only what does that may use it.
    ///
    /// # Errors
    /// 401 without a valid session.
    pub async fn read_by_incomplete_session<T: Send + 'static>(
        &self,
        session: PresentedSession,
        name: &'static str,
        act: impl Fn(&mut Tx<'_>, &SignedIn) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        self.by_incomplete_session(Access::Read, session, name, act).await
    }

    /// Acts as an admin who may still have to set up or show a second factor. Only what does that, and signing out, may use it.
    ///
    /// # Errors
    /// 401 without a valid session; an error rolls everything back.
    pub async fn write_by_incomplete_session<T: Send + 'static>(
        &self,
        session: PresentedSession,
        name: &'static str,
        act: impl Fn(&mut Tx<'_>, &SignedIn) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        self.by_incomplete_session(Access::Write, session, name, act).await
    }

    /// A request as it was read; its faults where it is faulty, after the key was judged.
    ///
    /// # Errors
    /// 401, 403 or 429 as the key deserves, then the faults of the request.
    pub async fn accept_by_key<S: KeySurface, T>(
        &self,
        key: &PresentedKey<S>,
        name: &'static str,
        request: Result<T, Problem>,
    ) -> Result<T, Problem> {
        let Err(faults) = request else { return request };
        let refuse = move |_: &mut Tx<'_>, _: &KeyCaller| Err::<Infallible, _>(faults.clone());
        let Err(problem) = self.read_by_key(key.clone(), name, refuse).await;
        Err(problem)
    }

    /// [`Door::by_key`] for a read.
    pub async fn read_by_key<S: KeySurface, T: Send + 'static>(
        &self,
        key: PresentedKey<S>,
        name: &'static str,
        read: impl Fn(&mut Tx<'_>, &KeyCaller) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        self.by_key(Access::Read, key, name, read).await
    }

    /// [`Door::by_key`] for a write.
    pub async fn write_by_key<S: KeySurface, T: Send + 'static>(
        &self,
        key: PresentedKey<S>,
        name: &'static str,
        write: impl Fn(&mut Tx<'_>, &KeyCaller) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        self.by_key(Access::Write, key, name, write).await
    }

    /// [`Door::by_admin`] for a read.
    pub async fn read_by_admin<T: Send + 'static>(
        &self,
        session: PresentedSession,
        name: &'static str,
        read: impl Fn(&mut Tx<'_>, &Admin) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        self.by_admin(Access::Read, session, name, read).await
    }

    /// [`Door::by_admin`] for a write.
    pub async fn write_by_admin<T: Send + 'static>(
        &self,
        session: PresentedSession,
        name: &'static str,
        write: impl Fn(&mut Tx<'_>, &Admin) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        self.by_admin(Access::Write, session, name, write).await
    }

    /// [`Door::write_by_admin`] for what depends on how the session was opened.
    ///
    /// # Errors
    /// As [`Door::by_admin`].
    pub async fn write_by_session<T: Send + 'static>(
        &self,
        session: PresentedSession,
        name: &'static str,
        write: impl Fn(&mut Tx<'_>, &SignedIn) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        self.by_session(Access::Write, session, name, write).await
    }

    /// The owner's keys, newest first, with the uses that this process is still to save.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn list_keys<S: KeySurface>(&self, tx: &mut Tx<'_>, owner_id: &str) -> Result<Vec<ApiKey>, StoreError> {
        let mut listed = keys::list::<S>(tx, owner_id)?;
        for key in &mut listed {
            key.last_used_at = key.last_used_at.max(self.limiter.unsaved_use(key.id));
        }
        Ok(listed)
    }

    /// Saves when keys were last used; called a few times a minute.
    pub async fn save_key_uses(&self) -> Result<(), StoreError> {
        let uses = self.limiter.take_uses();
        if uses.is_empty() {
            return Ok(());
        }
        self.store.write("keys.save_uses", move |tx| keys::save_uses(tx, &uses)).await
    }

    /// Judges the key of a request before anything of its body is read.
    ///
    /// A key that acted a moment ago and has requests left passes without a look-up where its body is small: the request's
    /// own transaction decides. Any other is looked up and counted here, once for the request.
    ///
    /// # Errors
    /// 401, 403 or 429 as the key deserves.
    pub(crate) async fn admit<S: KeySurface>(
        &self,
        key: &PresentedKey<S>,
        token_hash: &str,
        sends: SendsBody,
    ) -> Result<(), Problem> {
        if sends == SendsBody::Small
            && let Some(subject) = self.known_keys.find(token_hash)
            && self.limiter.may_admit(subject, self.ambient.now())
        {
            return Ok(());
        }
        self.by_key(Access::Read, key.clone(), "keys.admit", |_, _| Ok(())).await
    }

    /// Judges the session of a request before a large body of its is read.
    ///
    /// # Errors
    /// 401 without a valid session.
    pub(crate) async fn admit_session(&self, session: &PresentedSession, sends: SendsBody) -> Result<(), Problem> {
        match sends {
            SendsBody::Small => Ok(()),
            SendsBody::Large => self.read_by_admin(session.clone(), "sessions.admit", |_, _| Ok(())).await,
        }
    }

    /// Has every key looked up before the next body that it sends: after one was revoked.
    pub fn forget_keys(&self) {
        self.known_keys.forget_all();
    }

    /// Counts a request for which neither a key nor a session stands, such as one by a link.
    ///
    /// # Errors
    /// 429 with `message` beyond the subject's limit.
    pub async fn count(&self, subject: RateSubject, message: &'static str) -> Result<(), Problem> {
        loop {
            match self.limiter.admit(subject, self.ambient.now()) {
                Admission::Decided(status) if status.is_admitted => return Ok(()),
                Admission::Decided(RateStatus { reset, .. }) => {
                    return Err(Problem::TooManyRequests { message, retry_after: reset });
                }
                Admission::NeedsSlice => self.take_slice(subject).await?,
            }
        }
    }

    /// Of the requests of a subject that find no slice at the same time, one leases it and the others wait for it.
    async fn take_slice(&self, subject: RateSubject) -> Result<(), Problem> {
        let turn = usize::from(subject.id.as_bytes()[15]) % self.leasing.len();
        let _turn = self.leasing[turn].lock().await;
        if !self.limiter.needs_slice(subject, self.ambient.now()) {
            return Ok(());
        }
        let wanted = self.limiter.next_slice(subject);
        let slice = self.store.claim("rate.lease", move |tx| rate::lease(tx, subject, wanted)).await;
        self.limiter.grant(subject, slice.map_err(Problem::from)?, self.ambient.now());
        Ok(())
    }

    /// Returns what this process has leased of rate limits and not used for a while, or at all where it stops.
    pub async fn return_unused_requests(&self, is_stopping: bool) -> Result<(), StoreError> {
        let unused = self.limiter.take_unused(self.ambient.now(), is_stopping);
        if unused.is_empty() {
            return Ok(());
        }
        self.store.claim("rate.return", move |tx| rate::return_unused(tx, &unused)).await
    }
}

enum Refusal {
    /// The operation's own.
    Problem(Problem),
    /// The key may not act, or not now.
    Key(Problem),
    NeedsSlice(RateSubject),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Problem(error.into())
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

struct KeyGate<S, F> {
    access: Access,
    key: PresentedKey<S>,
    rules: KeyRules,
    operators_need_second_factor: bool,
    limiter: Arc<RateLimiter>,
    act: F,
}

impl<S: KeySurface, F> KeyGate<S, F> {
    fn pass<T: 'static>(&self, tx: &mut Tx<'_>) -> Result<(T, RateSubject), Refusal>
    where
        F: Fn(&mut Tx<'_>, &KeyCaller) -> Result<T, Problem>,
    {
        let (caller, subject, changer) = match &self.key.credential {
            Presented::Key(text) => {
                let (caller, subject) = self.admit_key(tx, text)?;
                let changer =
                    caller.key_id.map(|key| Changer::Key { key, owner: caller.owner_id.clone(), surface: S::NAME });
                (caller, subject, changer)
            }
            Presented::Session(session, owner) => {
                let (caller, subject, signed_in) = self.admit_session(tx, session, owner)?;
                let owner = Some(caller.owner_id.clone());
                let (user, session) = (signed_in.admin.user_id, signed_in.session);
                (caller, subject, Some(Changer::Session { user, session, owner }))
            }
        };
        let outcome = (self.act)(tx, &caller)?;
        if let (Some(request), Some(changer)) = (&self.key.audited, &changer)
            && self.access != Access::Read
        {
            audit::record(tx, request, &self.key.context, changer, &outcome)?;
        }
        Ok((outcome, subject))
    }

    fn admit_key(&self, tx: &mut Tx<'_>, text: &KeyText) -> Result<(KeyCaller, RateSubject), Refusal> {
        let known = S::authenticate(tx, &text.token_hash, self.rules).map_err(Refusal::Key)?;
        let (context, subject) = (&self.key.context, known.rate_subject());
        context.caller.get_or_init(|| text.prefix.clone());
        context.tenant.get_or_init(|| known.owner_id.as_str().into());
        if self.count(tx, subject)? {
            self.limiter.note_use(known.id, tx.now());
        }
        let KnownKey { id, owner_id, is_service_admin, .. } = known;
        Ok((KeyCaller { key_id: Some(id), owner_id, is_service_admin }, subject))
    }

    fn admit_session(
        &self,
        tx: &mut Tx<'_>,
        session: &PresentedSession,
        owner: &str,
    ) -> Result<(KeyCaller, RateSubject, SignedIn), Refusal> {
        let signed_in = sessions::authenticate(tx, session)?;
        signed_in.check_second_factor(tx, self.operators_need_second_factor)?;
        let subject = RateSubject { id: signed_in.admin.user_id.uuid(), limit: REQUESTS_OF_AN_ADMIN_PER_MINUTE };
        let owner_id = S::acting_for(tx, &signed_in.admin, owner)?;
        self.count(tx, subject)?;
        Ok((KeyCaller { key_id: None, owner_id, is_service_admin: false }, subject, signed_in))
    }

    /// Counts a request once, however often its closure runs: whether it was counted now.
    fn count(&self, tx: &Tx<'_>, subject: RateSubject) -> Result<bool, Refusal> {
        let context = &self.key.context;
        let (status, is_new) = match context.rate.get() {
            Some(status) => (*status, false),
            None => match self.limiter.admit(subject, tx.now()) {
                Admission::Decided(status) => (*context.rate.get_or_init(|| status), true),
                Admission::NeedsSlice => return Err(Refusal::NeedsSlice(subject)),
            },
        };
        if status.is_admitted {
            return Ok(is_new);
        }
        let message = "The key's rate limit is exceeded.";
        Err(Refusal::Key(Problem::TooManyRequests { message, retry_after: status.reset }))
    }
}

#[cfg(test)]
mod tests;
