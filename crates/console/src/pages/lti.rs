//! Learning platforms of a workspace: the list, a new one, and one with its refused launches.

use askama::Template;
use http::Method;
use serde_json::{Value, json};

use super::evaluations::choice;
use super::organizations::frame;
use super::{FormState, Page};
use crate::api::lti::{LinkPage, Refusal, Registration, RegistrationLink, RegistrationPage};
use crate::fields::{Fields, Filters, query};
use crate::owner::{Ids, Owner};
use crate::shell::{Section, Shell};
use crate::visit::{Operation, Visit, page, page_with};

const REGISTRATIONS: &str = "/v1/platform/lti/registrations";
/// Registrations of a page.
const LIMIT: usize = 25;
const NAMES: [&str; 6] = ["name", "issuer", "clientId", "authorizationEndpoint", "tokenEndpoint", "jwksEndpoint"];

#[derive(Template)]
#[template(path = "lti.html")]
struct LtiPage {
    shell: Shell,
    owner: Owner,
    registrations: Vec<Registration>,
    links: Vec<RegistrationLink>,
    total: i64,
    page: usize,
    has_more: bool,
    idempotency_key: String,
}

#[derive(Template)]
#[template(path = "lti_new.html")]
struct NewPage {
    shell: Shell,
    owner: Owner,
    form: FormState,
    tool: ToolAddresses,
    idempotency_key: String,
}

#[derive(Template)]
#[template(path = "lti_registration.html")]
struct RegistrationDetail {
    shell: Shell,
    owner: Owner,
    form: FormState,
    registration: Registration,
    refusals: Vec<Refusal>,
    tool: ToolAddresses,
}

/// What the platform's administrator enters there.
struct ToolAddresses {
    rows: [(&'static str, String); 4],
}

impl ToolAddresses {
    fn of(visit: &Visit) -> Self {
        let at = |path: &str| format!("{}{}{path}", visit.console.origin, visit.console.root);
        Self {
            rows: [
                ("Tool URL, target link", at("/v1/platform/lti/launch")),
                ("Initiate login URL", at("/v1/platform/lti/login")),
                ("Redirection URI", at("/v1/platform/lti/launch")),
                ("Public keyset URL", at("/v1/platform/lti/.well-known/jwks.json")),
            ],
        }
    }
}

/// Leads an operator to the learning platforms of a workspace.
pub(crate) async fn choose(visit: Visit) -> Page {
    choice(&visit, "LTI", Section::Lti, "/lti").await
}

pub(crate) async fn list(visit: Visit, owner: Owner, Filters(filters): Filters) -> Page {
    let number: usize = filters.get("page").parse().unwrap_or(1).clamp(1, 1000);
    let (limit, offset) = (LIMIT.to_string(), ((number - 1) * LIMIT).to_string());
    let asked = query([("workspaceId", owner.id.as_str()), ("limit", &limit), ("offset", &offset)]);
    let RegistrationPage { items, total } =
        visit.read("listLtiRegistrations", &format!("{REGISTRATIONS}{asked}")).await?;
    let links = query([("workspaceId", owner.id.as_str()), ("limit", "20")]);
    let path = format!("/v1/platform/lti/registration-links{links}");
    let links = visit.read::<LinkPage>("listLtiRegistrationLinks", &path).await?.items;
    let shell = frame(&visit, &owner, "LTI", "Learning platforms").await?;
    let has_more = number * LIMIT < usize::try_from(total).unwrap_or(0);
    let idempotency_key = visit.idempotency_key();
    Ok(page(&LtiPage { shell, owner, registrations: items, links, total, page: number, has_more, idempotency_key }))
}

pub(crate) async fn begin(visit: Visit, owner: Owner) -> Page {
    new_page(&visit, owner, FormState::default()).await
}

async fn new_page(visit: &Visit, owner: Owner, form: FormState) -> Page {
    let path = creation_path(&owner);
    let body = json!({ "name": "Riverside LMS", "issuer": "https://lms.example", "clientId": "lectern" });
    visit.note(&create_operation(&path, body, ""));
    let shell = frame(visit, &owner, "LTI", "Register a learning platform").await?;
    let shell = shell.crumb("Learning platforms", &owner.page("/lti"));
    let (tool, idempotency_key) = (ToolAddresses::of(visit), visit.idempotency_key());
    Ok(page_with(form.status(), &NewPage { shell, owner, form, tool, idempotency_key }))
}

fn creation_path(owner: &Owner) -> String {
    format!("{REGISTRATIONS}{}", query([("workspaceId", owner.id.as_str())]))
}

fn create_operation<'a>(path: &'a str, body: Value, key: &'a str) -> Operation<'a> {
    let (id, method, idempotency_key) = ("createLtiRegistration", Method::POST, Some(key));
    Operation { id, method, path, body: Some(body), idempotency_key, ..Operation::default() }
}

pub(crate) async fn create(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let path = creation_path(&owner);
    let body = Value::Object(fields.texts(&NAMES));
    match visit.send::<Registration>(create_operation(&path, body, fields.get("key"))).await {
        Ok(created) => Ok(visit.done(&owner.page(&format!("/lti/registrations/{}", created.id)), "registration-saved")),
        Err(problem) => new_page(&visit, owner, FormState::refused(fields, problem)?).await,
    }
}

pub(crate) async fn show(visit: Visit, owner: Owner, ids: Ids) -> Page {
    detail(&visit, owner, ids.get("registration"), None).await
}

async fn detail(visit: &Visit, owner: Owner, id: &str, form: Option<FormState>) -> Page {
    let path = format!("{REGISTRATIONS}/{id}");
    let registration: Registration = visit.read("getLtiRegistration", &path).await?;
    let refusals = visit.read("listLtiRefusals", &format!("{path}/refusals")).await?;
    let body = Some(json!({ "name": registration.name }));
    visit.note(&Operation {
        id: "updateLtiRegistration",
        method: Method::PUT,
        path: &path,
        body,
        ..Operation::default()
    });
    let form = form.unwrap_or_else(|| FormState::filled(present(&registration)));
    let title = registration.name.clone();
    let shell = frame(visit, &owner, "LTI", &title).await?.crumb("Learning platforms", &owner.page("/lti"));
    let (status, tool) = (form.status(), ToolAddresses::of(visit));
    Ok(page_with(status, &RegistrationDetail { shell, owner, form, registration, refusals, tool }))
}

fn present(registration: &Registration) -> Fields {
    let values = [
        &registration.name,
        &registration.issuer,
        &registration.client_id,
        &registration.authorization_endpoint,
        &registration.token_endpoint,
        &registration.jwks_endpoint,
    ];
    let mut pairs: Vec<_> = NAMES.iter().zip(values).map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    pairs.push(("status".to_owned(), registration.status.clone()));
    Fields::from(pairs)
}

pub(crate) async fn save(visit: Visit, owner: Owner, ids: Ids, fields: Fields) -> Page {
    let id = ids.get("registration");
    let path = format!("{REGISTRATIONS}/{id}");
    let mut body = fields.texts(&NAMES);
    body.insert("status".to_owned(), Value::from(if fields.has("status", "active") { "active" } else { "inactive" }));
    let body = Some(Value::Object(body));
    let save =
        Operation { id: "updateLtiRegistration", method: Method::PUT, path: &path, body, ..Operation::default() };
    match visit.act(save).await {
        Ok(()) => Ok(visit.done(&owner.page(&format!("/lti/registrations/{id}")), "registration-saved")),
        Err(problem) => detail(&visit, owner, id, Some(FormState::refused(fields, problem)?)).await,
    }
}

pub(crate) async fn delete(visit: Visit, owner: Owner, ids: Ids) -> Page {
    let path = format!("{REGISTRATIONS}/{}", ids.get("registration"));
    let id = "deleteLtiRegistration";
    visit.act(Operation { id, method: Method::DELETE, path: &path, ..Operation::default() }).await?;
    Ok(visit.done(&owner.page("/lti"), "registration-deleted"))
}
