//! How many open answers of public pages an organization pays for in a day.

use askama::Template;
use http::Method;
use serde_json::json;

use super::organizations::frame;
use super::{FormState, Page};
use crate::api::content::PageGrading;
use crate::fields::Fields;
use crate::owner::Owner;
use crate::shell::Shell;
use crate::visit::{Operation, Visit, page_with};

#[derive(Template)]
#[template(path = "page_grading.html")]
struct PageGradingPage {
    shell: Shell,
    form: FormState,
    owner: Owner,
    budget: PageGrading,
}

pub(crate) async fn show(visit: Visit, owner: Owner) -> Page {
    budget_page(&visit, owner, None).await
}

fn path(owner: &Owner) -> String {
    format!("/v1/content/organizations/{}/page-grading", owner.id)
}

async fn budget_page(visit: &Visit, owner: Owner, form: Option<FormState>) -> Page {
    let budget: PageGrading = visit.read("getPageGrading", &path(&owner)).await?;
    let present = Fields::default().with("openAnswersPerDay", &budget.open_answers_per_day.to_string());
    let form = form.unwrap_or_else(|| FormState::filled(present));
    let body = Some(json!({ "openAnswersPerDay": 200 }));
    visit.note(&Operation {
        id: "updatePageGrading",
        method: Method::PATCH,
        path: &path(&owner),
        body,
        ..Operation::default()
    });
    let shell = frame(visit, &owner, "Page grading", "Page grading").await?;
    Ok(page_with(form.status(), &PageGradingPage { shell, form, owner, budget }))
}

pub(crate) async fn save(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let body = Some(json!({ "openAnswersPerDay": fields.number("openAnswersPerDay") }));
    let path = path(&owner);
    let save = Operation { id: "updatePageGrading", method: Method::PATCH, path: &path, body, ..Operation::default() };
    match visit.act(save).await {
        Ok(()) => Ok(visit.done(&owner.page("/page-grading"), "page-grading-saved")),
        Err(problem) => budget_page(&visit, owner, Some(FormState::refused(fields, problem)?)).await,
    }
}
