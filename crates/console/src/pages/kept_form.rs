//! The page of a form that was sent after its session had ended: it keeps what was sent until its sender is signed in again.

use askama::Template;
use axum::Form;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest as _, Request};
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use http::request::Parts;

use crate::shell::{Section, Shell};
use crate::visit::{Visit, page_with};

/// Parts of the names of fields that are not kept: they are typed again.
const SECRET: [&str; 3] = ["password", "code", "secret"];

/// The fields of a form, in their order.
#[derive(Debug)]
pub(crate) struct KeptForm(Vec<(String, String)>);

#[derive(Template)]
#[template(path = "kept_form.html")]
struct KeptFormPage {
    shell: Shell,
    /// The address that the form is sent to.
    action: String,
    fields: Vec<(String, String)>,
}

impl KeptForm {
    /// The form of a request; `None` for one with a secret, and for what is no form.
    pub(crate) async fn of(parts: &Parts, body: Bytes) -> Option<Self> {
        let mut request = Request::from_parts(parts.clone(), Body::from(body));
        // The guard has read it within the limit of the longest form.
        DefaultBodyLimit::disable().apply(&mut request);
        let Form(fields) = Form::<Vec<(String, String)>>::from_request(request, &()).await.ok()?;
        let is_secret = |name: &str| SECRET.iter().any(|part| name.to_ascii_lowercase().contains(part));
        let is_kept = !fields.is_empty() && !fields.iter().any(|(name, _)| is_secret(name));
        is_kept.then_some(Self(fields))
    }

    /// The page that sends the form again.
    pub(crate) fn show(self, visit: &Visit) -> Response {
        let shell = visit.bare_shell("Your session has ended", Section::None);
        let action = format!("{}{}", shell.root, visit.path);
        page_with(StatusCode::UNAUTHORIZED, &KeptFormPage { shell, action, fields: self.0 }).into_response()
    }
}
