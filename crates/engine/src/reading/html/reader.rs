//! From the tokens of HTML to blocks.

mod aside;
mod flow;
mod formulas;

use std::collections::HashSet;

use super::super::addresses;
use super::super::blocks::{Block, Body, Item, Pair, Picture};
use super::super::inline::{MarkKind, PassageBuilder};
use super::super::math::{Masked, Part};
use super::super::names::{Role, has_role, names_the_teacher};
use super::super::pointer::Pointer;
use super::elements::{heading_level, is_block, is_dropped};
use super::table::Grid;
use super::tokens::{Piece, Tag, pieces};
use aside::Details;
use formulas::{MathMl, Script, Tex};

/// The blocks of a text whose formulas are masked.
pub(super) fn read(masked: &Masked, pointer: &Pointer) -> Vec<Block> {
    let mut reader = Reader::new(masked, pointer);
    for piece in pieces(&masked.text) {
        match piece {
            Piece::Open(tag) => reader.open(&tag),
            Piece::Close(name) => reader.close(&name),
            Piece::Text(text) => reader.text(&text),
        }
    }
    reader.finish()
}

/// Where the text that comes next belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Body,
    Heading(u8),
    Item,
    Cell,
    Term,
    Definition,
    Code,
    /// Below a picture.
    Caption,
    /// Who is quoted.
    Source,
    /// The line that opens folded text.
    Summary,
}

struct Reader<'a> {
    masked: &'a Masked,
    pointer: &'a Pointer,
    blocks: Vec<Block>,
    builder: PassageBuilder,
    place: Place,
    /// Line feeds that follow each other part paragraphs: there are no elements that do.
    loose: bool,
    code: String,
    language: Option<String>,
    /// The code that is open is what a program prints.
    printed: bool,
    /// How deep in elements of code in a line.
    in_code: usize,
    /// Of the open lists, whether each is numbered.
    lists: Vec<bool>,
    items: Vec<Item>,
    table: Option<Grid>,
    pairs: Vec<Pair>,
    /// Of the open links, whether each is marked.
    links: Vec<bool>,
    /// Pictures in items and cells; they stand behind.
    pictures: Vec<Picture>,
    /// How many blocks there were when each open quotation began.
    quotes: Vec<usize>,
    source: Option<String>,
    details: Vec<Details>,
    script: Option<Script>,
    mathml: Option<MathMl>,
    tex: Option<Tex>,
    /// The element that is dropped, and how many of its kind are open in it.
    dropping: Option<(String, usize)>,
    /// Elements that do not end.
    endless: HashSet<String>,
}

impl<'a> Reader<'a> {
    fn new(masked: &'a Masked, pointer: &'a Pointer) -> Self {
        let text = masked.text.as_str();
        Self {
            masked,
            pointer,
            blocks: Vec::new(),
            builder: PassageBuilder::default(),
            place: Place::Body,
            loose: !["<p", "<P", "<div", "<DIV", "<br", "<BR"].iter().any(|tag| text.contains(tag)),
            code: String::new(),
            language: None,
            printed: false,
            in_code: 0,
            lists: Vec::new(),
            items: Vec::new(),
            table: None,
            pairs: Vec::new(),
            links: Vec::new(),
            pictures: Vec::new(),
            quotes: Vec::new(),
            source: None,
            details: Vec::new(),
            script: None,
            mathml: None,
            tex: None,
            dropping: None,
            endless: HashSet::new(),
        }
    }

    /// Where text belongs that is in no element of its own.
    fn base(&self) -> Place {
        match (&self.table, self.lists.is_empty()) {
            (Some(_), _) => Place::Cell,
            (None, false) => Place::Item,
            (None, true) => Place::Body,
        }
    }

    fn text(&mut self, text: &str) {
        if self.dropping.is_some() {
            return;
        }
        if let Some(tex) = &mut self.tex {
            return tex.text.push_str(text);
        }
        if let Some(mathml) = &mut self.mathml {
            return mathml.text(&self.masked.restored(text));
        }
        if self.place == Place::Code {
            return self.code.push_str(&self.masked.restored(text));
        }
        let masked = self.masked;
        for part in masked.parts(text) {
            match part {
                Part::Text(text) => self.plain(text),
                Part::Formula(formula) if self.in_code > 0 => self.plain(&formula.raw),
                Part::Formula(formula) => self.formula(&formula.latex, formula.display),
            }
        }
    }

    fn plain(&mut self, text: &str) {
        if let Some(script) = &mut self.script {
            return script.text.push_str(text);
        }
        if !self.loose || self.place != Place::Body {
            return self.builder.push_str(text);
        }
        for (at, paragraph) in text.split("\n\n").enumerate() {
            if at > 0 {
                self.flush();
            }
            self.builder.push_str(paragraph);
        }
    }

    fn formula(&mut self, latex: &str, display: bool) {
        if display && self.place == Place::Body {
            self.flush();
            self.push(Body::Formula(latex.to_owned()));
        } else {
            self.builder.formula(latex);
        }
    }

    fn open(&mut self, tag: &Tag) {
        if self.goes_on_dropping(tag) || self.goes_on_with_formula(tag) {
            return;
        }
        let base = self.base();
        match tag.name.as_str() {
            "b" | "strong" | "mark" | "dfn" => self.builder.open(MarkKind::Strong),
            "i" | "em" => self.builder.open(MarkKind::Emphasis),
            "code" | "kbd" | "samp" | "tt" if self.place != Place::Code => {
                self.in_code += 1;
                self.builder.open(MarkKind::Code);
            }
            "code" => self.language = self.language.take().or_else(|| language_of(tag)),
            "samp" => self.printed = true,
            "br" if self.place == Place::Code => self.code.push('\n'),
            "a" => self.open_link(tag),
            "sub" | "sup" => {
                self.close_script();
                self.script = Some(Script::new(tag.name == "sup"));
            }
            "img" => self.image(tag),
            "q" => self.builder.push('“'),
            "rt" => self.builder.push('('),
            "ul" | "ol" if base != Place::Cell => {
                self.flush();
                self.lists.push(tag.name == "ol");
                self.place = Place::Item;
            }
            "li" if base == Place::Cell => self.builder.push_str(if self.builder.is_empty() { "" } else { "; " }),
            "li" => self.turn_to(base),
            "table" if base != Place::Cell => self.open_table(),
            "thead" => self.table.iter_mut().for_each(|table| table.begin_head(true)),
            "tr" => self.open_row(),
            "td" | "th" => self.open_cell(tag),
            "dt" if base != Place::Cell => self.turn_to(Place::Term),
            "dd" if base != Place::Cell => self.turn_to(Place::Definition),
            "pre" if base != Place::Cell => {
                self.turn_to(Place::Code);
                self.language = language_of(tag);
                self.printed = false;
            }
            "blockquote" if base == Place::Body => self.open_quote(),
            "cite" | "footer" if !self.quotes.is_empty() && base == Place::Body => self.turn_to(Place::Source),
            "figcaption" if base == Place::Body => self.turn_to(Place::Caption),
            "details" if base == Place::Body => self.open_details(),
            "summary" if base == Place::Body && !self.details.is_empty() => self.turn_to(Place::Summary),
            name => match heading_level(name).filter(|_| base == Place::Body) {
                Some(level) => self.turn_to(Place::Heading(level)),
                None => self.boundary(name),
            },
        }
    }

    fn close(&mut self, name: &str) {
        if self.ends_dropping(name) || self.ends_formula(name) {
            return;
        }
        let base = self.base();
        match name {
            "b" | "strong" | "mark" | "dfn" => self.builder.close_where(|kind| *kind == MarkKind::Strong),
            "i" | "em" => self.builder.close_where(|kind| *kind == MarkKind::Emphasis),
            "code" | "kbd" | "samp" | "tt" if self.place != Place::Code => {
                self.in_code = self.in_code.saturating_sub(1);
                self.builder.close_where(|kind| *kind == MarkKind::Code);
            }
            "code" | "samp" => {}
            "a" => {
                if self.links.pop() == Some(true) {
                    self.builder.close_where(|kind| matches!(kind, MarkKind::Link(_)));
                }
            }
            "sub" | "sup" => self.close_script(),
            "q" => self.builder.push('”'),
            "rt" => self.builder.push(')'),
            "ul" | "ol" if base != Place::Cell => self.close_list(),
            "table" => self.close_table(),
            "thead" => self.table.iter_mut().for_each(|table| table.begin_head(false)),
            "td" | "th" => {
                self.flush();
                self.table.iter_mut().for_each(Grid::end_cell);
            }
            "li" if base != Place::Cell => self.flush(),
            "dt" | "dd" => self.flush(),
            "dl" => self.close_pairs(),
            "blockquote" if base == Place::Body => self.close_quote(),
            "details" if base == Place::Body => self.close_details(),
            name if self.is_in(name) => self.turn_to(base),
            name => self.boundary(name),
        }
    }

    /// Whether the text belongs to the element of a name that has a place of its own.
    fn is_in(&self, name: &str) -> bool {
        match self.place {
            Place::Heading(_) => heading_level(name).is_some(),
            Place::Code => name == "pre",
            Place::Caption => name == "figcaption",
            Place::Source => matches!(name, "cite" | "footer"),
            Place::Summary => name == "summary",
            _ => false,
        }
    }

    /// Block elements and line breaks end a paragraph; inside a cell or an item they are a space.
    fn boundary(&mut self, name: &str) {
        if !is_block(name)
            && heading_level(name).is_none()
            && !matches!(name, "blockquote" | "figure" | "figcaption" | "pre" | "li")
        {
            return;
        }
        if matches!(self.place, Place::Body | Place::Source) { self.flush() } else { self.builder.push('\n') }
    }

    fn open_link(&mut self, tag: &Tag) {
        let address = tag.attribute("href").and_then(addresses::link);
        self.links.push(address.is_some());
        address.into_iter().for_each(|address| self.builder.open(MarkKind::Link(address)));
    }

    fn image(&mut self, tag: &Tag) {
        let description = self.masked.restored(tag.attribute("alt").unwrap_or_default());
        let description = super::super::inline::squeeze(&description);
        let tiny = [tag.attribute("width"), tag.attribute("height")]
            .into_iter()
            .flatten()
            .any(|size| matches!(size, "0" | "1"));
        let address = tag
            .attribute("src")
            .map(|address| self.masked.restored(address))
            .and_then(|address| addresses::picture(&address));
        let Some(address) = address.filter(|_| !tiny) else {
            return self.builder.push_str(&format!(" {description} "));
        };
        let picture = Picture { address, description, caption: None };
        if self.place == Place::Body {
            self.flush();
            self.push(Body::Picture(picture));
        } else {
            self.builder.push_str(&format!(" {} ", picture.description));
            self.pictures.push(picture);
        }
    }

    /// Whether a tag is in an element that is dropped, or begins one.
    fn goes_on_dropping(&mut self, tag: &Tag) -> bool {
        if let Some((name, depth)) = &mut self.dropping {
            *depth += usize::from(*name == tag.name);
            return true;
        }
        let hidden =
            tag.classes().any(|class| matches!(class, "katex-html" | "MathJax" | "MathJax_Preview" | "mjx-chtml"));
        let teacher = tag
            .classes()
            .any(|class| !class.contains(['-', '_']) && names_the_teacher(class) || has_role(class, Role::Teacher));
        let dropped = is_dropped(&tag.name) || hidden || teacher || tag.name == "rp";
        if !dropped || tag.name == "input" || self.endless.contains(&tag.name) {
            return false;
        }
        if ends(&self.masked.text[tag.end..], &tag.name) {
            self.dropping = Some((tag.name.clone(), 1));
            return true;
        }
        self.endless.insert(tag.name.clone());
        false
    }

    fn ends_dropping(&mut self, name: &str) -> bool {
        let Some((dropped, depth)) = &mut self.dropping else { return false };
        *depth -= usize::from(dropped == name);
        if *depth == 0 {
            self.dropping = None;
        }
        true
    }

    fn push(&mut self, body: Body) {
        self.blocks.push(Block::taught(self.pointer.clone(), body));
    }
}

/// Whether an element ends in a text.
fn ends(text: &str, name: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("</") {
        rest = &rest[at + 2..];
        if rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name)) {
            return true;
        }
    }
    false
}

/// The language of code, by the classes that highlighters use.
fn language_of(tag: &Tag) -> Option<String> {
    let named = tag.attribute("data-lang").or_else(|| tag.attribute("data-language")).or_else(|| tag.attribute("lang"));
    let classed = || {
        tag.classes().find_map(|class| {
            ["language-", "lang-", "highlight-source-", "brush:", "sourceCode-"]
                .iter()
                .find_map(|start| class.strip_prefix(start))
        })
    };
    let name = named.or_else(classed)?.trim();
    (!name.is_empty() && name.len() <= 40).then(|| name.to_owned())
}
