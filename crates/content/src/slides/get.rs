//! `GET /v1/content/classrooms/{classroomId}/slides/{slideId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfNoneMatch;

use super::Slide;
use crate::{Content, ContentKey, resources};

/// One deck with its content.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/slides/{slideId}", tag = "Slides",
    operation_id = "getSlide", security(("contentKey" = [])),
    responses((status = 200, description = "The slide", body = Slide))
)]
pub async fn get(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    known: IfNoneMatch,
) -> Result<Answer, Problem> {
    resources::get::<Slide>(content, key, "slides.get", path, known).await
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn another_classroom_or_organization_does_not_have_it(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
        let beside = app.classroom(&tenant, "Class 8a", "en").await;
        let made = app.make(&tenant, "slides", &json!({ "title": "The cell" })).await;
        let id = made["id"].as_str().unwrap();
        let unknown = app.test.ambient.id::<kernel::id::SlideId>().to_string();
        let before = app.stored().await;
        let paths = [
            (tenant.resources(&format!("slides/{id}")), &other.key),
            (format!("/v1/content/classrooms/{}/slides/{id}", beside.id), &tenant.key),
            (format!("/v1/content/classrooms/{}/slides/{id}", other.classroom), &tenant.key),
            (tenant.resources(&format!("slides/{unknown}")), &tenant.key),
            (tenant.resources("slides/7"), &tenant.key),
            (tenant.resources("slides/%00"), &tenant.key),
        ];
        for (path, key) in paths {
            app.patch(&path).key(key).json(&json!({ "title": "x" })).send().await.expect(404);
            app.delete(&path).key(key).send().await.expect(404);
            app.get(&path).key(key).send().await.expect(404);
        }
        assert_eq!(app.stored().await, before);
        for classroom in ["7b", "%00"] {
            let path = format!("/v1/content/classrooms/{classroom}/slides/{id}");
            assert_eq!(app.get(&path).key(&tenant.key).send().await.faults(), ["classroomId"]);
        }
    }
}
