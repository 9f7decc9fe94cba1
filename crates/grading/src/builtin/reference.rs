//! A reference answer taken apart: its text, its ideas, and the points that stand in it ("(0.25 P)").

use language::profile::Profile;
use language::sentences;

use super::text::Text;
use super::words::Reader;

/// Most words of a reference that are compared, and most of its ideas; what follows belongs to the last one.
const MOST_WORDS: usize = 3_000;
const MOST_IDEAS: usize = 48;
/// Fewest points in a text that mark it; one alone says nothing of the rest.
const FEWEST_MARKS: usize = 2;
/// Words and signs for points, in the languages of the labels that teachers write. "(6 protons)" holds none.
const POINTS: [&str; 32] = [
    "p",
    "pt",
    "pts",
    "pkt",
    "pkte",
    "point",
    "points",
    "punkt",
    "punkte",
    "punkten",
    "punto",
    "puntos",
    "punti",
    "ponto",
    "pontos",
    "punt",
    "punten",
    "punkty",
    "punktow",
    "punktów",
    "mark",
    "marks",
    "балл",
    "балла",
    "баллов",
    "бал",
    "бали",
    "балів",
    "puan",
    "分",
    "点",
    "점",
];
/// Longest points in brackets, in bytes.
const LONGEST_POINTS: usize = 26;

/// A good answer, ready to be compared with others.
pub(super) struct Reference {
    pub(super) text: Text,
    /// Its statements.
    pub(super) ideas: Vec<Idea>,
    /// Points stand in it.
    pub(super) is_marked: bool,
}

/// A statement of a reference.
pub(super) struct Idea {
    /// As it stands there.
    pub(super) said: String,
    pub(super) text: Text,
}

impl Reference {
    /// Takes a reference apart.
    pub(super) fn read(text: &str, reader: &Reader) -> Self {
        let stretches = between_points(text);
        let is_marked = stretches.len() > FEWEST_MARKS;
        let stretches = if is_marked { stretches } else { vec![text] };
        let whole = Text::read(&stretches.join(" "), reader, MOST_WORDS);
        let mut ideas: Vec<Idea> = Vec::new();
        for said in stretches.iter().flat_map(|stretch| statements(stretch, reader.profile)) {
            if ideas.len() == MOST_IDEAS {
                break;
            }
            let text = Text::read(said, reader, MOST_WORDS);
            if !text.content.is_empty() {
                ideas.push(Idea { said: said.to_owned(), text });
            }
        }
        Self { text: whole, ideas, is_marked }
    }
}

/// The sentences of a text, line by line.
pub(super) fn statements<'t>(text: &'t str, profile: &'static Profile) -> impl Iterator<Item = &'t str> {
    text.lines().flat_map(move |line| sentences::split(line, profile))
}

/// The text between points in brackets.
fn between_points(text: &str) -> Vec<&str> {
    let (mut found, mut rest, mut from) = (Vec::new(), text, 0);
    while let Some(open) = rest[from..].find('(').map(|at| from + at) {
        let close = rest[open..].bytes().take(LONGEST_POINTS).position(|byte| byte == b')').map(|at| open + at);
        match close {
            Some(close) if are_points(&rest[open + 1..close]) => {
                found.push(&rest[..open]);
                (rest, from) = (&rest[close + 1..], 0);
            }
            _ => from = open + 1,
        }
    }
    found.push(rest);
    found
}

/// "0.25 P", "je 0,5 Punkte", "1 point".
fn are_points(text: &str) -> bool {
    let (mut has_value, mut has_unit) = (false, false);
    for word in text.split_whitespace() {
        let digits = word.trim_end_matches(char::is_alphabetic).trim_end_matches('.');
        let unit = word[digits.len()..].to_lowercase();
        match unit.trim_matches('.') {
            "" | "je" | "each" | "max" => {}
            unit if POINTS.contains(&unit) => has_unit = true,
            _ => return false,
        }
        if !digits.is_empty() {
            let Ok(value) = digits.replace(',', ".").parse::<f64>() else { return false };
            has_value |= (0.0..=1000.0).contains(&value);
        }
    }
    has_value && has_unit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ideas(tag: &str, text: &str) -> Vec<String> {
        Reference::read(text, &Reader::new(tag)).ideas.into_iter().map(|idea| idea.said).collect()
    }

    #[test]
    fn points_in_a_reference_part_its_ideas_and_are_no_words_of_it() {
        let text =
            "Kraftstoff muss getankt werden (0.25 P) und ein Artikel gekauft werden (je 0,5 P). Das Budget ist fest.";
        let reference = Reference::read(text, &Reader::new("de"));
        assert!(reference.is_marked);
        assert_eq!(reference.ideas.len(), 3);
        assert!(reference.text.words.iter().all(|word| !word.is_number));
        assert!(!Reference::read("Only one has points (1 P). The rest has none.", &Reader::new("en")).is_marked);
    }

    #[test]
    fn brackets_that_hold_no_points_stay() {
        assert_eq!(
            ideas("en", "The function f (2) returns four (summer) values."),
            ["The function f (2) returns four (summer) values."]
        );
        let carbon = "Carbon (6 protons) and oxygen (8 protons) differ.";
        assert_eq!(ideas("en", carbon), [carbon]);
    }

    #[test]
    fn sentences_and_lines_are_ideas() {
        assert_eq!(ideas("en", "RAM forgets. A disk keeps data.\nReading is fast.").len(), 3);
    }
}
