mod calibration;
mod many;

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::evaluations::versions::MOST_VERSIONS;
use crate::reconcile::reconcile;
use crate::testing::{App, EVALUATIONS, Form, Reply, Tenant, exact, open};

async fn start(test: TestStore) -> (App, Tenant) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    (app, tenant)
}

fn with(mut body: Value, members: Value) -> Value {
    for (name, value) in members.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

/// A rubric in which a name is repeated.
fn rubric() -> Value {
    json!({
        "evaluationType": "rubric_short_answer", "questionText": "Describe photosynthesis.", "maxScore": 20,
        "learnerAnswer": "Plants make sugar from light.",
        "rubric": { "criteria": [
            { "name": "Input", "maxScore": 4 }, { "name": "Output", "maxScore": 5 }, { "name": "Input", "maxScore": 1 },
        ] },
    })
}

fn path(evaluation: &Value) -> String {
    format!("{EVALUATIONS}/{}", evaluation["id"].as_str().unwrap())
}

async fn send(app: &App, tenant: &Tenant, evaluation: &Value, review: &Value) -> Reply {
    app.post(&format!("{}/review", path(evaluation))).key(&tenant.key).json(review).send().await
}

async fn review(app: &App, tenant: &Tenant, evaluation: &Value, review: &Value) -> Value {
    send(app, tenant, evaluation, review).await.expect(200)
}

async fn shown(app: &App, tenant: &Tenant, evaluation: &Value) -> Value {
    app.get(&path(evaluation)).key(&tenant.key).send().await.expect(200)
}

async fn record(app: &App, tenant: &Tenant, evaluation: &Value) -> Value {
    app.get(&format!("{}/record", path(evaluation))).key(&tenant.key).send().await.expect(200)
}

/// The bodies of an evaluation's events, in the order of their versions.
async fn events(app: &App, evaluation: &Value) -> Vec<Value> {
    let id = evaluation["id"].as_str().unwrap().to_owned();
    let bodies = app
        .read(move |tx| tx.query("SELECT body FROM event WHERE subject_id = $1", &[&id], |row| row.get::<String>(0)));
    let mut events: Vec<Value> = bodies.await.iter().map(|body| serde_json::from_str(body).unwrap()).collect();
    events.sort_by_key(|event| event["version"].as_i64());
    events
}

async fn assert_books_are_right(app: &App) {
    let report = reconcile(&app.test.store).await.unwrap();
    assert!(report.differences.is_empty(), "{report:?}");
}

#[both_stores]
async fn the_newest_version_counts_and_what_was_not_said_stays(test: TestStore) {
    let (app, tenant) = start(test).await;
    let first = app.evaluate(&tenant, &open()).await;
    let said = json!({ "score": 8.5, "feedbackSummary": "Well explained.", "mistakes": [], "reviewer": "Ms Curie" });
    let second = review(&app, &tenant, &first, &said).await;
    let expected = with(
        first.clone(),
        json!({
            "score": 8.5, "normalizedScore": 85, "confidence": 1, "version": 2, "gradedBy": "reviewer",
            "feedbackSummary": "Well explained.", "mistakes": [],
        }),
    );
    assert_eq!(second, expected, "everything else is as it was");
    assert_eq!(shown(&app, &tenant, &first).await, second);
    let told = events(&app, &first).await;
    assert_eq!((&told[0]["score"], told[0].get("version")), (&json!(5), None));
    assert_eq!(told[1]["event"], "evaluation.completed");
    for (name, value) in [
        ("evaluationId", &first["id"]),
        ("score", &json!(8.5)),
        ("normalizedScore", &json!(85)),
        ("version", &json!(2)),
    ] {
        assert_eq!(&told[1][name], value, "{name}");
    }
    assert_eq!(app.balance(&tenant).await.1, json!(95), "a review costs nothing");
    assert_eq!(app.count("SELECT count(*) FROM usage").await, 1, "and is no usage");
    assert_books_are_right(&app).await;
    app.finish().await;
}

#[both_stores]
async fn every_version_stays_in_the_record_and_the_submission_with_it(test: TestStore) {
    let app = App::with_model(test);
    let tenant = app.tenant("riverside").await;
    app.script.say("what the model said");
    let form = Form::of(&open()).file("answerFiles", "a.txt", "text/plain", "From a file.").into_bytes();
    let first = app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form).send().await.expect(201);
    let before = record(&app, &tenant, &first).await;
    app.test.clock.advance(std::time::Duration::from_secs(60));
    review(&app, &tenant, &first, &json!({ "score": 2, "reviewer": "A" })).await;
    review(&app, &tenant, &first, &json!({ "score": 3, "nextStep": "Rest." })).await;
    let after = record(&app, &tenant, &first).await;
    let versions = after["versions"].as_array().unwrap();
    let of = |name: &str| versions.iter().map(|version| version[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("version"), [json!(3), json!(2), json!(1)]);
    assert_eq!(of("gradedBy"), [json!("reviewer"), json!("reviewer"), json!("model")]);
    assert_eq!(of("reviewer"), [Value::Null, json!("A"), Value::Null]);
    assert_eq!(
        versions.iter().map(|version| version["grade"]["score"].clone()).collect::<Vec<_>>(),
        [json!(3), json!(2), json!(5)]
    );
    assert_eq!(versions[2], before["versions"][0], "to the letter, with when and how");
    assert_eq!(
        (&versions[0]["gradedAt"], &versions[2]["gradedAt"]),
        (&json!("2026-01-02T03:05:05.000Z"), &first["completedAt"])
    );
    assert_eq!((&versions[0]["record"]["gradedBy"], &versions[0]["record"]["calls"]), (&json!("reviewer"), &json!([])));
    for name in ["submission", "files", "isReplayable"] {
        assert_eq!(after[name], before[name], "{name}");
    }
    app.finish().await;
}

#[both_stores]
async fn the_total_of_a_rubric_is_worked_out_from_its_criteria_in_any_order(test: TestStore) {
    let (app, tenant) = start(test).await;
    let first = app.evaluate(&tenant, &rubric()).await;
    let second = review(
        &app,
        &tenant,
        &first,
        &json!({ "criteria": [
            { "criterion": "Output", "score": 5, "feedback": "All of it." }, { "criterion": "Input", "score": 1 },
            { "criterion": "Input", "score": 0.5, "feedback": "Nearly." },
        ] }),
    )
    .await;
    assert_eq!((&second["score"], &second["normalizedScore"]), (&json!(13), &json!(65)));
    assert_eq!(
        second["rubricBreakdown"],
        json!([
            { "criterion": "Input", "score": 1, "maxScore": 4, "feedback": "As the script says." },
            { "criterion": "Output", "score": 5, "maxScore": 5, "feedback": "All of it." },
            { "criterion": "Input", "score": 0.5, "maxScore": 1, "feedback": "Nearly." },
        ])
    );
    assert_eq!(
        record(&app, &tenant, &first).await["versions"][0]["record"]["rubricSha256"],
        record(&app, &tenant, &first).await["versions"][1]["record"]["rubricSha256"]
    );
    app.finish().await;
}

#[both_stores]
async fn a_rubric_that_came_as_a_file_is_reviewed_by_its_total(test: TestStore) {
    let (app, tenant) = start(test).await;
    let body = with(rubric(), json!({ "rubric": null }));
    let form = Form::of(&body).file("rubricFiles", "r.txt", "text/plain", "Names light.").into_bytes();
    let first = app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form).send().await.expect(201);
    assert_eq!(send(&app, &tenant, &first, &json!({ "criteria": [] })).await.faults(), ["criteria"]);
    let second = review(&app, &tenant, &first, &json!({ "score": 20 })).await;
    assert_eq!((&second["normalizedScore"], &second["rubricBreakdown"]), (&json!(100), &Value::Null));
    app.finish().await;
}

#[both_stores]
async fn every_wrong_field_is_named_at_once_and_nothing_changes(test: TestStore) {
    let (app, tenant) = start(test).await;
    let (whole, parts) = (app.evaluate(&tenant, &open()).await, app.evaluate(&tenant, &rubric()).await);
    let before = app.stored().await;
    let wrong = json!({
        "score": 10.1, "criteria": "x", "feedbackSummary": 1, "strengths": "x", "mistakes": [""], "suggestions": [1],
        "nextStep": [], "reviewer": "a\nb",
    });
    let all =
        ["score", "criteria", "feedbackSummary", "strengths", "mistakes[0]", "suggestions[0]", "nextStep", "reviewer"];
    assert_eq!(send(&app, &tenant, &whole, &wrong).await.faults(), all);
    let long = json!({ "score": 1, "feedbackSummary": "x".repeat(10_001), "strengths": vec!["x"; 21], "mistakes": ["x".repeat(2001)], "reviewer": "x".repeat(256) });
    assert_eq!(
        send(&app, &tenant, &whole, &long).await.faults(),
        ["feedbackSummary", "strengths", "mistakes[0]", "reviewer"]
    );
    let one = |score: f64, name: &str| json!({ "criterion": name, "score": score });
    for (evaluation, body, faults) in [
        (&whole, json!({}), &["score"][..]),
        (&whole, json!({ "score": -0.01 }), &["score"]),
        (&whole, json!({ "score": null }), &["score"]),
        (&whole, json!({ "score": 1, "criteria": [one(1.0, "Input")] }), &["criteria"]),
        (&parts, json!({}), &["criteria"]),
        (&parts, json!({ "score": 1 }), &["score", "criteria"]),
        (
            &parts,
            json!({ "criteria": [{ "score": "x" }, 7] }),
            &["criteria[0].criterion", "criteria[0].score", "criteria[1]"],
        ),
        (&parts, json!({ "criteria": [one(1.0, "Input"), one(1.0, "Output")] }), &["criteria"]),
        (
            &parts,
            json!({ "criteria": [one(4.5, "Input"), one(6.0, "Output"), one(1.1, "Input")] }),
            &["criteria[0].score", "criteria[1].score", "criteria[2].score"],
        ),
        (
            &parts,
            json!({ "criteria": [one(1.0, "Input"), one(1.0, "Output"), one(1.0, "Input"), one(1.0, "Input")] }),
            &["criteria[3].criterion"],
        ),
        (
            &parts,
            json!({ "criteria": [one(1.0, "input"), one(1.0, "Output"), one(1.0, "Input")] }),
            &["criteria", "criteria[0].criterion"],
        ),
    ] {
        assert_eq!(send(&app, &tenant, evaluation, &body).await.faults(), faults, "{body}");
    }
    assert_eq!(app.stored().await, before);
    app.finish().await;
}

#[both_stores]
async fn what_is_not_the_callers_is_not_found_and_operators_may(test: TestStore) {
    let (app, tenant) = start(test).await;
    let other = app.tenant("hillside").await;
    let operator = app.operator("o@example.com").await;
    let evaluation = app.evaluate(&tenant, &rubric()).await;
    let before = app.stored().await;
    let right = json!({ "criteria": [
            { "criterion": "Input", "score": 1 }, { "criterion": "Output", "score": 1 }, { "criterion": "Input", "score": 1 },
        ] });
    let unknown = json!({ "id": tenant.workspace });
    for (evaluation, tenant) in [(&evaluation, &other), (&unknown, &tenant), (&json!({ "id": "7" }), &tenant)] {
        for body in [&right, &json!({ "score": 1 }), &json!({})] {
            assert_eq!(send(&app, tenant, evaluation, body).await.expect(404)["error"]["code"], "platform_not_found");
        }
        assert_eq!(send(&app, tenant, evaluation, &json!({ "score": "x" })).await.faults(), ["score"]);
    }
    assert_eq!(app.stored().await, before);
    let reviewed =
        app.post(&format!("{}/review", path(&evaluation))).cookie(&operator).json(&right).send().await.expect(200);
    assert_eq!(reviewed["version"], 2);
    app.finish().await;
}

#[both_stores]
async fn what_failed_may_be_graded_by_a_person_and_stays_unpaid(test: TestStore) {
    let (app, tenant) = start(test).await;
    app.script.fail("model_nonsense", false);
    let body = with(open(), json!({ "learnerExternalId": "l", "conceptTags": ["light"] }));
    let failed = app.evaluate(&tenant, &body).await;
    let graded = review(&app, &tenant, &failed, &json!({ "score": 4, "feedbackSummary": "Half of it." })).await;
    assert_eq!((&graded["status"], &graded["score"], &graded["error"]), (&json!("COMPLETED"), &json!(4), &Value::Null));
    assert_eq!((&graded["strengths"], &graded["nextStep"], &graded["version"]), (&json!([]), &json!(""), &json!(2)));
    assert_eq!(app.balance(&tenant).await.1, json!(100), "nothing is charged");
    assert_eq!(app.count("SELECT count(*) FROM usage").await, 0);
    assert_books_are_right(&app).await;
    let again = review(&app, &tenant, &failed, &json!({ "score": 6 })).await;
    assert_eq!((&again["score"], &again["feedbackSummary"]), (&json!(6), &json!("Half of it.")));
    assert_books_are_right(&app).await;
    let record = record(&app, &tenant, &failed).await;
    assert_eq!(record["versions"][2]["error"]["code"], "model_nonsense");
    let names: Vec<_> = events(&app, &failed).await.iter().map(|event| event["event"].clone()).collect();
    assert_eq!(names, ["evaluation.failed", "evaluation.completed", "evaluation.completed"]);
    let mastery = app.get("/v1/platform/learners/l/mastery").key(&tenant.key).send().await.expect(200);
    assert_eq!((&mastery["concepts"][0]["mastery"], &mastery["concepts"][0]["evaluations"]), (&json!(0.6), &json!(1)));
    app.finish().await;
}

#[both_stores]
async fn what_has_not_ended_or_was_erased_can_not_be_reviewed(test: TestStore) {
    let (app, tenant) = start(test).await;
    let body = with(open(), json!({ "mode": "async", "learnerExternalId": "l" }));
    app.script.fail("model_unavailable", true);
    let evaluation = app.evaluate(&tenant, &body).await;
    for status in ["PENDING", "PROCESSING"] {
        assert_eq!(shown(&app, &tenant, &evaluation).await["status"], status);
        send(&app, &tenant, &evaluation, &json!({ "score": 1 })).await.expect(409);
        app.run_jobs().await;
    }
    app.test.clock.advance(std::time::Duration::from_secs(5));
    app.run_jobs().await;
    assert_eq!(shown(&app, &tenant, &evaluation).await["status"], "COMPLETED");
    app.delete("/v1/platform/learners/l").key(&tenant.key).send().await.expect(204);
    let before = app.stored().await;
    let by_criteria = json!({ "criteria": [{ "criterion": "Input", "score": 1 }] });
    for review in [json!({ "score": 1 }), by_criteria, json!({})] {
        let refused = send(&app, &tenant, &evaluation, &review).await.expect(409);
        assert_eq!(refused["error"]["code"], "platform_conflict");
    }
    assert_eq!(app.stored().await, before);
    app.finish().await;
}

#[both_stores]
async fn a_repeated_key_has_one_effect_and_is_answered_with_how_things_stand(test: TestStore) {
    let (app, tenant) = start(test).await;
    let first = app.evaluate(&tenant, &open()).await;
    let at = format!("{}/review", path(&first));
    let call = |score: u32| app.post(&at).key(&tenant.key).idempotency("k").json(&json!({ "score": score }));
    let second = call(7).send().await.expect(200);
    review(&app, &tenant, &first, &json!({ "score": 9 })).await;
    let again = call(7).send().await;
    assert!(again.is_replay());
    assert_eq!((&second["idempotentReplay"], &again.expect(200)["idempotentReplay"]), (&json!(false), &json!(true)));
    assert_eq!((&again.expect(200)["score"], &again.expect(200)["version"]), (&json!(9), &json!(3)));
    assert_eq!(call(8).send().await.expect(409)["error"]["code"], "platform_conflict");
    let other = app.evaluate(&tenant, &open()).await;
    let elsewhere =
        app.post(&format!("{}/review", path(&other))).key(&tenant.key).idempotency("k").json(&json!({ "score": 7 }));
    elsewhere.send().await.expect(409);
    let kept = app.read(|tx| tx.query("SELECT body FROM idempotency", &[], |row| row.get::<String>(0))).await;
    assert_eq!(kept, [""], "what is said of a learner is not kept twice");
    app.finish().await;
}

#[both_stores]
async fn reviews_at_once_are_versions_one_after_the_other_and_repeated_ones_a_single_version(test: TestStore) {
    let (app, tenant) = start(test).await;
    let first =
        app.evaluate(&tenant, &with(open(), json!({ "learnerExternalId": "l", "conceptTags": ["light"] }))).await;
    let replies = join_all((1..=6).map(|score| {
        let (app, tenant, first) = (&app, &tenant, &first);
        async move { review(app, tenant, first, &json!({ "score": score })).await }
    }))
    .await;
    let mut versions: Vec<_> = replies.iter().map(|reply| reply["version"].as_i64().unwrap()).collect();
    versions.sort_unstable();
    assert_eq!(versions, [2, 3, 4, 5, 6, 7]);
    let newest = replies.iter().find(|reply| reply["version"] == 7).unwrap();
    assert_eq!(&shown(&app, &tenant, &first).await, newest);
    let recorded = record(&app, &tenant, &first).await;
    for reply in &replies {
        let version =
            recorded["versions"].as_array().unwrap().iter().find(|one| one["version"] == reply["version"]).unwrap();
        assert_eq!(version["grade"]["score"], reply["score"]);
    }
    let at = format!("{}/review", path(&first));
    let same =
        join_all((0..6).map(|_| app.post(&at).key(&tenant.key).idempotency("k").json(&json!({ "score": 10 })).send()))
            .await;
    assert_eq!(same.iter().filter(|reply| !reply.is_replay()).count(), 1);
    assert!(same.iter().all(|reply| reply.expect(200)["version"] == 8));
    let mastery = app.get("/v1/platform/learners/l/mastery").key(&tenant.key).send().await.expect(200);
    assert_eq!((&mastery["concepts"][0]["mastery"], &mastery["concepts"][0]["evaluations"]), (&json!(1), &json!(1)));
    assert_eq!(app.count("SELECT count(*) FROM reviewed_answer WHERE is_current = 1").await, 1);
    assert_books_are_right(&app).await;
    app.finish().await;
}

#[both_stores]
async fn an_evaluation_has_so_many_versions_and_no_more(test: TestStore) {
    let (app, tenant) = start(test).await;
    let evaluation = app.evaluate(&tenant, &exact()).await;
    let last = "UPDATE evaluation SET version = $1";
    app.test.store.write("test", move |tx| tx.execute(last, &[&(MOST_VERSIONS - 1)])).await.unwrap();
    assert_eq!(review(&app, &tenant, &evaluation, &json!({ "score": 1 })).await["version"], MOST_VERSIONS);
    send(&app, &tenant, &evaluation, &json!({ "score": 1 })).await.expect(409);
}

#[both_stores]
async fn mastery_is_as_if_the_newest_grade_had_been_the_first(test: TestStore) {
    let (app, tenant) = start(test).await;
    let of = |learner: &str| {
        with(open(), json!({ "learnerExternalId": learner, "conceptTags": ["light", "air"], "tier": "fast" }))
    };
    let mut made = Vec::new();
    for share in [1.0, 0.0, 0.5, 0.0, 1.0] {
        app.script.grade(share);
        made.push(app.evaluate(&tenant, &of("reviewed")).await);
    }
    for (index, score) in [(1, 10), (4, 2), (3, 7), (4, 6)] {
        review(&app, &tenant, &made[index], &json!({ "score": score })).await;
    }
    for share in [1.0, 1.0, 0.5, 0.7, 0.6] {
        app.script.grade(share);
        app.evaluate(&tenant, &of("graded")).await;
    }
    for learner in ["reviewed", "graded"] {
        app.script.grade(0.9);
        app.evaluate(&tenant, &of(learner)).await;
    }
    let concepts = async |learner: &str| {
        let path = format!("/v1/platform/learners/{learner}/mastery");
        app.get(&path).key(&tenant.key).send().await.expect(200)["concepts"].clone()
    };
    assert_eq!(concepts("reviewed").await, concepts("graded").await);
    review(&app, &tenant, &made[4], &json!({ "score": 0 })).await;
    assert_eq!(
        concepts("reviewed").await[0]["lastNormalizedScore"],
        90,
        "an earlier one's review is not the newest score"
    );
    app.finish().await;
}

#[both_stores]
async fn whose_answer_taught_others_is_erased_from_their_records_too(test: TestStore) {
    let (app, tenant) = start(test).await;
    let of =
        |learner: &str, answer: &str| with(open(), json!({ "learnerExternalId": learner, "learnerAnswer": answer }));
    let teaching = app.evaluate(&tenant, &of("l", "I am Ada.")).await;
    review(&app, &tenant, &teaching, &json!({ "score": 7, "feedbackSummary": "Dear Ada", "reviewer": "Ms Curie" }))
        .await;
    review(&app, &tenant, &teaching, &json!({ "score": 8 })).await;
    let taught = app.evaluate(&tenant, &of("m", "I am Bob.")).await;
    assert_eq!(record(&app, &tenant, &taught).await["isReplayable"], true);
    app.delete("/v1/platform/learners/l").key(&tenant.key).send().await.expect(204);
    let left = record(&app, &tenant, &taught).await;
    assert_eq!((&left["isReplayable"], &left["submission"]["reviewed"]), (&json!(false), &json!([])));
    assert_eq!(left["calibratedBy"][0]["evaluationId"], teaching["id"]);
    for reply in [
        app.get(&format!("{}/record", path(&teaching))).key(&tenant.key).send().await,
        app.get(&path(&teaching)).key(&tenant.key).send().await,
        app.get(&format!("{}/record", path(&taught))).key(&tenant.key).send().await,
    ] {
        reply.expect(200);
        assert!(!reply.body.contains("Ada") && !reply.body.contains("Curie"), "{}", reply.body);
    }
    for table in [
        "SELECT count(*) FROM evaluation_grade",
        "SELECT count(*) FROM reviewed_answer",
        "SELECT count(*) FROM mastery_score",
        "SELECT count(*) FROM evaluation WHERE reviewer IS NOT NULL",
    ] {
        assert_eq!(app.count(table).await, 0, "{table}");
    }
    assert!(events(&app, &teaching).await.iter().all(|event| event["score"].is_null()), "in no version");
    app.evaluate(&tenant, &of("n", "I am Eve.")).await;
    assert_eq!(app.script.seen().pop().unwrap().reviewed, []);
    assert_books_are_right(&app).await;
    app.finish().await;
}

#[both_stores]
async fn a_review_beside_an_erasure_comes_before_it_or_is_refused_and_leaves_nothing(test: TestStore) {
    let (app, tenant) = start(test).await;
    for round in 0..8 {
        let learner = format!("l{round}");
        let body = with(open(), json!({ "learnerExternalId": learner, "conceptTags": ["light"], "tier": "fast" }));
        let evaluation = app.evaluate(&tenant, &body).await;
        let at = format!("/v1/platform/learners/{learner}");
        let said = json!({ "score": 7 });
        let erased = async { app.delete(&at).key(&tenant.key).send().await };
        let reviews = join_all((0..3).map(|_| send(&app, &tenant, &evaluation, &said)));
        let (reviews, erased) = futures_util::future::join(reviews, erased).await;
        erased.expect(204);
        assert!(reviews.iter().all(|reply| [200, 409].contains(&reply.status.as_u16())));
        let left = shown(&app, &tenant, &evaluation).await;
        assert_eq!((&left["score"], &left["feedbackSummary"]), (&Value::Null, &Value::Null));
        for table in [
            "SELECT count(*) FROM evaluation_grade",
            "SELECT count(*) FROM reviewed_answer",
            "SELECT count(*) FROM mastery_score",
            "SELECT count(*) FROM mastery",
            "SELECT count(*) FROM evaluation WHERE record IS NOT NULL OR feedback IS NOT NULL",
            "SELECT count(*) FROM event WHERE body LIKE '%\"score\":7%'",
        ] {
            assert_eq!(app.count(table).await, 0, "{table}");
        }
    }
    assert_books_are_right(&app).await;
    app.finish().await;
}

#[both_stores]
async fn the_faults_of_a_review_name_what_its_evaluation_allows(test: TestStore) {
    let (app, tenant) = start(test).await;
    let whole = app.evaluate(&tenant, &with(exact(), json!({ "maxScore": 5 }))).await;
    let by_rubric = app.evaluate(&tenant, &rubric()).await;
    let sum = ("score", "must be absent: it is what the criteria add up to");
    let missing = ("criteria", "is required: the evaluation has a rubric");
    let no_text = ("reviewer", "must be a string");
    for (evaluation, said, faults) in [
        (&whole, json!({ "score": -1 }), vec![("score", "must be from 0 to 5")]),
        (&whole, json!({ "score": 6 }), vec![("score", "must be from 0 to 5")]),
        (&whole, json!({ "criteria": 1 }), vec![("criteria", "must be an array"), ("score", "is required")]),
        (&by_rubric, json!({ "score": 21 }), vec![("score", "must be from 0 to 20"), missing]),
        (&by_rubric, json!({ "score": 20, "reviewer": 1 }), vec![no_text, sum, missing]),
    ] {
        let refused = send(&app, &tenant, evaluation, &said).await.expect(400);
        let told = faults.iter().map(|(path, message)| json!({ "path": path, "message": message }));
        assert_eq!(refused["error"]["details"], told.collect::<Value>(), "{said}");
    }
    let none = app.post(EVALUATIONS).key(&tenant.key).json(&with(exact(), json!({ "maxScore": 0 }))).send().await;
    assert_eq!(
        none.expect(400)["error"]["details"],
        json!([{ "path": "maxScore", "message": "must be greater than 0" }])
    );
}
