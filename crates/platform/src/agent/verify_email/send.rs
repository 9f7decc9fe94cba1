//! The job that sends a mail with a link. A crash at the wrong moment sends it twice, never not at all.

use std::error::Error as _;
use std::time::Duration;

use edge::problem::Problem;
use kernel::ambient::Ambient;
use kernel::id::WorkspaceId;
use mail::templates::Template;
use mail::{Address, MailError, Mailer};
use serde::{Deserialize, Serialize};
use store::jobs::{self, ClaimedJob, Job, Outcome};
use store::{Store, StoreError, Tx};

use super::link::{LIFETIME, Links};
use crate::Platform;
use crate::workspaces::verification;

/// Mails that are asked for are at least this far apart.
const SPACING: Duration = Duration::from_secs(60);
/// The waits between attempts to send one mail.
const RETRY_DELAYS: [Duration; 4] =
    [Duration::from_secs(10), Duration::from_secs(60), Duration::from_secs(10 * 60), Duration::from_secs(60 * 60)];

/// Sends a workspace's address the link that verifies it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SendVerification {
    workspace_id: WorkspaceId,
    email: String,
}

impl Job for SendVerification {
    const KIND: &'static str = "SendVerification";
    /// Before the generation of content: somebody waits for the mail.
    const PRIORITY: i64 = -1;
    type Context = VerificationSender;

    async fn run(&self, sender: &VerificationSender, claimed: &ClaimedJob) -> Outcome {
        sender.send(self, claimed).await
    }
}

/// Asks for a mail to a workspace's new address, in the transaction that sets it. Whoever asks for another one gets it at
/// once: the first may have had a typing error for an address.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn request(tx: &mut Tx<'_>, workspace: WorkspaceId, email: &str) -> Result<(), StoreError> {
    verification::forget_mail(tx, workspace)?;
    enqueue(tx, workspace, email)
}

/// Asks for another mail.
///
/// # Errors
/// 429 within a minute of the last one.
pub(super) fn request_again(tx: &mut Tx<'_>, workspace: WorkspaceId, email: &str) -> Result<(), Problem> {
    let now = tx.now();
    if !verification::note_mail(tx, workspace, now.minus(SPACING))? {
        let last =
            tx.find("SELECT verification_sent_at FROM workspace WHERE id = $1", &[&workspace], |row| row.get(0))?;
        let retry_after = last.map_or(SPACING, |last| SPACING.saturating_sub(now.duration_since(last)));
        return Err(Problem::TooManyRequests { message: "A mail was asked for within the last minute.", retry_after });
    }
    Ok(enqueue(tx, workspace, email)?)
}

fn enqueue(tx: &mut Tx<'_>, workspace: WorkspaceId, email: &str) -> Result<(), StoreError> {
    jobs::enqueue(tx, workspace, &SendVerification { workspace_id: workspace, email: email.to_owned() }).map(drop)
}

/// Sends these mails.
pub struct VerificationSender {
    store: Store,
    ambient: Ambient,
    mailer: Mailer,
    links: Links,
}

impl VerificationSender {
    /// A sender for the mails of a platform.
    pub(crate) fn new(platform: &Platform, mailer: Mailer) -> Self {
        let (store, ambient) = (platform.door.store.clone(), platform.door.ambient.clone());
        Self { store, ambient, mailer, links: platform.verification_links.clone() }
    }

    async fn send(&self, SendVerification { workspace_id, email }: &SendVerification, claimed: &ClaimedJob) -> Outcome {
        let Ok(to) = email.parse::<Address>() else {
            return Outcome::Fail { why: "no mail can be sent to the workspace's address".to_owned() };
        };
        let name = match self.awaiting(*workspace_id, email.clone()).await {
            Ok(Some(name)) => name,
            // Verified meanwhile, or another address, which has a job of its own.
            Ok(None) => return Outcome::Done,
            Err(error) => return self.retry(claimed, format!("the database: {error}")),
        };
        let expires = self.ambient.now().plus(LIFETIME);
        let link = self.links.url(*workspace_id, email, expires);
        let templates = self.mailer.templates();
        let template = Template::AddressVerification { workspace: name, link, expires };
        match self.mailer.send(&templates.render(&template, templates.language(), to)).await {
            Ok(()) => Outcome::Done,
            Err(error @ MailError::Transient(_)) => self.retry(claimed, in_full(&error)),
            Err(error @ MailError::Permanent(_)) => Outcome::Fail { why: in_full(&error) },
        }
    }

    /// The name of the workspace, if the address is still its own and still unverified.
    async fn awaiting(&self, workspace: WorkspaceId, email: String) -> Result<Option<String>, StoreError> {
        let find = move |tx: &mut Tx<'_>| {
            tx.find(
                "SELECT name FROM workspace WHERE id = $1 AND email = $2 AND email_verified_at IS NULL",
                &[&workspace, &email],
                |row| row.get(0),
            )
        };
        self.store.read("verify_email.load", find).await
    }

    fn retry(&self, claimed: &ClaimedJob, why: String) -> Outcome {
        let index = usize::try_from(claimed.attempt.saturating_sub(1)).unwrap_or(usize::MAX);
        match RETRY_DELAYS.get(index) {
            Some(delay) => Outcome::Retry { at: self.ambient.now().plus(*delay), why },
            None => Outcome::Fail { why },
        }
    }
}

/// For the operator: what the server said, too.
fn in_full(error: &MailError) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}
