//! A section of a module: its text in blocks, its key terms, and questions to try while reading.
//!
//! A model gives the structure, never HTML; [`super::page`] writes that.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::brief::Brief;
use super::desk::Assignment;
use super::ground::Ground;
use super::items::{self, Bar, Item, excerpt_faults, given_of};
use super::prompt;
use super::sources::Shown;
use super::wording::{self, line, lines};
use crate::drafts::QuizItemKind;

/// Most blocks, entries of one, and characters of a text.
pub(super) const BLOCKS: usize = 40;
const ENTRIES: usize = 60;
const CELLS: usize = 12;
const TEXT: usize = 4_000;
/// Most key terms, and characters of what one means.
const TERMS: usize = 8;
const MEANING: usize = 500;
/// Longest objective and recap, in characters.
const SENTENCE: usize = 400;
/// Most questions of a section.
const ITEMS: usize = 3;
/// What can be asked in a module.
pub(super) const KINDS: [QuizItemKind; 3] = [QuizItemKind::Select, QuizItemKind::TrueFalse, QuizItemKind::Blank];

const INSTRUCTIONS: &str = "\
Your part of the work is one section of an interactive lesson: everything that its excerpts teach, explained for learners, \
nothing left out that matters and nothing said twice.

- `objective`: one sentence on what the learner can do afterwards.
- `blocks`: the text. Each has a `kind`: `paragraph`, `heading` (below the section's own, which is not repeated) and `code` \
use `text`; `list` and `steps` (done one after the other) use `items`; `table` uses `rows`, the first one names the columns; \
`terms` uses `rows` of two cells, a term and what it means. What a kind does not use is empty.
- `terms`: key terms of the section with their meanings, if it has some.
- `recap`: the section in one sentence.
- `items`: 1 to 3 questions to try while reading.";

/// A section to be written.
pub(super) struct Sectioning<'a>(pub(super) Brief<'a>);

/// A section as a model writes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Section {
    pub(super) objective: String,
    pub(super) blocks: Vec<Block>,
    pub(super) terms: Vec<Term>,
    pub(super) recap: String,
    pub(super) excerpts: Vec<u32>,
    pub(super) items: Vec<Item>,
}

/// A block of text. What its kind does not use is empty.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    pub(super) text: String,
    pub(super) items: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum BlockKind {
    Paragraph,
    Heading,
    List,
    Steps,
    Table,
    Terms,
    Code,
}

/// A term and what it means.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Term {
    pub(super) term: String,
    pub(super) meaning: String,
}

impl Sectioning<'_> {
    fn bar(&self) -> Bar<'_> {
        Bar { ground: self.0.ground, given: self.0.given(), kinds: &KINDS }
    }
}

impl Block {
    /// Its shape.
    pub(super) fn schema() -> Value {
        let strings = prompt::list(prompt::plain_text());
        let kinds = ["paragraph", "heading", "list", "steps", "table", "terms", "code"];
        prompt::object(json!({
            "kind": { "type": "string", "enum": kinds },
            "text": prompt::plain_text(),
            "items": strings,
            "rows": prompt::list(strings.clone()),
        }))
    }

    /// Everything that it shows, in order.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let cells = self.rows.iter().flatten();
        std::iter::once(&self.text).chain(&self.items).chain(cells).map(String::as_str).filter(|text| !text.is_empty())
    }

    pub(super) fn fitted(self) -> Self {
        let text = if self.kind == BlockKind::Code { lines(&self.text) } else { line(&self.text) };
        let row = |row: Vec<String>| row.iter().map(|cell| line(cell)).collect();
        Self {
            kind: self.kind,
            text,
            items: self.items.iter().map(|item| line(item)).filter(|item| !item.is_empty()).collect(),
            rows: self.rows.into_iter().map(row).filter(|row: &Vec<String>| !row.is_empty()).collect(),
        }
    }

    /// Whether it has what its kind needs, and no more than fits on a page.
    pub(super) fn is_formed(&self) -> bool {
        let said = |text: &String| text.chars().any(char::is_alphanumeric);
        let short = self.texts().all(|text| text.len() <= TEXT || text.chars().count() <= TEXT);
        let width = self.rows.first().map_or(0, Vec::len);
        let even = self.rows.iter().all(|row| row.len() == width) && (1..=CELLS).contains(&width);
        short
            && match self.kind {
                BlockKind::Paragraph | BlockKind::Heading => said(&self.text),
                BlockKind::Code => !self.text.is_empty(),
                BlockKind::List | BlockKind::Steps => (1..=ENTRIES).contains(&self.items.len()),
                BlockKind::Table => even && (2..=ENTRIES).contains(&self.rows.len()),
                BlockKind::Terms => {
                    even && width == 2 && self.rows.len() <= ENTRIES && self.rows.iter().flatten().all(said)
                }
            }
    }

    pub(super) fn inventions(&self, ground: &Ground) -> Vec<String> {
        let texts = std::iter::once(&self.text).chain(&self.items).flat_map(|text| self.inventions_of(text, ground));
        texts.chain(self.rows.iter().flatten().flat_map(|cell| ground.inventions_in_heading(cell))).collect()
    }

    fn inventions_of(&self, text: &str, ground: &Ground) -> Vec<String> {
        if self.kind == BlockKind::Heading { ground.inventions_in_heading(text) } else { ground.inventions(text) }
    }

    /// The block without its inventions: sentence by sentence, entry by entry. Counts what it drops.
    pub(super) fn mended(mut self, ground: &Ground, dropped: &mut usize) -> Option<Self> {
        let (text, sentences) = match self.inventions_of(&self.text, ground).is_empty() {
            true => (self.text.clone(), 0),
            false => ground.without_inventions(&self.text),
        };
        let before = self.items.len() + self.rows.len();
        self.text = text;
        self.items.retain(|item| ground.inventions(item).is_empty());
        self.rows.retain(|row| row.iter().all(|cell| ground.inventions_in_heading(cell).is_empty()));
        *dropped += sentences + before - self.items.len() - self.rows.len();
        self.is_formed().then_some(self)
    }
}

impl Assignment for Sectioning<'_> {
    type Piece = Section;
    const MOST_TOKENS: u32 = 8_000;

    fn name(&self) -> &'static str {
        "section"
    }

    fn instructions(&self) -> String {
        format!("{INSTRUCTIONS}\n\n{}", items::RULES)
    }

    fn schema(&self) -> Value {
        let term = prompt::object(json!({ "term": prompt::plain_text(), "meaning": prompt::plain_text() }));
        prompt::object(json!({
            "objective": prompt::text("What the learner can do afterwards."),
            "blocks": prompt::list(Block::schema()),
            "terms": prompt::list(term),
            "recap": prompt::text("The section in one sentence."),
            "excerpts": prompt::numbers(),
            "items": prompt::list(items::schema(&KINDS)),
        }))
    }

    fn material(&self) -> &Shown {
        &self.0.shown
    }

    fn shorter(&self) -> Self {
        Self(self.0.shorter())
    }

    fn task(&self) -> String {
        "Write the section that `section` names; `plan` lists the headings of all sections.".to_owned()
    }

    fn data(&self) -> Value {
        self.0.data("section")
    }

    fn fitted(&self, section: Section) -> Section {
        let term = |term: Term| Term { term: line(&term.term), meaning: line(&term.meaning) };
        Section {
            objective: line(&section.objective),
            blocks: section.blocks.into_iter().map(Block::fitted).collect(),
            terms: section.terms.into_iter().map(term).collect(),
            recap: line(&section.recap),
            excerpts: section.excerpts,
            items: section.items.into_iter().map(Item::fitted).collect(),
        }
    }

    fn texts(&self, section: &Section) -> Vec<String> {
        let prose = section.blocks.iter().take(BLOCKS).filter(|block| block.kind != BlockKind::Code);
        let text = prose.flat_map(Block::texts).collect::<Vec<_>>().join(". ");
        vec![text, format!("{} {}", section.objective, section.recap)]
    }

    fn faults(&self, section: &Section) -> Vec<String> {
        let mut faults: Vec<String> = excerpt_faults(&section.excerpts, self.0.given()).into_iter().collect();
        faults.extend(wording::length("`objective`", &section.objective, SENTENCE));
        faults.extend(wording::length("`recap`", &section.recap, SENTENCE));
        faults.extend(wording::entries("`blocks`", section.blocks.len(), BLOCKS));
        for (at, block) in section.blocks.iter().enumerate().take(BLOCKS) {
            if !block.is_formed() {
                faults.push(format!("blocks[{at}] is empty, too long or not formed as its kind needs"));
            }
            faults.extend(block.inventions(self.0.ground).into_iter().map(|fault| format!("blocks[{at}]: {fault}")));
        }
        if section.terms.len() > TERMS {
            faults.push(format!("`terms` has more than {TERMS} entries"));
        }
        faults.extend(section.terms.iter().take(TERMS).flat_map(|term| term.faults(self.0.ground)));
        faults.extend([&section.objective, &section.recap].into_iter().flat_map(|text| self.0.ground.inventions(text)));
        faults.extend(wording::entries("`items`", section.items.len(), ITEMS));
        for (at, item) in section.items.iter().enumerate().take(ITEMS) {
            faults.extend(item.faults(&self.bar()).into_iter().map(|fault| format!("items[{at}]: {fault}")));
        }
        faults
    }

    fn mended(&self, section: Section) -> Option<(Section, usize)> {
        let mut dropped = 0;
        let excerpts = given_of(section.excerpts, self.0.given());
        let blocks: Vec<Block> = section
            .blocks
            .into_iter()
            .take(BLOCKS)
            .filter_map(|block| block.mended(self.0.ground, &mut dropped))
            .collect();
        let sound = |item: &Item| item.faults(&self.bar()).is_empty();
        let before = section.items.len() + section.terms.len();
        let items: Vec<Item> = section.items.into_iter().filter(sound).take(ITEMS).collect();
        let terms: Vec<Term> =
            section.terms.into_iter().filter(|term| term.faults(self.0.ground).is_empty()).take(TERMS).collect();
        dropped += before - items.len() - terms.len();
        let sentence = |text: String| {
            let sound = wording::length("", &text, SENTENCE).is_none() && self.0.ground.inventions(&text).is_empty();
            if sound { text } else { String::new() }
        };
        let (objective, recap) = (sentence(section.objective), sentence(section.recap));
        let teaches = blocks.iter().any(|block| block.kind != BlockKind::Heading);
        (teaches && !excerpts.is_empty())
            .then_some((Section { objective, blocks, terms, recap, excerpts, items }, dropped))
    }
}

impl Term {
    fn faults(&self, ground: &Ground) -> Vec<String> {
        let mut faults: Vec<String> = wording::length("a term", &self.term, 100).into_iter().collect();
        faults.extend(wording::length("the meaning of a term", &self.meaning, MEANING));
        faults.extend(ground.inventions(&self.meaning));
        faults
    }
}
