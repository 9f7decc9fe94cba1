//! `lectern extract-text`: reads one file in a process of its own. Only the service itself runs it.

use anyhow::Context as _;

use crate::cli::ExtractText;

/// Looks at no configuration, no environment and no file.
pub(super) fn run(options: &ExtractText) -> anyhow::Result<()> {
    files::text::child::run(&options.format).context("the file can't be read")
}
