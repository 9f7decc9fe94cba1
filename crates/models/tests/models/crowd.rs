//! Many calls at once.

use std::time::Duration;

use futures_util::future::join_all;
use kernel::model::{Model as _, Prompt};
use models::{Protocol, Settings};
use testkit::model::{FakeModel, Line};

use crate::stage::{ANSWER, open, prompt, settings_for};

fn of(tenant: &str, text: &str) -> Prompt {
    Prompt { tenant: tenant.to_owned(), ..prompt(text) }
}

#[tokio::test]
async fn tenants_take_turns_however_many_calls_each_has() {
    let model = FakeModel::saying([Line::say(ANSWER).after(Duration::from_millis(2))]).await;
    let models = open(Settings { concurrency: 1, ..settings_for(Protocol::Chat, &model) });
    let prompts: Vec<_> = (0..6).map(|n| of("busy", &format!("busy {n}"))).chain([of("quiet", "quiet")]).collect();
    let replies = join_all(prompts.iter().map(|prompt| models.answer(prompt))).await;
    assert!(replies.iter().all(Result::is_ok));
    let order: Vec<_> = model.asked().iter().map(testkit::model::Asked::text).collect();
    let place = order.iter().position(|text| text == "quiet").unwrap();
    assert!(place <= 2, "{order:?}");
    assert_eq!(model.most_in_flight(), 1);
}

#[tokio::test]
async fn two_thousand_calls_keep_to_so_many_at_once_and_to_their_connections() {
    let model = FakeModel::saying([Line::say(ANSWER).after(Duration::from_millis(5))]).await;
    let settings =
        Settings { concurrency: 64, timeout: Duration::from_secs(60), ..settings_for(Protocol::Chat, &model) };
    let models = open(settings);
    let prompts: Vec<_> = (0..2_000).map(|n| of(&format!("school {}", n % 7), "How many?")).collect();
    let replies = join_all(prompts.iter().map(|prompt| models.answer(prompt))).await;
    assert!(replies.iter().all(|reply| reply.as_ref().is_ok_and(|reply| reply.text == ANSWER)));
    assert_eq!(model.times(), 2_000);
    assert!(model.most_in_flight() <= 64, "{}", model.most_in_flight());
    assert!(model.connections() < 200, "connections are used again: {}", model.connections());
}

#[tokio::test]
async fn two_thousand_calls_at_once_are_all_answered() {
    let model = FakeModel::saying([Line::say(ANSWER).after(Duration::from_millis(500))]).await;
    let settings = settings_for(Protocol::Chat, &model);
    let models = open(Settings { concurrency: 2_000, timeout: Duration::from_secs(60), ..settings });
    let prompts: Vec<_> = (0..2_000).map(|n| of(&format!("school {}", n % 7), "How many?")).collect();
    let replies = join_all(prompts.iter().map(|prompt| models.answer(prompt))).await;
    let failed = replies.iter().filter(|reply| reply.is_err()).count();
    assert_eq!((failed, model.times()), (0, 2_000));
}
