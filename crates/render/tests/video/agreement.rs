//! Sound and captions agree: measured in the sound of the finished file.

use super::{board, output, scene, video};

/// The rate at which the sound is measured.
const RATE: usize = 16_000;
/// A window in which loudness is measured, in samples: 5 ms.
const WINDOW: usize = RATE / 200;

/// The loudness of each window.
fn loudness(samples: &[i16]) -> Vec<f64> {
    let mean = |window: &[i16]| window.iter().map(|sample| f64::from(*sample).abs()).sum::<f64>() / 80.0;
    samples.chunks(WINDOW).map(mean).collect()
}

/// Where sound begins and ends, in milliseconds. Silence of 200 ms parts sounds.
fn sounds(loudness: &[f64]) -> Vec<(u64, u64)> {
    let mut sounds: Vec<(u64, u64)> = Vec::new();
    for at in loudness.iter().enumerate().filter(|(_, loudness)| **loudness > 60.0).map(|(at, _)| at as u64 * 5) {
        match sounds.last_mut() {
            Some((_, end)) if at - *end < 200 => *end = at + 5,
            _ => sounds.push((at, at + 5)),
        }
    }
    sounds
}

#[tokio::test]
async fn every_sentence_is_heard_while_its_caption_is_seen() {
    for (language, scripts) in [
        ("en", ["Plants are green. They need light! Do they need water?", "", "Yes, they do."]),
        ("de", ["Pflanzen sind grün. Sie brauchen Licht.", "Auch Wasser.", "Viel Luft."]),
        ("hi", ["पौधे हरे हैं। वे भोजन बनाते हैं।", "", "सूर्य गरम है।"]),
        ("zh", ["植物是绿色的。它们需要光。", "还有水。", "还有空气。"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let scenes = scripts.iter().map(|script| scene(script, "A card", 1.0)).collect();
        let made = video(&board(language, scenes), folder.path()).await;
        let pcm =
            output("ffmpeg", &["-v", "error", "-i"], &made.mp4, &["-f", "s16le", "-ac", "1", "-ar", "16000", "-"]);
        let samples: Vec<i16> = pcm.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        let loudness = loudness(&samples);
        let heard = sounds(&loudness);
        for cue in &made.cues {
            let inside: Vec<_> =
                heard.iter().filter(|(start, end)| *start < cue.end_ms && *end > cue.start_ms).collect();
            let (first, last) = (inside.first().unwrap(), inside.last().unwrap());
            let (onset, offset) = (first.0.abs_diff(cue.start_ms), last.1.abs_diff(cue.end_ms));
            assert!(onset <= 100 && offset <= 100, "{language} {cue:?}: {onset} ms and {offset} ms beside {heard:?}");
        }
        let outside =
            heard.iter().find(|(start, end)| !made.cues.iter().any(|cue| *start < cue.end_ms && *end > cue.start_ms));
        assert_eq!(outside, None, "all that is heard has a caption");
    }
}
