//! What languages are called.

/// Languages by their primary subtag, with the names that authors give to a member of a word list: in English, and in the language itself.
const NAMES: [(&str, &[&str]); 20] = [
    ("ar", &["arabic", "العربية"]),
    ("de", &["german", "deutsch"]),
    ("en", &["english"]),
    ("es", &["spanish", "español", "espanol"]),
    ("fr", &["french", "français", "francais"]),
    ("hi", &["hindi", "हिन्दी"]),
    ("id", &["indonesian"]),
    ("it", &["italian", "italiano"]),
    ("ja", &["japanese", "日本語"]),
    ("ko", &["korean", "한국어"]),
    ("nl", &["dutch", "nederlands"]),
    ("pl", &["polish", "polski"]),
    ("pt", &["portuguese", "português", "portugues"]),
    ("ru", &["russian", "русский"]),
    ("sv", &["swedish", "svenska"]),
    ("th", &["thai", "ไทย"]),
    ("tr", &["turkish", "türkçe", "turkce"]),
    ("uk", &["ukrainian", "українська"]),
    ("vi", &["vietnamese"]),
    ("zh", &["chinese", "mandarin", "中文"]),
];

/// The primary subtag of the language that a name or a tag names.
#[must_use]
pub fn named(name: &str) -> Option<&'static str> {
    let lower = name.trim().to_lowercase();
    let lower = lower.split(['-', '_']).next().unwrap_or_default();
    let names = |known: &str, names: &[&str]| lower == known || names.contains(&lower);
    NAMES.iter().find(|(tag, all)| names(tag, all)).map(|(tag, _)| *tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_a_tag_and_names() {
        for (name, expected) in
            [("es", Some("es")), ("es-MX", Some("es")), ("Español", Some("es")), ("日本語", Some("ja")), ("word", None)]
        {
            assert_eq!(named(name), expected, "{name}");
        }
        for (tag, _) in crate::taught() {
            assert_eq!(named(tag), Some(tag));
        }
    }
}
