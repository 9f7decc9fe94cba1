//! `GET /auth/oidc/{name}/callback`: the browser comes back with a code, which becomes a session.

use axum::extract::State as Shared;
use axum::response::{IntoResponse, Response};
use edge::admins::SignedInUser;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::query::Query;
use edge::second_factors;
use edge::sessions::{self, Method};
use http::header::{CACHE_CONTROL, LOCATION, SET_COOKIE};
use http::{HeaderMap, HeaderValue, StatusCode};
use jose::{KeySet, Token};
use kernel::id::UserId;
use kernel::secret::{SecretString, random_token};
use serde::Serialize;
use store::{StoreError, Tx};

use super::id_token::{ALGORITHMS, Expected, Subject, verify};
use super::login::{NO_PROVIDER, redirect_uri, told};
use super::provider::shown;
use super::state::State;
use super::{Provider, Refusal, SecondFactorRule, accounts};
use crate::Identity;

/// The longest parameter, in bytes.
const LONGEST_PARAMETER: usize = 4096;

/// Who signed in. The session itself is in the cookie.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcLoginResponse {
    user: SignedInUser,
    /// Whether the session may do nothing until `POST /auth/totp/verify`, or `POST /auth/totp/confirm` for a first one.
    second_factor_required: bool,
}

struct Parameters {
    code: Option<String>,
    state: Option<String>,
    issuer: Option<String>,
    error: Option<String>,
}

/// Ends a sign-in through an identity provider.
#[utoipa::path(
    get, path = "/auth/oidc/{name}/callback", tag = "Identity providers", operation_id = "endOidcLogin", security(()),
    params(
        ("code" = Option<String>, Query, description = "From the provider"),
        ("state" = Option<String>, Query, description = "As the sign-in began with it"),
        ("iss" = Option<String>, Query, description = "The issuer (RFC 9207)"),
        ("error" = Option<String>, Query, description = "Why the provider refuses"),
    ),
    responses(
        (status = 200, description = "Signed in; sets the cookie `jwt`", body = OidcLoginResponse),
        (status = 303, description = "Signed in, and on to where the sign-in wanted to return; sets the cookie `jwt`"),
        (status = 400, description = "A parameter is wrong", body = ContentErrorBody),
        (status = 401, description = "The browser did not begin the sign-in, or the provider's answer is not valid",
            body = ContentErrorBody),
        (status = 403, description = "The provider's account may not sign in here", body = ContentErrorBody),
        (status = 404, description = "There is no such provider", body = ContentErrorBody),
        (status = 503, description = "The provider can't be reached", body = ContentErrorBody),
    )
)]
pub async fn callback(
    Shared(identity): Shared<Identity>,
    Params(name): Params<String>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let provider = identity.provider(&name).ok_or(NO_PROVIDER)?;
    let parameters = read(&query)?;
    let now = identity.door.ambient.now();
    let given = parameters.state.clone().unwrap_or_default();
    let state =
        State::find(&headers, &identity.sign_in_states, &name, &given, now).map_err(|refusal| told(&name, &refusal))?;
    let subject =
        authenticate(&identity, provider, &state, parameters).await.map_err(|refusal| told(&name, &refusal))?;
    let (user, token, method) = open(&identity, provider, subject, &state).await?;
    let is_secure = identity.door.own_origin.is_secure();
    let mut response = match &state.return_to {
        Some(path) => {
            let location = HeaderValue::from_str(path).map_err(Problem::unexpected)?;
            (StatusCode::SEE_OTHER, [(LOCATION, location)]).into_response()
        }
        None => {
            let second_factor_required = method == Method::Pending;
            Answer::ok(&OidcLoginResponse { user, second_factor_required }).into_response()
        }
    };
    response.headers_mut().append(SET_COOKIE, sessions::cookie_of(&identity.door, &token));
    response.headers_mut().append(SET_COOKIE, state.take_back(is_secure));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Providers add parameters of their own.
fn read(query: &Query) -> Result<Parameters, Problem> {
    let bounded = |text: &str| {
        let is_short = text.len() <= LONGEST_PARAMETER;
        if is_short { Ok(text.to_owned()) } else { Err(format!("must be at most {LONGEST_PARAMETER} bytes long")) }
    };
    query.read_known(|parameters| {
        let code = parameters.optional("code", bounded);
        let state = parameters.optional("state", bounded);
        let issuer = parameters.optional("iss", bounded);
        let error = parameters.optional("error", bounded);
        Some(Parameters { code: code?, state: state?, issuer: issuer?, error: error? })
    })
}

async fn authenticate(
    identity: &Identity,
    provider: &Provider,
    state: &State,
    parameters: Parameters,
) -> Result<Subject, Refusal> {
    let metadata = provider.metadata().await?;
    let settings = &provider.settings;
    match &parameters.issuer {
        Some(issuer) if *issuer != settings.issuer => return Err(Refusal::AnswerIssuer),
        None if metadata.authorization_response_iss_parameter_supported => return Err(Refusal::AnswerIssuer),
        _ => {}
    }
    if let Some(error) = parameters.error {
        return Err(Refusal::Provider(shown(&error)));
    }
    let code = parameters.code.ok_or_else(|| Refusal::Provider("it sent no code".to_owned()))?;
    let tokens = provider.exchange(&code, &state.verifier, &redirect_uri(identity, &settings.name)).await?;
    let signed = Token::new(&tokens.id_token).header(&ALGORITHMS).map_err(super::id_token::TokenFault::from)?;
    let has_key = |keys: &KeySet| keys.find(signed.key_id(), signed.algorithm()).is_some();
    let keys = provider.keys(has_key).await?;
    let now = identity.door.ambient.now();
    let expected = Expected { issuer: &settings.issuer, client_id: &settings.client_id, nonce: &state.nonce, now };
    let mut subject = verify(&tokens.id_token, &keys, &expected)?;
    provider.complete(&mut subject, &tokens).await?;
    Ok(subject)
}

/// Finds or makes the account, and opens its session.
async fn open(
    identity: &Identity,
    provider: &Provider,
    subject: Subject,
    state: &State,
) -> Result<(SignedInUser, SecretString, Method), Problem> {
    let token = SecretString::from(random_token(&identity.door.ambient));
    let (settings, ambient, timezone) =
        (provider.settings.clone(), identity.door.ambient.clone(), state.timezone.clone());
    let (given, name) = (token.clone(), settings.name.clone());
    let open = move |tx: &mut Tx<'_>| match accounts::find_or_make(tx, &ambient, &settings, &subject)? {
        Err(refusal) => Ok(Err(refusal)),
        Ok(user) => {
            let method = method(tx, &settings.second_factor, &subject, user.id)?;
            sessions::open(tx, &given, user.id, &timezone, method)?;
            Ok::<_, Problem>(Ok((user, method)))
        }
    };
    let opened = identity.door.store.write("oidc.sign_in", open).await?;
    let (user, method) = opened.map_err(|refusal| told(&name, &refusal))?;
    Ok((user, token, method))
}

/// What the session is worth. An admin with a second factor here shows it where the provider does not vouch for one.
fn method(tx: &mut Tx<'_>, rule: &SecondFactorRule, subject: &Subject, user: UserId) -> Result<Method, StoreError> {
    match rule {
        SecondFactorRule::Provider => Ok(Method::OidcMfa),
        SecondFactorRule::Totp => Ok(Method::Pending),
        SecondFactorRule::Token { acr } if subject.authentication.has_second_factor(acr) => Ok(Method::OidcMfa),
        SecondFactorRule::Token { .. } => match second_factors::status(tx, user)? {
            second_factors::Status::Confirmed => Ok(Method::Pending),
            second_factors::Status::Absent => Ok(Method::Oidc),
        },
    }
}
