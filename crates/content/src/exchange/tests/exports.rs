//! Files that go out: their names, types and versions, and what stands against it.

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::{exported, exporting, findings, make_course, make_test, module};
use crate::testing::{App, Tenant};

async fn three(app: &App, tenant: &Tenant) -> [(String, &'static str); 3] {
    let test = make_test(app, tenant, "Cells & genes").await;
    let made = app.make(tenant, "modules", &module()).await;
    let course = make_course(app, tenant, &json!({ "title": "細胞" }), &[module()]).await;
    let path = |kind: &str, made: &Value| format!("{kind}/{}", made["id"].as_str().unwrap());
    [
        (path("tests", &test), "qti-3.0"),
        (path("modules", &made), "html"),
        (path("courses", &course), "common-cartridge-1.3"),
    ]
}

#[both_stores]
async fn a_file_has_its_type_a_name_and_the_version(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let [(test, _), (module, _), (course, _)] = three(&app, &tenant).await;
    for (path, query, media_type, names, version) in [
        (
            &test,
            "",
            "application/zip",
            "filename=\"cells-genes.qti30.zip\"; filename*=UTF-8''Cells%20%26%20genes.qti30.zip",
            "\"2\"",
        ),
        (
            &test,
            "?format=qti-2.1",
            "application/zip",
            "filename=\"cells-genes.qti21.zip\"; filename*=UTF-8''Cells%20%26%20genes.qti21.zip",
            "\"2\"",
        ),
        (
            &module,
            "?format=html",
            "text/html; charset=utf-8",
            "filename=\"the-cell-more.html\"; filename*=UTF-8''The%20cell%20%26%20%E2%80%9Cmore%E2%80%9D.html",
            "\"1\"",
        ),
        (
            &course,
            "",
            "application/vnd.ims.imsccv1p3",
            "filename=\"course.imscc\"; filename*=UTF-8''%E7%B4%B0%E8%83%9E.imscc",
            "\"2\"",
        ),
    ] {
        let reply = exported(&app, &tenant, path, query).await;
        assert_eq!(reply.header("content-type"), media_type);
        assert_eq!(reply.header("content-disposition"), format!("attachment; {names}"));
        assert_eq!((reply.header("etag"), reply.header("cache-control")), (version, "no-store"));
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert!(!reply.bytes.is_empty() && !reply.header("ratelimit-limit").is_empty());
        assert_eq!(
            exported(&app, &tenant, path, query).await.bytes,
            reply.bytes,
            "the same content gives the same file"
        );
    }
}

#[both_stores]
async fn the_default_format_is_the_first_and_others_are_400(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (path, default) in three(&app, &tenant).await {
        let named = exported(&app, &tenant, &path, &format!("?format={default}")).await;
        assert_eq!(exported(&app, &tenant, &path, "").await.bytes, named.bytes, "{path}");
        for wrong in ["", "pdf", "QTI-3.0", "%00", "html&format=html"] {
            let reply = exporting(&app, &tenant, &path, &format!("?format={wrong}")).send().await;
            assert_eq!(reply.faults(), ["format"], "{path} as {wrong}");
        }
        let reply = exporting(&app, &tenant, &path, "?format=scorm&report=maybe").send().await;
        assert_eq!(reply.faults(), ["format", "report"]);
        assert!(reply.json()["details"][0]["message"].as_str().unwrap().contains(default), "{}", reply.body);
    }
}

#[both_stores]
async fn what_a_format_cannot_hold_is_in_a_header_and_whole_when_it_is_asked_for(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let made = app.make(&tenant, "tests", &json!({ "topicPrompt": "Cells", "metadata": { "a": 1 } })).await;
    let path = format!("tests/{}", made["id"].as_str().unwrap());
    let items: Vec<_> = (0..40)
        .map(|n| {
            json!({
                "question": format!("{n}: a ___"), "type": "blank", "options": ["a", "b"], "correctAnswers": ["a"],
            })
        })
        .collect();
    app.patch(&tenant.resources(&path)).key(&tenant.key).json(&json!({ "items": items })).send().await.expect(200);
    let report = exported(&app, &tenant, &path, "?report=true").await;
    assert_eq!((report.header("content-type"), report.header("etag")), ("application/json", "\"2\""));
    let whole = report.json();
    assert_eq!(findings(&whole).len(), 42, "{whole}");
    assert_eq!(whole["more"], 0);
    let file = exported(&app, &tenant, &path, "").await;
    let header = file.header("x-export-report");
    assert!(header.len() <= 2048, "{}", header.len());
    let header: Value = serde_json::from_str(header).unwrap();
    let kept = header["findings"].as_array().unwrap();
    assert!(!kept.is_empty() && kept[..] == whole["findings"].as_array().unwrap()[..kept.len()]);
    assert_eq!(kept.len() + header["more"].as_u64().unwrap() as usize, 42);
    let without = app.make(&tenant, "modules", &module()).await;
    let file = exported(&app, &tenant, &format!("modules/{}", without["id"].as_str().unwrap()), "").await;
    assert_eq!(file.header("x-export-report"), "");
    app.run_jobs().await;
}

#[both_stores]
async fn what_is_still_generated_is_409(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let made = app.make(&tenant, "tests", &json!({ "topicPrompt": "Cells" })).await;
    let course = app.make(&tenant, "courses", &json!({ "title": "Biology", "generate": true })).await;
    let waiting = make_course(
        &app,
        &tenant,
        &json!({ "title": "Waits" }),
        &[json!({ "title": "Take it", "type": "test", "metadata": { "testId": made["id"] } })],
    )
    .await;
    let paths = [("tests", &made), ("courses", &course), ("courses", &waiting)];
    let paths = paths.map(|(kind, made)| format!("{kind}/{}", made["id"].as_str().unwrap()));
    for path in &paths {
        exporting(&app, &tenant, path, "").send().await.expect(409);
    }
    app.run_jobs().await;
    for path in &paths {
        exported(&app, &tenant, path, "").await;
    }
    app.finish().await;
}

#[both_stores]
async fn unknown_and_foreign_resources_are_404(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    let beside = app.classroom(&tenant, "Class 8a", "en").await;
    let unknown = app.test.ambient.id::<kernel::id::TestId>();
    for (path, _) in three(&app, &tenant).await {
        exporting(&app, &other, &path, "").send().await.expect(404);
        let foreign = tenant.resources(&format!("{path}/export"));
        app.get(&foreign).key(&other.key).send().await.expect(404);
        let elsewhere = format!("/v1/content/classrooms/{}/{path}/export", beside.id);
        app.get(&elsewhere).key(&tenant.key).send().await.expect(404);
        let kind = path.split_once('/').unwrap().0;
        for id in [unknown.to_string(), "7".to_owned(), "%00".to_owned(), "'%20OR%201=1".to_owned()] {
            exporting(&app, &tenant, &format!("{kind}/{id}"), "").send().await.expect(404);
        }
        let nowhere = format!("/v1/content/classrooms/7b/{path}/export");
        assert_eq!(app.get(&nowhere).key(&tenant.key).send().await.faults(), ["classroomId"]);
    }
}

#[both_stores]
async fn a_course_with_too_much_text_is_409(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let course = make_course(&app, &tenant, &json!({ "title": "Biology" }), &[module()]).await;
    let id = course["id"].as_str().unwrap().parse::<kernel::id::CourseId>().unwrap();
    let (organization, classroom) = (tenant.organization, tenant.classroom);
    let long = "x".repeat(1_000_000);
    app.write(move |tx| (2..=70_i64).try_for_each(|sequence| {
            tx.execute_later(
                "INSERT INTO module (id, organization_id, classroom_id, course_id, sequence, title, slug, description, type,
                    status, language, is_public, content, quizzes, metadata, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, $5, '', '', '', '', 'completed', 'en', 0, $6, '[]', '{}', 0, 0)",
                &[&tx.ambient().id::<kernel::id::ModuleId>(), &organization, &classroom, &id, &sequence, &long],
            )
        })).await;
    exporting(&app, &tenant, &format!("courses/{id}"), "").send().await.expect(409);
}
