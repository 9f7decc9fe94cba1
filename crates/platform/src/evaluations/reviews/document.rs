//! The body of a review, as the API's document has it. It is read field by field (see `request`), so nothing makes one.
#![expect(dead_code, reason = "documents what is read field by field")]

/// What a person makes of an answer. What is absent stays as it was said before.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct CreateReviewRequest {
    /// The points, from 0 to `maxScore`. Required unless the evaluation has a rubric's criteria, and absent there: the total is what
    /// they add up to.
    #[schema(example = 8.5)]
    score: Option<f64>,
    /// Every criterion of the rubric by its name; those of one name in their order.
    criteria: Option<Vec<ReviewedCriterion>>,
    /// The feedback in short, at most 10000 characters.
    #[schema(example = "Right, and well explained.")]
    feedback_summary: Option<String>,
    /// What is good: at most 20 texts of 2000 characters, as in the other lists.
    strengths: Option<Vec<String>>,
    /// What is wrong or missing.
    mistakes: Option<Vec<String>>,
    /// What to change.
    suggestions: Option<Vec<String>>,
    /// What to do next.
    next_step: Option<String>,
    /// Who reviewed, for the record.
    #[schema(example = "Ms Curie")]
    reviewer: Option<String>,
}

/// A person's points for a criterion.
#[derive(utoipa::ToSchema)]
pub(super) struct ReviewedCriterion {
    /// The criterion's name.
    #[schema(example = "Names the organelle")]
    criterion: String,
    /// From 0 to the criterion's maximum.
    #[schema(example = 4)]
    score: f64,
    /// Why.
    feedback: Option<String>,
}
