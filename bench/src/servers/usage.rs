//! Reports usage that lies in the ledger to a payment processor.

use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::Args;
use kernel::id::WorkspaceId;
use platform::billing::processor::ProcessorOptions;
use store::{Store, StoreError, Tx, sql};
use url::Url;

use super::{Worked, service};
use crate::database::Place;
use crate::machine::Usage;

const POLL: Duration = Duration::from_millis(50);
const DAY_MILLIS: i64 = 24 * 3_600_000;

/// The usage to report, and the processor.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Transfers that the processor pays for.
    #[arg(long)]
    rows: usize,
    /// Workspaces that have done as much each, over a day.
    #[arg(long)]
    workspaces: usize,
    /// The address of the processor.
    #[arg(long)]
    processor: Url,
}

pub(super) async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { place, rows, workspaces, processor } = arguments;
    let options = ProcessorOptions {
        base_url: processor,
        secret_key: "sk_test_bench".into(),
        webhook_secrets: vec!["whsec_bench".into()],
        success_url: Url::parse("http://127.0.0.1:8080")?,
        cancel_url: Url::parse("http://127.0.0.1:8080")?,
        meter_event_name: "lectern_credits".to_owned(),
        extra_ca_pem: None,
    };
    let app = service::open_with(&place, Some(options)).await?.app;
    let store = app.door.store.clone();
    for number in 0..workspaces {
        fill(&store, number, i64::try_from(rows / workspaces)?).await?;
    }
    let (before, started) = (Usage::own()?, Instant::now());
    let reporting = tokio::spawn(app.reporter().run(std::future::pending()));
    while reported(&store).await? < rows {
        ensure!(!reporting.is_finished(), "the reporter ended");
        tokio::time::sleep(POLL).await;
    }
    let worked = Worked::since(rows, started.elapsed(), before)?;
    reporting.abort();
    super::say(&worked)
}

/// A workspace with so many evaluations of three tiers, over a day, that the processor pays for.
async fn fill(store: &Store, number: usize, rows: i64) -> anyhow::Result<()> {
    let write = move |tx: &mut Tx<'_>| {
        let (id, now): (WorkspaceId, _) = (tx.ambient().id(), tx.now());
        let (slug, customer) = (format!("school-{number}"), format!("cus_{number}"));
        // An id for each piece of work: 24 characters of the workspace's, and a number.
        let (family, empty) = (id.to_string()[..24].to_owned(), "{}");
        let (first, step) = (now.as_millis() - DAY_MILLIS, DAY_MILLIS / rows.max(1));
        sql!(
            "INSERT INTO workspace (id, name, slug, status, rate_limit_per_minute, billing_mode, processor_customer_id,
                created_at, updated_at)
             VALUES ({id}, {slug}, {slug}, 'ACTIVE', 1000, 'processor_metered', {customer}, {now}, {now})"
        )
        .execute(tx)?;
        sql!(
            "INSERT INTO evaluation (id, workspace_id, evaluation_type, mode, tier, status, request_hash, request, price,
                amount_micros, max_score, files, score, created_at, completed_at)
             WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {rows})
             SELECT CAST({family} AS TEXT) || substr(CAST(1000000000000 + i AS TEXT), 2), CAST({id} AS TEXT), 'exact', 'sync',
                CASE i % 3 WHEN 0 THEN 'fast' WHEN 1 THEN 'standard' ELSE 'advanced' END,
                'COMPLETED', '', CAST({empty} AS TEXT), CAST({empty} AS TEXT), 10000, 1.0, 0, 1.0, CAST({now} AS BIGINT), CAST({now} AS BIGINT) FROM n"
        )
        .execute(tx)?;
        sql!(
            "INSERT INTO ledger_transfer (workspace_id, sequence, debit_account, credit_account, amount_micros, kind,
                subject_id, created_at)
             WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {rows})
             SELECT CAST({id} AS TEXT), i, 'processor', 'revenue', 10000, 'charge',
                CAST({family} AS TEXT) || substr(CAST(1000000000000 + i AS TEXT), 2), CAST({first} AS BIGINT) + i * CAST({step} AS BIGINT) FROM n"
        )
        .execute(tx)?;
        Ok::<_, StoreError>(())
    };
    Ok(store.claim("bench.usage", write).await?)
}

async fn reported(store: &Store) -> anyhow::Result<usize> {
    let sum = "SELECT CAST(coalesce(sum(quantity), 0) AS BIGINT) FROM usage_report WHERE state = 'sent'";
    let found = store.read("bench.reported", move |tx| tx.find(sum, &[], |row| row.get::<i64>(0))).await?;
    Ok(usize::try_from(found.unwrap_or(0))?)
}
