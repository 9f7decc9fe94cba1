//! Tests that are parts of a linked course.

use super::*;
use crate::submissions::{CourseTests, TestPoints};

/// A course of a test with 8 points and another with 12.
fn course_tests() -> CourseTests {
    let points = |test: &str, points| TestPoints { test_id: test.to_owned(), points };
    CourseTests { course_id: "course-1".to_owned(), tests: vec![points(TEST, 8.0), points(OTHER_TEST, 12.0)] }
}

fn in_course(test: AnsweredTest) -> AnsweredTest {
    AnsweredTest { course: Some(course_tests()), ..test }
}

/// The first test, with these points for its items.
fn first(attempt: &str, scores: [Option<f64>; 2]) -> AnsweredTest {
    in_course(test(attempt, vec![item("q1", scores[0]), item("q2", scores[1])]))
}

/// The other one, with so many points.
fn other(attempt: &str, score: f64) -> AnsweredTest {
    let whole = SubmittedItem { max_score: 12.0, ..item("q1", Some(score)) };
    AnsweredTest { test_id: OTHER_TEST.to_owned(), ..in_course(test(attempt, vec![whole])) }
}

impl Course {
    /// Points and maximum of the scores that the gradebook took, oldest first.
    async fn synced_of(&self) -> Vec<(f64, f64)> {
        self.synced().await;
        let points = |score: &Value, member: &str| score[member].as_f64().unwrap();
        let scores = self.stage.lms.scores();
        scores.iter().map(|score| (points(score, "scoreGiven"), points(score, "scoreMaximum"))).collect()
    }

    async fn later(&self) {
        self.stage.app.test.clock.advance(Duration::from_secs(2));
    }
}

#[both_stores]
async fn the_gradebook_gets_the_points_of_all_tests_of_a_course(test: TestStore) {
    let course = Course::new(test).await;
    let made = course.hand_in(first("a", [Some(4.0), Some(0.0)])).await.unwrap();
    assert_eq!((&made["courseId"], &made["score"], &made["maxScore"]), (&json!("course-1"), &json!(4), &json!(8)));
    assert_eq!((&made["traceId"], &made["ltiSync"]["scoreGiven"]), (&json!("expansion-1"), &json!(4)));
    assert_eq!(course.synced_of().await, [(4.0, 20.0)]);
    course.later().await;
    let made = course.hand_in(other("b", 9.0)).await.unwrap();
    assert_eq!((&made["attemptNumber"], &made["ltiSync"]["scoreGiven"]), (&json!(1), &json!(13)));
    assert_eq!(course.synced_of().await[1..], [(13.0, 20.0)]);
    course.later().await;
    let again = course.hand_in(first("c", [Some(4.0), Some(4.0)])).await.unwrap();
    assert_eq!(again["attemptNumber"], 2);
    assert_eq!(course.synced_of().await[2..], [(17.0, 20.0)], "of each test the newest counts");
    let submitted = &course.stage.lms.scores()[2]["submission"]["submittedAt"];
    assert_eq!(submitted, &again["submittedAt"]);
    course.stage.app.finish().await;
}

#[both_stores]
async fn an_open_answer_adds_its_points_when_it_has_them(test: TestStore) {
    let course = Course::new(test).await;
    let open = course.hand_in(first("a", [Some(4.0), None])).await.unwrap();
    assert!(course.synced_of().await.is_empty());
    course.hand_in(other("b", 9.0)).await.unwrap();
    assert_eq!(course.synced_of().await, [(9.0, 20.0)]);
    course.later().await;
    course.stage.app.run_jobs().await;
    assert_eq!(course.synced_of().await[1..], [(15.0, 20.0)]);
    course.later().await;
    let graded = course.read(open["id"].as_str().unwrap()).await;
    course.review(&graded["items"][1], 0.0).await;
    assert_eq!(course.synced_of().await[2..], [(13.0, 20.0)]);
    course.stage.app.finish().await;
}

#[both_stores]
async fn a_score_of_a_course_takes_back_those_that_were_not_sent(test: TestStore) {
    let course = Course::new(test).await;
    course.hand_in(first("a", [Some(4.0), Some(0.0)])).await.unwrap();
    course.hand_in(other("b", 9.0)).await.unwrap();
    assert_eq!(course.synced_of().await, [(13.0, 20.0)]);
    assert_eq!(course.stage.app.count("SELECT count(*) FROM lti_sync WHERE status <> 'superseded'").await, 1);
}

#[both_stores]
async fn a_test_that_left_the_course_counts_no_more(test: TestStore) {
    let course = Course::new(test).await;
    course.hand_in(first("a", [Some(4.0), Some(0.0)])).await.unwrap();
    course.later().await;
    let mut alone = other("b", 9.0);
    alone.course.as_mut().unwrap().tests.remove(0);
    course.hand_in(alone).await.unwrap();
    assert_eq!(course.synced_of().await.last(), Some(&(9.0, 12.0)));
}

#[both_stores]
async fn a_test_that_lost_points_counts_as_it_was_taken(test: TestStore) {
    let course = Course::new(test).await;
    course.hand_in(first("a", [Some(4.0), Some(4.0)])).await.unwrap();
    course.later().await;
    let mut later = other("b", 9.0);
    later.course.as_mut().unwrap().tests[0].points = 2.0;
    course.hand_in(later).await.unwrap();
    assert_eq!(course.synced_of().await.last(), Some(&(17.0, 20.0)), "never more than the maximum");
}

#[both_stores]
async fn a_doubtful_answer_holds_the_score_of_its_course(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.change(&json!({ "metadata": { "gradeSync": { "onReview": "hold" } } })).await;
    course.stage.app.script.flag(&[IntegrityFlag::AddressesGrader]);
    let doubtful = course.hand_in(first("a", [Some(4.0), None])).await.unwrap();
    course.stage.app.run_jobs().await;
    course.later().await;
    course.hand_in(other("b", 9.0)).await.unwrap();
    assert!(course.synced_of().await.is_empty());
    let doubtful = course.read(doubtful["id"].as_str().unwrap()).await;
    course.review(&doubtful["items"][1], 4.0).await;
    assert_eq!(course.synced_of().await, [(17.0, 20.0)]);
    assert_eq!(course.stage.app.count("SELECT count(*) FROM lti_sync WHERE status <> 'superseded'").await, 1);
}

#[both_stores]
async fn attempts_count_per_link_and_test(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.change(&json!({ "metadata": { "tests": { "attempts": 1 } } })).await;
    course.hand_in(first("a", [Some(4.0), Some(0.0)])).await.unwrap();
    let left =
        async |test: &str| standing(&course.stage.app.platform, &course.session, test).await.unwrap().attempts_left;
    assert_eq!((left(TEST).await, left(OTHER_TEST).await), (Some(0), Some(1)));
    course.hand_in(other("b", 9.0)).await.unwrap();
    assert!(matches!(course.hand_in(other("c", 12.0)).await, Err(NotHandedIn::NoAttemptLeft)));
    assert_eq!(course.stage.app.count("SELECT max(attempt_number) FROM submission").await, 1);
}

#[both_stores]
async fn a_score_of_a_course_is_sent_again_when_somebody_asks(test: TestStore) {
    let course = Course::new(test).await;
    let made = course.hand_in(first("a", [Some(4.0), Some(0.0)])).await.unwrap();
    course.hand_in(other("b", 9.0)).await.unwrap();
    course.later().await;
    let path = format!("{SUBMISSIONS}/{}/lti-sync", made["id"].as_str().unwrap());
    let sync = course.stage.app.post(&path).key(&course.stage.tenant.key).send().await.expect(200);
    assert_eq!((&sync["scoreGiven"], &sync["scoreMaximum"]), (&json!(13), &json!(20)));
}
