//! A request for an evaluation as a form, as the API's document has it (platform-api section 4). `form` reads it.
#![expect(dead_code, reason = "documents a form, which is read part by part")]

use super::request::CreateEvaluationRequest;

/// The same as a form: objects are JSON texts, and files come beside them.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct CreateEvaluationForm {
    /// The other fields, each as a field of the form.
    #[serde(flatten)]
    request: CreateEvaluationRequest,
    /// Files that describe the rubric: at most 10, of 10 MiB each.
    #[schema(max_items = 10, format = Binary, content_media_type = "application/octet-stream")]
    rubric_files: Option<Vec<String>>,
    /// Files that are part of the answer: at most 10, of 10 MiB each.
    #[schema(max_items = 10, format = Binary, content_media_type = "application/octet-stream")]
    answer_files: Option<Vec<String>>,
}
