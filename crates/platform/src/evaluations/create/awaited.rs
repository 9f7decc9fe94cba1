//! An answer that is graded while the caller waits: the evaluation is stored with its price set aside and its job claimed,
//! then this process grades it. When a client's patience ends, the work goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use edge::answer::Answer;
use edge::door::Access;
use edge::problem::Problem;
use grading::ReadAnswer;
use http::StatusCode;
use store::Tx;
use store::jobs::{self, ClaimedJob};

use super::paid::with_receipt;
use super::{Arrival, NAME, Opened, Order, awaited, replayed};
use crate::Platform;
use crate::callers::{self, Caller};
use crate::evaluations::Status;
use crate::evaluations::calibration;
use crate::evaluations::grade::Graded;
use crate::evaluations::row::EvaluationRow;
use crate::evaluations::work::{Case, GradeAnswer, LEASE};
use crate::payments::Means;

/// Stores the evaluation, grades it and answers with it. A grade that is there already is kept with the payment, which is settled
/// next.
pub(super) async fn create(arrival: Arrival, grade: Option<Box<Graded>>) -> Result<Answer, Problem> {
    let Arrival { platform, credential, named, order, files, means } = arrival;
    let _place = platform.grading.place()?;
    let (asked, paying) = (order.clone(), means.clone());
    let access = match grade {
        // The caller is not told of what is begun before it has ended, and then it is durable.
        None => Access::DelayedClaim,
        // The facilitator must not be asked for what may be forgotten.
        Some(_) => Access::Claim,
    };
    let opening = callers::act(access, &platform.door, credential, NAME, move |tx, caller| {
        let begin = |tx: &mut Tx<'_>, row| begin(tx, row, caller, &asked.question_key, &paying, grade.as_deref());
        asked.open(tx, caller, named, begin)
    });
    // Polled first, so that the store is at work while this thread reads.
    let (opened, read_answer) = tokio::join!(biased; opening, async { read_answer(&platform, &order) });
    // The files of a request are not kept in memory for as long as a model takes.
    drop(order);
    files.settle(&platform, &opened).await;
    match opened? {
        Opened::New((case, job)) => {
            let (status, row) = awaited(platform.grading.carry_out(Case { read_answer, ..case }, job).await?);
            answer(&platform, &means, status, row).await
        }
        Opened::Replayed(row) => replayed(&platform, *row).await,
    }
}

/// Without the money there is nothing to show; with it there is a receipt.
async fn answer(platform: &Platform, means: &Means, status: StatusCode, row: EvaluationRow) -> Result<Answer, Problem> {
    let Some(verified) = &means.verified else { return Ok(Answer::json(status, &platform.show(row))) };
    if let Some(problem) = means.unsettled(verified, &row) {
        return Err(problem);
    }
    let (id, is_graded, receipt) = (row.id, row.status == Status::Completed, row.receipt.clone());
    let answer = Answer::json(status, &platform.show(row));
    match receipt {
        _ if !is_graded => Ok(answer),
        Some(receipt) => Ok(receipt.put_on(answer)),
        // Another process had it settled.
        None => with_receipt(platform, answer, id).await,
    }
}

/// The answer as its grader reads it, where that is done beforehand.
fn read_answer(platform: &Platform, order: &Order) -> Option<ReadAnswer> {
    // There are no files in this submission: without them, what they hold would pass no guard. And who asks in vain, for all
    // that is known, makes no work.
    if !order.uploads.is_empty() || order.unready.is_some() {
        return None;
    }
    let new = &order.new;
    let read = || platform.graders.read_answer(new.asked.processing_mode, new.evaluation_type, || new.submission());
    // By now the evaluation may be stored. Whoever grades it meets the same panic, and knows what to do about it.
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_default()
}

/// Sets the price aside and begins the work.
fn begin(
    tx: &mut Tx<'_>,
    row: EvaluationRow,
    caller: &Caller,
    question_key: &str,
    means: &Means,
    grade: Option<&Graded>,
) -> Result<(Case, ClaimedJob), Problem> {
    // Before the balance is touched, on which others wait.
    let reviewed = match calibration::is_calibrated(row.evaluation_type) {
        true => calibration::list(tx, row.workspace, question_key)?,
        false => Vec::new(),
    };
    let payment = means.reserve(tx, &row, caller.paying_key(row.workspace), grade)?.map(Box::new);
    row.add(tx)?;
    let job = jobs::enqueue_claimed(tx, row.workspace, &GradeAnswer::new(row.id), LEASE)?;
    Ok((Case { row, reviewed, read_answer: None, payment }, job))
}
