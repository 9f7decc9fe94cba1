//! Which of the possible questions are asked: spread over the lessons, of varied types, none twice.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use language::normal::normal;
use language::script::word_count;

use crate::builtin::lesson::Lesson;
use crate::drafts::{OmissionReason, QuizItemKind};
use crate::part::PresentQuestion;
use crate::reading::blocks::Body;
use crate::reading::flat::each_text;

use super::balance::Balance;
use super::{Candidate, Form, Item, Rank, Workshop};

/// Fewest items of a quiz that are looked for, spare ones included, and most of them.
const QUIZ: std::ops::RangeInclusive<usize> = 3..=30;
/// Fewest items of a module, likewise.
const MIN_MODULE: usize = 1;
/// Most items embedded in a module, beside what the source asks itself, and most of these.
const MAX_MODULE: usize = 12;
const MAX_OWN: usize = 30;
/// Statements that a quiz may judge whatever else it asks.
const FEW_JUDGED: usize = 3;
/// Most lessons that are asked about.
const MAX_LESSONS: usize = 40;

/// How much of the items a type may take, against the others.
type Share<'s> = &'s dyn Fn(QuizItemKind) -> f64;

/// What sorts of items are wanted.
struct Mix<'s> {
    share: Share<'s>,
    /// The verdict that is right first is turned around, so that the module and the quiz of a level begin differently.
    turned: bool,
}

/// How many items are wanted.
struct Wanted<'q> {
    /// Of a lesson.
    quota: &'q dyn Fn(usize) -> usize,
    /// Of all; spare ones are taken only up to `least`.
    least: usize,
    most: usize,
    /// A number of items was ordered, so that their mix counts more than how well each is worth asking.
    ordered: bool,
}

/// What must not come twice, and what must not come more often than the rest.
struct Asked<'s> {
    workshop: &'s Workshop<'s>,
    share: Share<'s>,
    /// See [`Wanted::ordered`].
    ordered: bool,
    balance: Balance,
    questions: HashSet<String>,
    facts: HashSet<String>,
    answers: HashSet<String>,
    kinds: HashMap<QuizItemKind, usize>,
    by_lesson: HashMap<(usize, QuizItemKind), usize>,
}

/// One or two items for each lesson, answered by choosing or by a word.
pub(crate) fn for_module(workshop: &Workshop<'_>) -> Vec<Item> {
    let mut lessons = spread(workshop.material.lessons.len(), MAX_MODULE);
    let asking =
        |at: &usize| workshop.lesson(*at).reading.blocks.iter().any(|block| matches!(block.body, Body::Questions(_)));
    lessons.extend((0..workshop.material.lessons.len()).filter(asking));
    lessons.sort_unstable();
    lessons.dedup();
    let quota = if lessons.len() <= 4 {
        3
    } else if lessons.len() <= MAX_MODULE / 2 {
        2
    } else {
        1
    };
    let mut candidates = gather(workshop, &lessons);
    for (_, found) in &mut candidates {
        found.retain(|found| !matches!(found.form.kind(), QuizItemKind::OpenEnded | QuizItemKind::Submission));
    }
    let own = own_questions(&candidates);
    let most = own.values().sum::<usize>().clamp(MAX_MODULE, MAX_OWN);
    let quota = |lesson: usize| own.get(&lesson).copied().unwrap_or(0).max(quota);
    let wanted = Wanted { quota: &quota, least: MIN_MODULE, most, ordered: false };
    let mut chosen = take_turns(workshop, candidates, &HashSet::new(), Mix { share: &share, turned: false }, &wanted);
    chosen.sort_by_key(|item| item.lesson);
    chosen
}

/// Two to four items a lesson, of all types, other than the module's where there are enough.
pub(crate) fn for_quiz(workshop: &Workshop<'_>) -> Vec<Item> {
    let lessons = spread(workshop.material.lessons.len(), MAX_LESSONS);
    let quotas: HashMap<usize, usize> =
        lessons.iter().map(|lesson| (*lesson, quota(&workshop.material.lessons[*lesson], lessons.len()))).collect();
    let target = quotas.values().sum::<usize>().clamp(*QUIZ.start(), *QUIZ.end());
    let known: HashSet<String> = for_module(workshop).into_iter().map(|item| item.fact).collect();
    let candidates = gather(workshop, &lessons);
    let own = own_questions(&candidates);
    let least = |lesson: usize| {
        let (quota, own) = (quotas.get(&lesson).copied().unwrap_or(1), own.get(&lesson).copied().unwrap_or(0));
        quota.max(own).max(QUIZ.start().div_ceil(lessons.len()))
    };
    let wanted = Wanted { quota: &least, least: *QUIZ.start(), most: target, ordered: false };
    let mix = Mix { share: &share, turned: true };
    let mut chosen = take_turns(workshop, candidates, &known, mix, &wanted);
    if chosen.is_empty() {
        let mut balance = Balance::default();
        let mut resorts = workshop.last_resorts().into_iter();
        chosen.extend(resorts.find_map(|candidate| balance.finish(&candidate, workshop.phrases())));
    }
    chosen.sort_by_key(|item| (item.lesson, order(item.item.kind)));
    chosen
}

/// At most `most` items, as evenly from all lessons as they have them, with types mixed by `share`.
pub(crate) fn for_test(workshop: &Workshop<'_>, most: usize, share: Share<'_>) -> Vec<Item> {
    let lessons = spread(workshop.material.lessons.len(), MAX_LESSONS);
    let wanted = Wanted { quota: &|_| most, least: most, most, ordered: true };
    let mix = Mix { share, turned: true };
    let mut chosen = take_turns(workshop, gather(workshop, &lessons), &HashSet::new(), mix, &wanted);
    chosen.sort_by_key(|item| (item.lesson, order(item.item.kind)));
    chosen
}

/// The next best item that asks none of what is `asked`: of the present question's type and lesson where there is one, else of
/// any of the `kinds`. `nearest` is the lesson that the present question seems to be about.
pub(crate) fn another(
    workshop: &Workshop<'_>,
    asked: &[&PresentQuestion],
    (present, kinds): (&PresentQuestion, &[QuizItemKind]),
    nearest: Option<usize>,
) -> Option<Item> {
    let phrases = workshop.phrases();
    let mut lessons = spread(workshop.material.lessons.len(), MAX_LESSONS);
    lessons.extend(nearest.filter(|lesson| !lessons.contains(lesson)));
    let candidates: Vec<Rc<Candidate>> =
        gather(workshop, &lessons).into_iter().flat_map(|(_, candidates)| candidates).collect();
    let mut known = Asked::new(workshop, Mix { share: &share, turned: true }, false);
    asked.iter().for_each(|question| known.note_present(question, &candidates));
    let own = normal(&present.question);
    let home = candidates.iter().find(|candidate| candidate.becomes(&own, phrases)).map(|found| found.lesson);
    let home = home.or(nearest);
    let may_be_asked = |candidate: &&Rc<Candidate>| {
        candidate.rank <= Rank::Spare && kinds.contains(&candidate.form.kind()) && known.is_new(candidate)
    };
    let mut open: Vec<&Rc<Candidate>> = candidates.iter().filter(may_be_asked).collect();
    let place = |candidate: &Candidate| {
        let is_other = candidate.form.kind() != present.kind;
        (is_other, candidate.rank > Rank::Sound, Some(candidate.lesson) != home, candidate.rank)
    };
    open.sort_by(|one, other| place(one).cmp(&place(other)).then(other.weight.total_cmp(&one.weight)));
    open.into_iter().find_map(|candidate| {
        let item = known.balance.finish(candidate, phrases)?;
        let is_new = known.asks_anew(&item) && !asked.iter().any(|question| question.is_asked_by(&item.item));
        is_new.then_some(item)
    })
}

fn order(kind: QuizItemKind) -> u8 {
    match kind {
        QuizItemKind::Select => 0,
        QuizItemKind::TrueFalse => 1,
        QuizItemKind::Blank => 2,
        QuizItemKind::OpenEnded => 3,
        QuizItemKind::Submission => 4,
    }
}

/// More to read, more to ask; a level of one or two lessons is asked more closely.
fn quota(lesson: &Lesson, lessons: usize) -> usize {
    let mut words = 0;
    for block in &lesson.reading.blocks {
        each_text(&block.body, &mut |text| words += if words < 4000 { word_count(text) } else { 0 });
        if words >= 4000 {
            break;
        }
    }
    let base = match words {
        0..12 => 1,
        12..50 => 2,
        50..130 => 3,
        _ => 4,
    };
    let own = lesson.definitions.len().min(4).max(base);
    if lessons <= 3 { (own + words / 100).min(10) } else { own }
}

/// Up to `most` of the lessons, evenly.
fn spread(lessons: usize, most: usize) -> Vec<usize> {
    let count = lessons.min(most);
    (0..count).map(|at| at * lessons / count).collect()
}

fn gather(workshop: &Workshop<'_>, lessons: &[usize]) -> Vec<(usize, Vec<Rc<Candidate>>)> {
    lessons.iter().map(|lesson| (*lesson, workshop.candidates(*lesson))).collect()
}

/// How many questions of each lesson the source asks itself.
fn own_questions(candidates: &[(usize, Vec<Rc<Candidate>>)]) -> HashMap<usize, usize> {
    let own = |found: &[Rc<Candidate>]| found.iter().filter(|found| found.rank == Rank::Own).count();
    candidates.iter().map(|(lesson, found)| (*lesson, own(found))).collect()
}

/// Lesson by lesson, round by round, the candidate that is worth most and whose type was asked least so far; then spare
/// ones, where there are too few.
fn take_turns(
    workshop: &Workshop<'_>,
    mut candidates: Vec<(usize, Vec<Rc<Candidate>>)>,
    known: &HashSet<String>,
    mix: Mix<'_>,
    wanted: &Wanted<'_>,
) -> Vec<Item> {
    let mut chosen: Vec<Item> = Vec::new();
    let mut asked = Asked::new(workshop, mix, wanted.ordered);
    let rounds = candidates.iter().map(|(lesson, _)| (wanted.quota)(*lesson)).max().unwrap_or(0);
    let first = if wanted.ordered { Rank::Ordered } else { Rank::Sound };
    for (worst, most) in [(first, wanted.most), (Rank::Spare, wanted.least.min(wanted.most))] {
        for round in 0..rounds {
            for (lesson, found) in &mut candidates {
                if chosen.len() < most && round < (wanted.quota)(*lesson) {
                    chosen.extend(asked.next(found, known, worst));
                }
            }
        }
    }
    chosen
}

impl<'s> Asked<'s> {
    fn new(workshop: &'s Workshop<'s>, mix: Mix<'s>, ordered: bool) -> Self {
        Self {
            workshop,
            share: mix.share,
            ordered,
            balance: Balance::starting(mix.turned),
            questions: HashSet::new(),
            facts: HashSet::new(),
            answers: HashSet::new(),
            kinds: HashMap::new(),
            by_lesson: HashMap::new(),
        }
    }

    /// Takes the best candidate that asks something new and can be made an item. Those that can't are gone.
    fn next(&mut self, found: &mut Vec<Rc<Candidate>>, known: &HashSet<String>, worst: Rank) -> Option<Item> {
        found.retain(|candidate| self.is_new(candidate));
        loop {
            let best = found
                .iter()
                .enumerate()
                .filter(|(_, candidate)| candidate.rank <= worst && self.keeps_balance(candidate))
                .min_by(|(_, left), (_, right)| self.cost(left, known).total_cmp(&self.cost(right, known)))
                .map(|(at, _)| at)?;
            let candidate = found.remove(best);
            if let Some(item) =
                self.balance.finish(&candidate, self.workshop.phrases()).filter(|item| self.asks_anew(item))
            {
                self.note(&candidate, &item);
                return Some(item);
            }
            let kind = candidate.form.kind();
            let reason = if kind == QuizItemKind::Select { OmissionReason::FewRivals } else { OmissionReason::Unsound };
            self.workshop.tally.note_question(kind, reason, &candidate.question);
        }
    }

    fn cost(&self, candidate: &Candidate, known: &HashSet<String>) -> f64 {
        let kind = candidate.form.kind();
        let used = self.kinds.get(&kind).copied().unwrap_or(0) as f64;
        let here = self.by_lesson.get(&(candidate.lesson, kind)).copied().unwrap_or(0) as f64;
        let rank = match candidate.rank {
            Rank::Own => -20.0,
            Rank::Sound => 0.0,
            Rank::Spare => 1.5,
            Rank::Ordered => 2.0,
        };
        (used + 1.0) / (self.share)(kind)
            + here * 0.8
            + f64::from(u8::from(known.contains(&candidate.fact))) * 1.1
            + (1.0 - candidate.weight)
            + rank
    }

    fn is_new(&self, candidate: &Candidate) -> bool {
        let kind = candidate.form.kind();
        let answered = has_single_answer(kind)
            && candidate.rank != Rank::Own
            && candidate.form.keys().iter().any(|key| self.answers.contains(&normal(key)));
        let here = |kind| self.by_lesson.get(&(candidate.lesson, kind)).copied().unwrap_or(0);
        let open_enough = matches!(kind, QuizItemKind::OpenEnded | QuizItemKind::Submission)
            && candidate.rank != Rank::Own
            && here(kind) > 0;
        !self.facts.contains(&candidate.fact) && !answered && !open_enough
    }

    fn asks_anew(&self, item: &Item) -> bool {
        !self.questions.contains(&normal(&item.item.question))
    }

    /// A statement that can only be true, or only be false, waits until its verdict was right less often; and no more than half of the
    /// questions judge a statement, where there are more than a few.
    fn keeps_balance(&self, candidate: &Candidate) -> bool {
        let judged = self.kinds.get(&QuizItemKind::TrueFalse).copied().unwrap_or(0);
        let others = self.kinds.values().sum::<usize>() - judged;
        if !self.ordered
            && candidate.rank > Rank::Own
            && matches!(candidate.form, Form::Verdict { .. })
            && judged >= others.max(FEW_JUDGED)
        {
            return false;
        }
        let [wrong, right] = self.balance.verdicts();
        match &candidate.form {
            Form::Verdict { holds: Some(_), fails } if fails.is_empty() => right < wrong + usize::from(self.ordered),
            Form::Verdict { holds: None, .. } => wrong < right,
            _ => true,
        }
    }

    /// Notes a question that is there already: its text, its key, and the facts of the candidates that would become it.
    fn note_present(&mut self, present: &PresentQuestion, candidates: &[Rc<Candidate>]) {
        let question = normal(&present.question);
        let phrases = self.workshop.phrases();
        let same = candidates.iter().filter(|candidate| candidate.becomes(&question, phrases));
        self.facts.extend(same.map(|candidate| candidate.fact.clone()));
        if has_single_answer(present.kind) {
            self.answers.extend(present.correct_answers.iter().map(|key| normal(key)));
        }
        self.questions.insert(question);
    }

    fn note(&mut self, candidate: &Candidate, item: &Item) {
        let kind = item.item.kind;
        self.questions.insert(normal(&item.item.question));
        self.facts.insert(candidate.fact.clone());
        if has_single_answer(kind) {
            self.answers.extend(item.item.correct_answers.iter().map(|key| normal(key)));
        }
        *self.kinds.entry(kind).or_default() += 1;
        *self.by_lesson.entry((item.lesson, kind)).or_default() += 1;
    }
}

/// How much of a quiz a type may take, against the others.
fn share(kind: QuizItemKind) -> f64 {
    match kind {
        QuizItemKind::Select => 4.5,
        QuizItemKind::TrueFalse | QuizItemKind::Blank => 2.0,
        QuizItemKind::OpenEnded => 1.0,
        QuizItemKind::Submission => 1.5,
    }
}

/// An answer that would be recognised if it came twice.
fn has_single_answer(kind: QuizItemKind) -> bool {
    matches!(kind, QuizItemKind::Blank | QuizItemKind::Select)
}
