//! The guarded client. Every call of the service to an address that somebody else named goes through it.
//!
//! It must never follow a redirect, use a proxy, keep a cookie, decompress, or read more than the
//! caller's limit. Connections are kept and reused; each was made to an address that passed the guard.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Certificate, Client, ClientBuilder, RequestBuilder, Response, StatusCode};
use url::Url;

use crate::error::OutboundError;
use crate::policy::{OutboundPolicy, UrlRefused};
use crate::resolver::{GuardedResolver, Lookup, SharedLookup, SystemLookup};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Shorter than the five seconds after which common servers close an idle connection.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);
const MAX_IDLE_PER_HOST: usize = 256;
const MAX_RESPONSE_HEADERS: usize = 100;
const MAX_RESPONSE_HEADER_BYTES: usize = 64 * 1024;
/// How long [`OutboundClient::notify`] waits for the rest of an answer whose status it has.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(500);
/// Bytes of a body that an [`Acknowledgement`] keeps.
const START_BYTES: usize = 64;

/// The bounds of one call.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From the first look-up to the last byte of the answer.
    pub timeout: Duration,
    /// The longest response body that is read.
    pub max_response_bytes: usize,
}

/// A whole answer, redirects and errors included.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status code.
    pub status: StatusCode,
    /// All response headers.
    pub headers: HeaderMap,
    /// The body as it was sent.
    pub body: Vec<u8>,
}

/// The head of an answer whose body matters little.
#[derive(Clone, Debug)]
pub struct Acknowledgement {
    /// The status code.
    pub status: StatusCode,
    /// All response headers.
    pub headers: HeaderMap,
    /// The first bytes of the body; empty where it was empty, late or broken.
    pub start: Vec<u8>,
}

/// The client can't be made.
#[derive(Debug, thiserror::Error)]
pub enum OpenClientError {
    /// The extra certificate file holds no readable PEM certificate.
    #[error("the extra CA file holds no readable PEM certificate")]
    ExtraCa,
    /// The TLS library refused the settings.
    #[error("the outbound client could not be set up")]
    Setup(#[source] reqwest::Error),
}

/// The guarded HTTP client. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct OutboundClient {
    policy: Arc<OutboundPolicy>,
    http: Client,
    has_trust_roots: bool,
}

impl OutboundClient {
    /// A client that resolves names as the system does.
    pub fn new(policy: OutboundPolicy) -> Result<Self, OpenClientError> {
        Self::with_lookup(policy, Arc::new(SystemLookup::new()))
    }

    /// A client with its own name look-up, for tests of what names may lead to.
    pub fn with_lookup(policy: OutboundPolicy, lookup: Arc<dyn Lookup>) -> Result<Self, OpenClientError> {
        let extra_ca = match &policy.extra_ca_pem {
            Some(pem) => read_certificates(pem)?,
            None => Vec::new(),
        };
        let policy = Arc::new(policy);
        let lookup = Arc::new(SharedLookup::new(lookup));
        let resolver = Arc::new(GuardedResolver { policy: policy.clone(), lookup });
        let (http, has_trust_roots) = build(|| builder(&policy, resolver.clone()), extra_ca)?;
        Ok(Self { policy, http, has_trust_roots })
    }

    /// Whether https can work at all on this machine.
    pub fn has_trust_roots(&self) -> bool {
        self.has_trust_roots
    }

    /// Checks a URL at registration; see [`OutboundPolicy::check_url`].
    pub fn check_url(&self, text: &str) -> Result<Url, UrlRefused> {
        self.policy.check_url(text)
    }

    /// Posts and reads the whole answer.
    pub async fn post(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: Vec<u8>,
        limits: Limits,
    ) -> Result<Answer, OutboundError> {
        let response = self.send(self.http.post(url.clone()).body(body), url, headers, limits).await?;
        read_whole(response, limits).await
    }

    /// Gets and reads the whole answer.
    pub async fn get(&self, url: &Url, headers: HeaderMap, limits: Limits) -> Result<Answer, OutboundError> {
        let response = self.send(self.http.get(url.clone()), url, headers, limits).await?;
        read_whole(response, limits).await
    }

    /// Posts and wants only the head of the answer: what follows it can't undo the status.
    ///
    /// A short body is read and thrown away, so that the connection can be used again; a long or slow
    /// one costs the connection, not the call.
    pub async fn notify(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: Vec<u8>,
        limits: Limits,
    ) -> Result<Acknowledgement, OutboundError> {
        let mut response = self.send(self.http.post(url.clone()).body(body), url, headers, limits).await?;
        let status = response.status();
        let headers = std::mem::take(response.headers_mut());
        let mut start = Vec::new();
        // A body that is late or broken is dropped with its connection.
        let _ = tokio::time::timeout(DRAIN_TIMEOUT, drain(response, limits.max_response_bytes, &mut start)).await;
        Ok(Acknowledgement { status, headers, start })
    }

    async fn send(
        &self,
        request: RequestBuilder,
        url: &Url,
        headers: HeaderMap,
        limits: Limits,
    ) -> Result<Response, OutboundError> {
        self.policy.check_host(url)?;
        let response = request.headers(headers).timeout(limits.timeout).send().await?;
        check_headers(&response)?;
        Ok(response)
    }
}

async fn read_whole(mut response: Response, limits: Limits) -> Result<Answer, OutboundError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > limits.max_response_bytes {
            return Err(OutboundError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Answer { status: response.status(), headers: std::mem::take(response.headers_mut()), body })
}

/// Headers come whole before anything can be stopped; what is too much is at least not kept.
pub(crate) fn check_headers(response: &Response) -> Result<(), OutboundError> {
    let header_bytes: usize = response.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if header_bytes > MAX_RESPONSE_HEADER_BYTES { Err(OutboundError::TooLarge) } else { Ok(()) }
}

/// Makes a client that trusts the system's certificates and some more; says whether the system has any.
pub(crate) fn build(
    builder: impl Fn() -> ClientBuilder,
    extra_ca: Vec<Certificate>,
) -> Result<(Client, bool), OpenClientError> {
    match builder().tls_certs_merge(extra_ca.clone()).build() {
        Ok(http) => Ok((http, true)),
        // A machine without any CA certificate still serves; its https calls fail one by one.
        Err(error) => {
            tracing::warn!(%error, "no trusted CA certificates found: outbound https calls will fail");
            let http = builder().tls_certs_only(extra_ca).build();
            Ok((http.map_err(OpenClientError::Setup)?, false))
        }
    }
}

/// Reads a body and keeps its first bytes.
async fn drain(mut response: Response, max_bytes: usize, start: &mut Vec<u8>) {
    let mut seen = 0;
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = START_BYTES - start.len();
        start.extend_from_slice(&chunk[..chunk.len().min(room)]);
        seen += chunk.len();
        if seen > max_bytes {
            return;
        }
    }
}

fn builder(policy: &OutboundPolicy, resolver: Arc<GuardedResolver>) -> ClientBuilder {
    plain_builder().dns_resolver(resolver).https_only(!policy.allow_http).pool_max_idle_per_host(MAX_IDLE_PER_HOST)
}

/// What every client of the service keeps to, whoever named the address.
#[expect(clippy::disallowed_methods, reason = "the one place that makes an HTTP client")]
pub(crate) fn plain_builder() -> ClientBuilder {
    Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .referer(false)
        .http1_only()
        .http1_max_headers(MAX_RESPONSE_HEADERS)
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(IDLE_TIMEOUT)
        .user_agent(concat!("Lectern/", env!("CARGO_PKG_VERSION")))
}

pub(crate) fn read_certificates(pem: &[u8]) -> Result<Vec<Certificate>, OpenClientError> {
    match Certificate::from_pem_bundle(pem) {
        Ok(certificates) if !certificates.is_empty() => Ok(certificates),
        _ => Err(OpenClientError::ExtraCa),
    }
}
