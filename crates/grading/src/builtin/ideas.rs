//! A reference answer taken apart into its ideas: the statements that an answer is compared with.
//!
//! Points that stand in the text ("(0.25 P)") are what they are: they mark where an idea ends and what it
//! is worth, and are no part of what is asked for. Where a reference has them, the sentences without any explain:
//! an answer may say them and need not.

use language::sentences;
use unicode_segmentation::UnicodeSegmentation;

use super::tokens::{Reader, Word};

/// Most ideas of a reference; what follows is one more.
const MAX_IDEAS: usize = 48;
/// Fewest content words of an idea; what is less belongs to its neighbour and takes the next one in.
const MIN_CONTENT: usize = 2;
/// Fewest points in a text that part it; one alone says nothing of the rest.
const MIN_MARKS: usize = 2;
/// Longest points in brackets, in bytes.
const MAX_POINTS: usize = 26;

/// A statement of a reference.
#[derive(Clone, Debug)]
pub(super) struct Idea {
    /// As it stands there, without points.
    pub(super) text: String,
    pub(super) words: Vec<Word>,
    /// What it is worth beside the others.
    pub(super) worth: f64,
}

/// A reference's text without the points that it names, and its ideas.
pub(super) struct Reference {
    /// The words of the ideas.
    pub(super) words: Vec<Word>,
    pub(super) ideas: Vec<Idea>,
    /// The words of what is no idea: explanation beside what has points.
    pub(super) asides: Vec<Word>,
    /// Points stand in the text and say which of it are the ideas.
    pub(super) marked: bool,
}

impl Reference {
    /// Takes a reference apart.
    pub(super) fn read(text: &str, reader: &Reader) -> Self {
        let parts = parts(text);
        let marked = parts.iter().filter(|part| part.points.is_some()).count() >= MIN_MARKS;
        let mut ideas: Vec<Idea> = Vec::new();
        let mut asides = Vec::new();
        for part in &parts {
            let points = part.points.filter(|_| marked);
            let (before, own) = if points.is_some() { last_sentence(part.text, reader) } else { ("", part.text) };
            let clauses = clauses(own, reader);
            let share = points.map(|points| points / clauses.len().max(1) as f64);
            asides.extend(reader.words(before));
            for clause in clauses {
                let words = reader.words(clause);
                if marked && share.is_none() {
                    asides.extend(words);
                } else {
                    push(&mut ideas, clause, words, share);
                }
            }
        }
        let words = ideas.iter().flat_map(|idea| idea.words.iter().cloned()).collect();
        Self { words, ideas, asides, marked }
    }
}

/// A stretch that ends with points, parted before the sentence that they stand in.
fn last_sentence<'t>(text: &'t str, reader: &Reader) -> (&'t str, &'t str) {
    let last = text.lines().rfind(|line| line.contains(char::is_alphanumeric)).unwrap_or(text);
    let last = sentences::split(last, reader.profile).pop().unwrap_or(last);
    text.rfind(last).map_or(("", text), |at| text.split_at(at))
}

fn push(ideas: &mut Vec<Idea>, clause: &str, words: Vec<Word>, points: Option<f64>) {
    if words.is_empty() {
        return;
    }
    let content: f64 = words.iter().filter(|word| word.is_content()).map(|word| word.weight).sum();
    let worth = points.map_or(content.max(0.1), |points| points.max(0.0));
    // What has points of its own is an idea, be it one word.
    let fewest = if points.is_some() { 1 } else { MIN_CONTENT };
    let is_fragment = |words: &[Word]| words.iter().filter(|word| word.is_content()).count() < fewest;
    match ideas.last_mut() {
        Some(last) if is_fragment(&words) || is_fragment(&last.words) => {
            last.text.push(' ');
            last.text.push_str(clause);
            last.words.extend(words);
            last.worth += worth;
        }
        _ => ideas.push(Idea { text: clause.to_owned(), words, worth }),
    }
    if ideas.len() > MAX_IDEAS
        && let Some(last) = ideas.pop()
        && let Some(before) = ideas.last_mut()
    {
        before.words.extend(last.words);
        before.worth += last.worth;
    }
}

struct Part<'t> {
    text: &'t str,
    points: Option<f64>,
}

/// The stretches that end with points, and the rest.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(open) = rest[from..].find('(').map(|at| from + at) {
        let close = rest[open..].bytes().take(MAX_POINTS).position(|byte| byte == b')').map(|at| open + at);
        let points = close.and_then(|close| points_of(&rest[open + 1..close]));
        match (points, close) {
            (Some(points), Some(close)) => {
                parts.push(Part { text: &rest[..open], points: Some(points) });
                rest = &rest[close + 1..];
                from = 0;
            }
            _ => from = open + 1,
        }
    }
    parts.push(Part { text: rest, points: None });
    parts.retain(|part| part.text.contains(char::is_alphanumeric));
    parts
}

/// "0.25 P", "je 0,5 Punkte", "1 point", "0.25".
fn points_of(text: &str) -> Option<f64> {
    let mut value = None;
    if text.len() > MAX_POINTS {
        return None;
    }
    for word in text.split_whitespace() {
        let digits = word.trim_end_matches(char::is_alphabetic).trim_end_matches('.');
        let unit = word[digits.len()..].to_lowercase();
        let unit = unit.trim_matches('.');
        let fits = unit.is_empty() || unit.starts_with('p') || matches!(unit, "je" | "each" | "max" | "mark" | "marks");
        if !fits {
            return None;
        }
        if !digits.is_empty() {
            value = Some(digits.replace(',', ".").parse::<f64>().ok()?);
        }
    }
    let named = text.to_lowercase().contains(['p', 'm']) || text.contains(['.', ',']);
    value.filter(|value| named && value.is_finite() && (0.0..=1000.0).contains(value))
}

/// The clauses of a text: its lines, sentences, and what commas, semicolons and linking words part.
pub(super) fn clauses<'t>(text: &'t str, reader: &Reader) -> Vec<&'t str> {
    sentences(text, reader).flat_map(|sentence| clauses_of(sentence, reader)).collect()
}

/// The sentences of a text, line by line.
pub(super) fn sentences<'t>(text: &'t str, reader: &Reader) -> impl Iterator<Item = &'t str> {
    let profile = reader.profile;
    text.lines().flat_map(move |line| sentences::split(line, profile))
}

/// The clauses of a sentence.
pub(super) fn clauses_of<'t>(sentence: &'t str, reader: &Reader) -> Vec<&'t str> {
    let mut found = Vec::new();
    split_clauses(sentence, reader, &mut found);
    found
}

fn split_clauses<'t>(sentence: &'t str, reader: &Reader, found: &mut Vec<&'t str>) {
    let mut start = 0;
    for (at, mark) in sentence.char_indices() {
        if at < start || !ends_clause(sentence, at, mark, reader.tag()) {
            continue;
        }
        let piece = &sentence[start..at];
        if content_count(piece, reader) >= MIN_CONTENT && content_count(&sentence[at..], reader) >= MIN_CONTENT {
            found.push(piece.trim());
            start = at + mark.len_utf8();
        }
    }
    let rest = sentence[start..].trim();
    if rest.contains(char::is_alphanumeric) {
        found.push(rest);
    }
}

/// Counts only the first words: enough to tell a clause from an item of a list.
fn content_count(piece: &str, reader: &Reader) -> usize {
    let near = &piece[..piece.floor_char_boundary(80)];
    let tells = |word: &&str| !reader.profile.is_stop(&word.to_lowercase());
    near.unicode_words().filter(tells).take(MIN_CONTENT).count()
}

fn ends_clause(sentence: &str, at: usize, mark: char, tag: &str) -> bool {
    if matches!(mark, ';' | '；' | '，' | '、' | '،' | '؛') {
        return true;
    }
    if mark != ',' && mark != ' ' {
        return false;
    }
    let next = sentence[at + 1..].trim_start().split([' ', ',']).next().unwrap_or_default().to_lowercase();
    links(tag, &next, mark == ',')
}

/// Words that begin another statement; behind a comma more of them do.
pub(super) fn links(tag: &str, word: &str, comma: bool) -> bool {
    let (always, behind_comma) = match tag {
        "en" => ("while whereas but because although though however so", "and which who when where if or then"),
        "de" => (
            "während wohingegen aber weil obwohl jedoch sondern denn",
            "und da wenn die der das oder sodass dass wobei",
        ),
        "es" => ("mientras pero porque aunque sino", "y que cuando si o donde"),
        "fr" => ("tandis mais parce car alors quoique", "et qui que quand si ou où"),
        "it" => ("mentre ma perché però sebbene", "e che quando se o dove"),
        "pt" => ("enquanto mas porque embora porém", "e que quando se ou onde"),
        "nl" => ("terwijl maar omdat hoewel", "en die dat als of waar"),
        "pl" => ("podczas ale bo ponieważ chociaż natomiast", "a i który która gdy jeśli że"),
        "ru" => ("тогда но потому хотя однако", "а и который которая когда если что"),
        "uk" => ("тоді але тому хоча однак", "а і який яка коли якщо що"),
        "tr" => ("ama fakat çünkü ancak oysa", "ve"),
        _ => ("", ""),
    };
    let among = |list: &str| list.split(' ').any(|known| !known.is_empty() && known == word);
    among(always) || comma && among(behind_comma)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ideas(tag: &str, text: &str) -> Vec<(String, f64)> {
        let reference = Reference::read(text, &Reader::new(tag));
        reference.ideas.into_iter().map(|idea| (idea.text, idea.worth)).collect()
    }

    #[test]
    fn points_in_a_reference_part_its_ideas_and_weigh_them() {
        let found = ideas(
            "de",
            "Kraftstoff muss getankt werden (0.25 P) und ein Artikel gekauft werden (je 0,5 P). Das Budget ist fest.",
        );
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].1 == 0.25 && found[1].1 == 0.5, "{found:?}");
        assert!(found.iter().all(|(text, _)| !text.contains('P') && !text.contains("0.25")), "{found:?}");
    }

    #[test]
    fn what_no_points_mark_explains() {
        let text = "Jobs need care. Say hello (0.25 P), the farewell (0.25 P) and so on. Smells are acceptable.";
        let reference = Reference::read(text, &Reader::new("en"));
        let asides: Vec<&str> = reference.asides.iter().map(|word| word.lower.as_str()).collect();
        assert_eq!(reference.ideas.len(), 2);
        assert_eq!(asides, ["jobs", "need", "care", "and", "so", "on", "smells", "are", "acceptable"]);
        for text in ["No points. None at all.", "Only one place has a mark (0.25 P). The rest counts as well."] {
            assert!(Reference::read(text, &Reader::new("en")).asides.is_empty(), "{text}");
        }
    }

    #[test]
    fn brackets_that_hold_no_points_stay() {
        assert_eq!(ideas("en", "The days get longer (summer) everywhere.").len(), 1);
        assert_eq!(
            ideas("en", "The function f (2) returns four values.")[0].0,
            "The function f (2) returns four values."
        );
    }

    #[test]
    fn statements_are_parted_where_another_begins() {
        let found = ideas(
            "en",
            "RAM loses its contents when power is off, while a hard disk keeps data permanently. Reading is fast.",
        );
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(ideas("es", "La planta absorbe agua, pero la raíz guarda azúcar.").len(), 2);
        assert_eq!(ideas("en", "red, green, blue").len(), 1);
    }
}
