mod figures;
mod regrading;

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::evaluations::locate::locate_all;
use crate::testing::{App, EVALUATIONS, Form, QUESTIONS, Tenant, exact, open};

async fn start(test: TestStore) -> (App, Tenant) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    (app, tenant)
}

fn with(mut body: Value, members: &Value) -> Value {
    for (name, value) in members.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

/// An answer to one question, by a learner who learns a concept.
fn answer(text: &str) -> Value {
    with(open(), &json!({ "learnerAnswer": text, "learnerExternalId": "l", "conceptTags": ["light"], "tier": "fast" }))
}

fn id(thing: &Value) -> String {
    thing["id"].as_str().unwrap().to_owned()
}

fn question_of(evaluation: &Value) -> String {
    evaluation["questionId"].as_str().unwrap().to_owned()
}

async fn review(app: &App, tenant: &Tenant, evaluation: &Value, score: f64) {
    let call = app.post(&format!("{EVALUATIONS}/{}/review", id(evaluation))).key(&tenant.key);
    call.json(&json!({ "score": score })).send().await.expect(200);
}

async fn get(app: &App, tenant: &Tenant, path: &str) -> Value {
    app.get(&format!("{QUESTIONS}{path}")).key(&tenant.key).send().await.expect(200)
}

#[both_stores]
async fn answers_to_the_same_question_share_it_and_any_difference_makes_another(test: TestStore) {
    let (app, tenant) = start(test).await;
    let other = app.tenant("hillside").await;
    let first = app.evaluate(&tenant, &open()).await;
    let same =
        with(open(), &json!({ "learnerAnswer": "Otherwise.", "language": "de", "mode": "async", "maxScore": 3 }));
    assert_eq!(question_of(&app.evaluate(&tenant, &same).await), question_of(&first));
    let criteria = json!({ "criteria": [{ "name": "A", "maxScore": 1 }] });
    let mut questions = vec![question_of(&first), question_of(&app.evaluate(&tenant, &exact()).await)];
    for changed in [
        json!({ "questionText": "Why is the sky red?" }),
        json!({ "referenceAnswer": "Scattering." }),
        json!({ "rubric": criteria }),
        json!({ "rubric": criteria, "evaluationType": "rubric_short_answer" }),
    ] {
        questions.push(question_of(&app.evaluate(&tenant, &with(open(), &changed)).await));
    }
    let form = |rubric: &str| Form::of(&open()).file("rubricFiles", "r.txt", "text/plain", rubric).into_bytes();
    for rubric in ["Names light.", "Names air."] {
        let call = app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form(rubric));
        questions.push(question_of(&call.send().await.expect(201)));
    }
    questions.push(question_of(&app.evaluate(&other, &open()).await));
    let mut distinct = questions.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!((distinct.len(), app.count("SELECT count(*) FROM question").await), (questions.len(), 9));
    app.run_jobs().await;
    app.finish().await;
}

#[both_stores]
async fn of_many_first_answers_at_once_one_makes_the_question(test: TestStore) {
    let (app, tenant) = start(test).await;
    let (exact, open) = (exact(), open());
    let made = futures_util::future::join_all(
        (0..8).flat_map(|_| [app.evaluate(&tenant, &exact), app.evaluate(&tenant, &open)]),
    );
    let mut questions: Vec<_> = made.await.iter().map(question_of).collect();
    questions.sort_unstable();
    questions.dedup();
    assert_eq!((questions.len(), app.count("SELECT count(*) FROM question").await), (2, 2));
    app.finish().await;
}

#[both_stores]
async fn questions_are_listed_newest_first_with_their_texts_and_filtered(test: TestStore) {
    let (app, tenant) = start(test).await;
    let other = app.tenant("hillside").await;
    app.evaluate(&other, &open()).await;
    let mut made = Vec::new();
    for n in 0..5 {
        let rubric = json!({ "criteria": [{ "name": "A", "description": "d", "maxScore": 2 }] });
        let body = with(open(), &json!({ "questionText": format!("Question {n}?"), "rubric": rubric }));
        if n == 2 {
            app.script.flag(&[grading::IntegrityFlag::HiddenText]);
        }
        made.push(question_of(&app.evaluate(&tenant, &body).await));
        app.script.flag(&[]);
        app.test.clock.advance(std::time::Duration::from_secs(1));
    }
    made.push(question_of(&app.evaluate(&tenant, &exact()).await));
    made.reverse();
    let walk = async |filter: &str| {
        let (mut cursor, mut seen) = (String::new(), Vec::new());
        loop {
            let page = get(&app, &tenant, &format!("?limit=2&{filter}{cursor}")).await;
            seen.extend(page["items"].as_array().unwrap().iter().map(id));
            match page["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return seen,
            }
        }
    };
    assert_eq!(walk("").await, made);
    assert_eq!(walk("evaluationType=exact").await, made[..1]);
    assert_eq!(walk("needsReview=true").await, made[3..4]);
    assert_eq!(walk("needsReview=false&evaluationType=open_ended").await.len(), 4);
    assert_eq!(walk("createdBefore=2026-01-02T03:04:06Z").await, made[5..]);
    let page = get(&app, &tenant, "?limit=2").await;
    assert_eq!(
        page["items"][1],
        json!({
            "id": made[1], "evaluationType": "open_ended", "questionText": "Question 4?", "referenceAnswer": null,
            "criteria": [{ "name": "A", "description": "d", "maxScore": 2 }], "language": "en", "maxScore": 10,
            "createdAt": "2026-01-02T03:04:09.000Z",
        })
    );
    let faults = async |query: &str| app.get(&format!("{QUESTIONS}?{query}")).key(&tenant.key).send().await.faults();
    assert_eq!(
        faults("limit=0&evaluationType=essay&needsReview=1&status=x").await,
        ["limit", "evaluationType", "needsReview", "status"]
    );
    let cursor = page["nextCursor"].as_str().unwrap();
    app.get(&format!("{QUESTIONS}?cursor={cursor}")).key(&other.key).send().await.expect(400);
    app.finish().await;
}

#[both_stores]
async fn questions_of_others_are_not_found(test: TestStore) {
    let (app, tenant) = start(test).await;
    let other = app.tenant("hillside").await;
    let operator = app.operator("o@example.com").await;
    let question = question_of(&app.evaluate(&tenant, &open()).await);
    for question in [question.as_str(), "7", &tenant.workspace.to_string()] {
        for path in [format!("/{question}"), format!("/{question}/review-queue")] {
            app.get(&format!("{QUESTIONS}{path}")).key(&other.key).send().await.expect(404);
        }
        let regrade = app.post(&format!("{QUESTIONS}/{question}/regrade")).key(&other.key);
        regrade.json(&json!({ "dryRun": false })).send().await.expect(404);
    }
    assert_eq!(get(&app, &other, "").await["items"], json!([]));
    app.get(&format!("{QUESTIONS}/{question}")).cookie(&operator).send().await.expect(200);
    app.finish().await;
}

#[both_stores]
async fn evaluations_of_an_earlier_version_get_their_question_in_steps_and_read_as_before(test: TestStore) {
    let (app, tenant) = start(test).await;
    app.script.flag(&[grading::IntegrityFlag::HiddenText]);
    let mut made = Vec::new();
    for n in 0..3 {
        made.push(app.evaluate(&tenant, &answer(&format!("Answer {n}."))).await);
    }
    let exact = app.evaluate(&tenant, &exact()).await;
    app.evaluate(&tenant, &with(open(), &json!({ "learnerExternalId": "erased" }))).await;
    app.delete("/v1/platform/learners/erased").key(&tenant.key).send().await.expect(204);
    for forget in [
        "UPDATE evaluation SET question_id = NULL",
        "UPDATE evaluation_to_review SET question_id = NULL",
        "DELETE FROM question",
    ] {
        app.test.store.write("test", move |tx| tx.execute(forget, &[])).await.unwrap();
    }
    let shown = async |evaluation: &Value| {
        app.get(&format!("{EVALUATIONS}/{}", id(evaluation))).key(&tenant.key).send().await.expect(200)
    };
    assert_eq!(shown(&made[0]).await, with(made[0].clone(), &json!({ "questionId": null })));
    review(&app, &tenant, &made[0], 7.0).await;
    let question = question_of(&shown(&made[0]).await);
    assert_eq!(locate_all(&app.test.store).await.unwrap(), 3, "one was reviewed, and one is erased");
    assert_eq!(locate_all(&app.test.store).await.unwrap(), 0);
    for evaluation in &made[1..] {
        assert_eq!(shown(evaluation).await, with(evaluation.clone(), &json!({ "questionId": question })));
    }
    assert_ne!(question_of(&shown(&exact).await), question);
    let statistics = get(&app, &tenant, &format!("/{question}")).await["statistics"].clone();
    assert_eq!((&statistics["answers"], &statistics["toReview"]), (&json!(3), &json!(2)));
    app.finish().await;
}
