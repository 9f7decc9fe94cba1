//! `lectern workspace`: the customers of the grading platform.

use clap::{Args, Subcommand};
use platform::workspaces::credits::MOST_CREDITS;
use platform::workspaces::fields::{DEFAULT_RATE_LIMIT_PER_MINUTE, HIGHEST_RATE_LIMIT_PER_MINUTE};

use super::Json;

/// `lectern workspace`
#[derive(Debug, Subcommand)]
pub enum Workspace {
    /// Makes a workspace with its free credits
    #[command(after_help = "Example:\n  \
        lectern workspace create --name \"Riverside School\" --slug riverside --email office@example.com --verified")]
    Create(CreateWorkspace),
    /// Lists all workspaces, newest first
    #[command(after_help = "Example:\n  lectern workspace list --json")]
    List(Json),
    /// Shows a workspace with its credits and settings
    #[command(after_help = "Example:\n  lectern workspace show riverside")]
    Show(OneWorkspace),
    /// Adds credits of USD 0.01
    #[command(
        after_help = "Example:\n  lectern workspace credits riverside --amount 500 --reason \"Invoice 2026-014\""
    )]
    Credits(AddCredits),
    /// Suspends a workspace: all of its keys stop at once
    #[command(after_help = "Example:\n  lectern workspace suspend riverside")]
    Suspend(OneWorkspace),
    /// Lets a suspended workspace's keys work again
    #[command(after_help = "Example:\n  lectern workspace activate riverside")]
    Activate(OneWorkspace),
    /// Links a workspace to an organization, in place of the one it was linked to
    #[command(after_help = "Example:\n  lectern workspace link riverside --organization \"Riverside School\"")]
    Link(LinkWorkspace),
    /// Vouches for a workspace's e-mail address, so that no mail has to be answered
    #[command(after_help = "Example:\n  lectern workspace verify-email riverside")]
    VerifyEmail(VerifyEmail),
    /// Proves that balances, payments, usage and evaluations agree; exits 1 when they don't
    #[command(after_help = "Example:\n  lectern workspace reconcile --json")]
    Reconcile(Json),
}

/// `lectern workspace create`
#[derive(Debug, Args)]
pub struct CreateWorkspace {
    /// What it is called
    #[arg(long)]
    pub name: String,
    /// A handle that no other workspace has: letters, digits, hyphens, dots and underscores
    #[arg(long)]
    pub slug: String,
    /// The contact address
    #[arg(long)]
    pub email: Option<String>,
    /// Vouch for the address, so that no mail has to be answered
    #[arg(long, requires = "email")]
    pub verified: bool,
    /// The organization to link it to, by name or id
    #[arg(long, value_name = "NAME_OR_ID")]
    pub organization: Option<String>,
    /// Requests a minute of all keys together, 1 to 1000000
    #[arg(long, value_name = "COUNT", default_value_t = DEFAULT_RATE_LIMIT_PER_MINUTE,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(HIGHEST_RATE_LIMIT_PER_MINUTE)))]
    pub rate_limit_per_minute: u32,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A workspace.
#[derive(Debug, Args)]
pub struct OneWorkspace {
    /// The workspace, by id or slug
    #[arg(value_name = "ID_OR_SLUG")]
    pub workspace: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `lectern workspace credits`
#[derive(Debug, Args)]
pub struct AddCredits {
    /// The workspace, by id or slug
    #[arg(value_name = "ID_OR_SLUG")]
    pub workspace: String,
    /// How many, a whole number from 1
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=MOST_CREDITS))]
    pub amount: u64,
    /// Why, for the ledger
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// List them on the workspace's invoice as sold; without it they are a gift, or invoiced elsewhere
    #[arg(long)]
    pub sold: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `lectern workspace link`
#[derive(Debug, Args)]
pub struct LinkWorkspace {
    /// The workspace, by id or slug
    #[arg(value_name = "ID_OR_SLUG")]
    pub workspace: String,
    /// The organization, by name or id
    #[arg(long, value_name = "NAME_OR_ID")]
    pub organization: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `lectern workspace verify-email`
#[derive(Debug, Args)]
pub struct VerifyEmail {
    /// The workspace, by id or slug
    #[arg(value_name = "ID_OR_SLUG")]
    pub workspace: String,
    /// The address of a workspace that has none
    #[arg(long)]
    pub email: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
