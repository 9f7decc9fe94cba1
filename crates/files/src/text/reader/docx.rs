//! DOCX as text: a line for a paragraph, a sign for a list's item, a row of a table in one line, notes at the end. What a
//! reader of the document no longer sees (deleted and moved away revisions) is left out, and so is what `look` says that
//! nobody sees.

mod look;

use std::borrow::Cow;

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;
use quick_xml::{XmlVersion, escape};

use super::super::limits::XML_DEPTH;
use super::super::outcome::Unread;
use super::super::sink::Sink;
use super::archive::Archive;
use crate::kind::decode;
use look::{Described, Look};

const RELATIONS: &str = "_rels/.rels";
const USUAL_MAIN_PART: &str = "word/document.xml";
/// Beside the main part.
const NOTES: [&str; 2] = ["footnotes.xml", "endnotes.xml"];

pub(super) fn read(bytes: &[u8], sink: &mut Sink) -> Result<(), Unread> {
    let mut archive = Archive::open(bytes)?;
    let main = main_part(&mut archive)?;
    let content = archive.read(&main)?.ok_or(Unread::Damaged)?;
    read_part(&content, sink)?;
    let folder = main.rfind('/').map_or("", |at| &main[..=at]);
    for notes in NOTES {
        if let Some(content) = archive.read(&format!("{folder}{notes}"))? {
            read_part(&content, sink)?;
        }
    }
    Ok(())
}

/// The part that the archive says is the document.
fn main_part(archive: &mut Archive<'_>) -> Result<String, Unread> {
    let mut main = USUAL_MAIN_PART.to_owned();
    let Some(relations) = archive.read(RELATIONS)? else { return Ok(main) };
    each_event(&relations, |event| {
        if let Event::Start(tag) | Event::Empty(tag) = event {
            let is_main = attribute(tag, "Type").is_some_and(|kind| kind.ends_with("/officeDocument"));
            if let Some(target) = attribute(tag, "Target").filter(|_| is_main) {
                main = target.trim_start_matches('/').to_owned();
            }
        }
        Ok(())
    })?;
    Ok(main)
}

fn read_part(content: &[u8], sink: &mut Sink) -> Result<(), Unread> {
    let mut body = Body {
        sink,
        open: 0,
        left_out: None,
        properties: None,
        look: Look::default(),
        in_text: false,
        is_item: false,
        rows: Vec::new(),
    };
    each_event(content, |event| body.take(event))?;
    body.sink.line();
    Ok(())
}

/// Reads a part to its end. Document types are refused, so there are no entities to expand.
fn each_event(content: &[u8], mut take: impl FnMut(&Event<'_>) -> Result<(), Unread>) -> Result<(), Unread> {
    let text = decode(content).ok_or(Unread::Damaged)?;
    let mut reader = Reader::from_str(&text);
    let mut depth = 0_usize;
    loop {
        let event = reader.read_event().map_err(|_| Unread::Damaged)?;
        match &event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.checked_sub(1).ok_or(Unread::Damaged)?,
            Event::DocType(_) => return Err(Unread::Damaged),
            // An end within an element is an end too early.
            Event::Eof => return if depth == 0 { Ok(()) } else { Err(Unread::Damaged) },
            _ => {}
        }
        if depth > XML_DEPTH {
            return Err(Unread::TooLarge);
        }
        take(&event)?;
    }
}

fn attribute<'t>(tag: &'t BytesStart<'_>, name: &str) -> Option<Cow<'t, str>> {
    let own = tag.attributes().filter_map(Result::ok).find(|own| own.key.as_ref() == name)?;
    own.normalized_value(XmlVersion::Implicit1_0).ok().map(|value| Cow::Owned(value.into_owned()))
}

struct Body<'s> {
    sink: &'s mut Sink,
    /// Elements around.
    open: usize,
    /// How deep the element is whose content is left out.
    left_out: Option<usize>,
    /// How deep the element is that describes how something looks, and what it describes.
    properties: Option<(usize, Described)>,
    look: Look,
    in_text: bool,
    /// The paragraph is an item of a list, and its sign is not written yet.
    is_item: bool,
    /// For each table around, whether the next cell is its row's first.
    rows: Vec<bool>,
}

impl Body<'_> {
    fn take(&mut self, event: &Event<'_>) -> Result<(), Unread> {
        match event {
            Event::Start(tag) => {
                self.open += 1;
                self.describe(tag, self.open - 1);
                self.start(tag.local_name().as_ref());
            }
            Event::Empty(tag) => {
                self.describe(tag, self.open);
                self.empty(tag.local_name().as_ref());
            }
            Event::End(tag) => {
                self.end(tag.local_name().as_ref());
                self.open -= 1;
            }
            Event::Text(text) => self.text(&text.xml10_content()),
            Event::CData(text) => self.text(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                let text = resolve(reference).ok_or(Unread::Damaged)?;
                self.text(&text);
            }
            _ => {}
        }
        Ok(())
    }

    /// A property stands right within what it belongs to: deeper ones are what was before a revision.
    fn describe(&mut self, tag: &BytesStart<'_>, around: usize) {
        match self.properties {
            _ if self.left_out.is_some() => {}
            Some((depth, described)) if depth == around => self.look.describe(described, tag),
            None if tag.local_name().as_ref() == "background" => self.look.page(tag),
            _ => {}
        }
    }

    fn start(&mut self, name: &str) {
        if self.left_out.is_some() {
            return;
        }
        if self.properties.is_none() {
            self.look.start(name);
            self.properties = Described::of(name).map(|described| (self.open, described));
        }
        match name {
            // The other half of an alternative says the same again.
            "del" | "moveFrom" | "Fallback" => self.left_out = Some(self.open),
            "t" => self.in_text = true,
            "p" => self.is_item = false,
            "tbl" => self.rows.push(true),
            "tr" => self.begin_row(),
            "tc" => self.begin_cell(),
            _ => self.empty(name),
        }
    }

    /// An element that says all by being there.
    fn empty(&mut self, name: &str) {
        match name {
            _ if self.left_out.is_some() => {}
            "numPr" => self.is_item = self.properties.is_some(),
            _ if self.properties.is_some() => {}
            "tab" | "ptab" => self.text_of_sign('\t'),
            "br" | "cr" => self.text_of_sign('\n'),
            "noBreakHyphen" => self.text_of_sign('-'),
            // A sign of a font of signs: nobody knows which.
            "sym" => self.text_of_sign(char::REPLACEMENT_CHARACTER),
            "p" => self.end_paragraph(),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if self.left_out.is_some() {
            self.left_out = self.left_out.filter(|depth| *depth != self.open);
            return;
        }
        self.properties = self.properties.filter(|(depth, _)| *depth != self.open);
        if self.properties.is_none() {
            self.look.end(name);
        }
        match name {
            "t" => self.in_text = false,
            "p" => self.end_paragraph(),
            "tbl" => {
                self.rows.pop();
            }
            "tr" => self.sink.line(),
            _ => {}
        }
    }

    fn begin_row(&mut self) {
        self.sink.line();
        if let Some(is_first_cell) = self.rows.last_mut() {
            *is_first_cell = true;
        }
    }

    fn begin_cell(&mut self) {
        let is_first = self.rows.last_mut().is_none_or(|is_first_cell| std::mem::replace(is_first_cell, false));
        if !is_first {
            self.sink.space();
            self.sink.push_str("| ");
        }
    }

    /// A cell's paragraphs stay in its row's line.
    fn end_paragraph(&mut self) {
        if self.rows.is_empty() { self.sink.push('\n') } else { self.sink.space() }
    }

    fn text(&mut self, text: &str) {
        if self.in_text && self.left_out.is_none() {
            if self.look.is_hidden() {
                return self.sink.hide(text);
            }
            self.begin_item();
            self.sink.push_str(text);
        }
    }

    fn text_of_sign(&mut self, sign: char) {
        if self.look.is_hidden() {
            return;
        }
        self.begin_item();
        self.sink.push(sign);
    }

    fn begin_item(&mut self) {
        if std::mem::take(&mut self.is_item) {
            self.sink.push_str("- ");
        }
    }
}

/// A character reference or one of the five entities that XML itself defines.
fn resolve(reference: &BytesRef<'_>) -> Option<String> {
    if reference.is_char_ref() {
        return Some(reference.resolve_char_ref().ok()??.to_string());
    }
    escape::resolve_xml_entity(reference).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::super::super::outcome::FileText;
    use super::*;

    fn docx(parts: &[(&str, &str)]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in parts {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(content.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn outcome(bytes: &[u8]) -> FileText {
        let mut sink = Sink::new(10_000);
        read(bytes, &mut sink).map_or_else(FileText::Unread, |()| sink.finish().text)
    }

    fn body(content: &str) -> FileText {
        let document = format!("<?xml version='1.0'?><w:document><w:body>{content}</w:body></w:document>");
        outcome(&docx(&[(USUAL_MAIN_PART, &document)]))
    }

    fn whole(text: &str) -> FileText {
        FileText::Whole(text.to_owned())
    }

    #[test]
    fn paragraphs_breaks_and_references_are_read() {
        let text = body(
            "<w:p><w:r><w:t>One &amp; t</w:t></w:r><w:r><w:t>wo&#x20AC;</w:t><w:tab/><w:t>x</w:t><w:br/><w:t>y</w:t></w:r></w:p>\
             <w:p/><w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t xml:space='preserve'> z </w:t></w:r></w:p>",
        );
        assert_eq!(text, whole("One & two€\tx\ny\n\n z"));
    }

    #[test]
    fn lists_have_signs_and_rows_are_lines() {
        let item = "<w:p><w:pPr><w:numPr><w:ilvl/><w:numId/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>";
        let cell = "<w:tc><w:tcPr/><w:p><w:r><w:t>1</w:t></w:r></w:p><w:p><w:r><w:t>2</w:t></w:r></w:p></w:tc>";
        let row = format!("<w:tr>{cell}{cell}</w:tr>");
        let text =
            body(&format!("{item}{item}<w:tbl><w:tblPr/>{row}{row}</w:tbl><w:p><w:r><w:t>end</w:t></w:r></w:p>"));
        assert_eq!(text, whole("- a\n- a\n1 2 | 1 2 \n1 2 | 1 2 \nend"));
    }

    #[test]
    fn deleted_revisions_are_out_and_inserted_ones_in() {
        let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
        let text = body(&format!(
            "<w:p>{}<w:del><w:r><w:delText>gone</w:delText><w:t>gone</w:t></w:r></w:del><w:ins>{}</w:ins><w:moveFrom>{}</w:moveFrom></w:p>",
            run("a"),
            run("b"),
            run("c"),
        ));
        assert_eq!(text, whole("ab"));
        let twice = format!(
            "<mc:AlternateContent><mc:Choice>{0}</mc:Choice><mc:Fallback>{0}</mc:Fallback></mc:AlternateContent>",
            run("x")
        );
        assert_eq!(body(&format!("<w:p>{twice}<w:r><w:instrText>PAGE</w:instrText></w:r></w:p>")), whole("x"));
    }

    #[test]
    fn what_nobody_sees_is_left_out_and_said() {
        let seen = |content: &str| {
            let document = format!("<w:document><w:body>{content}</w:body></w:document>");
            let mut sink = Sink::new(10_000);
            read(&docx(&[(USUAL_MAIN_PART, &document)]), &mut sink).unwrap();
            sink.finish()
        };
        let run = |look: &str| format!("<w:r><w:rPr>{look}</w:rPr><w:t>b</w:t><w:br/></w:r>");
        let around = |run: &str| format!("<w:p><w:r><w:t>a</w:t></w:r>{run}<w:r><w:t>c</w:t></w:r></w:p>");
        for hidden in [
            "<w:vanish/>",
            "<w:b/><w:vanish w:val='1'></w:vanish>",
            "<w:sz w:val='2'/>",
            "<w:color w:val='FFFFFF'/>",
            "<w:color w:val='fefefe'/><w:shd w:val='clear' w:fill='auto'/>",
        ] {
            let found = seen(&around(&run(hidden)));
            assert_eq!((found.text, found.hides_text), (whole("ac"), true), "{hidden}");
        }
        for shown in [
            "<w:vanish w:val='0'/>",
            "<w:sz w:val='16'/><w:color w:val='F0F0F0'/>",
            "<w:color w:val='FFFFFF'/><w:highlight w:val='black'/>",
            "<w:color w:val='FFFFFF'/><w:shd w:val='clear' w:fill='333333'/>",
            "<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>",
        ] {
            let found = seen(&around(&run(shown)));
            assert_eq!((found.text, found.hides_text), (whole("ab\nc"), false), "{shown}");
        }
        let mark = "<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>";
        assert!(!seen(mark).hides_text, "the mark of a paragraph is no text");
        let white = run("<w:color w:val='FFFFFF'/>");
        for backed in [
            format!("<w:p><w:pPr><w:shd w:val='clear' w:fill='000000'/></w:pPr>{white}</w:p>"),
            format!(
                "<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:fill='4472C4'/></w:tcPr><w:p>{white}</w:p></w:tc></w:tr></w:tbl>"
            ),
            format!(
                "<w:tbl><w:tblPr><w:tblStyle w:val='Grid5'/></w:tblPr><w:tr><w:tc><w:p>{white}</w:p></w:tc></w:tr></w:tbl>"
            ),
            format!("<w:background w:color='000000'/><w:p>{white}</w:p>"),
        ] {
            assert!(!seen(&backed).hides_text, "{backed}");
        }
    }

    #[test]
    fn the_main_part_is_the_one_that_is_named_and_notes_follow() {
        let relations = "<Relationships><Relationship Type='http://x/officeDocument' Target='/word/document2.xml'/></Relationships>";
        let part = |text: &str| format!("<w:x><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:x>");
        let bytes = docx(&[
            (RELATIONS, relations),
            ("word/document.xml", &part("old")),
            ("word/document2.xml", &part("new")),
            ("word/footnotes.xml", &part("note")),
        ]);
        assert_eq!(outcome(&bytes), whole("new\nnote"));
    }

    #[test]
    fn a_document_type_a_missing_part_and_an_early_end_are_damage() {
        let damaged = FileText::Unread(Unread::Damaged);
        assert_eq!(outcome(&docx(&[("a.txt", "x")])), damaged);
        let laughs = "<!DOCTYPE x [<!ENTITY a 'aaaa'>]><w:document><w:t>&a;</w:t></w:document>";
        assert_eq!(outcome(&docx(&[(USUAL_MAIN_PART, laughs)])), damaged);
        assert_eq!(body("<w:p><w:r><w:t>&unknown;</w:t></w:r></w:p>"), damaged);
        assert_eq!(outcome(&docx(&[(USUAL_MAIN_PART, "<w:document><w:t>cut")])), damaged);
        let good = docx(&[(USUAL_MAIN_PART, "<w:document><w:t>x</w:t></w:document>")]);
        for length in 0..good.len() {
            assert_eq!(outcome(&good[..length]), damaged, "{length}");
        }
    }

    #[test]
    fn deep_nesting_and_large_parts_are_too_large() {
        let deep = format!("{}{}", "<w:a>".repeat(XML_DEPTH + 1), "</w:a>".repeat(XML_DEPTH + 1));
        assert_eq!(body(&deep), FileText::Unread(Unread::TooLarge));
    }

    #[test]
    fn pictures_alone_are_no_text() {
        assert_eq!(body("<w:p><w:r><w:drawing><a:blip/></w:drawing></w:r></w:p>"), FileText::Unread(Unread::NoText));
    }
}
