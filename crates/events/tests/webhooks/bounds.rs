//! In-flight bounds and fairness: one receiver's slowness is its own.

use std::time::Duration;

use events::DelivererOptions;
use kernel::slots::InFlightLimits;
use testkit::{TestStore, both_stores};
use tokio::sync::oneshot;

use crate::receiver::{Receiver, Reply};
use crate::stage::Stage;

fn limits(per_receiver: usize, per_owner: usize, total: usize) -> DelivererOptions {
    let in_flight = InFlightLimits { per_receiver, per_owner, total, burst: 0, quick: Duration::ZERO };
    DelivererOptions { in_flight, ..DelivererOptions::default() }
}

#[both_stores]
async fn a_slow_receiver_fills_its_own_slots_only(test: TestStore) {
    let (stage, slow, healthy) = (Stage::new(test), Receiver::start().await, Receiver::start().await);
    slow.otherwise(Reply::status(200).held());
    stage.endpoint("slow", &slow.url()).await;
    stage.endpoint("healthy", &healthy.url()).await;
    for _ in 0..40 {
        stage.event("slow", "{}").await;
    }
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(stage.deliverer_with(limits(3, 6, 8)).run(async move { drop(stopped.await) }));
    slow.until_held(3).await;
    for round in 1..=20 {
        stage.event("healthy", "{}").await;
        healthy.until_received(round).await;
        assert_eq!(slow.held(), 3, "its bound, while it answers nothing");
    }
    // Each answer makes room for one more, never for two.
    for answered in 1..=37 {
        slow.let_go(1);
        slow.until_received(3 + answered).await;
        assert!(slow.held() <= 3);
    }
    slow.let_go(3);
    stop.send(()).unwrap();
    running.await.unwrap();
    assert_eq!(stage.count("SELECT count(*) FROM delivery WHERE state <> 'delivered'").await, 0);
}

#[both_stores]
async fn an_owner_with_many_endpoints_has_one_bound(test: TestStore) {
    let (stage, slow, healthy) = (Stage::new(test), Receiver::start().await, Receiver::start().await);
    slow.otherwise(Reply::status(200).held());
    for _ in 0..5 {
        stage.endpoint("slow", &slow.url()).await;
    }
    stage.endpoint("healthy", &healthy.url()).await;
    for _ in 0..5 {
        stage.event("slow", "{}").await;
    }
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(stage.deliverer_with(limits(3, 6, 8)).run(async move { drop(stopped.await) }));
    slow.until_held(6).await;
    stage.event("healthy", "{}").await;
    healthy.until_received(1).await;
    assert_eq!(slow.held(), 6);
    slow.let_go(25);
    slow.until_received(25).await;
    stop.send(()).unwrap();
    running.await.unwrap();
}

#[both_stores]
async fn many_endpoints_are_all_served_within_few_slots(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    for owner in 0..300 {
        let owner = format!("owner {owner}");
        stage.endpoint(&owner, &receiver.url()).await;
        stage.event(&owner, &owner).await;
    }
    // More endpoints than one claim looks at, and fewer slots than endpoints.
    assert_eq!(stage.deliverer_with(limits(2, 4, 16)).run_due().await.unwrap(), 300);
    assert_eq!(stage.count("SELECT count(*) FROM delivery WHERE state = 'delivered'").await, 300);
}
