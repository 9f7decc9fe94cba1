//! `DELETE /v1/content/classrooms/{classroomId}/tests/{testId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;

use super::Test;
use crate::resources::{self, SUCCEEDED, Succeeded};
use crate::{Content, ContentKey};

/// Deletes a test.
#[utoipa::path(
    delete, path = "/v1/content/classrooms/{classroomId}/tests/{testId}", tag = "Tests",
    operation_id = "deleteTest", security(("contentKey" = [])),
    responses((status = 200, description = "The test was deleted", body = Succeeded))
)]
pub async fn delete(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    expected: IfMatch,
) -> Result<Answer, Problem> {
    resources::change::<Test, _>(content, key, "tests.delete", path, expected, Ok(()), |tx, test, ()| {
        resources::remove(tx, &test)?;
        Ok(Answer::ok(&SUCCEEDED))
    })
    .await
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
