//! The fixed words of feedback, a table for each language that drafts have phrases for.
//!
//! What stands in braces is filled in; a template never comes from a submission. Placeholders are checked below.

mod ar;
mod de;
mod en;
mod es;
mod fr;
mod hi;
mod it;
mod ja;
mod ko;
mod nl;
mod pl;
mod pt;
mod ru;
mod tr;
mod uk;
mod zh;

use language::primary_subtag;

/// Every fixed text that feedback can have.
pub(super) struct Phrases {
    /// Primary language subtag.
    pub(super) tag: &'static str,
    /// Praises a quotation, and says plainly that it is right.
    pub(super) right_warm: &'static str,
    pub(super) right: &'static str,
    /// A quotation that says the contrary.
    pub(super) contrary: &'static str,
    /// What is not there.
    pub(super) missing: &'static str,
    /// What to add, and what to look at again.
    pub(super) add: &'static str,
    pub(super) check: &'static str,
    /// What is wrong with the form.
    pub(super) keywords: &'static str,
    pub(super) salad: &'static str,
    pub(super) repeats: &'static str,
    /// Files that were not read, or not wholly.
    pub(super) unread: &'static str,
    /// What to do about an empty answer, and about one without sentences.
    pub(super) try_it: &'static str,
    pub(super) whole_sentences: &'static str,
    /// The judgement in a sentence, from nothing to good.
    pub(super) nothing_said: &'static str,
    pub(super) unguided: &'static str,
    pub(super) good_warm: &'static str,
    pub(super) good: &'static str,
    pub(super) partly_warm: &'static str,
    pub(super) partly: &'static str,
    pub(super) mostly_wrong: &'static str,
    pub(super) little: &'static str,
    /// What makes the judgement uncertain or was left out of it.
    pub(super) foreign: &'static str,
    pub(super) talk: &'static str,
    pub(super) hidden: &'static str,
    /// What to do next.
    pub(super) next_start: &'static str,
    pub(super) next_good: &'static str,
    pub(super) next_terms: &'static str,
    pub(super) next_reread: &'static str,
    /// Of a criterion.
    pub(super) met: &'static str,
    pub(super) met_partly: &'static str,
    pub(super) unmet: &'static str,
}

const TABLES: [&Phrases; 16] = [
    &en::PHRASES,
    &de::PHRASES,
    &es::PHRASES,
    &fr::PHRASES,
    &pt::PHRASES,
    &it::PHRASES,
    &nl::PHRASES,
    &pl::PHRASES,
    &ru::PHRASES,
    &uk::PHRASES,
    &tr::PHRASES,
    &ar::PHRASES,
    &hi::PHRASES,
    &zh::PHRASES,
    &ja::PHRASES,
    &ko::PHRASES,
];

/// The table of a language tag; English for languages without one.
pub(super) fn for_language(tag: &str) -> &'static Phrases {
    let primary = primary_subtag(tag);
    TABLES.iter().copied().find(|table| table.tag == primary).unwrap_or(&en::PHRASES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn templates(table: &Phrases) -> Vec<&'static str> {
        vec![
            table.right_warm,
            table.right,
            table.contrary,
            table.missing,
            table.add,
            table.check,
            table.keywords,
            table.salad,
            table.repeats,
            table.unread,
            table.try_it,
            table.whole_sentences,
            table.nothing_said,
            table.unguided,
            table.good_warm,
            table.good,
            table.partly_warm,
            table.partly,
            table.mostly_wrong,
            table.little,
            table.foreign,
            table.talk,
            table.hidden,
            table.next_start,
            table.next_good,
            table.next_terms,
            table.next_reread,
            table.met,
            table.met_partly,
            table.unmet,
        ]
    }

    fn placeholders(template: &str) -> Vec<&str> {
        template.split('{').skip(1).filter_map(|part| part.split('}').next()).collect()
    }

    #[test]
    fn every_table_uses_the_placeholders_of_the_english_one() {
        for table in TABLES {
            for (theirs, ours) in templates(table).into_iter().zip(templates(&en::PHRASES)) {
                assert!(!theirs.is_empty(), "{}", table.tag);
                assert_eq!(placeholders(theirs), placeholders(ours), "{}: {theirs}", table.tag);
            }
        }
    }

    #[test]
    fn a_language_without_a_table_gets_english() {
        assert_eq!((for_language("de-AT").tag, for_language("sw").tag), ("de", "en"));
    }
}
