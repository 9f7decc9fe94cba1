//! A test of a launch, taken by a learner: its form, the hand-in, and the result.
//!
//! A linked test and a test that is a part of a linked course are the same here. A form whose test was changed meanwhile is not
//! handed in: the learner would be graded on items that the form did not show. Where to read next:
//! [`platform::submissions::hand_in`].

use axum::body::Body;
use axum::response::Response;
use content::catalog;
use content::resources::Kind;
use content::tests::{Test, TestItem};
use http::header::{CACHE_CONTROL, LOCATION, REFRESH};
use http::{HeaderValue, StatusCode};
use kernel::secret::sha256_hex;
use kernel::turns::Turn;
use platform::submissions::hand_in::{AnsweredTest, NotHandedIn, Standing, hand_in, is_handed_in, standing};
use platform::submissions::{CourseTests, Status, SubmittedItem, TestPoints};
use store::{StoreError, Tx};

use super::{Visit, missing};
use crate::answers::{Answers, OpenGrades};
use crate::headers::Framing;
use crate::pages::course::Position;
use crate::pages::error::Missing;
use crate::pages::launch::NoticePage;
use crate::pages::questions::Item;
use crate::pages::submission::SubmissionPage;
use crate::pages::test::{AnswerUse, AttemptForm, SeenItems};
use crate::routes::open::{OpenPage, PageContent};
use crate::routes::show::{items, passing_of, position, test_item};
use crate::texts::fill;

/// The longest name of a form, in bytes.
const LONGEST_ATTEMPT: usize = 64;
/// How often a page looks for grades that are on their way, in seconds.
const REFRESH_SECONDS: HeaderValue = HeaderValue::from_static("10");

/// A form as it was sent.
struct SentForm {
    attempt_id: String,
    seen: SeenItems,
    answers: Answers,
}

impl Visit<'_> {
    /// The page of the resource. A learner gets the result of a test that was handed in, or the form to hand it in.
    pub(super) async fn look(&self, wants_again: bool) -> Result<Response, Missing> {
        if !self.is_learner {
            return self.show(self.open().await?, AnswerUse::Preview).await;
        }
        let mut own = None;
        if self.address.kind == Kind::Test {
            // The result outlives the test.
            let linked = self.standing(&self.link.resource_id).await?;
            if shows_result(&linked, wants_again) {
                return Ok(self.result(linked, None));
            }
            own = Some(linked);
        }
        let (turn, opened) = self.open().await?;
        if let PageContent::TestPart(course, module, test) = &opened.content {
            let part = self.standing(&test.id.to_string()).await?;
            if shows_result(&part, wants_again) {
                let position = position(self.launches.site(), &self.address, course, module);
                return Ok(self.result(part, Some(position)));
            }
            own = Some(part);
        }
        let answer_use = match own {
            Some(own) => self.form(own.attempts_left),
            None => AnswerUse::Check,
        };
        self.show((turn, opened), answer_use).await
    }

    async fn standing(&self, test_id: &str) -> Result<Standing, Missing> {
        standing(&self.launches.0.platform, &self.page.session, test_id).await.map_err(|error| missing(&error))
    }

    fn form(&self, left: Option<u32>) -> AnswerUse {
        let id = kernel::secret::random_token(&self.launches.0.platform.door.ambient);
        AnswerUse::HandIn(AttemptForm { id, left, kept: None })
    }

    /// The page of the newest submission.
    fn result(&self, Standing { newest, attempts_left }: Standing, position: Option<Position>) -> Response {
        let Some(newest) = newest else { return self.launches.missing_page(self.page.texts, Missing::Broken) };
        let is_pending = newest.summary.status == Status::Grading;
        let page = SubmissionPage::new(self.launches.site(), newest, attempts_left, position);
        let mut response = self.launches.framed(StatusCode::OK, &page, Framing::ContentByPlatforms);
        if is_pending {
            response.headers_mut().insert(REFRESH, REFRESH_SECONDS);
        }
        response
    }

    /// Hands a test in. The browser goes on to the result, so that a reload sends nothing again.
    pub(super) async fn hand_in(
        &self,
        (turn, opened): (Turn, OpenPage),
        fields: Vec<(String, String)>,
    ) -> Result<Response, Missing> {
        let test = opened.test().ok_or(Missing::NotFound)?;
        let items: Vec<_> = items::<TestItem>(&test.items);
        if items.is_empty() {
            return Err(Missing::NotFound);
        }
        let form = SentForm::read(fields);
        let shown: Vec<_> = items.iter().cloned().map(|item| test_item(item, &test.language)).collect();
        if form.seen.differ_from(&shown) && !self.is_handed_in(&form).await? {
            return self.show_changed((turn, opened), form, &shown).await;
        }
        let course = match &opened.content {
            PageContent::TestPart(course, ..) => Some(self.course_tests(course.id.to_string()).await?),
            _ => None,
        };
        let test = answered(test, items, form, course);
        drop((turn, opened));
        match hand_in(&self.launches.0.platform, &self.page.session, self.link.id, test).await {
            Err(NotHandedIn::NoAttemptLeft) => Ok(self.no_attempt_left()),
            Ok(_) => self.to_result(),
            Err(NotHandedIn::Ended) => Err(Missing::NotFound),
            Err(NotHandedIn::Store(error)) => Err(missing(&error)),
        }
    }

    async fn is_handed_in(&self, form: &SentForm) -> Result<bool, Missing> {
        let (platform, session) = (&self.launches.0.platform, &self.page.session);
        is_handed_in(platform, session, &form.attempt_id).await.map_err(|error| missing(&error))
    }

    /// The form of a test that was changed while the learner wrote, with the answers to items that are as they were.
    async fn show_changed(
        &self,
        (turn, opened): (Turn, OpenPage),
        SentForm { attempt_id, seen, answers }: SentForm,
        items: &[Item],
    ) -> Result<Response, Missing> {
        let test = opened.test().ok_or(Missing::NotFound)?;
        let left = self.standing(&test.id.to_string()).await?.attempts_left;
        if left == Some(0) {
            return Ok(self.no_attempt_left());
        }
        let is_kept = |id: &str| items.iter().any(|item| item.id == id && seen.has(item));
        let form = AttemptForm { id: attempt_id, left, kept: Some(answers.only_to(is_kept)) };
        let mut response = self.show((turn, opened), AnswerUse::HandIn(form)).await?;
        *response.status_mut() = StatusCode::CONFLICT;
        Ok(response)
    }

    async fn course_tests(&self, course_id: String) -> Result<CourseTests, Missing> {
        let organization = self.address.organization.ok_or(Missing::Broken)?;
        let course = course_id.clone();
        let read = move |tx: &mut Tx<'_>| catalog::course_tests(tx, organization, &course);
        let store = &self.launches.0.platform.door.store;
        let tests = store.read("catalog.course_tests", read).await.map_err(|error: StoreError| missing(&error))?;
        let tests = tests.into_iter().map(|test| TestPoints { test_id: test.test_id.to_string(), points: test.points });
        Ok(CourseTests { course_id, tests: tests.collect() })
    }

    fn no_attempt_left(&self) -> Response {
        let texts = self.page.texts;
        let title = fill(texts.attempts_left, &[("n", "0")]);
        let notice = NoticePage::of(self.launches.site(), texts, &title, texts.no_attempt_left);
        self.launches.page(StatusCode::CONFLICT, &notice)
    }

    /// The address of this page, by GET.
    fn to_result(&self) -> Result<Response, Missing> {
        let part = self.address.module.map_or_else(String::new, |module| format!("/{module}"));
        let to = format!("{}{}{part}", self.launches.site().root, self.page.path);
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SEE_OTHER;
        response.headers_mut().insert(LOCATION, HeaderValue::from_str(&to).map_err(|_| Missing::Broken)?);
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(response)
    }
}

fn shows_result(Standing { newest, attempts_left }: &Standing, wants_again: bool) -> bool {
    newest.is_some() && (!wants_again || *attempts_left == Some(0))
}

impl SentForm {
    fn read(fields: Vec<(String, String)>) -> Self {
        let is_attempt = |value: &str| {
            (1..=LONGEST_ATTEMPT).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_graphic())
        };
        let attempt = fields.iter().find(|(name, value)| name == AttemptForm::FIELD && is_attempt(value));
        let attempt_id = attempt.map_or_else(|| digest(&fields), |(_, value)| value.clone());
        Self { attempt_id, seen: SeenItems::from_fields(&fields), answers: Answers::from_fields(fields) }
    }
}

/// Names a form that has no name of its own by its content.
fn digest(fields: &[(String, String)]) -> String {
    let mut fields: Vec<_> = fields.iter().collect();
    fields.sort();
    sha256_hex(serde_json::to_string(&fields).unwrap_or_default().as_bytes())
}

/// A test with a learner's answers, of which those with a key are judged.
fn answered(test: &Test, items: Vec<TestItem>, form: SentForm, course: Option<CourseTests>) -> AnsweredTest {
    let items: Vec<_> = items.into_iter().map(|item| submitted(item, &test.language, &form.answers)).collect();
    let max_score = items.iter().map(|item| item.max_score).sum();
    AnsweredTest {
        attempt_id: form.attempt_id,
        test_id: test.id.to_string(),
        test_version: test.version,
        title: test.name.clone(),
        language: test.language.clone(),
        subject: test.subject.clone(),
        passing_score: passing_of(test).points(max_score),
        items,
        course,
    }
}

fn submitted(item: TestItem, language: &str, answers: &Answers) -> SubmittedItem {
    let kind = item.kind.clone();
    let item = test_item(item, language);
    let judged = item.judge(answers, &OpenGrades::default());
    let given: Vec<String> = judged.given.iter().map(|text| (*text).to_owned()).collect();
    let max_score = item.points.unwrap_or_default();
    let score = match judged.mark.share {
        Some(share) => Some(max_score * share),
        // An item without points needs no grade. Work that is handed in elsewhere is not here.
        None => (max_score <= 0.0).then_some(0.0),
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
