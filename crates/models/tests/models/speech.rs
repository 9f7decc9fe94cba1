//! A speech server as a voice: what it is asked, what becomes of its answers, and a scene that it speaks.

use std::path::Path;
use std::time::{Duration, Instant};

use models::{Cause, SpeechCause, SpeechError, SpeechServer, SpeechSettings, SpeechVoices, check_speech};
use net::OutboundError;
use render::{
    Launcher, Programs, RenderError, Resolution, Scene, Speech, Storyboard, Voice as _, WavError, render_scene,
};
use serde_json::json;
use testkit::model::{FakeModel, Line, Manners};
use testkit::sound::{streamed_wav, tone, wav};

use crate::stage::{TIMEOUT, ambient, provider, settings as model_settings};

const RATE: u32 = 24_000;

fn spoken() -> Line {
    Line::raw(200, "audio/wav", wav(RATE, &tone(RATE, 200)))
}

/// Without retries; waits between tries are short.
fn settings(url: &str) -> SpeechSettings {
    SpeechSettings {
        base_url: url.parse().unwrap(),
        api_key: None,
        model: "tts-1".to_owned(),
        voices: SpeechVoices::new("alloy", [("ja".to_owned(), "sakura".to_owned())]),
        timeout: TIMEOUT,
        retries: 0,
        concurrency: 4,
        extra_ca_pem: None,
        pacing: model_settings(provider("x", models::Protocol::Chat, url)).pacing,
    }
}

fn open(settings: SpeechSettings) -> SpeechServer {
    SpeechServer::open(settings, &ambient()).unwrap()
}

fn patient(retries: u32, server: &FakeModel) -> SpeechServer {
    open(SpeechSettings { retries, ..settings(&server.url()) })
}

async fn speak(server: &SpeechServer) -> Result<Speech, SpeechError> {
    match server.speak("Plants are green.", "en", Path::new("/nowhere")).await {
        Ok(speech) => Ok(speech),
        Err(RenderError::Voice { source, .. }) => Err(*source.downcast().unwrap()),
        Err(other) => panic!("{other}"),
    }
}

/// What becomes of one answer.
async fn cause(line: Line) -> SpeechCause {
    let server = FakeModel::saying([line]).await;
    speak(&open(settings(&server.url()))).await.unwrap_err().cause
}

#[tokio::test]
async fn a_sentence_is_sent_with_the_voice_of_its_language_and_the_key() {
    let model = FakeModel::saying([spoken()]).await;
    let server = open(SpeechSettings { api_key: Some("sk-one".into()), ..settings(&model.url()) });
    let speech = server.speak("5 < 7 & \"so\" on.", "en-GB", Path::new("/nowhere")).await.unwrap();
    assert_eq!((speech.sample_rate, speech.samples), (RATE, tone(RATE, 200)));
    server.speak("植物。", "ja-JP", Path::new("/nowhere")).await.unwrap();
    let asked = model.asked();
    let body =
        |voice: &str, text: &str| json!({ "model": "tts-1", "voice": voice, "input": text, "response_format": "wav" });
    assert_eq!(asked[0].body, body("alloy", "5 < 7 & \"so\" on."));
    assert_eq!(asked[1].body, body("sakura", "植物。"));
    assert_eq!(asked[0].header("authorization"), Some("Bearer sk-one"));
    assert_eq!(asked[0].header("content-type"), Some("application/json"));
    speak(&patient(0, &model)).await.unwrap();
    assert_eq!(model.asked()[2].header("authorization"), None);
}

#[tokio::test]
async fn the_name_tells_apart_whatever_changes_how_it_sounds() {
    let base = settings("http://127.0.0.1:1");
    let name = |settings: &SpeechSettings, language: &str| open(settings.clone()).name(language);
    let usual = name(&base, "en");
    assert_eq!(usual, "openai at http://127.0.0.1:1/v1, model tts-1, voice alloy");
    assert_eq!(name(&settings("http://127.0.0.1:1/v1/"), "en"), usual, "it is the same address");
    let timing = SpeechSettings { timeout: Duration::from_secs(1), api_key: Some("sk-one".into()), ..base.clone() };
    assert_eq!(name(&timing, "fr"), usual);
    let others = [
        settings("http://127.0.0.1:2"),
        SpeechSettings { model: "tts-2".to_owned(), ..base.clone() },
        SpeechSettings { voices: SpeechVoices::new("nova", []), ..base.clone() },
        SpeechSettings { voices: SpeechVoices::new("alloy", [("en".to_owned(), "nova".to_owned())]), ..base.clone() },
    ];
    for other in &others {
        assert_ne!(name(other, "en"), usual, "{other:?}");
    }
    assert_ne!(name(&base, "ja"), usual);
}

#[tokio::test]
async fn sound_is_read_whatever_the_answer_says_of_its_type_and_length() {
    let samples = tone(44_100, 100);
    let streamed = streamed_wav(44_100, &samples);
    for line in [
        Line::raw(200, "audio/wav", streamed.clone()).torn_into(1_000),
        Line::raw(200, "application/octet-stream", streamed),
        Line::raw(200, "application/json", wav(44_100, &samples)),
    ] {
        let server = FakeModel::saying([line]).await;
        let speech = speak(&open(settings(&server.url()))).await.unwrap();
        assert_eq!((speech.sample_rate, &speech.samples), (44_100, &samples));
    }
}

#[tokio::test]
async fn each_failure_has_its_cause() {
    let whole = wav(RATE, &tone(RATE, 200));
    let cut = whole[..whole.len() - 2].to_vec();
    let two_files = [whole.clone(), whole.clone()].concat();
    let no_answer = |cause| SpeechCause::NoAnswer(cause);
    let sound = |body: Vec<u8>| Line::raw(200, "audio/wav", body);
    let cases = [
        (Line::error(401, "Incorrect API key provided"), no_answer(Cause::KeyRefused)),
        (Line::error(402, "x"), no_answer(Cause::NoCredit)),
        (Line::error_of(429, "insufficient_quota", "x"), no_answer(Cause::NoCredit)),
        (Line::error(429, "x"), no_answer(Cause::Busy)),
        (Line::error(404, "The model `x` does not exist"), no_answer(Cause::NoSuchModel)),
        (Line::error(404, "Not Found"), no_answer(Cause::WrongAddress)),
        (Line::error(400, "Invalid voice 'alloy'"), SpeechCause::NoSuchVoice),
        (Line::error(400, "x"), no_answer(Cause::Refused(400))),
        (Line::error(503, "x"), no_answer(Cause::ServerError(503))),
        (Line::error(413, "x"), no_answer(Cause::TooLong)),
        (Line::raw(200, "audio/wav", r#"{"error": "out of memory"}"#), no_answer(Cause::ServerError(200))),
        (Line::raw(200, "application/json", r#"{"data": "UklGRg=="}"#), SpeechCause::NotSpeech(WavError::NotWav)),
        (Line::raw(200, "text/html", "<html>welcome"), SpeechCause::NotSpeech(WavError::NotWav)),
        (sound([b"ID3\x04".as_slice(), &[0; 500]].concat()), SpeechCause::NotSpeech(WavError::NotWav)),
        (sound(two_files), SpeechCause::NotSpeech(WavError::Inconsistent)),
        (sound(wav(4_000, &tone(RATE, 200))), SpeechCause::NotSpeech(WavError::UnsupportedFormat)),
        (sound(Vec::new()), no_answer(Cause::Truncated)),
        (sound(cut), no_answer(Cause::Truncated)),
        (sound(whole.clone()).torn_into(1_000).closed_after(3), no_answer(Cause::Unreachable(OutboundError::Protocol))),
        (sound(whole.clone()).torn_into(1_000).cut_after(3), no_answer(Cause::Truncated)),
        (sound(wav(RATE, &[])), SpeechCause::Silent),
        (sound(wav(RATE, &[0; 5_000])), SpeechCause::Silent),
        (sound(wav(8_000, &tone(8_000, 302_000))), SpeechCause::Endless),
        (Line::endless(), SpeechCause::Endless),
        (Line::noise(), no_answer(Cause::Unreachable(OutboundError::Protocol))),
    ];
    for (line, expected) in cases {
        let shown = format!("{line:.100?}");
        assert_eq!(cause(line).await, expected, "{shown}");
    }
    let nobody = open(settings("http://127.0.0.1:9"));
    let refused = speak(&nobody).await.unwrap_err().cause;
    assert_eq!(refused, no_answer(Cause::Unreachable(OutboundError::Connect)));
}

#[tokio::test]
async fn a_try_ends_in_time_whether_nothing_comes_or_no_more() {
    let whole = wav(RATE, &tone(RATE, 200));
    for line in [Line::silence(), Line::raw(200, "audio/wav", whole).torn_into(1_000).stalled_after(2)] {
        let server = FakeModel::saying([line]).await;
        let timeout = Duration::from_millis(100);
        let server = open(SpeechSettings { timeout, ..settings(&server.url()) });
        let ended = tokio::time::timeout(TIMEOUT, speak(&server)).await.expect("it ends long before");
        assert_eq!(ended.unwrap_err().cause, SpeechCause::NoAnswer(Cause::TimedOut));
    }
}

#[tokio::test]
async fn what_passes_is_tried_again_as_often_as_it_may_be() {
    let whole = wav(RATE, &tone(RATE, 200));
    for passing in [
        Line::error(503, "x"),
        Line::error(429, "x"),
        Line::raw(200, "audio/wav", Vec::new()),
        Line::raw(200, "audio/wav", whole).torn_into(1_000).reset_after(2),
    ] {
        let model = FakeModel::saying([passing.clone(), passing.clone(), spoken()]).await;
        speak(&patient(2, &model)).await.unwrap();
        assert_eq!(model.times(), 3);
        let model = FakeModel::saying([passing.clone(), passing, spoken()]).await;
        speak(&patient(1, &model)).await.unwrap_err();
        assert_eq!(model.times(), 2);
    }
}

#[tokio::test]
async fn what_lasts_is_asked_once() {
    for lasting in [
        Line::error(400, "x"),
        Line::error(400, "no such voice"),
        Line::error(401, "x"),
        Line::error(404, "x"),
        Line::error_of(429, "insufficient_quota", "x"),
        Line::raw(200, "text/html", "<html>"),
        Line::raw(200, "audio/wav", wav(RATE, &[])),
    ] {
        let model = FakeModel::saying([lasting.clone(), spoken()]).await;
        assert!(!speak(&patient(5, &model)).await.unwrap_err().cause.is_passing(), "{lasting:?}");
        assert_eq!(model.times(), 1, "{lasting:?}");
    }
}

#[tokio::test]
async fn a_server_is_not_asked_before_the_time_that_it_named() {
    let busy = |wait: &str| Line::error(429, "x").with_header("retry-after", wait);
    let model = FakeModel::saying([busy("0.05"), spoken()]).await;
    let began = Instant::now();
    speak(&patient(1, &model)).await.unwrap();
    assert!(began.elapsed() >= Duration::from_millis(50));

    let model = FakeModel::saying([busy("3600"), spoken()]).await;
    let error = speak(&patient(5, &model)).await.unwrap_err();
    let hour = Some(Duration::from_secs(3600));
    assert_eq!(error, SpeechError { cause: SpeechCause::NoAnswer(Cause::Busy), retry_after: hour });
    assert_eq!(model.times(), 1, "that is longer than the call may last");
}

#[tokio::test]
async fn a_server_that_is_down_is_left_alone() {
    let model = FakeModel::saying([Line::error(500, "x")]).await;
    let server = patient(0, &model);
    for _ in 0..5 {
        assert_eq!(speak(&server).await.unwrap_err().cause, SpeechCause::NoAnswer(Cause::ServerError(500)));
    }
    let error = speak(&server).await.unwrap_err();
    assert_eq!(error.cause, SpeechCause::NoAnswer(Cause::Resting));
    assert!(error.retry_after.is_some() && model.times() == 5);
}

#[tokio::test]
async fn no_more_calls_are_made_at_once_than_are_allowed() {
    let model = FakeModel::start(|_| spoken().after(Duration::from_millis(20))).await;
    let server = open(SpeechSettings { concurrency: 2, ..settings(&model.url()) });
    let calls = (0..6).map(|_| speak(&server));
    assert!(futures_util::future::join_all(calls).await.iter().all(Result::is_ok));
    assert!(model.most_in_flight() <= 2 && model.times() == 6, "{} at once", model.most_in_flight());
}

#[tokio::test]
async fn errors_hold_neither_key_nor_text_nor_the_words_of_the_server() {
    let parrot = "sk-secret: Plants are green.";
    for line in [Line::error(401, parrot), Line::error(500, parrot), Line::raw(200, "text/html", parrot)] {
        let model = FakeModel::saying([line]).await;
        let server = open(SpeechSettings { api_key: Some("sk-secret".into()), ..settings(&model.url()) });
        let error = server.speak("Plants are green.", "en", Path::new("/nowhere")).await.unwrap_err();
        let source = std::error::Error::source(&error).unwrap();
        let shown = format!("{error} {error:?} {source}");
        assert!(!shown.contains("secret") && !shown.contains("green"), "{shown}");
    }
    let settings = SpeechSettings { api_key: Some("sk-secret\n".into()), ..settings("http://127.0.0.1:9") };
    assert!(!format!("{settings:?}").contains("secret"));
    assert!(!SpeechServer::open(settings, &ambient()).err().unwrap().to_string().contains("secret"));
}

#[tokio::test]
async fn the_check_has_every_voice_speak_and_ends_where_nothing_can() {
    let manners =
        || Manners { key: Some("sk-right".to_owned()), voices: vec!["alloy".to_owned()], ..Manners::default() };
    let model = FakeModel::saying_with(manners(), [spoken()]).await;
    let with_key = |key: &str| SpeechSettings { api_key: Some(key.into()), retries: 3, ..settings(&model.url()) };
    let checks = check_speech(&with_key("sk-right"), &ambient()).await.unwrap();
    assert!(checks[0].voice == "alloy" && checks[0].result.is_ok());
    assert_eq!(checks[1].voice, "sakura");
    assert_eq!(checks[1].result.as_ref().unwrap_err().cause, SpeechCause::NoSuchVoice);
    let checks = check_speech(&with_key("sk-wrong"), &ambient()).await.unwrap();
    assert_eq!(checks.len(), 1);
    assert_eq!(checks[0].result.as_ref().unwrap_err().cause, SpeechCause::NoAnswer(Cause::KeyRefused));
    assert_eq!(model.times(), 3);
}

#[tokio::test]
async fn a_scene_is_spoken_once_by_each_voice_and_espeak_is_not_needed() {
    let bin = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/usr/bin/ffmpeg", bin.path().join("ffmpeg")).unwrap();
    let programs = Programs::find_encoder(bin.path().as_os_str(), Launcher::direct()).unwrap();
    let (model, folder) = (FakeModel::saying([spoken()]).await, tempfile::tempdir().unwrap());
    let (script, display_text) = ("Plants are green. Why?".to_owned(), "Plants".to_owned());
    let board = Storyboard {
        title: "Plants".to_owned(),
        language: "en".to_owned(),
        aspect_ratio: (16, 9),
        resolution: Resolution::Hd,
        burns_captions: false,
        scenes: vec![Scene { script, display_text, seconds: 1.0, title: None }],
    };
    let render = |settings: SpeechSettings| {
        let (programs, board, folder) = (&programs, &board, folder.path());
        async move { render_scene(programs, &open(settings), board, 0, folder).await }
    };
    let first = render(settings(&model.url())).await.unwrap();
    let texts: Vec<_> = model.asked().iter().map(|asked| asked.body["input"].clone()).collect();
    assert_eq!(texts, ["Plants are green.", "Why?"]);
    // The silence around both sentences, and a fifth of a second for each.
    assert!((1_000..3_000).contains(&first.duration_ms()), "{}", first.duration_ms());
    assert_eq!(render(settings(&model.url())).await.unwrap(), first);
    assert_eq!(model.times(), 2, "nothing is spoken again");

    let nova = SpeechSettings { voices: SpeechVoices::new("nova", []), ..settings(&model.url()) };
    assert_ne!(render(nova).await.unwrap().fingerprint, first.fingerprint);
    assert_eq!(model.times(), 4, "another voice speaks all of it");

    let deaf = FakeModel::saying([Line::error(401, "x")]).await;
    let failed = render(settings(&deaf.url())).await.unwrap_err();
    assert!(matches!(failed, RenderError::Voice { .. }), "{failed}");
    let has_video = std::fs::exists(folder.path().join("scene-0001.mp4")).unwrap();
    assert!(!has_video, "a scene without its speech is none");
}
