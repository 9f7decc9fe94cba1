//! The login that a platform begins: who it is, and where the browser is sent to come back with a launch.

use super::state::State;
use super::{GuardedRegistration, NotLaunched, Slot};
use crate::Platform;
use lti::{AuthenticationRequest, LoginRequest, Reason, Refusal};
use net::Url;
use serde_json::{Value, json};

/// A login that goes on at the platform.
#[derive(Clone, Debug)]
pub struct Login {
    /// Where the browser goes.
    pub url: Url,
    /// What the browser keeps until the launch.
    pub slot: Slot,
    /// Where the platform keeps it for a browser that doesn't.
    pub storage: Option<PlatformStorage>,
}

/// A frame of the platform that keeps texts for tools (LTI Platform Storage).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformStorage {
    /// The name of the frame; `_parent` for the platform's own window.
    pub target: String,
    /// The only origin that is told.
    pub origin: String,
}

/// Answers a login. Nothing is stored.
///
/// # Errors
/// Why the platform or the login is refused, or the store's.
pub async fn begin(platform: &Platform, login: &LoginRequest) -> Result<Login, NotLaunched> {
    let named = login.clone();
    let found = platform.door.store.read("lti.login", move |tx| GuardedRegistration::meant_by(tx, &named)).await?;
    let guarded = sole(found, login)?;
    let id = guarded.registration.id;
    match answer(platform, &guarded, login) {
        Ok(answered) => Ok(answered),
        Err(refusal) => {
            platform.launch_log.note(id, &refusal, &sent(login)).await;
            Err(NotLaunched::Refused(refusal))
        }
    }
}

fn sole(mut found: Vec<GuardedRegistration>, login: &LoginRequest) -> Result<GuardedRegistration, Refusal> {
    if found.len() > 1 {
        return Err(Refusal::of(Reason::AmbiguousPlatform, &login.issuer));
    }
    let client = login.client_id.as_deref().unwrap_or("no client ID");
    found.pop().ok_or_else(|| Refusal::of(Reason::UnknownPlatform, format!("{} with {client}", login.issuer)))
}

fn answer(platform: &Platform, guarded: &GuardedRegistration, login: &LoginRequest) -> Result<Login, Refusal> {
    guarded.check()?;
    let registration = &guarded.registration;
    let ambient = &platform.door.ambient;
    let state = State::begin(ambient, registration.id, login)?;
    let endpoint = Url::parse(&registration.authorization_endpoint).map_err(|_| Reason::UnknownPlatform)?;
    let request = AuthenticationRequest {
        endpoint: &endpoint,
        client_id: &registration.client_id,
        redirect_uri: &super::launch_url(&platform.base_url),
        login,
        state: &platform.lti_states.seal(ambient, &state),
        nonce: &state.nonce,
    };
    Ok(Login {
        url: request.url(),
        slot: state.slot(),
        storage: state.storage_target.map(|target| PlatformStorage { target, origin: origin(&endpoint) }),
    })
}

pub(super) fn origin(endpoint: &Url) -> String {
    endpoint.origin().ascii_serialization()
}

/// A login for the log. Hints are the platform's secrets.
fn sent(login: &LoginRequest) -> Value {
    json!({
        "iss": login.issuer,
        "client_id": login.client_id,
        "lti_deployment_id": login.deployment_id,
        "target_link_uri": login.target_link_uri,
    })
}
