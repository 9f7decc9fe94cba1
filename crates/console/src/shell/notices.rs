//! What a page says after a form was sent. The address has a code, and the words are here: nobody else's text is shown.

/// A sentence about what was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) text: &'static str,
    pub(crate) is_warning: bool,
}

const fn done(text: &'static str) -> Option<Notice> {
    Some(Notice { text, is_warning: false })
}

const fn warning(text: &'static str) -> Option<Notice> {
    Some(Notice { text, is_warning: true })
}

impl Notice {
    /// The notice of a code; unknown codes have none.
    pub(crate) fn of(code: &str) -> Option<Self> {
        match code {
            "signed-out" => done("You are signed out."),
            "session-ended" => done("The session has ended."),
            "sessions-ended" => done("All other sessions have ended."),
            "passkey-added" => done("The passkey is added. Use it the next time you sign in."),
            "passkey-removed" => done("The passkey is removed."),
            "totp-removed" => done("The authenticator app is removed. Sign-in needs the password alone."),
            "key-revoked" => done("The key is revoked. Requests with it are refused from now on."),
            "webhook-deleted" => done("The webhook is deleted. Nothing is sent to it any more."),
            "webhook-tested" => done("A test event is on its way. It appears in the log in a moment."),
            "redelivered" => done("The event is sent again. It appears in the log in a moment."),
            "page-grading-saved" => done("The daily budget is saved."),
            "invited" => done("The invitation is on its way."),
            "invitation-withdrawn" => done("The invitation is withdrawn. Its link works no more."),
            "member-role-set" => done("The role is saved. It counts from the next request on."),
            "member-removed" => done("The member is removed from the organization."),
            "organization-left" => done("You left the organization."),
            "organization-created" => {
                done("The organization is created. Next: invite an administrator, and create a classroom.")
            }
            "organization-saved" => done("The organization has its new name."),
            "classroom-created" => done("The classroom is created."),
            "classroom-renamed" => done("The classroom has its new name."),
            "user-created" => done("The account is made. A mail with a link to choose a password is on its way."),
            "operator-made" => done("The user operates the service now."),
            "operator-unmade" => done("The user no longer operates the service."),
            "user-sessions-ended" => done("All sessions of the user have ended."),
            "user-factor-removed" => done("The second factor is removed, and all sessions have ended."),
            "workspace-created" => done("The workspace is created. Next: a key, and credits."),
            "workspace-saved" => done("The workspace is saved."),
            "workspace-suspended" => done("The workspace is suspended. Its keys are refused until you activate it."),
            "workspace-activated" => done("The workspace is active. Its keys work again."),
            "credits-added" => done("The credits are added."),
            "caps-saved" => done("The spending caps are saved."),
            "review-saved" => done("Your review is saved as a new version. The learner's result shows it."),
            "nothing-to-review" => done("No answer of this workspace waits for a review."),
            "regraded" => done("The answers are graded again. Changed answers have a new version."),
            "registration-saved" => done("The registration is saved."),
            "registration-deleted" => done("The registration is deleted. Launches from this platform are refused."),
            "link-revoked" => done("The registration link is revoked."),
            "job-retried" => done("The job is due now. A free worker takes it in a moment."),
            "job-dropped" => done("The job is dropped."),
            "nothing-changed" => done("Nothing was changed."),
            "not-undone" => warning("Somebody changed this in the meantime, so nothing was undone."),
            "resource-retried" => done("It is generated again. This takes a moment."),
            "resource-deleted" => done("The resource is deleted."),
            "expansion-sent" => done("The source is accepted. This page follows the job."),
            "start-expanded" => done("The source is on its way. The next step can begin meanwhile."),
            "start-graded" => done("The answer is graded."),
            "retried" => done("The failed outputs are generated again."),
            _ => None,
        }
    }
}
