//! The tables `expansion` and `expansion_output`, as values.

use kernel::id::{ClassroomId, ExpansionId, OrganizationId, OutputId};
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use store::{Row, StoreError, ToColumn, Tx};

use crate::resources::{Failure, Kind, Status};

/// One of the three things that an expansion can make, in priority order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputKind {
    /// A module.
    InteractiveModule,
    /// A video.
    SummaryVideo,
    /// A test.
    ExpandedQuiz,
}

store::words!(OutputKind {
    InteractiveModule = "interactive_module",
    SummaryVideo = "summary_video",
    ExpandedQuiz = "expanded_quiz",
});

const RESOURCE_TYPES: &[(&str, OutputKind)] = &[
    (OutputKind::InteractiveModule.resource_type(), OutputKind::InteractiveModule),
    (OutputKind::SummaryVideo.resource_type(), OutputKind::SummaryVideo),
    (OutputKind::ExpandedQuiz.resource_type(), OutputKind::ExpandedQuiz),
];

edge::documented_words! {
    /// The kind of resource that an output becomes.
    pub ResourceType = RESOURCE_TYPES
}

impl OutputKind {
    /// Every kind, in priority order.
    pub const ALL: [Self; 3] = [Self::InteractiveModule, Self::SummaryVideo, Self::ExpandedQuiz];

    /// The kind of resource it becomes.
    pub const fn resource_kind(self) -> Kind {
        match self {
            Self::InteractiveModule => Kind::Module,
            Self::SummaryVideo => Kind::Video,
            Self::ExpandedQuiz => Kind::Test,
        }
    }

    /// Its name.
    pub const fn resource_type(self) -> &'static str {
        self.resource_kind().word()
    }
}

/// How far a job or an output is. A failure carries its reason, so neither is ever without the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Waits for a worker.
    Queued,
    /// A worker has it.
    Processing,
    /// Done.
    Completed(Timestamp),
    /// Given up.
    Failed(Timestamp, Failure),
}

impl Progress {
    /// The word on the wire and in the database.
    pub(super) const fn as_str(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Processing => "processing",
            Self::Completed(_) => "completed",
            Self::Failed(..) => "failed",
        }
    }

    /// Whether it ended.
    pub(super) const fn has_ended(&self) -> bool {
        matches!(self, Self::Completed(_) | Self::Failed(..))
    }

    /// Why it failed, when it did.
    pub(super) const fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Failed(_, failure) => Some(failure),
            _ => None,
        }
    }

    /// When it ended.
    pub(super) const fn ended_at(&self) -> Option<Timestamp> {
        match self {
            Self::Completed(at) | Self::Failed(at, _) => Some(*at),
            _ => None,
        }
    }

    /// Reads four columns: status, error code, error message, completed at.
    fn from_columns(row: &Row<'_>, first: usize) -> Result<Self, StoreError> {
        let ended_at = || row.get::<Timestamp>(first + 3);
        Ok(match row.get::<Status>(first)? {
            Status::Queued => Self::Queued,
            Status::Processing => Self::Processing,
            Status::Completed => Self::Completed(ended_at()?),
            Status::Failed => {
                Self::Failed(ended_at()?, Failure { code: row.get(first + 1)?, message: row.get(first + 2)? })
            }
        })
    }
}

/// A row of `expansion` without its payload.
#[derive(Clone, Debug)]
pub(super) struct Expansion {
    pub(super) id: ExpansionId,
    pub(super) organization_id: OrganizationId,
    pub(super) classroom_id: ClassroomId,
    pub(super) source_type: String,
    pub(super) source_title: String,
    pub(super) source_resource_id: Option<String>,
    pub(super) source_resource_type: Option<String>,
    pub(super) progress: Progress,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// In priority order.
    pub(super) outputs: Vec<Output>,
}

/// A row of `expansion_output`.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) id: OutputId,
    pub(super) kind: OutputKind,
    pub(super) progress: Progress,
    pub(super) resource_id: Option<String>,
    pub(super) manifest: Option<StoredManifest>,
    /// Whether anybody may see the module that it became, as things stand; `None` when there is no such module.
    pub(super) module_is_public: Option<bool>,
}

/// What an output's manifest holds that no other row tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredManifest {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) raw: serde_json::Value,
}

/// Writes a new expansion with its outputs.
pub(super) fn insert(tx: &mut Tx<'_>, expansion: &Expansion, payload: &str) -> Result<(), StoreError> {
    tx.execute_later(
        "INSERT INTO expansion (id, organization_id, classroom_id, source_type, source_title, source_resource_id,
            source_resource_type, payload, status, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        &[
            &expansion.id,
            &expansion.organization_id,
            &expansion.classroom_id,
            &expansion.source_type,
            &expansion.source_title,
            &expansion.source_resource_id,
            &expansion.source_resource_type,
            &payload,
            &expansion.progress.as_str(),
            &expansion.created_at,
            &expansion.updated_at,
        ],
    )?;
    for (output, position) in expansion.outputs.iter().zip(1_i64..) {
        tx.execute_later(
            "INSERT INTO expansion_output (id, expansion_id, output_type, position, status) VALUES ($1, $2, $3, $4, $5)",
            &[&output.id, &expansion.id, &output.kind.as_str(), &position, &output.progress.as_str()],
        )?;
    }
    Ok(())
}

const FIND: &str = "SELECT id, organization_id, classroom_id, source_type, source_title, source_resource_id,
        source_resource_type, status, error_code, error_message, completed_at, created_at, updated_at
     FROM expansion WHERE id = $1 AND organization_id = $2";

/// Finds an organization's expansion.
pub(super) fn find(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    id: ExpansionId,
) -> Result<Option<Expansion>, StoreError> {
    let found = tx.find(FIND, &[&id, &organization], expansion)?;
    let Some(mut expansion) = found else { return Ok(None) };
    expansion.outputs = outputs_of(tx, id)?;
    Ok(Some(expansion))
}

/// Finds expansions of an organization in the order of their ids, without manifests.
pub(super) fn find_all(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    ids: &[String],
) -> Result<Vec<Expansion>, StoreError> {
    let own: Vec<Vec<&dyn ToColumn>> = ids.iter().map(|id| -> Vec<&dyn ToColumn> { vec![id, &organization] }).collect();
    let mut found = tx.query_each(FIND, &own, expansion)?;
    let each: Vec<Vec<&dyn ToColumn>> = ids.iter().map(|id| -> Vec<&dyn ToColumn> { vec![id] }).collect();
    let outputs = tx.query_each(
        "SELECT expansion_id, id, output_type, resource_id, status, error_code, error_message, completed_at
         FROM expansion_output WHERE expansion_id = $1 ORDER BY position",
        &each,
        |row| {
            let output = Output {
                id: row.get(1)?,
                kind: row.get(2)?,
                resource_id: row.get(3)?,
                progress: Progress::from_columns(row, 4)?,
                manifest: None,
                module_is_public: None,
            };
            Ok((row.get::<ExpansionId>(0)?, output))
        },
    )?;
    let mut outputs = outputs.into_iter().peekable();
    for expansion in &mut found {
        while let Some((_, output)) = outputs.next_if(|(of, _)| *of == expansion.id) {
            expansion.outputs.push(output);
        }
    }
    Ok(found)
}

/// Reads a row of `FIND`.
fn expansion(row: &Row<'_>) -> Result<Expansion, StoreError> {
    Ok(Expansion {
        id: row.get(0)?,
        organization_id: row.get(1)?,
        classroom_id: row.get(2)?,
        source_type: row.get(3)?,
        source_title: row.get(4)?,
        source_resource_id: row.get(5)?,
        source_resource_type: row.get(6)?,
        progress: Progress::from_columns(row, 7)?,
        created_at: row.get(11)?,
        updated_at: row.get(12)?,
        outputs: Vec::new(),
    })
}

fn outputs_of(tx: &mut Tx<'_>, id: ExpansionId) -> Result<Vec<Output>, StoreError> {
    tx.query(
        "SELECT output.id, output.output_type, output.resource_id, output.manifest, output.status, output.error_code,
            output.error_message, output.completed_at, module.is_public
         FROM expansion_output AS output LEFT JOIN module ON module.id = output.resource_id
         WHERE output.expansion_id = $1 ORDER BY output.position",
        &[&id],
        |row| {
            let manifest: Option<String> = row.get(3)?;
            Ok(Output {
                id: row.get(0)?,
                kind: row.get(1)?,
                resource_id: row.get(2)?,
                manifest: manifest.as_deref().map(serde_json::from_str).transpose().map_err(damaged)?,
                progress: Progress::from_columns(row, 4)?,
                module_is_public: row.get(8)?,
            })
        },
    )
}

fn damaged(error: serde_json::Error) -> StoreError {
    StoreError::Unexpected(Box::new(error))
}

/// The stored source of an expansion.
pub(super) fn payload(tx: &mut Tx<'_>, id: ExpansionId) -> Result<Option<String>, StoreError> {
    tx.find("SELECT payload FROM expansion WHERE id = $1", &[&id], |row| row.get(0))
}

/// Moves an expansion.
pub(super) fn set_progress(tx: &mut Tx<'_>, id: ExpansionId, progress: &Progress) -> Result<(), StoreError> {
    let now = tx.now();
    let failure = progress.failure();
    tx.execute_later(
        "UPDATE expansion SET status = $2, error_code = $3, error_message = $4, completed_at = $5, updated_at = $6
         WHERE id = $1",
        &[
            &id,
            &progress.as_str(),
            &failure.map(|failure| failure.code.as_str()),
            &failure.map(|failure| failure.message.as_str()),
            &progress.ended_at(),
            &now,
        ],
    )
}

/// Moves an output; its resource and manifest come with its completion.
pub(super) fn set_output(tx: &mut Tx<'_>, expansion: ExpansionId, output: &Output) -> Result<(), StoreError> {
    let failure = output.progress.failure();
    let manifest = output.manifest.as_ref().map(|manifest| serde_json::json!(manifest).to_string());
    tx.execute_later(
        "UPDATE expansion_output SET status = $3, error_code = $4, error_message = $5, completed_at = $6,
            resource_id = $7, manifest = $8
         WHERE expansion_id = $1 AND output_type = $2",
        &[
            &expansion,
            &output.kind.as_str(),
            &output.progress.as_str(),
            &failure.map(|failure| failure.code.as_str()),
            &failure.map(|failure| failure.message.as_str()),
            &output.progress.ended_at(),
            &output.resource_id,
            &manifest,
        ],
    )
}
