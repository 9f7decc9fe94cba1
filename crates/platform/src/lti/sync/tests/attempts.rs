use super::*;

#[both_stores]
async fn a_failed_post_is_repeated_after_5_30_and_120_seconds_and_then_given_up(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.answer_scores(&[UNAVAILABLE; 4]);
    let evaluation = course.answer().await;
    assert_eq!(course.sync().await, 1);
    for (index, delay) in [5, 30, 120].into_iter().enumerate() {
        course.advance(delay - 1);
        assert_eq!(course.sync().await, 0, "not before {delay} seconds");
        assert_eq!(course.state(&evaluation).await["attempts"], index + 1);
        course.advance(1);
        assert_eq!((course.failed().await, course.sync().await), (Vec::new(), 1), "after {delay} seconds");
    }
    let state = course.state(&evaluation).await;
    assert_eq!((&state["status"], &state["attempts"]), (&json!("failed"), &json!(4)));
    let failed = course.failed().await;
    assert_eq!((failed.len(), &failed[0]["sessionId"]), (1, &json!(course.session)));
    assert_eq!(failed[0]["error"], "the scores of the line item: the answer was 503 Service Unavailable");
    course.advance(3600);
    assert_eq!((course.sync().await, course.stage.lms.score_posts()), (0, 4));
    let path = format!("{EVALUATIONS}/{}", evaluation["id"].as_str().unwrap());
    let shown = course.stage.app.get(&path).key(&course.stage.tenant.key).send().await.expect(200);
    assert_eq!(shown["status"], "COMPLETED");
}

#[both_stores]
async fn every_attempt_of_a_score_says_the_same_time_and_a_repeat_counts_as_taken(test: TestStore) {
    let course = Course::new(test).await;
    let evaluation = course.answer().await;
    course.stage.lms.answer_scores(&[UNAVAILABLE]);
    course.sync().await;
    course.advance(5);
    course.sync().await;
    assert_eq!(course.stage.lms.scores()[0]["timestamp"], evaluation["completedAt"]);
    // A process that died after the platform took the score.
    let lapse = |tx: &mut store::Tx<'_>| {
        tx.execute("UPDATE lti_sync SET status = 'pending', lease_token = 'gone', synced_at = NULL", &[])?;
        crate::lti::sync::lapse_all(tx)
    };
    course.stage.app.test.store.write("test", lapse).await.unwrap();
    assert_eq!(course.sync().await, 1);
    assert_eq!(course.state(&evaluation).await["status"], "synced", "409 says that the platform has it");
    assert_eq!(course.stage.lms.scores().len(), 1);
}

#[both_stores]
async fn what_can_never_arrive_fails_at_once_and_says_why(test: TestStore) {
    let mut course = Course::new(test).await;
    let cases: [(Change, &str); 4] = [
        (|claims| drop(claims.as_object_mut().unwrap().shift_remove("sub")), "anonymous"),
        (|claims| drop(claims.as_object_mut().unwrap().shift_remove(claims::AGS_ENDPOINT)), "no gradebook"),
        (|claims| claims[claims::AGS_ENDPOINT]["scope"] = json!([SCOPE_LINE_ITEM]), SCOPE_SCORE),
        (
            |claims| {
                without_column(claims);
                claims[claims::AGS_ENDPOINT]["scope"] = json!([SCOPE_SCORE]);
            },
            SCOPE_LINE_ITEM,
        ),
    ];
    for (change, reason) in cases {
        course.session = launch(&course.stage, change).await;
        let state = course.answer_state().await;
        assert_eq!(state["status"], "failed", "{reason}");
        assert!(state["error"].as_str().unwrap().contains(reason), "{state}");
        assert_eq!(course.failed().await[0]["error"], state["error"]);
    }
    for unknown in ["no-session".to_owned(), course.session.replace(char::is_alphanumeric, "0")] {
        course.session = unknown;
        assert!(course.answer_state().await["error"].as_str().unwrap().contains("no launch session"));
        assert_eq!(course.failed().await.len(), 1);
    }
    assert_eq!((course.sync().await, course.stage.lms.given_tokens()), (0, 0), "the platform is not asked");
}

#[both_stores]
async fn a_deleted_registration_ends_its_syncs_and_an_inactive_one_sends_nothing(test: TestStore) {
    let course = Course::new(test).await;
    let evaluation = course.answer().await;
    course.stage.change(&json!({ "status": "inactive" })).await;
    course.sync().await;
    assert!(course.state(&evaluation).await["error"].as_str().unwrap().contains("inactive"));
    course.stage.change(&json!({ "status": "active" })).await;
    let other = course.answer().await;
    let path = format!("{REGISTRATIONS}/{}", course.stage.registration);
    course.stage.app.delete(&path).key(&course.stage.tenant.key).send().await.expect(200);
    let state = course.state(&other).await;
    assert_eq!((&state["status"], &state["ltiRegistrationId"]), (&json!("failed"), &Value::Null));
    assert_eq!((course.sync().await, course.stage.lms.score_posts(), course.failed().await.len()), (0, 0, 2));
}
