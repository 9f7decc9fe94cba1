//! What a model said of an answer, and what of it holds.

use kernel::model::Objections;
use serde::Deserialize;

use super::evidence::Answer;
use super::prompt::Task;
use crate::Grade;

/// Quotations that are looked up for a criterion, and their longest: a model that goes on and on proves nothing more.
const MOST_QUOTATIONS: usize = 8;
const LONGEST_QUOTATION_BYTES: usize = 4_000;
/// Points by which a number may leave its range before it is a mistake, as a share of the range.
const LEEWAY: f64 = 0.001;

/// The model's answer, as its schema has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Said {
    talks_to_grader: Vec<String>,
    criteria: Vec<SaidOfCriterion>,
    strengths: Vec<String>,
    mistakes: Vec<String>,
    suggestions: Vec<String>,
    summary: String,
    next_step: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SaidOfCriterion {
    id: String,
    evidence: Vec<String>,
    #[serde(default)]
    evidence_in_picture: bool,
    reason: String,
    points: f64,
}

impl Said {
    /// What is wrong with it.
    pub(super) fn objections(&self, task: &Task<'_>) -> Objections {
        Objections { defects: self.defects(task), doubts: self.doubts(task) }
    }

    /// A criterion that is missing, twice or unknown has no points that could be counted.
    fn defects(&self, task: &Task<'_>) -> Vec<String> {
        let mut defects = Vec::new();
        for criterion in &task.criteria {
            let given: Vec<_> = self.criteria.iter().filter(|said| said.id == criterion.id).collect();
            match given[..] {
                [] => defects.push(format!("criteria: {} is missing", criterion.id)),
                [_] => {}
                _ => defects.push(format!("criteria: {} stands there more than once", criterion.id)),
            }
        }
        let known = |id: &str| task.criteria.iter().any(|criterion| criterion.id == id);
        for said in self.criteria.iter().filter(|said| !known(&said.id)) {
            defects.push(format!("criteria: there is no {:?}", said.id));
        }
        if self.summary.trim().is_empty() {
            defects.push("summary: is empty".to_owned());
        }
        defects
    }

    /// Points out of their range are kept within it, and what rests on nothing is held to the built-in grader's points.
    fn doubts(&self, task: &Task<'_>) -> Vec<String> {
        let mut doubts = Vec::new();
        for criterion in &task.criteria {
            let Some(said) = self.criteria.iter().find(|said| said.id == criterion.id) else { continue };
            let (most, id) = (criterion.points, &criterion.id);
            if !said.is_in_range(most) {
                doubts.push(format!("criteria: the points of {id} are to be from 0 to {most}"));
            }
            if said.points > 0.0 && !said.is_seen(task) && !any_stands(&said.evidence, &task.quotable) {
                doubts.push(format!(
                    "criteria: {id} has points, and no evidence that stands in the learner's answer letter by letter"
                ));
            }
        }
        doubts
    }
}

impl SaidOfCriterion {
    fn is_in_range(&self, most: f64) -> bool {
        let slack = most * LEEWAY;
        (-slack..=most + slack).contains(&self.points)
    }

    /// Whether a picture is what earns the points.
    fn is_seen(&self, task: &Task<'_>) -> bool {
        self.evidence_in_picture && task.has_pictures()
    }
}

/// Whether one of the quotations stands in an answer.
fn any_stands(quotations: &[String], answer: &Answer) -> bool {
    let short = quotations.iter().filter(|quoted| quoted.len() <= LONGEST_QUOTATION_BYTES);
    short.take(MOST_QUOTATIONS).any(|quoted| answer.holds(quoted))
}

/// A model's judgement after it was held against the answer.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    pub(super) criteria: Vec<Criterion>,
    /// The rubric's points are given back criterion by criterion.
    pub(super) has_breakdown: bool,
    pub(super) strengths: Vec<String>,
    pub(super) mistakes: Vec<String>,
    pub(super) suggestions: Vec<String>,
    pub(super) summary: String,
    pub(super) next_step: String,
    /// All points rest on what the answer says.
    pub(super) is_founded: bool,
    /// The model found passages that talk to it.
    pub(super) is_talked_to: bool,
    /// All points that were given lay within their range.
    pub(super) is_in_range: bool,
    /// Some points rest on a picture only, where no quotation can be looked up.
    pub(super) sees: bool,
}

/// A criterion's part.
#[derive(Clone, Debug)]
pub(super) struct Criterion {
    pub(super) name: String,
    /// Its points: finite, not negative.
    pub(super) most: f64,
    /// The share of them, from 0 to 1.
    pub(super) share: f64,
    pub(super) reason: String,
    /// What it gives rests on what the answer says or shows.
    pub(super) is_founded: bool,
    /// It rests on a picture only.
    is_seen: bool,
}

impl Verdict {
    /// What of a model's word holds. Whoever calls has seen that each criterion is there once.
    pub(super) fn of(said: Said, task: &Task<'_>) -> Self {
        let criteria: Vec<Criterion> = task
            .criteria
            .iter()
            .map(|criterion| {
                let found = said.criteria.iter().find(|said| said.id == criterion.id);
                let points = found.map_or(0.0, |said| said.points);
                let share = if criterion.points > 0.0 { points / criterion.points } else { 0.0 };
                let quotes = found.is_some_and(|said| any_stands(&said.evidence, &task.quotable));
                let is_seen = found.is_some_and(|said| said.is_seen(task)) && !quotes && points > 0.0;
                Criterion {
                    name: criterion.name.to_owned(),
                    most: criterion.points,
                    share: share.clamp(0.0, 1.0),
                    reason: found.map(|said| said.reason.clone()).unwrap_or_default(),
                    is_founded: points <= 0.0 || quotes || is_seen,
                    is_seen,
                }
            })
            .collect();
        Self {
            is_founded: criteria.iter().all(|criterion| criterion.is_founded),
            is_in_range: task.criteria.iter().all(|criterion| {
                let found = said.criteria.iter().find(|said| said.id == criterion.id);
                found.is_some_and(|said| said.is_in_range(criterion.points))
            }),
            sees: criteria.iter().any(|criterion| criterion.is_seen),
            criteria,
            has_breakdown: task.has_breakdown(),
            // What a picture says can't be looked up: there the model's word that it talks is enough.
            is_talked_to: any_stands(&said.talks_to_grader, &task.quotable)
                || task.has_pictures() && !said.talks_to_grader.is_empty(),
            strengths: said.strengths,
            mistakes: said.mistakes,
            suggestions: said.suggestions,
            summary: said.summary,
            next_step: said.next_step,
        }
    }

    /// The share of all points, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        let most: f64 = self.criteria.iter().map(|criterion| criterion.most).sum();
        let reached: f64 = self.criteria.iter().map(|criterion| criterion.share * criterion.most).sum();
        if most > 0.0 { reached / most } else { 0.0 }
    }

    /// Gives no more than another grader does, for what has no foundation or for everything, and says of it what that one
    /// says.
    pub(super) fn hold_to(&mut self, sober: &Grade, max_score: f64, everything: bool) {
        let total = if max_score > 0.0 { sober.score / max_score } else { 0.0 };
        let parts = sober.rubric_breakdown.as_deref().unwrap_or_default();
        for (at, criterion) in self.criteria.iter_mut().enumerate() {
            let part = parts.get(at).filter(|part| part.max_score > 0.0);
            if everything || !criterion.is_founded {
                let most = part.map_or(total, |part| part.score / part.max_score);
                criterion.share = criterion.share.min(most);
                criterion.reason = part.map(|part| part.feedback.clone()).unwrap_or_default();
            }
        }
        if everything {
            self.say_as(sober);
        }
    }

    /// Says what another grader says, and nothing of the model's own.
    pub(super) fn say_as(&mut self, sober: &Grade) {
        let parts = sober.rubric_breakdown.as_deref().unwrap_or_default();
        for (at, criterion) in self.criteria.iter_mut().enumerate() {
            criterion.reason = parts.get(at).map(|part| part.feedback.clone()).unwrap_or_default();
        }
        self.strengths.clone_from(&sober.strengths);
        self.mistakes.clone_from(&sober.mistakes);
        self.suggestions.clone_from(&sober.suggestions);
        self.summary.clone_from(&sober.feedback_summary);
        self.next_step.clone_from(&sober.next_step);
    }

    /// Everything that the learner would read.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let lists = self.strengths.iter().chain(&self.mistakes).chain(&self.suggestions).map(String::as_str);
        let reasons = self.criteria.iter().map(|criterion| criterion.reason.as_str());
        lists.chain(reasons).chain([self.summary.as_str(), self.next_step.as_str()])
    }
}
