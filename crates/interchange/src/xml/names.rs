//! Identifiers and language tags that every XML vocabulary here accepts.

use sha2::{Digest, Sha256};

/// An identifier that depends on `parts` alone: the same content gets the same one, other content
/// another. Systems recognize what they imported before by it.
pub(crate) fn digest(prefix: &str, parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    format!("{prefix}-{}", hex::encode(&hash.finalize()[..10]))
}

/// The text as a language tag, when it has the form of one.
pub(crate) fn language_tag(text: &str) -> Option<&str> {
    let is_part = |part: &str, first: bool| {
        (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphabetic() || (!first && c.is_ascii_digit()))
    };
    text.split('-').enumerate().all(|(n, part)| is_part(part, n == 0)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_identifiers_and_tell_parts_apart() {
        let digested = digest("item", &["x"]);
        assert!(digested.starts_with("item-") && digested.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
        assert_ne!(digest("item", &["ab", "c"]), digest("item", &["a", "bc"]));
        assert_eq!(digest("item", &["ab", "c"]), digest("item", &["ab", "c"]));
    }

    #[test]
    fn language_tags_have_their_form() {
        assert_eq!(language_tag("pt-BR"), Some("pt-BR"));
        for bad in ["", "e n", "1", "abcdefghi", "en-", "en_US"] {
            assert_eq!(language_tag(bad), None, "{bad}");
        }
    }
}
