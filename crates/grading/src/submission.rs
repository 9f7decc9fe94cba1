//! What is to be graded, as typed values: whoever makes one has judged the request already. As JSON it is part of the
//! record of a grade, from which it is read back to be graded again.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use kernel::model::Picture;

/// How an answer is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvaluationType {
    /// Against a question, and a reference answer where there is one.
    OpenEnded,
    /// Against a rubric's criteria.
    RubricShortAnswer,
    /// Equal in value to the reference answer or not.
    Exact,
}

/// A learner's answer with everything that is needed to judge it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecordedSubmission)]
pub struct Submission {
    /// How the answer is judged.
    pub evaluation_type: EvaluationType,
    /// What was asked; may be empty.
    pub question: String,
    /// What the learner answered.
    // Untrusted text of any length up to the body limit, with any characters.
    pub answer: String,
    /// A good answer.
    #[schema(required)]
    pub reference_answer: Option<String>,
    /// Other good answers, as good as the first.
    pub other_references: Vec<String>,
    /// The rubric; empty where there is none. Names may repeat.
    pub criteria: Vec<Criterion>,
    /// What was read of the rubric's files.
    pub rubric_files: Vec<Attachment>,
    /// What was read of the answer's files.
    pub answer_files: Vec<Attachment>,
    /// The points of a perfect answer: finite and greater than 0.
    pub max_score: f64,
    /// The language of the feedback and of number forms, a BCP 47 tag; the answer may be in another.
    pub language: String,
    /// The school subject.
    #[schema(required)]
    pub subject: Option<String>,
    /// The learner's grade level.
    #[schema(required)]
    pub grade_level: Option<String>,
    /// How hard the question is meant to be.
    #[schema(required)]
    pub difficulty: Option<String>,
    /// How the feedback is to be written.
    pub feedback: FeedbackOptions,
    /// How much care was paid for: `fast`, `standard`, `advanced`.
    pub tier: Tier,
    /// Other answers to the same question that a person has graded, the newest first.
    pub reviewed: Vec<ReviewedAnswer>,
    /// Whose turn it is where too many want a grade: a workspace's id. No part of what is graded, nor of its JSON.
    #[serde(skip)]
    pub tenant: String,
}

impl Submission {
    /// An answer to a question, with nothing to judge it by and feedback in English.
    #[must_use]
    pub fn new(
        evaluation_type: EvaluationType,
        question: impl Into<String>,
        answer: impl Into<String>,
        max_score: f64,
    ) -> Self {
        Self {
            evaluation_type,
            question: question.into(),
            answer: answer.into(),
            reference_answer: None,
            other_references: Vec::new(),
            criteria: Vec::new(),
            rubric_files: Vec::new(),
            answer_files: Vec::new(),
            max_score,
            language: "en".to_owned(),
            subject: None,
            grade_level: None,
            difficulty: None,
            feedback: FeedbackOptions::default(),
            tier: Tier::default(),
            reviewed: Vec::new(),
            tenant: String::new(),
        }
    }
}

/// The price class of an evaluation, and with it the care that the evaluation gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TierName)]
pub enum Tier {
    /// The least.
    Fast,
    /// What is usual.
    #[default]
    Standard,
    /// The most: what is close is judged again.
    Advanced,
}

/// An answer that a person has graded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecordedReview)]
pub struct ReviewedAnswer {
    /// What the learner wrote; a long answer is cut.
    pub answer: String,
    /// The share of all points that it earned, from 0 to 1.
    pub share: f64,
    /// The share of each criterion's points, from 0 to 1, in the rubric's order; empty where there is no rubric.
    pub criteria: Vec<f64>,
    /// What the person said to the learner; may be empty.
    pub feedback: String,
    /// The share that a model had given the answer before, from 0 to 1; null where none had.
    #[serde(default)]
    #[schema(required)]
    pub model_share: Option<f64>,
}

/// One criterion of a rubric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecordedCriterion)]
pub struct Criterion {
    /// Its name.
    pub name: String,
    /// What it asks for; may be empty.
    pub description: String,
    /// Its points: finite and not negative.
    pub max_score: f64,
}

/// A file beside the answer or the rubric, as the grader sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecordedAttachment)]
pub struct Attachment {
    /// Its name as sent.
    pub file_name: String,
    /// What was read from it.
    pub text: AttachmentText,
    /// It also holds text that a reader of it does not see, which is not in `text`.
    pub hides_text: bool,
    /// The file itself where it is a picture, for graders that see.
    #[schema(required)]
    pub picture: Option<Picture>,
}

/// What could be read from a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecordedText)]
pub enum AttachmentText {
    /// Its text, whole.
    Whole(String),
    /// The beginning of its text.
    Cut(CutText),
    /// Nothing: a sentence that says why.
    Unread(String),
}

/// The beginning of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecordedCut)]
pub struct CutText {
    /// The beginning.
    pub text: String,
    /// Characters that are missing.
    #[schema(value_type = u64)]
    pub omitted_characters: usize,
}

/// How the feedback is to be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecordedFeedbackOptions)]
pub struct FeedbackOptions {
    /// `encouraging` or `neutral`.
    #[schema(value_type = String)]
    pub tone: Tone,
    /// `brief` or `detailed`.
    #[schema(value_type = String)]
    pub detail_level: DetailLevel,
}

/// How feedback sounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Warm: begins with what is good.
    #[default]
    Encouraging,
    /// Plain.
    Neutral,
}

/// How much feedback says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DetailLevel {
    /// The most important only.
    Brief,
    /// Everything worth saying.
    #[default]
    Detailed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submission_is_read_back_from_its_record_but_for_the_bytes_of_pictures() {
        let picture = Picture::new("image/png", (*b"\x89PNG").into());
        let file = |text, picture| Attachment { file_name: "a".to_owned(), text, hides_text: true, picture };
        let submission = Submission {
            evaluation_type: EvaluationType::RubricShortAnswer,
            question: "Why?".to_owned(),
            answer: "\u{0}\"\u{202e}".to_owned(),
            reference_answer: Some("So.".to_owned()),
            other_references: vec!["Thus.".to_owned()],
            criteria: vec![Criterion { name: "One".to_owned(), description: String::new(), max_score: 0.5 }],
            rubric_files: vec![file(AttachmentText::Whole("text".to_owned()), None)],
            answer_files: vec![
                file(AttachmentText::Cut(CutText { text: "te".to_owned(), omitted_characters: 2 }), None),
                file(AttachmentText::Unread("A picture.".to_owned()), Some(picture)),
            ],
            max_score: 12.5,
            language: "de".to_owned(),
            subject: None,
            grade_level: Some("7".to_owned()),
            difficulty: None,
            feedback: FeedbackOptions { tone: Tone::Neutral, detail_level: DetailLevel::Brief },
            tier: Tier::Advanced,
            reviewed: vec![ReviewedAnswer {
                answer: "No.".to_owned(),
                share: 0.75,
                criteria: vec![0.75],
                feedback: String::new(),
                model_share: Some(0.5),
            }],
            tenant: "a workspace".to_owned(),
        };
        let text = serde_json::to_string(&submission).unwrap();
        assert!(
            !text.contains("a workspace") && text.contains(r#""picture":{"mimeType":"image/png","sha256":""#),
            "{text}"
        );
        let read: Submission = serde_json::from_str(&text).unwrap();
        let mut expected = Submission { tenant: String::new(), ..submission };
        expected.answer_files[1].picture.as_mut().unwrap().bytes = (*b"").into();
        assert_eq!(read, expected);
    }
}
