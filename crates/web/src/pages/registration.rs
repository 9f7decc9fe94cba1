//! Pages of a registration link: for an administrator of a learning platform, who needs no help to go through them.

use askama::Template;
use platform::lti::registration_links::connect::{Connected, Invitation, PlatformQuery};
use platform::lti::registration_links::refusal::{Reason, Refusal};

use super::shell::{Access, Shell, Site, Stage};
use crate::language::Language;
use crate::texts::Texts;

/// The page that asks whether a workspace and a platform are to be connected.
#[derive(Template)]
#[template(path = "connect.html")]
pub(crate) struct ConnectPage {
    shell: Shell,
    title: &'static str,
    invitation: Invitation,
    form: ConnectForm,
}

/// What its button sends.
pub(crate) struct ConnectForm {
    /// Where to: the link itself.
    pub(crate) action: String,
    /// What the platform added to the link.
    pub(crate) query: PlatformQuery,
}

/// The page that says what is left to be done.
#[derive(Template)]
#[template(path = "connected.html")]
pub(crate) struct ConnectedPage {
    shell: Shell,
    title: &'static str,
    connected: Connected,
}

/// The page that says why not, and what to do.
#[derive(Template)]
#[template(path = "not_connected.html")]
pub(crate) struct NotConnectedPage<'a> {
    shell: Shell,
    title: &'static str,
    note: &'static str,
    refusal: &'a Refusal,
}

impl ConnectPage {
    pub(crate) fn new(site: &Site, texts: &'static Texts, invitation: Invitation, form: ConnectForm) -> Self {
        Self { shell: shell(site, texts), title: texts.connect_title, invitation, form }
    }
}

impl ConnectedPage {
    pub(crate) fn new(site: &Site, texts: &'static Texts, connected: Connected) -> Self {
        Self { shell: shell(site, texts), title: texts.connected, connected }
    }
}

impl<'a> NotConnectedPage<'a> {
    pub(crate) fn new(site: &Site, texts: &'static Texts, refusal: &'a Refusal) -> Self {
        Self { shell: shell(site, texts), title: texts.not_connected, note: note_of(texts, refusal.reason), refusal }
    }

    /// Whether it is worth starting again with the same link.
    fn starts_again(&self) -> bool {
        self.refusal.reason.leaves_link_open() && self.refusal.reason != Reason::NoPlatform
    }
}

/// A reason in the reader's language.
fn note_of(texts: &'static Texts, reason: Reason) -> &'static str {
    match reason {
        Reason::UnknownLink => texts.not_found_note,
        Reason::UsedLink => texts.link_used,
        Reason::ExpiredLink => texts.link_expired,
        Reason::RevokedLink => texts.link_revoked,
        Reason::BusyLink => texts.link_busy,
        Reason::SuspendedWorkspace => texts.link_suspended,
        Reason::NoPlatform => texts.link_by_hand,
        Reason::PlatformAddress => texts.platform_address,
        Reason::NoConfiguration => texts.platform_silent,
        Reason::Configuration | Reason::RegistrationToken => texts.platform_incomplete,
        Reason::Issuer => texts.platform_issuer,
        Reason::Refused => texts.platform_refused,
        Reason::NoAnswer | Reason::Answer => texts.platform_unconfirmed,
        Reason::Taken => texts.platform_taken,
        Reason::LostLink => texts.link_lost,
    }
}

/// Search engines keep none of these.
fn shell(site: &Site, texts: &'static Texts) -> Shell {
    let language = Language::of(texts.tag);
    Shell { texts, language, access: Access::Public, stage: Stage::Whole, is_answered: true, site: site.clone() }
}
