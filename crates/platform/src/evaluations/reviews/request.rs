//! The body of a review, every field with its rule.

use edge::body::{At, Body, Check, JsonBody, label, list, nested, number, text};
use edge::problem::Problem;

use crate::evaluations::EvaluationType;
use crate::evaluations::request::{HIGHEST_SCORE, MOST_CRITERIA, RubricCriterion};
use crate::evaluations::row::EvaluationRow;

const LONGEST_TEXT: usize = 10_000;
const LONGEST_POINT: usize = 2_000;
const MOST_POINTS: usize = 20;

/// What a person makes of an answer. What is absent stays as it was said before.
#[derive(Body, Clone, Debug)]
#[body(
    context = Reviewable,
    rule = is_no_sum(score, context),
    rule = criteria_fit(criteria, context),
    rule = is_judged(score, criteria?, context)
)]
pub(super) struct CreateReviewRequest {
    /// The points, from 0 to `maxScore`. Required unless the evaluation has a rubric's criteria, and absent there: the total is what
    /// they add up to.
    #[field(points_of_whole(), example = 8.5, rule = is_within(score, context))]
    score: Option<f64>,
    /// Every criterion of the rubric by its name; those of one name in their order.
    #[field(list(0..=MOST_CRITERIA, nested::<ReviewedCriterion>()))]
    criteria: Option<Vec<ReviewedCriterion>>,
    /// The feedback in short, at most 10000 characters.
    #[field(text(0..=LONGEST_TEXT), example = "Right, and well explained.")]
    pub(super) feedback_summary: Option<String>,
    /// What is good: at most 20 texts of 2000 characters, as in the other lists.
    #[field(points())]
    pub(super) strengths: Option<Vec<String>>,
    /// What is wrong or missing.
    #[field(points())]
    pub(super) mistakes: Option<Vec<String>>,
    /// What to change.
    #[field(points())]
    pub(super) suggestions: Option<Vec<String>>,
    /// What to do next.
    #[field(text(0..=LONGEST_TEXT))]
    pub(super) next_step: Option<String>,
    /// Who reviewed, for the record.
    #[field(label(1..=255), example = "Ms Curie")]
    pub(super) reviewer: Option<String>,
}

/// A person's points for a criterion.
#[derive(Body, Clone, Debug)]
struct ReviewedCriterion {
    /// The criterion's name.
    #[field(text(1..=500), example = "Names the organelle")]
    criterion: String,
    /// From 0 to the criterion's maximum.
    #[field(number(0.0..=HIGHEST_SCORE), example = 4)]
    score: f64,
    /// Why.
    #[field(text(0..=LONGEST_TEXT))]
    feedback: Option<String>,
}

/// A review that fits its evaluation.
#[derive(Clone, Debug)]
pub(super) struct Review {
    pub(super) judgement: Judgement,
    pub(super) said: CreateReviewRequest,
}

/// The points that a person gives.
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

/// The subject of a review.
pub(super) enum Reviewable {
    /// An evaluation that nobody can review, or that the caller can't see.
    Unknown,
    /// An answer that is judged as a whole, with its highest score. A rubric that came as a file has no criteria that are
    /// known.
    Whole(f64),
    /// An answer that is judged by these criteria, with its highest score.
    ByRubric(Vec<RubricCriterion>, f64),
}

/// Reads a review of an evaluation; of `None`, which nobody can review or the caller can't see, as far as that goes.
///
/// # Errors
/// 400 naming every wrong or missing field.
pub(super) fn read(body: &JsonBody, row: Option<&EvaluationRow>) -> Result<Review, Problem> {
    let reviewable = Reviewable::of(row);
    let said: CreateReviewRequest = body.read_in(&reviewable)?;
    let judgement = match &reviewable {
        Reviewable::ByRubric(rubric, _) => {
            Judgement::Criteria(judged(rubric, said.criteria.as_deref().unwrap_or_default()))
        }
        Reviewable::Unknown | Reviewable::Whole(_) => Judgement::Score(said.score.unwrap_or_default()),
    };
    Ok(Review { judgement, said })
}

impl Reviewable {
    fn of(row: Option<&EvaluationRow>) -> Self {
        let Some(row) = row else { return Self::Unknown };
        match &row.asked {
            Some(asked) if row.evaluation_type == EvaluationType::RubricShortAnswer && !asked.criteria.is_empty() => {
                Self::ByRubric(asked.criteria.clone(), row.max_score)
            }
            _ => Self::Whole(row.max_score),
        }
    }

    fn max_score(&self) -> f64 {
        match self {
            Self::Unknown => HIGHEST_SCORE,
            Self::Whole(most) | Self::ByRubric(_, most) => *most,
        }
    }
}

/// Points that the evaluation is to judge: [`is_within`].
fn points_of_whole() -> impl Check<Value = f64> {
    number(f64::MIN..=f64::MAX).shown_like(number(0.0..=HIGHEST_SCORE))
}

/// A list of strengths, mistakes or suggestions.
fn points() -> impl Check<Value = Vec<String>> {
    list(0..=MOST_POINTS, text(1..=LONGEST_POINT).named("FeedbackPoint", "A strength, a mistake or a suggestion."))
}

/// The rule of the score: it is one that its evaluation can have.
fn is_within(at: &mut At<'_>, score: &Option<f64>, reviewable: &Reviewable) {
    let most = reviewable.max_score();
    if score.is_some_and(|score| !(0.0..=most).contains(&score)) {
        at.member("score").refuse::<()>(format!("must be from 0 to {most}"));
    }
}

/// The rule of an answer that is judged by criteria: no score stands beside them.
fn is_no_sum(at: &mut At<'_>, score: &Option<f64>, reviewable: &Reviewable) {
    if let Reviewable::ByRubric(_, most) = reviewable
        && score.is_some_and(|score| (0.0..=*most).contains(&score))
    {
        at.member("score").refuse::<()>("must be absent: it is what the criteria add up to");
    }
}

/// The rule of the criteria: every one of the rubric is there with points that it can have, and no other.
fn criteria_fit(at: &mut At<'_>, given: &Option<Vec<ReviewedCriterion>>, reviewable: &Reviewable) {
    let mut at = at.member("criteria");
    match (reviewable, given) {
        (Reviewable::Whole(_), Some(_)) => {
            at.refuse::<()>("must be absent: the evaluation has no rubric to go by");
        }
        (Reviewable::ByRubric(..), None) => {
            at.refuse::<()>("is required: the evaluation has a rubric");
        }
        (Reviewable::ByRubric(rubric, _), Some(given)) => refuse_misfits(&mut at, rubric, given),
        (Reviewable::Whole(_), None) | (Reviewable::Unknown, _) => {}
    }
}

/// The rule of an answer that is judged as a whole: its score is there.
fn is_judged(
    at: &mut At<'_>,
    score: &Option<f64>,
    given: Option<&Option<Vec<ReviewedCriterion>>>,
    reviewable: &Reviewable,
) {
    if matches!(reviewable, Reviewable::Whole(_)) && score.is_none() && !matches!(given, Some(Some(_))) {
        at.member("score").refuse::<()>("is required");
    }
}

fn refuse_misfits(at: &mut At<'_>, rubric: &[RubricCriterion], given: &[ReviewedCriterion]) {
    let places = places(rubric, given);
    for (criterion, place) in rubric.iter().zip(&places) {
        match place {
            None => {
                at.refuse::<()>(format!("must have the criterion {:?}", criterion.name));
            }
            Some(index) if given[*index].score > criterion.max_score => {
                let message = format!("must be from 0 to {}", criterion.max_score);
                at.item(*index).member("score").refuse::<()>(message);
            }
            Some(_) => {}
        }
    }
    for index in (0..given.len()).filter(|index| !places.contains(&Some(*index))) {
        at.item(index).member("criterion").refuse::<()>("is no criterion of the rubric");
    }
}

/// The place of each criterion of the rubric among the given ones; those of one name belong to each other in their order.
fn places(rubric: &[RubricCriterion], given: &[ReviewedCriterion]) -> Vec<Option<usize>> {
    let mut is_taken = vec![false; given.len()];
    let place = |criterion: &RubricCriterion| {
        let index = (0..given.len()).find(|index| !is_taken[*index] && given[*index].criterion == criterion.name)?;
        is_taken[index] = true;
        Some(index)
    };
    rubric.iter().map(place).collect()
}

/// The criteria with a person's points, of which none is missing.
fn judged(rubric: &[RubricCriterion], given: &[ReviewedCriterion]) -> Vec<JudgedCriterion> {
    let judged = rubric.iter().zip(places(rubric, given)).filter_map(|(criterion, place)| {
        let ReviewedCriterion { score, feedback, .. } = given.get(place?)?;
        Some(JudgedCriterion {
            name: criterion.name.clone(),
            score: *score,
            max_score: criterion.max_score,
            feedback: feedback.clone(),
        })
    });
    judged.collect()
}
