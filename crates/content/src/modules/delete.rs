//! `DELETE /v1/content/classrooms/{classroomId}/modules/{moduleId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;

use super::{Module, places};
use crate::resources::{self, SUCCEEDED, Succeeded};
use crate::{Content, ContentKey, courses};

/// Deletes a module. The later modules of its course move up.
#[utoipa::path(
    delete, path = "/v1/content/classrooms/{classroomId}/modules/{moduleId}", tag = "Modules",
    operation_id = "deleteModule", security(("contentKey" = [])),
    responses((status = 200, description = "The module was deleted", body = Succeeded))
)]
pub async fn delete(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    expected: IfMatch,
) -> Result<Answer, Problem> {
    resources::change::<Module, _>(content, key, "modules.delete", path, expected, Ok(()), |tx, module, ()| {
        let place = module.course_id.zip(module.sequence);
        if let Some((course, _)) = place {
            courses::touch(tx, module.organization_id, course)?;
        }
        resources::remove(tx, &module)?;
        if let Some((course, sequence)) = place {
            places::close_gap(tx, module.organization_id, course, sequence)?;
        }
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
    async fn a_deleted_module_is_gone_and_its_output_stays(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let job = app.expand(&tenant, &tenant.source()).await;
        app.run_jobs().await;
        let before = app.job(&tenant, &job).await;
        let id = before["outputs"][0]["resourceId"].as_str().unwrap();
        let path = tenant.resources(&format!("modules/{id}"));
        assert_eq!(app.delete(&path).key(&tenant.key).send().await.expect(200), json!({ "success": true }));
        app.get(&path).key(&tenant.key).send().await.expect(404);
        app.delete(&path).key(&tenant.key).send().await.expect(404);
        app.patch(&path).key(&tenant.key).json(&json!({ "title": "x" })).send().await.expect(404);
        let after = app.job(&tenant, &job).await;
        assert_eq!(after["outputs"][0]["resourceId"], id);
        assert_eq!(after["outputs"][0]["manifest"], before["outputs"][0]["manifest"]);
        app.finish().await;
    }
}
