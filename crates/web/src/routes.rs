//! The addresses of pages.
//!
//! | address | page |
//! |---|---|
//! | `GET /` | what this is, for people and for programs |
//! | `GET`, `POST /public/{kind}/{id}` | a public resource; `POST` checks answers, all or those to one item |
//! | `GET`, `POST /public/courses/{id}/{moduleId}` | a module where it stands in a public course |
//! | the same below `/preview/{kind}/{id}/{token}` | any resource, for whoever has its link |
//! | `GET /public/videos/{id}/{file}`, the same below `/preview` | what was rendered of a video |
//! | [`reviews`] | a video as whoever has its edit link edits and renders it |
//! | [`launches`] | what learning platforms open |
//! | [`registrations`] | what their administrators open to connect them |
//! | `GET /assets/{version}/{name}`, `GET /favicon.ico` | style sheet, scripts, icons |
//!
//! What is unknown, not public or opened with a wrong token is one and the same 404.

mod forms;
mod grade;
mod landing;
mod launched;
mod launches;
mod open;
mod picking;
mod registrations;
mod respond;
mod reviews;
mod show;
mod video_files;

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts as _, Path, Request, State};
use axum::response::Response;
use axum::routing::get;
use content::Content;
use edge::context::Context;
use edge::operations::Draining;
use http::Method;
use http::header::{ACCEPT_LANGUAGE, IF_NONE_MATCH};
use kernel::turns::Turns;
use markup::Sanitizer;
use platform::Platform;
use url::Url;

use crate::headers::{Framing, PageHeaders};
use crate::pages::error::Missing;
use crate::pages::shell::{Access, Site};
use crate::pages::test::AnswerUse;
use crate::texts::Texts;
use open::PageAddress;

/// What the operator decides about pages.
#[derive(Clone, Debug, Default)]
pub struct PageOptions {
    /// Origins (`https://media.example`) that pictures in content may be loaded from. None by default: whoever serves a
    /// picture learns who reads the page.
    pub image_origins: Vec<String>,
    /// Origins (`https://lms.example`, `https://*.lms.example`) that may show learners' pages in a frame. None by default.
    /// Everything with a session is never framed.
    pub frame_origins: Vec<String>,
}

/// Pages that wait for their turn to be made; one more is told to come back.
const MOST_WAITING: usize = 256;
/// Pages whose open answers are graded at a time. A model takes seconds, which no processor of ours is busy for.
const GRADED_AT_ONCE: usize = 32;

#[derive(Clone)]
struct Pages(Arc<Parts>);

struct Parts {
    content: Content,
    /// Grades open answers.
    platform: Platform,
    draining: Draining,
    site: Site,
    /// The service's public address, without a slash at its end.
    base_url: String,
    sanitizer: Sanitizer,
    headers: PageHeaders,
    turns: Turns,
    /// Of pages that wait for grades.
    grading_turns: Turns,
}

/// The routes of pages; `base_url` is the service's public address.
pub fn router(
    content: Content,
    platform: Platform,
    base_url: &Url,
    options: PageOptions,
    draining: Draining,
) -> Router {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let site = Site { root: base_url.path().trim_end_matches('/').to_owned() };
    let pages = Pages(Arc::new(Parts {
        content,
        platform: platform.clone(),
        draining,
        site,
        base_url: base_url.as_str().trim_end_matches('/').to_owned(),
        headers: PageHeaders::new(&options.image_origins, &options.frame_origins),
        sanitizer: Sanitizer::new(options.image_origins).with_highlighting(),
        turns: Turns::new(processors, MOST_WAITING),
        grading_turns: Turns::new(GRADED_AT_ONCE, MOST_WAITING),
    }));
    Router::new()
        .route("/", get(landing::landing))
        .route("/favicon.ico", get(landing::favicon))
        .route("/public/{*rest}", get(public).post(public))
        .route("/preview/{*rest}", get(preview).post(preview))
        .route("/assets/{*rest}", get(respond::asset))
        .with_state(pages.clone())
        .merge(reviews::routes(pages.clone(), platform.clone()))
        .merge(registrations::routes(pages.clone(), platform.clone()))
        .merge(launches::routes(pages, platform, base_url))
}

impl Pages {
    /// Whether the page of an address is there and takes answers.
    async fn look(&self, address: &PageAddress, context: &Context) -> Result<bool, Missing> {
        let turn = self.turn(context).await?;
        Ok(self.open(&turn, address.clone(), context).await?.takes_answers())
    }
}

async fn public(State(pages): State<Pages>, request: Request) -> Response {
    answer(pages, Access::Public, request).await
}

async fn preview(State(pages): State<Pages>, request: Request) -> Response {
    answer(pages, Access::Preview, request).await
}

/// The language for a page that has none of its own.
fn texts_of(request: &Request) -> &'static Texts {
    let accepted = request.headers().get(ACCEPT_LANGUAGE).and_then(|header| header.to_str().ok());
    Texts::accepted(accepted.unwrap_or_default())
}

async fn answer(pages: Pages, access: Access, request: Request) -> Response {
    let texts = texts_of(&request);
    match try_answer(&pages, access, request).await {
        Ok(response) => response,
        Err(missing) => pages.missing(texts, missing),
    }
}

async fn try_answer(pages: &Pages, access: Access, request: Request) -> Result<Response, Missing> {
    let (mut parts, body) = request.into_parts();
    let path = Path::<String>::from_request_parts(&mut parts, &()).await.map_err(|_| Missing::NotFound)?;
    let Ok(context) = Context::from_request_parts(&mut parts, &()).await else { return Err(Missing::Broken) };
    if let Some((video, name)) = video_files::named(&path) {
        return pages.video_file((access, video, name), &parts, &context).await;
    }
    let address = PageAddress::of(&pages.0.content.links, access, &path).ok_or(Missing::NotFound)?;
    let form = match parts.method {
        Method::POST => {
            // Nothing is read for a page that takes no answers, and nothing of the page is held while the client sends them.
            if !pages.look(&address, &context).await? {
                return Ok(respond::only_get());
            }
            Some(forms::read(&parts, body).await?)
        }
        _ => None,
    };
    let is_answered = form.is_some();
    let turn = pages.turn(&context).await?;
    let opened = pages.open(&turn, address, &context).await?;
    if is_answered && !opened.takes_answers() {
        return Ok(respond::only_get());
    }
    let page = match form {
        Some(form) => pages.check((turn, opened), form, AnswerUse::Check, &context).await?,
        None => pages.make(turn, opened, None, AnswerUse::Check, &context).await?,
    };
    Ok(pages.page(page, parts.headers.get(IF_NONE_MATCH), Framing::ByNamedOrigins))
}
