//! Access tokens of platforms: asked for once, kept while they hold. Who needs one while it is asked for waits for it, and
//! shares the refusal, too: a platform gets one request for all scores that are on their way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::time::Timestamp;
use lti::access_token::{AccessToken, TokenRequest};
use net::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use net::{Limits, OutboundClient};

use super::fault::TokenFault;
use crate::Platform;
use crate::lti::registrations::Registration;

const LIMITS: Limits = Limits { timeout: Duration::from_secs(10), max_response_bytes: 64 * 1024 };
/// A token is not used when it holds for less than this.
const MARGIN: Duration = Duration::from_secs(30);
/// Tokens that are kept at a time.
const MOST_KEPT: usize = 1000;

/// What a token is for: a changed registration needs another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Purpose {
    endpoint: String,
    client_id: String,
    audience: String,
    scopes: String,
}

#[derive(Default)]
struct Kept {
    token: Option<(Arc<AccessToken>, Timestamp)>,
    /// Why the last request brought no token, and when that was known.
    refused: Option<(TokenFault, Timestamp)>,
}

/// The tokens of one process.
pub(super) struct Tokens {
    outbound: OutboundClient,
    ambient: Ambient,
    kept: Mutex<HashMap<Purpose, Arc<tokio::sync::Mutex<Kept>>>>,
}

impl Tokens {
    pub(super) fn new(outbound: OutboundClient, ambient: Ambient) -> Self {
        Self { outbound, ambient, kept: Mutex::default() }
    }

    /// A token that allows the scopes, or as many of them as the platform grants.
    pub(super) async fn get(
        &self,
        platform: &Platform,
        registration: &Registration,
        scopes: &[&str],
    ) -> Result<Arc<AccessToken>, TokenFault> {
        let entry = self.entry(registration, scopes);
        let came = self.ambient.now();
        let mut kept = entry.lock().await;
        let now = self.ambient.now();
        if let Some((token, until)) = &kept.token
            && now < *until
        {
            return Ok(token.clone());
        }
        if let Some((fault, at)) = &kept.refused
            && came < *at
        {
            return Err(fault.clone());
        }
        match self.ask(platform, registration, scopes).await {
            Ok(token) => {
                let token = Arc::new(token);
                let until = now.plus(token.life.saturating_sub(MARGIN));
                *kept = Kept { token: Some((token.clone(), until)), refused: None };
                Ok(token)
            }
            Err(fault) => {
                *kept = Kept { token: None, refused: Some((fault.clone(), self.ambient.now())) };
                Err(fault)
            }
        }
    }

    /// Drops a token that the platform does not take any more.
    pub(super) async fn forget(&self, registration: &Registration, scopes: &[&str], refused: &AccessToken) {
        let entry = self.entry(registration, scopes);
        let mut kept = entry.lock().await;
        if kept.token.as_ref().is_some_and(|(token, _)| **token == *refused) {
            kept.token = None;
        }
    }

    fn entry(&self, registration: &Registration, scopes: &[&str]) -> Arc<tokio::sync::Mutex<Kept>> {
        let purpose = Purpose {
            endpoint: registration.token_endpoint.clone(),
            client_id: registration.client_id.clone(),
            audience: audience(registration),
            scopes: scopes.join(" "),
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT && !kept.contains_key(&purpose) {
            kept.clear();
        }
        kept.entry(purpose).or_default().clone()
    }

    async fn ask(
        &self,
        platform: &Platform,
        registration: &Registration,
        scopes: &[&str],
    ) -> Result<AccessToken, TokenFault> {
        let url = self.outbound.check_url(&registration.token_endpoint).map_err(|_| TokenFault::Address)?;
        let key = platform.tool_keys.signing().await.map_err(|_| TokenFault::NoKey)?;
        let id = format!("{:032x}", u128::from_le_bytes(self.ambient.random()));
        let request = TokenRequest {
            client_id: &registration.client_id,
            audience: &audience(registration),
            scopes,
            id: &id,
            now: self.ambient.now(),
        };
        let headers = HeaderMap::from_iter([
            (CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded")),
            (ACCEPT, HeaderValue::from_static("application/json")),
        ]);
        let body = request.form(&key).into_bytes();
        let answer = self.outbound.post(&url, headers, body, LIMITS).await.map_err(TokenFault::NoAnswer)?;
        AccessToken::parse(&answer.body).map_err(|fault| TokenFault::Refused(answer.status, fault))
    }
}

/// Whom assertions are for: the token endpoint, or what the registration says that the platform wants instead.
fn audience(registration: &Registration) -> String {
    registration.settings().token_audience.unwrap_or_else(|| registration.token_endpoint.clone())
}
