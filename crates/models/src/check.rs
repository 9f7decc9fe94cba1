//! A small real call to every configured model, for `lectern doctor`.

use std::time::Duration;

use futures_util::future::try_join_all;
use kernel::ambient::Ambient;
use kernel::model::{ModelRole, Part, Prompt, Schema, Turn, Usage, unfenced};
use net::{OperatorClient, Url};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::OpenError;
use crate::drain::Drains;
use crate::exchange::Exchange;
use crate::failure::{Cause, Failure};
use crate::manners::{Manner, Shape};
use crate::protocols;
use crate::settings::{Protocol, Provider, Settings};
use crate::upstream;

const MOST_ADAPTATIONS: u32 = 8;
/// Of a list of models, at most.
const MOST_LIST_BYTES: usize = 4 * 1024 * 1024;
/// Names of models that are told.
const MOST_NAMES: usize = 8;
const LONGEST_NAME: usize = 80;

/// What a model did.
#[derive(Debug)]
pub struct Check {
    /// The provider's name in the configuration.
    pub provider: String,
    /// Its address, as the operator wrote it.
    pub base_url: Url,
    /// The model's name in the configuration.
    pub model: String,
    /// Whether it answered.
    pub result: Result<Works, Trouble>,
}

/// A model answered.
#[derive(Clone, Copy, Debug)]
pub struct Works {
    /// From the first byte sent to the last one received, without what was tried before.
    pub latency: Duration,
    /// By what means it was brought to answer with JSON.
    pub shape: Shape,
    /// How far the answer was what was asked for.
    pub fit: Fit,
    /// What the provider counted.
    pub usage: Usage,
}

/// How far an answer was what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// To the letter.
    Right,
    /// It has the schema's shape, and says something else.
    Otherwise,
    /// It is prose, or other JSON than the schema's: nothing that a grade or content could be made of.
    Shapeless,
}

impl Fit {
    /// Read as graders and generators read.
    fn of(text: &str) -> Self {
        let value: Option<Value> = serde_json::from_str(unfenced(text)).ok();
        let has_shape = |value: &Value| value["number"].is_i64() && value.as_object().is_some_and(|all| all.len() == 1);
        match value {
            Some(value) if value == json!({ "number": 4 }) => Self::Right,
            Some(value) if has_shape(&value) => Self::Otherwise,
            _ => Self::Shapeless,
        }
    }
}

/// A model did not answer.
#[derive(Debug)]
pub struct Trouble {
    /// Why.
    pub cause: Cause,
    /// When the server says that it is worth trying again.
    pub retry_after: Option<Duration>,
    /// Some of the models that the server says it has, where this may help.
    pub models: Vec<String>,
}

/// Asks every model of every provider once, those of a provider one after the other.
///
/// # Errors
/// When a key or the extra certificates can't be used.
pub async fn check(settings: &Settings, ambient: &Ambient) -> Result<Vec<Check>, OpenError> {
    let checks = settings.providers().map(|provider| check_provider(provider, settings, ambient));
    Ok(try_join_all(checks).await?.into_iter().flatten().collect())
}

async fn check_provider(provider: &Provider, settings: &Settings, ambient: &Ambient) -> Result<Vec<Check>, OpenError> {
    let client = upstream::client(provider, settings)?;
    let mut checks = Vec::new();
    for model in provider.models.distinct() {
        let result = match ask(&client, provider, model, settings, ambient).await {
            Ok(works) => Ok(works),
            Err(failure) => Err(trouble(&client, provider.protocol, failure, settings).await),
        };
        checks.push(Check {
            provider: provider.name.clone(),
            base_url: provider.base_url.clone(),
            model: model.to_owned(),
            result,
        });
    }
    Ok(checks)
}

async fn ask(
    client: &OperatorClient,
    provider: &Provider,
    model: &str,
    settings: &Settings,
    ambient: &Ambient,
) -> Result<Works, Failure> {
    let prompt = prompt();
    let drains = Drains::new(1);
    let mut manner = Manner::first(provider);
    let mut adaptations = 0;
    loop {
        let began = Instant::now();
        let exchange = Exchange {
            client,
            drains: &drains,
            protocol: provider.protocol,
            model,
            prompt: &prompt,
            manner,
            within: settings.timeout,
            silence: settings.timeout,
            now: ambient.now(),
        };
        let failure = match Box::pin(exchange.run()).await {
            Ok(answer) => {
                let (fit, usage) = (Fit::of(&answer.text), answer.said.usage);
                return Ok(Works { latency: began.elapsed(), shape: manner.shape, fit, usage });
            }
            Err(failure) => failure,
        };
        adaptations += 1;
        manner = match manner.adapted(&failure, provider.protocol) {
            Some(better) if adaptations <= MOST_ADAPTATIONS => better,
            _ => return Err(failure),
        };
    }
}

async fn trouble(client: &OperatorClient, protocol: Protocol, failure: Failure, settings: &Settings) -> Trouble {
    let models = match failure.cause {
        Cause::NoSuchModel | Cause::Refused(_) => names(client, protocol, settings.timeout).await.unwrap_or_default(),
        _ => Vec::new(),
    };
    Trouble { cause: failure.cause, retry_after: failure.retry_after, models }
}

/// Some models that the server has, if it tells.
async fn names(client: &OperatorClient, protocol: Protocol, within: Duration) -> Option<Vec<String>> {
    let mut answer = client.get("models", protocols::headers(protocol), within, MOST_LIST_BYTES).await.ok()?;
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk(within).await.ok()? {
        body.extend_from_slice(&piece);
    }
    let list: Value = serde_json::from_slice(&body).ok()?;
    let names = list["data"].as_array()?.iter().filter_map(|model| model["id"].as_str());
    let is_name = |name: &&str| name.len() <= LONGEST_NAME && !name.contains(char::is_control);
    Some(names.filter(is_name).take(MOST_NAMES).map(str::to_owned).collect())
}

fn prompt() -> Prompt {
    Prompt {
        role: ModelRole::Fast,
        tenant: String::new(),
        instructions: "You check a connection. Answer with the JSON object {\"number\": 4}.".to_owned(),
        turns: vec![Turn::User(vec![Part::Text("Which number?".to_owned())])],
        schema: Schema::new(
            "check",
            &json!({
                "type": "object",
                "properties": { "number": { "type": "integer" } },
                "required": ["number"],
                "additionalProperties": false,
            }),
        ),
        max_output_tokens: 256,
        temperature: Some(0.0),
    }
}
