//! `GET /auth/oidc`: what a sign-in page offers.

use axum::extract::State;
use edge::answer::Answer;
use edge::problem::{ContentErrorBody, Problem};
use edge::query::Query;
use serde::Serialize;

use crate::Identity;

/// An identity provider to sign in with.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferedProvider {
    /// Its name.
    #[schema(example = "school")]
    name: String,
    /// Where the browser goes to sign in.
    #[schema(format = "uri")]
    login_url: String,
}

/// Lists the identity providers of the service.
#[utoipa::path(
    get, path = "/auth/oidc", tag = "Identity providers", operation_id = "listIdentityProviders", security(()),
    responses(
        (status = 200, description = "The providers, in the operator's order", body = Vec<OfferedProvider>),
        (status = 400, description = "The query has parameters", body = ContentErrorBody),
    )
)]
pub async fn list(State(identity): State<Identity>, query: Query) -> Result<Answer, Problem> {
    query.read_none()?;
    let offered = identity.providers.iter().map(|provider| OfferedProvider {
        name: provider.settings.name.clone(),
        login_url: format!("{}/auth/oidc/{}/login", identity.base_url, provider.settings.name),
    });
    Ok(Answer::ok(&offered.collect::<Vec<_>>()))
}
