//! `lectern doctor`: looks at everything that a service depends on and says in plain words what is wrong.
//!
//! It changes nothing but for a row and a file that it writes and takes back, and spends a few tokens of each model. Checks that need an earlier one to have
//! worked are left out when it has not.

mod checks;
mod models;
mod secret_key;

use std::process::ExitCode;

use serde::Serialize;

use super::Session;
use crate::cli::Json;
use crate::output::{self, Paint};

/// What one check found.
#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    verdict: Verdict,
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Fine,
    /// Worth knowing; nothing is broken.
    Warning,
    Wrong,
}

impl Finding {
    fn fine(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Fine, message: message.into() }
    }

    fn warning(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Warning, message: message.into() }
    }

    fn wrong(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Wrong, message: message.into() }
    }
}

/// Exits 1 when anything is wrong.
pub(super) async fn run(session: &Session, options: &Json) -> anyhow::Result<ExitCode> {
    let findings = examine(session).await;
    if options.json {
        output::json(&findings)?;
    } else {
        print(&findings, Paint::stdout(&session.environment))?;
    }
    let is_wrong = findings.iter().any(|finding| finding.verdict == Verdict::Wrong);
    Ok(if is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn examine(session: &Session) -> Vec<Finding> {
    let config = match session.config() {
        Ok(config) => config,
        Err(error) => return vec![Finding::wrong("configuration", error.to_string())],
    };
    let mut findings = vec![
        Finding::fine("configuration", "every setting is understood"),
        checks::data_folder(&config),
        secret_key::check(&config, &session.ambient).await,
        checks::clock(session.ambient.now()),
        checks::outbound(&config),
        checks::listen(&config),
    ];
    findings.extend(checks::without_effect(&config));
    findings.extend(checks::tls(&config));
    findings.push(checks::files(&config, &session.ambient).await);
    findings.push(checks::file_reader().await);
    findings.push(checks::mail(&config, &session.ambient).await);
    findings.extend(models::check(&config, &session.ambient).await);
    findings.extend(checks::database(&config, &session.ambient).await);
    findings
}

fn print(findings: &[Finding], paint: Paint) -> std::io::Result<()> {
    let width = findings.iter().map(|finding| finding.check.len()).max().unwrap_or(0);
    for finding in findings {
        let word = match finding.verdict {
            Verdict::Fine => paint.green("fine   "),
            Verdict::Warning => paint.yellow("warning"),
            Verdict::Wrong => paint.red("wrong  "),
        };
        output::line(format!("{word}  {:<width$}  {}", finding.check, finding.message))?;
    }
    Ok(())
}
