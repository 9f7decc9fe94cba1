//! An answer that code has compared already: the evaluation is stored with its grade and its payment, in one transaction.

use edge::answer::Answer;
use edge::door::Access;
use edge::problem::Problem;
use store::Tx;

use super::{Arrival, NAME, Opened, created, replayed};
use crate::callers::{self, Caller};
use crate::evaluations::end::Ending;
use crate::evaluations::grade::Graded;
use crate::evaluations::row::{EvaluationRow, Failure};
use crate::payments::Means;

/// Stores the evaluation and answers with it.
pub(super) async fn create(arrival: Arrival, grade: Box<Result<Graded, Failure>>) -> Result<Answer, Problem> {
    let Arrival { platform, credential, named, order, means, .. } = arrival;
    let opened = callers::act(Access::Claim, &platform.door, credential, NAME, move |tx, caller| {
        order.open(tx, caller, named, |tx, row| end(tx, row, caller, &grade, &means))
    })
    .await?;
    match opened {
        Opened::New(row) => Ok(created(&platform, row)),
        Opened::Replayed(row) => replayed(&platform, *row).await,
    }
}

/// A failure is not paid for.
fn end(
    tx: &mut Tx<'_>,
    row: EvaluationRow,
    caller: &Caller,
    grade: &Result<Graded, Failure>,
    means: &Means,
) -> Result<EvaluationRow, Problem> {
    match grade {
        Ok(graded) => {
            let paid = means.charge(tx, &row, caller.paying_key(row.workspace))?;
            Ok(row.ended(tx, Ending::Graded(Box::new(graded.clone()))).insert(tx, Some(&paid))?)
        }
        Err(failure) => Ok(row.ended(tx, failure.clone().into()).insert(tx, None)?),
    }
}
