//! The words of the interface, a table for each language.
//!
//! [`Texts`] is a struct, so a table that lacks a text does not compile; a test compares the placeholders. A page speaks
//! the language of what it shows; a language without a table gets English around its content. Numbers stand beside their nouns
//! (“Points: 3”) rather than in sentences, because languages bend nouns after numbers in ways of their own.

mod ar;
mod de;
mod en;
mod es;
mod fa;
mod fr;
mod he;
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
mod ur;
mod zh;

use crate::language::Language;

/// Every text of the interface. What stands in braces is filled in by [`fill`].
#[derive(Debug)]
pub(crate) struct Texts {
    /// Primary subtag.
    pub(crate) tag: &'static str,
    /// What parts a number's whole from its fraction.
    pub(crate) decimal: &'static str,
    /// A share: `{n}`.
    pub(crate) percent: &'static str,

    pub(crate) module: &'static str,
    pub(crate) course: &'static str,
    pub(crate) slides: &'static str,
    pub(crate) test: &'static str,
    pub(crate) video: &'static str,
    pub(crate) skip: &'static str,
    pub(crate) preview: &'static str,
    pub(crate) queued: &'static str,
    pub(crate) processing: &'static str,
    pub(crate) failed: &'static str,
    pub(crate) empty: &'static str,
    pub(crate) previous: &'static str,
    pub(crate) next: &'static str,

    pub(crate) quiz: &'static str,
    /// `{n}`.
    pub(crate) question: &'static str,
    pub(crate) choose_one: &'static str,
    pub(crate) choose_several: &'static str,
    pub(crate) your_answer: &'static str,
    /// Words to choose from: `{words}`.
    pub(crate) word_bank: &'static str,
    pub(crate) yes: &'static str,
    pub(crate) no: &'static str,
    pub(crate) check: &'static str,
    pub(crate) again: &'static str,
    pub(crate) not_saved: &'static str,
    pub(crate) result: &'static str,
    /// `{n}` of `{total}`.
    pub(crate) right_of: &'static str,
    /// `{n}`.
    pub(crate) unanswered_count: &'static str,
    pub(crate) look_again: &'static str,
    pub(crate) right: &'static str,
    pub(crate) wrong: &'static str,
    pub(crate) unanswered: &'static str,
    /// `{answers}`.
    pub(crate) right_answer: &'static str,
    pub(crate) withheld: &'static str,

    /// `{n}`.
    pub(crate) points: &'static str,
    /// `{n}`, in minutes.
    pub(crate) time_limit: &'static str,
    /// `{value}`.
    pub(crate) to_pass: &'static str,
    pub(crate) finish: &'static str,
    pub(crate) passed: &'static str,
    pub(crate) not_passed: &'static str,
    pub(crate) undecided: &'static str,
    /// `{n}` of `{total}`.
    pub(crate) points_of: &'static str,
    /// `{n}` points.
    pub(crate) open_points: &'static str,
    pub(crate) ungraded: &'static str,
    /// `{answers}`.
    pub(crate) model_answer: &'static str,
    pub(crate) submission: &'static str,
    /// `{text}`.
    pub(crate) explanation: &'static str,
    pub(crate) is_handed_in: &'static str,
    pub(crate) seen_as_teacher: &'static str,
    pub(crate) no_attempt_left: &'static str,
    pub(crate) test_changed: &'static str,
    /// `{n}`.
    pub(crate) attempts_left: &'static str,
    pub(crate) being_graded: &'static str,
    pub(crate) is_graded: &'static str,
    pub(crate) by_a_person: &'static str,
    pub(crate) may_change: &'static str,
    pub(crate) in_gradebook: &'static str,
    pub(crate) update: &'static str,

    pub(crate) pick: &'static str,
    pub(crate) pick_words: &'static str,
    pub(crate) pick_classroom: &'static str,
    pub(crate) pick_kind: &'static str,
    pub(crate) pick_all: &'static str,
    pub(crate) pick_search: &'static str,
    pub(crate) pick_nothing: &'static str,
    pub(crate) pick_more: &'static str,
    pub(crate) pick_columns: &'static str,
    pub(crate) pick_add: &'static str,
    pub(crate) pick_cancel: &'static str,
    pub(crate) only_teachers: &'static str,
    pub(crate) takes_no_links: &'static str,
    pub(crate) too_many_picks: &'static str,
    pub(crate) pick_gone: &'static str,
    pub(crate) no_organization: &'static str,

    pub(crate) contents: &'static str,
    /// `{n}` of `{total}`.
    pub(crate) part: &'static str,
    /// `{level}`.
    pub(crate) level: &'static str,

    /// `{n}` of `{total}`.
    pub(crate) slide: &'static str,
    pub(crate) overview: &'static str,
    pub(crate) notes: &'static str,
    pub(crate) slide_keys: &'static str,

    /// `{n}` of `{total}`.
    pub(crate) scene: &'static str,
    pub(crate) storyboard: &'static str,
    pub(crate) storyboard_note: &'static str,
    /// `{time}`.
    pub(crate) length: &'static str,
    pub(crate) play: &'static str,
    pub(crate) pause: &'static str,
    pub(crate) captions: &'static str,

    pub(crate) not_found: &'static str,
    pub(crate) not_found_note: &'static str,
    pub(crate) unavailable: &'static str,
    pub(crate) unavailable_note: &'static str,
    pub(crate) broken: &'static str,
    pub(crate) broken_note: &'static str,
    pub(crate) too_large: &'static str,
    pub(crate) too_large_note: &'static str,
    pub(crate) no_form: &'static str,
    pub(crate) no_form_note: &'static str,

    pub(crate) connect_title: &'static str,
    pub(crate) connect_note: &'static str,
    pub(crate) connect: &'static str,
    pub(crate) learning_platform: &'static str,
    pub(crate) workspace: &'static str,
    pub(crate) connected: &'static str,
    pub(crate) connected_note: &'static str,
    pub(crate) close_page: &'static str,
    pub(crate) not_connected: &'static str,
    pub(crate) start_again: &'static str,
    pub(crate) link_used: &'static str,
    pub(crate) link_expired: &'static str,
    pub(crate) link_revoked: &'static str,
    pub(crate) link_busy: &'static str,
    pub(crate) link_suspended: &'static str,
    pub(crate) link_by_hand: &'static str,
    pub(crate) link_lost: &'static str,
    pub(crate) platform_address: &'static str,
    pub(crate) platform_silent: &'static str,
    pub(crate) platform_incomplete: &'static str,
    pub(crate) platform_issuer: &'static str,
    pub(crate) platform_refused: &'static str,
    pub(crate) platform_unconfirmed: &'static str,
    pub(crate) platform_taken: &'static str,

    pub(crate) opening: &'static str,
    pub(crate) go_on: &'static str,
    pub(crate) new_window: &'static str,
    pub(crate) new_window_note: &'static str,
    pub(crate) not_opened: &'static str,
    pub(crate) not_opened_note: &'static str,
    pub(crate) nothing_linked: &'static str,
}

/// English first: it stands in for languages without a table.
const TABLES: [&Texts; 19] = [
    &en::TEXTS,
    &ar::TEXTS,
    &de::TEXTS,
    &es::TEXTS,
    &fa::TEXTS,
    &fr::TEXTS,
    &he::TEXTS,
    &hi::TEXTS,
    &it::TEXTS,
    &ja::TEXTS,
    &ko::TEXTS,
    &nl::TEXTS,
    &pl::TEXTS,
    &pt::TEXTS,
    &ru::TEXTS,
    &tr::TEXTS,
    &uk::TEXTS,
    &ur::TEXTS,
    &zh::TEXTS,
];

impl Texts {
    /// The table of a language; English where it has none.
    pub(crate) fn of(language: &Language) -> &'static Self {
        let primary = language.primary();
        TABLES.into_iter().find(|table| table.tag == primary).unwrap_or(TABLES[0])
    }

    /// The first language of an `Accept-Language` header that has a table; English without one.
    pub(crate) fn accepted(header: &str) -> &'static Self {
        let mut wanted: Vec<(f32, String)> = header.split(',').take(20).filter_map(preference).collect();
        wanted.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let known = wanted.iter().find_map(|(_, primary)| TABLES.into_iter().find(|table| table.tag == primary));
        known.unwrap_or(TABLES[0])
    }

    /// `ltr` or `rtl`.
    pub(crate) fn direction(&self) -> &'static str {
        Language::of(self.tag).direction()
    }

    /// A number with at most one decimal, cut rather than rounded up: 69.99 is not 70.
    pub(crate) fn number(&self, value: f64) -> String {
        // The last bits of a sum are not the reader's business.
        let tenths = (value * 10.0 + 1e-6).floor() / 10.0;
        let text = if tenths.fract() == 0.0 { format!("{tenths:.0}") } else { format!("{tenths:.1}") };
        text.replace('.', self.decimal)
    }

    /// A share in percent.
    pub(crate) fn share(&self, percent: f64) -> String {
        fill(self.percent, &[("n", &self.number(percent))])
    }
}

/// A weight above 0 and a primary subtag.
fn preference(range: &str) -> Option<(f32, String)> {
    let mut parts = range.split(';');
    let language = Language { tag: parts.next()?.trim().to_owned() };
    let quality = parts.find_map(|parameter| parameter.trim().strip_prefix("q=")?.trim().parse::<f32>().ok());
    let quality = quality.unwrap_or(1.0);
    (quality > 0.0).then(|| (quality, language.primary()))
}

/// Puts values in a text's braces, in one pass: a value that holds braces stays as it is.
pub(crate) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        filled.push_str(before);
        filled.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = after;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The texts of a table by their names, read off its `Debug` form.
    fn texts(table: &Texts) -> Vec<(String, String)> {
        let written = format!("{table:#?}");
        let fields = written.lines().filter_map(|line| line.trim().trim_end_matches(',').split_once(": "));
        // `Debug` writes combining characters as numbers in braces.
        let readable = |text: &str| text.trim_matches('"').replace("\\u{", "(");
        fields.map(|(name, text)| (name.to_owned(), readable(text))).collect()
    }

    fn placeholders(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|part| part.split('}').next()).collect()
    }

    #[test]
    fn every_table_says_everything_with_the_same_placeholders() {
        let english = texts(TABLES[0]);
        assert!(english.len() > 60);
        for table in TABLES {
            for ((name, text), (_, english)) in texts(table).iter().zip(&english) {
                assert!(!text.trim().is_empty(), "{} {name}", table.tag);
                assert_eq!(placeholders(text), placeholders(english), "{} {name}", table.tag);
            }
        }
    }

    #[test]
    fn a_table_is_a_translation() {
        let english = texts(TABLES[0]);
        for table in &TABLES[1..] {
            let same = texts(table).iter().zip(&english).filter(|(one, other)| one == other).count();
            assert!(same < 12, "{}: {same} texts are English", table.tag);
        }
    }

    #[test]
    fn tables_are_found_by_language_and_by_preference() {
        assert_eq!(Texts::of(&Language::of("de-AT")).tag, "de");
        assert_eq!(Texts::of(&Language::of("fi")).tag, "en");
        assert_eq!(Texts::accepted("fi, fr;q=0.5, de;q=0.8").tag, "de");
        assert_eq!(Texts::accepted("de;q=0, *;q=0.1").tag, "en");
        assert_eq!(Texts::accepted(";;q=,,q=NaN;q=x").tag, "en");
    }

    #[test]
    fn numbers_are_written_as_the_language_does_and_never_rounded_up() {
        let (english, german) = (TABLES[0], Texts::of(&Language::of("de")));
        assert_eq!((english.number(69.99), german.number(69.99)), ("69.9".to_owned(), "69,9".to_owned()));
        assert_eq!(english.number(0.1 + 0.2 + 0.7), "1");
        assert_eq!(english.share(70.0), "70%");
        assert_eq!(german.share(70.0), "70 %");
    }

    #[test]
    fn a_value_with_braces_stays_as_it_is() {
        assert_eq!(fill("{a} of {b}", &[("a", "{b}"), ("b", "2")]), "{b} of 2");
        assert_eq!(fill("no end {a", &[("a", "1")]), "no end {a");
    }
}
