//! `PATCH /v1/content/classrooms/{classroomId}/courses/{courseId}` (content-api section 4).

use edge::answer::Answer;
use edge::body::Body;
use edge::problem::Problem;
use http::StatusCode;
use kernel::json::JsonText;
use store::{KeyedRecord as _, Tx};

use super::Course;
use super::create::level;
use crate::links::Links;
use crate::resources::{self, Update, Visibility, fields};

/// What to change of a course; what is absent stays.
#[derive(Body)]
#[body(changes = Course)]
pub struct UpdateCourseRequest {
    /// What it is called: 1 to 255 characters.
    #[field(fields::title())]
    title: Option<String>,
    /// What it is about; null clears it.
    #[field(fields::description(), null = "")]
    description: Option<String>,
    /// For whom it is; null clears it.
    #[field(level())]
    level: Option<Option<String>>,
    /// Whether anybody may open its public page.
    visibility: Option<Visibility>,
    /// A language tag.
    #[field(fields::stored_language())]
    language: Option<String>,
    /// All metadata: members that are not among them are gone; null clears it.
    #[field(fields::metadata(), null = JsonText::empty_object())]
    metadata: Option<JsonText>,
}

/// Changes a course. Its contents change with its modules.
#[utoipa::path(
    patch, path = "/v1/content/classrooms/{classroomId}/courses/{courseId}", tag = "Courses",
    operation_id = "updateCourse", security(("contentKey" = [])), request_body = UpdateCourseRequest,
    responses((status = 200, description = "The changed course", body = Course))
)]
pub async fn update(request: Update) -> Result<Answer, Problem> {
    let change = |tx: &mut Tx<'_>, links: &Links, mut course: Course, changes: &UpdateCourseRequest| {
        changes.apply(&mut course);
        course.update(tx)?;
        resources::stored(tx, links, &course, StatusCode::OK)
    };
    resources::update(request, "courses.update", change).await
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, Tenant};

    async fn full(app: &App, tenant: &Tenant) -> (String, Value) {
        let body = json!({
            "title": "Biology", "description": "Life.", "level": "BEGINNER", "visibility": "PUBLIC", "language": "de",
            "metadata": { "externalId": "c" },
        });
        let made = app.make(tenant, "courses", &body).await;
        (tenant.resources(&format!("courses/{}", made["id"].as_str().unwrap())), made)
    }

    #[both_stores]
    async fn a_change_answers_with_the_course(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let (path, mut expected) = full(&app, &tenant).await;
        let changes = [
            json!({ "title": "Chemistry" }),
            json!({ "description": "Matter." }),
            json!({ "level": "ADVANCED" }),
            json!({ "visibility": "PRIVATE" }),
            json!({ "language": "en" }),
            json!({ "metadata": { "b": 1 } }),
            json!({ "level": null, "chatSessionId": "x", "contents": [], "status": "queued" }),
        ];
        for (version, change) in (2..).zip(&changes) {
            let changed = app.patch(&path).key(&tenant.key).json(change).send().await.expect(200);
            for (field, value) in change.as_object().unwrap() {
                if !["chatSessionId", "contents", "status"].contains(&field.as_str()) {
                    expected[field] = value.clone();
                }
            }
            expected["version"] = json!(version);
            expected["publicUrl"] = changed["publicUrl"].clone();
            assert_eq!(changed, expected, "{change}");
            assert_eq!(app.get(&path).key(&tenant.key).send().await.expect(200), changed);
        }
        assert_eq!(expected["publicUrl"], Value::Null, "it is private by now");
    }

    #[both_stores]
    async fn null_clears_what_can_be_cleared_and_an_empty_body_is_400(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let (path, made) = full(&app, &tenant).await;
        let patch = async |body: Value| app.patch(&path).key(&tenant.key).json(&body).send().await;
        assert_eq!(
            patch(json!({ "title": null, "visibility": null, "language": null, "level": null })).await.faults(),
            ["title", "visibility", "language"]
        );
        for empty in [json!({}), json!({ "contents": [], "unknown": 1 })] {
            assert_eq!(patch(empty).await.faults(), [""]);
        }
        assert_eq!(app.get(&path).key(&tenant.key).send().await.json(), made);
        let cleared = patch(json!({ "description": null, "level": null, "metadata": null })).await.expect(200);
        assert_eq!(
            (&cleared["description"], &cleared["level"], &cleared["metadata"]),
            (&json!(""), &json!(null), &json!({}))
        );
    }
}
