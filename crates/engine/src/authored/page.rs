//! From sections as a model writes them to the HTML of a module, as the built-in generator writes it: every text escaped.

use language::normal::normal;
use language::script::direction;

use super::section::{Block, BlockKind, Section};
use super::sources::Sources;
use crate::builtin::page::{Page, escaped};
use crate::drafts::{Citation, ModuleDraft, ModuleQuiz, ModuleQuizKind, QuizItemKind};
use crate::reading::markdown::inline;

/// Most key terms, and most entries of the lists of objectives and recap.
const MOST_TERMS: usize = 24;
const MOST_LISTED: usize = 40;
/// Most places that a section which sums up others names.
const MOST_PLACES: usize = 40;

/// A module of sections with their headings. Questions that repeat an earlier one are left out; how many says the second
/// value.
pub(super) fn module(
    sources: &Sources,
    (title, description): (&str, &str),
    sections: Vec<(&str, Section)>,
) -> (ModuleDraft, usize) {
    let mut writer = Writer { sources, page: Page::default(), citations: Vec::new() };
    writer.article(&sections);
    let Writer { page, mut citations, .. } = writer;
    let (mut headings, mut items) = (Vec::new(), Vec::new());
    for (heading, section) in sections {
        headings.extend(section.items.iter().map(|item| (item.question.clone(), heading)));
        items.extend(section.items);
    }
    let (items, dropped) = super::items::different(items);
    let mut quizzes = Vec::with_capacity(items.len());
    for (at, item) in items.into_iter().enumerate() {
        let heading =
            headings.iter().find(|(question, _)| *question == item.question).map_or(title, |(_, heading)| heading);
        citations.push(Citation::new("quizzes", at, sources.pointers(&item.excerpts)));
        let item = item.into_item();
        quizzes.push(ModuleQuiz {
            sequence: u32::try_from(at + 1).unwrap_or(u32::MAX),
            title: heading.to_owned(),
            question: item.question,
            kind: match item.kind {
                QuizItemKind::Select => ModuleQuizKind::Select,
                QuizItemKind::TrueFalse => ModuleQuizKind::TrueFalse,
                _ => ModuleQuizKind::Blank,
            },
            options: item.options,
            correct_answers: item.correct_answers,
            show_feedback: true,
        });
    }
    let draft = ModuleDraft {
        title: title.to_owned(),
        description: description.to_owned(),
        language: sources.language.clone(),
        content_html: page.finish(),
        quizzes,
        citations,
    };
    (draft, dropped)
}

struct Writer<'a> {
    sources: &'a Sources,
    page: Page,
    citations: Vec<Citation>,
}

impl Writer<'_> {
    fn article(&mut self, sections: &[(&str, Section)]) {
        let phrases = self.sources.spoken.phrases;
        let mut whole = Page::default();
        let said = |text: fn(&Section) -> &String| {
            let told = sections.iter().filter(|(_, section)| !text(section).is_empty());
            told.take(MOST_LISTED).map(move |(_, section)| (text(section).clone(), section.excerpts.clone())).collect()
        };
        self.listed("objectives", phrases.objectives, said(|section| &section.objective));
        for (at, (heading, section)) in sections.iter().enumerate() {
            self.section(&format!("lesson-{}", at + 1), heading, &section.excerpts, |page| {
                blocks(page, &section.blocks);
            });
        }
        self.terms(phrases.key_terms, sections);
        self.listed("recap", phrases.recap, said(|section| &section.recap));
        let inner = std::mem::take(&mut self.page).finish();
        let language = &self.sources.language;
        let attributes = format!("lang=\"{}\" dir=\"{}\"", escaped(language), direction(language));
        whole.element("article", &attributes, |page| {
            page.line();
            page.written(&inner);
        });
        self.page = whole;
    }

    fn section(&mut self, id: &str, heading: &str, excerpts: &[u32], inside: impl FnOnce(&mut Page)) {
        let mut pointers = self.sources.pointers(excerpts);
        pointers.truncate(MOST_PLACES);
        self.citations.push(Citation::new("sections", self.citations.len(), pointers));
        self.page.section(id, heading, inside);
    }

    /// A section of one sentence for each section.
    fn listed(&mut self, id: &str, heading: &str, told: Vec<(String, Vec<u32>)>) {
        if told.is_empty() {
            return;
        }
        let excerpts: Vec<u32> = told.iter().flat_map(|(_, excerpts)| excerpts.iter().copied()).collect();
        self.section(id, heading, &excerpts, |page| {
            page.element("ul", "", |page| {
                told.iter().for_each(|(text, _)| page.element("li", "", |page| page.passage(&inline(text))));
            });
        });
    }

    fn terms(&mut self, heading: &str, sections: &[(&str, Section)]) {
        let mut found: Vec<(&str, &str)> = Vec::new();
        let mut excerpts: Vec<u32> = Vec::new();
        for (_, section) in sections {
            for term in &section.terms {
                let known = found.iter().any(|(other, _)| normal(other) == normal(&term.term));
                if !known && found.len() < MOST_TERMS {
                    found.push((&term.term, &term.meaning));
                    excerpts.extend(&section.excerpts);
                }
            }
        }
        if !found.is_empty() {
            self.section("key-terms", heading, &excerpts, |page| definitions(page, found.into_iter()));
        }
    }
}

pub(super) fn blocks(page: &mut Page, blocks: &[Block]) {
    for block in blocks {
        match block.kind {
            BlockKind::Heading => page.text_element("h3", "", &block.text),
            BlockKind::Paragraph => page.element("p", "", |page| page.passage(&inline(&block.text))),
            BlockKind::Code => page.element("pre", "", |page| page.text_element("code", "", &block.text)),
            BlockKind::List => list(page, "ul", &block.items),
            BlockKind::Steps => list(page, "ol", &block.items),
            BlockKind::Table => table(page, &block.rows),
            BlockKind::Terms => {
                let pairs = block.rows.iter().filter_map(|row| Some((row.first()?.as_str(), row.get(1)?.as_str())));
                definitions(page, pairs);
            }
        }
        page.line();
    }
}

fn list(page: &mut Page, name: &str, items: &[String]) {
    page.element(name, "", |page| {
        items.iter().for_each(|item| page.element("li", "", |page| page.passage(&inline(item))));
    });
}

fn definitions<'t>(page: &mut Page, pairs: impl Iterator<Item = (&'t str, &'t str)>) {
    page.element("dl", "", |page| {
        for (term, meaning) in pairs {
            page.text_element("dt", "", term);
            page.element("dd", "", |page| page.passage(&inline(meaning)));
        }
    });
}

/// The first row names the columns, the first cell of each other one its row.
fn table(page: &mut Page, rows: &[Vec<String>]) {
    let Some((columns, rows)) = rows.split_first() else { return };
    page.element("table", "", |page| {
        page.element("thead", "", |page| {
            page.element("tr", "", |page| {
                columns.iter().for_each(|column| page.text_element("th", "scope=\"col\"", column));
            });
        });
        page.element("tbody", "", |page| {
            for row in rows {
                page.element("tr", "", |page| {
                    for (at, cell) in row.iter().enumerate() {
                        let (name, scope) = if at == 0 { ("th", "scope=\"row\"") } else { ("td", "") };
                        page.element(name, scope, |page| page.passage(&inline(cell)));
                    }
                });
            }
        });
    });
}
