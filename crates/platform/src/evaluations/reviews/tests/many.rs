use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::{assert_books_are_right, events, rubric, shown, start, with};
use crate::testing::{App, EVALUATIONS, Reply, Tenant, open};

const REVIEWS: &str = "/v1/platform/evaluations/reviews";

fn of(evaluation: &Value, review: Value) -> Value {
    with(review, json!({ "evaluationId": evaluation["id"] }))
}

async fn send(app: &App, tenant: &Tenant, reviews: &[Value]) -> Reply {
    app.post(REVIEWS).key(&tenant.key).json(&json!({ "reviews": reviews })).send().await
}

fn statuses(answer: &Value) -> Vec<i64> {
    answer["results"].as_array().unwrap().iter().map(|result| result["status"].as_i64().unwrap()).collect()
}

#[both_stores]
async fn each_of_many_reviews_is_judged_as_one_of_its_own_and_hinders_no_other(test: TestStore) {
    let (app, tenant) = start(test).await;
    let other = app.tenant("hillside").await;
    let learner = with(open(), json!({ "learnerExternalId": "l", "conceptTags": ["light"] }));
    let (first, second) = (app.evaluate(&tenant, &learner).await, app.evaluate(&tenant, &open()).await);
    let (parts, foreign) = (app.evaluate(&tenant, &rubric()).await, app.evaluate(&other, &open()).await);
    let waiting = app.evaluate(&tenant, &with(open(), json!({ "mode": "async" }))).await;
    let answer = send(
        &app,
        &tenant,
        &[
            of(&first, json!({ "score": 9, "feedbackSummary": "Good.", "reviewer": "Ms Curie" })),
            of(&second, json!({ "score": 11 })),
            of(&parts, json!({ "score": 1 })),
            of(&foreign, json!({ "score": 1 })),
            of(&waiting, json!({ "score": 1 })),
        ],
    )
    .await
    .expect(200);
    assert_eq!(statuses(&answer), [200, 400, 400, 404, 409]);
    let results = answer["results"].as_array().unwrap();
    assert_eq!(results[0]["evaluation"], shown(&app, &tenant, &first).await);
    assert_eq!((&results[0]["evaluation"]["version"], &results[0]["error"]), (&json!(2), &Value::Null));
    assert_eq!(results[1]["error"]["details"][0]["path"], "score");
    assert_eq!(
        results[2]["error"]["details"].as_array().unwrap().len(),
        2,
        "the score is no sum, and criteria are missing"
    );
    assert_eq!(results[3]["error"]["code"], "platform_not_found");
    assert_eq!((&results[4]["error"]["code"], &results[4]["evaluation"]), (&json!("platform_conflict"), &Value::Null));
    assert_eq!(shown(&app, &tenant, &second).await["version"], 1);
    assert_eq!(events(&app, &first).await.len(), 2);
    let mastery = app.get("/v1/platform/learners/l/mastery").key(&tenant.key).send().await.expect(200);
    assert_eq!(mastery["concepts"][0]["mastery"], 0.9);
    app.run_jobs().await;
    assert_books_are_right(&app).await;
    app.finish().await;
}

#[both_stores]
async fn a_list_of_reviews_with_faults_of_its_own_changes_nothing(test: TestStore) {
    let (app, tenant) = start(test).await;
    let evaluation = app.evaluate(&tenant, &open()).await;
    let before = app.stored().await;
    let right = of(&evaluation, json!({ "score": 9 }));
    let faults = async |body: Value| app.post(REVIEWS).key(&tenant.key).json(&body).send().await.faults();
    assert_eq!(faults(json!({})).await, ["reviews"]);
    assert_eq!(faults(json!({ "reviews": [] })).await, ["reviews"]);
    assert_eq!(faults(json!({ "reviews": vec![right.clone(); 101] })).await, ["reviews"]);
    assert_eq!(faults(json!({ "reviews": [right, right] })).await, ["reviews[1].evaluationId"]);
    let wrong = json!([right, {}, 7, { "evaluationId": "7" }, { "evaluationId": 7 }]);
    let named = ["reviews[1].evaluationId", "reviews[2]", "reviews[3].evaluationId", "reviews[4].evaluationId"];
    assert_eq!(faults(json!({ "reviews": wrong })).await, named);
    assert_eq!(app.stored().await, before);
    app.finish().await;
}

#[both_stores]
async fn a_repeated_request_goes_on_where_the_first_was_cut_off_and_applies_nothing_twice(test: TestStore) {
    let (app, tenant) = start(test).await;
    let (first, second) = (app.evaluate(&tenant, &open()).await, app.evaluate(&tenant, &open()).await);
    let body = json!({ "reviews": [of(&first, json!({ "score": 9 })), of(&second, json!({ "score": 2 }))] });
    let call = |body: &Value| app.post(REVIEWS).key(&tenant.key).idempotency("k").json(body);
    let made = call(&body).send().await;
    assert_eq!((statuses(&made.expect(200)), made.is_replay()), (vec![200, 200], false));
    // As if the process had died between the two: the second review is not there, and neither is its claim.
    let id = second["id"].as_str().unwrap().to_owned();
    let undo = move |tx: &mut store::Tx<'_>| {
        tx.execute("DELETE FROM idempotency WHERE key = $1", &[&format!("k {id}")])?;
        tx.execute("DELETE FROM event WHERE subject_id = $1 AND body LIKE '%\"version\":2%'", &[&id])?;
        tx.execute("DELETE FROM reviewed_answer WHERE evaluation_id = $1", &[&id])?;
        tx.execute("DELETE FROM evaluation_grade WHERE evaluation_id = $1", &[&id])?;
        tx.execute(
            "UPDATE evaluation SET version = 1, score = 5, graded_by = 'model', reviewed_at = NULL WHERE id = $1",
            &[&id],
        )
    };
    assert_eq!(app.test.store.write("test", undo).await.unwrap(), 1);
    let carried_on = call(&body).send().await;
    assert!(!carried_on.is_replay(), "the second review is new");
    let again = carried_on.expect(200);
    assert_eq!(statuses(&again), [200, 200]);
    let replayed: Vec<_> =
        again["results"].as_array().unwrap().iter().map(|one| &one["evaluation"]["idempotentReplay"]).collect();
    assert_eq!(replayed, [true, false]);
    for (evaluation, score) in [(&first, 9), (&second, 2)] {
        let shown = shown(&app, &tenant, evaluation).await;
        assert_eq!((&shown["version"], &shown["score"]), (&json!(2), &json!(score)));
    }
    let before = app.stored().await;
    let whole = call(&body).send().await;
    assert_eq!((statuses(&whole.expect(200)), whole.is_replay()), (vec![200, 200], true));
    assert_eq!(app.stored().await, before);
    let other = json!({ "reviews": [of(&first, json!({ "score": 1 }))] });
    call(&other).send().await.expect(409);
    app.post(&format!("{EVALUATIONS}/{}/review", first["id"].as_str().unwrap()))
        .key(&tenant.key)
        .idempotency("k")
        .json(&json!({ "score": 9 }))
        .send()
        .await
        .expect(200);
    assert_eq!(app.stored().await.len(), before.len(), "a key of another operation is another key");
    app.finish().await;
}
