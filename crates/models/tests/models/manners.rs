//! Servers that don't take everything: found out once, and remembered.

use models::{Protocol, Settings};
use serde_json::Value;
use testkit::model::{Asked, FakeModel, LengthName, Line, Manners};

use crate::stage::{ANSWER, PROTOCOLS, ask, open, prompt, settings_for};

/// Asks twice: how often the server was asked for each, and its last request.
async fn twice(protocol: Protocol, manners: Manners) -> (usize, usize, Asked) {
    let model = FakeModel::saying_with(manners, [Line::say(ANSWER)]).await;
    let models = open(settings_for(protocol, &model));
    let reply = ask(&models).await.unwrap();
    let first = model.times();
    assert_eq!((reply.text.as_str(), usize::try_from(reply.tries).unwrap()), (ANSWER, first));
    assert_eq!(ask(&models).await.unwrap().text, ANSWER);
    (first, model.times() - first, model.asked().pop().unwrap())
}

#[tokio::test]
async fn a_server_that_takes_everything_is_asked_once_with_the_schema() {
    for protocol in PROTOCOLS {
        let (first, second, asked) = twice(protocol, Manners::default()).await;
        assert_eq!((first, second), (1, 1));
        let schema = prompt("").schema;
        let sent = if protocol == Protocol::Messages { schema.json() } else { schema.limited_json() };
        assert_eq!(asked.schema().unwrap().to_string(), sent.get(), "{protocol:?}");
        assert!(!asked.instructions().contains("additionalProperties"), "the schema is not sent twice");
    }
}

#[tokio::test]
async fn a_server_that_refuses_limits_is_sent_the_schema_without_them_and_found_out_once() {
    for protocol in [Protocol::Chat, Protocol::Responses] {
        let (first, second, asked) = twice(protocol, Manners { takes_limits: false, ..Manners::default() }).await;
        assert_eq!((first, second), (2, 1), "{protocol:?}");
        assert_eq!(asked.schema().unwrap().to_string(), prompt("").schema.json().get());
    }
}

#[tokio::test]
async fn a_server_without_schemas_is_asked_for_an_object_and_found_out_once() {
    for protocol in PROTOCOLS {
        for refusal_status in [400, 422, 500, 501] {
            let manners = Manners { takes_schema: false, refusal_status, ..Manners::default() };
            let (first, second, asked) = twice(protocol, manners).await;
            // A server that refuses a schema with limits is asked without them first.
            let refusals = if protocol == Protocol::Messages { 1 } else { 2 };
            assert_eq!((first, second), (1 + refusals, 1), "{protocol:?} {refusal_status}");
            assert!(asked.wants_object() && asked.schema().is_none());
            assert!(asked.raw.contains("additionalProperties"), "the model is told the schema");
        }
    }
}

#[tokio::test]
async fn a_server_without_either_is_asked_in_words() {
    for protocol in PROTOCOLS {
        let manners = Manners { takes_schema: false, takes_object: false, ..Manners::default() };
        let (first, second, asked) = twice(protocol, manners).await;
        assert_eq!((first, second), (if protocol == Protocol::Messages { 3 } else { 4 }, 1), "{protocol:?}");
        assert!(!asked.wants_object() && asked.schema().is_none());
        assert!(asked.instructions().contains("additionalProperties"));
    }
}

#[tokio::test]
async fn the_longest_answer_is_named_as_the_server_wants_it() {
    for name in [LengthName::MaxTokens, LengthName::MaxCompletionTokens] {
        let manners = Manners { takes_length_as: Some(name), ..Manners::default() };
        let (first, second, asked) = twice(Protocol::Chat, manners).await;
        assert_eq!((first, second), (if name == LengthName::MaxTokens { 1 } else { 2 }, 1));
        let is_new = name == LengthName::MaxCompletionTokens;
        assert_eq!(asked.body["max_completion_tokens"].is_u64(), is_new);
        assert_eq!(asked.body["max_tokens"].is_u64(), !is_new);
    }
}

#[tokio::test]
async fn what_is_refused_is_left_out() {
    for protocol in PROTOCOLS {
        let manners = Manners { takes_temperature: false, ..Manners::default() };
        let (first, second, asked) = twice(protocol, manners).await;
        assert_eq!((first, second, &asked.body["temperature"]), (2, 1, &Value::Null));
    }
    let manners = Manners { takes_stream_options: false, ..Manners::default() };
    let (first, second, asked) = twice(Protocol::Chat, manners).await;
    assert_eq!((first, second, &asked.body["stream_options"]), (2, 1, &Value::Null));
}

#[tokio::test]
async fn a_server_that_takes_nothing_of_it_all_is_still_understood() {
    let manners = Manners {
        takes_schema: false,
        takes_limits: false,
        takes_object: false,
        takes_length_as: Some(LengthName::MaxCompletionTokens),
        takes_temperature: false,
        takes_stream_options: false,
        ..Manners::default()
    };
    let (first, second, _) = twice(Protocol::Chat, manners).await;
    assert_eq!((first, second), (7, 1));
}

#[tokio::test]
async fn a_model_that_thinks_until_the_limit_gets_room_for_it() {
    for protocol in PROTOCOLS {
        let model = FakeModel::start(|asked| {
            let most = ["max_tokens", "max_output_tokens"].iter().find_map(|name| asked.body[*name].as_u64());
            let line = if most.unwrap() > 1_000 { Line::say(ANSWER) } else { Line::cut_off("") };
            line.thinking("Well …")
        })
        .await;
        let models = open(settings_for(protocol, &model));
        assert_eq!(ask(&models).await.unwrap().tries, 2);
        assert_eq!(ask(&models).await.unwrap().tries, 1);
    }
}

#[tokio::test]
async fn adapting_uses_up_no_retry() {
    let manners = Manners { takes_schema: false, takes_temperature: false, ..Manners::default() };
    let model = FakeModel::saying_with(manners, [Line::error(503, "x"), Line::say(ANSWER)]).await;
    let models = open(Settings { retries: 1, ..settings_for(Protocol::Messages, &model) });
    assert_eq!(ask(&models).await.unwrap().tries, 4);
}
