//! The platform's Dynamic Registration: it opens a tool's link, shows its configuration, and registers the tool as the
//! specification wants it, unless a test wants it to lie or to fail.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::header::{AUTHORIZATION, LOCATION};
use lti::claims;
use serde_json::{Value, json};
use tokio::sync::watch;
use url::form_urlencoded;

use super::{CLIENT_ID, DEPLOYMENT, Lms, Shown};

/// What the platform answers to who asks for its configuration.
#[derive(Clone, Debug)]
pub enum ConfigurationAnswer {
    /// A text with a status.
    Text(StatusCode, String),
    /// A redirect to itself.
    Redirect,
    /// Nothing, for ever.
    Silence,
}

/// The tools that registered themselves, and how the platform is to behave.
#[derive(Default)]
pub(super) struct Tools {
    book: Mutex<Book>,
    is_held: watch::Sender<bool>,
}

#[derive(Default)]
struct Book {
    /// The registration tokens that were given and not used.
    tokens: HashSet<String>,
    given: usize,
    configuration: Option<ConfigurationAnswer>,
    answers: VecDeque<(StatusCode, String)>,
    /// The client id that the next tool gets.
    next_client_id: Option<String>,
    registered: Vec<Value>,
    posts: usize,
}

impl Tools {
    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lms {
    /// The address of the platform's configuration.
    pub fn configuration_url(&self) -> String {
        format!("{}/.well-known/openid-configuration", self.shown.url)
    }

    /// What the platform says of itself.
    pub fn configuration(&self) -> Value {
        configuration_of(&self.shown.url)
    }

    /// Says this of itself from now on.
    pub fn claim_to_be(&self, configuration: &Value) {
        self.answer_configuration(ConfigurationAnswer::Text(StatusCode::OK, configuration.to_string()));
    }

    /// Answers so from now on to who asks for the configuration.
    pub fn answer_configuration(&self, answer: ConfigurationAnswer) {
        self.shown.tools.book().configuration = Some(answer);
    }

    /// What it adds to a tool's link when an administrator opens it: where its configuration is, and a registration token that
    /// is good for one registration.
    pub fn registration_query(&self) -> Vec<(&'static str, String)> {
        let mut book = self.shown.tools.book();
        book.given += 1;
        let token = format!("registration-token-{}", book.given);
        book.tokens.insert(token.clone());
        drop(book);
        vec![("openid_configuration", self.configuration_url()), ("registration_token", token)]
    }

    /// The address that an administrator's browser opens for a tool's link.
    pub fn open_link(&self, link: &str) -> String {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(self.registration_query()).finish();
        format!("{link}{}{query}", if link.contains('?') { '&' } else { '?' })
    }

    /// Answers the next registrations so, before it answers well again.
    pub fn answer_registrations(&self, answers: &[(StatusCode, &str)]) {
        let answers = answers.iter().map(|(status, body)| (*status, (*body).to_owned()));
        self.shown.tools.book().answers.extend(answers);
    }

    /// Gives the next tool this client id.
    pub fn give_client_id(&self, client_id: &str) {
        self.shown.tools.book().next_client_id = Some(client_id.to_owned());
    }

    /// Holds registrations that it has made, before it answers, or lets them go.
    pub fn hold_registrations(&self, is_held: bool) {
        self.shown.tools.is_held.send_replace(is_held);
    }

    /// The page on which an administrator opens a tool's link, in a frame or in a window of its own. It says `Closed` once the tool wants to be closed.
    pub fn administration(&self, link: &str) -> String {
        let query = form_urlencoded::Serializer::new(String::new()).append_pair("tool", &self.open_link(link)).finish();
        format!("{}/administration?{query}", self.shown.url)
    }

    /// The tools that registered themselves, as they described themselves, each with its `client_id`.
    pub fn registered_tools(&self) -> Vec<Value> {
        self.shown.tools.book().registered.clone()
    }

    /// How often a tool asked to be registered.
    pub fn registration_posts(&self) -> usize {
        self.shown.tools.book().posts
    }
}

pub(super) fn routes() -> Router<Arc<Shown>> {
    Router::new()
        .route("/.well-known/openid-configuration", get(show_configuration))
        .route("/register", post(register))
        .route("/administration", get(administration))
}

fn configuration_of(url: &str) -> Value {
    let message = |name: &str| json!({ "type": name, "placements": ["ContentArea"] });
    json!({
        "issuer": url,
        "authorization_endpoint": format!("{url}/auth"),
        "token_endpoint": format!("{url}/token"),
        "jwks_uri": format!("{url}/jwks"),
        "registration_endpoint": format!("{url}/register"),
        "token_endpoint_auth_methods_supported": ["private_key_jwt"],
        "token_endpoint_auth_signing_alg_values_supported": ["RS256"],
        "scopes_supported": ["openid", lti::ags::SCOPE_LINE_ITEM, lti::ags::SCOPE_SCORE, lti::nrps::SCOPE],
        "response_types_supported": ["id_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "claims_supported": ["sub", "iss", "name", "given_name", "family_name", "email"],
        claims::PLATFORM_CONFIGURATION: {
            "product_family_code": "testkit",
            "version": "1",
            "messages_supported": [message(claims::RESOURCE_LINK_REQUEST), message(claims::DEEP_LINKING_REQUEST)],
        },
    })
}

async fn show_configuration(State(shown): State<Arc<Shown>>) -> Response {
    let answer = shown.tools.book().configuration.clone();
    match answer {
        None => Json(configuration_of(&shown.url)).into_response(),
        Some(ConfigurationAnswer::Text(status, body)) => (status, body).into_response(),
        Some(ConfigurationAnswer::Redirect) => {
            (StatusCode::FOUND, [(LOCATION, "/.well-known/openid-configuration")]).into_response()
        }
        Some(ConfigurationAnswer::Silence) => std::future::pending().await,
    }
}

/// A frame for the tool that is being added, and a link to a window of its own.
async fn administration(Query(wanted): Query<HashMap<String, String>>) -> Html<String> {
    const CLOSE: &str = "<script>addEventListener('message', ({ data }) => {
            if (data.subject !== 'org.imsglobal.lti.close') return;
            document.querySelector('h1').textContent = 'Closed';
        });</script>";
    let tool = wanted["tool"].replace('&', "&amp;");
    Html(format!(
        "<!DOCTYPE html><title>Tools</title><meta name=viewport content=\"width=device-width\">{CLOSE}<h1>Tools</h1>\
         <p><a href=\"{tool}\" target=_blank rel=opener>Open</a></p>\
         <iframe name=tool width=340 height=500 src=\"{tool}\"></iframe>"
    ))
}

async fn register(State(shown): State<Arc<Shown>>, headers: HeaderMap, body: Bytes) -> Response {
    let answer = judge(&shown, &headers, &body);
    // Only a test that holds them waits here.
    let _ = shown.tools.is_held.subscribe().wait_for(|is_held| !is_held).await;
    answer
}

/// The token is used up by a registration that succeeds.
fn judge(shown: &Shown, headers: &HeaderMap, body: &[u8]) -> Response {
    let mut book = shown.tools.book();
    book.posts += 1;
    if let Some(answer) = book.answers.pop_front() {
        return answer.into_response();
    }
    let authorization = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = authorization.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    if !book.tokens.contains(token) {
        return (StatusCode::UNAUTHORIZED, Json(json!({ "error": "invalid_token" }))).into_response();
    }
    let Some(mut tool) = serde_json::from_slice::<Value>(body).ok().filter(is_whole) else {
        return (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_client_metadata" }))).into_response();
    };
    book.tokens.remove(token);
    let usual = match book.registered.len() {
        0 => CLIENT_ID.to_owned(),
        others => format!("tool-{}", others + 1),
    };
    tool["client_id"] = json!(book.next_client_id.take().unwrap_or(usual));
    tool[claims::TOOL_CONFIGURATION]["deployment_id"] = json!(DEPLOYMENT);
    book.registered.push(tool.clone());
    (StatusCode::CREATED, Json(tool)).into_response()
}

/// Whether a tool says all that the specification requires of it.
fn is_whole(tool: &Value) -> bool {
    let holds = |list: &Value, wanted: &str| list.as_array().is_some_and(|list| list.iter().any(|one| one == wanted));
    let configuration = &tool[claims::TOOL_CONFIGURATION];
    let texts = [
        &tool["initiate_login_uri"],
        &tool["client_name"],
        &tool["jwks_uri"],
        &tool["scope"],
        &configuration["domain"],
        &configuration["target_link_uri"],
    ];
    tool["application_type"] == "web"
        && tool["token_endpoint_auth_method"] == "private_key_jwt"
        && holds(&tool["response_types"], "id_token")
        && holds(&tool["grant_types"], "implicit")
        && holds(&tool["grant_types"], "client_credentials")
        && tool["redirect_uris"].as_array().is_some_and(|uris| !uris.is_empty())
        && texts.iter().all(|text| text.is_string())
        && holds(&configuration["claims"], "sub")
        && configuration["messages"]
            .as_array()
            .is_some_and(|messages| messages.iter().all(|one| one["type"].is_string()))
}
