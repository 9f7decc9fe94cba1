//! `lectern render-child`: becomes ffmpeg or espeak-ng. Only the service itself runs it.

use anyhow::Context as _;

use crate::cli::RenderChild;

/// Looks at no configuration and no environment. Where it succeeds, the process is the other program's from then on.
pub(super) fn run(options: RenderChild) -> anyhow::Result<()> {
    Err(render::sandbox::run(options.arguments)).context("the program can't be started within its limits")
}
