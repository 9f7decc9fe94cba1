//! What the processor's events do to payment methods.
//!
//! Events of one method may come in any order and from several sides: the session, the setup, the method itself. Each is compared
//! with the row by its own time, so that an old event never brings back what a newer one removed.

use kernel::id::WorkspaceId;
use kernel::time::Timestamp;
use store::{KeyedRecord as _, Record as _, StoreError, Tx, sql};

use super::{PaymentMethod, Status};
use crate::workspaces::processor_customer;

/// A payment method as an event names it.
#[derive(Clone, Debug)]
pub(in crate::billing) struct Named {
    /// Its id at the processor. A session that is complete does not say it.
    pub(in crate::billing) processor_id: Option<String>,
    /// The setup that it comes from.
    pub(in crate::billing) setup_intent_id: Option<String>,
    /// What it looks like, where the event says so.
    pub(in crate::billing) details: Option<Details>,
}

/// What a payment method looks like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::billing) struct Details {
    pub(in crate::billing) kind: Option<String>,
    pub(in crate::billing) brand: Option<String>,
    pub(in crate::billing) last4: Option<String>,
    pub(in crate::billing) exp_month: Option<u32>,
    pub(in crate::billing) exp_year: Option<u32>,
}

/// Registers a payment method of a workspace's customer, as of an event's time. Gives the row as it is now.
///
/// # Errors
/// Any [`StoreError`].
pub(in crate::billing) fn register(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    customer: &str,
    named: &Named,
    at: Timestamp,
) -> Result<Option<PaymentMethod>, StoreError> {
    if named.processor_id.is_none() && named.setup_intent_id.is_none() {
        return Ok(None);
    }
    let by_id = find_by(tx, workspace, Key::Processor, named.processor_id.as_deref())?;
    let by_setup = find_by(tx, workspace, Key::Setup, named.setup_intent_id.as_deref())?;
    let found = match (by_id, by_setup) {
        (Some(one), Some(other)) if one.id != other.id => Some(merge(tx, one, other)?),
        (one, other) => one.or(other),
    };
    let Some(mut method) = found else {
        processor_customer::bill_by_processor(tx, workspace)?;
        return insert(tx, workspace, customer, named, at).map(Some);
    };
    method.processor_id = method.processor_id.or_else(|| named.processor_id.clone());
    method.setup_intent_id = method.setup_intent_id.or_else(|| named.setup_intent_id.clone());
    if method.status == Status::Removed && at > method.as_of {
        (method.status, method.removed_at) = (Status::Active, None);
        customer.clone_into(&mut method.customer_id);
    }
    method.as_of = method.as_of.max(at);
    method.describe(named.details.as_ref(), at);
    method.update(tx)?;
    Ok(Some(method))
}

/// Removes a payment method from those of its rows that are not newer than the event. One that nobody has heard of is noted as
/// removed for these workspaces: the event that registers it may still come.
///
/// # Errors
/// Any [`StoreError`].
pub(in crate::billing) fn remove(
    tx: &mut Tx<'_>,
    processor_id: &str,
    holders: &[(WorkspaceId, String)],
    at: Timestamp,
) -> Result<(), StoreError> {
    for (workspace, customer) in holders {
        if find_by(tx, *workspace, Key::Processor, Some(processor_id))?.is_none() {
            let named = Named { processor_id: Some(processor_id.to_owned()), setup_intent_id: None, details: None };
            insert(tx, *workspace, customer, &named, at)?;
        }
    }
    let now = tx.now();
    sql!(
        "UPDATE payment_method SET status = 'removed', removed_at = {now}, as_of = {at}
         WHERE processor_id = {processor_id} AND status <> 'removed' AND as_of <= {at}"
    )
    .execute(tx)
    .map(drop)
}

/// Removes every payment method of a customer that the processor has deleted.
///
/// # Errors
/// Any [`StoreError`].
pub(in crate::billing) fn remove_of_customer(tx: &mut Tx<'_>, customer: &str, at: Timestamp) -> Result<(), StoreError> {
    let now = tx.now();
    sql!(
        "UPDATE payment_method SET status = 'removed', removed_at = {now}, as_of = {at}
         WHERE customer_id = {customer} AND status <> 'removed'"
    )
    .execute(tx)
    .map(drop)
}

/// The workspaces that have a row of a payment method, each with its customer.
///
/// # Errors
/// Any [`StoreError`].
pub(in crate::billing) fn holders(
    tx: &mut Tx<'_>,
    processor_id: &str,
) -> Result<Vec<(WorkspaceId, String)>, StoreError> {
    sql!(
        "SELECT workspace_id, customer_id FROM payment_method WHERE processor_id = {processor_id} ORDER BY workspace_id"
    )
    .query(tx, |row| Ok((row.get(0)?, row.get(1)?)))
}

#[derive(Clone, Copy)]
enum Key {
    Processor,
    Setup,
}

fn find_by(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    key: Key,
    id: Option<&str>,
) -> Result<Option<PaymentMethod>, StoreError> {
    let Some(id) = id else { return Ok(None) };
    match key {
        Key::Processor => sql!(
            "SELECT {PaymentMethod::*} FROM payment_method WHERE processor_id = {id} AND workspace_id = {workspace}"
        )
        .find(tx, PaymentMethod::from_row),
        Key::Setup => sql!(
            "SELECT {PaymentMethod::*} FROM payment_method WHERE setup_intent_id = {id} AND workspace_id = {workspace}"
        )
        .find(tx, PaymentMethod::from_row),
    }
}

fn insert(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    customer: &str,
    named: &Named,
    at: Timestamp,
) -> Result<PaymentMethod, StoreError> {
    let mut method = PaymentMethod {
        id: tx.ambient().id(),
        workspace_id: workspace,
        customer_id: customer.to_owned(),
        processor_id: named.processor_id.clone(),
        setup_intent_id: named.setup_intent_id.clone(),
        kind: None,
        brand: None,
        last4: None,
        exp_month: None,
        exp_year: None,
        status: Status::Active,
        as_of: at,
        described_at: Timestamp::from_millis(0),
        created_at: tx.now(),
        removed_at: None,
    };
    method.describe(named.details.as_ref(), at);
    method.insert(tx)?;
    Ok(method)
}

/// A session made one row and the method's own events another, before an event said that both are the same. The row that
/// somebody has taken away stays, with its job; else the one that the processor has named.
fn merge(tx: &mut Tx<'_>, named: PaymentMethod, of_setup: PaymentMethod) -> Result<PaymentMethod, StoreError> {
    let keeps_setup = of_setup.status == Status::Detaching && named.status == Status::Active;
    let (mut kept, dropped) = if keeps_setup { (of_setup, named) } else { (named, of_setup) };
    tx.execute("DELETE FROM payment_method WHERE id = $1", &[&dropped.id])?;
    kept.processor_id = kept.processor_id.or(dropped.processor_id);
    kept.setup_intent_id = dropped.setup_intent_id.or(kept.setup_intent_id);
    if kept.described_at < dropped.described_at {
        (kept.kind, kept.brand, kept.last4) = (dropped.kind, dropped.brand, dropped.last4);
        (kept.exp_month, kept.exp_year, kept.described_at) =
            (dropped.exp_month, dropped.exp_year, dropped.described_at);
    }
    Ok(kept)
}

impl PaymentMethod {
    /// Takes over details, unless the row has newer ones.
    fn describe(&mut self, details: Option<&Details>, at: Timestamp) {
        let Some(details) = details.filter(|_| at >= self.described_at) else { return };
        let Details { kind, brand, last4, exp_month, exp_year } = details.clone();
        (self.kind, self.brand, self.last4, self.exp_month, self.exp_year) = (kind, brand, last4, exp_month, exp_year);
        self.described_at = at;
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use testkit::{TestStore, both_stores};

    use super::super::has_active;
    use super::*;
    use crate::testing::App;

    const AT: i64 = 1_790_000_000_000;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Step {
        Session,
        Setup,
        Attached,
        Described,
        Detached,
    }

    use Step::{Attached, Described, Detached, Session, Setup};

    impl Step {
        /// When the processor did it.
        fn at(self) -> Timestamp {
            let second = match self {
                Session | Setup | Attached => 1,
                Described => 2,
                Detached => 3,
            };
            Timestamp::from_millis(AT + second * 1000)
        }

        fn apply(self, tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<(), StoreError> {
            let (pm, setup) = (Some("pm_1".to_owned()), Some("seti_1".to_owned()));
            let card = |year| Some(Details { exp_year: Some(year), ..Details::default() });
            let named = match self {
                Session => Named { processor_id: None, setup_intent_id: setup, details: None },
                Setup => Named { processor_id: pm, setup_intent_id: setup, details: None },
                Attached => Named { processor_id: pm, setup_intent_id: None, details: card(2030) },
                Described => Named { processor_id: pm, setup_intent_id: None, details: card(2035) },
                Detached => return remove(tx, "pm_1", &[(workspace, "cus_1".to_owned())], self.at()),
            };
            register(tx, workspace, "cus_1", &named, self.at()).map(drop)
        }
    }

    fn permutations<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
        let [first, rest @ ..] = items else { return vec![Vec::new()] };
        let mut all = Vec::new();
        for shorter in permutations(rest) {
            for at in 0..=shorter.len() {
                let mut longer = shorter.clone();
                longer.insert(at, first.clone());
                all.push(longer);
            }
        }
        all
    }

    #[derive(Debug)]
    struct Rows(Vec<(Status, Option<u32>)>, bool);

    async fn after(app: &App, slug: &'static str, steps: &[Step]) -> Rows {
        let workspace = app.tenant(slug).await.workspace;
        let steps = steps.to_vec();
        let applied = app.test.store.write("test", move |tx| {
            for step in &steps {
                step.apply(tx, workspace)?;
            }
            let rows = sql!("SELECT status, exp_year FROM payment_method WHERE workspace_id = {workspace}")
                .query(tx, |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok::<_, StoreError>(Rows(rows, has_active(tx, workspace)?))
        });
        applied.await.unwrap()
    }

    #[both_stores]
    async fn events_in_any_order_make_one_row_with_the_newest_details(test: TestStore) {
        let app = App::new(test);
        for (n, steps) in permutations(&[Session, Setup, Attached, Described]).into_iter().enumerate() {
            let Rows(rows, is_active) = after(&app, format!("there-{n}").leak(), &steps).await;
            assert_eq!((rows, is_active), (vec![(Status::Active, Some(2035))], true), "{steps:?}");
        }
    }

    #[both_stores]
    async fn what_was_detached_last_is_gone_whatever_comes_after(test: TestStore) {
        let app = App::new(test);
        for (n, steps) in permutations(&[Setup, Attached, Described, Detached]).into_iter().enumerate() {
            let Rows(rows, is_active) = after(&app, format!("gone-{n}").leak(), &steps).await;
            assert!(!is_active && rows.len() == 1 && rows[0].0 == Status::Removed, "{steps:?}: {rows:?}");
        }
    }

    #[both_stores]
    async fn a_method_that_is_attached_again_later_can_be_paid_with(test: TestStore) {
        let app = App::new(test);
        let workspace = app.tenant("riverside").await.workspace;
        let again = app.test.store.write("test", move |tx| {
            Detached.apply(tx, workspace)?;
            let named = Named { processor_id: Some("pm_1".to_owned()), setup_intent_id: None, details: None };
            register(tx, workspace, "cus_1", &named, Timestamp::from_millis(AT + 9000))?;
            has_active(tx, workspace)
        });
        assert!(again.await.unwrap());
    }

    #[both_stores]
    async fn a_deleted_customer_has_no_payment_method(test: TestStore) {
        let app = App::new(test);
        let workspace = app.tenant("riverside").await.workspace;
        let gone = app.test.store.write("test", move |tx| {
            Attached.apply(tx, workspace)?;
            remove_of_customer(tx, "cus_2", Detached.at())?;
            let before = has_active(tx, workspace)?;
            remove_of_customer(tx, "cus_1", Detached.at())?;
            Ok::<_, StoreError>((before, has_active(tx, workspace)?))
        });
        assert_eq!(gone.await.unwrap(), (true, false));
    }
}
