//! Workspaces, for operators: the list, a new one, and one with its credits and caps.

mod edit;

use askama::Template;
use http::Method;
use serde_json::{Map, Value, json};

use super::organizations::frame;
use super::{FormState, Page};
use crate::api::workspaces::{Caps, Workspace};
use crate::fields::{Fields, Filters};
use crate::owner::Owner;
use crate::problem::ApiProblem;
use crate::shell::{Section, Shell};
use crate::visit::{Operation, Visit, page, page_with};

pub(crate) use edit::{begin, create, save, settings};

const LIST: &str = "/v1/platform/workspaces";
/// Workspaces of a page. The API gives all of them at once.
const PAGE_SIZE: usize = 50;

#[derive(Template)]
#[template(path = "workspaces.html")]
struct WorkspacesPage {
    shell: Shell,
    workspaces: Vec<Workspace>,
    filters: Fields,
    total: usize,
    page: usize,
    has_more: bool,
}

#[derive(Template)]
#[template(path = "workspace.html")]
struct WorkspacePage {
    shell: Shell,
    form: FormState,
    owner: Owner,
    workspace: Workspace,
    caps: Caps,
    /// The name of the organization whose content it grades.
    idempotency_key: String,
}

pub(crate) async fn list(visit: Visit, Filters(filters): Filters) -> Page {
    let all: Vec<Workspace> = visit.read("listWorkspaces", LIST).await?;
    let shell = visit.shell("Workspaces", Section::Workspaces).await?;
    let wanted = filters.get("name").to_lowercase();
    let matches = |workspace: &Workspace| {
        let has_name = [&workspace.name, &workspace.slug].iter().any(|text| text.to_lowercase().contains(&wanted));
        has_name && filters.given("status").is_none_or(|status| workspace.status == status)
    };
    let found: Vec<Workspace> = all.into_iter().filter(matches).collect();
    let (total, number) = (found.len(), filters.get("page").parse().unwrap_or(1).max(1));
    let start = PAGE_SIZE.saturating_mul(number - 1).min(total);
    let workspaces = found.into_iter().skip(start).take(PAGE_SIZE).collect();
    let has_more = start + PAGE_SIZE < total;
    Ok(page(&WorkspacesPage { shell, workspaces, filters, total, page: number, has_more }))
}

pub(crate) async fn show(visit: Visit, owner: Owner) -> Page {
    workspace_page(&visit, owner, None).await
}

async fn workspace_page(visit: &Visit, owner: Owner, form: Option<FormState>) -> Page {
    let path = address(&owner, "");
    let workspace: Workspace = visit.read("getWorkspace", &path).await?;
    let caps: Caps = visit.read("getWorkspaceCaps", &address(&owner, "/caps")).await?;
    let credits = address(&owner, "/credits");
    let body = Some(json!({ "amount": 500, "reason": "Invoice 2026-014", "sold": true }));
    let idempotency_key = Some("");
    visit.note(&Operation {
        id: "addWorkspaceCredits",
        method: Method::POST,
        path: &credits,
        body,
        idempotency_key,
        ..Operation::default()
    });
    let form = form.unwrap_or_else(|| FormState::filled(present_caps(&caps)));
    let title = workspace.name.clone();
    let shell = frame(visit, &owner, "Overview", &title).await?;
    let idempotency_key = visit.idempotency_key();
    Ok(page_with(form.status(), &WorkspacePage { shell, form, owner, workspace, caps, idempotency_key }))
}

/// The address of an operation on a workspace.
fn address(owner: &Owner, rest: &str) -> String {
    format!("{LIST}/{}{rest}", owner.id)
}

const CAPS: [&str; 5] = ["dailySoftUsd", "dailyHardUsd", "monthlySoftUsd", "monthlyHardUsd", "lowBalanceUsd"];

fn present_caps(caps: &Caps) -> Fields {
    let values =
        [caps.daily_soft_usd, caps.daily_hard_usd, caps.monthly_soft_usd, caps.monthly_hard_usd, caps.low_balance_usd];
    let pairs = CAPS.iter().zip(values).filter_map(|(name, value)| value.map(|value| (*name, value.to_string())));
    Fields::from(pairs.map(|(name, value)| (name.to_owned(), value)).collect::<Vec<_>>())
}

pub(crate) async fn add_credits(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let mut body = fields.texts(&["reason"]);
    body.extend(fields.number("amount").map(|amount| ("amount".to_owned(), amount)));
    if fields.has("sold", "yes") {
        body.insert("sold".to_owned(), Value::from(true));
    }
    let path = address(&owner, "/credits");
    let key = Some(fields.get("key"));
    let add = Operation {
        id: "addWorkspaceCredits",
        method: Method::POST,
        path: &path,
        body: Some(Value::Object(body)),
        idempotency_key: key,
        ..Operation::default()
    };
    let outcome = visit.act(add).await;
    settle(&visit, owner, fields, outcome, "credits-added").await
}

pub(crate) async fn set_caps(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let caps: Map<String, Value> =
        CAPS.iter().map(|name| ((*name).to_owned(), fields.number(name).unwrap_or(Value::Null))).collect();
    let path = address(&owner, "/caps");
    let body = Some(Value::Object(caps));
    let set = Operation { id: "setWorkspaceCaps", method: Method::PUT, path: &path, body, ..Operation::default() };
    let outcome = visit.act(set).await;
    settle(&visit, owner, fields, outcome, "caps-saved").await
}

/// Leads on after a write, or shows the form again with what the API said.
async fn settle(
    visit: &Visit,
    owner: Owner,
    fields: Fields,
    outcome: Result<(), ApiProblem>,
    done: &'static str,
) -> Page {
    match outcome {
        Ok(()) => Ok(visit.done(&owner.page(""), done)),
        Err(problem) => workspace_page(visit, owner, Some(FormState::refused(fields, problem)?)).await,
    }
}

pub(crate) async fn suspend(visit: Visit, owner: Owner) -> Page {
    let path = address(&owner, "/suspend");
    visit.act(Operation { id: "suspendWorkspace", method: Method::POST, path: &path, ..Operation::default() }).await?;
    Ok(visit.done(&owner.page(""), "workspace-suspended"))
}

pub(crate) async fn activate(visit: Visit, owner: Owner) -> Page {
    let path = address(&owner, "/activate");
    visit.act(Operation { id: "activateWorkspace", method: Method::POST, path: &path, ..Operation::default() }).await?;
    Ok(visit.done(&owner.page(""), "workspace-activated"))
}
