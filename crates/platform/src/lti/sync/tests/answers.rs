//! The answers of real platforms to a score.

use lti::ags::SCOPE_RESULT_READONLY;

use super::*;

const GATEWAY_TIMEOUT: StatusCode = StatusCode::GATEWAY_TIMEOUT;

fn with_results(claims: &mut Value) {
    claims[claims::AGS_ENDPOINT]["scope"] = json!([SCOPE_LINE_ITEM, SCOPE_SCORE, SCOPE_RESULT_READONLY]);
}

impl Course {
    /// The time that is so many seconds away.
    fn later(&self, seconds: u64) -> kernel::time::Timestamp {
        self.stage.app.platform.door.ambient.now().plus(Duration::from_secs(seconds))
    }
}

#[both_stores]
async fn a_page_is_no_answer_to_a_score(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.answer_a_score_with_a_page();
    let evaluation = course.answer().await;
    course.sync().await;
    let state = course.state(&evaluation).await;
    assert_eq!((&state["status"], &state["attempts"]), (&json!("pending"), &json!(1)));
    assert_eq!(state["error"], "the scores of the line item: the answer can't be read");
    course.advance(5);
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["status"], "synced");
    assert_eq!((course.stage.lms.scores().len(), course.synced().await.len()), (1, 1));
}

#[both_stores]
async fn a_conflict_after_an_attempt_without_an_answer_means_that_the_score_arrived(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.take_and_answer(GATEWAY_TIMEOUT);
    let evaluation = course.answer().await;
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["status"], "pending");
    course.advance(5);
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["status"], "synced");
    assert_eq!((course.stage.lms.scores().len(), course.stage.lms.score_posts()), (1, 2));
}

#[both_stores]
async fn a_conflict_at_the_first_attempt_is_a_later_grade_of_somebody_else(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.enter_grade("learner-7", 9.0, course.later(60));
    let evaluation = course.answer().await;
    course.sync().await;
    let state = course.state(&evaluation).await;
    assert_eq!((&state["status"], &state["syncedAt"]), (&json!("failed"), &Value::Null));
    assert!(state["error"].as_str().unwrap().contains("a grade of this learner with a later time"), "{state}");
    assert_eq!((course.synced().await.len(), course.failed().await.len()), (0, 1));
    course.advance(600);
    assert_eq!((course.sync().await, course.stage.lms.score_posts()), (0, 1), "it is not tried again");
    course.resend(&evaluation).await;
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["status"], "synced", "a person replaces the grade");
}

#[both_stores]
async fn a_conflict_after_the_token_endpoint_was_away_is_a_later_grade_too(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.answer_token_requests(&[UNAVAILABLE]);
    course.stage.lms.enter_grade("learner-7", 9.0, course.later(60));
    let evaluation = course.answer().await;
    course.sync().await;
    course.advance(5);
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["status"], "failed", "no attempt before reached the platform");
}

#[both_stores]
async fn results_settle_a_conflict(test: TestStore) {
    let course = Course::with(test, with_results).await;
    course.stage.lms.enter_grade("learner-7", 10.0, course.later(60));
    let evaluation = course.answer().await;
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["status"], "synced", "the gradebook shows the same points");
    course.stage.lms.enter_grade("learner-7", 9.0, course.later(60));
    let evaluation = course.answer().await;
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["status"], "failed", "the gradebook shows other points");
}

#[both_stores]
async fn results_settle_a_400_to_a_score_that_may_have_arrived(test: TestStore) {
    let course = Course::with(test, with_results).await;
    course.stage.lms.refuse_late_scores_with(StatusCode::BAD_REQUEST);
    course.stage.lms.take_and_answer(GATEWAY_TIMEOUT);
    let evaluation = course.answer().await;
    course.sync().await;
    course.advance(5);
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["status"], "synced");
    assert_eq!(course.stage.lms.scores().len(), 1);
}

#[both_stores]
async fn a_400_to_a_score_that_may_have_arrived_fails_and_says_so_without_results(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.refuse_late_scores_with(StatusCode::BAD_REQUEST);
    course.stage.lms.take_and_answer(GATEWAY_TIMEOUT);
    let evaluation = course.answer().await;
    for delay in [0, 5, 30, 120] {
        course.advance(delay);
        assert_eq!(course.sync().await, 1);
    }
    let state = course.state(&evaluation).await;
    assert_eq!(state["status"], "failed");
    assert!(state["error"].as_str().unwrap().contains("the gradebook may have this score"), "{state}");
    assert_eq!(course.failed().await[0]["error"], state["error"]);
}

#[both_stores]
async fn a_400_to_a_new_score_is_tried_again_and_given_up_as_any_refusal(test: TestStore) {
    let course = Course::with(test, with_results).await;
    course.stage.lms.answer_scores(&[StatusCode::BAD_REQUEST; 4]);
    let evaluation = course.answer().await;
    for delay in [0, 5, 30, 120] {
        course.advance(delay);
        assert_eq!(course.sync().await, 1);
    }
    let state = course.state(&evaluation).await;
    assert_eq!(state["error"], "the scores of the line item: the answer was 400 Bad Request");
    assert_eq!(course.stage.lms.given_tokens(), 1, "there is nothing to ask the results for");
}
