//! `POST /v1/content/classrooms/{classroomId}/integrations/exports` (content-api section 4, legacy).
//!
//! A standalone lesson is a module of the classroom that is in no course. Its export is an expansion whose source is
//! the module: it becomes a video and a test.

mod lesson;

use axum::extract::State;
use edge::admins::Admin;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, text};
use edge::idempotency::{IdempotencyKey, Kept, Repeatable, Retention};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;
use kernel::id::{ClassroomId, ModuleId, OrganizationId};
use serde::Serialize;
use serde_json::json;
use store::{StoreError, Tx};

use super::accept::{NewExpansion, STANDALONE_LESSON, accept};
use super::create::{body_key, without_key};
use super::payload;
use super::rows::OutputKind;
use super::view::ExpansionJob;
use crate::links::Links;
use crate::modules::Module;
use crate::{Content, classroom_param, resources};

const UNKNOWN: Problem = Problem::NotFound("Lesson");

/// A lesson to export.
#[derive(Body)]
pub struct CreateExportRequest {
    /// A module of the classroom that is in no course.
    #[field(text(1..=100))]
    lesson_id: String,
    /// Where no `Idempotency-Key` header is sent.
    #[field(body_key())]
    idempotency_key: Option<IdempotencyKey>,
}

/// The accepted export.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Export {
    /// The job that makes a video and a test of the lesson.
    job: ExpansionJob,
}

/// Queues the expansion of a standalone lesson.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/integrations/exports", tag = "Expansions",
    operation_id = "exportLesson", security(("adminSession" = [])), request_body = CreateExportRequest,
    responses(
        (status = 202, description = "Accepted", body = Export),
        (status = 401, description = "Nobody is signed in", body = ContentErrorBody),
        (status = 403, description = "The admin can't manage the classroom's organization", body = ContentErrorBody),
        (status = 409, description = "The lesson is in a course, or the key was used otherwise", body = ContentErrorBody),
    )
)]
pub async fn export(
    State(content): State<Content>,
    session: PresentedSession,
    Params(classroom): Params<String>,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let read = || {
        let (repeat_key, request) = Problem::both(repeatable.key(), body.read::<CreateExportRequest>())?;
        let value = body.value()?;
        let request_key = repeat_key.or(request.idempotency_key);
        Ok::<_, Problem>((
            request_key.of(|| json!({ "path": [classroom], "body": without_key(value) })),
            request.lesson_id,
        ))
    };
    let (read, parts, note) = (read(), content.clone(), session.audit_note());
    let write = move |tx: &mut Tx<'_>, admin: &Admin| {
        let id = classroom_param(&classroom)?;
        let organization = teaches_in(tx, admin, id)?;
        note.organization(organization);
        let (keyed, lesson) = read.clone()?;
        let claim = keyed.map(|keyed| keyed.claim(organization.to_string(), Retention::Forever));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            let module = load_standalone(tx, &parts.links, organization, id, &lesson)?;
            let expansion = accept(tx, &parts.door.ambient, organization, &expansion_of(&module)?)?;
            let export = Export { job: ExpansionJob::of(&expansion, &parts.links) };
            Ok((Answer::json(StatusCode::ACCEPTED, &export), Kept::Same))
        })
    };
    content.door.write_by_admin(session, "expansions.export", write).await
}

/// The organization of the classroom, when the admin may edit its content. A classroom that does not exist looks like one of an
/// organization in which the admin may not; operators, who may in all, learn that there is none.
pub(crate) fn teaches_in(tx: &mut Tx<'_>, admin: &Admin, classroom: ClassroomId) -> Result<OrganizationId, Problem> {
    let found: Option<String> =
        tx.find("SELECT organization_id FROM classroom WHERE id = $1", &[&classroom], |row| row.get(0))?;
    match found {
        None if admin.is_operator => Err(Problem::NotFound("Classroom")),
        found => admin.teaches(tx, &found.unwrap_or_default()),
    }
}

fn load_standalone(
    tx: &mut Tx<'_>,
    links: &Links,
    organization: OrganizationId,
    classroom: ClassroomId,
    lesson: &str,
) -> Result<Module, Problem> {
    let Ok(id) = lesson.parse::<ModuleId>() else { return Err(UNKNOWN) };
    let found: Result<Option<Module>, StoreError> = resources::find(tx, links, organization, classroom, id);
    let module = found?.ok_or(UNKNOWN)?;
    match module.course_id {
        None => Ok(module),
        Some(_) => Err(Problem::Conflict("The lesson is in a course: only standalone lessons can be exported.")),
    }
}

fn expansion_of(module: &Module) -> Result<NewExpansion, Problem> {
    let source = lesson::payload(module);
    let level = payload::source_level(&source).ok_or(UNKNOWN)?;
    Ok(NewExpansion {
        classroom: module.classroom_id,
        kinds: vec![OutputKind::SummaryVideo, OutputKind::ExpandedQuiz],
        source_type: STANDALONE_LESSON.to_owned(),
        source_title: payload::source_title(&level),
        source_module: Some(module.id),
        payload: source.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::expansions::OutputKind::{ExpandedQuiz, SummaryVideo};
    use crate::testing::{App, Tenant};

    const CONTENT: &str = "<h2>The cell</h2><p>A cell is alive.</p><h2>The nucleus</h2><p>It keeps the DNA.</p>";

    /// A tenant, its admin's cookie, and a standalone lesson.
    async fn begin(test: TestStore) -> (App, Tenant, String, Value) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        let lesson =
            app.make(&tenant, "modules", &json!({ "title": "Cells", "language": "fr", "content": CONTENT })).await;
        (app, tenant, cookie, lesson)
    }

    #[both_stores]
    async fn an_export_is_an_expansion_of_the_lesson_to_a_video_and_a_test(test: TestStore) {
        let (app, tenant, cookie, lesson) = begin(test).await;
        let path = tenant.resources("integrations/exports");
        let body = json!({ "lessonId": lesson["id"] });
        let answer = app.post(&path).cookie(&cookie).json(&body).send().await.expect(202);
        let names: Vec<_> = answer.as_object().unwrap().keys().collect();
        assert_eq!(names, ["job"]);
        let job = &answer["job"];
        assert_eq!((&job["sourceType"], &job["sourceTitle"]), (&json!("standalone_lesson"), &json!("Cells")));
        assert_eq!((&job["sourceResourceId"], &job["sourceResourceType"]), (&lesson["id"], &json!("module")));
        assert_eq!(
            (&job["status"], &job["requestedOutputs"]),
            (&json!("queued"), &json!(["summary_video", "expanded_quiz"]))
        );
        assert_eq!(job["classroomId"], json!(tenant.classroom));
        app.run_jobs().await;
        let ended = app.job(&tenant, job["id"].as_str().unwrap()).await;
        assert_eq!(ended["status"], "completed");
        let [(SummaryVideo, source), (ExpandedQuiz, _)] = &app.script.asked()[..] else {
            panic!("asked for something else")
        };
        assert_eq!((source.language.as_str(), source.title()), ("fr", "Cells"));
        let titles: Vec<_> = source.lessons.iter().map(|lesson| lesson.title.as_deref().unwrap()).collect();
        assert_eq!(titles, ["The cell", "The nucleus"]);
        let video = tenant.resources(&format!("videos/{}", ended["outputs"][0]["resourceId"].as_str().unwrap()));
        app.get(&video).key(&tenant.key).send().await.expect(200);
        let log = format!("/v1/content/organizations/{}/audit-log?operation=exportLesson", tenant.organization);
        let entered = app.get(&log).cookie(&cookie).send().await.expect(200);
        assert_eq!(entered["items"].as_array().unwrap().len(), 1, "{entered}");
        app.finish().await;
    }

    #[both_stores]
    async fn only_a_lesson_of_the_classroom_that_is_in_no_course_can_be_exported(test: TestStore) {
        let (app, tenant, cookie, lesson) = begin(test).await;
        let other = app.tenant("Other").await;
        let foreign = app.make(&other, "modules", &json!({ "title": "Foreign" })).await;
        let course = app.make(&tenant, "courses", &json!({ "title": "Biology" })).await;
        let copying = tenant.resources(&format!("modules/{}/copy-to-course", lesson["id"].as_str().unwrap()));
        let copy =
            app.post(&copying).key(&tenant.key).json(&json!({ "courseId": course["id"] })).send().await.expect(201);
        let path = tenant.resources("integrations/exports");
        let before = app.stored().await;
        let export = async |id: &Value| app.post(&path).cookie(&cookie).json(&json!({ "lessonId": id })).send().await;
        export(&copy["id"]).await.expect(409);
        for unknown in [&foreign["id"], &course["id"], &json!("7"), &json!("lesson 1")] {
            export(unknown).await.expect(404);
        }
        for wrong in [json!(null), json!(7), json!(""), json!([]), json!("x".repeat(101))] {
            assert_eq!(export(&wrong).await.faults(), ["lessonId"], "{wrong}");
        }
        let faults = app.post(&path).cookie(&cookie).json(&json!({ "idempotencyKey": "a b" })).send().await.faults();
        assert_eq!(faults, ["lessonId", "idempotencyKey"]);
        let nowhere = app.post("/v1/content/classrooms/7b/integrations/exports").cookie(&cookie);
        assert_eq!(nowhere.json(&json!({ "lessonId": lesson["id"] })).send().await.faults(), ["classroomId"]);
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn who_can_not_manage_the_organization_exports_nothing(test: TestStore) {
        let (app, tenant, _, lesson) = begin(test).await;
        let other = app.tenant("Other").await;
        let stranger = app.admin_of("b@example.com", &[&other]).await;
        let operator = app.operator("o@example.com").await;
        let body = json!({ "lessonId": lesson["id"] });
        let path = tenant.resources("integrations/exports");
        let unknown = app.test.ambient.id::<kernel::id::ClassroomId>();
        let unknown = format!("/v1/content/classrooms/{unknown}/integrations/exports");
        let before = app.stored().await;
        for path in [&path, &unknown] {
            app.post(path).cookie(&stranger).json(&body).send().await.expect(403);
        }
        app.post(&unknown).cookie(&operator).json(&body).send().await.expect(404);
        assert_eq!(app.stored().await, before);
        app.post(&path).cookie(&operator).json(&body).send().await.expect(202);
    }

    #[both_stores]
    async fn a_repeated_export_is_one_job_wherever_its_key_stands(test: TestStore) {
        let (app, tenant, cookie, lesson) = begin(test).await;
        let path = tenant.resources("integrations/exports");
        let keyed = json!({ "lessonId": lesson["id"], "idempotencyKey": "k" });
        let first = app.post(&path).cookie(&cookie).json(&keyed).send().await;
        first.expect(202);
        for call in [
            app.post(&path).json(&keyed),
            app.post(&path).json(&json!({ "lessonId": lesson["id"] })).idempotency("k"),
            app.post(&path).json(&json!({ "lessonId": lesson["id"], "idempotencyKey": "other" })).idempotency("k"),
        ] {
            let replay = call.cookie(&cookie).send().await;
            assert_eq!((replay.is_replay(), &replay.body), (true, &first.body));
        }
        let other = app.make(&tenant, "modules", &json!({ "title": "Other" })).await;
        let conflict = json!({ "lessonId": other["id"], "idempotencyKey": "k" });
        app.post(&path).cookie(&cookie).json(&conflict).send().await.expect(409);
        assert_eq!(app.count("SELECT count(*) FROM expansion").await, 1);
    }
}
