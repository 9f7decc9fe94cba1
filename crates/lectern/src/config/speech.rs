//! `[speech]`: who speaks the scripts of videos. `docs/videos.md` has settings for the usual servers.

use std::collections::BTreeSet;

use models::{OPENAI_URL, Pacing, SpeechSettings, SpeechVoices};

use super::model::{key, server, timeout};
use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

const SECTION: &str = "speech";
/// Further tries after the first one.
const RETRIES: u32 = 2;
const MOST_AT_ONCE: usize = 64;
const MOST_LANGUAGES: usize = 100;
const LONGEST_NAME: usize = 200;
/// OpenAI's own, as of late 2026.
const OPENAI_MODEL: &str = "gpt-4o-mini-tts";
const OPENAI_VOICE: &str = "alloy";

static PROVIDER: Setting = Setting::new(SECTION, "provider", "LECTERN_SPEECH_PROVIDER").or("espeak-ng");
static BASE_URL: Setting =
    Setting::new(SECTION, "base_url", "LECTERN_SPEECH_BASE_URL").or_else("the provider's own server");
static API_KEY: Setting = Setting::new(SECTION, "api_key", "LECTERN_SPEECH_API_KEY")
    .shaped(Shape::Secret)
    .or_else("none, as local servers want it");
static MODEL: Setting =
    Setting::new(SECTION, "model", "LECTERN_SPEECH_MODEL").or_else("gpt-4o-mini-tts; of another server it is needed");
static VOICE: Setting =
    Setting::new(SECTION, "voice", "LECTERN_SPEECH_VOICE").or_else("alloy; of another server it is needed");
static VOICES: Setting = Setting::new(SECTION, "voices", "LECTERN_SPEECH_VOICES").or("none").shaped(Shape::List);
static TIMEOUT: Setting = Setting::new(SECTION, "timeout", "LECTERN_SPEECH_TIMEOUT").or("60s");
static CONCURRENCY: Setting =
    Setting::new(SECTION, "concurrency", "LECTERN_SPEECH_CONCURRENCY").or("4").shaped(Shape::Bare);

/// `[speech]`
#[derive(Clone, Debug)]
pub struct Speech {
    settings: Option<SpeechSettings>,
}

impl Speech {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let is_server = reader.required(&PROVIDER, |text| match text {
            "espeak-ng" => Ok(false),
            "openai" => Ok(true),
            _ => Err("must be espeak-ng or openai (any server that speaks its protocol)".to_owned()),
        });
        let base_url = reader.optional(&BASE_URL, |text| server(text, &API_KEY));
        let api_key = reader.optional(&API_KEY, key);
        let model = reader.optional(&MODEL, name);
        let voice = reader.optional(&VOICE, name);
        let voices = reader.required(&VOICES, voices);
        let timeout = reader.required(&TIMEOUT, timeout);
        let concurrency = reader.required(&CONCURRENCY, parse::count(1, MOST_AT_ONCE));
        let (base_url, api_key, model, voice) = (base_url?, api_key?, model?, voice?);
        let (is_server, voices, timeout, concurrency) = (is_server?, voices?, timeout?, concurrency?);
        if !is_server {
            for setting in [&BASE_URL, &API_KEY, &MODEL, &VOICE, &VOICES, &TIMEOUT, &CONCURRENCY] {
                reader.note_unused(setting, "no speech server is asked without LECTERN_SPEECH_PROVIDER");
            }
            return Some(Self { settings: None });
        }
        let (base_url, model, voice) = match base_url {
            None if api_key.is_none() => {
                let wrong = "needs LECTERN_SPEECH_API_KEY too, or another server as LECTERN_SPEECH_BASE_URL";
                return reader.refuse(&PROVIDER, wrong);
            }
            None => {
                let own = |given: Option<String>, usual: &str| given.unwrap_or_else(|| usual.to_owned());
                (OPENAI_URL.parse().expect("an address"), own(model, OPENAI_MODEL), own(voice, OPENAI_VOICE))
            }
            Some(base_url) => {
                let (Some(model), Some(voice)) = (model, voice) else {
                    let wrong = "needs LECTERN_SPEECH_MODEL and LECTERN_SPEECH_VOICE too, as this server names them";
                    return reader.refuse(&BASE_URL, wrong);
                };
                (base_url, model, voice)
            }
        };
        let voices = SpeechVoices::new(voice, voices);
        let (retries, extra_ca_pem, pacing) = (RETRIES, None, Pacing::default());
        let settings =
            SpeechSettings { base_url, api_key, model, voices, timeout, retries, concurrency, extra_ca_pem, pacing };
        Some(Self { settings: Some(settings) })
    }

    /// Which server speaks; `None` for espeak-ng. `extra_ca_pem` is trusted besides the system's certificates.
    pub fn settings(&self, extra_ca_pem: Option<&[u8]>) -> Option<SpeechSettings> {
        let settings = self.settings.clone()?;
        Some(SpeechSettings { extra_ca_pem: extra_ca_pem.map(<[u8]>::to_vec), ..settings })
    }
}

/// A server's name for a model or a voice.
fn name(text: &str) -> Result<String, String> {
    let is_name = (1..=LONGEST_NAME).contains(&text.len()) && !text.contains(char::is_control);
    if is_name { Ok(text.to_owned()) } else { Err(format!("must be a name of 1 to {LONGEST_NAME} bytes")) }
}

/// `language=voice`
fn voices(text: &str) -> Result<Vec<(String, String)>, String> {
    let voice = |item: &str| {
        let (language, voice) = item.split_once('=')?;
        let (language, voice) = (language.trim(), voice.trim());
        let is_language = kernel::language::is_tag(language);
        is_language.then(|| Some((language.to_owned(), name(voice).ok()?))).flatten()
    };
    let wrong = || "must be language tags with names of voices, such as ja=jf_alpha,pt-BR=pf_dora".to_owned();
    let voices = parse::list(text).map(|item| voice(item).ok_or_else(wrong)).collect::<Result<Vec<_>, _>>()?;
    let languages: BTreeSet<_> = voices.iter().map(|(language, _)| language.to_ascii_lowercase()).collect();
    if languages.len() < voices.len() {
        return Err("must name each language once".to_owned());
    }
    if voices.len() > MOST_LANGUAGES {
        return Err(format!("must have at most {MOST_LANGUAGES} languages"));
    }
    Ok(voices)
}
