//! What a request for an evaluation asks, every field with its rule (platform-api section 4).

use billing::catalog::Tier;
use edge::body::{At, Fields, JsonBody, any_text, list, number, object, one_of, text};
use edge::idempotency::IdempotencyKey;
use edge::problem::Problem;
use engine::grading::{self, Criterion, DetailLevel, FeedbackOptions, Submission, Tone};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{EvaluationType, Mode, ProcessingMode};

/// Points of a perfect answer where the request doesn't say (platform-api section 8).
const DEFAULT_MAX_SCORE: f64 = 10.0;
const DEFAULT_LANGUAGE: &str = "en";
pub(super) const HIGHEST_SCORE: f64 = 1_000_000.0;
const LONGEST_TEXT: usize = 200_000;
pub(super) const MOST_CRITERIA: usize = 100;
const MOST_CONCEPTS: usize = 50;
const LONGEST_METADATA_BYTES: usize = 16 * 1024;

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
    pub(super) question_text: String,
    pub(super) learner_answer: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reference_answer: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) criteria: Vec<AskedCriterion>,
    pub(super) language: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) grade_level: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) difficulty: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) learner_name: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) concept_tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) detail_level: Option<String>,
    pub(super) processing_mode: ProcessingMode,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) client_metadata: Option<Value>,
}

/// A criterion of the rubric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AskedCriterion {
    pub(super) name: String,
    #[serde(default)]
    description: String,
    pub(super) max_score: f64,
}

impl Asked {
    /// What the graders see of it.
    pub(super) fn submission(&self, evaluation_type: EvaluationType, max_score: f64, tier: Tier) -> Submission {
        let criterion = |criterion: &AskedCriterion| Criterion {
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
            feedback: FeedbackOptions {
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
    body.read(|fields| read_fields(fields, has_rubric_files))
}

fn read_fields(fields: &mut Fields<'_>, has_rubric_files: bool) -> Option<NewEvaluation> {
    let evaluation_type = fields.required("evaluationType", one_of(EvaluationType::WORDS));
    let question_text = fields.required("questionText", text(1..=LONGEST_TEXT));
    let learner_answer = fields.required("learnerAnswer", text(0..=LONGEST_TEXT));
    let tier = fields.optional("tier", one_of(TIERS));
    let language = fields.optional("language", language_tag);
    let max_score = fields.optional("maxScore", points_above_zero);
    let reference_answer = fields.optional("referenceAnswer", text(0..=LONGEST_TEXT)).map(not_empty);
    let criteria = read_criteria(fields);
    let subject = fields.optional("subject", text(0..=200));
    let grade_level = fields.optional("gradeLevel", text(0..=200));
    let difficulty = fields.optional("difficulty", text(0..=200));
    let learner = read_learner(fields);
    let concept_tags = fields.optional("conceptTags", list(0..=MOST_CONCEPTS, text(1..=200)));
    let feedback = fields.optional("feedbackOptions", read_feedback_options);
    let processing_mode = fields.optional("processingMode", one_of(ProcessingMode::WORDS));
    let idempotency_key = fields.optional("idempotencyKey", read_idempotency_key);
    let mode = fields.optional("mode", one_of(Mode::WORDS));
    let client_metadata = fields.optional("clientMetadata", read_client_metadata);

    if evaluation_type == Some(EvaluationType::Exact) && reference_answer == Some(None) {
        let _: Option<()> = fields.at().member("referenceAnswer").refuse("is required when evaluationType is exact");
    }
    // The rubric may be in files.
    if evaluation_type == Some(EvaluationType::RubricShortAnswer) && criteria == Some(None) && !has_rubric_files {
        let _: Option<()> =
            fields.at().member("rubric").refuse("is required when evaluationType is rubric_short_answer");
    }
    let evaluation_type = evaluation_type?;
    let (learner_id, learner_name) = learner?;
    let (tone, detail_level) = feedback?.unwrap_or_default();
    Some(NewEvaluation {
        evaluation_type,
        mode: mode?.unwrap_or(Mode::Sync),
        tier: tier?.unwrap_or_else(|| default_tier(evaluation_type)),
        max_score: max_score?.unwrap_or(DEFAULT_MAX_SCORE),
        learner_id,
        idempotency_key: idempotency_key?,
        asked: Asked {
            question_text: question_text?,
            learner_answer: learner_answer?,
            reference_answer: reference_answer?,
            criteria: criteria?.unwrap_or_default(),
            language: language?.unwrap_or_else(|| DEFAULT_LANGUAGE.to_owned()),
            subject: subject?,
            grade_level: grade_level?,
            difficulty: difficulty?,
            learner_name,
            concept_tags: distinct(concept_tags?.unwrap_or_default()),
            tone,
            detail_level,
            processing_mode: processing_mode?.unwrap_or(ProcessingMode::Auto),
            client_metadata: client_metadata?,
        },
    })
}

const TIERS: &[(&str, Tier)] = &[("fast", Tier::Fast), ("standard", Tier::Standard), ("advanced", Tier::Advanced)];

edge::documented_words! {
    /// What an evaluation is priced at, and the care that it gets.
    pub(super) TierName = TIERS
}

const fn default_tier(evaluation_type: EvaluationType) -> Tier {
    match evaluation_type {
        EvaluationType::Exact => Tier::Fast,
        EvaluationType::RubricShortAnswer => Tier::Standard,
        EvaluationType::OpenEnded => Tier::Advanced,
    }
}

/// The rubric's criteria: `rubric`, else `rubricCriteria`, the same under an older name.
fn read_criteria(fields: &mut Fields<'_>) -> Option<Option<Vec<AskedCriterion>>> {
    let rubric = fields.optional("rubric", |value, at| at.object(value)?.required("criteria", criteria));
    let alternative = fields.optional("rubricCriteria", |value, at| match value.as_array() {
        Some(none) if none.is_empty() => Some(None),
        _ => criteria(value, at).map(Some),
    });
    let (rubric, alternative) = (rubric?, alternative?);
    Some(rubric.or(alternative.flatten()))
}

/// A text that may be left out, and is by whoever leaves it empty.
fn not_empty(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

fn criteria(value: &Value, at: &mut At<'_>) -> Option<Vec<AskedCriterion>> {
    let criteria = list(1..=MOST_CRITERIA, |value, at| {
        let mut fields = at.object(value)?;
        let name = fields.required("name", text(1..=500));
        let description = fields.optional("description", text(0..=20_000));
        let max_score = fields.required("maxScore", number(0.0..=HIGHEST_SCORE));
        Some(AskedCriterion { name: name?, description: description?.unwrap_or_default(), max_score: max_score? })
    })(value, at)?;
    if criteria.iter().all(|criterion| criterion.max_score == 0.0) {
        return at.refuse("must have a criterion with a maxScore above 0");
    }
    Some(criteria)
}

/// Who answered: `submitter`, else the older `learnerExternalId`. The id and the name.
fn read_learner(fields: &mut Fields<'_>) -> Option<(Option<String>, Option<String>)> {
    let submitter = fields.optional("submitter", |value, at| {
        let mut fields = at.object(value)?;
        let id = fields.required("learnerId", text(1..=255));
        let name = fields.optional("learnerName", text(0..=255));
        Some((id?, name?))
    });
    let external_id = fields.optional("learnerExternalId", text(0..=255)).map(not_empty);
    match (submitter?, external_id?) {
        (Some((id, name)), _) => Some((Some(id), name)),
        (None, external_id) => Some((external_id, None)),
    }
}

fn read_feedback_options(value: &Value, at: &mut At<'_>) -> Option<(Option<String>, Option<String>)> {
    let mut fields = at.object(value)?;
    let tone = fields.optional("tone", text(0..=50));
    let detail_level = fields.optional("detailLevel", text(0..=50));
    Some((tone?, detail_level?))
}

fn read_client_metadata(value: &Value, at: &mut At<'_>) -> Option<Value> {
    let metadata = object(LONGEST_METADATA_BYTES)(value, at)?;
    at.object(value)?.optional("ltiLaunchSessionId", text(1..=255))?;
    Some(metadata)
}

fn read_idempotency_key(value: &Value, at: &mut At<'_>) -> Option<IdempotencyKey> {
    let text = any_text(value, at)?;
    match IdempotencyKey::new(&text, "idempotencyKey") {
        Ok(key) => Some(key),
        Err(_) => at.refuse("must be 1 to 255 visible ASCII characters"),
    }
}

/// A language tag, with hyphens or underscores; a language without phrases of its own gets English feedback.
fn language_tag(value: &Value, at: &mut At<'_>) -> Option<String> {
    let tag = any_text(value, at)?;
    if kernel::language::is_tag(&tag.replace('_', "-")) {
        Some(tag)
    } else {
        at.refuse("must be a language tag such as en or pt-BR")
    }
}

fn points_above_zero(value: &Value, at: &mut At<'_>) -> Option<f64> {
    match number(0.0..=HIGHEST_SCORE)(value, at)? {
        points if points >= 0.000_001 => Some(points),
        _ => at.refuse("must be greater than 0"),
    }
}

fn distinct(tags: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    tags.into_iter().filter(|tag| seen.insert(tag.clone())).collect()
}
