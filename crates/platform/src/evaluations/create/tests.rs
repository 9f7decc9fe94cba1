mod failures;
mod prices;

use futures_util::future::join_all;
use grading::Submission;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::{App, EVALUATIONS, Form, Tenant, exact, open};
use crate::workspaces::create::NewWorkspace;

fn rubric() -> Value {
    json!({
        "evaluationType": "rubric_short_answer",
        "questionText": "Describe photosynthesis.",
        "learnerAnswer": "Plants make sugar from light.",
        "rubric": { "criteria": [
            { "name": "Input", "description": "Names light, water and carbon dioxide.", "maxScore": 4 },
            { "name": "Output", "maxScore": 6 },
        ] },
    })
}

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

#[both_stores]
async fn an_exact_answer_is_graded_in_the_answer_with_every_documented_field(test: TestStore) {
    let (app, tenant) = start(test).await;
    let evaluation = app.evaluate(&tenant, &exact()).await;
    let expected = json!({
        "status": "COMPLETED", "evaluationType": "exact", "idempotencyKey": null, "idempotentReplay": false,
        "mode": "sync", "tier": "fast", "score": 10, "maxScore": 10, "normalizedScore": 100,
        "rubricBreakdown": null, "rubricFiles": [], "answerFiles": [], "isTerminal": true, "pollAfterMs": null,
        "createdAt": "2026-01-02T03:04:05.000Z", "completedAt": "2026-01-02T03:04:05.000Z",
        "priceSnapshot": { "category": "evaluation", "catalogKey": "evaluation.fast", "tier": "fast",
            "amountUsd": 0.01, "unit": "evaluation", "currency": "USD", "source": "catalog", "catalogVersion": "1" },
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&evaluation[name], value, "{name}");
    }
    for list in ["strengths", "mistakes", "suggestions"] {
        assert!(evaluation[list].is_array(), "{list}");
    }
    assert!(evaluation["feedbackSummary"].is_string() && evaluation["nextStep"].is_string());
    assert!(evaluation["confidence"].as_f64().is_some_and(|confidence| (0.0..=1.0).contains(&confidence)));
    assert!(app.script.seen().is_empty(), "no grader sees what code compares");
    let path = format!("{EVALUATIONS}/{}", evaluation["id"].as_str().unwrap());
    assert_eq!(app.get(&path).key(&tenant.key).send().await.expect(200), evaluation);
    assert_eq!(app.balance(&tenant).await, (json!(0), json!(99)));
    app.finish().await;
}

#[both_stores]
async fn the_tier_and_its_price_follow_from_the_type_unless_they_are_given(test: TestStore) {
    let (app, tenant) = start(test).await;
    for (body, tier, price) in [
        (exact(), "fast", 0.01),
        (rubric(), "standard", 0.03),
        (open(), "advanced", 0.05),
        (with(open(), json!({ "tier": "fast" })), "fast", 0.01),
    ] {
        let evaluation = app.evaluate(&tenant, &body).await;
        assert_eq!((&evaluation["tier"], &evaluation["priceSnapshot"]["amountUsd"]), (&json!(tier), &json!(price)));
    }
    assert_eq!(app.balance(&tenant).await.1, json!(90));
    app.finish().await;
}

#[both_stores]
async fn a_rubric_is_broken_down_and_reaches_the_grader_whole(test: TestStore) {
    let (app, tenant) = start(test).await;
    app.script.grade(0.25);
    let evaluation = app.evaluate(&tenant, &with(rubric(), json!({ "maxScore": 20, "language": "de" }))).await;
    assert_eq!((&evaluation["score"], &evaluation["normalizedScore"]), (&json!(5), &json!(25)));
    assert_eq!(
        evaluation["rubricBreakdown"],
        json!([
            { "criterion": "Input", "score": 1, "maxScore": 4, "feedback": "As the script says." },
            { "criterion": "Output", "score": 1.5, "maxScore": 6, "feedback": "As the script says." },
        ])
    );
    let seen = &app.script.seen()[0];
    assert_eq!((seen.max_score, seen.language.as_str(), seen.criteria.len()), (20.0, "de", 2));
    let alternative = with(rubric(), json!({ "rubric": null, "rubricCriteria": rubric()["rubric"]["criteria"] }));
    assert_eq!(app.evaluate(&tenant, &alternative).await["rubricBreakdown"].as_array().unwrap().len(), 2);
    app.finish().await;
}

#[both_stores]
async fn a_panic_while_an_answer_is_read_beforehand_is_nobodys_failure(test: TestStore) {
    let app = App::with_model(test);
    let tenant = app.tenant("riverside").await;
    app.script.panic_when_reading();
    assert_eq!(app.evaluate(&tenant, &open()).await["score"], 5);
    assert_eq!(app.script.read_before().len(), 1);
    app.finish().await;
}

#[both_stores]
async fn a_model_is_given_to_read_beforehand_what_it_is_to_grade_where_somebody_waits_and_nothing_is_in_files(
    test: TestStore,
) {
    let app = App::with_model(test);
    let tenant = app.tenant("riverside").await;
    for body in [open(), rubric()] {
        app.evaluate(&tenant, &body).await;
        let (read, graded) = (app.script.read_before().pop().unwrap(), app.script.seen().pop().unwrap());
        assert_eq!(read, Submission { tenant: String::new(), ..graded });
    }
    let file = Form::of(&open()).file("answerFiles", "more.txt", "text/plain", "The rest.").into_bytes();
    app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, file).send().await.expect(201);
    let builtin = with(open(), json!({ "processingMode": "builtin" }));
    for body in [exact(), builtin, with(open(), json!({ "mode": "async" }))] {
        app.evaluate(&tenant, &body).await;
    }
    assert_eq!(app.run_jobs().await, 1);
    assert_eq!((app.script.read_before().len(), app.script.seen().len()), (2, 4));
    app.finish().await;
}

#[both_stores]
async fn an_async_evaluation_is_pending_until_a_worker_has_graded_it(test: TestStore) {
    let (app, tenant) = start(test).await;
    let body = with(open(), json!({ "mode": "async" }));
    let pending = app.evaluate(&tenant, &body).await;
    assert_eq!(
        (&pending["status"], &pending["isTerminal"], &pending["pollAfterMs"]),
        (&json!("PENDING"), &json!(false), &json!(1000))
    );
    assert_eq!((&pending["score"], &pending["feedbackSummary"]), (&Value::Null, &Value::Null));
    assert_eq!(app.balance(&tenant).await.1, json!(95), "the price is set aside");
    assert_eq!(app.run_jobs().await, 1);
    let path = format!("{EVALUATIONS}/{}", pending["id"].as_str().unwrap());
    let graded = app.get(&path).key(&tenant.key).send().await.expect(200);
    assert_eq!(
        (&graded["status"], &graded["score"], &graded["pollAfterMs"]),
        (&json!("COMPLETED"), &json!(5), &Value::Null)
    );
    app.finish().await;
}

#[both_stores]
async fn an_exact_answer_can_be_graded_in_the_background_too(test: TestStore) {
    let (app, tenant) = start(test).await;
    let pending = app.evaluate(&tenant, &with(exact(), json!({ "mode": "async", "learnerAnswer": "41" }))).await;
    assert_eq!(pending["status"], "PENDING");
    app.run_jobs().await;
    let path = format!("{EVALUATIONS}/{}", pending["id"].as_str().unwrap());
    assert_eq!(app.get(&path).key(&tenant.key).send().await.expect(200)["score"], json!(0));
    app.finish().await;
}

#[both_stores]
async fn every_wrong_field_is_named_at_once_and_nothing_is_charged(test: TestStore) {
    let (app, tenant) = start(test).await;
    let wrong = json!({
        "evaluationType": "essay", "learnerAnswer": 7, "tier": "gold", "language": "", "maxScore": -1,
        "rubricCriteria": [{ "description": 1, "maxScore": "x" }], "submitter": {}, "conceptTags": "x",
        "feedbackOptions": [], "processingMode": "magic", "idempotencyKey": "a b", "mode": "later",
        "clientMetadata": { "ltiLaunchSessionId": 7 },
    });
    let faults = app.post(EVALUATIONS).key(&tenant.key).json(&wrong).send().await.faults();
    assert_eq!(
        faults,
        [
            "evaluationType",
            "questionText",
            "learnerAnswer",
            "tier",
            "language",
            "maxScore",
            "rubricCriteria[0].name",
            "rubricCriteria[0].description",
            "rubricCriteria[0].maxScore",
            "submitter.learnerId",
            "conceptTags",
            "feedbackOptions",
            "processingMode",
            "idempotencyKey",
            "mode",
            "clientMetadata.ltiLaunchSessionId",
        ]
    );
    let without = |name: &str, mut body: Value| {
        body[name] = Value::Null;
        body
    };
    for (body, fault) in [
        (without("referenceAnswer", exact()), "referenceAnswer"),
        (with(exact(), json!({ "referenceAnswer": "" })), "referenceAnswer"),
        (with(exact(), json!({ "referenceAnswer": " \u{a0}\n" })), "referenceAnswer"),
        (with(without("rubric", rubric()), json!({ "rubricCriteria": [] })), "rubric"),
        (without("rubric", rubric()), "rubric"),
        (with(exact(), json!({ "maxScore": 0 })), "maxScore"),
        (with(exact(), json!({ "maxScore": 1e300 })), "maxScore"),
        (with(exact(), json!({ "processingMode": "model" })), "processingMode"),
    ] {
        assert_eq!(app.post(EVALUATIONS).key(&tenant.key).json(&body).send().await.faults(), [fault]);
    }
    assert_eq!(app.count("SELECT count(*) FROM evaluation").await, 0);
    assert_eq!(app.balance(&tenant).await.1, json!(100));
}

#[both_stores]
async fn what_may_be_left_out_may_be_empty(test: TestStore) {
    let (app, tenant) = start(test).await;
    let empty = json!({
        "referenceAnswer": "", "rubricCriteria": [], "learnerExternalId": "", "subject": "", "conceptTags": [],
        "submitter": { "learnerId": "l" },
    });
    app.evaluate(&tenant, &with(open(), empty.clone())).await;
    app.evaluate(&tenant, &with(rubric(), empty)).await;
    app.finish().await;
}

#[both_stores]
async fn a_key_in_the_body_counts_whatever_the_header_holds(test: TestStore) {
    let (app, tenant) = start(test).await;
    let create = |body: Value| app.post(EVALUATIONS).key(&tenant.key).idempotency("a b").json(&body).send();
    let first = create(with(exact(), json!({ "idempotencyKey": "k" }))).await.expect(201);
    assert_eq!(first["idempotencyKey"], "k");
    assert_eq!(create(exact()).await.faults(), ["Idempotency-Key"]);
}

#[both_stores]
async fn a_repeated_key_gets_the_first_evaluation_and_another_request_with_it_is_a_conflict(test: TestStore) {
    let (app, tenant) = start(test).await;
    let mut first = app
        .post(EVALUATIONS)
        .key(&tenant.key)
        .idempotency("header")
        .json(&with(exact(), json!({ "idempotencyKey": "k" })))
        .send()
        .await
        .expect(201);
    assert_eq!(first["idempotencyKey"], "k", "the body goes before the header");
    let again = app.post(EVALUATIONS).key(&tenant.key).idempotency("k").json(&exact()).send().await;
    assert!(again.is_replay());
    first["idempotentReplay"] = json!(true);
    assert_eq!(again.expect(201), first);
    let other =
        app.post(EVALUATIONS).key(&tenant.key).idempotency("k").json(&with(exact(), json!({ "learnerAnswer": "1" })));
    assert_eq!(other.send().await.expect(409)["error"]["code"], "platform_conflict");
    assert_eq!(app.count("SELECT count(*) FROM evaluation").await, 1);
    let neighbour = app.tenant("hillside").await;
    let own = app.post(EVALUATIONS).key(&neighbour.key).idempotency("k").json(&exact()).send().await;
    assert!(!own.is_replay(), "keys belong to a workspace");
    app.finish().await;
}

#[both_stores]
async fn of_many_requests_with_one_key_at_once_one_is_graded(test: TestStore) {
    let (app, tenant) = start(test).await;
    for body in [exact(), open()] {
        let key = body["evaluationType"].as_str().unwrap();
        let replies =
            join_all((0..12).map(|_| app.post(EVALUATIONS).key(&tenant.key).idempotency(key).json(&body).send())).await;
        let evaluations: Vec<_> = replies.iter().map(|reply| reply.expect(201)).collect();
        assert!(evaluations.iter().all(|evaluation| evaluation["status"] == "COMPLETED"));
        assert!(evaluations.iter().all(|evaluation| evaluation["id"] == evaluations[0]["id"]));
        assert_eq!(evaluations.iter().filter(|evaluation| evaluation["idempotentReplay"] == false).count(), 1);
    }
    assert_eq!(app.count("SELECT count(*) FROM evaluation").await, 2);
    app.finish().await;
}

#[both_stores]
async fn fifty_requests_at_the_end_of_a_balance_never_overdraw_it(test: TestStore) {
    let (app, tenant) = start(test).await;
    let requests = (0..150).map(|n| {
        let body = if n % 2 == 0 { exact() } else { with(open(), json!({ "tier": "fast" })) };
        async { app.post(EVALUATIONS).key(&tenant.key).json(&{ body }).send().await }
    });
    let replies = join_all(requests).await;
    let paid = replies.iter().filter(|reply| reply.status == 201).count();
    let refused = replies.iter().filter(|reply| reply.status == 403).count();
    assert_eq!((paid, refused), (100, 50), "a dollar buys a hundred fast evaluations");
    assert_eq!(app.balance(&tenant).await, (json!(0), json!(0)));
    app.finish().await;
}

#[both_stores]
async fn who_never_had_credits_has_used_up_the_free_ones_and_who_had_has_too_few(test: TestStore) {
    let (app, tenant) = start(test).await;
    let operator = app.operator("o@example.com").await;
    for _ in 0..20 {
        app.evaluate(&tenant, &open()).await;
    }
    let refused = app.post(EVALUATIONS).key(&tenant.key).json(&open()).send().await.expect(403);
    assert_eq!(refused["error"]["code"], "free_credits_exhausted");
    app.post(&tenant.path("/credits")).cookie(&operator).json(&json!({ "amount": 6 })).send().await.expect(200);
    app.evaluate(&tenant, &open()).await;
    assert_eq!(app.balance(&tenant).await.0, json!(1));
    let refused = app.post(EVALUATIONS).key(&tenant.key).json(&open()).send().await.expect(402);
    assert_eq!(refused["error"]["code"], "platform_insufficient_credits");
    app.evaluate(&tenant, &exact()).await;
    app.finish().await;
}

#[both_stores]
async fn a_replay_is_found_before_money_is_asked_for(test: TestStore) {
    let (app, tenant) = start(test).await;
    let first = app.post(EVALUATIONS).key(&tenant.key).idempotency("k").json(&open()).send().await.expect(201);
    for _ in 0..19 {
        app.evaluate(&tenant, &open()).await;
    }
    app.post(EVALUATIONS).key(&tenant.key).json(&open()).send().await.expect(403);
    let again = app.post(EVALUATIONS).key(&tenant.key).idempotency("k").json(&open()).send().await.expect(201);
    assert_eq!(again["id"], first["id"]);
}

#[both_stores]
async fn foreign_unknown_and_malformed_ids_are_not_found(test: TestStore) {
    let (app, tenant) = start(test).await;
    let other = app.tenant("hillside").await;
    let id = app.evaluate(&tenant, &exact()).await["id"].as_str().unwrap().to_owned();
    let unknown = tenant.workspace.to_string();
    for (id, key) in [(id.as_str(), &other.key), (&unknown, &tenant.key), ("7", &tenant.key)] {
        let refused = app.get(&format!("{EVALUATIONS}/{id}")).key(key).send().await.expect(404);
        assert_eq!(refused["error"]["code"], "platform_not_found");
    }
    let operator = app.operator("o@example.com").await;
    app.get(&format!("{EVALUATIONS}/{id}")).cookie(&operator).send().await.expect(200);
}

#[both_stores]
async fn an_operator_grades_for_the_workspace_that_the_query_names(test: TestStore) {
    let (app, tenant) = start(test).await;
    let operator = app.operator("o@example.com").await;
    assert_eq!(app.post(EVALUATIONS).cookie(&operator).json(&exact()).send().await.faults(), ["workspaceId"]);
    let path = format!("{EVALUATIONS}?workspaceId={}", tenant.workspace);
    app.post(&path).cookie(&operator).json(&exact()).send().await.expect(201);
    let other = app.tenant("hillside").await;
    app.post(&path).key(&other.key).json(&exact()).send().await.expect(404);
    assert_eq!(app.balance(&tenant).await.1, json!(99));
}

#[both_stores]
async fn odd_characters_and_long_answers_are_graded(test: TestStore) {
    let (app, tenant) = start(test).await;
    for answer in ["", "\u{202e}42\u{202c}", "\"42\"", "' OR 1=1 --", "\u{7f}\u{1}", "𝟜𝟚"] {
        let evaluation = app.evaluate(&tenant, &with(exact(), json!({ "learnerAnswer": answer }))).await;
        assert_eq!(evaluation["status"], "COMPLETED", "{answer:?}");
    }
    let long = with(open(), json!({ "learnerAnswer": "x ".repeat(25_000) }));
    assert_eq!(app.evaluate(&tenant, &long).await["status"], "COMPLETED");
    let nul = r#"{"evaluationType":"exact","questionText":"?","learnerAnswer":"4\u00002","referenceAnswer":"42"}"#;
    app.post(EVALUATIONS).key(&tenant.key).raw("application/json", nul.to_owned()).send().await.expect(400);
    let too_long = with(open(), json!({ "learnerAnswer": "x".repeat(600_000) }));
    app.post(EVALUATIONS).key(&tenant.key).json(&too_long).send().await.expect(413);
    app.finish().await;
}

#[both_stores]
async fn a_request_that_is_over_the_limit_or_unpaid_is_refused_in_the_documented_order(test: TestStore) {
    let app = App::new(test);
    let limited = NewWorkspace {
        rate_limit_per_minute: 2,
        is_email_verified: true,
        ..NewWorkspace::named("l".into(), "l".into())
    };
    let tenant = app.tenant_of(limited).await;
    for _ in 0..2 {
        let reply = app.post(EVALUATIONS).key(&tenant.key).json(&exact()).send().await;
        reply.expect(201);
        assert_eq!(reply.header("ratelimit-limit"), "2");
    }
    let (second_key, _) = app.mint(tenant.workspace, false, None).await;
    let over = app.post(EVALUATIONS).key(&second_key).json(&json!({})).send().await;
    assert_eq!(
        over.expect(429)["error"]["code"],
        "platform_rate_limit_exceeded",
        "all keys share the limit; 429 comes before 400"
    );
    let operator = app.operator("o@example.com").await;
    app.post(&tenant.path("/suspend")).cookie(&operator).send().await.expect(200);
    let suspended = app.post(EVALUATIONS).key(&tenant.key).json(&json!({})).send().await;
    assert_eq!(suspended.expect(403)["error"]["code"], "platform_workspace_suspended", "403 comes before 429");
}

#[both_stores]
async fn an_unverified_workspace_gets_no_grades(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant_of(NewWorkspace::named("new".into(), "new".into())).await;
    let refused = app.post(EVALUATIONS).key(&tenant.key).json(&exact()).send().await;
    assert_eq!(refused.expect(403)["error"]["code"], "email_verification_required");
}

#[both_stores]
async fn mastery_follows_the_concepts_and_goes_with_the_learner(test: TestStore) {
    let (app, tenant) = start(test).await;
    let body = with(
        open(),
        json!({
            "submitter": { "learnerId": "l 1", "learnerName": "Ada" }, "learnerExternalId": "other",
            "conceptTags": ["light", "light", "air"], "tier": "fast",
        }),
    );
    for share in [1.0, 0.5, 0.0, 1.0] {
        app.script.grade(share);
        let evaluation = app.evaluate(&tenant, &body).await;
        assert_eq!(evaluation["score"].as_f64(), Some(share * 10.0), "{evaluation}");
    }
    assert_eq!(app.count("SELECT count(*) FROM mastery").await, 2);
    let path = "/v1/platform/learners/l%201/mastery";
    let mastery = app.get(path).key(&tenant.key).send().await.expect(200);
    assert_eq!(mastery["learnerId"], "l 1", "{mastery}");
    assert_eq!(mastery["concepts"].as_array().unwrap().len(), 2, "{mastery}");
    assert_eq!(
        mastery["concepts"][1],
        json!({
            "concept": "light", "mastery": 0.65, "confidence": 0.8, "evaluations": 4, "lastNormalizedScore": 100,
            "lastEvaluatedAt": "2026-01-02T03:04:05.000Z",
        })
    );
    let other = app.tenant("hillside").await;
    assert_eq!(app.get(path).key(&other.key).send().await.expect(200)["concepts"], json!([]));
    for _ in 0..2 {
        app.delete("/v1/platform/learners/l%201").key(&tenant.key).send().await.expect(204);
    }
    assert_eq!(app.get(path).key(&tenant.key).send().await.expect(200)["concepts"], json!([]));
    assert_eq!(app.count("SELECT count(*) FROM evaluation WHERE request != 'null' OR feedback IS NOT NULL").await, 0);
    app.finish().await;
}

#[both_stores]
async fn what_is_erased_while_it_waits_is_not_graded_and_not_charged(test: TestStore) {
    let (app, tenant) = start(test).await;
    let body = with(open(), json!({ "mode": "async", "learnerExternalId": "l" }));
    let id = app.evaluate(&tenant, &body).await["id"].as_str().unwrap().to_owned();
    app.delete("/v1/platform/learners/l").key(&tenant.key).send().await.expect(204);
    app.run_jobs().await;
    let path = format!("{EVALUATIONS}/{id}");
    let ended = app.get(&path).key(&tenant.key).send().await.expect(200);
    assert_eq!((&ended["status"], &ended["error"]["code"]), (&json!("FAILED"), &json!("erased")));
    assert_eq!(app.balance(&tenant).await.1, json!(100));
    assert!(app.script.seen().is_empty());
    app.finish().await;
}
