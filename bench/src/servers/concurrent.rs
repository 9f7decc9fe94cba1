//! The service with a grader that takes as long as a model's answer.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use clap::Args;
use grading::{Grade, GradedBy, Grader, GradingError, Judged, Record, Submission};
use lectern::app::{self, Role};

use super::service;
use crate::database::Place;

/// How long a grade takes.
pub(crate) const GRADING_TIME: Duration = Duration::from_millis(500);

/// Where its rows are.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
}

pub(super) async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let service = service::open(&arguments.place).await?;
    let app = service.app.with_model_grader(Arc::new(SlowGrader))?;
    let listener = app::listen("127.0.0.1:0".parse()?)?;
    super::say(&listener.local_addr()?)?;
    app.run(Role::All, listener, service.metrics, super::parent_is_done()).await?;
    Ok(())
}

/// Takes its time, as a model does, and no processor.
struct SlowGrader;

#[async_trait]
impl Grader for SlowGrader {
    async fn grade(&self, submission: &Submission) -> Result<Judged, GradingError> {
        tokio::time::sleep(GRADING_TIME).await;
        let grade = Grade {
            score: submission.max_score,
            confidence: 0.9,
            rubric_breakdown: None,
            strengths: vec!["It names what is released, and what for.".to_owned()],
            mistakes: Vec::new(),
            suggestions: vec!["Say what the energy is released from.".to_owned()],
            feedback_summary: "A good answer.".to_owned(),
            next_step: "Explain it to somebody else.".to_owned(),
            integrity: Vec::new(),
            review_reasons: Vec::new(),
        };
        Ok(Judged { grade, record: Record::own(GradedBy::Model, submission) })
    }
}
