//! `PATCH /v1/content/classrooms/{classroomId}/modules/{moduleId}` (content-api section 4).

use edge::answer::Answer;
use edge::body::Body;
use edge::problem::Problem;
use kernel::json::JsonText;
use store::Tx;

use super::Module;
use super::create::kind;
use super::quizzes::{ModuleQuizItemRequest, quiz_items, quizzes};
use crate::links::Links;
use crate::resources::{self, SUCCEEDED, Succeeded, Update, fields};

/// What to change of a module; what is absent stays.
#[derive(Body)]
#[body(changes = Module)]
pub struct UpdateModuleRequest {
    /// What it is called: 1 to 255 characters.
    #[field(fields::title())]
    title: Option<String>,
    /// What it is about; null clears it.
    #[field(fields::description(), null = "")]
    description: Option<String>,
    /// A label.
    #[field(kind(), name = "type")]
    kind: Option<String>,
    /// Whether anybody may open its public page.
    is_public: Option<bool>,
    /// HTML, kept as it is.
    #[field(fields::content())]
    content: Option<String>,
    /// All quiz items: those that are not among them are gone.
    #[field(quizzes(), apart)]
    quizzes: Option<Vec<ModuleQuizItemRequest>>,
    /// A language tag.
    #[field(fields::stored_language())]
    language: Option<String>,
    /// All metadata: members that are not among them are gone; null clears it.
    #[field(fields::metadata(), null = JsonText::empty_object())]
    metadata: Option<JsonText>,
}

/// Changes a module.
#[utoipa::path(
    patch, path = "/v1/content/classrooms/{classroomId}/modules/{moduleId}", tag = "Modules",
    operation_id = "updateModule", security(("contentKey" = [])), request_body = UpdateModuleRequest,
    responses((status = 200, description = "The module was changed", body = Succeeded))
)]
pub async fn update(request: Update) -> Result<Answer, Problem> {
    let change = |tx: &mut Tx<'_>, _: &Links, mut module: Module, changes: &UpdateModuleRequest| {
        changes.apply(&mut module);
        if let Some(quizzes) = &changes.quizzes {
            module.quizzes = JsonText::of(&quiz_items(quizzes, tx.ambient()));
        }
        super::save(tx, &module)?;
        Ok(Answer::ok(&SUCCEEDED).with_version(module.version + 1))
    };
    resources::update(request, "modules.update", change).await
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, Tenant};

    /// A module with something in every field; its path and what it is.
    async fn full(app: &App, tenant: &Tenant) -> (String, Value) {
        let body = json!({
            "title": "The cell", "description": "About cells.", "type": "lesson", "isPublic": true, "content": "<p>Alive.</p>",
            "language": "fr", "metadata": { "externalId": "a" },
            "quizzes": [{ "question": "Alive?", "type": "true-false", "correctAnswers": ["True"] }],
        });
        let made = app.make(tenant, "modules", &body).await;
        (tenant.resources(&format!("modules/{}", made["id"].as_str().unwrap())), made)
    }

    #[both_stores]
    async fn a_change_of_a_field_leaves_the_others_alone(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let (path, mut expected) = full(&app, &tenant).await;
        let changes = [
            json!({ "title": "Cells" }),
            json!({ "description": "More." }),
            json!({ "type": "markdown" }),
            json!({ "isPublic": false }),
            json!({ "content": "" }),
            json!({ "language": "en" }),
            json!({ "metadata": { "b": 1 } }),
            json!({ "quizzes": [] }),
            json!({ "title": "Both", "content": "<p>Both.</p>", "unknown": 1, "status": "failed", "slug": "x", "version": 9 }),
        ];
        for (version, change) in (2..).zip(&changes) {
            app.test.clock.advance(std::time::Duration::from_secs(1));
            let reply = app.patch(&path).key(&tenant.key).json(change).send().await;
            assert_eq!(reply.expect(200), json!({ "success": true }));
            for (field, value) in change.as_object().unwrap() {
                if !["unknown", "status", "slug", "version"].contains(&field.as_str()) {
                    expected[field] = value.clone();
                }
            }
            let read = app.get(&path).key(&tenant.key).send().await.expect(200);
            expected["version"] = json!(version);
            for given in ["updatedAt", "publicUrl"] {
                expected[given] = read[given].clone();
            }
            assert_eq!(read, expected, "{change}");
        }
    }

    #[both_stores]
    async fn null_clears_what_can_be_cleared_and_nothing_else(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let (path, made) = full(&app, &tenant).await;
        let patch = async |body: Value| app.patch(&path).key(&tenant.key).json(&body).send().await;
        for field in ["title", "type", "isPublic", "content", "quizzes", "language"] {
            assert_eq!(patch(json!({ field: null, "description": "x" })).await.faults(), [field]);
        }
        let faults = patch(json!({ "title": null, "content": null, "quizzes": null, "description": 1 })).await.faults();
        assert_eq!(faults, ["title", "description", "content", "quizzes"]);
        assert_eq!(app.get(&path).key(&tenant.key).send().await.json(), made);
        patch(json!({ "description": null, "metadata": null })).await.expect(200);
        let read = app.get(&path).key(&tenant.key).send().await.json();
        assert_eq!((&read["description"], &read["metadata"]), (&json!(""), &json!({})));
        assert_eq!(read["content"], made["content"]);
    }

    #[both_stores]
    async fn a_body_without_a_known_field_is_400(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let (path, _) = full(&app, &tenant).await;
        let before = app.stored().await;
        for empty in [json!({}), json!({ "unknown": 1 }), json!({ "id": "x", "status": "queued", "version": 1 })] {
            assert_eq!(app.patch(&path).key(&tenant.key).json(&empty).send().await.faults(), [""], "{empty}");
        }
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn every_wrong_field_is_named_at_once(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let (path, _) = full(&app, &tenant).await;
        let before = app.stored().await;
        let fields = ["title", "description", "type", "isPublic", "content", "quizzes", "language", "metadata"];
        for wrong in [json!(7), json!(""), json!("\u{1}")] {
            let body: serde_json::Map<_, _> = fields.iter().map(|field| ((*field).to_owned(), wrong.clone())).collect();
            let faults = app.patch(&path).key(&tenant.key).json(&body.into()).send().await.faults();
            let texts = ["title", "type", "isPublic", "quizzes", "language", "metadata"];
            assert_eq!(faults, if wrong.is_number() { &fields[..] } else { &texts[..] }, "{wrong:?}");
        }
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn another_classroom_or_organization_changes_nothing(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
        let beside = app.classroom(&tenant, "Class 8a", "en").await;
        let (path, made) = full(&app, &tenant).await;
        let id = made["id"].as_str().unwrap();
        let unknown = app.test.ambient.id::<kernel::id::ModuleId>().to_string();
        let before = app.stored().await;
        let paths = [
            (path.clone(), &other.key),
            (format!("/v1/content/classrooms/{}/modules/{id}", beside.id), &tenant.key),
            (format!("/v1/content/classrooms/{}/modules/{id}", other.classroom), &tenant.key),
            (tenant.resources(&format!("modules/{unknown}")), &tenant.key),
            (tenant.resources("modules/7"), &tenant.key),
        ];
        for (path, key) in paths {
            app.patch(&path).key(key).json(&json!({ "title": "x" })).send().await.expect(404);
            app.delete(&path).key(key).send().await.expect(404);
            app.get(&path).key(key).send().await.expect(404);
        }
        assert_eq!(app.stored().await, before);
    }
}
