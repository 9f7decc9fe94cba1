//! Captions as a WebVTT file.

use super::Cue;

/// The file. Text of captions can't end a cue or begin a tag.
pub(crate) fn webvtt(cues: &[Cue]) -> String {
    let mut file = "WEBVTT\n".to_owned();
    for (at, cue) in cues.iter().enumerate() {
        let (start, end) = (time(cue.start_ms), time(cue.end_ms.max(cue.start_ms + 1)));
        file.push_str(&format!("\n{}\n{start} --> {end}\n{}\n", at + 1, escaped(&cue.text)));
    }
    file
}

fn time(ms: u64) -> String {
    format!("{:02}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
}

/// An empty line would end the cue.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_captions_is_escaped() {
        let cues = [
            Cue { start_ms: 300, end_ms: 3_723_004, text: "a <b> & c -->\n\nd".into() },
            Cue { start_ms: 5, end_ms: 5, text: "e".into() },
        ];
        assert_eq!(
            webvtt(&cues),
            "WEBVTT\n\n1\n00:00:00.300 --> 01:02:03.004\na &lt;b&gt; &amp; c --&gt;\nd\n\n2\n00:00:00.005 --> 00:00:00.006\ne\n"
        );
        assert_eq!(webvtt(&[]), "WEBVTT\n");
    }
}
