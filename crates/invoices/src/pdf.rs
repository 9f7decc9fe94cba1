//! An invoice as PDF. The font is embedded: DejaVu Sans has Latin, Greek, Cyrillic, Armenian, Georgian, Arabic and Hebrew. Of
//! other scripts, such as Chinese or Devanagari, boxes are shown, and the document names the printable page, which shows them.

use krilla::Document;
use krilla::geom::Point;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::text::{Font, TextDirection};
use skrifa::{FontRef, MetadataProvider as _};

use crate::{Invoice, Line};

/// A4, in points.
const WIDTH: f32 = 595.0;
const HEIGHT: f32 = 842.0;
const MARGIN: f32 = 56.0;
/// Where counts and amounts end.
const COUNT_END: f32 = 430.0;
const AMOUNT_END: f32 = WIDTH - MARGIN;
/// A line of text fits from margin to margin, whatever its letters: none is wider than an em.
const LONGEST_LINE: usize = 48;
const LINE: f32 = 16.0;

/// A PDF could not be made: a defect of the font or of the library.
#[derive(Debug, thiserror::Error)]
#[error("the PDF can't be made: {0}")]
pub struct PdfError(String);

/// A text at a place of a page.
struct Placed {
    x: f32,
    y: f32,
    size: f32,
    is_bold: bool,
    text: String,
}

/// Pages that are filled from top to bottom.
struct Sheet {
    pages: Vec<Vec<Placed>>,
    y: f32,
}

/// Writes an invoice.
///
/// # Errors
/// [`PdfError`].
pub fn write(invoice: &Invoice) -> Result<Vec<u8>, PdfError> {
    let font = |bytes: &'static [u8]| {
        Font::new(bytes.to_vec().into(), 0).ok_or_else(|| PdfError("the font can't be read".to_owned()))
    };
    let (regular, bold) = (font(dejavu::sans::regular())?, font(dejavu::sans::bold())?);
    let mut document = Document::new();
    document.set_metadata(Metadata::new().title(format!("Invoice {}", invoice.number)));
    for placed in sheet(invoice).pages {
        let settings =
            PageSettings::from_wh(WIDTH, HEIGHT).ok_or_else(|| PdfError("the page has no size".to_owned()))?;
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        for Placed { x, y, size, is_bold, text } in placed {
            let font = if is_bold { bold.clone() } else { regular.clone() };
            surface.draw_text(Point::from_xy(x, y), font, size, &text, false, TextDirection::Auto);
        }
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|error| PdfError(format!("{error:?}")))
}

fn sheet(invoice: &Invoice) -> Sheet {
    let mut sheet = Sheet { pages: vec![Vec::new()], y: MARGIN };
    sheet.text(18.0, true, &format!("Invoice {}", invoice.number));
    sheet.gap();
    sheet.text(10.0, false, &format!("Month: {} (UTC)", invoice.month));
    sheet.text(10.0, false, &format!("Issued: {}", invoice.issued_at.get(..10).unwrap_or(&invoice.issued_at)));
    sheet.gap();
    sheet.text(10.0, true, "Seller");
    for line in std::iter::once(&invoice.seller.name).chain(&invoice.seller.address).chain(&invoice.seller.tax_ids) {
        sheet.text(10.0, false, line);
    }
    sheet.gap();
    sheet.text(10.0, true, "Customer");
    for line in std::iter::once(&invoice.buyer.name).chain(&invoice.buyer.email) {
        sheet.text(10.0, false, line);
    }
    sheet.text(10.0, false, &format!("Workspace {}", invoice.workspace_id));
    sheet.lines("Sales of the month", &invoice.sales);
    sheet.gap();
    sheet.row(false, "Net", None, &invoice.net.to_string());
    for tax in &invoice.taxes {
        sheet.row(false, &format!("{} {} %", tax.name, tax.percent), None, &tax.amount.to_string());
    }
    sheet.row(true, "Total USD", None, &invoice.total.to_string());
    sheet.lines("Used in the month, sold or given before", &invoice.used);
    if sheet.has_boxes() {
        sheet.gap();
        sheet.text(10.0, false, "This font has no letters of some scripts and shows boxes instead.");
        sheet.text(10.0, false, &format!("The page to print shows them: …/invoices/{}.html", invoice.number));
    }
    sheet
}

impl Sheet {
    /// Whether the font lacks a letter. Regular and bold have the same scripts.
    fn has_boxes(&self) -> bool {
        let Ok(font) = FontRef::new(dejavu::sans::regular()) else { return false };
        let letters = font.charmap();
        let mut texts = self.pages.iter().flatten().flat_map(|placed| placed.text.chars());
        texts.any(|letter| letters.map(letter).is_none())
    }

    fn gap(&mut self) {
        self.y += LINE;
    }

    /// Goes on with the next line, on another page where this one is full.
    fn next_line(&mut self, height: f32) {
        self.y += height;
        if self.y > HEIGHT - MARGIN {
            self.pages.push(Vec::new());
            self.y = MARGIN + height;
        }
    }

    fn place(&mut self, x: f32, size: f32, is_bold: bool, text: &str) {
        let y = self.y;
        if let Some(page) = self.pages.last_mut() {
            page.push(Placed { x, y, size, is_bold, text: text.to_owned() });
        }
    }

    /// A text in as many lines as it takes.
    fn text(&mut self, size: f32, is_bold: bool, text: &str) {
        for line in wrapped(text) {
            self.next_line(LINE.max(size * 1.4));
            self.place(MARGIN, size, is_bold, &line);
        }
    }

    fn row(&mut self, is_bold: bool, item: &str, count: Option<&str>, amount: &str) {
        for line in wrapped(item) {
            self.next_line(LINE);
            self.place(MARGIN, 10.0, is_bold, &line);
        }
        if let Some(count) = count {
            self.place(COUNT_END - width(count, 10.0, is_bold), 10.0, is_bold, count);
        }
        self.place(AMOUNT_END - width(amount, 10.0, is_bold), 10.0, is_bold, amount);
    }

    fn lines(&mut self, title: &str, lines: &[Line]) {
        if lines.is_empty() {
            return;
        }
        self.gap();
        self.text(10.0, true, title);
        for Line { kind, count, amount } in lines {
            self.row(false, kind.description(), Some(&count.to_string()), &amount.to_string());
        }
    }
}

/// The width of a number: all digits of the font are equally wide.
fn width(number: &str, size: f32, is_bold: bool) -> f32 {
    let (digit, mark) = if is_bold { (0.696, 0.40) } else { (0.636, 0.33) };
    number.chars().map(|c| if c.is_ascii_digit() { digit } else { mark }).sum::<f32>() * size
}

/// The lines of a text, broken at blanks, and within a word where it is longer than a line.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    for word in clean.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        for (index, piece) in letters.chunks(LONGEST_LINE).enumerate() {
            let line = lines.last().map_or(0, |line| line.chars().count());
            let blank = usize::from(line > 0 && index == 0);
            if line > 0 && (index > 0 || line + blank + piece.len() > LONGEST_LINE) {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.extend(piece);
            }
        }
    }
    lines
}
