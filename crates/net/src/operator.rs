//! The client for a server that the operator named in the configuration: a language model's, often at 127.0.0.1.
//!
//! It has no guard of addresses, since nobody but the operator has a say in them, and it can't be pointed anywhere else: a
//! client is bound to one base address, its secret headers go there only, and redirects are answers. Answers are read piece
//! by piece, each within a time of its own. A server that [`crate::OutboundClient`] may call must never be called with this.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response, StatusCode};
use url::Url;

use crate::client::{OpenClientError, build, check_headers, plain_builder, read_certificates};
use crate::error::OutboundError;

/// How a client for one of the operator's servers is made.
pub struct OperatorServer<'a> {
    /// Under which every path is; http is right here.
    pub base: Url,
    /// A header that proves who asks. It is never shown.
    pub secret: Option<(HeaderName, &'a str)>,
    /// Trusted besides the system's certificates.
    pub extra_ca_pem: Option<&'a [u8]>,
    /// Connections that are kept for the next calls, at most.
    pub connections: usize,
}

/// The client of one server. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct OperatorClient {
    base: Url,
    secret: Option<(HeaderName, HeaderValue)>,
    http: Client,
}

/// An answer that is still coming.
#[derive(Debug)]
pub struct Incoming {
    response: Response,
    left_bytes: usize,
}

/// Why there is no client for a server.
#[derive(Debug, thiserror::Error)]
pub enum OpenOperatorClientError {
    /// The TLS library or the extra certificates.
    #[error(transparent)]
    Client(#[from] OpenClientError),
    /// A secret with characters that no header can hold.
    #[error("the key holds characters that can't be sent in a header")]
    Secret,
}

impl OperatorClient {
    /// A client for a server.
    ///
    /// # Errors
    /// When the extra certificates can't be read, or the secret can't be a header.
    pub fn new(server: &OperatorServer<'_>) -> Result<Self, OpenOperatorClientError> {
        let extra_ca = server.extra_ca_pem.map(read_certificates).transpose()?.unwrap_or_default();
        let secret = server.secret.as_ref().map(|(name, value)| {
            let mut value = HeaderValue::from_str(value).map_err(|_| OpenOperatorClientError::Secret)?;
            value.set_sensitive(true);
            Ok::<_, OpenOperatorClientError>((name.clone(), value))
        });
        let builder = || plain_builder().pool_max_idle_per_host(server.connections);
        let http = match server.base.scheme() {
            // Reading the system's certificates takes longer than all the rest.
            "http" => builder().tls_certs_only(extra_ca).build().map_err(OpenClientError::Setup)?,
            _ => build(builder, extra_ca)?.0,
        };
        Ok(Self { base: server.base.clone(), secret: secret.transpose()?, http })
    }

    /// Posts to a path below the base; gives the answer as soon as its head is there. `within` bounds everything up to the
    /// answer's last byte, `most_bytes` its body.
    ///
    /// # Errors
    /// When no answer comes in time.
    pub async fn post(
        &self,
        path: &str,
        headers: HeaderMap,
        body: Vec<u8>,
        within: Duration,
        most_bytes: usize,
    ) -> Result<Incoming, OutboundError> {
        self.send(Method::POST, self.url(path), headers, body, within, most_bytes).await
    }

    /// Gets a path below the base, as [`OperatorClient::post`] posts to it.
    ///
    /// # Errors
    /// When no answer comes in time.
    pub async fn get(
        &self,
        path: &str,
        headers: HeaderMap,
        within: Duration,
        most_bytes: usize,
    ) -> Result<Incoming, OutboundError> {
        self.send(Method::GET, self.url(path), headers, Vec::new(), within, most_bytes).await
    }

    /// Gets a path below the base with a query, as [`OperatorClient::post`] posts to it.
    ///
    /// # Errors
    /// When no answer comes in time.
    pub async fn get_with(
        &self,
        path: &str,
        query: &str,
        headers: HeaderMap,
        within: Duration,
        most_bytes: usize,
    ) -> Result<Incoming, OutboundError> {
        let mut url = self.url(path);
        url.set_query(Some(query));
        self.send(Method::GET, url, headers, Vec::new(), within, most_bytes).await
    }

    async fn send(
        &self,
        method: Method,
        url: Url,
        mut headers: HeaderMap,
        body: Vec<u8>,
        within: Duration,
        most_bytes: usize,
    ) -> Result<Incoming, OutboundError> {
        if let Some((name, value)) = &self.secret {
            headers.insert(name.clone(), value.clone());
        }
        let request = self.http.request(method, url).headers(headers).body(body).timeout(within);
        let response = request.send().await?;
        check_headers(&response)?;
        Ok(Incoming { response, left_bytes: most_bytes })
    }

    /// The base with a path behind it. Scheme, host and port stay what they are, whatever the path holds.
    fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        let path = format!("{}/{}", self.base.path().trim_end_matches('/'), path.trim_start_matches('/'));
        url.set_path(&path);
        url
    }
}

impl Incoming {
    /// The status code; redirects and errors are answers too.
    pub fn status(&self) -> StatusCode {
        self.response.status()
    }

    /// All response headers.
    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// The next piece of the body, `None` at its end.
    ///
    /// # Errors
    /// When nothing comes within the time, the connection breaks before the end, or the body is longer than the limit.
    pub async fn chunk(&mut self, within: Duration) -> Result<Option<Bytes>, OutboundError> {
        let chunk = tokio::time::timeout(within, self.response.chunk()).await;
        let Some(chunk) = chunk.map_err(|_| OutboundError::Timeout)?? else { return Ok(None) };
        self.left_bytes = self.left_bytes.checked_sub(chunk.len()).ok_or(OutboundError::TooLarge)?;
        Ok(Some(chunk))
    }
}
