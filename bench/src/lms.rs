//! A learning platform on a thread of this program: it publishes its key set, counts the requests for it, and signs the
//! ID tokens of learners who open a link.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kernel::time::Timestamp;
use lti::{ToolKey, ags, claims};
use serde_json::{Value, json};
use url::form_urlencoded;

const CLIENT_ID: &str = "tool-1";
const TARGET: &str = "https://lectern.example/v1/platform/lti/launch";
/// How long a token is valid, in seconds: longer than a round of any scenario.
const TOKEN_SECONDS: i64 = 900;

/// The platform. Its thread lives as long as the process.
pub(crate) struct Lms {
    url: String,
    key: ToolKey,
    key_set_requests: Arc<AtomicUsize>,
}

/// What the page of the key set needs.
#[derive(Clone)]
struct Published {
    key: Value,
    requests: Arc<AtomicUsize>,
}

impl Lms {
    /// Starts a platform with one key.
    pub(crate) fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let url = format!("http://{}", listener.local_addr()?);
        let key = ToolKey::from_pkcs8(&ToolKey::generate())?;
        let key_set_requests = Arc::new(AtomicUsize::new(0));
        let published = Published { key: key.public().clone(), requests: key_set_requests.clone() };
        let router = Router::new().route("/jwks", get(key_set)).with_state(published);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("a runtime")?;
        std::thread::spawn(move || {
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).expect("the listener is non-blocking");
                axum::serve(listener, router).await.expect("a server does not end");
            });
        });
        Ok(Self { url, key, key_set_requests })
    }

    /// The body that registers the platform.
    pub(crate) fn registration(&self) -> Value {
        let url = &self.url;
        json!({
            "name": "Riverside Moodle", "issuer": url, "clientId": CLIENT_ID,
            "authorizationEndpoint": format!("{url}/auth"),
            "tokenEndpoint": format!("{url}/token"),
            "jwksEndpoint": format!("{url}/jwks"),
        })
    }

    /// The query of a learner's login.
    pub(crate) fn login_query(&self, learner: usize) -> String {
        form_urlencoded::Serializer::new(String::new())
            .append_pair("iss", &self.url)
            .append_pair("client_id", CLIENT_ID)
            .append_pair("login_hint", &format!("u-{learner}"))
            .append_pair("target_link_uri", TARGET)
            .finish()
    }

    /// The public half of the key, as a JSON Web Key.
    pub(crate) fn public_key(&self) -> &Value {
        self.key.public()
    }

    /// The id of the key.
    pub(crate) fn key_id(&self) -> &str {
        self.key.id()
    }

    /// How often the key set was asked for.
    pub(crate) fn key_set_requests(&self) -> usize {
        self.key_set_requests.load(Ordering::Relaxed)
    }

    /// The ID token of a learner who opens a link.
    pub(crate) fn id_token(&self, learner: usize, nonce: &str, now: Timestamp) -> String {
        self.key.sign(&self.claims(learner, nonce, now))
    }

    /// About as much as a platform with a gradebook and a roster says of a learner.
    pub(crate) fn claims(&self, learner: usize, nonce: &str, now: Timestamp) -> Value {
        let (url, now) = (&self.url, now.as_seconds());
        json!({
            "iss": url, "aud": CLIENT_ID, "sub": format!("learner-{learner}"), "nonce": nonce,
            "iat": now, "exp": now + TOKEN_SECONDS, "name": "Ann Lee", "email": "ann@example.com",
            claims::MESSAGE_TYPE: claims::RESOURCE_LINK_REQUEST,
            claims::LTI_VERSION: claims::VERSION,
            claims::DEPLOYMENT_ID: "deployment-1",
            claims::TARGET_LINK_URI: TARGET,
            claims::RESOURCE_LINK: { "id": "link-1", "title": "Photosynthesis" },
            claims::ROLES: ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
            claims::CONTEXT: { "id": "course-1", "label": "BIO", "title": "Biology" },
            claims::LAUNCH_PRESENTATION: { "locale": "en-GB", "return_url": format!("{url}/course/1") },
            claims::AGS_ENDPOINT: {
                "scope": [ags::SCOPE_LINE_ITEM, ags::SCOPE_SCORE],
                "lineitems": format!("{url}/lineitems"), "lineitem": format!("{url}/lineitems/1"),
            },
        })
    }
}

/// A part of a token: JSON in base64.
pub(crate) fn token_part(part: &Value) -> String {
    URL_SAFE_NO_PAD.encode(part.to_string())
}

async fn key_set(State(published): State<Published>) -> Json<Value> {
    published.requests.fetch_add(1, Ordering::Relaxed);
    Json(json!({ "keys": [published.key] }))
}
