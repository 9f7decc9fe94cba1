//! Statistics say what the rows of usage say, before, between and after they are rolled up.

use std::collections::BTreeMap;
use std::time::Duration;

use billing::usage::statistics::{self, Filter, Scope, Sums};
use billing::usage::{self, NewUsage, Service};
use futures_util::future::join_all;
use kernel::id::WorkspaceId;
use kernel::money::MicroUsd;
use kernel::time::Day;
use store::{Store, StoreError, Tx};
use testkit::{TestStore, both_stores};

const HOUR: Duration = Duration::from_secs(3600);

fn micros(micros: u32) -> MicroUsd {
    MicroUsd::from_micros(micros.into()).unwrap()
}

/// Usage whose amounts are all different.
fn some_usage(test: &TestStore, workspace: WorkspaceId, service: Service, number: u32) -> NewUsage {
    NewUsage {
        workspace,
        organization: number.is_multiple_of(2).then(|| test.ambient.id()),
        service,
        subject: test.ambient.id(),
        credit_cost: micros(number),
        billable: micros(2 * number),
        finalized: micros(3 * number),
        input_tokens: 5 * number,
        output_tokens: 7 * number,
    }
}

async fn record(store: &Store, usage: NewUsage) {
    store.write("test.record", move |tx| usage::record(tx, &usage)).await.unwrap();
}

async fn roll_up(test: &TestStore) -> i64 {
    test.store.claim("test.roll_up", usage::roll_up).await.unwrap()
}

type Raw = Vec<(WorkspaceId, Day, String, Sums)>;

/// Every row of usage.
fn raw(tx: &mut Tx<'_>) -> Result<Raw, StoreError> {
    tx.query(
        "SELECT workspace_id, occurred_at, service, credit_cost_micros, billable_micros, finalized_micros, input_tokens,
            output_tokens FROM usage",
        &[],
        |row| {
            let sums = Sums {
                requests: 1,
                credit_cost: row.get(3)?,
                billable: row.get(4)?,
                finalized: row.get(5)?,
                input_tokens: row.get(6)?,
                output_tokens: row.get(7)?,
            };
            Ok((row.get(0)?, row.get::<kernel::time::Timestamp>(1)?.day(), row.get(2)?, sums))
        },
    )
}

fn group<K: Ord>(raw: &Raw, filter: &Filter, key: impl Fn(&(WorkspaceId, Day, String, Sums)) -> K) -> Vec<(K, Sums)> {
    let mut groups: BTreeMap<K, Sums> = BTreeMap::new();
    for row in raw {
        let (workspace, day, service, sums) = row;
        let is_in_scope = match filter.scope {
            Scope::All => true,
            Scope::Workspace(of) => of == *workspace,
        };
        let is_wanted = is_in_scope
            && filter.from.is_none_or(|from| from <= *day)
            && filter.until.is_none_or(|until| *day <= until)
            && filter.service.as_ref().is_none_or(|of| of == service);
        if is_wanted {
            groups.entry(key(row)).or_default().add(sums).unwrap();
        }
    }
    groups.into_iter().collect()
}

/// All three statistics against the rows, for many filters.
async fn assert_exact(test: &TestStore, workspaces: &[WorkspaceId]) {
    let today = test.ambient.now().day();
    let days = [None, Day::from_number(today.number() - 1), Some(today)];
    let mut periods = Vec::new();
    for from in days {
        periods.extend(days.map(|until| (from, until)));
    }
    let mut scopes = vec![Scope::All];
    scopes.extend(workspaces.iter().copied().map(Scope::Workspace));
    for scope in scopes {
        for (from, until) in &periods {
            for service in [None, Some("course".to_owned()), Some("nothing".to_owned())] {
                let filter = Filter { scope, from: *from, until: *until, service };
                let asked = filter.clone();
                let read = test.store.read("test.statistics", move |tx| {
                    let services = statistics::by_service(tx, &asked)?;
                    Ok::<_, StoreError>((raw(tx)?, services, statistics::by_day(tx, &asked)?))
                });
                let (raw, services, days) = read.await.unwrap();
                assert_eq!(services, group(&raw, &filter, |row| row.2.clone()), "{filter:?}");
                assert_eq!(days, group(&raw, &filter, |row| row.1), "{filter:?}");
            }
        }
        let read = test.store.read("test.workspaces", move |tx| {
            Ok::<_, StoreError>((raw(tx)?, statistics::by_workspace(tx, scope, 50)?))
        });
        let (raw, mut listed) = read.await.unwrap();
        assert!(listed.is_sorted_by(|one, next| one.1.requests >= next.1.requests));
        listed.sort_by_key(|(workspace, _)| *workspace);
        assert_eq!(listed, group(&raw, &Filter::all_time(scope), |row| row.0));
    }
}

/// One text for all rolled-up rows of the three tables.
async fn rolled_up(test: &TestStore) -> Vec<i64> {
    let read = test.store.read("test.rolled_up", |tx| {
        let mut sums = Vec::new();
        for sql in [
            "SELECT coalesce(sum(requests), 0), coalesce(sum(input_tokens), 0) FROM usage_day WHERE shard = ''",
            "SELECT coalesce(sum(requests), 0), coalesce(sum(input_tokens), 0) FROM usage_service_day",
            "SELECT coalesce(sum(requests), 0), coalesce(sum(input_tokens), 0) FROM usage_total",
        ] {
            let found = tx.query(sql, &[], |row| Ok([row.get::<i64>(0)?, row.get::<i64>(1)?]))?;
            sums.extend(found.into_iter().flatten());
        }
        Ok::<_, StoreError>(sums)
    });
    read.await.unwrap()
}

#[both_stores]
async fn statistics_are_exact_before_between_and_after_roll_ups(test: TestStore) {
    let workspaces: [WorkspaceId; 3] = std::array::from_fn(|_| test.ambient.id());
    assert_exact(&test, &workspaces).await;
    for number in 0..60_u32 {
        let service = Service::ALL[number as usize % Service::ALL.len()];
        let workspace = workspaces[number as usize * 7 % 4 % 3];
        record(&test.store, some_usage(&test, workspace, service, number)).await;
        test.clock.advance(HOUR);
        if number % 16 == 7 {
            assert_exact(&test, &workspaces).await;
            assert!(roll_up(&test).await > 0);
            assert_exact(&test, &workspaces).await;
        }
    }
    usage::roll_up_all(&test.store).await.unwrap();
    assert_exact(&test, &workspaces).await;
    let [requests, tokens, ref others @ ..] = rolled_up(&test).await[..] else { panic!() };
    assert_eq!(requests, 60);
    assert_eq!(others, [requests, tokens, requests, tokens]);
}

#[both_stores]
async fn a_day_ends_at_midnight_utc(test: TestStore) {
    let workspace = test.ambient.id();
    let today = test.ambient.now().day();
    let tomorrow = Day::from_number(today.number() + 1).unwrap();
    let to_midnight = tomorrow.start().duration_since(test.ambient.now());
    test.clock.advance(to_midnight - Duration::from_millis(1));
    record(&test.store, some_usage(&test, workspace, Service::Test, 1)).await;
    test.clock.advance(Duration::from_millis(1));
    record(&test.store, some_usage(&test, workspace, Service::Test, 2)).await;
    let days = test.store.read("test.days", |tx| statistics::by_day(tx, &Filter::all_time(Scope::All))).await;
    let days: Vec<_> = days.unwrap().into_iter().map(|(day, sums)| (day, sums.credit_cost.micros())).collect();
    assert_eq!(days, [(today, 1), (tomorrow, 2)]);
}

#[both_stores]
async fn usage_of_a_day_that_is_rolled_up_already_is_counted_too(test: TestStore) {
    let workspace = test.ambient.id();
    record(&test.store, some_usage(&test, workspace, Service::Video, 1)).await;
    assert_eq!(roll_up(&test).await, 1);
    record(&test.store, some_usage(&test, workspace, Service::Video, 2)).await;
    assert_exact(&test, &[workspace]).await;
    assert_eq!((roll_up(&test).await, roll_up(&test).await), (1, 0));
    assert_exact(&test, &[workspace]).await;
}

#[both_stores]
async fn a_roll_up_moves_a_page_at_a_time(test: TestStore) {
    let more = usize::try_from(usage::PAGE).unwrap() + 20;
    let all: Vec<_> = (0..more).map(|_| some_usage(&test, test.ambient.id(), Service::Slide, 1)).collect();
    let write = test.store.write("test.many", move |tx| all.iter().try_for_each(|usage| usage::record(tx, usage)));
    write.await.unwrap();
    assert_eq!((roll_up(&test).await, roll_up(&test).await, roll_up(&test).await), (usage::PAGE, 20, 0));
    let listed = test.store.read("test.listed", |tx| statistics::by_workspace(tx, Scope::All, 50)).await;
    assert_eq!(listed.unwrap().len(), 50);
}

#[both_stores]
async fn sums_are_exact_while_many_write_and_others_roll_up(test: TestStore) {
    let workspaces: [WorkspaceId; 2] = std::array::from_fn(|_| test.ambient.id());
    let other = test.open_again().await;
    let work = (0..120_u32).map(|number| {
        let (test, other) = (test.clone(), other.clone());
        async move {
            let store = if number.is_multiple_of(2) { &test.store } else { &other };
            if number % 10 == 9 {
                store.claim("test.roll_up", usage::roll_up).await.unwrap();
            } else {
                let workspace = workspaces[number as usize % 3 % 2];
                record(store, some_usage(&test, workspace, Service::Evaluation, number)).await;
            }
        }
    });
    join_all(work).await;
    assert_exact(&test, &workspaces).await;
    usage::roll_up_all(&test.store).await.unwrap();
    assert_exact(&test, &workspaces).await;
    assert_eq!(rolled_up(&test).await[0], 108);
    other.close().await;
}
