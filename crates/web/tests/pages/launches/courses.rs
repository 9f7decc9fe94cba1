//! Tests that are parts of a linked course.

use super::*;

/// A course whose parts are a module and two tests.
struct Parts {
    course: String,
    module: String,
    first: String,
    other: String,
}

impl Parts {
    async fn new(course: &Course) -> Self {
        let id = course.service.add(Kind::Course, json!({ "title": "Biology" })).await;
        let module =
            course.service.add(Kind::Module, json!({ "course_id": id, "sequence": 1, "quizzes": quiz() })).await;
        let whole = course.service.add(Kind::Test, json!({ "items": items(), "visibility": "PRIVATE" })).await;
        let closed = Value::Array(items().as_array().unwrap()[..2].to_vec());
        let short = course.service.add(Kind::Test, json!({ "items": closed, "name": "Short" })).await;
        let first = part(course, &id, 2, &whole).await;
        let other = part(course, &id, 3, &short).await;
        Self { course: id, module, first, other }
    }
}

/// A module that stands for a test.
async fn part(course: &Course, id: &str, sequence: i64, test: &str) -> String {
    let metadata = json!({ "testId": test });
    let module =
        json!({ "course_id": id, "sequence": sequence, "type": "test", "title": "A test", "metadata": metadata });
    course.service.add(Kind::Module, module).await
}

#[both_stores]
async fn a_test_of_a_course_is_handed_in_and_its_result_shown_within_the_course(test: TestStore) {
    let course = Course::new(test).await;
    let parts = Parts::new(&course).await;
    let path = course.launch_linked(Kind::Course, &parts.course, None).await;
    let (first, other) = (format!("{path}/{}", parts.first), format!("{path}/{}", parts.other));
    let page = course.get(&first).await;
    assert!(page.body.contains("Your answers are handed in"), "{}", page.body);
    let mut fields = page.hidden();
    fields.extend([("answer-one", "b"), ("answer-blank", "wall")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    let sent = course.post_form(&first, &fields).await;
    assert_eq!((sent.status, sent.header("location")), (StatusCode::SEE_OTHER, &*first));
    let result = course.get(&first).await;
    assert_eq!(result.texts(".verdict")[..2], ["✓ Right", "✗ Not right"]);
    assert!(!result.body.contains("Right answer"), "keys are for later tries");
    assert_eq!(result.texts(".trail"), ["Biology Part 2 of 3"]);
    assert_eq!(result.attributes(".trail a", "href"), [&*path]);
    let module = format!("{path}/{}", parts.module);
    assert_eq!(result.attributes(".turn a", "href"), [&*module, &path, &other]);
    assert_eq!(course.get(&format!("{first}?again")).await.attributes("input[name=attempt]", "value").len(), 1);
    assert_eq!(course.get(&other).await.attributes("input[name=attempt]", "value").len(), 1, "not taken yet");
    assert_eq!(course.count("SELECT count(*) FROM submission WHERE course IS NOT NULL").await, 1);
    let checked = course.post(&module, &[("answer-one", "b")], "").await;
    assert_eq!((checked.status, &*checked.texts(".verdict")[0]), (StatusCode::OK, "✓ Right"));
    assert_eq!(course.count("SELECT count(*) FROM submission").await, 1, "a quiz is no test");
}

#[both_stores]
async fn a_teacher_tries_a_test_of_a_course_without_handing_it_in(test: TestStore) {
    let course = Course::new(test).await;
    let parts = Parts::new(&course).await;
    let path = course.launch_linked(Kind::Course, &parts.course, Some(TEACHER)).await;
    let first = format!("{path}/{}", parts.first);
    assert!(course.get(&first).await.body.contains("You see this as a teacher"));
    let checked = course.post(&first, &[("answer-one", "a")], "").await;
    assert!(
        checked.status == 200 && checked.texts(".feedback p").contains(&"Right answer: b".to_owned()),
        "{}",
        checked.body
    );
    assert_eq!(course.count("SELECT count(*) FROM submission").await, 0);
}

#[both_stores]
async fn the_column_of_a_course_has_the_points_of_its_tests(test: TestStore) {
    let course = Course::new(test).await;
    let parts = Parts::new(&course).await;
    let pick = format!("courses/{}", parts.course);
    let path = course.pick(settings(&json!({}))).await;
    let column = async |fields: &[(&str, &str)]| course.picked(&path, fields).await[claims::CONTENT_ITEMS][0].clone();
    let link = column(&[("pick", &pick), ("columns", "1")]).await;
    let expected = json!({ "label": "Biology", "scoreMaximum": 11, "resourceId": link["custom"]["lectern_link"] });
    assert_eq!(link["lineItem"], expected);
    assert_eq!(column(&[("pick", &pick)]).await["lineItem"], Value::Null);
    let unfinished = course.service.add(Kind::Test, json!({ "items": items(), "status": "queued" })).await;
    let again = course.service.add(Kind::Course, json!({})).await;
    let pick = format!("courses/{again}");
    part(&course, &again, 1, &unfinished).await;
    part(&course, &again, 2, "0192aee1-5a3b-7c2d-8e4f-123456789abc").await;
    assert_eq!(column(&[("pick", &pick), ("columns", "1")]).await["lineItem"], Value::Null, "no points yet");
}

#[both_stores]
async fn a_test_that_stands_twice_in_a_course_counts_once(test: TestStore) {
    let course = Course::new(test).await;
    let id = course.service.add(Kind::Course, json!({})).await;
    let whole = course.service.add(Kind::Test, json!({ "items": items() })).await;
    for sequence in 1..3 {
        part(&course, &id, sequence, &whole).await;
    }
    let path = course.pick(settings(&json!({}))).await;
    let answer = course.picked(&path, &[("pick", &format!("courses/{id}")), ("columns", "1")]).await;
    assert_eq!(answer[claims::CONTENT_ITEMS][0]["lineItem"]["scoreMaximum"], 7.5);
}
