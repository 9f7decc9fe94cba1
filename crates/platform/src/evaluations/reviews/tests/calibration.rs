//! What later grades learn from reviewed answers.

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::{record, review, rubric, start, with};
use crate::evaluations::calibration::LONGEST_ANSWER;
use crate::testing::{App, EVALUATIONS, Form, exact, open};

#[both_stores]
async fn later_grades_see_the_reviewed_answers_to_the_same_question_the_newest_first(test: TestStore) {
    let (app, tenant) = start(test).await;
    let answer = |text: &str| with(rubric(), json!({ "learnerAnswer": text }));
    let criteria = |scores: [f64; 3]| {
        json!([
            { "criterion": "Input", "score": scores[0] }, { "criterion": "Output", "score": scores[1] }, { "criterion": "Input", "score": scores[2] },
        ])
    };
    let (one, two) = (app.evaluate(&tenant, &answer("One.")).await, app.evaluate(&tenant, &answer("Two.")).await);
    app.evaluate(&tenant, &answer("Never reviewed.")).await;
    review(&app, &tenant, &one, &json!({ "criteria": criteria([4.0, 5.0, 1.0]) })).await;
    app.test.clock.advance(std::time::Duration::from_secs(1));
    review(&app, &tenant, &two, &json!({ "criteria": criteria([2.0, 0.0, 0.0]), "feedbackSummary": "Too short." }))
        .await;
    app.test.clock.advance(std::time::Duration::from_secs(1));
    review(&app, &tenant, &one, &json!({ "criteria": criteria([1.0, 5.0, 0.0]) })).await;
    let graded =
        app.evaluate(&tenant, &with(answer("Three."), json!({ "learnerExternalId": "another", "tier": "fast" }))).await;
    let seen = app.script.seen().pop().unwrap();
    let as_json = serde_json::to_value(&seen.reviewed).unwrap();
    assert_eq!(
        as_json,
        json!([
            { "answer": "One.", "share": 0.6, "criteria": [0.25, 1.0, 0.0], "feedback": "", "modelShare": 0.5 },
            { "answer": "Two.", "share": 0.2, "criteria": [0.5, 0.0, 0.0], "feedback": "Too short.", "modelShare": 0.5 },
        ])
    );
    let recorded = record(&app, &tenant, &graded).await;
    assert_eq!(
        recorded["calibratedBy"],
        json!([
            { "evaluationId": one["id"], "version": 3 }, { "evaluationId": two["id"], "version": 2 },
        ])
    );
    assert_eq!(
        (&recorded["submission"]["reviewed"], &recorded["versions"][0]["record"]["reviewedAnswers"]),
        (&as_json, &json!(2))
    );
    review(&app, &tenant, &one, &json!({ "criteria": criteria([0.0, 0.0, 0.0]) })).await;
    assert_eq!(record(&app, &tenant, &graded).await, recorded, "what a grade was calibrated by stays what it was");
    app.finish().await;
}

#[both_stores]
async fn a_reviewed_answer_says_what_a_model_had_given_and_nothing_of_other_graders(test: TestStore) {
    let (app, tenant) = start(test).await;
    let fast = with(open(), json!({ "tier": "fast" }));
    app.script.grade(0.25);
    let by_model = app.evaluate(&tenant, &fast).await;
    app.script.fail("model_nonsense", false);
    let failed = app.evaluate(&tenant, &fast).await;
    app.script.be_builtin();
    let by_words = app.evaluate(&tenant, &fast).await;
    for evaluation in [&by_model, &failed, &by_words] {
        app.test.clock.advance(std::time::Duration::from_secs(1));
        review(&app, &tenant, evaluation, &json!({ "score": 1 })).await;
    }
    app.evaluate(&tenant, &fast).await;
    let seen = app.script.seen().pop().unwrap().reviewed;
    let shares: Vec<_> = seen.iter().map(|answer| answer.model_share).collect();
    assert_eq!(shares, [None, None, Some(0.25)], "the newest review first");
    app.finish().await;
}

#[both_stores]
async fn another_question_workspace_or_type_is_not_calibrated_by_it(test: TestStore) {
    let (app, tenant) = start(test).await;
    let other = app.tenant("hillside").await;
    let asked = with(open(), json!({ "referenceAnswer": "Rayleigh scattering." }));
    let evaluation = app.evaluate(&tenant, &asked).await;
    review(&app, &tenant, &evaluation, &json!({ "score": 7 })).await;
    let changed = |members: Value| with(asked.clone(), members);
    for (tenant, body) in [
        (&other, asked.clone()),
        (&tenant, changed(json!({ "questionText": "Why is the sea blue?" }))),
        (&tenant, changed(json!({ "referenceAnswer": "Mie scattering." }))),
        (&tenant, changed(json!({ "referenceAnswer": null }))),
        (&tenant, changed(json!({ "rubricCriteria": [{ "name": "One", "maxScore": 1 }] }))),
        (
            &tenant,
            changed(
                json!({ "evaluationType": "rubric_short_answer", "rubricCriteria": [{ "name": "One", "maxScore": 1 }] }),
            ),
        ),
    ] {
        app.evaluate(tenant, &body).await;
        assert_eq!(app.script.seen().pop().unwrap().reviewed, [], "{body}");
    }
    app.evaluate(
        &tenant,
        &changed(json!({ "questionText": " Why is the sky blue?\n", "maxScore": 3, "learnerAnswer": "?" })),
    )
    .await;
    assert_eq!(app.script.seen().pop().unwrap().reviewed.len(), 1);
    let compared = app.evaluate(&tenant, &exact()).await;
    review(&app, &tenant, &compared, &json!({ "score": 0 })).await;
    assert_eq!(app.count("SELECT count(*) FROM reviewed_answer").await, 1, "code that compares learns nothing");
    app.finish().await;
}

#[both_stores]
async fn what_later_grades_learn_is_bounded_and_holds_the_text_of_files(test: TestStore) {
    let (app, tenant) = start(test).await;
    let huge = with(open(), json!({ "learnerAnswer": "é".repeat(50_000), "tier": "fast" }));
    let form = Form::of(&with(open(), json!({ "learnerAnswer": "See", "tier": "fast" }))).file(
        "answerFiles",
        "a.txt",
        "text/plain",
        "the file.",
    );
    let silent = app.evaluate(&tenant, &with(open(), json!({ "learnerAnswer": " ", "tier": "fast" }))).await;
    let huge = app.evaluate(&tenant, &huge).await;
    let filed =
        app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form.into_bytes()).send().await.expect(201);
    for evaluation in [&silent, &huge, &filed] {
        app.test.clock.advance(std::time::Duration::from_secs(1));
        review(&app, &tenant, evaluation, &json!({ "score": 1, "feedbackSummary": "x".repeat(10_000) })).await;
    }
    app.evaluate(&tenant, &with(open(), json!({ "tier": "fast" }))).await;
    let reviewed = app.script.seen().pop().unwrap().reviewed;
    assert_eq!(
        reviewed.iter().map(|answer| answer.answer.chars().count()).collect::<Vec<_>>(),
        ["See\nthe file.".len(), LONGEST_ANSWER]
    );
    assert_eq!(reviewed[0].answer, "See\nthe file.");
    assert!(reviewed.iter().all(|answer| answer.feedback.len() == 2000));
    let many = "INSERT INTO reviewed_answer (evaluation_id, version, workspace_id, question_key, answer, share, criteria, feedback, is_current, reviewed_at)
            SELECT evaluation_id, $1, workspace_id, question_key, 'more', 0.5, '[]', '', 1, reviewed_at + $1 FROM reviewed_answer WHERE answer LIKE 'See%'";
    app.test
        .store
        .write("test", move |tx| (100..150_i64).try_for_each(|version| tx.execute(many, &[&version]).map(|_| ())))
        .await
        .unwrap();
    app.evaluate(&tenant, &with(open(), json!({ "tier": "fast" }))).await;
    assert_eq!(app.script.seen().pop().unwrap().reviewed.len(), 40, "the newest forty");
    app.finish().await;
}

#[both_stores]
async fn words_beside_a_file_that_was_not_read_whole_are_no_answer_that_later_grades_learn_from(test: TestStore) {
    let app = App::with_model(test);
    let tenant = app.tenant("riverside").await;
    let see = with(open(), json!({ "learnerAnswer": "See the file.", "tier": "fast" }));
    let form = || Form::of(&see).file("answerFiles", "a.txt", "text/plain", "It scatters.");
    let send = async |form: Form| {
        app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form.into_bytes()).send().await.expect(201)
    };
    let photo = send(form().file("answerFiles", "b.png", "image/png", b"\x89PNG\r\n\x1a\nrest")).await;
    let cut =
        send(form().file("answerFiles", "b.txt", "text/plain", "x".repeat(files::text::MOST_CHARACTERS + 1))).await;
    app.script.fail("model_nonsense", false);
    let failed = send(form()).await;
    for evaluation in [&photo, &cut, &failed] {
        review(&app, &tenant, evaluation, &json!({ "score": 10 })).await;
    }
    app.evaluate(&tenant, &see).await;
    assert_eq!(app.script.seen().pop().unwrap().reviewed, []);
    let read = send(form()).await;
    review(&app, &tenant, &read, &json!({ "score": 10 })).await;
    app.evaluate(&tenant, &see).await;
    let learnt: Vec<_> = app.script.seen().pop().unwrap().reviewed.into_iter().map(|answer| answer.answer).collect();
    assert_eq!(learnt, ["See the file.\nIt scatters."]);
    assert_eq!(app.count("SELECT count(*) FROM reviewed_answer").await, 1);
    app.finish().await;
}
