//! `lectern replace-secret-key`: accepts that the master key of a database is lost, so that the service starts again.
//!
//! The configured key, or the data folder's, becomes the database's; a key file is made only where there is neither.
//! What the lost key protected stays unreadable, and the command names the webhook endpoints that need a new secret.

use anyhow::bail;
use kernel::secret::MasterKey;
use serde::Serialize;

use super::{Session, WrongUse};
use crate::cli::ReplaceSecretKey;
use crate::config::{Config, secret_file};
use crate::master_key::stored::{self, Stored};
use crate::master_key::{self, LOSS};
use crate::{assembly, lock, output};

/// An endpoint that needs a new secret, as `--json` prints it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed {
    endpoint_id: String,
    surface: &'static str,
    owner_id: String,
}

/// Fails where the key fits, and where the loss is not accepted. An embedded database must not be served meanwhile.
pub(super) async fn run(session: &Session, options: &ReplaceSecretKey) -> anyhow::Result<()> {
    let config = session.config()?;
    let _lock = lock::take(&config)?;
    let store = assembly::open_store(&config, &session.ambient).await?;
    let known = store.read("master_key.read", Stored::read).await?;
    let found = master_key::find(&config)?;
    if found.as_ref().map_or(!known.has_key(), |master| known.fits(master)) {
        bail!("nothing is lost: this database's master key is the one that is configured, or there is none yet");
    }
    if !options.yes {
        let place = place(&config, found.as_ref());
        return Err(WrongUse(format!(
            "{LOSS} Stop every process of the service, then add --yes to go on with {place}."
        ))
        .into());
    }
    let master = match found {
        Some(master) => master,
        None => secret_file::load_or_make(&config.store.data_dir, &session.ambient)?,
    };
    let unreadable = store
        .write("master_key.replace", move |tx| {
            stored::replace(tx, &stored::check_value(&master))?;
            stored::unreadable_secrets(tx, &master)
        })
        .await?;
    store.close().await;
    let printed = unreadable.into_iter().map(|secret| Printed {
        endpoint_id: secret.endpoint.to_string(),
        surface: secret.surface.as_str(),
        owner_id: secret.owner_id,
    });
    print(options, printed.collect())
}

fn place(config: &Config, found: Option<&MasterKey>) -> String {
    let file = secret_file::path(&config.store.data_dir);
    match found {
        Some(_) if config.secrets.secret_key.is_some() => "the configured key".to_owned(),
        Some(_) => format!("the key in {}", file.display()),
        None => format!("a new key in {}", file.display()),
    }
}

fn print(options: &ReplaceSecretKey, endpoints: Vec<Printed>) -> anyhow::Result<()> {
    if options.json {
        return Ok(output::json(&endpoints)?);
    }
    output::note("The master key was replaced. Back it up.");
    if endpoints.is_empty() {
        return Ok(());
    }
    output::note(
        "These webhook endpoints deliver nothing until their secret is rotated, or they are registered again:",
    );
    let rows = endpoints.into_iter().map(|one| [one.endpoint_id, one.surface.to_owned(), one.owner_id]);
    Ok(output::table(["ENDPOINT", "SURFACE", "OWNER"], rows)?)
}
