//! `DELETE /v1/content/classrooms/{classroomId}/slides/{slideId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;

use super::Slide;
use crate::{Content, ContentKey, resources};

/// Deletes a slide, and answers with it as it was last.
#[utoipa::path(
    delete, path = "/v1/content/classrooms/{classroomId}/slides/{slideId}", tag = "Slides",
    operation_id = "deleteSlide", security(("contentKey" = [])),
    responses((status = 200, description = "The deleted slide", body = Slide))
)]
pub async fn delete(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    expected: IfMatch,
) -> Result<Answer, Problem> {
    resources::change::<Slide, _>(content, key, "slides.delete", path, expected, Ok(()), |tx, slide, ()| {
        resources::remove(tx, &slide)?;
        Ok(Answer::ok(&slide))
    })
    .await
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn the_answer_is_the_slide_as_it_was(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let made = app.make(&tenant, "slides", &json!({ "title": "The cell", "content": "<h2>Cells</h2>" })).await;
        let path = tenant.resources(&format!("slides/{}", made["id"].as_str().unwrap()));
        assert_eq!(app.delete(&path).key(&tenant.key).send().await.expect(200), made);
        for call in [app.get(&path), app.delete(&path), app.patch(&path).json(&json!({ "title": "x" }))] {
            call.key(&tenant.key).send().await.expect(404);
        }
        assert_eq!(app.count("SELECT count(*) FROM slide").await, 0);
    }
}
