//! Several requests on one connection, sent without waiting for each other's answers.
//!
//! The driver sends a request when its future is first polled; the order of that is the order on the
//! wire, so it is fixed here and not left to a combinator.

use std::borrow::Cow;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;

use tokio_postgres::{Client, Error, Statement};

use super::types::Argument;

/// The answers to [`send`].
pub(super) struct Sent<T> {
    pub(super) opening: Result<(), Error>,
    pub(super) ahead: Vec<Result<u64, Error>>,
    pub(super) last: Result<T, Error>,
}

/// Sends `opening`, the statements `ahead` and then `last`.
pub(super) async fn send<T>(
    client: &Client,
    opening: Option<Cow<'static, str>>,
    ahead: &[(Statement, Vec<Argument<'_>>)],
    last: impl Future<Output = Result<T, Error>>,
) -> Sent<T> {
    if opening.is_none() && ahead.is_empty() {
        return Sent { opening: Ok(()), ahead: Vec::new(), last: last.await };
    }
    let opening = async {
        match &opening {
            Some(sql) => client.batch_execute(sql).await,
            None => Ok(()),
        }
    };
    let ahead = ahead.iter().map(|(statement, arguments)| client.execute_raw(statement, arguments));
    let (opening, (ahead, last)) = pair(opening, pair(in_order(ahead.collect()), last)).await;
    Sent { opening, ahead, last }
}

/// Runs all of them, each polled for the first time in the order of the list.
pub(super) async fn in_order<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
    let mut running: Vec<Pin<Box<F>>> = futures.into_iter().map(Box::pin).collect();
    let mut outputs: Vec<Option<F::Output>> = running.iter().map(|_| None).collect();
    poll_fn(|context| {
        let mut is_ready = true;
        for (future, output) in running.iter_mut().zip(&mut outputs) {
            if output.is_none() {
                match future.as_mut().poll(context) {
                    Poll::Ready(value) => *output = Some(value),
                    Poll::Pending => is_ready = false,
                }
            }
        }
        if is_ready { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    outputs.into_iter().map(|output| output.expect("all are ready")).collect()
}

/// Runs both, `first` always polled first.
async fn pair<A: Future, B: Future>(first: A, second: B) -> (A::Output, B::Output) {
    let (mut first, mut second) = (pin!(first), pin!(second));
    let (mut first_output, mut second_output) = (None, None);
    poll_fn(|context| {
        if first_output.is_none()
            && let Poll::Ready(value) = first.as_mut().poll(context)
        {
            first_output = Some(value);
        }
        if second_output.is_none()
            && let Poll::Ready(value) = second.as_mut().poll(context)
        {
            second_output = Some(value);
        }
        if first_output.is_some() && second_output.is_some() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    (first_output.expect("it is ready"), second_output.expect("it is ready"))
}
