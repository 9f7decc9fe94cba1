//! `lectern key`: the content keys of an organization. A raw key is printed once, when it is made.

use content::ContentKeys;
use content::keys::{CreatedKey, list::ListedKey};
use edge::keys::{self, MintedKey, NewKey};
use kernel::id::KeyId;
use kernel::time::Timestamp;

use super::names::{self, RowError, load_organization};
use super::{Session, WrongUse};
use crate::cli::{CreateKey, Key, ListOfOrganization, OneKey};
use crate::output;

pub(super) async fn run(session: &Session, command: Key) -> anyhow::Result<()> {
    match command {
        Key::Create(options) => create(session, options).await,
        Key::List(options) => list(session, options).await,
        Key::Rotate(options) => rotate(session, options).await,
        Key::Revoke(options) => revoke(session, options).await,
    }
}

async fn create(session: &Session, options: CreateKey) -> anyhow::Result<()> {
    names::check("--name", &options.name)?;
    let expires_at = options.expires_at.as_deref().map(|text| future(text, session.ambient.now())).transpose()?;
    let CreateKey { organization, name, rate_limit_per_minute, json, .. } = options;
    let new = NewKey { name, rate_limit_per_minute, expires_at, is_service_admin: false };
    let store = session.open_store().await?;
    let ambient = session.ambient.clone();
    let minted = store
        .write("keys.create", move |tx| {
            let owner = load_organization(tx, &organization)?.id.to_string();
            Ok::<_, RowError>(keys::create::<ContentKeys>(tx, &ambient, &owner, &new)?)
        })
        .await?;
    store.close().await;
    print_minted(json, &minted)
}

fn future(text: &str, now: Timestamp) -> Result<Timestamp, WrongUse> {
    let time = Timestamp::parse_rfc3339(text).filter(|time| *time > now);
    time.ok_or_else(|| WrongUse("--expires-at must be a time in the future, such as 2030-01-31T12:00:00Z".to_owned()))
}

fn print_minted(json: bool, minted: &MintedKey) -> anyhow::Result<()> {
    let created = CreatedKey::of(minted);
    if json {
        return Ok(output::json(&created)?);
    }
    output::line(created.api_key.unwrap_or_default())?;
    let name = output::plain(&created.name);
    output::note(format!("Key {} ({name}). It is shown this once: only its hash is kept.", created.key_id));
    Ok(())
}

async fn list(session: &Session, options: ListOfOrganization) -> anyhow::Result<()> {
    let store = session.open_store().await?;
    let organization = options.organization;
    let (found, now) = store
        .read("keys.list", move |tx| {
            let owner = load_organization(tx, &organization)?.id.to_string();
            Ok::<_, RowError>((keys::list::<ContentKeys>(tx, &owner)?, tx.now()))
        })
        .await?;
    store.close().await;
    if options.json {
        let listed: Vec<ListedKey> = found.into_iter().map(|key| ListedKey::of(key, now)).collect();
        return Ok(output::json(&listed)?);
    }
    let rows = found.into_iter().map(|key| {
        let status = key.status(now).as_str().to_owned();
        let last_used = key.last_used_at.map_or_else(|| "never".to_owned(), |time| time.to_string());
        [key.id.to_string(), key.name, key.prefix, status, key.rate_limit_per_minute.to_string(), last_used]
    });
    let rows: Vec<_> = rows.collect();
    Ok(output::table(["ID", "NAME", "PREFIX", "STATUS", "PER MINUTE", "LAST USED"], &rows)?)
}

async fn rotate(session: &Session, options: OneKey) -> anyhow::Result<()> {
    let id = key_id(&options.key)?;
    let store = session.open_store().await?;
    let (ambient, organization) = (session.ambient.clone(), options.organization);
    let minted = store
        .write("keys.rotate", move |tx| {
            let owner = load_organization(tx, &organization)?.id.to_string();
            Ok::<_, RowError>(keys::rotate::<ContentKeys>(tx, &ambient, &owner, id)?)
        })
        .await?;
    store.close().await;
    print_minted(options.json, &minted)
}

async fn revoke(session: &Session, options: OneKey) -> anyhow::Result<()> {
    let id = key_id(&options.key)?;
    let store = session.open_store().await?;
    let organization = options.organization;
    let (revoked, now) = store
        .write("keys.revoke", move |tx| {
            let owner = load_organization(tx, &organization)?.id.to_string();
            Ok::<_, RowError>((keys::revoke::<ContentKeys>(tx, &owner, id)?, tx.now()))
        })
        .await?;
    store.close().await;
    if options.json {
        let listed = ListedKey::of(revoked, now);
        return Ok(output::json(&listed)?);
    }
    Ok(output::line(format!("{}  {}  revoked", revoked.id, output::plain(&revoked.name)))?)
}

fn key_id(text: &str) -> Result<KeyId, WrongUse> {
    text.parse().map_err(|_| WrongUse("KEY_ID must be an id as `lectern key list` shows it".to_owned()))
}
