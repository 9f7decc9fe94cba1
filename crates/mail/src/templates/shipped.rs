//! The shipped form of messages: a heading, a paragraph, perhaps a link, and how long it works.

use language::{Email, fill, script::direction};

use super::template::Template;
use super::{escape, on_one_line};

const PAGE: &str = include_str!("page.html");
const LINK: &str = include_str!("link.html");

/// The parts of a message.
pub(super) struct Rendered {
    pub(super) subject: String,
    pub(super) text: String,
    pub(super) html: String,
}

/// The texts of a template.
struct Wording {
    subject: &'static str,
    text: &'static str,
    /// What the link says.
    action: Option<&'static str>,
}

impl Wording {
    const fn of(template: &Template, texts: &Email) -> Self {
        let (subject, text, action) = match template {
            Template::AddressVerification { .. } => {
                (texts.verify_subject, texts.verify_text, Some(texts.verify_action))
            }
            Template::PasswordReset { .. } => (texts.reset_subject, texts.reset_text, Some(texts.reset_action)),
            Template::Invitation { .. } => (texts.invite_subject, texts.invite_text, Some(texts.invite_action)),
            Template::LowBalance { .. } => (texts.low_balance_subject, texts.low_balance_text, None),
            Template::SoftCapReached(_) => (texts.soft_cap_subject, texts.soft_cap_text, None),
            Template::HardCapReached(_) => (texts.hard_cap_subject, texts.hard_cap_text, None),
            Template::PaymentFailed { .. } => (texts.payment_failed_subject, texts.payment_failed_text, None),
            Template::KeyExpiring { .. } => (texts.key_expiring_subject, texts.key_expiring_text, None),
        };
        Self { subject, text, action }
    }
}

/// Renders a template in the language of the texts.
pub(super) fn render(template: &Template, language: &str, texts: &Email) -> Rendered {
    let wording = Wording::of(template, texts);
    let values: Vec<_> = template.values(texts).into_iter().map(|(name, value)| (name, on_one_line(&value))).collect();
    let plain: Vec<_> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Rendered {
        subject: fill(wording.subject, &plain),
        text: text(&wording, texts, &plain),
        html: html(&wording, language, texts, &values),
    }
}

fn text(wording: &Wording, texts: &Email, values: &[(&str, &str)]) -> String {
    let mut text = format!("{}\n", fill(wording.text, values));
    if let Some(action) = wording.action {
        let until = fill(texts.link_until, values);
        // The link stands on a line of its own, as a whole: people copy it.
        text.push_str(&format!("\n{action}:\n\n{}\n\n{until}\n\n{}\n", fill("{link}", values), texts.unasked));
    }
    text
}

fn html(wording: &Wording, language: &str, texts: &Email, values: &[(&'static str, String)]) -> String {
    // Names may run in the other direction than the sentence around them.
    let isolated: Vec<_> =
        values.iter().map(|(name, value)| (*name, format!("<bdi>{}</bdi>", escape(value)))).collect();
    let isolated: Vec<_> = isolated.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let sentence = |template: &str| fill(&escape(template), &isolated);
    let action = wording.action.map_or_else(String::new, |action| {
        let link = values.iter().find(|(name, _)| *name == "link").map_or_else(String::new, |(_, link)| escape(link));
        let (until, unasked) = (sentence(texts.link_until), escape(texts.unasked));
        fill(LINK, &[("link", &link), ("action", &escape(action)), ("until", &until), ("unasked", &unasked)])
    });
    let parts = [
        ("language", language),
        ("direction", direction(language)),
        ("subject", &sentence(wording.subject)),
        ("text", &sentence(wording.text)),
        ("action", &action),
    ];
    fill(PAGE, &parts)
}
