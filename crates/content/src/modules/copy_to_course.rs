//! `POST /v1/content/classrooms/{classroomId}/modules/{moduleId}/copy-to-course` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, integer};
use edge::idempotency::Repeatable;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use http::StatusCode;
use kernel::id::CourseId;
use store::{Record as _, Tx};

use super::Module;
use crate::resources;
use crate::{Content, ContentKey, courses};

/// The most modules of a course.
pub(crate) const MOST_MODULES: i64 = 1_000;

/// The highest place that can be asked for: one beyond the end is the end.
const HIGHEST_PLACE: i64 = 1_000_000;

/// Where to copy a module.
#[derive(Body, Clone, Copy)]
pub struct CopyToCourseRequest {
    /// A course of the same classroom.
    course_id: CourseId,
    /// The copy's place, counted from 1; at the end when it is absent or beyond it.
    #[field(integer(0..=HIGHEST_PLACE))]
    sequence: Option<i64>,
}

/// Copies a module into a course. Later modules of the course move up; the copy is independent of the original.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/modules/{moduleId}/copy-to-course", tag = "Modules",
    operation_id = "copyModuleToCourse", security(("contentKey" = [])), request_body = CopyToCourseRequest,
    params(
        ("If-Match" = Option<String>, Header, description = "The versions of the module that may be copied, or `*`"),
    ),
    responses(
        (status = 201, description = "The copy", body = Module),
        (status = 412, description = "The module was changed since", body = edge::problem::ContentErrorBody),
    )
)]
pub async fn copy_to_course(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    expected: IfMatch,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let keyed = resources::keyed(&repeatable, &path, &body);
    let input = expected.read().and_then(|expected| Ok((expected, body.read()?)));
    let links = content.links.clone();
    resources::post(content, key, "modules.copy_to_course", keyed, input, move |tx, organization, (expected, input)| {
        let module = resources::load::<Module>(tx, &links, organization, &path)?;
        expected.permit(module.version)?;
        let copy = copy(tx, &module, *input)?;
        resources::stored(tx, &links, &copy, StatusCode::CREATED)
    })
    .await
}

fn copy(
    tx: &mut Tx<'_>,
    original: &Module,
    CopyToCourseRequest { course_id: course, sequence }: CopyToCourseRequest,
) -> Result<Module, Problem> {
    let (organization, classroom) = (original.organization_id, original.classroom_id);
    let size = courses::size_of(tx, organization, classroom, course)?.ok_or(Problem::NotFound("Course"))?;
    if size >= MOST_MODULES {
        return Err(Problem::Conflict("The course has as many modules as a course can have."));
    }
    let end = size + 1;
    let sequence = sequence.map_or(end, |wanted| wanted.clamp(1, end));
    courses::touch(tx, organization, course)?;
    super::places::make_room(tx, organization, course, sequence)?;
    let copy = Module {
        id: tx.ambient().id(),
        course_id: Some(course),
        sequence: Some(sequence),
        version: 1,
        ..original.clone()
    };
    copy.insert(tx)?;
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;
    use proptest::strategy::{Strategy as _, ValueTree as _};
    use proptest::test_runner::TestRunner;
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, Call, Tenant};

    fn copying<'a>(app: &'a App, tenant: &Tenant, module: &Value, body: &Value) -> Call<'a> {
        let path = tenant.resources(&format!("modules/{}/copy-to-course", module["id"].as_str().unwrap()));
        app.post(&path).key(&tenant.key).json(body)
    }

    async fn course(app: &App, tenant: &Tenant, made: &Value) -> Value {
        let path = tenant.resources(&format!("courses/{}", made["id"].as_str().unwrap()));
        app.get(&path).key(&tenant.key).send().await.expect(200)
    }

    /// The titles of a course's contents, whose places must be 1, 2, 3 and so on.
    fn titles(course: &Value) -> Vec<String> {
        let contents = course["contents"].as_array().unwrap();
        for (n, entry) in contents.iter().enumerate() {
            assert_eq!(entry["sequence"], n + 1, "{course}");
        }
        contents.iter().map(|entry| entry["title"].as_str().unwrap().to_owned()).collect()
    }

    /// A tenant with a module and an empty course.
    async fn begin(test: TestStore) -> (App, Tenant, Value, Value) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let body = json!({
            "title": "The cell", "content": "<p>Alive.</p>", "isPublic": true, "metadata": { "externalId": "a" },
            "quizzes": [{ "question": "Alive?", "type": "true-false", "correctAnswers": ["True"] }],
        });
        let module = app.make(&tenant, "modules", &body).await;
        let course = app.make(&tenant, "courses", &json!({ "title": "Biology" })).await;
        (app, tenant, module, course)
    }

    #[both_stores]
    async fn a_copy_is_the_module_at_its_place_in_the_course(test: TestStore) {
        let (app, tenant, module, made) = begin(test).await;
        app.test.clock.advance(std::time::Duration::from_secs(1));
        let reply = copying(&app, &tenant, &module, &json!({ "courseId": made["id"], "sequence": 1 })).send().await;
        let copy = reply.expect(201);
        assert_eq!(reply.header("etag"), "\"1\"");
        assert_eq!((&copy["courseId"], &copy["sequence"]), (&made["id"], &json!(1)));
        assert_ne!(copy["id"], module["id"]);
        for field in [
            "classroomId",
            "title",
            "slug",
            "description",
            "type",
            "status",
            "language",
            "isPublic",
            "content",
            "quizzes",
            "metadata",
        ] {
            assert_eq!(copy[field], module[field], "{field}");
        }
        assert_eq!(copy["createdAt"], "2026-01-02T03:04:06.000Z");
        let path = tenant.resources(&format!("modules/{}", copy["id"].as_str().unwrap()));
        assert_eq!(app.get(&path).key(&tenant.key).send().await.expect(200), copy);
        let course = course(&app, &tenant, &made).await;
        assert_eq!(
            course["contents"],
            json!([{
                "id": copy["id"], "sequence": 1, "title": "The cell", "description": "", "type": "markdown",
                "status": "completed", "isPublic": true,
            }])
        );
        assert_eq!((&course["version"], &course["updatedAt"]), (&json!(2), &copy["createdAt"]));
        let listed = app.get(&tenant.resources("modules")).key(&tenant.key).send().await;
        assert_eq!(
            (listed.json()[0]["id"].clone(), listed.header("x-total-count")),
            (copy["id"].clone(), "2"),
            "a copy is a module too"
        );
    }

    #[both_stores]
    async fn a_copy_and_its_original_are_independent(test: TestStore) {
        let (app, tenant, module, made) = begin(test).await;
        let copy = copying(&app, &tenant, &module, &json!({ "courseId": made["id"] })).send().await.expect(201);
        let path = |module: &Value| tenant.resources(&format!("modules/{}", module["id"].as_str().unwrap()));
        app.patch(&path(&module)).key(&tenant.key).json(&json!({ "title": "Original" })).send().await.expect(200);
        app.patch(&path(&copy)).key(&tenant.key).json(&json!({ "content": "Copy" })).send().await.expect(200);
        let read = app.get(&path(&copy)).key(&tenant.key).send().await.json();
        assert_eq!((&read["title"], &read["content"]), (&json!("The cell"), &json!("Copy")));
        app.delete(&path(&module)).key(&tenant.key).send().await.expect(200);
        assert_eq!(titles(&course(&app, &tenant, &made).await), ["The cell"]);
    }

    #[both_stores]
    async fn later_modules_move_up_and_deleted_ones_leave_no_gap(test: TestStore) {
        let (app, tenant, _, made) = begin(test).await;
        let mut modules = Vec::new();
        for title in ["a", "b", "c", "d"] {
            modules.push(app.make(&tenant, "modules", &json!({ "title": title })).await);
        }
        for (module, sequence, expected) in [
            (0, json!(null), vec!["a"]),
            (1, json!(1), vec!["b", "a"]),
            (2, json!(2), vec!["b", "c", "a"]),
            (3, json!(4), vec!["b", "c", "a", "d"]),
        ] {
            let body = json!({ "courseId": made["id"], "sequence": sequence });
            copying(&app, &tenant, &modules[module], &body).send().await.expect(201);
            assert_eq!(titles(&course(&app, &tenant, &made).await), expected);
        }
        for (place, expected) in [(1, vec!["b", "a", "d"]), (0, vec!["a", "d"]), (1, vec!["a"]), (0, vec![])] {
            let before = course(&app, &tenant, &made).await;
            let id = before["contents"][place]["id"].as_str().unwrap();
            app.delete(&tenant.resources(&format!("modules/{id}"))).key(&tenant.key).send().await.expect(200);
            let after = course(&app, &tenant, &made).await;
            assert_eq!(titles(&after), expected);
            assert_eq!(after["version"], before["version"].as_i64().unwrap() + 1);
        }
    }

    #[both_stores]
    async fn a_module_of_a_course_tells_its_course_of_its_changes(test: TestStore) {
        let (app, tenant, module, made) = begin(test).await;
        let copy = copying(&app, &tenant, &module, &json!({ "courseId": made["id"] })).send().await.expect(201);
        let later =
            copying(&app, &tenant, &module, &json!({ "courseId": made["id"], "sequence": 1 })).send().await.expect(201);
        let path = tenant.resources(&format!("modules/{}", copy["id"].as_str().unwrap()));
        let moved = app.get(&path).key(&tenant.key).send().await;
        assert_eq!((&moved.json()["sequence"], moved.header("etag")), (&json!(2), "\"2\""), "its place is part of it");
        let seen = course(&app, &tenant, &made).await["version"].as_i64().unwrap();
        app.patch(&path).key(&tenant.key).json(&json!({ "title": "Changed" })).send().await.expect(200);
        let read = course(&app, &tenant, &made).await;
        assert_eq!(
            (read["contents"][1]["title"].as_str(), read["version"].as_i64()),
            (Some("Changed"), Some(seen + 1))
        );
        assert_eq!(read["contents"][0]["id"], later["id"]);
    }

    #[both_stores]
    async fn a_place_before_the_first_is_the_first_and_one_beyond_the_end_is_the_end(test: TestStore) {
        let (app, tenant, _, made) = begin(test).await;
        for (title, sequence, expected) in [
            ("a", 9, vec!["a"]),
            ("b", 0, vec!["b", "a"]),
            ("c", 1_000_000, vec!["b", "a", "c"]),
            ("d", 3, vec!["b", "a", "d", "c"]),
        ] {
            let module = app.make(&tenant, "modules", &json!({ "title": title })).await;
            let body = json!({ "courseId": made["id"], "sequence": sequence });
            let copy = copying(&app, &tenant, &module, &body).send().await.expect(201);
            assert_eq!(titles(&course(&app, &tenant, &made).await), expected);
            assert_eq!(expected[copy["sequence"].as_u64().unwrap() as usize - 1], title);
        }
    }

    #[both_stores]
    async fn what_is_no_place_is_400(test: TestStore) {
        let (app, tenant, module, made) = begin(test).await;
        let copy = |body: Value| copying(&app, &tenant, &module, &body).send();
        copy(json!({ "courseId": made["id"] })).await.expect(201);
        let before = app.stored().await;
        for wrong in [json!(-1), json!(1.5), json!("1"), json!(1_000_001), json!(1e300), json!([])] {
            assert_eq!(
                copy(json!({ "courseId": made["id"], "sequence": wrong })).await.faults(),
                ["sequence"],
                "{wrong}"
            );
        }
        for wrong in [json!(null), json!(7), json!("7"), json!(""), json!({})] {
            assert_eq!(
                copy(json!({ "courseId": wrong, "sequence": "x" })).await.faults(),
                ["courseId", "sequence"],
                "{wrong}"
            );
        }
        assert_eq!(copy(json!({})).await.faults(), ["courseId"]);
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn unknown_and_foreign_courses_and_modules_are_404(test: TestStore) {
        let (app, tenant, module, made) = begin(test).await;
        let other = app.tenant("Other").await;
        let foreign = app.make(&other, "courses", &json!({ "title": "Foreign" })).await;
        let beside = app.classroom(&tenant, "Class 8a", "en").await;
        let path = format!("/v1/content/classrooms/{}/courses", beside.id);
        let elsewhere =
            app.post(&path).key(&tenant.key).json(&json!({ "title": "Elsewhere" })).send().await.expect(201);
        let before = app.stored().await;
        for id in [&foreign["id"], &elsewhere["id"], &module["id"]] {
            copying(&app, &tenant, &module, &json!({ "courseId": id })).send().await.expect(404);
        }
        let unknown = json!({ "id": made["id"] });
        copying(&app, &tenant, &unknown, &json!({ "courseId": made["id"] })).send().await.expect(404);
        let path =
            format!("/v1/content/classrooms/{}/modules/{}/copy-to-course", beside.id, module["id"].as_str().unwrap());
        app.post(&path).key(&tenant.key).json(&json!({ "courseId": elsewhere["id"] })).send().await.expect(404);
        copying(&app, &other, &module, &json!({ "courseId": foreign["id"] })).send().await.expect(404);
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn copies_at_once_never_share_a_place(test: TestStore) {
        let (app, tenant, module, made) = begin(test).await;
        let copies = (0..12).map(|n| {
            let sequence = if n % 2 == 0 { json!(1) } else { json!(null) };
            copying(&app, &tenant, &module, &json!({ "courseId": made["id"], "sequence": sequence })).send()
        });
        for reply in join_all(copies).await {
            reply.expect(201);
        }
        let read = course(&app, &tenant, &made).await;
        assert_eq!(titles(&read).len(), 12);
        assert_eq!(read["version"], 13);
        let ids: Vec<_> =
            read["contents"].as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect();
        let changes = ids.iter().enumerate().map(|(n, id)| {
            let path = tenant.resources(&format!("modules/{id}"));
            if n % 3 == 0 {
                copying(&app, &tenant, &module, &json!({ "courseId": made["id"], "sequence": 1 })).send()
            } else {
                app.delete(&path).key(&tenant.key).send()
            }
        });
        for reply in join_all(changes).await {
            assert!(reply.status.is_success(), "{}", reply.body);
        }
        assert_eq!(titles(&course(&app, &tenant, &made).await).len(), 8);
    }

    #[both_stores]
    async fn a_repeated_copy_is_one_copy(test: TestStore) {
        let (app, tenant, module, made) = begin(test).await;
        let body = json!({ "courseId": made["id"] });
        let first = copying(&app, &tenant, &module, &body).idempotency("k").header("if-match", "\"1\"").send().await;
        first.expect(201);
        app.patch(&tenant.resources(&format!("modules/{}", module["id"].as_str().unwrap())))
            .key(&tenant.key)
            .json(&json!({ "title": "Changed" }))
            .send()
            .await
            .expect(200);
        let replay = copying(&app, &tenant, &module, &body).idempotency("k").header("if-match", "\"1\"").send().await;
        assert_eq!((replay.is_replay(), &replay.body, replay.header("etag")), (true, &first.body, "\"1\""));
        let other = app.make(&tenant, "modules", &json!({ "title": "Other" })).await;
        copying(&app, &tenant, &other, &body).idempotency("k").send().await.expect(409);
        copying(&app, &tenant, &module, &body).header("if-match", "\"1\"").send().await.expect(412);
        assert_eq!(copying(&app, &tenant, &module, &body).header("if-match", "1").send().await.faults(), ["If-Match"]);
        assert_eq!(titles(&course(&app, &tenant, &made).await).len(), 1);
    }

    #[both_stores]
    async fn a_full_course_takes_no_more(test: TestStore) {
        let (app, tenant, module, made) = begin(test).await;
        let (organization, classroom, id) =
            (tenant.organization, tenant.classroom, made["id"].as_str().unwrap().to_owned());
        let fill = move |tx: &mut store::Tx<'_>| {
            (1..=1000_i64).try_for_each(|n| {
                    tx.execute_later(
                        "INSERT INTO module (id, organization_id, classroom_id, course_id, sequence, title, slug, description,
                            type, status, language, is_public, content, quizzes, metadata, created_at, updated_at)
                         VALUES ($1, $2, $3, $4, $5, '', '', '', '', 'completed', '', 0, '', '[]', '{}', 0, 0)",
                        &[&tx.ambient().id::<kernel::id::ModuleId>(), &organization, &classroom, &id, &n],
                    )
                })
        };
        app.write(fill).await;
        copying(&app, &tenant, &module, &json!({ "courseId": made["id"] })).send().await.expect(409);
    }

    #[both_stores]
    async fn any_history_leaves_the_places_gapless_and_in_order(test: TestStore) {
        let (app, tenant, _, made) = begin(test).await;
        let mut expected: Vec<String> = Vec::new();
        for (n, (is_copy, place)) in history().into_iter().enumerate() {
            let before = course(&app, &tenant, &made).await;
            if is_copy || expected.is_empty() {
                let place = place % (expected.len() + 1);
                let module = app.make(&tenant, "modules", &json!({ "title": format!("m{n}") })).await;
                let body = json!({ "courseId": made["id"], "sequence": place + 1 });
                copying(&app, &tenant, &module, &body).send().await.expect(201);
                expected.insert(place, format!("m{n}"));
            } else {
                let place = place % expected.len();
                let id = before["contents"][place]["id"].as_str().unwrap();
                app.delete(&tenant.resources(&format!("modules/{id}"))).key(&tenant.key).send().await.expect(200);
                expected.remove(place);
            }
            assert_eq!(titles(&course(&app, &tenant, &made).await), expected);
        }
    }

    /// Copies and deletes at random places; a database for each of proptest's cases would take too long.
    fn history() -> Vec<(bool, usize)> {
        let steps = proptest::collection::vec((proptest::bool::weighted(0.65), 0..100_usize), 25);
        steps.new_tree(&mut TestRunner::default()).unwrap().current()
    }
}
