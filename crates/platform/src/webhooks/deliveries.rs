//! `GET /v1/platform/webhooks/{id}/deliveries`: beyond the document, the log of an endpoint.

use axum::extract::State;
use edge::answer::Answer;
use edge::paging::PageQuery;
use edge::params::Params;
use edge::problem::Problem;
use edge::query::one_of;
use events::deliveries::{Delivery, DeliveryState};

use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::{NamedInQuery, workspace_in_query};

/// Lists an endpoint's deliveries with their attempts, the newest event first. The log reaches back 10,000 deliveries.
#[utoipa::path(
    get, path = "/v1/platform/webhooks/{id}/deliveries", tag = "Webhooks", operation_id = "listPlatformWebhookDeliveries",
    params(
        ("status" = Option<DeliveryState>, Query, description = "Only `pending`, `delivered` or `failed` ones"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100, description = "1 to 100, 20 when omitted"),
        ("page" = Option<u32>, Query, minimum = 1, description = "From 1"),
        NamedInQuery,
    ),
    responses((status = 200, description = "A page of the log", body = Vec<Delivery>))
)]
pub async fn list(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    query: PageQuery,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::read(&platform.door, credential, "platform_webhooks.deliveries", move |tx, caller| {
        let (page, (state, named)) = query.read(|parameters| {
            let state = parameters.optional("status", one_of(DeliveryState::WORDS));
            let named = workspace_in_query(parameters);
            Some((state?, named?))
        })?;
        let endpoint = super::load(tx, caller, named, &id)?;
        let (listed, total) = endpoint.log(tx, state, page)?;
        Ok(query.describe(&parts.base_url, Answer::ok(&listed), page, total))
    })
    .await
}
