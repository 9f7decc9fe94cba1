//! Several providers: who is asked, in which order, and for what.

use std::time::Duration;

use kernel::model::Model as _;
use kernel::model::{ModelError, ModelRole, ProviderFailure};
use models::{Models, Protocol, Settings};
use testkit::model::{FakeModel, Line};

use crate::stage::{ANSWER, ask, ask_fully, open, provider, settings_for};

fn both(retries: u32, first: &FakeModel, second: &FakeModel) -> Models {
    let others = vec![provider("second", Protocol::Messages, &second.url())];
    open(Settings { others, retries, ..settings_for(Protocol::Chat, first) })
}

#[tokio::test]
async fn the_next_one_is_asked_when_one_can_not_answer() {
    for (line, asked) in [
        (Line::error(503, "x"), 2),
        (Line::error(429, "x"), 2),
        (Line::error(429, "x").with_header("retry-after", "30"), 1),
        (Line::error(401, "x"), 1),
        (Line::error(404, "x"), 1),
        (Line::say(ANSWER).cut_after(2), 2),
        (Line::raw(200, "text/html", "<html>"), 2),
    ] {
        let (first, second) = (FakeModel::saying([line.clone()]).await, FakeModel::saying([Line::say(ANSWER)]).await);
        let reply = ask(&both(1, &first, &second)).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.provider.as_str()), (ANSWER, "second"), "{line:?}");
        assert_eq!((first.times(), second.times()), (asked, 1), "{line:?}");
        assert_eq!(usize::try_from(reply.tries).unwrap(), asked + 1);
    }
}

#[tokio::test]
async fn who_was_asked_without_an_answer_is_told_with_how_often_and_why() {
    let told = |failures: &[ProviderFailure]| -> Vec<_> {
        failures.iter().map(|failure| (failure.provider.clone(), failure.error.code(), failure.tries)).collect()
    };
    let (first, second) =
        (FakeModel::saying([Line::error(500, "x")]).await, FakeModel::saying([Line::say(ANSWER)]).await);
    let reply = ask_fully(&both(1, &first, &second)).await.unwrap();
    assert_eq!(told(&reply.failures), [("first".to_owned(), "model_unavailable", 2)]);
    assert_eq!((reply.failures[0].model.as_str(), reply.tries), ("small-1", 3));
    assert!(reply.latency >= reply.failures[0].latency);

    let refusing = FakeModel::saying([Line::error(401, "x")]).await;
    let none = ask_fully(&both(1, &first, &refusing)).await.unwrap_err();
    let first = ("first".to_owned(), "model_unavailable", 2);
    assert_eq!(told(&none.failures), [first, ("second".to_owned(), "model_misconfigured", 1)]);
    assert_eq!(none.error.code(), "model_unavailable");
    let declining = FakeModel::saying([Line::refuse("no")]).await;
    let none = ask_fully(&both(1, &declining, &refusing)).await.unwrap_err();
    assert_eq!(told(&none.failures), [("first".to_owned(), "model_declined", 1)]);
}

#[tokio::test]
async fn one_that_timed_out_is_not_asked_again_while_there_is_another() {
    let (first, second) = (FakeModel::saying([Line::silence()]).await, FakeModel::saying([Line::say(ANSWER)]).await);
    let others = vec![provider("second", Protocol::Messages, &second.url())];
    let timeout = Duration::from_secs(2);
    let models = open(Settings { others, retries: 2, timeout, ..settings_for(Protocol::Chat, &first) });
    let reply = ask(&models).await.unwrap();
    assert_eq!((reply.provider.as_str(), reply.tries, first.times()), ("second", 2, 1));
}

#[tokio::test]
async fn what_is_too_long_for_one_may_fit_into_the_next() {
    let misconfigured = || Line::error(401, "x");
    for (line, expected) in [(Line::cut_off("{"), ModelError::CutOff), (Line::error(413, "x"), ModelError::TooLong)] {
        let (first, second) = (FakeModel::saying([line.clone()]).await, FakeModel::saying([Line::say(ANSWER)]).await);
        let reply = ask(&both(1, &first, &second)).await.unwrap();
        assert_eq!((reply.provider.as_str(), first.times(), second.times()), ("second", 1, 1), "{line:?}");

        let (first, second) = (FakeModel::saying([line]).await, FakeModel::saying([misconfigured()]).await);
        assert_eq!(ask(&both(1, &first, &second)).await.unwrap_err(), expected);
        assert_eq!(second.times(), 1);
    }
}

#[tokio::test]
async fn a_text_that_is_too_long_is_told_while_the_others_are_down() {
    let long = Line::error_of(400, "context_length_exceeded", "x");
    let (first, second) = (FakeModel::saying([long]).await, FakeModel::saying([Line::error(503, "x")]).await);
    assert_eq!(ask(&both(0, &first, &second)).await.unwrap_err(), ModelError::TooLong);
}

#[tokio::test]
async fn what_one_declined_goes_to_nobody_else() {
    for line in [Line::refuse("no"), Line::filtered()] {
        let (first, second) = (FakeModel::saying([line]).await, FakeModel::saying([Line::say(ANSWER)]).await);
        assert_eq!(ask(&both(1, &first, &second)).await.unwrap_err(), ModelError::Declined);
        assert_eq!(second.times(), 0);
    }
}

#[tokio::test]
async fn one_that_is_down_is_passed_over_and_both_down_is_known() {
    let (first, second) =
        (FakeModel::saying([Line::error(503, "x")]).await, FakeModel::saying([Line::say(ANSWER)]).await);
    let models = both(4, &first, &second);
    assert_eq!(ask(&models).await.unwrap().tries, 6);
    let again = ask(&models).await.unwrap();
    assert_eq!((again.provider.as_str(), again.tries, first.times()), ("second", 1, 5));
    assert_eq!(models.ready(ModelRole::Advanced), Ok(()));

    let down = FakeModel::saying([Line::error(500, "x")]).await;
    let models = both(4, &first, &down);
    assert!(ask(&models).await.is_err());
    assert!(matches!(models.ready(ModelRole::Advanced), Err(ModelError::Unavailable { retry_after: Some(_) })));
}

#[tokio::test]
async fn when_nobody_can_answer_the_failure_that_passes_is_told() {
    let busy = Line::error(429, "x").with_header("retry-after", "30");
    let (first, second) = (FakeModel::saying([busy]).await, FakeModel::saying([Line::error(401, "x")]).await);
    let error = ask(&both(1, &first, &second)).await.unwrap_err();
    assert_eq!(error, ModelError::Busy { retry_after: Some(Duration::from_secs(30)) });
}
