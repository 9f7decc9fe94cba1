//! An identity provider (OpenID Connect) that says what a test wants.
//!
//! [`IdentityProvider::authorize`] plays the browser at the provider: it takes the address that a sign-in leads to, and gives the
//! query that the provider sends back. The ID token of the code is a good one that the test changes. The token endpoint holds
//! the client to its secret, to PKCE and to using a code once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};
use kernel::ambient::Ambient;
use lti::ToolKey;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::{Url, form_urlencoded};

use crate::lms::Lms;

/// How the provider knows the service.
pub const CLIENT_ID: &str = "lectern";
/// What the service proves itself with.
pub const CLIENT_SECRET: &str = "s:e c/ret";

/// A provider's server; it ends when it is dropped.
pub struct IdentityProvider {
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

struct Shared {
    issuer: String,
    ambient: Ambient,
    /// Changes of the metadata.
    metadata: Mutex<Value>,
    codes: Mutex<HashMap<String, Grant>>,
    issued: AtomicUsize,
    key_set_requests: AtomicUsize,
    userinfo: Mutex<Value>,
    keys: Mutex<Vec<&'static ToolKey>>,
}

/// What a code is worth.
struct Grant {
    id_token: String,
    challenge: String,
    redirect_uri: String,
}

impl IdentityProvider {
    /// A provider with the clock of a test.
    pub async fn start(ambient: &Ambient) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
        let shared = Arc::new(Shared {
            issuer,
            ambient: ambient.clone(),
            metadata: Mutex::new(json!({})),
            codes: Mutex::default(),
            issued: AtomicUsize::new(0),
            key_set_requests: AtomicUsize::new(0),
            userinfo: Mutex::default(),
            keys: Mutex::new(vec![Lms::key()]),
        });
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(metadata))
            .route("/jwks", get(key_set))
            .route("/token", post(token))
            .route("/userinfo", get(userinfo))
            .with_state(shared.clone());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { shared, server }
    }

    /// The issuer.
    pub fn issuer(&self) -> &str {
        &self.shared.issuer
    }

    /// Changes a member of the metadata.
    pub fn describe(&self, name: &str, value: Value) {
        lock(&self.shared.metadata)[name] = value;
    }

    /// Publishes other keys.
    pub fn publish(&self, keys: &[&'static ToolKey]) {
        *lock(&self.shared.keys) = keys.to_vec();
    }

    /// Says something of the person beside the ID token.
    pub fn tell_userinfo(&self, claims: Value) {
        self.describe("userinfo_endpoint", json!(format!("{}/userinfo", self.issuer())));
        *lock(&self.shared.userinfo) = claims;
    }

    /// How often the key set was asked for.
    pub fn key_set_requests(&self) -> usize {
        self.shared.key_set_requests.load(Ordering::Relaxed)
    }

    /// The person signs in: the query that the provider sends the browser back with. `change` makes the claims wrong.
    pub fn authorize(&self, address: &str, change: impl FnOnce(&mut Value)) -> String {
        self.authorize_with(address, Lms::key(), change)
    }

    /// The same with another key.
    pub fn authorize_with(&self, address: &str, key: &ToolKey, change: impl FnOnce(&mut Value)) -> String {
        let url = Url::parse(address).unwrap();
        let asked: HashMap<String, String> = url.query_pairs().into_owned().collect();
        assert_eq!((&*asked["response_type"], &*asked["client_id"]), ("code", CLIENT_ID));
        assert_eq!(&*asked["code_challenge_method"], "S256");
        let now = self.shared.ambient.now().as_seconds();
        let mut claims = json!({
            "iss": self.issuer(), "aud": CLIENT_ID, "sub": "subject-1", "nonce": asked["nonce"],
            "iat": now, "exp": now + 300, "email": "admin@example.com", "email_verified": true,
        });
        change(&mut claims);
        let code = format!("code-{}", self.shared.issued.fetch_add(1, Ordering::Relaxed));
        let grant = Grant {
            id_token: key.sign(&claims),
            challenge: asked["code_challenge"].clone(),
            redirect_uri: asked["redirect_uri"].clone(),
        };
        lock(&self.shared.codes).insert(code.clone(), grant);
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("code", &code).append_pair("state", &asked["state"]).append_pair("iss", self.issuer());
        query.finish()
    }
}

impl Drop for IdentityProvider {
    fn drop(&mut self) {
        self.server.abort();
    }
}

fn lock<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn metadata(State(shared): State<Arc<Shared>>) -> Response {
    let issuer = &shared.issuer;
    let mut metadata = json!({
        "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/jwks"),
        "authorization_response_iss_parameter_supported": true,
    });
    for (name, value) in lock(&shared.metadata).as_object().unwrap() {
        metadata[name] = value.clone();
    }
    ([(CONTENT_TYPE, "application/json")], metadata.to_string()).into_response()
}

async fn key_set(State(shared): State<Arc<Shared>>) -> Response {
    shared.key_set_requests.fetch_add(1, Ordering::Relaxed);
    let keys: Vec<_> = lock(&shared.keys).iter().map(|key| key.public().clone()).collect();
    ([(CONTENT_TYPE, "application/json")], json!({ "keys": keys }).to_string()).into_response()
}

async fn token(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: String) -> Response {
    let form: HashMap<String, String> = form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    // "lectern:s%3Ae+c%2Fret", as RFC 6749 has it.
    let is_client = headers[AUTHORIZATION] == "Basic bGVjdGVybjpzJTNBZStjJTJGcmV0";
    let refuse = |error| (StatusCode::BAD_REQUEST, json!({ "error": error }).to_string()).into_response();
    let grant = lock(&shared.codes).remove(form.get("code").map_or("", String::as_str));
    let Some(grant) = grant.filter(|_| form["grant_type"] == "authorization_code") else {
        return refuse("invalid_grant");
    };
    if !is_client {
        return refuse("invalid_client");
    }
    if challenge(&form["code_verifier"]) != grant.challenge || form["redirect_uri"] != grant.redirect_uri {
        return refuse("invalid_grant");
    }
    let answer = json!({ "access_token": "access", "token_type": "Bearer", "id_token": grant.id_token });
    ([(CONTENT_TYPE, "application/json")], answer.to_string()).into_response()
}

async fn userinfo(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    if headers[AUTHORIZATION] != "Bearer access" {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    ([(CONTENT_TYPE, "application/json")], lock(&shared.userinfo).to_string()).into_response()
}

/// What PKCE makes of a verifier.
fn challenge(verifier: &str) -> String {
    use base64::Engine as _;
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, verifier.as_bytes());
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(digest)
}
