//! Replacing a secret while deliveries are on their way: no receiver loses one, whichever secret it knows.

use std::time::Duration;

use events::endpoints::{DEFAULT_OVERLAP, Endpoint, MOST_FORMER_SECRETS, RotateSecretError};
use events::platform::PlatformEvent;
use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::receiver::{Received, Receiver, Reply};
use crate::signatures::{has_standard, plain};
use crate::stage::{Stage, rows};

const COMPLETED: &str = "evaluation.completed";
const DAY_MS: u64 = 24 * 3_600_000;

async fn with_endpoint(test: TestStore) -> (Stage, Receiver, Endpoint, String) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    let (endpoint, secret) = stage.platform_endpoint("workspace", &receiver.url(), &[COMPLETED]).await;
    (stage, receiver, endpoint, secret)
}

async fn told(stage: &Stage, receiver: &Receiver) -> Received {
    stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
    assert_eq!(stage.deliverer().run_due().await.unwrap(), 1);
    receiver.received().pop().unwrap()
}

#[both_stores]
async fn both_secrets_sign_until_the_overlap_ends(test: TestStore) {
    let (stage, receiver, endpoint, old) = with_endpoint(test).await;
    let (rotated, new) = stage.rotate("workspace", &endpoint, DEFAULT_OVERLAP).await.unwrap();
    assert_eq!(rotated.former_signs_until, Some(stage.test.ambient.now().plus(DEFAULT_OVERLAP)));
    stage.advance(DAY_MS - 1);
    let within = told(&stage, &receiver).await;
    assert!(has_standard(&old, &within) && has_standard(&new, &within));
    assert_eq!(within.header("x-platform-signature"), plain(&new, &within), "the first attempt is by the newest");
    stage.advance(1);
    let after = told(&stage, &receiver).await;
    assert!(!has_standard(&old, &after) && has_standard(&new, &after));
    assert_eq!(after.header("webhook-signature").split(' ').count(), 1);
}

#[both_stores]
async fn a_receiver_that_knows_only_the_former_secret_gets_every_delivery_by_a_retry(test: TestStore) {
    let (stage, receiver, endpoint, old) = with_endpoint(test).await;
    let (_, new) = stage.rotate("workspace", &endpoint, DEFAULT_OVERLAP).await.unwrap();
    receiver.then([Reply::status(401), Reply::status(200)]);
    let event = stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
    let deliverer = stage.deliverer();
    for delay in [0, 5_000] {
        stage.advance(delay);
        assert_eq!(deliverer.run_due().await.unwrap(), 1);
    }
    let [first, second] = &receiver.received()[..] else { panic!("two attempts") };
    assert_eq!(first.header("x-platform-signature"), plain(&new, first));
    assert_eq!(second.header("x-platform-signature"), plain(&old, second));
    let attempts = [(1, Some(401), Some("status")), (2, Some(200), None)];
    assert_eq!(stage.rows(event, endpoint.id).await, rows("delivered", &attempts));
}

#[both_stores]
async fn each_of_several_former_secrets_has_its_turn(test: TestStore) {
    let (stage, receiver, endpoint, first) = with_endpoint(test).await;
    let mut secrets = vec![first];
    for _ in 0..MOST_FORMER_SECRETS {
        secrets.push(stage.rotate("workspace", &endpoint, DEFAULT_OVERLAP).await.unwrap().1);
    }
    let refused = stage.rotate("workspace", &endpoint, DEFAULT_OVERLAP).await;
    assert!(matches!(refused, Err(RotateSecretError::TooMany)));
    receiver.otherwise(Reply::status(401));
    stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
    let deliverer = stage.deliverer();
    for delay in [0, 5_000, 25_000, 125_000] {
        stage.advance(delay);
        assert_eq!(deliverer.run_due().await.unwrap(), 1);
    }
    for (request, secret) in receiver.received().iter().zip(secrets.iter().rev()) {
        assert_eq!(request.header("x-platform-signature"), plain(secret, request));
        assert!(secrets.iter().all(|secret| has_standard(secret, request)));
    }
}

#[both_stores]
async fn without_an_overlap_every_replaced_secret_stops_at_once(test: TestStore) {
    let (stage, receiver, endpoint, first) = with_endpoint(test).await;
    let (_, second) = stage.rotate("workspace", &endpoint, DEFAULT_OVERLAP).await.unwrap();
    let (rotated, third) = stage.rotate("workspace", &endpoint, Duration::ZERO).await.unwrap();
    assert_eq!(rotated.former_signs_until, None);
    let request = told(&stage, &receiver).await;
    assert!(has_standard(&third, &request) && !has_standard(&second, &request) && !has_standard(&first, &request));
    assert_eq!(request.header("webhook-signature").split(' ').count(), 1);
}

#[both_stores]
async fn a_busy_deliverer_signs_with_the_new_secret_from_the_next_claim_on(test: TestStore) {
    let (stage, receiver, endpoint, old) = with_endpoint(test).await;
    let deliverer = stage.deliverer();
    let mut secret = old;
    for _ in 0..2 {
        stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
        assert_eq!(deliverer.run_due().await.unwrap(), 1);
        let request = receiver.received().pop().unwrap();
        assert_eq!(request.header("x-platform-signature"), plain(&secret, &request));
        secret = stage.rotate("workspace", &endpoint, Duration::ZERO).await.unwrap().1;
    }
}

#[both_stores]
async fn only_its_owner_can_rotate_and_no_secret_is_stored_in_clear(test: TestStore) {
    let (stage, receiver, endpoint, old) = with_endpoint(test).await;
    let foreign = stage.rotate("other", &endpoint, DEFAULT_OVERLAP).await;
    assert!(matches!(foreign, Err(RotateSecretError::Unknown)));
    assert_eq!(told(&stage, &receiver).await.header("webhook-signature").split(' ').count(), 1);
    let (_, new) = stage.rotate("workspace", &endpoint, DEFAULT_OVERLAP).await.unwrap();
    let stored = stage.text("SELECT sealed_secret || former_secrets FROM webhook_endpoint").await;
    let bare = |secret: &str| secret.strip_prefix("whsec_").unwrap().to_owned();
    assert!(!stored.contains(&bare(&old)) && !stored.contains(&bare(&new)));
}
