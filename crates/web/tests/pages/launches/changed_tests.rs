//! Tests that somebody changes while a learner writes.

use super::*;

/// The items after a change of the blank's question.
fn changed() -> Value {
    let mut changed = items();
    changed[1]["question"] = json!("What divides?");
    changed
}

fn answers(page: &Page) -> Vec<(String, String)> {
    let given = [("answer-one", "b"), ("answer-blank", "cell"), ("answer-free", "Once upon a time.")];
    page.hidden().into_iter().chain(given.map(|(name, value)| (name.to_owned(), value.to_owned()))).collect()
}

struct Writing {
    course: Course,
    test: String,
    path: String,
}

impl Writing {
    async fn new(test: TestStore) -> Self {
        let course = Course::new(test).await;
        let test = course.service.add(Kind::Test, json!({ "items": items() })).await;
        let path = course.launch_linked(Kind::Test, &test, None).await;
        Self { course, test, path }
    }

    async fn set(&self, column: &str, value: Value) {
        self.course.service.set(Kind::Test, &self.test, column, value).await;
        self.course.service.set(Kind::Test, &self.test, "version", json!(2)).await;
    }

    async fn submissions(&self) -> i64 {
        self.course.count("SELECT count(*) FROM submission").await
    }
}

#[both_stores]
async fn answers_to_items_that_were_changed_meanwhile_are_not_handed_in(test: TestStore) {
    let writing = Writing::new(test).await;
    let form = answers(&writing.course.get(&writing.path).await);
    writing.set("items", changed()).await;
    let shown = writing.course.post_form(&writing.path, &form).await;
    assert_eq!((shown.status, writing.submissions().await), (StatusCode::CONFLICT, 0));
    assert!(shown.texts("p[role=alert]")[0].starts_with("Your teacher changed this test"), "{}", shown.body);
    assert!(shown.body.contains("What divides?"));
    assert_eq!(shown.attributes("input[checked]", "value"), ["b"], "the answer to an item that is as it was");
    assert_eq!(shown.texts("textarea"), ["Once upon a time."]);
    assert_eq!(shown.attributes("input[name=answer-blank]", "value"), [""], "it was the answer to another question");
    assert!(shown.texts(".verdict").is_empty(), "nothing is graded");
    let sent = writing.course.post_form(&writing.path, &answers(&shown)).await;
    assert_eq!((sent.status, writing.submissions().await), (StatusCode::SEE_OTHER, 1));
}

#[both_stores]
async fn an_item_that_came_or_went_is_a_change(test: TestStore) {
    let writing = Writing::new(test).await;
    let form = answers(&writing.course.get(&writing.path).await);
    let fewer = Value::Array(items().as_array().unwrap()[..3].to_vec());
    writing.set("items", fewer).await;
    assert_eq!(writing.course.post_form(&writing.path, &form).await.status, 409);
    let fewer = answers(&writing.course.get(&writing.path).await);
    writing.set("items", items()).await;
    assert_eq!(writing.course.post_form(&writing.path, &fewer).await.status, 409);
    assert_eq!(writing.submissions().await, 0);
}

#[both_stores]
async fn a_change_that_no_learner_sees_stops_nobody(test: TestStore) {
    let writing = Writing::new(test).await;
    let form = answers(&writing.course.get(&writing.path).await);
    let mut corrected = items();
    corrected[0]["correctAnswers"] = json!(["a"]);
    writing.set("items", corrected).await;
    writing.set("name", json!("Cells and tissues")).await;
    assert_eq!(writing.course.post_form(&writing.path, &form).await.status, 303);
    assert_eq!(writing.course.get(&writing.path).await.texts(".verdict")[0], "✗ Not right", "by the key of now");
}

#[both_stores]
async fn a_form_that_was_handed_in_leads_to_its_result_whatever_became_of_the_test(test: TestStore) {
    let writing = Writing::new(test).await;
    let form = answers(&writing.course.get(&writing.path).await);
    assert_eq!(writing.course.post_form(&writing.path, &form).await.status, 303);
    writing.set("items", changed()).await;
    assert_eq!(writing.course.post_form(&writing.path, &form).await.status, 303);
    assert_eq!(writing.submissions().await, 1);
}

#[both_stores]
async fn without_an_attempt_left_a_changed_test_is_not_shown_again(test: TestStore) {
    let writing = Writing::new(test).await;
    let one =
        |tx: &mut Tx<'_>| tx.execute("UPDATE lti_registration SET metadata = '{\"tests\":{\"attempts\":1}}'", &[]);
    writing.course.service.test.store.write("test", one).await.unwrap();
    let [form, late] =
        [writing.course.get(&writing.path).await, writing.course.get(&writing.path).await].map(|page| answers(&page));
    assert_eq!(writing.course.post_form(&writing.path, &form).await.status, 303);
    writing.set("items", changed()).await;
    let refused = writing.course.post_form(&writing.path, &late).await;
    assert_eq!(refused.texts(".lead"), ["These answers were not handed in: no attempt is left."]);
}

#[both_stores]
async fn what_tells_items_apart_does_not_tell_their_keys(test: TestStore) {
    let writing = Writing::new(test).await;
    let before = writing.course.get(&writing.path).await.attributes("input[name=seen-one]", "value");
    let mut corrected = items();
    corrected[0]["correctAnswers"] = json!(["a"]);
    writing.set("items", corrected).await;
    assert_eq!(writing.course.get(&writing.path).await.attributes("input[name=seen-one]", "value"), before);
}
