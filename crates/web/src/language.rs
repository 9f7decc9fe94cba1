//! The language of a text, and the direction in which it is written.

use language::script::direction;

/// A language tag that is fit for a `lang` attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Language {
    /// BCP 47, such as `pt-BR`; `en` where the resource's tag was no tag.
    pub(crate) tag: String,
}

impl Language {
    /// The language that a resource names.
    pub(crate) fn of(tag: &str) -> Self {
        let tag = tag.trim().replace('_', "-");
        let is_subtag =
            |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let starts_with_letters = tag.bytes().take_while(u8::is_ascii_alphabetic).count() >= 2;
        let is_tag = tag.len() <= 35 && starts_with_letters && tag.split('-').all(is_subtag);
        Self { tag: if is_tag { tag } else { "en".to_owned() } }
    }

    /// Lower-case letters before the first hyphen.
    pub(crate) fn primary(&self) -> String {
        language::primary_subtag(&self.tag)
    }

    /// `rtl` or `ltr`.
    pub(crate) fn direction(&self) -> &'static str {
        direction(&self.tag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_tag_is_a_tag() {
        for (given, tag) in [("de", "de"), ("pt_BR", "pt-BR"), (" zh-Hant-TW ", "zh-Hant-TW")] {
            assert_eq!(Language::of(given).tag, tag);
        }
        for wrong in ["", "e", "\"><script>", "en us", "plattdeutsch", "1x", "en-", &"a-".repeat(30)] {
            assert_eq!(Language::of(wrong).tag, "en", "{wrong}");
        }
    }
}
