use super::*;

#[both_stores]
async fn an_erased_learner_is_gone_from_syncs_launches_and_events(test: TestStore) {
    let course = Course::new(test).await;
    let mut body = exact();
    body["submitter"] = json!({ "learnerId": "ann" });
    let evaluation = course.evaluate(body.clone()).await;
    course.sync().await;
    let app = &course.stage.app;
    app.delete("/v1/platform/learners/ann").key(&course.stage.tenant.key).send().await.expect(204);
    let left = "SELECT (SELECT count(*) FROM lti_sync) + (SELECT count(*) FROM lti_launch)
        + (SELECT count(*) FROM lti_gradebook_cell)";
    assert_eq!((app.count(left).await, course.state(&evaluation).await), (0, Value::Null));
    let told = course.synced().await.remove(0);
    assert_eq!((&told["scoreGiven"], &told["userId"]), (&Value::Null, &Value::Null));
}

#[both_stores]
async fn an_erasure_leaves_the_launches_of_other_workspaces_alone(test: TestStore) {
    let course = Course::new(test).await;
    let other = course.stage.app.tenant("lakeside").await;
    let mut body = exact();
    body["submitter"] = json!({ "learnerId": "ann" });
    body["clientMetadata"] = json!({ "ltiLaunchSessionId": course.session });
    course.stage.app.evaluate(&other, &body).await;
    course.stage.app.delete("/v1/platform/learners/ann").key(&other.key).send().await.expect(204);
    assert_eq!(course.stage.app.count("SELECT count(*) FROM lti_launch").await, 1);
}
