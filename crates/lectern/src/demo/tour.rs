//! The steps of the tour, each over HTTP, each checked: from sign-in to the resources that were
//! made. The grading platform's steps are in [`super::grading`], [`super::reviewing`] and [`super::paying`], those of a
//! learning platform in [`super::launching`].

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use http::StatusCode;
use kernel::ambient::Ambient;
use kernel::id::EventId;
use kernel::time::Timestamp;
use serde_json::{Value, json};
use store::Store;
use url::Url;

use super::client::Client;
use super::excerpts::{self, count, text};
use super::lms::Lms;
use super::page::{Page, shorten};
use super::receiver::{Receiver, Sender};

/// The sample course.
const COURSE: &str = include_str!("../../assets/demo-course.json");
const EXPANSIONS: &str = "/v1/content/integrations/expansions";
const SESSION_COOKIE: &str = edge::sessions::COOKIE_NAME;
/// For the expansion, and again for each webhook.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
const POLL_EVERY: Duration = Duration::from_millis(25);

/// Who takes the tour, and where.
pub(super) struct Tour<'a> {
    pub(super) page: &'a mut Page,
    pub(super) client: Client,
    /// With the workspace's key.
    pub(super) platform: Client,
    pub(super) receiver: &'a mut Receiver,
    pub(super) ambient: Ambient,
    /// Of the service, for what only its operator can do.
    pub(super) store: Store,
    pub(super) email: String,
    pub(super) password: String,
    pub(super) organization_id: String,
    pub(super) classroom_id: String,
    pub(super) workspace_id: String,
}

/// What was made.
pub(super) struct Made {
    pub(super) job_id: String,
    pub(super) resources: Vec<MadeResource>,
}

/// One of them.
pub(super) struct MadeResource {
    /// `module`, `video` or `test`.
    pub(super) kind: String,
    pub(super) id: String,
    preview_url: String,
}

impl Tour<'_> {
    /// Takes all steps; the first that fails ends the tour.
    pub(super) async fn take(&mut self, lms: &Lms) -> anyhow::Result<Made> {
        self.sign_in().await?;
        self.register_webhook().await?;
        let (job, accepted_at) = self.send_course().await?;
        let job = self.follow(text(&job, "id"), accepted_at).await?;
        self.await_webhook(&job).await?;
        let made = self.read(&job).await?;
        self.open_pages(&made).await?;
        self.write_lessons().await?;
        self.grade().await?;
        self.review().await?;
        self.launch(lms, &made).await?;
        self.pay().await?;
        Ok(made)
    }

    async fn sign_in(&mut self) -> anyhow::Result<()> {
        self.page.step("Sign in, over HTTP like all that follows")?;
        let form = json!({ "email": self.email, "password": self.password, "timezone": "UTC" });
        let reply = self.client.post("/auth/login", &form).await?;
        reply.expect(StatusCode::OK)?;
        let cookie = reply.header("set-cookie").split(';').next().unwrap_or_default();
        ensure!(cookie.starts_with(&format!("{SESSION_COOKIE}=")), "sign-in set no session cookie");
        self.client.session = Some(cookie.to_owned());
        self.page.done(&format!("POST /auth/login as {}", self.email))?;
        let organizations = self.client.get("/v1/content/organizations").await?.json(StatusCode::OK)?;
        let names: Vec<&str> = organizations.as_array().into_iter().flatten().map(|one| text(one, "name")).collect();
        Ok(self.page.done(&format!("GET /v1/content/organizations: {}", names.join(", ")))?)
    }

    async fn register_webhook(&mut self) -> anyhow::Result<()> {
        self.page.step("Register a webhook")?;
        let path = format!("/v1/content/organizations/{}/webhooks", self.organization_id);
        let events = ["content.completed", "content.failed"];
        let secret = self.receiver.register(&self.client, &path, Sender::Content, &events).await?;
        let url = self.receiver.url(Sender::Content);
        self.page.done(&format!("{url} receives content.completed and content.failed"))?;
        let start: String = secret.chars().take(10).collect();
        Ok(self.page.remark(&format!("its signing secret, shown this once: {start}…"))?)
    }

    async fn send_course(&mut self) -> anyhow::Result<(Value, Timestamp)> {
        self.page.step("Send a course")?;
        let payload: Value = serde_json::from_str(COURSE).context("the sample course")?;
        self.page.remark(&describe(&payload))?;
        let request = json!({ "classroomId": self.classroom_id, "payload": payload });
        let key = format!("demo-{}", self.ambient.id::<EventId>());
        let first = self.client.post_once(EXPANSIONS, &request, &key).await?;
        let accepted_at = self.ambient.now();
        let job = first.json(StatusCode::ACCEPTED)?;
        self.page.done(&format!("POST {EXPANSIONS}"))?;
        self.page.remark(&format!("202, job {} is {}", text(&job, "id"), text(&job, "status")))?;

        let again = self.client.post_once(EXPANSIONS, &request, &key).await?;
        again.expect(StatusCode::ACCEPTED)?;
        ensure!(again.header("idempotent-replayed") == "true", "the repeated request was not recognised");
        ensure!(again.body == first.body, "the repeated request was answered otherwise than the first");
        self.page.done("the same request once more, as after a lost connection")?;
        self.page.remark("202, Idempotent-Replayed: true, the same bytes: one job, not two")?;
        Ok((job, accepted_at))
    }

    async fn follow(&mut self, job_id: &str, accepted_at: Timestamp) -> anyhow::Result<Value> {
        self.page.step("Follow the job")?;
        let path = format!("{EXPANSIONS}/{job_id}");
        let job = loop {
            let job = self.client.get(&path).await?.json(StatusCode::OK)?;
            if matches!(text(&job, "status"), "completed" | "failed") {
                break job;
            }
            ensure!(self.ambient.now().duration_since(accepted_at) < PATIENCE, "the job did not end in time");
            tokio::time::sleep(POLL_EVERY).await;
        };
        for output in job["outputs"].as_array().into_iter().flatten() {
            let (kind, status) = (text(output, "outputType"), text(output, "status"));
            ensure!(status == "completed", "{kind} {status}: {}", output["error"]);
            let title = shorten(text(&output["manifest"], "title"), 40);
            self.page.done(&format!("{kind}: {title}"))?;
        }
        ensure!(text(&job, "status") == "completed", "the job failed: {}", job["error"]);
        self.page.remark(&format!("of the first level with lessons: {}", text(&job, "sourceTitle")))?;
        let took = self.ambient.now().duration_since(accepted_at);
        self.page.remark(&format!("completed {} ms after it was accepted", took.as_millis()))?;
        Ok(job)
    }

    async fn await_webhook(&mut self, job: &Value) -> anyhow::Result<()> {
        self.page.step("Receive the webhook")?;
        let delivery = self.receiver.next_in_time(PATIENCE).await?;
        ensure!(delivery.event == "content.completed", "the webhook tells {}", delivery.event);
        ensure!(delivery.body["jobId"] == job["id"], "the webhook is about another job");
        ensure!(delivery.body["id"] == delivery.id.as_str(), "the event's id differs between header and body");
        let completed_at =
            Timestamp::parse_rfc3339(text(job, "completedAt")).context("the job has no completion time")?;
        let after = delivery.received_at.duration_since(completed_at);
        self.page.done(&format!("{}, {} ms after the job ended", delivery.event, after.as_millis()))?;
        self.page.done("X-Content-Integration-Signature is right")?;
        Ok(self.page.done("webhook-signature (Standard Webhooks) is right")?)
    }

    async fn read(&mut self, job: &Value) -> anyhow::Result<Made> {
        self.page.step("Read what was made")?;
        let job_id = text(job, "id").to_owned();
        let result = self.client.get(&format!("{EXPANSIONS}/{job_id}/result")).await?.json(StatusCode::OK)?;
        let outputs = result["manifest"]["outputs"].as_array().context("the result has no outputs")?;
        let mut made = Made { job_id, resources: Vec::new() };
        let mut citations = 0;
        for output in outputs {
            let (kind, id) = (text(output, "resourceType"), text(output, "resourceId"));
            let path = format!("/v1/content/classrooms/{}/{kind}s/{id}", self.classroom_id);
            let resource = self.client.get(&path).await?.json(StatusCode::OK)?;
            citations += excerpts::citations(&resource);
            match kind {
                "module" => excerpts::module(self.page, &resource)?,
                "video" => excerpts::video(self.page, &resource)?,
                "test" => excerpts::test(self.page, &resource)?,
                other => bail!("the result names an unknown resource type: {other}"),
            }
            made.resources.push(MadeResource {
                kind: kind.to_owned(),
                id: id.to_owned(),
                preview_url: text(&resource, "previewUrl").to_owned(),
            });
        }
        ensure!(made.resources.len() == 3, "{} resources were made instead of 3", made.resources.len());
        ensure!(citations > 0, "the resources do not say where they came from");
        self.page.gap()?;
        self.page.done(&format!("{} to places in the course", count(citations, "citation", "citations")))?;
        Ok(made)
    }

    async fn open_pages(&mut self, made: &Made) -> anyhow::Result<()> {
        self.page.step("Open the pages for learners")?;
        for MadeResource { kind, preview_url, .. } in &made.resources {
            let url = Url::parse(preview_url).with_context(|| format!("the {kind} has no page"))?;
            let reply = self.client.get(url.path()).await?;
            reply.expect(StatusCode::OK)?;
            ensure!(reply.header("content-type").starts_with("text/html"), "the page of the {kind} is no page");
            self.page.done(&format!("the {kind}, as whoever has the link sees it"))?;
            self.page.shell(&format!("  {preview_url}"))?;
        }
        Ok(())
    }
}

/// How much there is in a course, and of what.
fn describe(course: &Value) -> String {
    let list = |value: &'_ Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let categories = list(course, "categories");
    let levels: Vec<Value> = categories.iter().flat_map(|category| list(category, "levels")).collect();
    let lessons: Vec<Value> = levels.iter().flat_map(|level| list(level, "lessons")).collect();
    let mut kinds: Vec<&str> =
        lessons.iter().map(|lesson| text(lesson, "type")).filter(|kind| !kind.is_empty()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    format!(
        "{}, {} of {}: {}",
        count(categories.len(), "category", "categories"),
        count(lessons.len(), "lesson", "lessons"),
        count(kinds.len(), "type", "types"),
        kinds.join(", ")
    )
}
