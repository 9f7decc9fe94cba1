//! Questions about single sentences: true or false, a missing number, a missing word.
//!
//! A true statement is the source's sentence as it stands. A false one differs from it in one number, so that it is really
//! false, and stands nowhere in the source.

use language::fill;
use language::normal::{occurrences, positions};
use language::profile::{Profile, Style};

use crate::builtin::lesson::Sentence;
use crate::drafts::{OmissionReason, QuizItemKind};
use crate::text::numbers::{self, Number};

use super::definitions::same_root;
use super::{Candidate, Evidence, Form, GAP, MAX_SHOWN, Rank, Workshop, fits, pick};

/// Most sentences of a lesson that are asked about.
const MOST: usize = 16;
/// Fewest words around a gap, and in a statement that is judged.
const MIN_CONTEXT: usize = 7;
const MIN_STATEMENT: usize = 6;
/// Most numbers of a sentence of which one is asked for.
const MAX_NUMBERS: usize = 2;

/// A number to ask for, with others on either side.
struct Asked<'t> {
    number: Number<'t>,
    below: Vec<String>,
    above: Vec<String>,
}

impl Workshop<'_> {
    pub(super) fn about_statements(&self, lesson: usize, found: &mut Vec<Candidate>) {
        let read = self.lesson(lesson);
        let sentences = &read.sentences;
        let mut usable: Vec<usize> = (0..sentences.len())
            .filter(|at| sentences[*at].standalone && fits(&sentences[*at].text, MAX_SHOWN))
            .collect();
        usable.sort_by(|left, right| sentences[*right].score.total_cmp(&sentences[*left].score));
        usable.truncate(MOST);
        let count = usable.len() as f64;
        for (place, at) in usable.into_iter().enumerate() {
            let sentence = &sentences[at];
            let weight = 1.0 - place as f64 / count;
            if read.speaks_of_itself(sentence) {
                self.tally.note(QuizItemKind::TrueFalse, OmissionReason::NoStatement);
                continue;
            }
            let evidence = || Evidence::of_sentence(lesson, at, sentence, weight);
            let states = read.states(sentence) && sentence.words >= MIN_STATEMENT;
            if !states {
                self.tally.note(QuizItemKind::TrueFalse, OmissionReason::NoStatement);
            }
            let telling = sentence.words >= MIN_CONTEXT && (states || read.profile.is_unknown() && sentence.prose);
            match asked_number(&sentence.text, read.profile).filter(|_| telling) {
                Some(asked) => {
                    let (holds, fails) = (sentence.text.clone(), self.changed(sentence, &asked));
                    if states && !fails.is_empty() {
                        let form = Form::Verdict { holds: Some(holds.clone()), fails };
                        found.push(self.candidate(evidence(), Rank::Sound, holds, form));
                    }
                    found.push(self.number(evidence(), sentence, asked));
                }
                None if sentence.text.contains(|digit: char| digit.is_ascii_digit()) => {
                    self.tally.note(QuizItemKind::Select, OmissionReason::VagueNumber);
                }
                None => {}
            }
            if states {
                let holds = sentence.text.clone();
                let form = Form::Verdict { holds: Some(holds.clone()), fails: Vec::new() };
                found.push(self.candidate(evidence(), Rank::Spare, holds, form));
            }
            found.extend(self.gap(lesson, evidence(), sentence));
        }
    }

    /// The sentence with its number changed, so that the source nowhere says it.
    fn changed(&self, sentence: &Sentence, asked: &Asked<'_>) -> Vec<String> {
        let end = asked.number.start + asked.number.text.len();
        let changed =
            |other: &String| format!("{}{other}{}", &sentence.text[..asked.number.start], &sentence.text[end..]);
        // The nearest would be a trap.
        let near = [&asked.below, &asked.above].into_iter().filter_map(|side| side.get(1).or(side.first()));
        near.map(changed).filter(|statement| !self.said.states(statement)).collect()
    }

    /// The sentence without its number.
    fn number(&self, evidence: Evidence<'_>, sentence: &Sentence, asked: Asked<'_>) -> Candidate {
        let Asked { number, below, above } = asked;
        let question =
            fill(self.phrases().cloze_number, &[("sentence", &gapped(&sentence.text, number.start, number.text))]);
        let form = Form::Number { key: number.text.to_owned(), below, above };
        self.candidate(evidence, Rank::Sound, question, form)
    }

    /// The sentence without one of the lesson's terms: a learner may fill in another word as well, so it is asked only where
    /// a number of items is ordered.
    fn gap(&self, lesson: usize, evidence: Evidence<'_>, sentence: &Sentence) -> Option<Candidate> {
        let profile = self.lesson(lesson).profile;
        // Nothing is known of the words, or they carry particles that a learner would have to guess.
        let formulas = sentence.text.contains(['$', '\\']);
        if sentence.words < MIN_CONTEXT || formulas || profile.is_unknown() || profile.style == Style::Korean {
            return None;
        }
        let lower = sentence.text.to_lowercase();
        let term = self.lesson(lesson).terms.iter().find(|term| {
            let once =
                occurrences(&sentence.text, &term.text) == 1 && lower.matches(&term.text.to_lowercase()).count() == 1;
            let bare = term.text.chars().any(char::is_alphabetic)
                && term.text.chars().count() >= 2
                && term.text.split(' ').count() <= 3;
            once && bare && !same_word_nearby(&lower, &term.text.to_lowercase())
        })?;
        let at = positions(&sentence.text, &term.text).next()?;
        let question = fill(self.phrases().blank, &[("sentence", &gapped(&sentence.text, at, &term.text))]);
        let form = Form::Written { kind: QuizItemKind::Blank, keys: vec![term.text.clone()] };
        Some(self.candidate(evidence, Rank::Ordered, question, form))
    }
}

/// A text with a gap in the place of a part of it.
fn gapped(text: &str, at: usize, part: &str) -> String {
    format!("{}{GAP}{}", &text[..at], &text[at + part.len()..])
}

/// Another form of the term stands in the sentence and would give it away.
fn same_word_nearby(sentence: &str, term: &str) -> bool {
    sentence.split(|character: char| !character.is_alphanumeric()).any(|word| same_root(word, term) && word != term)
}

/// A number worth asking for, with others that the sentence does not hold.
fn asked_number<'t>(text: &'t str, profile: &Profile) -> Option<Asked<'t>> {
    if text.contains(['$', '\\', '=', '^']) {
        return None;
    }
    let found = numbers::find(text);
    // Digits that no number accounts for are parts of dates, codes or ranges.
    let digits = numbers::digits(text).count();
    let counted: usize = found.iter().map(|number| numbers::digits(number.text).count()).sum();
    if found.len() > MAX_NUMBERS || counted < digits {
        return None;
    }
    // "A ladder of 6.5 m stands 2.5 m from a wall" makes numbers up.
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    let one = language::find_teaching(profile.tag).map_or("", |teaching| teaching.answers.one);
    let supposes = found.len() > 1 && one.split(' ').any(|article| article == first);
    let close = supposes
        || found.windows(2).any(|pair| {
            let between = &text[pair[0].start + pair[0].text.len()..pair[1].start];
            between.split_whitespace().count() <= 1
        });
    if close {
        return None;
    }
    let exact: Vec<Number<'_>> = found
        .iter()
        .copied()
        .filter(|number| number.text.len() > 1 || number.text > "2")
        .filter(|number| !is_vague(text, number) && is_measured(text, number, profile))
        .collect();
    let years: Vec<Number<'_>> = exact.iter().copied().filter(Number::is_year).collect();
    // One year tells what the other can't be.
    if found.iter().filter(|number| number.is_year()).count() > 1 {
        return None;
    }
    let choice = if years.is_empty() { &exact } else { &years };
    let number = *choice.get(pick(text, choice.len()))?;
    let (mut below, mut above) = numbers::around(number, &text[number.start + number.text.len()..]);
    for side in [&mut below, &mut above] {
        side.retain(|other| !found.iter().any(|known| known.text == other));
    }
    (below.len() + above.len() >= 3).then_some(Asked { number, below, above })
}

/// Whether a number counts or measures, or is a date, and is no name: "article 27" and "sign 215" are names.
fn is_measured(text: &str, number: &Number<'_>, profile: &Profile) -> bool {
    let (before, behind) = (&text[..number.start], &text[number.start + number.text.len()..]);
    let sign = behind.trim_start().starts_with(['%', '°', '€', '£', '₽', '₹', '元', '円']);
    let next = behind.split_whitespace().next().unwrap_or_default().trim_end_matches(['.', ',', ';', ')']);
    let unit = language::taught().any(|(tag, _)| language::speech(tag).forms_of(next).next().is_some());
    let currency = before.ends_with(['$', '€', '£', '¥', '₹']);
    if before.ends_with(['+', '§', '№']) || before.trim_end().ends_with(['§', '№']) {
        return false;
    }
    let is_month = |word: &str| {
        let word = word.trim_matches(|sign: char| !sign.is_alphabetic()).to_lowercase();
        language::taught().any(|(_, teaching)| teaching.answers.month(&word).is_some())
    };
    let day = !number.is_year()
        && (behind.split_whitespace().take(2).any(is_month)
            || before.split_whitespace().next_back().is_some_and(is_month));
    if day {
        return false;
    }
    let unspaced = before.ends_with(language::script::is_unspaced) || behind.starts_with(language::script::is_unspaced);
    let last = before.split_whitespace().next_back().map(str::to_lowercase);
    let little = last.is_none_or(|word| profile.is_stop(&word) || profile.opens_noun(&word));
    sign || unit || currency || unspaced || little
}

/// "About 30", "at least 30", "30 or more", "20 to 30": other numbers fit as well.
fn is_vague(text: &str, number: &Number<'_>) -> bool {
    let end = number.start + number.text.len();
    let words = |text: &str, last: bool| {
        let mut words: Vec<String> = text
            .split(|character: char| !character.is_alphanumeric() && character != '+')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        if last {
            words.reverse();
        }
        words.truncate(3);
        words
    };
    let clause = |text: &str| text.chars().take(40).collect::<String>();
    let before: String = {
        let start = text[..number.start].char_indices().rev().nth(40).map_or(0, |(at, _)| at);
        text[start..number.start].to_owned()
    };
    let (before_words, behind) = (words(&before, true), words(&clause(&text[end..]), false));
    let hedged = language::cues(|cues| cues.hedges).any(|hedge| {
        if hedge.starts_with(language::script::is_unspaced) {
            before.ends_with(hedge)
        } else {
            before_words.iter().take(2).any(|word| word == hedge)
        }
    });
    let open = behind.first().is_some_and(|word| word.starts_with('+'))
        || language::taught().any(|(_, teaching)| {
            let lists = [teaching.answers.alternatives, teaching.answers.conjunctions];
            let holds = |list: &str, word: &str| list.split(' ').any(|known| known.trim_end_matches('*') == word);
            behind.iter().take(2).any(|word| lists.iter().any(|list| holds(list, word)))
                && behind.iter().any(|word| {
                    word.starts_with(|digit: char| digit.is_ascii_digit())
                        || holds(teaching.answers.more, word)
                        || holds(teaching.answers.less, word)
                })
        });
    hedged || open
}

#[cfg(test)]
mod tests {
    use language::profile;

    use super::*;

    fn number(text: &str) -> Option<&str> {
        asked_number(text, profile::of("en")).map(|asked| asked.number.text)
    }

    #[test]
    fn a_number_is_asked_for_only_where_no_other_fits() {
        assert_eq!(number("The war began in 1914 and changed Europe."), Some("1914"));
        assert_eq!(number("An adult has 206 bones in the body."), Some("206"));
        for vague in [
            "An adult needs about 30 minutes of it.",
            "Children sleep at least 10 hours.",
            "It takes 20 to 30 minutes, or 5–10 in summer.",
            "Bake it for 30 or more minutes.",
            "It takes 20 or 30 minutes.",
            "The parts are 10, 20, 30 and 40.",
            "See page A4 on 2024-05-01.",
            "The formula $x=50$ says so.",
            "It is told in article 27 of the law.",
            "Paint sign 215 red and blue today.",
            "A ladder of 6.5 m stands with its foot 2.5 m from a wall.",
        ] {
            assert_eq!(number(vague), None, "{vague}");
        }
    }
}
