//! The pages behind links of e-mail: a form for a password, and what came of it. Without script, in the browser's language.

use axum::response::{IntoResponse, Response};
use http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use http::{HeaderMap, StatusCode};
use language::{Email, fill, script::direction};

const PAGE: &str = include_str!("pages/page.html");
const FORM: &str = include_str!("pages/form.html");

/// The texts for a browser, with their language.
pub(crate) struct Speech {
    tag: &'static str,
    pub(crate) texts: &'static Email,
}

impl Speech {
    /// In the first language that the browser names.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let named = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let first = named.split([',', ';']).next().unwrap_or_default();
        let (tag, texts) = language::email(first);
        Self { tag, texts }
    }

    /// A form that sends a token with a new password to `action`.
    pub(crate) fn form(&self, title: &str, button: &str, action: &str, token: &str, needs_password: bool) -> Response {
        let required = if needs_password { "required" } else { "" };
        let form = fill(
            FORM,
            &[
                ("action", &escape(action)),
                ("token", &escape(token)),
                ("title", &escape(title)),
                ("button", &escape(button)),
                ("required", required),
            ],
        );
        self.page(StatusCode::OK, title, &form)
    }

    /// What came of it.
    pub(crate) fn outcome(&self, status: StatusCode, title: &str, sentence: &str) -> Response {
        self.page(status, title, &format!("<p role=\"status\">{}</p>", escape(sentence)))
    }

    fn page(&self, status: StatusCode, title: &str, content: &str) -> Response {
        let values = [
            ("language", self.tag),
            ("direction", direction(self.tag)),
            ("title", &escape(title)),
            ("content", content),
        ];
        let headers = [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (
                CONTENT_SECURITY_POLICY,
                "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
            ),
            // The form has to say where it comes from; the token in the address leaves this origin nowhere.
            (REFERRER_POLICY, "same-origin"),
            (CACHE_CONTROL, "no-store"),
        ];
        (status, headers, fill(PAGE, &values)).into_response()
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
