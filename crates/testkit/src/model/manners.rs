//! What a server does not take, said in the words of real ones.

use super::asked::{Asked, Protocol};
use super::line::Line;

/// What a model's server takes.
#[derive(Clone, Debug)]
pub struct Manners {
    /// A schema for the answer.
    pub takes_schema: bool,
    /// Limits of lists and texts in the schema.
    pub takes_limits: bool,
    /// The weaker wish for JSON: any object, or the call of a tool.
    pub takes_object: bool,
    /// How a chat's longest answer is named; `None` takes any name.
    pub takes_length_as: Option<LengthName>,
    /// A temperature.
    pub takes_temperature: bool,
    /// The wish for usage at a chat stream's end.
    pub takes_stream_options: bool,
    /// The key that it wants; `None` wants none.
    pub key: Option<String>,
    /// The models that it has; none for any.
    pub models: Vec<String>,
    /// The voices that it has; none for any.
    pub voices: Vec<String>,
    /// The status of a refusal for what it does not take.
    pub refusal_status: u16,
}

/// Names of the longest answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthName {
    /// `max_tokens`
    MaxTokens,
    /// `max_completion_tokens`
    MaxCompletionTokens,
}

impl Default for Manners {
    fn default() -> Self {
        Self {
            takes_schema: true,
            takes_limits: true,
            takes_object: true,
            takes_length_as: None,
            takes_temperature: true,
            takes_stream_options: true,
            key: None,
            models: Vec::new(),
            voices: Vec::new(),
            refusal_status: 400,
        }
    }
}

impl Manners {
    /// The refusal of a request, if it is refused.
    pub(super) fn refuse(&self, asked: &Asked) -> Option<Line> {
        if !self.lets_in(asked.header("authorization"), asked.header("x-api-key")) {
            return Some(Line::error(401, "Incorrect API key provided."));
        }
        if !self.models.is_empty() && !self.models.iter().any(|known| known == asked.model()) {
            let message = format!("The model `{}` does not exist or you do not have access to it.", asked.model());
            return Some(Line::error_of(404, "model_not_found", message));
        }
        let voice = asked.body["voice"].as_str().unwrap_or_default();
        if !self.voices.is_empty() && !self.voices.iter().any(|known| known == voice) {
            let message = format!("Voice '{voice}' not found. Available voices: {}", self.voices.join(", "));
            return Some(Line::error_of(400, "invalid_request_error", message));
        }
        let complaint = self.complaint(asked)?;
        Some(Line::error_of(self.refusal_status, "invalid_request_error", complaint))
    }

    /// Whether the key is right, in either protocol's header.
    pub(super) fn lets_in(&self, authorization: Option<&str>, x_api_key: Option<&str>) -> bool {
        let Some(key) = &self.key else { return true };
        let bearer = authorization.and_then(|value| value.strip_prefix("Bearer "));
        bearer.or(x_api_key).is_some_and(|given| given == key)
    }

    fn complaint(&self, asked: &Asked) -> Option<String> {
        let has = |name: &str| !asked.body[name].is_null();
        let is_messages = asked.protocol == Protocol::Messages;
        if !self.takes_schema && asked.schema().is_some() {
            return Some(match asked.protocol {
                Protocol::Chat => {
                    "'response_format' of type 'json_schema' is not supported with this model.".to_owned()
                }
                Protocol::Responses => "Unsupported parameter: 'text.format'.".to_owned(),
                Protocol::Messages | Protocol::Speech => {
                    "output_config.format: Extra inputs are not permitted".to_owned()
                }
            });
        }
        let limits = |schema: &serde_json::Value| schema.to_string().contains("\"maxLength\":");
        if !self.takes_limits && asked.schema().is_some_and(limits) {
            return Some("Failed to initialize samplers: failed to parse grammar".to_owned());
        }
        if !self.takes_object && asked.wants_object() {
            return Some(match asked.protocol {
                Protocol::Chat => "'response_format.type' must be 'text'".to_owned(),
                Protocol::Responses => "Unsupported value: 'text.format.type'.".to_owned(),
                Protocol::Messages | Protocol::Speech => "tool_choice: Extra inputs are not permitted".to_owned(),
            });
        }
        if !self.takes_temperature && has("temperature") {
            let complaint = "Unsupported value: 'temperature' does not support 0 with this model.".to_owned();
            return Some(if is_messages {
                "`temperature` is deprecated for this model.".to_owned()
            } else {
                complaint
            });
        }
        if !self.takes_stream_options && has("stream_options") {
            return Some("Unrecognized request argument supplied: stream_options".to_owned());
        }
        match self.takes_length_as {
            Some(LengthName::MaxTokens) if has("max_completion_tokens") => {
                Some("Unrecognized request argument supplied: max_completion_tokens".to_owned())
            }
            Some(LengthName::MaxCompletionTokens) if has("max_tokens") && !is_messages => Some(
                "Unsupported parameter: 'max_tokens' is not supported with this model. \
                Use 'max_completion_tokens' instead."
                    .to_owned(),
            ),
            _ => None,
        }
    }
}
