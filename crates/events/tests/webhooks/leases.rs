//! What happens around a claim: crashes, late outcomes, deletions, shutdowns.

use std::sync::Arc;

use testkit::{TestStore, both_stores};
use tokio::sync::oneshot;

use crate::receiver::{Receiver, Reply};
use crate::stage::{Stage, rows};

/// The request's time-out and the time to record it.
const LEASE_MS: u64 = 20_000;

#[both_stores]
async fn a_crash_before_recording_sends_again_as_the_next_attempt(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([Reply::status(200).held()]);
    let (endpoint, _) = stage.endpoint("owner", &receiver.url()).await;
    let event = stage.event("owner", "{}").await;
    let deliverer = stage.deliverer();
    let dying = tokio::spawn(async move { deliverer.run_due().await });
    receiver.until_held(1).await;
    dying.abort();

    stage.advance(LEASE_MS - 1);
    assert_eq!(stage.deliverer().run_due().await.unwrap(), 0, "the lease holds");
    stage.advance(1);
    assert_eq!(stage.deliverer().run_due().await.unwrap(), 1);
    assert_eq!(stage.rows(event, endpoint.id).await, rows("delivered", &[(2, Some(200), None)]));
    let ids: Vec<_> = receiver.received().iter().map(|request| request.header("webhook-id").to_owned()).collect();
    assert_eq!(ids, [event.to_string(), event.to_string()]);
}

#[both_stores]
async fn leases_of_holders_that_are_known_to_be_gone_lapse_at_once(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([Reply::status(200).held()]);
    let (endpoint, _) = stage.endpoint("owner", &receiver.url()).await;
    let event = stage.event("owner", "{}").await;
    let deliverer = stage.deliverer();
    let dying = tokio::spawn(async move { deliverer.run_due().await });
    receiver.until_held(1).await;
    dying.abort();

    assert_eq!(stage.deliverer().run_due().await.unwrap(), 0, "the lease holds");
    assert_eq!(stage.test.store.write("test", events::lapse_all).await.unwrap(), 1);
    assert_eq!(stage.deliverer().run_due().await.unwrap(), 1);
    assert_eq!(stage.rows(event, endpoint.id).await, rows("delivered", &[(2, Some(200), None)]));
}

#[both_stores]
async fn a_late_outcome_changes_nothing(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([Reply::status(500).held()]);
    let (endpoint, _) = stage.endpoint("owner", &receiver.url()).await;
    let event = stage.event("owner", "{}").await;
    let slow = stage.deliverer();
    let late = tokio::spawn(async move { slow.run_due().await });
    receiver.until_held(1).await;
    stage.advance(LEASE_MS);
    assert_eq!(stage.deliverer().run_due().await.unwrap(), 1);
    receiver.let_go(1);
    assert_eq!(late.await.unwrap().unwrap(), 1);
    assert_eq!(stage.rows(event, endpoint.id).await, rows("delivered", &[(2, Some(200), None)]));
}

#[both_stores]
async fn an_endpoint_can_be_deleted_while_it_is_told(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.otherwise(Reply::status(500).held());
    let (endpoint, _) = stage.endpoint("owner", &receiver.url()).await;
    for _ in 0..3 {
        stage.event("owner", "{}").await;
    }
    let deliverer = stage.deliverer();
    let telling = tokio::spawn(async move { deliverer.run_due().await });
    receiver.until_held(3).await;
    assert!(stage.delete("owner", endpoint.id).await);
    receiver.let_go(3);
    assert_eq!(telling.await.unwrap().unwrap(), 3);
    assert_eq!(stage.count("SELECT count(*) FROM delivery").await, 0);
    assert_eq!(stage.count("SELECT count(*) FROM delivery_attempt").await, 0);
    assert_eq!(stage.count("SELECT count(*) FROM event").await, 3);
}

#[both_stores]
async fn several_deliverers_share_the_work_without_doing_it_twice(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    stage.endpoint("owner", &receiver.url()).await;
    for _ in 0..60 {
        stage.event("owner", "{}").await;
    }
    let deliverers = [stage.deliverer(), stage.deliverer(), stage.deliverer()];
    let [a, b, c] = deliverers.each_ref().map(events::Deliverer::run_due);
    let (a, b, c) = tokio::join!(a, b, c);
    assert_eq!(a.unwrap() + b.unwrap() + c.unwrap(), 60);
    assert_eq!(receiver.received().len(), 60);
    assert_eq!(stage.count("SELECT count(*) FROM delivery WHERE state = 'delivered'").await, 60);
    assert_eq!(stage.count("SELECT count(*) FROM delivery_attempt").await, 60);
}

#[both_stores]
async fn a_shutdown_finishes_what_is_under_way_and_starts_nothing(test: TestStore) {
    let (stage, receiver) = (Arc::new(Stage::new(test)), Receiver::start().await);
    receiver.otherwise(Reply::status(200).held());
    let (endpoint, _) = stage.endpoint("owner", &receiver.url()).await;
    let event = stage.event("owner", "{}").await;
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(stage.deliverer().run(async move { drop(stopped.await) }));
    receiver.until_held(1).await;
    stop.send(()).unwrap();
    receiver.let_go(1);
    running.await.unwrap();
    assert_eq!(stage.rows(event, endpoint.id).await, rows("delivered", &[(1, Some(200), None)]));
    let later = stage.event("owner", "{}").await;
    assert_eq!(stage.rows(later, endpoint.id).await, rows("pending", &[]));
    assert_eq!(receiver.received().len(), 1);
}
