//! `lectern init`: what a service needs before the first request, made or found again.

use edge::passwords;
use kernel::secret::ExposeSecret as _;
use serde::Serialize;

use super::{Session, names, password};
use crate::cli::Init;
use crate::output;
use crate::setup::{self, Outcome, Plan};

/// What `--json` prints. A raw key is in it only when it was just made.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed {
    organization_id: String,
    classroom_id: String,
    /// Of the platform surface, which this version does not have.
    workspace_id: Option<String>,
    content_api_key: Option<String>,
    /// As `workspace_id`.
    platform_api_key: Option<String>,
    email: String,
}

/// Makes what is missing.
pub(super) async fn run(session: &Session, options: &Init) -> anyhow::Result<()> {
    names::check_email(&options.email)?;
    names::check("--organization", &options.organization)?;
    names::check("--classroom", &options.classroom)?;
    let store = session.open_store().await?;
    let password_hash = if setup::is_admin(&store, &options.email).await? {
        None
    } else {
        Some(passwords::hash(&password::new_password(&session.environment, &options.email)?)?)
    };
    let plan = Plan {
        email: options.email.clone(),
        password_hash,
        organization: options.organization.clone(),
        classroom: options.classroom.clone(),
        wants_new_key: options.new_keys,
    };
    let outcome = setup::apply(&store, &session.ambient, &plan).await?;
    store.close().await;
    if !outcome.is_new_admin && session.environment.admin_password().is_some() {
        output::note(format!("{} exists already; the password stays as it is.", outcome.email));
    }
    print(options, &outcome)
}

fn print(options: &Init, outcome: &Outcome) -> anyhow::Result<()> {
    let printed = Printed {
        organization_id: outcome.organization.id.to_string(),
        classroom_id: outcome.classroom.id.to_string(),
        workspace_id: None,
        platform_api_key: None,
        content_api_key: outcome.key.as_ref().map(|key| key.expose_secret().to_owned()),
        email: outcome.email.clone(),
    };
    if options.json {
        return Ok(output::json(&printed)?);
    }
    output::line(format!("admin         {}", printed.email))?;
    output::line(format!("organization  {}  {}", printed.organization_id, outcome.organization.name))?;
    output::line(format!("classroom     {}  {}", printed.classroom_id, outcome.classroom.name))?;
    match &printed.content_api_key {
        Some(key) => {
            output::line(format!("content key   {key}"))?;
            output::note("The key is shown this once: only its hash is kept.");
        }
        None => output::line("content key   made before; --new-keys makes another")?,
    }
    Ok(())
}
