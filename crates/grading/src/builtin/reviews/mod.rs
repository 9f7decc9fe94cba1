//! What people's grades for other answers to the same question say of this one.
//!
//! [`sketch`] makes the answers comparable, [`estimate`] says what the fitted curve would have given each of them, and
//! [`regression`] learns how far it has to move for the people's grades: for answers like these it was too kind, for
//! those too strict. What was learnt is learnt anew for each grade from what the submission brings, so the same submission
//! always gets the same grade; without graded answers nothing here runs. People's grades move the estimate, never the
//! guards: what an answer can earn at most stays what it was, and whoever turns a good answer round does not inherit its points.

mod estimate;
mod regression;
mod sketch;

use std::collections::{HashMap, HashSet};

use language::normal::normal;

use super::super::{ReviewedAnswer, Submission};
use super::calibration;
use super::comparison::{self, Highest, Task};
use super::guards;
use super::guards::form::Form;
use super::intake::Intake;
use super::judgement::{Judged, Judgement};
use super::tokens::{Reader, Word};
use estimate::{Measured, Yardsticks};
use regression::Regression;
use sketch::{Counts, Directions, Sketch, Vocabulary};

/// Most graded answers that are looked at, the newest.
const MOST_ANSWERS: usize = 64;
/// Most words of an answer that are compared, and the fewest where there are many texts to measure by.
const MOST_WORDS: usize = 1_000;
const FEWEST_WORDS: usize = 50;
/// Words of an answer, times texts to measure it by.
const MOST_MEASURED: usize = 8_000;
/// Characters that are read for a word.
const CHARACTERS: usize = 12;

/// How far each likeness lets one answer tell of another, as a variance of log-odds: both are answers, the curve sees the same in
/// them, they have the same words, words of their own, neighbouring words, and words of the reference; and the last, the
/// curve sees the same and the same words are alike denied.
const ANY: f64 = 2.0;
const SEEN: f64 = 3.0;
const WORDS: f64 = 3.0;
const OWN: f64 = 3.0;
const PAIRS: f64 = 2.0;
const MET: f64 = 2.0;
const SIDED: f64 = 3.0;
/// What the curve sees is alike no more when it lies this far apart, in log-odds.
const APART: f64 = 0.5;

/// With so many graded answers what they say of how sure a grade is counts half, beside what is said without them; and
/// with so many the quick look at the answer beside the close one.
const FEW: f64 = 3.0;
const FEW_LOOKS: f64 = 8.0;
/// The curve was fitted to the questions of many; within one, what it sees tells answers further apart.
const STEEP: f64 = 1.5;
/// The least and the most log-odds that a share stands for: people are not surer than that.
const MOST_ODDS: f64 = 4.0;
/// From so many on there is something to compare with where the task has no reference.
const ENOUGH: usize = 5;
/// Share of an answer's content that task or good answers speak of: below the first, people's grades for others raise it
/// not at all, from the second on wholly.
const FOREIGN: f64 = 0.15;
const RELATED: f64 = 0.45;
/// Share of an answer's pairs of words that are the question's from which it repeats the question.
const COPIED: f64 = 0.6;
/// From this share on an answer is a good one.
const GOOD: f64 = 0.5;
/// Share of words that follow each other as in good answers, less those the other way round, from which they are in
/// order. Of answers of 20 words and more 93 of 100 and more are, of the same shuffled 6 of 100 and fewer.
const IN_ORDER: f64 = 0.15;
/// Likeness of the words of answers that say the same or the contrary, and how many of them are looked at closely.
const NEAR: f64 = 0.8;
const MOST_NEAR: usize = 5;
/// Likeness from which the grade of another makes this one surer.
const NEARLY_SAME: f64 = 0.85;
/// How sure the same answer's grade makes, and how much the surprises among answers like it take away.
const SURE: f64 = 0.95;
const SURPRISE: f64 = 0.3;

/// An answer that a person graded, ready to be compared.
struct Graded {
    /// What a reader sees of it, as much as is compared.
    text: String,
    /// That is all of it.
    is_whole: bool,
    share: f64,
    /// Of each criterion; `None` where they are not those of the submission.
    criteria: Option<Vec<f64>>,
}

/// Moves a judgement to where people's grades for other answers say that it belongs.
pub(super) fn calibrate(judgement: &mut Judgement, submission: &Submission, intake: &Intake, task: &Task<'_>) {
    // What stands in files was graded too, and is not among what is known of the other answers.
    if submission.reviewed.is_empty() || !submission.answer_files.is_empty() {
        return;
    }
    let texts = texts_of_task(submission, intake);
    let by_criterion = judgement.criteria.iter().flatten().map(|judged| judged.texts.len()).sum::<usize>();
    let most_words = (MOST_MEASURED / texts.len().max(by_criterion).max(1)).clamp(FEWEST_WORDS, MOST_WORDS);
    let mut graded = read_graded(submission, intake, most_words);
    if graded.is_empty() || inherit(judgement, intake, &graded) {
        return;
    }
    graded.iter_mut().for_each(|graded| graded.text.truncate(end_of_compared(&graded.text, most_words)));
    let reader = intake.foreign().unwrap_or(&intake.reader);
    let mut field = Field::read(graded, reader, task, &intake.reader.words(&intake.question), most_words);
    let most = field.most(task);
    let mut sure = 1.0_f64;
    match &mut judgement.criteria {
        Some(criteria) if field.graded.iter().any(|graded| graded.criteria.is_some()) => {
            for (at, judged) in criteria.iter_mut().enumerate() {
                let shares = field.shares(|graded| graded.criteria.as_ref()?.get(at).copied());
                let found = field.correct(&judged.texts, judged.share, &shares);
                judged.share = found.share.min(field.highest(judged.most)).min(most.max(judged.share));
                sure = sure.min(found.sure(judged.share));
            }
            judgement.share = total(criteria);
        }
        criteria => {
            let shares = field.shares(|graded| Some(graded.share));
            let found = field.correct(&texts, judgement.share, &shares);
            let share = found.share.min(field.highest(judgement.most)).min(most.max(judgement.share));
            judgement.share = criteria.as_mut().map_or(share, |criteria| {
                spread(criteria, judgement.share, share);
                criteria.iter_mut().for_each(|judged| judged.share = judged.share.min(field.highest(judged.most)));
                total(criteria)
            });
            sure = found.sure(judgement.share);
        }
    }
    if field.in_order && judgement.form == Form::Salad {
        judgement.form = Form::Sentences;
    }
    sure += (SURE - sure).max(0.0) * field.agreement(judgement.share);
    judgement.confidence += trust(field.graded.len()) * (sure - judgement.confidence);
    judgement.unguided &= field.graded.len() < ENOUGH;
}

/// An answer that a person has graded already, word for word, gets its grade: the mean where it has several.
fn inherit(judgement: &mut Judgement, intake: &Intake, graded: &[Graded]) -> bool {
    let own = normal(&intake.text);
    let same: Vec<&Graded> = graded.iter().filter(|graded| graded.is_whole && normal(&graded.text) == own).collect();
    let Some(share) = mean(same.iter().map(|graded| graded.share)) else { return false };
    let apart = same.iter().map(|graded| (graded.share - share).abs()).fold(0.0, f64::max);
    let before = judgement.share;
    judgement.share = share;
    if let Some(criteria) = &mut judgement.criteria {
        let of = |at: usize| mean(same.iter().filter_map(|graded| graded.criteria.as_ref()?.get(at).copied()));
        let known: Vec<f64> = (0..criteria.len()).map_while(of).collect();
        judgement.share = if known.len() == criteria.len() {
            criteria.iter_mut().zip(known).for_each(|(judged, share)| judged.share = share);
            total(criteria)
        } else {
            spread(criteria, before, share)
        };
    }
    judgement.confidence = SURE - apart;
    judgement.unguided = false;
    judgement.repeats &= judgement.share < GOOD;
    true
}

/// What whole answers are measured by: the references, or else all that the criteria ask for.
fn texts_of_task(submission: &Submission, intake: &Intake) -> Vec<String> {
    if !intake.references.is_empty() {
        return intake.references.clone();
    }
    let asked = submission.criteria.iter().map(|criterion| format!("{}: {}", criterion.name, criterion.description));
    let asked = asked.collect::<Vec<_>>().join("\n");
    if asked.is_empty() { Vec::new() } else { vec![asked] }
}

/// The newest graded answers, as much of each as is compared. What may be the same answer is read to its end.
fn read_graded(submission: &Submission, intake: &Intake, most_words: usize) -> Vec<Graded> {
    let as_long = |text: &str| text.len() <= 4 * intake.text.len();
    let read = |reviewed: &ReviewedAnswer| {
        let text = &reviewed.answer;
        let end = if as_long(text) { text.len() } else { end_of_compared(text, most_words) };
        let is_whole = end == text.len();
        let text = guards::visible(&text[..end], intake.reading).text;
        let is_of_rubric = !reviewed.criteria.is_empty() && reviewed.criteria.len() == submission.criteria.len();
        let is_sound = is_of_rubric && reviewed.criteria.iter().all(|share| share.is_finite());
        let criteria = is_sound.then(|| reviewed.criteria.iter().map(|share| share.clamp(0.0, 1.0)).collect());
        let share = reviewed.share.clamp(0.0, 1.0);
        reviewed.share.is_finite().then_some(Graded { text, is_whole, share, criteria })
    };
    submission.reviewed.iter().take(MOST_ANSWERS).filter_map(read).collect()
}

/// Where what is compared of a text ends, in bytes.
fn end_of_compared(text: &str, most_words: usize) -> usize {
    text.char_indices().nth(CHARACTERS * most_words).map_or(text.len(), |(end, _)| end)
}

/// Graded answers with the one to be graded beside them.
struct Field<'t> {
    graded: Vec<Graded>,
    reader: &'t Reader,
    vocabulary: Vocabulary<'t>,
    sketches: Vec<Sketch>,
    answer: Sketch,
    /// The answer is for the most part the question again.
    copies: bool,
    /// Its words follow each other as they do in good answers.
    in_order: bool,
    /// How alike each graded answer is to those before it and itself, and the answer to each of them.
    likeness: Vec<Vec<Likeness>>,
    likeness_of_answer: Vec<Likeness>,
}

/// How alike two answers are, whatever they are measured by.
#[derive(Clone, Copy)]
struct Likeness {
    words: f64,
    own: f64,
    pairs: f64,
    sided: f64,
}

impl Likeness {
    fn of(one: &Directions, other: &Directions) -> Self {
        Self {
            words: one.words.likeness(&other.words),
            own: one.own.likeness(&other.own),
            pairs: one.pairs.likeness(&other.pairs),
            sided: one.sided.likeness(&other.sided),
        }
    }

    /// How far one tells of the other.
    fn tells(self, one: &Measured, other: &Measured) -> f64 {
        let apart: f64 = one.parts.iter().zip(other.parts).map(|(one, other)| (one - other).powi(2)).sum();
        let seen = (-apart / (2.0 * APART.powi(2))).exp();
        let said = WORDS * self.words + OWN * self.own + PAIRS * self.pairs + MET * one.met.likeness(&other.met);
        ANY + said + seen * (SEEN + SIDED * self.sided)
    }
}

/// What a part of an answer is worth by people's grades for others.
struct Corrected {
    share: f64,
    surprise: f64,
}

impl Corrected {
    /// How sure a share is, which may be less than what was found.
    fn sure(&self, share: f64) -> f64 {
        (calibration::confidence(share) - SURPRISE * self.surprise).max(0.0)
    }
}

impl<'t> Field<'t> {
    fn read(graded: Vec<Graded>, reader: &'t Reader, task: &Task<'t>, question: &[Word], most_words: usize) -> Self {
        let mut vocabulary = Vocabulary::new(task.question);
        let mut sketch = |words: &[Word]| vocabulary.sketch(&words[..words.len().min(most_words)]);
        let mut known = HashMap::new();
        let mut read = |graded: &Graded| sketch(&reader.words_beside(&graded.text, &mut known));
        let sketches: Vec<Sketch> = graded.iter().map(&mut read).collect();
        let answer = sketch(&task.answer.words);
        let copies = answer.share_of_pairs(&sketch(question)) >= COPIED;
        let good = graded.iter().zip(&sketches).filter(|(graded, _)| graded.share >= GOOD);
        let in_order = answer.order_among(good.map(|(_, sketch)| sketch)) >= IN_ORDER;
        let counts = Counts::of(&sketches);
        let directions: Vec<Directions> =
            sketches.iter().map(|sketch| vocabulary.directions(sketch, &counts)).collect();
        let own = vocabulary.directions(&answer, &counts);
        let beside = |one: &Directions, others: &[Directions]| {
            others.iter().map(|other| Likeness::of(one, other)).collect::<Vec<_>>()
        };
        let likeness = directions.iter().enumerate().map(|(at, one)| beside(one, &directions[..=at])).collect();
        let likeness_of_answer = beside(&own, &directions);
        Self { graded, reader, vocabulary, sketches, answer, copies, in_order, likeness, likeness_of_answer }
    }

    /// The grades of one part: which answers have one, and which.
    fn shares(&self, of: impl Fn(&Graded) -> Option<f64>) -> Vec<(usize, f64)> {
        self.graded.iter().enumerate().filter_map(|(at, graded)| Some((at, of(graded)?))).collect()
    }

    /// Corrects what a part, measured by `texts`, earned without people's grades.
    fn correct(&mut self, texts: &[String], own: f64, shares: &[(usize, f64)]) -> Corrected {
        let yardsticks = Yardsticks::read(texts, self.reader, &mut self.vocabulary);
        let measure = |sketch: &Sketch| yardsticks.measure(sketch, &self.vocabulary);
        let (answer, graded): (Measured, Vec<Measured>) =
            (measure(&self.answer), shares.iter().map(|(at, _)| measure(&self.sketches[*at])).collect());
        let row = |(row, one): (usize, &Measured)| {
            let beside = shares.iter().zip(&graded).take(row + 1);
            beside.map(|((to, _), other)| self.likeness[shares[row].0][*to].tells(one, other)).collect::<Vec<_>>()
        };
        let likeness: Vec<Vec<f64>> = graded.iter().enumerate().map(row).collect();
        let expected: Vec<f64> = graded.iter().map(expectation).collect();
        let given: Vec<f64> = shares.iter().map(|(_, share)| *share).collect();
        let learnt = Regression::solve(&likeness, &expected, &given);
        let beside = shares.iter().zip(&graded);
        let beside: Vec<f64> = beside.map(|((at, _), one)| self.likeness_of_answer[*at].tells(one, &answer)).collect();
        let count = shares.len() as f64;
        let quick = count / (count + FEW_LOOKS);
        let before = quick * expectation(&answer) + (1.0 - quick) * log_odds(own);
        let mut change = calibration::logistic(before + learnt.correction(&beside) * count / (count + 1.0)) - own;
        if change > 0.0 {
            change *= if self.copies { 0.0 } else { self.related(&yardsticks) };
        }
        Corrected { share: (own + change).clamp(0.0, 1.0), surprise: learnt.surprise(&beside) }
    }

    /// How far the answer speaks of what the task or good answers speak of, from 0 to 1: what has nothing to do with
    /// either is not raised because others were.
    fn related(&self, yardsticks: &Yardsticks) -> f64 {
        let good = self.graded.iter().zip(&self.sketches).filter(|(graded, _)| graded.share >= GOOD);
        let said: HashSet<u32> = good.flat_map(|(_, sketch)| sketch.words.iter().copied()).collect();
        let (mut all, mut known) = (0.0, 0.0);
        for number in &self.answer.words {
            let word = &self.vocabulary.known()[*number as usize];
            if word.word.is_content() {
                all += word.word.weight;
                let is_known = word.near_asked || said.contains(number) || yardsticks.know(*number);
                known += if is_known { word.word.weight } else { 0.0 };
            }
        }
        // Where there is no content, there are no foreign words either.
        let share = if all > 0.0 { known / all } else { 1.0 };
        ((share - FOREIGN) / (RELATED - FOREIGN)).clamp(0.0, 1.0)
    }

    /// The most that the answer can earn as a copy of a good answer: less where it says the contrary of all those that it
    /// is like, or has the words of one in no order.
    fn most(&self, task: &Task<'_>) -> f64 {
        let mut near: Vec<(f64, &Graded)> =
            self.likeness_of_answer.iter().map(|like| like.words).zip(&self.graded).collect();
        near.retain(|(like, graded)| *like >= NEAR && graded.share >= GOOD);
        near.sort_by(|one, other| other.0.total_cmp(&one.0));
        let (mut most, mut straight): (f64, Option<f64>) = (1.0, None);
        for (_, graded) in near.iter().take(MOST_NEAR) {
            let compared = comparison::compare(&Task { references: 1, ..*task }, &graded.text);
            if compared.form != Form::Sentences {
                most = most.min(compared.most());
            }
            let turned = if compared.turned() { compared.most() } else { 1.0 };
            let contrary = compared.contradicted > comparison::PARTLY;
            let said = turned.min(if contrary { (1.0 - compared.contradicted).powi(2) } else { 1.0 });
            straight = Some(straight.unwrap_or(0.0).max(said));
        }
        most.min(straight.unwrap_or(1.0))
    }

    /// What the answer can be raised to, by what its words are known to be.
    fn highest(&self, most: Highest) -> f64 {
        if self.in_order { most.in_order } else { most.any }
    }

    /// How far a nearly identical answer has the same share, from 0 to 1.
    fn agreement(&self, share: f64) -> f64 {
        let near = self.likeness_of_answer.iter().zip(&self.graded);
        let agrees = |(like, graded): (&Likeness, &Graded)| {
            let near = ((like.words - NEARLY_SAME) / (1.0 - NEARLY_SAME)).clamp(0.0, 1.0);
            near * (1.0 - 2.0 * (graded.share - share).abs()).max(0.0)
        };
        near.map(agrees).fold(0.0, f64::max)
    }
}

/// What is expected of an answer before people's grades are asked, in log-odds.
fn expectation(answer: &Measured) -> f64 {
    (STEEP * answer.log_odds).clamp(-MOST_ODDS, MOST_ODDS)
}

/// What a share stands for.
fn log_odds(share: f64) -> f64 {
    (share / (1.0 - share)).ln().clamp(-MOST_ODDS, MOST_ODDS)
}

/// How much so many graded answers are trusted, from 0 to 1.
fn trust(count: usize) -> f64 {
    count as f64 / (count as f64 + FEW)
}

/// The share of all points that the criteria earn together.
fn total(criteria: &[Judged]) -> f64 {
    let all: f64 = criteria.iter().map(|judged| judged.max_score).sum();
    let earned: f64 = criteria.iter().map(|judged| judged.share * judged.max_score).sum();
    if all > 0.0 { earned / all } else { mean(criteria.iter().map(|judged| judged.share)).unwrap_or(0.0) }
}

/// Moves the shares of all criteria so that what they earn together goes from one share to another.
fn spread(criteria: &mut [Judged], before: f64, after: f64) -> f64 {
    for judged in criteria.iter_mut() {
        judged.share = if after > before {
            1.0 - (1.0 - judged.share) * (1.0 - after) / (1.0 - before)
        } else if before > 0.0 {
            judged.share * after / before
        } else {
            judged.share
        };
    }
    total(criteria)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}
