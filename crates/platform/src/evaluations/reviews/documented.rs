//! What the document says of a review in a list: the review's own schema with the id of its evaluation.

use std::borrow::Cow;

use edge::openapi::variant_of;
use serde_json::json;
use utoipa::openapi::schema::{ObjectBuilder, Schema};
use utoipa::openapi::{KnownFormat, RefOr, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use super::request::CreateReviewRequest;

/// The document's name of an item: a review with the id of its evaluation.
pub(super) enum EvaluationReview {}

impl PartialSchema for EvaluationReview {
    fn schema() -> RefOr<Schema> {
        variant_of::<CreateReviewRequest>("A review of an evaluation.", |review| {
            let id = ObjectBuilder::new()
                .schema_type(Type::String)
                .format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)))
                .description(Some("Which evaluation."))
                .examples([json!("018f4a3c-7b1d-7c3e-9a52-3f1d2b4c5d6e")]);
            review.properties.insert("evaluationId".to_owned(), id.into());
            review.required.push("evaluationId".to_owned());
        })
    }
}

impl ToSchema for EvaluationReview {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("EvaluationReview")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        CreateReviewRequest::schemas(schemas);
    }
}
