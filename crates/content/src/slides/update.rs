//! `PATCH /v1/content/classrooms/{classroomId}/slides/{slideId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Fields, JsonBody};
use edge::openapi::AnyObject;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use kernel::json::JsonText;
use serde_json::{Value, json};

use super::Slide;
use super::create::outline;
use crate::resources::{self, SUCCEEDED, Status, Succeeded, Visibility, fields, set};
use crate::{Content, ContentKey};

/// What to change of a slide; what is absent stays.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase", min_properties = 1)]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct UpdateSlideRequest {
    /// What it is called: 1 to 255 characters.
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    /// What it is about; null clears it.
    #[schema(max_length = 5000)]
    description: Option<String>,
    /// What its content is generated from when its generation is tried again; null clears it.
    #[schema(max_length = 50000)]
    outline: Option<String>,
    /// Whether anybody may open its public page.
    #[schema(nullable = false)]
    visibility: Option<Visibility>,
    /// Markup, kept as it is.
    #[schema(max_length = 1000000, nullable = false)]
    content: Option<String>,
    /// A language tag.
    #[schema(min_length = 1, max_length = 35, nullable = false)]
    language: Option<String>,
    /// All metadata: members that are not among them are gone; null clears it.
    #[schema(value_type = Option<AnyObject>)]
    metadata: Option<Value>,
}

struct Changes {
    title: Option<String>,
    description: Option<String>,
    outline: Option<Option<String>>,
    visibility: Option<Visibility>,
    content: Option<String>,
    language: Option<String>,
    metadata: Option<Value>,
}

/// Changes a slide. Who gives it content ends its generation: it is `completed`.
#[utoipa::path(
    patch, path = "/v1/content/classrooms/{classroomId}/slides/{slideId}", tag = "Slides",
    operation_id = "updateSlide", security(("contentKey" = [])), request_body = UpdateSlideRequest,
    params(("classroomId" = String, Path), ("slideId" = String, Path)),
    responses((status = 200, description = "The slide was changed", body = Succeeded))
)]
pub async fn update(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    expected: IfMatch,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let changes = body.read_changes(read);
    resources::change::<Slide, _>(content, key, "slides.update", path, expected, changes, |tx, mut slide, changes| {
        changes.apply(&mut slide);
        super::save(tx, &slide)?;
        Ok(Answer::ok(&SUCCEEDED).with_version(slide.version + 1))
    })
    .await
}

fn read(fields: &mut Fields<'_>) -> Option<Changes> {
    let title = fields.change("title", fields::title);
    let description = fields.clearable("description", fields::description);
    let outline = fields.clearable("outline", outline);
    let visibility = fields.change("visibility", fields::visibility);
    let content = fields.change("content", fields::content);
    let language = fields.change("language", fields::stored_language);
    let metadata = fields.clearable("metadata", fields::metadata);
    Some(Changes {
        title: title?,
        description: description?.map(Option::unwrap_or_default),
        outline: outline?,
        visibility: visibility?,
        content: content?,
        language: language?,
        metadata: metadata?.map(|metadata| metadata.unwrap_or_else(|| json!({}))),
    })
}

impl Changes {
    fn apply(&self, slide: &mut Slide) {
        set(&mut slide.title, self.title.as_ref());
        set(&mut slide.description, self.description.as_ref());
        set(&mut slide.outline, self.outline.as_ref());
        set(&mut slide.visibility, self.visibility.as_ref());
        set(&mut slide.content, self.content.as_ref());
        set(&mut slide.language, self.language.as_ref());
        set(&mut slide.metadata, self.metadata.as_ref().map(JsonText::of).as_ref());
        if self.content.as_ref().is_some_and(|content| !content.trim().is_empty()) {
            (slide.status, slide.error) = (Status::Completed, None);
        }
    }
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
