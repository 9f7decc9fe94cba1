//! The surface in a test: all of its routes on a store of their own, in process, no sockets, with the clock, the grader
//! and the workers in the test's hands.

mod form;
mod script;
mod tenant;
mod things;

use std::sync::{Arc, LazyLock};
use std::time::{Duration, SystemTime};

use axum::{Extension, Router};
use billing::catalog::{Catalog, Prices, Version};
use content::Content;
use content::videos::renderings::renderer::{RenderFailure, RenderInput};
use edge::body::BodyLimit;
use edge::context::Tracking;
use edge::door::Door;
use edge::keys::KeyRules;
use edge::origin::OwnOrigin;
use edge::problem::unknown_route;
use edge::rate::Sharing;
use files::signed::FileLinks;
use files::storage::StorageOptions;
use files::text::ExtractorOptions;
use files::{Extractor, FileStore};
use http::{Method, StatusCode};
use kernel::ambient::Ambient;
use kernel::id::OrganizationId;
use kernel::money::MicroUsd;
use kernel::secret::MasterKey;
use kernel::time::Timestamp;
use mail::templates::Templates;
use mail::{MailOptions, Mailer, Way};
use net::{OutboundClient, OutboundPolicy};
use store::jobs::{Worker, WorkerOptions};
use store::{StoreError, Tx};
use testkit::http::Contract;
pub(crate) use testkit::http::{Call, Reply};
use testkit::processor::{FakeProcessor, METER, SECRET_KEY};
use testkit::x402::Facilitator;
use testkit::{Engine, TestStore};
use url::Url;
use x402::Network;

pub(crate) use form::Form;
pub(crate) use script::Script;
pub(crate) use tenant::{Tenant, exact, open, registration};
pub(crate) use things::Things;

use crate::billing::processor::{Processor, ProcessorOptions};
use crate::evaluations::{Graders, Processors};
use crate::payments::{X402, X402Options};
use crate::traces::{Origin, TracedResource, TracedSource};
use crate::{Files, Platform, PlatformOptions, jobs};

/// Bodies longer than this many bytes are too large here.
pub(crate) const BODY_LIMIT_BYTES: usize = 512 * 1024;

/// As long as a queued evaluation waits for a model that is away.
pub(crate) const OUTAGE_DELAYS: [Duration; 3] =
    [Duration::from_secs(5), Duration::from_secs(10), Duration::from_secs(20)];

/// The secrets that sign the payment processor's events.
pub(crate) const BILLING_SECRETS: [&str; 2] = ["whsec_old", "whsec_new"];

pub(crate) const WORKSPACES: &str = "/v1/platform/workspaces";
pub(crate) const KEYS: &str = "/v1/platform/api-keys";
pub(crate) const REGISTRATIONS: &str = "/v1/platform/lti/registrations";
pub(crate) const SESSIONS: &str = "/v1/platform/lti/sessions";
pub(crate) const REGISTRATION_LINKS: &str = "/v1/platform/lti/registration-links";
pub(crate) const EVALUATIONS: &str = "/v1/platform/evaluations";
pub(crate) const QUESTIONS: &str = "/v1/platform/questions";

/// What the surface promises of every answer.
pub(crate) static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
    let document = serde_json::to_value(crate::api::openapi()).expect("an OpenAPI document serializes");
    Contract { document, assert_envelope }
});

/// The tables that a refused request must leave alone.
const TABLES: &str = "
    SELECT 'active api_key' AS name, count(*) FROM api_key WHERE revoked_at IS NULL UNION ALL
    SELECT 'api_key', count(*) FROM api_key UNION ALL
    SELECT 'billing_session', count(*) FROM billing_session UNION ALL
    SELECT 'credits', CAST(coalesce(sum(credit_micros + free_micros), 0) AS BIGINT) FROM ledger_balance UNION ALL
    SELECT 'delivery', count(*) FROM delivery UNION ALL
    SELECT 'evaluation', count(*) FROM evaluation UNION ALL
    SELECT 'evaluation versions', CAST(coalesce(sum(version), 0) AS BIGINT) FROM evaluation UNION ALL
    SELECT 'evaluation_file', count(*) FROM evaluation_file UNION ALL
    SELECT 'evaluation_grade', count(*) FROM evaluation_grade UNION ALL
    SELECT 'event', count(*) FROM event UNION ALL
    SELECT 'invoice', count(*) FROM invoice UNION ALL
    SELECT 'idempotency', count(*) FROM idempotency UNION ALL
    SELECT 'job', count(*) FROM job UNION ALL
    SELECT 'ledger_reservation', count(*) FROM ledger_reservation UNION ALL
    SELECT 'ledger_transfer', count(*) FROM ledger_transfer UNION ALL
    SELECT 'lti_deployment', count(*) FROM lti_deployment UNION ALL
    SELECT 'lti_gradebook_cell', count(*) FROM lti_gradebook_cell UNION ALL
    SELECT 'lti_launch', count(*) FROM lti_launch UNION ALL
    SELECT 'lti_link', count(*) FROM lti_link UNION ALL
    SELECT 'lti_line_item', count(*) FROM lti_line_item UNION ALL
    SELECT 'lti_registration', count(*) FROM lti_registration UNION ALL
    SELECT 'lti_registration_link', count(*) FROM lti_registration_link WHERE revoked_at IS NULL UNION ALL
    SELECT 'lti_sync', count(*) FROM lti_sync UNION ALL
    SELECT 'lti_tool_key', count(*) FROM lti_tool_key UNION ALL
    SELECT 'mastery', count(*) FROM mastery UNION ALL
    SELECT 'payment_failure', count(*) FROM payment_failure UNION ALL
    SELECT 'payment_method', count(*) FROM payment_method WHERE status = 'active' UNION ALL
    SELECT 'processor_event', count(*) FROM processor_event UNION ALL
    SELECT 'question', count(*) FROM question UNION ALL
    SELECT 'reviewed_answer', count(*) FROM reviewed_answer UNION ALL
    SELECT 'spending_cap', count(*) FROM spending_cap UNION ALL
    SELECT 'submission', count(*) FROM submission UNION ALL
    SELECT 'suspended workspace', count(*) FROM workspace WHERE status != 'ACTIVE' UNION ALL
    SELECT 'video version', CAST(coalesce(sum(version), 0) AS BIGINT) FROM video UNION ALL
    SELECT 'video_rendering', count(*) FROM video_rendering UNION ALL
    SELECT 'webhook_endpoint', count(*) FROM webhook_endpoint UNION ALL
    SELECT 'webhook_subscription', count(*) FROM webhook_subscription UNION ALL
    SELECT 'workspace', count(*) FROM workspace UNION ALL
    SELECT 'x402_payment', count(*) FROM x402_payment
    ORDER BY name";

/// The service in a test.
pub(crate) struct App {
    pub(crate) test: TestStore,
    pub(crate) door: Door,
    /// What the grader will do.
    pub(crate) script: Arc<Script>,
    /// Where the files are.
    pub(crate) folder: tempfile::TempDir,
    /// Where mails are written to.
    mails: tempfile::TempDir,
    pub(crate) platform: Platform,
    router: Router,
}

impl App {
    /// The surface at `https://lectern.example`, on a database without rows, with the script as its built-in grader.
    pub(crate) fn new(test: TestStore) -> Self {
        Self::with_graders(test, |script| Graders::new(script, None, Processors::new(2)))
    }

    /// The same, with calls to servers on this machine allowed.
    pub(crate) fn reaching_this_machine(test: TestStore) -> Self {
        let allow_networks = vec!["127.0.0.0/8".parse().unwrap()];
        let policy = OutboundPolicy { allow_networks, allow_http: true, extra_ca_pem: None };
        Self::assemble(test, policy, None, None, |script| Graders::new(script, None, Processors::new(2)))
    }

    /// The same, with a payment processor that signs its events with [`BILLING_SECRETS`].
    pub(crate) fn with_processor(test: TestStore, processor: &FakeProcessor) -> Self {
        let client = billing_processor(processor.url(), test.ambient.clone());
        Self::assemble(test, OutboundPolicy::default(), Some(client), None, |script| {
            Graders::new(script, None, Processors::new(2))
        })
    }

    /// The same, with the script as its model and nobody else to grade.
    pub(crate) fn with_model(test: TestStore) -> Self {
        Self::with_graders(test, |script| Graders::new(Arc::<Script>::default(), Some(script), Processors::new(2)))
    }

    /// The same, with other graders, which may include the script.
    pub(crate) fn with_graders(test: TestStore, graders: impl FnOnce(Arc<Script>) -> Graders) -> Self {
        Self::assemble(test, OutboundPolicy::default(), None, None, graders)
    }

    /// The same, with payments that this facilitator settles; its node is asked where `with_node` says so.
    pub(crate) fn taking_payments(test: TestStore, facilitator: &Facilitator, with_node: bool) -> Self {
        let options = X402Options {
            network: Network::BASE_SEPOLIA,
            token: Network::BASE_SEPOLIA.usdc(),
            pay_to: testkit::x402::PAY_TO.parse().unwrap(),
            facilitator_url: facilitator.url().parse().unwrap(),
            facilitator_token: None,
            node_url: with_node.then(|| facilitator.node_url().parse().unwrap()),
            extra_ca_pem: None,
            queued_settlements: 1,
        };
        let x402 = X402::open(&options, &Url::parse("https://lectern.example").unwrap()).unwrap();
        let graders = |script: Arc<Script>| Graders::new(script, None, Processors::new(2));
        Self::assemble(test, OutboundPolicy::default(), None, Some(x402), graders)
    }

    fn assemble(
        test: TestStore,
        policy: OutboundPolicy,
        processor: Option<Processor>,
        x402: Option<X402>,
        graders: impl FnOnce(Arc<Script>) -> Graders,
    ) -> Self {
        let master = MasterKey::from_hex(&"11".repeat(32)).unwrap();
        let base_url = Url::parse("https://lectern.example").unwrap();
        let sharing = match test.engine {
            Engine::Sqlite => Sharing::OneProcess,
            Engine::Postgres => Sharing::ManyProcesses,
        };
        let rules = KeyRules { requires_verified_email: true };
        let origin = OwnOrigin::of(&base_url);
        let door = Door::new(test.store.clone(), test.ambient.clone(), &master, origin, sharing, rules);
        let outbound = OutboundClient::new(policy).unwrap();
        let script = Arc::<Script>::default();
        let folder = tempfile::tempdir().unwrap();
        let files = Files::new(
            FileStore::open(&StorageOptions::Folder(folder.path().to_owned())).unwrap(),
            FileLinks::new(&master, &base_url),
            Extractor::new(ExtractorOptions::new("/nowhere/lectern".into())),
        );
        let (outage_delays, prices) = (OUTAGE_DELAYS.to_vec(), catalog());
        let options = PlatformOptions {
            draw_scene,
            outage_delays,
            find_origin: origin_of,
            prices,
            processor,
            x402,
            operator_emails: vec!["operator@lectern.example".to_owned()],
            invoice_terms: Some(invoice_terms()),
            job_types: jobs::types().to_vec(),
        };
        let content = Content::new(door.clone(), outbound.clone(), &master, &base_url);
        let platform = Platform::new(content, outbound, &master, &base_url, graders(script.clone()), files, options);
        let tracking = Tracking::new(door.clone());
        let router = crate::api::router(platform.clone())
            .fallback(unknown_route)
            .layer((Extension(BodyLimit(BODY_LIMIT_BYTES)), tracking));
        Self { test, door, script, folder, mails: tempfile::tempdir().unwrap(), platform, router }
    }

    pub(crate) fn get(&self, path: &str) -> Call<'_> {
        self.call(Method::GET, path)
    }

    pub(crate) fn post(&self, path: &str) -> Call<'_> {
        self.call(Method::POST, path)
    }

    pub(crate) fn patch(&self, path: &str) -> Call<'_> {
        self.call(Method::PATCH, path)
    }

    pub(crate) fn put(&self, path: &str) -> Call<'_> {
        self.call(Method::PUT, path)
    }

    pub(crate) fn delete(&self, path: &str) -> Call<'_> {
        self.call(Method::DELETE, path)
    }

    pub(crate) fn call(&self, method: Method, path: &str) -> Call<'_> {
        Call::new(&self.router, &CONTRACT, method, path)
    }

    /// Runs the jobs that are due, one after the other; how many there were.
    pub(crate) async fn run_jobs(&self) -> usize {
        let TestStore { store, ambient, .. } = &self.test;
        let from = "Lectern <lectern@lectern.example>".parse().unwrap();
        let options =
            MailOptions { from, way: Way::Folder(self.mails.path().to_owned()), templates: Templates::default() };
        let mailer = Mailer::open(options, ambient.clone()).unwrap();
        let handlers = jobs::handlers(&self.platform, mailer);
        let worker = Worker::new(store.clone(), ambient.clone(), handlers, WorkerOptions::default());
        worker.run_queued().await.unwrap()
    }

    /// The mails that were sent, in no order.
    pub(crate) fn mails(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.mails.path()).unwrap();
        files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
    }

    /// What is stored, as a count for each table.
    pub(crate) async fn stored(&self) -> Vec<(String, i64)> {
        self.read(|tx| tx.query(TABLES, &[], |row| Ok((row.get(0)?, row.get(1)?)))).await
    }

    /// Makes the place where files are kept unusable.
    pub(crate) fn lose_files(&self) {
        for entry in std::fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap) {
            std::fs::remove_dir_all(entry.path()).unwrap();
            std::fs::write(entry.path(), "no folder").unwrap();
        }
    }

    /// The names of the files whose bytes are kept, in order.
    pub(crate) fn kept_files(&self) -> Vec<String> {
        let (mut folders, mut names) = (vec![self.folder.path().to_owned()], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
                match entry.file_type().unwrap().is_dir() {
                    true => folders.push(entry.path()),
                    false => names.push(entry.file_name().into_string().unwrap()),
                }
            }
        }
        names.sort_unstable();
        names
    }

    /// Makes the kept files of a workspace so old.
    pub(crate) fn age_files(&self, tenant: &Tenant, age: Duration) {
        self.age_files_below(&tenant.workspace.to_string(), age);
    }

    /// Makes the kept files of a folder so old.
    pub(crate) fn age_files_below(&self, folder: &str, age: Duration) {
        let now = u64::try_from(self.test.ambient.now().as_millis()).unwrap();
        let put_at = SystemTime::UNIX_EPOCH + Duration::from_millis(now) - age;
        for entry in std::fs::read_dir(self.folder.path().join(folder)).unwrap() {
            let file = std::fs::File::options().write(true).open(entry.unwrap().path()).unwrap();
            file.set_modified(put_at).unwrap();
        }
    }

    /// The one number that a statement without parameters gives.
    pub(crate) async fn count(&self, sql: &'static str) -> i64 {
        self.read(move |tx| tx.find(sql, &[], |row| row.get(0))).await.unwrap_or(0)
    }

    /// The teardown of a test: no job waits, runs or has failed, and the books agree with what was done.
    pub(crate) async fn finish(self) {
        assert_eq!(self.count("SELECT count(*) FROM job").await, 0, "the queue is not empty");
        let unpaid = "SELECT count(*) FROM evaluation e LEFT JOIN ledger_reservation r ON r.subject_id = e.id
             WHERE (e.status = 'COMPLETED' AND e.is_unpaid = 0) != (r.subject_id IS NOT NULL AND r.state = 'settled'
                                                AND r.amount_micros = e.amount_micros)";
        assert_eq!(self.count(unpaid).await, 0, "evaluations and their payments differ");
        let untold = "SELECT count(*) FROM evaluation e WHERE e.completed_at IS NOT NULL
             AND (SELECT count(*) FROM event v WHERE v.subject_id = e.id AND v.type LIKE 'evaluation.%') != e.version";
        assert_eq!(self.count(untold).await, 0, "versions of evaluations without an event, or with two");
    }

    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl Fn(&mut Tx<'_>) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> T {
        self.test.store.read("test", read).await.unwrap()
    }
}

fn invoice_terms() -> invoices::Terms {
    invoices::Terms {
        seller: invoices::Seller {
            name: "Lectern GmbH".to_owned(),
            address: vec!["Hauptstraße 1".to_owned()],
            tax_ids: vec!["DE123456789".to_owned()],
        },
        taxes: vec![invoices::Tax { name: "VAT".to_owned(), rate: 19_000 }],
        is_tax_included: true,
        series: "INV".to_owned(),
    }
}

/// The usual prices, and dearer ones from [`DEARER_FROM`] on.
fn catalog() -> Catalog {
    let usual = Catalog::default().versions().to_vec();
    let [fast, standard, advanced] = [2, 4, 6].map(MicroUsd::from_cents);
    let dearer = Version {
        name: "dearer".to_owned(),
        effective_from: Some(DEARER_FROM),
        prices: Prices { fast, standard, advanced },
        free_grant: MicroUsd::from_cents(50),
    };
    Catalog::new(usual.into_iter().chain([dearer]).collect()).unwrap()
}

/// 2030-01-01, long after the day of most tests.
pub(crate) const DEARER_FROM: Timestamp = Timestamp::from_millis(1_893_456_000_000);

/// A client of a payment processor at this address.
pub(crate) fn billing_processor(url: &str, ambient: Ambient) -> Processor {
    let options = ProcessorOptions {
        base_url: url.parse().unwrap(),
        secret_key: SECRET_KEY.into(),
        webhook_secrets: BILLING_SECRETS.map(Into::into).to_vec(),
        success_url: "https://lectern.example/done".parse().unwrap(),
        cancel_url: "https://lectern.example/left".parse().unwrap(),
        meter_event_name: METER.to_owned(),
        extra_ca_pem: None,
    };
    Processor::new(options, ambient, 64).unwrap()
}

/// In the place of what content knows: one expansion, of which a test was made.
fn origin_of(_: &mut Tx<'_>, _: OrganizationId, id: &str) -> Result<Option<Origin>, StoreError> {
    let source = TracedSource {
        expansion_id: "expansion-1".to_owned(),
        classroom_id: "classroom-1".to_owned(),
        title: "Cells".to_owned(),
        sha256: String::new(),
        created_at: Timestamp::from_millis(0),
    };
    let resources = vec![TracedResource { kind: "test".to_owned(), id: TRACED_TEST.to_owned() }];
    let is_known = [TRACED_TEST, "expansion-1"].contains(&id);
    Ok(is_known.then_some(Origin { source: Some(source), resources }))
}

/// The test that [`origin_of`] knows.
pub(crate) const TRACED_TEST: &str = "0192aee1-5a3b-7c2d-8e4f-123456789abc";

/// Exactly `code`, `message`, `status`, and `details` on a 400 only, in an object `error` (platform-api section 7). A page in its place is
/// documented where it may come, and checked against that.
fn assert_envelope(reply: &Reply, about: &str) {
    if reply.header("content-type").starts_with("text/html") {
        return;
    }
    assert_eq!(reply.header("content-type"), "application/json", "{about}");
    let body = reply.json();
    let is_payable = ["payment_required", "x402_payment_failed"].iter().any(|code| body["error"]["code"] == *code);
    assert_eq!(body.as_object().unwrap().len(), if is_payable { 5 } else { 1 }, "{about}");
    let names: Vec<_> = body["error"].as_object().unwrap().keys().map(String::as_str).collect();
    let expected: &[&str] = match reply.status {
        StatusCode::BAD_REQUEST => &["code", "message", "status", "details"],
        _ => &["code", "message", "status"],
    };
    assert_eq!(names, expected, "{about}");
    assert_eq!(body["error"]["status"], reply.status.as_u16(), "{about}");
    assert!(body["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{about}");
    let statuses: &[u16] = match body["error"]["code"].as_str().unwrap() {
        "platform_invalid_request" => &[400, 405, 412, 413, 415, 416],
        "platform_invalid_api_key" | "platform_api_key_revoked" | "platform_api_key_expired" => &[401],
        "platform_insufficient_credits" | "payment_required" | "x402_payment_failed" => &[402],
        "platform_forbidden"
        | "email_verification_required"
        | "free_credits_exhausted"
        | "platform_workspace_suspended" => &[403],
        "platform_not_found" => &[404],
        "platform_conflict" => &[409],
        "platform_rate_limit_exceeded" => &[429],
        "platform_internal_error" => &[503],
        other => panic!("{other} is no code of the surface: {about}"),
    };
    assert!(statuses.contains(&reply.status.as_u16()), "{about}");
}

/// Names the scene in the place of drawing it. One whose script says so is too large.
fn draw_scene(video: &RenderInput, scene: usize) -> Result<Vec<u8>, RenderFailure> {
    match video.scenes[scene].script.as_str() {
        "Too large." => Err(RenderFailure { code: "video_too_large", message: "No.".to_owned(), is_passing: false }),
        script => Ok(format!("a picture of {script}").into_bytes()),
    }
}
