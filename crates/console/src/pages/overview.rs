//! The home of the console: for operators, how the service stands and what needs attention; for members, their organizations
//! and the workspaces whose grades they review.

use askama::Template;
use http::StatusCode;

use super::{Page, start};
use crate::api::content::Organization;
use crate::api::identity::MemberWorkspace;
use crate::api::statistics::Totals;
use crate::api::workspaces::Workspace;
use crate::problem::ApiProblem;
use crate::shell::{Section, Shell};
use crate::visit::{Operation, Visit, page};

/// Things that need attention, on the page.
const MOST_CONCERNS: usize = 12;

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage {
    shell: Shell,
    organizations: Vec<Organization>,
    /// The workspaces whose grades a member reviews.
    workspaces: Vec<MemberWorkspace>,
    service: Option<Service>,
    /// Whether the first steps are still to be done.
    is_starting: bool,
}

/// What operators see.
struct Service {
    is_ready: bool,
    today: Totals,
    /// How many there are; `None` where the list is too long for a page.
    workspaces: Option<usize>,
    concerns: Vec<Concern>,
}

/// Something that needs attention, with the page where it is mended.
struct Concern {
    href: String,
    name: String,
    text: &'static str,
}

pub(crate) async fn show(visit: Visit) -> Page {
    let organizations: Vec<Organization> = visit.read("listOrganizations", "/v1/content/organizations").await?;
    let me = visit.me().await?;
    let (service, is_starting) = if me.is_operator {
        let workspaces = workspaces(&visit).await?;
        let is_starting = match &workspaces {
            Some(all) => {
                start::progress(&visit, &organizations, all).await?.is_some_and(|progress| !progress.is_done())
            }
            None => false,
        };
        (Some(service(&visit, workspaces).await?), is_starting)
    } else {
        (None, false)
    };
    let shell = visit.shell("Overview", Section::Overview).await?;
    let workspaces = if me.is_operator { Vec::new() } else { me.workspaces().cloned().collect() };
    Ok(page(&OverviewPage { shell, organizations, workspaces, service, is_starting }))
}

/// All workspaces; `None` where the list is longer than pages read.
async fn workspaces(visit: &Visit) -> Result<Option<Vec<Workspace>>, ApiProblem> {
    match visit.read("listWorkspaces", "/v1/platform/workspaces").await {
        Ok(all) => Ok(Some(all)),
        Err(problem) if problem.status == StatusCode::BAD_GATEWAY => Ok(None),
        Err(problem) => Err(problem),
    }
}

async fn service(visit: &Visit, all: Option<Vec<Workspace>>) -> Result<Service, ApiProblem> {
    let ready = Operation { path: "/readyz", ..Operation::default() };
    let is_ready =
        !matches!(visit.answer(ready).await, Err(problem) if problem.status == StatusCode::SERVICE_UNAVAILABLE);
    let now = visit.now.to_string();
    let day = now.get(0..10).unwrap_or_default();
    let path = format!("/v1/platform/admin/stats?startDate={day}&endDate={day}");
    let today = visit.read("getStatistics", &path).await?;
    let mut concerns = Vec::new();
    for workspace in all.iter().flatten() {
        let texts = [
            (!workspace.is_active(), "is suspended"),
            (workspace.is_active() && workspace.is_out_of_credits(), "has no credits left"),
            (workspace.email.is_some() && !workspace.email_verified, "has an e-mail address that is not verified"),
        ];
        for (_, text) in texts.into_iter().filter(|(is_so, _)| *is_so) {
            let href = format!("/console/workspaces/{}", workspace.id);
            concerns.push(Concern { href, name: workspace.name.clone(), text });
        }
    }
    concerns.truncate(MOST_CONCERNS);
    Ok(Service { is_ready, today, workspaces: all.map(|all| all.len()), concerns })
}
