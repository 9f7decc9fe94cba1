//! `GET /v1/content/classrooms/{classroomId}/videos/{videoId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfNoneMatch;

use super::Video;
use crate::{Content, ContentKey, resources};

/// One video with its scenes in order.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/videos/{videoId}", tag = "Videos",
    operation_id = "getVideo", security(("contentKey" = [])),
    responses((status = 200, description = "The video", body = Video))
)]
pub async fn get(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    known: IfNoneMatch,
) -> Result<Answer, Problem> {
    resources::get::<Video>(content, key, "videos.get", path, known).await
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, Tenant};

    /// Expands a source; the path of the video that came of it, and its id.
    async fn expanded(app: &App, tenant: &Tenant) -> (String, String) {
        let job = app.expand(tenant, &tenant.source()).await;
        app.run_jobs().await;
        let id = app.job(tenant, &job).await["outputs"][1]["resourceId"].as_str().unwrap().to_owned();
        (format!("/v1/content/classrooms/{}/videos/{id}", tenant.classroom), id)
    }

    #[both_stores]
    async fn the_resource_of_an_output_is_read_by_its_resource_id(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let (path, id) = expanded(&app, &tenant).await;
        let video = app.get(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!(
            video,
            json!({
                "id": id,
                "classroomId": tenant.classroom,
                "title": "Cells video",
                "slug": "cells-video",
                "description": "A video.",
                "status": "completed",
                "error": null,
                "visibility": "PRIVATE",
                "language": "en",
                "aspectRatio": "16:9",
                "targetDurationSeconds": 7,
                "scenes": [
                    { "id": video["scenes"][0]["id"], "sequence": 1, "script": "A cell is alive.", "displayText": "The cell", "duration": 3.5 },
                    { "id": video["scenes"][1]["id"], "sequence": 2, "script": "That was the cell.", "displayText": "The cell", "duration": 3.5 },
                ],
                "metadata": { "expansionId": video["metadata"]["expansionId"], "generator": "builtin", "sources": [
                    { "part": "scenes/0", "pointers": ["/level/lessons/0"] },
                ] },
                "publicUrl": null,
                "previewUrl": video["previewUrl"],
                "version": 1,
                "createdAt": "2026-01-02T03:04:05.000Z",
                "updatedAt": "2026-01-02T03:04:05.000Z",
            })
        );
        assert_ne!(video["scenes"][0]["id"], video["scenes"][1]["id"]);
        app.finish().await;
    }

    #[both_stores]
    async fn another_classroom_or_organization_does_not_have_it(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
        let beside = app.classroom(&tenant, "Class 8a", "en").await;
        let (path, id) = expanded(&app, &tenant).await;
        let unknown = app.test.ambient.id::<kernel::id::VideoId>();
        app.get(&path).key(&other.key).send().await.expect(404);
        for (classroom, id) in [
            (beside.id.to_string(), id.clone()),
            (other.classroom.to_string(), id.clone()),
            (tenant.classroom.to_string(), unknown.to_string()),
            (tenant.classroom.to_string(), "7".to_owned()),
            (unknown.to_string(), id.clone()),
        ] {
            let path = format!("/v1/content/classrooms/{classroom}/videos/{id}");
            app.get(&path).key(&tenant.key).send().await.expect(404);
        }
        for classroom in ["7b", "%00", "%20"] {
            let path = format!("/v1/content/classrooms/{classroom}/videos/{id}");
            assert_eq!(app.get(&path).key(&tenant.key).send().await.faults(), ["classroomId"]);
        }
    }
}
