use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::{answer, get, id, question_of, review, start, with};
use crate::reconcile::reconcile;
use crate::testing::{App, EVALUATIONS, QUESTIONS, Tenant, exact};

/// A question with four answers of half of the points by the built-in grader, of which the first was reviewed.
async fn taught(test: TestStore) -> (App, Tenant, Vec<Value>, String) {
    let (app, tenant) = start(test).await;
    app.script.be_builtin();
    let mut made = Vec::new();
    for n in 0..4 {
        made.push(
            app.evaluate(
                &tenant,
                &with(answer(&format!("Answer {n}.")), &json!({ "learnerExternalId": format!("l{n}") })),
            )
            .await,
        );
        app.test.clock.advance(std::time::Duration::from_secs(1));
    }
    review(&app, &tenant, &made[0], 9.0).await;
    let path = format!("{QUESTIONS}/{}/regrade", question_of(&made[0]));
    (app, tenant, made, path)
}

async fn regrade(app: &App, tenant: &Tenant, path: &str, body: Value) -> Value {
    app.post(path).key(&tenant.key).json(&body).send().await.expect(200)
}

async fn shown(app: &App, tenant: &Tenant, evaluation: &Value) -> Value {
    app.get(&format!("{EVALUATIONS}/{}", id(evaluation))).key(&tenant.key).send().await.expect(200)
}

fn of(answer: &Value, name: &str) -> Vec<Value> {
    answer["answers"].as_array().unwrap().iter().map(|answer| answer[name].clone()).collect()
}

#[both_stores]
async fn a_dry_run_shows_each_change_and_changes_nothing(test: TestStore) {
    let (app, tenant, made, path) = taught(test).await;
    let before = app.stored().await;
    app.script.grade(0.9);
    app.script.grade(0.5);
    let seen = app.script.seen().len();
    let shows = regrade(&app, &tenant, &path, json!({})).await;
    assert_eq!((&shows["dryRun"], &shows["examined"], &shows["changed"]), (&json!(true), &json!(4), &json!(1)));
    assert_eq!((&shows["reviewedAnswers"], &shows["nextCursor"]), (&json!(1), &Value::Null));
    let newest_first: Vec<_> = made.iter().rev().map(|one| one["id"].clone()).collect();
    assert_eq!(of(&shows, "evaluationId"), newest_first);
    let summary = |version: i64, score: f64| {
        json!({ "version": version, "score": kernel::json::plain_number(&score, serde_json::value::Serializer).unwrap(),
            "confidence": 0.75, "needsReview": false, "reviewReasons": [] })
    };
    assert_eq!(
        shows["answers"][0],
        json!({ "evaluationId": id(&made[3]), "isChanged": true, "unchangedBecause": null, "before": summary(1, 5.0),
            "after": summary(2, 9.0) })
    );
    assert_eq!(of(&shows, "unchangedBecause")[1..], [json!("same_grade"), json!("same_grade"), json!("reviewed")]);
    assert_eq!(shows["answers"][1]["after"], summary(1, 5.0));
    assert_eq!((&shows["answers"][3]["after"], &shows["answers"][3]["before"]["version"]), (&Value::Null, &json!(2)));
    let graded: Vec<_> = app.script.seen()[seen..].iter().map(|one| (one.answer.clone(), one.reviewed.len())).collect();
    assert_eq!(graded, [("Answer 3.".to_owned(), 1), ("Answer 2.".to_owned(), 1), ("Answer 1.".to_owned(), 1)]);
    let without_a_body = app.post(&path).key(&tenant.key).send().await.expect(200);
    assert_eq!((&without_a_body["dryRun"], &without_a_body["examined"]), (&json!(true), &json!(4)));
    assert_eq!(app.stored().await, before);
    app.finish().await;
}

#[both_stores]
async fn what_is_applied_is_a_further_version_with_all_that_follows_and_nothing_is_charged(test: TestStore) {
    let (app, tenant, made, path) = taught(test).await;
    let (balance, usage) = (app.balance(&tenant).await, app.count("SELECT count(*) FROM usage").await);
    app.test.clock.advance(std::time::Duration::from_secs(60));
    app.script.flag(&[grading::IntegrityFlag::AddressesGrader]);
    app.script.grade(0.9);
    let done = regrade(&app, &tenant, &path, json!({ "dryRun": false, "limit": 1 })).await;
    app.script.flag(&[]);
    assert_eq!((&done["dryRun"], &done["changed"]), (&json!(false), &json!(1)));
    let now = shown(&app, &tenant, &made[3]).await;
    let expected = with(
        made[3].clone(),
        &json!({ "score": 9, "normalizedScore": 90, "version": 2, "needsReview": true,
            "reviewReasons": ["addresses_grader"], "integrityFlags": ["addresses_grader"] }),
    );
    assert_eq!(now, expected, "everything else is as it was");
    let record = app.get(&format!("{EVALUATIONS}/{}/record", id(&made[3]))).key(&tenant.key).send().await.expect(200);
    let versions = record["versions"].as_array().unwrap();
    assert_eq!((&versions[0]["gradedBy"], &versions[1]["grade"]["score"]), (&json!("builtin"), &json!(5)));
    assert_eq!(versions[0]["gradedAt"], "2026-01-02T03:05:09.000Z");
    assert_eq!(record["calibratedBy"], json!([{ "evaluationId": id(&made[0]), "version": 2 }]));
    assert_eq!(record["isReplayable"], true);
    let mastery = app.get("/v1/platform/learners/l3/mastery").key(&tenant.key).send().await.expect(200);
    assert_eq!((&mastery["concepts"][0]["mastery"], &mastery["concepts"][0]["evaluations"]), (&json!(0.9), &json!(1)));
    let of_it = made[3]["id"].as_str().unwrap().to_owned();
    let told = app.read(move |tx| {
        tx.query("SELECT body FROM event WHERE subject_id = $1 ORDER BY id", &[&of_it], |row| row.get::<String>(0))
    });
    let told: Value = serde_json::from_str(&told.await[1]).unwrap();
    assert_eq!((&told["version"], &told["score"], &told["needsReview"]), (&json!(2), &json!(9), &json!(true)));
    let open = get(&app, &tenant, &format!("/{}", question_of(&made[0]))).await["statistics"]["toReview"].clone();
    assert_eq!(open, 1);
    app.script.grade(0.9);
    regrade(&app, &tenant, &path, json!({ "dryRun": false, "limit": 1 })).await;
    assert_eq!(app.count("SELECT count(*) FROM evaluation_to_review").await, 0, "nobody needs to look any more");
    assert_eq!((app.balance(&tenant).await, app.count("SELECT count(*) FROM usage").await), (balance, usage));
    assert!(reconcile(&app.test.store).await.unwrap().differences.is_empty());
    app.finish().await;
}

#[both_stores]
async fn grading_again_goes_on_with_the_cursor_and_what_came_out_the_same_has_no_version(test: TestStore) {
    let (app, tenant, made, path) = taught(test).await;
    let (mut cursor, mut seen) = (Value::Null, Vec::new());
    for pages in 1.. {
        app.script.grade(0.8);
        let page = regrade(&app, &tenant, &path, json!({ "dryRun": false, "limit": 1, "cursor": cursor })).await;
        app.script.forget();
        seen.extend(of(&page, "evaluationId"));
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            assert_eq!(pages, 4);
            break;
        }
    }
    assert_eq!(seen, made.iter().rev().map(|one| one["id"].clone()).collect::<Vec<_>>());
    for _ in 0..3 {
        app.script.grade(0.8);
    }
    let before = app.stored().await;
    let again = regrade(&app, &tenant, &path, json!({ "dryRun": false })).await;
    assert_eq!((&again["changed"], app.stored().await), (&json!(0), before));
    let call = |body: Value| app.post(&path).key(&tenant.key).json(&body).send();
    assert_eq!(call(json!({ "cursor": "x" })).await.faults(), ["cursor"]);
    assert_eq!(call(json!({ "limit": 0, "dryRun": 1, "cursor": "" })).await.faults(), ["dryRun", "limit", "cursor"]);
    assert_eq!(call(json!({ "limit": 1001 })).await.faults(), ["limit"]);
    app.finish().await;
}

#[both_stores]
async fn grades_of_models_and_what_has_none_stay_and_are_not_graded(test: TestStore) {
    let (app, tenant) = start(test).await;
    let by_model = app.evaluate(&tenant, &answer("By a model.")).await;
    app.script.fail("model_nonsense", false);
    app.evaluate(&tenant, &answer("Failed.")).await;
    app.script.be_builtin();
    let unknown = app.evaluate(&tenant, &answer("Of an earlier version.")).await;
    let often = app.evaluate(&tenant, &answer("Reviewed often.")).await;
    let crashed = app.evaluate(&tenant, &answer("It can't be graded.")).await;
    app.evaluate(&tenant, &with(answer("Waits."), &json!({ "mode": "async" }))).await;
    for (evaluation, change) in [
        (&unknown, "UPDATE evaluation SET graded_by = NULL WHERE id = $1"),
        (&often, "UPDATE evaluation SET version = 100 WHERE id = $1"),
    ] {
        let id = id(evaluation);
        app.test.store.write("test", move |tx| tx.execute(change, &[&id])).await.unwrap();
    }
    let path = format!("{QUESTIONS}/{}/regrade", question_of(&crashed));
    let seen = app.script.seen().len();
    app.script.fail("model_nonsense", false);
    let done = regrade(&app, &tenant, &path, json!({ "dryRun": false })).await;
    let mut reasons = of(&done, "unchangedBecause");
    reasons.sort_by_key(ToString::to_string);
    let mut expected =
        ["graded_by_model", "failed", "unknown_grader", "too_many_versions", "grading_failed", "not_ended"];
    expected.sort_unstable();
    assert_eq!((reasons, app.script.seen().len()), (expected.map(Value::from).to_vec(), seen + 1));
    assert_eq!(shown(&app, &tenant, &by_model).await, by_model);
    let back = "UPDATE evaluation SET version = 1";
    app.test.store.write("test", move |tx| tx.execute(back, &[])).await.unwrap();
    app.run_jobs().await;
    app.finish().await;
}

#[both_stores]
async fn exact_answers_are_compared_again_and_files_are_read_from_the_record(test: TestStore) {
    let (app, tenant) = start(test).await;
    let compared = app.evaluate(&tenant, &with(exact(), &json!({ "learnerAnswer": "41" }))).await;
    // As an earlier version of the program may have graded it.
    let wrong = "UPDATE evaluation SET score = 10";
    app.test.store.write("test", move |tx| tx.execute(wrong, &[])).await.unwrap();
    let path = format!("{QUESTIONS}/{}/regrade", question_of(&compared));
    let done = regrade(&app, &tenant, &path, json!({ "dryRun": false })).await;
    assert_eq!((&done["changed"], &done["answers"][0]["after"]["score"]), (&json!(1), &json!(0)));
    assert_eq!(shown(&app, &tenant, &compared).await["gradedBy"], "exact");

    app.script.be_builtin();
    let form =
        crate::testing::Form::of(&answer("See the file.")).file("answerFiles", "a.txt", "text/plain", "Rayleigh.");
    let call = app.post(EVALUATIONS).key(&tenant.key).raw(crate::testing::Form::CONTENT_TYPE, form.into_bytes());
    let made = call.send().await.expect(201);
    app.lose_files();
    let path = format!("{QUESTIONS}/{}/regrade", question_of(&made));
    app.script.grade(0.8);
    let done = regrade(&app, &tenant, &path, json!({ "dryRun": false })).await;
    assert_eq!(done["changed"], 1);
    let texts = |n: usize| app.script.seen()[n].answer_files.iter().map(|file| file.text.clone()).collect::<Vec<_>>();
    assert_eq!((texts(0).len(), texts(1)), (1, texts(0)));
    let forget = "UPDATE evaluation SET record = NULL";
    app.test.store.write("test", move |tx| tx.execute(forget, &[])).await.unwrap();
    let done = regrade(&app, &tenant, &path, json!({ "dryRun": false })).await;
    assert_eq!(of(&done, "unchangedBecause"), ["files_not_kept"]);
    app.finish().await;
}

#[both_stores]
async fn an_answer_that_is_reviewed_or_erased_while_it_is_graded_keeps_what_came_first(test: TestStore) {
    let (app, tenant, made, path) = taught(test).await;
    app.script.hold();
    let all = async {
        for _ in 0..3 {
            app.script.grade(0.8);
        }
        regrade(&app, &tenant, &path, json!({ "dryRun": false })).await
    };
    let graded = app.script.seen().len();
    let meanwhile = async {
        while app.script.seen().len() == graded {
            tokio::task::yield_now().await;
        }
        review(&app, &tenant, &made[3], 1.0).await;
        app.delete("/v1/platform/learners/l2").key(&tenant.key).send().await.expect(204);
        app.script.let_go(3);
    };
    let (done, ()) = tokio::join!(all, meanwhile);
    assert_eq!(of(&done, "unchangedBecause")[..2], [json!("changed_meanwhile"), json!("changed_meanwhile")]);
    assert_eq!(of(&done, "isChanged"), [false, false, true, false]);
    let reviewed = shown(&app, &tenant, &made[3]).await;
    assert_eq!((&reviewed["score"], &reviewed["version"]), (&json!(1), &json!(2)));
    assert_eq!(shown(&app, &tenant, &made[2]).await["score"], Value::Null);
    app.finish().await;
}

#[both_stores]
async fn a_process_that_dies_leaves_whole_answers_and_who_goes_on_makes_no_version_twice(test: TestStore) {
    let (app, tenant, made, path) = taught(test).await;
    // Two answers are written, the third is being graded when the process dies.
    app.script.hold();
    app.script.grade(0.8);
    app.script.grade(0.7);
    app.script.let_go(2);
    let call = || app.post(&path).key(&tenant.key).idempotency("k").json(&json!({ "dryRun": false })).send();
    let graded = app.script.seen().len();
    let died = async {
        while app.script.seen().len() < graded + 3 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        _ = call() => panic!("the third answer is still being graded"),
        () = died => {}
    }
    let versions = async || {
        let mut versions = Vec::new();
        for evaluation in &made {
            let shown = shown(&app, &tenant, evaluation).await;
            versions.push((shown["version"].as_i64().unwrap(), shown["score"].as_f64().unwrap()));
        }
        versions
    };
    assert_eq!(versions().await, [(2, 9.0), (1, 5.0), (2, 7.0), (2, 8.0)], "each is as it was or as it will be");
    // What the dead process computed is lost.
    app.script.grade(0.1);
    app.script.let_go(1);
    while !app.script.is_through() {
        tokio::task::yield_now().await;
    }
    app.script.grade(0.8);
    app.script.grade(0.7);
    app.script.grade(0.6);
    app.script.let_go(20);
    let carried_on = call().await;
    assert!(!carried_on.is_replay(), "the third answer is new");
    assert_eq!(of(&carried_on.expect(200), "isChanged"), [false, false, true, false]);
    assert_eq!(versions().await[1..], [(2, 6.0), (2, 7.0), (2, 8.0)]);
    for _ in 0..3 {
        app.script.grade(0.1);
    }
    let again = call().await;
    assert!(again.is_replay());
    let again = again.expect(200);
    assert_eq!((&again["changed"], of(&again, "unchangedBecause")[0].as_str()), (&json!(0), Some("changed_meanwhile")));
    assert_eq!(versions().await[1..], [(2, 6.0), (2, 7.0), (2, 8.0)], "a key changes an answer once");
    for other in [json!({ "dryRun": false, "limit": 1 }), json!({ "dryRun": true }), json!({})] {
        app.post(&path).key(&tenant.key).idempotency("k").json(&other).send().await.expect(409);
    }
    let shows = || app.post(&path).key(&tenant.key).idempotency("k2").json(&json!({ "dryRun": true })).send();
    assert_eq!((shows().await.is_replay(), shows().await.is_replay()), (false, false), "it is worked out anew");
    app.post(&path).key(&tenant.key).idempotency("k2").json(&json!({ "dryRun": false })).send().await.expect(409);
    app.finish().await;
}
