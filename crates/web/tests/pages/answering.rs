//! A learner answers.

use content::resources::Kind;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::service::{BODY_LIMIT_BYTES, Service};

const BASE: &str = "https://lectern.example";

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
        item("free", "open-ended", json!([]), json!(["A long story."]), 3.0),
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
    assert!(!fresh.body.contains("Because of") && !fresh.body.contains("long story"));
    assert!(fresh.texts("#hint-4")[0].contains("This page takes no files."));
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
    assert_eq!(result.texts("#verdict-2 p")[1..], ["Right answer: cell", "Why: Because of blank."]);
    assert_eq!(
        result.texts("#verdict-3 p")[..2],
        ["• This page does not grade this answer.", "A good answer: A long story."]
    );
    assert_eq!(result.texts("#field-3"), ["My story"]);
    service.set(Kind::Test, &id, "passing_value", json!(60.0)).await;
    assert!(service.answer(&path, &[("answer-one", "b")]).await.texts("#result .outcome")[0].starts_with("Still open"));
    service.set(Kind::Test, &id, "passing_value", json!(100.0)).await;
    assert_eq!(service.answer(&path, &[]).await.texts("#result .outcome"), ["Not passed"]);
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
