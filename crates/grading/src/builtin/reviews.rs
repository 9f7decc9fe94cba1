//! What people's grades for other answers to the same question say of this one.
//!
//! The scorer says what was to be expected of each of those answers; [`regression`] learns how far people's grades lie from that,
//! and moves this answer by those that it is like: in its own words, its letters, its pairs of words, and in what the scorer sees.
//! What was learnt is learnt anew for each grade from what the submission brings, so the same submission always gets the same
//! grade; without graded answers nothing here runs.

mod regression;

use std::collections::{HashMap, HashSet};

use super::super::{ReviewReason, ReviewedAnswer};
use super::features::Features;
use super::guards;
use super::judgement::{Judged, Judgement, MOST_WITHOUT_SENTENCES, Task, total};
use super::reference::Reference;
use super::scorer::{self, logistic};
use super::text::Text;
use language::normal::normal;
use regression::Regression;

/// Most graded answers that are looked at, the newest, and most words of each.
const MOST_ANSWERS: usize = 64;
const MOST_WORDS: usize = 1_000;
/// How far each likeness lets one answer tell of another, as a variance of log-odds: both are answers, they have words of their
/// own, letters, and pairs of words in common, and the scorer sees the same in them.
const ANY: f64 = 2.0;
const OWN: f64 = 4.0;
const LETTERS: f64 = 4.0;
const PAIRS: f64 = 4.0;
const SEEN: f64 = 3.0;
/// What the scorer sees is alike no more when it lies this far apart, in log-odds.
const APART: f64 = 0.5;
/// The scorer was fitted to the questions of many; within one, what it sees tells answers further apart.
const STEEP: f64 = 1.5;
/// The least and the most log-odds that a share stands for: people are not surer than that.
const MOST_ODDS: f64 = 4.0;
/// Shares that lie so near each other are taken to be as hard to tell.
const NEAR: f64 = 0.15;
/// How many graded answers the confidence without them counts as.
const BEFORE: f64 = 5.0;
/// A grade within so much of a share confirms it.
const QUARTER: f64 = 0.25;
/// How sure the grade of the same answer makes.
const SURE: f64 = 0.95;
/// From this share on an answer is a good one.
const GOOD: f64 = 0.5;
/// Likeness of the words, and of the neighbours, from which an answer speaks of what good ones do, and as they do.
const RELATED: f64 = 0.2;
const IN_ORDER: f64 = 0.15;
/// Likeness of the words of answers that say the same, or the contrary; and how sure it can be which.
const SAME_WORDS: f64 = 0.8;
const MOST_SURE_TURNED: f64 = 0.5;
/// How sure it can be of an answer that reviews cannot raise.
const MOST_SURE_HELD: f64 = 0.75;
/// How sure it has to be with reviews for a person to be spared.
const LEAST_SURE: f64 = 0.5;
/// From so many on there is something to compare with where the task has no reference.
const ENOUGH: usize = 5;

/// An answer that a person graded, ready to be compared.
struct Graded {
    /// What a reader sees of it.
    text: String,
    share: f64,
    /// Of each criterion; `None` where they are not those of the submission.
    criteria: Option<Vec<f64>>,
}

/// Moves a judgement to where people's grades for other answers say that it belongs.
pub(super) fn correct(judgement: &mut Judgement, task: &Task<'_>, references: &[Reference]) {
    // What stands in files was graded too, and is not among what is known of the other answers.
    if task.submission.reviewed.is_empty() || !task.submission.answer_files.is_empty() {
        return;
    }
    let graded = read_graded(task);
    // Grades for answers in the task's language say little of one in another language.
    if graded.is_empty() || inherit(judgement, task, &graded) || task.intake.foreign().is_some() {
        return;
    }
    let texts: Vec<Text> = graded.iter().map(|one| Text::read(&one.text, task.reader(), MOST_WORDS)).collect();
    let own = Sketch::of(&task.answer, &task.question);
    let others: Vec<Sketch> = texts.iter().map(|text| Sketch::of(text, &task.question)).collect();
    let field = Field { task, graded: &graded, texts: &texts, own: &own, others: &others };
    let before = judgement.share;
    match &mut judgement.criteria {
        Some(criteria) if graded.iter().any(|one| one.criteria.is_some()) => {
            let mut sure = 0.0;
            for (at, judged) in criteria.iter_mut().enumerate() {
                let learnt = field.learn(&judged.yardstick.0, judged.share, judgement.confidence, |one| {
                    one.criteria.as_ref()?.get(at).copied()
                });
                judged.share = learnt.share;
                sure += learnt.confidence;
            }
            judgement.confidence = sure / criteria.len().max(1) as f64;
            judgement.share = total(criteria);
        }
        criteria => {
            let learnt = field.learn(references, judgement.share, judgement.confidence, |one| Some(one.share));
            judgement.confidence = learnt.confidence;
            judgement.share = match criteria {
                Some(criteria) => {
                    spread(criteria, judgement.share, learnt.share);
                    total(criteria)
                }
                None => learnt.share,
            };
        }
    }
    let most = field.most(judgement, before);
    judgement.hold_to(most.unwrap_or(1.0));
    match most {
        // A person should still look at what kept the reviews from raising the answer.
        Some(_) if !judgement.reasons.is_empty() => judgement.confidence = judgement.confidence.min(MOST_SURE_HELD),
        None if graded.len() >= ENOUGH && judgement.confidence >= LEAST_SURE => judgement.settle(),
        _ => {}
    }
    let turns_round = |((one, text), sketch): ((&Graded, &Text), &Sketch)| {
        one.share >= GOOD && cosine(&sketch.own, &own.own) >= SAME_WORDS && text.denials != task.answer.denials
    };
    if graded.iter().zip(&texts).zip(&others).any(turns_round) {
        judgement.doubt(ReviewReason::Contradiction, MOST_SURE_TURNED);
    }
}

/// Gives an answer without words the grade that a person gave the same one.
pub(super) fn keep(judgement: &mut Judgement, task: &Task<'_>) {
    if task.submission.answer_files.is_empty() && inherit(judgement, task, &read_graded(task)) {
        judgement.is_blank = judgement.share == 0.0;
    }
}

/// An answer that a person has graded already, word for word, gets its grade: the mean where it has several.
fn inherit(judgement: &mut Judgement, task: &Task<'_>, graded: &[Graded]) -> bool {
    let own = normal(&task.intake.text);
    let same: Vec<&Graded> = graded.iter().filter(|graded| normal(&graded.text) == own).collect();
    let Some(share) = mean(same.iter().map(|graded| graded.share)) else { return false };
    let apart = same.iter().map(|graded| (graded.share - share).abs()).fold(0.0, f64::max);
    let before = judgement.share;
    judgement.share = share;
    if let Some(criteria) = &mut judgement.criteria {
        let of = |at: usize| mean(same.iter().filter_map(|graded| graded.criteria.as_ref()?.get(at).copied()));
        let known: Vec<f64> = (0..criteria.len()).map_while(of).collect();
        if known.len() == criteria.len() {
            criteria.iter_mut().zip(known).for_each(|(judged, share)| judged.share = share);
        } else {
            spread(criteria, before, share);
        }
        judgement.share = total(criteria);
    }
    judgement.confidence = SURE - apart;
    judgement.says_nothing_known = false;
    judgement.settle();
    true
}

fn read_graded(task: &Task<'_>) -> Vec<Graded> {
    let criteria = task.submission.criteria.len();
    let read = |reviewed: &ReviewedAnswer| {
        let text = guards::visible(&reviewed.answer, task.intake.reading).text;
        let is_of_rubric = !reviewed.criteria.is_empty() && reviewed.criteria.len() == criteria;
        let is_sound = is_of_rubric && reviewed.criteria.iter().all(|share| share.is_finite());
        let criteria = is_sound.then(|| reviewed.criteria.iter().map(|share| share.clamp(0.0, 1.0)).collect());
        reviewed.share.is_finite().then_some(Graded { text, share: reviewed.share.clamp(0.0, 1.0), criteria })
    };
    task.submission.reviewed.iter().take(MOST_ANSWERS).filter_map(read).collect()
}

/// Graded answers with the one to be graded beside them.
struct Field<'f, 't> {
    task: &'f Task<'t>,
    graded: &'f [Graded],
    texts: &'f [Text],
    own: &'f Sketch,
    others: &'f [Sketch],
}

/// What people's grades make of a share.
struct Learnt {
    share: f64,
    confidence: f64,
}

impl Field<'_, '_> {
    /// What a part of an answer, measured by `yardstick`, is worth by people's grades for the same part of others.
    fn learn(
        &self,
        yardstick: &[Reference],
        share: f64,
        confidence: f64,
        grade: impl Fn(&Graded) -> Option<f64>,
    ) -> Learnt {
        let known: Vec<(usize, f64)> =
            self.graded.iter().enumerate().filter_map(|(at, one)| Some((at, grade(one)?))).collect();
        let answer = self.measure(yardstick, &self.task.answer, share);
        let measured: Vec<Measured> =
            known.iter().map(|(at, _)| self.measure(yardstick, &self.texts[*at], share)).collect();
        let tells =
            |one: (&Sketch, &Measured), other: (&Sketch, &Measured)| one.0.likeness(other.0) + one.1.likeness(other.1);
        let sketch = |row: usize| (&self.others[known[row].0], &measured[row]);
        let likeness: Vec<Vec<f64>> =
            (0..known.len()).map(|row| (0..=row).map(|to| tells(sketch(row), sketch(to))).collect()).collect();
        let expected: Vec<f64> = measured.iter().map(|one| one.log_odds).collect();
        let shares: Vec<f64> = known.iter().map(|(_, share)| *share).collect();
        let learnt = Regression::solve(&likeness, &expected, &shares);
        let beside: Vec<f64> = (0..known.len()).map(|row| tells((self.own, &answer), sketch(row))).collect();
        let count = known.len() as f64;
        let share = logistic(answer.log_odds + learnt.correction(&beside) * count / (count + 1.0));
        let (mut hits, mut near) = (0.0, 0.0);
        for (alone, given) in learnt.alone().iter().zip(&shares) {
            let like = (-((share - alone) / NEAR).powi(2)).exp();
            near += like;
            hits += if (alone - given).abs() <= QUARTER { like } else { 0.0 };
        }
        Learnt { share, confidence: (hits + BEFORE * confidence) / (near + BEFORE) }
    }

    /// The most that people's grades for others raise the answer to, whose share was `before`: no further, where it has
    /// nothing of the reference or of a good answer; and not to that of sentences, where its words stand as in none. `None` where
    /// nothing holds them.
    fn most(&self, judgement: &Judgement, before: f64) -> Option<f64> {
        let good =
            || self.others.iter().zip(self.graded).filter(|(_, one)| one.share >= GOOD).map(|(sketch, _)| sketch);
        let is_related = || good().any(|one| cosine(&one.own, &self.own.own) >= RELATED);
        let is_in_order = || good().any(|one| overlap(&one.neighbours, &self.own.neighbours) >= IN_ORDER);
        if judgement.says_nothing_known && !is_related() {
            Some(before)
        } else if judgement.reasons.contains(&ReviewReason::NotSentences) && !is_in_order() {
            Some(MOST_WITHOUT_SENTENCES)
        } else {
            None
        }
    }

    /// What the scorer sees in an answer. Without anything to measure by, all answers start from the same share.
    fn measure(&self, yardstick: &[Reference], answer: &Text, share: f64) -> Measured {
        let found = self.task.best(answer, yardstick);
        match found {
            Some((_, comparison)) => {
                let log_odds = STEEP * scorer::log_odds(&comparison.features, self.task.submission.max_score);
                Measured { parts: scorer::parts(&comparison.features), log_odds: log_odds.clamp(-MOST_ODDS, MOST_ODDS) }
            }
            None => {
                let log_odds = (share / (1.0 - share)).ln().clamp(-MOST_ODDS, MOST_ODDS);
                Measured { parts: scorer::parts(&Features::default()), log_odds }
            }
        }
    }
}

/// What the scorer sees in an answer.
struct Measured {
    parts: [f64; Features::NAMES.len()],
    log_odds: f64,
}

impl Measured {
    fn likeness(&self, other: &Self) -> f64 {
        let apart: f64 = self.parts.iter().zip(other.parts).map(|(one, other)| (one - other).powi(2)).sum();
        SEEN * (-apart / (2.0 * APART.powi(2))).exp()
    }
}

/// What makes answers to one question comparable, whatever they are measured by.
struct Sketch {
    /// The words that the question lacks, with what they tell.
    own: HashMap<u64, f64>,
    letters: HashSet<u64>,
    pairs: HashSet<(u64, u64)>,
    neighbours: HashSet<(u64, u64)>,
}

impl Sketch {
    fn of(text: &Text, question: &Text) -> Self {
        let own = text.kinds.iter().filter(|kind| !question.has(kind.id)).map(|kind| (kind.id, kind.weight)).collect();
        Self { own, letters: text.fours(), pairs: text.pairs.clone(), neighbours: text.neighbours.clone() }
    }

    fn likeness(&self, other: &Self) -> f64 {
        ANY + OWN * cosine(&self.own, &other.own)
            + LETTERS * overlap(&self.letters, &other.letters)
            + PAIRS * overlap(&self.pairs, &other.pairs)
    }
}

/// The cosine of two weighed sets.
fn cosine(one: &HashMap<u64, f64>, other: &HashMap<u64, f64>) -> f64 {
    let (small, large) = if one.len() < other.len() { (one, other) } else { (other, one) };
    // In the order of the kinds: sums of floats depend on it.
    let mut products: Vec<(u64, f64)> =
        small.iter().filter_map(|(id, weight)| Some((*id, weight * large.get(id)?))).collect();
    products.sort_unstable_by_key(|(id, _)| *id);
    let square = |set: &HashMap<u64, f64>| {
        let mut weights: Vec<f64> = set.values().map(|weight| weight * weight).collect();
        weights.sort_unstable_by(f64::total_cmp);
        weights.iter().sum::<f64>()
    };
    let dot: f64 = products.iter().map(|(_, product)| product).sum();
    if dot > 0.0 { dot / (square(one) * square(other)).sqrt() } else { 0.0 }
}

/// The cosine of two sets.
fn overlap<T: std::hash::Hash + Eq>(one: &HashSet<T>, other: &HashSet<T>) -> f64 {
    let common = one.intersection(other).count() as f64;
    if common > 0.0 { common / ((one.len() * other.len()) as f64).sqrt() } else { 0.0 }
}

/// Moves the shares of all criteria so that what they earn together goes from one share to another.
fn spread(criteria: &mut [Judged], before: f64, after: f64) {
    for judged in criteria.iter_mut() {
        judged.share = if after > before {
            1.0 - (1.0 - judged.share) * (1.0 - after) / (1.0 - before)
        } else if before > 0.0 {
            judged.share * after / before
        } else {
            judged.share
        };
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}
