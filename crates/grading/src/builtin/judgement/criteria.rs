//! The points of an answer by a rubric: criterion by criterion, each by its kind.

use std::collections::BTreeSet;

use super::super::super::{Criterion, EvaluationType, ReviewReason};
use super::super::features::Comparison;
use super::super::reference::Reference;
use super::super::rubric::{self, Kind};
use super::super::scorer::{self, Scored};
use super::super::text::Text;
use super::points::{PointKind, points};
use super::{
    APART, Judged, Judgement, MOST_SURE_DENIED, MOST_SURE_UNGUIDED, MOST_WORDS, SOMETHING, Task, UNKNOWN, Yardstick,
    may_contradict, read_all, repeats,
};

/// How sure a grade can be at most by a rubric, and that of a criterion by levels or qualities.
const MOST_SURE_BY_RUBRIC: f64 = 0.6;
const MOST_SURE_OF_QUALITY: f64 = 0.3;
/// Share of an idea's content words that a criterion must have for the idea to belong to it.
const BELONGS: f64 = 0.3;

/// Judges an answer by the criteria of its rubric.
pub(super) fn by_criteria(task: &Task<'_>, references: &[Reference]) -> Judgement {
    let compared = task.best(&task.answer, references).map(|(_, comparison)| comparison);
    let by_reference = compared.as_ref().map(|comparison| scorer::score(comparison, task.submission.max_score));
    let subject: Vec<&Text> = references.iter().map(|reference| &reference.text).chain([&task.question]).collect();
    let (mut judged, mut sure, mut reasons) = (Vec::new(), Vec::new(), BTreeSet::new());
    let are_levels = rubric::are_levels(&task.submission.criteria);
    for criterion in &task.submission.criteria {
        let kind = match are_levels {
            true => Kind::Levels { highest: criterion.description.clone() },
            false => Kind::of(criterion, &subject, task.reader()),
        };
        let (one, scored) = by_criterion(task, references, by_reference, criterion, &kind);
        reasons.extend(match kind {
            Kind::Elements => None,
            Kind::Levels { .. } => Some(ReviewReason::LevelCriterion),
            Kind::Quality => Some(ReviewReason::QualityCriterion),
        });
        sure.push((scored, criterion.max_score));
        judged.push(one);
    }
    let confidence = weighted(sure.iter().copied()).min(MOST_SURE_BY_RUBRIC);
    let share = total(&judged);
    let mut known = judged.iter().filter(|one| !one.is_for_a_person).flat_map(|one| &one.points).peekable();
    // Where a person judges every criterion, only the reference tells whether the answer is about the question.
    let is_apart = match known.peek() {
        Some(_) => known.all(|point| point.kind == PointKind::Missing),
        None => compared.as_ref().is_some_and(|comparison| comparison.new_recall <= APART),
    };
    if is_apart && task.answer.content.len() >= SOMETHING {
        reasons.insert(ReviewReason::FewSharedWords);
    }
    let is_rubric = task.submission.evaluation_type == EvaluationType::RubricShortAnswer;
    let mut judgement = Judgement {
        share,
        confidence,
        points: judged.iter().flat_map(|one| one.points.iter().cloned()).collect(),
        criteria: is_rubric.then_some(judged),
        is_blank: false,
        repeats: repeats(task),
        reasons,
        says_nothing_known: is_apart,
        unread_from: None,
    };
    if compared.is_some_and(|comparison| may_contradict(&comparison)) {
        judgement.doubt(ReviewReason::Contradiction, MOST_SURE_DENIED);
    }
    judgement
}

/// A criterion, and how sure its share is.
fn by_criterion(
    task: &Task<'_>,
    references: &[Reference],
    by_reference: Option<Scored>,
    criterion: &Criterion,
    kind: &Kind,
) -> (Judged, f64) {
    let texts = match kind {
        Kind::Quality => Vec::new(),
        Kind::Levels { highest } => vec![highest.clone()],
        Kind::Elements => yardsticks(task, references, criterion),
    };
    let yardstick = read_all(&texts, task.reader());
    let compared = task.best(&task.answer, &yardstick);
    // The descriptions of a criterion are no alternatives that one could meet by chance.
    let own = compared.as_ref().map(|(_, comparison)| {
        let mut comparison = Comparison { covered: Vec::new(), fits: Vec::new(), ..*comparison };
        comparison.features.references = 0.0;
        scorer::score(&comparison, criterion.max_score)
    });
    let scored = match kind {
        Kind::Elements => own.unwrap_or(Scored { share: UNKNOWN, confidence: MOST_SURE_UNGUIDED }),
        Kind::Levels { .. } | Kind::Quality => {
            let known = by_reference.or(own).map_or(UNKNOWN, |scored| scored.share);
            let share = if by_reference.is_some() && *kind != Kind::Quality { known } else { (known + UNKNOWN) / 2.0 };
            Scored { share, confidence: MOST_SURE_OF_QUALITY }
        }
    };
    let is_for_a_person = *kind != Kind::Elements;
    let points =
        compared.filter(|_| !is_for_a_person).map(|(reference, comparison)| points(task, reference, &comparison));
    let judged = Judged {
        name: criterion.name.clone(),
        max_score: criterion.max_score,
        share: if task.intake.foreign().is_some() { (scored.share + UNKNOWN) / 2.0 } else { scored.share },
        points: points.unwrap_or_default(),
        is_for_a_person,
        yardstick: Yardstick(yardstick),
    };
    (judged, scored.confidence)
}

/// What the answer is compared with for a criterion: the criterion's own words and the ideas of the references that belong to it,
/// or the references as they are.
fn yardsticks(task: &Task<'_>, references: &[Reference], criterion: &Criterion) -> Vec<String> {
    let described = criterion.description.trim();
    let own = if described.is_empty() { criterion.name.as_str() } else { described };
    let wanted = Text::read(&format!("{} {described}", criterion.name), task.reader(), MOST_WORDS);
    let mut texts = Vec::new();
    if !described.is_empty() || references.is_empty() {
        texts.push(own.to_owned());
    }
    let belonging: Vec<String> =
        references.iter().filter_map(|reference| belonging(reference, &wanted, &task.question)).collect();
    texts.extend(if belonging.is_empty() { task.intake.references.clone() } else { belonging });
    texts
}

/// The ideas of a reference that a criterion speaks of; what the question names says little about which.
fn belonging(reference: &Reference, wanted: &Text, question: &Text) -> Option<String> {
    let belongs = |text: &Text| {
        let new: Vec<u64> = text.content.iter().copied().filter(|id| !question.has(*id)).collect();
        let found = new.iter().filter(|id| wanted.has(**id)).count();
        !new.is_empty() && found as f64 >= BELONGS * new.len() as f64
    };
    let ideas: Vec<&str> =
        reference.ideas.iter().filter(|idea| belongs(&idea.text)).map(|idea| idea.said.as_str()).collect();
    (!ideas.is_empty()).then(|| ideas.join("\n"))
}

/// The share of all points that the criteria earn together.
pub(in crate::builtin) fn total(criteria: &[Judged]) -> f64 {
    weighted(criteria.iter().map(|judged| (judged.share, judged.max_score)))
}

/// A mean, weighed; plain where nothing weighs.
fn weighted(values: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let all: f64 = values.clone().map(|(_, weight)| weight).sum();
    if all > 0.0 {
        return values.map(|(value, weight)| value * weight).sum::<f64>() / all;
    }
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), (value, _)| (count + 1.0, sum + value));
    if count > 0.0 { sum / count } else { 0.0 }
}
