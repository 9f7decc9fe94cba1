//! Words that say something about an answer without being it, of one language: [`language::Answers`].
//!
//! Only the words of the task's language are read. "Of" joins alternatives in Dutch and nothing in English; "no" denies in Spanish and
//! is a preposition in Portuguese. Words are folded (lower case, no diacritics), as [`super::folding`] makes them; numbers are not.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Deref;
use std::sync::LazyLock;

use language::Answers;

use super::folding;
use super::phrases::LowerText;

/// The words of a language by what they do in an answer.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) tag: &'static str,
    answers: &'static Answers,
    roles: HashSet<(Role, &'static str)>,
    /// Negators that stand in a piece of text, not between its spaces.
    inner_negators: Vec<&'static str>,
}

/// What a word does in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Role {
    Negator,
    Alternative,
    Correction,
    Conjunction,
    Article,
    FunctionWord,
    Copula,
    Preposition,
    Hedge,
    Reason,
    Who,
    ChoiceWord,
    Truth,
    Falsehood,
}

/// The words of each role.
fn lists(answers: &'static Answers) -> [(Role, &'static str); 14] {
    [
        (Role::Negator, answers.negators),
        (Role::Alternative, answers.alternatives),
        (Role::Correction, answers.corrections),
        (Role::Conjunction, answers.conjunctions),
        (Role::Article, answers.articles),
        (Role::FunctionWord, answers.function_words),
        (Role::Copula, answers.copulas),
        (Role::Preposition, answers.prepositions),
        (Role::Hedge, answers.hedges),
        (Role::Reason, answers.reasons),
        (Role::Who, answers.who),
        (Role::ChoiceWord, answers.choice_words),
        (Role::Truth, answers.truths),
        (Role::Falsehood, answers.falsehoods),
    ]
}

impl Deref for Words {
    type Target = Answers;

    fn deref(&self) -> &Answers {
        self.answers
    }
}

/// English first: it stands in for languages without words.
static LANGUAGES: LazyLock<Vec<Words>> =
    LazyLock::new(|| language::taught().map(|(tag, teaching)| Words::new(tag, &teaching.answers)).collect());

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

impl Words {
    fn new(tag: &'static str, answers: &'static Answers) -> Self {
        let words = |(role, list): (Role, &'static str)| list.split_ascii_whitespace().map(move |word| (role, word));
        let is_inner =
            |negator: &&str| negator.chars().count() > 1 && negator.chars().all(language::script::is_unspaced);
        Self {
            tag,
            answers,
            roles: lists(answers).into_iter().flat_map(words).collect(),
            inner_negators: answers.negators.split_ascii_whitespace().filter(is_inner).collect(),
        }
    }

    /// Whether a word has a role, marks aside.
    fn has(&self, role: Role, word: &str) -> bool {
        self.roles.contains(&(role, &*unmarked(word)))
    }

    pub(super) fn is_negator(&self, word: &str) -> bool {
        self.has(Role::Negator, word)
    }

    /// Whether a piece of text between spaces denies: a negator, or in scripts without spaces one that stands in it.
    pub(super) fn denies(&self, piece: &str) -> bool {
        self.is_negator(piece) || self.inner_negators.iter().any(|negator| piece.contains(negator))
    }

    pub(super) fn is_alternative(&self, word: &str) -> bool {
        self.has(Role::Alternative, word)
    }

    pub(super) fn is_correction(&self, word: &str) -> bool {
        self.has(Role::Correction, word)
    }

    pub(super) fn is_conjunction(&self, word: &str) -> bool {
        self.has(Role::Conjunction, word)
    }

    pub(super) fn is_article(&self, word: &str) -> bool {
        self.has(Role::Article, word)
    }

    pub(super) fn is_function_word(&self, word: &str) -> bool {
        self.has(Role::FunctionWord, word) || self.is_article(word)
    }

    pub(super) fn is_copula(&self, word: &str) -> bool {
        self.has(Role::Copula, word)
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
        self.has(Role::Preposition, word)
    }

    pub(super) fn is_hedge(&self, word: &str) -> bool {
        self.has(Role::Hedge, word)
    }

    pub(super) fn is_reason(&self, word: &str) -> bool {
        self.has(Role::Reason, word)
    }

    pub(super) fn is_who(&self, word: &str) -> bool {
        self.has(Role::Who, word)
    }

    pub(super) fn is_choice_word(&self, word: &str) -> bool {
        self.has(Role::ChoiceWord, word)
    }

    /// The truth that a word says. English `true` and `false` are read in every task: programs write them as keys.
    pub(super) fn truth(&self, word: &str) -> Option<bool> {
        if self.has(Role::Truth, word) || word == "true" {
            Some(true)
        } else {
            (self.has(Role::Falsehood, word) || word == "false").then_some(false)
        }
    }

    pub(super) fn is_no_solution(&self, text: &str) -> bool {
        text.len() < 80 && self.no_solution.split('|').any(|phrase| phrase == text.to_lowercase())
    }

    /// Whether a question asks if something is true. Its answer `F` is then no option's letter.
    pub(super) fn asks_for_truth(&self, question: &LowerText) -> bool {
        self.true_or_false.split('|').chain(["true or false"]).any(|phrase| question.holds(phrase))
    }
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
        for tag in
            ["en", "de", "es", "fr", "pt", "it", "nl", "pl", "ru", "uk", "tr", "ar", "hi", "zh", "ja", "ko", "th"]
        {
            let words = of(tag);
            assert_eq!(words.tag, tag);
            for (role, list) in lists(words.answers) {
                for word in list.split_ascii_whitespace() {
                    assert!(words.has(role, word), "{tag}: {word} is not folded");
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
        let asks = |tag: &str, question: &str| of(tag).asks_for_truth(&LowerText::of(question));
        assert!(asks("es", "¿Verdadero o falso? El agua moja.") && !asks("en", "Name it."));
        assert!(asks("zh", "判断题：水是湿的。"));
    }
}
