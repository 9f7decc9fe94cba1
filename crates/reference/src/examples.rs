//! Examples of a request in curl, JavaScript and Python, made from the operation in the OpenAPI document.
//!
//! Commands take the service's address and keys from variables of the environment: `LECTERN`, `KEY`, `PLATFORM_KEY` and `SESSION`.

mod curl;
mod javascript;
mod python;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::document::{Operation, Surface, schemes};
use crate::sample::{self, Extent};

/// The characters that a piece of a path or of a query keeps.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// What proves who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Credential {
    None,
    /// A key in the variable of this name.
    Key(&'static str),
    /// The cookie `jwt` in the variable `SESSION`.
    Session,
}

/// A member of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Text(String),
    /// The name of a file.
    File(String),
}

/// What a request carries.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    None,
    Json(Value),
    Form(Vec<(String, Part)>),
    /// A file as it is, with its media type and name.
    File(String, String),
}

/// What comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Json,
    Nothing,
    Text,
    /// Bytes that are kept in a file of this name.
    File(String),
}

/// A request as examples make it.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) method: String,
    /// With values in the place of variables, and the query.
    pub(crate) target: String,
    /// Besides credential and media type.
    pub(crate) headers: Vec<(String, HeaderText)>,
    pub(crate) credential: Credential,
    pub(crate) body: Body,
    pub(crate) answer: Answer,
}

/// The value of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HeaderText {
    /// A UUID that the example makes.
    Fresh,
    /// The service's address.
    Address,
    Text(String),
}

/// An example in a language.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// For ids and highlighting: `curl`, `javascript`, `python`.
    pub(crate) language: &'static str,
    pub(crate) label: &'static str,
    pub(crate) code: String,
}

/// The examples of an operation.
pub(crate) fn of(document: &Value, operation: &Operation) -> [Example; 3] {
    let call = Call::of(document, operation);
    let example = |language, label, code| Example { language, label, code };
    [
        example("curl", "curl", curl::write(&call)),
        example("javascript", "JavaScript", javascript::write(&call)),
        example("python", "Python", python::write(&call)),
    ]
}

impl Call {
    pub(crate) fn of(document: &Value, operation: &Operation) -> Self {
        let value = &operation.value;
        let (mut target, mut query, mut headers) = (operation.path.clone(), Vec::new(), Vec::new());
        for parameter in value["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap_or_default();
            let example = plain(&sample::of_parameter(document, parameter));
            let is_required = parameter["required"] == true;
            match parameter["in"].as_str() {
                Some("path") => target = target.replace(&format!("{{{name}}}"), &encode(&example)),
                Some("query") if is_required => query.push(format!("{}={}", encode(name), encode(&example))),
                Some("header") if name == "Idempotency-Key" => headers.push((name.to_owned(), HeaderText::Fresh)),
                Some("header") if name == "Referer" => headers.push((name.to_owned(), HeaderText::Address)),
                Some("header") if is_required => headers.push((name.to_owned(), HeaderText::Text(example))),
                _ => {}
            }
        }
        if !query.is_empty() {
            target = format!("{target}?{}", query.join("&"));
        }
        Self {
            method: operation.method.clone(),
            target,
            headers,
            credential: credential(operation),
            body: body(document, value),
            answer: answer(value),
        }
    }
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, KEPT).to_string()
}

/// A value as a parameter has it.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The credential that examples use: a key where one is taken.
pub(crate) fn credential(operation: &Operation) -> Credential {
    let schemes = schemes(&operation.value);
    let takes = |name: &str| schemes.contains(&name);
    if takes("contentKey") || takes("platformKey") {
        return Credential::Key(if operation.surface == Surface::Platform { "PLATFORM_KEY" } else { "KEY" });
    }
    if takes("adminSession") || takes("operatorSession") { Credential::Session } else { Credential::None }
}

fn body(document: &Value, value: &Value) -> Body {
    let Some(content) = value.pointer("/requestBody/content").and_then(Value::as_object) else { return Body::None };
    if let Some(media) = content.get("application/json") {
        return Body::Json(sample::of_media(document, media, Extent::Required));
    }
    let Some((media_type, media)) = content.iter().next() else { return Body::None };
    if media_type == "multipart/form-data" {
        return Body::Form(parts(&sample::of_media(document, media, Extent::Required)));
    }
    Body::File(media_type.clone(), format!("package.{}", ending(media_type)))
}

fn parts(sample: &Value) -> Vec<(String, Part)> {
    let members = sample.as_object().into_iter().flatten();
    let part = |(name, value): (&String, &Value)| match value {
        _ if name.ends_with("Files") => (name.clone(), Part::File("answer.pdf".to_owned())),
        value => (name.clone(), Part::Text(plain(value))),
    };
    members.map(part).collect()
}

fn answer(value: &Value) -> Answer {
    let responses = value["responses"].as_object().into_iter().flatten();
    let success = responses.filter(|(status, _)| status.starts_with('2')).map(|(_, response)| response).next();
    let Some(content) = success.and_then(|response| response["content"].as_object()) else { return Answer::Nothing };
    match content.keys().next().map(String::as_str) {
        None => Answer::Nothing,
        Some("application/json") => Answer::Json,
        Some(text) if text.starts_with("text/") => Answer::Text,
        Some(media_type) => Answer::File(format!("download.{}", ending(media_type))),
    }
}

fn ending(media_type: &str) -> &'static str {
    match media_type {
        "application/zip" => "zip",
        "application/pdf" => "pdf",
        "text/html" => "html",
        "text/csv" => "csv",
        _ if media_type.contains("imscc") => "imscc",
        _ => "bin",
    }
}

#[cfg(test)]
mod tests;
