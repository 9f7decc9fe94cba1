//! Models in front of scripted servers, and what they are asked.

use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::model::{Model as _, ModelError, ModelRole, NoReply, Part, Prompt, Reply, Schema, Turn};
use kernel::time::Timestamp;
use models::{ModelNames, Models, Pacing, Protocol, Provider, Settings};
use serde_json::json;
use testkit::model::FakeModel;

pub(crate) const PROTOCOLS: [Protocol; 3] = [Protocol::Chat, Protocol::Responses, Protocol::Messages];
pub(crate) const ANSWER: &str = r#"{"points": 3, "why": "Größe – 正しい"}"#;

/// Long enough for a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) fn provider(name: &str, protocol: Protocol, url: &str) -> Provider {
    Provider {
        name: name.to_owned(),
        protocol,
        base_url: url.parse().unwrap(),
        api_key: None,
        models: ModelNames::all("small-1"),
    }
}

/// Without retries; waits between tries are short.
pub(crate) fn settings(first: Provider) -> Settings {
    Settings {
        first,
        others: Vec::new(),
        timeout: TIMEOUT,
        retries: 0,
        concurrency: 64,
        extra_ca_pem: None,
        pacing: Pacing {
            first_delay: Duration::from_millis(1),
            longest_delay: Duration::from_millis(4),
            cooling: Duration::from_secs(60),
            longest_cooling: Duration::from_secs(60),
        },
    }
}

pub(crate) fn settings_for(protocol: Protocol, model: &FakeModel) -> Settings {
    settings(provider("first", protocol, &model.url()))
}

/// It is eight o'clock.
pub(crate) fn ambient() -> Ambient {
    Ambient::fixed(Timestamp::parse_rfc3339("2026-11-22T08:00:00Z").unwrap(), 1).0
}

pub(crate) fn open(settings: Settings) -> Models {
    Models::open(settings, &ambient()).unwrap()
}

pub(crate) fn prompt(text: &str) -> Prompt {
    Prompt {
        role: ModelRole::Standard,
        tenant: "school".to_owned(),
        instructions: "Count the points.".to_owned(),
        turns: vec![Turn::User(vec![Part::Text(text.to_owned())])],
        schema: Schema::new(
            "points",
            &json!({
                "type": "object",
                "properties": { "points": { "type": "integer" }, "why": { "type": "string", "maxLength": 80 } },
                "required": ["points", "why"],
                "additionalProperties": false,
            }),
        ),
        max_output_tokens: 1_000,
        temperature: Some(0.0),
    }
}

/// Asks once, and is sure that it ends.
pub(crate) async fn ask(models: &Models) -> Result<Reply, ModelError> {
    ask_fully(models).await.map_err(|none| none.error)
}

/// The same, with who was asked where nobody answered.
pub(crate) async fn ask_fully(models: &Models) -> Result<Reply, NoReply> {
    let prompt = prompt("How many?");
    let answer = tokio::time::timeout(TIMEOUT * 4, models.answer(&prompt)).await;
    answer.expect("a call ends within its time")
}
