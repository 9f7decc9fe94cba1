//! How grades came about, as it is kept: enough to explain a grade later, and to work it out again without asking anybody.
//!
//! What was asked is in the evaluation's row, so a record holds only what the row does not: who graded and how, the text
//! that files had then, and by which reviewed answers the grade was calibrated. Those are named, not copied: they are other
//! learners', who may be erased. [`get`] shows it all.

pub mod get;

use grading::{Attachment, AttachmentText, CutText, Record, Submission};
use kernel::id::EvaluationId;
use kernel::model::Usage;
use serde::{Deserialize, Serialize};

use super::{GradedBy, Role};

/// The column `record`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct KeptRecord {
    /// Who graded, and how.
    pub(super) record: Record,
    /// What was read of each file, in the order of the files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<ReadFile>,
    /// The reviewed answers that the grader saw, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) calibrated_by: Vec<AnswerVersion>,
}

/// A file as the grader saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReadFile {
    /// What it is to the evaluation.
    pub(super) role: Role,
    /// What was read of it.
    pub(super) attachment: Attachment,
}

/// A version of a reviewed answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnswerVersion {
    /// Whose grade it is.
    pub(super) evaluation_id: EvaluationId,
    /// Which of its grades.
    #[schema(example = 2)]
    pub(super) version: i64,
}

impl KeptRecord {
    /// Of a grade that needs neither files nor reviewed answers.
    pub(super) fn alone(record: Record) -> Self {
        Self { record, files: Vec::new(), calibrated_by: Vec::new() }
    }

    pub(super) fn graded_by(&self) -> GradedBy {
        self.record.graded_by.into()
    }

    /// What the models that were asked have read and written.
    pub(super) fn tokens(&self) -> Usage {
        self.record.usage()
    }
}

/// Adds files to a submission. What code compares is one text: there the answer's files are read as its continuation.
pub(super) fn attach(submission: &mut Submission, files: &[ReadFile]) {
    for ReadFile { role, attachment } in files {
        match role {
            Role::Rubric => submission.rubric_files.push(attachment.clone()),
            Role::Answer => {
                if submission.evaluation_type == grading::EvaluationType::Exact
                    && let AttachmentText::Whole(text) | AttachmentText::Cut(CutText { text, .. }) = &attachment.text
                {
                    submission.answer = [submission.answer.trim(), text.trim()].join("\n").trim().to_owned();
                }
                submission.answer_files.push(attachment.clone());
            }
        }
    }
}
