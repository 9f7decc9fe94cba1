//! How a request is written for a server: what it does not take is found out by its complaints, and remembered.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::failure::{Cause, Failure};
use crate::settings::{Protocol, Provider};

/// After this a server is asked again for what it did not take: it may have learned.
const REMEMBERED_FOR: Duration = Duration::from_secs(3600);

/// Tokens that a model which thinks before it answers gets on top of the answer's.
pub(crate) const ROOM_TO_THINK: u32 = 8192;

/// How a request is written, as far as servers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    pub(crate) shape: Shape,
    /// Whether a schema has limits of its lists and texts.
    pub(crate) has_limits: bool,
    pub(crate) length: LengthName,
    pub(crate) has_temperature: bool,
    /// Whether a chat's stream is asked for its usage.
    pub(crate) has_stream_options: bool,
    /// Whether the model needs tokens to think with.
    pub(crate) has_room_to_think: bool,
}

/// By what means a model is brought to answer with JSON of a schema, the surest one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// The server lets the model write nothing else.
    Schema,
    /// The server sees to JSON, or to the call of a tool; the schema is an instruction.
    Object,
    /// The instructions say it.
    Words,
}

/// What a chat's longest answer is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LengthName {
    MaxTokens,
    MaxCompletionTokens,
}

impl LengthName {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::MaxTokens => "max_tokens",
            Self::MaxCompletionTokens => "max_completion_tokens",
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::MaxTokens => Self::MaxCompletionTokens,
            Self::MaxCompletionTokens => Self::MaxTokens,
        }
    }
}

const SHAPE_WORDS: [&str; 12] = [
    "response_format",
    "json_schema",
    "json_object",
    "schema",
    "grammar",
    "guided",
    "structured",
    "text.format",
    "output_config",
    "output_format",
    "tool_choice",
    "tools",
];
/// Of complaints about the limits in a schema, besides those about the schema.
const LIMIT_WORDS: [&str; 3] = ["maxitems", "maxlength", "repetitions"];
/// Of complaints about a parameter as such, rather than about its value.
const UNKNOWN_WORDS: [&str; 8] =
    ["unsupported", "not supported", "unrecognized", "unknown", "unexpected", "not permitted", "extra", "instead"];

impl Manner {
    /// Whether a schema with limits is sent.
    pub(crate) fn limits_schema(self) -> bool {
        self.has_limits && self.shape == Shape::Schema
    }

    /// What a server is first taken to understand.
    pub(crate) fn first(provider: &Provider) -> Self {
        // Servers that know only the old name pass over the new one, and write without end.
        let length = if provider.is_openai() { LengthName::MaxCompletionTokens } else { LengthName::MaxTokens };
        // Their own servers refuse limits in a strict schema. Local servers take them, and their models need them.
        let has_limits = provider.protocol != Protocol::Messages && !provider.is_openai();
        Self {
            shape: Shape::Schema,
            has_limits,
            length,
            has_temperature: true,
            has_stream_options: true,
            has_room_to_think: false,
        }
    }

    /// The way to write the same request again after a failure, if writing it otherwise may help.
    pub(crate) fn adapted(self, failure: &Failure, protocol: Protocol) -> Option<Self> {
        match failure.cause {
            Cause::CutOff { has_thought: true } if !self.has_room_to_think => {
                return Some(Self { has_room_to_think: true, ..self });
            }
            // The room made it longer than the model can take.
            Cause::TooLong | Cause::Refused(_) if self.has_room_to_think => {
                return Some(Self { has_room_to_think: false, ..self });
            }
            _ => {}
        }
        let complaint = failure.complaint.as_ref().filter(|complaint| complaint.is_of_the_request())?;
        if !matches!(failure.cause, Cause::Refused(_) | Cause::ServerError(_)) {
            return None;
        }
        let is_chat = protocol == Protocol::Chat;
        if self.has_temperature && complaint.mentions(&["temperature"]) {
            Some(Self { has_temperature: false, ..self })
        } else if is_chat && self.has_stream_options && complaint.mentions(&["stream_options"]) {
            Some(Self { has_stream_options: false, ..self })
        } else if is_chat && complaint.mentions(&[self.length.as_str()]) && complaint.mentions(&UNKNOWN_WORDS) {
            Some(Self { length: self.length.other(), ..self })
        } else if self.limits_schema() && (complaint.mentions(&SHAPE_WORDS) || complaint.mentions(&LIMIT_WORDS)) {
            Some(Self { has_limits: false, ..self })
        } else if complaint.mentions(&SHAPE_WORDS) || complaint.is_not_implemented() {
            let shape = match self.shape {
                Shape::Schema => Shape::Object,
                Shape::Object => Shape::Words,
                Shape::Words => return None,
            };
            Some(Self { shape, ..self })
        } else {
            None
        }
    }
}

/// What is known of a provider's models.
pub(crate) struct Manners {
    first: Manner,
    known: Mutex<Known>,
}

/// By model and schema, since a server may take one schema and not another; and until when it counts.
type Known = HashMap<(String, &'static str), (Manner, Instant)>;

impl Manners {
    pub(crate) fn new(first: Manner) -> Self {
        Self { first, known: Mutex::default() }
    }

    /// How a model is asked for an answer of a schema.
    pub(crate) fn of(&self, model: &str, schema: &'static str, now: Instant) -> Manner {
        let mut known = self.lock();
        known.retain(|_, (_, until)| *until > now);
        known.get(&(model.to_owned(), schema)).map_or(self.first, |(manner, _)| *manner)
    }

    /// This is how a model answered.
    pub(crate) fn learn(&self, model: &str, schema: &'static str, manner: Manner, now: Instant) {
        self.lock().insert((model.to_owned(), schema), (manner, now + REMEMBERED_FOR));
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        // A map that a panic left behind is still a map.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use kernel::model::ModelError;
    use serde_json::json;

    use super::*;
    use crate::complaint::Complaint;

    const FIRST: Manner = Manner {
        shape: Shape::Schema,
        has_limits: false,
        length: LengthName::MaxTokens,
        has_temperature: true,
        has_stream_options: true,
        has_room_to_think: false,
    };

    fn adapted(manner: Manner, status: u16, message: &str) -> Option<Manner> {
        let body = json!({ "error": { "message": message } }).to_string();
        manner.adapted(&Complaint::read(status, body.as_bytes(), None).into(), Protocol::Chat)
    }

    #[test]
    fn a_complaint_changes_what_it_is_about_and_nothing_else() {
        let object = Manner { shape: Shape::Object, ..FIRST };
        let renamed = Manner { length: LengthName::MaxCompletionTokens, ..FIRST };
        let cases = [
            (400, "'response_format' of type 'json_schema' is not supported", object),
            (422, "body.response_format: extra inputs are not permitted", object),
            (501, "no", object),
            (500, "Input should be 'text' or 'json_object'", object),
            (400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", renamed),
            (400, "`temperature` is deprecated for this model.", Manner { has_temperature: false, ..FIRST }),
            (400, "Unknown: stream_options", Manner { has_stream_options: false, ..FIRST }),
        ];
        for (status, message, expected) in cases {
            assert_eq!(adapted(FIRST, status, message), Some(expected), "{message}");
        }
        let words = Manner { shape: Shape::Words, ..FIRST };
        assert_eq!(adapted(object, 400, "'response_format.type' must be 'text'"), Some(words));
    }

    #[test]
    fn a_refused_schema_is_sent_without_limits_before_anything_else() {
        let limited = Manner { has_limits: true, ..FIRST };
        for message in [
            "Invalid schema for response_format 'grade': 'maxLength' is not permitted.",
            "Failed to initialize samplers: failed to parse grammar",
            "number of repetitions exceeds sane defaults",
        ] {
            assert_eq!(adapted(limited, 400, message), Some(FIRST), "{message}");
        }
        assert_eq!(adapted(FIRST, 400, "maxItems is unknown"), None, "there are no limits to leave out");
        assert_eq!(adapted(limited, 400, "temperature"), Some(Manner { has_temperature: false, ..limited }));
    }

    #[test]
    fn what_is_no_matter_of_manners_is_left_alone() {
        for (status, message) in [
            (400, "max_tokens is too large: at most 4096 completion tokens"),
            (401, "no temperature without a key"),
            (429, "response_format: too many"),
            (503, "schema"),
            (500, "out of memory"),
            (400, "The maximum context length is 4096, with temperature or without"),
        ] {
            assert_eq!(adapted(FIRST, status, message), None, "{message}");
        }
        assert_eq!(adapted(Manner { shape: Shape::Words, ..FIRST }, 400, "schema"), None);
    }

    #[test]
    fn a_model_that_thought_until_the_limit_gets_room_and_gives_it_back_where_it_is_too_much() {
        let cut_off = |has_thought| Failure::from(Cause::CutOff { has_thought });
        assert_eq!(cut_off(true).error(), ModelError::CutOff);
        let roomy = FIRST.adapted(&cut_off(true), Protocol::Chat).unwrap();
        assert!(roomy.has_room_to_think);
        assert_eq!(roomy.adapted(&cut_off(true), Protocol::Chat), None);
        assert_eq!(FIRST.adapted(&cut_off(false), Protocol::Chat), None);
        assert_eq!(roomy.adapted(&Cause::TooLong.into(), Protocol::Chat), Some(FIRST));
    }

    #[test]
    fn what_was_learned_is_forgotten_after_a_while() {
        let (manners, now) = (Manners::new(FIRST), Instant::now());
        let learned = Manner { has_temperature: false, ..FIRST };
        manners.learn("m", "grade", learned, now);
        assert_eq!(manners.of("m", "grade", now), learned);
        assert_eq!((manners.of("n", "grade", now), manners.of("m", "quiz", now)), (FIRST, FIRST));
        assert_eq!(manners.of("m", "grade", now + REMEMBERED_FOR), FIRST);
    }
}
