//! `GET /v1/content/organizations/{organizationId}/page-grading`.

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::Problem;
use edge::sessions::PresentedSession;

use super::PageGrading;

/// How many open answers are graded a day on the pages of an organization's tests, and how many were today.
#[utoipa::path(
    get, path = "/v1/content/organizations/{organizationId}/page-grading", tag = "Organizations",
    operation_id = "getPageGrading", security(("adminSession" = [])),
    responses((status = 200, description = "The budget and what was used of it", body = PageGrading))
)]
pub async fn get(
    State(door): State<Door>,
    session: PresentedSession,
    Params(organization): Params<String>,
) -> Result<Answer, Problem> {
    door.read_by_admin(session, "page_grading.get", move |tx, admin| {
        let organization = admin.manages(tx, &organization)?;
        Ok(Answer::ok(&PageGrading::load(tx, organization)?))
    })
    .await
}
