//! `lectern lti`: the learning platforms that launch here.

use std::process::ExitCode;

use kernel::secret::MasterKey;
use net::{OperatorClient, OperatorServer, OutboundClient};
use platform::lti::doctor::{Diagnosis, Doctor, Severity};
use platform::lti::registrations::{Registration, find};
use store::{Store, Tx};

use super::Session;
use super::findings::{Finding, Verdict, report};
use super::names::RowError;
use crate::cli::{ExamineRegistration, Lti};
use crate::config::Config;
use crate::master_key;

pub(super) async fn run(session: &Session, command: Lti) -> anyhow::Result<ExitCode> {
    match command {
        Lti::Doctor(options) => doctor(session, options).await,
    }
}

/// Exits 1 when anything is wrong.
async fn doctor(session: &Session, options: ExamineRegistration) -> anyhow::Result<ExitCode> {
    let config = session.config()?;
    let (store, master) = master_key::open_store(&config, &session.ambient).await?;
    let findings = examine(session, &config, &store, &master, options.registration).await;
    store.close().await;
    Ok(report(session, &findings?, options.json)?)
}

async fn examine(
    session: &Session,
    config: &Config,
    store: &Store,
    master: &MasterKey,
    named: String,
) -> anyhow::Result<Vec<Finding>> {
    let registration = store.read("lti_doctor.find", move |tx| load(tx, &named)).await?;
    let base_url = config.server.base_url(config.server.listen);
    let outbound = OutboundClient::new(config.outbound.policy.clone())?;
    let own = OperatorClient::new(&OperatorServer {
        base: base_url.clone(),
        secret: None,
        extra_ca_pem: config.outbound.policy.extra_ca_pem.as_deref(),
        connections: 1,
    })?;
    let doctor = Doctor::new(store.clone(), session.ambient.clone(), outbound, own, master, base_url);
    Ok(doctor.examine(&registration).await?.into_iter().map(Finding::from).collect())
}

/// The registration that `REGISTRATION` means.
fn load(tx: &mut Tx<'_>, named: &str) -> Result<Registration, RowError> {
    let mut found = find::find(tx, named)?;
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(RowError::Missing(format!("LTI registration with the ID, name or issuer {named}"))),
        _ => {
            let ids: Vec<_> = found.iter().map(|one| one.id.to_string()).collect();
            Err(RowError::Ambiguous(format!("LTI registrations {named}; their IDs are {}", ids.join(", "))))
        }
    }
}

impl From<Diagnosis> for Finding {
    fn from(diagnosis: Diagnosis) -> Self {
        let verdict = match diagnosis.severity {
            Severity::Fine => Verdict::Fine,
            Severity::Warning => Verdict::Warning,
            Severity::Wrong => Verdict::Wrong,
        };
        Self { check: diagnosis.subject, verdict, message: diagnosis.message }
    }
}
