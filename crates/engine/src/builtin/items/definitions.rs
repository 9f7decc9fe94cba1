//! Questions about terms and what they mean. Wrong options are other terms, or other meanings, of the same material; one
//! that could be right as well is never taken.

use std::collections::HashSet;

use language::normal::{mentions, normal};
use language::profile::Profile;
use language::script::{is_unspaced, word_count};
use language::{fill, sentences};
use unicode_segmentation::UnicodeSegmentation;

use crate::builtin::lesson::{Definition, Prose};
use crate::builtin::material::Material;
use crate::drafts::{OmissionReason, QuizItemKind};
use crate::reading::names::capitalise;
use crate::text::stems::stems;

use super::{
    Candidate, Evidence, Form, GAP, MAX_OPTION, MAX_SHOWN, Rank, Workshop, fits, rotated, sentence_fact, trimmed,
};

/// Most definitions asked about in a lesson.
const MOST: usize = 10;
/// Most definitions that wrong options are taken from.
const MAX_POOL: usize = 400;
/// Most wrong options that are offered to choose from.
const MAX_RIVALS: usize = 8;
/// Fewest words of a meaning that tells one term from all others.
const TELLING: usize = 5;
/// How much of its lesson a definition is about.
const WEIGHT: f64 = 0.9;

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
            let is_told = |definition: &&Definition| {
                let letters = definition.term.chars().filter(|letter| letter.is_alphabetic()).count();
                fits(&definition.meaning, MAX_SHOWN) && (letters > 1 || definition.term.starts_with(is_unspaced))
            };
            let usable = found.definitions.iter().filter(is_told).take(share);
            usable.map(move |definition| {
                let meaning = normal(&definition.meaning);
                let words = stems(&meaning);
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
        let form = |pooled: &Self| (pooled.definition.prose.is_some(), pooled.definition.listed);
        let same_form = form(self) == form(other);
        !same_term && !alike && !told && same_form
    }

    /// The meaning names a term, or a form of it, that is asked for.
    fn is_circular(&self) -> bool {
        let within = |one: &str, other: &str| other.chars().nth(3).is_some() && one.contains(other);
        let alike = |word: &str, other: &str| same_root(word, other) || within(word, other) || within(other, word);
        self.term.split([' ', '-']).any(|word| {
            self.meaning.split(' ').any(|other| alike(word, other.trim_matches(|sign: char| !sign.is_alphanumeric())))
        })
    }

    /// Both say what sort of thing they are in the same words: "an igneous rock that …".
    fn is_of_the_same_sort(&self, other: &Self) -> bool {
        let sort = |text: &str| text.split(' ').take(3).map(str::to_owned).collect::<Vec<_>>();
        sort(&self.meaning) == sort(&other.meaning) && self.meaning.split(' ').count() > TELLING
    }

    /// The sentence that defines the term.
    fn evidence<'a>(&'a self, prose: &Prose, sentence: &'a str) -> Evidence<'a> {
        let fact = sentence_fact(self.lesson, prose.sentence);
        Evidence { lesson: self.lesson, pointer: &self.definition.pointer, quote: sentence, fact, weight: WEIGHT }
    }
}

impl Workshop<'_> {
    pub(super) fn about_definitions(&self, lesson: usize, found: &mut Vec<Candidate>) {
        let asked: Vec<&Pooled<'_>> = self.pool.0.iter().filter(|pooled| pooled.lesson == lesson).collect();
        // A long list is asked about all over, not only at its beginning.
        let step = asked.len().div_ceil(MOST).max(1);
        for (at, pooled) in asked.into_iter().step_by(step).enumerate() {
            match &pooled.definition.prose {
                Some(prose) => self.about_sentence(pooled, prose, found),
                None if pooled.definition.listed => self.about_listed(pooled, found),
                None => self.about_pair(pooled, at, found),
            }
        }
    }

    /// Terms that the meaning of `asked` surely does not fit.
    fn rivals<'p>(&'p self, asked: &'p Pooled<'_>, seed: &str) -> impl Iterator<Item = &'p Pooled<'p>> + 'p {
        self.pool.against(asked, seed).filter(|other| !self.said.may_mean(&other.term, &asked.words))
    }

    /// Meanings that surely do not fit the term of `asked`.
    fn rival_meanings(&self, asked: &Pooled<'_>, seed: &str) -> Vec<String> {
        let rivals = self.pool.against(asked, seed).filter(|other| {
            fits(&other.definition.meaning, MAX_OPTION) && !self.said.may_mean(&asked.term, &other.words)
        });
        let profile = self.lesson(asked.lesson).profile;
        rivals.take(MAX_RIVALS).map(|other| first_sentence(&other.definition.meaning, profile)).collect()
    }

    /// A pair is asked in one direction or the other.
    fn about_pair(&self, asked: &Pooled<'_>, at: usize, found: &mut Vec<Candidate>) {
        let phrases = self.phrases();
        let Definition { term, meaning, pointer, .. } = asked.definition;
        let quote = format!("{term}: {meaning}");
        let meaning = &first_sentence(meaning, self.lesson(asked.lesson).profile);
        let unique = !self.pool.0.iter().any(|other| other.meaning == asked.meaning && other.term != asked.term);
        let one_term = !self.pool.0.iter().any(|other| other.term == asked.term && other.meaning != asked.meaning);
        if !one_term || asked.is_circular() {
            self.tally.note(
                QuizItemKind::Select,
                if one_term { OmissionReason::GivesAway } else { OmissionReason::SeveralKeys },
            );
            return;
        }
        let evidence = || Evidence {
            lesson: asked.lesson,
            pointer,
            quote: &quote,
            fact: format!("pair {}", asked.term),
            weight: WEIGHT,
        };
        let question = fill(phrases.term_for, &[("definition", trimmed(meaning))]);
        if unique && at % 3 != 1 {
            let wrong = self.rivals(asked, &question).take(MAX_RIVALS).map(|other| other.definition.term.clone());
            let form = Form::Choice { key: term.clone(), wrong: wrong.collect() };
            found.push(self.candidate(evidence(), Rank::Sound, question, form));
        }
        if fits(meaning, MAX_OPTION) && !at.is_multiple_of(3) {
            let question = fill(phrases.meaning_of, &[("term", term)]);
            let form = Form::Choice { key: meaning.clone(), wrong: self.rival_meanings(asked, &question) };
            found.push(self.candidate(evidence(), Rank::Sound, question, form));
        }
        if unique && fits(term, 40) && !term.contains(is_unspaced) {
            let question = fill(phrases.blank_term, &[("definition", trimmed(meaning))]);
            found.push(self.candidate(
                evidence(),
                Rank::Sound,
                self.hinted(asked.lesson, &question, term),
                written(term),
            ));
        }
    }

    /// The item of a list is the description of its term, and the question asks which description fits.
    fn about_listed(&self, asked: &Pooled<'_>, found: &mut Vec<Candidate>) {
        let Definition { term, meaning, pointer, .. } = asked.definition;
        if asked.is_circular() || !fits(meaning, MAX_OPTION) {
            return;
        }
        let quote = format!("{term}: {meaning}");
        let fact = format!("pair {}", asked.term);
        let evidence = Evidence { lesson: asked.lesson, pointer, quote: &quote, fact, weight: WEIGHT };
        let question = fill(self.phrases().description_of, &[("term", term)]);
        let form = Form::Choice { key: meaning.clone(), wrong: self.rival_meanings(asked, &question) };
        found.push(self.candidate(evidence, Rank::Sound, question, form));
    }

    fn about_sentence(&self, asked: &Pooled<'_>, prose: &Prose, found: &mut Vec<Candidate>) {
        let sentence = &self.lesson(asked.lesson).sentences[prose.sentence];
        let telling = word_count(&asked.definition.meaning) >= TELLING && !asked.is_circular();
        if !fits(&sentence.text, MAX_SHOWN) || !sentence.standalone || !telling {
            return;
        }
        let gapped = format!("{GAP}{}", &sentence.text[prose.lead.len()..]);
        let unique = !self.said.may_mean_another(&asked.term, &asked.words);
        let question = fill(self.phrases().cloze_term, &[("sentence", &gapped)]);
        // The gap opens the sentence, so that options begin with a capital, and have their own articles.
        let wrong: Vec<String> = self
            .rivals(asked, &sentence.text)
            .filter_map(|other| other.definition.prose.as_ref())
            // "____ are …" fits no term that "is" something.
            .filter(|theirs| theirs.copula == prose.copula && !theirs.lead.contains(','))
            .map(|theirs| capitalise(&theirs.lead))
            .take(MAX_RIVALS)
            .collect();
        let form = Form::Choice { key: capitalise(&prose.lead), wrong };
        // A remark in passing is not always a definition.
        let rank = if prose.introduces { Rank::Sound } else { Rank::Spare };
        found.push(self.candidate(asked.evidence(prose, &sentence.text), rank, question, form));
        self.judge(asked, prose, &sentence.text, found);
        if !prose.introduces {
            return;
        }
        self.describe(asked, prose, &sentence.text, found);
        if unique && fits(&asked.definition.term, 40) && !asked.definition.term.contains(is_unspaced) {
            let profile = self.lesson(asked.lesson).profile;
            let meaning = profile.without_closing_copula(trimmed(&asked.definition.meaning));
            let question = fill(self.phrases().blank_term, &[("definition", meaning)]);
            let evidence = asked.evidence(prose, &sentence.text);
            let question = self.hinted(asked.lesson, &question, &asked.definition.term);
            found.push(self.candidate(evidence, Rank::Sound, question, written(&asked.definition.term)));
        }
    }

    /// The question with the first letter of the term, so that no synonym is an answer as well.
    pub(super) fn hinted(&self, lesson: usize, question: &str, term: &str) -> String {
        let profile = self.lesson(lesson).profile;
        let mut words = term.split_whitespace().skip_while(|word| profile.is_article(&word.to_lowercase()));
        let first = words.next().unwrap_or(term).graphemes(true).next().unwrap_or_default();
        format!("{question} ({first}…)")
    }

    /// Which description fits the term?
    fn describe(&self, asked: &Pooled<'_>, prose: &Prose, sentence: &str, found: &mut Vec<Candidate>) {
        let Definition { term, meaning, .. } = asked.definition;
        if !fits(meaning, MAX_OPTION) {
            return;
        }
        let question = fill(self.phrases().description_of, &[("term", term)]);
        let form = Form::Choice { key: meaning.clone(), wrong: self.rival_meanings(asked, term) };
        found.push(self.candidate(asked.evidence(prose, sentence), Rank::Sound, question, form));
    }

    /// The sentence, or the same with another term of the same sort in its place, which means something else.
    fn judge(&self, asked: &Pooled<'_>, prose: &Prose, sentence: &str, found: &mut Vec<Candidate>) {
        let swapped = |other: &Pooled<'_>| {
            let theirs = other.definition.prose.as_ref()?;
            let peer = theirs.copula == prose.copula
                && !theirs.lead.contains(',')
                && other.lesson == asked.lesson
                && other.is_of_the_same_sort(asked)
                && !self.said.may_mean(&other.term, &asked.words);
            peer.then(|| format!("{}{}", theirs.lead, &sentence[prose.lead.len()..]))
        };
        let fails: Vec<String> = self
            .pool
            .against(asked, sentence)
            .filter_map(swapped)
            .filter(|statement| !self.said.states(statement))
            .take(2)
            .collect();
        if fails.is_empty() {
            self.tally.note(QuizItemKind::TrueFalse, OmissionReason::FewRivals);
            return;
        }
        let form = Form::Verdict { holds: Some(sentence.to_owned()), fails };
        found.push(self.candidate(asked.evidence(prose, sentence), Rank::Spare, sentence.to_owned(), form));
    }
}

/// The meaning of a term, without what else is said of it: "A capital. Small letters are called lower case."
fn first_sentence(meaning: &str, profile: &Profile) -> String {
    let sentences = sentences::split(meaning, profile);
    let first = match sentences[..] {
        [first, _, ..] => trimmed(first),
        _ => meaning,
    };
    // "upper chamber (plural: atria)": what stands in brackets at the end is a remark.
    match first.strip_suffix(')').and_then(|first| first.rsplit_once(" (")) {
        Some((bare, _)) if !bare.is_empty() => bare.to_owned(),
        _ => first.to_owned(),
    }
}

pub(super) fn written(key: &str) -> Form {
    Form::Written { kind: QuizItemKind::Blank, keys: vec![key.to_owned()] }
}

/// "cell" and "cells", "grow" and "growth".
pub(super) fn same_root(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars()).take_while(|(left, right)| left == right).count();
    let longer = one.chars().count().max(other.chars().count());
    shared >= 4 && shared + 3 >= longer
}
