//! What a server says when it refuses a request. Only its kind counts: the words themselves are never shown, logged or kept,
//! since a server may repeat the prompt or the key.

use std::time::Duration;

use serde_json::Value;

use crate::failure::{Cause, Failure};

/// Words that are looked at, at most.
const MOST_BYTES: usize = 4096;

/// A server's own words about a request, in lower case.
#[derive(Debug)]
pub(crate) struct Complaint {
    status: u16,
    text: String,
    /// Codes and types: what is for programs.
    kinds: Vec<String>,
    /// When it says that it is worth trying again.
    retry_after: Option<Duration>,
}

const TOO_LONG: [&str; 9] = [
    "context_length",
    "context length",
    "context window",
    "context size",
    "exceed_context",
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "request_too_large",
];
const NO_CREDIT: [&str; 4] = ["insufficient_quota", "exceeded your current quota", "credit balance", "billing"];
/// What OpenAI, Anthropic and Moonshot call it. Others use the words of [`NO_CREDIT`] for a limit per minute too.
const NO_CREDIT_KINDS: [&str; 5] = [
    "insufficient_quota",
    "billing_not_active",
    "billing_hard_limit_reached",
    "billing_error",
    "exceeded_current_quota_error",
];
const FILTERED: [&str; 5] =
    ["flagged", "content_filter", "content management policy", "content_policy", "usage policy"];
const NO_MODEL: [&str; 8] = [
    "not exist",
    "not found",
    "model_not_found",
    "invalid model",
    "invalid_model",
    "no such model",
    "unknown model",
    "unsupported model",
];
const OVERLOADED: [&str; 3] = ["overloaded", "server_error", "api_error"];
const BUSY: [&str; 3] = ["rate_limit", "rate limit", "too many requests"];

impl Complaint {
    /// Reads the body of a refusal, whichever of the known forms it has.
    pub(crate) fn read(status: u16, body: &[u8], retry_after: Option<Duration>) -> Self {
        match serde_json::from_slice::<Value>(body) {
            Ok(value) => Self { retry_after, ..Self::of(status, words(&value), kinds(&value)) },
            Err(_) => {
                let text = String::from_utf8_lossy(&body[..body.len().min(MOST_BYTES)]).into_owned();
                Self { retry_after, ..Self::of(status, text, Vec::new()) }
            }
        }
    }

    /// Reads an error that came in the middle of an answer.
    pub(crate) fn in_stream(error: &serde_json_borrow::Value<'_>) -> Self {
        let error = &Value::from(error);
        Self::of(200, words(error), kinds(error))
    }

    fn of(status: u16, mut text: String, kinds: Vec<String>) -> Self {
        text.truncate(text.floor_char_boundary(MOST_BYTES));
        Self { status, text: text.to_lowercase(), kinds, retry_after: None }
    }

    /// Whether one of these is in it.
    pub(crate) fn mentions(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.text.contains(word))
    }

    /// Whether the server's words have this one by itself, and not as a part of another.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        self.text
            .split(|sign: char| !sign.is_alphanumeric())
            .any(|one| one == word || one.strip_suffix('s') == Some(word))
    }

    /// Whether the server means the request, rather than who sent it, or its own state.
    pub(crate) fn is_of_the_request(&self) -> bool {
        // Some servers answer 500 to a request that they don't understand.
        matches!(self.status, 400 | 409 | 415 | 422 | 500 | 501)
    }

    /// Whether it says that the server has not learned to do something.
    pub(crate) fn is_not_implemented(&self) -> bool {
        self.status == 501
    }

    /// What it means.
    pub(crate) fn cause(&self) -> Cause {
        let mentions_model = self.mentions(&["model"]);
        match self.status {
            401 | 403 => Cause::KeyRefused,
            402 => Cause::NoCredit,
            429 if self.is_kind_of_no_credit() && self.retry_after.is_none() => Cause::NoCredit,
            429 => Cause::Busy,
            404 if mentions_model => Cause::NoSuchModel,
            300..=399 | 404 | 405 => Cause::WrongAddress,
            408 => Cause::TimedOut,
            413 => Cause::TooLong,
            400..=500 if self.mentions(&TOO_LONG) => Cause::TooLong,
            400..=499 if self.mentions(&NO_CREDIT) => Cause::NoCredit,
            400..=499 if self.mentions(&FILTERED) => Cause::Declined,
            400..=499 if mentions_model && self.mentions(&NO_MODEL) => Cause::NoSuchModel,
            425 => Cause::Busy,
            400..=499 => Cause::Refused(self.status),
            200..=299 => self.cause_in_stream(),
            status => Cause::ServerError(status),
        }
    }

    /// Whether a code says that the account may not spend more. Of 429 only codes are believed: prose about quotas and
    /// billing stands in answers to too many requests as well, which pass.
    fn is_kind_of_no_credit(&self) -> bool {
        self.kinds.iter().any(|kind| NO_CREDIT_KINDS.contains(&kind.as_str()))
    }

    fn cause_in_stream(&self) -> Cause {
        if self.mentions(&TOO_LONG) {
            Cause::TooLong
        } else if self.mentions(&FILTERED) {
            Cause::Declined
        } else if self.mentions(&BUSY) && !self.mentions(&OVERLOADED) {
            Cause::Busy
        } else {
            Cause::ServerError(self.status)
        }
    }
}

impl From<Complaint> for Failure {
    fn from(complaint: Complaint) -> Self {
        Self { cause: complaint.cause(), retry_after: complaint.retry_after, complaint: Some(complaint) }
    }
}

/// Kind, code, parameter and message of an error, in any of the forms that servers have for one.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text} "),
        Value::Number(number) => format!("{number} "),
        // A list of faults repeats what was sent beside what is wrong with it.
        Value::Array(faults) => faults.iter().take(10).map(words).collect(),
        Value::Object(fields) => {
            const TELLING: [&str; 9] =
                ["error", "detail", "message", "msg", "type", "code", "param", "loc", "response"];
            TELLING.iter().filter_map(|name| fields.get(*name)).map(words).collect()
        }
        Value::Null | Value::Bool(_) => String::new(),
    }
}

/// The codes and types of an error, wherever [`words`] looks.
fn kinds(value: &Value) -> Vec<String> {
    match value {
        Value::Array(faults) => faults.iter().take(10).flat_map(kinds).collect(),
        Value::Object(fields) => {
            let own = ["type", "code"].iter().filter_map(|name| fields.get(*name)?.as_str()).map(str::to_lowercase);
            let inner = ["error", "detail", "response"].iter().filter_map(|name| fields.get(*name)).flat_map(kinds);
            own.chain(inner).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use net::OutboundError;
    use serde_json::json;

    use super::*;

    fn cause(status: u16, body: &Value) -> Cause {
        Complaint::read(status, body.to_string().as_bytes(), None).cause()
    }

    #[test]
    fn the_errors_of_real_servers_are_told_apart() {
        let openai = |code: &str, message: &str| json!({ "error": { "message": message, "type": "x", "code": code } });
        let anthropic =
            |kind: &str, message: &str| json!({ "type": "error", "error": { "type": kind, "message": message } });
        let cases = [
            (401, openai("invalid_api_key", "Incorrect API key provided"), Cause::KeyRefused),
            (403, anthropic("permission_error", "not allowed"), Cause::KeyRefused),
            (429, openai("insufficient_quota", "You exceeded your current quota"), Cause::NoCredit),
            (429, anthropic("rate_limit_error", "slow down"), Cause::Busy),
            (400, anthropic("invalid_request_error", "Your credit balance is too low"), Cause::NoCredit),
            (404, openai("model_not_found", "The model `x` does not exist"), Cause::NoSuchModel),
            (404, json!({ "error": "model \"x\" not found, try pulling it first" }), Cause::NoSuchModel),
            (
                400,
                json!({ "detail": { "error": "invalid_model", "message": "Unsupported model: x" } }),
                Cause::NoSuchModel,
            ),
            (404, json!("404 page not found"), Cause::WrongAddress),
            (307, json!(null), Cause::WrongAddress),
            (400, openai("context_length_exceeded", "This model's maximum context length is 8192"), Cause::TooLong),
            (400, anthropic("invalid_request_error", "prompt is too long: 9 tokens > 8 maximum"), Cause::TooLong),
            (400, json!({ "error": { "type": "exceed_context_size_error", "code": 400 } }), Cause::TooLong),
            (413, anthropic("request_too_large", "too large"), Cause::TooLong),
            (400, openai("content_filter", "The response was filtered"), Cause::Declined),
            (400, openai("x", "no idea what you want"), Cause::Refused(400)),
            (503, json!("<html>busy</html>"), Cause::ServerError(503)),
            (529, anthropic("overloaded_error", "Overloaded"), Cause::ServerError(529)),
        ];
        for (status, body, expected) in cases {
            assert_eq!(cause(status, &body), expected, "{status} {body}");
        }
    }

    #[test]
    fn too_many_requests_are_no_lack_of_credit_whatever_the_prose_says() {
        let plan = "You exceeded your current quota, please check your plan and billing details.";
        let busy = [
            json!([{ "error": { "code": 429, "message": plan, "status": "RESOURCE_EXHAUSTED" } }]),
            json!({ "error": { "type": "rate_limit_error", "message": "To raise your limit, see billing." } }),
            json!({ "error": { "code": "rate_limit_exceeded", "message": "this is not insufficient_quota" } }),
            json!({ "error": plan, "message": "credit balance" }),
            json!("insufficient_quota"),
        ];
        for body in &busy {
            assert_eq!(cause(429, body), Cause::Busy, "{body}");
        }
        let lasting = [
            json!({ "error": { "code": "insufficient_quota", "message": "x" } }),
            json!({ "error": { "type": "insufficient_quota", "code": null } }),
            json!([{ "error": { "code": "Billing_Not_Active" } }]),
            json!({ "type": "error", "error": { "type": "billing_error", "message": "x" } }),
        ];
        for body in &lasting {
            assert_eq!(cause(429, body), Cause::NoCredit, "{body}");
            let minute = Some(Duration::from_secs(60));
            let failure = Failure::from(Complaint::read(429, body.to_string().as_bytes(), minute));
            assert_eq!((failure.cause, failure.retry_after), (Cause::Busy, minute), "who names a time means to answer");
        }
    }

    #[test]
    fn what_a_list_of_faults_repeats_of_the_request_is_not_read() {
        let body = json!({ "detail": [
            { "loc": ["body", "top_k"], "msg": "extra", "input": "context length, temperature" },
        ] });
        let complaint = Complaint::read(422, body.to_string().as_bytes(), None);
        assert!(complaint.mentions(&["top_k"]) && !complaint.mentions(&["temperature"]));
        assert_eq!(complaint.cause(), Cause::Refused(422));
    }

    #[test]
    fn every_cause_has_one_error() {
        use kernel::model::ModelError;
        assert_eq!(Cause::Unreachable(OutboundError::Tls).error(None), ModelError::Unavailable { retry_after: None });
        assert_eq!(Cause::NoCredit.error(None), ModelError::Misconfigured);
        assert_eq!(Failure::from(OutboundError::Timeout).error(), ModelError::TimedOut);
        assert_eq!(Failure::from(OutboundError::TooLarge).error(), ModelError::Unreadable);
    }
}
