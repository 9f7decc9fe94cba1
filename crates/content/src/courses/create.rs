//! `POST /v1/content/classrooms/{classroomId}/courses` (content-api section 4).

use edge::answer::Answer;
use edge::body::{Body, Check, label};
use edge::problem::Problem;
use http::StatusCode;
use kernel::ambient::Ambient;
use kernel::json::JsonText;
use store::Record as _;

use super::Course;
use crate::generation;
use crate::resources::{self, Create, Place, Status, Visibility, fields};

/// The longest level, in characters.
const LONGEST_LEVEL: usize = 50;

/// A course to create.
#[derive(Body)]
pub struct CreateCourseRequest {
    /// What it is called: 1 to 255 characters.
    #[field(fields::title(), example = "Biology 7")]
    title: String,
    /// What it is about, and what a generated course teaches.
    #[field(fields::description(), default)]
    description: String,
    /// For whom it is, in the caller's words.
    #[field(level(), example = "BEGINNER")]
    level: Option<String>,
    /// `PRIVATE` when it is absent.
    #[field(default = Visibility::Private)]
    visibility: Visibility,
    /// A language tag; the classroom's language when it is absent.
    #[field(fields::language(), example = "en")]
    language: Option<String>,
    /// Whether its modules are to be generated from title, description and the classroom's modules; false when it is
    /// absent.
    #[field(default)]
    generate: bool,
    /// Whatever the caller wants to keep with it.
    #[field(fields::metadata(), default = JsonText::empty_object())]
    metadata: JsonText,
}

/// Creates a course in a classroom: without contents, or with modules that are generated.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/courses", tag = "Courses",
    operation_id = "createCourse", security(("contentKey" = [])), request_body = CreateCourseRequest,
    responses((status = 201, description = "The course; `queued` when it is to be generated", body = Course))
)]
pub async fn create(request: Create) -> Result<Answer, Problem> {
    resources::create(request, "courses.create", StatusCode::CREATED, |tx, place, request: &CreateCourseRequest| {
        let new = request.course(tx.ambient(), place);
        new.insert(tx)?;
        if request.generate {
            generation::enqueue::<Course>(tx, place.organization, new.id)?;
        }
        Ok(new)
    })
    .await
}

/// For whom a course is.
pub(super) fn level() -> impl Check<Value = String> {
    label(1..=LONGEST_LEVEL)
}

impl CreateCourseRequest {
    pub(crate) fn course(&self, ambient: &Ambient, place: &Place) -> Course {
        let language = place.language(self.language.as_ref());
        Course {
            description: self.description.clone(),
            level: self.level.clone(),
            visibility: self.visibility,
            status: if self.generate { Status::Queued } else { Status::Completed },
            metadata: self.metadata.clone(),
            ..Course::new(ambient, place.ids(), self.title.clone(), language)
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
        let made = app.make(&tenant, "courses", &json!({ "title": "Biology 7" })).await;
        assert_eq!(
            made,
            json!({
                "id": made["id"], "classroomId": tenant.classroom, "title": "Biology 7", "slug": "biology-7", "description": "",
                "level": null, "visibility": "PRIVATE", "status": "completed", "error": null, "language": "en",
                "chatSessionId": null, "contents": [], "metadata": {}, "publicUrl": null, "previewUrl": made["previewUrl"],
                "version": 1, "createdAt": "2026-01-02T03:04:05.000Z", "updatedAt": "2026-01-02T03:04:05.000Z",
            })
        );
    }

    #[both_stores]
    async fn what_is_given_is_kept(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let body = json!({
            "title": "Biology", "description": "Life.", "level": "BEGINNER", "visibility": "PUBLIC", "language": "de",
            "metadata": { "z": 1, "a": 2 },
        });
        let made = app.make(&tenant, "courses", &body).await;
        for (field, value) in body.as_object().unwrap() {
            assert_eq!(&made[field], value, "{field}");
        }
        let id = made["id"].as_str().unwrap();
        assert_eq!(made["publicUrl"], format!("https://lectern.example/public/courses/{id}"));
        assert!(
            made["previewUrl"].as_str().unwrap().starts_with(&format!("https://lectern.example/preview/courses/{id}/"))
        );
        let read = app.get(&tenant.resources(&format!("courses/{id}"))).key(&tenant.key).send().await.expect(200);
        assert_eq!(read, made);
    }

    #[both_stores]
    async fn every_wrong_field_is_named_at_once(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let path = tenant.resources("courses");
        let before = app.stored().await;
        let fields = ["title", "description", "level", "visibility", "language", "metadata"];
        for wrong in [json!(7), json!([]), json!(true), json!(1e300)] {
            let body: serde_json::Map<_, _> = fields.iter().map(|field| ((*field).to_owned(), wrong.clone())).collect();
            assert_eq!(app.post(&path).key(&tenant.key).json(&body.into()).send().await.faults(), fields, "{wrong}");
        }
        for (body, fault) in [
            (json!({}), "title"),
            (json!({ "title": "a", "visibility": "private" }), "visibility"),
            (json!({ "title": "a", "level": "" }), "level"),
            (json!({ "title": "a", "level": "x".repeat(51) }), "level"),
        ] {
            assert_eq!(app.post(&path).key(&tenant.key).json(&body).send().await.faults(), [fault], "{body}");
        }
        assert_eq!(app.stored().await, before);
    }
}
