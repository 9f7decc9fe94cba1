//! `GET /v1/content/integrations/expansions/{jobId}/result` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};

use super::load;
use super::view::ExpansionResult;
use crate::{Content, ContentKey};

/// The outcome of an ended job: its outputs and the combined manifest of those that were completed.
#[utoipa::path(
    get, path = "/v1/content/integrations/expansions/{jobId}/result", tag = "Expansions",
    operation_id = "getExpansionResult", security(("contentKey" = [])),
    responses(
        (status = 200, description = "The outcome of the ended job", body = ExpansionResult),
        (status = 404, description = "There is no such job", body = ContentErrorBody),
        (status = 409, description = "The job has not ended", body = ContentErrorBody),
    )
)]
pub async fn result(
    State(content): State<Content>,
    key: ContentKey,
    Params(job): Params<String>,
) -> Result<Answer, Problem> {
    let links = content.links.clone();
    let door = &content.door;
    door.read_by_key(key, "expansions.result", move |tx, caller| {
        let expansion = load(tx, caller, &job)?;
        if !expansion.progress.has_ended() {
            return Err(Problem::Conflict("The expansion job has not ended yet."));
        }
        Ok(Answer::ok(&ExpansionResult::of(&expansion, &links)))
    })
    .await
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::expansions::OutputKind::{InteractiveModule, SummaryVideo};
    use crate::testing::{App, EXPANSIONS, Step};

    const NOW: &str = "2026-01-02T03:04:05.000Z";

    #[both_stores]
    async fn the_result_of_a_job_that_has_not_ended_is_a_conflict(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let id = app.expand(&tenant, &tenant.source()).await;
        let path = format!("{EXPANSIONS}/{id}/result");
        app.get(&path).key(&tenant.key).send().await.expect(409);
        app.script.then(SummaryVideo, [Step::Defer("model_busy")]);
        app.run_jobs().await;
        app.get(&path).key(&tenant.key).send().await.expect(409);
        app.test.clock.advance(std::time::Duration::from_secs(60));
        app.run_jobs().await;
        app.get(&path).key(&tenant.key).send().await.expect(200);
        app.finish().await;
    }

    #[both_stores]
    async fn a_result_is_the_job_its_outputs_and_the_combined_manifest(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let id = app.expand(&tenant, &tenant.source()).await;
        app.run_jobs().await;
        let result = app.result(&tenant, &id).await;
        let names: Vec<_> = result.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, ["job", "outputs", "manifest"]);
        assert_eq!(result["job"], app.job(&tenant, &id).await);
        assert_eq!(result["outputs"], result["job"]["outputs"]);
        let resource = |n: usize| &result["outputs"][n]["resourceId"];
        assert_eq!(
            result["manifest"],
            json!({
                "id": id, "status": "completed", "sourceType": "source_json", "sourceTitle": "Biology, Cells",
                "outputs": [
                    { "outputType": "interactive_module", "resourceType": "module", "resourceId": resource(0), "title": "Cells module" },
                    { "outputType": "summary_video", "resourceType": "video", "resourceId": resource(1), "title": "Cells video" },
                    { "outputType": "expanded_quiz", "resourceType": "test", "resourceId": resource(2), "title": "Cells test" },
                ],
            })
        );
        app.finish().await;
    }

    #[both_stores]
    async fn each_manifest_has_exactly_its_fields(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let id = app.expand(&tenant, &tenant.source()).await;
        app.run_jobs().await;
        let outputs = app.result(&tenant, &id).await["outputs"].take();
        let resource = |n: usize| &outputs[n]["resourceId"];
        let path = format!("/v1/content/classrooms/{}/modules/{}", tenant.classroom, resource(0).as_str().unwrap());
        let module = app.get(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!(
            outputs[0]["manifest"],
            json!({
                "outputType": "interactive_module", "resourceType": "module", "resourceId": resource(0),
                "title": "Cells module", "description": "A module.", "status": "completed", "completedAt": NOW,
                "urls": { "publicUrl": null, "previewUrl": module["previewUrl"] },
                "externalRefs": { "videoId": resource(1), "classroomTestId": resource(2) },
                "raw": { "title": "Cells module", "language": "en", "hasQuiz": true, "id": resource(0) },
            })
        );
        assert_eq!(
            outputs[1]["manifest"],
            json!({
                "outputType": "summary_video", "resourceType": "video", "resourceId": resource(1),
                "title": "Cells video", "description": "A video.", "status": "completed", "completedAt": NOW,
                "raw": {
                    "sceneCount": 2, "aspectRatio": "16:9", "targetDurationSeconds": 7, "id": resource(1), "mode": "builtin",
                },
            })
        );
        assert_eq!(
            outputs[2]["manifest"],
            json!({
                "outputType": "expanded_quiz", "resourceType": "test", "resourceId": resource(2),
                "title": "Cells test", "description": "A test.", "status": "completed", "completedAt": NOW,
                "raw": { "subject": "Biology", "itemCount": 1, "timeLimit": 5, "id": resource(2), "mode": "builtin" },
            })
        );
        app.finish().await;
    }

    #[both_stores]
    async fn a_manifests_urls_lead_where_the_module_can_be_seen_now(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let id = app.expand(&tenant, &tenant.source()).await;
        app.run_jobs().await;
        let result = app.result(&tenant, &id).await;
        let module = result["outputs"][0]["resourceId"].as_str().unwrap();
        let path = format!("/v1/content/classrooms/{}/modules/{module}", tenant.classroom);
        app.patch(&path).key(&tenant.key).json(&json!({ "isPublic": true })).send().await.expect(200);
        let urls = app.result(&tenant, &id).await["outputs"][0]["manifest"]["urls"].take();
        assert_eq!(urls["publicUrl"], format!("https://lectern.example/public/modules/{module}"));
        assert!(urls["previewUrl"].is_string());
        app.delete(&path).key(&tenant.key).send().await.expect(200);
        let manifest = app.result(&tenant, &id).await["outputs"][0]["manifest"].take();
        assert_eq!(manifest["urls"], json!({ "publicUrl": null, "previewUrl": urls["previewUrl"] }));
        assert_eq!(manifest["title"], "Cells module", "the row stays with its manifest");
        app.finish().await;
    }

    #[both_stores]
    async fn a_module_made_alone_refers_to_no_siblings(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let mut body = tenant.source();
        body["requestedOutputs"] = json!(["interactive_module"]);
        let id = app.expand(&tenant, &body).await;
        app.run_jobs().await;
        let result = app.result(&tenant, &id).await;
        let references = &result["outputs"][0]["manifest"]["externalRefs"];
        assert_eq!(*references, json!({ "videoId": null, "classroomTestId": null }));
        assert_eq!(result["manifest"]["outputs"].as_array().map(Vec::len), Some(1));
        app.finish().await;
    }

    #[both_stores]
    async fn a_failed_jobs_result_has_the_finished_outputs(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let id = app.expand(&tenant, &tenant.source()).await;
        app.script.then(InteractiveModule, [Step::Fail("model_refused")]);
        app.run_jobs().await;
        let result = app.result(&tenant, &id).await;
        assert_eq!((&result["manifest"]["status"], &result["job"]["status"]), (&json!("failed"), &json!("failed")));
        let finished: Vec<_> =
            result["manifest"]["outputs"].as_array().unwrap().iter().map(|o| &o["outputType"]).collect();
        assert_eq!(finished, [&json!("summary_video"), &json!("expanded_quiz")]);
        assert_eq!(
            (&result["outputs"][0]["status"], &result["outputs"][0]["manifest"]),
            (&json!("failed"), &Value::Null)
        );
        app.finish().await;
    }
}
