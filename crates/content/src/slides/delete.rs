//! `DELETE /v1/content/classrooms/{classroomId}/slides/{slideId}` (content-api section 4).

use edge::problem::Problem;
use store::Tx;

use super::Slide;
use crate::resources::{self, Delete};

impl Delete for Slide {
    type Answer = Self;
    const SUMMARY: &'static str = "Deletes a slide, and answers with it as it was last.";
    const ANSWER: &'static str = "The deleted slide";

    fn delete(self, tx: &mut Tx<'_>) -> Result<Self, Problem> {
        resources::remove(tx, &self)?;
        Ok(self)
    }
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
