//! `POST /auth/login`: e-mail and password become the cookie `jwt` (content-api section 4).
//!
//! A wrong password and an unknown e-mail get the same answer after the same work.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use axum::Extension;
use axum::extract::{ConnectInfo, Request, State};
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::SET_COOKIE;
use kernel::id::UserId;
use kernel::secret::{SecretString, random_token};
use serde::Serialize;
use store::Tx;

use super::{COOKIE_NAME, Method};
use crate::admins::{SignedInUser, find_account, normalize_email};
use crate::answer::Answer;
use crate::body::{Body, Check as _, JsonBody, any_text, text};
use crate::door::Door;
use crate::passwords::{self, Turn};
use crate::problem::{ContentErrorBody, Problem};
use crate::second_factors::{self, Proof, Status};

/// Anybody may send this body.
const LONGEST_BODY_BYTES: usize = 8 * 1024;
/// What a client is told to wait when many sign in at once.
const CROWD_RETRY_AFTER: Duration = Duration::from_secs(2);

/// The sign-in form.
#[derive(Body)]
pub struct LoginRequest {
    /// The admin's e-mail address.
    #[field(text(1..=320).format("email").map(|email| normalize_email(&email)), example = "admin@example.com")]
    email: String,
    /// The password.
    #[field(text(1..=1024).format("password").map(SecretString::from), example = "correct horse battery staple")]
    password: SecretString,
    /// An IANA time zone name.
    #[field(any_text().parsed(time_zone), example = "Europe/Berlin")]
    timezone: String,
    /// The six digits of the authenticator app, where the admin has one.
    #[field(text(6..=6), example = "123456")]
    code: Option<String>,
    /// A recovery code in its place.
    #[field(text(1..=64), example = "abcd-efgh-jkmn-pqrs")]
    recovery_code: Option<String>,
}

impl LoginRequest {
    fn proof(&self) -> Option<Proof> {
        let code = self.code.clone().map(Proof::Code);
        code.or_else(|| self.recovery_code.clone().map(Proof::RecoveryCode))
    }
}

/// An IANA time zone.
///
/// # Errors
/// What is wrong with the name.
pub fn time_zone(name: String) -> Result<String, &'static str> {
    jiff::tz::TimeZone::get(&name).map(|_| name).map_err(|_| "must be the name of an IANA time zone")
}

/// Who signed in. The session itself is in the cookie.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginResponse {
    user: SignedInUser,
}

/// Signs an admin in.
///
/// Anybody may call it: the password is the credential.
#[utoipa::path(
    post, path = "/auth/login", tag = "Admin session", security(()), request_body = LoginRequest,
    params(("Referer" = String, Header, description = "The service's own sign-in page; `Origin` does as well")),
    responses(
        (status = 200, description = "Signed in; sets the cookie `jwt`", body = LoginResponse),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "E-mail, password or second factor is wrong, or a second factor is needed", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
        (status = 413, description = "The body is larger than 8 KiB", body = ContentErrorBody),
        (status = 429, description = "Too many failed sign-ins", body = ContentErrorBody),
    )
)]
pub async fn login(
    State(door): State<Door>,
    address: Option<Extension<ConnectInfo<SocketAddr>>>,
    request: Request,
) -> Result<Response, Problem> {
    if !door.own_origin.is_proven_by(request.headers()) {
        return Err(Problem::Forbidden("Sign-in is only possible from this service's own pages."));
    }
    let login: LoginRequest = JsonBody::of_short_request(request, LONGEST_BODY_BYTES).await.read()?;
    let address: Option<IpAddr> = address.map(|Extension(ConnectInfo(address))| address.ip());
    // A task of its own: a client that hangs up neither frees its turn early nor escapes the count.
    let judged = tokio::spawn(judge(door.clone(), login, address)).await.map_err(Problem::unexpected)?;
    let (user, token) = judged?;
    let mut response = Answer::ok(&LoginResponse { user }).into_response();
    response.headers_mut().insert(SET_COOKIE, super::cookie_of(&door, &token));
    Ok(response)
}

/// Judges the password and the second factor, unless there were too many wrong ones, and opens the session.
async fn judge(
    door: Door,
    login: LoginRequest,
    address: Option<IpAddr>,
) -> Result<(SignedInUser, SecretString), Problem> {
    let refuse_throttled = || match door.login_throttle.wait(&login.email, address, door.ambient.now()) {
        None => Ok(()),
        Some(retry_after) => {
            Err(Problem::TooManyRequests { message: "Too many failed sign-ins; try again later.", retry_after })
        }
    };
    refuse_throttled()?;
    let turn = passwords::turn().await.ok_or(Problem::TooManyRequests {
        message: "Too many sign-ins at once; try again shortly.",
        retry_after: CROWD_RETRY_AFTER,
    })?;
    // Asked again: of guesses sent all at once, most wait here while the first ones fail.
    refuse_throttled()?;
    let opened = match verify(&door, &turn, &login).await? {
        Some(user) => open_session(&door, user.id, &login).await.map(|token| (user, token)),
        None => Err(Problem::Unauthorized("The e-mail address or the password is wrong.")),
    };
    match &opened {
        Ok(_) => door.login_throttle.note_success(&login.email),
        // Of the second factor too: its codes are short.
        Err(Problem::Unauthorized(_)) => {
            door.login_throttle.note_failure(&login.email, address, door.ambient.now());
        }
        Err(_) => {}
    }
    opened
}

async fn verify(door: &Door, turn: &Turn, login: &LoginRequest) -> Result<Option<SignedInUser>, Problem> {
    let email = login.email.clone();
    let account = door.store.read("sessions.find_account", move |tx| find_account(tx, &email));
    let (user, password_hash) = account.await?.unzip();
    let is_right = passwords::verify(turn, login.password.clone(), password_hash).await;
    Ok(user.filter(|_| is_right))
}

/// Opens a session whose password was right, if the second factor is too.
async fn open_session(door: &Door, user: UserId, login: &LoginRequest) -> Result<SecretString, Problem> {
    let token = SecretString::from(random_token(&door.ambient));
    let (given, timezone, proof) = (token.clone(), login.timezone.clone(), login.proof());
    let factors = door.second_factors.clone();
    let uses_a_code = proof.is_some();
    let open = move |tx: &mut Tx<'_>| {
        let method = match (second_factors::status(tx, user)?, &proof) {
            (Status::Absent, _) => Method::Password,
            (Status::Confirmed, None) => return Err(Problem::SecondFactorRequired),
            (Status::Confirmed, Some(proof)) => {
                factors.check(tx, user, proof)?;
                Method::Totp
            }
        };
        super::open(tx, &given, user, &timezone, method)?;
        Ok(())
    };
    if uses_a_code {
        // A code that counted once must never count again.
        door.store.write("sessions.open", open).await?;
    } else {
        // Nobody waits for the disk: a session that a power failure takes back costs another sign-in, no more.
        door.store.delayed_claim("sessions.open", open).await?;
    }
    Ok(token)
}

pub(super) fn set_cookie(token: &str, max_age_seconds: u64, is_secure: bool) -> HeaderValue {
    let secure = if is_secure { "; Secure" } else { "" };
    let cookie = format!("{COOKIE_NAME}={token}; Path=/; Max-Age={max_age_seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&cookie).expect("a token is made of header characters")
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;
    use http::StatusCode;
    use http::header::{ORIGIN, REFERER};
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{EMAIL, Edge, PASSWORD, SIGN_IN_PAGE};

    fn form() -> Value {
        json!({ "email": EMAIL, "password": PASSWORD, "timezone": "Europe/Berlin" })
    }

    fn without(name: &str) -> Value {
        let mut form = form();
        form.as_object_mut().unwrap().remove(name);
        form
    }

    fn with(name: &str, value: Value) -> Value {
        let mut form = form();
        form[name] = value;
        form
    }

    #[both_stores]
    async fn the_cookie_is_http_only_same_site_secure_under_https_and_lasts_12_hours(test: TestStore) {
        let reply = Edge::new(test).await.sign_in(EMAIL, PASSWORD).await;
        assert_eq!(reply.status, StatusCode::OK);
        let cookie = reply.header("set-cookie").to_owned();
        let (pair, attributes) = cookie.split_once("; ").unwrap();
        assert_eq!(attributes, "Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure");
        assert_eq!(pair.strip_prefix("jwt=").map(str::len), Some(43));
    }

    #[both_stores]
    async fn the_cookie_is_not_secure_under_plain_http(test: TestStore) {
        let edge = Edge::at("http://127.0.0.1:8080", test).await;
        let reply = edge.sign_in_with(&[("referer", "http://localhost:8080/console")], &form()).await;
        assert_eq!(reply.status, StatusCode::OK);
        assert!(!reply.header("set-cookie").contains("Secure"));
    }

    #[both_stores]
    async fn the_answer_names_the_admin_and_holds_neither_token_nor_key(test: TestStore) {
        let edge = Edge::new(test).await;
        let reply = edge.sign_in(EMAIL, PASSWORD).await;
        assert_eq!(
            reply.json(),
            json!({ "user": { "id": edge.admin.to_string(), "email": EMAIL, "isOperator": false } })
        );
    }

    #[both_stores]
    async fn the_email_is_compared_without_case_and_outer_space(test: TestStore) {
        let edge = Edge::new(test).await;
        assert_eq!(edge.sign_in(" Admin@Example.COM ", PASSWORD).await.status, StatusCode::OK);
    }

    #[both_stores]
    async fn a_wrong_email_and_a_wrong_password_get_the_same_answer(test: TestStore) {
        let edge = Edge::new(test).await;
        let password = edge.sign_in(EMAIL, "wrong").await;
        let email = edge.sign_in("nobody@example.com", PASSWORD).await;
        assert_eq!((password.status, email.status), (StatusCode::UNAUTHORIZED, StatusCode::UNAUTHORIZED));
        assert_eq!(password.body, email.body);
        assert_eq!((password.header("set-cookie"), email.header("set-cookie")), ("", ""));
        assert_eq!(edge.sessions().await, 0);
    }

    #[both_stores]
    async fn referer_or_origin_must_be_the_services_own(test: TestStore) {
        let edge = Edge::new(test).await;
        for own in [(REFERER, SIGN_IN_PAGE), (ORIGIN, "https://lectern.example")] {
            let reply = edge.sign_in_with(&[(own.0.as_str(), own.1)], &form()).await;
            assert_eq!(reply.status, StatusCode::OK, "{own:?}");
        }
        let foreign: [&[(&str, &str)]; 7] = [
            &[],
            &[("referer", "https://evil.example/console/sign-in")],
            &[("referer", "https://lectern.example.evil.example/")],
            &[("referer", "http://lectern.example/")],
            &[("referer", "no address")],
            &[("origin", "null")],
            &[("origin", "https://evil.example"), ("referer", SIGN_IN_PAGE)],
        ];
        for headers in foreign {
            let reply = edge.sign_in_with(headers, &form()).await;
            assert_eq!(reply.status, StatusCode::FORBIDDEN, "{headers:?}");
            assert_eq!(reply.header("set-cookie"), "");
        }
        assert_eq!(edge.sessions().await, 2);
    }

    #[both_stores]
    async fn the_timezone_must_be_an_iana_zone(test: TestStore) {
        let edge = Edge::new(test).await;
        for zone in ["UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+5"] {
            let reply = edge.sign_in_with(&[("referer", SIGN_IN_PAGE)], &with("timezone", json!(zone))).await;
            assert_eq!(reply.status, StatusCode::OK, "{zone}");
        }
        for zone in [json!("Mars/Olympus"), json!(""), json!("../etc/passwd"), json!(1), json!(null)] {
            let reply = edge.sign_in_with(&[("referer", SIGN_IN_PAGE)], &with("timezone", zone.clone())).await;
            assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{zone}");
            assert_eq!(reply.json()["details"][0]["path"], "timezone");
        }
    }

    #[both_stores]
    async fn every_missing_or_wrong_field_is_named(test: TestStore) {
        let edge = Edge::new(test).await;
        for name in ["email", "password", "timezone"] {
            let reply = edge.sign_in_with(&[("referer", SIGN_IN_PAGE)], &without(name)).await;
            assert_eq!(reply.json()["details"], json!([{ "path": name, "message": "is required" }]));
        }
        let reply = edge.sign_in_with(&[("referer", SIGN_IN_PAGE)], &json!({ "email": 1, "password": [] })).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST);
        assert_eq!(reply.json()["details"].as_array().map(Vec::len), Some(3));
    }

    #[both_stores]
    async fn guessing_is_throttled_until_the_time_that_retry_after_tells(test: TestStore) {
        let edge = Edge::new(test).await;
        for _ in 0..10 {
            assert_eq!(edge.sign_in(EMAIL, "wrong").await.status, StatusCode::UNAUTHORIZED);
        }
        let refused = edge.sign_in(EMAIL, PASSWORD).await;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        let wait: u64 = refused.header("retry-after").parse().unwrap();
        assert_eq!(edge.sign_in("other@example.com", "wrong").await.status, StatusCode::UNAUTHORIZED);
        edge.test.clock.advance(std::time::Duration::from_secs(wait));
        assert_eq!(edge.sign_in(EMAIL, PASSWORD).await.status, StatusCode::OK);
    }

    #[both_stores]
    async fn guesses_at_the_same_time_are_throttled_too(test: TestStore) {
        let edge = Edge::new(test).await;
        let replies = join_all((0..15).map(|_| edge.sign_in(EMAIL, "wrong"))).await;
        let judged = replies.iter().filter(|reply| reply.status == StatusCode::UNAUTHORIZED).count();
        assert!((10..=11).contains(&judged), "{judged}: two are judged at a time");
    }

    #[both_stores]
    async fn an_admin_may_sign_in_from_many_places_at_once(test: TestStore) {
        let edge = Edge::new(test).await;
        let replies = join_all((0..15).map(|_| edge.sign_in(EMAIL, PASSWORD))).await;
        assert!(replies.iter().all(|reply| reply.status == StatusCode::OK));
        assert_eq!(edge.sessions().await, 15);
    }

    #[both_stores]
    async fn a_lost_database_is_503_and_no_failed_guess(test: TestStore) {
        let edge = Edge::new(test).await;
        edge.test.store.close().await;
        for _ in 0..20 {
            let reply = edge.sign_in(EMAIL, PASSWORD).await;
            assert_eq!((reply.status, reply.header("retry-after")), (StatusCode::SERVICE_UNAVAILABLE, "5"));
        }
    }
}
