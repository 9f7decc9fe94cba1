//! The body of a review, as the API's document has it. It is read field by field (see `request`), so nothing makes one.
#![expect(dead_code, reason = "documents what is read field by field")]

/// A strength, a mistake or a suggestion.
#[derive(utoipa::ToSchema)]
#[schema(min_length = 1, max_length = 2000)]
pub(super) struct FeedbackPoint(String);

/// What a person makes of an answer. What is absent stays as it was said before.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct CreateReviewRequest {
    /// The points, from 0 to `maxScore`. Required unless the evaluation has a rubric's criteria, and absent there: the total is what
    /// they add up to.
    #[schema(minimum = 0, maximum = 1000000, example = 8.5)]
    score: Option<f64>,
    /// Every criterion of the rubric by its name; those of one name in their order.
    #[schema(max_items = 100)]
    criteria: Option<Vec<ReviewedCriterion>>,
    /// The feedback in short, at most 10000 characters.
    #[schema(max_length = 10000, example = "Right, and well explained.")]
    feedback_summary: Option<String>,
    /// What is good: at most 20 texts of 2000 characters, as in the other lists.
    #[schema(value_type = Option<Vec<FeedbackPoint>>, max_items = 20)]
    strengths: Option<Vec<String>>,
    /// What is wrong or missing.
    #[schema(value_type = Option<Vec<FeedbackPoint>>, max_items = 20)]
    mistakes: Option<Vec<String>>,
    /// What to change.
    #[schema(value_type = Option<Vec<FeedbackPoint>>, max_items = 20)]
    suggestions: Option<Vec<String>>,
    /// What to do next.
    #[schema(max_length = 10000)]
    next_step: Option<String>,
    /// Who reviewed, for the record.
    #[schema(min_length = 1, max_length = 255, example = "Ms Curie")]
    reviewer: Option<String>,
}

/// A person's points for a criterion.
#[derive(utoipa::ToSchema)]
pub(super) struct ReviewedCriterion {
    /// The criterion's name.
    #[schema(min_length = 1, max_length = 500, example = "Names the organelle")]
    criterion: String,
    /// From 0 to the criterion's maximum.
    #[schema(minimum = 0, maximum = 1000000, example = 4)]
    score: f64,
    /// Why.
    #[schema(max_length = 10000)]
    feedback: Option<String>,
}
