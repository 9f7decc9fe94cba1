//! Sentences as captions of two lines.

use language::pace;
use language::script::is_unspaced;
use unicode_normalization::char::is_combining_mark;

use crate::limits::SAMPLE_RATE;
use crate::sound::Sentence;
use crate::text::pieces;

/// Columns of a line. A character of Chinese, Japanese or Korean takes two.
const COLUMNS: usize = 42;
/// Lines of a caption.
const LINES: usize = 2;

/// A caption with its time from the begin of the video.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Cue {
    /// When it appears, in milliseconds.
    pub start_ms: u64,
    /// When it goes, in milliseconds.
    pub end_ms: u64,
    /// One or two lines.
    pub text: String,
}

/// The captions of sentences whose scene begins at this sample.
pub(crate) fn cues(sentences: &[Sentence], language: &str, scene_start: u64) -> Vec<Cue> {
    sentences.iter().flat_map(|sentence| of_sentence(sentence, language, scene_start)).collect()
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a part of a sentence"
)]
fn of_sentence(sentence: &Sentence, language: &str, scene_start: u64) -> Vec<Cue> {
    let texts: Vec<String> = lines(&sentence.text).chunks(LINES).map(|lines| lines.join("\n")).collect();
    let weights: Vec<f64> = texts.iter().map(|text| pace::seconds(language, text).max(0.05)).collect();
    let sum: f64 = weights.iter().sum();
    let length = (sentence.end - sentence.start) as f64;
    let mut before = 0.0;
    let mut place = |weight: f64| {
        let start = sentence.start + (length * before / sum).round() as u64;
        before += weight;
        (start, sentence.start + (length * before / sum).round() as u64)
    };
    let times = weights.iter().map(|weight| place(*weight)).collect::<Vec<_>>();
    let cue = |(text, (start, end))| Cue { start_ms: ms(scene_start + start), end_ms: ms(scene_start + end), text };
    texts.into_iter().zip(times).map(cue).collect()
}

/// The time of a sample.
pub(crate) const fn ms(samples: u64) -> u64 {
    (samples * 1000 + SAMPLE_RATE as u64 / 2) / SAMPLE_RATE as u64
}

/// A sentence in lines of even length, as few as it needs.
fn lines(text: &str) -> Vec<String> {
    let pieces: Vec<&str> = pieces(text).into_iter().flat_map(short).collect();
    let wanted = wrapped(&pieces, COLUMNS).len();
    // All captions but the last have all their lines.
    let most = wanted.next_multiple_of(LINES).max(if wanted == 1 { 1 } else { LINES });
    let most = if wanted == 1 { 1 } else { most };
    let narrow = (COLUMNS / 3..=COLUMNS).find(|columns| {
        let lines = wrapped(&pieces, *columns);
        lines.len() <= most && lines.iter().all(|line| columns_of(line) <= COLUMNS)
    });
    wrapped(&pieces, narrow.unwrap_or(COLUMNS))
}

fn wrapped(pieces: &[&str], columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if columns_of(line) + columns_of(piece.trim_end()) <= columns => line.push_str(piece),
            _ => lines.push((*piece).to_owned()),
        }
    }
    lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
    lines
}

/// A piece that is longer than a line, in parts.
fn short(piece: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = piece;
    while columns_of(rest.trim_end()) > COLUMNS {
        let mut used = 0;
        let end = rest.char_indices().find(|(_, character)| {
            used += columns_of_character(*character);
            used > COLUMNS
        });
        let (part, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

fn columns_of(text: &str) -> usize {
    text.chars().map(columns_of_character).sum()
}

fn columns_of_character(character: char) -> usize {
    match character {
        mark if is_combining_mark(mark) => 0,
        '\u{0E00}'..='\u{0EFF}' => 1,
        '\u{1100}'..='\u{11FF}' | '\u{AC00}'..='\u{D7A3}' => 2,
        wide if is_unspaced(wide) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sentence(text: &str, start: u64, end: u64) -> Sentence {
        Sentence { text: text.to_owned(), start, end }
    }

    #[test]
    fn a_short_sentence_is_one_cue_with_the_times_of_its_sound() {
        let cues = cues(&[sentence("Plants are green.", 14_400, 62_400)], "en", 480_000);
        assert_eq!(cues, [Cue { start_ms: 10_300, end_ms: 11_300, text: "Plants are green.".into() }]);
    }

    #[test]
    fn long_sentences_are_cut_into_even_cues() {
        let text = "Plants take up water through their roots and carbon dioxide through tiny openings in their leaves, \
                    and with the energy of sunlight they make sugar and oxygen of both.";
        let cues = cues(&[sentence(text, 0, 480_000)], "en", 0);
        assert!(cues.len() == 3, "{cues:#?}");
        assert!(cues.windows(2).all(|pair| pair[0].end_ms == pair[1].start_ms));
        assert_eq!((cues[0].start_ms, cues[2].end_ms), (0, 10_000));
        assert!((2_500..4_500).contains(&cues[0].end_ms), "{cues:#?}");
        assert!(
            cues.iter().flat_map(|cue| cue.text.lines()).all(|line| (20..=COLUMNS).contains(&line.chars().count())),
            "{cues:#?}"
        );
    }

    #[test]
    fn chinese_lines_have_half_as_many_characters() {
        let text = "植物通过光合作用利用阳光的能量把二氧化碳和水转化为糖和氧气，这个过程对地球上的生命非常重要。";
        for cue in cues(&[sentence(text, 0, 480_000)], "zh", 0) {
            assert!(
                cue.text.lines().count() <= 2 && cue.text.lines().all(|line| line.chars().count() <= 21),
                "{cue:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn no_word_is_lost_and_no_line_too_long(text in "\\PC{1,300}") {
            let text = crate::text::clean(&text);
            let cues = cues(&[sentence(&text, 0, 100_000)], "en", 0);
            let joined: String = cues.iter().map(|cue| cue.text.as_str()).collect();
            let bare = |text: &str| text.chars().filter(|character| !character.is_whitespace()).collect::<String>();
            prop_assert_eq!(bare(&joined), bare(&text));
            for cue in &cues {
                prop_assert!(cue.text.lines().count() <= LINES && cue.text.lines().all(|line| columns_of(line) <= COLUMNS));
            }
        }
    }
}
