//! Templates of messages: what the service writes to people, in the languages of the pages.
//!
//! A [`Template`] is a message's name with its values. [`Templates`] renders it as text and HTML: from the operator's files
//! where there are some ([`folder`]), otherwise from the texts of the crate `language` ([`shipped`]). A value never becomes
//! markup, a header or a line of its own. Files are judged when they are loaded, so rendering can't fail.

mod folder;
mod placeholders;
mod shipped;
mod template;

use std::path::Path;
use std::sync::Arc;

use language::script::direction;

use self::folder::Folder;
pub use self::folder::{TemplateFault, TemplatesError};
use self::placeholders::fill;
pub use self::template::{CapReached, Period, Template};
use crate::address::Address;
use crate::message::Message;

/// The language of mail where nobody chose one.
const USUAL_LANGUAGE: &str = "en";

/// Renders templates. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Templates {
    folder: Arc<Folder>,
    language: Arc<str>,
}

impl Default for Templates {
    /// The shipped texts, in English where nobody names a language.
    fn default() -> Self {
        Self { folder: Arc::default(), language: USUAL_LANGUAGE.into() }
    }
}

impl Templates {
    /// The shipped texts, and over them the files `<name>.<language>.txt` and `<name>.<language>.html` of a folder.
    /// `language` is the one of mail to people whose language nobody knows.
    ///
    /// # Errors
    /// Everything that is wrong with the files, at once.
    pub fn load(folder: Option<&Path>, language: &str) -> Result<Self, TemplatesError> {
        let folder = folder.map_or_else(|| Ok(Folder::default()), Folder::load)?;
        Ok(Self { folder: Arc::new(folder), language: language.into() })
    }

    /// The language of mail to people whose language nobody knows.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The message to an address. `language` is a tag such as `de-CH`; where neither a file nor a shipped text is in
    /// it, the message is in English.
    pub fn render(&self, template: &Template, language: &str, to: Address) -> Message {
        let (tag, texts) = language::email(language);
        let shipped = shipped::render(template, tag, texts);
        let asked = language::primary_subtag(language);
        let file = |part| self.folder.find(template.name(), &asked, part);
        let values = template.values(texts);
        let (subject, text) = match file(folder::Part::Text) {
            None => (shipped.subject, shipped.text),
            Some(file) => {
                let (subject, text) = folder::subject_and_text(file).expect("a loaded text has a subject");
                (fill(subject, &plain(&values, &asked)), fill(text, &plain(&values, &asked)))
            }
        };
        let html = file(folder::Part::Html).map_or(shipped.html, |file| fill(file, &escaped(&values, &asked)));
        Message { to, subject, text, html: Some(html) }
    }
}

/// Values for a text, each on one line.
fn plain(values: &[(&'static str, String)], language: &str) -> Vec<(&'static str, String)> {
    let values = values.iter().map(|(name, value)| (*name, on_one_line(value)));
    values.chain(about(language)).collect()
}

/// Values for a page.
fn escaped(values: &[(&'static str, String)], language: &str) -> Vec<(&'static str, String)> {
    let values = values.iter().map(|(name, value)| (*name, escape(&on_one_line(value))));
    values.chain(about(language)).collect()
}

/// What every file may name besides its template's values.
const ABOUT: [&str; 2] = ["language", "direction"];

fn about(language: &str) -> [(&'static str, String); 2] {
    let [name, dir] = ABOUT;
    [(name, language.to_owned()), (dir, direction(language).to_owned())]
}

fn on_one_line(value: &str) -> String {
    value.chars().map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c }).collect()
}

/// A text as HTML, also between quotation marks.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
