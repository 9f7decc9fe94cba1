//! Sign-in and the operator's routes in a test: a door, the tracking layer, in process, no sockets.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::routing::{get, post};
use http::header::{CONTENT_TYPE, COOKIE, REFERER, SET_COOKIE};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt as _;
use kernel::id::UserId;
use kernel::secret::MasterKey;
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::{Value, json};
use store::StoreError;
use testkit::TestStore;
use tower::ServiceExt as _;
use url::Url;

use crate::admins::{self, NewAdmin};
use crate::context::Tracking;
use crate::door::Door;
use crate::keys::KeyRules;
use crate::operations::{self, Draining, Operations};
use crate::origin::OwnOrigin;
use crate::problem::unknown_route;
use crate::rate::Sharing;
use crate::sessions::{login, logout};

pub(crate) const SIGN_IN_PAGE: &str = "https://lectern.example/console/sign-in";
pub(crate) const EMAIL: &str = "admin@example.com";
pub(crate) const PASSWORD: &str = "correct horse";

/// The routes of this crate on a door.
pub(crate) struct Edge {
    pub(crate) test: TestStore,
    pub(crate) draining: Draining,
    pub(crate) admin: UserId,
    router: Router,
}

pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// A header's text; empty when it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// What a browser would send back: `jwt=…`.
    pub(crate) fn cookie(&self) -> String {
        self.header(SET_COOKIE.as_str()).split(';').next().unwrap().to_owned()
    }
}

const RULES: KeyRules = KeyRules { requires_verified_email: true };

impl Edge {
    /// A service at `base_url` with one admin.
    pub(crate) async fn at(base_url: &str, test: TestStore) -> Self {
        let origin = OwnOrigin::of(&Url::parse(base_url).unwrap());
        let master = MasterKey::from_hex(&"11".repeat(32)).unwrap();
        let door = Door::new(test.store.clone(), test.ambient.clone(), &master, origin, Sharing::OneProcess, RULES);
        let ambient = test.ambient.clone();
        let admin = test.store.write("test", move |tx| {
            let new = NewAdmin { email: EMAIL.into(), password_hash: CHEAP_HASH.into(), is_operator: false };
            admins::create(tx, &ambient, &new)
        });
        let admin = admin.await.map_err(|error: StoreError| error).unwrap();
        let draining = Draining::default();
        let metrics = PrometheusBuilder::new().build_recorder().handle();
        let tracking = Tracking::new(door.clone());
        let router = Router::new()
            .route("/auth/login", post(login::login))
            .route("/auth/logout", post(logout::logout))
            .route("/panic", get(panicking))
            .with_state(door.clone())
            .merge(operations::routes(Operations { door, draining: draining.clone(), metrics }))
            .fallback(unknown_route)
            .layer(tracking);
        Self { test, draining, admin, router }
    }

    /// A service at `https://lectern.example`.
    pub(crate) async fn new(test: TestStore) -> Self {
        Self::at("https://lectern.example", test).await
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let body = String::from_utf8(bytes.to_vec()).unwrap();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// A request as from a peer at this address.
    pub(crate) async fn get_from(&self, peer: &str, cookie: &str, path: &str) -> Reply {
        let peer: SocketAddr = peer.parse().unwrap();
        let request = Request::get(path).header(COOKIE, cookie).extension(ConnectInfo(peer));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn sign_in_with(&self, headers: &[(&str, &str)], body: &Value) -> Reply {
        let mut request = Request::post("/auth/login").header(CONTENT_TYPE, "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub(crate) async fn sign_in(&self, email: &str, password: &str) -> Reply {
        let body = json!({ "email": email, "password": password, "timezone": "Europe/Berlin" });
        self.sign_in_with(&[(REFERER.as_str(), SIGN_IN_PAGE)], &body).await
    }

    pub(crate) async fn sign_out(&self, cookie: &str) -> Reply {
        self.send(Request::post("/auth/logout").header(COOKIE, cookie).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn sessions(&self) -> i64 {
        let counted =
            self.test.store.read("test", |tx| tx.find("SELECT count(*) FROM admin_session", &[], |row| row.get(0)));
        counted.await.map_err(|error: StoreError| error).unwrap().unwrap_or(0)
    }
}

/// [`PASSWORD`] hashed with the least work that Argon2 allows.
const CHEAP_HASH: &str =
    "$argon2id$v=19$m=8,t=1,p=1$bGVjdGVybi10ZXN0LXNhbA$DCIvl3BJkQNA9Dun8DTzfs5UdW/51joPwWA/ie0JuAo";

async fn panicking() {
    panic!("by the test");
}
