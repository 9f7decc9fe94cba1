//! What a launch shows that leads nowhere else: a page to pick content on, the resource of the link, a test to hand in, or that
//! nothing is linked.
//!
//! The address of the page is the right to see it and to answer. Where to read next: [`super::picking`].

use axum::extract::{FromRequestParts as _, Path, Request, State};
use axum::response::Response;
use content::resources::Kind;
use content::tests::{Test, TestItem};
use edge::context::Context;
use edge::problem::Problem;
use http::header::{CACHE_CONTROL, LOCATION, REFRESH};
use http::request::Parts;
use http::{HeaderValue, Method, StatusCode};
use kernel::id::{LinkId, ModuleId};
use kernel::secret::sha256_hex;
use lti::roles::is_learner;
use platform::lti::links::OpenedLink;
use platform::lti::sessions::LaunchSession;
use platform::submissions::hand_in::{AnsweredTest, NotHandedIn, Standing, hand_in, standing};
use platform::submissions::{Status, SubmittedItem};
use store::StoreError;

use super::launches::{Launches, pairs};
use super::open::{Found, Opened, Wanted};
use super::show::{items, passing_of, test_item};
use super::{forms, picking, respond, texts_of};
use crate::answers::{Answers, ItemKind, Verdict};
use crate::headers::Framing;
use crate::pages::error::Missing;
use crate::pages::launch::NoticePage;
use crate::pages::shell::Access;
use crate::pages::submission::SubmissionPage;
use crate::pages::test::Taking;
use crate::texts::{Texts, fill};

/// The hidden field that tells one form of a launch from another.
const ATTEMPT_FIELD: &str = "attempt";
/// As long as its value may be, in bytes.
const LONGEST_ATTEMPT: usize = 64;
/// How often a page looks for grades that are on their way, in seconds.
const REFRESH_SECONDS: HeaderValue = HeaderValue::from_static("10");

/// A launch whose page is asked for.
pub(super) struct Page {
    pub(super) session: LaunchSession,
    /// The language of the platform, or of the browser.
    pub(super) texts: &'static Texts,
    /// The address of the page, below the service's root.
    pub(super) path: String,
}

/// `/launches/{id}/{token}`.
pub(super) async fn launch(
    State(launches): State<Launches>,
    Path((id, token)): Path<(String, String)>,
    request: Request,
) -> Response {
    answer(&launches, (&id, &token), None, request).await
}

/// `/launches/{id}/{token}/{module}`: a part of the course that was launched.
pub(super) async fn part(
    State(launches): State<Launches>,
    Path((id, token, module)): Path<(String, String, String)>,
    request: Request,
) -> Response {
    let texts = texts_of(&request);
    match module.parse::<ModuleId>() {
        Ok(module) => answer(&launches, (&id, &token), Some(module), request).await,
        Err(_) => launches.missing_page(texts, Missing::NotFound),
    }
}

async fn answer(
    launches: &Launches,
    (id, token): (&str, &str),
    module: Option<ModuleId>,
    request: Request,
) -> Response {
    let accepted = texts_of(&request);
    let session = match launches.0.platform.shown_launch(id, token).await {
        Ok(Some(session)) => session,
        Ok(None) => return launches.missing_page(accepted, Missing::NotFound),
        Err(error) => return launches.missing_page(accepted, missing(&error)),
    };
    let texts = session.locale.as_deref().map_or(accepted, Texts::accepted);
    let page = Page { session, texts, path: format!("/launches/{id}/{token}") };
    let answered = match (page.session.deep_linking.is_some(), module) {
        (true, None) => picking::answer(launches, &page, request).await,
        (true, Some(_)) => Err(Missing::NotFound),
        (false, module) => linked(launches, &page, module, request).await,
    };
    answered.unwrap_or_else(|missing| launches.missing_page(page.texts, missing))
}

/// The resource of the link that was launched.
async fn linked(
    launches: &Launches,
    page: &Page,
    module: Option<ModuleId>,
    request: Request,
) -> Result<Response, Missing> {
    let opened = launches.0.platform.opened_link(&page.session).await.map_err(|error| missing(&error))?;
    let Some(OpenedLink { link, organization }) = opened else {
        let notice = NoticePage::nothing_linked(launches.site(), page.texts, &page.session);
        return Ok(launches.page(StatusCode::OK, &notice));
    };
    let kind = Kind::from_word(&link.kind).ok_or(Missing::NotFound)?;
    if module.is_some() && kind != Kind::Course {
        return Err(Missing::NotFound);
    }
    let wanted = Wanted {
        access: Access::Launch,
        kind,
        id: link.resource_id.clone(),
        module,
        path: page.path.clone(),
        organization: Some(organization),
    };
    let (mut parts, body) = request.into_parts();
    let Ok(context) = Context::from_request_parts(&mut parts, &()).await else { return Err(Missing::Broken) };
    let visit = Visit { launches, page, wanted, context };
    let is_handed_in = kind == Kind::Test && is_learner(&page.session.roles);
    match (parts.method == Method::POST, is_handed_in) {
        (false, true) => visit.take_test(&parts).await,
        (true, true) => {
            let fields = forms::fields(&parts, body).await.map_err(|problem: Problem| forms::missing(&problem))?;
            visit.hand_in(link.id, fields).await
        }
        (is_answered, false) => {
            let answers = if is_answered {
                if !visit.open().await?.takes_answers() {
                    return Ok(respond::only_get());
                }
                Some(forms::read(&parts, body).await?)
            } else {
                None
            };
            let taking = if is_learner(&page.session.roles) { Taking::Checked } else { Taking::Previewed };
            visit.show(answers, taking).await
        }
    }
}

/// A look at the resource of a launch.
struct Visit<'a> {
    launches: &'a Launches,
    page: &'a Page,
    wanted: Wanted,
    context: Context,
}

impl Visit<'_> {
    async fn open(&self) -> Result<Opened, Missing> {
        let pages = &self.launches.0.pages;
        let turn = pages.turn(&self.context).await?;
        pages.open(&turn, self.wanted.clone(), &self.context).await
    }

    async fn show(&self, answers: Option<Answers>, taking: Taking) -> Result<Response, Missing> {
        let pages = &self.launches.0.pages;
        let turn = pages.turn(&self.context).await?;
        let opened = pages.open(&turn, self.wanted.clone(), &self.context).await?;
        let made = pages.make(turn, opened, answers, taking, &self.context).await?;
        Ok(pages.page(made, None, Framing::ContentByPlatforms))
    }

    /// The form of a test, or what came of it where the learner has handed it in.
    async fn take_test(&self, parts: &Parts) -> Result<Response, Missing> {
        let (platform, session) = (&self.launches.0.platform, &self.page.session);
        let Standing { newest, attempts_left } = standing(platform, session).await.map_err(|error| missing(&error))?;
        let wants_again =
            pairs(parts.uri.query().unwrap_or_default().as_bytes()).iter().any(|(name, _)| name == "again");
        match newest {
            Some(newest) if !wants_again || attempts_left == Some(0) => {
                let is_pending = newest.summary.status == Status::Grading;
                let page = SubmissionPage::new(self.launches.site(), newest, attempts_left);
                let mut response = self.launches.framed(StatusCode::OK, &page, Framing::ContentByPlatforms);
                if is_pending {
                    response.headers_mut().insert(REFRESH, REFRESH_SECONDS);
                }
                Ok(response)
            }
            _ => {
                let attempt = kernel::secret::random_token(&platform.door.ambient);
                self.show(None, Taking::HandedIn { attempt, left: attempts_left }).await
            }
        }
    }

    /// Hands a test in. The browser goes on to what came of it, so that a reload sends nothing again.
    async fn hand_in(&self, link: LinkId, fields: Vec<(String, String)>) -> Result<Response, Missing> {
        let opened = self.open().await?;
        if !opened.takes_answers() {
            return Ok(respond::only_get());
        }
        let Opened { found: Found::Test(test), .. } = opened else { return Err(Missing::NotFound) };
        let test = answered(&test, fields).ok_or(Missing::NotFound)?;
        match hand_in(&self.launches.0.platform, &self.page.session, link, test).await {
            Err(NotHandedIn::NoAttemptLeft) => {
                let texts = self.page.texts;
                let title = fill(texts.attempts_left, &[("n", "0")]);
                let notice = NoticePage::of(self.launches.site(), texts, &title, texts.no_attempt_left);
                Ok(self.launches.page(StatusCode::CONFLICT, &notice))
            }
            Ok(_) => {
                let to = format!("{}{}", self.launches.site().root, self.page.path);
                let to = HeaderValue::from_str(&to).map_err(|_| Missing::Broken)?;
                let mut response = Response::new(axum::body::Body::empty());
                *response.status_mut() = StatusCode::SEE_OTHER;
                response.headers_mut().insert(LOCATION, to);
                response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
                Ok(response)
            }
            Err(NotHandedIn::Ended) => Err(Missing::NotFound),
            Err(NotHandedIn::Store(error)) => Err(missing(&error)),
        }
    }
}

/// A test with a learner's answers, of which those with a key are judged; `None` for a test without items.
fn answered(test: &Test, fields: Vec<(String, String)>) -> Option<AnsweredTest> {
    let is_attempt =
        |value: &str| (1..=LONGEST_ATTEMPT).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_graphic());
    let attempt = fields.iter().find(|(name, value)| name == ATTEMPT_FIELD && is_attempt(value));
    let attempt_id = attempt.map_or_else(|| digest(&fields), |(_, value)| value.clone());
    let answers = Answers::from_fields(fields);
    let items: Vec<_> = items::<TestItem>(&test.items).into_iter().map(|item| submitted(item, &answers)).collect();
    let max_score = items.iter().map(|item| item.max_score).sum();
    (!items.is_empty()).then(|| AnsweredTest {
        attempt_id,
        test_id: test.id.to_string(),
        test_version: test.version,
        title: test.name.clone(),
        language: test.language.clone(),
        subject: test.subject.clone(),
        passing_score: passing_of(test).points(max_score),
        items,
    })
}

/// A form without the hidden field is told from others by what it says.
fn digest(fields: &[(String, String)]) -> String {
    let mut fields: Vec<_> = fields.iter().collect();
    fields.sort();
    sha256_hex(serde_json::to_string(&fields).unwrap_or_default().as_bytes())
}

fn submitted(item: TestItem, answers: &Answers) -> SubmittedItem {
    let kind = item.kind.clone();
    let item = test_item(item);
    let judged = item.judge(answers);
    let given: Vec<String> = judged.given.iter().map(|text| (*text).to_owned()).collect();
    let max_score = item.points.unwrap_or_default();
    let is_empty = given.iter().all(|text| text.trim().is_empty());
    let score = match judged.verdict {
        Verdict::Right => Some(max_score),
        Verdict::Wrong | Verdict::Unanswered => Some(0.0),
        // Without points there is nothing to grade, and who answered nothing gets none. What is handed in elsewhere is not here.
        Verdict::Ungraded if max_score <= 0.0 || (is_empty && item.kind == ItemKind::OpenEnded) => Some(0.0),
        Verdict::Ungraded => None,
    };
    SubmittedItem {
        item_id: item.id,
        kind,
        question: item.question,
        options: item.options,
        correct_answers: item.key,
        explanation: item.explanation,
        answers: given,
        score,
        max_score,
    }
}

/// Why a page can't be shown now.
pub(super) fn missing(error: &StoreError) -> Missing {
    match error {
        StoreError::Unavailable => Missing::Unavailable,
        error => {
            tracing::error!(%error, "the page of a launch could not be made");
            Missing::Broken
        }
    }
}
