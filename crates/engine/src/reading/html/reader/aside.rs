//! What stands beside the text: captions, quotations, and what is folded away.

use super::super::super::blocks::{Block, Body};
use super::super::super::folded;
use super::super::super::inline::{MarkKind, Passage, PassageBuilder};
use super::super::super::quotations;
use super::{Place, Reader};

/// Text that is folded away below a line.
#[derive(Default)]
pub(super) struct Details {
    /// How many blocks there were in front of it.
    start: usize,
    summary: String,
}

impl Reader<'_> {
    pub(super) fn caption(&mut self, passage: Passage) {
        match self.blocks.last_mut() {
            Some(Block { body: Body::Picture(picture), .. }) if picture.caption.is_none() => {
                picture.caption = Some(passage.text);
            }
            _ => self.push(Body::Paragraph(passage)),
        }
    }

    pub(super) fn open_quote(&mut self) {
        self.flush();
        self.quotes.push(self.blocks.len());
        self.place = Place::Body;
    }

    pub(super) fn close_quote(&mut self) {
        self.flush();
        self.place = self.base();
        let Some(start) = self.quotes.pop() else { return };
        let inside = self.blocks.split_off(start.min(self.blocks.len()));
        let mut source = self.source.take();
        let mut pushed = false;
        for mut body in quotations::quoted(inside.into_iter().map(|block| block.body)) {
            if let Body::Quotation(quotation) = &mut body {
                quotation.source = quotation.source.take().or(source.take());
                pushed = true;
            }
            self.push(body);
        }
        // A source without words is a paragraph.
        if let (false, Some(source)) = (pushed, source) {
            self.push(Body::Paragraph(Passage::plain(&source)));
        }
    }

    pub(super) fn open_details(&mut self) {
        self.flush();
        self.details.push(Details { start: self.blocks.len(), summary: String::new() });
    }

    pub(super) fn summary(&mut self, passage: Passage) {
        if let Some(details) = self.details.last_mut() {
            details.summary = passage.text;
        }
    }

    pub(super) fn close_details(&mut self) {
        self.flush();
        self.place = self.base();
        let Some(details) = self.details.pop() else { return };
        let inside = self.blocks.split_off(details.start.min(self.blocks.len()));
        let Some(inside) = folded::unfold(&details.summary, &mut self.blocks, inside) else { return };
        if !details.summary.is_empty() {
            let mut builder = PassageBuilder::default();
            builder.open(MarkKind::Strong);
            builder.push_str(&details.summary);
            builder.close();
            let summary = builder.finish();
            self.push(Body::Paragraph(summary));
        }
        self.blocks.extend(inside);
    }
}
