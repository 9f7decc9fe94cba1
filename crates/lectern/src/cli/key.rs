//! `lectern key`: the keys of an organization, for the content surface, or of a workspace, for the platform.

use clap::{Args, Subcommand, ValueEnum};

/// `lectern key`
#[derive(Debug, Subcommand)]
pub enum Key {
    /// Makes a key and prints it, this once
    #[command(after_help = "Example:\n  \
        lectern key create --organization \"Riverside School\" --name production --rate-limit-per-minute 600\n  \
        lectern key create --workspace riverside --name production")]
    Create(CreateKey),
    /// Lists the keys of an organization or a workspace, newest first
    #[command(after_help = "Example:\n  lectern key list --organization \"Riverside School\" --json")]
    List(ListKeys),
    /// Replaces an active key by a new one; the old one stops at once
    #[command(after_help = "Example:\n  lectern key rotate --organization \"Riverside School\" 0197…")]
    Rotate(OneKey),
    /// Stops a key at once
    #[command(after_help = "Example:\n  lectern key revoke --workspace riverside 0197…")]
    Revoke(OneKey),
}

/// Whose keys: an organization's open the content surface, a workspace's the platform.
#[derive(Clone, Debug, Args)]
#[group(required = true, multiple = false)]
pub struct KeyOwner {
    /// The organization, by name or id: keys of the content surface
    #[arg(long, value_name = "NAME_OR_ID")]
    pub organization: Option<String>,
    /// The workspace, by id or slug: keys of the platform
    #[arg(long, value_name = "ID_OR_SLUG")]
    pub workspace: Option<String>,
}

/// `lectern key create`
#[derive(Debug, Args)]
pub struct CreateKey {
    /// Whose key it is to be.
    #[command(flatten)]
    pub owner: KeyOwner,
    /// What the key is for
    #[arg(long)]
    pub name: String,
    /// Requests a minute of a content key, 1 to 100000; the keys of a workspace share the workspace's limit
    #[arg(long, value_name = "COUNT", default_value_t = content::keys::DEFAULT_RATE_LIMIT_PER_MINUTE,
        conflicts_with = "workspace",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(content::keys::HIGHEST_RATE_LIMIT_PER_MINUTE)))]
    pub rate_limit_per_minute: u32,
    /// What a platform key may do beyond its own workspace
    #[arg(long, value_enum, conflicts_with = "organization")]
    pub scope: Option<KeyScope>,
    /// A future time after which the key stops, such as 2030-01-31T12:00:00Z
    #[arg(long, value_name = "TIME")]
    pub expires_at: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The scope of a platform key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KeyScope {
    /// Manages the whole service
    #[value(name = "platform:admin")]
    Admin,
}

/// `lectern key list`
#[derive(Debug, Args)]
pub struct ListKeys {
    /// Whose keys.
    #[command(flatten)]
    pub owner: KeyOwner,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// One of the keys.
#[derive(Debug, Args)]
pub struct OneKey {
    /// Whose key it is.
    #[command(flatten)]
    pub owner: KeyOwner,
    /// The key's id, as `lectern key list` shows it
    #[arg(value_name = "KEY_ID")]
    pub key: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
