//! The pages, one folder entry for each: what a page reads, what its forms write, and its template.

pub(crate) mod account;
pub(crate) mod audit_log;
pub(crate) mod chart;
pub(crate) mod classrooms;
pub(crate) mod components;
pub(crate) mod deliveries;
pub(crate) mod editor;
pub(crate) mod evaluations;
pub(crate) mod expansions;
pub(crate) mod invoices;
pub(crate) mod kept_form;
pub(crate) mod keys;
pub(crate) mod ledger;
pub(crate) mod lti;
pub(crate) mod lti_links;
pub(crate) mod organizations;
pub(crate) mod overview;
pub(crate) mod page_grading;
pub(crate) mod people;
pub(crate) mod playground;
pub(crate) mod problem;
pub(crate) mod questions;
pub(crate) mod queues;
mod resource_kind;
pub(crate) mod resources;
pub(crate) mod reveal;
pub(crate) mod reviews;
pub(crate) mod setup;
pub(crate) mod sign_in;
pub(crate) mod start;
pub(crate) mod statistics;
pub(crate) mod users;
pub(crate) mod webhooks;
pub(crate) mod workspaces;

use axum::response::Response;
use http::StatusCode;

use crate::fields::Fields;
use crate::format::{self, Plain};
use crate::problem::ApiProblem;

/// A page, or why there is none.
pub(crate) type Page = Result<Response, ApiProblem>;

/// A form with what was entered before, and what the API said to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormState {
    fields: Fields,
    problem: Option<ApiProblem>,
}

impl FormState {
    /// A form that shows these values.
    pub(crate) fn filled(fields: Fields) -> Self {
        Self { fields, problem: None }
    }

    /// A form that the API refused, if its sender can do something about it.
    pub(crate) fn refused(fields: Fields, problem: ApiProblem) -> Result<Self, ApiProblem> {
        if problem.is_correctable() { Ok(Self { fields, problem: Some(problem) }) } else { Err(problem) }
    }

    /// A refused form, whose wrong password or code the API answers with 401.
    pub(crate) fn unproven(fields: Fields, problem: ApiProblem) -> Result<Self, ApiProblem> {
        let is_signed_out = problem.message.contains("not signed in");
        if problem.status == StatusCode::UNAUTHORIZED && !is_signed_out {
            return Ok(Self { fields, problem: Some(problem) });
        }
        Self::refused(fields, problem)
    }

    pub(crate) fn value(&self, name: &str) -> &str {
        self.fields.get(name)
    }

    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.fields.has(name, value)
    }

    /// The API's words about a field, as they follow the field's name.
    pub(crate) fn fault(&self, name: &str) -> Option<&str> {
        let details = &self.problem.as_ref()?.details;
        details.iter().find(|detail| detail.is_about(name)).map(|detail| detail.message.as_str())
    }

    /// The sentence below a field that the API refused.
    pub(crate) fn error(&self, name: &str) -> Option<String> {
        self.fault(name).map(format::sentence)
    }

    /// The problem in one sentence, for the notice above the form.
    pub(crate) fn headline(&self) -> &str {
        let Some(problem) = &self.problem else { return "" };
        match (problem.details.len(), self.unmarked().len()) {
            (0, _) if problem.message.is_empty() => "The service gave no reason.",
            (0, _) => &problem.message,
            (all, unmarked) if unmarked < all => "Check the marked fields.",
            _ => "The form was not accepted.",
        }
    }

    /// The details that no field of the form shows, as sentences. A field shows the first of its own.
    pub(crate) fn unmarked(&self) -> Vec<String> {
        let mut shown = Vec::new();
        let mut rest = Vec::new();
        for detail in self.problem.iter().flat_map(|problem| &problem.details) {
            match self.fields.names().find(|name| detail.is_about(name)) {
                Some(name) if !shown.contains(&name) => shown.push(name),
                _ => rest.push(detail.sentence()),
            }
        }
        rest
    }

    /// Whether the form was filled in. A button on its own has no fields.
    pub(crate) fn has_fields(&self) -> bool {
        self.fields.names().next().is_some()
    }

    pub(crate) fn problem(&self) -> Option<&ApiProblem> {
        self.problem.as_ref()
    }

    /// The status of a page with this form.
    pub(crate) fn status(&self) -> StatusCode {
        self.problem.as_ref().map_or(StatusCode::OK, |problem| problem.status)
    }
}

/// The tone of a state's badge.
pub(crate) fn tone(word: &str) -> &'static str {
    match word.to_ascii_lowercase().as_str() {
        "active" | "accepted" | "completed" | "delivered" | "synced" | "used" | "graded" | "public" => "success",
        "pending" | "processing" | "queued" | "waiting" | "open" | "grading" => "info",
        "suspended" | "disabled" | "inactive" | "incomplete" | "needs review" => "warning",
        "failed" | "revoked" | "expired" => "danger",
        _ => "",
    }
}

/// The tone of a confidence: the lower, the louder.
pub(crate) fn confidence_tone(confidence: impl Plain<f64>) -> &'static str {
    match confidence.plain() {
        low if low < 0.4 => "danger",
        middling if middling < 0.7 => "warning",
        _ => "",
    }
}
