//! Reads HTML that customers put into fields, down to the same blocks as Markdown.
//!
//! Only text and structure survive. Scripts, styles and everything else that is no content is
//! dropped with what is in it; attributes are never looked at, except `alt`. It reads any tag soup
//! without failing, in one pass.

use markup::entities;

use super::blocks::{Block, Body, Code, Item, Pair, Row, Table};
use super::inline::{MarkKind, PassageBuilder, keep_lines};
use super::notes;
use super::pointer::Pointer;

/// Elements whose content is no text for learners.
const DROPPED: [&str; 10] =
    ["script", "style", "head", "title", "noscript", "template", "iframe", "object", "svg", "select"];
/// A closing tag of one of these says that a text is HTML.
const TELLING: [&str; 34] = [
    "p",
    "div",
    "span",
    "b",
    "strong",
    "i",
    "em",
    "u",
    "a",
    "ul",
    "ol",
    "li",
    "table",
    "tr",
    "td",
    "th",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "section",
    "article",
    "script",
    "style",
    "body",
    "html",
    "dl",
    "pre",
    "code",
    "sub",
    "sup",
    "blockquote",
];

/// Whether a text is HTML and not just a text about `<tags>`.
pub(crate) fn looks_like(text: &str) -> bool {
    if text.contains("```") && !text.trim_start().starts_with('<') {
        return false;
    }
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let quoted = rest[..at].ends_with('`');
        rest = &rest[at + 1..];
        if quoted {
            continue;
        }
        let name = tag_name(rest.strip_prefix('/').unwrap_or(rest));
        let telling =
            if rest.starts_with('/') { TELLING.contains(&name.as_str()) } else { matches!(name.as_str(), "br" | "hr") };
        if telling {
            return true;
        }
    }
    false
}

/// The blocks of an HTML text; its headings start at `level`.
pub(crate) fn read(text: &str, pointer: &Pointer, level: u8) -> Vec<Block> {
    let mut reader = Reader { level, ..Reader::new(pointer) };
    let mut missing: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        reader.text(&rest[..at]);
        rest = &rest[at..];
        let Some(tag) = Tag::read(rest) else {
            let length = remark_length(rest, &mut missing);
            if length == 0 {
                reader.text("<");
            }
            rest = &rest[length.max(1)..];
            continue;
        };
        rest = &rest[tag.length..];
        if tag.opens && DROPPED.contains(&tag.name.as_str()) && !missing.contains(&tag.name) {
            match find_closing(rest, &tag.name) {
                Some(end) => rest = &rest[end..],
                None => missing.push(tag.name),
            }
        } else if tag.opens {
            reader.open(&tag);
        } else {
            reader.close(&tag.name);
        }
    }
    reader.text(rest);
    reader.finish()
}

/// The length of the comment or declaration that `text` begins with, 0 when it is none. An end
/// that was missing once is not looked for again.
fn remark_length(text: &str, missing: &mut Vec<String>) -> usize {
    if text.starts_with("<!--") && !missing.iter().any(|name| name == "-->") {
        match text.find("-->") {
            Some(end) => return end + 3,
            None => missing.push("-->".to_owned()),
        }
    }
    if text.starts_with("<!d") || text.starts_with("<!D") || text.starts_with("<?") {
        return tag_end(text).unwrap_or(0);
    }
    0
}

struct Tag {
    name: String,
    opens: bool,
    alt: Option<String>,
    length: usize,
}

impl Tag {
    /// Reads the tag that `text` begins with.
    fn read(text: &str) -> Option<Self> {
        let inner = text.strip_prefix('<')?;
        let opens = !inner.starts_with('/');
        let name = tag_name(inner.strip_prefix('/').unwrap_or(inner));
        if name.is_empty() {
            return None;
        }
        let length = tag_end(text)?;
        let alt = if name == "img" { attribute(&text[..length], "alt=") } else { None };
        Some(Self { name, opens, alt, length })
    }
}

/// Where the tag ends, minding quoted attribute values. A tag longer than this is none.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate().take(4096) {
        match (quote, byte) {
            (None, b'>') => return Some(at + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

fn tag_name(text: &str) -> String {
    let name: String = text.chars().take(16).take_while(char::is_ascii_alphanumeric).collect();
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) { name.to_ascii_lowercase() } else { String::new() }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let value = &tag[tag.find(name)? + name.len()..];
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let end = value[1..].find(quote)?;
    Some(entities::decode(&value[1..=end]))
}

/// Where the text goes on behind `</name …>`.
fn find_closing(text: &str, name: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find("</").map(|at| from + at) {
        if tag_name(&text[at + 2..]) == name {
            return Some(text[at..].find('>').map_or(text.len(), |end| at + end + 1));
        }
        from = at + 2;
    }
    None
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
}

struct Reader<'a> {
    pointer: &'a Pointer,
    level: u8,
    blocks: Vec<Block>,
    builder: PassageBuilder,
    code: String,
    place: Place,
    lists: Vec<bool>,
    items: Vec<Item>,
    table: Option<(Table, bool)>,
    pairs: Vec<Pair>,
    raised: Option<bool>,
}

impl<'a> Reader<'a> {
    fn new(pointer: &'a Pointer) -> Self {
        Self {
            pointer,
            level: 1,
            blocks: Vec::new(),
            builder: PassageBuilder::default(),
            code: String::new(),
            place: Place::Body,
            lists: Vec::new(),
            items: Vec::new(),
            table: None,
            pairs: Vec::new(),
            raised: None,
        }
    }

    fn text(&mut self, text: &str) {
        let text = entities::decode(text);
        match (self.place, self.raised) {
            (Place::Code, _) => self.code.push_str(&text),
            (_, Some(up)) => text.chars().for_each(|character| self.builder.push(raise(character, up))),
            _ => self.builder.push_str(&text),
        }
    }

    fn open(&mut self, tag: &Tag) {
        match tag.name.as_str() {
            "b" | "strong" | "mark" | "dfn" => self.builder.open(MarkKind::Strong),
            "i" | "em" => self.builder.open(MarkKind::Emphasis),
            "code" | "kbd" if self.place != Place::Code => self.builder.open(MarkKind::Code),
            "sub" => self.raised = Some(false),
            "sup" => self.raised = Some(true),
            "img" => self.text(&tag.alt.as_ref().map_or_else(String::new, |alt| format!(" {alt} "))),
            "ul" | "ol" => {
                self.flush();
                self.lists.push(tag.name == "ol");
                self.place = Place::Item;
            }
            "li" => self.turn_to(if self.lists.is_empty() { Place::Body } else { Place::Item }),
            "table" => {
                self.flush();
                self.table.get_or_insert_default();
            }
            "tr" => self.open_row(),
            "td" | "th" => self.open_cell(tag.name == "th"),
            "dt" => self.turn_to(Place::Term),
            "dd" => self.turn_to(Place::Definition),
            "pre" => self.turn_to(Place::Code),
            name => match heading_level(name) {
                Some(level) => self.turn_to(Place::Heading(level)),
                None => self.boundary(name),
            },
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "b" | "strong" | "mark" | "dfn" | "i" | "em" => self.builder.close(),
            "code" | "kbd" if self.place != Place::Code => self.builder.close(),
            "sub" | "sup" => self.raised = None,
            "ul" | "ol" => self.close_list(),
            "table" => self.close_table(),
            "td" | "th" | "li" | "dt" | "dd" => self.flush(),
            "dl" => self.close_pairs(),
            "pre" => self.turn_to(Place::Body),
            name if heading_level(name).is_some() => self.turn_to(Place::Body),
            name => self.boundary(name),
        }
    }

    /// Block elements and line breaks end a paragraph; inside a cell or an item they are a space.
    fn boundary(&mut self, name: &str) {
        let block = matches!(
            name,
            "p" | "div"
                | "br"
                | "hr"
                | "section"
                | "article"
                | "blockquote"
                | "header"
                | "footer"
                | "main"
                | "figure"
                | "figcaption"
                | "aside"
                | "caption"
                | "dl"
        );
        if !block {
            return;
        }
        if self.place == Place::Body { self.flush() } else { self.text("\n") }
    }

    fn turn_to(&mut self, place: Place) {
        self.flush();
        self.place = place;
    }

    fn open_row(&mut self) {
        self.flush();
        if let Some((table, _)) = &mut self.table {
            table.rows.push(Row { pointer: self.pointer.clone(), cells: Vec::new() });
        }
    }

    fn open_cell(&mut self, head: bool) {
        self.flush();
        if let Some((table, first_row_is_head)) = &mut self.table {
            if table.rows.is_empty() {
                table.rows.push(Row { pointer: self.pointer.clone(), cells: Vec::new() });
            }
            let first_row = table.rows.len() == 1;
            if let Some(row) = table.rows.last_mut() {
                if first_row {
                    *first_row_is_head = head && (*first_row_is_head || row.cells.is_empty());
                }
                row.cells.push(String::new());
            }
            self.place = Place::Cell;
        }
    }

    /// Puts the text gathered so far where it belongs.
    fn flush(&mut self) {
        if self.place == Place::Code {
            let code = keep_lines(&std::mem::take(&mut self.code));
            if !code.is_empty() {
                self.push(Body::Code(Code { language: None, text: code, output: None }));
            }
            return;
        }
        if self.builder.is_empty() {
            return;
        }
        let passage = self.builder.finish();
        let pointer = self.pointer.clone();
        match self.place {
            Place::Heading(level) => self.push(Body::Heading { level, text: passage.text }),
            Place::Item if !self.lists.is_empty() => {
                let level = u8::try_from(self.lists.len() - 1).unwrap_or(3).min(3);
                let level = level.min(self.items.last().map_or(0, |item| item.level + 1));
                let (text, notes) = notes::part(passage);
                self.items.push(Item { pointer, level, text, notes });
            }
            Place::Cell => match self.table.as_mut().and_then(|(table, _)| table.rows.last_mut()?.cells.last_mut()) {
                Some(cell) if cell.is_empty() => *cell = passage.text,
                Some(cell) => {
                    cell.push(' ');
                    cell.push_str(&passage.text);
                }
                None => self.push(Body::Paragraph(passage)),
            },
            Place::Term => {
                self.pairs.push(Pair { pointer, term: passage.text, definition: String::new(), notes: Vec::new() });
            }
            Place::Definition => match self.pairs.last_mut() {
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
            },
            _ => self.push(Body::Paragraph(passage)),
        }
    }

    fn close_list(&mut self) {
        self.flush();
        let steps = self.lists.pop().unwrap_or(false);
        if self.lists.is_empty() {
            self.place = Place::Body;
            if !self.items.is_empty() {
                let items = std::mem::take(&mut self.items);
                self.push(Body::List { steps, items });
            }
        }
    }

    fn close_table(&mut self) {
        self.flush();
        self.place = Place::Body;
        let Some((mut table, head)) = self.table.take() else { return };
        table.rows.retain(|row| row.cells.iter().any(|cell| !cell.is_empty()));
        if head && table.rows.len() > 1 {
            table.columns = table.rows.remove(0).cells;
        }
        if !table.rows.is_empty() {
            self.push(Body::Table(table));
        }
    }

    fn close_pairs(&mut self) {
        self.flush();
        self.place = Place::Body;
        if !self.pairs.is_empty() {
            let pairs = std::mem::take(&mut self.pairs);
            self.push(Body::Definitions(pairs));
        }
    }

    fn push(&mut self, body: Body) {
        self.blocks.push(Block::taught(self.pointer.clone(), body));
    }

    fn finish(mut self) -> Vec<Block> {
        self.flush();
        self.lists.truncate(1);
        self.close_list();
        self.close_table();
        self.close_pairs();
        let shift = self.level.saturating_sub(1);
        let top = self
            .blocks
            .iter()
            .filter_map(|block| if let Body::Heading { level, .. } = block.body { Some(level) } else { None })
            .min()
            .unwrap_or(1);
        for block in &mut self.blocks {
            if let Body::Heading { level, .. } = &mut block.body {
                *level = (*level - top + 1 + shift).min(4);
            }
        }
        self.blocks
    }
}

fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

/// H<sub>2</sub>O is H₂O, and 10<sup>3</sup> is 10³.
fn raise(character: char, up: bool) -> char {
    const UP: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match (character, up) {
        ('0'..='9', true) => UP[character as usize - '0' as usize],
        ('0'..='9', false) => char::from_u32(0x2080 + (character as u32 - '0' as u32)).unwrap_or(character),
        ('+', true) => '⁺',
        ('-' | '−', true) => '⁻',
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(html: &str) -> Vec<String> {
        read(html, &Pointer::root("/x"), 1).iter().map(|block| format!("{:?}", block.body)).collect()
    }

    #[test]
    fn structure_survives_and_scripts_do_not() {
        let blocks = texts(
            "<h1>Water</h1><p>H<sub>2</sub>O is <b>water</b> &amp; wet.<script>alert('no')</script></p><ul><li>a<ul><li>b</li></ul></li></ul><table><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr></table>",
        );
        let all = blocks.join("\n");
        assert!(all.contains("H₂O is water & wet.") && !all.contains("alert"), "{all}");
        assert!(all.contains("columns: [\"x\", \"y\"]") && all.contains("level: 1"), "{all}");
    }

    #[test]
    fn tag_soup_keeps_its_text() {
        let all = texts("<p>one <li>two</td> <b>three < four <script> five").join(" ");
        for word in ["one", "two", "three", "four", "five"] {
            assert!(all.contains(word), "{word} in {all}");
        }
    }

    #[test]
    fn a_text_about_tags_is_no_html() {
        assert!(!looks_like("Use the <script> tag when a < b and c > d."));
        assert!(looks_like("one<br>two") && looks_like("<p>x</p>"));
    }
}
