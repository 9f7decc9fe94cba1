//! What a client sees of an expansion (content-api section 2), built from its rows.

use edge::openapi::AnyObject;
use kernel::id::{ClassroomId, ExpansionId, OutputId};
use kernel::time::Timestamp;
use serde::Serialize;

use super::ResourceType;
use super::rows::{Expansion, Output, OutputKind};
use crate::links::Links;
use crate::resources::Status;
use crate::resources::{Failure, Kind};

/// An expansion job with its outputs.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExpansionJob {
    id: ExpansionId,
    #[schema(example = "source_json")]
    source_type: String,
    /// `queued`, `processing`, `completed` or `failed`.
    status: Status,
    /// Category title and level title.
    #[schema(example = "Biology, Cells")]
    source_title: String,
    requested_outputs: Vec<OutputKind>,
    classroom_id: ClassroomId,
    /// Null for source JSON.
    #[schema(required, format = Uuid)]
    source_resource_id: Option<String>,
    /// Null for source JSON.
    #[schema(required, value_type = Option<ResourceType>)]
    source_resource_type: Option<String>,
    /// Why the job failed.
    #[schema(required)]
    error: Option<Failure>,
    #[schema(required)]
    completed_at: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
    /// One row per requested output, in priority order.
    outputs: Vec<OutputRow>,
}

/// One requested output.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OutputRow {
    id: OutputId,
    output_type: OutputKind,
    /// `queued`, `processing`, `completed` or `failed`.
    status: Status,
    /// `module`, `video` or `test`.
    #[schema(value_type = ResourceType)]
    resource_type: &'static str,
    /// Null until the output is completed.
    #[schema(required, format = Uuid)]
    resource_id: Option<String>,
    /// Null until the output is completed.
    #[serde(skip_serializing_if = "Shown::is_hidden")]
    #[schema(required, value_type = Option<Manifest>)]
    manifest: Shown<Option<Manifest>>,
    /// Why the output failed.
    #[schema(required)]
    error: Option<Failure>,
    #[schema(required)]
    completed_at: Option<Timestamp>,
}

/// A member that lists leave out.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Shown<T> {
    Shown(T),
    Hidden,
}

impl<T> Shown<T> {
    fn is_hidden(&self) -> bool {
        matches!(self, Self::Hidden)
    }
}

/// What a completed output is.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Manifest {
    output_type: OutputKind,
    #[schema(value_type = ResourceType)]
    resource_type: &'static str,
    #[schema(required, format = Uuid)]
    resource_id: Option<String>,
    title: String,
    description: String,
    status: Status,
    #[schema(required)]
    completed_at: Option<Timestamp>,
    /// Of modules only.
    #[serde(skip_serializing_if = "Option::is_none")]
    urls: Option<Urls>,
    /// Of modules only.
    #[serde(skip_serializing_if = "Option::is_none")]
    external_refs: Option<ExternalRefs>,
    /// Module: `title`, `language`, `hasQuiz`, `id`. Video: `sceneCount`, `aspectRatio`, `targetDurationSeconds`,
    /// `id`, `mode`. Test: `subject`, `itemCount`, `timeLimit` in minutes, `id`, `mode`, and `omitted` where the built-in
    /// generator could have asked more and could not make a sound item of it: `type`, `reason` and `count` of each.
    #[schema(value_type = AnyObject)]
    raw: serde_json::Value,
}

/// Where people can look at a module as things stand: `publicUrl` while it is public, both null when it is gone.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Urls {
    #[schema(required, format = "uri")]
    public_url: Option<String>,
    #[schema(required, format = "uri")]
    preview_url: Option<String>,
}

/// The siblings of a module that the same expansion made.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExternalRefs {
    #[schema(required, format = Uuid)]
    video_id: Option<String>,
    #[schema(required, format = Uuid)]
    classroom_test_id: Option<String>,
}

/// The combined result of an ended job.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExpansionResult {
    job: ExpansionJob,
    outputs: Vec<OutputRow>,
    manifest: CombinedManifest,
}

/// All completed outputs at a glance.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CombinedManifest {
    id: ExpansionId,
    status: Status,
    source_type: String,
    source_title: String,
    outputs: Vec<CombinedOutput>,
}

/// A completed output in the combined manifest.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CombinedOutput {
    output_type: OutputKind,
    #[schema(value_type = ResourceType)]
    resource_type: &'static str,
    #[schema(required, format = Uuid)]
    resource_id: Option<String>,
    title: String,
}

impl ExpansionJob {
    /// The job as it stands.
    pub(super) fn of(expansion: &Expansion, links: &Links) -> Self {
        Self::with_outputs(expansion, output_rows(expansion, links))
    }

    /// The job as lists show it.
    pub(super) fn without_manifests(expansion: &Expansion) -> Self {
        let rows = expansion.outputs.iter().map(|output| output_row(output, Shown::Hidden));
        Self::with_outputs(expansion, rows.collect())
    }

    fn with_outputs(expansion: &Expansion, outputs: Vec<OutputRow>) -> Self {
        Self {
            id: expansion.id,
            source_type: expansion.source_type.clone(),
            status: *expansion.progress.status(),
            source_title: expansion.source_title.clone(),
            requested_outputs: expansion.outputs.iter().map(|output| output.kind).collect(),
            classroom_id: expansion.classroom_id,
            source_resource_id: expansion.source_resource_id.clone(),
            source_resource_type: expansion.source_resource_type.clone(),
            error: expansion.progress.failure().cloned(),
            completed_at: expansion.progress.ended_at(),
            created_at: expansion.created_at,
            updated_at: expansion.updated_at,
            outputs,
        }
    }
}

impl ExpansionResult {
    /// The result of an ended job.
    pub(super) fn of(expansion: &Expansion, links: &Links) -> Self {
        let completed = expansion.outputs.iter().filter_map(|output| Some((output, output.manifest.as_ref()?)));
        let manifest = CombinedManifest {
            id: expansion.id,
            status: *expansion.progress.status(),
            source_type: expansion.source_type.clone(),
            source_title: expansion.source_title.clone(),
            outputs: completed
                .map(|(output, manifest)| CombinedOutput {
                    output_type: output.kind,
                    resource_type: output.kind.resource_type(),
                    resource_id: output.resource_id.clone(),
                    title: manifest.title.clone(),
                })
                .collect(),
        };
        Self { job: ExpansionJob::of(expansion, links), outputs: output_rows(expansion, links), manifest }
    }
}

fn output_rows(expansion: &Expansion, links: &Links) -> Vec<OutputRow> {
    let row = |output| output_row(output, Shown::Shown(manifest_of(expansion, output, links)));
    expansion.outputs.iter().map(row).collect()
}

fn output_row(output: &Output, manifest: Shown<Option<Manifest>>) -> OutputRow {
    OutputRow {
        id: output.id,
        output_type: output.kind,
        status: *output.progress.status(),
        resource_type: output.kind.resource_type(),
        resource_id: output.resource_id.clone(),
        manifest,
        error: output.progress.failure().cloned(),
        completed_at: output.progress.ended_at(),
    }
}

fn manifest_of(expansion: &Expansion, output: &Output, links: &Links) -> Option<Manifest> {
    let stored = output.manifest.as_ref()?;
    let is_module = output.kind == OutputKind::InteractiveModule;
    let sibling = |kind| expansion.outputs.iter().find(|other| other.kind == kind)?.resource_id.clone();
    Some(Manifest {
        output_type: output.kind,
        resource_type: output.kind.resource_type(),
        resource_id: output.resource_id.clone(),
        title: stored.title.clone(),
        description: stored.description.clone(),
        status: *output.progress.status(),
        completed_at: output.progress.ended_at(),
        urls: is_module.then(|| urls_of(output, links)),
        external_refs: is_module.then(|| ExternalRefs {
            video_id: sibling(OutputKind::SummaryVideo),
            classroom_test_id: sibling(OutputKind::ExpandedQuiz),
        }),
        raw: stored.raw.clone(),
    })
}

fn urls_of(output: &Output, links: &Links) -> Urls {
    let module = output.resource_id.as_ref();
    // The manifest outlives the module, and so does the address where it was.
    let is_public = output.module_is_public.unwrap_or(false);
    Urls {
        public_url: module.and_then(|id| links.public(Kind::Module, id, is_public)),
        preview_url: module.map(|id| links.preview(Kind::Module, id)),
    }
}
