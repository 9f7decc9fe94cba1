//! A webhook and the log of what was sent to it.

use askama::Template;
use http::Method;

use super::Page;
use super::organizations::frame;
use crate::api::webhooks::{Delivery, Webhook};
use crate::fields::{Fields, Filters};
use crate::owner::{Ids, Owner};
use crate::problem::ApiProblem;
use crate::shell::Shell;
use crate::visit::{Operation, Visit, page};

/// Deliveries of a page.
const LIMIT: usize = 25;

#[derive(Template)]
#[template(path = "deliveries.html")]
struct DeliveriesPage {
    shell: Shell,
    owner: Owner,
    webhook: Webhook,
    deliveries: Vec<Delivery>,
    filters: Fields,
    page: u32,
    has_more: bool,
    idempotency_key: String,
}

pub(crate) async fn list(visit: Visit, owner: Owner, ids: Ids, Filters(filters): Filters) -> Page {
    let webhook_id = ids.get("webhook");
    let list = owner.operation("listWebhooks", "listPlatformWebhooks");
    let webhooks: Vec<Webhook> = visit.read(list, &owner.webhooks("")).await?;
    let webhook = webhooks.into_iter().find(|webhook| webhook.id == webhook_id).ok_or_else(ApiProblem::not_found)?;
    let number: u32 = filters.get("page").parse().unwrap_or(1).max(1);
    let asked = filters.clone().with("page", &number.to_string()).with("limit", &LIMIT.to_string());
    let (base, more) =
        (owner.webhooks(&format!("/{webhook_id}/deliveries")), asked.query(&["status", "limit", "page"]));
    let path =
        if base.contains('?') { format!("{base}{}", more.replacen('?', "&", 1)) } else { format!("{base}{more}") };
    let id = owner.operation("listWebhookDeliveries", "listPlatformWebhookDeliveries");
    let deliveries: Vec<Delivery> = visit.read(id, &path).await?;
    let shell = frame(&visit, &owner, "Webhooks", "Webhook").await?.crumb("Webhooks", &owner.page("/webhooks"));
    let (has_more, idempotency_key) = (deliveries.len() == LIMIT, visit.idempotency_key());
    Ok(page(&DeliveriesPage { shell, owner, webhook, deliveries, filters, page: number, has_more, idempotency_key }))
}

pub(crate) async fn redeliver(visit: Visit, owner: Owner, ids: Ids, fields: Fields) -> Page {
    let (webhook, event) = (ids.get("webhook"), ids.get("event"));
    let path = owner.webhooks(&format!("/{webhook}/deliveries/{event}/redeliver"));
    let id = owner.operation("redeliverWebhook", "redeliverPlatformWebhook");
    let idempotency_key = Some(fields.get("key"));
    visit.act(Operation { id, method: Method::POST, path: &path, idempotency_key, ..Operation::default() }).await?;
    Ok(visit.done(&owner.page(&format!("/webhooks/{webhook}")), "redelivered"))
}
