//! How numbers are written.

/// How a language writes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separators {
    /// 1,234.5.
    Point,
    /// 1.234,5.
    Comma,
    /// 1 234,5; a point between digits is a decimal point.
    CommaWithSpaces,
}

/// The separators of a language, by its tag.
#[must_use]
pub fn separators(language: &str) -> Separators {
    let mut parts = language.split(['-', '_']).map(str::to_ascii_lowercase);
    let primary = parts.next().unwrap_or_default();
    let region = parts.rfind(|part| part.len() == 2).unwrap_or_default();
    match (primary.as_str(), region.as_str()) {
        ("de" | "it", "ch" | "li") => Separators::Point,
        ("es", "mx" | "us" | "gt" | "hn" | "ni" | "pa" | "pe" | "pr" | "sv" | "do") => Separators::Point,
        ("en", "za") => Separators::CommaWithSpaces,
        ("de" | "es" | "pt" | "it" | "nl" | "tr" | "id" | "da" | "el" | "ro" | "hr" | "sl" | "vi" | "is", _) => {
            Separators::Comma
        }
        (
            "fr" | "ru" | "uk" | "pl" | "cs" | "sk" | "sv" | "nb" | "nn" | "no" | "fi" | "hu" | "bg" | "lt" | "lv"
            | "et",
            _,
        ) => Separators::CommaWithSpaces,
        _ => Separators::Point,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_region_decides_before_the_language() {
        for (tag, expected) in [
            ("en", Separators::Point),
            ("de-CH", Separators::Point),
            ("de_AT", Separators::Comma),
            ("es-MX", Separators::Point),
            ("en-ZA", Separators::CommaWithSpaces),
            ("fr", Separators::CommaWithSpaces),
            ("xx", Separators::Point),
        ] {
            assert_eq!(separators(tag), expected, "{tag}");
        }
    }
}
