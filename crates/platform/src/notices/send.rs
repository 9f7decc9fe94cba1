//! The job that writes e-mail about a notice: first it becomes a job for each address, so that what one server refuses or defers
//! holds up no other. A crash at the wrong moment sends a mail twice, never not at all.

use std::error::Error as _;
use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::id::WorkspaceId;
use kernel::time::Timestamp;
use mail::templates::{CapReached, Period, Template};
use mail::{Address, MailError, Mailer};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use store::jobs::{self, ClaimedJob, Job, Outcome};
use store::{Store, StoreError, Tx, sql};

use super::Notice;
use crate::Platform;

/// The waits between attempts to send one mail.
const RETRY_DELAYS: [Duration; 4] =
    [Duration::from_secs(10), Duration::from_secs(60), Duration::from_secs(10 * 60), Duration::from_secs(60 * 60)];

/// Sends a notice to one address; without one, queues itself for each that is to be told.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SendNotice {
    workspace_id: WorkspaceId,
    to: Option<String>,
    notice: Notice,
}

impl SendNotice {
    /// For the workspace's verified address and those of operators.
    pub(super) const fn to_everybody(workspace_id: WorkspaceId, notice: Notice) -> Self {
        Self { workspace_id, to: None, notice }
    }
}

impl Job for SendNotice {
    const KIND: &'static str = "SendNotice";
    type Context = NoticeSender;

    async fn run(&self, sender: &NoticeSender, claimed: &ClaimedJob) -> Outcome {
        match &self.to {
            None => sender.spread(self, claimed).await,
            Some(to) => sender.send(self, to, claimed).await,
        }
    }
}

/// Sends these mails.
pub struct NoticeSender {
    store: Store,
    ambient: Ambient,
    mailer: Mailer,
    operators: Vec<String>,
}

impl NoticeSender {
    /// A sender for the notices of a platform.
    pub(crate) fn new(platform: &Platform, mailer: Mailer) -> Self {
        let (store, ambient) = (platform.door.store.clone(), platform.door.ambient.clone());
        Self { store, ambient, mailer, operators: platform.operator_emails.clone() }
    }

    /// Queues a mail for each address that is to be told.
    async fn spread(&self, job: &SendNotice, claimed: &ClaimedJob) -> Outcome {
        let (workspace, notice, operators) = (job.workspace_id, job.notice.clone(), self.operators.clone());
        let spread = move |tx: &mut Tx<'_>| {
            let own = sql!("SELECT email FROM workspace WHERE id = {workspace} AND email_verified_at IS NOT NULL")
                .find(tx, |row| row.get::<Option<String>>(0))?
                .flatten();
            let own_is_operator = own.as_ref().is_some_and(|own| operators.contains(own));
            for to in own.into_iter().filter(|_| !own_is_operator).chain(operators.iter().cloned()) {
                let job = SendNotice { workspace_id: workspace, to: Some(to), notice: notice.clone() };
                jobs::enqueue(tx, workspace, &job)?;
            }
            Ok::<_, StoreError>(())
        };
        match self.store.write("notices.spread", spread).await {
            Ok(()) => Outcome::Done,
            Err(error) => self.retry(claimed, format!("the database: {error}")),
        }
    }

    async fn send(&self, job: &SendNotice, to: &str, claimed: &ClaimedJob) -> Outcome {
        let Ok(to) = to.parse::<Address>() else {
            return Outcome::Fail { why: "no mail can be sent to the address".to_owned() };
        };
        let template = match self.template(job).await {
            Ok(Some(template)) => template,
            // The workspace or the key is gone.
            Ok(None) => return Outcome::Done,
            Err(error) => return self.retry(claimed, format!("the database: {error}")),
        };
        let templates = self.mailer.templates();
        match self.mailer.send(&templates.render(&template, templates.language(), to)).await {
            Ok(()) => Outcome::Done,
            Err(error @ MailError::Transient(_)) => self.retry(claimed, in_full(&error)),
            Err(error @ MailError::Permanent(_)) => Outcome::Fail { why: in_full(&error) },
        }
    }

    /// What is written. People are told names where programs are told ids.
    async fn template(&self, job: &SendNotice) -> Result<Option<Template>, StoreError> {
        let (workspace, notice) = (job.workspace_id, job.notice.clone());
        let find = move |tx: &mut Tx<'_>| {
            let name =
                sql!("SELECT name FROM workspace WHERE id = {workspace}").find(tx, |row| row.get::<String>(0))?;
            let Some(name) = name else { return Ok(None) };
            let key_name = match &notice {
                Notice::CapReached { key_id: Some(key), .. } => {
                    sql!("SELECT name FROM api_key WHERE id = {key}").find(tx, |row| row.get::<String>(0))?
                }
                _ => None,
            };
            Ok(Some(template(name, key_name, notice.clone())))
        };
        self.store.read("notices.load", find).await
    }

    fn retry(&self, claimed: &ClaimedJob, why: String) -> Outcome {
        let index = usize::try_from(claimed.attempt.saturating_sub(1)).unwrap_or(usize::MAX);
        match RETRY_DELAYS.get(index) {
            Some(delay) => Outcome::Retry { at: self.ambient.now().plus(*delay), why },
            None => Outcome::Fail { why },
        }
    }
}

fn template(workspace: String, key_name: Option<String>, notice: Notice) -> Template {
    match notice {
        Notice::LowBalance { balance_usd, threshold_usd } => {
            Template::LowBalance { workspace, balance: usd(&balance_usd), threshold: usd(&threshold_usd) }
        }
        Notice::CapReached { period, level, cap_usd, spent_usd, .. } => {
            let period = if period == "day" { Period::Day } else { Period::Month };
            let name = key_name.map_or_else(|| workspace.clone(), |key| format!("{workspace}: {key}"));
            let reached = CapReached { name, spent: usd(&spent_usd), cap: usd(&cap_usd), period };
            if level == "hard" { Template::HardCapReached(reached) } else { Template::SoftCapReached(reached) }
        }
        Notice::PaymentFailed { amount_usd, amount, currency, .. } => {
            let amount = match (amount.zip(currency), amount_usd) {
                (Some((amount, currency)), _) => format!("{amount} {currency}"),
                (None, Some(amount_usd)) => usd(&amount_usd),
                (None, None) => "–".to_owned(),
            };
            Template::PaymentFailed { workspace, amount }
        }
        Notice::KeyExpiring { key_name, expires_at, .. } => {
            let expires = Timestamp::parse_rfc3339(&expires_at).unwrap_or(Timestamp::from_millis(0));
            Template::KeyExpiring { workspace, key: key_name, expires }
        }
    }
}

fn usd(amount: &Number) -> String {
    format!("{amount} USD")
}

/// For the operator: what the server said, too.
fn in_full(error: &MailError) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}
