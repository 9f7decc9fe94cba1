//! An answer that is graded in the background: the evaluation is stored with its price set aside and its job queued.

use edge::answer::Answer;
use edge::door::Access;
use edge::problem::Problem;
use store::{Tx, jobs};

use super::{Arrival, NAME, Opened, created, replayed};
use crate::callers::{self, Caller};
use crate::evaluations::row::EvaluationRow;
use crate::evaluations::work::GradeAnswer;
use crate::payments::Means;

/// Stores the evaluation and answers with it.
pub(super) async fn create(arrival: Arrival) -> Result<Answer, Problem> {
    let Arrival { platform, credential, named, order, files, means } = arrival;
    let opened = callers::act(Access::Claim, &platform.door, credential, NAME, move |tx, caller| {
        order.open(tx, caller, named, |tx, row| enqueue(tx, row, caller, &means))
    })
    .await;
    files.settle(&platform, &opened).await;
    match opened? {
        Opened::New(row) => Ok(created(&platform, row)),
        Opened::Replayed(row) => replayed(&platform, *row).await,
    }
}

/// Sets the price aside and queues the work.
fn enqueue(tx: &mut Tx<'_>, row: EvaluationRow, caller: &Caller, means: &Means) -> Result<EvaluationRow, Problem> {
    means.reserve(tx, &row, caller.paying_key(row.workspace), None)?;
    row.add(tx)?;
    jobs::enqueue(tx, row.workspace, &GradeAnswer::new(row.id))?;
    Ok(row)
}
