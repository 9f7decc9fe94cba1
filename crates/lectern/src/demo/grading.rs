//! Answers are graded, as a learning platform would have it done: by a workspace's key, told by its own webhook.

use anyhow::{Context as _, ensure};
use http::StatusCode;
use serde_json::{Value, json};

use super::excerpts::text;
use super::receiver::{Delivery, Sender};
use super::tour::{PATIENCE, Tour};

pub(super) const EVALUATIONS: &str = "/v1/platform/evaluations";
const WEBHOOKS: &str = "/v1/platform/webhooks";
pub(super) const WORKSPACES: &str = "/v1/platform/workspaces";
const EVENTS: [&str; 4] = ["evaluation.completed", "lti.launch_completed", "lti.grade_synced", "lti.grade_sync_failed"];
/// So that the demo can be run for ever.
const CREDITS: u32 = 30;

impl Tour<'_> {
    /// Registers the workspace's webhook, has an answer of each type graded, and checks that each was told.
    pub(super) async fn grade(&mut self) -> anyhow::Result<()> {
        self.add_credits().await?;
        self.register_platform_webhook().await?;
        let graded = self.grade_answers().await?;
        self.show_webhooks(&graded).await
    }

    async fn add_credits(&mut self) -> anyhow::Result<()> {
        self.page.step("Open the grading platform")?;
        let path = format!("{WORKSPACES}/{}", self.workspace_id);
        let body = json!({ "amount": CREDITS, "reason": "The tour" });
        let reply = self.client.without_key().post(&format!("{path}/credits"), &body).await?;
        let workspace = reply.json(StatusCode::OK)?;
        self.page.done(&format!("the operator gives {} {CREDITS} credits", text(&workspace, "name")))?;
        let (free, credits) = (&workspace["freeCreditBalance"], &workspace["creditBalance"]);
        Ok(self.page.remark(&format!("it has {free} free and {credits} other credits of USD 0.01"))?)
    }

    async fn register_platform_webhook(&mut self) -> anyhow::Result<()> {
        self.receiver.register(&self.platform, WEBHOOKS, Sender::Platform, &EVENTS).await?;
        let url = self.receiver.url(Sender::Platform);
        Ok(self.page.done(&format!("{url} receives {}", EVENTS.join(", ")))?)
    }

    /// The evaluations, by what was asked.
    async fn grade_answers(&mut self) -> anyhow::Result<Vec<Value>> {
        self.page.step("Grade three answers")?;
        let mut graded = Vec::new();
        for request in answers() {
            let evaluation = self.platform.post(EVALUATIONS, &request).await?.json(StatusCode::CREATED)?;
            ensure!(text(&evaluation, "status") == "COMPLETED", "the answer was not graded: {}", evaluation["error"]);
            let score = evaluation["score"].as_f64().context("the grade has no score")?;
            ensure!(score > 0.0, "a good answer got no points");
            self.page.heading(&text(&request, "evaluationType").replace('_', " "))?;
            self.page.excerpt("question:", text(&request, "questionText"))?;
            self.page.excerpt("  answer:", text(&request, "learnerAnswer"))?;
            self.page.excerpt("feedback:", text(&evaluation, "feedbackSummary"))?;
            let price = &evaluation["priceSnapshot"]["amountUsd"];
            self.page.done(&format!("{score} of {} points, for USD {price}", evaluation["maxScore"]))?;
            graded.push(evaluation);
        }
        Ok(graded)
    }

    async fn show_webhooks(&mut self, graded: &[Value]) -> anyhow::Result<()> {
        self.page.step("Receive the webhooks of the grades")?;
        for delivery in self.receive_grades(&graded.iter().collect::<Vec<_>>()).await? {
            let (kind, score) = (text(&delivery.body, "evaluationType"), &delivery.body["score"]);
            self.page.done(&format!("{} of {kind}: {score} points", delivery.event))?;
        }
        self.page.done("X-Platform-Signature is right")?;
        Ok(self.page.done("webhook-signature (Standard Webhooks) is right")?)
    }

    /// The webhooks of grades, each in the version at hand, in the order of their arrival. Those of other versions are passed over,
    /// and so are repeated ones: each is told at least once.
    pub(super) async fn receive_grades(&mut self, evaluations: &[&Value]) -> anyhow::Result<Vec<Delivery>> {
        let (mut awaited, mut deliveries) = (evaluations.to_vec(), Vec::new());
        while !awaited.is_empty() {
            let delivery = self.receiver.next_in_time(PATIENCE).await?;
            ensure!(delivery.event == "evaluation.completed", "the webhook tells {}", delivery.event);
            let version = delivery.body["version"].as_i64().unwrap_or(1);
            let is_of = |one: &&Value| one["id"] == delivery.body["evaluationId"] && one["version"] == version;
            let Some(index) = awaited.iter().position(is_of) else { continue };
            let evaluation = awaited.swap_remove(index);
            ensure!(delivery.body["score"] == evaluation["score"], "the webhook tells another score");
            ensure!(delivery.body["eventId"] == delivery.id.as_str(), "the event's id differs between header and body");
            deliveries.push(delivery);
        }
        Ok(deliveries)
    }
}

/// An answer of each type.
fn answers() -> [Value; 3] {
    [
        json!({
            "evaluationType": "exact",
            "questionText": "How far is it from the school to the lake?",
            "learnerAnswer": "1500 m",
            "referenceAnswer": "1.5 km",
        }),
        json!({
            "evaluationType": "rubric_short_answer",
            "questionText": "What does a plant need for photosynthesis, and what does it make?",
            "learnerAnswer": "It needs light, water and carbon dioxide, and it makes sugar.",
            "rubric": { "criteria": [
                { "name": "Needs", "description": "Names light, water and carbon dioxide.", "maxScore": 6 },
                { "name": "Products", "description": "Names sugar and oxygen as what is made.", "maxScore": 4 },
            ] },
        }),
        json!({
            "evaluationType": "open_ended",
            "questionText": "Why are leaves green?",
            "learnerAnswer": "Leaves are green because their chlorophyll reflects green light and absorbs red and blue light.",
            "referenceAnswer": "Chlorophyll absorbs red and blue light for photosynthesis and reflects green light.",
        }),
    ]
}
