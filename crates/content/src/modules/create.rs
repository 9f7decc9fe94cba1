//! `POST /v1/content/classrooms/{classroomId}/modules` (content-api section 4).

use edge::answer::Answer;
use edge::body::{Body, Check, label};
use edge::problem::Problem;
use http::StatusCode;
use kernel::ambient::Ambient;
use kernel::json::JsonText;
use store::Record as _;

use super::Module;
use super::quizzes::{ModuleQuizItemRequest, quiz_items, quizzes};
use crate::resources::{self, Create, Place, fields};

pub(super) const DEFAULT_TYPE: &str = "markdown";
/// The longest label of a module's type, in characters.
const LONGEST_TYPE: usize = 50;

/// A module to create.
#[derive(Body)]
pub struct CreateModuleRequest {
    /// What it is called: 1 to 255 characters.
    #[field(fields::title(), example = "The cell")]
    title: String,
    /// What it is about.
    #[field(fields::description(), default)]
    description: String,
    /// A label; `markdown` when it is absent.
    #[field(kind(), name = "type", default = DEFAULT_TYPE.to_owned(), example = "markdown")]
    kind: String,
    /// Whether anybody may open its public page; false when it is absent.
    #[field(default)]
    is_public: bool,
    /// HTML, kept as it is.
    #[field(fields::content(), default, example = "<h2>The cell</h2><p>A cell is the smallest unit of life.</p>")]
    content: String,
    /// Quiz items.
    #[field(quizzes(), default)]
    quizzes: Vec<ModuleQuizItemRequest>,
    /// A language tag; the classroom's language when it is absent.
    #[field(fields::language(), example = "en")]
    language: Option<String>,
    /// Whatever the caller wants to keep with it.
    #[field(fields::metadata(), default = JsonText::empty_object())]
    metadata: JsonText,
}

/// Creates a module in a classroom.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/modules", tag = "Modules",
    operation_id = "createModule", security(("contentKey" = [])), request_body = CreateModuleRequest,
    responses((status = 201, description = "The module", body = Module))
)]
pub async fn create(request: Create) -> Result<Answer, Problem> {
    resources::create(request, "modules.create", StatusCode::CREATED, |tx, place, request: &CreateModuleRequest| {
        let new = request.module(tx.ambient(), place);
        new.insert(tx)?;
        Ok(new)
    })
    .await
}

/// The label of a module's type.
pub(super) fn kind() -> impl Check<Value = String> {
    label(1..=LONGEST_TYPE)
}

impl CreateModuleRequest {
    /// What its quiz asks.
    #[cfg(test)]
    pub(crate) fn questions(&self) -> Vec<String> {
        self.quizzes.iter().map(|quiz| quiz.question.clone()).collect()
    }

    /// A module of the classroom alone.
    pub(crate) fn module(&self, ambient: &Ambient, place: &Place) -> Module {
        let language = place.language(self.language.as_ref());
        Module {
            description: self.description.clone(),
            kind: self.kind.clone(),
            is_public: self.is_public,
            content: self.content.clone(),
            quizzes: JsonText::of(&quiz_items(&self.quizzes, ambient)),
            metadata: self.metadata.clone(),
            ..Module::new(ambient, place.ids(), self.title.clone(), language)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn a_title_is_enough(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let french = app.classroom(&tenant, "Français 3", "fr").await;
        let path = format!("/v1/content/classrooms/{}/modules", french.id);
        let made = app.post(&path).key(&tenant.key).json(&json!({ "title": "La cellule" })).send().await.expect(201);
        assert_eq!(
            made,
            json!({
                "id": made["id"], "classroomId": french.id, "courseId": null, "sequence": null, "title": "La cellule",
                "slug": "la-cellule", "description": "", "type": "markdown", "status": "completed", "error": null,
                "language": "fr", "isPublic": false, "content": "", "quizzes": [], "metadata": {}, "publicUrl": null,
                "previewUrl": made["previewUrl"], "version": 1, "createdAt": "2026-01-02T03:04:05.000Z",
                "updatedAt": "2026-01-02T03:04:05.000Z",
            })
        );
    }

    #[both_stores]
    async fn what_is_given_is_kept_as_it_is(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let body = json!({
            "title": "The cell", "description": "About\ncells.", "type": "lesson", "isPublic": true, "language": "pt-BR",
            "content": "<h2 onclick=\"x()\">The cell</h2><script>alert(1)</script>\u{202e}",
            "metadata": { "z": 1, "externalId": "lesson-17", "a": { "y": [1, 2.50, null], "b": "" } },
            "quizzes": [{
                "id": "q-1", "sequence": 1, "title": "Cells", "question": "Is a cell alive?", "type": "true-false",
                "options": ["Yes", "No"], "correctAnswers": ["Yes"], "showFeedback": false,
            }],
            "unknown": true,
        });
        let made = app.make(&tenant, "modules", &body).await;
        for (field, value) in body.as_object().unwrap().iter().filter(|(field, _)| *field != "unknown") {
            assert_eq!(&made[field], value, "{field}");
        }
        assert_eq!(made["metadata"].to_string(), body["metadata"].to_string(), "the order of the keys stays");
        let id = made["id"].as_str().unwrap();
        assert_eq!(made["publicUrl"], format!("https://lectern.example/public/modules/{id}"));
        let preview = made["previewUrl"].as_str().unwrap();
        assert!(preview.starts_with(&format!("https://lectern.example/preview/modules/{id}/")));
        let read = app.get(&tenant.resources(&format!("modules/{id}"))).key(&tenant.key).send().await.expect(200);
        assert_eq!(read, made);
    }

    #[both_stores]
    async fn every_wrong_field_is_named_at_once(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let path = tenant.resources("modules");
        let before = app.stored().await;
        let fields = ["title", "description", "type", "isPublic", "content", "quizzes", "language", "metadata"];
        for wrong in [json!(7), json!([7]), json!(1e300), json!({ "a": 1 })] {
            let body: serde_json::Map<_, _> = fields.iter().map(|field| ((*field).to_owned(), wrong.clone())).collect();
            let faults = app.post(&path).key(&tenant.key).json(&body.into()).send().await.faults();
            let expected: Vec<_> = match &wrong {
                serde_json::Value::Object(_) => fields[..7].to_vec(),
                serde_json::Value::Array(_) => {
                    fields.iter().map(|field| if *field == "quizzes" { "quizzes[0]" } else { *field }).collect()
                }
                _ => fields.to_vec(),
            };
            assert_eq!(faults, expected, "{wrong}");
        }
        for (body, fault) in [
            (json!({}), "title"),
            (json!({ "title": null }), "title"),
            (json!({ "title": "  " }), "title"),
            (json!({ "title": "a\nb" }), "title"),
            (json!({ "title": "x".repeat(256) }), "title"),
            (json!({ "title": "a", "type": "" }), "type"),
            (json!({ "title": "a", "language": "" }), "language"),
            (json!({ "title": "a", "metadata": { "externalId": 5 } }), "metadata.externalId"),
            (json!({ "title": "a", "description": "x".repeat(5_001) }), "description"),
        ] {
            assert_eq!(app.post(&path).key(&tenant.key).json(&body).send().await.faults(), [fault], "{body}");
        }
        for text in
            ["{\"title\":\"\\u0000\"}", "{\"title\":\"\\ud800\"}", "{\"title\":\"a\",\"metadata\":{\"\\u0000\":1}}"]
        {
            app.post(&path).key(&tenant.key).raw("application/json", text).send().await.expect(400);
        }
        assert_eq!(app.stored().await, before);
        app.make(&tenant, "modules", &json!({ "title": "x".repeat(255), "description": null, "metadata": null })).await;
    }

    #[both_stores]
    async fn a_body_is_not_mixed_up_with_that_for_another_classroom(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let beside = app.classroom(&tenant, "Class 8a", "en").await;
        let create = |classroom: String| {
            let path = format!("/v1/content/classrooms/{classroom}/modules");
            let (app, key) = (&app, &tenant.key);
            async move { app.post(&path).key(key).idempotency("k").json(&json!({ "title": "a" })).send().await }
        };
        create(tenant.classroom.to_string()).await.expect(201);
        create(beside.id.to_string()).await.expect(409);
    }
}
