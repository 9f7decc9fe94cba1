//! What a request for an evaluation asks, every field with its rule (platform-api section 4).

use billing::catalog::Tier;
use edge::body::{At, Body, Check, JsonBody, any_text, list, nested, number, object, one_of, text};
use edge::idempotency::IdempotencyKey;
use edge::problem::Problem;
use grading::{self, Criterion, DetailLevel, Submission, Tone};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{EvaluationType, Mode, ProcessingMode};

/// Points of a perfect answer where the request doesn't say (platform-api section 8).
const DEFAULT_MAX_SCORE: f64 = 10.0;
const DEFAULT_LANGUAGE: &str = "en";
const LOWEST_MAX_SCORE: f64 = 0.000_001;
pub(super) const HIGHEST_SCORE: f64 = 1_000_000.0;
const LONGEST_TEXT: usize = 200_000;
pub(super) const MOST_CRITERIA: usize = 100;
const MOST_CONCEPTS: usize = 50;
const LONGEST_METADATA_BYTES: usize = 16 * 1024;

/// Whether the request came as a form with files that describe the rubric.
pub(super) struct HasRubricFiles(bool);

/// What to grade.
#[derive(Body)]
#[body(
    context = HasRubricFiles,
    rule = has_a_reference(evaluation_type, reference_answer),
    rule = has_a_rubric(evaluation_type, rubric, rubric_criteria, context)
)]
pub(super) struct CreateEvaluationRequest {
    /// How the answer is judged.
    #[field(one_of(EvaluationType::WORDS).shown_as::<EvaluationType>())]
    evaluation_type: EvaluationType,
    /// What was asked.
    #[field(text(1..=LONGEST_TEXT), example = "What is the powerhouse of the cell?")]
    question_text: String,
    /// What the learner answered.
    #[field(text(0..=LONGEST_TEXT), example = "The mitochondrion.")]
    learner_answer: String,
    /// `fast`, `standard` or `advanced`; by default `exact` gets `fast`, `rubric_short_answer` `standard` and `open_ended`
    /// `advanced`.
    #[field(one_of(Tier::WORDS).shown_as::<Tier>())]
    tier: Option<Tier>,
    /// The language of the feedback and of number forms; `en` when it is absent.
    #[field(language_tag(), default = DEFAULT_LANGUAGE.to_owned())]
    language: String,
    /// The points of a perfect answer, above 0; 10 when it is absent.
    #[field(points_above_zero(), default = DEFAULT_MAX_SCORE)]
    max_score: f64,
    /// A good answer; required for `exact`.
    #[field(text(0..=LONGEST_TEXT))]
    reference_answer: Option<String>,
    /// What is looked for; this or `rubricCriteria` is required for `rubric_short_answer`.
    rubric: Option<Rubric>,
    /// The criteria of `rubric` alone.
    #[field(criteria(0))]
    rubric_criteria: Option<Vec<RubricCriterion>>,
    /// The school subject.
    #[field(text(0..=200))]
    subject: Option<String>,
    /// The learner's grade level.
    #[field(text(0..=200))]
    grade_level: Option<String>,
    /// How hard the question is meant to be.
    #[field(text(0..=200))]
    difficulty: Option<String>,
    /// Who answered.
    submitter: Option<Submitter>,
    /// Who answered, where `submitter` is absent.
    #[field(text(0..=255))]
    learner_external_id: Option<String>,
    /// What the question is about; with a learner, mastery of each is tracked.
    #[field(list(0..=MOST_CONCEPTS, text(1..=200).named("ConceptTag", "A concept that a question is about.")), default)]
    concept_tags: Vec<String>,
    /// How the feedback is to be written.
    feedback_options: Option<FeedbackOptions>,
    /// `auto` (default), `builtin` or `model`.
    #[field(one_of(ProcessingMode::WORDS).shown_as::<ProcessingMode>(), default = ProcessingMode::Auto)]
    processing_mode: ProcessingMode,
    /// A repeated request with the same key gets the first one's evaluation. It goes before the header.
    #[field(idempotency_key())]
    idempotency_key: Option<IdempotencyKey>,
    /// `sync` (default) or `async`.
    #[field(one_of(Mode::WORDS).shown_as::<Mode>(), default = Mode::Sync)]
    mode: Mode,
    /// Anything; `ltiLaunchSessionId` links the evaluation to an LTI launch.
    #[field(client_metadata())]
    client_metadata: Option<Value>,
}

/// A rubric.
#[derive(Body)]
struct Rubric {
    #[field(criteria(1))]
    criteria: Vec<RubricCriterion>,
}

/// Who answered.
#[derive(Body)]
struct Submitter {
    #[field(text(1..=255))]
    learner_id: String,
    #[field(text(0..=255))]
    learner_name: Option<String>,
}

/// How feedback is to be written.
#[derive(Body)]
struct FeedbackOptions {
    /// `encouraging` (default) or `neutral`.
    #[field(text(0..=50))]
    tone: Option<String>,
    /// `detailed` (default) or `brief`.
    #[field(text(0..=50))]
    detail_level: Option<String>,
}

/// A request whose every field is right.
#[derive(Clone, Debug)]
pub(super) struct NewEvaluation {
    pub(super) evaluation_type: EvaluationType,
    pub(super) mode: Mode,
    pub(super) tier: Tier,
    pub(super) max_score: f64,
    pub(super) learner_id: Option<String>,
    pub(super) idempotency_key: Option<IdempotencyKey>,
    pub(super) asked: Asked,
}

impl NewEvaluation {
    /// What the graders see of it, but for its files.
    pub(super) fn submission(&self) -> Submission {
        self.asked.submission(self.evaluation_type, self.max_score, self.tier)
    }
}

/// The part of a request that grading needs; stored until the learner is erased.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Asked {
    pub(crate) question_text: String,
    pub(crate) learner_answer: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reference_answer: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) criteria: Vec<RubricCriterion>,
    pub(crate) language: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) grade_level: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) difficulty: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) learner_name: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) concept_tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) detail_level: Option<String>,
    pub(crate) processing_mode: ProcessingMode,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) client_metadata: Option<Value>,
}

/// What a rubric looks for.
#[derive(Body, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RubricCriterion {
    #[field(text(1..=500), example = "Names the organelle")]
    pub(crate) name: String,
    #[serde(default)]
    #[field(text(0..=20_000), default, example = "The answer names the mitochondrion.")]
    pub(crate) description: String,
    #[field(number(0.0..=HIGHEST_SCORE), example = 5)]
    pub(crate) max_score: f64,
}

impl Asked {
    /// What the graders see of it.
    pub(crate) fn submission(&self, evaluation_type: EvaluationType, max_score: f64, tier: Tier) -> Submission {
        let criterion = |criterion: &RubricCriterion| Criterion {
            name: criterion.name.clone(),
            description: criterion.description.clone(),
            max_score: criterion.max_score,
        };
        Submission {
            evaluation_type: evaluation_type.into(),
            question: self.question_text.clone(),
            answer: self.learner_answer.clone(),
            reference_answer: self.reference_answer.clone(),
            other_references: Vec::new(),
            criteria: self.criteria.iter().map(criterion).collect(),
            rubric_files: Vec::new(),
            answer_files: Vec::new(),
            max_score,
            language: self.language.clone(),
            subject: self.subject.clone(),
            grade_level: self.grade_level.clone(),
            difficulty: self.difficulty.clone(),
            feedback: grading::FeedbackOptions {
                // Words beyond those of the document are the caller's to try: they get the default.
                tone: if self.tone.as_deref() == Some("neutral") { Tone::Neutral } else { Tone::Encouraging },
                detail_level: match self.detail_level.as_deref() {
                    Some("brief") => DetailLevel::Brief,
                    _ => DetailLevel::Detailed,
                },
            },
            tier: care(tier),
            reviewed: Vec::new(),
            tenant: String::new(),
        }
    }
}

/// The care that a tier's price buys.
pub(super) const fn care(tier: Tier) -> grading::Tier {
    match tier {
        Tier::Fast => grading::Tier::Fast,
        Tier::Standard => grading::Tier::Standard,
        Tier::Advanced => grading::Tier::Advanced,
    }
}

/// Reads a request.
///
/// # Errors
/// 400 naming every wrong or missing field.
pub(super) fn read(body: &JsonBody, has_rubric_files: bool) -> Result<NewEvaluation, Problem> {
    body.read_in(&HasRubricFiles(has_rubric_files)).map(CreateEvaluationRequest::evaluation)
}

const fn default_tier(evaluation_type: EvaluationType) -> Tier {
    match evaluation_type {
        EvaluationType::Exact => Tier::Fast,
        EvaluationType::RubricShortAnswer => Tier::Standard,
        EvaluationType::OpenEnded => Tier::Advanced,
    }
}

impl CreateEvaluationRequest {
    fn evaluation(self) -> NewEvaluation {
        let evaluation_type = self.evaluation_type;
        // `rubricCriteria` is `rubric` under an older name, and `learnerExternalId` `submitter`.
        let criteria = self.rubric.map(|rubric| rubric.criteria).or(self.rubric_criteria);
        let (learner_id, learner_name) = match self.submitter {
            Some(Submitter { learner_id, learner_name }) => (Some(learner_id), learner_name),
            None => (not_empty(self.learner_external_id), None),
        };
        let (tone, detail_level) = self.feedback_options.map(|options| (options.tone, options.detail_level)).unzip();
        NewEvaluation {
            evaluation_type,
            mode: self.mode,
            tier: self.tier.unwrap_or_else(|| default_tier(evaluation_type)),
            max_score: self.max_score,
            learner_id,
            idempotency_key: self.idempotency_key,
            asked: Asked {
                question_text: self.question_text,
                learner_answer: self.learner_answer,
                reference_answer: not_empty(self.reference_answer),
                criteria: criteria.unwrap_or_default(),
                language: self.language,
                subject: self.subject,
                grade_level: self.grade_level,
                difficulty: self.difficulty,
                learner_name,
                concept_tags: distinct(self.concept_tags),
                tone: tone.flatten(),
                detail_level: detail_level.flatten(),
                processing_mode: self.processing_mode,
                client_metadata: self.client_metadata,
            },
        }
    }
}

/// A text that may be left out, and is by whoever leaves it empty.
fn not_empty(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// The rule of exact grading: there is something to compare with.
fn has_a_reference(at: &mut At<'_>, evaluation_type: &EvaluationType, reference: &Option<String>) {
    if *evaluation_type == EvaluationType::Exact && reference.as_deref().unwrap_or_default().trim().is_empty() {
        at.member("referenceAnswer").refuse::<()>("is required when evaluationType is exact");
    }
}

/// The rule of grading by a rubric: there is one, perhaps in files.
fn has_a_rubric(
    at: &mut At<'_>,
    evaluation_type: &EvaluationType,
    rubric: &Option<Rubric>,
    criteria: &Option<Vec<RubricCriterion>>,
    HasRubricFiles(has_files): &HasRubricFiles,
) {
    let has_criteria = rubric.is_some() || criteria.as_ref().is_some_and(|criteria| !criteria.is_empty());
    if *evaluation_type == EvaluationType::RubricShortAnswer && !has_criteria && !has_files {
        at.member("rubric").refuse::<()>("is required when evaluationType is rubric_short_answer");
    }
}

/// Points, of which there are some.
fn points_above_zero() -> impl Check<Value = f64> {
    let points = number(0.0..=HIGHEST_SCORE);
    let points =
        points.parsed(|points| if points >= LOWEST_MAX_SCORE { Ok(points) } else { Err("must be greater than 0") });
    points.shown_like(number(LOWEST_MAX_SCORE..=HIGHEST_SCORE))
}

/// Criteria of which one gives points.
fn criteria(least: usize) -> impl Check<Value = Vec<RubricCriterion>> {
    list(least..=MOST_CRITERIA, nested::<RubricCriterion>()).then(|criteria, at| {
        if !criteria.is_empty() && criteria.iter().all(|criterion| criterion.max_score == 0.0) {
            return at.refuse("must have a criterion with a maxScore above 0");
        }
        Some(criteria)
    })
}

fn client_metadata() -> impl Check<Value = Value> {
    object(LONGEST_METADATA_BYTES).then(|metadata, at| {
        at.object(&metadata)?.optional("ltiLaunchSessionId", text(1..=255))?;
        Some(metadata)
    })
}

fn idempotency_key() -> impl Check<Value = IdempotencyKey> {
    let text = any_text().length(1..=255).pattern("^[!-~]+$");
    text.parsed(|key| IdempotencyKey::new(&key, "").map_err(|_| "must be 1 to 255 visible ASCII characters"))
}

/// A language tag, with hyphens or underscores; a language without phrases of its own gets English feedback.
fn language_tag() -> impl Check<Value = String> {
    let text = any_text().length(0..=35).pattern("^[A-Za-z]{2,3}([_-][A-Za-z0-9]{1,8})*$");
    text.parsed(|tag| {
        let is_tag = kernel::language::is_tag(&tag.replace('_', "-"));
        if is_tag { Ok(tag) } else { Err("must be a language tag such as en or pt-BR") }
    })
}

fn distinct(tags: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    tags.into_iter().filter(|tag| seen.insert(tag.clone())).collect()
}
