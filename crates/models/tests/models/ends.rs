//! The end of a body, which may come long after the end of what the model says.

use std::time::Duration;

use futures_util::future::join_all;
use kernel::model::Model as _;
use models::{Protocol, Settings};
use testkit::model::{FakeModel, Line};

use crate::stage::{ANSWER, PROTOCOLS, ask, open, prompt, settings_for};

#[tokio::test]
async fn an_answer_is_handed_on_before_its_body_has_ended() {
    for protocol in PROTOCOLS {
        let model = FakeModel::saying([Line::say(ANSWER).held_open(Duration::from_secs(30))]).await;
        let models = open(settings_for(protocol, &model));
        let mut quickest = Duration::MAX;
        // A busy machine may be slow, but not each time.
        for _ in 0..10 {
            quickest = quickest.min(ask(&models).await.unwrap().latency);
        }
        assert!(quickest < Duration::from_millis(150), "{protocol:?}: {quickest:?}");
    }
}

#[tokio::test]
async fn a_connection_whose_body_ends_a_little_later_is_used_again() {
    let model = FakeModel::saying([Line::say(ANSWER).held_open(Duration::from_millis(5))]).await;
    let models = open(settings_for(Protocol::Chat, &model));
    for _ in 0..40 {
        ask(&models).await.unwrap();
    }
    assert!(model.connections() <= 20, "{}", model.connections());
}

#[tokio::test]
async fn of_bodies_that_do_not_end_only_so_many_are_waited_for_at_once() {
    let model = FakeModel::saying([Line::say(ANSWER).held_open(Duration::from_secs(30))]).await;
    let models = open(Settings { concurrency: 2, ..settings_for(Protocol::Chat, &model) });
    let prompts: Vec<_> = (0..40).map(|n| prompt(&format!("{n}"))).collect();
    let replies = join_all(prompts.iter().map(|prompt| models.answer(prompt))).await;
    assert!(replies.iter().all(Result::is_ok));
    // Two that ask and two that are waited for; a server learns a little late that one was given up.
    assert!(model.most_in_flight() <= 20, "{}", model.most_in_flight());
}
