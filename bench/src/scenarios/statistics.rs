//! The administrative statistics over millions of usage rows: 200 workspaces, six services, two years.
//!
//! It measures the reads themselves, by the store that the service would use, in this process: what HTTP adds is
//! in the figures of `read`.

use std::time::Instant;

use billing::usage;
use billing::usage::statistics::{self, Filter, Scope};
use kernel::ambient::Ambient;
use kernel::id::WorkspaceId;
use kernel::time::Day;
use store::{Store, StoreError, Tx};

use crate::database::{Database, Engine};
use crate::histogram::Histogram;
use crate::report::{Figure, Report};
use crate::scenarios;
use crate::settings::Settings;

const WORKSPACES: i64 = 200;
const DAYS: i64 = 730;
/// Rows in one transaction.
const ROWS_PER_WRITE: i64 = 20_000;
/// Reads of each kind.
const READS: usize = 300;
/// How many workspaces the list of them has at most.
const LISTED: u32 = 50;

/// The figure.
const P99_MS: f64 = 20.0;

/// The last day of the two years; what it holds is not rolled up, as on any day while it lasts.
const LAST_DAY: i64 = 20_500;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    Engine::all(settings).into_iter().try_for_each(|engine| run_engine(settings, report, engine))
}

fn run_engine(settings: &Settings, report: &mut Report, engine: Engine) -> anyhow::Result<()> {
    let rows = settings.usage;
    report.progress(&format!("statistics over {rows} rows, {}", engine.name()));
    let database = Database::make(settings, engine)?;
    let seeded = Instant::now();
    scenarios::fill(&database, async |store, _| Ok(seed(&store, rows).await?))?;
    database.settle(&["usage", "usage_day", "usage_service_day", "usage_total"])?;
    let seconds = seeded.elapsed().as_secs_f64();
    report.progress(&format!("seeded in {seconds:.0} s"));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let figures = runtime.block_on(async {
        let store = Store::open(&database.place.options(), Ambient::system()).await?;
        let figures = measure(&store, engine, rows).await;
        store.close().await;
        anyhow::Ok(figures?)
    })?;
    figures.into_iter().for_each(|figure| report.add(figure));
    Ok(())
}

async fn measure(store: &Store, engine: Engine, rows: i64) -> Result<Vec<Figure>, StoreError> {
    let workspace = workspace(7);
    let mut figures = Vec::new();
    for (of, scope) in [("all workspaces", Scope::All), ("one workspace", Scope::Workspace(workspace))] {
        let all = Filter::all_time(scope);
        let month = Filter { from: Day::from_number(LAST_DAY - 30), ..all.clone() };
        let services = {
            let all = all.clone();
            times(store, "bench.services", move |tx| statistics::by_service(tx, &all).map(drop)).await?
        };
        let days = times(store, "bench.days", move |tx| statistics::by_day(tx, &all).map(drop)).await?;
        let recent = times(store, "bench.month", move |tx| statistics::by_day(tx, &month).map(drop)).await?;
        let workspaces =
            times(store, "bench.workspaces", move |tx| statistics::by_workspace(tx, scope, LISTED).map(drop)).await?;
        for (what, times) in [
            ("totals by service", services),
            ("two years by day", days),
            ("a month by day", recent),
            ("organizations", workspaces),
        ] {
            let (p50, p99) = (times.quantile(0.5).as_secs_f64(), times.quantile(0.99).as_secs_f64());
            let figure = Figure::new(format!("statistics, {what}, {of}"), engine.name()).latency(p50, p99);
            figures.push(figure.below("p99 ms", p99 * 1e3, P99_MS).note(format!("{rows} rows")));
        }
    }
    Ok(figures)
}

async fn times(
    store: &Store,
    name: &'static str,
    read: impl Fn(&mut Tx<'_>) -> Result<(), StoreError> + Clone + Send + Sync + 'static,
) -> Result<Histogram, StoreError> {
    let mut times = Histogram::default();
    for number in 0..READS {
        let started = Instant::now();
        store.read(name, read.clone()).await?;
        // The first reads plan their statements and fetch pages from the disk.
        if number >= READS / 10 {
            times.record(started.elapsed());
        }
    }
    Ok(times)
}

fn workspace(number: i64) -> WorkspaceId {
    let text = format!("00000000-0000-7000-8000-{:012}", 100_000_000_000 + number);
    text.parse().expect("it is written as an id")
}

/// Stores usage of two years in the order of time, and rolls it up up to its last day, as maintenance would have.
async fn seed(store: &Store, rows: i64) -> Result<(), StoreError> {
    let last_day_begins = rows - rows / DAYS;
    let mut from = 0;
    while from < rows {
        let end = if from < last_day_begins { last_day_begins } else { rows };
        let until = end.min(from + ROWS_PER_WRITE);
        store.write("bench.usage", move |tx| insert(tx, rows, from, until)).await?;
        from = until;
        if from <= last_day_begins {
            usage::roll_up_all(store).await?;
        }
    }
    Ok(())
}

fn insert(tx: &mut Tx<'_>, rows: i64, from: i64, until: i64) -> Result<u64, StoreError> {
    let first_day = LAST_DAY + 1 - DAYS;
    tx.execute(
        "INSERT INTO usage (id, workspace_id, organization_id, service, subject_id, credit_cost_micros, billable_micros,
            finalized_micros, input_tokens, output_tokens, occurred_at)
         WITH RECURSIVE number (n) AS (
            SELECT CAST($1 AS BIGINT) UNION ALL SELECT n + 1 FROM number WHERE n + 1 < CAST($2 AS BIGINT))
         SELECT '00000000-0000-7000-9000-' || CAST(100000000000 + n AS TEXT),
            '00000000-0000-7000-8000-' || CAST(100000000000 + n % $3 AS TEXT),
            NULL,
            CASE n * 7 % 11 WHEN 0 THEN 'module' WHEN 1 THEN 'course' WHEN 2 THEN 'video' WHEN 3 THEN 'slide'
                WHEN 4 THEN 'test' ELSE 'evaluation' END,
            '00000000-0000-7000-a000-' || CAST(100000000000 + n AS TEXT),
            30000, 30000, 30000, 800 + n % 400, 300 + n % 200,
            ($4 * CAST(86400000 AS BIGINT)) + n * ($5 * CAST(86400000 AS BIGINT) / $6)
         FROM number",
        &[&from, &until, &WORKSPACES, &first_day, &DAYS, &rows],
    )
}
