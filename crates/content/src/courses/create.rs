//! `POST /v1/content/classrooms/{classroomId}/courses` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Fields, JsonBody, label};
use edge::params::Params;
use edge::problem::Problem;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use super::{Course, NewCourse};
use crate::resources::{self, Creation, Status, Visibility, fields};
use crate::{Content, ContentKey};

const ROUTE: &str = "POST /v1/content/classrooms/{classroomId}/courses";
/// The longest level, in characters.
pub(super) const LONGEST_LEVEL: usize = 50;

/// A course to create.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct CreateCourseRequest {
    /// What it is called: 1 to 200 characters.
    #[schema(example = "Biology 7")]
    title: String,
    /// What it is about.
    description: Option<String>,
    /// For whom it is, in the caller's words.
    #[schema(example = "BEGINNER")]
    level: Option<String>,
    /// `PRIVATE` when it is absent.
    visibility: Option<Visibility>,
    /// A language tag; the classroom's language when it is absent.
    #[schema(example = "en")]
    language: Option<String>,
    /// Whatever the caller wants to keep with it.
    #[schema(value_type = Object, example = json!({ "externalId": "course-3" }))]
    metadata: Option<Value>,
}

struct Input {
    title: String,
    description: String,
    level: Option<String>,
    visibility: Visibility,
    language: Option<String>,
    metadata: Value,
}

/// Creates a course without contents in a classroom.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/courses", tag = "Courses",
    operation_id = "createCourse", security(("contentKey" = [])), request_body = CreateCourseRequest,
    params(("classroomId" = String, Path)),
    responses((status = 201, description = "The course", body = Course))
)]
pub async fn create(
    State(content): State<Content>,
    key: ContentKey,
    Params(classroom): Params<String>,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let (links, ambient) = (content.links.clone(), content.door.ambient.clone());
    let creation = Creation::read(ROUTE, &classroom, &headers, &body, read);
    resources::create(content, key, "courses.create", creation, move |tx, place, input| {
        let new = NewCourse {
            id: ambient.id(),
            organization: place.organization,
            classroom: place.classroom,
            title: input.title.clone(),
            description: input.description.clone(),
            level: input.level.clone(),
            visibility: input.visibility,
            status: Status::Completed,
            language: input.language.clone().unwrap_or_else(|| place.locale.clone()),
            metadata: input.metadata.clone(),
        };
        super::insert(tx, &new)?;
        resources::stored::<Course>(tx, &links, (place.organization, place.classroom), new.id, StatusCode::CREATED)
    })
    .await
}

fn read(fields: &mut Fields<'_>) -> Option<Input> {
    let title = fields.required("title", fields::title);
    let description = fields.optional("description", fields::description);
    let level = fields.optional("level", label(1..=LONGEST_LEVEL));
    let visibility = fields.optional("visibility", fields::visibility);
    let language = fields.optional("language", fields::language);
    let metadata = fields.optional("metadata", fields::metadata);
    Some(Input {
        title: title?,
        description: description?.unwrap_or_default(),
        level: level?,
        visibility: visibility?.unwrap_or(Visibility::Private),
        language: language?,
        metadata: metadata?.unwrap_or_else(|| json!({})),
    })
}
