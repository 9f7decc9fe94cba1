//! `POST /auth/passkeys/login`: the authenticator's answer becomes the cookie `jwt`.
//!
//! An unknown passkey and a wrong answer get the same refusal.

use std::net::{IpAddr, SocketAddr};

use axum::Extension;
use axum::extract::{ConnectInfo, Request, State};
use axum::response::{IntoResponse, Response};
use edge::admins::{self, SignedInUser};
use edge::answer::Answer;
use edge::body::{Body, Check as _, JsonBody, any_text, object, text};
use edge::problem::{ContentErrorBody, Problem};
use edge::second_factors::passkeys::{self, StoredPasskey};
use edge::sessions::login::time_zone;
use edge::sessions::{self, Method};
use http::header::{CACHE_CONTROL, SET_COOKIE};
use http::{HeaderValue, header};
use kernel::secret::{SecretString, random_token};
use serde::Serialize;
use serde_json::Value;
use store::Tx;
use webauthn_rs::prelude::{DiscoverableAuthentication, DiscoverableKey, Passkey, PublicKeyCredential};

use super::ceremony::Use;
use super::challenge::PURPOSE;
use super::{LONGEST_CREDENTIAL, credential_id_text};
use crate::Identity;
use crate::forms::refuse_foreign;

/// A ceremony and an answer.
const LONGEST_BODY_BYTES: usize = 32 * 1024;
/// All that is throttled is the network address: a passkey can't be guessed.
const NO_ACCOUNT: &str = "";
const REFUSED: Problem = Problem::Unauthorized("The passkey is unknown here, or does not answer the challenge.");

/// The authenticator's answer to a challenge to sign in with.
#[derive(Body)]
pub struct PasskeyLogin {
    /// As the challenge has it.
    #[field(text(1..=16_384), example = "kX3d…")]
    ceremony: String,
    /// What `navigator.credentials.get` gave, in WebAuthn's JSON (`toJSON`).
    #[field(object(LONGEST_CREDENTIAL))]
    credential: Value,
    /// An IANA time zone name.
    #[field(any_text().parsed(time_zone), example = "Europe/Berlin")]
    timezone: String,
}

/// Who signed in. The session itself is in the cookie.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyLoginResponse {
    user: SignedInUser,
}

/// Signs an admin in with a passkey, which counts as the second factor too.
#[utoipa::path(
    post, path = "/auth/passkeys/login", tag = "Passkeys", operation_id = "endPasskeyLogin", security(()),
    request_body = PasskeyLogin,
    responses(
        (status = 200, description = "Signed in; sets the cookie `jwt`", body = PasskeyLoginResponse),
        (status = 400, description = "The body is invalid, or the challenge has expired or was answered",
            body = ContentErrorBody),
        (status = 401, description = "The passkey is unknown, or does not answer the challenge", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
        (status = 409, description = "The service's address has no domain name", body = ContentErrorBody),
        (status = 413, description = "The body is larger than 32 KiB", body = ContentErrorBody),
        (status = 429, description = "Too many failed sign-ins from the network address", body = ContentErrorBody),
    )
)]
pub async fn login(
    State(identity): State<Identity>,
    address: Option<Extension<ConnectInfo<SocketAddr>>>,
    request: Request,
) -> Result<Response, Problem> {
    refuse_foreign(&identity.door, request.headers())?;
    let address: Option<IpAddr> = address.map(|Extension(ConnectInfo(address))| address.ip());
    let (throttle, now) = (&identity.passkey_throttle, identity.door.ambient.now());
    if let Some(retry_after) = throttle.wait(NO_ACCOUNT, address, now) {
        return Err(Problem::TooManyRequests { message: "Too many failed sign-ins; try again later.", retry_after });
    }
    let login: PasskeyLogin = JsonBody::of_short_request(request, LONGEST_BODY_BYTES).await.read()?;
    let timezone = login.timezone.clone();
    let signed_in = match judge(&identity, login).await {
        Ok(shown) => open(&identity, shown, timezone).await,
        Err(problem) => Err(problem),
    };
    if let Err(Problem::Unauthorized(_)) = &signed_in {
        throttle.note_failure(NO_ACCOUNT, address, now);
    }
    let (user, token) = signed_in?;
    let mut response = Answer::ok(&PasskeyLoginResponse { user }).into_response();
    let headers: &mut header::HeaderMap = response.headers_mut();
    headers.insert(SET_COOKIE, sessions::cookie_of(&identity.door, &token));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// A passkey that answered its challenge.
struct Shown {
    stored: StoredPasskey,
    /// With the counter of this use.
    credential: String,
    ceremony: Use,
}

async fn judge(identity: &Identity, login: PasskeyLogin) -> Result<Shown, Problem> {
    let party = identity.relying_party()?;
    let now = identity.door.ambient.now();
    let opened = party.ceremonies.open::<DiscoverableAuthentication>(now, PURPOSE, &login.ceremony)?;
    let (state, ceremony) = opened.split();
    let answer: PublicKeyCredential = serde_json::from_value(login.credential).map_err(|_| REFUSED)?;
    let identified = party.webauthn.identify_discoverable_authentication(&answer);
    let (user, credential_id) = identified.map_err(|_| REFUSED)?;
    let credential_id = credential_id_text(credential_id);
    let find = move |tx: &mut Tx<'_>| passkeys::find(tx, &credential_id);
    let stored = identity.door.store.read("passkeys.find", find).await.map_err(Problem::from)?;
    let stored = stored.filter(|stored| stored.user_id.uuid() == user).ok_or(REFUSED)?;
    let mut passkey: Passkey = serde_json::from_str(&stored.credential).map_err(Problem::unexpected)?;
    let key = DiscoverableKey::from(&passkey);
    let verified = party.webauthn.finish_discoverable_authentication_v2(&answer, state, &key).map_err(|error| {
        tracing::info!(%error, "nobody was signed in with a passkey");
        REFUSED
    })?;
    passkey.update_credential(&verified);
    let credential = serde_json::to_string(&passkey).map_err(Problem::unexpected)?;
    Ok(Shown { stored, credential, ceremony })
}

/// Opens the session, unless the passkey was removed meanwhile.
async fn open(identity: &Identity, shown: Shown, timezone: String) -> Result<(SignedInUser, SecretString), Problem> {
    let token = SecretString::from(random_token(&identity.door.ambient));
    let given = token.clone();
    let open = move |tx: &mut Tx<'_>| {
        shown.ceremony.note(tx)?;
        if !passkeys::note_use(tx, shown.stored.id, &shown.credential)? {
            return Err(REFUSED);
        }
        let user = admins::find_user(tx, shown.stored.user_id)?.ok_or(REFUSED)?;
        sessions::open(tx, &given, user.id, &timezone, Method::Passkey)?;
        Ok::<_, Problem>(user)
    };
    let user = identity.door.store.write("passkeys.login", open).await?;
    Ok((user, token))
}
