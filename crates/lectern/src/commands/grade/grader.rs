//! Who grades the rows of a file.

use std::sync::Arc;
use std::thread;

use anyhow::Context as _;
use grading::model::Here;
use grading::{Builtin, Grade, Grader, GradingError, ModelGrader, Submission};
use models::Models;
use tokio::runtime::Runtime;

use crate::assembly;
use crate::cli::GradeBy;
use crate::commands::{Session, WrongUse};

/// A grader, and how many rows it grades at once.
pub(super) struct RowGrader {
    grader: Arc<dyn Grader>,
    runtime: Runtime,
    pub(super) at_once: usize,
}

impl RowGrader {
    /// The grader that was asked for; a model is the configured one.
    pub(super) fn open(session: &Session, by: GradeBy) -> anyhow::Result<Self> {
        match by {
            GradeBy::Builtin => Self::builtin(),
            GradeBy::Model => {
                let options = assembly::model_options(&session.config()?);
                let settings = options
                    .with_context(|| WrongUse("no model is configured: set LECTERN_MODEL_PROVIDER".to_owned()))?
                    .settings;
                let at_once = settings.concurrency;
                let models = Models::open(settings, &session.ambient).context("the language models can't be asked")?;
                Self::of(Arc::new(ModelGrader::new(Arc::new(models), Arc::new(Here))), at_once)
            }
        }
    }

    /// The built-in grader.
    pub(super) fn builtin() -> anyhow::Result<Self> {
        Self::of(Arc::new(Builtin), thread::available_parallelism().map_or(1, usize::from))
    }

    fn of(grader: Arc<dyn Grader>, at_once: usize) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        Ok(Self { grader, runtime: runtime.context("the runtime can't be started")?, at_once })
    }

    /// Grades a rubric or open answer.
    pub(super) fn grade(&self, submission: &Submission) -> Result<Grade, GradingError> {
        self.runtime.block_on(self.grader.grade(submission)).map(|judged| judged.grade)
    }
}
