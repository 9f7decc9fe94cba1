//! The page of an operation or an event: fields, examples, responses, and the form that sends a request.

use askama::Template;
use serde_json::Value;

use super::Shell;
use crate::document::{self, Operation, Surface};
use crate::examples::{self, Body, Credential, Example};
use crate::html::Html;
use crate::library::Library;
use crate::markdown;
use crate::sample::{self, Extent};
use crate::schema::{self, Field, TypeName, text};

/// A body of a media type.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// Of an answer; empty for a request.
    status: String,
    description: Html,
    media_types: String,
    /// Absent when there is no body.
    type_name: Option<TypeName>,
    /// The members of a body that is an object.
    fields: Vec<Field>,
    /// May be empty.
    example: Html,
}

/// The form that sends a request.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// `key`, `session` or `none`.
    credential: &'static str,
    /// The name under which a browser tab keeps the key.
    key_name: &'static str,
    parameters: Vec<Input>,
    /// `json`, `form`, `file` or `none`.
    body: &'static str,
    text: String,
    media_type: String,
    parts: Vec<Input>,
}

/// A field of that form.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// `path`, `query`, `header`, `part` or `file`.
    place: String,
    name: String,
    value: String,
    is_required: bool,
    is_fresh: bool,
}

/// `/docs/{surface}/{operationId}`, `/docs/events/{name}`.
#[derive(Template)]
#[template(path = "operation.html")]
pub(super) struct OperationPage<'l> {
    shell: Shell,
    schemas_at: String,
    operation: &'l Operation,
    credentials: String,
    description: Html,
    parameters: Vec<Field>,
    body: Option<Message>,
    answers: Vec<Message>,
    errors: Vec<Message>,
    /// Absent for events, which the service sends.
    examples: Vec<Example>,
    form: Option<Form>,
}

impl<'l> OperationPage<'l> {
    pub(super) fn new(library: &'l Library, operation: &'l Operation) -> Self {
        let reference = library.reference(operation.surface);
        let (document, value) = (&reference.document, &operation.value);
        let title = if operation.is_event { &operation.path } else { &operation.summary };
        let shell = Shell::new(library, title, &operation.page()).within(library, operation.surface, Some(operation));
        let shell = if operation.is_event {
            shell.crumb("Events", "/docs/events")
        } else {
            let group =
                reference.groups.iter().find(|group| group.name == operation.group).map_or(1, |group| group.number);
            let page = operation.surface.page();
            shell.crumb(&reference.title, page).crumb(&operation.group, &format!("{page}#group-{group}"))
        };
        let (answers, errors) = answers(document, value)
            .into_iter()
            .partition(|answer| operation.is_event || !answer.status.starts_with(['4', '5']));
        let is_called = !operation.is_event;
        Self {
            shell,
            schemas_at: format!("{}/docs/{}/schemas/", library.root, operation.surface.slug()),
            operation,
            credentials: document::credentials(value),
            description: markdown::inline_prose(&text(value, "description")),
            parameters: parameters(value).map(schema::parameter).collect(),
            body: value.get("requestBody").map(|body| message(document, "", body, Extent::Required)),
            answers,
            errors,
            examples: if is_called { examples::of(document, operation).to_vec() } else { Vec::new() },
            form: is_called.then(|| form(document, operation)),
        }
    }

    fn code(&self, example: &Example) -> Html {
        markdown::code_block(&example.code, example.language)
    }
}

fn parameters(value: &Value) -> impl Iterator<Item = &Value> {
    value["parameters"].as_array().into_iter().flatten()
}

fn answers(document: &Value, value: &Value) -> Vec<Message> {
    let responses = value["responses"].as_object().into_iter().flatten();
    let mut answers: Vec<Message> =
        responses.map(|(status, response)| message(document, status, response, Extent::Whole)).collect();
    answers.sort_by(|one, other| one.status.cmp(&other.status));
    // Where two answers are alike, the second one refers to the first by its type alone.
    for place in (1..answers.len()).rev() {
        if answers[..place].iter().any(|earlier| earlier.example == answers[place].example) {
            answers[place].example = Html::default();
        }
    }
    answers
}

fn message(document: &Value, status: &str, message: &Value, extent: Extent) -> Message {
    let content = message["content"].as_object();
    let json = content.and_then(|content| content.get("application/json").or(content.values().next()));
    let schema = json.map(|media| &media["schema"]);
    let named =
        schema.and_then(|schema| schema["$ref"].as_str()?.strip_prefix('#')).and_then(|at| document.pointer(at));
    let is_error = status.starts_with(['4', '5']);
    let example = json.filter(|_| !is_error && content.is_some_and(|content| is_shown(content.keys())));
    let media_types = content.into_iter().flat_map(|content| content.keys().map(String::as_str));
    Message {
        status: status.to_owned(),
        description: markdown::inline_prose(&text(message, "description")),
        media_types: media_types.collect::<Vec<_>>().join(", "),
        type_name: schema.map(schema::type_name),
        fields: if is_error { Vec::new() } else { named.or(schema).map(schema::fields).unwrap_or_default() },
        example: example.map(|media| json_block(&sample::of_media(document, media, extent))).unwrap_or_default(),
    }
}

/// Whether a body is text that an example can show.
fn is_shown<'m>(mut media_types: impl Iterator<Item = &'m String>) -> bool {
    media_types.any(|media_type| media_type == "application/json" || media_type == "multipart/form-data")
}

fn json_block(value: &Value) -> Html {
    markdown::code_block(&serde_json::to_string_pretty(value).unwrap_or_default(), "json")
}

/// Headers that a browser sets itself, or never lets a page set.
const BROWSERS_OWN: [&str; 4] = ["Referer", "Origin", "Cookie", "Content-Type"];

fn form(document: &Value, operation: &Operation) -> Form {
    let call = examples::Call::of(document, operation);
    let shown = parameters(&operation.value).filter(|parameter| {
        let name = parameter["name"].as_str().unwrap_or_default();
        parameter["in"] != "cookie" && !BROWSERS_OWN.contains(&name)
    });
    let (body, text, media_type, parts) = match call.body {
        Body::None => ("none", String::new(), String::new(), Vec::new()),
        Body::Json(value) => (
            "json",
            serde_json::to_string_pretty(&value).unwrap_or_default(),
            "application/json".to_owned(),
            Vec::new(),
        ),
        Body::Form(parts) => ("form", String::new(), String::new(), parts.into_iter().map(part).collect()),
        Body::File(media_type, _) => ("file", String::new(), media_type, Vec::new()),
    };
    Form {
        credential: match call.credential {
            Credential::None => "none",
            Credential::Key(_) => "key",
            Credential::Session => "session",
        },
        key_name: if operation.surface == Surface::Platform { "lectern-platform-key" } else { "lectern-content-key" },
        parameters: shown.map(|parameter| input(document, parameter)).collect(),
        body,
        text,
        media_type,
        parts,
    }
}

fn part((name, part): (String, examples::Part)) -> Input {
    let (place, value) = match part {
        examples::Part::Text(text) => ("part", text),
        examples::Part::File(_) => ("file", String::new()),
    };
    Input { place: place.to_owned(), name, value, is_required: false, is_fresh: false }
}

fn input(document: &Value, parameter: &Value) -> Input {
    let (name, place) = (text(parameter, "name"), text(parameter, "in"));
    let is_required = parameter["required"] == true;
    let value = if is_required { examples::plain(&sample::of_parameter(document, parameter)) } else { String::new() };
    Input { is_fresh: name == "Idempotency-Key", name, place, value, is_required }
}
