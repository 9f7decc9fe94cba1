//! What a criterion of a rubric asks for, as teachers write them: elements that an answer has, levels that it reaches, or qualities
//! of the whole.

use std::collections::HashSet;

use language::normal::stable_hash;

use super::super::Criterion;
use super::text::Text;
use super::words::Reader;

/// Words of a criterion that are compared.
const MOST_WORDS: usize = 1_000;
/// Fewest levels that make a scale, and most words before a level's number ("Score 2:", "Level 3 -").
const FEWEST_LEVELS: usize = 2;
const MOST_LABEL_WORDS: usize = 2;
/// Bytes before the number of a level.
const MOST_LABEL_BYTES: usize = 64;

/// What a criterion asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What an answer says: it is compared with the criterion's words.
    Elements,
    /// A scale of descriptions; this is the highest one.
    Levels {
        /// What an answer on the highest level does.
        highest: String,
    },
    /// How an answer is written or built; nothing of the subject.
    Quality,
}

impl Kind {
    /// The kind of a criterion. `subject` are the question and the references.
    pub(super) fn of(criterion: &Criterion, subject: &[&Text], reader: &Reader) -> Self {
        if let Some(highest) = highest_level(&criterion.description) {
            return Self::Levels { highest };
        }
        let text = Text::read(&format!("{} {}", criterion.name, criterion.description), reader, MOST_WORDS);
        let speaks_of_subject = text.content.iter().any(|id| subject.iter().any(|known| known.content.contains(id)));
        let names_a_quality = text.content.iter().any(|id| qualities(reader).contains(id));
        if names_a_quality && !speaks_of_subject { Self::Quality } else { Self::Elements }
    }
}

/// Whether the criteria are the levels of one scale: "Level 3", "Level 2", "Level 1".
pub(super) fn are_levels(criteria: &[Criterion]) -> bool {
    let texts = || criteria.iter().map(|criterion| format!("{}: {}", criterion.name, criterion.description));
    let level = |text: &str| Level::read(text).filter(|level| level.is_named).map(|level| level.value.to_bits());
    let values: Option<HashSet<u64>> = texts().map(|text| level(&text)).collect();
    values.is_some_and(|values| values.len() >= FEWEST_LEVELS && values.len() == criteria.len())
}

/// The kinds of words by which teachers name qualities in a language.
fn qualities(reader: &Reader) -> HashSet<u64> {
    let words = language::find_teaching(reader.tag()).map_or("", |teaching| teaching.cues.qualities);
    words.split_whitespace().map(|word| stable_hash(&reader.stem_of(word))).collect()
}

/// The description of the highest level, where a text is a scale of them.
fn highest_level(text: &str) -> Option<String> {
    let levels: Vec<Level> =
        text.split(['\n', ';', '|']).flat_map(sentences_that_begin_levels).filter_map(Level::read).collect();
    let values: HashSet<u64> = levels.iter().map(|level| level.value.to_bits()).collect();
    if values.len() < FEWEST_LEVELS {
        return None;
    }
    // "1. names a cause 2. names an effect" is a list: it rises from one, without a word that says what the numbers are.
    let falls = levels.windows(2).all(|pair| pair[0].value > pair[1].value);
    let has_zero = levels.iter().any(|level| level.value == 0.0);
    let is_scale = falls || has_zero || levels.iter().all(|level| level.is_named);
    let highest = levels.into_iter().max_by(|one, other| one.value.total_cmp(&other.value))?;
    is_scale.then(|| highest.description.to_owned())
}

/// "Score 2: … Score 1: …" may stand in one line: a sentence that begins with a level begins another piece.
fn sentences_that_begin_levels(line: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = line
        .match_indices(['.', '!', '?', ',', '/'])
        .map(|(at, mark)| at + mark.len())
        .filter(|at| line[*at..].starts_with(char::is_whitespace) && Level::read(&line[*at..]).is_some())
        .collect();
    starts.insert(0, 0);
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    starts.iter().zip(ends).map(|(start, end)| &line[*start..end]).collect()
}

/// Words for a level, in all languages.
fn level_words() -> impl Iterator<Item = &'static str> {
    language::taught().flat_map(|(_, teaching)| teaching.cues.levels.split(' '))
}

/// A level of a scale.
struct Level<'t> {
    value: f64,
    /// A word says that the number is a level: "Score", "points", "Level".
    is_named: bool,
    description: &'t str,
}

impl<'t> Level<'t> {
    /// Reads "Score 2: …", "3 points - …", "(1) = …", "4–5: …".
    fn read(text: &'t str) -> Option<Self> {
        let text = text
            .trim_start_matches(|sign: char| sign.is_whitespace() || matches!(sign, '(' | '[' | '•' | '-' | '*' | '–'));
        let label = &text[..text.floor_char_boundary(MOST_LABEL_BYTES)];
        let digit = label.find(|sign: char| sign.is_ascii_digit())?;
        let label = &text[..digit];
        let labels = label.split_whitespace().count();
        if labels > MOST_LABEL_WORDS
            || !label.chars().all(|sign| sign.is_alphabetic() || sign.is_whitespace() || sign == '(')
        {
            return None;
        }
        let rest = &text[digit..];
        let end = rest.find(|sign: char| !(sign.is_ascii_digit() || matches!(sign, '.' | ',' | '-' | '–')))?;
        // Of "4–5" the higher one.
        let last = rest[..end].trim_end_matches(['.', ',', '-', '–']).rsplit(['-', '–']).next()?;
        let value: f64 = last.replace(',', ".").parse().ok()?;
        let mut rest = rest[last.len() + rest.find(last)?..].trim_start_matches([')', ']', ' ']);
        let unit = rest.find(|sign: char| !sign.is_alphabetic()).unwrap_or(rest.len());
        let has_unit =
            unit > 0 && rest[unit..].trim_start_matches([')', '.', ' ']).starts_with([':', '=', '-', '–', '—']);
        let unit_said = if has_unit { &rest[..unit] } else { "" };
        if has_unit {
            rest = rest[unit..].trim_start_matches([')', '.', ' ']);
        }
        let description = rest.strip_prefix([':', '=', '-', '–', '—', '.'])?.trim();
        let said = label.split_whitespace().chain(unit_said.split_whitespace());
        let is_named = said.map(str::to_lowercase).any(|word| level_words().any(|level| level == word));
        description.contains(char::is_alphabetic).then_some(Self { value, is_named, description })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_of_levels_are_recognised() {
        for (text, highest) in [
            ("Score 2: explains both; Score 1: mentions one; Score 0: nothing", "explains both"),
            ("3 points - all parts\n2 points - some\n1 point - few", "all parts"),
            ("Level 1: names it. Level 2: explains it. Level 3: weighs it up.", "weighs it up."),
            ("0: falsch\n1: teilweise richtig\n2: ganz richtig", "ganz richtig"),
            ("4-5: convincing; 2-3: plain; 0-1: weak", "convincing"),
        ] {
            assert_eq!(highest_level(text).as_deref(), Some(highest), "{text}");
        }
    }

    #[test]
    fn lists_and_sentences_with_numbers_are_no_scales() {
        for text in [
            "1. names a cause\n2. names an effect",
            "Names 2 causes and 3 effects",
            "Reason 1: yeast makes gas. Reason 2: gluten traps the gas.",
            "Step 1: mix the dough; Step 2: bake it",
            "States that water boils at 100 °C",
            "The war began in 1914; it ended in 1918",
            "",
        ] {
            assert_eq!(highest_level(text), None, "{text}");
        }
    }

    #[test]
    fn criteria_may_be_the_levels_of_a_scale() {
        let criterion =
            |name: &str| Criterion { name: name.to_owned(), description: "Says it.".to_owned(), max_score: 1.0 };
        let are_scale = |names: &[&str]| are_levels(&names.iter().map(|name| criterion(name)).collect::<Vec<_>>());
        assert!(are_scale(&["Level 3", "Level 2", "Level 1"]));
        assert!(!are_scale(&["Reason 1", "Reason 2", "Reason 3"]));
        assert!(!are_scale(&["Level 3", "Spelling"]));
    }

    #[test]
    fn qualities_name_nothing_of_the_subject() {
        let reader = Reader::new("en");
        let question = Text::read("Why does bread dough rise?", &reader, 100);
        let kind = |name: &str, description: &str| {
            let criterion = Criterion { name: name.to_owned(), description: description.to_owned(), max_score: 1.0 };
            Kind::of(&criterion, &[&question], &reader)
        };
        assert_eq!(kind("Structure", "The text is clear and well organised"), Kind::Quality);
        assert_eq!(kind("Spelling and grammar", ""), Kind::Quality);
        assert_eq!(kind("Clarity", "Explains clearly why the dough rises"), Kind::Elements);
        assert_eq!(kind("Yeast", "Names yeast"), Kind::Elements);
    }
}
