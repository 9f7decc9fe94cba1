//! Words that say something about an answer without being it, of one language: [`language::Answers`].
//!
//! Only the words of the task's language are read. "Of" joins alternatives in Dutch and nothing in English; "no" denies in Spanish and
//! is a preposition in Portuguese. Words are folded (lower case, no diacritics), as [`super::folding`] makes them; numbers are not.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::LazyLock;

use language::Answers;

use super::folding;

/// The words of a language by what they do in an answer.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) tag: &'static str,
    answers: &'static Answers,
}

impl Deref for Words {
    type Target = Answers;

    fn deref(&self) -> &Answers {
        self.answers
    }
}

/// English first: it stands in for languages without words.
static LANGUAGES: LazyLock<Vec<Words>> =
    LazyLock::new(|| language::taught().map(|(tag, teaching)| Words { tag, answers: &teaching.answers }).collect());

/// The words of a language.
pub(super) fn of(language: &str) -> &'static Words {
    let primary = language::primary_subtag(language);
    LANGUAGES.iter().find(|words| words.tag == primary).unwrap_or(&LANGUAGES[0])
}

/// What text that talks to whoever grades it says. Lower case, diacritics kept.
const ORDERS: [&str; 60] = [
    "ignore the above",
    "ignore the reference",
    "ignore the rubric",
    "ignore the instruction",
    "ignore the previous",
    "ignore the question",
    "ignore all",
    "ignore any",
    "ignore previous",
    "ignore your",
    "ignore everything",
    "disregard",
    "forget the above",
    "forget all",
    "forget previous",
    "mark this",
    "mark it",
    "mark my",
    "mark as",
    "mark the answer",
    "mark correct",
    "full marks",
    "full credit",
    "full score",
    "full points",
    "maximum score",
    "maximum points",
    "give me",
    "award ",
    "grade this",
    "grade it",
    "grade my",
    "score this",
    "score: ",
    "score of",
    "correct answer is now",
    "reference is now",
    "reference answer is",
    "new instruction",
    "system:",
    "system prompt",
    "assistant:",
    "dear grader",
    "as a grader",
    "the grader",
    "you are a",
    "you are now",
    "ignoriere",
    "volle punktzahl",
    "bewerte",
    "ignora ",
    "ignore tout",
    "ignorez",
    "note maximale",
    "игнорируй",
    "忽略",
    "满分",
    "無視",
    "<|system",
    "</",
];

/// The word without marks, as the lists have it.
fn unmarked(word: &str) -> Cow<'_, str> {
    if word.is_ascii() { Cow::Borrowed(word) } else { Cow::Owned(folding::words(word, "en").concat()) }
}

/// Whether a list has a word, marks aside.
fn holds(list: &str, word: &str) -> bool {
    let word = &*unmarked(word);
    !word.is_empty() && list.split_ascii_whitespace().any(|one| one == word)
}

impl Words {
    pub(super) fn is_negator(&self, word: &str) -> bool {
        holds(self.negators, word)
    }

    /// Whether a piece of text between spaces denies: a negator, or in scripts without spaces one that stands in it.
    pub(super) fn denies(&self, piece: &str) -> bool {
        let long = |negator: &&str| negator.chars().count() > 1 && negator.chars().all(language::script::is_unspaced);
        self.is_negator(piece)
            || self.negators.split_ascii_whitespace().filter(long).any(|negator| piece.contains(negator))
    }

    pub(super) fn is_alternative(&self, word: &str) -> bool {
        holds(self.alternatives, word)
    }

    pub(super) fn is_correction(&self, word: &str) -> bool {
        holds(self.corrections, word)
    }

    pub(super) fn is_conjunction(&self, word: &str) -> bool {
        holds(self.conjunctions, word)
    }

    pub(super) fn is_article(&self, word: &str) -> bool {
        holds(self.articles, word)
    }

    pub(super) fn is_function_word(&self, word: &str) -> bool {
        holds(self.function_words, word) || self.is_article(word)
    }

    pub(super) fn is_copula(&self, word: &str) -> bool {
        holds(self.copulas, word)
    }

    /// Whether a word puts something to what it names, as Korean particles of the topic do.
    pub(super) fn marks_topic(&self, word: &str) -> bool {
        self.tag == "ko" && word.ends_with(['은', '는', '이', '가'])
    }

    /// A sentence without the copula that Korean writes in one word with what it names.
    pub(super) fn without_copula<'s>(&self, sentence: &'s str) -> &'s str {
        let bare = sentence.trim_end_matches(['.', '!', ' ', '\n']);
        let without = ["입니다", "이에요", "예요"].iter().find_map(|copula| bare.strip_suffix(copula));
        without.filter(|without| self.tag == "ko" && !without.trim_end().is_empty()).unwrap_or(sentence)
    }

    pub(super) fn is_preposition(&self, word: &str) -> bool {
        holds(self.prepositions, word)
    }

    pub(super) fn is_hedge(&self, word: &str) -> bool {
        holds(self.hedges, word)
    }

    pub(super) fn is_reason(&self, word: &str) -> bool {
        holds(self.reasons, word)
    }

    pub(super) fn is_who(&self, word: &str) -> bool {
        holds(self.who, word)
    }

    pub(super) fn is_choice_word(&self, word: &str) -> bool {
        holds(self.choice_words, word)
    }

    /// The truth that a word says. English `true` and `false` are read in every task: programs write them as keys.
    pub(super) fn truth(&self, word: &str) -> Option<bool> {
        if holds(self.truths, word) || word == "true" {
            Some(true)
        } else {
            (holds(self.falsehoods, word) || word == "false").then_some(false)
        }
    }

    pub(super) fn is_no_solution(&self, text: &str) -> bool {
        text.len() < 80 && self.no_solution.split('|').any(|phrase| phrase == text.to_lowercase())
    }

    /// Whether a question asks if something is true. Its answer `F` is then no option's letter.
    pub(super) fn asks_for_truth(&self, question: &str) -> bool {
        let question = question.to_lowercase();
        self.true_or_false.split('|').chain(["true or false"]).any(|phrase| holds_phrase(&question, phrase))
    }
}

/// Whether a text in lower case has a phrase that begins and ends with a word of it. Scripts without spaces have no ends of words.
pub(super) fn holds_phrase(text: &str, phrase: &str) -> bool {
    let is_edge = |one: Option<char>, at: Option<char>| match (one, at) {
        (Some(one), Some(at)) => {
            let is_free = |one: char| !one.is_alphanumeric() || language::script::is_unspaced(one) || is_hangul(one);
            is_free(one) || is_free(at)
        }
        _ => true,
    };
    !phrase.is_empty()
        && text.match_indices(phrase).any(|(at, _)| {
            is_edge(text[..at].chars().next_back(), phrase.chars().next())
                && is_edge(text[at + phrase.len()..].chars().next(), phrase.chars().next_back())
        })
}

/// Korean writes endings in one word with what they end.
fn is_hangul(character: char) -> bool {
    matches!(character, '가'..='힣')
}

/// Whether a sentence talks to whoever grades it.
pub(super) fn is_order(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    ORDERS.iter().any(|order| lower.contains(order))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_of_drafts_has_words_that_are_folded() {
        for tag in ["en", "de", "es", "fr", "pt", "it", "nl", "pl", "ru", "uk", "tr", "ar", "hi", "zh", "ja", "ko"] {
            let words = of(tag);
            assert_eq!(words.tag, tag);
            for list in [
                words.negators,
                words.alternatives,
                words.corrections,
                words.conjunctions,
                words.articles,
                words.function_words,
                words.copulas,
                words.prepositions,
                words.hedges,
                words.reasons,
                words.truths,
                words.falsehoods,
                words.choice_words,
                words.who,
            ] {
                for word in list.split_ascii_whitespace() {
                    assert!(holds(list, word), "{tag}: {word} is not folded");
                }
            }
            for entry in words.numbers.split_ascii_whitespace().chain(words.parts.split_ascii_whitespace()) {
                let value = entry.split_once('=').and_then(|(_, value)| value.parse::<u64>().ok());
                assert!(value.is_some(), "{tag}: {entry}");
            }
        }
        assert_eq!((of("xx").tag, of("de-AT").tag), ("en", "de"));
    }

    #[test]
    fn words_are_those_of_the_language_alone() {
        assert!(of("nl").is_alternative("of") && !of("en").is_alternative("of") && !of("de").is_alternative("of"));
        assert!(of("es").is_negator("no") && of("en").is_negator("no") && !of("pt").is_negator("no"));
        assert_eq!(
            (of("de").truth("ja"), of("es").truth("ja"), of("es").truth("false")),
            (Some(true), None, Some(false))
        );
        assert!(of("es").asks_for_truth("¿Verdadero o falso? El agua moja.") && !of("en").asks_for_truth("Name it."));
        assert!(of("zh").asks_for_truth("判断题：水是湿的。"));
    }
}
