//! The fixed words of the output ("Objectives", "True or false: …"), a table for each language.
//!
//! [`Phrases`] is a struct, so a table with a phrase missing does not compile. A language without a
//! table gets English headings, and the draft says so ([`Spoken::fallback`]). What stands in braces is
//! filled in by [`fill`]; a template never comes from the customer. Placeholders are checked below.

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
mod tasks;
mod tr;
mod uk;
mod zh;

use language::primary_subtag;

pub(crate) use tasks::Tasks;

/// Every fixed text that can appear in a draft.
pub(crate) struct Phrases {
    /// Primary language subtag.
    pub(crate) tag: &'static str,
    pub(crate) objectives: &'static str,
    pub(crate) key_terms: &'static str,
    pub(crate) recap: &'static str,
    pub(crate) answer: &'static str,
    pub(crate) steps: &'static str,
    pub(crate) vocabulary: &'static str,
    pub(crate) questions: &'static str,
    pub(crate) dialogue: &'static str,
    pub(crate) timeline: &'static str,
    pub(crate) examples: &'static str,
    pub(crate) materials: &'static str,
    pub(crate) yes: &'static str,
    pub(crate) no: &'static str,
    pub(crate) lesson_n: &'static str,
    pub(crate) step_n: &'static str,
    pub(crate) objective_prose: &'static str,
    pub(crate) objective_terms: &'static str,
    pub(crate) objective_steps: &'static str,
    pub(crate) objective_table: &'static str,
    pub(crate) objective_dialogue: &'static str,
    pub(crate) objective_timeline: &'static str,
    pub(crate) objective_questions: &'static str,
    pub(crate) objective_worked: &'static str,
    pub(crate) module_description: &'static str,
    pub(crate) video_title: &'static str,
    pub(crate) video_description: &'static str,
    pub(crate) quiz_name: &'static str,
    pub(crate) quiz_description: &'static str,
    pub(crate) answer_true: &'static str,
    pub(crate) answer_false: &'static str,
    pub(crate) cloze_term: &'static str,
    pub(crate) cloze_number: &'static str,
    pub(crate) term_for: &'static str,
    pub(crate) meaning_of: &'static str,
    pub(crate) description_of: &'static str,
    pub(crate) cell_of: &'static str,
    pub(crate) next_step: &'static str,
    pub(crate) first_event: &'static str,
    pub(crate) when_event: &'static str,
    pub(crate) who_says: &'static str,
    pub(crate) belongs_to: &'static str,
    pub(crate) true_false: &'static str,
    pub(crate) blank: &'static str,
    pub(crate) blank_term: &'static str,
    pub(crate) open_term: &'static str,
    pub(crate) open_why: &'static str,
    pub(crate) open_lesson: &'static str,
    pub(crate) open_text: &'static str,
    pub(crate) submission: &'static str,
    pub(crate) source_says: &'static str,
    pub(crate) video_welcome: &'static str,
    pub(crate) video_topics: &'static str,
    pub(crate) video_first: &'static str,
    pub(crate) video_next: &'static str,
    pub(crate) video_closing: &'static str,
    pub(crate) video_remember: &'static str,
    pub(crate) video_practice: &'static str,
    pub(crate) plus: &'static str,
    pub(crate) minus: &'static str,
    pub(crate) times: &'static str,
    pub(crate) divided_by: &'static str,
    pub(crate) equals: &'static str,
    pub(crate) percent: &'static str,
    pub(crate) degrees: &'static str,
    pub(crate) root_of: &'static str,
    pub(crate) less_than: &'static str,
    pub(crate) greater_than: &'static str,
    /// What is made from prompts alone.
    pub(crate) tasks: Tasks,
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

/// Said in the description of a draft whose language has no table.
pub(crate) const FALLBACK_NOTE: &str =
    "Headings and questions are in English, because this language has no phrase table yet.";

/// The phrases for a payload's language.
#[derive(Clone, Copy)]
pub(crate) struct Spoken {
    pub(crate) phrases: &'static Phrases,
    /// The language has no table of its own; English stands in.
    pub(crate) fallback: bool,
}

/// Finds the table by the tag's primary subtag (`en-US` and `EN` are `en`).
pub(crate) fn for_language(tag: &str) -> Spoken {
    let primary = primary_subtag(tag);
    match TABLES.iter().find(|table| table.tag == primary) {
        Some(phrases) => Spoken { phrases, fallback: false },
        None => Spoken { phrases: &en::PHRASES, fallback: !primary.is_empty() },
    }
}

/// Whether a text is one of a phrase's translations, whatever the language: headings that drafts make.
pub(crate) fn is_phrase(text: &str, phrase: fn(&Phrases) -> &'static str) -> bool {
    TABLES.iter().any(|table| phrase(table) == text)
}

impl Phrases {
    /// Joins items as the language does: "a, b and c".
    pub(crate) fn join<S: AsRef<str>>(&self, items: &[S]) -> String {
        language::lists::join(self.tag, items)
    }

    /// What stands between the items of a list.
    pub(crate) fn lists(&self) -> &'static language::lists::Lists {
        language::lists::of(self.tag)
    }
}

#[cfg(test)]
mod tests;
