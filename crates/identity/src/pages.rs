//! The pages behind links of e-mail: a form for a password, the outcome, and what stands against it. Without script, in the
//! browser's language.

use axum::response::{IntoResponse, Response};
use design::EntrancePage;
use edge::context::ShownProblem;
use edge::passwords::FEWEST_CHARACTERS;
use edge::problem::Problem;
use http::HeaderMap;
use http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use language::{Email, fill, script::direction};

use crate::Identity;

/// The texts for a browser, with their language.
pub(crate) struct Speech<'a> {
    tag: &'static str,
    pub(crate) texts: &'static Email,
    /// The path below which the service is reached.
    root: &'a str,
}

/// A form that sends the token of a link.
pub(crate) struct LinkForm<'a> {
    pub(crate) title: String,
    /// The account that the form is about, where the link names it.
    pub(crate) email: Option<&'a str>,
    /// The path of the operation that the form goes to.
    pub(crate) action: &'a str,
    pub(crate) token: &'a str,
    pub(crate) needs_password: bool,
    pub(crate) button: &'a str,
}

impl<'a> Speech<'a> {
    /// In the first language that the browser names.
    pub(crate) fn of(identity: &'a Identity, headers: &HeaderMap) -> Self {
        let named = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let first = named.split([',', ';']).next().unwrap_or_default();
        let (tag, texts) = language::email(first);
        Self { tag, texts, root: identity.root() }
    }

    pub(crate) fn form(&self, form: &LinkForm<'_>) -> Response {
        self.form_after(form, "")
    }

    /// The form, with the sentence on why it was refused.
    fn form_after(&self, form: &LinkForm<'_>, refusal: &str) -> Response {
        let (root, token) = (self.root, escape(form.token));
        let email = form.email.map_or_else(String::new, |email| format!("<p class=\"soft\">{}</p>\n", escape(email)));
        let password = if form.needs_password { self.password_field() } else { String::new() };
        let content = format!(
            "{refusal}{email}<form class=\"fields\" method=\"post\" action=\"{root}{}\">\n\
             <input type=\"hidden\" name=\"token\" value=\"{token}\">\n{password}\
             <button type=\"submit\" class=\"button primary wide\">{}</button>\n</form>",
            form.action,
            escape(form.button),
        );
        self.page(&form.title, &content)
    }

    fn password_field(&self) -> String {
        format!(
            "<div class=\"field\"><label for=\"f-password\">{}</label>\
             <input class=\"input\" id=\"f-password\" name=\"password\" type=\"password\" autocomplete=\"new-password\" \
             minlength=\"{FEWEST_CHARACTERS}\" maxlength=\"256\" required aria-describedby=\"h-password\">\
             <p class=\"hint\" id=\"h-password\">{}</p></div>\n",
            escape(self.texts.password),
            escape(&self.password_rule()),
        )
    }

    /// The outcome, with a link to the sign-in.
    pub(crate) fn outcome(&self, title: &str, sentence: &str) -> Response {
        let (root, sign_in) = (self.root, escape(self.texts.sign_in));
        let content = format!(
            "<p role=\"status\">{}</p>\n<a class=\"button primary wide\" href=\"{root}/console/sign-in\">{sign_in}</a>",
            escape(sentence),
        );
        self.page(title, &content)
    }

    /// A form that was refused: again where another password or another try helps, else the end of the link.
    pub(crate) fn refused(&self, form: &LinkForm<'_>, problem: Problem) -> Response {
        let sentence = if concerns(&problem, "token") {
            return self.failed(&form.title, problem);
        } else if concerns(&problem, "password") {
            self.password_rule()
        } else {
            self.texts.try_again.to_owned()
        };
        ShownProblem::on(problem, self.form_after(form, &notice(&sentence)))
    }

    /// A link that opens nothing any more, or nothing at the moment.
    pub(crate) fn failed(&self, title: &str, problem: Problem) -> Response {
        let sentence = if concerns(&problem, "token") { self.texts.link_gone } else { self.texts.try_again };
        ShownProblem::on(problem, self.page(title, &notice(sentence)))
    }

    fn password_rule(&self) -> String {
        fill(self.texts.password_rule, &[("n", &FEWEST_CHARACTERS.to_string())])
    }

    fn page(&self, title: &str, content: &str) -> Response {
        let (language, direction) = (self.tag, direction(self.tag));
        let page = EntrancePage { root: self.root, language, direction, title: &escape(title), content };
        let headers = [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (CONTENT_SECURITY_POLICY, EntrancePage::POLICY),
            // The form has to say where it comes from; the token in the address leaves this origin nowhere.
            (REFERRER_POLICY, "same-origin"),
            (CACHE_CONTROL, "no-store"),
        ];
        (headers, page.html()).into_response()
    }
}

/// Whether a field of the request is what is wrong with it.
fn concerns(problem: &Problem, field: &str) -> bool {
    matches!(problem, Problem::Invalid(details) if details.iter().any(|detail| detail.path == field))
}

fn notice(sentence: &str) -> String {
    format!("<div class=\"notice danger\" role=\"alert\"><div><p>{}</p></div></div>\n", escape(sentence))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
