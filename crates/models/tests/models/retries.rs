//! What is tried again, how often, and when.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use kernel::model::{Model as _, ModelError, ModelRole, Prompt};
use models::{Protocol, Settings};
use testkit::model::{FakeModel, Line};

use crate::stage::{ANSWER, PROTOCOLS, ask, open, prompt, settings_for};

fn patient(retries: u32, model: &FakeModel) -> Settings {
    Settings { retries, ..settings_for(Protocol::Chat, model) }
}

#[tokio::test]
async fn what_passes_is_tried_again_and_the_tries_are_counted() {
    for passing in [
        Line::error(503, "x"),
        Line::error(429, "x"),
        Line::say(ANSWER).reset_after(2),
        Line::say(ANSWER).cut_after(2),
        Line::raw(200, "text/html", "<html>"),
    ] {
        let model = FakeModel::saying([passing.clone(), passing.clone(), Line::say(ANSWER)]).await;
        let reply = ask(&open(patient(2, &model))).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.tries, model.times()), (ANSWER, 3, 3), "{passing:?}");
        let model = FakeModel::saying([passing.clone(), passing, Line::say(ANSWER)]).await;
        assert!(ask(&open(patient(1, &model))).await.is_err());
        assert_eq!(model.times(), 2);
    }
}

#[tokio::test]
async fn what_does_not_pass_is_asked_once() {
    for lasting in [
        Line::error(401, "x"),
        Line::error(404, "x"),
        Line::error(413, "x"),
        Line::error_of(429, "insufficient_quota", "x"),
        Line::refuse("no"),
        Line::cut_off("{"),
    ] {
        let model = FakeModel::saying([lasting.clone(), Line::say(ANSWER)]).await;
        assert!(ask(&open(patient(5, &model))).await.is_err(), "{lasting:?}");
        assert_eq!(model.times(), 1, "{lasting:?}");
    }
}

#[tokio::test]
async fn a_server_is_not_asked_before_the_time_that_it_named() {
    let busy = Line::error(429, "x").with_header("retry-after", "0.3");
    let model = FakeModel::saying([busy, Line::say(ANSWER)]).await;
    let began = Instant::now();
    let reply = ask(&open(patient(1, &model))).await.unwrap();
    assert!(began.elapsed() >= Duration::from_millis(300) && reply.latency >= Duration::from_millis(300));
}

#[tokio::test]
async fn a_time_beyond_what_is_left_ends_the_call_at_once() {
    for named in ["60", "Sun, 22 Nov 2026 08:01:00 GMT"] {
        let busy = Line::error(429, "x").with_header("retry-after", named);
        let model = FakeModel::saying([busy, Line::say(ANSWER)]).await;
        let settings = Settings { timeout: Duration::from_secs(10), ..patient(5, &model) };
        let error = ask(&open(settings)).await.unwrap_err();
        assert_eq!(error, ModelError::Busy { retry_after: Some(Duration::from_secs(60)) });
        assert_eq!(model.times(), 1);
    }
}

#[tokio::test]
async fn a_call_ends_within_a_time_out_for_each_try() {
    let model = FakeModel::saying([Line::silence()]).await;
    let timeout = Duration::from_secs(1);
    let models = open(Settings { timeout, ..patient(2, &model) });
    let began = Instant::now();
    assert_eq!(ask(&models).await.unwrap_err(), ModelError::TimedOut);
    let took = began.elapsed();
    assert!(took >= timeout && took < timeout * 4, "{took:?}");
    assert!((2..=3).contains(&model.times()));
}

#[tokio::test]
async fn writing_may_take_longer_than_a_time_out_while_something_comes() {
    let text = format!("{{\"text\": \"{}\"}}", "long ".repeat(60));
    let text = text.as_str();
    // At once, for all that it does is wait.
    let runs = PROTOCOLS.into_iter().map(|protocol| async move {
        // Some thirty pieces, of which each comes well in time and all together don't.
        let model = FakeModel::saying([Line::say(text).at_pace(Duration::from_millis(100))]).await;
        let settings = Settings { timeout: Duration::from_secs(2), ..settings_for(protocol, &model) };
        let models = open(settings);
        let content = Prompt { role: ModelRole::Content, ..prompt("Write!") };
        assert_eq!(models.answer(&content).await.unwrap().text, text);
        assert_eq!(models.answer(&prompt("Grade!")).await.unwrap_err().error, ModelError::TimedOut);
    });
    join_all(runs).await;
}

#[tokio::test]
async fn what_a_provider_counted_and_how_it_names_its_model_are_told() {
    for protocol in PROTOCOLS {
        for line in [Line::say(ANSWER).with_cached_tokens(40), Line::say(ANSWER).with_cached_tokens(40).plain()] {
            let model = FakeModel::saying([line]).await;
            let reply = ask(&open(settings_for(protocol, &model))).await.unwrap();
            let usage = reply.usage;
            assert_eq!((usage.cached_tokens, usage.output_tokens), (40, 12), "{protocol:?}");
            assert!(usage.input_tokens >= 40, "kept tokens are among those of the prompt");
            assert_eq!((reply.provider.as_str(), reply.model.as_str(), reply.tries), ("first", "small-1", 1));
        }
    }
}
