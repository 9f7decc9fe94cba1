//! Reading one resource: what is answered, and who has it.

use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::testing::{App, Tenant};

/// Expands a source; the path of the resource that came of an output, and its id.
async fn expanded(app: &App, tenant: &Tenant, output: usize, plural: &str) -> (String, String) {
    let job = app.expand(tenant, &tenant.source()).await;
    app.run_jobs().await;
    let id = app.job(tenant, &job).await["outputs"][output]["resourceId"].as_str().unwrap().to_owned();
    (tenant.resources(&format!("{plural}/{id}")), id)
}

#[both_stores]
async fn the_module_of_an_output_is_read_by_its_resource_id(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let (path, id) = expanded(&app, &tenant, 0, "modules").await;
    let module = app.get(&path).key(&tenant.key).send().await.expect(200);
    assert_eq!(
        module,
        json!({
            "id": id,
            "classroomId": tenant.classroom,
            "courseId": null,
            "sequence": null,
            "title": "Cells module",
            "slug": "cells-module",
            "description": "A module.",
            "type": "markdown",
            "status": "completed",
            "error": null,
            "language": "en",
            "isPublic": false,
            "content": "<article><section><h2>The cell</h2><p>A cell is alive.</p></section></article>",
            "quizzes": [{
                "id": module["quizzes"][0]["id"], "sequence": 1, "title": "The cell", "question": "Is a cell alive?",
                "type": "true-false", "options": ["True", "False"], "correctAnswers": ["True"], "showFeedback": true,
            }],
            "metadata": { "expansionId": module["metadata"]["expansionId"], "generator": "builtin", "sources": [
                { "part": "sections/0", "pointers": ["/level/lessons/0"] },
            ] },
            "publicUrl": null,
            "previewUrl": module["previewUrl"],
            "version": 1,
            "createdAt": "2026-01-02T03:04:05.000Z",
            "updatedAt": "2026-01-02T03:04:05.000Z",
        })
    );
    app.finish().await;
}

#[both_stores]
async fn the_video_of_an_output_is_read_by_its_resource_id(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let (path, id) = expanded(&app, &tenant, 1, "videos").await;
    let video = app.get(&path).key(&tenant.key).send().await.expect(200);
    assert_eq!(
        video,
        json!({
            "id": id,
            "classroomId": tenant.classroom,
            "title": "Cells video",
            "slug": "cells-video",
            "description": "A video.",
            "status": "completed",
            "error": null,
            "visibility": "PRIVATE",
            "language": "en",
            "aspectRatio": "16:9",
            "targetDurationSeconds": 7,
            "scenes": [
                { "id": video["scenes"][0]["id"], "sequence": 1, "script": "A cell is alive.", "displayText": "The cell", "duration": 3.5 },
                { "id": video["scenes"][1]["id"], "sequence": 2, "script": "That was the cell.", "displayText": "The cell", "duration": 3.5 },
            ],
            "metadata": { "expansionId": video["metadata"]["expansionId"], "generator": "builtin", "sources": [
                { "part": "scenes/0", "pointers": ["/level/lessons/0"] },
            ] },
            "publicUrl": null,
            "previewUrl": video["previewUrl"],
            "version": 1,
            "createdAt": "2026-01-02T03:04:05.000Z",
            "updatedAt": "2026-01-02T03:04:05.000Z",
        })
    );
    assert_ne!(video["scenes"][0]["id"], video["scenes"][1]["id"]);
    app.finish().await;
}

#[both_stores]
async fn the_test_of_an_output_is_read_by_its_resource_id(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let (path, id) = expanded(&app, &tenant, 2, "tests").await;
    let quiz = app.get(&path).key(&tenant.key).send().await.expect(200);
    assert_eq!(
        quiz,
        json!({
            "id": id,
            "classroomId": tenant.classroom,
            "name": "Cells test",
            "slug": "cells-test",
            "description": "A test.",
            "status": "completed",
            "error": null,
            "visibility": "PRIVATE",
            "topicPrompt": null,
            "targetPrompt": null,
            "subject": "Biology",
            "language": "en",
            "level": "MEDIUM",
            "timeLimit": 5,
            "passingValueType": "PERCENTAGE",
            "passingValue": 60.0,
            "items": [{
                "id": quiz["items"][0]["id"], "sequence": 1, "question": "What is alive?", "type": "select",
                "options": ["A cell", "A stone"], "correctAnswers": ["A cell"], "explanation": "A cell is alive.", "score": 1.0,
            }],
            "metadata": { "expansionId": quiz["metadata"]["expansionId"], "generator": "builtin", "sources": [
                { "part": "items/0", "pointers": ["/level/lessons/0"] },
            ] },
            "publicUrl": null,
            "previewUrl": quiz["previewUrl"],
            "version": 1,
            "createdAt": "2026-01-02T03:04:05.000Z",
            "updatedAt": "2026-01-02T03:04:05.000Z",
        })
    );
    app.finish().await;
}

#[both_stores]
async fn another_classroom_or_organization_does_not_have_an_output(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    let beside = app.classroom(&tenant, "Class 8a", "en").await;
    let unknown = app.test.ambient.id::<kernel::id::ModuleId>();
    for (output, plural) in ["modules", "videos", "tests"].into_iter().enumerate() {
        let (path, id) = expanded(&app, &tenant, output, plural).await;
        app.get(&path).key(&other.key).send().await.expect(404);
        for (classroom, id) in [
            (beside.id.to_string(), id.clone()),
            (other.classroom.to_string(), id.clone()),
            (tenant.classroom.to_string(), unknown.to_string()),
            (tenant.classroom.to_string(), "7".to_owned()),
            (unknown.to_string(), id.clone()),
        ] {
            let path = format!("/v1/content/classrooms/{classroom}/{plural}/{id}");
            app.get(&path).key(&tenant.key).send().await.expect(404);
        }
        for classroom in ["7b", "%00", "%20"] {
            let path = format!("/v1/content/classrooms/{classroom}/{plural}/{id}");
            assert_eq!(app.get(&path).key(&tenant.key).send().await.faults(), ["classroomId"]);
        }
    }
}

#[both_stores]
async fn another_classroom_or_organization_does_not_have_a_slide(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    let beside = app.classroom(&tenant, "Class 8a", "en").await;
    let made = app.make(&tenant, "slides", &json!({ "title": "The cell" })).await;
    let id = made["id"].as_str().unwrap();
    let unknown = app.test.ambient.id::<kernel::id::SlideId>().to_string();
    let before = app.stored().await;
    let paths = [
        (tenant.resources(&format!("slides/{id}")), &other.key),
        (format!("/v1/content/classrooms/{}/slides/{id}", beside.id), &tenant.key),
        (format!("/v1/content/classrooms/{}/slides/{id}", other.classroom), &tenant.key),
        (tenant.resources(&format!("slides/{unknown}")), &tenant.key),
        (tenant.resources("slides/7"), &tenant.key),
        (tenant.resources("slides/%00"), &tenant.key),
    ];
    for (path, key) in paths {
        app.patch(&path).key(key).json(&json!({ "title": "x" })).send().await.expect(404);
        app.delete(&path).key(key).send().await.expect(404);
        app.get(&path).key(key).send().await.expect(404);
    }
    assert_eq!(app.stored().await, before);
    for classroom in ["7b", "%00"] {
        let path = format!("/v1/content/classrooms/{classroom}/slides/{id}");
        assert_eq!(app.get(&path).key(&tenant.key).send().await.faults(), ["classroomId"]);
    }
}
