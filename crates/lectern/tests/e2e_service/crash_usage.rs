//! SIGKILL while usage is reported to a payment processor: it bills everything, and nothing twice.

use std::time::Duration;

use billing::ledger::{self, Funding, Spending};
use edge::problem::Problem;
use kernel::id::WorkspaceId;
use kernel::money::MicroUsd;
use platform::workspaces::Processor;
use platform::workspaces::create::{NewWorkspace, insert};
use store::{Store, Tx};
use testkit::processor::{FakeProcessor, Fault, SECRET_KEY};
use testkit::{Engine, TestStore, both_stores};

use super::process::{Installation, Wait, count};

const ROUNDS: usize = 10;
const WORKSPACES: usize = 30;
/// Pieces of work of each workspace in a round.
const PIECES: usize = 3;

/// Workspaces whose usage the processor bills.
async fn tenants(store: &Store) -> Vec<WorkspaceId> {
    let make = |tx: &mut Tx<'_>| {
        let mut made = Vec::new();
        for n in 0..WORKSPACES {
            let new = NewWorkspace {
                processor: Processor { processor_customer_id: Some(format!("cus_{n}")), ..Processor::default() },
                ..NewWorkspace::named(format!("School {n}"), format!("school-{n}"))
            };
            made.push(insert(tx, &new)?);
        }
        Ok::<_, Problem>(made)
    };
    store.write("test", make).await.unwrap()
}

/// Work that the processor pays for.
async fn work(store: &Store, workspaces: Vec<WorkspaceId>) {
    let charge = move |tx: &mut Tx<'_>| {
        for workspace in workspaces.iter().copied().cycle().take(WORKSPACES * PIECES) {
            let (subject, amount) = (tx.ambient().id(), MicroUsd::from_credits(1).unwrap());
            ledger::charge(tx, &Spending { workspace, subject, amount, funding: Funding::Processor, key: None })?;
        }
        // The processes that held leases are dead.
        platform::billing::usage::lapse_all(tx)?;
        Ok::<_, ledger::SpendError>(())
    };
    store.claim("test", charge).await.unwrap();
}

/// Opens the database for one step. An embedded one is closed again, as a command does.
async fn with_store<T>(test: &TestStore, installation: &Installation, step: impl AsyncFnOnce(&Store) -> T) -> T {
    let store = installation.open(test).await;
    let done = step(&store).await;
    if test.engine == Engine::Sqlite {
        store.close().await;
    }
    done
}

#[both_stores]
async fn usage_is_billed_once_however_often_the_process_is_killed(test: TestStore) {
    let processor = FakeProcessor::start().await;
    let installation = Installation::new(&test);
    installation.configure(&format!(
        "[processor]\nbase_url = '{}'\nsecret_key = '{SECRET_KEY}'\nwebhook_secret = 'whsec_1'\n",
        processor.url()
    ));
    let workspaces = with_store(&test, &installation, tenants).await;
    processor.delay(Duration::from_millis(20));
    for round in 0..ROUNDS {
        let workspaces = workspaces.clone();
        with_store(&test, &installation, async |store| work(store, workspaces).await).await;
        processor.fail([Fault::LostAnswer, Fault::None, Fault::ActsAndFails]);
        let (server, before) = (installation.serve().await, processor.calls().len());
        let wait = Wait::until("the processor is called");
        while processor.calls().len() < before + round * 3 {
            wait.on().await;
        }
        server.kill();
    }
    with_store(&test, &installation, async |store| work(store, workspaces).await).await;
    let done = ((ROUNDS + 1) * WORKSPACES * PIECES) as f64;
    let server = installation.serve().await;
    let wait = Wait::until("everything is billed");
    while processor.meter_events().iter().map(|event| event.value).sum::<f64>() < done {
        wait.on().await;
    }
    server.kill();
    let unsent = with_store(&test, &installation, async |store| {
        count(store, "SELECT count(*) FROM usage_report WHERE state = 'uncertain'").await
    });
    assert_eq!(unsent.await, 0);
    let events = processor.meter_events();
    assert_eq!(events.iter().map(|event| event.value).sum::<f64>(), done);
    for n in 0..WORKSPACES {
        let customer = format!("cus_{n}");
        let billed: f64 = events.iter().filter(|event| event.customer == customer).map(|event| event.value).sum();
        assert_eq!(billed, ((ROUNDS + 1) * PIECES) as f64, "{customer}");
    }
}
