//! What must not get out: keys to other servers, and prompts, answers and keys to logs and errors.

use std::io::Write;
use std::sync::{Arc, Mutex};

use kernel::model::{Model as _, ModelError};
use models::{Models, Protocol, Provider, Settings};
use testkit::model::{FakeModel, Line, Manners};
use tracing_subscriber::fmt::MakeWriter;

use crate::stage::{ANSWER, PROTOCOLS, ambient, ask, open, prompt, provider, settings, settings_for};

fn with_key(provider: Provider, key: &str) -> Provider {
    Provider { api_key: Some(key.into()), ..provider }
}

#[tokio::test]
async fn a_key_goes_to_its_own_server_in_its_own_header() {
    let (first, second, third) = (
        FakeModel::saying([Line::error(503, "x")]).await,
        FakeModel::saying([Line::error(503, "x")]).await,
        FakeModel::saying([Line::say(ANSWER)]).await,
    );
    let settings = Settings {
        others: vec![
            with_key(provider("second", Protocol::Messages, &second.url()), "sk-two"),
            provider("third", Protocol::Responses, &third.url()),
        ],
        ..settings(with_key(provider("first", Protocol::Chat, &first.url()), "sk-one"))
    };
    assert!(ask(&open(settings)).await.is_ok());
    let heads = |model: &FakeModel| {
        let asked = model.asked();
        let head = |name| asked[0].header(name).map(str::to_owned);
        (head("authorization"), head("x-api-key"), format!("{:?}", asked[0]))
    };
    let (bearer, key, whole) = heads(&first);
    assert_eq!((bearer.as_deref(), key.as_deref()), (Some("Bearer sk-one"), None));
    assert!(!whole.contains("sk-two"));
    let (bearer, key, whole) = heads(&second);
    assert_eq!((bearer.as_deref(), key.as_deref()), (None, Some("sk-two")));
    assert!(!whole.contains("sk-one"));
    let (bearer, key, whole) = heads(&third);
    assert_eq!((bearer, key), (None, None));
    assert!(!whole.contains("sk-one") && !whole.contains("sk-two"));
}

#[tokio::test]
async fn a_redirect_takes_no_key_along() {
    let other = FakeModel::saying([Line::say(ANSWER)]).await;
    for protocol in PROTOCOLS {
        let away =
            Line::raw(307, "text/plain", "").with_header("location", format!("{}/chat/completions", other.url()));
        let model = FakeModel::saying([away]).await;
        let settings = settings(with_key(provider("first", protocol, &model.url()), "sk-one"));
        assert_eq!(ask(&open(settings)).await.unwrap_err(), ModelError::Misconfigured);
    }
    assert_eq!(other.connections(), 0);
}

#[test]
fn a_key_that_no_header_can_hold_is_refused_without_being_repeated() {
    let provider = with_key(provider("first", Protocol::Chat, "http://127.0.0.1:9"), "hunter2\n");
    let settings = settings(provider);
    assert!(!format!("{settings:?}").contains("hunter2"));
    let error = Models::open(settings, &ambient()).err().unwrap();
    assert!(!format!("{error} {error:?}").contains("hunter2"));
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn logs_hold_neither_prompt_nor_answer_nor_key_nor_a_servers_words() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).with_max_level(tracing::Level::TRACE).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let parrot = "secret-prompt secret-key: I was told secret-prompt by secret-key";
    for protocol in PROTOCOLS {
        for line in [
            Line::say("{\"a\": \"secret-answer\"}"),
            Line::error(400, parrot),
            Line::error(500, parrot),
            Line::refuse(parrot),
            Line::raw(200, "text/html", parrot),
            Line::say("{\"a\": \"secret-answer\"}").reset_after(4),
        ] {
            let manners = Manners { takes_temperature: false, ..Manners::default() };
            let model = FakeModel::saying_with(manners, [line]).await;
            let first = settings_for(protocol, &model).first;
            let models = open(Settings { retries: 1, ..settings(with_key(first, "secret-key")) });
            let result = models.answer(&prompt("secret-prompt")).await;
            assert!(!format!("{:?}", result.err()).contains("secret"));
        }
    }
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("a model gave no answer"));
    let secret = log.lines().find(|line| line.contains("secret"));
    assert_eq!(secret, None);
}
