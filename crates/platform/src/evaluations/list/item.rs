//! An evaluation in a list, and what the document says of it: the evaluation's own schema with other files.

use std::borrow::Cow;

use edge::openapi::variant_of;
use serde::Serialize;
use utoipa::openapi::schema::{ArrayBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::evaluations::view::EvaluationFile;
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

/// The document's name of a file of a listed evaluation.
enum ListedEvaluationFile {}

impl PartialSchema for ListedEvaluationFile {
    fn schema() -> RefOr<Schema> {
        let description = "A file of a listed evaluation; read the evaluation for the file's `url`.";
        variant_of::<EvaluationFile>(description, |file| {
            file.properties.remove("url");
        })
    }
}

impl ToSchema for ListedEvaluationFile {}

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
