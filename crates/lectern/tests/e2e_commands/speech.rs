//! Videos that a speech server speaks: what the doctor says of it, and a video by the program's own sandbox.

use std::os::unix::fs::symlink;

use content::videos::renderings::Resolution;
use content::videos::renderings::renderer::{RenderInput, RenderInputScene, Renderer as _};
use kernel::ambient::Ambient;
use lectern::rendering::{RenderingOptions, VideoRenderer};
use models::{Pacing, SpeechSettings, SpeechVoices};
use serde_json::Value;
use tempfile::TempDir;
use testkit::model::{FakeModel, Line, Manners};
use testkit::sound::{streamed_wav, tone};

use super::place::{Place, stderr, text};

fn spoken() -> Line {
    Line::raw(200, "audio/wav", streamed_wav(24_000, &tone(24_000, 300))).torn_into(4_096)
}

/// A folder with ffmpeg and without espeak-ng.
fn ffmpeg_alone() -> TempDir {
    let folder = TempDir::new().unwrap();
    symlink("/usr/bin/ffmpeg", folder.path().join("ffmpeg")).unwrap();
    folder
}

/// Verdicts and messages of the doctor's check.
fn told(findings: &[u8], check: &str) -> Vec<(String, String)> {
    let all: Value = serde_json::from_slice(findings).unwrap();
    let of_check = all.as_array().unwrap().iter().filter(|one| one["check"] == check);
    of_check.map(|one| (text(&one["verdict"]).to_owned(), text(&one["message"]).to_owned())).collect()
}

#[test]
fn the_doctor_has_every_voice_speak_and_does_not_miss_espeak() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let manners = Manners { key: Some("hunter2".to_owned()), voices: vec!["heart".to_owned()], ..Manners::default() };
    let model = runtime.block_on(FakeModel::saying_with(manners, [spoken()]));
    let programs = ffmpeg_alone();
    let place = |key: &str| {
        Place::new()
            .with("LECTERN_RENDER_PATH", programs.path().to_str().unwrap())
            .with("LECTERN_SPEECH_PROVIDER", "openai")
            .with("LECTERN_SPEECH_BASE_URL", &model.url())
            .with("LECTERN_SPEECH_API_KEY", key)
            .with("LECTERN_SPEECH_MODEL", "kokoro")
            .with("LECTERN_SPEECH_VOICE", "heart")
            .with("LECTERN_SPEECH_VOICES", "ja=alpha")
    };
    let output = place("hunter2").run(&["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let (said, programs_said) = (told(&output.stdout, "speech server"), told(&output.stdout, "video rendering"));
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].0 == "fine" && said[0].1.contains("kokoro, heart: ") && said[0].1.contains("speaks"), "{said:?}");
    assert!(said[1].0 == "wrong" && said[1].1.contains("kokoro, alpha: "), "{said:?}");
    assert!(said[1].1.contains("LECTERN_SPEECH_VOICES"), "{said:?}");
    assert!(programs_said[0].1.starts_with("ffmpeg is there"), "{programs_said:?}");
    assert!(!programs_said[0].1.contains("espeak"), "{programs_said:?}");
    let output = place("hunter3").run(&["doctor", "--json"]);
    let said = told(&output.stdout, "speech server");
    assert!(said.len() == 1 && said[0].0 == "wrong" && said[0].1.contains("refuses the key"), "{said:?}");
    for output in [&output, &place("hunter2").run(&["config"])] {
        let said = format!("{}{}", stderr(output), String::from_utf8_lossy(&output.stdout));
        assert!(!said.contains("hunter"), "{said}");
    }

    let without = Place::new().with("LECTERN_RENDER_PATH", programs.path().to_str().unwrap());
    let output = without.run(&["doctor", "--json"]);
    assert_eq!(told(&output.stdout, "speech server"), []);
    let said = told(&output.stdout, "video rendering");
    assert!(said[0].0 == "warning" && said[0].1.contains("no espeak-ng"), "{said:?}");
}

#[tokio::test]
async fn a_video_is_rendered_without_espeak_and_a_server_that_refuses_fails_it() {
    let programs = ffmpeg_alone();
    let renderer = |url: &str| {
        let speech = SpeechSettings {
            base_url: url.parse().unwrap(),
            api_key: None,
            model: "kokoro".to_owned(),
            voices: SpeechVoices::new("heart", [("ja".to_owned(), "alpha".to_owned())]),
            timeout: std::time::Duration::from_secs(30),
            retries: 0,
            concurrency: 1,
            extra_ca_pem: None,
            pacing: Pacing::default(),
        };
        let options = RenderingOptions {
            program: env!("CARGO_BIN_EXE_lectern").into(),
            search_path: programs.path().into(),
            at_once: 1,
            folder: "/nowhere".into(),
            speech: Some(speech),
        };
        VideoRenderer::open(options, &Ambient::system()).unwrap()
    };
    let scene =
        |script: &str| RenderInputScene { script: script.to_owned(), display_text: "植物".to_owned(), seconds: 1.0 };
    let input = RenderInput {
        title: "植物".to_owned(),
        language: "ja".to_owned(),
        aspect_ratio: "16:9".to_owned(),
        resolution: Resolution::Hd,
        burns_captions: false,
        scenes: vec![scene("植物は緑です。"), scene("水が必要です。")],
    };
    let (model, folder) = (FakeModel::saying([spoken()]).await, TempDir::new().unwrap());
    let server = renderer(&model.url());
    for index in 0..2 {
        server.render_scene(&input, index, folder.path()).await.unwrap();
    }
    let video = server.assemble(&input, folder.path()).await.unwrap();
    assert!(video.file.exists() && video.captions.contains("水が必要です。"), "{}", video.captions);
    let heard: Vec<_> = model.asked().iter().map(|asked| asked.body["voice"].clone()).collect();
    assert_eq!(heard, ["alpha", "alpha"]);

    let refusing = FakeModel::saying([Line::error(401, "x")]).await;
    let failure = renderer(&refusing.url()).render_scene(&input, 0, folder.path()).await.unwrap_err();
    assert_eq!((failure.code, failure.is_passing), ("voice_failed", false));
    assert!(failure.message.contains("refuses the key"), "{failure}");
}
