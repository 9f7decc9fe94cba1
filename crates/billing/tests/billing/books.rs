//! A workspace with its books, as the tests of the ledger use it.

use billing::ledger::{self, Balance, EndError, Funding, Reservation, SpendError, Spending, TopUp, TopUpError};
use billing::reconcile::reconcile;
use kernel::id::{SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use store::StoreError;
use testkit::TestStore;

pub(crate) fn cents(cents: u32) -> MicroUsd {
    MicroUsd::from_cents(cents)
}

/// One workspace.
#[derive(Clone)]
pub(crate) struct Books {
    pub(crate) test: TestStore,
    pub(crate) workspace: WorkspaceId,
}

impl Books {
    pub(crate) async fn open(test: &TestStore, grant: MicroUsd) -> Self {
        let workspace: WorkspaceId = test.ambient.id();
        test.store.claim("test.open", move |tx| ledger::open(tx, workspace, grant)).await.unwrap();
        Self { test: test.clone(), workspace }
    }

    pub(crate) fn spending(&self, amount: MicroUsd, subject: SubjectId) -> Spending {
        Spending { workspace: self.workspace, subject, amount, funding: Funding::Balance, key: None }
    }

    pub(crate) async fn balance(&self) -> Balance {
        let workspace = self.workspace;
        let found = self.test.store.read("test.balance", move |tx| ledger::find_balance(tx, workspace)).await;
        found.unwrap().unwrap()
    }

    pub(crate) async fn try_top_up(&self, amount: MicroUsd) -> Result<TopUp, TopUpError> {
        let workspace = self.workspace;
        self.test.store.claim("test.top_up", move |tx| ledger::top_up(tx, workspace, amount, Some("a test"))).await
    }

    pub(crate) async fn top_up(&self, amount: MicroUsd) {
        let topped = self.try_top_up(amount).await.unwrap();
        assert_eq!(topped.balance, self.balance().await);
    }

    pub(crate) async fn give(&self, amount: MicroUsd) {
        let workspace = self.workspace;
        let given = self.test.store.claim("test.give", move |tx| ledger::give(tx, workspace, amount, None)).await;
        given.unwrap();
    }

    /// For use beside others, who change the balance meanwhile.
    pub(crate) async fn top_up_only(&self, amount: MicroUsd) {
        self.try_top_up(amount).await.unwrap();
    }

    pub(crate) async fn reserve(&self, amount: MicroUsd) -> Result<Reservation, SpendError> {
        let spending = self.spending(amount, self.test.ambient.id());
        self.test.store.claim("test.reserve", move |tx| ledger::reserve(tx, &spending)).await
    }

    pub(crate) async fn charge(&self, amount: MicroUsd) -> Result<Reservation, SpendError> {
        let spending = self.spending(amount, self.test.ambient.id());
        self.test.store.claim("test.charge", move |tx| ledger::charge(tx, &spending)).await
    }

    pub(crate) async fn settle(&self, subject: SubjectId) -> Result<Reservation, EndError> {
        self.test.store.claim("test.settle", move |tx| ledger::settle(tx, subject)).await
    }

    pub(crate) async fn release(&self, subject: SubjectId) -> Result<Reservation, EndError> {
        self.test.store.claim("test.release", move |tx| ledger::release(tx, subject)).await
    }

    /// The transfers: number, accounts, amount, kind.
    pub(crate) async fn journal(&self) -> Vec<String> {
        let workspace = self.workspace;
        let read = self.test.store.read("test.journal", move |tx| {
            tx.query(
                "SELECT sequence, debit_account, credit_account, amount_micros, kind FROM ledger_transfer
                 WHERE workspace_id = $1 ORDER BY sequence",
                &[&workspace],
                |row| {
                    let (sequence, amount) = (row.get::<i64>(0)?, row.get::<i64>(3)?);
                    let (from, to, kind) = (row.get::<String>(1)?, row.get::<String>(2)?, row.get::<String>(4)?);
                    Ok(format!("{sequence} {from}>{to} {amount} {kind}"))
                },
            )
        });
        read.await.map_err(|error: StoreError| error).unwrap()
    }

    pub(crate) async fn assert_proved(&self) {
        let report = reconcile(&self.test.store).await.unwrap();
        assert!(report.differences.is_empty() && report.workspaces > 0, "{report:#?}");
    }
}
