//! `POST /token`: access tokens for gradebook and roster (Security Framework, section 4.1), and what they open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use http::header::{AUTHORIZATION, CACHE_CONTROL, WWW_AUTHENTICATE};
use http::{HeaderMap, StatusCode};
use kernel::secret::{random_token, sha256_hex};
use kernel::time::Timestamp;
use lti::{ags, nrps};
use serde_json::json;

use super::Shared;
use super::form::Fields;
use super::tool::Expected;

/// How long a token holds.
const LIFE: Duration = Duration::from_secs(60 * 60);
/// Tokens that hold at once.
const MOST_TOKENS: usize = 1000;
const SCOPES: [&str; 4] = [ags::SCOPE_LINE_ITEM, ags::SCOPE_LINE_ITEM_READONLY, ags::SCOPE_SCORE, nrps::SCOPE];
const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// The tokens that hold, by their digests.
#[derive(Default)]
pub(super) struct AccessTokens(Mutex<HashMap<String, Access>>);

struct Access {
    scopes: Vec<&'static str>,
    until: Timestamp,
}

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/token", post(give))
}

/// Why there is no token: a code of OAuth (RFC 6749, section 5.2), and the same in words.
struct Refused(StatusCode, &'static str, String);

async fn give(State(lms): State<Arc<Shared>>, body: Bytes) -> Response {
    let answer = match asked(&lms, &Fields::read(&body)).await {
        Ok(scopes) => match lms.tokens.give(&lms, &scopes) {
            Some(token) => Ok((token, scopes)),
            None => {
                Err(Refused(StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", "too many tokens".to_owned()))
            }
        },
        Err(refused) => Err(refused),
    };
    let body = match &answer {
        Ok((token, scopes)) => json!({
            "access_token": token, "token_type": "Bearer", "expires_in": LIFE.as_secs(), "scope": scopes.join(" "),
        }),
        Err(Refused(_, code, words)) => json!({ "error": code, "error_description": words }),
    };
    let status = answer.map_or_else(|Refused(status, ..)| status, |_| StatusCode::OK);
    (status, [(CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// The scopes that the tool asks for and may have.
async fn asked(lms: &Shared, form: &Fields) -> Result<Vec<&'static str>, Refused> {
    let refused = |code, words: &str| Refused(StatusCode::BAD_REQUEST, code, words.to_owned());
    if !form.is("grant_type", "client_credentials") {
        return Err(refused("unsupported_grant_type", "grant_type must be client_credentials"));
    }
    if !form.is("client_assertion_type", ASSERTION_TYPE) {
        return Err(refused("invalid_request", "client_assertion_type must be jwt-bearer"));
    }
    let assertion =
        form.get("client_assertion").ok_or_else(|| refused("invalid_request", "client_assertion is missing"))?;
    let expected = Expected { audience: &lms.token_endpoint(), id_claim: "jti", now: lms.ambient.now() };
    let claims = lms.tool.verify(assertion, expected).await;
    let claims = claims.map_err(|not| Refused(StatusCode::UNAUTHORIZED, "invalid_client", not.to_string()))?;
    if claims.get("sub") != claims.get("iss") {
        return Err(Refused(StatusCode::UNAUTHORIZED, "invalid_client", "sub must be the client id".to_owned()));
    }
    let wanted: Vec<_> = form.get("scope").unwrap_or_default().split_ascii_whitespace().collect();
    let granted: Vec<_> = SCOPES.into_iter().filter(|scope| wanted.contains(scope)).collect();
    if granted.is_empty() {
        return Err(refused("invalid_scope", "scope names nothing that a tool may do"));
    }
    Ok(granted)
}

impl AccessTokens {
    fn give(&self, lms: &Shared, scopes: &[&'static str]) -> Option<String> {
        let (now, token) = (lms.ambient.now(), random_token(&lms.ambient));
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.retain(|_, access| access.until > now);
        if tokens.len() >= MOST_TOKENS {
            return None;
        }
        tokens.insert(sha256_hex(token.as_bytes()), Access { scopes: scopes.to_vec(), until: now.plus(LIFE) });
        Some(token)
    }
}

impl Shared {
    /// Admits a request whose token allows one of the scopes.
    pub(super) fn admit(&self, headers: &HeaderMap, scopes: &[&str]) -> Result<(), NotAdmitted> {
        let header = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let token = header.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let (_, token) = token.ok_or(NotAdmitted::NoToken)?;
        let tokens = self.tokens.0.lock().unwrap_or_else(PoisonError::into_inner);
        let access = tokens.get(&sha256_hex(token.as_bytes())).filter(|access| access.until > self.ambient.now());
        let access = access.ok_or(NotAdmitted::NoToken)?;
        if access.scopes.iter().any(|scope| scopes.contains(scope)) { Ok(()) } else { Err(NotAdmitted::NoScope) }
    }
}

/// Why a request is not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotAdmitted {
    /// It has no token that holds.
    NoToken,
    /// Its token allows something else.
    NoScope,
}

impl axum::response::IntoResponse for NotAdmitted {
    fn into_response(self) -> Response {
        match self {
            Self::NoToken => {
                (StatusCode::UNAUTHORIZED, [(WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"")]).into_response()
            }
            Self::NoScope => {
                (StatusCode::FORBIDDEN, [(WWW_AUTHENTICATE, "Bearer error=\"insufficient_scope\"")]).into_response()
            }
        }
    }
}
