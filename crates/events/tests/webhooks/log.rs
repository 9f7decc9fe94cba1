//! What an owner reads of an endpoint's deliveries.

use events::deliveries::{self, Attempt, Delivery, DeliveryState, LogQuery};
use events::platform::PlatformEvent;
use kernel::id::EndpointId;
use serde_json::json;
use store::StoreError;
use testkit::{TestStore, both_stores};

use crate::receiver::{Receiver, Reply};
use crate::stage::Stage;

const COMPLETED: &str = "evaluation.completed";

async fn page(stage: &Stage, endpoint: EndpointId, query: LogQuery) -> (u64, Vec<Delivery>) {
    let read = stage.test.store.read("test", move |tx| {
        let total = deliveries::count(tx, endpoint, query.state)?;
        Ok::<_, StoreError>((total, deliveries::list(tx, endpoint, query)?))
    });
    read.await.unwrap()
}

#[both_stores]
async fn a_delivery_is_shown_with_its_attempts_and_what_comes_next(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([Reply::status(503).body("internals".to_owned())]);
    let (endpoint, _) = stage.platform_endpoint("workspace", &receiver.url(), &[COMPLETED]).await;
    let event = stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
    let created_at = stage.test.ambient.now();
    stage.deliverer().run_due().await.unwrap();
    let attempt = |number, started_at, status_code, error: Option<&str>| Attempt {
        number,
        started_at,
        duration_ms: 0,
        status_code: Some(status_code),
        error: error.map(str::to_owned),
    };
    let next = created_at.plus(std::time::Duration::from_secs(5));
    let mut expected = Delivery {
        event_id: event,
        event_type: COMPLETED.to_owned(),
        subject_id: "subject".to_owned(),
        state: DeliveryState::Pending,
        created_at,
        next_attempt_at: Some(next),
        finished_at: None,
        attempts: vec![attempt(1, created_at, 503, Some("status"))],
    };
    assert_eq!(stage.log(endpoint.id).await, [expected.clone()]);
    stage.advance(5_000);
    stage.deliverer().run_due().await.unwrap();
    expected.attempts.push(attempt(2, next, 200, None));
    (expected.state, expected.next_attempt_at, expected.finished_at) = (DeliveryState::Delivered, None, Some(next));
    assert_eq!(stage.log(endpoint.id).await, [expected]);
}

#[both_stores]
async fn what_is_under_way_has_no_next_attempt(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.otherwise(Reply::status(200).held());
    let (endpoint, _) = stage.platform_endpoint("workspace", &receiver.url(), &[COMPLETED]).await;
    stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
    let deliverer = stage.deliverer();
    let telling = tokio::spawn(async move { deliverer.run_due().await });
    receiver.until_held(1).await;
    let log = stage.log(endpoint.id).await;
    assert_eq!((log[0].state, log[0].next_attempt_at), (DeliveryState::Pending, None));
    receiver.let_go(1);
    telling.await.unwrap().unwrap();
}

#[both_stores]
async fn pages_show_the_newest_first_and_every_delivery_once(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    let (endpoint, _) = stage.platform_endpoint("workspace", &receiver.url(), &[COMPLETED]).await;
    let (other, _) = stage.platform_endpoint("workspace", &receiver.url(), &[COMPLETED]).await;
    let mut events = Vec::new();
    for _ in 0..7 {
        stage.advance(1);
        events.insert(0, stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await);
    }
    let mut seen = Vec::new();
    for offset in [0, 3, 6] {
        let (total, found) = page(&stage, endpoint.id, LogQuery { state: None, offset, limit: 3 }).await;
        assert_eq!(total, 7);
        seen.extend(found.into_iter().map(|delivery| delivery.event_id));
    }
    assert_eq!(seen, events);
    assert_eq!(page(&stage, other.id, LogQuery { state: None, offset: 0, limit: 100 }).await.1.len(), 7);
}

#[both_stores]
async fn a_state_narrows_the_log(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([Reply::status(200), Reply::status(500)]);
    let (endpoint, _) = stage.platform_endpoint("workspace", &receiver.url(), &[COMPLETED]).await;
    let deliverer = stage.deliverer();
    for _ in 0..2 {
        stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
        deliverer.run_due().await.unwrap();
    }
    for (state, expected) in [(DeliveryState::Delivered, 1), (DeliveryState::Pending, 1), (DeliveryState::Failed, 0)] {
        let (total, found) = page(&stage, endpoint.id, LogQuery { state: Some(state), offset: 0, limit: 10 }).await;
        assert_eq!((total, found.len()), (expected, usize::try_from(expected).unwrap()));
        assert!(found.iter().all(|delivery| delivery.state == state));
    }
}
