//! The fixed words of drafts ("Objectives", "True or false: …"), in the language of a payload.
//!
//! The texts are data of [`language`]. A language without texts gets English headings, and the draft says so
//! ([`Spoken::fallback`]). What stands in braces is filled in by [`language::fill`]; a template never comes from the customer.

pub(crate) use language::Drafts as Phrases;

/// Said in the description of a draft whose language has no texts.
pub(crate) const FALLBACK_NOTE: &str =
    "Headings and questions are in English, because this language has no phrase table yet.";

/// The phrases for a payload's language.
#[derive(Clone, Copy)]
pub(crate) struct Spoken {
    pub(crate) phrases: &'static Phrases,
    /// The language has no texts of its own; English stands in.
    pub(crate) fallback: bool,
}

/// The phrases of a language, by its tag.
pub(crate) fn for_language(tag: &str) -> Spoken {
    let fallback = language::find_teaching(tag).is_none() && !language::primary_subtag(tag).is_empty();
    Spoken { phrases: &language::teaching(tag).drafts, fallback }
}

/// Whether a text is one of a phrase's translations, whatever the language: headings that drafts make.
pub(crate) fn is_phrase(text: &str, phrase: fn(&Phrases) -> &'static str) -> bool {
    language::taught().any(|(_, teaching)| phrase(&teaching.drafts) == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_without_texts_gets_english_ones_and_says_so() {
        assert_eq!(for_language("xx").phrases.objectives, for_language("en").phrases.objectives);
        assert!(for_language("xx").fallback && !for_language("ja").fallback && !for_language("").fallback);
    }
}
