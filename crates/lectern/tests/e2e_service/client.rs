//! A small HTTP client over real sockets, a connection for each call, so that a killed server is noticed.

use std::net::SocketAddr;

use http::header::{AUTHORIZATION, CONNECTION, CONTENT_TYPE, COOKIE, HOST, REFERER, SET_COOKIE};
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;

pub(crate) const EXPANSIONS: &str = "/v1/content/integrations/expansions";

/// Why there is no answer.
pub(crate) type Lost = Box<dyn std::error::Error + Send + Sync>;

#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    pub(crate) key: String,
    pub(crate) cookie: String,
}

pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.body));
        if self.body.is_empty() { Value::Null } else { self.json() }
    }
}

impl Client {
    pub(crate) async fn get(&self, path: &str) -> Result<Reply, Lost> {
        self.send(Method::GET, path, &[], Bytes::new()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Result<Reply, Lost> {
        self.send(Method::POST, path, &[], Bytes::from(body.to_string())).await
    }

    /// Creates something once, however often this is called with the same key.
    pub(crate) async fn create(&self, path: &str, idempotency_key: &str, body: &Value) -> Result<Reply, Lost> {
        let headers = [("idempotency-key", idempotency_key)];
        self.send(Method::POST, path, &headers, Bytes::from(body.to_string())).await
    }

    /// Creates an expansion once, however often this is called with the same key.
    pub(crate) async fn expand(&self, idempotency_key: &str, body: &Value) -> Result<Reply, Lost> {
        self.create(EXPANSIONS, idempotency_key, body).await
    }

    /// How a job stands.
    pub(crate) async fn job(&self, id: &str) -> Value {
        self.get(&format!("{EXPANSIONS}/{id}")).await.unwrap().expect(200)
    }

    /// Signs in; later calls are the admin's too.
    pub(crate) async fn sign_in(&mut self, email: &str, password: &str) {
        let form = json!({ "email": email, "password": password, "timezone": "Europe/Berlin" });
        let reply = self.post("/auth/login", &form).await.unwrap();
        reply.expect(200);
        let cookie = reply.headers[SET_COOKIE].to_str().unwrap();
        self.cookie = cookie.split(';').next().unwrap().to_owned();
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        more: &[(&str, &str)],
        body: Bytes,
    ) -> Result<Reply, Lost> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, self.address.to_string())
            .header(REFERER, format!("http://{}/", self.address))
            .header(CONNECTION, "close");
        let bearer = format!("Bearer {}", self.key);
        let usual = [(AUTHORIZATION, &*bearer), (COOKIE, &*self.cookie), (CONTENT_TYPE, "application/json")];
        let usual = usual.iter().map(|(name, value)| (name.as_str(), *value));
        let replaced = |name: &str| more.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
        for (name, value) in usual.filter(|(name, _)| !replaced(name)).chain(more.iter().copied()) {
            request = request.header(name, value);
        }
        let stream = TcpStream::connect(self.address).await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        let (parts, body) = sender.send_request(request.body(Full::new(body))?).await?.into_parts();
        let body = body.collect().await?.to_bytes();
        Ok(Reply { status: parts.status, headers: parts.headers, body })
    }
}
