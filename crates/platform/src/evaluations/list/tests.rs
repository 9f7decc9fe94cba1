use std::time::Duration;

use billing::catalog::{Catalog, Tier};
use grading::IntegrityFlag;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::{App, EVALUATIONS, Form, Tenant, exact, open};

async fn list(app: &App, tenant: &Tenant, query: &str) -> Value {
    app.get(&format!("{EVALUATIONS}{query}")).key(&tenant.key).send().await.expect(200)
}

fn ids(page: &Value) -> Vec<String> {
    page["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

/// The ids of all pages of a list.
async fn walk(app: &App, tenant: &Tenant, filter: &str) -> Vec<String> {
    let (mut cursor, mut seen) = (String::new(), Vec::new());
    loop {
        let page = list(app, tenant, &format!("?limit=2&{filter}{cursor}")).await;
        seen.extend(ids(&page));
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return seen,
        }
    }
}

/// Stores so many completed evaluations, several of them at each instant.
async fn add(app: &App, tenant: &Tenant, count: i64) {
    let workspace = tenant.workspace;
    let insert = move |tx: &mut store::Tx<'_>| {
        (0..count).try_for_each(|n| {
            tx.execute_later(
                "INSERT INTO evaluation (id, workspace_id, evaluation_type, mode, tier, status, request_hash, request, price,
                    amount_micros, max_score, files, created_at, completed_at, erased_at)
                 VALUES ($1, $2, 'exact', 'sync', 'fast', 'COMPLETED', '', 'null', $3, 0, 10, 0, $4, 0, 0)",
                &[
                    &tx.ambient().id::<kernel::id::EvaluationId>(),
                    &workspace,
                    &json!(Catalog::default().evaluation(Tier::Fast, tx.now())).to_string(),
                    &(n * 7 % 31),
                ],
            )
        })
    };
    app.test.store.write("test", insert).await.unwrap();
}

async fn in_order(app: &App) -> Vec<String> {
    let read = app.read(|tx| {
        tx.query("SELECT created_at, id FROM evaluation", &[], |row| Ok((row.get::<i64>(0)?, row.get::<String>(1)?)))
    });
    let mut rows = read.await;
    rows.sort_unstable_by(|one, other| other.cmp(one));
    rows.into_iter().map(|(_, id)| id).collect()
}

fn with(mut body: Value, members: &Value) -> Value {
    for (name, value) in members.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

#[both_stores]
async fn items_are_as_in_the_single_read_without_the_files_addresses(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let form = Form::of(&open()).file("answerFiles", "a.txt", "text/plain", "Rayleigh.").into_bytes();
    let made = app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form).send().await.expect(201);
    let path = format!("{EVALUATIONS}/{}", made["id"].as_str().unwrap());
    let mut expected = app.get(&path).key(&tenant.key).send().await.expect(200);
    expected["answerFiles"][0].as_object_mut().unwrap().shift_remove("url").unwrap();
    assert_eq!(list(&app, &tenant, "").await, json!({ "items": [expected], "nextCursor": null }));
    app.finish().await;
}

#[both_stores]
async fn cursors_visit_every_evaluation_once_newest_first_while_some_are_added(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    add(&app, &tenant, 60).await;
    let expected = in_order(&app).await;
    for limit in [1, 7, 100] {
        let (mut cursor, mut seen) = (String::new(), Vec::new());
        loop {
            let page = list(&app, &tenant, &format!("?limit={limit}{cursor}")).await;
            seen.extend(ids(&page));
            if limit == 7 {
                app.evaluate(&tenant, &exact()).await;
            }
            let Some(next) = page["nextCursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        seen.retain(|id| expected.contains(id));
        assert_eq!(seen, expected, "{limit} on a page");
    }
}

#[both_stores]
async fn filters_narrow_the_list_whichever_index_leads(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let light = json!({ "learnerExternalId": "ada", "conceptTags": ["light", "air"] });
    let (mut made, mut questions) = (Vec::new(), Vec::new());
    for (n, body) in [
        with(exact(), &light),
        with(open(), &light),
        with(open(), &json!({ "learnerExternalId": "ada" })),
        with(open(), &json!({ "conceptTags": ["light"] })),
        with(open(), &json!({ "mode": "async", "conceptTags": ["air"] })),
        exact(),
    ]
    .into_iter()
    .enumerate()
    {
        if n == 2 {
            app.script.fail("model_nonsense", false);
        }
        if n == 3 {
            app.script.flag(&[IntegrityFlag::AddressesGrader, IntegrityFlag::NotSentences]);
        }
        let evaluation = app.evaluate(&tenant, &body).await;
        app.script.flag(&[]);
        made.push(evaluation["id"].as_str().unwrap().to_owned());
        questions.push(evaluation["questionId"].as_str().unwrap().to_owned());
        app.test.clock.advance(Duration::from_secs(1));
    }
    let (question, other) = (&questions[1], &questions[0]);
    let of = |wanted: &[usize]| wanted.iter().map(|n| made[*n].clone()).collect::<Vec<_>>();
    for (filter, wanted) in [
        ("", &[5, 4, 3, 2, 1, 0][..]),
        ("status=COMPLETED", &[5, 3, 1, 0]),
        ("status=FAILED", &[2]),
        ("status=PENDING", &[4]),
        ("status=PROCESSING", &[]),
        ("evaluationType=exact", &[5, 0]),
        ("evaluationType=open_ended&status=COMPLETED", &[3, 1]),
        ("learnerId=ada", &[2, 1, 0]),
        ("learnerId=ada&status=FAILED", &[2]),
        ("learnerId=Ada", &[]),
        ("conceptTag=light", &[3, 1, 0]),
        ("conceptTag=light&learnerId=ada", &[1, 0]),
        ("conceptTag=air&status=PENDING", &[4]),
        ("conceptTag=ligh", &[]),
        ("needsReview=true", &[3]),
        ("needsReview=true&conceptTag=air", &[]),
        ("needsReview=false&conceptTag=light", &[1, 0]),
        ("minConfidence=0.75", &[5, 3, 1, 0]),
        ("maxConfidence=0.75", &[3, 1]),
        ("minConfidence=0.76&maxConfidence=1&learnerId=ada", &[0]),
        ("createdAfter=2026-01-02T03:04:05Z&createdBefore=2026-01-02T03:04:08Z", &[2, 1]),
        ("createdAfter=2026-01-02T03:04:06Z&learnerId=ada", &[2]),
        ("createdBefore=2026-01-02T03:04:06Z&conceptTag=light", &[0]),
        ("questionId=q-1", &[]),
        (&format!("questionId={question}"), &[4, 3, 2, 1]),
        (&format!("questionId={question}&needsReview=true"), &[3]),
        (&format!("questionId={question}&needsReview=false&status=COMPLETED"), &[1]),
        (&format!("questionId={question}&learnerId=ada"), &[2, 1]),
        (&format!("questionId={question}&conceptTag=air"), &[4, 1]),
        (&format!("questionId={other}&needsReview=true"), &[]),
        (&format!("questionId={other}"), &[5, 0]),
    ] {
        assert_eq!(walk(&app, &tenant, filter).await, of(wanted), "{filter}");
    }
    app.run_jobs().await;
    assert_eq!(walk(&app, &tenant, "status=PENDING").await, of(&[]));
    app.finish().await;
}

#[both_stores]
async fn a_filter_that_keeps_little_looks_at_a_bounded_number_of_evaluations(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    add(&app, &tenant, 10_050).await;
    let oldest = in_order(&app).await.pop().unwrap();
    let wanted = oldest.clone();
    let change = "UPDATE evaluation SET evaluation_type = 'open_ended' WHERE id = $1";
    app.test.store.write("test", move |tx| tx.execute(change, &[&wanted])).await.unwrap();
    let first = list(&app, &tenant, "?evaluationType=open_ended").await;
    assert_eq!(first["items"], json!([]));
    let cursor = first["nextCursor"].as_str().expect("there is more to look at");
    let second = list(&app, &tenant, &format!("?evaluationType=open_ended&cursor={cursor}")).await;
    assert_eq!((ids(&second), &second["nextCursor"]), (vec![oldest], &Value::Null));
}

#[both_stores]
async fn what_addresses_the_grader_needs_a_review_until_a_person_gives_one(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    app.script.flag(&[IntegrityFlag::AddressesGrader, IntegrityFlag::RepeatsPrompt]);
    let made = app.evaluate(&tenant, &open()).await;
    assert_eq!((&made["needsReview"], &made["reviewReasons"]), (&json!(true), &json!(["addresses_grader"])));
    let path = format!("{EVALUATIONS}/{}", made["id"].as_str().unwrap());
    let record = async || app.get(&format!("{path}/record")).key(&tenant.key).send().await.expect(200);
    assert_eq!(record().await["reviewReasons"], json!(["addresses_grader"]));
    let told = app.read(|tx| {
        tx.query("SELECT body FROM event WHERE type = 'evaluation.completed' ORDER BY id", &[], |row| {
            row.get::<String>(0)
        })
    });
    assert!(told.await[0].contains(r#""needsReview":true,"reviewReasons":["addresses_grader"]"#));
    app.script.flag(&[]);
    let plain = app.evaluate(&tenant, &open()).await;
    assert_eq!((&plain["needsReview"], &plain["reviewReasons"]), (&json!(false), &json!([])));
    let review = app.post(&format!("{path}/review")).key(&tenant.key).json(&json!({ "score": 1 }));
    let reviewed = review.send().await.expect(200);
    assert_eq!((&reviewed["needsReview"], &reviewed["reviewReasons"]), (&json!(false), &json!([])));
    assert_eq!(
        (&record().await["needsReview"], walk(&app, &tenant, "needsReview=true").await.len()),
        (&json!(false), 0)
    );
    app.finish().await;
}

#[both_stores]
async fn an_erased_learner_is_found_by_no_filter(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    app.script.flag(&[IntegrityFlag::HiddenText]);
    let body = with(open(), &json!({ "learnerExternalId": "ada", "conceptTags": ["light"] }));
    let made = app.evaluate(&tenant, &body).await;
    let of_question = format!("questionId={}", made["questionId"].as_str().unwrap());
    for filter in ["learnerId=ada", "conceptTag=light", "needsReview=true", &of_question] {
        assert_eq!(walk(&app, &tenant, filter).await.len(), 1, "{filter}");
    }
    app.delete("/v1/platform/learners/ada").key(&tenant.key).send().await.expect(204);
    for filter in ["learnerId=ada", "conceptTag=light", "needsReview=true", &of_question] {
        assert_eq!(walk(&app, &tenant, filter).await, [""; 0], "{filter}");
    }
    assert_eq!(walk(&app, &tenant, "").await, [made["id"].as_str().unwrap()], "what was paid for stays");
    let left = "SELECT (SELECT count(*) FROM evaluation_concept) + (SELECT count(*) FROM evaluation_to_review)";
    assert_eq!(app.count(left).await, 0);
    app.finish().await;
}

#[both_stores]
async fn a_key_sees_its_workspace_and_who_manages_the_service_names_one(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
    let (admin_key, _) = app.mint(other.workspace, true, None).await;
    let operator = app.operator("o@example.com").await;
    let made = app.evaluate(&tenant, &exact()).await;
    let named = format!("{EVALUATIONS}?workspaceId={}", tenant.workspace);
    assert_eq!(list(&app, &other, "").await["items"], json!([]));
    app.get(&named).key(&other.key).send().await.expect(404);
    for call in [app.get(&named).key(&tenant.key), app.get(&named).key(&admin_key), app.get(&named).cookie(&operator)] {
        assert_eq!(ids(&call.send().await.expect(200)), [made["id"].as_str().unwrap()]);
    }
    assert_eq!(app.get(EVALUATIONS).cookie(&operator).send().await.faults(), ["workspaceId"]);
    app.finish().await;
}

#[both_stores]
async fn every_wrong_parameter_is_named_and_so_is_anothers_cursor(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
    add(&app, &tenant, 2).await;
    let faults = async |tenant: &Tenant, query: &str| {
        app.get(&format!("{EVALUATIONS}?{query}")).key(&tenant.key).send().await.faults()
    };
    let wrong = "limit=101&status=completed&evaluationType=essay&needsReview=1&minConfidence=-1&maxConfidence=x&learnerId=\
            &conceptTag=%00&createdBefore=soon&tag=light";
    assert_eq!(
        faults(&tenant, wrong).await,
        [
            "limit",
            "createdBefore",
            "status",
            "evaluationType",
            "learnerId",
            "conceptTag",
            "needsReview",
            "minConfidence",
            "maxConfidence",
            "tag"
        ]
    );
    let cursor = list(&app, &tenant, "?limit=1").await["nextCursor"].as_str().unwrap().to_owned();
    assert_eq!(faults(&other, &format!("cursor={cursor}")).await, ["cursor"]);
    assert_eq!(faults(&tenant, &format!("cursor={cursor}A")).await, ["cursor"]);
    assert_eq!(faults(&tenant, "cursor=").await, ["cursor"]);
}
