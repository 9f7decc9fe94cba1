//! The operator's view over all endpoints.

use events::deliveries::{self, DeliverySummary, RetryError};
use kernel::id::{EndpointId, EventId};
use store::StoreError;
use testkit::{TestStore, both_stores};

use crate::receiver::{Receiver, Reply};
use crate::stage::{Stage, rows};

async fn listed(stage: &Stage) -> (Vec<DeliverySummary>, Vec<DeliverySummary>) {
    let read = stage
        .test
        .store
        .read("test", |tx| Ok::<_, StoreError>((deliveries::list_failed(tx, 10)?, deliveries::list_pending(tx, 10)?)));
    read.await.unwrap()
}

async fn retry(stage: &Stage, endpoint: EndpointId, event: EventId) -> Result<(), RetryError> {
    stage.test.store.write("test", move |tx| deliveries::retry(tx, endpoint, event)).await
}

#[both_stores]
async fn the_operator_sees_what_failed_and_what_waits_and_has_it_made_again(test: TestStore) {
    let (stage, receiver) = (Stage::new(test), Receiver::start().await);
    receiver.otherwise(Reply::status(500));
    let (endpoint, _) = stage.endpoint("one", &receiver.url()).await;
    let event = stage.event("one", "{}").await;
    let deliverer = stage.deliverer();
    for delay in [0, 5_000, 25_000, 125_000] {
        stage.advance(delay);
        deliverer.run_due().await.unwrap();
    }
    let (other, _) = stage.endpoint("two", "https://b.example/hook").await;
    let waiting = stage.event("two", "{}").await;
    let (failed, pending) = listed(&stage).await;
    assert_eq!(failed.len(), 1);
    assert_eq!((failed[0].endpoint_id, failed[0].event_id, failed[0].attempts), (endpoint.id, event, 4));
    assert_eq!((failed[0].last_status_code, failed[0].last_error.as_deref()), (Some(500), Some("status")));
    assert_eq!(failed[0].next_attempt_at, None);
    assert_eq!(pending.iter().map(|one| (one.event_id, one.attempts)).collect::<Vec<_>>(), [(waiting, 0)]);
    assert_eq!((pending[0].url.as_str(), pending[0].owner_id.as_str()), ("https://b.example/hook", "two"));

    assert!(matches!(retry(&stage, other.id, waiting).await, Err(RetryError::Pending)));
    assert!(matches!(retry(&stage, other.id, event).await, Err(RetryError::Unknown)));
    retry(&stage, endpoint.id, event).await.unwrap();
    assert!(listed(&stage).await.0.is_empty());
    stage.execute("DELETE FROM webhook_endpoint WHERE owner_id = 'two'").await;
    receiver.then([Reply::status(410)]);
    assert_eq!(deliverer.run_due().await.unwrap(), 1);
    assert!(matches!(retry(&stage, endpoint.id, event).await, Err(RetryError::Disabled)));
    let mut attempts: Vec<_> = (1..=4).map(|attempt| (attempt, Some(500), Some("status"))).collect();
    attempts.push((5, Some(410), Some("gone")));
    assert_eq!(stage.rows(event, endpoint.id).await, rows("failed", &attempts));
}
