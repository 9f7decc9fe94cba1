//! `POST /auth/login`: e-mail and password become the cookie `jwt` (content-api section 4).
//!
//! A wrong password and an unknown e-mail get the same answer after the same work.

use std::net::{IpAddr, SocketAddr};

use axum::Extension;
use axum::extract::{ConnectInfo, State};
use axum::response::{IntoResponse, Response};
use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderValue};
use kernel::id::UserId;
use kernel::secret::{SecretString, random_token, sha256_hex};
use serde::Serialize;

use super::{COOKIE_NAME, SESSION_LIFE};
use crate::admins::normalize_email;
use crate::answer::Answer;
use crate::body::{JsonBody, any_text, text};
use crate::door::Door;
use crate::passwords;
use crate::problem::{ContentErrorBody, Problem};

const LONGEST_EMAIL: usize = 320;
const LONGEST_PASSWORD: usize = 1024;

/// The sign-in form.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct LoginRequest {
    /// The admin's e-mail address.
    #[schema(example = "admin@example.com")]
    email: String,
    /// The password.
    #[schema(example = "correct horse battery staple")]
    password: String,
    /// An IANA time zone name.
    #[schema(example = "Europe/Berlin")]
    timezone: String,
}

/// Who signed in. The session itself is in the cookie.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginResponse {
    user: SignedInUser,
}

/// The signed-in admin.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedInUser {
    #[schema(value_type = String, format = Uuid)]
    id: UserId,
    email: String,
    is_operator: bool,
}

struct Login {
    email: String,
    password: SecretString,
    timezone: String,
}

struct Account {
    user: SignedInUser,
    password_hash: String,
}

/// Signs an admin in.
#[utoipa::path(
    post, path = "/auth/login", tag = "Admin session", request_body = LoginRequest,
    params(("Referer" = String, Header, description = "The service's own sign-in page; `Origin` does as well")),
    responses(
        (status = 200, description = "Signed in; sets the cookie `jwt`", body = LoginResponse),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "E-mail or password is wrong", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
        (status = 429, description = "Too many failed sign-ins", body = ContentErrorBody),
    )
)]
pub async fn login(
    State(door): State<Door>,
    address: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, Problem> {
    if !door.own_origin.is_proven_by(&headers) {
        return Err(Problem::Forbidden("Sign-in is only possible from this service's own pages."));
    }
    let login = read(&body)?;
    let address: Option<IpAddr> = address.map(|Extension(ConnectInfo(address))| address.ip());
    let now = door.ambient.now();
    if let Some(retry_after) = door.login_throttle.wait(&login.email, address, now) {
        return Err(Problem::TooManyRequests { message: "Too many failed sign-ins; try again later.", retry_after });
    }
    let Some(user) = verify(&door, &login).await? else {
        door.login_throttle.note_failure(&login.email, address, now);
        return Err(Problem::Unauthorized("The e-mail address or the password is wrong."));
    };
    door.login_throttle.note_success(&login.email);
    let token = open_session(&door, &user, login.timezone).await?;
    let mut response = Answer::ok(&LoginResponse { user }).into_response();
    response.headers_mut().insert(SET_COOKIE, set_cookie(&token, SESSION_LIFE.as_secs(), door.own_origin.is_secure()));
    Ok(response)
}

fn read(body: &JsonBody) -> Result<Login, Problem> {
    body.read(|fields| {
        let email = fields.required("email", text(1..=LONGEST_EMAIL));
        let password = fields.required("password", text(1..=LONGEST_PASSWORD));
        let timezone = fields.required("timezone", |value, at| {
            let name = any_text(value, at)?;
            match jiff::tz::TimeZone::get(&name) {
                Ok(_) => Some(name),
                Err(_) => at.refuse("must be the name of an IANA time zone"),
            }
        });
        Some(Login { email: normalize_email(&email?), password: password?.into(), timezone: timezone? })
    })
}

async fn verify(door: &Door, login: &Login) -> Result<Option<SignedInUser>, Problem> {
    let email = login.email.clone();
    let account = door.store.read("sessions.find_account", move |tx| {
        tx.find("SELECT id, email, is_operator, password_hash FROM admin_user WHERE email = $1", &[&email], |row| {
            let user = SignedInUser { id: row.get(0)?, email: row.get(1)?, is_operator: row.get(2)? };
            Ok(Account { user, password_hash: row.get(3)? })
        })
    });
    let (user, stored) = match account.await? {
        Some(account) => (Some(account.user), Some(account.password_hash)),
        None => (None, None),
    };
    let is_right = passwords::verify(login.password.clone(), stored).await;
    Ok(user.filter(|_| is_right))
}

async fn open_session(door: &Door, user: &SignedInUser, timezone: String) -> Result<String, Problem> {
    let token = random_token(&door.ambient);
    let token_hash = sha256_hex(token.as_bytes());
    let id = user.id;
    door.store
        .write("sessions.open", move |tx| super::open(tx, &token_hash, id, &timezone).map_err(Problem::from))
        .await?;
    Ok(token)
}

pub(super) fn set_cookie(token: &str, max_age_seconds: u64, is_secure: bool) -> HeaderValue {
    let secure = if is_secure { "; Secure" } else { "" };
    let cookie = format!("{COOKIE_NAME}={token}; Path=/; Max-Age={max_age_seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&cookie).expect("a token is made of header characters")
}
