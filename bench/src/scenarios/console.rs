//! The console's pages with many rows behind them: a classroom of modules, a workspace of evaluations and their transfers,
//! jobs that wait and that failed, and changes in the audit log.
//!
//! An evaluation is made by the service itself, and its rows are copied, so that pages read what the service writes. Pages are
//! asked for one after the other on one connection, as an operator at rest does.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::ensure;
use edge::admins::{self, NewAdmin};
use edge::sessions::{self, Method};
use kernel::ambient::Ambient;
use kernel::secret::SecretString;
use store::{Store, StoreError, Tx, sql};

use crate::child::Child;
use crate::database::{Database, Engine};
use crate::histogram::Histogram;
use crate::load::{Connection, Patch, Request};
use crate::report::{Figure, Report};
use crate::scenarios;
use crate::seed::{self, World};
use crate::settings::Settings;

/// The session's token, which only this database knows.
const TOKEN: &str = "bench-console-session";
/// Reads of each page that are measured: all together stay below what a session may do for an organization in a minute.
const READS: usize = 40;
/// Reads before them: the first ones fill the database's caches.
const WARM_UP: usize = 3;

/// The issue's figures.
const PAGE_MS: f64 = 50.0;
const PAGE_KB: f64 = 150.0;

/// The customer whose rows the pages show.
struct Shown {
    world: World,
    modules: Vec<String>,
    workspace: String,
    platform_key: String,
}

/// A page and what it took.
struct Page {
    path: String,
    times: Histogram,
    bytes: usize,
}

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    Engine::all(settings).into_iter().try_for_each(|engine| run_engine(settings, report, engine))
}

fn run_engine(settings: &Settings, report: &mut Report, engine: Engine) -> anyhow::Result<()> {
    report.progress(&format!("console, {}", engine.name()));
    let database = Database::make(settings, engine)?;
    let many = settings.many;
    let shown = scenarios::fill(&database, async |store, ambient| prepare(&store, &ambient, many).await)?;
    let log = database.folder().join("lectern.log");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let serve = || Child::lectern(&settings.lectern_binary()?, "api", &database.environment(), &log);
    let (child, address) = serve()?;
    runtime.block_on(evaluate(address, &shown.platform_key))?;
    drop(child);
    scenarios::fill(&database, async |store, _| copy(&store, many).await)?;
    database.settle(&["evaluation", "ledger_transfer", "job", "audit_entry"])?;
    let (_child, address) = serve()?;
    let mut pages = runtime.block_on(measure(address, &shown))?;
    let median = |page: &Page| page.times.quantile(0.5);
    pages.sort_by_key(|page| std::cmp::Reverse(median(page)));
    for page in &pages {
        let (p50, p99) = (median(page).as_secs_f64(), page.times.quantile(0.99).as_secs_f64());
        report.add(
            Figure::new(format!("console {}", page.path), engine.name())
                .latency(p50, p99)
                .below("ms", p50 * 1e3, PAGE_MS)
                .below("kB", kilobytes(page.bytes), PAGE_KB),
        );
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "pages are far below 2^52 bytes")]
fn kilobytes(bytes: usize) -> f64 {
    bytes as f64 / 1e3
}

/// A customer with modules, a workspace, and an operator who is signed in.
async fn prepare(store: &Store, ambient: &Ambient, many: usize) -> anyhow::Result<Shown> {
    let world = seed::world(store, ambient).await?;
    let modules = seed::modules(store, ambient, &world, many).await?;
    let platform_key = seed::workspace(store, ambient).await?;
    let maker = ambient.clone();
    let new = NewAdmin { email: "bench@example.com".to_owned(), password_hash: String::new(), is_operator: true };
    let sign_in = move |tx: &mut Tx<'_>| {
        let user = admins::create(tx, &maker, &new)?;
        sessions::open(tx, &SecretString::from(TOKEN), user, "UTC", Method::Password)?;
        tx.find("SELECT id FROM workspace", &[], |row| row.get::<String>(0))
    };
    let workspace = store.write("bench.operator", sign_in).await?.unwrap_or_default();
    Ok(Shown { world, modules, workspace, platform_key })
}

/// One evaluation by the service.
async fn evaluate(address: SocketAddr, key: &str) -> anyhow::Result<()> {
    let body = r#"{"evaluationType":"exact","questionText":"6 times 7?","referenceAnswer":"42","learnerAnswer":"42","learnerId":"anna"}"#;
    let authorization = format!("Bearer {key}");
    let headers = [("authorization", authorization.as_str())];
    let mut request = Request::new(address, "POST /v1/platform/evaluations", &headers, Some(body), Patch::None);
    let mut connection = Connection::open(address).await?;
    let status = connection.exchange(request.next()).await?;
    ensure!(status == 200 || status == 201, "an evaluation was answered with {status}");
    Ok(())
}

/// Copies the evaluation and its transfer, a second apart.
async fn copy(store: &Store, many: usize) -> anyhow::Result<()> {
    let rows = i64::try_from(many)?;
    let write = move |tx: &mut Tx<'_>| {
        sql!(
            "INSERT INTO evaluation (id, workspace_id, evaluation_type, mode, tier, status, request_hash, request, price,
                amount_micros, learner_id, max_score, files, score, confidence, feedback, created_at, completed_at)
             WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {rows})
             SELECT substr(id, 1, 24) || substr(CAST(1000000000000 + i AS TEXT), 2), workspace_id, evaluation_type, mode, tier,
                status, request_hash, request, price, amount_micros, learner_id, max_score, files, score, confidence, feedback,
                created_at - i * 1000, completed_at - i * 1000
             FROM n, (SELECT * FROM evaluation ORDER BY id LIMIT 1) AS made"
        )
        .execute(tx)?;
        sql!(
            "INSERT INTO ledger_transfer (workspace_id, sequence, debit_account, credit_account, amount_micros, kind,
                subject_id, created_at)
             WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {rows})
             SELECT workspace_id, sequence + i, debit_account, credit_account, amount_micros, kind,
                substr(subject_id, 1, 24) || substr(CAST(1000000000000 + i AS TEXT), 2), created_at
             FROM n, (SELECT * FROM ledger_transfer WHERE kind = 'charge' ORDER BY sequence LIMIT 1) AS made"
        )
        .execute(tx)?;
        Ok::<_, StoreError>(())
    };
    store.claim("bench.copy", write).await?;
    Ok(store.claim("bench.operations", move |tx| fill_operations(tx, rows)).await?)
}

/// Jobs that wait for tomorrow, as many that failed, and as many changes by the operator, a second apart.
fn fill_operations(tx: &mut Tx<'_>, rows: i64) -> Result<(), StoreError> {
    let (now, tomorrow) = (tx.now(), tx.now().plus(Duration::from_secs(24 * 3600)));
    let payload = r#"{"evaluationId":"018f4a3c-7b1d-7c3e-9a52-3f1d2b4c5d6e"}"#;
    for (state, run_at, first) in [("queued", tomorrow, "1"), ("failed", now, "2")] {
        sql!(
            "INSERT INTO job (id, kind, tenant, payload, state, priority, run_at, attempt, lapses, last_error, created_at,
                updated_at)
             WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {rows})
             SELECT '018f4a3c-7b1d-7c3e-9a5' || {first} || '-' || substr(CAST(1000000000000 + i AS TEXT), 2), 'GradeAnswer',
                workspace_id, {payload}, {state}, 0, {run_at}, 1, 0, 'the grader did not answer', {now}, {now}
             FROM n, (SELECT workspace_id FROM evaluation ORDER BY id LIMIT 1) AS made"
        )
        .execute(tx)?;
    }
    sql!(
        "INSERT INTO audit_entry (id, user_id, operation, workspace_id, created_at)
         WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {rows})
         SELECT '018f4a3c-7b1d-7c3e-9a53-' || substr(CAST(1000000000000 + i AS TEXT), 2), u.id,
            CASE WHEN i % 1000 = 0 THEN 'rotateApiKey' ELSE 'reviewEvaluation' END, e.workspace_id, e.created_at - i * 1000
         FROM n, (SELECT id FROM admin_user LIMIT 1) AS u,
            (SELECT workspace_id, created_at FROM evaluation ORDER BY id LIMIT 1) AS e"
    )
    .execute(tx)?;
    Ok(())
}

async fn measure(address: SocketAddr, shown: &Shown) -> anyhow::Result<Vec<Page>> {
    let cookie = format!("jwt={TOKEN}");
    let mut connection = Connection::open(address).await?;
    let mut pages = Vec::new();
    for path in paths(shown) {
        let headers = [("cookie", cookie.as_str())];
        let mut request = Request::new(address, &format!("GET {path}"), &headers, None, Patch::None);
        let mut times = Histogram::default();
        for number in 0..WARM_UP + READS {
            let started = Instant::now();
            let status = connection.exchange(request.next()).await?;
            ensure!(status == 200, "{path} was answered with {status}");
            if number >= WARM_UP {
                times.record(started.elapsed());
            }
        }
        pages.push(Page { path: named(&path, shown), times, bytes: connection.body().len() });
    }
    Ok(pages)
}

fn paths(shown: &Shown) -> Vec<String> {
    let organization = format!("/console/organizations/{}", shown.world.organization);
    let classroom = format!("{organization}/classrooms/{}", shown.world.classroom);
    let workspace = format!("/console/workspaces/{}", shown.workspace);
    let last = shown.modules.len().div_ceil(25).max(1);
    // With one workspace, the ways to evaluations and LTI lead on to its pages.
    let mut paths = ["", "/account", "/organizations", "/users", "/workspaces", "/statistics", "/start", "/components"]
        .map(|rest| format!("/console{rest}"))
        .to_vec();
    paths.extend(
        ["", "/jobs", "/jobs?state=failed", "/audit-log", "/audit-log?operation=rotateApiKey"]
            .map(|rest| format!("/console/operations{rest}")),
    );
    paths.extend(
        [
            "/classrooms",
            "/playground",
            "/expansions",
            "/keys",
            "/webhooks",
            "/page-grading",
            "/people",
            "/audit-log",
            "/settings",
        ]
        .map(|rest| format!("{organization}{rest}")),
    );
    paths.extend(["/modules".to_owned(), format!("/modules?page={last}")].map(|rest| format!("{classroom}{rest}")));
    paths.extend(shown.modules.first().map(|module| format!("{classroom}/modules/{module}")));
    paths.extend(
        [
            "",
            "/evaluations",
            "/evaluations?learnerId=anna&status=COMPLETED",
            "/questions",
            "/playground",
            "/lti",
            "/keys",
            "/webhooks",
            "/ledger",
            "/invoices",
            "/settings",
        ]
        .map(|rest| format!("{workspace}{rest}")),
    );
    paths
}

/// A path with words in the places of ids.
fn named(path: &str, shown: &Shown) -> String {
    let module = shown.modules.first().map_or("", String::as_str);
    let path = path.strip_prefix("/console").unwrap_or(path);
    let named = path
        .replace(&shown.world.organization.to_string(), "{organization}")
        .replace(&shown.world.classroom.to_string(), "{classroom}")
        .replace(&shown.workspace, "{workspace}");
    if module.is_empty() { named } else { named.replace(module, "{module}") }
}
