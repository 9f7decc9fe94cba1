//! Ids and instants in the API's documents: texts of a format. A member that is one needs no more said.

use std::borrow::Cow;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::id::Id;
use crate::time::Timestamp;

impl<T> PartialSchema for Id<T> {
    fn schema() -> RefOr<Schema> {
        text(KnownFormat::Uuid)
    }
}

impl<T> ToSchema for Id<T> {
    fn name() -> Cow<'static, str> {
        "Uuid".into()
    }
}

impl PartialSchema for Timestamp {
    fn schema() -> RefOr<Schema> {
        text(KnownFormat::DateTime)
    }
}

impl ToSchema for Timestamp {
    fn name() -> Cow<'static, str> {
        "DateTime".into()
    }
}

fn text(format: KnownFormat) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(format))).into()
}
