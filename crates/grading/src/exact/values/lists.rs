//! The parts of a list.

use super::{outside_brackets, tidy};
use crate::exact::expressions::Notation;

/// The parts of a list: between semicolons and lines, else between commas and connectors.
pub(super) fn split_list(text: &str, notation: Notation) -> Vec<&str> {
    let (mut strong, mut weak) = (Vec::new(), Vec::new());
    let mut word_from = None;
    let mut words = Vec::new();
    outside_brackets(text, notation, |at, character| {
        match character {
            ';' | '\n' => strong.push((at, at + 1)),
            ',' => weak.push((at, at + 1)),
            _ => {}
        }
        if character.is_alphabetic() {
            let (start, end) = *word_from.get_or_insert((at, at));
            word_from = Some((if end == at || start == at { start } else { at }, at + character.len_utf8()));
        }
        if let Some((start, end)) = word_from
            && (end == text.len() || !character.is_alphabetic() || !text[end..].starts_with(char::is_alphabetic))
        {
            words.push((start, end));
            word_from = None;
        }
    });
    for (start, end) in words {
        let word = &text[start..end];
        let is_spaced = text[..start].ends_with(' ') && text[end..].starts_with(' ');
        let beside = |one: Option<char>| {
            one.is_some_and(|one| one.is_ascii_digit() || matches!(one, ')' | '(' | '}' | '{' | '-'))
        };
        let behind = text[end..].trim_start();
        // `x = 4 y x = -4`: a name with a sign behind it.
        let mut next = behind.chars().take(8);
        let is_relation = next.next().is_some_and(char::is_alphabetic)
            && next.find(|one| *one != ' ').is_some_and(|sign| matches!(sign, '=' | '<' | '>'));
        let between =
            beside(text[..start].trim_end().chars().next_back()) && (is_relation || beside(behind.chars().next()));
        let lower = word.to_lowercase();
        // `1orx=2`: the reader of a picture lost the spaces.
        let glued = ["or", "and"].into_iter().find(|one| {
            notation.words.tag == "en"
                && text[..start].ends_with(|one: char| one.is_ascii_digit())
                && word.starts_with(one)
        });
        let connects = notation.words.is_conjunction(&lower) || notation.words.is_alternative(&lower);
        // A single letter may be a name in a formula: it connects with spaces around it and no sign beside.
        if connects
            && (word.chars().count() > 1 && !matches!(lower.as_str(), "en" | "of" | "та") || is_spaced && between)
        {
            weak.push((start, end));
        } else if let Some(glued) = glued {
            weak.push((start, start + glued.len()));
        }
    }
    weak.sort_unstable();
    let cuts = if strong.is_empty() { weak } else { strong };
    let mut parts = Vec::with_capacity(cuts.len() + 1);
    let mut from = 0;
    for (start, end) in cuts {
        parts.push(&text[from..start]);
        from = end;
    }
    parts.push(&text[from..]);
    parts.retain(|part| !tidy(part).is_empty());
    if parts.is_empty() { vec![text] } else { parts }
}
