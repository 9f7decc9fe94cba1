//! Making a workspace, and changing one.

use askama::Template;
use http::Method;
use serde_json::{Map, Value, json};

use super::{LIST, address};
use crate::api::content::Organization;
use crate::api::workspaces::Workspace;
use crate::fields::Fields;
use crate::owner::{Kind, Owner};
use crate::pages::organizations::frame;
use crate::pages::{FormState, Page};
use crate::shell::{Section, Shell};
use crate::visit::{Operation, Visit, page_with};

/// Values and words of a choice.
type Choices = Vec<(String, String)>;

#[derive(Template)]
#[template(path = "workspace_new.html")]
struct NewWorkspacePage {
    shell: Shell,
    form: FormState,
    organizations: Choices,
    idempotency_key: String,
}

#[derive(Template)]
#[template(path = "workspace_settings.html")]
struct SettingsPage {
    shell: Shell,
    form: FormState,
    owner: Owner,
    workspace: Workspace,
    billing_modes: Choices,
}

pub(crate) async fn begin(visit: Visit) -> Page {
    new_page(&visit, FormState::default()).await
}

async fn new_page(visit: &Visit, form: FormState) -> Page {
    let known: Vec<Organization> = visit.read("listOrganizations", "/v1/content/organizations").await?;
    let none = (String::new(), "None".to_owned());
    let organizations = std::iter::once(none)
        .chain(known.into_iter().map(|organization| (organization.id, organization.name)))
        .collect();
    let body = Some(json!({ "name": "Riverside School", "slug": "riverside-school" }));
    let idempotency_key = Some("");
    visit.note(&Operation {
        id: "createWorkspace",
        method: Method::POST,
        path: LIST,
        body,
        idempotency_key,
        ..Operation::default()
    });
    let shell = visit.shell("New workspace", Section::Workspaces).await?.crumb("Workspaces", "/console/workspaces");
    let idempotency_key = visit.idempotency_key();
    Ok(page_with(form.status(), &NewWorkspacePage { shell, form, organizations, idempotency_key }))
}

pub(crate) async fn create(visit: Visit, fields: Fields) -> Page {
    let mut body = fields.texts(&["name", "slug", "email", "organizationId"]);
    let (id, path) = match body.contains_key("organizationId") {
        true => ("createWorkspaceFromOrganization", "/v1/platform/workspaces/from-organization"),
        false => ("createWorkspace", LIST),
    };
    body.entry("name").or_insert(Value::from(""));
    let key = Some(fields.get("key"));
    let body = Some(Value::Object(body));
    let create = Operation { id, method: Method::POST, path, body, idempotency_key: key, ..Operation::default() };
    match visit.send::<Workspace>(create).await {
        Ok(workspace) => {
            let owner = Owner { kind: Kind::Workspace, id: workspace.id };
            Ok(visit.done(&owner.page(""), "workspace-created"))
        }
        Err(problem) => new_page(&visit, FormState::refused(fields, problem)?).await,
    }
}

pub(crate) async fn settings(visit: Visit, owner: Owner) -> Page {
    settings_page(&visit, owner, None).await
}

async fn settings_page(visit: &Visit, owner: Owner, form: Option<FormState>) -> Page {
    let workspace: Workspace = visit.read("getWorkspace", &address(&owner, "")).await?;
    let form = form.unwrap_or_else(|| FormState::filled(present(&workspace)));
    let body = Some(json!({ "name": workspace.name }));
    let path = address(&owner, "");
    visit.note(&Operation { id: "updateWorkspace", method: Method::PATCH, path: &path, body, ..Operation::default() });
    let shell = frame(visit, &owner, "Settings", "Settings").await?;
    let mode = |value: &str, text: &str| (value.to_owned(), text.to_owned());
    let billing_modes = vec![
        mode("internal_invoice", "Credits and invoices of this service"),
        mode("processor_metered", "Metered by the payment processor"),
    ];
    Ok(page_with(form.status(), &SettingsPage { shell, form, owner, workspace, billing_modes }))
}

fn present(workspace: &Workspace) -> Fields {
    let optional = |text: &Option<String>| text.clone().unwrap_or_default();
    Fields::from(vec![
        ("name".to_owned(), workspace.name.clone()),
        ("email".to_owned(), optional(&workspace.email)),
        ("planCode".to_owned(), optional(&workspace.plan_code)),
        ("rateLimitPerMinute".to_owned(), workspace.rate_limit_per_minute.to_string()),
        ("billingMode".to_owned(), workspace.billing_mode.clone()),
        ("processorCustomerId".to_owned(), optional(&workspace.processor_customer_id)),
    ])
}

pub(crate) async fn save(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let mut body: Map<String, Value> = fields.texts(&["name", "billingMode"]);
    for name in ["email", "planCode", "processorCustomerId"] {
        body.insert(name.to_owned(), fields.given(name).map_or(Value::Null, Value::from));
    }
    body.extend(fields.number("rateLimitPerMinute").map(|limit| ("rateLimitPerMinute".to_owned(), limit)));
    let path = address(&owner, "");
    let body = Some(Value::Object(body));
    let save = Operation { id: "updateWorkspace", method: Method::PATCH, path: &path, body, ..Operation::default() };
    match visit.act(save).await {
        Ok(()) => Ok(visit.done(&owner.page("/settings"), "workspace-saved")),
        Err(problem) => settings_page(&visit, owner, Some(FormState::refused(fields, problem)?)).await,
    }
}
