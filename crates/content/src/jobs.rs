//! The background jobs of this surface: what a worker runs, and what the operator can cancel.

use store::jobs::{Handler, JobType};

use crate::expansions::work::ExpandSource;
use crate::generation::work::GenerateResource;
use crate::generation::{Generation, LinkedWorkspaces};
use crate::videos::renderings::work::{RenderContext, RenderVideo};

/// The types of jobs.
pub fn types(linked: LinkedWorkspaces) -> [JobType; 3] {
    [
        JobType::new(move |job: &ExpandSource, tx| job.cancelled(tx, linked)),
        JobType::new(move |job: &GenerateResource, tx| job.cancelled(tx, linked)),
        JobType::new(|job: &RenderVideo, tx| job.cancelled(tx)),
    ]
}

/// The handlers for a worker: one for each of [`types`].
pub fn handlers(generation: Generation, context: RenderContext) -> [Handler; 3] {
    [
        Handler::new::<ExpandSource>(generation.clone()),
        Handler::new::<GenerateResource>(generation),
        Handler::new::<RenderVideo>(context),
    ]
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, Tenant};

    async fn with_expansion(test: TestStore) -> (App, Tenant, String) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let id = app.expand(&tenant, &tenant.source()).await;
        (app, tenant, id)
    }

    /// The texts are what earlier versions of the program wrote and read: jobs wait in the database while it is updated.
    #[both_stores]
    async fn the_rows_of_jobs_are_those_of_earlier_versions(test: TestStore) {
        let (app, tenant, expansion) = with_expansion(test).await;
        let organization = tenant.organization;
        let row = |kind: &str, members: String| {
            let payload = format!(r#"{{"version":1,"organizationId":"{organization}",{members}}}"#);
            (kind.to_owned(), payload, organization.to_string(), 0_i64)
        };
        let mut expected = vec![row("ExpandSource", format!(r#""expansionId":"{expansion}""#))];
        for (plural, word, body) in [
            ("courses", "course", json!({ "title": "Cells", "generate": true })),
            ("videos", "video", json!({ "title": "Cells", "generate": true })),
            ("slides", "slide", json!({ "title": "Cells", "outline": "- What a cell is" })),
            ("tests", "test", json!({ "topicPrompt": "Cells" })),
        ] {
            let id = app.make(&tenant, plural, &body).await["id"].as_str().unwrap().to_owned();
            expected.push(row("GenerateResource", format!(r#""kind":"{word}","resourceId":"{id}""#)));
        }
        let rows = app.read(|tx| {
            tx.query("SELECT kind, payload, tenant, priority FROM job ORDER BY id", &[], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })
        });
        assert_eq!(rows.await, expected);
        app.run_jobs().await;
        app.finish().await;
    }

    #[both_stores]
    async fn a_cancelled_expansion_has_failed_and_is_told(test: TestStore) {
        let (app, tenant, id) = with_expansion(test).await;
        app.cancel_jobs().await;
        let path = format!("/v1/content/integrations/expansions/{id}");
        let job = app.get(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!((&job["status"], &job["error"]["code"]), (&"failed".into(), &"cancelled".into()));
        assert!(job["outputs"].as_array().unwrap().iter().all(|output| output["status"] == "failed"));
        assert_eq!(app.count("SELECT count(*) FROM event WHERE type = 'content.failed'").await, 1);
        app.finish().await;
    }

    #[both_stores]
    async fn a_cancelled_generation_has_failed_and_can_be_tried_again(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let body = json!({ "topicPrompt": "Cells" });
        let made = app.make(&tenant, "tests", &body).await;
        let path = tenant.resources(&format!("tests/{}", made["id"].as_str().unwrap()));
        app.cancel_jobs().await;
        let read = app.get(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!((&read["status"], &read["error"]["code"]), (&"failed".into(), &"cancelled".into()));
        app.post(&format!("{path}/retry")).key(&tenant.key).send().await;
        app.run_jobs().await;
        let read = app.get(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!(read["status"], "completed");
        app.finish().await;
    }
}
