//! `DELETE /v1/content/classrooms/{classroomId}/modules/{moduleId}` (content-api section 4).

use edge::problem::Problem;
use store::Tx;

use super::{Module, places};
use crate::courses;
use crate::resources::{self, Delete, SUCCEEDED, Succeeded};

impl Delete for Module {
    type Answer = Succeeded;
    const SUMMARY: &'static str = "Deletes a module. The later modules of its course move up.";
    const ANSWER: &'static str = "The module was deleted";

    fn delete(self, tx: &mut Tx<'_>) -> Result<Succeeded, Problem> {
        let place = self.course_id.zip(self.sequence);
        if let Some((course, _)) = place {
            courses::touch(tx, self.organization_id, course)?;
        }
        resources::remove(tx, &self)?;
        if let Some((course, sequence)) = place {
            places::close_gap(tx, self.organization_id, course, sequence)?;
        }
        Ok(SUCCEEDED)
    }
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
