//! The page where whoever has a video's edit link edits and renders it.
//!
//! | address | |
//! |---|---|
//! | `GET /videos/edit/{token}` | the scenes as a form, and how far the rendering is |
//! | `POST` to the same | saves the form, and does what its button says besides: moves, adds or removes a scene, or renders |
//!
//! Whatever button is pressed, the whole form is saved, so nobody loses words by moving a scene. The token in the address is
//! the credential, which no other site knows. The operations are those of the platform surface.

use std::collections::HashSet;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use edge::body::JsonBody;
use edge::problem::{Detail, Problem};
use edge::versions::Expected;
use http::StatusCode;
use kernel::id::VideoId;
use platform::Platform;
use platform::videos::{self, VideoReview};

use super::{Pages, forms};
use crate::headers::{Framing, Keeping};
use crate::pages::error::Missing;
use crate::pages::review::{Notice, ReviewPage};
use crate::pages::shell::Site;
use form::{Act, ReviewForm};

mod form;

#[derive(Clone)]
struct Reviews {
    pages: Pages,
    platform: Platform,
}

/// The routes of edit links.
pub(super) fn routes(pages: Pages, platform: Platform) -> Router {
    Router::new().route("/videos/edit/{token}", get(show).post(act)).with_state(Reviews { pages, platform })
}

/// The token of an address, where it is a text.
type Token = Result<Path<String>, PathRejection>;

async fn show(State(reviews): State<Reviews>, token: Token, request: Request) -> Response {
    let texts = super::texts_of(&request);
    let Some(video) = reviews.video(token) else { return reviews.pages.missing(texts, Missing::NotFound) };
    let notice = match request.uri().query() {
        Some("saved") => Some(Notice::Saved),
        _ => None,
    };
    match videos::get::find(&reviews.platform, video).await {
        Ok(review) => reviews.page(StatusCode::OK, video, (review, HashSet::new()), notice),
        Err(problem) => reviews.pages.missing(texts, missing(&problem)),
    }
}

async fn act(State(reviews): State<Reviews>, token: Token, request: Request) -> Response {
    let texts = super::texts_of(&request);
    // Nothing of the form is read for a link that opens nothing.
    let Some(video) = reviews.video(token) else { return reviews.pages.missing(texts, Missing::NotFound) };
    let (parts, body) = request.into_parts();
    let fields = match forms::fields(&parts, body).await {
        Ok(fields) => fields,
        Err(problem) => return reviews.pages.missing(texts, forms::missing(&problem)),
    };
    let form = ReviewForm::of(fields);
    match reviews.carry_out(video, &form).await {
        Ok(fragment) => reviews.page_anew(&format!("{}{fragment}", reviews.address(video))),
        Err(refused) => match videos::get::find(&reviews.platform, video).await {
            Ok(review) => reviews.refused(video, review, &form, &refused),
            Err(problem) => reviews.pages.missing(texts, missing(&problem)),
        },
    }
}

/// Why a form was not carried out, or not in full.
enum Refused {
    /// Nothing was done.
    Unsaved(Problem),
    /// The words are stored.
    AfterSaving(Problem),
}

impl Reviews {
    /// The video that an address's token edits.
    fn video(&self, token: Token) -> Option<VideoId> {
        self.platform.content.links.edited_video(&token.ok()?)
    }

    /// Does what a form asks for; what follows the page's address then.
    async fn carry_out(&self, video: VideoId, form: &ReviewForm) -> Result<String, Refused> {
        let change = JsonBody::of(form.change()).read();
        let request = Problem::both(Ok(Expected::only(form.version)), change);
        let changed = videos::update::change(&self.platform, video, request).await;
        let review = changed.map_err(Refused::Unsaved)?;
        match &form.act {
            Act::Render(settings) => {
                let asked = videos::render::request(&self.platform, video, Ok(*settings)).await;
                asked.map_err(Refused::AfterSaving)?;
                Ok("#render".to_owned())
            }
            Act::Cancel => {
                videos::cancel::end(&self.platform, video).await.map_err(Refused::AfterSaving)?;
                Ok("#render".to_owned())
            }
            act => Ok(format!("?saved{}", act.fragment(&review))),
        }
    }

    /// The page again, with the words that were not saved.
    fn refused(&self, video: VideoId, stored: VideoReview, form: &ReviewForm, refused: &Refused) -> Response {
        let problem = match refused {
            Refused::Unsaved(problem) => problem,
            Refused::AfterSaving(problem) => {
                let notice = Notice::SavedOnly(problem.to_string());
                return self.page(problem.status(), video, (stored, HashSet::new()), Some(notice));
            }
        };
        let (status, notice) = match problem {
            Problem::PreconditionFailed => (StatusCode::CONFLICT, Notice::ChangedMeanwhile),
            Problem::Invalid(details) => {
                (StatusCode::BAD_REQUEST, Notice::Invalid(details.iter().map(|detail| fault(detail, form)).collect()))
            }
            problem => (problem.status(), Notice::Refused(problem.to_string())),
        };
        self.page(status, video, form.over(stored), Some(notice))
    }

    /// Leads to the page, so that loading it again sends no form again.
    fn page_anew(&self, address: &str) -> Response {
        let mut response = Redirect::to(address).into_response();
        self.pages.0.headers.apply(&mut response, Keeping::No, Framing::NeverWhileReviewed, false);
        response
    }

    /// A page with a video, of whose scenes those with these ids are stored no longer.
    fn page(
        &self,
        status: StatusCode,
        video: VideoId,
        (review, gone): (VideoReview, HashSet<String>),
        notice: Option<Notice>,
    ) -> Response {
        let (site, address) = (self.site(), self.address(video));
        let state = format!("{}/v1/platform/videos/edit/{}", site.root, self.token(video));
        let page = ReviewPage::new(site, (review, gone), (address, state), notice);
        self.pages.framed(status, &page, Framing::NeverWhileReviewed)
    }

    fn address(&self, video: VideoId) -> String {
        format!("{}/videos/edit/{}", self.site().root, self.token(video))
    }

    fn token(&self, video: VideoId) -> String {
        self.platform.content.links.edit_token(video)
    }

    fn site(&self) -> &Site {
        &self.pages.0.site
    }
}

/// A fault of the form, as its reader knows the form: scenes are counted from 1.
fn fault(detail: &Detail, form: &ReviewForm) -> String {
    let scene = detail.path.strip_prefix("scenes[").and_then(|rest| rest.split_once(']'));
    let number = |index: &str| form.number_of(index.parse().ok()?);
    let named = scene.and_then(|(index, field)| Some((number(index)?, field.trim_start_matches('.'))));
    let (place, field) =
        named.map_or((String::new(), detail.path.as_str()), |(n, field)| (format!("Scene {n}: "), field));
    let field = match field {
        "script" => "the script",
        "displayText" => "the text on the screen",
        "duration" => "the duration",
        "title" => "the title",
        "description" => "the description",
        _ => "the form",
    };
    format!("{place}{field} {}.", detail.message)
}

fn missing(problem: &Problem) -> Missing {
    match problem {
        Problem::NotFound(_) => Missing::NotFound,
        Problem::Unavailable(_) => Missing::Unavailable,
        _ => Missing::Broken,
    }
}
