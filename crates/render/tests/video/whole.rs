//! What is in the file.

use serde_json::Value;

use super::{board, output, scene, video};
use render::Resolution;

fn probe(path: &std::path::Path) -> Value {
    let arguments = ["-v", "error", "-show_streams", "-show_format", "-show_chapters", "-of", "json"];
    serde_json::from_slice(&output("ffprobe", &arguments, path, &[])).expect("ffprobe writes JSON")
}

fn number(value: &Value) -> f64 {
    value.as_str().and_then(|text| text.parse().ok()).expect("a number")
}

#[tokio::test]
async fn a_video_is_h264_and_aac_with_chapters_and_metadata() {
    let folder = tempfile::tempdir().unwrap();
    let scenes = vec![
        scene("Plants are green.", "Green; plants = life", 2.0),
        scene("They need light. They need water.", "Light\nWater", 1.0),
        scene("", "37 %", 1.5),
    ];
    let made = video(&board("en", scenes), folder.path()).await;
    let about = probe(&made.mp4);
    let stream =
        |kind: &str| about["streams"].as_array().unwrap().iter().find(|stream| stream["codec_type"] == kind).unwrap();
    let (picture, sound) = (stream("video"), stream("audio"));
    assert_eq!((&picture["codec_name"], &picture["pix_fmt"]), (&"h264".into(), &"yuv420p".into()));
    assert_eq!((&picture["width"], &picture["height"]), (&1280.into(), &720.into()));
    assert_eq!((&picture["avg_frame_rate"], &picture["color_space"]), (&"25/1".into(), &"bt709".into()));
    assert_eq!((&sound["codec_name"], &sound["sample_rate"]), (&"aac".into(), &"48000".into()));
    assert_eq!(
        (&sound["tags"]["language"], &about["format"]["tags"]["title"]),
        (&"eng".into(), &"Green plants".into())
    );
    let expected = f64::from(u32::try_from(made.duration_ms).unwrap()) / 1000.0;
    for length in [&about["format"]["duration"], &picture["duration"], &sound["duration"]] {
        assert!((number(length) - expected).abs() < 0.1, "{length} is not {expected}");
    }
    let frames = output(
        "ffprobe",
        &[
            "-v",
            "error",
            "-count_frames",
            "-select_streams",
            "v",
            "-show_entries",
            "stream=nb_read_frames",
            "-of",
            "csv=p=0",
        ],
        &made.mp4,
        &[],
    );
    let frames: u64 = String::from_utf8(frames).unwrap().trim().trim_end_matches(',').parse().unwrap();
    assert_eq!(frames, made.duration_ms / 40, "each picture is there");
    let titles: Vec<&str> = about["chapters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|chapter| chapter["tags"]["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles, ["Green; plants = life", "Light · Water", "37 %"]);
    for (chapter, ours) in about["chapters"].as_array().unwrap().iter().zip(&made.chapters) {
        assert!(
            (number(&chapter["start_time"]) * 1000.0 - f64::from(u32::try_from(ours.start_ms).unwrap())).abs() < 1.0
        );
    }
    assert_eq!(made.chapters[2].end_ms, made.duration_ms);
    let bytes = std::fs::read(&made.mp4).unwrap();
    let place = |name: &[u8]| bytes.windows(4).position(|window| window == name).unwrap();
    assert!(place(b"moov") < place(b"mdat"), "the video starts before it is loaded");
    assert_eq!(&std::fs::read(&made.poster).unwrap()[1..4], b"PNG");
    assert!(made.webvtt.starts_with("WEBVTT\n\n1\n00:00:00.300 --> ") && made.cues.len() == 3);
    assert!(made.transcript.contains("2. Light · Water\n\nThey need light. They need water.\n"));
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left.len(), 3 * 3 + 2, "no temporary files stay: {left:?}");
}

#[tokio::test]
async fn portrait_videos_with_burned_captions_are_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    let mut story = board("ar", vec![scene("النباتات خضراء.", "النباتات", 1.0)]);
    (story.aspect_ratio, story.resolution, story.burns_captions) = ((9, 16), Resolution::FullHd, true);
    let made = video(&story, folder.path()).await;
    let about = probe(&made.mp4);
    let picture = &about["streams"][0];
    assert_eq!((&picture["width"], &picture["height"]), (&1080.into(), &1920.into()));
    assert_eq!((made.width, made.height), (1080, 1920));
    assert_eq!(about["streams"][1]["tags"]["language"], "ara");
}
