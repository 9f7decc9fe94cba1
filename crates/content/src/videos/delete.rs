//! `DELETE /v1/content/classrooms/{classroomId}/videos/{videoId}` (content-api section 4).

use edge::problem::Problem;
use http::StatusCode;
use store::Tx;

use super::Video;
use crate::resources::{self, Delete};

impl Delete for Video {
    type Answer = ();
    const SUMMARY: &'static str = "Deletes a video with its scenes.";
    const ANSWER: &'static str = "The video was deleted";
    const STATUS: StatusCode = StatusCode::NO_CONTENT;

    fn delete(self, tx: &mut Tx<'_>) -> Result<(), Problem> {
        Ok(resources::remove(tx, &self)?)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn a_deleted_video_is_gone_with_its_scenes_and_its_output_stays(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let job = app.expand(&tenant, &tenant.source()).await;
        app.run_jobs().await;
        let before = app.job(&tenant, &job).await;
        let path = tenant.resources(&format!("videos/{}", before["outputs"][1]["resourceId"].as_str().unwrap()));
        let reply = app.delete(&path).key(&tenant.key).send().await;
        assert_eq!((reply.status.as_u16(), reply.body.as_str(), reply.header("content-type")), (204, "", ""));
        for call in
            [app.get(&path), app.delete(&path), app.post(&format!("{path}/scenes")).json(&json!({ "script": "x" }))]
        {
            call.key(&tenant.key).send().await.expect(404);
        }
        assert_eq!(app.count("SELECT count(*) FROM scene").await, 0);
        assert_eq!(app.job(&tenant, &job).await["outputs"][1], before["outputs"][1]);
        app.finish().await;
    }
}
