//! A small real call to a speech server, for `lectern doctor`.

use std::time::Duration;

use kernel::ambient::Ambient;
use tokio::time::Instant;

use super::error::SpeechError;
use super::server::SpeechServer;
use super::settings::SpeechSettings;
use crate::OpenError;

/// Numbers, because voices of every language read them.
const TEXT: &str = "1, 2, 3.";

/// What a voice did.
#[derive(Debug)]
pub struct SpeechCheck {
    /// The voice's name in the configuration.
    pub voice: String,
    /// How long it took to speak a few words, if it spoke.
    pub result: Result<Duration, SpeechError>,
}

/// Has every voice speak a few words, one after the other, and once each. Where one fails for a reason that holds
/// for all, such as a wrong key, the others are not asked.
///
/// # Errors
/// When the key or the extra certificates can't be used.
pub async fn check_speech(settings: &SpeechSettings, ambient: &Ambient) -> Result<Vec<SpeechCheck>, OpenError> {
    let server = SpeechServer::open(SpeechSettings { retries: 0, ..settings.clone() }, ambient)?;
    let mut checks = Vec::new();
    for voice in settings.voices.distinct() {
        let began = Instant::now();
        let result = server.ask(TEXT, voice).await.map(|_| began.elapsed());
        let is_same_for_all = result.as_ref().is_err_and(SpeechError::is_same_for_all_voices);
        checks.push(SpeechCheck { voice: voice.to_owned(), result });
        if is_same_for_all {
            break;
        }
    }
    Ok(checks)
}
