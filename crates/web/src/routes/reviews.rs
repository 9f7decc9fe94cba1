//! The page behind a video's edit link, where the video is edited and rendered.
//!
//! | address | |
//! |---|---|
//! | `GET /videos/edit/{token}` | the scenes as a form, and how far the rendering is |
//! | `POST` to the same | saves the form, and does what its button says besides: moves, adds or removes a scene, or renders |
//! | | or puts another version of a scene into the form, or the version before, and saves nothing |
//!
//! Nobody loses words by pressing a button: it saves the whole form, or shows it as it was sent. The token in the address is
//! the credential, which no other site knows. The operations are those of the platform surface.

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use content::videos::part_drafts::draft_by_link;
use edge::body::JsonBody;
use edge::context::ShownProblem;
use edge::problem::{Detail, Problem};
use edge::versions::Expected;
use http::StatusCode;
use kernel::id::VideoId;
use platform::Platform;
use platform::videos;

use super::{Pages, forms};
use crate::headers::{Framing, Keeping};
use crate::pages::error::Missing;
use crate::pages::review::{Notice, ReviewPage, Shown};
use crate::pages::shell::Site;
use crate::texts::Texts;
use form::{Act, ReviewForm};

mod form;

/// The longest form: a million letters, each of which may take nine bytes, and earlier versions of some scenes.
const LONGEST_FORM_BYTES: usize = 12 * 1024 * 1024;

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
    reviews.stored_page(StatusCode::OK, (texts, video), notice).await
}

async fn act(State(reviews): State<Reviews>, token: Token, request: Request) -> Response {
    let texts = super::texts_of(&request);
    // Nothing of the form is read for a link that opens nothing.
    let Some(video) = reviews.video(token) else { return reviews.pages.missing(texts, Missing::NotFound) };
    let (parts, body) = request.into_parts();
    let form = match forms::fields_within(LONGEST_FORM_BYTES, &parts, body).await.map(ReviewForm::of) {
        Ok(form) if form.is_of_a_video() => Ok(form),
        Ok(_) => Err(Missing::TooLarge),
        Err(problem) => Err(forms::missing(&problem)),
    };
    let mut form = match form {
        Ok(form) => form,
        Err(Missing::TooLarge) => {
            let notice = Notice::Refused(
                "The form is too long to be a video. Your browser still has it: go back and shorten it.".to_owned(),
            );
            return reviews.stored_page(StatusCode::PAYLOAD_TOO_LARGE, (texts, video), Some(notice)).await;
        }
        Err(unreadable) => return reviews.pages.missing(texts, unreadable),
    };
    let outcome = match form.act.clone() {
        Act::Redraft(id) => reviews.redraft(video, &mut form, &id).await,
        Act::Restore(id) => {
            form.restore(&id);
            Outcome::Entered { status: StatusCode::OK, problem: None }
        }
        act => reviews.save(video, &form, &act).await,
    };
    let (status, notice, problem) = match outcome {
        Outcome::Saved { fragment } => return reviews.page_anew(&format!("{}{fragment}", reviews.address(video))),
        Outcome::Entered { status, problem } => (status, None, problem),
        Outcome::Refused(problem) => {
            let (status, notice) = refusal(&problem, &form);
            (status, Some(notice), Some(problem))
        }
        Outcome::SavedOnly(problem) => {
            let notice = Notice::SavedOnly(problem.to_string());
            let page = reviews.stored_page(problem.status(), (texts, video), Some(notice)).await;
            return with_cause(page, Some(problem));
        }
    };
    let page = match videos::get::find(&reviews.platform, video).await {
        Ok(stored) => {
            let tells_of_stored = matches!(notice, Some(Notice::ChangedMeanwhile));
            reviews.page(status, video, form.over(stored, tells_of_stored), notice)
        }
        Err(problem) => with_cause(reviews.pages.missing(texts, missing(&problem)), Some(problem)),
    };
    with_cause(page, problem)
}

/// The page, with the problem whose cause the log is to tell.
fn with_cause(mut page: Response, problem: Option<Problem>) -> Response {
    if let Some(problem) = problem {
        page.extensions_mut().insert(ShownProblem(problem));
    }
    page
}

/// The outcome of a form.
enum Outcome {
    /// All was done. The end of the address of the page that shows it.
    Saved { fragment: String },
    /// The form has other words now, which nothing stores, or says in its scene why there are none.
    Entered { status: StatusCode, problem: Option<Problem> },
    /// Nothing was done.
    Refused(Problem),
    /// The words are stored, and nothing else was done.
    SavedOnly(Problem),
}

impl Reviews {
    /// The video that an address's token edits.
    fn video(&self, token: Token) -> Option<VideoId> {
        self.platform.content.links.edited_video(&token.ok()?)
    }

    /// Saves a form, and does what its button says besides.
    async fn save(&self, video: VideoId, form: &ReviewForm, act: &Act) -> Outcome {
        let change = JsonBody::of(form.change()).read();
        let request = Problem::both(Ok(Expected::only(form.version)), change);
        let review = match videos::update::change(&self.platform, video, request).await {
            Ok(review) => review,
            Err(problem) => return Outcome::Refused(problem),
        };
        let besides = match act {
            Act::Render(settings) => videos::render::request(&self.platform, video, Ok(*settings)).await.map(drop),
            Act::Cancel => videos::cancel::end(&self.platform, video).await.map(drop),
            act => return Outcome::Saved { fragment: format!("?saved{}", act.fragment(&review)) },
        };
        match besides {
            Ok(()) => Outcome::Saved { fragment: "#render".to_owned() },
            Err(problem) => Outcome::SavedOnly(problem),
        }
    }

    /// Puts another version of a scene into a form. Where there is none, the scene says why.
    async fn redraft(&self, video: VideoId, form: &mut ReviewForm, scene: &str) -> Outcome {
        let entered = |problem: Option<Problem>| {
            let status = problem.as_ref().map_or(StatusCode::OK, Problem::status);
            Outcome::Entered { status, problem }
        };
        let Some(at) = form.place(scene) else { return entered(None) };
        match draft_by_link(&self.platform.content, video, JsonBody::of(form.draft_request(at)).read()).await {
            Ok(drafted) => {
                form.redraft(at, drafted);
                entered(None)
            }
            Err(problem @ (Problem::Invalid(_) | Problem::NotFound(_))) => Outcome::Refused(problem),
            Err(problem) => {
                form.keep(at, problem.to_string());
                entered(Some(problem))
            }
        }
    }

    /// Leads to the page, so that loading it again sends no form again.
    fn page_anew(&self, address: &str) -> Response {
        let mut response = Redirect::to(address).into_response();
        self.pages.0.headers.apply(&mut response, Keeping::No, Framing::NeverWhileReviewed, false);
        response
    }

    /// The page of the stored video.
    async fn stored_page(
        &self,
        status: StatusCode,
        (texts, video): (&'static Texts, VideoId),
        notice: Option<Notice>,
    ) -> Response {
        match videos::get::find(&self.platform, video).await {
            Ok(review) => self.page(status, video, Shown::stored(review), notice),
            Err(problem) => with_cause(self.pages.missing(texts, missing(&problem)), Some(problem)),
        }
    }

    fn page(&self, status: StatusCode, video: VideoId, shown: Shown, notice: Option<Notice>) -> Response {
        let (site, address) = (self.site(), self.address(video));
        let state = format!("{}/v1/platform/videos/edit/{}", site.root, self.token(video));
        let page = ReviewPage::new(site, shown, (address, state), notice);
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

/// The status and the notice of the page that shows a form again.
fn refusal(problem: &Problem, form: &ReviewForm) -> (StatusCode, Notice) {
    match problem {
        Problem::PreconditionFailed => (StatusCode::CONFLICT, Notice::ChangedMeanwhile),
        Problem::Invalid(details) => {
            (StatusCode::BAD_REQUEST, Notice::Invalid(details.iter().map(|detail| fault(detail, form)).collect()))
        }
        problem => (problem.status(), Notice::Refused(problem.to_string())),
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
        "instruction" => "the instruction for another version",
        "scenes" => "the list of scenes",
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
