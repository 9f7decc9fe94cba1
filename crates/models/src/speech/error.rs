//! Why a sentence was not spoken, in classes: what a reviewer and an operator are told, and what is tried again.

use std::time::Duration;

use net::OutboundError;
use render::WavError;

use crate::complaint::Complaint;
use crate::failure::{Cause, Failure};

/// A sentence that was not spoken. It holds nothing that the server said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the speech server gave no speech: {}", cause.class())]
pub struct SpeechError {
    /// Why.
    pub cause: SpeechCause,
    /// When the server says that it is worth trying again.
    pub retry_after: Option<Duration>,
}

/// Why a sentence was not spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpeechCause {
    /// There is no answer, or a refusal, for a reason that language models have too.
    NoAnswer(Cause),
    /// The server has no voice of this name.
    NoSuchVoice,
    /// The answer is something else than a WAV file that can be read.
    NotSpeech(WavError),
    /// The sound is silence.
    Silent,
    /// The answer is longer than [`render::limits::MOST_SPEECH_SECONDS`], or has no end.
    Endless,
}

impl SpeechCause {
    /// Whether asking again later may help.
    #[must_use]
    pub const fn is_passing(self) -> bool {
        match self {
            Self::NoAnswer(cause) => cause.error(None).is_passing(),
            Self::NoSuchVoice | Self::NotSpeech(_) | Self::Silent | Self::Endless => false,
        }
    }

    /// One word for log lines and metrics.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            Self::NoAnswer(cause) => cause.class(),
            Self::NoSuchVoice => "no_such_voice",
            Self::NotSpeech(_) => "not_speech",
            Self::Silent => "silent",
            Self::Endless => "endless",
        }
    }
}

impl SpeechError {
    /// Whether it counts as the server being down.
    pub(super) fn is_outage(&self) -> bool {
        matches!(self.cause, SpeechCause::NoAnswer(cause) if Failure::from(cause).is_outage())
    }

    /// Whether another voice of the server would fail alike.
    pub(super) fn is_same_for_all_voices(&self) -> bool {
        let SpeechCause::NoAnswer(cause) = self.cause else { return false };
        matches!(
            cause,
            Cause::Unreachable(_)
                | Cause::TimedOut
                | Cause::Busy
                | Cause::Resting
                | Cause::KeyRefused
                | Cause::NoCredit
                | Cause::NoSuchModel
                | Cause::WrongAddress
        )
    }
}

impl From<SpeechCause> for SpeechError {
    fn from(cause: SpeechCause) -> Self {
        Self { cause, retry_after: None }
    }
}

impl From<Cause> for SpeechError {
    fn from(cause: Cause) -> Self {
        SpeechCause::NoAnswer(cause).into()
    }
}

impl From<OutboundError> for SpeechError {
    fn from(error: OutboundError) -> Self {
        match error {
            OutboundError::TooLarge => SpeechCause::Endless.into(),
            other => Failure::from(other).cause.into(),
        }
    }
}

impl From<WavError> for SpeechError {
    fn from(error: WavError) -> Self {
        match error {
            WavError::Truncated => Cause::Truncated.into(),
            other => SpeechCause::NotSpeech(other).into(),
        }
    }
}

impl From<Complaint> for SpeechError {
    fn from(complaint: Complaint) -> Self {
        let is_of_the_voice = complaint.has_word("voice");
        let Failure { cause, retry_after, .. } = complaint.into();
        // Servers look at the voice last, and some refuse with status 200.
        let cause = match cause {
            Cause::Refused(_) | Cause::WrongAddress | Cause::ServerError(200) if is_of_the_voice => {
                SpeechCause::NoSuchVoice
            }
            cause => SpeechCause::NoAnswer(cause),
        };
        Self { cause, retry_after }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn cause(status: u16, body: &Value) -> SpeechCause {
        SpeechError::from(Complaint::read(status, body.to_string().as_bytes(), None)).cause
    }

    #[test]
    fn the_refusals_of_real_servers_are_told_apart() {
        let detail =
            |error: &str, message: &str| json!({ "detail": { "error": error, "message": message, "type": "x" } });
        let openai = |message: &str| json!({ "error": { "message": message, "type": "invalid_request_error" } });
        let voice = detail("validation_error", "Voice 'x' not found. Available voices: af_alloy, af_heart");
        let literal = json!({ "error": { "message": "Input should be 'alloy' or 'ash'", "param": "voice" } });
        let loc = json!({ "detail": [{ "loc": ["body", "voice"], "msg": "Field required", "input": {} }] });
        for (status, body) in [
            (400, voice.clone()),
            (400, openai("Invalid voice 'x'. Supported: none")),
            (400, literal),
            (422, loc),
            (404, json!({ "error": "no such voice" })),
            (200, openai("Invalid voice 'x'. Supported: none")),
        ] {
            assert_eq!(cause(status, &body), SpeechCause::NoSuchVoice, "{status} {body}");
        }
        for (status, body, expected) in [
            (400, detail("invalid_model", "Unsupported model: x"), Cause::NoSuchModel),
            (404, openai("Invalid URL (POST /v1/audio/speech)"), Cause::WrongAddress),
            (400, openai("Invalid response_format: 'wav'"), Cause::Refused(400)),
            (400, openai("Please pay your open invoice"), Cause::Refused(400)),
            (401, openai("Incorrect API key; it has no right to this voice"), Cause::KeyRefused),
            (429, openai("Too many requests for this voice"), Cause::Busy),
            (500, voice, Cause::ServerError(500)),
        ] {
            assert_eq!(cause(status, &body), SpeechCause::NoAnswer(expected), "{status} {body}");
        }
    }

    #[test]
    fn what_may_pass_is_told_from_what_lasts() {
        for passing in [
            Cause::Busy,
            Cause::Resting,
            Cause::ServerError(503),
            Cause::TimedOut,
            Cause::Truncated,
            Cause::Unreachable(OutboundError::Connect),
        ] {
            let error = SpeechError::from(passing);
            assert!(error.cause.is_passing(), "{passing:?}");
            assert_eq!(error.is_outage(), !matches!(passing, Cause::Busy | Cause::Resting), "{passing:?}");
        }
        let of_wav = |error: WavError| SpeechError::from(error).cause;
        for lasting in [
            SpeechCause::NoAnswer(Cause::KeyRefused),
            SpeechCause::NoAnswer(Cause::NoCredit),
            SpeechCause::NoAnswer(Cause::Refused(400)),
            SpeechCause::NoAnswer(Cause::WrongAddress),
            SpeechCause::NoSuchVoice,
            of_wav(WavError::NotWav),
            of_wav(WavError::UnsupportedFormat),
            SpeechCause::Silent,
            SpeechError::from(OutboundError::TooLarge).cause,
        ] {
            assert!(!lasting.is_passing() && !SpeechError::from(lasting).is_outage(), "{lasting:?}");
        }
        assert_eq!(of_wav(WavError::Truncated), SpeechCause::NoAnswer(Cause::Truncated));
    }
}
