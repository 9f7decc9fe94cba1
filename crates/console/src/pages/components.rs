//! The components of the console in every state, for whoever builds or judges pages.

use askama::Template;

use super::chart::Chart;
use super::{FormState, Page};
use crate::fields::Fields;
use crate::format;
use crate::markup::{self, Html};
use crate::problem::{ApiProblem, FieldProblem};
use crate::shell::{Section, Shell};
use crate::visit::{Visit, page};

/// The colours of the tokens, as the page names them.
const COLOURS: [&str; 12] = [
    "paper",
    "surface",
    "sunken",
    "line",
    "ink",
    "ink-soft",
    "accent",
    "accent-soft",
    "danger",
    "warning",
    "info",
    "success",
];

#[derive(Template)]
#[template(path = "components.html")]
struct ComponentsPage {
    shell: Shell,
    form: FormState,
    colours: [&'static str; 12],
    options: Vec<(String, String)>,
    qr_code: Option<Html>,
    chart: Chart,
    chart_title: String,
}

pub(crate) async fn show(visit: Visit) -> Page {
    let shell = match visit.me().await {
        Ok(me) => visit.bare_shell("Components", Section::Components).signed_in(me),
        Err(_) => visit.bare_shell("Components", Section::Components),
    };
    let mut problem = ApiProblem::new(http::StatusCode::BAD_REQUEST, "The request is invalid.");
    problem.details.push(FieldProblem { path: "wrong".into(), message: "must be the name of a school".into() });
    let fields = Fields::default().with("wrong", "Riverside…").with("right", "Riverside School");
    let form = FormState::refused(fields, problem)?;
    let options = vec![("one".to_owned(), "Courses".to_owned()), ("two".to_owned(), "Modules".to_owned())];
    let days: Vec<_> = (1..=14u32).map(|day| (format!("2026-11-{day:02}"), f64::from((day * 37) % 90))).collect();
    let chart = Chart::of(&days, format::decimal);
    let colours = COLOURS;
    let chart_title = "Requests by day, a sample".to_owned();
    let qr_code = markup::qr_code("otpauth://totp/Sample", "QR code of the sample");
    Ok(page(&ComponentsPage { shell, form, colours, options, qr_code, chart, chart_title }))
}
