//! What surrounds every page: language, addresses, the note that something is a preview or not yet there.

use std::fmt;

use askama::FastWritable;
use askama::filters::HtmlSafe;

use super::inline::Inline;
use crate::assets;
use crate::language::Language;
use crate::texts::Texts;

/// The service's address, as far as pages need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// The path below which the service is reached, without a slash at its end; mostly empty.
    pub(crate) root: String,
}

/// How a page came to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Anybody may.
    Public,
    /// By a preview link.
    Preview,
    /// By a launch from a learning platform.
    Launch,
}

/// How far the resource is that a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// There.
    Whole,
    /// Not generated yet.
    Queued,
    /// Being generated.
    Processing,
    /// Not generated, for this reason.
    Failed(String),
}

/// What every template needs.
#[derive(Clone, Debug)]
pub(crate) struct Shell {
    pub(crate) texts: &'static Texts,
    /// The language of the content.
    pub(crate) language: Language,
    pub(crate) access: Access,
    pub(crate) stage: Stage,
    /// Whether the page shows what its reader answered.
    pub(crate) is_answered: bool,
    pub(crate) site: Site,
}

impl Shell {
    pub(crate) fn new(site: &Site, language: &str, access: Access, stage: Stage) -> Self {
        let language = Language::of(language);
        let texts = Texts::of(&language);
        Self { texts, language, access, stage, is_answered: false, site: site.clone() }
    }

    /// The address of a file of [`crate::assets`].
    pub(crate) fn asset(&self, name: &str) -> String {
        format!("{}/assets/{}", self.site.root, assets::ASSETS.address(name))
    }

    /// Whether search engines may keep the page.
    pub(crate) fn is_indexed(&self) -> bool {
        self.access == Access::Public && !self.is_answered
    }

    pub(crate) fn is_preview(&self) -> bool {
        self.access == Access::Preview
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.stage == Stage::Whole
    }

    /// Why there is nothing to show yet; empty when there is.
    pub(crate) fn stage_note(&self) -> &'static str {
        match self.stage {
            Stage::Whole => "",
            Stage::Queued => self.texts.queued,
            Stage::Processing => self.texts.processing,
            Stage::Failed(_) => self.texts.failed,
        }
    }

    /// Why the generation failed; empty when it didn't.
    pub(crate) fn failure(&self) -> &str {
        match &self.stage {
            Stage::Failed(message) => message,
            _ => "",
        }
    }

    /// A plain text of a customer, with its formulas.
    pub(crate) fn line(&self, text: &str) -> Inline {
        Inline::of(text)
    }

    /// Attributes of an element that holds content: its language, where the page around it speaks another.
    pub(crate) fn own(&self) -> Attributes {
        self.foreign_to(self.texts.tag)
    }

    /// Attributes of an element that holds content on a page that speaks a language of its own.
    pub(crate) fn foreign_to(&self, page: &str) -> Attributes {
        let direction = self.language.direction();
        if page == self.language.tag && Language::of(page).direction() == direction {
            return Attributes(String::new());
        }
        // A language tag is letters, digits and hyphens.
        Attributes(format!(" lang=\"{}\" dir=\"{direction}\"", self.language.tag))
    }
}

/// Attributes, with the space before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attributes(String);

impl fmt::Display for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl HtmlSafe for Attributes {}

impl FastWritable for Attributes {
    fn write_into(&self, dest: &mut dyn fmt::Write, _: &dyn askama::Values) -> askama::Result<()> {
        Ok(dest.write_str(&self.0)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_in_another_language_than_the_page_says_so() {
        let shell = |language: &str| Shell::new(&Site { root: String::new() }, language, Access::Public, Stage::Whole);
        assert_eq!(shell("de").own().to_string(), "");
        assert_eq!(shell("de-AT").own().to_string(), " lang=\"de-AT\" dir=\"ltr\"");
        assert_eq!(shell("ckb").own().to_string(), " lang=\"ckb\" dir=\"rtl\"");
        assert_eq!((shell("ckb").texts.tag, shell("ar").texts.direction()), ("en", "rtl"));
    }
}
