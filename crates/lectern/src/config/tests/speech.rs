//! Who speaks in videos.

use kernel::secret::ExposeSecret as _;
use models::{SpeechSettings, SpeechVoices};

use super::*;

const LOCAL: [(&str, &str); 4] = [
    ("LECTERN_SPEECH_PROVIDER", "openai"),
    ("LECTERN_SPEECH_BASE_URL", "http://127.0.0.1:8880/v1"),
    ("LECTERN_SPEECH_MODEL", "kokoro"),
    ("LECTERN_SPEECH_VOICE", "af_heart"),
];

fn with(more: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    LOCAL.iter().chain(more).copied().collect()
}

fn settings(variables: &[(&str, &str)]) -> SpeechSettings {
    let config = read("", variables).map_err(|faults| format!("{faults:?}")).unwrap();
    config.speech.settings(Some(b"pem")).expect("a server speaks")
}

#[test]
fn espeak_speaks_unless_a_server_is_named() {
    for variables in [&[][..], &[("LECTERN_SPEECH_PROVIDER", "espeak-ng")]] {
        assert!(read("", variables).unwrap().speech.settings(None).is_none());
    }
    let unused = read("", &[("LECTERN_SPEECH_VOICE", "nova"), ("LECTERN_SPEECH_TIMEOUT", "5s")]).unwrap();
    let named: Vec<_> = unused.without_effect().iter().map(|setting| setting.name.as_str()).collect();
    assert_eq!(named, ["LECTERN_SPEECH_VOICE", "LECTERN_SPEECH_TIMEOUT"]);
}

#[test]
fn the_providers_own_server_needs_a_key_and_nothing_else() {
    let openai = settings(&[("LECTERN_SPEECH_PROVIDER", "openai"), ("LECTERN_SPEECH_API_KEY", "sk-1")]);
    assert_eq!(openai.base().as_str(), "https://api.openai.com/v1");
    assert_eq!((openai.model.as_str(), openai.voices.of("en")), ("gpt-4o-mini-tts", "alloy"));
    assert_eq!((openai.timeout.as_secs(), openai.retries, openai.concurrency), (60, 2, 4));
    assert_eq!(openai.api_key.unwrap().expose_secret(), "sk-1");
    assert_eq!(openai.extra_ca_pem.as_deref(), Some(b"pem".as_slice()));
    assert_eq!(places(read("", &[("LECTERN_SPEECH_PROVIDER", "openai")])), ["LECTERN_SPEECH_PROVIDER"]);
}

#[test]
fn another_server_needs_the_names_of_a_model_and_a_voice_and_no_key() {
    let local = settings(&LOCAL);
    assert_eq!((local.model.as_str(), local.voices.of("en"), local.api_key.is_none()), ("kokoro", "af_heart", true));
    for count in [2, 3] {
        assert_eq!(places(read("", &LOCAL[..count])), ["LECTERN_SPEECH_BASE_URL"]);
    }
}

#[test]
fn a_language_may_have_a_voice_of_its_own() {
    let expected =
        SpeechVoices::new("af_heart", [("ja", "jf_alpha"), ("pt-BR", "a=b")].map(|(a, b)| (a.into(), b.into())));
    assert_eq!(settings(&with(&[("LECTERN_SPEECH_VOICES", "ja=jf_alpha, pt-BR = a=b")])).voices, expected);
    let toml = "[speech]\nvoices = ['ja=jf_alpha', 'pt-BR=a=b']\napi_key = 'hunter2'";
    let config = read(toml, &LOCAL).unwrap();
    assert_eq!(config.speech.settings(None).unwrap().voices, expected);
    let printed = format!("{}{}{:?}", config.to_toml(), config.to_json(), config.speech);
    assert!(printed.contains("voices = [\"ja=jf_alpha\", \"pt-BR=a=b\"]") && !printed.contains("hunter2"), "{printed}");
}

#[test]
fn what_is_odd_about_speech_stops_the_start_by_name() {
    let long = "x".repeat(201);
    let many = (0..101).map(|at| format!("en-x-{at}=v")).collect::<Vec<_>>().join(",");
    for (name, value) in [
        ("LECTERN_SPEECH_PROVIDER", "google"),
        ("LECTERN_SPEECH_BASE_URL", "tts:8880"),
        ("LECTERN_SPEECH_BASE_URL", "http://user:hunter2@tts"),
        ("LECTERN_SPEECH_API_KEY", "two words"),
        ("LECTERN_SPEECH_MODEL", &long),
        ("LECTERN_SPEECH_VOICE", "a\nb"),
        ("LECTERN_SPEECH_VOICES", "jf_alpha"),
        ("LECTERN_SPEECH_VOICES", "ja="),
        ("LECTERN_SPEECH_VOICES", "=v"),
        ("LECTERN_SPEECH_VOICES", "japanese=v"),
        ("LECTERN_SPEECH_VOICES", "ja=v,"),
        ("LECTERN_SPEECH_VOICES", "ja=v,JA=w"),
        ("LECTERN_SPEECH_VOICES", &many),
        ("LECTERN_SPEECH_TIMEOUT", "0s"),
        ("LECTERN_SPEECH_TIMEOUT", "60"),
        ("LECTERN_SPEECH_CONCURRENCY", "0"),
        ("LECTERN_SPEECH_CONCURRENCY", "65"),
        ("LECTERN_SPEECH_SPEED", "2"),
    ] {
        let variables: Vec<_> = LOCAL.into_iter().chain([(name, value)]).collect();
        let faults = read("", &variables).err().unwrap_or_else(|| panic!("{name}={value} is refused"));
        assert!(faults.iter().all(|(place, _)| place == name), "{name}={value}: {faults:?}");
        assert!(!format!("{faults:?}").contains("hunter2"));
    }
}
