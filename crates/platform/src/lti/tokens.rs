//! Access tokens of platforms, for grade sync and rosters: a process asks for a token once and keeps it while it holds. Whoever
//! needs a token while it is asked for waits for the answer, and shares a refusal too.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::id::RegistrationId;
use kernel::time::Timestamp;
use lti::access_token::{AccessToken, NoToken, TokenRequest};
use net::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use net::{Answer, Limits, OutboundClient, OutboundError, StatusCode, Url};
use store::{Record as _, StoreError, Tx, sql};

use super::registrations::Registration;
use super::tool_keys::ToolKeys;

const LIMITS: Limits = Limits { timeout: Duration::from_secs(10), max_response_bytes: 64 * 1024 };
/// A token is not used when it holds for less than this.
const MARGIN: Duration = Duration::from_secs(30);
/// Tokens that are kept at a time.
const MOST_KEPT: usize = 1000;

/// Why there is no access token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum TokenFault {
    #[error("the address is not allowed")]
    Address,
    #[error("no answer ({error})", error = .0.class())]
    NoAnswer(OutboundError),
    #[error("the answer was {0}: {1}")]
    Refused(StatusCode, NoToken),
    #[error("the token can't be sent in a header")]
    Unusable,
    #[error("the service has no key to sign with")]
    NoKey,
    #[error("another workspace has registered this client ID of the platform before")]
    Claimed,
    #[error("the service could not use its store")]
    Store,
}

/// What a token is for: a changed registration needs another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Purpose {
    registration: RegistrationId,
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
pub(crate) struct Tokens {
    outbound: OutboundClient,
    ambient: Ambient,
    kept: Mutex<HashMap<Purpose, Arc<tokio::sync::Mutex<Kept>>>>,
}

impl Tokens {
    pub(crate) fn new(outbound: OutboundClient, ambient: Ambient) -> Self {
        Self { outbound, ambient, kept: Mutex::default() }
    }

    /// A token that allows the scopes, or as many of them as the platform grants.
    pub(super) async fn get(
        &self,
        tool_keys: &ToolKeys,
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
        match self.ask(tool_keys, registration, scopes).await {
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
            registration: registration.id,
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
        tool_keys: &ToolKeys,
        registration: &Registration,
        scopes: &[&str],
    ) -> Result<AccessToken, TokenFault> {
        let answer = request(&self.outbound, &self.ambient, tool_keys, registration, scopes).await?;
        AccessToken::parse(&answer.body).map_err(|fault| TokenFault::Refused(answer.status, fault))
    }
}

/// A client as its platform knows it: the client id, the server that is asked for tokens and the one that they are for, each with
/// the time since when.
#[derive(Clone, Debug)]
pub(super) struct Client {
    id: String,
    servers: [(String, Timestamp); 2],
}

impl Client {
    /// Since when it is a client of a server.
    fn since(&self, server: &str) -> Option<Timestamp> {
        self.servers.iter().filter(|(own, _)| own == server).map(|(_, since)| *since).min()
    }
}

/// The client that a registration makes this service.
pub(super) fn client_of(registration: &Registration) -> Client {
    let server = |address: &str| match Url::parse(address) {
        Ok(url) => url.origin().ascii_serialization(),
        Err(_) => address.to_owned(),
    };
    let servers = [
        (server(&registration.token_endpoint), registration.client_since),
        (server(&audience(registration)), registration.audience_since),
    ];
    Client { id: registration.client_id.clone(), servers }
}

/// After a change: what the registration was a client of before, it is since then; anything else, since the change.
pub(super) fn keep_claims(registration: &mut Registration, former: &Client) {
    let changed = client_of(registration);
    let since =
        |server: &str| former.since(server).filter(|_| former.id == changed.id).unwrap_or(registration.updated_at);
    let [client, audience] = changed.servers.each_ref().map(|(server, _)| since(server));
    (registration.client_since, registration.audience_since) = (client, audience);
}

/// The service signs for all workspaces with the same keys. A workspace that names another one's client would get that one's
/// tokens, and could have them sent to a gradebook of its own: the workspace that was the client first gets them.
async fn check_claim(tool_keys: &ToolKeys, registration: &Registration) -> Result<(), TokenFault> {
    let registration = registration.clone();
    match tool_keys.store().read("lti_tokens.claim", move |tx| is_first(tx, &registration)).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(TokenFault::Claimed),
        Err::<_, StoreError>(_) => Err(TokenFault::Store),
    }
}

fn is_first(tx: &mut Tx<'_>, registration: &Registration) -> Result<bool, StoreError> {
    let (client, workspace) = (&registration.client_id, registration.workspace_id);
    let others = sql!(
        "SELECT {Registration::*} FROM lti_registration WHERE client_id = {client} AND workspace_id <> {workspace}"
    )
    .query(tx, Registration::from_row)?;
    let own = client_of(registration);
    let was_before = |other: &Registration| {
        let theirs = client_of(other);
        own.servers.iter().any(|(server, since)| {
            theirs.since(server).is_some_and(|theirs| (theirs, other.id) < (*since, registration.id))
        })
    };
    Ok(!others.iter().any(was_before))
}

/// One request for a token, kept nowhere: the platform's answer as it came.
pub(super) async fn request(
    outbound: &OutboundClient,
    ambient: &Ambient,
    tool_keys: &ToolKeys,
    registration: &Registration,
    scopes: &[&str],
) -> Result<Answer, TokenFault> {
    let url = outbound.check_url(&registration.token_endpoint).map_err(|_| TokenFault::Address)?;
    check_claim(tool_keys, registration).await?;
    let key = tool_keys.signing().await.map_err(|_| TokenFault::NoKey)?;
    let id = format!("{:032x}", u128::from_le_bytes(ambient.random()));
    let request = TokenRequest {
        client_id: &registration.client_id,
        audience: &audience(registration),
        scopes,
        id: &id,
        now: ambient.now(),
    };
    let headers = HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded")),
        (ACCEPT, HeaderValue::from_static("application/json")),
    ]);
    let body = request.form(&key).into_bytes();
    outbound.post(&url, headers, body, LIMITS).await.map_err(TokenFault::NoAnswer)
}

/// The header that shows a token; `None` for a token that no header can hold.
pub(super) fn bearer(token: &AccessToken) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.token)).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Whom assertions are for: the token endpoint, or what the registration says that the platform wants instead.
pub(super) fn audience(registration: &Registration) -> String {
    registration.settings().token_audience.unwrap_or_else(|| registration.token_endpoint.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::lms::Lms;
    use testkit::{TestStore, both_stores};

    use super::*;
    use crate::lti::tests::Stage;
    use crate::testing::REGISTRATIONS;

    async fn token(stage: &Stage, id: &str) -> Result<Arc<AccessToken>, TokenFault> {
        let id: RegistrationId = id.parse().unwrap();
        let registration = stage.app.read(move |tx| Registration::find(tx, id)).await.unwrap();
        let platform = &stage.app.platform;
        platform.lti_tokens.get(&platform.tool_keys, &registration, &[lti::ags::SCOPE_SCORE]).await
    }

    #[both_stores]
    async fn a_workspace_that_names_anothers_client_gets_no_token(test: TestStore) {
        let stage = Stage::new(test).await;
        token(&stage, &stage.registration).await.unwrap();
        let (other, elsewhere) = (stage.app.tenant("hillside").await, Lms::start().await);
        stage.app.test.clock.advance(Duration::from_secs(1));
        let honest = elsewhere.registration();
        let mut same_endpoint = stage.lms.registration();
        same_endpoint["issuer"] = json!("https://other.example");
        let mut same_audience = elsewhere.registration();
        same_audience["issuer"] = json!("https://third.example");
        same_audience["metadata"] = json!({ "tokenAudience": stage.lms.registration()["tokenEndpoint"] });
        let mut made = Vec::new();
        for body in [honest, same_endpoint, same_audience] {
            let reply = stage.app.post(REGISTRATIONS).key(&other.key).json(&body).send().await.expect(201);
            made.push(reply["id"].as_str().unwrap().to_owned());
        }
        let given = stage.lms.given_tokens() + elsewhere.given_tokens();
        assert!(token(&stage, &made[0]).await.is_ok(), "the same client id of another platform");
        for id in &made[1..] {
            assert_eq!(token(&stage, id).await.err(), Some(TokenFault::Claimed));
        }
        assert_eq!(stage.lms.given_tokens() + elsewhere.given_tokens(), given + 1, "nobody was asked");
        // Nor by a registration that was there before and changes.
        let change = json!({ "tokenEndpoint": stage.lms.registration()["tokenEndpoint"] });
        let path = format!("{REGISTRATIONS}/{}", made[0]);
        stage.app.put(&path).key(&other.key).json(&change).send().await.expect(200);
        assert_eq!(token(&stage, &made[0]).await.err(), Some(TokenFault::Claimed));
        token(&stage, &stage.registration).await.unwrap();
        // The first keeps its place when it changes what it says of itself.
        let audience = json!({ "metadata": { "tokenAudience": "https://audience.example" } });
        stage.change(&audience).await;
        token(&stage, &stage.registration).await.unwrap();
        for id in &made {
            assert_eq!(token(&stage, id).await.err(), Some(TokenFault::Claimed));
        }
    }
}
