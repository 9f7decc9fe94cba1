//! Launches from learning platforms (platform-api section 4).
//!
//! | address | |
//! |---|---|
//! | `GET`, `POST /v1/platform/lti/login` | a platform begins a login: the browser is sent to it, or first to a page that finds a place for what the browser has to keep |
//! | `POST /v1/platform/lti/launch` | the platform posts the launch: the browser is sent on, or to the page that says why not |
//! | `GET`, `POST /launches/{id}/{token}` | what a launch shows that leads nowhere else ([`launched`]) |
//!
//! Platforms show all of them in frames. Programs get the error envelope of the platform surface instead of pages.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use edge::context::takes_pages;
use edge::problem::{Detail, Problem};
use http::header::{CACHE_CONTROL, COOKIE, LOCATION, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use lti::{LoginRequest, Reason, Refusal};
use platform::Platform;
use platform::lti::launch::{self, LaunchForm, Launched, Outcome};
use platform::lti::login::{self, Login};
use platform::lti::{LAUNCH_PATH, LOGIN_PATH, NotLaunched, Slot};
use url::{Url, form_urlencoded};

use super::{Pages, forms, launched, texts_of};
use crate::headers::Framing;
use crate::pages::error::Missing;
use crate::pages::launch::{AgainForm, LaunchPage, RefusedPage};
use crate::pages::shell::Site;
use crate::texts::Texts;

/// How long a browser keeps what a launch needs, in seconds: as long as a login holds.
const COOKIE_SECONDS: u32 = 600;

#[derive(Clone)]
pub(super) struct Launches(pub(super) Arc<Parts>);

pub(super) struct Parts {
    pub(super) pages: Pages,
    pub(super) platform: Platform,
    /// Browsers send cookies from inside other sites' frames over https only.
    is_https: bool,
}

/// Who asks, as far as an answer depends on it.
pub(super) struct Asker {
    pub(super) texts: &'static Texts,
    pub(super) takes_html: bool,
    /// The page is shown inside another one.
    is_framed: bool,
}

/// The routes of launches; `base_url` is the service's public address.
pub(super) fn routes(pages: Pages, platform: Platform, base_url: &Url) -> Router {
    let launches = Launches(Arc::new(Parts { pages, platform, is_https: base_url.scheme() == "https" }));
    Router::new()
        .route(LOGIN_PATH, get(begin).post(begin))
        .route(LAUNCH_PATH, post(complete))
        .route("/launches/{id}/{token}", get(launched::launch).post(launched::launch))
        .route("/launches/{id}/{token}/{module}", get(launched::part).post(launched::part))
        .with_state(launches)
}

async fn begin(State(launches): State<Launches>, request: Request) -> Response {
    let asker = Asker::of(&request);
    let (parts, body) = request.into_parts();
    let fields = match parts.method {
        Method::POST => forms::fields(&parts, body).await,
        _ => Ok(pairs(parts.uri.query().unwrap_or_default().as_bytes())),
    };
    let fields = match fields {
        Ok(fields) => fields,
        Err(problem) => return launches.no_form(&asker, problem),
    };
    match launches.log_in(&fields).await {
        Ok(login) => launches.send_to_platform(&asker, &login, &fields),
        Err(not) => launches.not_launched(&asker, not),
    }
}

async fn complete(State(launches): State<Launches>, request: Request) -> Response {
    let asker = Asker::of(&request);
    let (parts, body) = request.into_parts();
    let form = match forms::fields(&parts, body).await {
        Ok(fields) => form_of(&fields),
        Err(problem) => return launches.no_form(&asker, problem),
    };
    let platform = &launches.0.platform;
    match launch::complete(platform, &form, |name| cookie(&parts.headers, &launches.cookie_name(name))).await {
        Ok(Outcome::Launched(launched)) => launches.lead_on(&launched),
        Ok(Outcome::AskStorage(storage, slot)) => {
            let again = AgainForm {
                action: format!("{}{LAUNCH_PATH}", launches.site().root),
                state: form.state.unwrap_or_default(),
                id_token: form.id_token.unwrap_or_default(),
            };
            let slot = launches.cookie_name(&slot);
            let page = LaunchPage::ask_storage(launches.site(), asker.texts, storage, slot, again);
            launches.page(StatusCode::OK, &page)
        }
        Err(not) => launches.not_launched(&asker, not),
    }
}

impl Launches {
    async fn log_in(&self, fields: &[(String, String)]) -> Result<Login, NotLaunched> {
        let request = LoginRequest::read(fields.iter().map(|(name, value)| (name.as_str(), value.as_str())))?;
        let mut login = login::begin(&self.0.platform, &request).await?;
        login.slot.name = self.cookie_name(&login.slot.name);
        Ok(login)
    }

    /// Browsers that show the page by itself keep its cookie. In a frame they may not: a page finds out.
    fn send_to_platform(&self, asker: &Asker, login: &Login, fields: &[(String, String)]) -> Response {
        let mut response = if asker.is_framed {
            let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
            let again = format!("{}{LOGIN_PATH}?{query}", self.site().root);
            self.page(StatusCode::OK, &LaunchPage::login(self.site(), asker.texts, login, again))
        } else {
            redirect(login.url.as_str())
        };
        response.headers_mut().append(SET_COOKIE, self.cookie(&login.slot, COOKIE_SECONDS));
        response
    }

    fn lead_on(&self, launched: &Launched) -> Response {
        let own_page = || self.0.platform.launch_page(launched.session.id);
        let mut response = redirect(&launched.own_url().map_or_else(own_page, String::from));
        let used = Slot { name: self.cookie_name(&launched.slot.name), value: String::new() };
        response.headers_mut().append(SET_COOKIE, self.cookie(&used, 0));
        response
    }

    /// No other site can set a cookie of this prefix, not even a neighbour of the same domain.
    fn cookie_name(&self, slot: &str) -> String {
        format!("{}{slot}", if self.0.is_https { "__Host-" } else { "" })
    }

    /// The page reads it to find out whether it was kept. `Partitioned` has browsers keep it that keep no other third
    /// party's.
    fn cookie(&self, slot: &Slot, seconds: u32) -> HeaderValue {
        let reach = if self.0.is_https { "; Secure; SameSite=None; Partitioned" } else { "" };
        let text = format!("{}={}; Path=/; Max-Age={seconds}{reach}", slot.name, slot.value);
        HeaderValue::from_str(&text).expect("slots are ASCII")
    }

    fn not_launched(&self, asker: &Asker, not: NotLaunched) -> Response {
        match not {
            NotLaunched::Refused(refusal) if asker.takes_html => {
                let page = RefusedPage::new(self.site(), asker.texts, &refusal);
                self.page(status(refusal.reason), &page)
            }
            NotLaunched::Refused(refusal) => problem(&refusal).into_response(),
            NotLaunched::Store(_) if asker.takes_html => self.missing(asker, Missing::Unavailable),
            NotLaunched::Store(error) => Problem::from(error).into_response(),
        }
    }

    fn no_form(&self, asker: &Asker, problem: Problem) -> Response {
        if asker.takes_html { self.missing(asker, forms::missing(&problem)) } else { problem.into_response() }
    }

    fn missing(&self, asker: &Asker, missing: Missing) -> Response {
        self.missing_page(asker.texts, missing)
    }

    /// The page that says why there is none.
    pub(super) fn missing_page(&self, texts: &'static Texts, missing: Missing) -> Response {
        self.0.pages.missing_framed(texts, missing)
    }

    pub(super) fn site(&self) -> &Site {
        &self.0.pages.0.site
    }

    /// A page that nobody keeps and platforms show in frames.
    pub(super) fn page(&self, status: StatusCode, page: &impl Template) -> Response {
        self.framed(status, page, Framing::ByPlatforms)
    }

    /// The same, as strict as its content needs.
    pub(super) fn framed(&self, status: StatusCode, page: &impl Template, framing: Framing) -> Response {
        self.0.pages.framed(status, page, framing)
    }
}

impl Asker {
    pub(super) fn of(request: &Request) -> Self {
        let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        Self {
            texts: texts_of(request),
            takes_html: takes_pages(request.headers()),
            is_framed: ["iframe", "frame", "embed", "object"].contains(&header("sec-fetch-dest")),
        }
    }
}

pub(super) fn pairs(text: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(text).into_owned().collect()
}

fn form_of(fields: &[(String, String)]) -> LaunchForm {
    let find = |name: &str| fields.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
    let filled = |name: &str| find(name).filter(|value| !value.is_empty());
    LaunchForm {
        state: filled("state"),
        id_token: filled("id_token"),
        error: filled("error"),
        error_description: filled("error_description"),
        browser: find("browser"),
    }
}

fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(own, _)| *own == name).map(|(_, value)| value.to_owned())
}

/// The browser goes on with GET.
fn redirect(to: &str) -> Response {
    match HeaderValue::from_str(to) {
        Ok(to) => {
            (StatusCode::FOUND, [(LOCATION, to), (CACHE_CONTROL, HeaderValue::from_static("no-store"))]).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn status(reason: Reason) -> StatusCode {
    match reason {
        Reason::UnknownPlatform => StatusCode::NOT_FOUND,
        Reason::InactivePlatform | Reason::SuspendedWorkspace | Reason::DeploymentNotListed => StatusCode::FORBIDDEN,
        _ => StatusCode::BAD_REQUEST,
    }
}

/// A refusal for a program.
fn problem(refusal: &Refusal) -> Problem {
    let reason = refusal.reason;
    match status(reason) {
        StatusCode::NOT_FOUND => Problem::NotFound("LTI registration"),
        StatusCode::FORBIDDEN => Problem::Forbidden(reason.sentence()),
        _ => Problem::Invalid(vec![Detail {
            path: parameter(reason).to_owned(),
            message: format!("is refused: {} {}", reason.sentence(), reason.advice()).trim_end_matches('.').to_owned(),
        }]),
    }
}

/// The parameter that a reason is about.
fn parameter(reason: Reason) -> &'static str {
    match reason {
        Reason::NoIssuer => "iss",
        Reason::NoLoginHint => "login_hint",
        Reason::NoTarget => "target_link_uri",
        Reason::AmbiguousPlatform => "client_id",
        Reason::NoState | Reason::ForeignState | Reason::LateState | Reason::OtherBrowser => "state",
        Reason::PlatformError => "error",
        Reason::TooLong => "",
        _ => "id_token",
    }
}
