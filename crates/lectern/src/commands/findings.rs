//! What checks find, in words for people or as JSON for programs.

use std::process::ExitCode;

use serde::Serialize;

use super::Session;
use crate::output::{self, Paint};

/// What one check found.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    pub(super) check: &'static str,
    pub(super) verdict: Verdict,
    pub(super) message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    Fine,
    /// Worth knowing; nothing is broken.
    Warning,
    Wrong,
}

impl Finding {
    pub(super) fn fine(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Fine, message: message.into() }
    }

    pub(super) fn warning(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Warning, message: message.into() }
    }

    pub(super) fn wrong(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Wrong, message: message.into() }
    }
}

/// Prints the findings. The exit code is 1 when anything is wrong.
pub(super) fn report(session: &Session, findings: &[Finding], json: bool) -> std::io::Result<ExitCode> {
    if json {
        output::json(&findings)?;
    } else {
        print(findings, Paint::stdout(&session.environment))?;
    }
    let is_wrong = findings.iter().any(|finding| finding.verdict == Verdict::Wrong);
    Ok(if is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn print(findings: &[Finding], paint: Paint) -> std::io::Result<()> {
    let width = findings.iter().map(|finding| finding.check.len()).max().unwrap_or(0);
    for finding in findings {
        let word = match finding.verdict {
            Verdict::Fine => paint.green("fine   "),
            Verdict::Warning => paint.yellow("warning"),
            Verdict::Wrong => paint.red("wrong  "),
        };
        output::line(format!("{word}  {:<width$}  {}", finding.check, output::plain(&finding.message)))?;
    }
    Ok(())
}
