//! Uploads that come in: what is made of them, once, and by the rules of what is made by hand.

use futures_util::future::join_all;
use interchange::model::{CourseContent, Entry, Item, ItemKind, Link, ModuleContent, Passing, TestContent};
use interchange::{TestFormat, export_course, export_test};
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::{findings, importing, stored};
use crate::testing::App;

fn item(id: &str, question: &str, options: &[&str], keys: &[&str]) -> Item {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Item {
        id: id.to_owned(),
        question: question.to_owned(),
        kind: ItemKind::Select,
        options: texts(options),
        correct_answers: texts(keys),
        explanation: String::new(),
        score: 1.0,
    }
}

fn a_test(title: &str, items: Vec<Item>) -> TestContent {
    TestContent { title: title.to_owned(), items, ..TestContent::default() }
}

fn qti(test: &TestContent) -> Vec<u8> {
    export_test(test, TestFormat::Qti30).bytes
}

fn good() -> Item {
    item("good", "Which?", &["a", "b"], &["a"])
}

const PAGE: &str = "<!doctype html><html><title>Cells</title><p>A cell is alive.</p></html>";

#[both_stores]
async fn an_import_is_made_once_for_each_idempotency_key(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let package = qti(&a_test("Cells", vec![good()]));
    let first = importing(&app, &tenant, package.clone()).idempotency("k").send().await;
    let made = first.expect(201);
    let before = app.stored().await;
    let again = importing(&app, &tenant, package.clone()).idempotency("k").send().await;
    assert_eq!((again.expect(201), again.is_replay(), first.is_replay()), (made.clone(), true, false));
    let other = qti(&a_test("Cells", vec![item("good", "Which one?", &["a", "b"], &["a"])]));
    importing(&app, &tenant, other).idempotency("k").send().await.expect(409);
    let beside = app.classroom(&tenant, "Class 8a", "en").await;
    let elsewhere = app.post(&format!("/v1/content/classrooms/{}/imports", beside.id)).key(&tenant.key);
    elsewhere.raw("application/zip", package.clone()).idempotency("k").send().await.expect(409);
    assert_eq!(app.stored().await, before);
    let without = importing(&app, &tenant, package).send().await.expect(201);
    assert_ne!(without["tests"][0]["id"], made["tests"][0]["id"]);
}

#[both_stores]
async fn of_imports_at_once_with_one_key_exactly_one_is_made(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let package = qti(&a_test("Cells", vec![good()]));
    let replies = join_all((0..6).map(|_| importing(&app, &tenant, package.clone()).idempotency("k").send())).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201 && !reply.is_replay()).count(), 1);
    assert_eq!(app.count("SELECT count(*) FROM test").await, 1);
}

#[both_stores]
async fn the_bytes_say_what_they_are_and_the_type_only_that_they_are_wanted(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let package = qti(&a_test("Cells", vec![good()]));
    let send = async |media_type: &str, body: Vec<u8>| {
        app.post(&tenant.resources("imports")).key(&tenant.key).raw(media_type, body).send().await
    };
    for media_type in [
        "application/zip",
        "Application/ZIP",
        "application/octet-stream",
        "application/x-zip-compressed",
        "application/vnd.ims.imsccv1p3",
        "text/html",
    ] {
        send(media_type, package.clone()).await.expect(201);
    }
    for media_type in ["text/html; charset=utf-8", "application/xhtml+xml", "application/zip"] {
        send(media_type, PAGE.into()).await.expect(201);
    }
    let before = app.stored().await;
    for media_type in [
        "application/json",
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded",
        "image/svg+xml",
        "zip",
        "text/html; charset=latin1",
    ] {
        let reply = send(media_type, package.clone()).await;
        let body = reply.expect(415);
        assert!(body["message"].as_str().unwrap().contains("application/zip"), "{media_type}");
    }
    app.post(&tenant.resources("imports")).key(&tenant.key).send().await.expect(415);
    let compressed = importing(&app, &tenant, package).header("content-encoding", "gzip").send().await;
    compressed.expect(415);
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn a_page_becomes_a_module_in_the_classrooms_language(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let french = app.classroom(&tenant, "Français 3", "fr").await;
    let path = format!("/v1/content/classrooms/{}", french.id);
    let imports = app.post(&format!("{path}/imports")).key(&tenant.key);
    let made = imports.raw("text/html", PAGE).send().await.expect(201);
    let id = made["modules"][0]["id"].as_str().unwrap();
    assert_eq!(
        made["modules"],
        json!([{ "id": id, "title": "Cells", "type": "html", "courseId": null, "sequence": null }])
    );
    let module = app.get(&format!("{path}/modules/{id}")).key(&tenant.key).send().await.expect(200);
    assert_eq!((&module["language"], &module["content"]), (&json!("fr"), &json!("<p>A cell is alive.</p>")));
    assert_eq!(
        (&module["isPublic"], &module["status"], &module["type"]),
        (&json!(false), &json!("completed"), &json!("html"))
    );
}

#[both_stores]
async fn script_in_a_page_never_gets_in(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let page = "<!doctype html><title><script>x</script></title><p onclick='x()'>a<script>alert(1)</script>\
            <a href='javascript:alert(1)'>b</a><svg onload='x()'></svg><iframe src='https://evil.example'></iframe></p>";
    let made = importing(&app, &tenant, page).send().await.expect(201);
    assert!(!findings(&made["report"]).is_empty());
    let content = stored(&app, &tenant, "modules", &made["modules"][0]).await["content"].to_string();
    for hostile in ["script", "onclick", "onload", "iframe", "svg"] {
        assert!(!content.contains(hostile), "{content}");
    }
}

#[both_stores]
async fn what_the_checks_refuse_is_left_out_and_reported(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let mut package = a_test(
        &"x".repeat(300),
        vec![
            good(),
            item("", "No key?", &["a", "b"], &[]),
            item("x", "One option?", &["a"], &["a"]),
            Item { score: 20_000.0, ..item("free", "Too many points?", &["a", "b"], &["b"]) },
            Item { question: "y".repeat(5_001), ..good() },
        ],
    );
    package.time_limit_minutes = Some(500_000.0);
    package.passing = Some(Passing::Points(900.0));
    let made = importing(&app, &tenant, qti(&package)).send().await.expect(201);
    let test = stored(&app, &tenant, "tests", &made["tests"][0]).await;
    let questions: Vec<_> = test["items"].as_array().unwrap().iter().map(|item| item["question"].clone()).collect();
    assert_eq!(questions, ["Which?", "Too many points?"]);
    assert_eq!((test["name"].as_str().unwrap().len(), &test["timeLimit"]), (255, &json!(0)));
    assert_eq!((&test["passingValueType"], &test["passingValue"]), (&json!("PERCENTAGE"), &json!(60.0)));
    let codes: Vec<_> =
        findings(&made["report"]).into_iter().filter(|(file, _)| file == "tests/1").map(|(_, code)| code).collect();
    for code in ["question", "scoring", "behaviour", "metadata"] {
        assert!(codes.iter().any(|found| found == code), "{code}: {}", made["report"]);
    }
    assert_eq!(codes.iter().filter(|code| *code == "question").count(), 3, "{}", made["report"]);
}

#[both_stores]
async fn when_nothing_is_left_every_reason_is_told_and_nothing_is_stored(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let before = app.stored().await;
    let package =
        a_test("Cells", vec![item("a", "One option?", &["a"], &["a"]), item("b", "No key?", &["a", "b"], &[])]);
    let reply = importing(&app, &tenant, qti(&package)).idempotency("k").send().await;
    let body = reply.expect(400);
    let messages: Vec<_> =
        body["details"].as_array().unwrap().iter().map(|detail| detail["message"].as_str().unwrap()).collect();
    assert!(messages[0].starts_with("nothing: "), "{messages:?}");
    assert_eq!(messages.iter().filter(|message| message.starts_with("question: Question ")).count(), 2, "{messages:?}");
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn a_course_without_a_part_that_could_be_kept_is_not_made(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let bad = Entry::Test(a_test("Cells", vec![item("a", "One option?", &["a"], &["a"])]));
    let course = CourseContent { title: "Biology".to_owned(), entries: vec![bad], ..CourseContent::default() };
    importing(&app, &tenant, export_course(&course).bytes).send().await.expect(400);
    let module = ModuleContent { title: String::new(), html: "<p>a</p>".to_owned(), ..ModuleContent::default() };
    let long = Link { title: "Far".to_owned(), url: format!("https://example.org/{}", "x".repeat(3_000)) };
    let course = CourseContent {
        title: " ".to_owned(),
        level: "z".repeat(60),
        entries: vec![Entry::Module(module), Entry::Link(long)],
        ..CourseContent::default()
    };
    let made = importing(&app, &tenant, export_course(&course).bytes).send().await.expect(201);
    let course = stored(&app, &tenant, "courses", &made["course"]).await;
    assert_eq!((&course["title"], &course["level"]), (&json!("Untitled course"), &Value::Null));
    assert_eq!(course["contents"][0]["title"], "Untitled module");
    assert_eq!(course["contents"].as_array().unwrap().len(), 1);
    assert!(findings(&made["report"]).contains(&("contents/2".to_owned(), "link".to_owned())), "{}", made["report"]);
}

#[both_stores]
async fn unknown_and_foreign_classrooms_are_404(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    let before = app.stored().await;
    let unknown = app.test.ambient.id::<kernel::id::ClassroomId>();
    for classroom in [other.classroom, unknown] {
        let call = app.post(&format!("/v1/content/classrooms/{classroom}/imports")).key(&tenant.key);
        call.raw("text/html", PAGE).send().await.expect(404);
    }
    let nowhere = app.post("/v1/content/classrooms/7b/imports").key(&tenant.key).raw("text/html", PAGE).send().await;
    assert_eq!(nowhere.faults(), ["classroomId"]);
    let call = app.post(&tenant.resources("imports")).key(&tenant.key).raw("text/html", PAGE).idempotency("a b");
    assert_eq!(call.send().await.faults(), ["Idempotency-Key"]);
    let both = app.post("/v1/content/classrooms/7b/imports").key(&tenant.key).raw("text/html", PAGE).idempotency("a b");
    assert_eq!(both.send().await.faults(), ["Idempotency-Key", "classroomId"]);
    assert_eq!(app.stored().await, before);
}
