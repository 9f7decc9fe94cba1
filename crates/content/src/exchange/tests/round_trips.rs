//! What goes out comes in again as it was; what a format can't hold is told.

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::{exported, findings, importing, make_course, make_test, module, stored};
use crate::testing::{App, Tenant};

/// What a test is, without what every resource has of its own.
fn of_test(test: &Value) -> Value {
    let fields = [
        "name",
        "description",
        "subject",
        "language",
        "level",
        "timeLimit",
        "passingValueType",
        "passingValue",
        "items",
    ];
    fields.iter().map(|field| ((*field).to_owned(), test[*field].clone())).collect()
}

fn of_module(module: &Value) -> Value {
    let fields = ["title", "description", "type", "language", "content", "quizzes", "metadata"];
    fields.iter().map(|field| ((*field).to_owned(), module[*field].clone())).collect()
}

/// The whole modules of a course, in order.
async fn parts(app: &App, tenant: &Tenant, course: &Value) -> Vec<Value> {
    let mut parts = Vec::new();
    for (n, entry) in course["contents"].as_array().unwrap().iter().enumerate() {
        assert_eq!(entry["sequence"], n + 1);
        parts.push(stored(app, tenant, "modules", entry).await);
    }
    parts
}

#[both_stores]
async fn a_test_comes_back_with_all_five_types(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    let made = make_test(&app, &tenant, "Zellen “& more”").await;
    for format in ["qti-3.0", "qti-2.1"] {
        let package =
            exported(&app, &tenant, &format!("tests/{}", made["id"].as_str().unwrap()), &format!("?format={format}"))
                .await;
        let imported = importing(&app, &other, package.bytes).send().await.expect(201);
        assert_eq!(
            (&imported["course"], &imported["modules"], findings(&imported["report"])),
            (&json!(null), &json!([]), vec![]),
            "{format}"
        );
        let [entry] = &imported["tests"].as_array().unwrap()[..] else { panic!("{imported}") };
        assert_eq!(entry["name"], made["name"]);
        let back = stored(&app, &other, "tests", entry).await;
        assert_eq!(of_test(&back), of_test(&made), "{format}");
        assert_eq!(
            (&back["status"], &back["visibility"], &back["version"]),
            (&json!("completed"), &json!("PRIVATE"), &json!(1))
        );
    }
    app.finish().await;
}

#[both_stores]
async fn a_module_comes_back_with_quizzes_of_all_three_types(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    let made = app.make(&tenant, "modules", &module()).await;
    let package = exported(&app, &tenant, &format!("modules/{}", made["id"].as_str().unwrap()), "").await;
    let path = other.resources("imports");
    let imported =
        app.post(&path).key(&other.key).raw("text/html; charset=utf-8", package.bytes).send().await.expect(201);
    assert_eq!(
        (&imported["course"], &imported["tests"], findings(&imported["report"])),
        (&json!(null), &json!([]), vec![])
    );
    let back = stored(&app, &other, "modules", &imported["modules"][0]).await;
    assert_eq!(of_module(&back), of_module(&made));
    assert_eq!(back["metadata"].to_string(), made["metadata"].to_string(), "the order of the keys stays");
}

#[both_stores]
async fn a_course_comes_back_with_modules_tests_and_links_in_order(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    let taken = make_test(&app, &tenant, "Cells").await;
    let course = json!({ "title": "Biology 7", "description": "Life.", "level": "BEGINNER", "language": "de" });
    let course = make_course(&app, &tenant, &course, &[
            module(),
            json!({ "title": "Take the test", "type": "test", "metadata": { "testId": taken["id"] } }),
            json!({ "title": "Read on", "type": "link", "metadata": { "url": "https://example.org/cells?a=1&b=\"2\"" } }),
            json!({ "title": "The end", "content": "<p>Bye.</p>" }),
        ]).await;
    let path = format!("courses/{}", course["id"].as_str().unwrap());
    let package = exported(&app, &tenant, &path, "").await;
    let imported = importing(&app, &other, package.bytes.clone()).send().await.expect(201);
    assert_eq!(findings(&imported["report"]), []);
    let kinds: Vec<_> = imported["modules"].as_array().unwrap().iter().map(|module| module["type"].clone()).collect();
    assert_eq!(kinds, ["markdown", "test", "link", "markdown"]);
    let back = stored(&app, &other, "courses", &imported["course"]).await;
    for field in ["title", "description", "level", "language"] {
        assert_eq!(back[field], course[field], "{field}");
    }
    assert_eq!(
        (&back["visibility"], &back["status"], &back["version"]),
        (&json!("PRIVATE"), &json!("completed"), &json!(1))
    );
    let (before, after) = (parts(&app, &tenant, &course).await, parts(&app, &other, &back).await);
    for place in [0, 3] {
        assert_eq!(of_module(&after[place]), of_module(&before[place]));
    }
    let [entry] = &imported["tests"].as_array().unwrap()[..] else { panic!("{imported}") };
    assert_eq!((&after[1]["type"], &after[1]["metadata"]), (&json!("test"), &json!({ "testId": entry["id"] })));
    assert_eq!(of_test(&stored(&app, &other, "tests", entry).await), of_test(&taken));
    assert_eq!((&after[2]["title"], &after[2]["metadata"]), (&json!("Read on"), &before[2]["metadata"]));
    let again = exported(&app, &other, &format!("courses/{}", back["id"].as_str().unwrap()), "").await;
    let third = importing(&app, &tenant, again.bytes).send().await.expect(201);
    assert_eq!(
        (third["modules"].as_array().unwrap().len(), third["tests"].as_array().unwrap().len()),
        (4, 1),
        "it stays what it is"
    );
    app.finish().await;
}

#[both_stores]
async fn a_part_that_says_more_than_what_it_stands_for_stays_a_module(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let taken = make_test(&app, &tenant, "Cells").await;
    let course = make_course(&app, &tenant, &json!({ "title": "Biology" }), &[
            json!({ "title": "Before you begin", "type": "test", "content": "<p>Take your time.</p>", "metadata": { "testId": taken["id"] } }),
            json!({ "title": "Worth reading", "type": "link", "description": "Why.", "metadata": { "url": "https://example.org/" } }),
        ]).await;
    let package = exported(&app, &tenant, &format!("courses/{}", course["id"].as_str().unwrap()), "").await;
    let imported = importing(&app, &tenant, package.bytes).send().await.expect(201);
    let parts: Vec<_> =
        imported["modules"].as_array().unwrap().iter().map(|part| part["title"].as_str().unwrap()).collect();
    assert_eq!(parts, ["Before you begin", "Cells", "Worth reading"]);
}

#[both_stores]
async fn what_a_part_that_stands_for_something_can_not_keep_is_told(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let taken = make_test(&app, &tenant, "Cells").await;
    let course = make_course(
        &app,
        &tenant,
        &json!({ "title": "Biology" }),
        &[
            json!({ "title": "Cells", "type": "test", "metadata": { "testId": taken["id"] } }),
            json!({ "title": "My own heading", "type": "test", "metadata": { "testId": taken["id"] } }),
            json!({ "title": "No id", "type": "test", "metadata": { "testId": "../../x" } }),
            json!({ "title": "No address", "type": "link", "metadata": { "url": "javascript:alert(1)" } }),
        ],
    )
    .await;
    let path = format!("courses/{}", course["id"].as_str().unwrap());
    let report = exported(&app, &tenant, &path, "?report=true").await.json();
    let resources = findings(&report).into_iter().filter(|(_, code)| code == "resource");
    assert_eq!(resources.map(|(place, _)| place).collect::<Vec<_>>(), ["contents/3", "contents/4"]);
    let titles = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["message"].as_str().unwrap().contains("The title"));
    assert_eq!(titles.map(|finding| &finding["file"]).collect::<Vec<_>>(), ["contents/2"]);
}

#[both_stores]
async fn a_part_whose_test_is_gone_goes_out_as_a_module_and_says_so(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    let foreign = make_test(&app, &other, "Foreign").await;
    let course = make_course(
        &app,
        &tenant,
        &json!({ "title": "Biology" }),
        &[json!({ "title": "Take it", "type": "test", "metadata": { "testId": foreign["id"] } })],
    )
    .await;
    let path = format!("courses/{}", course["id"].as_str().unwrap());
    let report = exported(&app, &tenant, &path, "?report=true").await.json();
    assert_eq!(findings(&report), [("contents/1".to_owned(), "resource".to_owned())]);
    let package = exported(&app, &tenant, &path, "").await;
    assert!(!String::from_utf8_lossy(&package.bytes).contains("Foreign"));
    let imported = importing(&app, &tenant, package.bytes).send().await.expect(201);
    assert_eq!((imported["modules"].as_array().unwrap().len(), &imported["tests"]), (1, &json!([])));
}
