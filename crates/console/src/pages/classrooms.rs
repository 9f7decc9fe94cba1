//! The classrooms of an organization.

use askama::Template;

use super::Page;
use super::organizations::frame;
use crate::api::content::Classroom;
use crate::owner::Owner;
use crate::problem::ApiProblem;
use crate::shell::Shell;
use crate::visit::{Visit, page};

#[derive(Template)]
#[template(path = "classrooms.html")]
struct ClassroomsPage {
    shell: Shell,
    owner: Owner,
    classrooms: Vec<Classroom>,
}

pub(crate) async fn list(visit: Visit, owner: Owner) -> Page {
    let classrooms = of(&visit, &owner).await?;
    let shell = frame(&visit, &owner, "Classrooms", "Classrooms").await?;
    Ok(page(&ClassroomsPage { shell, owner, classrooms }))
}

/// The classrooms of an organization.
pub(super) async fn of(visit: &Visit, owner: &Owner) -> Result<Vec<Classroom>, ApiProblem> {
    visit.read_for(&owner.id, "listClassrooms", "/v1/content/classrooms").await.map_err(explained)
}

/// Services that take no session for content answer as if nobody were signed in. Signing in again would not help.
pub(super) fn explained(problem: ApiProblem) -> ApiProblem {
    if problem.message.contains("content integration key") {
        let message = "This service takes only API keys for content, no session.";
        return ApiProblem::new(http::StatusCode::FORBIDDEN, message);
    }
    problem
}
