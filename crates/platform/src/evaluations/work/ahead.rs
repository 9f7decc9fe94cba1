//! Grading that begins while its evaluation is made durable: who waits for a grade does not wait for the disk as well.
//!
//! It begins when the transaction that sets the price aside has everything but the disk, so nothing is graded that nobody can
//! pay. Nothing is written of it before that transaction has come through, and if it does not, the grading is given up.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::runtime::Handle;
use tokio::task::JoinSet;

use super::{Judgement, Shared};
use crate::evaluations::row::EvaluationRow;

/// Where the grading of a request's answer begins. Dropped, it gives up what nobody has taken.
pub(in crate::evaluations) struct HeadStart {
    shared: Arc<Shared>,
    runtime: Handle,
    begun: Mutex<Option<Ahead>>,
}

/// A grading that has begun. Dropped, it is given up.
pub(in crate::evaluations) struct Ahead(JoinSet<Judgement>);

impl HeadStart {
    /// For a request; on the runtime that serves it.
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, runtime: Handle::current(), begun: Mutex::default() }
    }

    /// Begins, on any thread.
    pub(in crate::evaluations) fn begin(&self, row: EvaluationRow) {
        let shared = self.shared.clone();
        let mut grading = JoinSet::new();
        grading.spawn_on(async move { shared.judge(&row).await }, &self.runtime);
        *self.begun.lock().unwrap_or_else(PoisonError::into_inner) = Some(Ahead(grading));
    }

    /// What has begun, now that its evaluation is durable.
    pub(in crate::evaluations) fn take(&self) -> Option<Ahead> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Ahead {
    /// What came of it; `None` where the process is about to end. Crashes where it has crashed.
    pub(super) async fn judgement(mut self) -> Option<Judgement> {
        match self.0.join_next().await? {
            Ok(judgement) => Some(judgement),
            Err(ended) => ended.try_into_panic().map_or(None, |crash| std::panic::resume_unwind(crash)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use super::*;
    use crate::testing::{App, EVALUATIONS, Tenant, open};

    async fn queued(app: &App, tenant: &Tenant) -> EvaluationRow {
        let mut body = open();
        body["mode"] = json!("async");
        let id = app.evaluate(tenant, &body).await["id"].as_str().unwrap().parse().unwrap();
        app.read(move |tx| EvaluationRow::find(tx, id)).await.unwrap()
    }

    async fn seen(app: &App, count: usize) {
        while app.script.seen().len() < count {
            tokio::task::yield_now().await;
        }
    }

    both_stores! {
        /// The held grader grades in the order in which it was asked: what still waited would be graded first.
        async fn what_nobody_takes_is_given_up_and_nothing_is_written_ahead(test: TestStore) {
            let app = App::with_model(test);
            let tenant = app.tenant("riverside").await;
            let row = queued(&app, &tenant).await;
            app.script.hold();
            let start = app.platform.grading.head_start();
            start.begin(row.clone());
            seen(&app, 1).await;
            drop(start);
            let start = app.platform.grading.head_start();
            start.begin(row.clone());
            seen(&app, 2).await;
            let ahead = start.take().unwrap();
            app.script.let_go(1);
            assert!(matches!(ahead.judgement().await, Some(Judgement::Ends(_))));
            let untouched = app.get(&format!("{EVALUATIONS}/{}", row.id)).key(&tenant.key).send().await.expect(200);
            assert_eq!(untouched["status"], "PENDING");
            app.script.let_go(1);
            app.run_jobs().await;
            app.finish().await;
        }
    }
}
