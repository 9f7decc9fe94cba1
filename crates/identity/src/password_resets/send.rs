//! The job that sends the link. A crash at the wrong moment sends another link, which alone holds then.

use edge::admins;
use kernel::time::Timestamp;
use mail::Address;
use mail::templates::Template;
use serde::{Deserialize, Serialize};
use store::jobs::{ClaimedJob, Job, Outcome};
use store::{StoreError, Tx};

use super::LIFETIME;
use crate::jobs::Sender;
use crate::mailing;

/// Sends an address the link to a new password, if it has an account.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SendPasswordReset {
    pub(crate) email: String,
}

impl Job for SendPasswordReset {
    const KIND: &'static str = "SendPasswordReset";
    /// Before the generation of content: somebody waits for the mail.
    const PRIORITY: i64 = -1;
    type Context = Sender;

    async fn run(&self, sender: &Sender, claimed: &ClaimedJob) -> Outcome {
        let (identity, now) = (&sender.identity, sender.identity.door.ambient.now());
        let Ok(to) = Address::bare(&self.email) else { return Outcome::Done };
        let email = self.email.clone();
        let open = move |tx: &mut Tx<'_>| {
            let Some(user) = admins::find(tx, &email)? else { return Ok(None) };
            super::open(tx, user).map(Some)
        };
        let reset = match identity.door.store.write("password_resets.open", open).await {
            Ok(Some(reset)) => reset,
            Ok(None) => return Outcome::Done,
            Err(error) => return mailing::retry(claimed, now, unavailable(&error)),
        };
        let templates = sender.mailer.templates();
        let template = Template::PasswordReset { link: identity.reset_links.url(reset), expires: expiry(now) };
        let message = templates.render(&template, templates.language(), to);
        mailing::outcome(sender.mailer.send(&message).await, claimed, now)
    }
}

fn expiry(now: Timestamp) -> Timestamp {
    now.plus(LIFETIME)
}

fn unavailable(error: &StoreError) -> String {
    format!("the database: {error}")
}
