//! The HTTP client of the tour: it talks to the service as any customer's program would, through a socket.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, bail};
use http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, REFERER};
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// For one call, connection included.
const PATIENCE: Duration = Duration::from_secs(10);

/// Talks to one service.
pub(super) struct Client {
    address: SocketAddr,
    /// A cookie or a key: each call sends what it needs.
    pub(super) session: Option<String>,
    pub(super) key: Option<String>,
}

/// A whole answer.
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    call: String,
}

impl Client {
    pub(super) const fn new(address: SocketAddr, key: Option<String>) -> Self {
        Self { address, session: None, key }
    }

    /// The same service for the holder of a key.
    pub(super) fn with_key(&self, key: String) -> Self {
        Self::new(self.address, Some(key))
    }

    /// The address of a path.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The same client where only the session is to count: a key goes before it.
    pub(super) fn without_key(&self) -> Self {
        Self { address: self.address, session: self.session.clone(), key: None }
    }

    pub(super) async fn get(&self, path: &str) -> anyhow::Result<Reply> {
        self.send(Method::GET, path, None, None).await
    }

    pub(super) async fn delete(&self, path: &str) -> anyhow::Result<Reply> {
        self.send(Method::DELETE, path, None, None).await
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Reply> {
        self.send(Method::POST, path, Some(body), None).await
    }

    pub(super) async fn patch(&self, path: &str, body: &Value) -> anyhow::Result<Reply> {
        self.send(Method::PATCH, path, Some(body), None).await
    }

    pub(super) async fn post_once(&self, path: &str, body: &Value, idempotency_key: &str) -> anyhow::Result<Reply> {
        self.post_with(path, body, ("Idempotency-Key", idempotency_key)).await
    }

    pub(super) async fn post_with(&self, path: &str, body: &Value, header: (&str, &str)) -> anyhow::Result<Reply> {
        self.send(Method::POST, path, Some(body), Some(header)).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        header: Option<(&str, &str)>,
    ) -> anyhow::Result<Reply> {
        let call = format!("{method} {path}");
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, self.address.to_string())
            .header(REFERER, format!("http://{}/", self.address));
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, format!("Bearer {key}"));
        }
        if let Some(session) = &self.session {
            request = request.header(COOKIE, session);
        }
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        if body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let body = body.map_or_else(Bytes::new, |body| Bytes::from(body.to_string()));
        let exchange = exchange(self.address, request.body(Full::new(body))?);
        let reply = tokio::time::timeout(PATIENCE, exchange).await;
        let (status, headers, body) =
            reply.with_context(|| format!("{call} was not answered in time"))?.with_context(|| call.clone())?;
        Ok(Reply { status, headers, body, call })
    }
}

pub(super) async fn exchange(
    address: SocketAddr,
    request: Request<Full<Bytes>>,
) -> anyhow::Result<(StatusCode, HeaderMap, Bytes)> {
    let stream = TcpStream::connect(address).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let connection = tokio::spawn(connection);
    let (head, body) = sender.send_request(request).await?.into_parts();
    let body = body.collect().await?.to_bytes();
    drop(sender);
    connection.await??;
    Ok((head.status, head.headers, body))
}

impl Reply {
    /// The body as JSON, when the status is the expected one.
    pub(super) fn json(&self, expected: StatusCode) -> anyhow::Result<Value> {
        self.expect(expected)?;
        serde_json::from_slice(&self.body).with_context(|| format!("{} was not answered with JSON", self.call))
    }

    /// Fails on another status, with the service's own message.
    pub(super) fn expect(&self, expected: StatusCode) -> anyhow::Result<()> {
        if self.status != expected {
            let said = String::from_utf8_lossy(&self.body);
            bail!("{} was answered {} instead of {expected}: {said}", self.call, self.status);
        }
        Ok(())
    }

    /// The value of a header, empty when it is missing.
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}
