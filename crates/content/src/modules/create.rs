//! `POST /v1/content/classrooms/{classroomId}/modules` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Fields, JsonBody, boolean, label};
use edge::params::Params;
use edge::problem::Problem;
use http::{HeaderMap, StatusCode};
use kernel::ambient::Ambient;
use serde_json::{Value, json};

use super::quizzes::quizzes;
use super::{Module, ModuleQuizItem, NewModule};
use crate::resources::{self, Creation, fields};
use crate::{Content, ContentKey};

const ROUTE: &str = "POST /v1/content/classrooms/{classroomId}/modules";
const DEFAULT_TYPE: &str = "markdown";
/// The longest label of a module's type, in characters.
pub(super) const LONGEST_TYPE: usize = 50;

/// A module to create.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct CreateModuleRequest {
    /// What it is called: 1 to 200 characters.
    #[schema(example = "The cell")]
    title: String,
    /// What it is about.
    description: Option<String>,
    /// A label; `markdown` when it is absent.
    #[schema(rename = "type", example = "markdown")]
    kind: Option<String>,
    /// Whether anybody may open its public page; false when it is absent.
    is_public: Option<bool>,
    /// HTML, kept as it is.
    #[schema(example = "<h2>The cell</h2><p>A cell is the smallest unit of life.</p>")]
    content: Option<String>,
    /// Quiz items.
    quizzes: Option<Vec<ModuleQuizItem>>,
    /// A language tag; the classroom's language when it is absent.
    #[schema(example = "en")]
    language: Option<String>,
    /// Whatever the caller wants to keep with it.
    #[schema(value_type = Object, example = json!({ "externalId": "lesson-17" }))]
    metadata: Option<Value>,
}

struct Input {
    title: String,
    description: String,
    kind: String,
    is_public: bool,
    content: String,
    quizzes: Vec<ModuleQuizItem>,
    language: Option<String>,
    metadata: Value,
}

/// Creates a module in a classroom.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/modules", tag = "Modules",
    operation_id = "createModule", security(("contentKey" = [])), request_body = CreateModuleRequest,
    params(("classroomId" = String, Path)),
    responses((status = 201, description = "The module", body = Module))
)]
pub async fn create(
    State(content): State<Content>,
    key: ContentKey,
    Params(classroom): Params<String>,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let (links, ambient) = (content.links.clone(), content.door.ambient.clone());
    let creation = Creation::read(ROUTE, &classroom, &headers, &body, |fields| read(fields, &ambient));
    resources::create(content, key, "modules.create", creation, move |tx, place, input| {
        let new = NewModule {
            id: ambient.id(),
            organization: place.organization,
            classroom: place.classroom,
            title: input.title.clone(),
            description: input.description.clone(),
            kind: input.kind.clone(),
            language: input.language.clone().unwrap_or_else(|| place.locale.clone()),
            is_public: input.is_public,
            content: input.content.clone(),
            quizzes: input.quizzes.clone(),
            metadata: input.metadata.clone(),
        };
        super::insert(tx, &new)?;
        resources::stored::<Module>(tx, &links, (place.organization, place.classroom), new.id, StatusCode::CREATED)
    })
    .await
}

fn read(fields: &mut Fields<'_>, ambient: &Ambient) -> Option<Input> {
    let title = fields.required("title", fields::title);
    let description = fields.optional("description", fields::description);
    let kind = fields.optional("type", label(1..=LONGEST_TYPE));
    let is_public = fields.optional("isPublic", boolean);
    let content = fields.optional("content", fields::content);
    let quizzes = fields.optional("quizzes", quizzes(ambient));
    let language = fields.optional("language", fields::language);
    let metadata = fields.optional("metadata", fields::metadata);
    Some(Input {
        title: title?,
        description: description?.unwrap_or_default(),
        kind: kind?.unwrap_or_else(|| DEFAULT_TYPE.to_owned()),
        is_public: is_public?.unwrap_or(false),
        content: content?.unwrap_or_default(),
        quizzes: quizzes?.unwrap_or_default(),
        language: language?,
        metadata: metadata?.unwrap_or_else(|| json!({})),
    })
}
