//! The texts of the pages, which are data of [`language`].
//!
//! A page speaks the language of what it shows; a language without texts gets English around its content. Numbers stand beside
//! their nouns (“Points: 3”) rather than in sentences, because languages bend nouns after numbers in ways of their own.

use std::ops::Deref;
use std::sync::LazyLock;

use language::Page;
use markup::RegionNames;

pub(crate) use language::fill;

use crate::language::Language;

/// The texts of a language.
#[derive(Debug)]
pub(crate) struct Texts {
    /// Primary subtag.
    pub(crate) tag: &'static str,
    page: &'static Page,
}

impl Deref for Texts {
    type Target = Page;

    fn deref(&self) -> &Page {
        self.page
    }
}

/// English first: it stands in for languages without texts.
static TABLES: LazyLock<Vec<Texts>> = LazyLock::new(|| {
    let pages = language::all().filter_map(|language| Some((language.tag, language.page.as_ref()?)));
    pages.map(|(tag, page)| Texts { tag, page }).collect()
});

impl Texts {
    /// The table of a language; English where it has none.
    pub(crate) fn of(language: &Language) -> &'static Self {
        let primary = language.primary();
        TABLES.iter().find(|table| table.tag == primary).unwrap_or(&TABLES[0])
    }

    /// The first language of an `Accept-Language` header that has a table; English without one.
    pub(crate) fn accepted(header: &str) -> &'static Self {
        let mut wanted: Vec<(f32, String)> = header.split(',').take(20).filter_map(preference).collect();
        wanted.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let known = wanted.iter().find_map(|(_, primary)| TABLES.iter().find(|table| table.tag == primary));
        known.unwrap_or(&TABLES[0])
    }

    /// `ltr` or `rtl`.
    pub(crate) fn direction(&self) -> &'static str {
        Language::of(self.tag).direction()
    }

    /// What regions that scroll are called.
    pub(crate) fn regions(&self) -> RegionNames {
        RegionNames { table: self.table, code: self.code, formula: self.formula }
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

#[cfg(test)]
mod tests {
    use super::*;

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
        let (english, german) = (&TABLES[0], Texts::of(&Language::of("de")));
        assert_eq!((english.number(69.99), german.number(69.99)), ("69.9".to_owned(), "69,9".to_owned()));
        assert_eq!(english.number(0.1 + 0.2 + 0.7), "1");
        assert_eq!(english.share(70.0), "70%");
        assert_eq!(german.share(70.0), "70 %");
    }
}
