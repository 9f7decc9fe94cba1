//! Where text goes: paragraphs, headings, items, cells, terms and code.

use super::super::super::blocks::{Block, Body, Code, Item, Pair};
use super::super::super::inline::{Passage, PassageBuilder, keep_lines};
use super::super::super::notes;
use super::super::table::Grid;
use super::super::tokens::Tag;
use super::{Place, Reader};

/// Deepest level of an item.
const DEEPEST_ITEM: u8 = 3;

impl Reader<'_> {
    pub(super) fn turn_to(&mut self, place: Place) {
        self.flush();
        self.place = place;
    }

    /// Puts the text gathered so far where it belongs.
    pub(super) fn flush(&mut self) {
        if self.place == Place::Code {
            return self.end_code();
        }
        if self.builder.is_empty() {
            return;
        }
        let passage = self.builder.finish();
        match self.place {
            Place::Heading(level) => self.push(Body::Heading { level, text: passage.text }),
            Place::Item if !self.lists.is_empty() => self.item(passage),
            Place::Cell => {
                if !self.table.as_mut().is_some_and(|table| table.add(&passage.text)) {
                    self.push(Body::Paragraph(passage));
                }
            }
            Place::Term => {
                let pointer = self.pointer.clone();
                self.pairs.push(Pair { pointer, term: passage.text, definition: String::new(), notes: Vec::new() });
            }
            Place::Definition => self.definition(passage),
            Place::Caption => self.caption(passage),
            Place::Source if self.source.is_none() => self.source = Some(passage.text),
            Place::Summary => self.summary(passage),
            _ => self.push(Body::Paragraph(passage)),
        }
    }

    fn item(&mut self, passage: Passage) {
        let level = u8::try_from(self.lists.len() - 1).unwrap_or(DEEPEST_ITEM).min(DEEPEST_ITEM);
        let level = level.min(self.items.last().map_or(0, |item| item.level + 1));
        let (text, notes) = notes::part(passage);
        self.items.push(Item { pointer: self.pointer.clone(), level, text, notes });
    }

    fn definition(&mut self, passage: Passage) {
        match self.pairs.last_mut() {
            Some(pair) if pair.definition.is_empty() => {
                let (text, notes) = notes::part(passage);
                pair.definition = text.text;
                pair.notes = notes;
            }
            Some(pair) => {
                pair.definition.push_str("; ");
                pair.definition.push_str(&passage.text);
            }
            None => self.push(Body::Paragraph(passage)),
        }
    }

    fn end_code(&mut self) {
        let text = keep_lines(&std::mem::take(&mut self.code));
        let language = self.language.take();
        if text.is_empty() {
            return;
        }
        self.end_items();
        if std::mem::take(&mut self.printed)
            && let Some(Block { body: Body::Code(code), .. }) = self.blocks.last_mut()
            && code.output.is_none()
        {
            code.output = Some(text);
            return;
        }
        self.push(Body::Code(Code { language, text, output: None }));
    }

    /// The items so far as a list; the list may go on.
    fn end_items(&mut self) {
        if !self.items.is_empty() {
            let items = std::mem::take(&mut self.items);
            let steps = self.lists.first().copied().unwrap_or(false);
            self.push(Body::List { steps, items });
        }
        for picture in std::mem::take(&mut self.pictures) {
            self.push(Body::Picture(picture));
        }
    }

    pub(super) fn close_list(&mut self) {
        self.flush();
        if self.lists.len() == 1 {
            self.end_items();
        }
        self.lists.pop();
        self.place = self.base();
    }

    pub(super) fn open_table(&mut self) {
        self.flush();
        self.end_items();
        self.table.get_or_insert_default();
        self.place = Place::Body;
    }

    pub(super) fn open_row(&mut self) {
        self.flush();
        let pointer = self.pointer;
        self.table.iter_mut().for_each(|table| table.begin_row(pointer));
    }

    pub(super) fn open_cell(&mut self, tag: &Tag) {
        self.flush();
        let pointer = self.pointer;
        if let Some(table) = &mut self.table {
            table.begin_cell(tag.name == "th", tag.attribute("colspan"), tag.attribute("rowspan"), pointer);
            self.place = Place::Cell;
        }
    }

    pub(super) fn close_table(&mut self) {
        self.flush();
        let table = self.table.take().and_then(Grid::finish);
        self.place = self.base();
        if let Some(mut table) = table {
            // A table of one cell only lays out what is in it.
            match &mut table.rows[..] {
                [only] if only.cells.len() == 1 && table.columns.is_empty() => {
                    let text = only.cells.remove(0);
                    let mut builder = PassageBuilder::default();
                    builder.push_str(&text);
                    self.push(Body::Paragraph(builder.finish()));
                }
                _ => self.push(Body::Table(table)),
            }
        }
        self.end_items();
    }

    pub(super) fn close_pairs(&mut self) {
        self.flush();
        self.place = self.base();
        if !self.pairs.is_empty() {
            let pairs = std::mem::take(&mut self.pairs);
            self.push(Body::Definitions(pairs));
        }
    }

    pub(super) fn finish(mut self) -> Vec<Block> {
        self.close_script();
        self.end_open_formula();
        self.flush();
        self.lists.truncate(1);
        self.close_list();
        self.close_table();
        self.close_pairs();
        while !self.quotes.is_empty() {
            self.close_quote();
        }
        while !self.details.is_empty() {
            self.close_details();
        }
        self.blocks
    }
}
