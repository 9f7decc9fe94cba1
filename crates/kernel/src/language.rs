//! Language tags: BCP 47 in the form that Unicode gives it, such as `en`, `pt-BR` or `zh-Hant-TW`.

use icu_locale_core::Locale;

/// Longer tags than this, in characters, carry extensions that nothing here reads.
pub const LONGEST_TAG: usize = 35;

/// Whether a text is a well-formed tag. Whether anybody speaks the language is not asked. A language has two or three
/// letters: longer ones are allowed by the form and none was ever registered, so `english` is a mistake.
pub fn is_tag(text: &str) -> bool {
    let language = text.split('-').next().unwrap_or_default();
    let is_language = (2..=3).contains(&language.len());
    text.len() <= LONGEST_TAG && is_language && Locale::try_from_str(&without_extension(text)).is_ok()
}

/// The tag without extended languages, up to three subtags of three letters behind the first: `yue` of `zh-yue`. Unicode's form
/// has none; BCP 47 does.
fn without_extension(tag: &str) -> String {
    let mut subtags: Vec<_> = tag.split('-').collect();
    let is_extended = |subtag: &&&str| subtag.len() == 3 && subtag.bytes().all(|byte| byte.is_ascii_alphabetic());
    let extended = subtags.iter().skip(1).take(3).take_while(is_extended).count();
    subtags.drain(1..=extended);
    subtags.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_well_formed() {
        for tag in [
            "en",
            "EN",
            "pt-BR",
            "zh-Hant-TW",
            "sr-Latn-RS",
            "es-419",
            "de-CH-1996",
            "ckb",
            "en-x-plain",
            "xx",
            "zh-yue",
            "zh-cmn-Hans-CN",
        ] {
            assert!(is_tag(tag), "{tag}");
        }
    }

    #[test]
    fn what_is_not_well_formed_is_no_tag() {
        let long = format!("en-x-{}", ["abcdefgh"; 4].join("-"));
        for text in [
            "",
            "e",
            "en_US",
            "english",
            "English",
            "en-",
            "-en",
            "en--US",
            "12",
            "en us",
            "en-US-US",
            "en-1-2",
            "dé",
            "zh-abc-def-ghi-jkl",
            &long,
        ] {
            assert!(!is_tag(text), "{text:?}");
        }
    }
}
