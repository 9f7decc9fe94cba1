//! The sentences of exact grading in the languages that drafts have; others get English.

mod asian;
mod eastern;
mod northern;
mod southern;

/// Every sentence; `{answer}`, `{reference}`, `{value}`, `{missing}`, `{right}` and `{counted}` are filled in.
pub(super) struct Phrases {
    pub(super) tag: &'static str,
    pub(super) right: &'static str,
    pub(super) number_right: &'static str,
    pub(super) part: &'static str,
    pub(super) empty: &'static str,
    pub(super) orders: &'static str,
    pub(super) copied: &'static str,
    pub(super) wrong: &'static str,
    pub(super) converted: &'static str,
    pub(super) sign: &'static str,
    pub(super) rounding: &'static str,
    pub(super) unit: &'static str,
    pub(super) no_unit: &'static str,
    pub(super) order: &'static str,
    pub(super) missing: &'static str,
    pub(super) incomplete: &'static str,
    pub(super) extra: &'static str,
    pub(super) bounds: &'static str,
    pub(super) kind: &'static str,
    pub(super) marks: &'static str,
    pub(super) negated: &'static str,
    pub(super) several: &'static str,
    pub(super) advice: &'static str,
    pub(super) next_right: &'static str,
    pub(super) next_wrong: &'static str,
}

const TABLES: [&Phrases; 16] = [
    &northern::EN,
    &northern::DE,
    &northern::NL,
    &southern::ES,
    &southern::FR,
    &southern::PT,
    &southern::IT,
    &eastern::PL,
    &eastern::RU,
    &eastern::UK,
    &eastern::TR,
    &asian::AR,
    &asian::HI,
    &asian::ZH,
    &asian::JA,
    &asian::KO,
];

/// The table of a language.
pub(super) fn of(language: &str) -> &'static Phrases {
    let primary = language::primary_subtag(language);
    TABLES.iter().find(|table| table.tag == primary).unwrap_or(&TABLES[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_of_drafts_has_its_sentences() {
        for tag in ["en", "de", "es", "fr", "pt", "it", "nl", "pl", "ru", "uk", "tr", "ar", "hi", "zh", "ja", "ko"] {
            assert_eq!(of(tag).tag, tag);
        }
        assert_eq!((of("xx").tag, of("de-AT").tag), ("en", "de"));
    }

    #[test]
    fn every_sentence_names_what_it_is_about() {
        for table in TABLES {
            for (sentence, names) in [
                (table.right, &["{answer}"][..]),
                (table.part, &["{right}", "{counted}"]),
                (table.wrong, &["{answer}"]),
                (table.converted, &["{answer}", "{value}", "{reference}"]),
                (table.missing, &["{missing}"]),
                (table.advice, &["{reference}"]),
            ] {
                assert!(names.iter().all(|name| sentence.contains(name)), "{}: {sentence}", table.tag);
            }
        }
    }
}
