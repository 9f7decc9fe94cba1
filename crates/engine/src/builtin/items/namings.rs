//! Questions for the names that sentences give: "flattened sacs called ____ are stacked into grana". They are written; in scripts without
//! spaces they are chosen among other names that the same material gives.

use std::collections::HashSet;

use language::fill;
use language::normal::{mentions, normal, occurrences};
use language::script::is_unspaced;

use crate::builtin::lesson::Sentence;
use crate::builtin::material::Material;
use crate::text::namings::{self, Naming};
use crate::text::stems::stems;

use super::balance::MIN_WRONG;
use super::definitions::{same_root, spells_out, written};
use super::statements::gapped;
use super::{Candidate, Evidence, Form, MAX_SHOWN, Rank, Workshop, fits, rotated};

/// Most names of a lesson and of all lessons, and most wrong options that are offered to choose from.
const MOST: usize = 6;
const MAX_POOL: usize = 400;
const MAX_RIVALS: usize = 8;
/// How much of its lesson a name is about.
const WEIGHT: f64 = 0.8;

/// A name with what comparing needs.
pub(super) struct PooledNaming<'m> {
    lesson: usize,
    /// The sentence's place in its lesson.
    at: usize,
    sentence: &'m Sentence,
    naming: Naming,
    /// The name and its sentence in normal form.
    name: String,
    told: String,
    /// The words that say what is named.
    words: HashSet<String>,
}

/// The names that all lessons give.
pub(super) fn pool(material: &Material) -> Vec<PooledNaming<'_>> {
    let given = material.lessons.iter().enumerate().flat_map(|(lesson, read)| {
        let sentences = read.sentences.iter().enumerate();
        let usable = sentences.filter(|(_, sentence)| {
            sentence.standalone
                && fits(&sentence.text, MAX_SHOWN)
                && !read.points_elsewhere(sentence)
                && !read.holds_a_pronoun(&sentence.text)
                && !read.speaks_of_itself(sentence)
                // A symbol stands for something that another sentence says.
                && !sentence.text.contains(['$', '\\'])
        });
        usable.filter_map(move |(at, sentence)| PooledNaming::of(lesson, at, sentence, read.profile)).take(MOST)
    });
    let mut seen = HashSet::new();
    let all: Vec<PooledNaming<'_>> = given.take(MAX_POOL).collect();
    // A name of two things is the key of neither.
    let twice: HashSet<String> =
        all.iter().filter(|named| !seen.insert(named.name.clone())).map(|named| named.name.clone()).collect();
    all.into_iter().filter(|named| !twice.contains(&named.name)).collect()
}

impl<'m> PooledNaming<'m> {
    fn of(lesson: usize, at: usize, sentence: &'m Sentence, profile: &language::profile::Profile) -> Option<Self> {
        let naming = namings::find(&sentence.text, profile)?;
        let (shown, lower) = (&sentence.text[naming.name.clone()], sentence.text.to_lowercase());
        let once = occurrences(&lower, &shown.to_lowercase()) == 1;
        // Another form of the name in the sentence would tell it.
        let is_told = lower
            .split(|sign: char| !sign.is_alphanumeric())
            .any(|word| shown.to_lowercase().split([' ', '-']).any(|part| part != word && same_root(word, part)));
        let (name, told) = (normal(shown), normal(&sentence.text));
        let words = stems(&normal(&gapped(&sentence.text, naming.name.start, shown)));
        let is_told = is_told || spells_out(&told, shown);
        (once && !is_told).then_some(Self { lesson, at, sentence, naming, name, told, words })
    }

    fn shown(&self) -> &'m str {
        &self.sentence.text[self.naming.name.clone()]
    }

    /// Whether the name of `other` can stand in this sentence and says something else.
    fn stands_against(&self, other: &Self) -> bool {
        self.naming.article == other.naming.article
            && !mentions(&self.told, &other.name)
            && !mentions(&other.told, &self.name)
            && !mentions(&self.name, &other.name)
            && !mentions(&other.name, &self.name)
    }
}

impl Workshop<'_> {
    pub(super) fn about_namings(&self, lesson: usize, found: &mut Vec<Candidate>) {
        for named in self.namings.iter().filter(|named| named.lesson == lesson) {
            let sentence = &named.sentence.text;
            let evidence = || Evidence::of_sentence(lesson, named.at, named.sentence, WEIGHT);
            let question = gapped(sentence, named.naming.name.start, named.shown());
            let in_context = |question: String| self.in_context(lesson, named.sentence, question, Some(named.shown()));
            let saying: Vec<&str> = self.said.saying(&named.words).collect();
            let rivals = rotated(self.namings.len(), sentence).map(|at| &self.namings[at]).filter(|other| {
                named.stands_against(other) && !saying.iter().any(|statement| mentions(statement, &other.name))
            });
            let wrong: Vec<String> = rivals.map(|other| other.shown().to_owned()).take(MAX_RIVALS).collect();
            // Names of different sorts of things tell which one fits. In scripts without spaces nothing can be written.
            if wrong.len() >= MIN_WRONG && sentence.contains(is_unspaced) {
                let question = fill(self.phrases().cloze_term, &[("sentence", &question)]);
                let form = Form::Choice { key: named.shown().to_owned(), wrong };
                found.push(self.candidate(evidence(), Rank::Sound, in_context(question), form));
            }
            if !sentence.contains(is_unspaced) {
                let question = fill(self.phrases().blank, &[("sentence", &question)]);
                let question = self.hinted(lesson, &question, named.shown());
                found.push(self.candidate(evidence(), Rank::Sound, in_context(question), written(named.shown())));
            }
        }
    }
}
