//! “Get started”: from the first password to the first expansion and the first graded answer. A step is ticked when the API shows
//! that it happened.

use askama::Template;
use serde_json::{Value, json};

use super::classrooms::explained;
use super::expansions::{self, EXPANSIONS};
use super::playground::{SAMPLE, SAMPLE_ANSWER, expansion_operation, grading_operation, grading_path};
use super::{FormState, Page, evaluations};
use crate::api::content::{Classroom, Expansion, Organization};
use crate::api::evaluations::{Evaluation, EvaluationPage};
use crate::api::workspaces::Workspace;
use crate::fields::{Fields, query};
use crate::owner::{Kind, Owner};
use crate::problem::ApiProblem;
use crate::shell::{Section, Shell};
use crate::visit::{Visit, page_with};

const HOME: &str = "/console/start";

/// What the steps are about: an organization with a classroom and a workspace.
pub(super) struct Place {
    organization: Organization,
    classroom: Option<Classroom>,
    workspace: Option<Workspace>,
}

/// How far the steps are.
pub(super) struct Progress {
    place: Place,
    /// The newest job, or the newest that completed.
    job: Option<Expansion>,
    /// The newest answer, or the newest that has a grade.
    answer: Option<Evaluation>,
}

#[derive(Template)]
#[template(path = "start.html")]
struct StartPage {
    shell: Shell,
    form: FormState,
    progress: Option<Progress>,
    source: &'static str,
    idempotency_key: String,
}

impl Progress {
    fn organization(&self) -> Owner {
        Owner { kind: Kind::Organization, id: self.place.organization.id.clone() }
    }

    fn has_expansion(&self) -> bool {
        self.job.as_ref().is_some_and(|job| job.status == "completed")
    }

    fn has_grade(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.score.is_some())
    }

    fn is_expanding(&self) -> bool {
        self.job.as_ref().is_some_and(Expansion::is_running)
    }

    /// Where the step that waits for the service tells of itself.
    fn followed(&self) -> Option<String> {
        if let Some(job) = self.job.as_ref().filter(|job| job.is_running()) {
            return Some(expansions::events_of(&self.organization(), job));
        }
        let answer = self.answer.as_ref().filter(|answer| answer.is_running())?;
        let workspace = Owner { kind: Kind::Workspace, id: self.place.workspace.as_ref()?.id.clone() };
        Some(evaluations::events_of(&workspace, answer))
    }

    pub(super) fn is_done(&self) -> bool {
        self.has_expansion() && self.has_grade()
    }
}

/// How far an operator of these organizations and workspaces is; `None` without an organization.
pub(super) async fn progress(
    visit: &Visit,
    organizations: &[Organization],
    workspaces: &[Workspace],
) -> Result<Option<Progress>, ApiProblem> {
    let Some(place) = place(visit, organizations, workspaces).await? else { return Ok(None) };
    let path = format!("{EXPANSIONS}?limit=10");
    let read = visit.read_for::<Vec<Expansion>>(&place.organization.id, "listExpansions", &path).await;
    let jobs = read.map_err(explained(visit))?;
    let completed = jobs.iter().find(|job| job.status == "completed").cloned();
    let job = completed.or_else(|| jobs.into_iter().next());
    let answers = match &place.workspace {
        Some(workspace) => {
            let narrowed = query([("workspaceId", workspace.id.as_str()), ("limit", "10")]);
            let path = format!("/v1/platform/evaluations{narrowed}");
            visit.read::<EvaluationPage>("listEvaluations", &path).await?.items
        }
        None => Vec::new(),
    };
    let graded = answers.iter().find(|answer| answer.score.is_some()).cloned();
    let answer = graded.or_else(|| answers.into_iter().next());
    Ok(Some(Progress { place, job, answer }))
}

/// The organization with the oldest workspace that is linked to one: what the setup made.
async fn place(
    visit: &Visit,
    organizations: &[Organization],
    workspaces: &[Workspace],
) -> Result<Option<Place>, ApiProblem> {
    let linked = workspaces.iter().filter(|workspace| workspace.organization_id.is_some());
    let workspace = linked.min_by(|one, other| one.created_at.cmp(&other.created_at)).cloned();
    let owner = workspace.as_ref().and_then(|workspace| workspace.organization_id.as_ref());
    let of_workspace = organizations.iter().find(|organization| Some(&organization.id) == owner);
    let Some(organization) = of_workspace.or(organizations.first()).cloned() else { return Ok(None) };
    let owner = Owner { kind: Kind::Organization, id: organization.id.clone() };
    let classroom = super::classrooms::of(visit, &owner).await?.into_iter().next();
    Ok(Some(Place { organization, classroom, workspace }))
}

/// The organizations and workspaces that there are.
async fn owners(visit: &Visit) -> Result<(Vec<Organization>, Vec<Workspace>), ApiProblem> {
    let organizations = visit.read("listOrganizations", "/v1/content/organizations").await?;
    Ok((organizations, visit.read("listWorkspaces", "/v1/platform/workspaces").await?))
}

/// What a form is about.
async fn place_of_form(visit: &Visit) -> Result<Place, ApiProblem> {
    let (organizations, workspaces) = owners(visit).await?;
    place(visit, &organizations, &workspaces).await?.ok_or_else(ApiProblem::not_found)
}

pub(crate) async fn show(visit: Visit) -> Page {
    start_page(&visit, FormState::default()).await
}

async fn start_page(visit: &Visit, form: FormState) -> Page {
    let (organizations, workspaces) = owners(visit).await?;
    let mut progress = progress(visit, &organizations, &workspaces).await?;
    if let Some(progress) = &mut progress {
        load_job(visit, progress).await?;
    }
    let mut shell = visit.shell("Get started", Section::Overview).await?;
    if let Some(events) = progress.as_ref().and_then(Progress::followed) {
        shell = shell.following(&events);
    }
    let form = if form.problem().is_some() { form } else { FormState::filled(sample_answer()) };
    let idempotency_key = visit.idempotency_key();
    Ok(page_with(form.status(), &StartPage { shell, form, progress, source: SAMPLE, idempotency_key }))
}

/// Lists leave out what a job made; the job itself has the links.
async fn load_job(visit: &Visit, progress: &mut Progress) -> Result<(), ApiProblem> {
    if let Some(job) = &mut progress.job {
        let path = format!("{EXPANSIONS}/{}", job.id);
        let organization = &progress.place.organization.id;
        *job = visit.read_for(organization, "getExpansion", &path).await.map_err(explained(visit))?;
    }
    Ok(())
}

fn sample_answer() -> Fields {
    let pairs = SAMPLE_ANSWER.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Fields::from(pairs.collect::<Vec<_>>())
}

/// Sends the sample to the first classroom.
pub(crate) async fn expand(visit: Visit, fields: Fields) -> Page {
    let Place { organization, classroom, .. } = place_of_form(&visit).await?;
    let classroom = classroom.ok_or_else(ApiProblem::not_found)?;
    let payload: Value = serde_json::from_str(SAMPLE).unwrap_or_default();
    let body = json!({ "classroomId": classroom.id, "payload": payload });
    let sent = visit.act(expansion_operation(&organization.id, body, fields.get("key"))).await;
    settle(&visit, fields, sent.map_err(explained(&visit)), "start-expanded").await
}

/// Has the sample's answer, or the reader's own, graded for the first workspace.
pub(crate) async fn grade(visit: Visit, fields: Fields) -> Page {
    let workspace = place_of_form(&visit).await?.workspace.ok_or_else(ApiProblem::not_found)?;
    let path = grading_path(&Owner { kind: Kind::Workspace, id: workspace.id });
    let mut body = fields.texts(&["questionText", "referenceAnswer", "learnerAnswer"]);
    body.insert("evaluationType".to_owned(), Value::from("open_ended"));
    let sent = visit.act(grading_operation(&path, Value::Object(body), fields.get("key"))).await;
    settle(&visit, fields, sent, "start-graded").await
}

async fn settle(visit: &Visit, fields: Fields, sent: Result<(), ApiProblem>, done: &'static str) -> Page {
    match sent {
        Ok(()) => Ok(visit.done(HOME, done)),
        Err(problem) => start_page(visit, FormState::refused(fields, problem)?).await,
    }
}
