//! A module as one HTML file.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use language::labels;
use language::script::direction;
use markup::formulas::{self, Part};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::safe::{self, Pictures};
use super::{BEGIN, DATA, Data, END, NO_METADATA, quiz};
use crate::model::ModuleContent;
use crate::report::{Loss, Report};
use crate::xml::names::language_tag;

/// The style of the page, but for formulas.
const STYLE: &str = include_str!("style.css");

/// The page, and what it can't hold of the module. `file` is its name for the findings.
pub(crate) fn page(module: &ModuleContent, pictures: Pictures, file: &str) -> (String, Report) {
    let mut report = Report::default();
    let content = safe::content(&module.html, pictures, file, &mut report);
    if !module.language.is_empty() && language_tag(&module.language).is_none() {
        report.add(file, Loss::Metadata, "The language is no language tag and was left out.");
    }
    let metadata = metadata(&module.metadata, file, &mut report);
    let labels = labels(&module.language);
    let style = format!("{STYLE}{}", formulas::STYLE);
    let whole = safe::content(&module.html, Pictures::OnTheWeb, file, &mut Report::default());
    let whole = Some(whole).filter(|whole| *whole != content);
    let html = format!(
        "<!doctype html>\n<html{language}>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"generator\" content=\"Lectern\">\n\
         <meta name=\"description\" content=\"{description}\">\n\
         <meta name=\"{DATA}\" content=\"{data}\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n<h1>{heading}</h1>\n{lead}\
         <div>{BEGIN}{content}{END}</div>\n{quiz}</main>\n</body>\n</html>\n",
        language = language(&module.language),
        policy = policy(pictures, &style),
        style = style,
        description = escape(&module.description),
        data = escape(&data(module, whole, metadata)),
        title = escape(&module.title),
        heading = with_formulas(&module.title),
        lead = lead(&module.description),
        quiz = quiz::section(&module.quizzes, labels),
    );
    (html, report)
}

/// The text as HTML content or as an attribute's value.
pub(super) fn escape(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            '\r' => html.push_str("&#13;"),
            // No control character means anything in a page.
            c if c.is_control() && !matches!(c, '\n' | '\t') => {}
            c => html.push(c),
        }
    }
    html
}

/// The text as HTML content, with its formulas as MathML.
pub(super) fn with_formulas(text: &str) -> String {
    let part = |part| match part {
        Part::Text(text) => escape(text),
        Part::Formula { latex, display } => {
            formulas::mathml(latex, display).unwrap_or_else(|| format!("<code>{}</code>", escape(latex)))
        }
    };
    formulas::parts(text).into_iter().map(part).collect()
}

fn language(language: &str) -> String {
    let Some(tag) = language_tag(language) else { return String::new() };
    let direction = if direction(tag) == "rtl" { " dir=\"rtl\"" } else { "" };
    format!(" lang=\"{tag}\"{direction}")
}

fn lead(description: &str) -> String {
    if description.is_empty() {
        String::new()
    } else {
        format!("<p class=\"lead\">{}</p>\n", with_formulas(description))
    }
}

/// Nothing is loaded and nothing runs; the one style sheet is known by its hash.
fn policy(pictures: Pictures, style: &str) -> String {
    let images = match pictures {
        Pictures::None => "",
        Pictures::OnTheWeb => " img-src https:;",
    };
    let hash = STANDARD.encode(Sha256::digest(style));
    format!(
        "default-src &#39;none&#39;;{images} style-src &#39;sha256-{hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"
    )
}

fn metadata(text: &str, file: &str, report: &mut Report) -> Box<RawValue> {
    let is_object = kernel::json::parse(text.as_bytes()).is_ok_and(|value| value.is_object());
    if !is_object && !text.trim().is_empty() {
        report.add(file, Loss::Metadata, "The metadata is no JSON object and was left out.");
    }
    let text = if is_object { text } else { NO_METADATA };
    RawValue::from_string(text.to_owned()).expect("an object that was parsed is JSON")
}

fn data(module: &ModuleContent, html: Option<String>, metadata: Box<RawValue>) -> String {
    let data = Data {
        title: module.title.clone(),
        kind: module.kind.clone(),
        description: module.description.clone(),
        language: language_tag(&module.language).unwrap_or_default().to_owned(),
        quizzes: module.quizzes.clone(),
        html,
        metadata,
    };
    serde_json::to_string(&data).expect("texts, numbers and JSON values are JSON")
}
