//! Where one draft is written: each part is asked for by itself, checked, repaired once, and kept.
//!
//! A part that is done is never asked for again: neither when another part fails nor when the process does. Its name
//! holds a digest of what was asked, so a part of an edited request is another part.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use futures_util::FutureExt as _;
use futures_util::stream::{self, StreamExt as _};
use kernel::model::{self, Model, ModelError, Schema, Unanswered};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Limits;
use super::prompt::{self, fingerprint};
use super::sources::{Shown, Sources};
use super::wording;
use crate::generator::{BoxFuture, GenerationError, Remark, Workbench, compute};

/// How often a part is asked for of less material, where a model can't read or answer so much: each time of half of it.
const MOST_CUTS: usize = 2;
/// The longest answer that is looked at, in bytes of JSON: several times what is asked for.
const LONGEST_PIECE: usize = 200_000;

/// One part of a draft that is to be written.
pub(super) trait Assignment: Send + Sync + Sized {
    /// What comes back.
    type Piece: Serialize + DeserializeOwned + Clone + Send + Sync;
    /// The longest answer, in tokens.
    const MOST_TOKENS: u32;

    /// Names the schema, and the part in checkpoints.
    fn name(&self) -> &'static str;
    /// What is the same for all parts of this name; it follows [`prompt::RULES`].
    fn instructions(&self) -> String;
    /// The answer's shape: the same for all parts of this name.
    fn schema(&self) -> Value;
    /// The excerpts that it is written from.
    fn material(&self) -> &Shown;
    /// The same of half the material.
    fn shorter(&self) -> Self;
    /// What is to be written: no customer's and no model's words.
    fn task(&self) -> String;
    /// Words of a customer or a model that the task needs; null where there are none.
    fn data(&self) -> Value {
        Value::Null
    }
    /// The piece as it will be used: clean texts, keys as their options are written.
    fn fitted(&self, piece: Self::Piece) -> Self::Piece;
    /// The texts of a fitted piece that show its language. Each of them has to be in the language of the draft.
    fn texts(&self, piece: &Self::Piece) -> Vec<String>;
    /// What else is wrong with a fitted piece, in sentences for the model.
    fn faults(&self, piece: &Self::Piece) -> Vec<String>;
    /// What is left of a fitted piece in the right language that stayed wrong, and how much was dropped. Nothing where it
    /// is useless.
    fn mended(&self, piece: Self::Piece) -> Option<(Self::Piece, usize)>;
}

/// The desk of one draft.
pub(super) struct Desk<'a> {
    pub(super) sources: &'a Sources,
    pub(super) limits: Limits,
    model: &'a dyn Model,
    bench: &'a dyn Workbench,
    /// What stops parts that have not begun: the model is away, or the work is no longer ours.
    halted: OnceLock<GenerationError>,
    dropped: AtomicUsize,
    without_questions: Mutex<Vec<String>>,
}

/// A piece as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept<P> {
    dropped: usize,
    piece: P,
}

impl<'a> Desk<'a> {
    pub(super) fn new(model: &'a dyn Model, bench: &'a dyn Workbench, sources: &'a Sources, limits: Limits) -> Self {
        let (halted, dropped, without_questions) = (OnceLock::new(), AtomicUsize::new(0), Mutex::default());
        Self { sources, limits, model, bench, halted, dropped, without_questions }
    }

    /// What `work` makes, where it keeps nobody waiting: for whatever looks at much text.
    pub(super) fn compute<T>(&self, work: impl FnOnce() -> T) -> T {
        compute(self.bench, work)
    }

    /// Has a part written, or takes the one that an earlier try kept. Of less material where it is too much for the model.
    pub(super) async fn have<A: Assignment>(&self, assignment: &A) -> Result<A::Piece, GenerationError> {
        let mut had = self.have_whole(assignment).await;
        let mut shortened: Option<A> = None;
        for _ in 0..MOST_CUTS {
            if !had.as_ref().is_err_and(is_of_length) {
                break;
            }
            let last = shortened.as_ref().unwrap_or(assignment);
            let shorter = self.compute(|| last.shorter());
            if shorter.material() == last.material() {
                break;
            }
            had = self.have_whole(&shorter).await;
            shortened = Some(shorter);
        }
        had
    }

    async fn have_whole<A: Assignment>(&self, assignment: &A) -> Result<A::Piece, GenerationError> {
        let (prompt, part) = self.compute(|| {
            let schema = Schema::new(assignment.name(), &assignment.schema());
            let said = (&assignment.material().json, &*assignment.task(), &assignment.data());
            let most_tokens = A::MOST_TOKENS.min(self.limits.answer_tokens);
            let prompt = prompt::prompt(self.bench.tenant(), &assignment.instructions(), schema, most_tokens, said);
            let part = format!("{}-{}", assignment.name(), fingerprint(&prompt));
            (prompt, part)
        });
        let kept = self.bench.kept(&part).and_then(|kept| serde_json::from_str::<Kept<A::Piece>>(&kept).ok());
        if let Some(Kept { dropped, piece }) = kept {
            self.note_dropped(dropped);
            self.sources.note_read(&assignment.material().whole);
            return Ok(piece);
        }
        if let Some(error) = self.halted.get() {
            return Err(error.clone());
        }
        let (piece, dropped) = self.ask(assignment, prompt).await?;
        self.note_dropped(dropped);
        self.sources.note_read(&assignment.material().whole);
        let kept = serde_json::to_string(&Kept { dropped, piece: piece.clone() }).expect("a piece serializes");
        self.bench.keep(&part, &kept).await.map_err(|interrupted| self.halt(interrupted.into()))?;
        Ok(piece)
    }

    async fn ask<A: Assignment>(
        &self,
        assignment: &A,
        prompt: model::Prompt,
    ) -> Result<(A::Piece, usize), GenerationError> {
        let last: Mutex<Option<A::Piece>> = Mutex::new(None);
        let look = |piece: &A::Piece| {
            // Before anything looks at it: what is checked takes time.
            if serde_json::to_string(piece).map_or(true, |text| text.len() > LONGEST_PIECE) {
                return vec![format!("the answer is longer than {LONGEST_PIECE} bytes")];
            }
            let fitted = assignment.fitted(piece.clone());
            let mut faults = assignment.faults(&fitted);
            faults.extend(self.language_fault(&assignment.texts(&fitted)));
            *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(fitted);
            faults
        };
        let check = |piece: &A::Piece| self.compute(|| look(piece));
        let asked = model::ask(self.model, prompt, check).await;
        let last = last.into_inner().unwrap_or_else(PoisonError::into_inner);
        match (asked, last) {
            (Ok(_), Some(piece)) => Ok((piece, 0)),
            // It stayed wrong, or there was no room to say what is wrong: what is right of it is used.
            (Err(Unanswered { error: error @ (ModelError::Unreadable | ModelError::TooLong), .. }), Some(piece)) => {
                let mend = || match self.language_fault(&assignment.texts(&piece)) {
                    Some(_) => None,
                    None => assignment.mended(piece),
                };
                self.compute(mend).ok_or_else(|| error.into())
            }
            (Err(Unanswered { error, .. }), _) => Err(self.failed(error)),
            (Ok(_), None) => Err(ModelError::Unreadable.into()),
        }
    }

    fn language_fault(&self, texts: &[String]) -> Option<String> {
        texts.iter().find_map(|text| wording::language(text, &self.sources.language))
    }

    /// Has parts written at once, as many as the limits say. All that began end before the first failure is told.
    pub(super) async fn all<A: Assignment>(&self, assignments: &[A]) -> Result<Vec<A::Piece>, GenerationError> {
        self.each(assignments).await.into_iter().collect()
    }

    /// The same, with what came of each.
    pub(super) async fn each<A: Assignment>(&self, assignments: &[A]) -> Vec<Result<A::Piece, GenerationError>> {
        let mut works: Vec<BoxFuture<'_, Result<A::Piece, GenerationError>>> = Vec::with_capacity(assignments.len());
        for assignment in assignments {
            works.push(self.have(assignment).boxed());
        }
        stream::iter(works).buffered(self.limits.parts_at_once.max(1)).collect().await
    }

    /// Something was dropped that no reader will see.
    pub(super) fn note_dropped(&self, count: usize) {
        self.dropped.fetch_add(count, Ordering::Relaxed);
    }

    /// A module of this title has no questions, because none was sound.
    pub(super) fn note_without_questions(&self, title: &str) {
        self.without_questions.lock().unwrap_or_else(PoisonError::into_inner).push(title.to_owned());
    }

    /// Tells the readers of the draft what they should know. The last thing before a draft is handed out.
    pub(super) fn remark(&self) {
        if self.sources.names_only_a_topic {
            self.bench.remark(Remark::OwnKnowledge);
        }
        let left_out = self.sources.left_out();
        if !left_out.is_empty() {
            self.bench.remark(Remark::LeftOut(left_out));
        }
        match self.dropped.load(Ordering::Relaxed) {
            0 => {}
            count => self.bench.remark(Remark::Dropped(count)),
        }
        let without_questions = self.without_questions.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if !without_questions.is_empty() {
            self.bench.remark(Remark::WithoutQuestions(without_questions));
        }
    }

    fn failed(&self, error: ModelError) -> GenerationError {
        match error {
            ModelError::Unavailable { .. } | ModelError::Busy { .. } | ModelError::Misconfigured => {
                self.halt(error.into())
            }
            _ => error.into(),
        }
    }

    fn halt(&self, error: GenerationError) -> GenerationError {
        self.halted.get_or_init(|| error.clone());
        error
    }
}

/// Whether a prompt or its answer was too long: less material makes both shorter.
fn is_of_length(error: &GenerationError) -> bool {
    matches!(ModelError::of_code(error.code), Some(ModelError::TooLong | ModelError::CutOff))
}
