//! What happens at the same instant: answers that are graded, tests that are handed in, and the erasure of their learner.

use futures_util::future::{join, join_all};

use super::*;
use crate::submissions::{CourseTests, TestPoints};

/// How many learners do the same at once.
const LEARNERS: usize = 6;

fn two_open(attempt: &str) -> AnsweredTest {
    test(attempt, vec![item("q1", None), item("q2", None)])
}

#[both_stores]
async fn two_answers_that_are_graded_at_once_settle_once_with_both_scores(test: TestStore) {
    let course = Course::new(test).await;
    let made = course.hand_in(two_open("a")).await.unwrap();
    let script = &course.stage.app.script;
    script.hold();
    let both_wait = async {
        while script.seen().len() < 2 {
            tokio::task::yield_now().await;
        }
        script.let_go(2);
    };
    let workers = join(course.stage.app.run_jobs(), course.stage.app.run_jobs());
    join(workers, both_wait).await;
    let graded = course.read(made["id"].as_str().unwrap()).await;
    assert_eq!((&graded["status"], &graded["score"], &graded["version"]), (&json!("GRADED"), &json!(4), &json!(1)));
    assert_eq!(course.synced().await, [4.0]);
    course.stage.app.finish().await;
}

#[both_stores]
async fn two_answers_that_are_reviewed_at_once_settle_once_with_both_scores(test: TestStore) {
    let course = Course::new(test).await;
    let elsewhere = |id| SubmittedItem { kind: "submission".to_owned(), answers: Vec::new(), ..item(id, None) };
    let mut made = Vec::new();
    for learner in 0..LEARNERS {
        let session = launch(&course.stage, course.link, &format!("learner-{learner}")).await;
        let test = self::test("a", vec![elsewhere("q1"), elsewhere("q2")]);
        let id = hand_in(&course.stage.app.platform, &session, course.link, test).await.unwrap();
        made.push(course.read(&id.to_string()).await);
    }
    let reviews = made.iter().flat_map(|one| [&one["items"][0], &one["items"][1]]);
    join_all(reviews.map(|item| course.review(item, 3.0))).await;
    for one in &made {
        let graded = course.read(one["id"].as_str().unwrap()).await;
        assert_eq!((&graded["score"], &graded["version"]), (&json!(6), &json!(1)), "{graded}");
    }
    assert_eq!(course.synced().await, [6.0; LEARNERS]);
}

#[both_stores]
async fn tests_of_a_course_that_are_handed_in_at_once_all_count(test: TestStore) {
    let course = Course::new(test).await;
    let points = |test: &str| TestPoints { test_id: test.to_owned(), points: 8.0 };
    let tests = CourseTests { course_id: "course-1".to_owned(), tests: vec![points(TEST), points(OTHER_TEST)] };
    let mut launches = Vec::new();
    for learner in 0..LEARNERS {
        for test in [TEST, OTHER_TEST] {
            // Each test in a launch of its own: two windows.
            let session = launch(&course.stage, course.link, &format!("learner-{learner}")).await;
            launches
                .push((session, AnsweredTest { test_id: test.to_owned(), course: Some(tests.clone()), ..closed("a") }));
        }
    }
    let platform = &course.stage.app.platform;
    let made = launches.into_iter().map(async |(session, test)| hand_in(platform, &session, course.link, test).await);
    for one in join_all(made).await {
        one.unwrap();
    }
    assert_eq!(course.synced().await, [8.0; LEARNERS]);
}

#[both_stores]
async fn an_erasure_at_the_instant_of_a_hand_in_leaves_nothing(test: TestStore) {
    let course = Course::new(test).await;
    let (stage, platform) = (&course.stage, &course.stage.app.platform);
    let mut sessions = Vec::new();
    for learner in 0..LEARNERS {
        sessions.push(launch(stage, course.link, &format!("racer-{learner}")).await);
    }
    let races = sessions.iter().map(async |session| {
        let path = format!("/v1/platform/learners/{}", session.learner_id().unwrap());
        let erased = stage.app.delete(&path).key(&stage.tenant.key).send();
        let (handed_in, erased) = join(hand_in(platform, session, course.link, open("a")), erased).await;
        erased.expect(204);
        match handed_in {
            Ok(_) | Err(NotHandedIn::Ended) => {}
            Err(other) => panic!("{other}"),
        }
    });
    join_all(races).await;
    stage.app.run_jobs().await;
    for sql in [
        "SELECT count(*) FROM submission",
        "SELECT count(*) FROM submission_evaluation",
        "SELECT count(*) FROM lti_sync",
        "SELECT count(*) FROM lti_launch WHERE user_id LIKE 'racer-%'",
        "SELECT count(*) FROM evaluation WHERE request <> 'null' OR learner_id IS NOT NULL",
        "SELECT count(*) FROM mastery",
    ] {
        assert_eq!(stage.app.count(sql).await, 0, "{sql}");
    }
}
