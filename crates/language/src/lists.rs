//! Lists within a sentence, and lists of words between spaces.

/// Whether a list of words holds this one.
#[must_use]
pub fn holds(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// Joins items as a language does: "a, b and c"; as English does where the language is not known.
#[must_use]
pub fn join<S: AsRef<str>>(tag: &str, items: &[S]) -> String {
    crate::teaching(tag).drafts.join(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_joined_as_the_language_does() {
        for (tag, joined) in [("en", "a, b and c"), ("de-AT", "a, b und c"), ("ja", "a、bとc"), ("sw", "a, b and c")]
        {
            assert_eq!(join(tag, &["a", "b", "c"]), joined);
        }
        assert_eq!((join::<&str>("en", &[]), join("en", &["a"])), (String::new(), "a".to_owned()));
    }
}
