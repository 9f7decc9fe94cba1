//! From the tokenizer's events to blocks.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::super::blocks::{Block, Body, Code, Item, Picture, Row, Table};
use super::super::inline::{Passage, PassageBuilder, keep_lines};
use super::super::math::{Masked, Part};
use super::super::pointer::Pointer;
use super::super::quotations;
use super::spans::{Spans, options};
use super::talk::{broken_on_purpose, conversation};

/// Deepest heading, and the deepest level of an item.
const DEEPEST_HEADING: u8 = 4;
const DEEPEST_ITEM: usize = 3;

/// The blocks of a text that was masked and tidied.
pub(super) fn read(masked: &Masked, text: &str, pointer: &Pointer, level: u8) -> Vec<Block> {
    let mut reader = Reader {
        masked,
        source: text,
        pointer,
        level,
        blocks: Vec::new(),
        spans: Spans::new(masked),
        place: Place::Body,
        breaks: Vec::new(),
        lists: Vec::new(),
        items: Vec::new(),
        item_open: false,
        quotes: Vec::new(),
        table: Table::default(),
        code: String::new(),
        pictures: Vec::new(),
    };
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        reader.event(event, range);
    }
    reader.end_list();
    reader.blocks
}

#[derive(Clone, PartialEq, Eq)]
enum Place {
    Body,
    Heading,
    Cell,
    /// With its language; `None` where it is only set in.
    Code(Option<Option<String>>),
}

struct Reader<'m, 's> {
    masked: &'m Masked,
    source: &'s str,
    pointer: &'s Pointer,
    level: u8,
    blocks: Vec<Block>,
    spans: Spans<'m>,
    place: Place,
    /// Where the paragraph's lines end in its text; the flag says that they were broken on purpose.
    breaks: Vec<(usize, bool)>,
    /// Of the open lists, whether each is numbered.
    lists: Vec<bool>,
    items: Vec<Item>,
    /// The text goes on with the last item.
    item_open: bool,
    /// How many blocks there were when each open quotation began.
    quotes: Vec<usize>,
    table: Table,
    code: String,
    /// Pictures in items and cells; they stand behind.
    pictures: Vec<Picture>,
}

impl Reader<'_, '_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => self.text(&text),
            Event::SoftBreak | Event::HardBreak => {
                let hard = event == Event::HardBreak;
                // A line that ends in a picture's description ends no line of the paragraph.
                if !self.spans.in_picture() {
                    self.breaks.push((self.spans.builder.text().len(), hard));
                }
                self.spans.event(event);
            }
            other => {
                self.spans.event(other);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => {
                self.end_list();
                self.place = Place::Heading;
            }
            Tag::List(first) => {
                self.flush_item();
                self.lists.push(first.is_some());
            }
            Tag::Item => {
                self.flush_item();
                self.item_open = false;
            }
            Tag::BlockQuote(_) => {
                self.end_items();
                self.quotes.push(self.blocks.len());
            }
            Tag::CodeBlock(kind) => {
                self.flush_item();
                self.place = Place::Code(match kind {
                    CodeBlockKind::Fenced(info) => Some(language(&info)),
                    CodeBlockKind::Indented => None,
                });
            }
            Tag::Table(_) => self.end_items(),
            Tag::TableHead | Tag::TableRow => {
                self.table.rows.push(Row { pointer: self.pointer.clone(), cells: Vec::new() });
            }
            Tag::TableCell => self.place = Place::Cell,
            tag => {
                self.spans.event(Event::Start(tag));
            }
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Paragraph if self.lists.is_empty() => self.paragraph(range),
            TagEnd::Paragraph | TagEnd::Item => self.flush_item(),
            TagEnd::Heading(depth) => {
                let depth = (depth as u8).clamp(1, DEEPEST_HEADING);
                let text = self.spans.builder.finish().text;
                self.place = Place::Body;
                if !text.is_empty() {
                    self.push(Body::Heading { level: (self.level + depth - 1).min(DEEPEST_HEADING), text });
                }
                self.end_pictures();
            }
            TagEnd::List(_) => {
                self.flush_item();
                if self.lists.len() == 1 {
                    self.end_items();
                }
                self.lists.pop();
            }
            TagEnd::BlockQuote(_) => self.end_quote(),
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::TableCell => {
                let cell = self.spans.builder.finish().text;
                self.table.rows.last_mut().into_iter().for_each(|row| row.cells.push(cell.clone()));
                self.place = Place::Body;
            }
            TagEnd::Table => self.end_table(),
            tag => {
                if let Some(picture) = self.spans.event(Event::End(tag)) {
                    self.picture(picture);
                }
            }
        }
    }

    fn push(&mut self, body: Body) {
        self.blocks.push(Block::taught(self.pointer.clone(), body));
    }

    fn text(&mut self, text: &str) {
        if matches!(self.place, Place::Code(_)) {
            self.code.push_str(&self.masked.restored(text));
            return;
        }
        let masked = self.masked;
        for part in masked.parts(text) {
            match part {
                Part::Text(text) => self.spans.plain(text),
                Part::Formula(formula) if formula.display && self.stands_alone() => {
                    self.flush_paragraph();
                    self.push(Body::Formula(formula.latex.clone()));
                }
                Part::Formula(formula) => self.spans.builder.formula(&formula.latex),
            }
        }
    }

    /// A picture or a formula can end the paragraph here.
    fn stands_alone(&self) -> bool {
        self.place == Place::Body && self.lists.is_empty()
    }

    fn picture(&mut self, picture: Picture) {
        if picture.address.is_empty() {
            self.spans.builder.push_str(&picture.description);
        } else if self.stands_alone() {
            self.flush_paragraph();
            self.push(Body::Picture(picture));
        } else {
            self.spans.builder.push_str(&picture.description);
            self.pictures.push(picture);
        }
    }

    fn end_pictures(&mut self) {
        for picture in std::mem::take(&mut self.pictures) {
            self.push(Body::Picture(picture));
        }
    }

    /// The text so far as a paragraph.
    fn flush_paragraph(&mut self) {
        self.breaks.clear();
        let passage = self.spans.builder.finish();
        if !passage.text.is_empty() {
            self.push(Body::Paragraph(passage));
        }
    }

    /// A paragraph ends: a conversation, lines that were broken on purpose, or running text.
    fn paragraph(&mut self, range: Range<usize>) {
        let breaks = std::mem::take(&mut self.breaks);
        let passage = self.spans.builder.finish();
        if passage.text.is_empty() {
            return;
        }
        if breaks.is_empty() {
            return self.push(Body::Paragraph(passage));
        }
        let source = self.masked.restored(&self.source[range]);
        let lines: Vec<&str> =
            source.lines().map(|line| line.trim().trim_start_matches("> ").trim_start_matches('>')).collect();
        if let Some(turns) = conversation(&lines, self.pointer) {
            return self.push(Body::Dialogue(turns));
        }
        let all = broken_on_purpose(&lines);
        let breaks = breaks.into_iter().filter(|(_, hard)| all || *hard).map(|(at, _)| at);
        for line in parted(&passage, breaks) {
            self.push(Body::Paragraph(line));
        }
    }

    /// The text so far as an item, or as more of the open one.
    fn flush_item(&mut self) {
        self.breaks.clear();
        let passage = self.spans.builder.finish();
        if passage.text.is_empty() {
            return;
        }
        if self.lists.is_empty() {
            return self.push(Body::Paragraph(passage));
        }
        if let (true, Some(item)) = (self.item_open, self.items.last_mut()) {
            let mut builder = PassageBuilder::default();
            builder.passage(&item.text);
            builder.push(' ');
            builder.passage(&passage);
            item.text = builder.finish();
            return;
        }
        let level = u8::try_from((self.lists.len() - 1).min(DEEPEST_ITEM)).unwrap_or(0);
        let level = level.min(self.items.last().map_or(0, |item| item.level + 1));
        let text = ["[ ] ", "[x] ", "[X] "].iter().find(|check| passage.text.starts_with(**check));
        let text = text.map_or_else(|| passage.clone(), |check| passage.behind(check.len()));
        self.items.push(Item { pointer: self.pointer.clone(), level, text, notes: Vec::new() });
        self.item_open = true;
    }

    /// The items so far as a list; the list may go on.
    fn end_items(&mut self) {
        self.flush_item();
        if !self.items.is_empty() {
            let items = std::mem::take(&mut self.items);
            let steps = self.lists.first().copied().unwrap_or(false);
            self.push(Body::List { steps, items });
        }
        self.item_open = false;
        self.end_pictures();
    }

    fn end_list(&mut self) {
        self.end_items();
        self.lists.clear();
    }

    fn end_code(&mut self) {
        let Place::Code(kind) = std::mem::replace(&mut self.place, Place::Body) else { return };
        let text = keep_lines(&std::mem::take(&mut self.code));
        if text.is_empty() {
            return;
        }
        if kind.is_none() && !looks_like_code(&text) {
            for line in text.lines().map(super::inline).filter(|line| !line.text.is_empty()) {
                self.spans.builder.passage(&line);
                self.flush_item();
            }
            return;
        }
        let items = std::mem::take(&mut self.items);
        if !items.is_empty() {
            self.push(Body::List { steps: self.lists.first().copied().unwrap_or(false), items });
            self.item_open = false;
        }
        self.push(Body::Code(Code { language: kind.flatten(), text, output: None }));
    }

    fn end_table(&mut self) {
        let mut table = std::mem::take(&mut self.table);
        for row in &mut table.rows {
            while row.cells.last().is_some_and(String::is_empty) {
                row.cells.pop();
            }
        }
        if !table.rows.is_empty() {
            table.columns = table.rows.remove(0).cells;
        }
        table.rows.retain(|row| !row.cells.is_empty());
        if !table.rows.is_empty() || !table.columns.is_empty() {
            self.push(Body::Table(table));
        }
        self.end_pictures();
    }

    fn end_quote(&mut self) {
        self.end_items();
        let Some(start) = self.quotes.pop() else { return };
        let inside = self.blocks.split_off(start);
        for body in quotations::quoted(inside.into_iter().map(|block| block.body)) {
            self.push(body);
        }
    }
}

/// The parts of a passage between breaks.
fn parted(passage: &Passage, breaks: impl Iterator<Item = usize>) -> Vec<Passage> {
    let mut parts = Vec::new();
    let mut rest = passage.clone();
    let mut taken = 0;
    for at in breaks {
        let at = at.saturating_sub(taken);
        if !rest.text.is_char_boundary(at) {
            continue;
        }
        let before = rest.before(at);
        let behind = rest.behind(at);
        taken += rest.text.len() - behind.text.len();
        parts.push(before);
        rest = behind;
    }
    parts.push(rest);
    parts.retain(|part| !part.text.is_empty());
    parts
}

/// The language that a fence names.
fn language(info: &str) -> Option<String> {
    let name = info.split([' ', ',', '\t']).next().unwrap_or_default();
    let name = name.trim_matches(['{', '}', '.']);
    (!name.is_empty() && name.len() <= 40).then(|| name.to_owned())
}

/// Most of its lines have the signs of a program.
pub(crate) fn looks_like_code(text: &str) -> bool {
    let is_code = |line: &&str| {
        let line = line.trim_end();
        line.ends_with([';', '{', '}', ')']) && line.contains(['(', '{', '=', '}'])
            || line.ends_with(':') && line.contains('(')
            || line.contains(" = ") && !line.ends_with('.')
            || [
                "def ", "class ", "import ", "from ", "return ", "print(", "#include", "for ", "if ", "//", "let ",
                "const ", "var ",
            ]
            .iter()
            .any(|start| line.trim_start().starts_with(start))
                && !line.ends_with('.')
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.clone().filter(is_code).count() * 2 >= lines.count().max(1)
}
