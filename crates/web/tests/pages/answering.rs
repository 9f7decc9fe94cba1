//! A learner answers.

use content::resources::Kind;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::service::{BODY_LIMIT_BYTES, Service};

const BASE: &str = "https://lectern.example";

/// The model answer of an open item, which the built-in grader is sure of.
const LEAVES: &str = "Leaves are green because chlorophyll reflects green light and absorbs red and blue light.";

pub(crate) fn quiz() -> Value {
    let item = |id: &str, kind: &str, options: Value, key: Value, tells: bool| {
        json!({
            "id": id, "sequence": 1, "title": "Lesson", "question": format!("Question {id}?"), "type": kind,
            "options": options, "correctAnswers": key, "showFeedback": tells,
        })
    };
    json!([
        item("one", "select", json!(["a", "b"]), json!(["b"]), true),
        item("many", "select", json!(["a", "b", "c"]), json!(["a", "c"]), true),
        item("true", "true-false", json!(["True", "False"]), json!(["False"]), true),
        item("blank", "blank", json!([]), json!(["cell membrane"]), true),
        item("silent", "blank", json!([]), json!(["nucleus"]), false),
    ])
}

pub(crate) fn items() -> Value {
    let item = |id: &str, kind: &str, options: Value, key: Value, score: f64| {
        json!({
            "id": id, "sequence": 1, "question": format!("Question {id}?"), "type": kind, "options": options,
            "correctAnswers": key, "explanation": format!("Because of {id}."), "score": score,
        })
    };
    json!([
        item("one", "select", json!(["a", "b"]), json!(["b"]), 2.0),
        item("blank", "blank", json!([]), json!(["cell"]), 1.5),
        item("free", "open-ended", json!([]), json!([LEAVES]), 3.0),
        item("work", "submission", json!([]), json!([]), 1.0),
    ])
}

#[both_stores]
async fn a_modules_quiz_is_checked_item_by_item(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let id = service.add(Kind::Module, json!({ "quizzes": quiz() })).await;
    let path = service.public(Kind::Module, &id);
    let fresh = service.get(&path).await;
    assert!(fresh.texts(".feedback, #result").is_empty());
    assert_eq!(
        fresh.attributes("input[type=radio]", "name"),
        ["answer-one", "answer-one", "answer-true", "answer-true"]
    );
    assert_eq!(fresh.attributes("input[type=checkbox]", "name"), ["answer-many"; 3]);
    let answers =
        [("answer-one", "b"), ("answer-many", "a"), ("answer-blank", " Cell  MEMBRANE."), ("answer-silent", "x")];
    let checked = service.answer(&path, &answers).await;
    assert_eq!(checked.status, 200);
    let verdicts = ["✓ Right", "✗ Not right", "– Not answered", "✓ Right"];
    assert_eq!(checked.texts(".verdict")[..4], verdicts);
    assert!(checked.texts(".verdict")[4].contains("no feedback"));
    assert_eq!(checked.texts("#verdict-2 p")[1], "Right answer: a · c");
    assert_eq!(checked.texts("#verdict-3 p")[1], "Right answer: False");
    assert!(!checked.body.contains("nucleus"), "a question without feedback keeps its key");
    assert_eq!(checked.texts("#result .outcome"), ["Right: 2 of 4"]);
    assert_eq!(checked.attributes("#result a", "href"), ["#question-2"]);
    assert_eq!(checked.attributes("input[checked]", "value"), ["b", "a"]);
    assert_eq!(checked.attributes("#field-4", "value"), [" Cell  MEMBRANE."]);
    assert_eq!((checked.header("cache-control"), checked.header("etag")), ("no-store", ""));
}

#[both_stores]
async fn a_test_has_a_result_in_points_and_percent(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let id = service.add(Kind::Test, json!({ "items": items(), "passing_value": 25.0 })).await;
    let path = service.public(Kind::Test, &id);
    let fresh = service.get(&path).await;
    assert_eq!(
        fresh.texts("ul.facts li"),
        ["Time: 15 min. The page does not stop you.", "Points: 7.5", "To pass: 25%"]
    );
    assert!(!fresh.body.contains("Because of") && !fresh.body.contains("chlorophyll"));
    assert!(fresh.texts("#hint-4")[0].contains("This page takes no files."));
    service.set_budget(0).await;
    let result =
        service.answer(&path, &[("answer-one", "b"), ("answer-blank", "tissue"), ("answer-free", "My story")]).await;
    assert_eq!(
        result.texts("#result .outcome"),
        ["Passed"],
        "2 of 7.5 is more than a quarter, whatever the rest brings"
    );
    let lines = result.texts("#result p");
    assert_eq!(lines[1], "Points: 2 of 3.5 (57.1%)");
    assert_eq!(lines[3], "Points that only a person can give and that are not counted here: 4");
    assert!(lines[4].starts_with("This result is not final"), "{lines:?}");
    assert_eq!(result.texts("#verdict-2 p")[1..], ["Right answer: cell", "Why: Because of blank."]);
    assert_eq!(
        result.texts("#verdict-3 p")[..2],
        [
            "? This answer was not graded here. Ask a person to look at it.".to_owned(),
            format!("A good answer: {LEAVES}")
        ]
    );
    assert_eq!(result.texts("#field-3"), ["My story"]);
    service.set(Kind::Test, &id, "passing_value", json!(60.0)).await;
    let undecided = service.answer(&path, &[("answer-one", "b"), ("answer-free", "My story")]).await;
    assert!(undecided.texts("#result .outcome")[0].starts_with("Still open"));
    service.set(Kind::Test, &id, "passing_value", json!(100.0)).await;
    assert_eq!(service.answer(&path, &[]).await.texts("#result .outcome"), ["Not passed"]);
}

#[both_stores]
async fn an_open_answer_is_graded_so_that_the_result_is_final(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let items = json!([items()[0], items()[2]]);
    let id = service.add(Kind::Test, json!({ "items": items })).await;
    let path = service.public(Kind::Test, &id);
    let right = service.answer(&path, &[("answer-one", "b"), ("answer-free", LEAVES)]).await;
    assert_eq!(right.texts("#result .outcome"), ["Passed"]);
    assert_eq!(right.texts("#result p")[1..3], ["Points: 5 of 5 (100%)", "To pass: 60%"], "final");
    assert_eq!(right.texts("#verdict-2 p")[..2], ["✓ Graded", "Points: 3 of 3"]);
    assert!(right.texts("#verdict-2 p")[2].len() > 20, "the grader says why");
    let nothing = service.answer(&path, &[("answer-one", "b"), ("answer-free", " ")]).await;
    assert_eq!(nothing.texts("#verdict-2 .verdict"), ["– Not answered"]);
    assert_eq!(nothing.texts("#result p")[..2], ["Not passed", "Points: 2 of 5 (40%)"]);
    assert_eq!(
        nothing.texts("#result p").len(),
        3,
        "an empty answer waits for nobody: {:?}",
        nothing.texts("#result p")
    );
    assert_eq!(service.answers_counted().await, 1, "an empty answer is not graded");
    let stored = service.count("evaluation").await + service.count("submission").await;
    assert_eq!(stored, 0, "no answer is stored");
}

#[both_stores]
async fn a_grade_that_a_person_should_look_at_leaves_the_result_open(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let mut item = items()[2].clone();
    item["correctAnswers"] = json!([]);
    let id = service.add(Kind::Test, json!({ "items": [item] })).await;
    let result = service.answer(&service.public(Kind::Test, &id), &[("answer-free", "Because of the sun.")]).await;
    assert_eq!(result.texts("#verdict-1 .verdict"), ["• This is an estimate. Ask a person to look at this answer."]);
    assert!(result.texts("#result .outcome")[0].starts_with("Still open"));
    let lines = result.texts("#result p");
    assert!(lines.iter().any(|line| line.starts_with("This result is not final")), "{lines:?}");
}

#[both_stores]
async fn the_budget_of_a_day_is_never_exceeded(test: TestStore) {
    let service = std::sync::Arc::new(Service::new(test, BASE).await);
    service.set_budget(3).await;
    let id = service.add(Kind::Test, json!({ "items": [items()[2]] })).await;
    let path = service.public(Kind::Test, &id);
    let mut sending = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (service, path) = (service.clone(), path.clone());
        sending.spawn(async move { service.answer(&path, &[("answer-free", LEAVES)]).await.texts(".verdict") });
    }
    let verdicts = sending.join_all().await.concat();
    let count = |wanted: &str| verdicts.iter().filter(|verdict| verdict.contains(wanted)).count();
    assert_eq!((count("Graded"), count("Ask a person")), (3, 5), "{verdicts:?}");
    assert_eq!(service.answers_counted().await, 3);
}

#[both_stores]
async fn one_answer_is_checked_where_it_stands_and_no_other_key_is_told(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let module = service.add(Kind::Module, json!({ "quizzes": quiz() })).await;
    let test = service.add(Kind::Test, json!({ "items": items() })).await;
    for (path, key) in
        [(service.public(Kind::Module, &module), "cell membrane"), (service.public(Kind::Test, &test), "cell")]
    {
        let fresh = service.get(&path).await;
        let blank = if key == "cell" { "2" } else { "4" };
        let buttons = fresh.attributes("button[name=check]", "value");
        assert_eq!(
            buttons,
            if key == "cell" { &["one", "blank", "free"][..] } else { &["one", "many", "true", "blank"] }
        );
        let targets = fresh.attributes(&format!("#question-{blank} button[name=check]"), "formaction");
        assert_eq!(targets, [format!("#verdict-{blank}")]);
        let fields = [("answer-one", "a"), ("answer-blank", "tissue"), ("check", "blank")];
        let checked = service.answer(&path, &fields).await;
        assert_eq!(checked.texts(".verdict"), ["✗ Not right"]);
        assert_eq!(checked.texts(&format!("#verdict-{blank} p"))[1], format!("Right answer: {key}"));
        assert!(checked.texts("#result").is_empty(), "the others are still to be answered");
        assert_eq!(checked.attributes("input[checked]", "value"), ["a"], "what was answered stays");
        assert_eq!(checked.attributes("[data-verdict]", "aria-live").len(), buttons.len() + 1);
        for other in ["Because of one", "Right answer: <bdi>b", "nucleus", "chlorophyll"] {
            assert!(!checked.body.contains(other), "{path} {other}");
        }
        let alone = service.answer(&path, &[("answer-blank", "tissue"), ("check", "blank"), ("part", "item")]).await;
        assert_eq!(
            (alone.texts(".verdict").len(), alone.texts("[data-item]").len(), alone.texts("h1").len()),
            (1, 1, 0)
        );
        assert_eq!(alone.header("cache-control"), "no-store");
        let all = service.answer(&path, &[("answer-blank", "tissue"), ("check", "nothing")]).await;
        assert_eq!(all.texts("#result").len(), 1, "an unknown item checks all");
    }
    assert_eq!(service.answers_counted().await, 0, "no open answer was sent");
    let path = service.public(Kind::Test, &test);
    let open = service.answer(&path, &[("answer-free", LEAVES), ("answer-one", "a"), ("check", "one")]).await;
    assert_eq!(
        (open.texts(".verdict").len(), service.answers_counted().await),
        (1, 0),
        "only the checked item is graded"
    );
    let open = service.answer(&path, &[("answer-free", LEAVES), ("check", "free"), ("part", "item")]).await;
    assert_eq!(open.texts("#verdict-3 p")[..2], ["✓ Graded", "Points: 3 of 3"]);
    assert_eq!(service.answers_counted().await, 1);
}

#[both_stores]
async fn a_blank_is_compared_in_the_language_of_its_page_with_every_accepted_text(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let mut item = items()[1].clone();
    item["correctAnswers"] = json!(["anderthalb Kilometer", "1,5 km"]);
    let id = service.add(Kind::Test, json!({ "items": [item], "language": "de" })).await;
    let path = service.public(Kind::Test, &id);
    for (text, verdict) in [("1500 m", "✓ Richtig"), ("1,50 km", "✓ Richtig"), ("15 km", "✗ Nicht richtig")] {
        let reply = service.answer(&path, &[("answer-blank", text)]).await;
        assert_eq!(reply.texts(".verdict"), [verdict], "{text}");
    }
    let part = service.answer(&path, &[("answer-blank", "1,5")]).await;
    assert_eq!(part.texts(".verdict"), ["◐ Teilweise richtig"], "the unit is missing");
    assert_eq!(part.texts("#verdict-1 p")[1], "Punkte: 0,7 von 1,5");
}

#[both_stores]
async fn a_preview_is_answered_like_a_public_page(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let id = service.add(Kind::Test, json!({ "items": items(), "visibility": "PRIVATE" })).await;
    let result = service.answer(&service.preview(Kind::Test, &id), &[("answer-one", "b")]).await;
    assert_eq!(result.texts("#verdict-1 .verdict, .verdict")[0], "✓ Right");
    assert_eq!(service.answer(&service.public(Kind::Test, &id), &[]).await.status, 404);
}

#[both_stores]
async fn what_is_not_whole_takes_no_answers(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let id = service.add(Kind::Test, json!({ "items": items(), "status": "queued" })).await;
    assert_eq!(service.answer(&service.public(Kind::Test, &id), &[]).await.status, 405);
}

#[both_stores]
async fn forms_have_a_limit_and_a_type(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let id = service.add(Kind::Module, json!({ "quizzes": quiz() })).await;
    let path = service.public(Kind::Module, &id);
    let long = "x".repeat(BODY_LIMIT_BYTES);
    let reply = service.answer(&path, &[("answer-blank", &long)]).await;
    assert_eq!((reply.status.as_u16(), reply.texts("h1")), (413, vec!["Too much text".to_owned()]));
    let utf16 = "application/x-www-form-urlencoded; charset=utf-16";
    for other in ["application/json", "", utf16] {
        let reply = service.post(&path, other, "answer-one=b".to_owned()).await;
        assert_eq!((reply.status.as_u16(), reply.texts("h1")), (415, vec!["This form can't be read".to_owned()]));
        assert!(reply.texts(".lead")[0].contains("reload the page"), "not to try again later: {}", reply.body);
    }
    let odd = service.post(&path, "application/x-www-form-urlencoded", "&&=&answer-one=%ff%00&%=%zz".to_owned()).await;
    assert_eq!((odd.status.as_u16(), odd.texts(".verdict")[0].as_str()), (200, "✗ Not right"));
}

#[both_stores]
async fn a_page_is_looked_up_before_its_form_is_read(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let id = service.add(Kind::Module, json!({ "quizzes": quiz() })).await;
    let slides = service.add(Kind::Slide, json!({})).await;
    let long = "x".repeat(BODY_LIMIT_BYTES);
    let answers = [("answer-blank", long.as_str())];
    let path = service.public(Kind::Module, &id);
    assert_eq!(service.post(&path, "application/json", "{}".to_owned()).await.status, 415);
    assert_eq!(service.answer(&path, &answers).await.status, 413);
    let unknown = service.public(Kind::Module, "01890a5d-ac96-774b-bcce-b302099a8057");
    assert_eq!(service.answer(&unknown, &answers).await.status, 404);
    assert_eq!(service.answer(&service.public(Kind::Slide, &slides), &answers).await.status, 405);
    service.test.store.close().await;
    assert_eq!(service.answer(&path, &answers).await.status, 503);
}

#[both_stores]
async fn an_answer_is_text_wherever_it_is_shown(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let id = service.add(Kind::Test, json!({ "items": items() })).await;
    let attack = "</textarea><script>alert(1)</script>\" onfocus=alert(1) x=\"";
    let answers = [("answer-free", attack), ("answer-blank", attack), ("answer-one", attack), (attack, attack)];
    let reply = service.answer(&service.public(Kind::Test, &id), &answers).await;
    assert!(reply.texts("script, [onfocus]").is_empty());
    assert_eq!(reply.texts("#field-3"), [attack]);
    assert_eq!(reply.attributes("#field-2", "value"), [attack]);
}
