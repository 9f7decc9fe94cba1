//! Questions about terms and what they mean. Wrong options are other terms, or other meanings, of
//! the same material; one that could be right as well is never taken.

use std::collections::HashSet;

use language::fill;
use language::normal::{mentions, normal};
use language::script::is_unspaced;

use crate::builtin::lesson::{Definition, Prose};
use crate::builtin::material::Material;
use crate::drafts::QuizItemKind;
use crate::reading::names::capitalise;
use crate::text::terms::Class;

use super::options::{arrange, pick, rotated};
use super::{Evidence, GAP, Item, MAX_OPTION, MAX_SHOWN, Workshop, fits};

/// Most definitions asked about in a lesson.
const MOST: usize = 10;
/// Most definitions that wrong options are taken from.
const MAX_POOL: usize = 400;

/// A definition with what comparing needs.
struct Pooled<'m> {
    lesson: usize,
    definition: &'m Definition,
    term: String,
    meaning: String,
    words: HashSet<String>,
}

/// The definitions of all lessons.
pub(super) struct Pool<'m>(Vec<Pooled<'m>>);

impl<'m> Pool<'m> {
    pub(super) fn new(material: &'m Material) -> Self {
        let share = (MAX_POOL / material.lessons.len().max(1)).max(4);
        let all = material.lessons.iter().enumerate().flat_map(|(lesson, found)| {
            let usable = found.definitions.iter().filter(|definition| fits(&definition.meaning, MAX_SHOWN)).take(share);
            usable.map(move |definition| {
                let meaning = normal(&definition.meaning);
                let words = words_of(&meaning);
                Pooled { lesson, definition, term: normal(&definition.term), meaning, words }
            })
        });
        Self(all.take(MAX_POOL).collect())
    }

    /// Others that can stand against `asked`, those of the same lesson first.
    fn against<'p>(&'p self, asked: &'p Pooled<'m>, seed: &str) -> impl Iterator<Item = &'p Pooled<'m>> + 'p {
        let order: Vec<usize> = rotated(self.0.len(), seed).collect();
        let (near, far): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(|at| self.0[*at].lesson == asked.lesson);
        near.into_iter().chain(far).map(|at| &self.0[at]).filter(|other| other.differs_from(asked))
    }
}

/// Words, or pairs of characters where words are not set apart.
fn words_of(text: &str) -> HashSet<String> {
    if text.contains(is_unspaced) {
        let characters: Vec<char> = text.chars().collect();
        return characters.windows(2).map(|pair| pair.iter().collect()).collect();
    }
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| word.chars().count() > 3)
        .map(str::to_owned)
        .collect()
}

impl Pooled<'_> {
    /// Neither the same term nor the same meaning, nor part of one another.
    fn differs_from(&self, other: &Self) -> bool {
        let same_term = mentions(&self.term, &other.term) || mentions(&other.term, &self.term);
        let shared = self.words.intersection(&other.words).count();
        let smaller = self.words.len().min(other.words.len());
        let alike = self.meaning == other.meaning
            || smaller > 1 && shared * 2 > smaller
            || self.meaning.contains(&other.meaning)
            || other.meaning.contains(&self.meaning);
        let told = mentions(&other.meaning, &self.term) || mentions(&self.meaning, &other.term);
        let same_form = self.definition.prose.is_some() == other.definition.prose.is_some();
        !same_term && !alike && !told && same_form
    }

    /// The sentence that defines the term.
    fn evidence<'a>(&'a self, prose: &Prose, sentence: &'a str) -> Evidence<'a> {
        let fact = format!("sentence {} {}", self.lesson, prose.sentence);
        Evidence { lesson: self.lesson, pointer: &self.definition.pointer, quote: sentence, fact }
    }
}

impl Workshop<'_> {
    pub(super) fn about_definitions(&self, lesson: usize, items: &mut Vec<Item>) {
        let asked: Vec<&Pooled<'_>> = self.pool.0.iter().filter(|pooled| pooled.lesson == lesson).collect();
        // A long list is asked about all over, not only at its beginning.
        let step = asked.len().div_ceil(MOST).max(1);
        for (at, pooled) in asked.into_iter().step_by(step).enumerate() {
            match &pooled.definition.prose {
                Some(prose) => self.about_sentence(pooled, prose, items),
                None => items.extend(self.about_pair(pooled, at)),
            }
        }
    }

    /// A pair is asked in one direction or the other.
    fn about_pair(&self, asked: &Pooled<'_>, at: usize) -> Option<Item> {
        let phrases = self.phrases();
        let Definition { term, meaning, pointer, .. } = asked.definition;
        let quote = format!("{term}: {meaning}");
        let fact = format!("pair {}", asked.term);
        let unique = !self.pool.0.iter().any(|other| other.meaning == asked.meaning && other.term != asked.term);
        let make = |kind, question, options: Vec<String>, key: &str| {
            let evidence = Evidence { lesson: asked.lesson, pointer, quote: &quote, fact: fact.clone() };
            self.item(evidence, kind, question, options, vec![key.to_owned()])
        };
        let terms = || self.pool.against(asked, term).map(|other| other.definition.term.clone());
        let meanings = || {
            self.pool
                .against(asked, meaning)
                .filter(|other| fits(&other.definition.meaning, MAX_OPTION))
                .map(|other| other.definition.meaning.clone())
        };
        let select_term = || {
            let question = fill(phrases.term_for, &[("definition", trimmed(meaning))]);
            unique
                .then(|| arrange(term, terms(), 2, &question))
                .flatten()
                .map(|options| make(QuizItemKind::Select, question, options, term))
        };
        let select_meaning = || {
            let question = fill(phrases.meaning_of, &[("term", term)]);
            let options = arrange(meaning, meanings(), 2, &question).filter(|_| fits(meaning, MAX_OPTION))?;
            Some(make(QuizItemKind::Select, question, options, meaning))
        };
        let write_term = || {
            let question = fill(phrases.blank_term, &[("definition", trimmed(meaning))]);
            (unique && fits(term, 40)).then(|| make(QuizItemKind::Blank, question, Vec::new(), term))
        };
        match at % 3 {
            0 => select_term().or_else(write_term),
            1 => select_meaning().or_else(write_term),
            _ => write_term().or_else(select_term),
        }
    }

    fn about_sentence(&self, asked: &Pooled<'_>, prose: &Prose, items: &mut Vec<Item>) {
        let sentence = &self.lesson(asked.lesson).sentences[prose.sentence];
        if !fits(&sentence.text, MAX_SHOWN) || !sentence.standalone {
            return;
        }
        let made = match pick(&sentence.text, 3) {
            0 => self.describe(asked, prose, &sentence.text).or_else(|| self.complete(asked, prose, &sentence.text)),
            _ => self.complete(asked, prose, &sentence.text).or_else(|| self.describe(asked, prose, &sentence.text)),
        };
        items.extend(made);
        items.extend(self.swapped(asked, prose, &sentence.text));
    }

    /// "____ is the process …": which term belongs there?
    fn complete(&self, asked: &Pooled<'_>, prose: &Prose, sentence: &str) -> Option<Item> {
        let gapped = format!("{GAP}{}", &sentence[prose.lead.len()..]);
        let question = fill(self.phrases().cloze_term, &[("sentence", &gapped)]);
        let said = normal(&gapped);
        let defined = self.pool.against(asked, sentence).map(|other| other.definition.term.clone());
        let further = self
            .lesson(asked.lesson)
            .terms
            .iter()
            .filter(|term| term.class == Class::Word && likely_peer(&term.text, &asked.definition.term))
            .map(|term| term.text.clone());
        let enough = self.pool.against(asked, sentence).take(2).count() == 2;
        let wrong = defined.chain(further.filter(|_| !enough)).filter(|term| {
            let form = normal(term);
            !mentions(&said, &form)
                && !mentions(&asked.term, &form)
                && !mentions(&form, &asked.term)
                && !same_root(&form, &asked.term)
        });
        // The gap opens the sentence, so all options begin with a capital.
        let key = capitalise(&asked.definition.term);
        let options = arrange(&key, wrong.map(|term| capitalise(&term)), 2, &question)?;
        Some(self.choice(asked.evidence(prose, sentence), question, options, key))
    }

    /// Which description fits the term?
    fn describe(&self, asked: &Pooled<'_>, prose: &Prose, sentence: &str) -> Option<Item> {
        let Definition { term, meaning, .. } = asked.definition;
        let question = fill(self.phrases().description_of, &[("term", term)]);
        let wrong = self
            .pool
            .against(asked, term)
            .filter(|other| fits(&other.definition.meaning, MAX_OPTION))
            .map(|other| other.definition.meaning.clone());
        let options = arrange(meaning, wrong, 2, &question).filter(|_| fits(meaning, MAX_OPTION))?;
        Some(self.choice(asked.evidence(prose, sentence), question, options, meaning.clone()))
    }

    /// The sentence with another defined term in its place: false, because that one means something else.
    fn swapped(&self, asked: &Pooled<'_>, prose: &Prose, sentence: &str) -> Option<Item> {
        let fitting = |other: &&Pooled<'_>| {
            other
                .definition
                .prose
                .as_ref()
                .is_some_and(|theirs| theirs.copula == prose.copula && !theirs.lead.contains(','))
        };
        let other = self.pool.against(asked, sentence).find(fitting)?;
        let lead = &other.definition.prose.as_ref()?.lead;
        let statement = format!("{lead}{}", &sentence[prose.lead.len()..]);
        Some(self.verdict(&statement, false, asked.evidence(prose, sentence)))
    }
}

/// A term that could stand in the same place: about as long, and not a lone small word.
fn likely_peer(term: &str, asked: &str) -> bool {
    let words = |text: &str| text.split(' ').count();
    words(term).abs_diff(words(asked)) <= 1 && term.chars().count() >= 3
}

/// "cell" and "cells", "grow" and "growth".
pub(super) fn same_root(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars()).take_while(|(left, right)| left == right).count();
    let longer = one.chars().count().max(other.chars().count());
    shared >= 4 && shared + 3 >= longer
}

/// Without the closing period, for use inside quotation marks.
fn trimmed(text: &str) -> &str {
    text.trim_end_matches(['.', '。', '।'])
}
