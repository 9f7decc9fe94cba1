//! Two at once, a browser that leaves, a process that dies, a link that is revoked meanwhile.

use std::time::Duration;

use testkit::both_stores;

use super::*;

impl Stage {
    /// Begins to connect the platform and comes to where the platform has registered the service, and has not said so.
    async fn begin(&self, link: &Link) -> tokio::task::JoinHandle<Result<Connected, NotConnected>> {
        self.lms.hold_registrations(true);
        let (platform, token, query) = (self.app.platform.clone(), link.token.clone(), query(&self.lms));
        let posts = self.lms.registration_posts();
        let attempt = tokio::spawn(async move { connect::connect(&platform, &token, &query).await });
        self.wait_for_posts(posts + 1).await;
        attempt
    }
}

#[both_stores]
async fn of_two_at_once_exactly_one_registers(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let first = stage.begin(&made).await;
    assert_eq!(preview(&stage.app, &made, &query(&stage.lms)).await, Err(Reason::BusyLink));
    assert!(is_refused(stage.connect(&made).await, Reason::BusyLink));
    stage.lms.hold_registrations(false);
    assert!(first.await.unwrap().is_ok());
    assert!(is_refused(stage.connect(&made).await, Reason::UsedLink));
    assert_eq!((stage.lms.registration_posts(), stage.registrations().await.len()), (1, 1));
}

#[both_stores]
async fn of_many_at_once_exactly_one_registers(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let queries: Vec<_> = (0..8).map(|_| query(&stage.lms)).collect();
    let attempts = queries.iter().map(|query| connect_with(&stage.app, &made, query));
    let outcomes = futures_util::future::join_all(attempts).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    for refusal in outcomes.into_iter().filter_map(Result::err) {
        assert!([Reason::BusyLink, Reason::UsedLink].contains(&refusal.reason), "{refusal:?}");
    }
    assert_eq!((stage.lms.registration_posts(), stage.registrations().await.len()), (1, 1));
}

#[both_stores]
async fn a_process_that_dies_keeps_the_link_for_a_minute_and_no_longer(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let until = stage.app.test.ambient.now().plus(LEASE);
    stage.change("UPDATE lti_registration_link SET lease_token = 'of the dead', leased_until = $1", until).await;
    assert!(is_refused(stage.connect(&made).await, Reason::BusyLink));
    stage.app.test.clock.advance(Duration::from_millis(59_999));
    assert!(is_refused(stage.connect(&made).await, Reason::BusyLink));
    stage.app.test.clock.advance(Duration::from_millis(1));
    stage.connect(&made).await.unwrap();
}

#[both_stores]
async fn an_attempt_that_was_taken_for_dead_does_not_write_over_its_successor(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let first = stage.begin(&made).await;
    stage.app.test.clock.advance(LEASE);
    let second = stage.begin(&made).await;
    // The platform lets go of both; the first has lost the link, whoever of them comes first.
    stage.lms.hold_registrations(false);
    let first = first.await.unwrap().map_err(refusal);
    let second = second.await.unwrap().map_err(refusal);
    assert!(first.as_ref().is_err_and(|refusal| [Reason::LostLink].contains(&refusal.reason)), "{first:?}");
    assert_eq!(second.unwrap().client_id, "tool-2");
    let registered: Vec<_> = stage.registrations().await.iter().map(|one| one["clientId"].clone()).collect();
    assert_eq!(registered, ["tool-2"]);
    let shown = stage.shown().await;
    assert_eq!((&shown["status"], &shown["lastFailure"]), (&json!("used"), &Value::Null));
}

#[both_stores]
async fn an_attempt_that_is_late_counts_where_nobody_else_came(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let first = stage.begin(&made).await;
    stage.app.test.clock.advance(LEASE * 2);
    stage.lms.hold_registrations(false);
    assert!(first.await.unwrap().is_ok());
    assert_eq!(stage.shown().await["status"], "used");
}

#[both_stores]
async fn a_link_that_is_revoked_meanwhile_registers_nothing(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let attempt = stage.begin(&made).await;
    let path = format!("{REGISTRATION_LINKS}/{}", made.id);
    stage.app.delete(&path).key(&stage.tenant.key).send().await.expect(200);
    stage.lms.hold_registrations(false);
    assert!(is_refused(attempt.await.unwrap().map_err(refusal), Reason::LostLink));
    assert!(stage.registrations().await.is_empty());
    let shown = stage.shown().await;
    assert_eq!((&shown["status"], &shown["lastFailure"]), (&json!("revoked"), &Value::Null));
}

#[both_stores]
async fn a_browser_that_leaves_breaks_nothing_off(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let attempt = stage.begin(&made).await;
    attempt.abort();
    assert!(attempt.await.unwrap_err().is_cancelled());
    stage.lms.hold_registrations(false);
    while stage.registrations().await.is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(stage.shown().await["status"], "used");
}
