//! Deliveries that are asked for once more, and those that only try an endpoint out.

use events::Surface;
use events::deliveries::{self, Delivery, DeliveryState, RedeliverError, TEST_EVENT};
use events::platform::PlatformEvent;
use kernel::id::{EndpointId, EventId};
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::receiver::{Receiver, Reply};
use crate::signatures::plain;
use crate::stage::{Stage, rows};

const COMPLETED: &str = "evaluation.completed";

async fn redeliver(stage: &Stage, endpoint: EndpointId, event: EventId) -> Result<Delivery, RedeliverError> {
    let asked =
        move |tx: &mut store::Tx<'_>| deliveries::redeliver(tx, Surface::Platform, "workspace", endpoint, event);
    stage.test.store.write("test", asked).await
}

async fn send_test(stage: &Stage, owner: &'static str, endpoint: EndpointId) -> Result<Delivery, RedeliverError> {
    let asked = move |tx: &mut store::Tx<'_>| deliveries::send_test(tx, Surface::Platform, owner, endpoint);
    stage.test.store.write("test", asked).await
}

#[both_stores]
async fn a_failed_delivery_gets_a_fresh_schedule_and_keeps_its_event(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.otherwise(Reply::status(500));
    let (endpoint, _) = stage.platform_endpoint("workspace", &receiver.url(), &[COMPLETED]).await;
    let event = stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
    let deliverer = stage.deliverer();
    for delay in [0, 5_000, 25_000, 125_000] {
        stage.advance(delay);
        assert_eq!(deliverer.run_due().await.unwrap(), 1);
    }
    let again = redeliver(&stage, endpoint.id, event).await.unwrap();
    assert_eq!((again.state, again.next_attempt_at), (DeliveryState::Pending, Some(stage.test.ambient.now())));
    for (delay, attempts) in [(0, 1), (4_999, 0), (1, 1), (25_000, 1), (125_000, 1), (3_600_000, 0)] {
        stage.advance(delay);
        assert_eq!(deliverer.run_due().await.unwrap(), attempts, "after {delay} ms");
    }
    let attempts: Vec<_> = (1..=8).map(|attempt| (attempt, Some(500), Some("status"))).collect();
    assert_eq!(stage.rows(event, endpoint.id).await, rows("failed", &attempts));
    assert!(receiver.received().iter().all(|request| request.header("webhook-id") == event.to_string()));
}

#[both_stores]
async fn a_delivered_one_is_delivered_again_and_may_be_retried(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([200, 503].map(Reply::status));
    let (endpoint, _) = stage.platform_endpoint("workspace", &receiver.url(), &[COMPLETED]).await;
    let event = stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
    let deliverer = stage.deliverer();
    assert_eq!(deliverer.run_due().await.unwrap(), 1);
    redeliver(&stage, endpoint.id, event).await.unwrap();
    assert_eq!(deliverer.run_due().await.unwrap(), 1);
    stage.advance(5_000);
    assert_eq!(deliverer.run_due().await.unwrap(), 1);
    let attempts = [(1, Some(200), None), (2, Some(503), Some("status")), (3, Some(200), None)];
    assert_eq!(stage.rows(event, endpoint.id).await, rows("delivered", &attempts));
    let bodies: Vec<_> = receiver.received().into_iter().map(|request| request.body).collect();
    assert!(bodies.iter().all(|body| *body == bodies[0]));
}

#[both_stores]
async fn what_has_not_ended_is_not_queued_twice(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([Reply::status(500)]);
    let (endpoint, _) = stage.platform_endpoint("workspace", &receiver.url(), &[COMPLETED]).await;
    let event = stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
    assert!(matches!(redeliver(&stage, endpoint.id, event).await, Err(RedeliverError::Pending)));
    stage.deliverer().run_due().await.unwrap();
    assert!(matches!(redeliver(&stage, endpoint.id, event).await, Err(RedeliverError::Pending)));
    assert_eq!(stage.deliverer().run_due().await.unwrap(), 0, "the retry keeps its time");
}

#[both_stores]
async fn foreign_and_unknown_deliveries_are_not_found(test: TestStore) {
    let stage = Stage::new(test);
    let (own, _) = stage.platform_endpoint("workspace", "https://a.example", &[COMPLETED]).await;
    let (foreign, _) = stage.platform_endpoint("other", "https://a.example", &[COMPLETED]).await;
    let event = stage.fact("other", PlatformEvent::EvaluationCompleted, json!({})).await;
    assert!(matches!(redeliver(&stage, foreign.id, event).await, Err(RedeliverError::UnknownEndpoint)));
    assert!(matches!(redeliver(&stage, own.id, event).await, Err(RedeliverError::UnknownDelivery)));
    assert!(matches!(send_test(&stage, "workspace", foreign.id).await, Err(RedeliverError::UnknownEndpoint)));
}

#[both_stores]
async fn a_disabled_endpoint_is_told_nothing_more(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([Reply::status(410)]);
    let (endpoint, _) = stage.platform_endpoint("workspace", &receiver.url(), &[COMPLETED]).await;
    let event = stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
    stage.deliverer().run_due().await.unwrap();
    assert!(matches!(redeliver(&stage, endpoint.id, event).await, Err(RedeliverError::Disabled)));
    assert!(matches!(send_test(&stage, "workspace", endpoint.id).await, Err(RedeliverError::Disabled)));
}

#[both_stores]
async fn a_test_goes_to_its_endpoint_alone_like_any_other_delivery(test: TestStore) {
    let (stage, receiver, other) = (Stage::new(test), Receiver::start().await, Receiver::start().await);
    let (endpoint, secret) = stage.platform_endpoint("workspace", &receiver.url(), &["lti.grade_synced"]).await;
    stage.platform_endpoint("workspace", &other.url(), &[COMPLETED]).await;
    receiver.then([Reply::status(500)]);
    let queued = send_test(&stage, "workspace", endpoint.id).await.unwrap();
    let deliverer = stage.deliverer();
    assert_eq!(deliverer.run_due().await.unwrap(), 1);
    stage.advance(5_000);
    assert_eq!(deliverer.run_due().await.unwrap(), 1, "it is retried");
    assert!(other.received().is_empty());
    let request = receiver.received().pop().unwrap();
    assert_eq!(request.header("x-platform-event"), TEST_EVENT);
    assert_eq!(request.header("x-platform-signature"), plain(&secret, &request));
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    let expected = json!({
        "event": TEST_EVENT,
        "eventId": queued.event_id,
        "createdAt": queued.created_at,
        "webhookId": endpoint.id,
    });
    assert_eq!(body, expected);
    assert_eq!(stage.log(endpoint.id).await[0].state, DeliveryState::Delivered);
}

#[both_stores]
async fn a_test_passes_the_same_guard_as_every_delivery(test: TestStore) {
    let stage = Stage::new(test);
    let (endpoint, _) = stage.platform_endpoint("workspace", "http://10.0.0.1/hook", &[COMPLETED]).await;
    let queued = send_test(&stage, "workspace", endpoint.id).await.unwrap();
    stage.deliverer().run_due().await.unwrap();
    let expected = rows("pending", &[(1, None, Some("refused"))]);
    assert_eq!(stage.rows(queued.event_id, endpoint.id).await, expected);
}
