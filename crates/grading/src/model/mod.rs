//! Grading by a language model, which is neither believed nor obeyed further than the answer carries it.
//!
//! The way of an answer: the guards of [`super::builtin`] take out what nobody sees and flag what talks to the grader;
//! [`prompt`] asks, with all visible text, with the learner's words as data; [`verdict`] reads what came, checks each quotation against the
//! answer ([`evidence`]) and keeps the points within their range; what rests on nothing gets no more than the built-in
//! grader gives, which can't be talked to. The total is added up here. In the advanced tier a close call is judged
//! again ([`votes`]). Reviews of the model's earlier grades move its confidence ([`calibration`]). Everything that the model said goes into the record, from which [`replay`] grades once more.

mod calibration;
mod evidence;
mod feedback;
mod others;
mod processors;
mod prompt;
mod replay;
mod verdict;
mod votes;

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::join_all;
use kernel::model::{Asked, Model, ModelError, ModelRole, Prompt, Unanswered, ask};

use super::builtin::{self, Readable};
use super::{
    AttachmentText, CallRecord, Grade, GradedBy, Grader, GradingError, Judged, PromptRecord, ReadAnswer, Record,
    Submission, Tier,
};
use processors::compute;
pub use processors::{Here, Processors};
use prompt::{PROMPT_VERSION, Task};
pub use replay::{Replay, ReplayError, replay};
use verdict::{Said, Verdict};

/// An answer is read where the request is served if it has no more bytes than this, and its task too. That keeps the thread for
/// a fraction of a millisecond, and for two where it is nothing but short sentences.
const READ_AT_ONCE_BYTES: usize = 2048;
/// How often a close call is judged in the advanced tier, the first time included.
const MOST_VOTES: usize = 3;
/// What makes a further judgement another one.
const VOTING_TEMPERATURE: f64 = 0.7;

/// Grades rubric and open answers by a language model.
#[derive(Clone)]
pub struct ModelGrader {
    model: Arc<dyn Model>,
    processors: Arc<dyn Processors>,
}

impl ModelGrader {
    /// A grader by a model, which computes on `processors`.
    pub fn new(model: Arc<dyn Model>, processors: Arc<dyn Processors>) -> Self {
        Self { model, processors }
    }

    async fn judge(&self, submission: &Arc<Submission>, readable: Readable) -> Result<Judged, GradingError> {
        let sees = submission.answer_files.iter().any(|file| file.picture.is_some());
        if !sees && !readable.text.contains(char::is_alphanumeric) {
            // Nothing to read is nothing to ask about.
            return self.judge_soberly(submission).await;
        }
        let task = Task::new(submission, &readable);
        let prompt = task.prompt(Some(0.0));
        let mut record = Record {
            prompt: Some(PromptRecord { version: PROMPT_VERSION.to_owned(), sha256: prompt.sha256() }),
            ..Record::own(GradedBy::Model, submission)
        };
        match self.judge_by_model(submission, &readable, &task, prompt, &mut record).await {
            Ok(grade) => Ok(Judged { grade, record }),
            Err(error) => Err(GradingError { record: Some(Box::new(record)), ..error }),
        }
    }

    /// The grade, and in the record everything that was asked for it, whether or not there is one.
    async fn judge_by_model(
        &self,
        submission: &Arc<Submission>,
        readable: &Readable,
        task: &Task<'_>,
        prompt: Prompt,
        record: &mut Record,
    ) -> Result<Grade, GradingError> {
        let mut verdicts = vec![self.vote(prompt, task, record).await.map_err(|error| error_of(&error))?];
        let mut most_sure = readable.most_sure;
        let mut sober: Option<Grade> = None;
        if submission.tier == Tier::Advanced {
            let second = sober.insert(self.judge_soberly(submission).await?.grade);
            let is_far_above = votes::is_far_above(&verdicts[0], second, submission.max_score);
            if is_far_above {
                most_sure = most_sure.min(votes::SURE_FAR_ABOVE);
            }
            if is_far_above || votes::is_close(&verdicts[0]) {
                verdicts.extend(self.vote_again(task, record).await);
            }
        }
        record.votes = verdicts.iter().map(Verdict::share).collect();
        let spread = votes::spread(&record.votes);
        let mut verdict = votes::median(verdicts);
        let is_talked_to = verdict.is_talked_to || readable.surely_talks;
        let tells_of_others = others::tells(&verdict, task);
        if is_talked_to || !verdict.is_founded || tells_of_others {
            let sober = match sober {
                Some(sober) => sober,
                None => self.judge_soberly(submission).await?.grade,
            };
            if is_talked_to || !verdict.is_founded {
                verdict.hold_to(&sober, submission.max_score, is_talked_to);
            }
            if tells_of_others {
                verdict.say_as(&sober);
            }
        }
        let unread = task.unread();
        let confidence = votes::confidence(&verdict, spread, is_talked_to, unread.is_empty(), &submission.reviewed);
        let confidence = confidence.min(most_sure);
        Ok(feedback::write(submission, readable, &unread, verdict, confidence))
    }

    /// Reads an answer: on the spot where it is short, otherwise in its tenant's turn.
    async fn readable(&self, submission: &Arc<Submission>) -> Result<Readable, GradingError> {
        if is_read_at_once(submission) {
            return Ok(builtin::readable(submission));
        }
        let read = submission.clone();
        compute(&*self.processors, &submission.tenant, move || builtin::readable(&read)).await
    }

    /// What the built-in grader gives for what can be read, which nobody can talk into anything.
    async fn judge_soberly(&self, submission: &Arc<Submission>) -> Result<Judged, GradingError> {
        let mut judged = submission.as_ref().clone();
        judged.answer_files.retain(|file| !matches!(file.text, AttachmentText::Unread(_)));
        let grade = compute(&*self.processors, &submission.tenant, move || builtin::grade(&judged)).await?;
        Ok(Judged { grade, record: Record::own(GradedBy::Builtin, submission) })
    }

    async fn vote(&self, prompt: Prompt, task: &Task<'_>, record: &mut Record) -> Result<Verdict, ModelError> {
        counted(self.ask(prompt, task).await, task, record)
    }

    async fn ask(&self, prompt: Prompt, task: &Task<'_>) -> Result<Asked<Said>, Unanswered> {
        ask(&*self.model, prompt, |said: &Said| said.objections(task)).await
    }

    /// Judges again, as often as it may; a judgement that fails is one less.
    async fn vote_again(&self, task: &Task<'_>, record: &mut Record) -> Vec<Verdict> {
        let votes = (1..MOST_VOTES).map(|_| self.ask(task.prompt(Some(VOTING_TEMPERATURE)), task));
        // In the order in which they began, which is the one of a replay.
        join_all(votes).await.into_iter().filter_map(|vote| counted(vote, task, record).ok()).collect()
    }
}

fn is_read_at_once(submission: &Submission) -> bool {
    let criteria = submission.criteria.iter().flat_map(|criterion| [&criterion.name, &criterion.description]);
    let references = submission.reference_answer.iter().chain(&submission.other_references);
    let task: usize = criteria.chain(references).chain([&submission.question]).map(String::len).sum();
    let has_files = !submission.answer_files.is_empty() || !submission.rubric_files.is_empty();
    !has_files && task.max(submission.answer.len()) <= READ_AT_ONCE_BYTES
}

/// What of a vote holds. All that was said goes into the record, whatever came of it.
fn counted(vote: Result<Asked<Said>, Unanswered>, task: &Task<'_>, record: &mut Record) -> Result<Verdict, ModelError> {
    let (verdict, calls) = match vote {
        Ok(Asked { value, calls }) => (Ok(Verdict::of(value, task)), calls),
        Err(Unanswered { error, calls }) => (Err(error), calls),
    };
    record.calls.extend(calls.into_iter().map(CallRecord::from));
    verdict
}

#[async_trait]
impl Grader for ModelGrader {
    async fn grade(&self, submission: &Submission) -> Result<Judged, GradingError> {
        let submission = Arc::new(submission.clone());
        let readable = self.readable(&submission).await?;
        self.judge(&submission, readable).await
    }

    fn read_answer(&self, submission: Submission) -> Option<ReadAnswer> {
        is_read_at_once(&submission).then(|| {
            let readable = builtin::readable(&submission);
            ReadAnswer(Box::new((submission, readable)))
        })
    }

    async fn grade_read(&self, submission: &Submission, read: ReadAnswer) -> Result<Judged, GradingError> {
        match read.of(submission) {
            Some((submission, readable)) => self.judge(&Arc::new(submission), readable).await,
            None => self.grade(submission).await,
        }
    }

    fn ready(&self, tier: Tier) -> Result<(), GradingError> {
        self.model.ready(role(tier)).map_err(|error| error_of(&error))
    }
}

const fn role(tier: Tier) -> ModelRole {
    match tier {
        Tier::Fast => ModelRole::Fast,
        Tier::Standard => ModelRole::Standard,
        Tier::Advanced => ModelRole::Advanced,
    }
}

fn error_of(error: &ModelError) -> GradingError {
    let (retryable, retry_after) = (error.is_passing(), error.retry_after());
    GradingError { retryable, retry_after, ..GradingError::lasting(error.code(), &error.to_string()) }
}

#[cfg(test)]
mod tests;
