//! An evaluation in a list, and what the document says of it: the evaluation's own schema with other files.

use std::borrow::Cow;

use serde::Serialize;
use utoipa::openapi::schema::{ArrayBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::evaluations::{Evaluation, EvaluationRow};

/// An evaluation as it is read by its id, but that its files have no `url`.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct ListedEvaluation(Evaluation);

impl ListedEvaluation {
    pub(super) fn of(row: EvaluationRow) -> Self {
        Self(Evaluation::of(row, |_| None))
    }
}

/// A file of a listed evaluation; read the evaluation for the file's `url`.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents a file without its url")]
struct ListedEvaluationFile {
    /// Its name.
    file_name: String,
    /// Its type, found out from its content.
    mime_type: String,
    /// Its length in bytes.
    size: i64,
    /// The SHA-256 of its content, in hex.
    sha256: String,
}

impl PartialSchema for ListedEvaluation {
    fn schema() -> RefOr<Schema> {
        let mut schema = Evaluation::schema();
        if let RefOr::T(Schema::Object(evaluation)) = &mut schema {
            for (name, whose) in
                [("rubricFiles", "The files of the rubric."), ("answerFiles", "The files of the answer.")]
            {
                let files = ArrayBuilder::new().items(Ref::from_schema_name(ListedEvaluationFile::name()));
                evaluation.properties.insert(name.to_owned(), files.description(Some(whose)).into());
            }
        }
        schema
    }
}

impl ToSchema for ListedEvaluation {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("ListedEvaluation")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((ListedEvaluationFile::name().into_owned(), ListedEvaluationFile::schema()));
        Evaluation::schemas(schemas);
    }
}
