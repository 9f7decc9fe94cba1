//! The examples of an OpenAPI document: one small story, told in the surface's `api/examples/*.json`.
//!
//! No fact is written twice. A file has three parts:
//!
//! - `parameters`: the values of parameters by their names. A name that stands for other things in other paths has its part of
//!   the path before it: `workspaces/{id}`.
//! - `schemas`: what a thing looks like wherever an answer has it.
//! - `operations`: by their ids, each with its `request`, and with its `response` where that is not the schema's example. Where the
//!   answers of two statuses differ, `responses` has one by its status.
//!
//! An object with `$example` stands for the schema's example that it names, or for a part of it (`Video/scenes/0`), with its
//! other members in place of that one's. The tests of each surface's `illustrations` show that every operation has its
//! examples, and that they are of the documented form.

use serde_json::{Map, Value, json};
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder};
use utoipa::openapi::schema::{ArrayItems, Schema};
use utoipa::openapi::{Content as MediaType, OpenApi, RefOr, Response};

use super::operations_of;

const REFERENCE: &str = "$example";

/// Gives every operation and every webhook its examples from these files. One that a document has already stays.
pub fn illustrate(document: &mut OpenApi, files: &[&str]) {
    let examples = Examples::read(files);
    let webhooks = document.webhooks.iter_mut().flat_map(|webhooks| webhooks.paths.iter_mut());
    for (path, item) in document.paths.paths.iter_mut().chain(webhooks) {
        operations_of(item).into_iter().for_each(|(_, operation)| examples.illustrate(path, operation));
    }
}

struct Examples {
    parameters: Map<String, Value>,
    schemas: Map<String, Value>,
    operations: Map<String, Value>,
}

impl Examples {
    fn read(files: &[&str]) -> Self {
        let mut all = Self { parameters: Map::new(), schemas: Map::new(), operations: Map::new() };
        for file in files {
            let Value::Object(mut parts) = serde_json::from_str(file).expect("the examples are JSON") else { continue };
            let places = [
                ("parameters", &mut all.parameters),
                ("schemas", &mut all.schemas),
                ("operations", &mut all.operations),
            ];
            for (name, place) in places {
                if let Some(Value::Object(part)) = parts.remove(name) {
                    place.extend(part);
                }
            }
        }
        all
    }

    fn illustrate(&self, path: &str, operation: &mut Operation) {
        let own = operation.operation_id.as_ref().and_then(|id| self.operations.get(id)).cloned().unwrap_or_default();
        for parameter in operation.parameters.iter_mut().flatten() {
            if let RefOr::T(parameter) = parameter {
                self.illustrate_parameter(path, parameter);
            }
        }
        if let Some(RefOr::T(body)) = &mut operation.request_body
            && let Some(RefOr::T(media)) = body.content.get_mut("application/json")
        {
            let own = own.get("request").map(|request| self.resolved(request));
            media.example = own.or_else(|| media.example.take());
        }
        for (status, response) in &mut operation.responses.responses {
            if let RefOr::T(Response { content, .. }) = response
                && status.starts_with('2')
                && let Some(RefOr::T(media)) = content.get_mut("application/json")
            {
                let of_status = own.get("responses").and_then(|responses| responses.get(status));
                let own = of_status.or_else(|| own.get("response")).map(|response| self.resolved(response));
                media.example = own.or_else(|| self.of_schema(media)).or_else(|| media.example.take());
            }
        }
    }

    fn illustrate_parameter(&self, path: &str, parameter: &mut Parameter) {
        let variable = format!("{{{}}}", parameter.name);
        let before = path.split_once(&format!("/{variable}")).and_then(|(before, _)| before.rsplit('/').next());
        let placed = before.and_then(|before| self.parameters.get(&format!("{before}/{variable}")));
        if let Some(value) = placed.or_else(|| self.parameters.get(&parameter.name)) {
            *parameter = ParameterBuilder::from(std::mem::take(parameter)).example(Some(value.clone())).build();
        }
    }

    /// The example of the schema of an answer, or a list of it.
    fn of_schema(&self, media: &MediaType) -> Option<Value> {
        let example = |location: &str| self.named(location.rsplit('/').next()?);
        match media.schema.as_ref()? {
            RefOr::Ref(reference) => example(&reference.ref_location),
            RefOr::T(Schema::Array(list)) => match &list.items {
                ArrayItems::RefOrSchema(items) => match &**items {
                    RefOr::Ref(reference) => Some(json!([example(&reference.ref_location)?])),
                    RefOr::T(_) => None,
                },
                ArrayItems::False => None,
            },
            RefOr::T(_) => None,
        }
    }

    /// A schema's example or a part of it: `Video/scenes/0`. A listed resource looks like the resource itself.
    fn named(&self, name: &str) -> Option<Value> {
        let (schema, pointer) = name.split_at(name.find('/').unwrap_or(name.len()));
        let known = self.schemas.get(schema).or_else(|| self.schemas.get(schema.strip_prefix("Listed")?))?;
        self.resolved(known).pointer(pointer).cloned()
    }

    fn resolved(&self, value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(|item| self.resolved(item)).collect(),
            Value::Object(members) => {
                let named = members.get(REFERENCE).and_then(Value::as_str);
                let mut whole =
                    named.map(|name| self.named(name).expect("examples refer to examples")).unwrap_or(json!({}));
                match &mut whole {
                    Value::Object(whole) => {
                        let own = members.iter().filter(|(name, _)| *name != REFERENCE);
                        whole.extend(own.map(|(name, value)| (name.clone(), self.resolved(value))));
                    }
                    _ => debug_assert_eq!(members.len(), 1, "only objects have members to replace"),
                }
                whole
            }
            other => other.clone(),
        }
    }
}
