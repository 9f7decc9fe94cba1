//! The service, as the platform knows it: where it is, and how what it signed is verified.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kernel::time::Timestamp;
use lti::{IdToken, KeySet, LEEWAY, Refusal};
use serde_json::{Map, Value};
use url::Url;

use super::CLIENT_ID;
use crate::demo::client::Client;

const KEY_SET: &str = "/v1/platform/lti/.well-known/jwks.json";
/// The longest signed text that is read.
const LONGEST_TOKEN: usize = 128 * 1024;
/// The longest time that a signed text may hold.
const LONGEST_LIFE: Duration = Duration::from_secs(60 * 60);
/// Ids that are remembered at once.
const MOST_USED: usize = 10_000;

/// The tool.
pub(super) struct Tool {
    /// As browsers write it: without the default port.
    origin: String,
    client: Client,
    /// The ids of what was accepted, until it expires.
    used: Mutex<HashMap<String, Timestamp>>,
}

/// What a signed text has to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected<'a> {
    /// Whom it is for.
    pub(super) audience: &'a str,
    /// The claim whose text no other has.
    pub(super) id_claim: &'static str,
    pub(super) now: Timestamp,
}

/// Why a signed text is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotBelieved {
    #[error("the token is longer than {LONGEST_TOKEN} bytes")]
    TooLong,
    #[error("the tool's key set can't be read: {0}")]
    NoKeySet(String),
    #[error("{0}")]
    Refused(#[from] Refusal),
    #[error("iss must be the client id, {CLIENT_ID}")]
    Issuer,
    #[error("aud must be the platform's, {0}")]
    Audience(String),
    #[error("exp must lie ahead, by an hour at most")]
    Expiry,
    #[error("iat must not lie ahead")]
    IssueTime,
    #[error("{0} must be a text that no other token has")]
    Id(&'static str),
}

impl Tool {
    /// A tool at an address, which the client calls.
    pub(super) fn new(address: SocketAddr) -> Self {
        let origin = format!("http://{address}");
        let origin = Url::parse(&origin).map_or(origin, |url| url.origin().ascii_serialization());
        Self { origin, client: Client::new(address, None), used: Mutex::default() }
    }

    /// Where it is.
    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// Where its logins begin.
    pub(super) fn login_url(&self) -> String {
        format!("{}{}", self.origin, platform::lti::LOGIN_PATH)
    }

    /// Where its launches are posted to.
    pub(super) fn launch_url(&self) -> String {
        format!("{}{}", self.origin, platform::lti::LAUNCH_PATH)
    }

    /// Whether an address is one of the tool's.
    pub(super) fn owns(&self, url: &Url) -> bool {
        url.origin().ascii_serialization() == self.origin
    }

    /// What the tool signed for the platform. Nothing is believed twice.
    pub(super) async fn verify(&self, token: &str, expected: Expected<'_>) -> Result<Map<String, Value>, NotBelieved> {
        if token.len() > LONGEST_TOKEN {
            return Err(NotBelieved::TooLong);
        }
        let token = IdToken::new(token).header()?;
        let claims = token.claims(&self.keys().await?)?;
        let expiry = judge(&claims, expected)?;
        let id = claims.get(expected.id_claim).and_then(Value::as_str).filter(|id| !id.is_empty());
        if id.is_some_and(|id| self.is_first(&format!("{} {id}", expected.id_claim), expiry, expected.now)) {
            Ok(claims)
        } else {
            Err(NotBelieved::Id(expected.id_claim))
        }
    }

    async fn keys(&self) -> Result<KeySet, NotBelieved> {
        let read = async { self.client.get(KEY_SET).await?.json(http::StatusCode::OK) };
        let set = read.await.map_err(|error: anyhow::Error| NotBelieved::NoKeySet(error.to_string()))?;
        KeySet::parse(set.to_string().as_bytes()).map_err(|error| NotBelieved::NoKeySet(error.to_string()))
    }

    fn is_first(&self, id: &str, expiry: Timestamp, now: Timestamp) -> bool {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|_, until| *until > now);
        used.len() < MOST_USED && used.insert(id.to_owned(), expiry.plus(LEEWAY)).is_none()
    }
}

/// When the text expires, if all but its id is right.
fn judge(claims: &Map<String, Value>, expected: Expected<'_>) -> Result<Timestamp, NotBelieved> {
    if claims.get("iss").and_then(Value::as_str) != Some(CLIENT_ID) {
        return Err(NotBelieved::Issuer);
    }
    let audiences = match claims.get("aud") {
        Some(Value::Array(audiences)) => audiences.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    if audiences.len() != 1 || audiences[0].as_str() != Some(expected.audience) {
        return Err(NotBelieved::Audience(expected.audience.to_owned()));
    }
    let time = |claim: &str| {
        let seconds = claims.get(claim).and_then(Value::as_i64)?;
        Some(Timestamp::from_millis(seconds.checked_mul(1000)?))
    };
    let now = expected.now;
    let expiry = time("exp").filter(|expiry| expiry.plus(LEEWAY) > now && *expiry <= now.plus(LONGEST_LIFE));
    time("iat").filter(|issued| *issued <= now.plus(LEEWAY)).ok_or(NotBelieved::IssueTime)?;
    expiry.ok_or(NotBelieved::Expiry)
}
