//! `GET /v1/content/organizations/{organizationId}/webhooks/{webhookId}/deliveries`: the log of an endpoint.

use axum::extract::State;
use edge::answer::Answer;
use edge::paging::PageQuery;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::query::one_of;
use edge::sessions::PresentedSession;
use events::deliveries::{Delivery, DeliveryState};

use crate::Content;

/// Lists an endpoint's deliveries with their attempts, the newest event first. The log reaches back 10,000 deliveries.
#[utoipa::path(
    get, path = "/v1/content/organizations/{organizationId}/webhooks/{webhookId}/deliveries", tag = "Webhooks",
    operation_id = "listWebhookDeliveries", security(("adminSession" = [])),
    params(
        ("status" = Option<DeliveryState>, Query, description = "Only `pending`, `delivered` or `failed` ones"),
        ("limit" = Option<u32>, Query, description = "Deliveries on a page, 1 to 100; 20 when it is absent", minimum = 1, maximum = 100),
        ("page" = Option<u32>, Query, description = "Which page, from 1; 1 when it is absent", minimum = 1),
    ),
    responses(
        (status = 200, description = "A page of the log", body = Vec<Delivery>),
        (status = 400, description = "The query is invalid; every fault is listed", body = ContentErrorBody),
        (status = 404, description = "There is no such endpoint", body = ContentErrorBody),
    )
)]
pub async fn list(
    State(content): State<Content>,
    session: PresentedSession,
    Params((organization, webhook)): Params<(String, String)>,
    query: PageQuery,
) -> Result<Answer, Problem> {
    let parts = content.clone();
    let door = &content.door;
    door.read_by_admin(session, "webhooks.deliveries", move |tx, admin| {
        let endpoint = super::load(tx, admin, &organization, &webhook)?;
        let (page, state) = query.read(|parameters| parameters.optional("status", one_of(DeliveryState::WORDS)))?;
        let (listed, total) = endpoint.log(tx, state, page)?;
        Ok(query.describe(parts.links.base(), Answer::ok(&listed), page, total))
    })
    .await
}
