use super::*;

#[both_stores]
async fn a_line_item_is_made_once_for_a_link_whoever_needs_it(test: TestStore) {
    let mut course = Course::with(test, without_column).await;
    let sessions = [
        course.session.clone(),
        launch(&course.stage, |claims| {
            without_column(claims);
            claims["sub"] = json!("learner-8");
        })
        .await,
    ];
    for session in sessions.iter().cycle().take(6) {
        course.session.clone_from(session);
        course.answer().await;
    }
    // Two processes.
    let other = syncer(&course.stage);
    for _ in 0..8 {
        let (one, two) = tokio::join!(course.syncer.run_due(), other.run_due());
        one.unwrap();
        two.unwrap();
        course.advance(1);
    }
    let columns = course.stage.lms.columns();
    assert_eq!(columns.len(), 1);
    let column = &columns[0];
    assert_eq!(
        (&column["label"], &column["scoreMaximum"], &column["resourceId"], &column["resourceLinkId"]),
        (&json!("Photosynthesis"), &json!(10), &json!("link-1"), &json!("link-1"))
    );
    let pending = "SELECT count(*) FROM lti_sync WHERE status <> 'synced'";
    assert_eq!(course.stage.app.count(pending).await, 0);
}

#[both_stores]
async fn a_line_item_that_a_process_made_before_it_died_is_found(test: TestStore) {
    let course = Course::with(test, without_column).await;
    course.answer().await;
    course.sync().await;
    course
        .stage
        .app
        .test
        .store
        .write("test", |tx| tx.execute("UPDATE lti_line_item SET url = NULL", &[]))
        .await
        .unwrap();
    course.answer().await;
    course.sync().await;
    assert_eq!((course.stage.lms.columns().len(), course.stage.lms.scores().len()), (1, 2));
}

#[both_stores]
async fn a_line_item_that_the_platform_lost_is_made_anew_by_the_next_attempt(test: TestStore) {
    let course = Course::with(test, without_column).await;
    course.answer().await;
    course.sync().await;
    course.stage.lms.lose_columns();
    let evaluation = course.answer().await;
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["attempts"], 1);
    course.advance(5);
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["status"], "synced");
    assert_eq!(course.stage.lms.columns().len(), 1);
}

#[both_stores]
async fn a_tool_that_may_only_read_line_items_makes_none(test: TestStore) {
    let course = Course::with(test, |claims| {
        without_column(claims);
        claims[claims::AGS_ENDPOINT]["scope"] = json!([SCOPE_LINE_ITEM_READONLY, SCOPE_SCORE]);
    })
    .await;
    let evaluation = course.answer().await;
    course.sync().await;
    assert_eq!(
        (course.state(&evaluation).await["status"].as_str(), course.stage.lms.columns().len()),
        (Some("failed"), 0)
    );
}

#[both_stores]
async fn a_score_waits_for_a_line_item_for_as_long_as_somebody_may_look_for_it(test: TestStore) {
    let course = Course::with(test, without_column).await;
    course.answer().await;
    course.sync().await;
    let until = course.stage.app.platform.door.ambient.now().plus(Duration::from_secs(60));
    let lease =
        move |tx: &mut store::Tx<'_>| tx.execute("UPDATE lti_line_item SET url = NULL, leased_until = $1", &[&until]);
    course.stage.app.test.store.write("test", lease).await.unwrap();
    let evaluation = course.answer().await;
    for _ in 0..60 {
        assert_eq!((course.sync().await, course.state(&evaluation).await["attempts"].as_u64()), (1, Some(0)));
        course.advance(1);
    }
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["status"], "synced");
}
