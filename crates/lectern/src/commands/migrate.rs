//! `lectern migrate`: brings the database to this version, or says how far it is.

use std::process::ExitCode;

use serde::Serialize;
use store::Store;
use store::migrations::MigrationState;

use super::Session;
use crate::cli::Migrate;
use crate::{assembly, output};

/// What `--json` prints.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed {
    applied: i64,
    latest: i64,
    pending: Vec<String>,
}

/// Exits 1 when `--check` finds pending steps.
pub(super) async fn run(session: &Session, options: &Migrate) -> anyhow::Result<ExitCode> {
    let config = session.config()?;
    let store_options = assembly::store_options(&config);
    let before = Store::check_migrations(&store_options).await?;
    let is_pending = before.needs_migration()?;
    if options.check {
        print(options, &before)?;
        return Ok(if is_pending { ExitCode::FAILURE } else { ExitCode::SUCCESS });
    }
    assembly::open_store(&config, &session.ambient).await?.close().await;
    let after = Store::check_migrations(&store_options).await?;
    for step in &before.pending {
        output::note(format!("applied {step}"));
    }
    print(options, &after)?;
    Ok(ExitCode::SUCCESS)
}

fn print(options: &Migrate, state: &MigrationState) -> anyhow::Result<()> {
    let MigrationState { applied, latest, pending, .. } = state.clone();
    if options.json {
        return Ok(output::json(&Printed { applied, latest, pending })?);
    }
    output::line(format!("the database is at version {applied} of {latest}"))?;
    Ok(pending.iter().try_for_each(|step| output::line(format!("pending: {step}")))?)
}
