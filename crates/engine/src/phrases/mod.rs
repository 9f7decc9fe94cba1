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
mod tr;
mod uk;
mod zh;

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
    pub(crate) list_and: &'static str,
    pub(crate) list_comma: &'static str,
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

/// The lower-cased part of a language tag before its first separator.
pub(crate) fn primary_subtag(tag: &str) -> String {
    tag.trim().split(['-', '_']).next().unwrap_or_default().chars().take(8).flat_map(char::to_lowercase).collect()
}

/// Puts values in a template's braces, in one pass: a value that holds braces stays as it is.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len() + 64);
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let Some(close) = rest[open..].find('}').map(|at| open + at) else { break };
        filled.push_str(&rest[..open]);
        let name = &rest[open + 1..close];
        if let Some((_, value)) = values.iter().find(|(key, _)| *key == name) {
            filled.push_str(value);
        }
        rest = &rest[close + 1..];
    }
    filled.push_str(rest);
    filled
}

impl Phrases {
    /// Joins items as the language does: "a, b and c".
    pub(crate) fn join<S: AsRef<str>>(&self, items: &[S]) -> String {
        match items {
            [] => String::new(),
            [only] => only.as_ref().to_owned(),
            [first @ .., last] => {
                let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
                format!("{}{}{}", first.join(self.list_comma), self.list_and, last.as_ref())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_uses_the_placeholders_of_the_english_one() {
        let english = templates(&en::PHRASES);
        for table in TABLES {
            for ((name, theirs), (_, ours)) in templates(table).into_iter().zip(&english) {
                assert!(!theirs.is_empty(), "{} {name} is empty", table.tag);
                assert_eq!(placeholders(theirs), placeholders(ours), "{} {name}", table.tag);
            }
        }
    }

    #[test]
    fn tags_match_by_primary_subtag() {
        for (tag, found) in [("en-US", "en"), ("zh-Hant", "zh"), ("PT_br", "pt"), ("xx", "en"), ("", "en")] {
            assert_eq!(for_language(tag).phrases.tag, found);
        }
        assert!(for_language("xx").fallback && !for_language("ja").fallback);
    }

    #[test]
    fn a_value_with_braces_is_not_filled_again() {
        assert_eq!(fill("{a} {b}", &[("a", "{b}"), ("b", "x")]), "{b} x");
    }

    fn placeholders(template: &str) -> Vec<&str> {
        let mut names: Vec<&str> = template.split('{').skip(1).filter_map(|part| part.split('}').next()).collect();
        names.sort_unstable();
        names
    }

    fn templates(table: &Phrases) -> Vec<(&'static str, &'static str)> {
        vec![
            ("objectives", table.objectives),
            ("key_terms", table.key_terms),
            ("recap", table.recap),
            ("answer", table.answer),
            ("steps", table.steps),
            ("vocabulary", table.vocabulary),
            ("questions", table.questions),
            ("dialogue", table.dialogue),
            ("timeline", table.timeline),
            ("examples", table.examples),
            ("materials", table.materials),
            ("yes", table.yes),
            ("no", table.no),
            ("lesson_n", table.lesson_n),
            ("step_n", table.step_n),
            ("list_and", table.list_and),
            ("list_comma", table.list_comma),
            ("objective_prose", table.objective_prose),
            ("objective_terms", table.objective_terms),
            ("objective_steps", table.objective_steps),
            ("objective_table", table.objective_table),
            ("objective_dialogue", table.objective_dialogue),
            ("objective_timeline", table.objective_timeline),
            ("objective_questions", table.objective_questions),
            ("objective_worked", table.objective_worked),
            ("module_description", table.module_description),
            ("video_title", table.video_title),
            ("video_description", table.video_description),
            ("quiz_name", table.quiz_name),
            ("quiz_description", table.quiz_description),
            ("answer_true", table.answer_true),
            ("answer_false", table.answer_false),
            ("cloze_term", table.cloze_term),
            ("cloze_number", table.cloze_number),
            ("term_for", table.term_for),
            ("meaning_of", table.meaning_of),
            ("description_of", table.description_of),
            ("cell_of", table.cell_of),
            ("next_step", table.next_step),
            ("first_event", table.first_event),
            ("when_event", table.when_event),
            ("who_says", table.who_says),
            ("belongs_to", table.belongs_to),
            ("true_false", table.true_false),
            ("blank", table.blank),
            ("blank_term", table.blank_term),
            ("open_term", table.open_term),
            ("open_why", table.open_why),
            ("open_lesson", table.open_lesson),
            ("open_text", table.open_text),
            ("submission", table.submission),
            ("source_says", table.source_says),
            ("video_welcome", table.video_welcome),
            ("video_topics", table.video_topics),
            ("video_first", table.video_first),
            ("video_next", table.video_next),
            ("video_closing", table.video_closing),
            ("video_remember", table.video_remember),
            ("video_practice", table.video_practice),
            ("plus", table.plus),
            ("minus", table.minus),
            ("times", table.times),
            ("divided_by", table.divided_by),
            ("equals", table.equals),
            ("percent", table.percent),
            ("degrees", table.degrees),
            ("root_of", table.root_of),
            ("less_than", table.less_than),
            ("greater_than", table.greater_than),
        ]
    }
}
