//! Which of the possible questions are asked: spread over the lessons, of varied types, none twice.

use std::collections::{HashMap, HashSet};

use language::normal::normal;
use language::script::word_count;

use crate::builtin::lesson::Lesson;
use crate::drafts::QuizItemKind;
use crate::reading::flat::each_text;

use super::{Item, Workshop};

/// Fewest and most items of a quiz.
const QUIZ: std::ops::RangeInclusive<usize> = 4..=30;
/// Most items embedded in a module.
const MAX_MODULE: usize = 12;
/// Most lessons that are asked about.
const MAX_LESSONS: usize = 40;

/// How much of the items a type may take, against the others.
type Share<'s> = &'s dyn Fn(QuizItemKind) -> f64;

/// What must not come twice.
struct Asked<'s> {
    share: Share<'s>,
    questions: HashSet<String>,
    facts: HashSet<String>,
    answers: HashSet<String>,
    kinds: HashMap<QuizItemKind, usize>,
    by_lesson: HashMap<(usize, QuizItemKind), usize>,
    /// How often each verdict is right; its keys are the answers themselves.
    verdicts: HashMap<String, usize>,
}

/// One or two items for each lesson, answered by choosing or by a word.
pub(crate) fn for_module(workshop: &Workshop<'_>) -> Vec<Item> {
    let lessons = spread(workshop.material.lessons.len(), MAX_MODULE);
    let quota = if lessons.len() <= 4 {
        3
    } else if lessons.len() <= MAX_MODULE / 2 {
        2
    } else {
        1
    };
    let mut candidates = gather(workshop, &lessons);
    for (_, items) in &mut candidates {
        items.retain(|item| !matches!(item.item.kind, QuizItemKind::OpenEnded | QuizItemKind::Submission));
    }
    let mut chosen = take_turns(candidates, &HashSet::new(), &share, |_| quota, MAX_MODULE);
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
    let least = |lesson: usize| quotas.get(&lesson).copied().unwrap_or(1).max(QUIZ.start().div_ceil(lessons.len()));
    let mut chosen = take_turns(gather(workshop, &lessons), &known, &share, least, target);
    if chosen.is_empty() {
        chosen.push(workshop.last_resort());
    }
    chosen.sort_by_key(|item| (item.lesson, order(item.item.kind)));
    chosen
}

/// At most `most` items, as evenly from all lessons as they have them, with types mixed by `share`.
pub(crate) fn for_test(workshop: &Workshop<'_>, most: usize, share: Share<'_>) -> Vec<Item> {
    let lessons = spread(workshop.material.lessons.len(), MAX_LESSONS);
    let mut chosen = take_turns(gather(workshop, &lessons), &HashSet::new(), share, |_| most, most);
    chosen.sort_by_key(|item| (item.lesson, order(item.item.kind)));
    chosen
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

fn gather(workshop: &Workshop<'_>, lessons: &[usize]) -> Vec<(usize, Vec<Item>)> {
    lessons.iter().map(|lesson| (*lesson, workshop.candidates(*lesson))).collect()
}

/// Lesson by lesson, round by round, the item whose type was asked least so far.
fn take_turns(
    mut candidates: Vec<(usize, Vec<Item>)>,
    known: &HashSet<String>,
    share: Share<'_>,
    quota: impl Fn(usize) -> usize,
    target: usize,
) -> Vec<Item> {
    let mut chosen: Vec<Item> = Vec::new();
    let mut asked = Asked::new(share);
    let rounds = candidates.iter().map(|(lesson, _)| quota(*lesson)).max().unwrap_or(0);
    for round in 0..rounds {
        for (lesson, items) in &mut candidates {
            if chosen.len() >= target {
                return chosen;
            }
            if round < quota(*lesson)
                && let Some(item) = asked.next(items, known)
            {
                chosen.push(item);
            }
        }
    }
    chosen
}

impl<'s> Asked<'s> {
    fn new(share: Share<'s>) -> Self {
        Self {
            share,
            questions: HashSet::new(),
            facts: HashSet::new(),
            answers: HashSet::new(),
            kinds: HashMap::new(),
            by_lesson: HashMap::new(),
            verdicts: HashMap::new(),
        }
    }

    /// Takes the best item that asks something new.
    fn next(&mut self, items: &mut Vec<Item>, known: &HashSet<String>) -> Option<Item> {
        items.retain(|item| self.is_new(item));
        let cost = |item: &Item| {
            let kind = item.item.kind;
            let (same, other) = self.verdicts_like(item);
            let used = self.kinds.get(&kind).copied().unwrap_or(0) as f64;
            let here = self.by_lesson.get(&(item.lesson, kind)).copied().unwrap_or(0) as f64;
            let summary = if item.fact.starts_with("summary") { 6.0 } else { 0.0 };
            let own = if item.fact.starts_with("own") {
                -2.0
            } else if kind == QuizItemKind::Submission {
                -0.5
            } else {
                0.0
            };
            (used + 1.0) / (self.share)(kind)
                + here * 0.8
                + f64::from(u8::from(same > other)) * 0.5
                + f64::from(u8::from(known.contains(&item.fact))) * 1.1
                + summary
                + own
        };
        let best = items
            .iter()
            .enumerate()
            .filter(|(_, item)| self.keeps_balance(item))
            .min_by(|(_, left), (_, right)| cost(left).total_cmp(&cost(right)))
            .map(|(at, _)| at)?;
        let item = items.remove(best);
        self.note(&item);
        Some(item)
    }

    fn is_new(&self, item: &Item) -> bool {
        let answered = has_single_answer(item.item.kind)
            && item.item.correct_answers.iter().any(|key| self.answers.contains(&normal(key)));
        let here = |kind| self.by_lesson.get(&(item.lesson, kind)).copied().unwrap_or(0);
        let open_enough =
            matches!(item.item.kind, QuizItemKind::OpenEnded | QuizItemKind::Submission) && here(item.item.kind) > 0;
        !self.questions.contains(&normal(&item.item.question))
            && !self.facts.contains(&item.fact)
            && !answered
            && !open_enough
    }

    /// One verdict is never right in more than two thirds of three or more true-or-false items.
    fn keeps_balance(&self, item: &Item) -> bool {
        let (same, other) = self.verdicts_like(item);
        item.item.kind != QuizItemKind::TrueFalse || same < (2 * other).max(2)
    }

    /// How often a true-or-false item's verdict was right so far, and how often the other one.
    fn verdicts_like(&self, item: &Item) -> (usize, usize) {
        let all: usize = self.verdicts.values().sum();
        let same = item.item.correct_answers.first().and_then(|key| self.verdicts.get(key)).copied().unwrap_or(0);
        if item.item.kind == QuizItemKind::TrueFalse { (same, all - same) } else { (0, 0) }
    }

    fn note(&mut self, item: &Item) {
        self.questions.insert(normal(&item.item.question));
        self.facts.insert(item.fact.clone());
        if has_single_answer(item.item.kind) {
            self.answers.extend(item.item.correct_answers.iter().map(|key| normal(key)));
        }
        if item.item.kind == QuizItemKind::TrueFalse {
            *self.verdicts.entry(item.item.correct_answers.concat()).or_default() += 1;
        }
        *self.kinds.entry(item.item.kind).or_default() += 1;
        *self.by_lesson.entry((item.lesson, item.item.kind)).or_default() += 1;
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
