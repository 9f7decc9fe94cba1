//! A provider: where its endpoints are, what keys it signs with, and the exchange of a code for an ID token.
//!
//! The metadata and the keys are kept for an hour, and for a day where the provider can't be reached. A key that nobody knows
//! yet is looked for again, at most every ten seconds. A provider that did not answer is left alone for ten seconds: whoever
//! signs in meanwhile is told so at once.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jose::{Claims, KeySet};
use kernel::ambient::Ambient;
use kernel::secret::{ExposeSecret as _, SecretString};
use kernel::time::Timestamp;
use net::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use net::{OpenOperatorClientError, OperatorClient, OperatorServer, StatusCode};
use serde::Deserialize;
use serde_json::Value;
use url::{Url, form_urlencoded};

use super::id_token::{ALGORITHMS, Subject, TokenFault};
use super::{ProviderSettings, Refusal};

const TIMEOUT: Duration = Duration::from_secs(5);
const MOST_BYTES: usize = 256 * 1024;
const CONNECTIONS: usize = 2;
const BELIEVED: Duration = Duration::from_secs(3600);
const BELIEVED_IN_NEED: Duration = Duration::from_secs(24 * 3600);
const INTERVAL: Duration = Duration::from_secs(10);
/// How long a provider that failed is not asked again.
const PAUSE: Duration = Duration::from_secs(10);
const DISCOVERY: &str = ".well-known/openid-configuration";

/// There is no client for a provider.
#[derive(Debug, thiserror::Error)]
pub enum OpenProviderError {
    /// The issuer is no address.
    #[error("the issuer of the identity provider {0} is no http or https address")]
    Issuer(String),
    /// The client can't be made.
    #[error("the identity provider {name} can't be called")]
    Client {
        /// Which.
        name: String,
        /// Why.
        #[source]
        cause: OpenOperatorClientError,
    },
}

/// A provider that the operator named.
pub struct Provider {
    pub(crate) settings: ProviderSettings,
    issuer: Url,
    discovery: OperatorClient,
    ambient: Ambient,
    known: Mutex<Known>,
    /// Held by the one who asks; the others wait for the answer.
    asking: tokio::sync::Mutex<()>,
}

/// What is known of a provider.
#[derive(Clone, Default)]
struct Known {
    metadata: Option<(Arc<Metadata>, Timestamp)>,
    keys: Option<(Arc<KeySet>, Timestamp)>,
    asked_for_keys_at: Option<Timestamp>,
    /// The last failure of metadata or keys.
    failure: Option<(Refusal, Timestamp)>,
}

/// The provider's description of itself (OpenID Connect Discovery 1.0).
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Metadata {
    issuer: String,
    pub(super) authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
    #[serde(default)]
    userinfo_endpoint: Option<Url>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    pub(super) authorization_response_iss_parameter_supported: bool,
}

#[derive(Deserialize)]
struct TokenAnswer {
    id_token: String,
    #[serde(default)]
    access_token: Option<String>,
}

/// What a code was exchanged for.
pub(super) struct Tokens {
    pub(super) id_token: String,
    access_token: Option<SecretString>,
}

impl Provider {
    pub(crate) fn open(settings: &ProviderSettings, ambient: &Ambient) -> Result<Self, OpenProviderError> {
        let wrong = || OpenProviderError::Issuer(settings.name.clone());
        let issuer = Url::parse(&settings.issuer).map_err(|_| wrong())?;
        if !matches!(issuer.scheme(), "http" | "https") || issuer.host_str().is_none() {
            return Err(wrong());
        }
        let server = OperatorServer {
            base: issuer.clone(),
            secret: None,
            extra_ca_pem: settings.extra_ca_pem.as_deref(),
            connections: CONNECTIONS,
        };
        let failed = |cause| OpenProviderError::Client { name: settings.name.clone(), cause };
        let discovery = OperatorClient::new(&server).map_err(failed)?;
        Ok(Self {
            settings: settings.clone(),
            issuer,
            discovery,
            ambient: ambient.clone(),
            known: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
        })
    }

    /// The metadata, at most an hour old where the provider can be reached.
    ///
    /// # Errors
    /// [`Refusal::Unreachable`].
    pub(super) async fn metadata(&self) -> Result<Arc<Metadata>, Refusal> {
        if let Some(metadata) = self.believed_metadata(BELIEVED) {
            return Ok(metadata);
        }
        let _turn = self.asking.lock().await;
        if let Some(metadata) = self.believed_metadata(BELIEVED) {
            return Ok(metadata);
        }
        match self.unless_it_failed(self.discover()).await {
            Ok(metadata) => {
                let metadata = Arc::new(metadata);
                self.known().metadata = Some((metadata.clone(), self.ambient.now()));
                Ok(metadata)
            }
            Err(refusal) => self.believed_metadata(BELIEVED_IN_NEED).ok_or(refusal),
        }
    }

    /// Asks the provider, unless it failed a moment ago: that failure is the answer then.
    async fn unless_it_failed<T>(&self, ask: impl Future<Output = Result<T, Refusal>>) -> Result<T, Refusal> {
        let failure = self.known().failure.clone();
        if let Some((refusal, failed_at)) = failure
            && self.ambient.now() < failed_at.plus(PAUSE)
        {
            return Err(refusal);
        }
        let answer = ask.await;
        self.known().failure = answer.as_ref().err().map(|refusal| (refusal.clone(), self.ambient.now()));
        answer
    }

    async fn discover(&self) -> Result<Metadata, Refusal> {
        let body = self.read(self.discovery.get(DISCOVERY, json(), TIMEOUT, MOST_BYTES).await, "discovery").await?;
        let metadata: Metadata = serde_json::from_slice(&body).map_err(|_| unreachable("discovery is no metadata"))?;
        if metadata.issuer != self.settings.issuer {
            return Err(unreachable("discovery names another issuer"));
        }
        let endpoints = [&metadata.authorization_endpoint, &metadata.token_endpoint, &metadata.jwks_uri];
        let endpoints = endpoints.into_iter().chain(&metadata.userinfo_endpoint);
        // Only a provider that is called without encryption itself may have such endpoints.
        let is_safe =
            |url: &Url| url.host_str().is_some() && (url.scheme() == "https" || url.scheme() == self.issuer.scheme());
        if { endpoints }.all(is_safe) { Ok(metadata) } else { Err(unreachable("an endpoint is not https")) }
    }

    /// A key set, as new as it has to be for `is_known`, which says whether it has the key of a token.
    ///
    /// # Errors
    /// [`Refusal::Unreachable`].
    pub(super) async fn keys(&self, is_known: impl Fn(&KeySet) -> bool) -> Result<Arc<KeySet>, Refusal> {
        if let Some(keys) = self.believed_keys(BELIEVED).filter(|keys| is_known(keys)) {
            return Ok(keys);
        }
        let metadata = self.metadata().await?;
        let _turn = self.asking.lock().await;
        let believed = self.believed_keys(BELIEVED);
        let asked_at = self.known().asked_for_keys_at;
        let may_ask = asked_at.is_none_or(|at| at.plus(INTERVAL) <= self.ambient.now());
        match believed {
            Some(keys) if is_known(&keys) || !may_ask => return Ok(keys),
            _ => {}
        }
        self.known().asked_for_keys_at = Some(self.ambient.now());
        match self.unless_it_failed(self.read_keys(&metadata)).await {
            Ok(keys) => {
                let keys = Arc::new(keys);
                self.known().keys = Some((keys.clone(), self.ambient.now()));
                Ok(keys)
            }
            Err(refusal) => self.believed_keys(BELIEVED_IN_NEED).ok_or(refusal),
        }
    }

    async fn read_keys(&self, metadata: &Metadata) -> Result<KeySet, Refusal> {
        let (client, path) = self.client(&metadata.jwks_uri)?;
        let body = self.read(client.get(&path, json(), TIMEOUT, MOST_BYTES).await, "the key set").await?;
        KeySet::parse(&body, &ALGORITHMS).map_err(|_| unreachable("the key set is none"))
    }

    /// Exchanges a code for the ID token.
    ///
    /// # Errors
    /// [`Refusal::Provider`] where the provider refuses the code, [`Refusal::Unreachable`].
    pub(super) async fn exchange(&self, code: &str, verifier: &str, redirect_uri: &str) -> Result<Tokens, Refusal> {
        let metadata = self.metadata().await?;
        let (client, path) = self.client(&metadata.token_endpoint)?;
        let (headers, body) = self.code_request(&metadata, code, verifier, redirect_uri);
        let answer = client.post(&path, headers, body, TIMEOUT, MOST_BYTES).await;
        let mut answer = answer.map_err(|error| unreachable(&format!("the token endpoint: {error}")))?;
        let status = answer.status();
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk(TIMEOUT).await.map_err(|error| unreachable(&error.to_string()))? {
            body.extend_from_slice(&chunk);
        }
        if status.is_client_error() {
            let told: Value = serde_json::from_slice(&body).unwrap_or_default();
            return Err(Refusal::Provider(shown(told["error"].as_str().unwrap_or("the code was refused"))));
        }
        let answer = if status == StatusCode::OK { serde_json::from_slice(&body).ok() } else { None };
        let answer: TokenAnswer = answer.ok_or_else(|| unreachable("the token endpoint's answer has no ID token"))?;
        let access_token = answer.access_token.map(SecretString::from);
        Ok(Tokens { id_token: answer.id_token, access_token })
    }

    /// Adds to the claims of an ID token what only the userinfo endpoint says: many providers leave the address out of tokens.
    /// What the token says itself is believed rather.
    ///
    /// # Errors
    /// [`Refusal::Token`] where the endpoint speaks of somebody else, [`Refusal::Unreachable`].
    pub(super) async fn complete(&self, subject: &mut Subject, tokens: &Tokens) -> Result<(), Refusal> {
        let settings = &self.settings;
        let email = settings.trusted_email_claim.as_deref().unwrap_or("email");
        let needs_groups = !settings.operator_groups.is_empty() || !settings.organization_groups.is_empty();
        let lacks = |name: &str| !subject.claims.contains_key(name);
        if !(lacks(email) || needs_groups && lacks(&settings.groups_claim)) {
            return Ok(());
        }
        let metadata = self.metadata().await?;
        let (Some(endpoint), Some(token)) = (&metadata.userinfo_endpoint, &tokens.access_token) else { return Ok(()) };
        let (client, path) = self.client(endpoint)?;
        let mut headers = json();
        let bearer = HeaderValue::from_str(&format!("Bearer {}", token.expose_secret()));
        let mut bearer = bearer.map_err(|_| unreachable("the access token fits no header"))?;
        bearer.set_sensitive(true);
        headers.insert(AUTHORIZATION, bearer);
        let body = self.read(client.get(&path, headers, TIMEOUT, MOST_BYTES).await, "userinfo").await?;
        let claims: Claims = serde_json::from_slice(&body).map_err(|_| unreachable("userinfo is no JSON object"))?;
        if claims.get("sub").and_then(Value::as_str) != Some(&subject.id) {
            return Err(TokenFault::Subject.into());
        }
        for (name, value) in claims {
            subject.claims.entry(name).or_insert(value);
        }
        Ok(())
    }

    /// The request that exchanges a code, with the proof of who asks.
    fn code_request(
        &self,
        metadata: &Metadata,
        code: &str,
        verifier: &str,
        redirect_uri: &str,
    ) -> (HeaderMap, Vec<u8>) {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code");
        form.append_pair("code", code).append_pair("redirect_uri", redirect_uri).append_pair("code_verifier", verifier);
        let mut headers = json();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        let id = &self.settings.client_id;
        match &self.settings.client_secret {
            None => {
                form.append_pair("client_id", id);
            }
            Some(secret) if metadata.takes_secret_in_body() => {
                form.append_pair("client_id", id).append_pair("client_secret", secret.expose_secret());
            }
            Some(secret) => drop(headers.insert(AUTHORIZATION, basic(id, secret.expose_secret()))),
        }
        (headers, form.finish().into_bytes())
    }

    async fn read(&self, answer: Result<net::Incoming, net::OutboundError>, what: &str) -> Result<Vec<u8>, Refusal> {
        let failed = |error: net::OutboundError| unreachable(&format!("{what}: {error}"));
        let mut answer = answer.map_err(failed)?;
        if answer.status() != StatusCode::OK {
            return Err(unreachable(&format!("{what} was answered with {}", answer.status().as_u16())));
        }
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk(TIMEOUT).await.map_err(failed)? {
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// A client of an endpoint, and its path there. Providers have their endpoints on several hosts.
    fn client(&self, endpoint: &Url) -> Result<(OperatorClient, String), Refusal> {
        let (folder, name) = endpoint.path().rsplit_once('/').unwrap_or(("", endpoint.path()));
        let (mut base, name) = (endpoint.clone(), name.to_owned());
        base.set_path(folder);
        let extra_ca_pem = self.settings.extra_ca_pem.as_deref();
        let server = OperatorServer { base, secret: None, extra_ca_pem, connections: CONNECTIONS };
        let client = OperatorClient::new(&server).map_err(|error| unreachable(&error.to_string()))?;
        Ok((client, name))
    }

    fn believed_metadata(&self, age: Duration) -> Option<Arc<Metadata>> {
        let (metadata, read_at) = self.known().metadata.clone()?;
        (self.ambient.now() < read_at.plus(age)).then_some(metadata)
    }

    fn believed_keys(&self, age: Duration) -> Option<Arc<KeySet>> {
        let (keys, read_at) = self.known().keys.clone()?;
        (self.ambient.now() < read_at.plus(age)).then_some(keys)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Metadata {
    /// The usual way is a header; some providers take the secret in the body only.
    fn takes_secret_in_body(&self) -> bool {
        let takes = |method: &str| {
            let methods = self.token_endpoint_auth_methods_supported.as_ref();
            methods.map(|methods| methods.iter().any(|own| own == method))
        };
        takes("client_secret_basic") == Some(false) && takes("client_secret_post") == Some(true)
    }
}

fn json() -> HeaderMap {
    HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))])
}

/// RFC 6749, section 2.3.1: both parts are encoded as in a form first.
fn basic(id: &str, secret: &str) -> HeaderValue {
    let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let credentials = STANDARD.encode(format!("{}:{}", encode(id), encode(secret)));
    let mut value =
        HeaderValue::from_str(&format!("Basic {credentials}")).expect("Base64 is made of header characters");
    value.set_sensitive(true);
    value
}

fn unreachable(why: &str) -> Refusal {
    Refusal::Unreachable(why.to_owned())
}

/// What a provider says, for the log.
pub(super) fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}
