//! `DELETE /v1/content/classrooms/{classroomId}/tests/{testId}` (content-api section 4).

use edge::problem::Problem;
use store::Tx;

use super::Test;
use crate::resources::{self, Delete, SUCCEEDED, Succeeded};

impl Delete for Test {
    type Answer = Succeeded;
    const SUMMARY: &'static str = "Deletes a test.";
    const ANSWER: &'static str = "The test was deleted";

    fn delete(self, tx: &mut Tx<'_>) -> Result<Succeeded, Problem> {
        resources::remove(tx, &self)?;
        Ok(SUCCEEDED)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn a_deleted_test_is_gone_and_its_output_stays(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let job = app.expand(&tenant, &tenant.source()).await;
        app.run_jobs().await;
        let before = app.job(&tenant, &job).await;
        let path = tenant.resources(&format!("tests/{}", before["outputs"][2]["resourceId"].as_str().unwrap()));
        assert_eq!(app.delete(&path).key(&tenant.key).send().await.expect(200), json!({ "success": true }));
        for call in [app.get(&path), app.delete(&path), app.patch(&path).json(&json!({ "name": "x" }))] {
            call.key(&tenant.key).send().await.expect(404);
        }
        assert_eq!(app.count("SELECT count(*) FROM test").await, 0);
        assert_eq!(app.job(&tenant, &job).await["outputs"][2], before["outputs"][2]);
        app.finish().await;
    }
}
