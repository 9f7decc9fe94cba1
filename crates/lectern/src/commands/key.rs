//! `lectern key`: the content keys of an organization and the platform keys of a workspace. A raw key is printed once,
//! when it is made.

use content::ContentKeys;
use content::keys::{CreatedKey, list::ListedKey};
use edge::keys::{self, ApiKey, MintedKey, NewKey};
use edge::problem::Problem;
use kernel::id::KeyId;
use kernel::secret::ExposeSecret as _;
use kernel::time::Timestamp;
use platform::credentials::PlatformKeys;
use platform::keys::{CreatedPlatformKey, PlatformKey, create::new_key};
use store::Tx;

use super::names::{self, RowError, load_organization, load_workspace};
use super::{Session, WrongUse};
use crate::cli::{CreateKey, Key, KeyOwner, ListKeys, OneKey};
use crate::output;

pub(super) async fn run(session: &Session, command: Key) -> anyhow::Result<()> {
    match command {
        Key::Create(options) => create(session, options).await,
        Key::List(options) => list(session, options).await,
        Key::Rotate(options) => rotate(session, options).await,
        Key::Revoke(options) => revoke(session, options).await,
    }
}

/// Whose keys a command is about.
enum Owner {
    Organization(String),
    Workspace(String),
}

impl Owner {
    fn load(tx: &mut Tx<'_>, named: &KeyOwner) -> Result<Self, RowError> {
        match (&named.organization, &named.workspace) {
            (_, Some(workspace)) => Ok(Self::Workspace(load_workspace(tx, workspace)?.to_string())),
            (organization, None) => {
                let organization = load_organization(tx, organization.as_deref().unwrap_or_default())?;
                Ok(Self::Organization(organization.id.to_string()))
            }
        }
    }
}

async fn create(session: &Session, options: CreateKey) -> anyhow::Result<()> {
    names::check("--name", &options.name)?;
    let expires_at = options.expires_at.as_deref().map(|text| future(text, session.ambient.now())).transpose()?;
    let CreateKey { owner, name, rate_limit_per_minute, scope, json, .. } = options;
    let (ambient, named) = (session.ambient.clone(), owner.clone());
    let minted = session
        .write("keys.create", move |tx| match Owner::load(tx, &named)? {
            Owner::Organization(id) => {
                let new = NewKey { name: name.clone(), rate_limit_per_minute, expires_at, is_service_admin: false };
                Ok::<_, RowError>(keys::create::<ContentKeys>(tx, &ambient, &id, &new)?)
            }
            Owner::Workspace(id) => {
                let new = new_key(name.clone(), expires_at, scope.is_some());
                Ok(keys::create::<PlatformKeys>(tx, &ambient, &id, &new)?)
            }
        })
        .await?;
    print_minted(json, &owner, &minted)
}

fn future(text: &str, now: Timestamp) -> Result<Timestamp, WrongUse> {
    let time = Timestamp::parse_rfc3339(text).filter(|time| *time > now);
    time.ok_or_else(|| WrongUse("--expires-at must be a time in the future, such as 2030-01-31T12:00:00Z".to_owned()))
}

fn print_minted(json: bool, owner: &KeyOwner, minted: &MintedKey) -> anyhow::Result<()> {
    match (json, &owner.workspace) {
        (true, None) => return Ok(output::json(&CreatedKey::of(minted))?),
        (true, Some(_)) => return Ok(output::json(&CreatedPlatformKey::of(minted))?),
        (false, _) => {}
    }
    output::line(minted.raw.expose_secret())?;
    let name = output::plain(&minted.key.name);
    output::note(format!("Key {} ({name}). It is shown this once: only its hash is kept.", minted.key.id));
    Ok(())
}

async fn list(session: &Session, options: ListKeys) -> anyhow::Result<()> {
    let ListKeys { owner, json } = options;
    let named = owner.clone();
    let (found, now) = session
        .read("keys.list", move |tx| {
            let found = match Owner::load(tx, &named)? {
                Owner::Organization(id) => keys::list::<ContentKeys>(tx, &id)?,
                Owner::Workspace(id) => keys::list::<PlatformKeys>(tx, &id)?,
            };
            Ok::<_, RowError>((found, tx.now()))
        })
        .await?;
    match (json, &owner.workspace) {
        (true, None) => {
            let listed: Vec<_> = found.into_iter().map(|key| ListedKey::of(key, now)).collect();
            Ok(output::json(&listed)?)
        }
        (true, Some(_)) => {
            let listed: Vec<_> = found.into_iter().map(|key| PlatformKey::of(key, now)).collect();
            Ok(output::json(&listed)?)
        }
        (false, None) => print_content_keys(found, now),
        (false, Some(_)) => print_platform_keys(found, now),
    }
}

fn print_content_keys(found: Vec<ApiKey>, now: Timestamp) -> anyhow::Result<()> {
    let rows = found.into_iter().map(|key| {
        let (status, last_used) = (key.status(now).as_str().to_owned(), last_used(&key));
        [key.id.to_string(), key.name, key.prefix, status, key.rate_limit_per_minute.to_string(), last_used]
    });
    Ok(output::table(["ID", "NAME", "PREFIX", "STATUS", "PER MINUTE", "LAST USED"], rows)?)
}

fn print_platform_keys(found: Vec<ApiKey>, now: Timestamp) -> anyhow::Result<()> {
    let rows = found.into_iter().map(|key| {
        let (status, last_used) = (key.status(now).as_str().to_owned(), last_used(&key));
        let scope = if key.is_service_admin { platform::keys::SCOPE_ADMIN } else { "" };
        [key.id.to_string(), key.name, key.prefix, status, scope.to_owned(), last_used]
    });
    Ok(output::table(["ID", "NAME", "PREFIX", "STATUS", "SCOPE", "LAST USED"], rows)?)
}

fn last_used(key: &ApiKey) -> String {
    key.last_used_at.map_or_else(|| "never".to_owned(), |time| time.to_string())
}

async fn rotate(session: &Session, options: OneKey) -> anyhow::Result<()> {
    let id = key_id(&options.key)?;
    let (ambient, named) = (session.ambient.clone(), options.owner.clone());
    let minted = session
        .write("keys.rotate", move |tx| {
            let rotated: Result<_, Problem> = match Owner::load(tx, &named)? {
                Owner::Organization(owner) => keys::rotate::<ContentKeys>(tx, &ambient, &owner, id),
                Owner::Workspace(owner) => keys::rotate::<PlatformKeys>(tx, &ambient, &owner, id),
            };
            Ok::<_, RowError>(rotated?)
        })
        .await?;
    print_minted(options.json, &options.owner, &minted)
}

async fn revoke(session: &Session, options: OneKey) -> anyhow::Result<()> {
    let id = key_id(&options.key)?;
    let named = options.owner.clone();
    let (revoked, now) = session
        .write("keys.revoke", move |tx| {
            let revoked: Result<_, Problem> = match Owner::load(tx, &named)? {
                Owner::Organization(owner) => keys::revoke::<ContentKeys>(tx, &owner, id),
                Owner::Workspace(owner) => keys::revoke::<PlatformKeys>(tx, &owner, id),
            };
            Ok::<_, RowError>((revoked?, tx.now()))
        })
        .await?;
    match (options.json, &options.owner.workspace) {
        (true, None) => Ok(output::json(&ListedKey::of(revoked, now))?),
        (true, Some(_)) => Ok(output::json(&PlatformKey::of(revoked, now))?),
        (false, _) => Ok(output::line(format!("{}  {}  revoked", revoked.id, output::plain(&revoked.name)))?),
    }
}

fn key_id(text: &str) -> Result<KeyId, WrongUse> {
    text.parse().map_err(|_| WrongUse("KEY_ID must be an id as `lectern key list` shows it".to_owned()))
}
