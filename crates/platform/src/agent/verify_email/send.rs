//! The job that sends a mail with a link. A crash at the wrong moment sends it twice, never not at all.

use std::error::Error as _;
use std::time::Duration;

use edge::problem::Problem;
use engine::BoxFuture;
use kernel::ambient::Ambient;
use kernel::id::{JobId, WorkspaceId};
use mail::{Address, MailError, Mailer, Message};
use serde::{Deserialize, Serialize};
use store::jobs::{self, ClaimedJob, Handler, NewJob, Outcome};
use store::{Store, StoreError, Tx};

use super::link::{LIFETIME, Links};
use crate::Platform;

const KIND: &str = "SendVerification";
/// Before the generation of content: somebody waits for the mail.
const PRIORITY: i64 = -1;
/// Mails that are asked for are at least this far apart.
const SPACING: Duration = Duration::from_secs(60);
/// The waits between attempts to send one mail.
const RETRY_DELAYS: [Duration; 4] =
    [Duration::from_secs(10), Duration::from_secs(60), Duration::from_secs(10 * 60), Duration::from_secs(60 * 60)];

/// What a job is about.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct JobPayload {
    version: u32,
    workspace_id: WorkspaceId,
    email: String,
}

/// Asks for a mail to a workspace's new address, in the transaction that sets it. Whoever asks for another one gets it at
/// once: the first may have had a typing error for an address.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn request(tx: &mut Tx<'_>, workspace: WorkspaceId, email: &str) -> Result<(), StoreError> {
    tx.execute_later("UPDATE workspace SET verification_sent_at = NULL WHERE id = $1", &[&workspace])?;
    enqueue(tx, workspace, email)
}

/// Asks for another mail.
///
/// # Errors
/// 429 within a minute of the last one.
pub(super) fn request_again(tx: &mut Tx<'_>, workspace: WorkspaceId, email: &str) -> Result<(), Problem> {
    let now = tx.now();
    let asked = tx.execute(
        "UPDATE workspace SET verification_sent_at = $2
         WHERE id = $1 AND (verification_sent_at IS NULL OR verification_sent_at <= $3)",
        &[&workspace, &now, &now.minus(SPACING)],
    )?;
    if asked == 0 {
        let last =
            tx.find("SELECT verification_sent_at FROM workspace WHERE id = $1", &[&workspace], |row| row.get(0))?;
        let retry_after = last.map_or(SPACING, |last| SPACING.saturating_sub(now.duration_since(last)));
        return Err(Problem::TooManyRequests { message: "A mail was asked for within the last minute.", retry_after });
    }
    Ok(enqueue(tx, workspace, email)?)
}

fn enqueue(tx: &mut Tx<'_>, workspace: WorkspaceId, email: &str) -> Result<(), StoreError> {
    let payload = JobPayload { version: 1, workspace_id: workspace, email: email.to_owned() };
    let job = NewJob {
        kind: KIND,
        tenant: workspace.to_string(),
        payload: serde_json::to_string(&payload).expect("a payload serializes"),
        run_at: tx.now(),
        priority: PRIORITY,
    };
    let id: JobId = tx.ambient().id();
    jobs::enqueue(tx, id, &job)
}

/// The handler of these jobs.
pub struct SendVerification {
    store: Store,
    ambient: Ambient,
    mailer: Mailer,
    links: Links,
}

impl SendVerification {
    /// The handler for the mails of a platform.
    pub fn new(platform: &Platform, mailer: Mailer) -> Self {
        let (store, ambient) = (platform.door.store.clone(), platform.door.ambient.clone());
        Self { store, ambient, mailer, links: platform.verification_links.clone() }
    }

    async fn send(&self, job: &ClaimedJob) -> Outcome {
        let Ok(JobPayload { workspace_id, email, .. }) = serde_json::from_str(&job.payload) else {
            return Outcome::Fail { why: "the payload can't be read".to_owned() };
        };
        let Ok(to) = email.parse::<Address>() else {
            return Outcome::Fail { why: "no mail can be sent to the workspace's address".to_owned() };
        };
        let name = match self.awaiting(workspace_id, email.clone()).await {
            Ok(Some(name)) => name,
            // Verified meanwhile, or another address, which has a job of its own.
            Ok(None) => return Outcome::Done,
            Err(error) => return self.retry(job, format!("the database: {error}")),
        };
        let link = self.links.url(workspace_id, &email, self.ambient.now().plus(LIFETIME));
        match self.mailer.send(&message(to, &name, &link)).await {
            Ok(()) => Outcome::Done,
            Err(error @ MailError::Transient(_)) => self.retry(job, in_full(&error)),
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

    fn retry(&self, job: &ClaimedJob, why: String) -> Outcome {
        let index = usize::try_from(job.attempt.saturating_sub(1)).unwrap_or(usize::MAX);
        match RETRY_DELAYS.get(index) {
            Some(delay) => Outcome::Retry { at: self.ambient.now().plus(*delay), why },
            None => Outcome::Fail { why },
        }
    }
}

impl Handler for SendVerification {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn run<'a>(&'a self, job: &'a ClaimedJob) -> BoxFuture<'a, Outcome> {
        Box::pin(self.send(job))
    }
}

/// For the operator: what the server said, too.
fn in_full(error: &MailError) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}

fn message(to: Address, workspace: &str, link: &str) -> Message {
    let text = format!(
        "This address was given as the contact of the workspace {workspace}.\n\n\
         Open this link within 24 hours to confirm that it is yours:\n\n\
         {link}\n\n\
         If you know nothing of it, leave it: nothing happens without the link.\n"
    );
    Message { to, subject: "Confirm your e-mail address".to_owned(), text }
}
