//! `GET /v1/content/classrooms/{classroomId}/modules` (content-api section 4).

use axum::extract::State;
use axum::response::Response;
use edge::paging::PageQuery;
use edge::params::Params;
use edge::problem::Problem;

use super::Module;
use crate::{Content, ContentKey, resources};

/// A page of a classroom's modules, newest first.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/modules", tag = "Modules",
    operation_id = "listModules", security(("contentKey" = [])),
    responses((status = 200, description = "The modules of the page", body = Vec<Module>))
)]
pub async fn list(
    State(content): State<Content>,
    key: ContentKey,
    Params(classroom): Params<String>,
    query: PageQuery,
) -> Result<Response, Problem> {
    resources::list::<Module>(content, key, "modules.list", classroom, query).await
}
