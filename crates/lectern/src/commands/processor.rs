//! `lectern processor`: the payment processor and what it was told.

use std::process::ExitCode;

use anyhow::Context as _;
use platform::billing::processor::Processor as Client;
use platform::billing::reconcile::{Difference, Reconciliation, reconcile as compare};
use platform::billing::usage::resolve::{Finding, resolve as settle};
use store::StoreError;

use super::{Session, WrongUse};
use crate::assembly;
use crate::cli::{Processor, Reconcile, Resolve};
use crate::output;

pub(super) async fn run(session: &Session, command: Processor) -> anyhow::Result<ExitCode> {
    match command {
        Processor::Reconcile(options) => reconcile(session, &options).await,
        Processor::Resolve(options) => resolve(session, &options).await,
    }
}

/// Exits 1 when anything differs.
async fn reconcile(session: &Session, options: &Reconcile) -> anyhow::Result<ExitCode> {
    let config = session.config()?;
    let Some(processor) = assembly::processor_options(&config, config.server.listen) else {
        return Err(WrongUse("there is no payment processor: set LECTERN_PROCESSOR_BASE_URL".to_owned()).into());
    };
    let processor =
        Client::new(processor, session.ambient.clone(), 1).context("the payment processor can't be asked")?;
    let store = session.open_store().await?;
    let found = compare(&store, &processor, session.ambient.now(), options.days).await;
    store.close().await;
    let found = found.context("nothing was compared")?;
    if options.json {
        output::json(&found)?;
    } else {
        print(&found)?;
    }
    Ok(if found.count == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(found: &Reconciliation) -> std::io::Result<()> {
    let Reconciliation { workspaces, compared, count, differences } = found;
    for difference in differences {
        output::line(output::plain(&words(difference)))?;
    }
    let hidden = count.saturating_sub(differences.len() as u64);
    if hidden > 0 {
        output::line(format!("… and {hidden} more"))?;
    }
    output::line(format!(
        "{count} differences in the ledgers of {workspaces} workspaces and {compared} figures of the processor"
    ))
}

fn words(difference: &Difference) -> String {
    match difference {
        Difference::Ledger { workspace_id, ledger_micros, reported_micros } => format!(
            "workspace {workspace_id}: by the ledger the processor pays {ledger_micros} millionths of a dollar, by the reports \
             {reported_micros}"
        ),
        Difference::Meter { customer_id, event_name, day, reported, processor } => format!(
            "customer {customer_id}, {event_name}, {day}: {reported} credits were reported, the processor has {processor}"
        ),
        Difference::Item { item_id, reported, processor } => {
            format!("subscription item {item_id}: {reported} were reported, the processor has {processor}")
        }
        Difference::NoMeter { event_name } => format!("the processor has no active meter for the event {event_name}"),
        Difference::Uncertain { report_id, workspace_id, identifier } => format!(
            "report {report_id} of workspace {workspace_id}: nobody knows whether the processor has it. Look for {identifier} \
             there, then run lectern processor resolve"
        ),
        Difference::Late { report_id, workspace_id, last_error } => format!(
            "report {report_id} of workspace {workspace_id} has waited for more than a day: {}",
            last_error.as_deref().unwrap_or("no attempt was made")
        ),
    }
}

async fn resolve(session: &Session, options: &Resolve) -> anyhow::Result<ExitCode> {
    let (report, finding) = (options.report, if options.sent { Finding::Sent } else { Finding::Unsent });
    let write = move |tx: &mut store::Tx<'_>| settle(tx, report, finding);
    let is_settled = session.write::<_, StoreError, _>("processor.resolve", write).await?;
    anyhow::ensure!(is_settled, "no usage report of the id {report} is uncertain");
    Ok(ExitCode::SUCCESS)
}
