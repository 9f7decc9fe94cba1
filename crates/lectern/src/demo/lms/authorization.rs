//! `GET` and `POST /auth`: the authorization endpoint (Security Framework, section 5.1.1). The tool sends the browser here, and a form
//! that posts itself takes the ID token back.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use axum::routing::get;

use super::form::Fields;
use super::hints::Purpose;
use super::messages::{Errand, id_token};
use super::pages::{self, PostBack};
use super::school::{self, Person};
use super::{CLIENT_ID, Shared};

/// The longest text of the tool that is given back.
const LONGEST_STATE: usize = 8192;

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/auth", get(by_query).post(by_form))
}

async fn by_query(State(lms): State<Arc<Shared>>, RawQuery(query): RawQuery) -> Response {
    answer(&lms, &Fields::read(query.unwrap_or_default().as_bytes()))
}

async fn by_form(State(lms): State<Arc<Shared>>, body: Bytes) -> Response {
    answer(&lms, &Fields::read(&body))
}

/// Why there is no ID token: a code of OpenID Connect, and the same in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Refused(&'static str, &'static str);

/// Only the tool's own address gets an answer, be it an error.
fn answer(lms: &Shared, asked: &Fields) -> Response {
    let launch_url = lms.tool.launch_url();
    if !asked.is("client_id", CLIENT_ID) || !asked.is("redirect_uri", &launch_url) {
        return pages::refused(lms, "The request names no tool of this platform, or another address than the tool's.");
    }
    let Some(state) = asked.get("state").filter(|state| state.len() <= LONGEST_STATE) else {
        return pages::refused(lms, "The request has no state that could be given back.");
    };
    let mut fields = vec![("state", state.to_owned())];
    match token(lms, asked) {
        Ok(token) => fields.push(("id_token", token)),
        Err(Refused(code, words)) => {
            fields.extend([("error", code.to_owned()), ("error_description", words.to_owned())]);
        }
    }
    pages::post_back(lms, PostBack { action: launch_url, fields })
}

fn token(lms: &Shared, asked: &Fields) -> Result<String, Refused> {
    if !asked.is("response_type", "id_token") {
        return Err(Refused("unsupported_response_type", "response_type must be id_token"));
    }
    if !asked.is("scope", "openid") {
        return Err(Refused("invalid_scope", "scope must be openid"));
    }
    if !asked.is("response_mode", "form_post") || !asked.is("prompt", "none") {
        return Err(Refused("invalid_request", "response_mode must be form_post and prompt none"));
    }
    let nonce = asked.get("nonce").filter(|nonce| nonce.len() <= LONGEST_STATE);
    let nonce = nonce.ok_or(Refused("invalid_request", "nonce is missing"))?;
    let person = signed_in(lms, asked).ok_or(Refused("login_required", "login_hint is not ours, or too old"))?;
    let errand = asked.get("lti_message_hint").and_then(|hint| lms.hints.open::<Errand>(Purpose::Message, hint));
    let errand = errand.ok_or(Refused("invalid_request", "lti_message_hint is not ours, or too old"))?;
    id_token(lms, person, &errand, nonce)
        .ok_or(Refused("access_denied", "the link is not there, or not theirs to open"))
}

fn signed_in(lms: &Shared, asked: &Fields) -> Option<&'static Person> {
    school::person(&lms.hints.open::<String>(Purpose::Login, asked.get("login_hint")?)?)
}
