//! A provider that is down is left alone for a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use kernel::model::{Model as _, ModelError, ModelRole, Prompt};
use models::{ModelNames, Protocol, Provider, Settings};
use testkit::model::{FakeModel, Line};

use crate::stage::{ANSWER, ask, open, prompt, provider, settings, settings_for};

const COOLING: Duration = Duration::from_secs(60);

/// As a caller waits that keeps to what it is told.
async fn pass(wait: Duration) {
    tokio::time::pause();
    tokio::time::advance(wait).await;
    tokio::time::resume();
}

#[tokio::test]
async fn after_outages_in_a_row_nobody_asks_until_one_finds_it_up_again() {
    let is_up = Arc::new(AtomicBool::new(false));
    let up = is_up.clone();
    let model =
        FakeModel::start(move |_| if up.load(Ordering::SeqCst) { Line::say(ANSWER) } else { Line::error(503, "down") })
            .await;
    let mut settings = Settings { retries: 9, ..settings_for(Protocol::Chat, &model) };
    (settings.pacing.cooling, settings.pacing.longest_cooling) = (COOLING, COOLING);
    let models = open(settings);
    assert_eq!(models.ready(ModelRole::Fast), Ok(()));
    assert!(ask(&models).await.is_err());
    assert_eq!(model.times(), 5, "what opens it ends the call's tries too");

    let Err(ModelError::Unavailable { retry_after: Some(wait) }) = models.ready(ModelRole::Fast) else {
        panic!("it is known to be down");
    };
    assert!(matches!(ask(&models).await, Err(ModelError::Unavailable { retry_after: Some(_) })));
    assert_eq!(model.times(), 5, "it is not asked while it is left alone");

    pass(wait).await;
    assert_eq!(models.ready(ModelRole::Fast), Ok(()));
    assert!(ask(&models).await.is_err());
    assert_eq!(model.times(), 6, "one is let through, and finds it down");
    let Err(ModelError::Unavailable { retry_after: Some(wait) }) = models.ready(ModelRole::Fast) else {
        panic!("it is known to be down");
    };

    is_up.store(true, Ordering::SeqCst);
    pass(wait).await;
    assert_eq!(ask(&models).await.unwrap().text, ANSWER);
    assert_eq!(models.ready(ModelRole::Fast), Ok(()));
}

#[tokio::test]
async fn content_that_comes_too_late_stands_in_no_grades_way_not_even_of_the_same_model() {
    let model =
        FakeModel::start(|asked| if asked.text().contains("Write") { Line::silence() } else { Line::say(ANSWER) });
    let model = model.await;
    let models = open(Settings { timeout: Duration::from_millis(200), ..settings_for(Protocol::Chat, &model) });
    let content = Prompt { role: ModelRole::Content, ..prompt("Write!") };
    for _ in 0..5 {
        assert_eq!(models.answer(&content).await.unwrap_err().error, ModelError::TimedOut);
    }
    assert!(matches!(models.ready(ModelRole::Content), Err(ModelError::Unavailable { retry_after: Some(_) })));
    let none = models.answer(&content).await.unwrap_err();
    assert!(matches!(none.error, ModelError::Unavailable { retry_after: Some(_) }) && none.failures.is_empty());
    for role in [ModelRole::Fast, ModelRole::Standard, ModelRole::Advanced] {
        assert_eq!(models.ready(role), Ok(()), "{role:?}");
    }
    assert!(!matches!(ask(&models).await, Err(ModelError::Unavailable { .. })), "a grade is asked for");
}

#[tokio::test]
async fn a_model_that_is_down_is_left_alone_and_the_providers_others_are_asked() {
    let model =
        FakeModel::start(|asked| if asked.model() == "large-1" { Line::error(503, "x") } else { Line::say(ANSWER) });
    let model = model.await;
    let names = ModelNames { advanced: "large-1".to_owned(), ..ModelNames::all("small-1") };
    let models = open(settings(Provider { models: names, ..provider("first", Protocol::Chat, &model.url()) }));
    let advanced = Prompt { role: ModelRole::Advanced, ..prompt("How many?") };
    for _ in 0..6 {
        assert!(models.answer(&advanced).await.is_err());
    }
    assert_eq!(model.times(), 5);
    assert!(models.ready(ModelRole::Advanced).is_err());
    assert_eq!((models.ready(ModelRole::Fast), models.ready(ModelRole::Standard)), (Ok(()), Ok(())));
    assert_eq!(ask(&models).await.unwrap().text, ANSWER);
}

#[tokio::test]
async fn settings_that_are_refused_and_prompts_that_are_declined_are_no_outage() {
    for line in [Line::error(401, "x"), Line::error(429, "x"), Line::refuse("no"), Line::cut_off("{")] {
        let model = FakeModel::saying([line]).await;
        let models = open(settings_for(Protocol::Messages, &model));
        for _ in 0..8 {
            assert!(ask(&models).await.is_err());
        }
        assert_eq!((model.times(), models.ready(ModelRole::Fast)), (8, Ok(())));
    }
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_any_more_does_not_keep_others_out() {
    let model =
        FakeModel::start(|asked| if asked.text().contains("slow") { Line::silence() } else { Line::say(ANSWER) });
    let model = model.await;
    let models = open(Settings { concurrency: 1, ..settings_for(Protocol::Chat, &model) });
    let slow = prompt("slow");
    let mut call = models.answer(&slow);
    assert!((&mut call).now_or_never().is_none());
    drop(call);
    assert!(ask(&models).await.is_ok());
}
