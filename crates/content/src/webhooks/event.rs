//! What receivers are told of an ended expansion job (content-api section 6).

use super::ContentEventName;
use crate::expansions::{OutputKind, ResourceType};
use crate::resources::Status;
use kernel::id::{EventId, ExpansionId};
use kernel::time::Timestamp;
use serde::Serialize;

/// The body of a delivery.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContentEvent {
    /// The same in every delivery of the event: receivers see duplicates by it.
    pub(crate) id: EventId,
    /// `content.completed` or `content.failed`.
    #[serde(rename = "type")]
    #[schema(value_type = ContentEventName)]
    pub(crate) kind: &'static str,
    /// When it happened.
    pub(crate) created_at: Timestamp,
    /// The job, whose result can be fetched now.
    pub(crate) job_id: ExpansionId,
    /// How the job ended.
    pub(crate) data: EndedJob,
}

/// An ended job at a glance.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EndedJob {
    /// The job.
    pub(crate) job_id: ExpansionId,
    /// `completed` or `failed`.
    #[schema(value_type = Status)]
    pub(crate) status: String,
    /// Where its resources are.
    #[schema(format = Uuid)]
    pub(crate) classroom_id: String,
    /// Category title and level title.
    #[schema(example = "Biology, Cells")]
    pub(crate) source_title: String,
    /// One for each requested output, in priority order.
    pub(crate) outputs: Vec<EndedOutput>,
}

/// How an output of the job ended.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EndedOutput {
    /// `interactive_module`, `summary_video` or `expanded_quiz`.
    #[schema(value_type = OutputKind)]
    pub(crate) output_type: String,
    /// `completed` or `failed`.
    #[schema(value_type = Status)]
    pub(crate) status: String,
    /// `module`, `video` or `test`.
    #[schema(required, value_type = Option<ResourceType>)]
    pub(crate) resource_type: Option<&'static str>,
    /// The resource that was made; null where the output failed.
    #[schema(required, format = Uuid)]
    pub(crate) resource_id: Option<String>,
}
