//! What a review says, every field with its rule.

use edge::body::{At, Fields, JsonBody, label, list, number, text};
use edge::problem::Problem;
use serde_json::Value;

use crate::evaluations::EvaluationType;
use crate::evaluations::request::{AskedCriterion, HIGHEST_SCORE, MOST_CRITERIA};
use crate::evaluations::row::EvaluationRow;

const LONGEST_TEXT: usize = 10_000;
const LONGEST_POINT: usize = 2_000;
const MOST_POINTS: usize = 20;

/// A review that fits its evaluation.
#[derive(Clone, Debug)]
pub(super) struct Review {
    pub(super) judgement: Judgement,
    pub(super) feedback_summary: Option<String>,
    pub(super) strengths: Option<Vec<String>>,
    pub(super) mistakes: Option<Vec<String>>,
    pub(super) suggestions: Option<Vec<String>>,
    pub(super) next_step: Option<String>,
    pub(super) reviewer: Option<String>,
}

/// How many points a person gives.
#[derive(Clone, Debug)]
pub(super) enum Judgement {
    /// Of the whole.
    Score(f64),
    /// Of each criterion, in the rubric's order.
    Criteria(Vec<JudgedCriterion>),
}

/// A criterion with a person's points.
#[derive(Clone, Debug)]
pub(super) struct JudgedCriterion {
    pub(super) name: String,
    pub(super) score: f64,
    pub(super) max_score: f64,
    pub(super) feedback: Option<String>,
}

/// An entry of `criteria`, not yet matched with the rubric.
struct Given {
    criterion: String,
    score: f64,
    feedback: Option<String>,
}

/// Reads a review of an evaluation; of `None`, which nobody can review or the caller can't see, as far as that goes.
///
/// # Errors
/// 400 naming every wrong or missing field.
pub(super) fn read(body: &JsonBody, row: Option<&EvaluationRow>) -> Result<Review, Problem> {
    body.read(|fields| read_fields(fields, row))
}

fn read_fields(fields: &mut Fields<'_>, row: Option<&EvaluationRow>) -> Option<Review> {
    let most = row.map_or(HIGHEST_SCORE, |row| row.max_score);
    let score = fields.optional("score", number(0.0..=most));
    let criteria = fields.optional("criteria", list(0..=MOST_CRITERIA, criterion));
    let feedback_summary = fields.optional("feedbackSummary", text(0..=LONGEST_TEXT));
    let points = || list(0..=MOST_POINTS, text(1..=LONGEST_POINT));
    let strengths = fields.optional("strengths", points());
    let mistakes = fields.optional("mistakes", points());
    let suggestions = fields.optional("suggestions", points());
    let next_step = fields.optional("nextStep", text(0..=LONGEST_TEXT));
    let reviewer = fields.optional("reviewer", label(1..=255));
    let judgement = match row.and_then(rubric) {
        Some(rubric) => by_rubric(fields, rubric, score, criteria),
        None => by_score(fields, row, score, criteria),
    };
    Some(Review {
        judgement: judgement?,
        feedback_summary: feedback_summary?,
        strengths: strengths?,
        mistakes: mistakes?,
        suggestions: suggestions?,
        next_step: next_step?,
        reviewer: reviewer?,
    })
}

/// The criteria that a review of this evaluation has to name. A rubric that came as a file has none that are known.
fn rubric(row: &EvaluationRow) -> Option<&[AskedCriterion]> {
    let criteria = &row.asked.as_ref()?.criteria;
    (row.evaluation_type == EvaluationType::RubricShortAnswer && !criteria.is_empty()).then_some(criteria.as_slice())
}

fn criterion(value: &Value, at: &mut At<'_>) -> Option<Given> {
    let mut fields = at.object(value)?;
    let criterion = fields.required("criterion", text(1..=500));
    let score = fields.required("score", number(0.0..=HIGHEST_SCORE));
    let feedback = fields.optional("feedback", text(0..=LONGEST_TEXT));
    Some(Given { criterion: criterion?, score: score?, feedback: feedback? })
}

fn by_score(
    fields: &mut Fields<'_>,
    row: Option<&EvaluationRow>,
    score: Option<Option<f64>>,
    criteria: Option<Option<Vec<Given>>>,
) -> Option<Judgement> {
    if row.is_some() && matches!(criteria, Some(Some(_))) {
        return fields.at().member("criteria").refuse("must be absent: the evaluation has no rubric to go by");
    }
    match (score?, row) {
        (Some(score), _) => Some(Judgement::Score(score)),
        (None, None) => Some(Judgement::Score(0.0)),
        (None, Some(_)) => fields.at().member("score").refuse("is required"),
    }
}

/// Every criterion of the rubric has to be there, and no other; those of one name belong to each other in their order.
fn by_rubric(
    fields: &mut Fields<'_>,
    rubric: &[AskedCriterion],
    score: Option<Option<f64>>,
    criteria: Option<Option<Vec<Given>>>,
) -> Option<Judgement> {
    if matches!(score, Some(Some(_))) {
        let _: Option<()> = fields.at().member("score").refuse("must be absent: it is what the criteria add up to");
    }
    let mut place = fields.at().member("criteria");
    let Some(given) = criteria? else { return place.refuse("is required: the evaluation has a rubric") };
    let mut taken: Vec<Option<&AskedCriterion>> = vec![None; given.len()];
    let mut judged = Vec::with_capacity(rubric.len());
    let mut is_right = true;
    for asked in rubric {
        let found = (0..given.len()).find(|index| taken[*index].is_none() && given[*index].criterion == asked.name);
        let Some(index) = found else {
            let _: Option<()> = place.refuse(format!("must have the criterion {:?}", asked.name));
            is_right = false;
            continue;
        };
        taken[index] = Some(asked);
        let Given { score, feedback, .. } = &given[index];
        if *score > asked.max_score {
            let most = asked.max_score;
            let _: Option<()> = place.item(index).member("score").refuse(format!("must be from 0 to {most}"));
            is_right = false;
        }
        judged.push(JudgedCriterion {
            name: asked.name.clone(),
            score: *score,
            max_score: asked.max_score,
            feedback: feedback.clone(),
        });
    }
    for (index, _) in taken.iter().enumerate().filter(|(_, asked)| asked.is_none()) {
        let _: Option<()> = place.item(index).member("criterion").refuse("is no criterion of the rubric");
        is_right = false;
    }
    is_right.then_some(Judgement::Criteria(judged))
}
