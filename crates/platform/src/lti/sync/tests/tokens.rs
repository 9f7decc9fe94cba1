use super::*;

#[both_stores]
async fn a_platform_that_grants_fewer_scopes_is_not_asked_again(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.grant(SCOPE_LINE_ITEM);
    let evaluation = course.answer().await;
    course.sync().await;
    let state = course.state(&evaluation).await;
    assert_eq!(state["status"], "failed");
    assert!(state["error"].as_str().unwrap().contains(SCOPE_SCORE), "{state}");
}

#[both_stores]
async fn one_token_serves_many_scores_and_is_asked_for_anew_when_it_is_refused(test: TestStore) {
    let course = Course::new(test).await;
    for _ in 0..5 {
        course.answer().await;
    }
    assert_eq!((course.sync().await, course.stage.lms.given_tokens()), (5, 1));
    course.stage.lms.revoke_tokens();
    let evaluation = course.answer().await;
    course.sync().await;
    let state = course.state(&evaluation).await;
    assert_eq!((&state["status"], &state["attempts"]), (&json!("synced"), &json!(0)));
    assert_eq!(course.stage.lms.given_tokens(), 2);
    course.advance(3600);
    course.answer().await;
    course.sync().await;
    assert_eq!(course.stage.lms.given_tokens(), 3, "it had lapsed");
}

#[both_stores]
async fn a_token_endpoint_that_is_away_is_asked_again_later(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.answer_token_requests(&[UNAVAILABLE]);
    let evaluation = course.answer().await;
    course.sync().await;
    let error = course.state(&evaluation).await["error"].clone();
    assert!(error.as_str().unwrap().starts_with("the token endpoint: the answer was 503"), "{error}");
    course.advance(5);
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["status"], "synced");
}
