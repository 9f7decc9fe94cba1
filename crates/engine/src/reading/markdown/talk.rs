//! Conversations and lines that were broken on purpose.

use super::super::blocks::Turn;
use super::super::pointer::Pointer;
use super::inline;

/// Lines shorter than this (in characters) were broken on purpose, not to fit a page.
const DELIBERATE_LINE: usize = 50;
/// Longest name in front of a colon that can be a speaker, in characters.
const MAX_SPEAKER: usize = 24;

/// Lines such as "Anna: Hello!", at least two of them by at least two speakers.
pub(crate) fn conversation(lines: &[&str], pointer: &Pointer) -> Option<Vec<Turn>> {
    if lines.len() < 2 || !lines.iter().all(|line| speaker_end(line).is_some()) {
        return None;
    }
    let mut turns = Vec::with_capacity(lines.len());
    for line in lines {
        let (speaker, said) = split_speaker(line)?;
        turns.push(Turn { pointer: pointer.clone(), speaker, line: said, notes: Vec::new() });
    }
    let mut speakers: Vec<&str> = turns.iter().map(|turn| turn.speaker.as_str()).collect();
    speakers.sort_unstable();
    speakers.dedup();
    let talk = turns.len() >= 3 && speakers.len() < turns.len();
    (speakers.len() >= 2 && speakers.len() <= 8 && talk).then_some(turns)
}

fn speaker_end(line: &str) -> Option<usize> {
    line.char_indices().take(MAX_SPEAKER).find(|(_, character)| matches!(character, ':' | '：')).map(|(at, _)| at)
}

fn split_speaker(line: &str) -> Option<(String, String)> {
    let at = speaker_end(line)?;
    let mark = line[at..].chars().next()?;
    let speaker = inline(&line[..at]).text.trim_matches('*').to_owned();
    let said = inline(line[at + mark.len_utf8()..].trim_start_matches('*')).text;
    let named = speaker.chars().any(char::is_alphabetic) && speaker.split(' ').count() <= 3;
    (named && !said.is_empty() && !said.starts_with("//")).then_some((speaker, said))
}

/// Whether the lines of a paragraph were broken on purpose.
pub(super) fn broken_on_purpose(lines: &[&str]) -> bool {
    lines.len() > 1
        && lines[..lines.len() - 1].iter().all(|line| {
            let ends = line.ends_with(['.', '!', '?', ':', ';', '。', '！', '？', '؟', '।']);
            ends || (line.chars().count() < DELIBERATE_LINE && lines.len() > 2)
        })
}
