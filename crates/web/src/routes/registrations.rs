//! Registration links, as a learning platform opens them for its administrator (Dynamic Registration 1.0).
//!
//! | address | |
//! |---|---|
//! | `GET /v1/platform/lti/register/{token}` | asks the administrator whether workspace and platform are to be connected |
//! | `POST` to the same | connects them, and says what is left to be done |
//!
//! `GET` changes nothing: previews of links and browsers that load ahead must not use a link up. The token in the address is the
//! credential, which no other site knows, so the form needs no further one. Programs get the error envelope of the platform surface.

use askama::Template;
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use edge::problem::{Detail, Problem};
use http::StatusCode;
use platform::Platform;
use platform::lti::REGISTER_PATH;
use platform::lti::registration_links::connect::{self, NotConnected, PlatformQuery};
use platform::lti::registration_links::refusal::{Reason, Refusal};
use url::form_urlencoded;

use super::launches::Asker;
use super::{Pages, forms};
use crate::headers::Framing;
use crate::pages::error::Missing;
use crate::pages::registration::{ConnectForm, ConnectPage, ConnectedPage, NotConnectedPage};
use crate::pages::shell::Site;

#[derive(Clone)]
struct Registrations {
    pages: Pages,
    platform: Platform,
}

/// The routes of registration links.
pub(super) fn routes(pages: Pages, platform: Platform) -> Router {
    let path = format!("{REGISTER_PATH}/{{token}}");
    Router::new().route(&path, get(ask).post(connect)).with_state(Registrations { pages, platform })
}

async fn ask(State(registrations): State<Registrations>, Path(token): Path<String>, request: Request) -> Response {
    let asker = Asker::of(&request);
    let fields: Vec<_> = form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes()).collect();
    let query = query_of(&fields);
    match connect::preview(&registrations.platform, &token, &query).await {
        Ok(invitation) => {
            let action = format!("{}{REGISTER_PATH}/{token}", registrations.site().root);
            let page = ConnectPage::new(registrations.site(), asker.texts, invitation, ConnectForm { action, query });
            registrations.page(StatusCode::OK, &page)
        }
        Err(not) => registrations.not_connected(&asker, not),
    }
}

async fn connect(State(registrations): State<Registrations>, Path(token): Path<String>, request: Request) -> Response {
    let asker = Asker::of(&request);
    let (parts, body) = request.into_parts();
    let fields = match forms::fields(&parts, body).await {
        Ok(fields) => fields,
        Err(problem) if asker.takes_html => return registrations.missing(&asker, forms::missing(&problem)),
        Err(problem) => return problem.into_response(),
    };
    match connect::connect(&registrations.platform, &token, &query_of(&fields)).await {
        Ok(connected) => {
            registrations.page(StatusCode::OK, &ConnectedPage::new(registrations.site(), asker.texts, connected))
        }
        Err(not) => registrations.not_connected(&asker, not),
    }
}

/// What the platform added to the link: in a query at first, then in the form of our page.
fn query_of<T: AsRef<str>>(fields: &[(T, T)]) -> PlatformQuery {
    let find =
        |name: &str| fields.iter().find(|(own, _)| own.as_ref() == name).map(|(_, value)| value.as_ref().to_owned());
    PlatformQuery {
        openid_configuration: find("openid_configuration").unwrap_or_default(),
        registration_token: find("registration_token").filter(|token| !token.is_empty()),
    }
}

impl Registrations {
    fn not_connected(&self, asker: &Asker, not: NotConnected) -> Response {
        match not {
            NotConnected::Refused(refusal) if !asker.takes_html => problem(&refusal).into_response(),
            NotConnected::Refused(Refusal { reason: Reason::UnknownLink, .. }) => {
                self.missing(asker, Missing::NotFound)
            }
            NotConnected::Refused(refusal) => {
                self.page(status(refusal.reason), &NotConnectedPage::new(self.site(), asker.texts, &refusal))
            }
            NotConnected::Store(_) if asker.takes_html => self.missing(asker, Missing::Unavailable),
            NotConnected::Store(error) => Problem::from(error).into_response(),
        }
    }

    fn missing(&self, asker: &Asker, missing: Missing) -> Response {
        self.pages.missing_framed(asker.texts, missing)
    }

    fn page(&self, status: StatusCode, page: &impl Template) -> Response {
        self.pages.framed(status, page, Framing::ByPlatforms)
    }

    fn site(&self) -> &Site {
        &self.pages.0.site
    }
}

fn status(reason: Reason) -> StatusCode {
    match reason {
        Reason::UnknownLink => StatusCode::NOT_FOUND,
        Reason::UsedLink | Reason::ExpiredLink | Reason::RevokedLink => StatusCode::GONE,
        Reason::SuspendedWorkspace => StatusCode::FORBIDDEN,
        Reason::BusyLink | Reason::Taken | Reason::LostLink => StatusCode::CONFLICT,
        Reason::NoPlatform
        | Reason::PlatformAddress
        | Reason::RegistrationToken
        | Reason::NoConfiguration
        | Reason::Configuration
        | Reason::Issuer
        | Reason::Refused
        | Reason::NoAnswer
        | Reason::Answer => StatusCode::BAD_REQUEST,
    }
}

/// A refusal for a program. The envelope has no code for a link that is gone: it is not found.
fn problem(refusal: &Refusal) -> Problem {
    let reason = refusal.reason;
    match status(reason) {
        StatusCode::NOT_FOUND | StatusCode::GONE => Problem::NotFound("LTI registration link"),
        StatusCode::FORBIDDEN => Problem::Forbidden(reason.sentence()),
        StatusCode::CONFLICT => Problem::Conflict(reason.sentence()),
        _ => {
            let detail = refusal.detail.iter().map(|detail| format!(" ({detail})")).collect::<String>();
            let message = format!("{}{detail}", reason.sentence());
            Problem::Invalid(vec![Detail { path: parameter(reason).to_owned(), message }])
        }
    }
}

/// The parameter that a reason is about.
fn parameter(reason: Reason) -> &'static str {
    if reason == Reason::RegistrationToken { "registration_token" } else { "openid_configuration" }
}
