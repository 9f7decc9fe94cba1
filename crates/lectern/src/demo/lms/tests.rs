//! What the tool sends is checked, each check by a request that fails it; and what a person sees.

mod access;
mod authorization;
mod deep_links;
mod gradebook;
mod pages;
mod roster;

use std::sync::LazyLock;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use kernel::ambient::{Ambient, ManualClock};
use kernel::time::Timestamp;
use lti::access_token::TokenRequest;
use lti::{ToolKey, ags};
use serde_json::{Value, json};
use tower::ServiceExt as _;
use url::form_urlencoded;

use super::school::{ANN, NewColumn, NewLink};
use super::*;

const URL: &str = "http://localhost:4711";
const FORM: &str = "application/x-www-form-urlencoded";
const NOW: Timestamp = Timestamp::from_millis(1_795_282_725_000);

/// Making a key takes a while: the platform's, the tool's, and one of nobody's.
static KEYS: LazyLock<[ToolKey; 3]> =
    LazyLock::new(|| [(); 3].map(|()| ToolKey::from_pkcs8(&ToolKey::generate()).unwrap()));

fn tool_key() -> &'static ToolKey {
    &KEYS[1]
}

fn foreign_key() -> &'static ToolKey {
    &KEYS[2]
}

/// The platform, and a server that publishes the tool's key.
struct Test {
    lms: Lms,
    clock: ManualClock,
    /// The origin of the tool.
    tool: String,
}

struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Test {
    async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let set = json!({ "keys": [tool_key().public()] }).to_string();
        let router = Router::new().route("/v1/platform/lti/.well-known/jwks.json", get(async move || set));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let (ambient, clock) = Ambient::fixed(NOW, 7);
        let tool = format!("http://{address}");
        let lms = Lms::new(ambient, URL.to_owned(), KEYS[0].clone(), Tool::new(address));
        Self { lms, clock, tool }
    }

    /// A platform whose course has a link with a column, and another link without.
    async fn with_links() -> Self {
        let test = Self::new().await;
        let link = |title: &str, column: Option<f64>| NewLink {
            title: title.to_owned(),
            text: None,
            url: test.lms.0.tool.launch_url().parse().unwrap(),
            custom: serde_json::Map::from_iter([("resource".to_owned(), json!("7"))]),
            column: column.map(|score_maximum| NewColumn {
                label: title.to_owned(),
                score_maximum,
                resource_id: Some("7".to_owned()),
                tag: None,
            }),
        };
        test.lms.0.school().add_links(vec![link("Leaves <b>", Some(20.0)), link("Roots", None)]).unwrap();
        test
    }

    async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.lms.router().oneshot(request).await.unwrap();
        let (head, body) = response.into_parts();
        let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        Reply { status: head.status, headers: head.headers, text }
    }

    async fn get(&self, path: &str, token: Option<&str>) -> Reply {
        let mut request = Request::get(path);
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        self.send(request.body(Body::empty()).unwrap()).await
    }

    async fn post(&self, path: &str, token: Option<&str>, media_type: &str, body: String) -> Reply {
        let mut request = Request::builder().method(Method::POST).uri(path).header(CONTENT_TYPE, media_type);
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        self.send(request.body(body.into()).unwrap()).await
    }

    async fn post_form(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.post(path, None, FORM, body).await
    }

    /// An access token for scopes, as the tool's own code asks for it.
    async fn token(&self, scopes: &[&str]) -> String {
        let id = kernel::secret::random_token(&self.lms.0.ambient);
        let audience = format!("{URL}/token");
        let request = TokenRequest { client_id: CLIENT_ID, audience: &audience, scopes, id: &id, now: NOW };
        let reply = self.post("/token", None, FORM, request.form(tool_key())).await;
        lti::access_token::AccessToken::parse(reply.text.as_bytes()).unwrap().token
    }
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }
}

/// A value with another one in a place.
fn with(mut value: Value, name: &str, other: Value) -> Value {
    value[name] = other;
    value
}

/// A value without a place.
fn without(mut value: Value, name: &str) -> Value {
    value.as_object_mut().unwrap().shift_remove(name);
    value
}
