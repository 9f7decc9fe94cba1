//! doctor
use super::Session;
use crate::cli::Json;
use std::process::ExitCode;
pub(super) async fn run(_s: &Session, _o: &Json) -> anyhow::Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
