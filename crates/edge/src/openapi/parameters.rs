//! What follows from a parameter's name and place, and what a body that may be left out looks like.

use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{RefOr, Required};

/// Ids that are any text.
const FREE_IDS: [&str; 2] = ["learnerId", "questionId"];

/// A variable of a path.
pub(super) fn variable(name: &str) -> RefOr<Parameter> {
    let text = ObjectBuilder::new().schema_type(Type::String);
    let variable = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Path).required(Required::True);
    variable.schema(Some(text)).build().into()
}

/// Completes a parameter.
pub(super) fn complete(parameter: &mut RefOr<Parameter>) {
    let RefOr::T(parameter) = parameter else { return };
    let is_id = parameter.name == "id" || parameter.name.ends_with("Id");
    match parameter.parameter_in {
        ParameterIn::Path | ParameterIn::Query if is_id && !FREE_IDS.contains(&parameter.name.as_str()) => {
            let uuid = ObjectBuilder::new().schema_type(Type::String);
            parameter.schema = Some(uuid.format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid))).into());
        }
        ParameterIn::Header if parameter.name == "Idempotency-Key" => {
            let key = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(255));
            parameter.schema = Some(key.pattern(Some("^[!-~]+$")).into());
        }
        _ => {}
    }
    // A parameter is there or not; it has no null.
    if let Some(only) = parameter.schema.as_ref().and_then(only_option) {
        parameter.schema = Some(only);
    }
    if let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema
        && let SchemaType::Array(types) = &schema.schema_type
        && let [one, Type::Null] = types.as_slice()
    {
        schema.schema_type = SchemaType::Type(one.clone());
    }
}

/// Says of a body that may be null that it may be left out: null itself is no JSON object.
pub(super) fn complete_body(body: &mut RequestBody) {
    for media in body.content.values_mut() {
        let RefOr::T(media) = media else { continue };
        if let Some(only) = media.schema.as_ref().and_then(only_option) {
            media.schema = Some(only);
            body.required = Some(Required::False);
        }
    }
}

/// What a schema allows beside null, where that is one schema.
fn only_option(schema: &RefOr<Schema>) -> Option<RefOr<Schema>> {
    let RefOr::T(Schema::OneOf(choice)) = schema else { return None };
    let options: Vec<_> = choice.items.iter().filter(|option| !is_null(option)).collect();
    match options.as_slice() {
        [only] if choice.items.len() == 2 => Some((*only).clone()),
        _ => None,
    }
}

fn is_null(schema: &RefOr<Schema>) -> bool {
    matches!(schema, RefOr::T(Schema::Object(object)) if object.schema_type == SchemaType::Type(Type::Null))
}
