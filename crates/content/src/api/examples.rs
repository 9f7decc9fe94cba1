//! The examples of the OpenAPI document: one small biology course, told in `examples/*.json`.
//!
//! Nothing is told twice. A file has `parameters`, the ids in paths; `schemas`, what a thing looks like wherever it is
//! answered; and `operations` by their ids, each with its `request`, and with its `response` where that is not the schema's
//! example. An object with `$example` stands for the schema's example that it names, or for a part of it
//! (`Video/scenes/0`), with its other members in place of that one's. That the service takes the requests and that the
//! answers are of the documented form is shown by the tests of `illustrations`.

use edge::openapi::operations_of;
use serde_json::{Map, Value, json};
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder};
use utoipa::openapi::schema::{ArrayItems, Schema};
use utoipa::openapi::{Content as MediaType, OpenApi, RefOr, Response};

const FILES: [&str; 8] = [
    include_str!("examples/admin.json"),
    include_str!("examples/modules.json"),
    include_str!("examples/courses.json"),
    include_str!("examples/videos.json"),
    include_str!("examples/slides.json"),
    include_str!("examples/tests.json"),
    include_str!("examples/expansions.json"),
    include_str!("examples/exchange.json"),
];
const REFERENCE: &str = "$example";

/// Gives every operation its examples.
pub(super) fn illustrate(document: &mut OpenApi) {
    let examples = Examples::read();
    let webhooks = document.webhooks.iter_mut().flat_map(|webhooks| webhooks.paths.values_mut());
    for item in document.paths.paths.values_mut().chain(webhooks) {
        operations_of(item).into_iter().for_each(|(_, operation)| examples.illustrate(operation));
    }
}

struct Examples {
    parameters: Map<String, Value>,
    schemas: Map<String, Value>,
    operations: Map<String, Value>,
}

impl Examples {
    fn read() -> Self {
        let mut all = Self { parameters: Map::new(), schemas: Map::new(), operations: Map::new() };
        for file in FILES {
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

    fn illustrate(&self, operation: &mut Operation) {
        let own = operation.operation_id.as_ref().and_then(|id| self.operations.get(id)).cloned().unwrap_or_default();
        for parameter in operation.parameters.iter_mut().flatten() {
            if let RefOr::T(parameter) = parameter {
                self.illustrate_parameter(parameter);
            }
        }
        if let Some(RefOr::T(body)) = &mut operation.request_body
            && let Some(RefOr::T(media)) = body.content.get_mut("application/json")
        {
            media.example = own.get("request").map(|request| self.resolved(request));
        }
        for (status, response) in &mut operation.responses.responses {
            if let RefOr::T(Response { content, .. }) = response
                && status.starts_with('2')
                && let Some(RefOr::T(media)) = content.get_mut("application/json")
            {
                let own = own.get("response").map(|response| self.resolved(response));
                media.example = own.or_else(|| self.of_schema(media));
            }
        }
    }

    fn illustrate_parameter(&self, parameter: &mut Parameter) {
        if let Some(id) = self.parameters.get(&parameter.name) {
            *parameter = ParameterBuilder::from(std::mem::take(parameter)).example(Some(id.clone())).build();
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
