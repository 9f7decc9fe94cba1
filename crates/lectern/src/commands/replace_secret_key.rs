//! `lectern replace-secret-key`: gives a database another master key, so that the service starts with it.
//!
//! The configured key, or the data folder's, becomes the database's; a key file is made only where there is neither.
//! Where the old key is at hand, what it sealed is sealed with the new one. What a lost key sealed stays unreadable: the command
//! names the webhook endpoints that need a new secret, and removes the second factors that nobody could sign in with.

use std::path::Path;

use anyhow::{Context as _, bail};
use edge::second_factors;
use events::endpoints::{self, SealedSecret};
use kernel::ambient::Ambient;
use kernel::secret::MasterKey;
use platform::lti::tool_keys;
use serde::Serialize;
use store::{StoreError, Tx};

use super::{Session, WrongUse};
use crate::cli::ReplaceSecretKey;
use crate::config::{Config, secret_file};
use crate::master_key::stored::{self, Stored};
use crate::master_key::{self, LOSS};
use crate::{assembly, lock, output};

const ENDS: &str = "Preview, file, e-mail and verification links that were given out stop working, and recovery codes \
    of administrators too.";

/// What needs somebody's attention, as `--json` prints it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed {
    /// They need a new secret.
    webhook_endpoints: Vec<PrintedEndpoint>,
    /// The addresses of administrators whose second factor was removed.
    second_factors: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PrintedEndpoint {
    endpoint_id: String,
    surface: &'static str,
    owner_id: String,
}

/// Fails where the key fits, and where the loss is not accepted. An embedded database must not be served meanwhile.
pub(super) async fn run(session: &Session, options: &ReplaceSecretKey) -> anyhow::Result<()> {
    let config = session.config()?;
    let _lock = lock::take(&config)?;
    let old = options.old_key_file.as_deref().map(read_key).transpose()?;
    let store = assembly::open_store(&config, &session.ambient).await?;
    let known = store.read("master_key.read", Stored::read).await?;
    let found = master_key::find(&config)?;
    if found.as_ref().map_or(!known.has_key(), |master| known.fits(master)) {
        bail!("nothing is to be replaced: this database's master key is the configured one, or there is none yet");
    }
    if old.as_ref().is_some_and(|old| !known.fits(old)) {
        bail!("the key in --old-key-file is not this database's master key");
    }
    if !options.yes {
        let loss = if old.is_some() { ENDS } else { LOSS };
        let place = place(&config, found.as_ref());
        return Err(WrongUse(format!(
            "{loss} Stop every process of the service, then add --yes to go on with {place}."
        ))
        .into());
    }
    let master = match found {
        Some(master) => master,
        None => secret_file::load_or_make(&config.store.data_dir, &session.ambient)?,
    };
    let ambient = session.ambient.clone();
    let replace = move |tx: &mut Tx<'_>| replace(tx, &ambient, old.as_ref(), &master);
    let (endpoints, second_factors) = store.write("master_key.replace", replace).await?;
    store.close().await;
    let printed = endpoints.into_iter().map(|secret| PrintedEndpoint {
        endpoint_id: secret.endpoint.to_string(),
        surface: secret.surface.as_str(),
        owner_id: secret.owner_id,
    });
    print(options, Printed { webhook_endpoints: printed.collect(), second_factors })
}

fn read_key(path: &Path) -> anyhow::Result<MasterKey> {
    let text = std::fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
    MasterKey::from_hex(&text).with_context(|| format!("{} is not a master key", path.display()))
}

/// The webhook secrets that nobody can read any more, and the administrators whose second factor was removed.
fn replace(
    tx: &mut Tx<'_>,
    ambient: &Ambient,
    old: Option<&MasterKey>,
    master: &MasterKey,
) -> Result<(Vec<SealedSecret>, Vec<String>), StoreError> {
    if let Some(old) = old {
        let sealer = |master: &MasterKey| master.sealer(events::WEBHOOK_SECRETS);
        endpoints::reseal(tx, ambient, &sealer(old), &sealer(master))?;
        tool_keys::reseal(tx, ambient, old, master)?;
        second_factors::reseal(tx, ambient, old, master)?;
    }
    stored::replace(tx, &stored::check_value(master))?;
    Ok((stored::unreadable_secrets(tx, master)?, second_factors::remove_unreadable(tx, master)?))
}

fn place(config: &Config, found: Option<&MasterKey>) -> String {
    let file = secret_file::path(&config.store.data_dir);
    match found {
        Some(_) if config.secrets.secret_key.is_some() => "the configured key".to_owned(),
        Some(_) => format!("the key in {}", file.display()),
        None => format!("a new key in {}", file.display()),
    }
}

fn print(options: &ReplaceSecretKey, printed: Printed) -> anyhow::Result<()> {
    if options.json {
        return Ok(output::json(&printed)?);
    }
    output::note("The master key was replaced. Back it up.");
    if !printed.second_factors.is_empty() {
        output::note(format!(
            "The second factors of these administrators were removed, and their sessions ended: {}. They sign in by their \
             passwords until they set another up.",
            printed.second_factors.join(", ")
        ));
    }
    if printed.webhook_endpoints.is_empty() {
        return Ok(());
    }
    output::note(
        "These webhook endpoints deliver nothing until their secret is rotated, or they are registered again:",
    );
    let rows = printed.webhook_endpoints.into_iter();
    let rows = rows.map(|one| [one.endpoint_id, one.surface.to_owned(), one.owner_id]);
    Ok(output::table(["ENDPOINT", "SURFACE", "OWNER"], rows)?)
}
