//! The schema of an object of which nothing is said: whatever a customer keeps with a thing, or a source.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Any JSON object. The type is for documents only: it has no values. A bare `type: object` would do for readers, but
/// generated clients take it for an object without members.
pub enum AnyObject {}

impl PartialSchema for AnyObject {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().schema_type(Type::Object).description(Some("Any JSON object."));
        object.additional_properties(Some(AdditionalProperties::FreeForm(true))).into()
    }
}

impl ToSchema for AnyObject {}
