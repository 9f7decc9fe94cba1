//! `GET /auth/oidc/{name}/login`: sends the browser to the provider.

use axum::extract::State as Shared;
use axum::response::{IntoResponse, Response};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::query::Query;
use http::header::{CACHE_CONTROL, LOCATION, SET_COOKIE};
use http::{HeaderValue, StatusCode};

use super::state::State;
use super::{Refusal, SecondFactorRule};
use crate::Identity;

const LONGEST_RETURN: usize = 500;
const USUAL_TIMEZONE: &str = "UTC";
pub(super) const NO_PROVIDER: Problem = Problem::NotFound("Identity provider");

/// Begins to sign in through an identity provider.
#[utoipa::path(
    get, path = "/auth/oidc/{name}/login", tag = "Identity providers", operation_id = "beginOidcLogin", security(()),
    params(
        ("returnTo" = Option<String>, Query, description = "A path of this service where the browser goes after it"),
        ("timezone" = Option<String>, Query, description = "An IANA time zone name"),
    ),
    responses(
        (status = 303, description = "On to the provider"),
        (status = 400, description = "A parameter is wrong", body = ContentErrorBody),
        (status = 404, description = "There is no such provider", body = ContentErrorBody),
        (status = 503, description = "The provider can't be reached", body = ContentErrorBody),
    )
)]
pub async fn login(
    Shared(identity): Shared<Identity>,
    Params(name): Params<String>,
    query: Query,
) -> Result<Response, Problem> {
    let provider = identity.provider(&name).ok_or(NO_PROVIDER)?;
    let (return_to, timezone) = query.read(|parameters| {
        let return_to = parameters.optional("returnTo", own_path);
        let timezone = parameters.optional("timezone", time_zone);
        Some((return_to?, timezone?))
    })?;
    let metadata = provider.metadata().await.map_err(|refusal| told(&name, &refusal))?;
    let door = &identity.door;
    let state = State::begin(&door.ambient, &name, timezone.unwrap_or_else(|| USUAL_TIMEZONE.to_owned()), return_to);
    let mut address = metadata.authorization_endpoint.clone();
    address
        .query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &provider.settings.client_id)
        .append_pair("redirect_uri", &redirect_uri(&identity, &name))
        .append_pair("scope", &scope(&provider.settings.scopes))
        .append_pair("state", &state.state)
        .append_pair("nonce", &state.nonce)
        .append_pair("code_challenge", &state.challenge())
        .append_pair("code_challenge_method", "S256");
    if let SecondFactorRule::Token { acr } = &provider.settings.second_factor
        && !acr.is_empty()
    {
        address.query_pairs_mut().append_pair("acr_values", &acr.join(" "));
    }
    let location = HeaderValue::from_str(address.as_str()).map_err(Problem::unexpected)?;
    let cookie = state.cookie(&identity.sign_in_states, &door.ambient, door.own_origin.is_secure());
    let headers = [(LOCATION, location), (SET_COOKIE, cookie), (CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((StatusCode::SEE_OTHER, headers).into_response())
}

/// Where the provider sends the browser back to.
pub(super) fn redirect_uri(identity: &Identity, name: &str) -> String {
    format!("{}/auth/oidc/{name}/callback", identity.base_url)
}

/// Logs why nobody was signed in, for the operator.
pub(super) fn told(provider: &str, refusal: &Refusal) -> Problem {
    tracing::warn!(provider, %refusal, "nobody was signed in through the identity provider");
    refusal.problem()
}

fn scope(scopes: &[String]) -> String {
    let others = scopes.iter().map(String::as_str).filter(|scope| *scope != "openid");
    std::iter::once("openid").chain(others).collect::<Vec<_>>().join(" ")
}

/// A path of this service: no other site, however browsers read it.
fn own_path(text: &str) -> Result<String, String> {
    let is_path = text.starts_with('/') && !text.starts_with("//") && text.len() <= LONGEST_RETURN;
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if is_path && is_plain { Ok(text.to_owned()) } else { Err("must be a path of this service".to_owned()) }
}

fn time_zone(text: &str) -> Result<String, String> {
    edge::sessions::login::time_zone(text.to_owned()).map_err(str::to_owned)
}
