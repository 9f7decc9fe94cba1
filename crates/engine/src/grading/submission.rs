//! What is to be graded, as typed values: whoever makes one has judged the request already.

use crate::model::Picture;

/// How an answer is to be judged (platform-api section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationType {
    /// Against a question, and a reference answer where there is one.
    OpenEnded,
    /// Against a rubric's criteria.
    RubricShortAnswer,
    /// Equal in value to the reference answer or not.
    Exact,
}

/// A learner's answer with everything that is needed to judge it.
#[derive(Clone, Debug)]
pub struct Submission {
    /// How to judge.
    pub evaluation_type: EvaluationType,
    /// What was asked; may be empty.
    pub question: String,
    /// What the learner wrote: untrusted text of any length up to the body limit, with any characters.
    pub answer: String,
    /// A good answer.
    pub reference_answer: Option<String>,
    /// Other good answers, as good as the first.
    pub other_references: Vec<String>,
    /// The rubric; empty where there is none. Names may repeat.
    pub criteria: Vec<Criterion>,
    /// Files that describe the rubric.
    pub rubric_files: Vec<Attachment>,
    /// Files that are part of the answer.
    pub answer_files: Vec<Attachment>,
    /// The points of a perfect answer: finite and greater than 0.
    pub max_score: f64,
    /// The language of the feedback and of number forms, a BCP 47 tag; the answer may be in another.
    pub language: String,
    /// The school subject.
    pub subject: Option<String>,
    /// The learner's grade level.
    pub grade_level: Option<String>,
    /// How hard the question is meant to be.
    pub difficulty: Option<String>,
    /// How the feedback is to sound.
    pub feedback: FeedbackOptions,
    /// How much care it is worth.
    pub tier: Tier,
    /// Other answers to the same question that a person has graded, the newest first.
    pub reviewed: Vec<ReviewedAnswer>,
    /// Whose turn it is where too many want a grade: a workspace's id.
    pub tenant: String,
}

/// How much care a grade is worth, by what is paid for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedAnswer {
    /// What the learner wrote.
    pub answer: String,
    /// The share of all points that it earned, from 0 to 1.
    pub share: f64,
    /// The share of each criterion's points, from 0 to 1, in the rubric's order; empty where there is no rubric.
    pub criteria: Vec<f64>,
    /// What the person said to the learner; may be empty.
    pub feedback: String,
}

/// One criterion of a rubric.
#[derive(Clone, Debug, PartialEq)]
pub struct Criterion {
    /// Its name.
    pub name: String,
    /// What it asks for; may be empty.
    pub description: String,
    /// Its points: finite and not negative.
    pub max_score: f64,
}

/// A file beside the answer or the rubric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its name as sent.
    pub file_name: String,
    /// What was read from it.
    pub text: AttachmentText,
    /// It also holds text that a reader of it does not see, which is not in `text`.
    pub hides_text: bool,
    /// The file itself where it is a picture, for graders that see.
    pub picture: Option<Picture>,
}

/// What could be read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttachmentText {
    /// Its text, whole.
    Whole(String),
    /// The beginning of its text, and how many characters were left out.
    Cut {
        /// The beginning.
        text: String,
        /// Characters that are missing.
        omitted_characters: usize,
    },
    /// Nothing: a sentence that says why. The feedback has to say so too.
    Unread(String),
}

/// How feedback is to be written (platform-api section 4, `feedbackOptions`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedbackOptions {
    /// How it sounds.
    pub tone: Tone,
    /// How much it says.
    pub detail_level: DetailLevel,
}

/// How feedback sounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Warm: begins with what is good.
    #[default]
    Encouraging,
    /// Plain.
    Neutral,
}

/// How much feedback says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DetailLevel {
    /// The most important only.
    Brief,
    /// Everything worth saying.
    #[default]
    Detailed,
}
