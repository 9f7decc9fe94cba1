//! A learning platform that says what a test wants.
//!
//! [`Lms::claims`] are those of a good launch that answers a login; a test changes what it wants to be wrong and signs them
//! with [`Lms::sign`], or with something else. A tool may register itself ([`Lms::open_link`]). A browser can use the platform too: `/course` shows a link in a frame, and
//! `/auth` signs the learner in and posts the launch.

mod gradebook;
mod registration;
mod roster;

pub use gradebook::Held;
pub use registration::ConfigurationAnswer;
pub use roster::{RosterFailure, RosterRequest};

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::Router;
use axum::extract::{Query, State};
use axum::response::Html;
use axum::routing::get;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use kernel::ambient::Ambient;
use kernel::time::Timestamp;
use lti::{ToolKey, claims};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::{Url, form_urlencoded};

/// How the platform knows the service.
pub const CLIENT_ID: &str = "tool-1";
/// The place that the tool is deployed in.
pub const DEPLOYMENT: &str = "deployment-1";
/// Where its links lead.
pub const TARGET: &str = "https://lectern.example/v1/platform/lti/launch";

/// Making a key takes a while.
static KEYS: LazyLock<[ToolKey; 2]> =
    LazyLock::new(|| [(); 2].map(|()| ToolKey::from_pkcs8(&ToolKey::generate()).unwrap()));

/// A platform's server; it ends when it is dropped.
pub struct Lms {
    shown: Arc<Shown>,
    server: JoinHandle<()>,
}

/// What the platform's pages share.
struct Shown {
    url: String,
    ambient: Ambient,
    /// Its answer to who asks for its keys.
    answer: Mutex<(StatusCode, String)>,
    asked: AtomicUsize,
    gradebook: gradebook::Gradebook,
    roster: roster::Roster,
    tools: registration::Tools,
}

impl Lms {
    /// A platform with one key.
    pub async fn start() -> Self {
        Self::serve("127.0.0.1", Ambient::system()).await
    }

    /// A platform that is another site for browsers than a service at 127.0.0.1, with this clock.
    pub async fn of_another_site(ambient: &Ambient) -> Self {
        Self::serve("localhost", ambient.clone()).await
    }

    async fn serve(host: &str, ambient: Ambient) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{host}:{}", listener.local_addr().unwrap().port());
        let shown = Arc::new(Shown {
            url,
            ambient,
            answer: Mutex::default(),
            asked: AtomicUsize::new(0),
            gradebook: Default::default(),
            roster: Default::default(),
            tools: Default::default(),
        });
        let pages =
            Router::new().route("/jwks", get(key_set)).route("/auth", get(sign_in)).route("/course", get(course));
        let services = gradebook::routes().merge(roster::routes()).merge(registration::routes());
        let router = pages.merge(services).with_state(shown.clone());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let lms = Self { shown, server };
        lms.publish(&[Self::key()]);
        lms
    }

    /// The key that signs.
    pub fn key() -> &'static ToolKey {
        &KEYS[0]
    }

    /// A key that the platform does not publish at first.
    pub fn other_key() -> &'static ToolKey {
        &KEYS[1]
    }

    /// The issuer.
    pub fn issuer(&self) -> &str {
        &self.shown.url
    }

    /// The body that registers the platform.
    pub fn registration(&self) -> Value {
        let url = &self.shown.url;
        json!({
            "name": "Riverside Moodle", "issuer": url, "clientId": CLIENT_ID,
            "authorizationEndpoint": format!("{url}/auth"),
            "tokenEndpoint": format!("{url}/token"),
            "jwksEndpoint": format!("{url}/jwks"),
        })
    }

    /// The parameters of a login.
    pub fn login(&self) -> Vec<(&'static str, String)> {
        login_at(&self.shown.url)
    }

    /// The page of a course with a link that is shown in a frame. The platform may offer its storage.
    pub fn course(&self, service: &str, has_storage: bool) -> String {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("service", service)
            .append_pair("storage", &has_storage.to_string())
            .finish();
        format!("{}/course?{query}", self.shown.url)
    }

    /// What the platform says of a learner who opens a link, in answer to an authentication request.
    pub fn claims(&self, request: &Url, now: Timestamp) -> Value {
        let asked: HashMap<_, _> = request.query_pairs().into_owned().collect();
        claims_of(&self.shown.url, &asked, now)
    }

    /// Signs claims with the platform's key.
    pub fn sign(&self, claims: &Value) -> String {
        Self::key().sign(claims)
    }

    /// Publishes these keys and no others.
    pub fn publish(&self, keys: &[&ToolKey]) {
        let keys: Vec<_> = keys.iter().map(|key| key.public()).collect();
        self.answer_with(StatusCode::OK, json!({ "keys": keys }).to_string());
    }

    /// Answers so to whoever asks for its keys.
    pub fn answer_with(&self, status: StatusCode, body: String) {
        *self.shown.answer.lock().unwrap_or_else(PoisonError::into_inner) = (status, body);
    }

    /// How often its keys were asked for.
    pub fn asked_for_keys(&self) -> usize {
        self.shown.asked.load(Ordering::SeqCst)
    }
}

impl Drop for Lms {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn key_set(State(shown): State<Arc<Shown>>) -> (StatusCode, [(http::HeaderName, &'static str); 1], String) {
    shown.asked.fetch_add(1, Ordering::SeqCst);
    let (status, body) = shown.answer.lock().unwrap_or_else(PoisonError::into_inner).clone();
    (status, [(CONTENT_TYPE, "application/json")], body)
}

fn login_at(url: &str) -> Vec<(&'static str, String)> {
    vec![
        ("iss", url.to_owned()),
        ("client_id", CLIENT_ID.to_owned()),
        ("login_hint", "u-1".to_owned()),
        ("target_link_uri", TARGET.to_owned()),
    ]
}

fn claims_of(url: &str, asked: &HashMap<String, String>, now: Timestamp) -> Value {
    let now = now.as_seconds();
    json!({
        "iss": url, "aud": asked["client_id"], "sub": "learner-7", "nonce": asked["nonce"],
        "iat": now, "exp": now + 300, "name": "Ann Lee", "email": "ann@example.com",
        claims::MESSAGE_TYPE: claims::RESOURCE_LINK_REQUEST,
        claims::LTI_VERSION: claims::VERSION,
        claims::DEPLOYMENT_ID: DEPLOYMENT,
        claims::TARGET_LINK_URI: TARGET,
        claims::RESOURCE_LINK: { "id": "link-1", "title": "Photosynthesis" },
        claims::ROLES: ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
        claims::CONTEXT: { "id": "course-1", "label": "BIO", "title": "Biology" },
        claims::LAUNCH_PRESENTATION: { "locale": "en-GB", "return_url": format!("{}/course/1", url) },
        claims::AGS_ENDPOINT: {
            "scope": [lti::ags::SCOPE_LINE_ITEM, lti::ags::SCOPE_SCORE],
            "lineitems": format!("{}/lineitems", url),
            "lineitem": format!("{}/lineitems/1", url),
        },
    })
}

/// The learner is signed in already; the browser posts the launch.
async fn sign_in(State(shown): State<Arc<Shown>>, Query(asked): Query<HashMap<String, String>>) -> Html<String> {
    let token = Lms::key().sign(&claims_of(&shown.url, &asked, shown.ambient.now()));
    let (to, state) = (&asked["redirect_uri"], &asked["state"]);
    Html(format!(
        "<form method=post action=\"{to}\"><input name=state value=\"{state}\"><input name=id_token value=\"{token}\"></form>\
         <script>document.forms[0].submit()</script>"
    ))
}

/// A course with a link in a frame, and a storage for tools (LTI Platform Storage) where that is wanted.
async fn course(State(shown): State<Arc<Shown>>, Query(wanted): Query<HashMap<String, String>>) -> Html<String> {
    const STORAGE: &str = "<script>const kept = new Map();
        addEventListener('message', ({ data, source, origin }) => {
            if (data.subject === 'lti.put_data') kept.set(data.key, data.value);
            else if (data.subject !== 'lti.get_data') return;
            source.postMessage({ subject: data.subject + '.response', message_id: data.message_id, key: data.key,
                value: kept.get(data.key) }, origin);
        });</script>";
    let mut login = login_at(&shown.url);
    let storage = if wanted["storage"] == "true" { STORAGE } else { "" };
    if !storage.is_empty() {
        login.push(("lti_storage_target", "_parent".to_owned()));
    }
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(login).finish();
    let service = &wanted["service"];
    Html(format!(
        "<!DOCTYPE html><title>Course</title><meta name=viewport content=\"width=device-width\">{storage}<h1>Biology</h1>\
         <iframe name=tool width=340 height=500 src=\"{service}/v1/platform/lti/login?{}\"></iframe>",
        query.replace('&', "&amp;")
    ))
}
