//! A language model that takes its time: a server that speaks the protocol, and no more.

use std::time::Duration;

use clap::Args;
use serde_json::json;
use testkit::model::{Asked, FakeModel, Line};

/// How long an answer takes.
pub(crate) const ANSWERING_TIME: Duration = Duration::from_millis(500);

/// There is nothing to choose.
#[derive(Args)]
pub(crate) struct Arguments {}

pub(super) async fn run(Arguments {}: Arguments) -> anyhow::Result<()> {
    let said = json!({
        "talksToGrader": [],
        "criteria": [{
            "id": "whole",
            "evidence": ["release the energy from sugar"],
            "reason": "It names what is released, and what for.",
            "points": 90,
        }],
        "strengths": ["You name what is released, and what for."],
        "mistakes": [],
        "suggestions": ["Say what the energy is released from."],
        "summary": "A good answer.",
        "nextStep": "Explain it to somebody else.",
    });
    let line = Line::say(said.to_string()).after(ANSWERING_TIME);
    let model = FakeModel::start(move |_: &Asked| line.clone()).await;
    super::say(&model.url())?;
    super::parent_is_done().await;
    Ok(())
}
