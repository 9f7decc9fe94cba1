//! `PATCH /v1/content/classrooms/{classroomId}/modules/{moduleId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Fields, JsonBody, boolean, label};
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use kernel::ambient::Ambient;
use serde_json::{Value, json};

use super::create::LONGEST_TYPE;
use super::quizzes::quizzes;
use super::{Module, ModuleQuizItem};
use crate::resources::{self, Owned, SUCCEEDED, Succeeded, fields, set};
use crate::{Content, ContentKey, raw_json};

/// What to change of a module; what is absent stays.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct UpdateModuleRequest {
    /// What it is called: 1 to 200 characters.
    title: Option<String>,
    /// What it is about; null clears it.
    description: Option<String>,
    /// A label.
    #[schema(rename = "type")]
    kind: Option<String>,
    /// Whether anybody may open its public page.
    is_public: Option<bool>,
    /// HTML, kept as it is.
    content: Option<String>,
    /// All quiz items: those that are not among them are gone.
    quizzes: Option<Vec<ModuleQuizItem>>,
    /// A language tag.
    language: Option<String>,
    /// All metadata: members that are not among them are gone; null clears it.
    #[schema(value_type = Object)]
    metadata: Option<Value>,
}

struct Changes {
    title: Option<String>,
    description: Option<String>,
    kind: Option<String>,
    is_public: Option<bool>,
    content: Option<String>,
    quizzes: Option<Vec<ModuleQuizItem>>,
    language: Option<String>,
    metadata: Option<Value>,
}

/// Changes a module.
#[utoipa::path(
    patch, path = "/v1/content/classrooms/{classroomId}/modules/{moduleId}", tag = "Modules",
    operation_id = "updateModule", security(("contentKey" = [])), request_body = UpdateModuleRequest,
    params(("classroomId" = String, Path), ("moduleId" = String, Path)),
    responses((status = 200, description = "The module was changed", body = Succeeded))
)]
pub async fn update(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    expected: IfMatch,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let changes = body.read_changes(|fields| read(fields, &content.door.ambient));
    resources::change::<Module, _>(content, key, "modules.update", path, expected, changes, |tx, mut owned, changes| {
        changes.apply(&mut owned);
        super::save(tx, &owned)?;
        Ok(Answer::ok(&SUCCEEDED).with_version(owned.resource.version + 1))
    })
    .await
}

fn read(fields: &mut Fields<'_>, ambient: &Ambient) -> Option<Changes> {
    let title = fields.change("title", fields::title);
    let description = fields.clearable("description", fields::description);
    let kind = fields.change("type", label(1..=LONGEST_TYPE));
    let is_public = fields.change("isPublic", boolean);
    let content = fields.change("content", fields::content);
    let quizzes = fields.change("quizzes", quizzes(ambient));
    let language = fields.change("language", fields::language);
    let metadata = fields.clearable("metadata", fields::metadata);
    Some(Changes {
        title: title?,
        description: description?.map(Option::unwrap_or_default),
        kind: kind?,
        is_public: is_public?,
        content: content?,
        quizzes: quizzes?,
        language: language?,
        metadata: metadata?.map(|metadata| metadata.unwrap_or_else(|| json!({}))),
    })
}

impl Changes {
    fn apply(&self, owned: &mut Owned<Module>) {
        let module = &mut owned.resource;
        set(&mut module.title, self.title.as_ref());
        set(&mut module.description, self.description.as_ref());
        set(&mut module.kind, self.kind.as_ref());
        set(&mut module.is_public, self.is_public.as_ref());
        set(&mut module.content, self.content.as_ref());
        set(&mut module.quizzes, self.quizzes.as_ref().map(raw_json).as_ref());
        set(&mut module.language, self.language.as_ref());
        set(&mut module.metadata, self.metadata.as_ref().map(raw_json).as_ref());
    }
}
