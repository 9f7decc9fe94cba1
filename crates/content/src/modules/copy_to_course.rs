//! `POST /v1/content/classrooms/{classroomId}/modules/{moduleId}/copy-to-course` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Fields, JsonBody, id, integer};
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use http::{HeaderMap, StatusCode};
use kernel::id::{CourseId, ModuleId};
use serde_json::json;
use store::{StoreError, Tx};

use super::Module;
use crate::resources::{self, Keyed, Owned};
use crate::{Content, ContentKey, courses};

const ROUTE: &str = "POST /v1/content/classrooms/{classroomId}/modules/{moduleId}/copy-to-course";
/// The most modules of a course.
const MOST_MODULES: i64 = 1_000;

/// Where to copy a module.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct CopyToCourseRequest {
    /// A course of the same classroom.
    #[schema(value_type = String, format = Uuid)]
    course_id: CourseId,
    /// The copy's place, from 1 to one more than the course has modules; at the end when it is absent.
    sequence: Option<i64>,
}

#[derive(Clone, Copy)]
struct Input {
    course: CourseId,
    sequence: Option<i64>,
}

/// Copies a module into a course. Later modules of the course move up; the copy is independent of the original.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/modules/{moduleId}/copy-to-course", tag = "Modules",
    operation_id = "copyModuleToCourse", security(("contentKey" = [])), request_body = CopyToCourseRequest,
    params(
        ("classroomId" = String, Path), ("moduleId" = String, Path),
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
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let keyed = Keyed::new(ROUTE, &headers, &json!(path), &body);
    let input = expected.check().and_then(|()| body.read(read));
    let links = content.links.clone();
    resources::post(content, key, "modules.copy_to_course", keyed, input, move |tx, organization, input| {
        let owned = resources::load::<Module>(tx, &links, organization, &path)?;
        expected.permit(owned.resource.version)?;
        let copy = copy(tx, &owned, *input)?;
        let place = (organization, owned.resource.classroom_id);
        resources::stored::<Module>(tx, &links, place, copy, StatusCode::CREATED)
    })
    .await
}

fn read(fields: &mut Fields<'_>) -> Option<Input> {
    let course = fields.required("courseId", id::<CourseId>);
    let sequence = fields.optional("sequence", integer(1..=MOST_MODULES));
    Some(Input { course: course?, sequence: sequence? })
}

fn copy(tx: &mut Tx<'_>, original: &Owned<Module>, Input { course, sequence }: Input) -> Result<ModuleId, Problem> {
    let (organization, classroom) = (original.organization, original.resource.classroom_id);
    let size = courses::size_of(tx, organization, classroom, course)?.ok_or(Problem::NotFound("Course"))?;
    if size >= MOST_MODULES {
        return Err(Problem::Conflict("The course has as many modules as a course can have."));
    }
    let sequence = sequence.unwrap_or(size + 1);
    if sequence > size + 1 {
        return Err(Problem::field("sequence", &format!("must be from 1 to {}", size + 1)));
    }
    courses::touch(tx, organization, course)?;
    courses::make_room(tx, organization, course, sequence)?;
    let copy = tx.ambient().id();
    insert_copy(tx, original, copy, course, sequence)?;
    Ok(copy)
}

fn insert_copy(
    tx: &mut Tx<'_>,
    original: &Owned<Module>,
    copy: ModuleId,
    course: CourseId,
    sequence: i64,
) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute_later(
        "INSERT INTO module (id, organization_id, classroom_id, course_id, sequence, title, slug, description, type,
            status, error_code, error_message, language, is_public, content, quizzes, metadata, version, created_at,
            updated_at)
         SELECT $1, organization_id, classroom_id, $2, $3, title, slug, description, type, status, error_code,
            error_message, language, is_public, content, quizzes, metadata, 1, $4, $4
         FROM module WHERE id = $5 AND organization_id = $6",
        &[&copy, &course, &sequence, &now, &original.resource.id, &original.organization],
    )
}
