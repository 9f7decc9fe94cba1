//! Endpoints, and which of them an event reaches.

use events::endpoints::{self, CreateEndpointError, MAX_ENDPOINTS_PER_OWNER};
use events::{NewEvent, Surface, record};
use futures_util::future::join_all;
use store::StoreError;
use testkit::{TestStore, both_stores};

use crate::receiver::{Receiver, Reply};
use crate::stage::{Stage, text};

#[both_stores]
async fn a_list_keeps_every_order_and_shows_no_secret(test: TestStore) {
    let stage = Stage::new(test);
    let order = ["content.failed", "content.completed", "content.failed"];
    let (first, secret) = stage.endpoint_for("owner", "https://a.example/hook", &order).await;
    stage.advance(1);
    let (second, _) = stage.endpoint_for("owner", "https://b.example", &[]).await;
    stage.endpoint("other", "https://c.example").await;
    let listed = stage.list("owner").await;
    assert_eq!(listed, [first.clone(), second]);
    assert_eq!(listed[0].events, ["content.failed", "content.completed"], "each once, as first named");
    assert_eq!((listed[0].url.as_str(), listed[0].status.as_str()), ("https://a.example/hook", "ACTIVE"));
    assert!(!format!("{listed:?}").contains(&text(&secret)));
}

#[both_stores]
async fn a_secret_is_in_no_row_in_clear(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.then([Reply::status(500)]);
    let (_, secret) = stage.endpoint("owner", &receiver.url()).await;
    stage.event("owner", "{}").await;
    stage.deliverer().run_due().await.unwrap();
    let texts = stage.test.store.read("test", |tx| {
        tx.query(
            "SELECT sealed_secret FROM webhook_endpoint UNION ALL SELECT url FROM webhook_endpoint
                 UNION ALL SELECT body FROM event UNION ALL SELECT subject_id FROM event
                 UNION ALL SELECT coalesce(error, '') FROM delivery_attempt
                 UNION ALL SELECT coalesce(lease_token, '') FROM delivery",
            &[],
            |row| row.get::<String>(0),
        )
    });
    let texts: Result<Vec<String>, StoreError> = texts.await;
    let secret = text(&secret);
    let bare = secret.strip_prefix("whsec_").unwrap();
    assert!(texts.unwrap().iter().all(|text| !text.contains(bare) && !text.contains("whsec")));
}

#[both_stores]
async fn an_owner_has_a_bounded_number_of_endpoints(test: TestStore) {
    let stage = Stage::new(test);
    for _ in 0..MAX_ENDPOINTS_PER_OWNER {
        stage.endpoint("owner", "https://a.example").await;
    }
    let (new, _) = stage.prepare("owner", "https://a.example", &["content.failed"]);
    let refused = stage.test.store.write("test", move |tx| endpoints::create(tx, &new)).await;
    assert!(matches!(refused, Err(CreateEndpointError::TooMany)));
    stage.endpoint("other", "https://a.example").await;
}

#[both_stores]
async fn the_bound_holds_when_many_are_made_at_once(test: TestStore) {
    let stage = Stage::new(test);
    stage.endpoint("owner", "https://a.example").await;
    let making = (0..MAX_ENDPOINTS_PER_OWNER + 10).map(|_| {
        let (new, _) = stage.prepare("owner", "https://a.example", &["content.failed"]);
        stage.test.store.write("test", move |tx| endpoints::create(tx, &new))
    });
    let made = join_all(making).await.into_iter().filter(Result::is_ok).count();
    assert_eq!(made + 1, usize::try_from(MAX_ENDPOINTS_PER_OWNER).unwrap());
    assert_eq!(stage.list("owner").await.len(), made + 1);
}

#[both_stores]
async fn only_its_owner_can_delete_an_endpoint(test: TestStore) {
    let stage = Stage::new(test);
    let (endpoint, _) = stage.endpoint("owner", "https://a.example").await;
    assert!(!stage.delete("other", endpoint.id).await);
    assert!(stage.delete("owner", endpoint.id).await);
    assert!(!stage.delete("owner", endpoint.id).await);
    assert!(stage.list("owner").await.is_empty());
    assert_eq!(stage.count("SELECT count(*) FROM webhook_subscription").await, 0);
}

#[both_stores]
async fn an_event_reaches_each_endpoint_that_wants_it_once(test: TestStore) {
    let stage = Stage::new(test);
    let (one, _) = stage.endpoint_for("owner", "https://a.example", &["content.completed", "content.completed"]).await;
    let (two, _) = stage.endpoint("owner", "https://a.example").await;
    let (other_type, _) = stage.endpoint_for("owner", "https://a.example", &["content.failed"]).await;
    let (other_owner, _) = stage.endpoint("other", "https://a.example").await;
    let event = stage.event("owner", "{}").await;
    for (endpoint, has_delivery) in [(one, true), (two, true), (other_type, false), (other_owner, false)] {
        assert_eq!(stage.rows(event, endpoint.id).await.is_some(), has_delivery);
    }
    assert!(matches!(stage.try_event(event, "owner", "{}").await, Err(StoreError::Unique { .. })));
    assert_eq!(stage.count("SELECT count(*) FROM delivery").await, 2);
    assert_eq!(stage.count("SELECT count(*) FROM event").await, 1);
}

#[both_stores]
async fn an_event_of_the_other_surface_reaches_nobody(test: TestStore) {
    let stage = Stage::new(test);
    stage.endpoint("owner", "https://a.example").await;
    let event = NewEvent {
        id: stage.test.ambient.id(),
        surface: Surface::Platform,
        owner_id: "owner".to_owned(),
        event_type: "content.completed",
        subject_id: String::new(),
        body: "{}".to_owned(),
    };
    let written: Result<(), StoreError> = stage.test.store.write("test", move |tx| record(tx, &event)).await;
    written.unwrap();
    assert_eq!(stage.count("SELECT count(*) FROM delivery").await, 0);
}
