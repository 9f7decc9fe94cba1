//! Proves that balances, payments, usage and evaluations agree: on top of what [`billing::reconcile`] proves of the books,
//! that an evaluation's price is set aside while it runs, paid when it is completed and given back when it failed, be it
//! that a person graded it afterwards; that nothing was paid for but evaluations; and that each that was paid for was counted once.
//!
//! It reads and never repairs, page by page: no read is long, whatever there is. `lectern workspace reconcile` runs it, and
//! `maintenance` once a night.

use std::collections::BTreeMap;
use std::mem;

use billing::ledger::ReservationState;
use billing::ledger::payments::{Payment, list_payments};
use billing::reconcile::Differences;
use billing::usage::Service;
use kernel::id::{EvaluationId, SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use store::{Group as _, Record, Store, StoreError, Tx, sql};

use crate::evaluations::Status;

/// Evaluations in one read.
const EVALUATIONS: u32 = 10_000;
/// Payments in one read, each of which asks for its evaluation.
const PAYMENTS: u32 = 1_000;
/// What ends while it is compared may be seen on one side only. Looked at so often, it is on both.
const LOOKS: usize = 3;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What was found in the books and in usage.
    pub books: billing::reconcile::Report,
    /// Evaluations that were compared with their payments.
    pub evaluations: u64,
    /// Payments that were compared with their evaluations.
    pub payments: u64,
    /// What is not as it should be, in the books too.
    pub differences: Differences<Difference>,
}

/// Two things that should be the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// Within the books or usage.
    #[error(transparent)]
    Books(#[from] billing::reconcile::Difference),
    /// The payment of an evaluation is not one of its price in the state that belongs to its status, or there is none.
    #[error("workspace {workspace}: the payment of evaluation {evaluation} is not what its status says")]
    Evaluation {
        /// Whose.
        workspace: WorkspaceId,
        /// Which.
        evaluation: EvaluationId,
    },
    /// A payment for what is no evaluation.
    #[error("workspace {workspace}: payment for {subject}, which is no evaluation")]
    Payment {
        /// Whose.
        workspace: WorkspaceId,
        /// For what.
        subject: SubjectId,
    },
    /// The evaluations that a workspace paid for are not those that were counted as its usage.
    #[error("workspace {workspace}: {paid} evaluations are paid for, {counted} counted as usage, not the same ones")]
    Counted {
        /// Whose.
        workspace: WorkspaceId,
        /// How many were paid for.
        paid: u64,
        /// How many were counted: perhaps as many, but not the same, or one of them twice.
        counted: u64,
    },
}

/// Compares everything. The sums of usage by day are those of the days that are over.
///
/// # Errors
/// Any [`StoreError`].
pub async fn reconcile(store: &Store) -> Result<Report, StoreError> {
    let mut report = Report { books: billing::reconcile::reconcile(store).await?, ..Report::default() };
    check_evaluations(store, &mut report).await?;
    let until = store.read("reconcile.now", |tx| Ok::<_, StoreError>(tx.now())).await?;
    let mut found = look(store, until).await?;
    for _ in 1..LOOKS {
        if found.is_clean() {
            break;
        }
        found = look(store, until).await?;
    }
    found.tell(&mut report);
    Ok(report)
}

/// What a look at payments and usage found.
#[derive(Default)]
struct Look {
    /// The counts of this look, and what is wrong with usage.
    usage: billing::reconcile::Report,
    payments: u64,
    strays: Vec<Payment>,
    paid: BTreeMap<WorkspaceId, Subjects>,
    counted: BTreeMap<WorkspaceId, Subjects>,
}

/// A set of subjects, as far as comparing it with another takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Subjects {
    count: u64,
    /// Of their ids: sets that differ have the same one by chance only, which random ids leave to nobody.
    sum: u128,
}

impl Subjects {
    fn add(&mut self, subject: SubjectId) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(subject.uuid().as_u128());
    }
}

/// Pages through payments and usage that ended by an instant.
async fn look(store: &Store, until: Timestamp) -> Result<Look, StoreError> {
    let mut look = Look::default();
    let mut after = None;
    loop {
        let page = store.read("reconcile.payments", move |tx| payments(tx, after)).await?;
        let Some((last, _)) = page.last() else { break };
        after = Some(last.subject);
        for (payment, has_evaluation) in page {
            look.payments += 1;
            let is_settled = payment.state == ReservationState::Settled;
            if !has_evaluation {
                look.strays.push(payment);
            } else if is_settled && payment.ended_at.is_some_and(|end| end <= until) {
                look.paid.entry(payment.workspace).or_default().add(payment.subject);
            }
        }
    }
    let Look { usage, counted, .. } = &mut look;
    billing::reconcile::usage::reconcile(store, usage, |used| {
        if used.service == Service::Evaluation && used.occurred_at <= until {
            counted.entry(used.workspace).or_default().add(used.subject);
        }
    })
    .await?;
    Ok(look)
}

impl Look {
    fn is_clean(&self) -> bool {
        self.usage.differences.is_empty() && self.strays.is_empty() && self.paid == self.counted
    }

    fn tell(mut self, report: &mut Report) {
        report.payments = self.payments;
        report.books.usage = self.usage.usage;
        report.differences.extend(mem::take(&mut report.books.differences));
        report.differences.extend(self.usage.differences);
        for Payment { workspace, subject, .. } in self.strays {
            report.differences.add(Difference::Payment { workspace, subject });
        }
        for (workspace, paid) in self.paid {
            let counted = self.counted.remove(&workspace).unwrap_or_default();
            if paid != counted {
                report.differences.add(Difference::Counted { workspace, paid: paid.count, counted: counted.count });
            }
        }
        for (workspace, counted) in self.counted {
            report.differences.add(Difference::Counted { workspace, paid: 0, counted: counted.count });
        }
    }
}

/// A page of payments, and whether each is one for an evaluation.
fn payments(tx: &mut Tx<'_>, after: Option<SubjectId>) -> Result<Vec<(Payment, bool)>, StoreError> {
    let page = list_payments(tx, after, PAYMENTS)?;
    let known = tx.query_each(
        &page,
        |payment| sql!("SELECT count(*) FROM evaluation WHERE id = {payment.subject}"),
        |row| row.get::<i64>(0),
    )?;
    Ok(page.into_iter().zip(known).map(|(payment, known)| (payment, known > 0)).collect())
}

async fn check_evaluations(store: &Store, report: &mut Report) -> Result<(), StoreError> {
    let mut after = String::new();
    loop {
        let page = store.read("reconcile.evaluations", move |tx| evaluations(tx, &after)).await?;
        let Some((_, last, _)) = page.last() else { return Ok(()) };
        after = last.to_string();
        for (workspace, evaluation, is_right) in page {
            report.evaluations += 1;
            if !is_right {
                report.differences.add(Difference::Evaluation { workspace, evaluation });
            }
        }
    }
}

/// An evaluation beside its payment.
#[derive(Record)]
struct Paid {
    workspace_id: WorkspaceId,
    id: EvaluationId,
    status: Status,
    amount_micros: MicroUsd,
    is_unpaid: bool,
    payer: Option<WorkspaceId>,
    state: Option<ReservationState>,
    paid: Option<MicroUsd>,
}

impl Paid {
    fn is_right(&self) -> bool {
        let expected = match (self.status, self.is_unpaid) {
            (Status::Pending | Status::Processing, _) => ReservationState::Open,
            (Status::Completed, false) => ReservationState::Settled,
            (Status::Failed, _) | (Status::Completed, true) => ReservationState::Released,
        };
        match self.state {
            // An answer that could not be compared: its price was never set aside.
            None => expected == ReservationState::Released,
            Some(state) => {
                let is_whole = self.paid == Some(self.amount_micros);
                self.payer == Some(self.workspace_id) && state == expected && is_whole
            }
        }
    }
}

/// A page of evaluations, and whether the payment of each is right.
fn evaluations(tx: &mut Tx<'_>, after: &str) -> Result<Vec<(WorkspaceId, EvaluationId, bool)>, StoreError> {
    tx.query(
        "SELECT e.workspace_id, e.id, e.status, e.amount_micros, e.is_unpaid, r.workspace_id AS payer, r.state,
            r.amount_micros AS paid
         FROM (SELECT id, workspace_id, status, amount_micros, is_unpaid FROM evaluation WHERE id > $1 ORDER BY id LIMIT $2) AS e
         LEFT JOIN ledger_reservation AS r ON r.subject_id = e.id
         ORDER BY e.id",
        &[&after, &EVALUATIONS],
        |row| Paid::read_at(row, 0).map(|paid| (paid.workspace_id, paid.id, paid.is_right())),
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use billing::ledger::{self, Funding, Spending};
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use super::*;
    use crate::testing::{App, Tenant, exact, open};

    /// Evaluations that are completed, failed and running, and a day on.
    async fn start(test: TestStore) -> (App, Tenant) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        app.evaluate(&tenant, &exact()).await;
        app.evaluate(&tenant, &open()).await;
        app.script.fail("model_nonsense", false);
        app.evaluate(&tenant, &open()).await;
        let mut later = open();
        later["mode"] = json!("async");
        app.evaluate(&tenant, &later).await;
        app.test.clock.advance(Duration::from_secs(24 * 3600));
        (app, tenant)
    }

    async fn found(app: &App) -> Vec<String> {
        let report = reconcile(&app.test.store).await.unwrap();
        assert_eq!(report.differences.count, report.differences.shown.len() as u64);
        report.differences.shown.iter().map(ToString::to_string).collect()
    }

    /// What is found after somebody changed the database.
    async fn found_after(app: &App, sql: &'static str) -> Vec<String> {
        assert_eq!(app.test.store.write("test.tamper", move |tx| tx.execute(sql, &[])).await.unwrap(), 1, "{sql}");
        found(app).await
    }

    #[both_stores]
    async fn books_payments_usage_and_evaluations_agree_while_they_run_and_when_they_have_ended(test: TestStore) {
        let (app, _) = start(test).await;
        for _ in 0..2 {
            let report = reconcile(&app.test.store).await.unwrap();
            assert!(report.differences.is_empty(), "{report:?}");
            assert_eq!((report.evaluations, report.payments, report.books.workspaces), (4, 4, 1));
            billing::usage::roll_up_all(&app.test.store).await.unwrap();
            app.run_jobs().await;
        }
        assert_eq!(reconcile(&app.test.store).await.unwrap().books.usage, 3);
    }

    #[both_stores]
    async fn an_evaluation_whose_payment_is_not_as_its_status_says_is_found(test: TestStore) {
        let (app, _) = start(test).await;
        let dearer = "UPDATE evaluation SET amount_micros = amount_micros + 1 WHERE evaluation_type = 'exact'";
        assert!(found_after(&app, dearer).await[0].contains("the payment of evaluation"));
        let as_before = "UPDATE evaluation SET amount_micros = amount_micros - 1 WHERE evaluation_type = 'exact'";
        assert_eq!(found_after(&app, as_before).await, [""; 0]);
        let running = "UPDATE evaluation SET status = 'FAILED', error_code = 'x', error_message = 'x', completed_at = 0 WHERE status = 'PENDING'";
        let found = found_after(&app, running).await;
        assert!(found.len() == 1 && found[0].contains("the payment of evaluation"), "{found:?}");
    }

    #[test]
    fn what_was_not_graded_may_have_no_payment_and_a_grade_has_one() {
        const ID: &str = "0192aee1-5a3b-7c2d-8e4f-123456789abc";
        let without_payment = |status, is_unpaid| Paid {
            workspace_id: ID.parse().unwrap(),
            id: ID.parse().unwrap(),
            status,
            amount_micros: MicroUsd::from_credits(1).unwrap(),
            is_unpaid,
            payer: None,
            state: None,
            paid: None,
        };
        assert!(without_payment(Status::Failed, false).is_right());
        assert!(without_payment(Status::Completed, true).is_right(), "a person graded it afterwards");
        for status in [Status::Pending, Status::Processing, Status::Completed] {
            assert!(!without_payment(status, false).is_right(), "{status:?}");
        }
    }

    #[both_stores]
    async fn a_payment_for_nothing_is_found(test: TestStore) {
        let (app, tenant) = start(test).await;
        let stray: SubjectId = app.test.ambient.id();
        let spending = Spending {
            workspace: tenant.workspace,
            subject: stray,
            amount: MicroUsd::from_credits(1).unwrap(),
            funding: Funding::Balance,
            key: None,
        };
        app.test.store.claim("test", move |tx| ledger::charge(tx, &spending)).await.unwrap();
        let found = found(&app).await;
        assert!(found.len() == 1 && found[0].contains(&stray.to_string()), "{found:?}");
    }

    #[both_stores]
    async fn an_evaluation_that_was_not_counted_is_found(test: TestStore) {
        let (app, _) = start(test).await;
        let settle = "UPDATE ledger_reservation SET state = 'settled', ended_at = 1 WHERE state = 'released'";
        let found = found_after(&app, settle).await;
        assert!(found.iter().any(|line| line.contains("3 evaluations are paid for, 2 counted")), "{found:?}");
    }

    #[both_stores]
    async fn usage_that_costs_something_else_and_sums_that_lack_a_row_are_found(test: TestStore) {
        let (app, _) = start(test).await;
        billing::usage::roll_up_all(&app.test.store).await.unwrap();
        let dearer =
            "UPDATE ledger_reservation SET amount_micros = 20000, free_micros = 20000 WHERE amount_micros = 10000";
        let found = found_after(&app, dearer).await;
        assert!(found.iter().any(|line| line.contains("costs something else")), "{found:?}");
        assert!(!found.iter().any(|line| line.contains("sums")), "{found:?}");
        let found = found_after(&app, "UPDATE usage_day SET requests = requests - 1").await;
        assert!(found.iter().any(|line| line.contains("sum of all days is not")), "{found:?}");
        assert!(found.iter().any(|line| line.contains("sums by day are not")), "{found:?}");
        let found = found_after(&app, "UPDATE usage_service_day SET finalized_micros = finalized_micros + 1").await;
        assert!(found.iter().any(|line| line.starts_with("2026-01-02: the sums of evaluation")), "{found:?}");
    }
}
