//! Schemas of bodies for the API's document: an object with its members, made from the checks that read them.

use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type};

use super::Body;
use super::checks::{Check, Components};

/// Whether a member may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It is there.
    Required,
    /// It may be absent.
    Optional,
    /// It may be absent or null.
    Nullable,
}

/// The members of an object that is being described.
pub struct Members {
    object: Object,
    components: Components,
}

impl Members {
    /// Describes a member.
    pub fn add<T>(
        &mut self,
        name: &str,
        presence: Presence,
        check: &impl Check<Value = T>,
        description: &str,
        example: Option<Value>,
    ) {
        let schema = check.schema(&mut self.components);
        if presence == Presence::Required {
            self.object.required.push(name.to_owned());
        }
        let schema = described(schema, description, example, presence == Presence::Nullable);
        self.object.properties.insert(name.to_owned(), schema);
    }
}

/// The schema of a body. Schemas that it refers to are added to `components`.
pub fn schema_of<B: Body>(components: &mut Components) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::Object).min_properties(B::HAS_TO_CHANGE.then_some(1));
    let description = Some(B::DESCRIPTION).filter(|text| !text.is_empty());
    let mut members = Members { object: object.description(description).build(), components: Vec::new() };
    B::describe(&mut members);
    components.extend(members.components);
    Schema::Object(members.object).into()
}

/// A value of the document.
pub fn example(value: impl Serialize) -> Value {
    serde_json::to_value(value).expect("an example is a literal")
}

fn described(schema: RefOr<Schema>, description: &str, example: Option<Value>, is_nullable: bool) -> RefOr<Schema> {
    let text = Some(description.to_owned()).filter(|text| !text.is_empty());
    match schema {
        RefOr::T(Schema::Object(mut object)) => {
            (object.description, object.example) = (text, example);
            object.schema_type = or_null(object.schema_type, is_nullable);
            Schema::Object(object).into()
        }
        RefOr::T(Schema::Array(mut array)) => {
            (array.description, array.example) = (text, example);
            array.schema_type = or_null(array.schema_type, is_nullable);
            Schema::Array(array).into()
        }
        RefOr::Ref(mut reference) => {
            description.clone_into(&mut reference.description);
            if !is_nullable {
                return RefOr::Ref(reference);
            }
            let null = ObjectBuilder::new().schema_type(Type::Null);
            OneOfBuilder::new().item(RefOr::Ref(reference)).item(null).into()
        }
        composite => composite,
    }
}

fn or_null(schema_type: SchemaType, is_nullable: bool) -> SchemaType {
    match schema_type {
        SchemaType::Type(one) if is_nullable => SchemaType::Array(vec![one, Type::Null]),
        other => other,
    }
}
