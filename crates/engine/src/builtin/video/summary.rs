//! The sentences of a lesson that carry most of it.
//!
//! A sentence counts by the terms that no chosen sentence has yet, and by what it defines. It is passed over where it repeats
//! a chosen one, points at what only readers see, or can't be spoken. A sentence that leans on the one before it is chosen
//! only together with that one.

use std::collections::HashSet;

use language::normal::stable_hash;
use language::profile::{self, Profile};
use language::sentences;

use crate::builtin::lesson::{Lesson, Sentence};
use crate::builtin::speech::{Voice, formulas, plain};
use crate::phrases::Phrases;
use crate::reading::blocks::{Body, Origin};

use super::budget::{Allowance, counted, of_block, share};
use super::telling;
use super::{FULL_SCENE, Line, MAX_SCENE, Screen};

/// Most sentences that are chosen of a lesson.
const MOST: usize = 40;
/// Most sentences that are passed over before the choice ends.
const MOST_REFUSED: usize = 60;
/// Two sentences that share so many of their words say the same.
const SAME: f64 = 0.5;

/// What is told of a lesson, in source order.
pub(super) fn lines(lesson: &Lesson, allowance: &mut Allowance, voice: &Voice, phrases: &Phrases) -> Vec<Line> {
    let mut told: Vec<(usize, usize, Line)> = Vec::new();
    let mut heading: Option<&str> = None;
    let of_sentences: HashSet<usize> = lesson.sentences.iter().map(|sentence| sentence.block).collect();
    let half = allowance.words / 2.0;
    for (at, block) in lesson.reading.blocks.iter().enumerate() {
        if let Body::Heading { text, .. } = &block.body {
            heading = Some(text);
            continue;
        }
        let is_prose = matches!(block.body, Body::Paragraph(_)) || of_sentences.contains(&at);
        // Single values mean little beside sentences.
        let is_beside = matches!(block.body, Body::Facts(_)) && !lesson.sentences.is_empty();
        if is_prose || is_beside || !block.teaches() {
            continue;
        }
        let most = if telling::are_steps(block) { half.max(24.0) } else { (half / 2.0).max(6.0) };
        let part = allowance.part((of_block(&block.body) / share()).max(most));
        let mut left = part;
        let label = label_of(lesson, at, heading);
        let lines = telling::told(block, label, &mut left, voice, phrases);
        allowance.spend(&part, &left);
        told.extend(lines.into_iter().enumerate().map(|(within, line)| (at, within, line)));
    }
    let chosen = Choice::of(lesson, voice).within(allowance);
    let lines = chosen.into_iter().map(|(at, said)| (lesson.sentences[at].block, at, line(lesson, at, said)));
    told.extend(lines);
    told.sort_by_key(|(block, within, _)| (*block, *within));
    told.into_iter().map(|(_, _, line)| line).collect()
}

/// The one sentence that says most and fits.
pub(super) fn central(lesson: &Lesson, allowance: &mut Allowance, voice: &Voice) -> Option<Line> {
    let mut choice = Choice::of(lesson, voice);
    choice.most = 1;
    let chosen = choice.within(allowance).into_iter().next();
    chosen.map(|(at, said)| line(lesson, at, said)).or_else(|| {
        let sentence = lesson.key_sentence().filter(|sentence| lesson.reading.blocks[sentence.block].teaches())?;
        let said = voice.say(&sentence.text).filter(|said| allowance.take(said, voice.seconds(said)))?;
        let at = lesson.sentences.iter().position(|other| std::ptr::eq(other, sentence))?;
        Some(line(lesson, at, said))
    })
}

/// The sentences that say most of those that are not known, as many as a scene takes; one where the shortest takes longer.
pub(super) fn unknown(lesson: &Lesson, voice: &Voice, is_known: &dyn Fn(&str) -> bool) -> Vec<Line> {
    let is_new = |candidate: &Candidate| {
        let text = &lesson.sentences[candidate.at].text;
        candidate.alone && !is_known(text) && voice.say(text).is_some_and(|said| !is_known(&said))
    };
    let chosen = |seconds: f64, most: usize| {
        let mut choice = Choice::of(lesson, voice);
        choice.candidates.retain(is_new);
        choice.most = most;
        choice.within(&mut Allowance { words: f64::MAX, seconds })
    };
    let mut found = chosen(FULL_SCENE, MOST);
    if found.is_empty() {
        found = chosen(MAX_SCENE, 1);
    }
    found.into_iter().map(|(at, said)| line(lesson, at, said)).collect()
}

/// The text that introduces a block: a sentence before it that ends in a colon, or its heading.
fn label_of<'l>(lesson: &'l Lesson, at: usize, heading: Option<&'l str>) -> &'l str {
    let before = lesson.sentences.iter().rev().find(|sentence| sentence.block + 1 == at);
    let introduces = before.map(|sentence| sentence.text.as_str()).filter(|text| text.ends_with([':', '：']));
    introduces.map(|text| text.trim_end_matches([':', '：'])).or(heading).unwrap_or_default()
}

fn line(lesson: &Lesson, at: usize, said: String) -> Line {
    let sentence = &lesson.sentences[at];
    let defined = lesson
        .definitions
        .iter()
        .find(|definition| definition.prose.as_ref().is_some_and(|prose| prose.sentence == at));
    let formula = formulas(&sentence.text)
        .into_iter()
        .find_map(|formula| plain(formula).filter(|shown| shown.chars().count() > 2));
    let screen = match (formula, defined) {
        (Some(formula), _) => Screen::Formula(formula),
        (None, Some(definition)) => Screen::Definition(definition.term.clone(), definition.meaning.clone()),
        (None, None) => Screen::Words,
    };
    let before = lesson.reading.blocks[..sentence.block].iter().rev();
    let heading = before
        .take(40)
        .find_map(|block| if let Body::Heading { text, .. } = &block.body { Some(text.clone()) } else { None });
    Line { said, pointer: sentence.pointer.clone(), screen, heading }
}

/// Chooses sentences one by one.
struct Choice<'l> {
    lesson: &'l Lesson,
    voice: &'l Voice,
    candidates: Vec<Candidate>,
    weights: Vec<f64>,
    most: usize,
}

struct Candidate {
    at: usize,
    /// Is understood alone.
    alone: bool,
    /// The terms in it, a bit for each.
    terms: u32,
    words: Vec<u64>,
    length: f64,
    /// What it counts beside its terms.
    own: f64,
}

impl<'l> Choice<'l> {
    fn of(lesson: &'l Lesson, voice: &'l Voice) -> Self {
        let profile = profile::of(voice.tag());
        let terms: Vec<String> = lesson.terms.iter().take(32).map(|term| term.text.to_lowercase()).collect();
        let best = lesson.sentences.iter().map(|sentence| sentence.score).fold(f64::MIN_POSITIVE, f64::max);
        let defining: HashSet<usize> = lesson
            .definitions
            .iter()
            .filter_map(|definition| definition.prose.as_ref())
            .map(|prose| prose.sentence)
            .collect();
        let prompt = lesson.reading.origin == Origin::Prompt;
        let fit = lesson.sentences.iter().enumerate().filter(|(_, sentence)| {
            lesson.reading.blocks[sentence.block].teaches() && may_be_told(sentence, voice, prompt)
        });
        let candidates = fit
            .map(|(at, sentence)| {
                let lower = sentence.text.to_lowercase();
                let alone = sentence.standalone && !leans_within(&lower, profile);
                let found = terms.iter().enumerate().filter(|(_, term)| lower.contains(term.as_str()));
                Candidate {
                    at,
                    alone: alone || prompt,
                    terms: found.fold(0, |bits, (place, _)| bits | 1 << place),
                    words: content_words(&lower, profile),
                    length: counted(&sentence.text),
                    own: 0.5 * sentence.score / best + if defining.contains(&at) { 0.8 } else { 0.0 },
                }
            })
            .collect();
        #[expect(clippy::cast_precision_loss, reason = "a lesson has few terms")]
        let weights = (0..terms.len()).map(|place| 1.0 / (1.0 + 0.15 * place as f64)).collect();
        Self { lesson, voice, candidates, weights, most: MOST }
    }

    /// All sentences that fit, one after the other.
    fn all(self, allowance: &mut Allowance) -> Vec<(usize, String)> {
        let said = self.candidates.iter().filter_map(|candidate| {
            let said = self.voice.say(&self.lesson.sentences[candidate.at].text)?;
            allowance.take(&said, self.voice.seconds(&said)).then_some((candidate.at, said))
        });
        said.take(self.most).collect()
    }

    /// The sentences that fit, in source order, each as it is said.
    fn within(mut self, allowance: &mut Allowance) -> Vec<(usize, String)> {
        if self.lesson.reading.origin == Origin::Prompt {
            return self.all(allowance);
        }
        let mut chosen: Vec<(usize, String)> = Vec::new();
        let mut covered = 0_u32;
        let mut said_words: Vec<Vec<u64>> = Vec::new();
        let mut refused = 0;
        while chosen.len() < self.most && refused < MOST_REFUSED {
            let leads = |candidate: &Candidate| {
                candidate.alone
                    || candidate.at > 0
                        && chosen.iter().any(|(at, _)| *at == candidate.at - 1)
                        && self.lesson.sentences[candidate.at].block == self.lesson.sentences[candidate.at - 1].block
            };
            let fitting = self
                .candidates
                .iter()
                .enumerate()
                .filter(|(_, candidate)| candidate.length <= allowance.words + 2.0 && leads(candidate));
            let best = fitting
                .map(|(place, candidate)| (place, self.gain(candidate, covered)))
                .max_by(|left, right| left.1.total_cmp(&right.1).then(right.0.cmp(&left.0)));
            let Some((place, _)) = best else { break };
            let candidate = self.candidates.remove(place);
            let repeats = said_words.iter().any(|words| overlap(words, &candidate.words) >= SAME);
            let said = self.voice.say(&self.lesson.sentences[candidate.at].text).filter(|_| !repeats);
            let Some(said) = said.filter(|said| allowance.take(said, self.voice.seconds(said))) else {
                refused += 1;
                continue;
            };
            covered |= candidate.terms;
            said_words.push(candidate.words);
            chosen.push((candidate.at, said));
        }
        chosen.sort_by_key(|(at, _)| *at);
        chosen
    }

    fn gain(&self, candidate: &Candidate, covered: u32) -> f64 {
        let carried: f64 = self
            .weights
            .iter()
            .enumerate()
            .filter(|(place, _)| candidate.terms & (1 << place) != 0)
            .map(|(place, weight)| if covered & (1 << place) == 0 { *weight } else { 0.2 * weight })
            .sum();
        (candidate.own + carried) / (candidate.length + 8.0).sqrt()
    }
}

/// A whole statement that a narrator can make.
fn may_be_told(sentence: &Sentence, voice: &Voice, prompt: bool) -> bool {
    let text = sentence.text.as_str();
    let length = if prompt { 1..=90 } else { 4..=45 };
    length.contains(&sentence.words)
        && (sentences::is_complete(text) || prompt)
        && !text.contains(['?', '？', '؟'])
        && !text.starts_with(['(', '-', '–', '—', '*'])
        && !text.trim_end().ends_with([':', '：'])
        && !voice.points(text)
}

/// "Plants, however, need light": a word set apart by commas that leans on what was said before.
fn leans_within(lower: &str, profile: &Profile) -> bool {
    let mut clauses = lower.split(',').skip(1).take(2);
    clauses.any(|clause| {
        let clause = clause.trim();
        !clause.contains(' ') && profile.is_anaphoric(clause)
    })
}

fn content_words(lower: &str, profile: &Profile) -> Vec<u64> {
    let mut words: Vec<u64> = if lower.contains(language::script::is_unspaced) {
        let letters: Vec<char> = lower.chars().filter(|character| character.is_alphanumeric()).collect();
        letters.windows(2).map(|pair| stable_hash(&pair.iter().collect::<String>())).collect()
    } else {
        let all = lower.split(|character: char| !character.is_alphanumeric());
        all.filter(|word| word.len() > 2 && !profile.is_stop(word)).map(stable_hash).collect()
    };
    words.sort_unstable();
    words.dedup();
    words
}

/// The share of the smaller of two sorted lists that is in the other.
#[expect(clippy::cast_precision_loss, reason = "a sentence has few words")]
fn overlap(one: &[u64], other: &[u64]) -> f64 {
    let (few, many) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let shared = few.iter().filter(|word| many.binary_search(word).is_ok()).count();
    shared as f64 / few.len().max(1) as f64
}
