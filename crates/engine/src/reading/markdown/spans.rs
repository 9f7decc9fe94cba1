//! Running text of Markdown: what the tokenizer's events inside of a paragraph come to.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::super::addresses;
use super::super::blocks::Picture;
use super::super::inline::{MarkKind, Passage, PassageBuilder};
use super::super::math::{Masked, Part, Syntax, mask, unmasked};
use super::lines::guarded;
use super::tidy::JOINT;

/// Signs that may be marks; a text without them is plain.
const MARKS: [char; 12] = ['*', '_', '~', '`', '[', ']', '!', '\\', '&', '$', '<', JOINT];

/// The dialect of Markdown that is read.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH
}

/// Reads text that has no room for blocks.
pub(super) fn read(text: &str) -> Passage {
    if !text.contains(MARKS) {
        return Passage::plain(text);
    }
    let masked = mask(text, Syntax::Markdown);
    let mut lines = String::with_capacity(masked.text.len() + 8);
    for line in masked.text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        guarded(line, &mut lines);
        lines.push('\n');
    }
    let mut spans = Spans::new(&masked);
    for event in Parser::new_ext(&lines, options()) {
        if let Event::Text(text) = event {
            spans.text(&text);
        } else if let Some(picture) = spans.event(event) {
            spans.builder.push_str(&picture.description);
        }
    }
    spans.builder.finish()
}

/// Collects running text.
pub(super) struct Spans<'m> {
    masked: &'m Masked,
    pub(super) builder: PassageBuilder,
    /// Of the open links, whether each is marked.
    links: Vec<bool>,
    /// The text around the open pictures, with their address and title.
    around: Vec<(PassageBuilder, String, String)>,
}

impl<'m> Spans<'m> {
    pub(super) fn new(masked: &'m Masked) -> Self {
        Self { masked, builder: PassageBuilder::default(), links: Vec::new(), around: Vec::new() }
    }

    /// Takes an event inside of running text; others change nothing. Answers a picture that ended; its address is empty where it
    /// is on no page.
    pub(super) fn event(&mut self, event: Event<'_>) -> Option<Picture> {
        match event {
            Event::Text(text) | Event::InlineHtml(text) | Event::Html(text) => self.text(&text),
            Event::Code(code) => {
                self.builder.open(MarkKind::Code);
                self.builder.push_str(&self.masked.restored(&code));
                self.builder.close_where(|kind| *kind == MarkKind::Code);
            }
            Event::SoftBreak | Event::HardBreak => self.builder.push('\n'),
            Event::Start(Tag::Strong) => self.builder.open(MarkKind::Strong),
            Event::Start(Tag::Emphasis) => self.builder.open(MarkKind::Emphasis),
            Event::End(TagEnd::Strong) => self.builder.close_where(|kind| *kind == MarkKind::Strong),
            Event::End(TagEnd::Emphasis) => self.builder.close_where(|kind| *kind == MarkKind::Emphasis),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let address = addresses::link(&self.masked.restored(&dest_url));
                self.links.push(address.is_some());
                address.into_iter().for_each(|address| self.builder.open(MarkKind::Link(address)));
            }
            Event::End(TagEnd::Link) if self.links.pop() == Some(true) => {
                self.builder.close_where(|kind| matches!(kind, MarkKind::Link(_)));
            }
            Event::Start(Tag::Image { dest_url, title, .. }) => {
                let (address, title) = (self.masked.restored(&dest_url), self.masked.restored(&title));
                self.around.push((std::mem::take(&mut self.builder), address, title));
            }
            Event::End(TagEnd::Image) => return self.picture(),
            _ => {}
        }
        None
    }

    /// Text with placeholders; its formulas stand in the line.
    fn text(&mut self, text: &str) {
        let masked = self.masked;
        for part in masked.parts(text) {
            match part {
                Part::Text(text) => self.plain(text),
                Part::Formula(formula) => self.builder.formula(&formula.latex),
            }
        }
    }

    /// Whether the text is the description of a picture.
    pub(super) fn in_picture(&self) -> bool {
        !self.around.is_empty()
    }

    /// Text without formulas.
    pub(super) fn plain(&mut self, text: &str) {
        let characters = text.chars().filter(|character| *character != JOINT);
        characters.for_each(|character| self.builder.push(unmasked(character)));
    }

    fn picture(&mut self) -> Option<Picture> {
        let (around, address, title) = self.around.pop()?;
        let description = std::mem::replace(&mut self.builder, around).finish().text;
        let caption = Some(title.trim().to_owned()).filter(|title| !title.is_empty());
        let address = addresses::picture(&address).unwrap_or_default();
        Some(Picture { address, description, caption })
    }
}
