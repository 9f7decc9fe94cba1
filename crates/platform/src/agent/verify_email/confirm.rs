//! `GET /v1/platform/agent/verify-email`, the link of the mail.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use design::EntrancePage;
use edge::answer::Answer;
use edge::context::{ShownProblem, takes_pages};
use edge::problem::{PlatformErrorBody, Problem};
use http::header::{ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use http::{HeaderMap, Uri};
use serde::Serialize;
use store::Tx;
use url::form_urlencoded;

use super::link::{LinkRefused, Links, Token};
use crate::Platform;
use crate::workspaces::verification;

const INVALID: &str = "is no link that this service sent to the workspace's present address";
const EXPIRED: &str = "has expired: ask for another mail";
const DONE: &str = "<p>The keys of your workspace work now. You can close this page.</p>";
const AWAY: &str = "<p>That did not work. Try again in a moment.</p>";
const FAILED: &str = "<p>The link has expired, or it was sent to another address. Ask for another mail.</p>";

/// That it worked.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailVerified {
    /// Always true.
    email_verified: bool,
}

/// Verifies the workspace's e-mail address, as often as the link is followed. A page for people, JSON where `Accept` asks
/// for it.
///
/// Anybody who has the link may call it: the token is the credential.
#[utoipa::path(
    get, path = "/v1/platform/agent/verify-email", tag = "Agent", operation_id = "verifyEmail", security(()),
    params(("token" = String, Query, description = "As the mail has it")),
    responses(
        (status = 200, description = "Verified", content(
            (EmailVerified = "application/json"), (String = "text/html"),
        )),
        (status = 400, description = "The link is not one of this service for the present address, or has expired; a browser \
            gets a page", content((PlatformErrorBody = "application/json"), (String = "text/html"))),
    )
)]
pub async fn confirm(State(platform): State<Platform>, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    match verify(&platform, &uri).await {
        Ok(()) if wants_json(&headers) => Ok(Answer::ok(&EmailVerified { email_verified: true }).into_response()),
        Ok(()) => Ok(page(&platform, "Your e-mail address is verified", DONE)),
        Err(problem) if takes_pages(&headers) => {
            let why = if matches!(problem, Problem::Invalid(_)) { FAILED } else { AWAY };
            Ok(ShownProblem::on(problem, page(&platform, "Your e-mail address could not be verified", why)))
        }
        Err(problem) => Err(problem),
    }
}

async fn verify(platform: &Platform, uri: &Uri) -> Result<(), Problem> {
    let token = token_of(uri.query().unwrap_or_default())?;
    let (workspace, links) = (token.workspace, platform.verification_links.clone());
    // Judged without the writer's turn: anybody may ask.
    let judge = move |tx: &mut Tx<'_>| judged(tx, &links, &token);
    let email = platform.door.store.read("verify_email.check", judge).await?;
    let verify = move |tx: &mut Tx<'_>| verification::verify(tx, workspace, &email);
    platform.door.store.write("verify_email.confirm", verify).await?;
    Ok(())
}

fn token_of(query: &str) -> Result<Token, Problem> {
    let given = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "token");
    let (_, text) = given.ok_or_else(|| Problem::field("token", "is required"))?;
    Token::read(&text).ok_or_else(|| Problem::field("token", INVALID))
}

/// The address that the token vouches for.
fn judged(tx: &mut Tx<'_>, links: &Links, token: &Token) -> Result<String, Problem> {
    let now = tx.now();
    let email: Option<Option<String>> =
        tx.find("SELECT email FROM workspace WHERE id = $1", &[&token.workspace], |row| row.get(0))?;
    let email = email.flatten().ok_or_else(|| Problem::field("token", INVALID))?;
    match links.check(token, &email, now) {
        Ok(()) => Ok(email),
        Err(LinkRefused::Invalid) => Err(Problem::field("token", INVALID)),
        Err(LinkRefused::Expired) => Err(Problem::field("token", EXPIRED)),
    }
}

/// Browsers name pages first, and programs that care name JSON alone.
fn wants_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    accept.contains("application/json") && !accept.contains("text/html")
}

/// The same for everybody: nothing of the workspace is in it.
fn page(platform: &Platform, title: &str, content: &str) -> Response {
    let root = platform.base_url.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
    let page = EntrancePage { root: root.unwrap_or_default(), language: "en", direction: "ltr", title, content };
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, EntrancePage::POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, page.html()).into_response()
}
