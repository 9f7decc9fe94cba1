//! The operations of an OpenAPI document, as the page shows them.

use serde_json::Value;

use super::Prose;
use super::schema::{Field, TypeName, example, text, type_name};
use crate::pages::Markup;

/// The operations of one tag.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) name: String,
    /// For the group's id.
    pub(super) number: usize,
    pub(super) operations: Vec<Operation>,
}

/// An operation.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    pub(super) id: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) summary: String,
    pub(super) description: Markup,
    pub(super) credentials: String,
    pub(super) parameters: Vec<Field>,
    pub(super) body: Option<Message>,
    pub(super) answers: Vec<Message>,
}

/// A body that is sent or answered.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// Of an answer; empty for a request.
    pub(super) status: String,
    pub(super) description: Markup,
    /// Absent when there is no body.
    pub(super) type_name: Option<TypeName>,
    /// As JSON; may be empty.
    pub(super) example: String,
}

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// All operations by tag, in the document's order; then the webhooks, whose events stand where others have a path.
pub(super) fn group_operations(prose: &Prose, document: &Value) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let paths = ["paths", "webhooks"].into_iter().filter_map(|member| document[member].as_object()).flatten();
    let operations = paths
        .flat_map(|(path, item)| METHODS.into_iter().filter_map(move |method| Some((method, path, item.get(method)?))));
    for (number, (method, path, operation)) in (1..).zip(operations) {
        let tag = operation["tags"][0].as_str().unwrap_or("Other");
        let shown = read(prose, number, method, path, operation);
        match groups.iter_mut().find(|group| group.name == tag) {
            Some(group) => group.operations.push(shown),
            None => {
                groups.push(Group { name: tag.to_owned(), number: groups.len() + 1, operations: vec![shown] });
            }
        }
    }
    groups
}

fn read(prose: &Prose, number: usize, method: &str, path: &str, operation: &Value) -> Operation {
    Operation {
        id: format!("operation-{number}"),
        method: method.to_ascii_uppercase(),
        path: path.to_owned(),
        summary: text(operation, "summary"),
        description: prose.write(&text(operation, "description")),
        credentials: credentials(operation),
        parameters: operation["parameters"].as_array().into_iter().flatten().map(|one| parameter(prose, one)).collect(),
        body: operation.get("requestBody").map(|body| message(prose, "", body)),
        answers: answers(prose, operation),
    }
}

fn credentials(operation: &Value) -> String {
    let options = operation["security"].as_array().into_iter().flatten();
    let names = options.filter_map(|option| option.as_object()?.keys().next()).map(|name| match name.as_str() {
        "contentKey" => "content API key",
        "adminSession" => "admin session",
        "platformKey" => "platform API key",
        "operatorSession" => "operator session",
        "webhookSignature" => "signature of the service",
        other => other,
    });
    names.collect::<Vec<_>>().join(" or ")
}

fn parameter(prose: &Prose, parameter: &Value) -> Field {
    Field {
        name: text(parameter, "name"),
        place: text(parameter, "in"),
        type_name: type_name(&parameter["schema"]),
        is_required: parameter["required"].as_bool().unwrap_or_default(),
        description: prose.write(&text(parameter, "description")),
        example: example(parameter),
    }
}

fn answers(prose: &Prose, operation: &Value) -> Vec<Message> {
    let responses = operation["responses"].as_object().into_iter().flatten();
    let mut answers: Vec<Message> = responses.map(|(status, response)| message(prose, status, response)).collect();
    answers.sort_by(|one, other| one.status.cmp(&other.status));
    answers
}

fn message(prose: &Prose, status: &str, message: &Value) -> Message {
    let media = message["content"].as_object().and_then(|content| content.values().next());
    Message {
        status: status.to_owned(),
        description: prose.write(&text(message, "description")),
        type_name: media.map(|media| type_name(&media["schema"])),
        example: media.map(example).unwrap_or_default(),
    }
}
