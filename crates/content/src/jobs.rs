//! The end of background work that the operator cancelled: what it was to make has failed, so that nobody waits for
//! it for ever and its owner can have it tried again.

use store::jobs::CancelledJob;
use store::{StoreError, Tx};

use crate::generation::attempts::Reason;
use crate::{expansions, generation};

const CANCELLED: Reason = Reason("cancelled", "The operator of the service cancelled the generation.");

/// Fails what a removed job was about, in the transaction that removed it. Jobs of other surfaces, and those that
/// can't be read, are about nothing here.
///
/// # Errors
/// Any [`StoreError`].
pub fn cancel(tx: &mut Tx<'_>, job: &CancelledJob) -> Result<(), StoreError> {
    match job.kind.as_str() {
        generation::KIND => generation::work::cancel(tx, &job.payload, &CANCELLED.into()),
        expansions::work::KIND => expansions::work::cancel(tx, &job.payload, &CANCELLED.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use kernel::id::JobId;
    use store::StoreError;
    use testkit::{TestStore, both_stores};

    use super::*;
    use crate::testing::{App, Tenant};

    async fn cancel_all(app: &App) {
        let cancelled = app.test.store.write("test", |tx| {
            let ids = tx.query("SELECT id FROM job", &[], |row| row.get::<JobId>(0))?;
            for id in ids {
                let job = store::jobs::cancel(tx, id)?.expect("it waits");
                cancel(tx, &job)?;
            }
            Ok::<_, StoreError>(())
        });
        cancelled.await.unwrap();
    }

    async fn with_expansion(test: TestStore) -> (App, Tenant, String) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let id = app.expand(&tenant, &tenant.source()).await;
        (app, tenant, id)
    }

    #[both_stores]
    async fn a_cancelled_expansion_has_failed_and_is_told(test: TestStore) {
        let (app, tenant, id) = with_expansion(test).await;
        cancel_all(&app).await;
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
        let body = serde_json::json!({ "topicPrompt": "Cells" });
        let made = app.make(&tenant, "tests", &body).await;
        let path = tenant.resources(&format!("tests/{}", made["id"].as_str().unwrap()));
        cancel_all(&app).await;
        let read = app.get(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!((&read["status"], &read["error"]["code"]), (&"failed".into(), &"cancelled".into()));
        app.post(&format!("{path}/retry")).key(&tenant.key).send().await;
        app.run_jobs().await;
        let read = app.get(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!(read["status"], "completed");
        app.finish().await;
    }
}
