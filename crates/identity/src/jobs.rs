//! The background jobs of this surface: what a worker runs, and what the operator can cancel.

use mail::Mailer;
use store::jobs::{Handler, JobType};

use crate::Identity;
use crate::invitations::send::SendInvitation;
use crate::password_resets::send::SendPasswordReset;

/// Sends the mails of the jobs.
#[derive(Clone)]
pub struct Sender {
    pub(crate) identity: Identity,
    pub(crate) mailer: Mailer,
}

/// The types of jobs.
pub fn types() -> [JobType; 2] {
    [JobType::new(|_: &SendPasswordReset, _| Ok(())), JobType::new(|_: &SendInvitation, _| Ok(()))]
}

/// The handlers for a worker: one for each of [`types`].
pub fn handlers(identity: &Identity, mailer: Mailer) -> [Handler; 2] {
    let sender = Sender { identity: identity.clone(), mailer };
    [Handler::new::<SendPasswordReset>(sender.clone()), Handler::new::<SendInvitation>(sender)]
}
