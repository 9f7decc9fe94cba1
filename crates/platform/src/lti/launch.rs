//! The launch: what the platform posts through the browser is judged, stored, and led on.

use kernel::secret::sha256_hex;
use lti::{Expected, IdToken, Launch, Reason, Refusal};
use net::Url;
use serde_json::{Value, json};
use store::StoreError;

use super::login::{PlatformStorage, origin};
use super::registrations::{Registration, deploy};
use super::sessions::LaunchSession;
use super::state::State;
use super::{GuardedRegistration, NotLaunched, Slot, links};
use crate::Platform;

/// The longest ID token, in bytes.
const LONGEST_TOKEN: usize = 64 * 1024;

/// The form that a platform posts.
#[derive(Clone, Debug, Default)]
pub struct LaunchForm {
    /// What the login sent.
    pub state: Option<String>,
    /// Who launches what.
    pub id_token: Option<String>,
    /// Why there is no token.
    pub error: Option<String>,
    /// The same in words.
    pub error_description: Option<String>,
    /// What the platform's storage has kept for the browser; a page of ours adds it.
    pub browser: Option<String>,
}

/// What follows on a form.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was a launch.
    Launched(Box<Launched>),
    /// The browser has no cookie of the login: the platform's storage has to be asked, under this name.
    AskStorage(PlatformStorage, String),
}

/// A launch that is stored.
#[derive(Clone, Debug)]
pub struct Launched {
    /// The session.
    pub session: LaunchSession,
    /// The workspace's own address, where the registration has one for this launch.
    pub launch_url: Option<Url>,
    /// What the browser need not keep any more.
    pub slot: Slot,
}

/// Judges a form. `cookie` finds a cookie of the browser.
///
/// # Errors
/// Why the launch is refused, or the store's.
pub async fn complete(
    platform: &Platform,
    form: &LaunchForm,
    cookie: impl Fn(&str) -> Option<String>,
) -> Result<Outcome, NotLaunched> {
    let sealed = form.state.as_deref().ok_or(Reason::NoState)?;
    let state = platform.lti_states.open(sealed)?;
    let id = state.registration;
    let read = platform.door.store.read("lti.launch_of", move |tx| GuardedRegistration::find(tx, id)).await?;
    let guarded = read.ok_or(Reason::UnknownPlatform)?;
    let slot = state.slot();
    let kept = cookie(&slot.name).or_else(|| form.browser.clone()).filter(|kept| !kept.is_empty());
    if let (None, None, Some(target)) = (&kept, &form.error, &state.storage_target)
        && form.browser.is_none()
        && let Ok(endpoint) = Url::parse(&guarded.registration.authorization_endpoint)
    {
        let storage = PlatformStorage { target: target.clone(), origin: origin(&endpoint) };
        return Ok(Outcome::AskStorage(storage, slot.name));
    }
    let judged = match judge(platform, &guarded, &state, form, kept).await {
        Ok(launch) => store(platform, &guarded.registration, &state, launch).await,
        Err(refusal) => Err(NotLaunched::Refused(refusal)),
    };
    match judged {
        Ok((session, launch_url)) => Ok(Outcome::Launched(Box::new(Launched { session, launch_url, slot }))),
        Err(NotLaunched::Refused(refusal)) => {
            platform.launch_log.note(id, &refusal, &sent(form)).await;
            Err(NotLaunched::Refused(refusal))
        }
        Err(error) => Err(error),
    }
}

async fn judge(
    platform: &Platform,
    guarded: &GuardedRegistration,
    state: &State,
    form: &LaunchForm,
    kept: Option<String>,
) -> Result<Launch, Refusal> {
    let (registration, now) = (&guarded.registration, platform.door.ambient.now());
    state.check_age(now)?;
    guarded.check()?;
    // A digest takes the same time wherever two texts differ.
    if kept.is_none_or(|kept| sha256_hex(kept.as_bytes()) != sha256_hex(state.browser.as_bytes())) {
        return Err(Reason::OtherBrowser.into());
    }
    if let Some(error) = &form.error {
        let words = form.error_description.iter().map(|words| format!(": {words}")).collect::<String>();
        return Err(Refusal::of(Reason::PlatformError, format!("{error}{words}")));
    }
    let token = form.id_token.as_deref().ok_or(Reason::NoToken)?;
    if token.len() > LONGEST_TOKEN {
        return Err(Refusal::differs(Reason::TooLong, format!("{LONGEST_TOKEN} bytes"), "id_token"));
    }
    let token = IdToken::new(token).header()?;
    let keys = platform.platform_keys.with(&registration.jwks_endpoint, token.key_id()).await?;
    let expected = Expected {
        issuer: &registration.issuer,
        client_id: &registration.client_id,
        nonce: &state.nonce,
        deployment_id: state.deployment_id.as_deref(),
        target_link_uri: &state.target_link_uri,
        link_parameter: links::QUERY_PARAMETER,
        now,
    };
    let launch = match token.verify(&keys, &expected) {
        Err(refusal) if refusal.reason == Reason::Signature => {
            let newer = platform.platform_keys.newer_than(&registration.jwks_endpoint, &keys).await;
            token.verify(&*newer.ok_or(refusal)?, &expected)?
        }
        verified => verified?,
    };
    check_listed(registration, &launch.deployment_id)?;
    Ok(launch)
}

/// A registration may list the deployments that may launch; without a list each one may.
fn check_listed(registration: &Registration, deployment: &str) -> Result<(), Refusal> {
    match registration.settings().deployment_ids {
        Some(listed) if !listed.iter().any(|id| id == deployment) => {
            Err(Refusal::differs(Reason::DeploymentNotListed, listed.join(", "), deployment))
        }
        _ => Ok(()),
    }
}

/// Stores a launch that was judged, by the registration as it is now.
async fn store(
    platform: &Platform,
    judged: &Registration,
    state: &State,
    launch: Launch,
) -> Result<(LaunchSession, Option<Url>), NotLaunched> {
    let session = LaunchSession::new(&platform.door.ambient, judged, launch, state.nonce.clone());
    let stored = platform.door.store.write("lti.launch", move |tx| {
        let guarded = GuardedRegistration::find(tx, session.registration_id)?.ok_or(Reason::UnknownPlatform)?;
        guarded.check()?;
        let registration = guarded.registration;
        check_listed(&registration, &session.deployment_id)?;
        deploy(tx, registration.id, &session.deployment_id)?;
        let mut session = session.clone();
        session.follow_link(tx)?;
        session.begin(tx)?;
        // What was picked here is shown here.
        let is_ours = session.deep_linking.is_some() || session.link_id.is_some();
        let launch_url = registration.settings().launch_url.filter(|_| !is_ours);
        Ok((session, launch_url))
    });
    stored.await.map_err(|error| match error {
        NotLaunched::Store(StoreError::Unique { .. }) => Reason::Replayed.into(),
        error => error,
    })
}

/// A form for the log: of the token only what tells its errand, nothing of the user.
fn sent(form: &LaunchForm) -> Value {
    json!({
        "error": form.error,
        "error_description": form.error_description,
        "id_token": form.id_token.as_deref().map(|token| IdToken::new(token).outline()),
    })
}

impl Launched {
    /// The workspace's own address, with the session in its query.
    pub fn own_url(&self) -> Option<Url> {
        let mut url = self.launch_url.clone()?;
        url.query_pairs_mut().append_pair("ltiLaunchSessionId", &self.session.id.to_string());
        Some(url)
    }
}
