//! Rules for a deck of slides: sections side by side, each with a headline and few short points.
//!
//! What a page may hold at all is checked in `html`; here a deck must also fit on screens.

use markup::entities;

use crate::drafts::SlideDraft;

use super::html::{self, Piece, pieces};
use super::{Defect, Report, citations, text, title};

/// Most slides of a deck.
const MAX_SLIDES: usize = 100;
/// Longest headline, in characters.
const MAX_HEADLINE: usize = 120;
/// Most points (items of lists, paragraphs) of a slide.
const MAX_POINTS: usize = 8;
/// Most characters on the screen, notes aside.
const MAX_SHOWN: usize = 1200;
/// Most characters of the speaker's notes.
const MAX_NOTES: usize = 20_000;

/// Checks a deck of slides.
///
/// # Errors
/// All defects that were found.
pub fn check_slide(draft: &SlideDraft) -> Result<(), Vec<Defect>> {
    let mut report = Report::default();
    title(&mut report, "title", &draft.title);
    text(&mut report, "description", &draft.description);
    text(&mut report, "language", &draft.language);
    let found = html::check(&mut report, "content_html", &draft.content_html);
    let sound = report.0.iter().all(|defect| defect.part != "content_html" || defect.rule == "blank");
    // Only what is strictly nested can be taken apart into slides.
    let count = if sound { deck(&mut report, &draft.content_html) } else { found };
    citations::parts(&mut report, "", &draft.citations, &[("slides", count)]);
    report.finish()
}

/// The rules for one slide by itself.
pub(super) fn slide(report: &mut Report, html: &str) {
    html::check(report, "content_html", html);
    if report.0.is_empty() {
        let count = deck(report, html);
        report.require(count == 1, "content_html", "slide_count", "the part is one slide");
    }
}

/// Checks the slides one by one and counts them.
fn deck(report: &mut Report, html: &str) -> usize {
    let mut open: Vec<&str> = Vec::new();
    let mut slide = Slide::default();
    let mut count = 0;
    for piece in pieces(html) {
        match piece {
            Piece::Open { name, attributes } => {
                if open.is_empty() {
                    let marked = name == "section" && has_class(attributes, "slide");
                    report.require(marked, "content_html", "slide", "a deck holds <section class=\"slide\">s only");
                    slide = Slide::default();
                } else {
                    slide.open(name, attributes, open.len());
                }
                open.push(name);
            }
            Piece::Void => {}
            Piece::Close => {
                if open.pop() == Some("aside") && slide.in_notes == open.len() {
                    slide.in_notes = 0;
                }
                if open.is_empty() {
                    slide.report(report, count);
                    count += 1;
                }
            }
            Piece::Text(text) if open.is_empty() => {
                report.require(text.trim().is_empty(), "content_html", "slide", "text stands outside of the slides");
            }
            Piece::Text(text) => slide.text(text, open.last() == Some(&"h2")),
        }
    }
    report.require((1..=MAX_SLIDES).contains(&count), "content_html", "slide_count", "a deck has 1 to 100 slides");
    count
}

fn has_class(attributes: &str, class: &str) -> bool {
    let value = attributes.split_once("class=\"").and_then(|(_, rest)| rest.split_once('"'));
    value.is_some_and(|(names, _)| names.split_whitespace().any(|name| name == class))
}

/// What a slide holds, counted while it is read.
#[derive(Default)]
struct Slide {
    headline: usize,
    headlines: usize,
    /// Something stands in front of the headline, or a slide inside of the slide.
    misplaced: bool,
    points: usize,
    shown: usize,
    notes: usize,
    /// The depth at which the notes were opened, 0 outside of them.
    in_notes: usize,
}

impl Slide {
    fn open(&mut self, name: &str, attributes: &str, depth: usize) {
        match name {
            "h2" => self.headlines += 1,
            "section" => self.misplaced = true,
            "aside" if self.in_notes == 0 && has_class(attributes, "notes") => self.in_notes = depth,
            _ => {}
        }
        self.misplaced |= self.headlines == 0 && name != "header";
        self.points += usize::from(matches!(name, "li" | "p") && self.in_notes == 0);
    }

    fn text(&mut self, text: &str, headline: bool) {
        let length = entities::decode(text).chars().filter(|character| *character != '\n').count();
        if self.in_notes > 0 {
            self.notes += length;
        } else {
            self.shown += length;
            self.headline += if headline { length } else { 0 };
        }
    }

    fn report(&self, report: &mut Report, at: usize) {
        let part = format!("slides/{at}");
        let headed = self.headlines == 1 && !self.misplaced && (1..=MAX_HEADLINE).contains(&self.headline);
        report.require(headed, &part, "headline", "a slide begins with one <h2> of at most 120 characters");
        report.require(self.points <= MAX_POINTS, &part, "slide_points", "a slide has at most 8 points");
        report.require(self.shown <= MAX_SHOWN, &part, "slide_length", "a slide shows at most 1200 characters");
        report.require(self.notes <= MAX_NOTES, &part, "notes_length", "notes have at most 20000 characters");
    }
}
