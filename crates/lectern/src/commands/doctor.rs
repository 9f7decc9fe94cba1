//! `lectern doctor`: looks at everything that a service depends on and says in plain words what is wrong.
//!
//! It changes nothing but for a row and a file that it writes and takes back, and spends a few tokens of each model and a
//! few words of each voice. Checks that need an earlier one to have worked are left out when it has not.

mod checks;
mod models;
mod processor;
mod secret_key;
mod speech;

use std::process::ExitCode;

use super::Session;
use super::findings::{Finding, report};
use crate::cli::Json;

/// Exits 1 when anything is wrong.
pub(super) async fn run(session: &Session, options: &Json) -> anyhow::Result<ExitCode> {
    let findings = examine(session).await;
    Ok(report(session, &findings, options.json)?)
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
        checks::prices(&config, session.ambient.now()),
        checks::outbound(&config),
        checks::rendering(&config),
        checks::listen(&config),
    ];
    findings.extend(checks::without_effect(&config));
    findings.extend(checks::tls(&config));
    findings.push(checks::files(&config, &session.ambient).await);
    findings.push(checks::file_reader().await);
    findings.push(checks::mail(&config, &session.ambient).await);
    findings.extend(models::check(&config, &session.ambient).await);
    findings.extend(speech::check(&config, &session.ambient).await);
    findings.extend(processor::check(&config, &session.ambient).await);
    findings.extend(checks::database(&config, &session.ambient).await);
    findings
}
