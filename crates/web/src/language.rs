//! The language of a text, and the direction in which it is written.

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
        self.tag.split('-').next().unwrap_or_default().to_ascii_lowercase()
    }

    /// `rtl` or `ltr`: by the script where the tag names one, else by the language.
    pub(crate) fn direction(&self) -> &'static str {
        const SCRIPTS: [&str; 8] = ["arab", "hebr", "thaa", "syrc", "nkoo", "adlm", "rohg", "aran"];
        const LANGUAGES: [&str; 12] = ["ar", "he", "fa", "ur", "ps", "sd", "ug", "yi", "dv", "ckb", "iw", "syr"];
        let script =
            self.tag.split('-').skip(1).find(|part| part.len() == 4 && part.bytes().all(|b| b.is_ascii_alphabetic()));
        let is_rtl = match script {
            Some(script) => SCRIPTS.contains(&&*script.to_ascii_lowercase()),
            None => LANGUAGES.contains(&&*self.primary()),
        };
        if is_rtl { "rtl" } else { "ltr" }
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

    #[test]
    fn the_script_decides_before_the_language() {
        for rtl in ["ar", "he", "fa-IR", "ur", "AR", "az-Arab", "ckb"] {
            assert_eq!(Language::of(rtl).direction(), "rtl", "{rtl}");
        }
        for ltr in ["en", "ur-Latn", "tr", "zh-Hant", "ary-x"] {
            assert_eq!(Language::of(ltr).direction(), "ltr", "{ltr}");
        }
    }
}
