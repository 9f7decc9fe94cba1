//! `POST /v1/content/classrooms/{classroomId}/slides` (content-api section 4).

use edge::answer::Answer;
use edge::body::{Body, Check, text};
use edge::problem::Problem;
use http::StatusCode;
use kernel::ambient::Ambient;
use kernel::json::JsonText;
use store::Record as _;

use super::Slide;
use crate::generation;
use crate::resources::{self, Create, Place, Status, Visibility, fields};

/// The longest outline, in characters.
const LONGEST_OUTLINE: usize = 50_000;

/// A slide to create.
#[derive(Body)]
pub struct CreateSlideRequest {
    /// What it is called: 1 to 255 characters.
    #[field(fields::title(), example = "The cell")]
    title: String,
    /// What it is about.
    #[field(fields::description(), default)]
    description: String,
    /// What its content is generated from when there is none: a nested list, numbered lines, headings or prose.
    #[field(outline(), example = "- What a cell is\n- Its parts\n  - Nucleus\n  - Membrane")]
    outline: Option<String>,
    /// `PRIVATE` when it is absent.
    #[field(default = Visibility::Private)]
    visibility: Visibility,
    /// Markup, kept as it is.
    #[field(
        fields::content(),
        default,
        example = "<section class=\"slide\"><h2>The cell</h2><ul><li>Alive</li></ul></section>"
    )]
    content: String,
    /// A language tag; the classroom's language when it is absent.
    #[field(fields::language(), example = "en")]
    language: Option<String>,
    /// Whatever the caller wants to keep with it.
    #[field(fields::metadata(), default = JsonText::empty_object())]
    metadata: JsonText,
}

/// Creates a slide in a classroom. With an outline and no content, its content is generated.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/slides", tag = "Slides",
    operation_id = "createSlide", security(("contentKey" = [])), request_body = CreateSlideRequest,
    responses((status = 200, description = "The slide; `queued` when its content is to be generated", body = Slide))
)]
pub async fn create(request: Create) -> Result<Answer, Problem> {
    resources::create(request, "slides.create", StatusCode::OK, |tx, place, request: &CreateSlideRequest| {
        let new = request.slide(tx.ambient(), place);
        new.insert(tx)?;
        if request.is_generated() {
            generation::enqueue::<Slide>(tx, place.organization, new.id)?;
        }
        Ok(new)
    })
    .await
}

/// An outline; it may be empty.
pub(super) fn outline() -> impl Check<Value = String> {
    text(0..=LONGEST_OUTLINE)
}

impl CreateSlideRequest {
    /// There is something to generate from, and nothing that would be lost.
    fn is_generated(&self) -> bool {
        self.content.trim().is_empty() && self.outline.as_ref().is_some_and(|outline| !outline.trim().is_empty())
    }

    fn slide(&self, ambient: &Ambient, place: &Place) -> Slide {
        let language = place.language(self.language.as_ref());
        Slide {
            description: self.description.clone(),
            outline: self.outline.clone(),
            content: self.content.clone(),
            visibility: self.visibility,
            status: if self.is_generated() { Status::Queued } else { Status::Completed },
            metadata: self.metadata.clone(),
            ..Slide::new(ambient, place.ids(), self.title.clone(), language)
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
        let path = format!("/v1/content/classrooms/{}/slides", french.id);
        let made = app.post(&path).key(&tenant.key).json(&json!({ "title": "La cellule" })).send().await.expect(200);
        assert_eq!(
            made,
            json!({
                "id": made["id"], "classroomId": french.id, "title": "La cellule", "slug": "la-cellule", "description": "",
                "status": "completed", "error": null, "visibility": "PRIVATE", "language": "fr", "outline": null,
                "content": "", "metadata": {}, "publicUrl": null, "previewUrl": made["previewUrl"], "version": 1,
                "createdAt": "2026-01-02T03:04:05.000Z", "updatedAt": "2026-01-02T03:04:05.000Z",
            })
        );
    }

    #[both_stores]
    async fn what_is_given_is_kept_as_it_is(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let body = json!({
            "title": "The cell", "description": "About\ncells.", "visibility": "PUBLIC", "language": "pt-BR",
            "outline": "- Cells\n  - Parts", "content": "<section onclick=\"x()\"><script>alert(1)</script></section>\u{202e}",
            "metadata": { "z": 1, "externalId": "deck-5", "a": { "y": [1, 2.50, null] } }, "unknown": true,
        });
        let made = app.make(&tenant, "slides", &body).await;
        for (field, value) in body.as_object().unwrap().iter().filter(|(field, _)| *field != "unknown") {
            assert_eq!(&made[field], value, "{field}");
        }
        assert_eq!(made["metadata"].to_string(), body["metadata"].to_string(), "the order of the keys stays");
        assert_eq!(made["status"], "completed", "with content there is nothing to generate");
        let id = made["id"].as_str().unwrap();
        assert_eq!(made["publicUrl"], format!("https://lectern.example/public/slides/{id}"));
        assert!(
            made["previewUrl"].as_str().unwrap().starts_with(&format!("https://lectern.example/preview/slides/{id}/"))
        );
        let read = app.get(&tenant.resources(&format!("slides/{id}"))).key(&tenant.key).send().await.expect(200);
        assert_eq!(read, made);
        assert_eq!(app.count("SELECT count(*) FROM job").await, 0);
    }

    #[both_stores]
    async fn an_outline_without_content_is_generated_from(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        for content in [json!(null), json!(""), json!(" \n")] {
            let body = json!({ "title": "The cell", "outline": "- Cells\n- Parts", "content": content });
            assert_eq!(app.make(&tenant, "slides", &body).await["status"], "queued", "{content:?}");
        }
        assert_eq!(app.count("SELECT count(*) FROM job").await, 3);
        for outline in [json!(null), json!(""), json!(" \n")] {
            let made = app.make(&tenant, "slides", &json!({ "title": "The cell", "outline": outline })).await;
            assert_eq!((&made["status"], &made["outline"]), (&json!("completed"), &outline));
        }
        assert_eq!(app.count("SELECT count(*) FROM job").await, 3);
    }

    #[both_stores]
    async fn every_wrong_field_is_named_at_once(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let path = tenant.resources("slides");
        let before = app.stored().await;
        let fields = ["title", "description", "outline", "visibility", "content", "language", "metadata"];
        for wrong in [json!(7), json!([]), json!(true), json!(1e300)] {
            let body: serde_json::Map<_, _> = fields.iter().map(|field| ((*field).to_owned(), wrong.clone())).collect();
            assert_eq!(app.post(&path).key(&tenant.key).json(&body.into()).send().await.faults(), fields, "{wrong}");
        }
        for (body, fault) in [
            (json!({}), "title"),
            (json!({ "title": "" }), "title"),
            (json!({ "title": "a\nb" }), "title"),
            (json!({ "title": "a", "visibility": "private" }), "visibility"),
            (json!({ "title": "a", "language": "x".repeat(36) }), "language"),
            (json!({ "title": "a", "language": "English" }), "language"),
            (json!({ "title": "a", "language": "pt_BR" }), "language"),
            (json!({ "title": "a", "outline": "x".repeat(50_001) }), "outline"),
            (json!({ "title": "a", "metadata": { "externalId": 7 } }), "metadata.externalId"),
        ] {
            assert_eq!(app.post(&path).key(&tenant.key).json(&body).send().await.faults(), [fault]);
        }
        for text in ["{\"title\":\"\\u0000\"}", "{\"title\":\"a\",\"content\":\"\\udfff\"}"] {
            app.post(&path).key(&tenant.key).raw("application/json", text).send().await.expect(400);
        }
        assert_eq!(app.stored().await, before);
    }
}
