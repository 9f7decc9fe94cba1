//! Customers' markup, made safe to show: HTML and Markdown come in, HTML without anything that acts goes out.
//!
//! The only ways to a [`SafeHtml`] are a [`Sanitizer`] and [`formulas::inline_html`]. What is allowed is in `allowed`;
//! `pieces` bounds the work before `clean`, the guard, does it. [`formulas`] makes MathML of LaTeX, and prints the MathML of
//! others anew. [`entities`] reads character references in text that came from HTML. Nothing here does I/O.

mod allowed;
mod clean;
mod deck;
mod division;
pub mod entities;
mod escape;
mod format;
pub mod formulas;
mod headings;
mod highlight;
#[cfg(test)]
mod inspection;
mod outline;
#[cfg(test)]
mod payloads;
mod pictures;
mod pieces;
#[cfg(test)]
mod properties;
mod regions;

use std::fmt;

use ammonia::Builder;

pub use crate::allowed::language_class;
pub use crate::division::{Division, is_markdown};
pub use crate::escape::escape;
pub use crate::headings::{Heading, Part};
pub use crate::highlight::highlight_code;
use crate::pieces::Piece;
pub use crate::regions::RegionNames;

/// The level of a content's highest heading: the page's title is the one above.
const TOP_HEADING: u8 = 2;

/// The most slides of a deck: each is cleaned by itself and has its own place on a page, and a mebibyte could be 200,000.
pub const MOST_SLIDES: usize = 500;

/// HTML that holds nothing but text, structure, formulas and links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SafeHtml(String);

impl SafeHtml {
    /// The HTML.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.0.trim().is_empty()
    }
}

impl fmt::Display for SafeHtml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One slide of a deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slide {
    /// Its first heading as plain text, at most 120 characters; may be empty.
    pub title: String,
    /// What is on the screen.
    pub content: SafeHtml,
    /// What is for the speaker (`<aside class="notes">`); may be empty.
    pub notes: SafeHtml,
}

/// Makes markup safe. Takes time linear in the text, whatever the text is.
pub struct Sanitizer {
    cleaner: Builder<'static>,
    image_origins: Vec<String>,
    has_highlighting: bool,
}

impl Sanitizer {
    /// A sanitizer that lets images come from these origins (`https://media.example`), and from nowhere else: a page that
    /// loads a picture tells its host who reads the page. Of any other picture there is its description, in a `span` of
    /// the class `picture`.
    pub fn new(image_origins: Vec<String>) -> Self {
        Self { cleaner: clean::cleaner(image_origins.clone()), image_origins, has_highlighting: false }
    }

    /// The same with code in colours: words of a code block whose language is known get a `span` with the class of their role,
    /// such as `code-keyword`.
    #[must_use]
    pub fn with_highlighting(self) -> Self {
        Self { has_highlighting: true, ..self }
    }

    /// HTML or Markdown, whichever it is.
    pub fn content(&self, text: &str) -> SafeHtml {
        self.finish(read(text))
    }

    /// HTML, even when it looks like Markdown.
    pub fn html(&self, html: &str) -> SafeHtml {
        self.finish(pieces::read(html))
    }

    /// A deck, HTML or Markdown, slide by slide; at most [`MOST_SLIDES`], the last of which holds all the rest.
    pub fn slides(&self, text: &str) -> Vec<Slide> {
        let pieces = read(text);
        let mut slides = deck::divide(&pieces);
        let rest = (slides.len() > MOST_SLIDES).then(|| deck::join(&slides.split_off(MOST_SLIDES - 1)));
        slides.into_iter().chain(rest.as_deref()).map(|slide| self.slide(slide)).collect()
    }

    fn slide(&self, slide: &[Piece]) -> Slide {
        let (shown, notes) = deck::take_notes(slide);
        Slide { title: deck::title(&shown), content: self.finish(shown), notes: self.finish(notes) }
    }

    fn finish(&self, mut pieces: Vec<Piece>) -> SafeHtml {
        if pieces.is_empty() {
            return SafeHtml::default();
        }
        outline::arrange(&mut pieces, TOP_HEADING);
        let pieces = pieces::with_formulas(pictures::describe(pieces, &self.image_origins));
        let pieces = if self.has_highlighting { highlight::highlight(pieces) } else { pieces };
        let clean = self.cleaner.clean(&pieces::write(&pieces)).to_string();
        // Formulas come last: the lines that they hold are no lines of preformatted text.
        SafeHtml(pieces::put_back(clean::without_lines_that_readers_drop(clean), &pieces))
    }
}

fn read(text: &str) -> Vec<Piece> {
    let as_html = pieces::read(text);
    if format::is_markdown(text, &as_html) { pieces::read(&format::to_html(text)) } else { as_html }
}
