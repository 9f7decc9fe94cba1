//! Webhooks of an organization or a workspace.

use askama::Template;
use http::Method;
use serde_json::{Value, json};

use super::organizations::frame;
use super::reveal::{Reveal, Secret};
use super::{FormState, Page};
use crate::api::webhooks::{Webhook, WebhookSecret};
use crate::fields::Fields;
use crate::owner::{Ids, Owner};
use crate::shell::Shell;
use crate::visit::{Operation, Visit, page_with};

const CONTENT_EVENTS: [&str; 2] = ["content.completed", "content.failed"];
const PLATFORM_EVENTS: [&str; 20] = [
    "evaluation.completed",
    "evaluation.failed",
    "assessment.deployed",
    "assessment.submitted",
    "course.deployed",
    "course.completed",
    "slide.deployed",
    "slide.completed",
    "video.deployed",
    "video.completed",
    "test.deployed",
    "test.completed",
    "lti.launch_completed",
    "lti.launch_failed",
    "lti.grade_synced",
    "lti.grade_sync_failed",
    "billing.low_balance",
    "billing.cap_reached",
    "billing.payment_failed",
    "key.expiring",
];
/// For how long the old secret signs too, so that receivers have time to change.
const OVERLAP_SECONDS: u32 = 86_400;

#[derive(Template)]
#[template(path = "webhooks.html")]
struct WebhooksPage {
    shell: Shell,
    form: FormState,
    owner: Owner,
    webhooks: Vec<Webhook>,
    events: &'static [&'static str],
    idempotency_key: String,
}

pub(crate) async fn list(visit: Visit, owner: Owner) -> Page {
    webhooks_page(&visit, owner, FormState::default()).await
}

async fn webhooks_page(visit: &Visit, owner: Owner, form: FormState) -> Page {
    let webhooks = visit.read(owner.operation("listWebhooks", "listPlatformWebhooks"), &owner.webhooks("")).await?;
    let events: &[&str] = if owner.is_workspace() { &PLATFORM_EVENTS } else { &CONTENT_EVENTS };
    let path = owner.webhooks("");
    let sample = json!({ "url": "https://lms.example/hooks", "events": [events[0]] });
    visit.note(&create_operation(&owner, &path, sample, ""));
    let shell = frame(visit, &owner, "Webhooks", "Webhooks").await?;
    let idempotency_key = visit.idempotency_key();
    Ok(page_with(form.status(), &WebhooksPage { shell, form, owner, webhooks, events, idempotency_key }))
}

fn create_operation<'a>(owner: &Owner, path: &'a str, body: Value, key: &'a str) -> Operation<'a> {
    let id = owner.operation("createWebhook", "createPlatformWebhook");
    Operation { id, method: Method::POST, path, body: Some(body), idempotency_key: Some(key), ..Operation::default() }
}

pub(crate) async fn create(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let body = json!({ "url": fields.get("url").trim(), "events": fields.all("events") });
    let path = owner.webhooks("");
    match visit.send::<WebhookSecret>(create_operation(&owner, &path, body, fields.get("key"))).await {
        Ok(created) => reveal(&visit, &owner, created).await,
        Err(problem) => webhooks_page(&visit, owner, FormState::refused(fields, problem)?).await,
    }
}

pub(crate) async fn rotate_secret(visit: Visit, owner: Owner, ids: Ids, fields: Fields) -> Page {
    let path = owner.webhooks(&format!("/{}/rotate-secret", ids.get("webhook")));
    let id = owner.operation("rotateWebhookSecret", "rotatePlatformWebhookSecret");
    let body = Some(json!({ "overlapSeconds": OVERLAP_SECONDS }));
    let idempotency_key = Some(fields.get("key"));
    let rotate = Operation { id, method: Method::POST, path: &path, body, idempotency_key, ..Operation::default() };
    let created: WebhookSecret = visit.send(rotate).await?;
    reveal(&visit, &owner, created).await
}

pub(crate) async fn test(visit: Visit, owner: Owner, ids: Ids, fields: Fields) -> Page {
    let path = owner.webhooks(&format!("/{}/test", ids.get("webhook")));
    let id = owner.operation("testWebhook", "testPlatformWebhook");
    let idempotency_key = Some(fields.get("key"));
    visit.act(Operation { id, method: Method::POST, path: &path, idempotency_key, ..Operation::default() }).await?;
    Ok(visit.done(&owner.page(&format!("/webhooks/{}", ids.get("webhook"))), "webhook-tested"))
}

pub(crate) async fn delete(visit: Visit, owner: Owner, ids: Ids) -> Page {
    let path = owner.webhooks(&format!("/{}", ids.get("webhook")));
    let id = owner.operation("deleteWebhook", "deletePlatformWebhook");
    visit.act(Operation { id, method: Method::DELETE, path: &path, ..Operation::default() }).await?;
    Ok(visit.done(&owner.page("/webhooks"), "webhook-deleted"))
}

async fn reveal(visit: &Visit, owner: &Owner, created: WebhookSecret) -> Page {
    let shell = frame(visit, owner, "Webhooks", "The signing secret").await?;
    let until = created.previous_secret_signs_until.as_deref();
    let secret = Secret {
        title: "Copy the secret now",
        text: "It is shown this once. The receiver checks with it that an event comes from here.",
        value: created.secret,
        more: until.map(|time| format!("The old secret signs too until {}.", moment(time))).unwrap_or_default(),
    };
    Reveal { shell, secret, back: owner.page("/webhooks") }.page()
}

fn moment(wire: &str) -> String {
    kernel::time::Timestamp::parse_rfc3339(wire).map_or_else(|| wire.to_owned(), crate::format::moment)
}
