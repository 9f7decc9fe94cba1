//! What an answer is compared by besides the reference: the question, its language, and the form that it asks for.

use std::cell::OnceCell;

use language::profile;

use super::super::Submission;
use super::forms::Forms;
use super::phrases::LowerText;
use super::units::{self, Unit};
use super::vocabulary::{self, Words};
use super::{characters, folding};

/// The task of a submission.
pub(super) struct Task {
    /// In plain characters.
    pub(super) question: String,
    /// A BCP 47 tag.
    pub(super) language: String,
    pub(super) words: &'static Words,
    /// The units that the question names, once somebody asks for them.
    units: OnceCell<Vec<Unit>>,
    /// The folded words of the question.
    pub(super) asked: Vec<String>,
    pub(super) forms: Forms,
    pub(super) asks_for_truth: bool,
    pub(super) asks_for_person: bool,
}

const MOST_GUESSED_WORDS: usize = 200;
const MOST_UNIT_WORDS: usize = 400;

impl Task {
    pub(super) fn of(submission: &Submission, reference: &str) -> Self {
        let question = characters::plain(&submission.question);
        let language = language_of(&submission.language, &format!("{question} {reference}"));
        let words = vocabulary::of(&language);
        let asked = folding::words(&question, &language);
        let lower = LowerText::of(&question);
        Self {
            forms: Forms::of(&question, &lower, words),
            asks_for_truth: words.asks_for_truth(&lower),
            asks_for_person: asked.iter().any(|word| words.is_who(word)),
            units: OnceCell::new(),
            question,
            language,
            words,
            asked,
        }
    }

    /// The units that the question names.
    pub(super) fn units(&self) -> &[Unit] {
        self.units.get_or_init(|| {
            let is_between = |one: char| one.is_whitespace() || matches!(one, '(' | ')' | '?' | ',' | '.');
            let words = self.question.split(is_between).take(MOST_UNIT_WORDS);
            let may_be_one = |word: &&str| !word.is_empty() && !matches!(*word, "a" | "in" | "A" | "I" | "an");
            words.filter(may_be_one).filter_map(units::parse).collect()
        })
    }
}

/// The language of a task: the declared one, unless the question and the reference are plainly in another. The other language's little
/// words are three times as frequent then, or most letters are of another script. English overrules no other declared language: it is
/// the service's default, so somebody chose the other one.
fn language_of(declared: &str, text: &str) -> String {
    let is_own = |tag: &str| language::primary_subtag(tag) == language::primary_subtag(declared);
    let Some(guessed) = profile::guess(text).filter(|tag| !is_own(tag) && *tag != "en") else {
        return declared.to_owned();
    };
    let lower = text.to_lowercase();
    let words =
        || lower.split(|one: char| !one.is_alphabetic()).filter(|word| !word.is_empty()).take(MOST_GUESSED_WORDS);
    let hits = |tag: &str| {
        let profile = profile::of(tag);
        words().filter(|word| profile.is_stop(word)).count()
    };
    let letters = || lower.chars().filter(|one| one.is_alphabetic());
    let is_plain = match guessed {
        "ar" | "hi" | "ja" | "ko" | "th" | "zh" => {
            letters().filter(|one| *one > '\u{5ff}').count() * 2 > letters().count()
        }
        guessed => hits(declared) * 3 <= hits(guessed),
    };
    if is_plain { guessed.to_owned() } else { declared.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_the_declared_one_unless_the_task_is_plainly_in_another() {
        for (declared, text, expected) in [
            ("en", "What is 6 * 7?", "en"),
            ("de-CH", "6 * 7", "de-CH"),
            ("en", "¿Cuál es la capital de Perú?", "es"),
            ("en", "Was ist die Hauptstadt von Peru und wo liegt sie?", "de"),
            ("de", "What is the capital of Peru, and where is it?", "de"),
            ("de", "Translate into German: the cat is here. die Katze ist da", "de"),
            ("en", "日本の首都はどこですか。", "ja"),
            ("en", "เมืองหลวงของเปรูคือที่ใด", "th"),
            ("en", "What does 日本 mean in English, and how is it written?", "en"),
            ("en", "Who wrote \"Die Verwandlung\"?", "en"),
        ] {
            assert_eq!(language_of(declared, text), expected, "{text}");
        }
    }
}
