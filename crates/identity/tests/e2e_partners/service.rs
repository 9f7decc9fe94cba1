//! A service, and a client for what its partners tell.

use axum::Router;
use axum::body::Body;
use edge::admins::{self, NewAdmin};
use edge::context::Tracking;
use edge::door::Door;
use edge::keys::KeyRules;
use edge::origin::OwnOrigin;
use edge::passwords;
use edge::rate::Sharing;
use http::header::{CONTENT_TYPE, COOKIE, REFERER};
use http::{HeaderMap, Request};
use http_body_util::BodyExt as _;
use identity::oidc::ProviderSettings;
use identity::{Identity, api};
use kernel::ambient::Ambient;
use kernel::secret::MasterKey;
use net::{OperatorClient, OperatorServer};
use serde_json::Value;
use store::StoreError;
use testkit::TestStore;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tower::ServiceExt as _;
use url::Url;

const BASE_URL: &str = "http://127.0.0.1:8080";

/// The setting of a partner's address.
#[expect(clippy::disallowed_methods, reason = "it is the test's own setting, as in testkit")]
pub(crate) fn partner(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set: a script in scripts/ prints it"))
}

pub(crate) struct Service {
    pub(crate) test: TestStore,
    pub(crate) identity: Identity,
    router: Router,
}

pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Service {
    /// With the test's clock at the time of the provider, which has the system's.
    pub(crate) fn with_providers(test: TestStore, providers: &[ProviderSettings]) -> Self {
        let ambient = test.ambient.clone();
        test.clock.advance(Ambient::system().now().duration_since(ambient.now()));
        Self::assemble(test, providers, ambient)
    }

    /// With the clock of the test.
    pub(crate) fn new(test: TestStore) -> Self {
        let ambient = test.ambient.clone();
        Self::assemble(test, &[], ambient)
    }

    fn assemble(test: TestStore, providers: &[ProviderSettings], ambient: Ambient) -> Self {
        let master = MasterKey::from_hex(&"11".repeat(32)).unwrap();
        let (base_url, rules) = (Url::parse(BASE_URL).unwrap(), KeyRules { requires_verified_email: true });
        let origin = OwnOrigin::of(&base_url);
        let door = Door::new(test.store.clone(), ambient, &master, origin, Sharing::ManyProcesses, rules);
        let identity = Identity::new(door.clone(), &master, &base_url, providers).unwrap();
        let router = api::router(identity.clone()).layer(Tracking::new(door));
        Self { test, identity, router }
    }

    pub(crate) async fn admin(&self, email: &str) {
        let (ambient, email) = (self.test.ambient.clone(), email.to_owned());
        let make = move |tx: &mut store::Tx<'_>| {
            let password_hash = passwords::NO_PASSWORD.to_owned();
            let new = NewAdmin { email: email.clone(), password_hash, is_operator: false };
            admins::create(tx, &ambient, &new).map(drop)
        };
        self.test.store.write::<_, StoreError, _>("test", make).await.unwrap();
    }

    pub(crate) async fn get(&self, path: &str, cookie: &str) -> Reply {
        self.send(Request::get(path).header(COOKIE, cookie).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        let request = Request::post(path).header(REFERER, BASE_URL).header(CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    async fn send(&self, request: Request<Body>) -> Reply {
        let (parts, body) = self.router.clone().oneshot(request).await.unwrap().into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let body = String::from_utf8(bytes.to_vec()).unwrap();
        Reply { status: parts.status.as_u16(), headers: parts.headers, body }
    }
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// Calls a partner; redirects are answers.
pub(crate) async fn call(method: &str, address: &str, body: Option<&Value>) -> Reply {
    const MOST_BYTES: usize = 1024 * 1024;
    let within = std::time::Duration::from_secs(60);
    let mut base = Url::parse(address).unwrap();
    let path = base.path().to_owned();
    base.set_path("");
    let server = OperatorServer { base, secret: None, extra_ca_pem: None, connections: 1 };
    let client = OperatorClient::new(&server).unwrap();
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, "application/json".parse().unwrap())]);
    let sent = match method {
        "GET" => client.get(&path, headers, within, MOST_BYTES).await,
        _ => client.post(&path, headers, body.unwrap().to_string().into_bytes(), within, MOST_BYTES).await,
    };
    let mut incoming = sent.unwrap();
    let (status, headers, mut text) = (incoming.status().as_u16(), incoming.headers().clone(), Vec::new());
    while let Some(chunk) = incoming.chunk(within).await.unwrap() {
        text.extend_from_slice(&chunk);
    }
    Reply { status, headers, body: String::from_utf8(text).unwrap() }
}

/// Changes a setting of a partner.
pub(crate) async fn put(address: &str, body: &Value) {
    let url = Url::parse(address).unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", url.port().unwrap())).await.unwrap();
    let (path, body) = (url.path(), body.to_string());
    let request = format!(
        "PUT {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}
