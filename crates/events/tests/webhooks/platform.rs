//! What the platform surface promises of its deliveries: headers, both signature versions, bodies, event names.

use events::endpoints::SignatureVersion;
use events::platform::{PlatformEvent, RESERVED, SUBSCRIBABLE};
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::receiver::Receiver;
use crate::signatures::{hashed, plain, standard};
use crate::stage::Stage;

const COMPLETED: &str = "evaluation.completed";

#[both_stores]
async fn the_raw_body_is_signed_with_the_secret_itself(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    let (_, secret) = stage.platform_endpoint("workspace", &receiver.url(), &[COMPLETED]).await;
    let event = stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({ "score": 7.5 })).await;
    assert_eq!(stage.deliverer().run_due().await.unwrap(), 1);
    let [request] = &receiver.received()[..] else { panic!("one request") };
    assert_eq!(request.header("x-platform-event"), COMPLETED);
    assert_eq!(request.header("x-platform-signature"), plain(&secret, request));
    assert_eq!(request.header("webhook-id"), event.to_string());
    assert_eq!(request.header("webhook-signature"), standard(&secret, request));
    assert!(request.headers.get("x-content-integration-signature").is_none());
}

#[both_stores]
async fn a_hashed_endpoint_is_signed_with_the_digest_of_the_secret(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    let version = SignatureVersion::Hashed;
    let (made, secret) = stage.platform_endpoint_with("workspace", &receiver.url(), &[COMPLETED], None, version).await;
    assert_eq!(made.signature_version, version);
    stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({ "score": 7.5 })).await;
    stage.deliverer().run_due().await.unwrap();
    let [request] = &receiver.received()[..] else { panic!("one request") };
    assert_eq!(request.header("x-platform-signature"), hashed(&secret, request));
    assert_eq!(request.header("webhook-signature"), standard(&secret, request), "the version is the header's own");
}

#[both_stores]
async fn a_secret_of_the_owner_signs_as_it_was_given(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    let given = "no-base64:but,visible~";
    for version in [SignatureVersion::Plain, SignatureVersion::Hashed] {
        let url = receiver.url();
        let shown = stage.platform_endpoint_with("workspace", &url, &[COMPLETED], Some(given), version).await.1;
        assert_eq!(shown, given);
    }
    stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
    assert_eq!(stage.deliverer().run_due().await.unwrap(), 2);
    let requests = receiver.received();
    let mut signatures: Vec<_> = requests.iter().map(|one| one.header("x-platform-signature").to_owned()).collect();
    let mut expected = vec![plain(given, &requests[0]), hashed(given, &requests[0])];
    signatures.sort();
    expected.sort();
    assert_eq!(signatures, expected);
    assert!(requests.iter().all(|request| request.header("webhook-signature") == standard(given, request)));
}

#[both_stores]
async fn the_fields_are_at_the_top_beside_event_id_and_time(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    stage.platform_endpoint("workspace", &receiver.url(), &["lti.grade_synced"]).await;
    let fields = json!({ "sessionId": "s", "resourceLinkId": null, "scoreGiven": 9 });
    let event = stage.fact("workspace", PlatformEvent::LtiGradeSynced, fields).await;
    stage.deliverer().run_due().await.unwrap();
    let body: Value = serde_json::from_slice(&receiver.received()[0].body).unwrap();
    let expected = json!({
        "event": "lti.grade_synced",
        "eventId": event,
        "createdAt": stage.test.ambient.now(),
        "sessionId": "s",
        "resourceLinkId": null,
        "scoreGiven": 9,
    });
    assert_eq!(body, expected);
}

#[both_stores]
async fn the_event_id_is_the_same_at_every_attempt(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([500, 500].map(crate::receiver::Reply::status));
    stage.platform_endpoint("workspace", &receiver.url(), &[COMPLETED]).await;
    let event = stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
    let deliverer = stage.deliverer();
    for delay in [0, 5_000, 25_000] {
        stage.advance(delay);
        assert_eq!(deliverer.run_due().await.unwrap(), 1);
    }
    for request in receiver.received() {
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        assert_eq!(
            (body["eventId"].as_str().unwrap(), request.header("webhook-id")),
            (&*event.to_string(), &*event.to_string())
        );
    }
}

#[both_stores]
async fn reserved_events_can_be_subscribed_to_and_are_never_dispatched(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    let reserved = stage.platform_endpoint("workspace", &receiver.url(), RESERVED).await.0;
    let all: Vec<_> = SUBSCRIBABLE.iter().map(|(name, _)| *name).collect();
    let everything = stage.platform_endpoint("workspace", &receiver.url(), &all).await.0;
    assert_eq!((reserved.events.len(), everything.events.len()), (5, 20));
    for event in PlatformEvent::ALL {
        stage.fact("workspace", *event, json!({})).await;
    }
    assert_eq!(stage.deliverer().run_due().await.unwrap(), PlatformEvent::ALL.len());
    let told: Vec<_> = receiver.received().iter().map(|one| one.header("x-platform-event").to_owned()).collect();
    assert!(told.iter().all(|name| !RESERVED.contains(&name.as_str())), "{told:?}");
    assert!(stage.log(reserved.id).await.is_empty());
    assert_eq!(stage.log(everything.id).await.len(), PlatformEvent::ALL.len());
}

#[both_stores]
async fn another_workspace_is_told_nothing(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    stage.platform_endpoint("other", &receiver.url(), &[COMPLETED]).await;
    stage.fact("workspace", PlatformEvent::EvaluationCompleted, json!({})).await;
    assert_eq!(stage.deliverer().run_due().await.unwrap(), 0);
}
