//! `lectern init`: what a service needs before the first request, made or found again.

use edge::passwords;
use kernel::secret::{ExposeSecret as _, SecretString};
use serde::Serialize;

use super::{Session, names, password};
use crate::cli::Init;
use crate::config::Config;
use crate::output;
use crate::setup::{self, Outcome, Plan};

/// What `--json` prints. A raw key is in it only when it was just made.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed {
    organization_id: String,
    classroom_id: String,
    workspace_id: String,
    content_api_key: Option<String>,
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
        wants_new_keys: options.new_keys,
        free_grant: session.config()?.prices.catalog.free_grant(session.ambient.now()),
    };
    let outcome = setup::apply(&store, &session.ambient, &plan).await?;
    store.close().await;
    if !outcome.is_new_admin && session.environment.admin_password().is_some() {
        output::note(format!("{} exists already; the password stays as it is.", outcome.email));
    }
    print(options, &session.config()?, &outcome)
}

fn print(options: &Init, config: &Config, outcome: &Outcome) -> anyhow::Result<()> {
    let raw = |key: &Option<SecretString>| key.as_ref().map(|key| key.expose_secret().to_owned());
    let printed = Printed {
        organization_id: outcome.organization.id.to_string(),
        classroom_id: outcome.classroom.id.to_string(),
        workspace_id: outcome.workspace.to_string(),
        content_api_key: raw(&outcome.content_key),
        platform_api_key: raw(&outcome.platform_key),
        email: outcome.email.clone(),
    };
    if options.json {
        return Ok(output::json(&printed)?);
    }
    if options.env {
        return print_variables(config, &printed);
    }
    output::line(format!("admin         {}", printed.email))?;
    output::line(format!("organization  {}  {}", printed.organization_id, outcome.organization.name))?;
    output::line(format!("classroom     {}  {}", printed.classroom_id, outcome.classroom.name))?;
    output::line(format!("workspace     {}", printed.workspace_id))?;
    for (name, key) in [("content key ", &printed.content_api_key), ("platform key", &printed.platform_api_key)] {
        let key = key.as_deref().unwrap_or("made before; --new-keys makes another");
        output::line(format!("{name}  {key}"))?;
    }
    if printed.content_api_key.is_some() || printed.platform_api_key.is_some() {
        output::note("A key is shown this once: only its hash is kept.");
    }
    Ok(())
}

/// Lines for a shell to evaluate. A key that was made before is left out, so that the shell keeps the one it has.
fn print_variables(config: &Config, printed: &Printed) -> anyhow::Result<()> {
    let base_url = config.server.base_url(config.server.listen);
    let base = base_url.as_str().trim_end_matches('/');
    let variables = [
        ("LECTERN", Some(base.to_owned())),
        ("KEY", printed.content_api_key.clone()),
        ("PLATFORM_KEY", printed.platform_api_key.clone()),
        ("ORGANIZATION", Some(printed.organization_id.clone())),
        ("CLASSROOM", Some(printed.classroom_id.clone())),
        ("CLASSROOMS", Some(format!("{base}/v1/content/classrooms"))),
        ("WORKSPACE", Some(printed.workspace_id.clone())),
        ("EVALUATIONS", Some(format!("{base}/v1/platform/evaluations"))),
        ("ADMIN_EMAIL", Some(printed.email.clone())),
    ];
    for (name, value) in variables {
        match value {
            Some(value) => output::line(format!("export {name}={}", quoted(&value)))?,
            None => output::note(format!("{name} is not printed: the key was made before. --new-keys makes another.")),
        }
    }
    Ok(())
}

/// A word that a POSIX shell takes as it is, whatever is in it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_takes_a_quoted_word_as_it_is() {
        assert_eq!(quoted("http://x/?a=1&b=$(id)"), "'http://x/?a=1&b=$(id)'");
        assert_eq!(quoted("it's; \"`\\"), r#"'it'\''s; "`\'"#);
    }
}
