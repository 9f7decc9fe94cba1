//! The scores of one learner and link.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};

use futures_util::future::join_all;
use kernel::id::{SubjectId, SubmissionId};
use testkit::Engine;

use super::*;
use crate::lti::sync::{GradedScore, Subject, follow_submission};

#[both_stores]
async fn scores_of_one_learner_and_link_are_a_second_apart(test: TestStore) {
    let course = Course::new(test).await;
    for _ in 0..3 {
        course.answer().await;
        course.sync().await;
    }
    let times: Vec<_> = course.stage.lms.scores().iter().map(|score| score["timestamp"].clone()).collect();
    assert_eq!(times.len(), 3, "the platform counts seconds and ignores what is not later: {times:?}");
}

#[both_stores]
async fn what_a_review_replaces_on_its_way_is_not_recorded_as_sent(test: TestStore) {
    let course = Course::new(test).await;
    let evaluation = course.answer().await;
    let old = course.claim().await.remove(0);
    course.review(&evaluation, 4).await;
    assert_eq!(course.claim().await.len(), 0, "the newer version is not sent beside the older one");
    course.attempt(old).await;
    assert_eq!(course.state(&evaluation).await["status"], "pending", "the newer version goes on waiting");
    course.sync().await;
    assert_eq!(course.stage.lms.scores().last().unwrap()["scoreGiven"], 4.0);
    assert_eq!(course.synced().await.len(), 1);
}

/// Grades two submissions of the learner in two transactions. On PostgreSQL each begins before the other one ends.
async fn grade_two_at_once(course: &Course) {
    let app = &course.stage.app;
    let workspace =
        app.read(|tx| tx.query("SELECT workspace_id FROM lti_launch", &[], |row| row.get(0))).await.remove(0);
    let is_parallel = app.test.engine == Engine::Postgres;
    let (began, session) = (Arc::new(Barrier::new(2)), course.session.clone());
    let grades = [1, 2].map(|number| {
        let (began, session, has_run) = (began.clone(), session.clone(), AtomicBool::new(false));
        app.test.store.write("test.grade", move |tx| {
            // The snapshot of the transaction begins with its first statement.
            tx.query("SELECT id FROM lti_launch", &[], |row| row.get::<String>(0))?;
            if is_parallel && !has_run.swap(true, Ordering::SeqCst) {
                began.wait();
            }
            let id = format!("00000000-0000-4000-8000-00000000000{number}");
            let id = SubjectId::of(id.parse::<SubmissionId>().unwrap());
            let score = GradedScore {
                subject: (Subject::Submission, id),
                workspace,
                session_id: &session,
                version: 1,
                given: 1.0,
                maximum: 2.0,
                needs_review: false,
                submitted_at: tx.now(),
            };
            follow_submission(tx, &score)
        })
    });
    join_all(grades).await.into_iter().collect::<Result<(), _>>().unwrap();
}

#[both_stores]
async fn two_transactions_never_give_two_scores_the_same_time(test: TestStore) {
    let course = Course::new(test).await;
    for expected in [2, 2] {
        grade_two_at_once(&course).await;
        let seconds = "SELECT count(DISTINCT scored_at / 1000) FROM lti_sync";
        assert_eq!(course.stage.app.count(seconds).await, expected);
    }
}

#[both_stores]
async fn scores_that_are_decided_at_the_same_instant_are_a_second_apart(test: TestStore) {
    let course = Course::new(test).await;
    let evaluations = join_all((0..12).map(|_| course.answer())).await;
    let seconds = "SELECT count(DISTINCT scored_at / 1000) FROM lti_sync";
    assert_eq!(course.stage.app.count(seconds).await, 12);
    assert_eq!(course.sync().await, evaluations.len());
    assert_eq!(course.stage.lms.scores().len(), evaluations.len(), "the platform took each of them");
}

#[both_stores]
async fn scores_of_one_learner_and_link_are_sent_one_at_a_time_and_in_order(test: TestStore) {
    let mut course = Course::new(test).await;
    let (first, second) = (course.answer().await, course.answer().await);
    course.session = launch(&course.stage, |claims| claims["sub"] = json!("learner-8")).await;
    course.answer().await;
    let mut claimed = course.claim().await;
    let users: Vec<_> = claimed.iter().map(|sync| sync.score.user_id.as_deref().unwrap()).collect();
    assert_eq!((users.len(), users.contains(&"learner-8")), (2, true), "nobody waits for another learner");
    assert_eq!(course.claim().await.len(), 0);
    claimed.retain(|sync| sync.score.user_id.as_deref() == Some("learner-7"));
    let one = claimed.remove(0);
    assert_eq!(one.score.subject_id.to_string(), first["id"].as_str().unwrap());
    course.attempt(one).await;
    let next = course.claim().await.remove(0);
    assert_eq!(next.score.subject_id.to_string(), second["id"].as_str().unwrap());
}

#[both_stores]
async fn two_processes_do_not_send_two_scores_of_a_learner_at_once(test: TestStore) {
    let course = Course::new(test).await;
    for _ in 0..4 {
        course.answer().await;
    }
    let others = [syncer(&course.stage), syncer(&course.stage), syncer(&course.stage)];
    for _ in 0..4 {
        let claims = others.iter().map(|other| async { other.claim(&mut None).await.unwrap().syncs });
        let mut claimed: Vec<_> = join_all(claims).await.into_iter().flatten().collect();
        assert_eq!(claimed.len(), 1);
        course.attempt(claimed.remove(0)).await;
    }
    assert_eq!(course.stage.lms.scores().len(), 4);
}

#[both_stores]
async fn a_score_follows_when_the_process_that_sent_the_one_before_died(test: TestStore) {
    let course = Course::new(test).await;
    course.answer().await;
    drop(course.claim().await);
    course.answer().await;
    assert_eq!(course.sync().await, 0, "the first one may be on its way");
    course.advance(60);
    assert_eq!(course.sync().await, 2);
    let times: Vec<_> =
        course.stage.lms.scores().iter().map(|score| score["timestamp"].as_str().unwrap().to_owned()).collect();
    assert!(times.len() == 2 && times.is_sorted(), "{times:?}");
}

#[both_stores]
async fn a_newer_score_does_not_wait_for_a_retry_and_supersedes_it(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.answer_scores(&[UNAVAILABLE]);
    let older = course.answer().await;
    course.sync().await;
    let newer = course.answer().await;
    course.sync().await;
    assert_eq!(course.state(&newer).await["status"], "synced");
    let state = course.state(&older).await;
    assert_eq!((&state["status"], &state["nextAttemptAt"]), (&json!("superseded"), &Value::Null));
    assert!(state["error"].as_str().unwrap().contains("newer score"), "{state}");
    course.advance(5);
    assert_eq!((course.sync().await, course.stage.lms.scores().len()), (0, 1));
    assert_eq!((course.synced().await.len(), course.failed().await.len()), (1, 0));
    course.review(&older, 4).await;
    course.sync().await;
    assert_eq!(course.stage.lms.scores().last().unwrap()["scoreGiven"], 4.0, "a review is newer than all");
}
