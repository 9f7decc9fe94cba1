//! One exchange with a speech server: a sentence goes out, and whole sound comes in.

use std::time::Duration;

use kernel::time::Timestamp;
use net::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use net::{Incoming, OperatorClient};
use render::limits::MOST_SPEECH_SECONDS;
use render::{Speech, WavError};
use serde_json::{Value, json};

use super::error::{SpeechCause, SpeechError};
use crate::complaint::Complaint;
use crate::exchange::refusal;
use crate::failure::Cause;

/// The longest speech as stereo at 48 kHz, and its head.
const MOST_ANSWER_BYTES: usize = MOST_SPEECH_SECONDS * 48_000 * 2 * 2 + 64 * 1024;

/// What is asked of whom.
pub(super) struct Exchange<'a> {
    pub(super) client: &'a OperatorClient,
    pub(super) model: &'a str,
    pub(super) voice: &'a str,
    pub(super) text: &'a str,
    /// From the first byte sent to the last one received.
    pub(super) within: Duration,
    /// For dates that a server names.
    pub(super) now: Timestamp,
}

impl Exchange<'_> {
    /// Asks once.
    ///
    /// # Errors
    /// When there is no whole and audible speech.
    pub(super) async fn run(&self) -> Result<Speech, SpeechError> {
        let body = json!({ "model": self.model, "voice": self.voice, "input": self.text, "response_format": "wav" });
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        let body = body.to_string().into_bytes();
        let mut incoming = self.client.post("audio/speech", headers, body, self.within, MOST_ANSWER_BYTES).await?;
        if !incoming.status().is_success() {
            return Err(refusal(&mut incoming, self.within, self.now).await.into());
        }
        speech(&self.body(&mut incoming).await?)
    }

    async fn body(&self, incoming: &mut Incoming) -> Result<Vec<u8>, SpeechError> {
        let mut body = Vec::new();
        while let Some(piece) = incoming.chunk(self.within).await? {
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }
}

/// The speech of a body that came with success, whatever type it says that it has.
fn speech(body: &[u8]) -> Result<Speech, SpeechError> {
    if body.is_empty() {
        return Err(Cause::Truncated.into());
    }
    let speech = Speech::from_wav(body).map_err(|error| match error {
        WavError::NotWav if is_complaint(body) => SpeechError::from(Complaint::read(200, body, None)),
        other => other.into(),
    })?;
    let seconds = speech.samples.len() / usize::try_from(speech.sample_rate).unwrap_or(usize::MAX).max(1);
    if seconds > MOST_SPEECH_SECONDS {
        Err(SpeechCause::Endless.into())
    } else if speech.is_silent() {
        Err(SpeechCause::Silent.into())
    } else {
        Ok(speech)
    }
}

/// Whether a body is JSON that says what is wrong.
fn is_complaint(body: &[u8]) -> bool {
    let value: Option<Value> = serde_json::from_slice(body).ok();
    value.is_some_and(|value| value.get("error").is_some() || value.get("detail").is_some())
}
