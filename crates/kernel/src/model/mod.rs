//! A language model as its callers see it: a prompt goes in, text and what it cost come out.
//!
//! What a model says is untrusted. [`ask`] is the one way to ask for something with a shape: it parses strictly, lets the
//! caller check what it got, and asks once more when it is wrong. Who answers (providers, retries, time-outs, failover)
//! is behind [`Model`]; nothing here does I/O.

mod ask;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

pub use ask::{Asked, Call, Objections, Unanswered, ask, unfenced};

/// A language model, or several of which one answers.
#[async_trait]
pub trait Model: Send + Sync {
    /// Answers a prompt. What passes is tried again behind this call, as often and as long as the operator allows.
    async fn answer(&self, prompt: &Prompt) -> Result<Reply, NoReply>;

    /// Whether it is worth asking now: known before anything is stored or paid.
    ///
    /// # Errors
    /// [`ModelError::Unavailable`] while every provider of this role is known to be down.
    fn ready(&self, role: ModelRole) -> Result<(), ModelError> {
        let _ = role;
        Ok(())
    }
}

/// Which of the operator's models is asked: `LECTERN_MODEL_FAST`, `_STANDARD`, `_ADVANCED` and `_CONTENT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelRole {
    /// Grades at the lowest price.
    Fast,
    /// Grades.
    Standard,
    /// Grades with the most care.
    Advanced,
    /// Writes content.
    Content,
}

/// What a model is asked.
///
/// Providers keep the beginning of a prompt that they have seen: what is the same for many prompts comes first, in
/// `instructions` and the first turns, and what differs last.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// Which model.
    pub role: ModelRole,
    /// Whose turn it is where too many ask: an organization's or a workspace's id. It is not sent.
    pub tenant: String,
    /// The system's message. It holds nothing that a learner or a customer wrote.
    pub instructions: String,
    /// What follows, beginning with the user's turn.
    pub turns: Vec<Turn>,
    /// The shape of the answer.
    pub schema: Schema,
    /// The longest answer, in tokens.
    pub max_output_tokens: u32,
    /// 0 for the likeliest answer; `None` leaves it to the provider.
    pub temperature: Option<f64>,
}

impl Prompt {
    /// What identifies the prompt, in hex: everything that is sent but the model's name.
    #[must_use]
    pub fn sha256(&self) -> String {
        let mut digest = Sha256::new();
        let mut put = |text: &[u8]| {
            digest.update(text.len().to_be_bytes());
            digest.update(text);
        };
        put(self.instructions.as_bytes());
        put(self.schema.json().get().as_bytes());
        for turn in &self.turns {
            match turn {
                Turn::Model(text) => put(text.as_bytes()),
                Turn::User(parts) => parts.iter().for_each(|part| match part {
                    Part::Text(text) => put(text.as_bytes()),
                    Part::Picture(picture) => put(picture.sha256.as_bytes()),
                }),
            }
        }
        hex::encode(digest.finalize())
    }
}

/// A turn of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// What is said to the model.
    User(Vec<Part>),
    /// What the model said.
    Model(String),
}

/// A part of what is said to a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Text.
    Text(String),
    /// A picture.
    Picture(Picture),
}

/// A picture for a model that sees.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecordedPicture)]
pub struct Picture {
    /// `image/png`, `image/jpeg`, …
    pub mime_type: String,
    /// The SHA-256 of the file, in hex: what identifies it in prompts and records.
    pub sha256: String,
    /// The file as it is; no part of the JSON, so that a picture of a record has none.
    #[serde(skip)]
    pub bytes: Arc<[u8]>,
}

impl Picture {
    /// A picture of a type.
    #[must_use]
    pub fn new(mime_type: &str, bytes: Arc<[u8]>) -> Self {
        Self { mime_type: mime_type.to_owned(), sha256: hex::encode(Sha256::digest(&bytes)), bytes }
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Picture({}, {} bytes)", self.mime_type, self.bytes.len())
    }
}

/// The JSON that an answer has to be.
///
/// Servers with strict structured output want every property `required` and `additionalProperties: false` in every
/// object; schemas here are written so. Such servers may refuse limits of lists and texts (`maxItems`, `maxLength`), so that
/// each schema is there with them and without. Whoever asks checks limits and ranges afterwards.
#[derive(Clone, Debug)]
pub struct Schema {
    /// A name of letters, digits and `_`.
    pub name: &'static str,
    /// Written once, as it is sent: a schema is the larger part of what most requests are made of.
    json: Arc<RawValue>,
    limited: Arc<RawValue>,
}

impl Schema {
    /// The largest useful limit of a list or text. llama.cpp takes a rule for each repetition and refuses 2,000 of them or more.
    pub const MOST_REPETITIONS: u64 = 1_999;

    /// A name, and the JSON Schema of an object with its limits.
    ///
    /// # Panics
    /// Never: a [`Value`] can be written.
    #[must_use]
    pub fn new(name: &'static str, schema: &Value) -> Self {
        let write = |schema: &Value| to_raw_value(schema).expect("a value is JSON").into();
        Self { name, json: write(&without_limits(schema)), limited: write(schema) }
    }

    /// The JSON Schema without limits of lists and texts.
    #[must_use]
    pub fn json(&self) -> &RawValue {
        &self.json
    }

    /// The JSON Schema with its limits.
    #[must_use]
    pub fn limited_json(&self) -> &RawValue {
        &self.limited
    }
}

/// A schema without `maxItems` and `maxLength`. Properties of these names stay.
fn without_limits(schema: &Value) -> Value {
    match schema {
        Value::Object(keywords) => {
            let kept = keywords.iter().filter(|(keyword, _)| !matches!(keyword.as_str(), "maxItems" | "maxLength"));
            let strip = |(keyword, value): (&String, &Value)| {
                let value = match value {
                    Value::Object(properties) if keyword == "properties" => {
                        properties.iter().map(|(name, schema)| (name.clone(), without_limits(schema))).collect()
                    }
                    value => without_limits(value),
                };
                (keyword.clone(), value)
            };
            Value::Object(kept.map(strip).collect())
        }
        Value::Array(schemas) => schemas.iter().map(without_limits).collect(),
        value => value.clone(),
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.limited.get()) == (other.name, other.limited.get())
    }
}

/// What a model said.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// Its text, whole.
    pub text: String,
    /// The tokens that the call used.
    pub usage: Usage,
    /// The provider's name in the configuration.
    pub provider: String,
    /// The model as the provider names it.
    pub model: String,
    /// From the first byte sent to the last one received, with what was tried before.
    pub latency: Duration,
    /// How often it was tried, at all providers and this time included.
    pub tries: u32,
    /// Who was asked before and gave no answer, in order.
    pub failures: Vec<ProviderFailure>,
}

/// Nobody answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoReply {
    /// What is told of it: of several failures the one that helps most.
    pub error: ModelError,
    /// Who was asked, in order; nobody where there was no turn or all are known to be down.
    pub failures: Vec<ProviderFailure>,
    /// How long it took.
    pub latency: Duration,
}

impl From<ModelError> for NoReply {
    /// Nobody was asked.
    fn from(error: ModelError) -> Self {
        Self { error, failures: Vec::new(), latency: Duration::ZERO }
    }
}

/// A provider that was asked and gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderFailure {
    /// The provider's name in the configuration.
    pub provider: String,
    /// The model's name in the configuration.
    pub model: String,
    /// Why, the last time.
    pub error: ModelError,
    /// All tries together, and the waits between them.
    pub latency: Duration,
    /// How often it was tried; not at all where it is known to be down.
    pub tries: u32,
}

/// Tokens that a provider counted; 0 where it did not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecordedUsage)]
pub struct Usage {
    /// Of the prompt, kept ones included.
    pub input_tokens: u64,
    /// Of the answer.
    pub output_tokens: u64,
    /// Of the prompt, those that the provider had kept from an earlier one.
    pub cached_tokens: u64,
}

/// Why a model did not answer. No text of a provider is in it: that may hold the prompt or a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// It can't be reached, answers with errors, or is known to be down.
    #[error("The language model is not available.")]
    Unavailable {
        /// When it is worth trying again.
        retry_after: Option<Duration>,
    },
    /// It answers that there are too many requests.
    #[error("The language model has too many requests.")]
    Busy {
        /// When it is worth trying again.
        retry_after: Option<Duration>,
    },
    /// It took longer than the operator allows.
    #[error("The language model took too long.")]
    TimedOut,
    /// The operator's settings are wrong: key, model's name, address.
    #[error("The language model refuses the service's settings.")]
    Misconfigured,
    /// The prompt is longer than the model can read.
    #[error("The text is longer than the language model can read.")]
    TooLong,
    /// It declined to answer.
    #[error("The language model declined to answer.")]
    Declined,
    /// Its answer ended at the limit of length.
    #[error("The language model's answer was cut off.")]
    CutOff,
    /// What came is no answer of the protocol.
    #[error("The language model's server gave no readable answer.")]
    Unreadable,
}

impl ModelError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unavailable { .. } => "model_unavailable",
            Self::Busy { .. } => "model_busy",
            Self::TimedOut => "model_timeout",
            Self::Misconfigured => "model_misconfigured",
            Self::TooLong => "model_input_too_long",
            Self::Declined => "model_declined",
            Self::CutOff => "model_output_cut",
            Self::Unreadable => "model_output_invalid",
        }
    }

    /// The failure that a code names.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        let all = [
            Self::Unavailable { retry_after: None },
            Self::Busy { retry_after: None },
            Self::TimedOut,
            Self::Misconfigured,
            Self::TooLong,
            Self::Declined,
            Self::CutOff,
            Self::Unreadable,
        ];
        all.into_iter().find(|error| error.code() == code)
    }

    /// When it is worth trying again, where that is known.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Unavailable { retry_after } | Self::Busy { retry_after } => *retry_after,
            _ => None,
        }
    }

    /// Whether asking again later may help.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::Busy { .. } | Self::TimedOut | Self::Unreadable)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_is_there_with_its_limits_and_without() {
        let texts = |limits: bool| {
            let mut list = json!({ "type": "array", "items": { "type": "string" } });
            if limits {
                list["maxItems"] = json!(5);
                list["items"]["maxLength"] = json!(80);
            }
            json!({ "type": "object", "properties": { "maxItems": list, "other": { "anyOf": [list, { "type": "null" }] } } })
        };
        let schema = Schema::new("list", &texts(true));
        assert_eq!(schema.limited_json().get(), texts(true).to_string());
        assert_eq!(schema.json().get(), texts(false).to_string(), "a property keeps its name");
        assert_ne!(schema, Schema::new("list", &texts(false)));
    }
}
