//! Pages around a launch from a learning platform.

use askama::Template;
use lti::Refusal;
use platform::lti::login::PlatformStorage;
use platform::lti::sessions::LaunchSession;

use super::shell::{Access, Shell, Site, Stage};
use crate::language::Language;
use crate::texts::Texts;

/// A page that finds out whether the browser keeps anything for it, and goes on.
#[derive(Template)]
#[template(path = "launch.html")]
pub(crate) struct LaunchPage {
    shell: Shell,
    title: &'static str,
    /// What the browser keeps: the name of it.
    slot: String,
    /// What it is to keep; `None` where it is asked for.
    kept: Option<String>,
    storage: Option<PlatformStorage>,
    login: Option<LoginLinks>,
    form: Option<AgainForm>,
}

/// Where a login leads.
pub(crate) struct LoginLinks {
    /// To the platform.
    pub(crate) go_on: String,
    /// To itself, in a window of its own.
    pub(crate) again: String,
}

/// The platform's form, to be sent once more with what the platform's storage has kept.
pub(crate) struct AgainForm {
    pub(crate) action: String,
    pub(crate) state: String,
    pub(crate) id_token: String,
}

/// The page that says why a launch is refused: to the learner in the reader's language, to administrators in English.
#[derive(Template)]
#[template(path = "launch_refused.html")]
pub(crate) struct RefusedPage<'a> {
    shell: Shell,
    title: &'static str,
    refusal: &'a Refusal,
}

/// A page that says one thing.
#[derive(Template)]
#[template(path = "notice.html")]
pub(crate) struct NoticePage {
    shell: Shell,
    title: String,
    /// The course; empty where it does not matter.
    course: String,
    note: &'static str,
}

impl LaunchPage {
    /// The page of a login inside a frame.
    pub(crate) fn login(
        site: &Site,
        texts: &'static Texts,
        login: &platform::lti::login::Login,
        again: String,
    ) -> Self {
        Self {
            shell: shell(site, texts),
            title: texts.opening,
            slot: login.slot.name.clone(),
            kept: Some(login.slot.value.clone()),
            storage: login.storage.clone(),
            login: Some(LoginLinks { go_on: login.url.to_string(), again }),
            form: None,
        }
    }

    /// The page of a launch without a cookie.
    pub(crate) fn ask_storage(
        site: &Site,
        texts: &'static Texts,
        storage: PlatformStorage,
        slot: String,
        form: AgainForm,
    ) -> Self {
        let (shell, title) = (shell(site, texts), texts.opening);
        Self { shell, title, slot, kept: None, storage: Some(storage), login: None, form: Some(form) }
    }
}

impl<'a> RefusedPage<'a> {
    pub(crate) fn new(site: &Site, texts: &'static Texts, refusal: &'a Refusal) -> Self {
        Self { shell: shell(site, texts), title: texts.not_opened, refusal }
    }
}

impl NoticePage {
    /// A launch that leads to nothing.
    pub(crate) fn nothing_linked(site: &Site, texts: &'static Texts, session: &LaunchSession) -> Self {
        let title = session.resource_link_title.clone().filter(|title| !title.trim().is_empty());
        Self {
            shell: shell(site, texts),
            title: title.unwrap_or_else(|| "Lectern".to_owned()),
            course: session.context_title.clone().unwrap_or_default(),
            note: texts.nothing_linked,
        }
    }

    /// Anything else.
    pub(crate) fn of(site: &Site, texts: &'static Texts, title: &str, note: &'static str) -> Self {
        Self { shell: shell(site, texts), title: title.to_owned(), course: String::new(), note }
    }
}

/// Search engines keep none of these.
pub(super) fn shell(site: &Site, texts: &'static Texts) -> Shell {
    let language = Language::of(texts.tag);
    Shell { texts, language, access: Access::Public, stage: Stage::Whole, is_answered: true, site: site.clone() }
}
