//! The job that sends an invitation. A crash at the wrong moment sends it twice, never not at all.

use kernel::id::InvitationId;
use kernel::time::Timestamp;
use mail::Address;
use mail::templates::Template;
use serde::{Deserialize, Serialize};
use store::jobs::{ClaimedJob, Job, Outcome};
use store::{StoreError, Tx, sql};

use crate::jobs::Sender;
use crate::mailing;

/// Sends an invitation, if it is still open.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SendInvitation {
    pub(crate) invitation_id: InvitationId,
}

struct Letter {
    email: String,
    organization: String,
    inviter: String,
    expires: Timestamp,
}

impl Job for SendInvitation {
    const KIND: &'static str = "SendInvitation";
    /// Before the generation of content: somebody waits for the mail.
    const PRIORITY: i64 = -1;
    type Context = Sender;

    async fn run(&self, sender: &Sender, claimed: &ClaimedJob) -> Outcome {
        let (identity, now, id) = (&sender.identity, sender.identity.door.ambient.now(), self.invitation_id);
        let letter = match identity.door.store.read("invitations.load", move |tx| find(tx, id)).await {
            Ok(Some(letter)) => letter,
            Ok(None) => return Outcome::Done,
            Err(error) => return mailing::retry(claimed, now, format!("the database: {error}")),
        };
        let Ok(to) = Address::bare(&letter.email) else {
            return Outcome::Fail { why: "no mail can be sent to the invited address".to_owned() };
        };
        let templates = sender.mailer.templates();
        let template = Template::Invitation {
            organization: letter.organization,
            inviter: letter.inviter,
            link: identity.invitation_links.url(id),
            expires: letter.expires,
        };
        let message = templates.render(&template, templates.language(), to);
        mailing::outcome(sender.mailer.send(&message).await, claimed, now)
    }
}

fn find(tx: &mut Tx<'_>, id: InvitationId) -> Result<Option<Letter>, StoreError> {
    let now = tx.now();
    sql!(
        "SELECT i.email, o.name, u.email, i.expires_at FROM invitation i
         JOIN organization o ON o.id = i.organization_id JOIN admin_user u ON u.id = i.invited_by
         WHERE i.id = {id} AND i.accepted_at IS NULL AND i.expires_at > {now}"
    )
    .find(tx, |row| {
        Ok(Letter { email: row.get(0)?, organization: row.get(1)?, inviter: row.get(2)?, expires: row.get(3)? })
    })
}
