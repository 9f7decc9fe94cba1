//! The platform's key set, and the endpoint that signs users in.

use lti::{AuthenticationRequest, KeySet, LoginRequest};
use net::header::{ACCEPT, HeaderMap, HeaderValue};
use net::{Answer, StatusCode, Url};
use serde_json::Value;

use super::probe::{Examined, LIMITS, is_page, silence, status};
use super::{Diagnosis, Doctor};
use crate::lti::launch_url;
use crate::lti::registrations::Registration;

const KEY_SET: &str = "key set";
const SIGN_IN: &str = "sign-in";
/// A user whom no platform has.
const NOBODY: &str = "lectern-lti-doctor";

impl Doctor {
    /// The keys that verify launches.
    pub(super) async fn key_set(&self, registration: &Registration) -> Examined {
        let endpoint = &registration.jwks_endpoint;
        let Ok(url) = Url::parse(endpoint) else {
            return Examined::one(Diagnosis::wrong(KEY_SET, format!("{endpoint} is no address")), None);
        };
        let accept = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
        let probe = self.probe(self.outbound.get(&url, accept, LIMITS)).await;
        let judged = match &probe.result {
            Err(error) => Err(silence(*error).to_owned()),
            Ok(answer) => judge_keys(answer),
        };
        let diagnosis = match judged {
            Ok(found) => Diagnosis::fine(KEY_SET, format!("{endpoint} has {found}")),
            Err(fault) => {
                Diagnosis::wrong(KEY_SET, format!("{endpoint} {fault}. Without the key set every launch is refused"))
            }
        };
        Examined::one(diagnosis, probe.skew)
    }

    /// The endpoint that browsers are sent to.
    pub(super) async fn sign_in(&self, registration: &Registration) -> Examined {
        let endpoint = &registration.authorization_endpoint;
        let Ok(url) = Url::parse(endpoint) else {
            return Examined::one(Diagnosis::wrong(SIGN_IN, format!("{endpoint} is no address")), None);
        };
        let url = self.authentication_request(registration, &url);
        let probe = self.probe(self.outbound.get(&url, HeaderMap::new(), LIMITS)).await;
        let judged = match &probe.result {
            Err(error) => Err(silence(*error).to_owned()),
            Ok(answer) => judge_sign_in(answer),
        };
        let diagnosis = match judged {
            Ok(found) => Diagnosis::fine(SIGN_IN, format!("{endpoint} {found}")),
            Err(fault) => {
                Diagnosis::wrong(SIGN_IN, format!("{endpoint} {fault}. Browsers are sent there with every launch"))
            }
        };
        Examined::one(diagnosis, probe.skew)
    }

    /// What a browser would ask for, on behalf of nobody.
    fn authentication_request(&self, registration: &Registration, endpoint: &Url) -> Url {
        let redirect_uri = launch_url(self.base_url.as_str().trim_end_matches('/'));
        let login = LoginRequest {
            issuer: registration.issuer.clone(),
            login_hint: NOBODY.to_owned(),
            target_link_uri: redirect_uri.clone(),
            client_id: Some(registration.client_id.clone()),
            deployment_id: None,
            message_hint: None,
            storage_target: None,
        };
        let request = AuthenticationRequest {
            endpoint,
            client_id: &registration.client_id,
            redirect_uri: &redirect_uri,
            login: &login,
            state: NOBODY,
            nonce: &format!("{:032x}", u128::from_le_bytes(self.ambient.random())),
        };
        request.url()
    }
}

fn judge_keys(answer: &Answer) -> Result<String, String> {
    if answer.status != StatusCode::OK {
        return Err(status(answer));
    }
    let set = KeySet::parse(&answer.body).map_err(|_| match is_page(&answer.body) {
        true => "answers with a web page instead of a JSON Web Key Set: compare the address with the platform's",
        false => "answers with something else than a JSON Web Key Set: compare the address with the platform's",
    })?;
    let all = serde_json::from_slice::<Value>(&answer.body).ok().and_then(|set| set["keys"].as_array().map(Vec::len));
    let (all, usable) = (all.unwrap_or_default(), set.ids().count());
    match usable {
        0 if all == 0 => Err("has no keys: let the platform make one".to_owned()),
        0 => Err(format!(
            "has no key that verifies RS256 and has an ID (kid), of {all}: let the platform sign with RS256"
        )),
        1 if all == 1 => Ok("one key for RS256".to_owned()),
        _ if all == usable => Ok(format!("{usable} keys for RS256")),
        _ => Ok(format!("{usable} of {all} keys for RS256 with an ID (kid); the others are left out")),
    }
}

/// The platform knows nobody of that name: it asks whoever comes to sign in, or it refuses.
fn judge_sign_in(answer: &Answer) -> Result<String, String> {
    let is_absent = matches!(answer.status, StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::METHOD_NOT_ALLOWED);
    if is_absent || answer.status.is_server_error() {
        return Err(status(answer));
    }
    let code = answer.status.as_u16();
    Ok(match answer.status {
        status if status.is_redirection() => {
            format!("answers {code}: it leads on, as it does for whoever is not signed in")
        }
        status if status.is_success() => format!("answers {code}"),
        _ => format!("answers {code}: it refuses a user that it does not know, as it should"),
    })
}
