//! The points of an answer as a whole, with what they rest on. Those of a rubric's criteria are in [`criteria`], what the learner is
//! told of each idea is in [`points`].

mod criteria;
mod points;

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::super::{Criterion, EvaluationType, IntegrityFlag, ReviewReason, Submission};
use super::features::{self, Comparison, Features};
use super::guards::{self, Blank};
use super::intake::Intake;
use super::reference::Reference;
use super::reviews;
use super::scorer::{self, Measured, Scored};
use super::text::Text;
use super::words::Reader;
use criteria::by_criteria;
pub(super) use criteria::total;
use points::points;
pub(super) use points::{Point, PointKind};

/// Words of the answer that are judged.
const MOST_WORDS: usize = 10_000;
/// How sure it is that an answer without any words earns nothing, and that the reference itself earns everything.
const SURE: f64 = 0.97;
/// The share that is expected of an answer of which nothing is known: the mean of those that teachers gave.
const UNKNOWN: f64 = 0.6;
/// How sure a grade can be at most: where nothing is shared, of words in another order, in another language, beside what could
/// not be read, of a long text, with nothing to compare with, and of a low share.
const MOST_SURE_APART: f64 = 0.75;
const MOST_SURE_DISORDERED: f64 = 0.75;
const MOST_SURE_LOW: f64 = 0.89;
const MOST_SURE_ABROAD: f64 = 0.3;
const MOST_SURE_UNREAD: f64 = 0.3;
const MOST_SURE_OF_ESSAY: f64 = 0.5;
const MOST_SURE_UNGUIDED: f64 = 0.3;
const MOST_SURE_DENIED: f64 = 0.5;
const MOST_SURE_OF_SIGNS: f64 = 0.3;
/// The same of an answer of which all is hidden: somebody may have meant to show it.
const MOST_SURE_HIDDEN: f64 = 0.3;
/// Share of the reference's new content words up to which an answer shares few of them, where it has less than that share of
/// the words of any of its ideas.
const APART: f64 = 0.2;
const APART_FROM_IDEAS: f64 = 0.25;
/// Content words of its own from which an answer says something.
const SOMETHING: usize = 4;
/// Words from which an answer is an essay: beside a reference so many times shorter, or without one.
const ESSAY: usize = 150;
const MUCH_SHORTER: usize = 4;
/// The share below which more denials than the reference's take no answer.
const MOST_BY_DENIAL: f64 = 0.5;
/// Near the reference's words, with another number of denials.
const COPY_DENIED: f64 = 3.0;
/// Words from which an order can be told, the share of the reference's words that must be there, and the share of its neighbours
/// below which they stand in no order.
const FEWEST_ORDERED: usize = 20;
const ORDERED_RECALL: f64 = 0.7;
const DISORDERED: f64 = 0.22;
/// Words from which a list can be told, and the share of little words below which they are one.
const FEWEST_LISTED: usize = 9;
const LITTLE_IN_LISTS: f64 = 0.12;
/// What words without sentences earn at most.
pub(super) const MOST_WITHOUT_SENTENCES: f64 = 0.5;
/// Shares up to here are low.
const LOW: f64 = 0.25;

/// A criterion with its share of its own maximum.
pub(super) struct Judged {
    pub(super) name: String,
    pub(super) max_score: f64,
    pub(super) share: f64,
    pub(super) points: Vec<Point>,
    /// A person has to judge it.
    pub(super) is_for_a_person: bool,
    /// What it was judged by, for what people said of other answers.
    pub(super) yardstick: Yardstick,
}

/// What answers to the same question are measured by.
#[derive(Default)]
pub(super) struct Yardstick(pub(super) Vec<Reference>);

/// The whole judgement.
pub(super) struct Judgement {
    /// From 0 to 1.
    pub(super) share: f64,
    pub(super) confidence: f64,
    pub(super) criteria: Option<Vec<Judged>>,
    pub(super) points: Vec<Point>,
    pub(super) is_blank: bool,
    /// Nothing of the answer goes beyond the question's own words.
    pub(super) repeats: bool,
    pub(super) reasons: BTreeSet<ReviewReason>,
    /// It has hardly a word of what it is compared with.
    pub(super) says_nothing_known: bool,
    /// Where the answer was too long to be judged in full: what comes next.
    pub(super) unread_from: Option<String>,
}

/// The answer and the question, as they are compared.
pub(super) struct Task<'t> {
    pub(super) answer: Text,
    pub(super) question: Text,
    pub(super) submission: &'t Submission,
    pub(super) intake: &'t Intake,
    /// The answer's sentences, read when they are first needed.
    sentences: OnceCell<Vec<(&'t str, Text)>>,
}

impl<'t> Task<'t> {
    pub(super) fn reader(&self) -> &Reader {
        &self.intake.reader
    }

    /// The comparison with that of several references which suits the answer best.
    pub(super) fn best<'r>(&self, answer: &Text, references: &'r [Reference]) -> Option<(&'r Reference, Comparison)> {
        let compared = references
            .iter()
            .map(|reference| (reference, features::compare(&self.question, reference, answer, references.len())));
        compared.max_by(|(_, one), (_, other)| one.rank.total_cmp(&other.rank))
    }
}

/// Judges an answer.
pub(super) fn judge(submission: &Submission, intake: &Intake) -> Judgement {
    let reader = intake.foreign().unwrap_or(&intake.reader);
    let answer = Text::read(&intake.text, reader, MOST_WORDS);
    let question = Text::read(&intake.question, &intake.reader, MOST_WORDS);
    let unread_from = answer
        .words
        .last()
        .filter(|_| answer.words.len() == MOST_WORDS)
        .map(|last| intake.text[last.end..].trim().to_owned());
    let task = Task { answer, question, submission, intake, sentences: OnceCell::new() };
    let references = read_all(&intake.references, &intake.reader);
    let mut judgement = whole(&task, &references);
    judgement.unread_from = unread_from.filter(|rest| !rest.is_empty());
    if !intake.unread_answer.is_empty() {
        judgement.reasons.insert(ReviewReason::UnreadFiles);
        judgement.confidence = judgement.confidence.min(MOST_SURE_UNREAD);
    }
    // What addresses the grader earns what it says of the subject: without a word of that, nothing.
    if intake.flags.contains(&IntegrityFlag::AddressesGrader) && judgement.says_nothing_known {
        judgement.hold_to(0.0);
    }
    if judgement.is_blank && intake.flags.contains(&IntegrityFlag::HiddenText) {
        judgement.confidence = judgement.confidence.min(MOST_SURE_HIDDEN);
    }
    judgement.confidence = judgement.confidence.min(intake.most_sure);
    judgement
}

/// What the scorer sees in an answer beside its references; of one without any, nothing.
pub(super) fn measure(submission: &Submission, intake: &Intake) -> Measured {
    let answer = Text::read(&intake.text, &intake.reader, MOST_WORDS);
    let question = Text::read(&intake.question, &intake.reader, MOST_WORDS);
    let task = Task { answer, question, submission, intake, sentences: OnceCell::new() };
    let references = read_all(&intake.references, &intake.reader);
    task.best(&task.answer, &references).map(|(_, comparison)| Measured::from(&comparison)).unwrap_or_default()
}

fn read_all(texts: &[String], reader: &Reader) -> Vec<Reference> {
    texts.iter().map(|text| Reference::read(text, reader)).collect()
}

fn whole(task: &Task<'_>, references: &[Reference]) -> Judgement {
    if references.iter().any(|reference| !reference.text.words.is_empty() && reference.text.says_the_same(&task.answer))
        || is_same_sign(task)
    {
        return certain(task, references, 1.0);
    }
    if says_nothing(task, references) {
        // Nobody has seen what stands in a file that could not be read.
        let share = if task.intake.unread_answer.is_empty() { 0.0 } else { UNKNOWN };
        let mut judgement = certain(task, references, share);
        if task.intake.text.contains(is_sign) {
            judgement.doubt(ReviewReason::FewSharedWords, MOST_SURE_OF_SIGNS);
        }
        reviews::keep(&mut judgement, task);
        return judgement;
    }
    let by_rubric = task.submission.evaluation_type == EvaluationType::RubricShortAnswer || references.is_empty();
    let mut judgement = if by_rubric && !task.submission.criteria.is_empty() {
        by_criteria(task, references)
    } else if references.is_empty() {
        by_nothing(task)
    } else {
        by_references(task, references)
    };
    if task.intake.foreign().is_some() {
        judgement.reasons.insert(ReviewReason::OtherLanguage);
        judgement.confidence = judgement.confidence.min(MOST_SURE_ABROAD);
    }
    reviews::correct(&mut judgement, task, references);
    judgement
}

/// Whether a character may be an answer by itself, as in "+" or "→".
fn is_sign(character: char) -> bool {
    !character.is_whitespace()
        && !character.is_alphanumeric()
        && !character.is_control()
        && !".…?!-–—,;:'\"()".contains(character)
}

/// Whether an answer without words is the reference: "+", "→".
fn is_same_sign(task: &Task<'_>) -> bool {
    let answer = task.intake.text.trim();
    let is_it = |reference: &String| guards::visible(reference, task.intake.reading).text.trim() == answer;
    let submission = task.submission;
    !answer.is_empty() && submission.reference_answer.iter().chain(&submission.other_references).any(is_it)
}

/// What needs no weighing: no words at all, or those of the reference.
fn certain(task: &Task<'_>, references: &[Reference], share: f64) -> Judgement {
    let criterion = |criterion: &Criterion| Judged {
        name: criterion.name.clone(),
        max_score: criterion.max_score,
        share,
        points: Vec::new(),
        is_for_a_person: false,
        yardstick: Yardstick::default(),
    };
    let is_rubric =
        task.submission.evaluation_type == EvaluationType::RubricShortAnswer && !task.submission.criteria.is_empty();
    let said = task.best(&task.answer, references).filter(|_| share > 0.0);
    Judgement {
        share,
        confidence: SURE,
        criteria: is_rubric.then(|| task.submission.criteria.iter().map(criterion).collect()),
        points: said.map(|(reference, comparison)| points(task, reference, &comparison)).unwrap_or_default(),
        is_blank: share == 0.0,
        repeats: false,
        reasons: BTreeSet::new(),
        says_nothing_known: false,
        unread_from: None,
    }
}

/// Whether an answer says nothing, or only that its writer does not know. What it says besides counts where the task wants
/// such words and has not said them itself.
fn says_nothing(task: &Task<'_>, references: &[Reference]) -> bool {
    if task.answer.words.is_empty() {
        return true;
    }
    let rest = match guards::blank(&task.intake.text) {
        Blank::No => return false,
        Blank::Yes => return true,
        Blank::But(rest) => Text::read(&rest, task.reader(), MOST_WORDS),
    };
    let criteria = task.submission.criteria.iter();
    let criteria: Vec<Text> = criteria
        .map(|one| Text::read(&format!("{} {}", one.name, one.description), task.reader(), MOST_WORDS))
        .collect();
    let wanted = || references.iter().map(|reference| &reference.text).chain(&criteria);
    let is_wanted = |id: u64| wanted().next().is_none() || wanted().any(|text| text.has(id));
    !rest.content.iter().any(|id| !task.question.has(*id) && is_wanted(*id))
}

/// Without a reference or a rubric there is only how much was written.
fn by_nothing(task: &Task<'_>) -> Judgement {
    let words = task.answer.words.len();
    let is_essay = words >= ESSAY;
    Judgement {
        share: (0.55 + 0.12 * (words as f64 / 250.0).ln()).clamp(0.25, 0.75),
        confidence: MOST_SURE_UNGUIDED,
        criteria: None,
        points: Vec::new(),
        is_blank: false,
        repeats: repeats(task),
        reasons: [Some(ReviewReason::NothingToCompare), is_essay.then_some(ReviewReason::Essay)]
            .into_iter()
            .flatten()
            .collect(),
        says_nothing_known: false,
        unread_from: None,
    }
}

/// Denials may be honest: they take no right answer below half of the points, and the rest is doubt.
fn score(task: &Task<'_>, reference: &Reference, comparison: &Comparison) -> Scored {
    let max_score = task.submission.max_score;
    let scored = scorer::score(comparison, max_score);
    if task.answer.denials <= reference.text.denials {
        return scored;
    }
    let features = Features { denial: 0.0, copy_denial: 0.0, ..comparison.features };
    let affirmed =
        scorer::score(&Comparison { features, covered: Vec::new(), fits: Vec::new(), ..*comparison }, max_score);
    Scored { share: scored.share.max(affirmed.share.min(MOST_BY_DENIAL)), ..scored }
}

fn by_references(task: &Task<'_>, references: &[Reference]) -> Judgement {
    let Some((reference, comparison)) = task.best(&task.answer, references) else { return by_nothing(task) };
    let Scored { share, confidence } = score(task, reference, &comparison);
    let only_asks = comparison.own == 0 && comparison.features.nothing > 0.0;
    let mut judgement = Judgement {
        share: match task.intake.foreign() {
            Some(_) => (share + UNKNOWN) / 2.0,
            // Words of the question alone say half as little.
            None if only_asks => share / 2.0,
            None => share,
        },
        confidence: if share <= LOW { confidence.min(MOST_SURE_LOW) } else { confidence },
        criteria: None,
        points: points(task, reference, &comparison),
        is_blank: false,
        repeats: repeats(task) && comparison.features.nothing > 0.0,
        reasons: BTreeSet::new(),
        says_nothing_known: false,
        unread_from: None,
    };
    let shares_little = comparison.new_recall <= APART && comparison.features.best_idea < APART_FROM_IDEAS;
    judgement.says_nothing_known = comparison.new_recall <= APART;
    if shares_little && comparison.own >= SOMETHING {
        judgement.doubt(ReviewReason::FewSharedWords, MOST_SURE_APART);
    }
    if is_disordered(task, reference, &comparison) || is_list(task, reference) {
        judgement.share = judgement.share.min(MOST_WITHOUT_SENTENCES);
        judgement.doubt(ReviewReason::NotSentences, MOST_SURE_DISORDERED);
    }
    if may_contradict(&comparison) {
        judgement.doubt(ReviewReason::Contradiction, MOST_SURE_DENIED);
    }
    let words = task.answer.words.len();
    if words >= ESSAY && words >= MUCH_SHORTER * reference.text.words.len() {
        judgement.doubt(ReviewReason::Essay, MOST_SURE_OF_ESSAY);
    }
    judgement
}

/// Whether the answer is near the reference's words, with another number of denials.
fn may_contradict(comparison: &Comparison) -> bool {
    comparison.features.copy_denial >= COPY_DENIED
}

/// Whether the answer has nearly all words of a reference and hardly any of its neighbours.
fn is_disordered(task: &Task<'_>, reference: &Reference, comparison: &Comparison) -> bool {
    let fewest = reference.text.words.len().min(task.answer.words.len());
    fewest >= FEWEST_ORDERED
        && comparison.features.recall >= ORDERED_RECALL
        && comparison.features.neighbours < DISORDERED
}

/// Whether the answer has hardly any little words where the reference has sentences. Only where a language has them.
fn is_list(task: &Task<'_>, reference: &Reference) -> bool {
    let little = |text: &Text| {
        let spelled = || text.words.iter().filter(|word| !word.is_number && word.folded.chars().nth(1).is_some());
        let little = spelled().filter(|word| !word.is_content()).count();
        (spelled().count(), little as f64 / spelled().count().max(1) as f64)
    };
    let (words, share) = little(&task.answer);
    task.reader().profile.knows_openers()
        && words >= FEWEST_LISTED
        && share < LITTLE_IN_LISTS
        && little(&reference.text).1 >= 2.0 * LITTLE_IN_LISTS
}

impl Judgement {
    /// Lowers the share, and that of each criterion, to a bound.
    pub(super) fn hold_to(&mut self, most: f64) {
        self.share = self.share.min(most);
        self.criteria.iter_mut().flatten().for_each(|judged| judged.share = judged.share.min(most));
    }

    pub(super) fn doubt(&mut self, reason: ReviewReason, most_sure: f64) {
        self.reasons.insert(reason);
        self.confidence = self.confidence.min(most_sure);
    }

    /// Leaves nothing to a person.
    pub(super) fn settle(&mut self) {
        self.reasons.clear();
        self.criteria.iter_mut().flatten().for_each(|judged| judged.is_for_a_person = false);
    }

    /// Whether the grade is only an estimate, and a list of what is missing would be a guess.
    pub(super) fn is_for_a_person(&self) -> bool {
        self.reasons.iter().any(|reason| !matches!(reason, ReviewReason::Contradiction | ReviewReason::NotSentences))
    }
}

/// Whether the answer has only words of the question.
fn repeats(task: &Task<'_>) -> bool {
    let answer = &task.answer;
    answer.content.len() > 1 && answer.content.iter().all(|id| task.question.has(*id))
}

/// The flags of what an answer tried besides answering.
pub(super) fn flags(intake: &Intake, judgement: &Judgement) -> BTreeSet<IntegrityFlag> {
    let mut flags = intake.flags.clone();
    if judgement.repeats {
        flags.insert(IntegrityFlag::RepeatsPrompt);
    }
    if judgement.reasons.contains(&ReviewReason::NotSentences) {
        flags.insert(IntegrityFlag::NotSentences);
    }
    flags
}
