//! `PATCH /v1/content/classrooms/{classroomId}/slides/{slideId}` (content-api section 4).

use edge::answer::Answer;
use edge::body::Body;
use edge::problem::Problem;
use kernel::json::JsonText;
use store::{KeyedRecord as _, Tx};

use super::Slide;
use super::create::outline;
use crate::links::Links;
use crate::resources::{self, SUCCEEDED, Status, Succeeded, Update, Visibility, fields};

/// What to change of a slide; what is absent stays.
#[derive(Body)]
#[body(changes = Slide)]
pub struct UpdateSlideRequest {
    /// What it is called: 1 to 255 characters.
    #[field(fields::title())]
    title: Option<String>,
    /// What it is about; null clears it.
    #[field(fields::description(), null = "")]
    description: Option<String>,
    /// What its content is generated from when its generation is tried again; null clears it.
    #[field(outline())]
    outline: Option<Option<String>>,
    /// Whether anybody may open its public page.
    visibility: Option<Visibility>,
    /// Markup, kept as it is.
    #[field(fields::content())]
    content: Option<String>,
    /// A language tag.
    #[field(fields::stored_language())]
    language: Option<String>,
    /// All metadata: members that are not among them are gone; null clears it.
    #[field(fields::metadata(), null = JsonText::empty_object())]
    metadata: Option<JsonText>,
}

/// Changes a slide. Who gives it content ends its generation: it is `completed`.
#[utoipa::path(
    patch, path = "/v1/content/classrooms/{classroomId}/slides/{slideId}", tag = "Slides",
    operation_id = "updateSlide", security(("contentKey" = [])), request_body = UpdateSlideRequest,
    responses((status = 200, description = "The slide was changed", body = Succeeded))
)]
pub async fn update(request: Update) -> Result<Answer, Problem> {
    let change = |tx: &mut Tx<'_>, _: &Links, mut slide: Slide, changes: &UpdateSlideRequest| {
        changes.apply(&mut slide);
        if changes.content.as_ref().is_some_and(|content| !content.trim().is_empty()) {
            (slide.status, slide.error) = (Status::Completed, None);
        }
        slide.update(tx)?;
        Ok(Answer::ok(&SUCCEEDED).with_version(slide.version + 1))
    };
    resources::update(request, "slides.update", change).await
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, Tenant};

    /// A slide with something in every field; its path and what it is.
    async fn full(app: &App, tenant: &Tenant) -> (String, Value) {
        let body = json!({
            "title": "The cell", "description": "About cells.", "outline": "- Cells", "visibility": "PUBLIC", "language": "fr",
            "content": "<h2>Cells</h2>", "metadata": { "externalId": "a" },
        });
        let made = app.make(tenant, "slides", &body).await;
        (tenant.resources(&format!("slides/{}", made["id"].as_str().unwrap())), made)
    }

    #[both_stores]
    async fn a_change_of_a_field_leaves_the_others_alone(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let (path, mut expected) = full(&app, &tenant).await;
        let changes = [
            json!({ "title": "Cells" }),
            json!({ "description": "More." }),
            json!({ "outline": "1. Cells" }),
            json!({ "visibility": "PRIVATE" }),
            json!({ "content": "" }),
            json!({ "language": "en" }),
            json!({ "metadata": { "b": 1 } }),
            json!({ "description": null, "outline": null, "metadata": null }),
            json!({ "title": "Both", "content": "<h2>Both</h2>", "unknown": 1, "status": "failed", "slug": "x", "version": 9 }),
        ];
        for (version, change) in (2..).zip(&changes) {
            app.test.clock.advance(std::time::Duration::from_secs(1));
            let reply = app.patch(&path).key(&tenant.key).json(change).send().await;
            assert_eq!(reply.expect(200), json!({ "success": true }));
            for (field, value) in change.as_object().unwrap() {
                match field.as_str() {
                    "unknown" | "status" | "slug" | "version" => {}
                    "description" if value.is_null() => expected[field] = json!(""),
                    "metadata" if value.is_null() => expected[field] = json!({}),
                    _ => expected[field] = value.clone(),
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
    async fn wrong_and_empty_changes_change_nothing(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let (path, _) = full(&app, &tenant).await;
        let before = app.stored().await;
        let patch = async |body: Value| app.patch(&path).key(&tenant.key).json(&body).send().await;
        for field in ["title", "visibility", "content", "language"] {
            assert_eq!(patch(json!({ field: null, "description": "x" })).await.faults(), [field]);
        }
        for empty in [json!({}), json!({ "unknown": 1 }), json!({ "id": "x", "status": "queued", "generate": true })] {
            assert_eq!(patch(empty.clone()).await.faults(), [""], "{empty}");
        }
        let fields = ["title", "description", "outline", "visibility", "content", "language", "metadata"];
        let body: serde_json::Map<_, _> = fields.iter().map(|field| ((*field).to_owned(), json!(7))).collect();
        assert_eq!(patch(body.into()).await.faults(), fields);
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn who_gives_a_slide_content_ends_its_generation(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let status = async |path: &str| {
            let slide = app.get(path).key(&tenant.key).send().await.expect(200);
            (slide["status"].as_str().unwrap().to_owned(), slide["error"].clone())
        };
        let made = app.make(&tenant, "slides", &json!({ "title": "Cells", "outline": "- Cells" })).await;
        let path = tenant.resources(&format!("slides/{}", made["id"].as_str().unwrap()));
        let patch = async |body: Value| app.patch(&path).key(&tenant.key).json(&body).send().await.expect(200);
        patch(json!({ "title": "The cell", "content": " " })).await;
        assert_eq!(status(&path).await.0, "queued", "a blank is no content");
        patch(json!({ "content": "<h2>By hand</h2>" })).await;
        assert_eq!(status(&path).await.0, "completed");
        app.write(|tx| tx.execute("UPDATE slide SET status = 'failed', error_code = 'x', error_message = 'y'", &[]))
            .await;
        patch(json!({ "title": "Cells" })).await;
        assert_eq!(status(&path).await, ("failed".to_owned(), json!({ "code": "x", "message": "y" })));
        patch(json!({ "content": "<h2>By hand</h2>" })).await;
        assert_eq!(status(&path).await, ("completed".to_owned(), json!(null)));
    }
}
