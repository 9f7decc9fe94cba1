//! Usage is reported once, whatever the processor does and wherever this process dies.

use std::collections::HashMap;
use std::time::Duration;

use billing::ledger::{self, Funding, Spending};
use futures_util::future::{join_all, select};
use kernel::id::{SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use serde_json::json;
use store::{Record as _, StoreError, Tx, sql};
use testkit::processor::{FakeProcessor, Fault};
use testkit::{TestStore, both_stores};

use super::collect::collect_all;
use super::resolve::{Finding, resolve};
use super::{Reporter, State, UsageReport, lapse_all};
use crate::testing::{App, EVALUATIONS, Tenant, exact};

const HOUR: Duration = Duration::from_secs(3600);

pub(in crate::billing) struct Scene {
    pub(in crate::billing) app: App,
    pub(in crate::billing) tenant: Tenant,
    pub(in crate::billing) processor: FakeProcessor,
    pub(in crate::billing) reporter: Reporter,
}

impl Scene {
    /// A workspace that is the processor's customer `cus_1`.
    pub(in crate::billing) async fn of(test: TestStore) -> Self {
        let processor = FakeProcessor::start().await;
        let app = App::with_processor(test, &processor);
        let tenant = app.tenant("riverside").await;
        let reporter = Reporter::new(&app.platform);
        let scene = Self { app, tenant, processor, reporter };
        scene.bill_to(scene.tenant.workspace, "cus_1").await;
        scene
    }

    async fn bill_to(&self, workspace: WorkspaceId, customer: &'static str) {
        let set = move |tx: &mut Tx<'_>| {
            sql!("UPDATE workspace SET processor_customer_id = {customer} WHERE id = {workspace}").execute(tx)
        };
        self.app.test.store.write("test", set).await.unwrap();
    }

    /// Work that the processor pays for: so many pieces of one credit.
    pub(in crate::billing) async fn work(&self, workspace: WorkspaceId, pieces: usize) {
        let charge = move |tx: &mut Tx<'_>| {
            for _ in 0..pieces {
                let subject = tx.ambient().id();
                charge(tx, workspace, subject, 1)?;
            }
            Ok::<_, StoreError>(())
        };
        self.app.test.store.claim("test", charge).await.unwrap();
    }

    /// Evaluations of these tiers, as if the processor paid for them.
    async fn evaluate(&self, tiers: &[&str]) {
        for tier in tiers {
            let mut body = exact();
            body["tier"] = json!(tier);
            let made = self.app.post(EVALUATIONS).key(&self.tenant.key).json(&body).send().await.expect(201);
            let id = made["id"].as_str().unwrap().to_owned();
            let workspace = self.tenant.workspace;
            // The evaluation was paid from the balance, under its own id: the processor pays for it under the same id once more.
            let pay = move |tx: &mut Tx<'_>| {
                let subject: SubjectId = id.parse().unwrap();
                sql!("DELETE FROM ledger_reservation WHERE subject_id = {subject}").execute(tx)?;
                charge(tx, workspace, subject, 1)
            };
            self.app.test.store.claim("test", pay).await.unwrap();
        }
    }

    pub(in crate::billing) async fn report(&self) -> usize {
        self.reporter.run_due().await.unwrap()
    }

    async fn reports(&self) -> Vec<UsageReport> {
        self.app
            .read(|tx| {
                sql!("SELECT {UsageReport::*} FROM usage_report ORDER BY workspace_id, first_sequence")
                    .query(tx, UsageReport::from_row)
            })
            .await
    }

    /// What each customer was billed by meter.
    fn metered(&self) -> HashMap<String, f64> {
        let mut totals = HashMap::new();
        for event in self.processor.meter_events() {
            *totals.entry(event.customer).or_default() += event.value;
        }
        totals
    }

    fn metered_for(&self, customer: &str) -> f64 {
        self.metered().get(customer).copied().unwrap_or(0.0)
    }

    fn advance(&self, by: Duration) {
        self.app.test.clock.advance(by);
    }
}

fn charge(tx: &mut Tx<'_>, workspace: WorkspaceId, subject: SubjectId, credits: u64) -> Result<(), StoreError> {
    let amount = MicroUsd::from_credits(credits).unwrap();
    let spending = Spending { workspace, subject, amount, funding: Funding::Processor, key: None };
    match ledger::charge(tx, &spending) {
        Ok(_) => Ok(()),
        Err(ledger::SpendError::Store(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

#[both_stores]
async fn work_of_one_hour_is_one_event_whose_identifier_names_its_transfers(test: TestStore) {
    let scene = Scene::of(test).await;
    scene.work(scene.tenant.workspace, 25).await;
    assert_eq!(scene.report().await, 1);
    let [event] = scene.processor.meter_events().try_into().unwrap();
    // The free credits are the ledger's first transfer.
    assert_eq!(event.identifier, format!("{}:other:2-26", scene.tenant.workspace));
    assert_eq!((event.value, &*event.customer, &*event.event_name), (25.0, "cus_1", "lectern_credits"));
    assert_eq!(event.timestamp, scene.app.test.ambient.now().as_seconds());
    assert_eq!(scene.report().await, 0, "nothing is reported again");
    scene.work(scene.tenant.workspace, 1).await;
    scene.advance(HOUR);
    scene.work(scene.tenant.workspace, 1).await;
    assert_eq!(scene.report().await, 2, "another hour is another event");
    assert_eq!(scene.metered_for("cus_1"), 27.0);
}

#[both_stores]
async fn a_subscription_with_items_is_told_the_number_of_evaluations_by_tier(test: TestStore) {
    let scene = Scene::of(test).await;
    let workspace = scene.tenant.workspace;
    let items = move |tx: &mut Tx<'_>| {
        sql!(
            "UPDATE workspace SET processor_subscription_item_id_fast = 'si_fast',
                processor_subscription_item_id_advanced = 'si_advanced' WHERE id = {workspace}"
        )
        .execute(tx)
    };
    scene.app.test.store.write("test", items).await.unwrap();
    scene.evaluate(&["fast", "standard", "fast", "advanced", "fast"]).await;
    assert_eq!(scene.report().await, 3);
    let records = scene.processor.usage_records();
    let quantity = |item: &str| records.iter().filter(|one| one.item == item).map(|one| one.quantity).sum::<u64>();
    assert_eq!((records.len(), quantity("si_fast"), quantity("si_advanced")), (2, 3, 1));
    let [event] = scene.processor.meter_events().try_into().unwrap();
    assert!(event.identifier.contains(":standard:"), "a tier without an item is metered: {}", event.identifier);
    for call in scene.processor.calls_of("POST /v1/subscription_items/si_fast/usage_records") {
        assert_eq!((call.get("action"), call.idempotency_key.is_some()), ("increment", true));
    }
}

#[both_stores]
async fn a_processor_that_answers_late_wrongly_or_not_at_all_bills_once(test: TestStore) {
    let scene = Scene::of(test).await;
    let faults = [Fault::LostAnswer, Fault::ActsAndFails, Fault::Status(500), Fault::Busy(90), Fault::Status(400)];
    for (n, fault) in faults.into_iter().enumerate() {
        scene.work(scene.tenant.workspace, 10).await;
        scene.processor.fail([fault]);
        assert_eq!(scene.report().await, 1, "{fault:?}");
        assert_eq!(scene.report().await, 0, "it is not sent again at once after {fault:?}");
        scene.advance(Duration::from_secs(91));
        assert_eq!(scene.report().await, 1, "{fault:?}");
        assert_eq!(scene.metered_for("cus_1"), 10.0 * (n + 1) as f64, "{fault:?}");
    }
    assert!(scene.reports().await.iter().all(|report| report.state == State::Sent && report.last_error.is_none()));
}

#[both_stores]
async fn a_processor_that_is_down_is_asked_ever_later_and_gets_everything_in_the_end(test: TestStore) {
    let scene = Scene::of(test).await;
    scene.work(scene.tenant.workspace, 5).await;
    scene.processor.set_down(true);
    let mut attempts = 0;
    for _ in 0..60 {
        attempts += scene.report().await;
        scene.advance(Duration::from_secs(60));
    }
    assert!((8..=12).contains(&attempts), "{attempts} attempts in an hour");
    scene.processor.set_down(false);
    scene.advance(2 * HOUR);
    assert_eq!((scene.report().await, scene.metered_for("cus_1")), (1, 5.0));
}

#[both_stores]
async fn retry_after_holds_back_every_other_report_too(test: TestStore) {
    let scene = Scene::of(test).await;
    let other = scene.app.tenant("hillside").await;
    scene.bill_to(other.workspace, "cus_2").await;
    scene.work(scene.tenant.workspace, 1).await;
    scene.processor.fail([Fault::Busy(30)]);
    assert_eq!(scene.report().await, 1);
    scene.work(other.workspace, 1).await;
    scene.advance(Duration::from_secs(29));
    assert_eq!(scene.report().await, 0);
    scene.advance(Duration::from_secs(2));
    assert_eq!(scene.report().await, 2);
}

#[both_stores]
async fn a_workspace_without_a_customer_waits_and_a_new_customer_takes_over_what_was_refused(test: TestStore) {
    let scene = Scene::of(test).await;
    let other = scene.app.tenant("hillside").await;
    scene.work(other.workspace, 3).await;
    assert_eq!(scene.report().await, 0);
    let [report] = scene.reports().await.try_into().unwrap();
    assert_eq!(report.last_error.as_deref(), Some("the workspace has no customer at the processor"));
    scene.bill_to(other.workspace, "cus_2").await;
    scene.processor.delete_customer("cus_2");
    scene.advance(HOUR);
    assert_eq!(scene.report().await, 1);
    scene.bill_to(other.workspace, "cus_3").await;
    scene.advance(HOUR);
    assert_eq!((scene.report().await, scene.metered_for("cus_3")), (1, 3.0));
}

#[both_stores]
async fn what_the_processor_may_have_and_may_have_forgotten_is_left_to_the_operator(test: TestStore) {
    let scene = Scene::of(test).await;
    scene.work(scene.tenant.workspace, 4).await;
    scene.processor.fail([Fault::LostAnswer]);
    scene.report().await;
    scene.processor.set_down(true);
    for _ in 0..30 {
        scene.advance(HOUR);
        scene.report().await;
    }
    scene.processor.set_down(false);
    scene.advance(2 * HOUR);
    assert_eq!(scene.report().await, 0);
    let [report] = scene.reports().await.try_into().unwrap();
    assert_eq!(report.state, State::Uncertain);
    let id = report.id;
    assert!(scene.app.test.store.write("test", move |tx| resolve(tx, id, Finding::Sent)).await.unwrap());
    assert!(!scene.app.test.store.write("test", move |tx| resolve(tx, id, Finding::Unsent)).await.unwrap());
    assert_eq!((scene.report().await, scene.metered_for("cus_1")), (0, 4.0));
}

#[both_stores]
async fn several_processes_share_the_work(test: TestStore) {
    let scene = Scene::of(test).await;
    for n in 0..6 {
        let tenant = scene.app.tenant(format!("school-{n}").leak()).await;
        scene.bill_to(tenant.workspace, "cus_9").await;
        scene.work(tenant.workspace, 20).await;
    }
    let reporters: Vec<_> = (0..4).map(|_| Reporter::new(&scene.app.platform)).collect();
    let attempts: usize = join_all(reporters.iter().map(Reporter::run_due)).await.into_iter().map(Result::unwrap).sum();
    assert_eq!((attempts, scene.metered_for("cus_9")), (6, 120.0));
    assert_eq!(scene.processor.calls().len(), 6, "no report was sent by two");
}

#[both_stores]
async fn more_than_a_chunk_is_collected_in_several_and_the_sums_are_those_of_the_ledger(test: TestStore) {
    let scene = Scene::of(test).await;
    for _ in 0..3 {
        scene.work(scene.tenant.workspace, 4_100).await;
    }
    assert_eq!(scene.report().await, 2);
    assert_eq!(scene.metered_for("cus_1"), 12_300.0);
}

/// The process dies at two hundred moments, wherever it is by then; another one goes on.
#[both_stores]
async fn dying_at_any_moment_leaves_nothing_out_and_nothing_twice(test: TestStore) {
    let scene = Scene::of(test).await;
    let other = scene.app.tenant("hillside").await;
    scene.bill_to(other.workspace, "cus_2").await;
    let mut done = 0;
    for moment in 0..200_u64 {
        let workspace = if moment % 3 == 0 { other.workspace } else { scene.tenant.workspace };
        scene.work(workspace, 3).await;
        done += 3;
        let fault = [Fault::None, Fault::LostAnswer, Fault::ActsAndFails, Fault::Status(503)][(moment % 4) as usize];
        scene.processor.fail([fault]);
        // Whoever is slower than so many turns of the executor dies.
        let reporter = Reporter::new(&scene.app.platform);
        let work = Box::pin(async move { drop(reporter.run_due().await) });
        let turns = u64::from_le_bytes(scene.app.test.ambient.random()) % 40;
        let death = Box::pin(async move {
            for _ in 0..turns {
                tokio::task::yield_now().await;
                tokio::time::sleep(Duration::from_micros(100)).await;
            }
        });
        drop(select(work, death).await);
        if moment % 5 == 0 {
            scene.app.test.store.write("test", lapse_all).await.unwrap();
        }
        scene.advance(Duration::from_secs(7));
    }
    for _ in 0..10 {
        scene.advance(HOUR);
        scene.report().await;
    }
    let total: f64 = scene.metered().values().sum();
    assert_eq!(total, f64::from(done));
    assert!(scene.reports().await.iter().all(|report| report.state == State::Sent));
}

#[both_stores]
async fn collecting_twice_at_once_makes_each_report_once(test: TestStore) {
    let scene = Scene::of(test).await;
    scene.work(scene.tenant.workspace, 50).await;
    let store = &scene.app.test.store;
    let made: usize = join_all((0..5).map(|_| collect_all(store))).await.into_iter().map(Result::unwrap).sum();
    assert_eq!((made, scene.reports().await.len()), (1, 1));
}
