//! `lectern trace`: what led to a score, and what came of a source.

use content::catalog;
use kernel::id::WorkspaceId;
use platform::traces::{Trace, find};
use platform::workspaces::{self, find::oldest_of};
use store::{StoreError, Tx};

use super::Session;
use super::names::RowError;
use crate::app::find_origin;
use crate::cli::TraceId;
use crate::output;

/// Prints the trace around an id, from its beginning to the gradebook.
pub(super) async fn run(session: &Session, options: TraceId) -> anyhow::Result<()> {
    let (id, named) = (options.id, options.workspace);
    let trace = session.read("traces.find", move |tx| load(tx, &id, named.as_deref())).await?;
    if options.json {
        return Ok(output::json(&trace)?);
    }
    Ok(output::table(["WHAT", "ID", "WHEN", "FACTS"], rows(&trace))?)
}

fn load(tx: &mut Tx<'_>, id: &str, named: Option<&str>) -> Result<Trace, RowError> {
    let unknown = || RowError::Missing(format!("thing with a trace and the ID {id}"));
    let workspace = match named {
        Some(named) => {
            workspaces::find::find(tx, named)?.ok_or_else(|| RowError::Missing(format!("workspace {named}")))?
        }
        None => workspace_of(tx, id)?.ok_or_else(unknown)?,
    };
    find::find(tx, workspace, id, find_origin)?.ok_or_else(unknown)
}

fn workspace_of(tx: &mut Tx<'_>, id: &str) -> Result<Option<WorkspaceId>, StoreError> {
    if let Some(workspace) = find::workspace_of(tx, id)? {
        return Ok(Some(workspace));
    }
    match catalog::owner(tx, id)? {
        Some(organization) => oldest_of(tx, organization),
        None => Ok(None),
    }
}

/// One line for each thing, in the order of a trace.
fn rows(trace: &Trace) -> Vec<[String; 4]> {
    let text = |option: &Option<String>| option.clone().unwrap_or_default();
    let mut rows = Vec::new();
    if let Some(source) = &trace.source {
        rows.push([
            "source".to_owned(),
            source.expansion_id.clone(),
            source.created_at.to_string(),
            source.title.clone(),
        ]);
    }
    rows.extend(trace.resources.iter().map(|one| [one.kind.clone(), one.id.clone(), String::new(), String::new()]));
    rows.extend(
        trace
            .links
            .iter()
            .map(|one| ["link".to_owned(), one.id.to_string(), one.created_at.to_string(), one.title.clone()]),
    );
    rows.extend(trace.launches.iter().map(|one| {
        [
            "launch".to_owned(),
            one.session_id.to_string(),
            one.created_at.to_string(),
            format!("by {}", text(&one.user_id)),
        ]
    }));
    rows.extend(trace.submissions.iter().map(|one| {
        let score = one.score.map_or_else(|| "-".to_owned(), |score| score.to_string());
        let facts = format!("{} {score} of {}", one.status.as_str(), one.max_score);
        ["submission".to_owned(), one.id.to_string(), one.submitted_at.to_string(), facts]
    }));
    for one in &trace.evaluations {
        let score = one.score.map_or_else(|| "-".to_owned(), |score| score.to_string());
        let facts = format!("{} {score} of {}", one.status.as_str(), one.max_score);
        rows.push(["evaluation".to_owned(), one.id.to_string(), one.created_at.to_string(), facts]);
        if let Some(ledger) = &one.ledger {
            let facts = format!("{} ${}", ledger.state, ledger.amount_usd);
            rows.push(["ledger".to_owned(), one.id.to_string(), ledger.created_at.to_string(), facts]);
        }
    }
    rows.extend(trace.scores.iter().map(|one| {
        let of = one.evaluation_id.map(|id| id.to_string()).or_else(|| one.submission_id.map(|id| id.to_string()));
        [
            "score".to_owned(),
            text(&of),
            one.sync.synced_at_text(),
            format!("{} {}", one.sync.state(), text(&one.line_item)),
        ]
    }));
    rows
}
