//! Storyboards that nobody means well with.

use render::{Espeak, RenderError, render_scene};

use super::{board, programs, scene, video};

#[tokio::test]
async fn strange_texts_are_rendered() {
    let folder = tempfile::tempdir().unwrap();
    let storm = format!("e{}", "\u{301}".repeat(1_000));
    let mut story = board(
        "en",
        vec![
            scene(
                "\u{0}Hello\u{0} [[h@l'oU]] <speak>world</speak> -w /tmp/x $(id) \u{202E}olleh\u{2066}",
                "\u{0}\u{202E}\u{2067}a\u{0}",
                0.0,
            ),
            scene("… !!! 😀", &storm, 0.0),
            scene("😀 \u{E000}", "😀 \u{E000}\u{FFFF}", 0.0),
            scene("", r"$\frac{\sqrt{\undefined}{$ \begin{", 0.0),
        ],
    );
    story.aspect_ratio = (1, 100);
    story.title = "\u{0}'; file /etc/passwd\n[CHAPTER]\u{2028}".to_owned();
    let made = video(&story, folder.path()).await;
    assert_eq!((made.width, made.height, made.chapters.len()), (720, 1440, 4));
    assert!(made.cues.iter().all(|cue| !cue.text.contains(['\u{0}', '\u{202E}'])));
}

#[tokio::test]
async fn what_is_too_large_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let voice = Espeak::new(programs());
    let render = async |story| render_scene(&programs(), &voice, &story, 0, folder.path()).await.unwrap_err();
    assert!(matches!(render(board("en", Vec::new())).await, RenderError::NoScenes));
    let long = board("en", vec![scene(&"word ".repeat(200_000), "a", 1.0)]);
    assert!(matches!(render(long).await, RenderError::TooLarge { actual: 1_000_000, .. }));
    for seconds in [f64::NAN, -1.0, 1e9] {
        assert!(matches!(render(board("en", vec![scene("", "a", seconds)])).await, RenderError::Seconds { .. }));
    }
    let story = board("en", vec![scene("", "a", 1.0)]);
    let none = render_scene(&programs(), &voice, &story, 1, folder.path()).await;
    assert!(matches!(none, Err(RenderError::NoSuchScene { index: 1, scenes: 1 })));
    let nowhere = render_scene(&programs(), &voice, &story, 0, &folder.path().join("none")).await;
    assert!(matches!(nowhere, Err(RenderError::Io { .. })));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}
