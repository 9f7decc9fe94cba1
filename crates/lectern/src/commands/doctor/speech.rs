//! The check of the speech server: a few words by each voice, and what its outcome means.

use std::time::Duration;

use kernel::ambient::Ambient;
use models::{SpeechCause, SpeechCheck, SpeechError, SpeechSettings, check_speech};
use render::WavError;

use super::Finding;
use super::checks::plain;
use super::models::{Asked, unencrypted_host, wrong};
use crate::assembly;
use crate::config::Config;

const CHECK: &str = "speech server";
/// For a few words. A sentence may have some hundred.
const SLOW: Duration = Duration::from_secs(10);

/// Of every voice that is configured; nothing where espeak-ng speaks.
pub(super) async fn check(config: &Config, ambient: &Ambient) -> Vec<Finding> {
    let Some(settings) = assembly::speech_settings(config) else { return Vec::new() };
    let mut findings = Vec::new();
    if let Some(host) = unencrypted_host(&settings.base_url).filter(|_| settings.api_key.is_some()) {
        let message = format!("the key and every script go to {host} unencrypted: use https");
        findings.push(Finding::warning(CHECK, message));
    }
    match check_speech(&settings, ambient).await {
        Err(error) => findings.push(Finding::wrong(CHECK, plain(&error))),
        Ok(checks) => findings.extend(checks.iter().map(|check| finding(check, &settings))),
    }
    findings
}

fn finding(check: &SpeechCheck, settings: &SpeechSettings) -> Finding {
    let whose = format!("{}, {}", settings.model, check.voice);
    match &check.result {
        Ok(latency) => {
            let seconds = latency.as_secs_f64();
            let message = format!("{whose}: {} speaks, in {seconds:.1} s", settings.base_url);
            if *latency <= SLOW {
                return Finding::fine(CHECK, message);
            }
            Finding::warning(CHECK, format!("{message}: long sentences may take longer than LECTERN_SPEECH_TIMEOUT"))
        }
        Err(error) => Finding::wrong(CHECK, format!("{whose}: {}", why(error, settings))),
    }
}

/// What is wrong, and what to do about it. It holds nothing that the server said.
fn why(error: &SpeechError, settings: &SpeechSettings) -> String {
    let address = &settings.base_url;
    match error.cause {
        SpeechCause::NoAnswer(cause) => {
            let asked = Asked {
                address,
                timeout: settings.timeout,
                timeout_variable: "LECTERN_SPEECH_TIMEOUT",
                known_models: &[],
            };
            wrong(cause, error.retry_after, &asked)
        }
        SpeechCause::NoSuchVoice => {
            format!(
                "{address} does not know a voice of this name: correct LECTERN_SPEECH_VOICE or LECTERN_SPEECH_VOICES"
            )
        }
        SpeechCause::NotSpeech(WavError::NotWav) => {
            format!(
                "{address} answers with something else than a WAV file: it may not be a speech server, or not know this \
                 format"
            )
        }
        SpeechCause::NotSpeech(error) => format!("{address} answers with sound that can't be used: {error}"),
        SpeechCause::Silent => format!("{address} answers with silence: take another voice"),
        SpeechCause::Endless => format!("{address} does not come to an end with a few words"),
    }
}
