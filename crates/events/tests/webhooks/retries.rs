//! The retry schedule: when, how often, and that it ends.

use testkit::{TestStore, both_stores};

use crate::receiver::{Receiver, Reply};
use crate::stage::{Stage, rows};

#[both_stores]
async fn four_attempts_at_their_times_and_no_more(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.otherwise(Reply::status(503));
    let (endpoint, secret) = stage.endpoint("owner", &receiver.url()).await;
    let event = stage.event("owner", "{}").await;
    let deliverer = stage.deliverer();
    assert_eq!(deliverer.run_due().await.unwrap(), 1);
    for delay in [5_000, 25_000, 125_000] {
        stage.advance(delay - 1);
        assert_eq!(deliverer.run_due().await.unwrap(), 0, "not before {delay} ms");
        stage.advance(1);
        assert_eq!(deliverer.run_due().await.unwrap(), 1, "after {delay} ms");
    }
    let attempts = [1, 2, 3, 4].map(|attempt| (attempt, Some(503), Some("status")));
    assert_eq!(stage.rows(event, endpoint.id).await, rows("failed", &attempts));
    stage.advance(24 * 3_600_000);
    assert_eq!(deliverer.run_due().await.unwrap(), 0);

    let requests = receiver.received();
    assert_eq!(requests.len(), 4);
    let mut times = Vec::new();
    for request in &requests {
        assert_eq!(request.header("webhook-id"), event.to_string());
        let time = request.header("webhook-timestamp").parse().unwrap();
        assert!(secret.verify_standard(&event.to_string(), time, b"{}", request.header("webhook-signature")));
        times.push(time - requests[0].header("webhook-timestamp").parse::<i64>().unwrap());
    }
    assert_eq!(times, [0, 5, 30, 155]);
}

#[both_stores]
async fn the_last_retry_can_deliver(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([500, 404, 302].map(Reply::status));
    let (endpoint, _) = stage.endpoint("owner", &receiver.url()).await;
    let event = stage.event("owner", "{}").await;
    let deliverer = stage.deliverer();
    for delay in [0, 5_000, 25_000, 125_000] {
        stage.advance(delay);
        assert_eq!(deliverer.run_due().await.unwrap(), 1);
    }
    let failed = [(1, Some(500), Some("status")), (2, Some(404), Some("status")), (3, Some(302), Some("redirect"))];
    let all = [&failed[..], &[(4, Some(200), None)]].concat();
    assert_eq!(stage.rows(event, endpoint.id).await, rows("delivered", &all));
}

#[both_stores]
async fn retry_after_is_honoured_when_it_is_longer(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([Reply::status(429).header("retry-after", "60"), Reply::status(429).header("retry-after", "1")]);
    stage.endpoint("owner", &receiver.url()).await;
    stage.event("owner", "{}").await;
    let deliverer = stage.deliverer();
    for (delay, attempts) in [(0, 1), (59_999, 0), (1, 1), (24_999, 0), (1, 1)] {
        stage.advance(delay);
        assert_eq!(deliverer.run_due().await.unwrap(), attempts);
    }
}

#[both_stores]
async fn a_delivery_that_every_process_dies_of_ends(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    let (endpoint, _) = stage.endpoint("owner", &receiver.url()).await;
    let event = stage.event("owner", "{}").await;
    stage.execute("UPDATE delivery SET attempts = 8, lease_token = 'of a dead process'").await;
    assert_eq!(stage.deliverer().run_due().await.unwrap(), 0);
    assert_eq!(stage.rows(event, endpoint.id).await, rows("failed", &[]));
    assert!(receiver.received().is_empty());
}
