//! `DELETE /v1/content/classrooms/{classroomId}/courses/{courseId}` (content-api section 4).

use edge::problem::Problem;
use kernel::id::CourseId;
use serde::Serialize;
use store::Tx;

use super::Course;
use crate::modules::places;
use crate::resources::{self, Delete};

/// A course that is no more.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedCourse {
    /// What named it.
    id: CourseId,
    /// The conversation that it was made in, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    chat_session_id: Option<String>,
}

impl Delete for Course {
    type Answer = DeletedCourse;
    const SUMMARY: &'static str = "Deletes a course with its contents. The modules that they were copied from stay.";
    const ANSWER: &'static str = "The course was deleted";

    fn delete(self, tx: &mut Tx<'_>) -> Result<DeletedCourse, Problem> {
        super::touch(tx, self.organization_id, self.id)?;
        places::remove_all(tx, self.organization_id, self.id)?;
        resources::remove(tx, &self)?;
        Ok(DeletedCourse { id: self.id, chat_session_id: self.chat_session_id })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn a_deleted_course_keeps_nothing_of_its_copies(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let module = app.make(&tenant, "modules", &json!({ "title": "The cell" })).await;
        let (course, other) = (
            app.make(&tenant, "courses", &json!({ "title": "Biology" })).await,
            app.make(&tenant, "courses", &json!({ "title": "Other" })).await,
        );
        let copying = tenant.resources(&format!("modules/{}/copy-to-course", module["id"].as_str().unwrap()));
        let copy = async |course: &serde_json::Value| {
            app.post(&copying).key(&tenant.key).json(&json!({ "courseId": course["id"] })).send().await.expect(201)
        };
        let (first, second, kept) = (copy(&course).await, copy(&course).await, copy(&other).await);
        let path = |kind: &str, made: &serde_json::Value| {
            tenant.resources(&format!("{kind}/{}", made["id"].as_str().unwrap()))
        };
        let deleted = app.delete(&path("courses", &course)).key(&tenant.key).send().await.expect(200);
        assert_eq!(deleted, json!({ "id": course["id"] }));
        app.get(&path("courses", &course)).key(&tenant.key).send().await.expect(404);
        for copy in [&first, &second] {
            app.get(&path("modules", copy)).key(&tenant.key).send().await.expect(404);
        }
        for kept in [&module, &kept] {
            app.get(&path("modules", kept)).key(&tenant.key).send().await.expect(200);
        }
        let totals = app.get(&tenant.resources("modules")).key(&tenant.key).send().await;
        assert_eq!(totals.header("x-total-count"), "2");
    }

    #[both_stores]
    async fn the_conversation_of_a_deleted_course_is_told(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let course = app.make(&tenant, "courses", &json!({ "title": "Biology" })).await;
        app.write(|tx| tx.execute("UPDATE course SET chat_session_id = 'chat-1'", &[])).await;
        let path = tenant.resources(&format!("courses/{}", course["id"].as_str().unwrap()));
        assert_eq!(app.get(&path).key(&tenant.key).send().await.expect(200)["chatSessionId"], "chat-1");
        let deleted = app.delete(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!(deleted, json!({ "id": course["id"], "chatSessionId": "chat-1" }));
    }
}
