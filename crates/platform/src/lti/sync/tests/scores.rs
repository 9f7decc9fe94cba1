use super::*;

#[both_stores]
async fn a_completed_evaluation_of_a_launch_posts_its_score_and_tells_so(test: TestStore) {
    let course = Course::new(test).await;
    let evaluation = course.answer().await;
    assert_eq!(course.state(&evaluation).await["status"], "pending");
    assert_eq!(course.sync().await, 1);
    let scores = course.stage.lms.scores();
    let expected = json!({
        "scoreGiven": 10, "scoreMaximum": 10, "activityProgress": "Completed", "gradingProgress": "FullyGraded",
        "userId": "learner-7", "timestamp": evaluation["completedAt"], "column": "1",
        "submission": { "submittedAt": evaluation["createdAt"] },
    });
    assert_eq!(scores, [expected]);
    let state = course.state(&evaluation).await;
    assert_eq!((&state["status"], &state["error"], &state["attempts"]), (&json!("synced"), &Value::Null, &json!(0)));
    let synced = course.synced().await.remove(0);
    for (member, value) in [
        ("event", json!("lti.grade_synced")),
        ("sessionId", json!(course.session)),
        ("resourceLinkId", json!("link-1")),
        ("evaluationId", evaluation["id"].clone()),
        ("ltiRegistrationId", json!(course.stage.registration)),
        ("scoreGiven", json!(10)),
        ("scoreMaximum", json!(10)),
        ("userId", json!("learner-7")),
        ("syncedAt", state["syncedAt"].clone()),
    ] {
        assert_eq!(synced[member], value, "{member}");
    }
    assert_eq!(course.sync().await, 0, "once is enough");
}

#[both_stores]
async fn evaluations_without_a_launch_or_without_a_score_sync_nothing(test: TestStore) {
    let course = Course::new(test).await;
    let plain = course.stage.app.evaluate(&course.stage.tenant, &exact()).await;
    course.stage.app.script.fail("model_unavailable", false);
    let failed = course.evaluate(open()).await;
    assert_eq!((course.sync().await, failed["status"].as_str()), (0, Some("FAILED")));
    assert_eq!((course.state(&plain).await, course.state(&failed).await), (Value::Null, Value::Null));
    assert_eq!((course.stage.lms.score_posts(), course.failed().await), (0, Vec::new()));
}

#[both_stores]
async fn a_review_syncs_the_new_version(test: TestStore) {
    let course = Course::new(test).await;
    let evaluation = course.answer().await;
    course.sync().await;
    course.review(&evaluation, 4).await;
    assert_eq!(course.state(&evaluation).await["version"], 2);
    course.sync().await;
    let given: Vec<_> = course.stage.lms.scores().iter().map(|score| score["scoreGiven"].clone()).collect();
    assert_eq!(given, [10.0, 4.0]);
    assert_eq!(course.synced().await.len(), 2);
}

#[both_stores]
async fn a_score_that_needs_review_is_sent_with_a_comment(test: TestStore) {
    let course = Course::new(test).await;
    course.doubtful_answer().await;
    course.sync().await;
    assert!(course.stage.lms.scores()[0]["comment"].as_str().unwrap().contains("provisional"));
    course.stage.change(&json!({ "metadata": { "gradeSync": { "comment": "Vorläufig." } } })).await;
    let evaluation = course.doubtful_answer().await;
    course.sync().await;
    assert_eq!(course.stage.lms.scores()[1]["comment"], "Vorläufig.");
    course.review(&evaluation, 9).await;
    course.sync().await;
    assert_eq!(course.stage.lms.scores()[2]["comment"], Value::Null, "a person has looked");
}

#[both_stores]
async fn a_registration_may_hold_scores_until_the_review(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.change(&json!({ "metadata": { "gradeSync": { "onReview": "hold" } } })).await;
    let evaluation = course.doubtful_answer().await;
    assert_eq!((course.state(&evaluation).await["status"].as_str(), course.sync().await), (Some("waiting"), 0));
    course.review(&evaluation, 9).await;
    assert_eq!((course.sync().await, course.stage.lms.scores()[0]["scoreGiven"].as_f64()), (1, Some(9.0)));
    let other = course.doubtful_answer().await;
    assert_eq!(course.resend(&other).await["status"], "pending", "a person need not wait");
}

#[both_stores]
async fn a_launch_of_another_workspace_is_unknown(test: TestStore) {
    let course = Course::new(test).await;
    let other = course.stage.app.tenant("lakeside").await;
    let mut body = exact();
    body["clientMetadata"] = json!({ "ltiLaunchSessionId": course.session });
    course.stage.app.evaluate(&other, &body).await;
    assert_eq!((course.sync().await, course.stage.lms.score_posts()), (0, 0));
}
