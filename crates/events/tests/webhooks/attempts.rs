//! One attempt: what is sent, and what each kind of answer means.

use std::time::Duration;

use events::DelivererOptions;
use testkit::{TestStore, both_stores};

use crate::receiver::{Receiver, Reply};
use crate::stage::{COMPLETED, Stage, rows};

#[both_stores]
async fn the_exact_body_is_signed_twice(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    let (_, secret) = stage.endpoint("owner", &receiver.url()).await;
    let body = "{ \"b\":1,\n \"a\" : \"é😀\\u0041\", \"n\": 1.50 }";
    let event = stage.event("owner", body).await;
    assert_eq!(stage.deliverer().run_due().await.unwrap(), 1);

    let [request] = &receiver.received()[..] else { panic!("one request") };
    assert_eq!(request.body, body.as_bytes());
    assert_eq!(request.header("content-type"), "application/json");
    assert_eq!(request.header("x-content-integration-event"), COMPLETED);
    assert_eq!(request.header("webhook-id"), event.to_string());
    assert!(request.header("user-agent").starts_with("Lectern/"));
    assert!(secret.verify_hex(body.as_bytes(), request.header("x-content-integration-signature")));
    let timestamp = request.header("webhook-timestamp").parse().unwrap();
    assert_eq!(timestamp, stage.test.ambient.now().as_seconds());
    let signature = request.header("webhook-signature");
    assert!(secret.verify_standard(&event.to_string(), timestamp, body.as_bytes(), signature));
}

#[both_stores]
async fn a_redirect_is_a_failure_and_not_followed(test: TestStore) {
    let (stage, receiver, target) = (Stage::new(test), Receiver::start().await, Receiver::start().await);
    receiver.then([Reply::status(308).header("location", &target.url())]);
    let (endpoint, _) = stage.endpoint("owner", &receiver.url()).await;
    let event = stage.event("owner", "{}").await;
    stage.deliverer().run_due().await.unwrap();
    assert_eq!(target.received().len(), 0);
    assert_eq!(stage.rows(event, endpoint.id).await, rows("pending", &[(1, Some(308), Some("redirect"))]));
}

#[both_stores]
async fn gone_disables_the_endpoint_and_ends_its_deliveries(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    let (endpoint, _) = stage.endpoint("owner", &receiver.url()).await;
    let deliverer = stage.deliverer();
    receiver.then([Reply::status(500), Reply::status(410)]);
    let waiting = stage.event("owner", "{}").await;
    deliverer.run_due().await.unwrap();
    let refused = stage.event("owner", "{}").await;
    deliverer.run_due().await.unwrap();

    assert_eq!(stage.rows(refused, endpoint.id).await, rows("failed", &[(1, Some(410), Some("gone"))]));
    assert_eq!(stage.rows(waiting, endpoint.id).await, rows("failed", &[(1, Some(500), Some("status"))]));
    assert_eq!(stage.list("owner").await[0].status.as_str(), "DISABLED");
    let later = stage.event("owner", "{}").await;
    stage.advance(3_600_000);
    assert_eq!(deliverer.run_due().await.unwrap(), 0);
    assert_eq!(stage.rows(later, endpoint.id).await, None);
    assert_eq!(receiver.received().len(), 2);
}

#[both_stores]
async fn what_is_under_way_when_an_endpoint_goes_is_not_tried_again(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    let (endpoint, _) = stage.endpoint("owner", &receiver.url()).await;
    receiver.then([Reply::status(410), Reply::status(500)]);
    let events = [stage.event("owner", "{}").await, stage.event("owner", "{}").await];
    stage.deliverer().run_due().await.unwrap();
    stage.advance(5_000);
    assert_eq!(stage.deliverer().run_due().await.unwrap(), 0);
    for event in events {
        assert_eq!(stage.rows(event, endpoint.id).await.unwrap().state, "failed");
    }
}

#[both_stores]
async fn an_address_that_may_not_be_called_is_not_called(test: TestStore) {
    let stage = Stage::new(test);
    let (endpoint, _) = stage.endpoint("owner", "http://10.0.0.1/hook").await;
    let event = stage.event("owner", "{}").await;
    stage.deliverer().run_due().await.unwrap();
    assert_eq!(stage.rows(event, endpoint.id).await, rows("pending", &[(1, None, Some("refused"))]));
}

#[both_stores]
async fn a_receiver_that_does_not_answer_times_out(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([Reply::status(200).held()]);
    let (endpoint, _) = stage.endpoint("owner", &receiver.url()).await;
    let event = stage.event("owner", "{}").await;
    let options = DelivererOptions { timeout: Duration::from_millis(50), ..DelivererOptions::default() };
    stage.deliverer_with(options).run_due().await.unwrap();
    assert_eq!(stage.rows(event, endpoint.id).await, rows("pending", &[(1, None, Some("timeout"))]));
}

#[both_stores]
async fn a_long_answer_is_an_answer_and_is_kept_nowhere(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([Reply::status(200).body("x".repeat(1 << 20)), Reply::status(500).body("inside".repeat(1 << 15))]);
    let (endpoint, _) = stage.endpoint("owner", &receiver.url()).await;
    let deliverer = stage.deliverer();
    let taken = stage.event("owner", "{}").await;
    deliverer.run_due().await.unwrap();
    let refused = stage.event("owner", "{}").await;
    deliverer.run_due().await.unwrap();
    assert_eq!(stage.rows(taken, endpoint.id).await, rows("delivered", &[(1, Some(200), None)]));
    assert_eq!(stage.rows(refused, endpoint.id).await, rows("pending", &[(1, Some(500), Some("status"))]));
}

#[both_stores]
async fn a_secret_of_another_key_is_not_used(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    let (endpoint, _) = stage.endpoint("owner", &receiver.url()).await;
    stage.execute("UPDATE webhook_endpoint SET sealed_secret = 'damaged'").await;
    let event = stage.event("owner", "{}").await;
    stage.deliverer().run_due().await.unwrap();
    assert_eq!(stage.rows(event, endpoint.id).await, rows("pending", &[(1, None, Some("secret"))]));
    assert!(receiver.received().is_empty());
}
