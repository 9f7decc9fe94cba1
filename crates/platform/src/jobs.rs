//! The background jobs of this surface: what a worker runs, and what the operator can cancel. The operations below are for
//! operators, and about the jobs of every surface.

pub mod change;
pub mod list;
#[cfg(test)]
mod operators;
pub mod queues;

use mail::Mailer;
use store::jobs::{Handler, JobType};

use crate::Platform;
use crate::agent::verify_email::send::{SendVerification, VerificationSender};
use crate::billing::caller::Caller;
use crate::billing::payment_methods::describe::DescribePaymentMethod;
use crate::billing::payment_methods::detach::DetachPaymentMethod;
use crate::evaluations::work::GradeAnswer;
use crate::notices::send::{NoticeSender, SendNotice};
use crate::payments::resolve::{ResolvePayment, Resolver};

/// The types of jobs.
pub fn types() -> [JobType; 6] {
    [
        JobType::new(GradeAnswer::cancelled),
        JobType::new(ResolvePayment::cancelled),
        JobType::new(|_: &SendVerification, _| Ok(())),
        JobType::new(|_: &SendNotice, _| Ok(())),
        JobType::new(|_: &DetachPaymentMethod, _| Ok(())),
        JobType::new(|_: &DescribePaymentMethod, _| Ok(())),
    ]
}

/// The handlers for a worker: one for each of [`types`].
pub fn handlers(platform: &Platform, mailer: Mailer) -> [Handler; 6] {
    let sender = VerificationSender::new(platform, mailer.clone());
    let notices = NoticeSender::new(platform, mailer);
    let (store, ambient) = (platform.door.store.clone(), platform.door.ambient.clone());
    let resolver = Resolver::new(store, ambient, platform.x402.clone());
    let caller = Caller::new(platform);
    [
        platform.grading.handler(),
        Handler::new::<ResolvePayment>(resolver),
        Handler::new::<SendVerification>(sender),
        Handler::new::<SendNotice>(notices),
        Handler::new::<DetachPaymentMethod>(caller.clone()),
        Handler::new::<DescribePaymentMethod>(caller),
    ]
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use store::Tx;
    use store::jobs::cancel;
    use testkit::{TestStore, both_stores};

    use crate::jobs::types;
    use crate::notices::{Notice, tell};
    use crate::testing::{App, EVALUATIONS, Tenant, open};
    use crate::workspaces::create::NewWorkspace;

    /// Queues an answer; the evaluation's id.
    async fn queue(app: &App, tenant: &Tenant) -> String {
        let mut body = open();
        body["mode"] = json!("async");
        app.evaluate(tenant, &body).await["id"].as_str().unwrap().to_owned()
    }

    async fn shown(app: &App, tenant: &Tenant, id: &str) -> Value {
        app.get(&format!("{EVALUATIONS}/{id}")).key(&tenant.key).send().await.expect(200)
    }

    /// Kind, payload, tenant and priority of each job.
    async fn rows(app: &App) -> Vec<(String, String, String, i64)> {
        app.read(|tx| {
            tx.query("SELECT kind, payload, tenant, priority FROM job ORDER BY id", &[], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })
        })
        .await
    }

    /// The texts are what earlier versions of the program wrote and read: jobs wait in the database while it is updated.
    #[both_stores]
    async fn the_rows_of_jobs_are_those_of_earlier_versions(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let id = queue(&app, &tenant).await;
        let row = |payload: String| ("GradeAnswer".to_owned(), payload, tenant.workspace.to_string(), -1);
        assert_eq!(rows(&app).await, [row(format!(r#"{{"version":1,"evaluationId":"{id}"}}"#))]);
        for (code, counts) in [("model_timeout", r#""hiccups":1"#), ("model_busy", r#""hiccups":1,"outages":1"#)] {
            app.script.fail(code, true);
            assert_eq!(app.run_jobs().await, 1);
            assert_eq!(rows(&app).await, [row(format!(r#"{{"version":1,"evaluationId":"{id}",{counts}}}"#))]);
            app.test.clock.advance(std::time::Duration::from_secs(30));
        }
        let before = format!(r#"{{"version":1,"evaluationId":"{id}","hiccups":2,"outages":1}}"#);
        let rewrite = move |tx: &mut Tx<'_>| tx.execute("UPDATE job SET payload = $1", &[&before]);
        app.test.store.write("test", rewrite).await.unwrap();
        app.script.fail("model_timeout", true);
        assert_eq!(app.run_jobs().await, 1);
        assert_eq!(shown(&app, &tenant, &id).await["status"], "FAILED", "the third hiccup is the last");

        let email = Some("ann@example.com".to_owned());
        let unverified = NewWorkspace { email, ..NewWorkspace::named("hillside".into(), "hillside".into()) };
        let workspace = app.tenant_of(unverified).await.workspace;
        let payload = format!(r#"{{"version":1,"workspaceId":"{workspace}","email":"ann@example.com"}}"#);
        assert_eq!(rows(&app).await, [("SendVerification".to_owned(), payload, workspace.to_string(), -1)]);
        app.run_jobs().await;
        assert_eq!(app.mails().len(), 1);

        let notice = Notice::LowBalance { balance_usd: 4.into(), threshold_usd: 5.into() };
        app.test.store.write("test", move |tx| tell(tx, workspace, notice.clone())).await.unwrap();
        let row = |to: &str| {
            let payload = format!(
                r#"{{"version":1,"workspaceId":"{workspace}","to":{to},"notice":{{"kind":"lowBalance","balanceUsd":4,"thresholdUsd":5}}}}"#
            );
            [("SendNotice".to_owned(), payload, workspace.to_string(), 0)]
        };
        assert_eq!(rows(&app).await, row("null"));
        while app.run_jobs().await > 0 {}
        assert_eq!(app.mails().len(), 2, "to the operator; the workspace's address is unverified");
        app.finish().await;
    }

    #[both_stores]
    async fn a_cancelled_evaluation_has_failed_and_costs_nothing(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let id = queue(&app, &tenant).await;
        let cancelled = app.test.store.write("test", |tx| {
            let job = tx.find("SELECT id FROM job", &[], |row| row.get(0))?.expect("it is queued");
            cancel(tx, job, &types())
        });
        assert!(cancelled.await.unwrap());
        let failed = shown(&app, &tenant, &id).await;
        assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("FAILED"), &json!("cancelled")));
        assert_eq!(app.balance(&tenant).await.1, json!(100));
        app.finish().await;
    }
}
