//! Questions about a lesson, each with its key, its explanation and the place it came from.
//!
//! Every maker in here answers with candidates, and makes none where it would have to guess: a wrong option is another
//! value of the same slot of the same source, and what the source itself could make right is no wrong option. Which
//! candidates are asked is the work of [`choose`]; where their keys stand, that of [`balance`].

mod balance;
mod choose;
mod code;
mod definitions;
mod facts;
mod figures;
mod groups;
mod namings;
mod open;
mod own;
mod retold;
mod said;
mod sequences;
mod statements;
mod tables;
mod tally;
mod tasks;
mod worked;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use language::normal::{mentions, normal};
use language::script::{is_han, is_thai};
use language::sentences::asks;
use language::{profile, segments};

use crate::drafts::{Omission, OmissionReason, QuizItem, QuizItemKind};
use crate::phrases::Phrases;
use crate::reading::blocks::{Block, Body, Origin};
use crate::reading::flat::labelled;
use crate::reading::names::{Role, has_role, humanise};
use crate::reading::pointer::Pointer;
use crate::text::stems::stems;

use super::lesson::{Lesson, Sentence};
use super::material::Material;
use definitions::{Pool, same_root};
use namings::PooledNaming;
use said::Said;
use tables::is_name;
use tally::Tally;

pub(super) use choose::{another, for_module, for_quiz, for_test};
pub(super) use tasks::{Subject, Told, tasks};

/// The gap in a sentence.
pub(crate) const GAP: &str = "____";
/// Longest statement or definition that is shown in a question, in characters.
const MAX_SHOWN: usize = 320;
/// Longest option, in characters.
const MAX_OPTION: usize = 160;
/// Longest name of a row, a column or a heading in a question, in characters.
const MAX_LABEL: usize = 80;
/// Most signs of a key that one of them tells.
const MAX_SIGNS: usize = 12;
/// Most entries of a block that are looked at.
const MAX_ENTRIES: usize = 200;

/// A question that may be asked, before its options have their places.
struct Candidate {
    lesson: usize,
    pointer: Pointer,
    /// What it tests; no two items test the same fact.
    fact: String,
    rank: Rank,
    /// How much of its lesson it is about, from 0 to 1.
    weight: f64,
    question: String,
    /// The heading under which a statement is judged, where the statement does not say what it is about.
    topic: Option<String>,
    /// What the source says about it.
    explanation: String,
    form: Form,
}

/// Who goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The source asks it itself.
    Own,
    Sound,
    /// Right, but hardly worth asking: taken where a quiz would have too few items.
    Spare,
    /// Other answers may be right as well, or the options tell: taken only where a number of items is ordered.
    Ordered,
}

/// How a question is answered.
enum Form {
    /// With the source's own options and key.
    Given { kind: QuizItemKind, options: Vec<String>, keys: Vec<String> },
    /// By choosing. `wrong` are values of the same slot, the likeliest first.
    Choice { key: String, wrong: Vec<String> },
    /// By choosing among numbers, which are shown in order. The nearest stand first on either side.
    Number { key: String, below: Vec<String>, above: Vec<String> },
    /// By judging a statement: the source's own, or one that differs from it in one fact.
    Verdict { holds: Option<String>, fails: Vec<String> },
    /// In writing.
    Written { kind: QuizItemKind, keys: Vec<String> },
}

impl Form {
    fn kind(&self) -> QuizItemKind {
        match self {
            Self::Given { kind, .. } | Self::Written { kind, .. } => *kind,
            Self::Choice { .. } | Self::Number { .. } => QuizItemKind::Select,
            Self::Verdict { .. } => QuizItemKind::TrueFalse,
        }
    }

    /// Whether the key of a choice, in a script without spaces, shares a part with the question that not all wrong options have. In Chinese and
    /// Japanese each sign is one ("上五" is the first of five sounds), in Thai a word is.
    fn shares_a_part(&self, question: &str) -> bool {
        let Self::Choice { key, wrong } = self else { return false };
        let tells = |part: &str| key.contains(part) && wrong.iter().any(|option| !option.contains(part));
        let mut buffer = [0; 4];
        let signs = |sign: char| is_han(sign) && tells(sign.encode_utf8(&mut buffer));
        key.chars().count() <= MAX_SIGNS && question.chars().any(signs)
            || key.contains(is_thai) && content_words(question).any(tells)
    }

    /// The right answers, where the form has them before it is finished.
    fn keys(&self) -> &[String] {
        match self {
            Self::Given { keys, .. } | Self::Written { keys, .. } => keys,
            Self::Choice { key, .. } | Self::Number { key, .. } => std::slice::from_ref(key),
            Self::Verdict { .. } => &[],
        }
    }
}

impl Candidate {
    fn under(self, topic: Option<&str>) -> Self {
        Self { topic: topic.map(str::to_owned), ..self }
    }

    /// The question whether a statement is true.
    fn judging(&self, statement: &str, phrases: &Phrases) -> String {
        let question = language::fill(phrases.true_false, &[("statement", statement)]);
        under_topic(self.topic.as_deref(), question)
    }

    /// Whether a question, in normal form, is one that this candidate can become.
    fn becomes(&self, question: &str, phrases: &Phrases) -> bool {
        match &self.form {
            Form::Verdict { holds, fails } => {
                holds.iter().chain(fails).any(|statement| normal(&self.judging(statement, phrases)) == question)
            }
            _ => normal(&self.question) == question,
        }
    }
}

/// A question that is asked.
pub(super) struct Item {
    pub(super) lesson: usize,
    pub(super) pointer: Pointer,
    /// See [`Candidate::fact`].
    pub(super) fact: String,
    pub(super) item: QuizItem,
}

/// What the makers need to know.
pub(super) struct Workshop<'m> {
    pub(super) material: &'m Material,
    pool: Pool<'m>,
    namings: Vec<PooledNaming<'m>>,
    said: Said,
    /// The years that the material names.
    years: BTreeSet<u32>,
    tally: Tally,
    /// The candidates of the lessons that were asked for: those of a module are looked at again for the quiz.
    made: RefCell<HashMap<usize, Vec<Rc<Candidate>>>>,
}

impl<'m> Workshop<'m> {
    pub(super) fn new(material: &'m Material) -> Self {
        let (pool, namings, said) = (Pool::new(material), namings::pool(material), Said::of(material));
        let years = material.lessons.iter().flat_map(figures::years).collect();
        Self { material, pool, namings, said, years, tally: Tally::default(), made: RefCell::default() }
    }

    /// What was not asked, and why, so far.
    pub(super) fn omitted(&self) -> Vec<Omission> {
        self.tally.all()
    }

    fn phrases(&self) -> &'static Phrases {
        self.material.phrases()
    }

    fn lesson(&self, at: usize) -> &'m Lesson {
        &self.material.lessons[at]
    }

    /// All questions about a lesson, which are made once.
    fn candidates(&self, lesson: usize) -> Vec<Rc<Candidate>> {
        self.made.borrow_mut().entry(lesson).or_insert_with(|| self.make(lesson)).clone()
    }

    fn make(&self, lesson: usize) -> Vec<Rc<Candidate>> {
        let mut found = Vec::new();
        self.own_questions(lesson, &mut found);
        self.about_definitions(lesson, &mut found);
        self.about_namings(lesson, &mut found);
        self.about_tables(lesson, &mut found);
        self.about_sequences(lesson, &mut found);
        self.about_facts(lesson, &mut found);
        self.about_groups(lesson, &mut found);
        self.about_code(lesson, &mut found);
        self.about_examples(lesson, &mut found);
        self.about_statements(lesson, &mut found);
        self.open_questions(lesson, &mut found);
        found.retain(|candidate| !self.gives_away(candidate));
        found.into_iter().map(Rc::new).collect()
    }

    fn candidate(&self, evidence: Evidence<'_>, rank: Rank, question: String, form: Form) -> Candidate {
        let Evidence { lesson, pointer, quote, fact, weight } = evidence;
        let explanation = quoted(quote, self.lesson(lesson).reading.origin, self.phrases());
        Candidate { lesson, pointer: pointer.clone(), fact, rank, weight, question, topic: None, explanation, form }
    }

    /// The topic that the nearest heading above a sentence names.
    fn heading_above(&self, lesson: usize, sentence: &Sentence) -> Option<&'m str> {
        let blocks = &self.lesson(lesson).reading.blocks;
        let at = blocks[..sentence.block].iter().rposition(|block| matches!(block.body, Body::Heading { .. }))?;
        let heads_questions = matches!(blocks[at + 1].body, Body::Questions(_));
        topic_of(&blocks[at]).filter(|_| !heads_questions)
    }

    /// A question about a sentence with the heading that it stands under, unless the sentence names it or it tells the key.
    fn in_context(&self, lesson: usize, sentence: &Sentence, question: String, key: Option<&str>) -> String {
        under_topic(self.topic(lesson, sentence, key), question)
    }

    /// The heading above a sentence, unless the sentence names it or it tells the key.
    fn topic(&self, lesson: usize, sentence: &Sentence, key: Option<&str>) -> Option<&'m str> {
        let read = self.lesson(lesson);
        let topic = self.heading_above(lesson, sentence).or_else(|| read.named.then_some(read.short.as_str()));
        let new = |topic: &&str| {
            let (named, told) = (stems(&normal(topic)), stems(&normal(&sentence.text)));
            // "Macro-nutrients" tells "macronutrients".
            let tells = |key: &str| {
                let (topic, key) = (normal(topic), normal(key));
                let joined = |text: &str| text.replace('-', "");
                if mentions(&joined(&topic), &joined(&key)) {
                    return true;
                }
                let alike = |word: &str| topic.split([' ', '-']).any(|other| same_root(word, other));
                mentions(&topic, &key) || key.split(' ').any(alike)
            };
            is_name(topic) && !named.is_subset(&told) && !key.is_some_and(tells)
        };
        topic.filter(new)
    }

    /// Whether the question itself says what its answer is.
    fn gives_away(&self, candidate: &Candidate) -> bool {
        let kind = candidate.form.kind();
        let question = normal(&candidate.question);
        // "pH" tells "pH value", in a formula too.
        let sign = |key: &str| {
            key.split([' ', '-']).any(|part| {
                let sign = part.chars().skip(1).any(char::is_uppercase);
                sign && question.contains(&normal(part))
            })
        };
        let given = candidate.rank != Rank::Own
            && matches!(kind, QuizItemKind::Select | QuizItemKind::Blank)
            && (candidate.form.keys().iter().any(|key| mentions(&question, &normal(key)) || sign(key))
                || candidate.form.shares_a_part(&question));
        if given {
            self.tally.note(kind, OmissionReason::GivesAway);
        }
        given
    }
}

fn under_topic(topic: Option<&str>, question: String) -> String {
    match topic {
        Some(topic) => labelled(topic, &question),
        None => question,
    }
}

/// The words of a Thai text that say something; shorter ones stand within others by chance.
fn content_words(text: &str) -> impl Iterator<Item = &str> {
    let words = segments::words(text).into_iter().map(|(_, word)| word);
    words.filter(|word| word.chars().nth(2).is_some() && !profile::of("th").is_topicless(word))
}

/// Says where a text stands, and quotes it.
pub(super) fn quoted(quote: &str, origin: Origin, phrases: &Phrases) -> String {
    let says = match origin {
        Origin::Lesson => phrases.source_says,
        Origin::Prompt => phrases.prompt_says,
    };
    language::fill(says, &[("quote", quote)])
}

/// What a candidate is made from.
struct Evidence<'a> {
    lesson: usize,
    /// The place in the source.
    pointer: &'a Pointer,
    /// What the explanation quotes.
    quote: &'a str,
    /// See [`Candidate::fact`].
    fact: String,
    /// See [`Candidate::weight`].
    weight: f64,
}

/// The topic that a heading names. None for one that asks, and for one made of a member's name, such as "Paragraphs" or "Text 3".
fn topic_of(block: &Block) -> Option<&str> {
    let Body::Heading { text, .. } = &block.body else { return None };
    let made = block.pointer.keys().next().is_some_and(|key| {
        let bare = key.trim_end_matches(|last: char| last.is_ascii_digit() || last == ' ');
        let is_member = !key.contains(' ') || bare.len() < key.len() && has_role(bare, Role::Silent);
        is_member && humanise(&key) == *text
    });
    (is_name(text) && !made && !asks(text)).then_some(text.as_str())
}

impl<'a> Evidence<'a> {
    fn of_sentence(lesson: usize, at: usize, sentence: &'a Sentence, weight: f64) -> Self {
        let fact = sentence_fact(lesson, at);
        Self { lesson, pointer: &sentence.pointer, quote: &sentence.text, fact, weight }
    }
}

/// What an item tests that is about one sentence.
fn sentence_fact(lesson: usize, at: usize) -> String {
    format!("sentence {lesson} {at}")
}

/// What an item of a type is worth, in points.
pub(crate) fn score(kind: QuizItemKind) -> f64 {
    match kind {
        QuizItemKind::Select | QuizItemKind::TrueFalse => 1.0,
        QuizItemKind::Blank => 2.0,
        QuizItemKind::OpenEnded => 4.0,
        QuizItemKind::Submission => 8.0,
    }
}

/// Short enough to be shown whole.
fn fits(text: &str, characters: usize) -> bool {
    text.len() <= characters || text.chars().take(characters + 1).count() <= characters
}

/// A stable choice among `count` (at least 1).
fn pick(seed: &str, count: usize) -> usize {
    // The low bits of the hash alone would follow the seed's last letter.
    let hash = language::normal::stable_hash(seed);
    let spread = (hash ^ (hash >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
    usize::try_from(spread % count.max(1) as u64).unwrap_or(0)
}

/// The indexes 0..count, beginning somewhere that depends on the seed.
fn rotated(count: usize, seed: &str) -> impl Iterator<Item = usize> {
    let start = pick(seed, count);
    (0..count).map(move |at| (at + start) % count)
}

/// Without the closing period, for use inside quotation marks.
fn trimmed(text: &str) -> &str {
    text.trim_end().trim_end_matches(['.', '。', '।'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_varies() {
        let places: std::collections::HashSet<usize> =
            (0..40).map(|seed| pick(&format!("question {seed}"), 4)).collect();
        assert_eq!(places.len(), 4);
    }
}
