//! Grades a learner's answer: what is asked, what comes back, and who may grade.
//!
//! [`exact`](EvaluationType::Exact) answers are compared by code and never reach a model. The other two types go to a
//! [`Grader`]. A grade is a whole statement: the total is computed here from its parts, never taken from whoever
//! judged them, and a grader that can't judge says so in an error; nobody's zero comes from a failure. Nothing here does I/O or
//! reads a clock. Start reading at [`builtin`], at [`exact`], or at [`model`].

use std::time::Duration;

use async_trait::async_trait;
use serde::Serialize;

pub mod builtin;
pub mod exact;
pub mod metrics;
pub mod model;
mod record;
mod submission;

pub use builtin::Builtin;
pub use model::ModelGrader;
pub use record::{CallRecord, FailureRecord, GradedBy, Judged, Outcome, PromptRecord, Record};
pub use submission::{
    Attachment, AttachmentText, Criterion, CutText, DetailLevel, EvaluationType, FeedbackOptions, ReviewedAnswer,
    Submission, Tier, Tone,
};

/// Judges rubric and open answers. Implementations are deterministic or say that they are not.
#[async_trait]
pub trait Grader: Send + Sync {
    /// Grades one submission.
    ///
    /// # Errors
    /// When there is no sound grade; nothing is charged then.
    async fn grade(&self, submission: &Submission) -> Result<Judged, GradingError>;

    /// Reads an answer for [`Grader::grade_read`], while its caller waits for something else anyway. `None` where it is to
    /// be read as it is graded: there is nothing to read beforehand, or it takes too long for the caller's thread.
    fn read_answer(&self, submission: Submission) -> Option<ReadAnswer> {
        drop(submission);
        None
    }

    /// [`Grader::grade`], of a submission of which this grader has [read](Grader::read_answer) the answer. What was read of
    /// another submission is not used.
    async fn grade_read(&self, submission: &Submission, read: ReadAnswer) -> Result<Judged, GradingError> {
        drop(read);
        self.grade(submission).await
    }

    /// Whether it is worth asking now: known before anything is stored or paid.
    ///
    /// # Errors
    /// A passing one while it is known that there would be no grade.
    fn ready(&self, tier: Tier) -> Result<(), GradingError> {
        let _ = tier;
        Ok(())
    }
}

/// An answer as its grader has read it.
#[derive(Debug)]
pub struct ReadAnswer(Box<(Submission, builtin::Readable)>);

impl ReadAnswer {
    /// The submission and what was read of it, where it is this one: what people said of other answers, and whose turn it is, may
    /// have been unknown then.
    fn of(self, submission: &Submission) -> Option<(Submission, builtin::Readable)> {
        let (mut read, readable) = *self.0;
        read.reviewed.clone_from(&submission.reviewed);
        read.tenant.clone_from(&submission.tenant);
        (read == *submission).then_some((read, readable))
    }
}

/// What a grader says of a submission, in the language that was asked for (platform-api section 2).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Grade {
    /// Points, from 0 to the submission's `max_score`.
    pub score: f64,
    /// How sure the grader is, from 0 to 1.
    pub confidence: f64,
    /// Criterion by criterion in the rubric's order; `None` where there is no rubric.
    pub rubric_breakdown: Option<Vec<CriterionGrade>>,
    /// What is good, a sentence each; what it says of the answer is quoted from it.
    pub strengths: Vec<String>,
    /// What is wrong or missing.
    pub mistakes: Vec<String>,
    /// What to change in this answer.
    pub suggestions: Vec<String>,
    /// The feedback in two or three sentences.
    pub feedback_summary: String,
    /// What to do next.
    pub next_step: String,
    /// What the answer tried besides answering.
    pub integrity: Vec<IntegrityFlag>,
    /// Why a person should look at the grade; empty where nothing calls for it.
    pub review_reasons: Vec<ReviewReason>,
}

impl Grade {
    /// Why a person should look at the grade, in the words of the API: flags that a person should see, then the grader's reasons.
    #[must_use]
    pub fn reasons_for_review(&self) -> Vec<String> {
        let is_for_a_person =
            |flag: &&IntegrityFlag| matches!(flag, IntegrityFlag::AddressesGrader | IntegrityFlag::HiddenText);
        let flags = self.integrity.iter().filter(is_for_a_person).map(serde_json::to_value);
        let words = flags.chain(self.review_reasons.iter().map(serde_json::to_value));
        words.filter_map(|word| Some(word.ok()?.as_str()?.to_owned())).collect()
    }
}

/// One criterion's part of a grade.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CriterionGrade {
    /// The criterion's name as the rubric has it.
    pub criterion: String,
    /// Points, from 0 to `max_score`.
    pub score: f64,
    /// The criterion's own maximum.
    pub max_score: f64,
    /// Why, with what the answer says on it.
    pub feedback: String,
}

/// Something in an answer that is not an answer. None of them earns or costs points by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IntegrityFlag {
    /// It talks to the grader: orders, roles, scores it wants.
    AddressesGrader,
    /// It repeats the question, the rubric or the reference instead of answering.
    RepeatsPrompt,
    /// It is a list of keywords, or has words in an order that makes no sentences.
    NotSentences,
    /// It has invisible or direction-changing characters, hidden markup, or a file with text that nobody sees.
    HiddenText,
}

/// What a grader can't judge well: its grade is an estimate, and a person should look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewReason {
    /// The answer says something, in none of the reference's words.
    FewSharedWords,
    /// It is in another language than the task.
    OtherLanguage,
    /// There is neither a reference nor a rubric.
    NothingToCompare,
    /// It is a long text of its own.
    Essay,
    /// A criterion describes levels instead of what an answer says.
    LevelCriterion,
    /// A criterion asks for a quality, such as a clear structure.
    QualityCriterion,
    /// Part of the answer is a file that could not be read, such as a picture.
    UnreadFiles,
    /// It has the reference's words with another denial: it may say the contrary.
    Contradiction,
    /// It is to equal the reference and shares words with it; no code can tell whether it means the same.
    NearlyEqual,
    /// It has the reference's words, and hardly makes sentences of them.
    NotSentences,
}

/// Why there is no grade.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct GradingError {
    /// A stable code for programs.
    pub code: &'static str,
    /// A sentence for people; it holds nothing of the submission.
    pub message: String,
    /// Whether trying again may help.
    pub retryable: bool,
    /// How long to wait before that, where that is known.
    pub retry_after: Option<Duration>,
    /// Whom it asked and what came of it, where anybody was asked: the record of a grade that there is not.
    pub record: Option<Box<Record>>,
}

impl GradingError {
    /// One that trying again won't help.
    #[must_use]
    pub fn lasting(code: &'static str, message: &str) -> Self {
        Self { code, message: message.to_owned(), retryable: false, retry_after: None, record: None }
    }

    /// Whether nobody was there to grade, which may last, as opposed to somebody who failed at it.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        self.retryable && matches!(self.code, "model_unavailable" | "model_busy")
    }
}
