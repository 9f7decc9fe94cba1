//! `GET /v1/content/classrooms/{classroomId}/modules/{moduleId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfNoneMatch;

use super::Module;
use crate::{Content, ContentKey, resources};

/// One module with its content and quiz items.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/modules/{moduleId}", tag = "Modules",
    operation_id = "getModule", security(("contentKey" = [])),
    responses((status = 200, description = "The module", body = Module))
)]
pub async fn get(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    known: IfNoneMatch,
) -> Result<Answer, Problem> {
    resources::get::<Module>(content, key, "modules.get", path, known).await
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, Tenant};

    /// Expands a source; the path of the module that came of it, and its id.
    async fn expanded(app: &App, tenant: &Tenant) -> (String, String) {
        let job = app.expand(tenant, &tenant.source()).await;
        app.run_jobs().await;
        let id = app.job(tenant, &job).await["outputs"][0]["resourceId"].as_str().unwrap().to_owned();
        (format!("/v1/content/classrooms/{}/modules/{id}", tenant.classroom), id)
    }

    #[both_stores]
    async fn the_resource_of_an_output_is_read_by_its_resource_id(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let (path, id) = expanded(&app, &tenant).await;
        let module = app.get(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!(
            module,
            json!({
                "id": id,
                "classroomId": tenant.classroom,
                "courseId": null,
                "sequence": null,
                "title": "Cells module",
                "slug": "cells-module",
                "description": "A module.",
                "type": "markdown",
                "status": "completed",
                "error": null,
                "language": "en",
                "isPublic": false,
                "content": "<article><section><h2>The cell</h2><p>A cell is alive.</p></section></article>",
                "quizzes": [{
                    "id": module["quizzes"][0]["id"], "sequence": 1, "title": "The cell", "question": "Is a cell alive?",
                    "type": "true-false", "options": ["True", "False"], "correctAnswers": ["True"], "showFeedback": true,
                }],
                "metadata": { "expansionId": module["metadata"]["expansionId"], "generator": "builtin", "sources": [
                    { "part": "sections/0", "pointers": ["/level/lessons/0"] },
                ] },
                "publicUrl": null,
                "previewUrl": module["previewUrl"],
                "version": 1,
                "createdAt": "2026-01-02T03:04:05.000Z",
                "updatedAt": "2026-01-02T03:04:05.000Z",
            })
        );
        app.finish().await;
    }

    #[both_stores]
    async fn another_classroom_or_organization_does_not_have_it(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
        let beside = app.classroom(&tenant, "Class 8a", "en").await;
        let (path, id) = expanded(&app, &tenant).await;
        let unknown = app.test.ambient.id::<kernel::id::ModuleId>();
        app.get(&path).key(&other.key).send().await.expect(404);
        for (classroom, id) in [
            (beside.id.to_string(), id.clone()),
            (other.classroom.to_string(), id.clone()),
            (tenant.classroom.to_string(), unknown.to_string()),
            (tenant.classroom.to_string(), "7".to_owned()),
            (unknown.to_string(), id.clone()),
        ] {
            let path = format!("/v1/content/classrooms/{classroom}/modules/{id}");
            app.get(&path).key(&tenant.key).send().await.expect(404);
        }
        for classroom in ["7b", "%00", "%20"] {
            let path = format!("/v1/content/classrooms/{classroom}/modules/{id}");
            assert_eq!(app.get(&path).key(&tenant.key).send().await.faults(), ["classroomId"]);
        }
    }
}
