//! The tables `expansion` and `expansion_output`, as values.

use kernel::id::{ClassroomId, ExpansionId, OrganizationId, OutputId};
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use store::{Group, Record, Row, StoreError, Tx, Value, sql};

use crate::resources::{Failure, Kind, Status};

/// One of the three things that an expansion can make, in priority order.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema, store::Words,
)]
#[serde(rename_all = "snake_case")]
pub enum OutputKind {
    /// A module.
    InteractiveModule,
    /// A video.
    SummaryVideo,
    /// A test.
    ExpandedQuiz,
}

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
        self.resource_kind().as_str()
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
    /// The same, without when and why.
    pub(super) const fn status(&self) -> &'static Status {
        match self {
            Self::Queued => &Status::Queued,
            Self::Processing => &Status::Processing,
            Self::Completed(_) => &Status::Completed,
            Self::Failed(..) => &Status::Failed,
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
}

/// Four columns: status, error code, error message, completed at.
impl Group for Progress {
    const COUNT: usize = 4;

    fn read_at(row: &Row<'_>, from: usize) -> Result<Self, StoreError> {
        let ended_at = || row.get::<Timestamp>(from + 3);
        Ok(match row.get::<Status>(from)? {
            Status::Queued => Self::Queued,
            Status::Processing => Self::Processing,
            Status::Completed => Self::Completed(ended_at()?),
            Status::Failed => Self::Failed(ended_at()?, Failure::read_at(row, from + 1)?),
        })
    }

    fn write<'a>(&'a self, values: &mut Vec<Value<'a>>) -> Result<(), StoreError> {
        values.push(Value::Of(self.status()));
        match self {
            Self::Failed(_, failure) => failure.write(values)?,
            _ => values.extend([Value::Null, Value::Null]),
        }
        values.push(match self {
            Self::Completed(at) | Self::Failed(at, _) => Value::Of(at),
            _ => Value::Null,
        });
        Ok(())
    }
}

/// A row of `expansion`.
#[derive(Clone, Debug, Record)]
#[record(table = "expansion")]
pub(super) struct Expansion {
    pub(super) id: ExpansionId,
    pub(super) organization_id: OrganizationId,
    pub(super) classroom_id: ClassroomId,
    pub(super) source_type: String,
    pub(super) source_title: String,
    pub(super) source_resource_id: Option<String>,
    pub(super) source_resource_type: Option<String>,
    /// The source; read by who expands it.
    #[column(unread)]
    pub(super) payload: String,
    #[column(columns("status", "error_code", "error_message", "completed_at"))]
    pub(super) progress: Progress,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// In priority order.
    #[column(skip)]
    pub(super) outputs: Vec<Output>,
}

/// A row of `expansion_output`, with one member of the `module` that it became.
#[derive(Clone, Debug, Record)]
pub(super) struct Output {
    pub(super) id: OutputId,
    pub(super) kind: OutputKind,
    pub(super) resource_id: Option<String>,
    #[column(json)]
    pub(super) manifest: Option<StoredManifest>,
    #[column(group)]
    pub(super) progress: Progress,
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
pub(super) fn insert(tx: &mut Tx<'_>, expansion: &Expansion) -> Result<(), StoreError> {
    expansion.insert(tx)?;
    for (output, position) in expansion.outputs.iter().zip(1_i64..) {
        tx.execute_later(
            "INSERT INTO expansion_output (id, expansion_id, output_type, position, status) VALUES ($1, $2, $3, $4, $5)",
            &[&output.id, &expansion.id, &output.kind, &position, output.progress.status()],
        )?;
    }
    Ok(())
}

/// Finds an organization's expansion.
pub(super) fn find(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    id: ExpansionId,
) -> Result<Option<Expansion>, StoreError> {
    let found = sql!("SELECT {Expansion::*} FROM expansion WHERE id = {id} AND organization_id = {organization}")
        .find(tx, Expansion::from_row)?;
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
    let mut found = tx.query_each(
        ids,
        |id| sql!("SELECT {Expansion::*} FROM expansion WHERE id = {*id} AND organization_id = {organization}"),
        Expansion::from_row,
    )?;
    let outputs = tx.query_each(
        ids,
        |id| {
            sql!(
            "SELECT expansion_id, id, output_type, resource_id, CAST(NULL AS TEXT), status, error_code, error_message,
                completed_at, CAST(NULL AS BIGINT)
             FROM expansion_output WHERE expansion_id = {*id} ORDER BY position"
        )
        },
        |row| Ok((row.get::<ExpansionId>(0)?, Output::read_at(row, 1)?)),
    )?;
    let mut outputs = outputs.into_iter().peekable();
    for expansion in &mut found {
        while let Some((_, output)) = outputs.next_if(|(of, _)| *of == expansion.id) {
            expansion.outputs.push(output);
        }
    }
    Ok(found)
}

fn outputs_of(tx: &mut Tx<'_>, id: ExpansionId) -> Result<Vec<Output>, StoreError> {
    tx.query(
        "SELECT output.id, output.output_type, output.resource_id, output.manifest, output.status, output.error_code,
            output.error_message, output.completed_at, module.is_public
         FROM expansion_output AS output LEFT JOIN module ON module.id = output.resource_id
         WHERE output.expansion_id = $1 ORDER BY output.position",
        &[&id],
        |row| Output::read_at(row, 0),
    )
}

/// The stored source of an expansion.
pub(super) fn payload(tx: &mut Tx<'_>, id: ExpansionId) -> Result<Option<String>, StoreError> {
    tx.find("SELECT payload FROM expansion WHERE id = $1", &[&id], |row| row.get(0))
}

/// Moves an expansion.
pub(super) fn set_progress(tx: &mut Tx<'_>, id: ExpansionId, progress: &Progress) -> Result<(), StoreError> {
    let now = tx.now();
    let (status, ended_at) = (progress.status(), progress.ended_at());
    let (code, message) = progress.failure().map(|failure| (&failure.code, &failure.message)).unzip();
    sql!(
        "UPDATE expansion SET status = {status}, error_code = {code}, error_message = {message}, completed_at = {ended_at},
            updated_at = {now}
         WHERE id = {id}"
    )
    .execute_later(tx)
}

/// Moves an output; its resource and manifest come with its completion.
pub(super) fn set_output(tx: &mut Tx<'_>, expansion: ExpansionId, output: &Output) -> Result<(), StoreError> {
    let (status, ended_at) = (output.progress.status(), output.progress.ended_at());
    let (code, message) = output.progress.failure().map(|failure| (&failure.code, &failure.message)).unzip();
    let manifest = Value::json(&output.manifest)?;
    sql!(
        "UPDATE expansion_output SET status = {status}, error_code = {code}, error_message = {message},
            completed_at = {ended_at}, resource_id = {output.resource_id}, manifest = {manifest}
         WHERE expansion_id = {expansion} AND output_type = {output.kind}"
    )
    .execute_later(tx)
}
