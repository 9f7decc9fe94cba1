//! The words on the screen: a formula, a term with its meaning, a few names, never a sentence that is cut off.

use language::normal::{mentions, normal, shorten};
use language::script::{is_unspaced, word_count};

use crate::builtin::lesson::Lesson;
use crate::builtin::speech::{Voice, formulas, plain};
use crate::reading::flat::labelled;
use crate::reading::names::capitalise;

use super::{Line, Screen};

/// Most words and characters that the gate lets stand on a screen.
const MOST: (usize, usize) = (12, 79);
/// Most words and characters that are aimed at.
const GOOD: (usize, usize) = (8, 60);
/// Most characters of a phrase in a script without spaces.
const GOOD_UNSPACED: usize = 20;
/// Parts names on the screen.
const BETWEEN: &str = " · ";

/// The words for a scene, by what is said in it.
pub(super) fn of_scene(lines: &[Line], lesson: &Lesson, voice: &Voice) -> String {
    let screens = || lines.iter().map(|line| &line.screen);
    let formula = screens().find_map(|screen| match screen {
        Screen::Formula(formula) if fits(formula, MOST) => Some(formula.clone()),
        _ => None,
    });
    let definition = || {
        screens().find_map(|screen| match screen {
            Screen::Definition(term, meaning) => defined(term, meaning, voice),
            _ => None,
        })
    };
    let list = || {
        lines.iter().find_map(|line| match &line.screen {
            Screen::List(names) => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                listed(&names)
                    .or_else(|| line.heading.clone().filter(|heading| fits(heading, GOOD) && heading.contains(' ')))
            }
            _ => None,
        })
    };
    formula.or_else(definition).or_else(list).unwrap_or_else(|| in_words(lines, lesson))
}

/// Terms that the narrator speaks of, else the heading that the words stand under.
fn in_words(lines: &[Line], lesson: &Lesson) -> String {
    let said = normal(&lines.iter().map(|line| line.said.as_str()).collect::<Vec<_>>().join(" "));
    let mut terms: Vec<&str> = Vec::new();
    for term in &lesson.terms {
        let name = normal(&term.text);
        let overlaps = terms.iter().any(|taken| mentions(&normal(taken), &name) || mentions(&name, &normal(taken)));
        if terms.len() < 3 && !overlaps && term.text.chars().count() <= 24 && mentions(&said, &name) {
            terms.push(&term.text);
        }
    }
    let heading = lines.iter().find_map(|line| line.heading.as_deref()).unwrap_or(&lesson.short);
    let heading = if fits(heading, GOOD) { heading } else { &lesson.short };
    let told = capitalise(&terms.join(BETWEEN));
    match terms[..] {
        [] => heading.to_owned(),
        [only] if !mentions(&normal(heading), &normal(only)) && word_count(heading) <= 5 => labelled(heading, &told),
        [_] if word_count(heading) >= 3 => heading.to_owned(),
        _ => told,
    }
}

/// "Osmosis: the movement of water through a membrane", where the meaning is short or has a short beginning.
fn defined(term: &str, meaning: &str, voice: &Voice) -> Option<String> {
    let room = GOOD.0.saturating_sub(word_count(term).max(1));
    let meaning = meaning.trim().trim_end_matches(['.', '。', '।', '!']);
    let short = if meaning.starts_with(is_unspaced) {
        let first = meaning.split(['，', '；', '、', '。', '（']).next().unwrap_or_default();
        Some(first).filter(|first| (2..=GOOD_UNSPACED).contains(&first.chars().count()))
    } else {
        phrase(meaning, room, voice)
    }?;
    Some(labelled(&capitalise(term), short)).filter(|shown| fits(shown, (GOOD.0 + 1, MOST.1)))
}

/// A text of few words whole; else its beginning up to a pause or a clause that says more, where that is enough.
fn phrase<'t>(text: &'t str, most: usize, voice: &Voice) -> Option<&'t str> {
    if word_count(text) <= most {
        return Some(text);
    }
    let mut end = None;
    let mut words = 0;
    let mut before = 0;
    for (at, _) in text.match_indices(char::is_whitespace).chain([(text.len(), "")]) {
        let word = text[before..at].trim();
        if words >= 3 && (voice.speech().is_relative(word) || word.starts_with(['(', '–', '—'])) {
            end = Some(before);
        }
        words += usize::from(word.chars().any(char::is_alphanumeric));
        if words > most {
            break;
        }
        if words >= 3 && word.ends_with([',', ';', ':', '،']) {
            end = Some(at);
        }
        before = at;
    }
    let mut short = text[..end?].trim_end().trim_end_matches([',', ';', ':', '،']);
    // "the process by" ends in a word that needs another.
    while let Some((rest, _)) = short.rsplit_once(char::is_whitespace).filter(|(_, last)| voice.is_little(last)) {
        short = rest.trim_end();
    }
    (word_count(short) >= 3).then_some(short)
}

/// Names side by side, where at least two fit.
pub(super) fn listed<S: AsRef<str>>(names: &[S]) -> Option<String> {
    let mut shown = String::new();
    let mut count = 0;
    for name in names.iter().map(|name| name.as_ref().trim_end_matches(['.', '。', '।'])) {
        let longer = if shown.is_empty() { capitalise(name) } else { format!("{shown}{BETWEEN}{name}") };
        if word_count(name) > 4 || name.chars().count() > 24 || !fits(&longer, GOOD) {
            break;
        }
        shown = longer;
        count += 1;
    }
    (count >= 2).then_some(shown)
}

/// Words as far as they are words: what stands between marks is not counted.
fn fits(text: &str, most: (usize, usize)) -> bool {
    text.split_whitespace().count() <= most.0 + text.matches(BETWEEN).count() && text.chars().count() <= most.1
}

/// A text for the screen without markup and LaTeX, within what the gate allows.
pub(super) fn fitted(text: &str, otherwise: &str) -> String {
    let clean = cleaned(text);
    let clean = if clean.chars().any(char::is_alphanumeric) { clean } else { cleaned(otherwise) };
    let shown = if clean.is_empty() { text.trim().to_owned() } else { clean };
    if shown.split_whitespace().count() <= MOST.0 && shown.chars().count() <= MOST.1 {
        return shown;
    }
    shorten(&shown, MOST.0, MOST.1)
}

fn cleaned(text: &str) -> String {
    let mut clean = text.to_owned();
    if clean.contains(['$', '\\']) {
        for formula in formulas(text) {
            let shown = plain(formula).unwrap_or_default();
            for (open, close) in [("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("", "")] {
                let written = format!("{open}{formula}{close}");
                if clean.contains(&written) {
                    clean = clean.replace(&written, &shown);
                    break;
                }
            }
        }
    }
    let kept: String = clean.chars().filter(|character| !matches!(character, '<' | '>' | '\\')).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}
