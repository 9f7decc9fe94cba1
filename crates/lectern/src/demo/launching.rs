//! A learning platform launches the service, and gets the grades: played with the demo's own small platform, [`super::lms`].
//!
//! A teacher adds a generated test to the course, a student takes it, and its points arrive in the gradebook. The browser of
//! both is [`super::browser`].

use anyhow::{Context as _, bail, ensure};
use http::StatusCode;
use serde_json::{Value, json};

use super::browser::{Browser, Opened};
use super::excerpts::{count, text};
use super::lms::{self, ANN, COURSE, Lms, TEACHER};
use super::page::shorten;
use super::receiver::Delivery;
use super::tour::{Made, PATIENCE, Tour};

const REGISTRATIONS: &str = "/v1/platform/lti/registrations";
/// The items of the shortened test, by their types.
const TYPES: [&str; 5] = ["select", "true-false", "blank", "blank", "open-ended"];
/// What an item keeps when the test is shortened.
const ITEM_FIELDS: [&str; 7] = ["id", "question", "type", "options", "correctAnswers", "explanation", "score"];
const LONGEST_SHOWN: usize = 60;

impl Tour<'_> {
    /// Registers the platform, links a test, takes it and sees its points in the gradebook.
    pub(super) async fn launch(&mut self, lms: &Lms, made: &Made) -> anyhow::Result<()> {
        self.register_lms(lms).await?;
        let test = self.shorten_test(made).await?;
        let link = self.add_link(lms, &test).await?;
        self.take_test(lms, &link, &test).await?;
        self.find_grade(lms, &link).await
    }

    async fn register_lms(&mut self, lms: &Lms) -> anyhow::Result<()> {
        self.page.step("Register a learning platform")?;
        // The platforms of earlier demos are gone.
        let old = self.platform.get(&format!("{REGISTRATIONS}?limit=100")).await?.json(StatusCode::OK)?;
        let is_ours = |registration: &&Value| text(registration, "name") == lms::NAME;
        for registration in old["items"].as_array().into_iter().flatten().filter(is_ours) {
            let reply = self.platform.delete(&format!("{REGISTRATIONS}/{}", text(registration, "id"))).await?;
            ensure!(reply.status.is_success(), "an old registration can't be deleted: {}", reply.status);
        }
        let registered = self.platform.post(REGISTRATIONS, &lms.registration()).await?.json(StatusCode::CREATED)?;
        self.page.done(&format!("POST {REGISTRATIONS}: {}", text(&registered, "name")))?;
        Ok(self.page.remark(&format!("a small LMS of the demo's own, at {}", lms.url()))?)
    }

    /// Leaves a few items of the generated test, all of which a page can ask. Gives the test.
    async fn shorten_test(&mut self, made: &Made) -> anyhow::Result<Value> {
        self.page.step("Shorten the test")?;
        let made = made.resources.iter().find(|resource| resource.kind == "test").context("no test was made")?;
        let path = format!("/v1/content/classrooms/{}/tests/{}", self.classroom_id, made.id);
        let test = self.client.get(&path).await?.json(StatusCode::OK)?;
        let mut all: Vec<&Value> = test["items"].as_array().into_iter().flatten().collect();
        let mut items = Vec::new();
        for kind in TYPES {
            let index = all.iter().position(|item| text(item, "type") == kind);
            let item = all.remove(index.with_context(|| format!("the test has too few items of type {kind}"))?);
            items.push(Value::Object(
                ITEM_FIELDS.map(|name| (name.to_owned(), item[name].clone())).into_iter().collect(),
            ));
        }
        self.client.patch(&path, &json!({ "items": items })).await?.expect(StatusCode::OK)?;
        let shortened = self.client.get(&path).await?.json(StatusCode::OK)?;
        let left = shortened["items"].as_array().map_or(0, Vec::len);
        ensure!(left == TYPES.len(), "the test has {left} items instead of {}", TYPES.len());
        self.page.done(&format!("“{}”, with {}", text(&shortened, "name"), count(left, "item", "items")))?;
        Ok(shortened)
    }

    /// The id of the new link in the course.
    async fn add_link(&mut self, lms: &Lms, test: &Value) -> anyhow::Result<String> {
        self.page.step("Add the test to a course, as a teacher")?;
        let mut browser = Browser::default();
        let picking = launch(&mut browser, &lms.picking_page(&TEACHER)).await?;
        self.page.done(&format!("{} opens Lectern from {COURSE}: a deep linking request", TEACHER.name))?;
        let mut form = picking.form("pick")?;
        form.fill("pick", &format!("tests/{}", text(test, "id")))?;
        let answer = browser.send(&form).await?.form("JWT")?;
        let added = browser.send(&answer).await?;
        let name = text(test, "name");
        let (link, points) = lms
            .find_link(name)
            .with_context(|| format!("the platform did not add the link: {}", super::forms::text(&added.html)))?;
        let points = points.context("the link has no column in the gradebook")?;
        self.page.done(&format!("the platform has a link and a column of {points} points"))?;
        Ok(link)
    }

    async fn take_test(&mut self, lms: &Lms, link: &str, test: &Value) -> anyhow::Result<()> {
        self.page.step("Take the test, as a student")?;
        let mut browser = Browser::default();
        let course = browser.open(&lms.course_page(&ANN)).await?;
        ensure!(course.html.contains(&format!("/links/{link}\"")), "the course does not show its link");
        let launched = launch(&mut browser, &lms.launch_page(&ANN, link)).await?;
        let session = session_of(&launched)?;
        self.page.done(&format!("{} opens the link: login, ID token, launch", ANN.name))?;
        self.await_event("lti.launch_completed", |body| text(body, "sessionId") == session).await?;
        self.page.done("lti.launch_completed arrives by webhook")?;
        let mut form = None;
        for item in test["items"].as_array().into_iter().flatten() {
            let field = format!("answer-{}", text(item, "id"));
            let form = match &mut form {
                Some(form) => form,
                None => form.insert(launched.form(&field)?),
            };
            let answer = answer_to(item).context("an item has no answer")?;
            form.fill(&field, answer)?;
            self.page.excerpt("question:", &shorten(text(item, "question"), LONGEST_SHOWN))?;
            self.page.excerpt("  answer:", &shorten(answer, LONGEST_SHOWN))?;
        }
        browser.send(&form.context("the test has no items")?).await?;
        Ok(self.page.done("handed in; open answers are graded like any others")?)
    }

    async fn find_grade(&mut self, lms: &Lms, link: &str) -> anyhow::Result<()> {
        self.page.step("Find the grade in the gradebook")?;
        let synced = self.await_event("lti.grade_synced", |body| text(body, "resourceLinkId") == link).await?;
        let expected = synced.body["scoreGiven"].as_f64().context("the webhook tells no score")?;
        let grade = lms.grade(&ANN, link, PATIENCE).await?;
        let points = grade.points.context("the gradebook has no points")?;
        ensure!((points - expected).abs() < 0.001, "the gradebook has {points} points instead of {expected}");
        ensure!(points > 0.0, "good answers got no points");
        let gradebook = Browser::default().open(&lms.gradebook_page(&TEACHER)).await?;
        ensure!(gradebook.html.contains(ANN.name), "the gradebook does not show its students");
        self.page.done(&format!("{points} of {} points for {}, sent by itself", grade.maximum, ANN.name))?;
        self.page.done("lti.grade_synced arrives by webhook")?;
        self.page.remark("Try it in a browser: the course for a student and for the teacher, and the gradebook.")?;
        self.page.shell(&format!("  {}", lms.course_page(&lms::BEN)))?;
        self.page.shell(&format!("  {}", lms.course_page(&TEACHER)))?;
        Ok(self.page.shell(&format!("  {}", lms.gradebook_page(&TEACHER)))?)
    }

    /// The next webhook of a kind that is about something. Others are passed over.
    async fn await_event(&mut self, event: &str, is_about: impl Fn(&Value) -> bool) -> anyhow::Result<Delivery> {
        loop {
            let delivery = self.receiver.next_in_time(PATIENCE).await?;
            if delivery.event == "lti.grade_sync_failed" {
                bail!("the gradebook did not get a score: {}", delivery.body["error"]);
            }
            if delivery.event == event && is_about(&delivery.body) {
                return Ok(delivery);
            }
        }
    }
}

/// Begins at the platform's page of a link, and ends at the tool's page: the platform's form posts itself in a real browser.
async fn launch(browser: &mut Browser, page: &str) -> anyhow::Result<Opened> {
    let form = browser.open(page).await?.form("state")?;
    if let Ok(error) = form.value("error") {
        bail!("the platform gives no ID token: {error}");
    }
    browser.send(&form).await
}

/// The launch session, which the address of the service's own page has.
fn session_of(launched: &Opened) -> anyhow::Result<String> {
    let mut path = launched.url.path_segments().into_iter().flatten();
    ensure!(path.next() == Some("launches"), "the launch leads to {}", launched.url.path());
    Ok(path.next().context("the launch has no session")?.to_owned())
}

/// The right answer, but for true or false.
fn answer_to(item: &Value) -> Option<&str> {
    let key = item["correctAnswers"].get(0)?.as_str()?;
    if text(item, "type") != "true-false" {
        return Some(key);
    }
    item["options"].as_array()?.iter().filter_map(Value::as_str).find(|option| *option != key)
}
