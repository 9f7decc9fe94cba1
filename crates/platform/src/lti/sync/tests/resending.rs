use super::*;

#[both_stores]
async fn a_failed_score_can_be_sent_again_by_hand(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.answer_scores(&[UNAVAILABLE; 4]);
    let evaluation = course.answer().await;
    for delay in [0, 5, 30, 120] {
        course.advance(delay);
        course.sync().await;
    }
    assert_eq!(course.state(&evaluation).await["status"], "failed");
    let state = course.resend(&evaluation).await;
    assert_eq!((&state["status"], &state["attempts"], &state["error"]), (&json!("pending"), &json!(0), &Value::Null));
    course.sync().await;
    assert_eq!(course.stage.lms.scores().len(), 1);
    course.resend(&evaluation).await;
    course.sync().await;
    assert_eq!(course.stage.lms.scores().len(), 2, "it is a new score for the platform: somebody wants it so");
}

#[both_stores]
async fn an_evaluation_without_a_launch_or_a_score_has_nothing_to_send_again(test: TestStore) {
    let course = Course::new(test).await;
    let app = &course.stage.app;
    let plain = app.evaluate(&course.stage.tenant, &exact()).await;
    let path = format!("{EVALUATIONS}/{}/lti-sync", plain["id"].as_str().unwrap());
    let refused = app.post(&path).key(&course.stage.tenant.key).send().await.expect(409);
    assert_eq!(refused["error"]["code"], "platform_conflict");
    let other = app.tenant("lakeside").await;
    app.post(&path).key(&other.key).send().await.expect(404);
}

#[both_stores]
async fn a_whole_link_is_sent_again_with_the_newest_score_of_each_learner(test: TestStore) {
    let mut course = Course::new(test).await;
    let first = course.session.clone();
    course.answer().await;
    course.advance(10);
    let newest = course.answer().await;
    course.review(&newest, 6).await;
    course.session = launch(&course.stage, |claims| claims["sub"] = json!("learner-8")).await;
    course.answer().await;
    course.sync().await;
    let before = course.stage.lms.scores().len();
    course.advance(60);
    let path = format!("{REGISTRATIONS}/{}/lti-sync", course.stage.registration);
    let send = |link: &'static str| {
        course.stage.app.post(&path).key(&course.stage.tenant.key).json(&json!({ "resourceLinkId": link })).send()
    };
    assert_eq!(send("link-1").await.expect(200), json!({ "scores": 2 }));
    assert_eq!(send("another").await.expect(200), json!({ "scores": 0 }));
    course.sync().await;
    let mut sent: Vec<_> = course.stage.lms.scores()[before..]
        .iter()
        .map(|score| (score["userId"].as_str().unwrap().to_owned(), score["scoreGiven"].as_f64().unwrap()))
        .collect();
    sent.sort_by(|one, two| one.0.cmp(&two.0));
    assert_eq!(sent, [("learner-7".to_owned(), 6.0), ("learner-8".to_owned(), 10.0)]);
    assert!(!first.is_empty());
}
