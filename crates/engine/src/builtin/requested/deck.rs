//! Writes slides as HTML, each within what fits on a screen.
//!
//! Nothing is dropped here: what is too long or too much is cut on the screen and stands whole in the
//! notes, or goes on on the next slide.

use language::normal::shorten;

use crate::builtin::page::{Page, escaped};

/// Most slides; the notes of the last one hold the beginning of what would follow.
const MAX_SLIDES: usize = 100;
/// Longest headline and longest point, in words and characters.
const HEADLINE: (usize, usize) = (16, 100);
const POINT: (usize, usize) = (26, 145);
/// Most points of a slide, those below points counted too.
const MAX_POINTS: usize = 7;
/// Longest notes of a slide, in characters.
const MAX_NOTES: usize = 19_000;

/// A slide before it is cut to size.
pub(in crate::builtin) struct Slide {
    pub(in crate::builtin) headline: String,
    pub(in crate::builtin) points: Vec<Point>,
    /// What it was made from.
    pub(in crate::builtin) pointers: Vec<String>,
}

/// A point with those below it.
pub(in crate::builtin) struct Point {
    pub(in crate::builtin) text: String,
    pub(in crate::builtin) below: Vec<String>,
}

impl Slide {
    pub(in crate::builtin) fn new(headline: &str, points: Vec<Point>, pointer: &str) -> Self {
        let pointers = Some(pointer.to_owned()).filter(|pointer| !pointer.is_empty());
        Self { headline: headline.to_owned(), points, pointers: pointers.into_iter().collect() }
    }
}

impl Point {
    pub(in crate::builtin) fn of(text: &str) -> Self {
        Self { text: text.to_owned(), below: Vec::new() }
    }

    fn lines(&self) -> usize {
        1 + self.below.len()
    }
}

/// Slides in one language.
pub(in crate::builtin) struct Deck<'d> {
    pub(in crate::builtin) language: &'d str,
    pub(in crate::builtin) direction: &'static str,
    pub(in crate::builtin) slides: Vec<Slide>,
}

impl Deck<'_> {
    /// The HTML, and what each of its slides was made from. `title` heads a slide without a headline.
    pub(in crate::builtin) fn write(self, title: &str) -> (String, Vec<Vec<String>>) {
        let attributes = format!("class=\"slide\" lang=\"{}\" dir=\"{}\"", escaped(self.language), self.direction);
        let mut pages: Vec<Slide> = self.slides.into_iter().flat_map(paginated).collect();
        let surplus = pages.split_off(pages.len().min(MAX_SLIDES));
        let mut page = Page::default();
        let last = pages.len().saturating_sub(1);
        for (at, slide) in pages.iter().enumerate() {
            let more = if at == last { &surplus[..] } else { &[] };
            page.element("section", &attributes, |page| {
                page.line();
                slide.write(page, title, more);
            });
            page.line();
        }
        (page.finish(), pages.into_iter().map(|slide| slide.pointers).collect())
    }
}

/// A slide that holds too much goes on on the next one, "Headline (2)".
fn paginated(slide: Slide) -> Vec<Slide> {
    let mut pages: Vec<Vec<Point>> = vec![Vec::new()];
    let mut lines = 0;
    for mut point in slide.points {
        while point.lines() > MAX_POINTS {
            let rest = point.below.split_off(MAX_POINTS - 1);
            let text = point.text.clone();
            pages.push(vec![std::mem::replace(&mut point, Point { text, below: rest })]);
            lines = MAX_POINTS;
        }
        if lines + point.lines() > MAX_POINTS {
            pages.push(Vec::new());
            lines = 0;
        }
        lines += point.lines();
        if let Some(page) = pages.last_mut() {
            page.push(point);
        }
    }
    pages.retain(|page| !page.is_empty());
    if pages.is_empty() {
        pages.push(Vec::new());
    }
    let headline = shorten(&slide.headline, HEADLINE.0, HEADLINE.1);
    let page = |(at, points): (usize, Vec<Point>)| {
        let headline = match at {
            0 => slide.headline.clone(),
            _ => format!("{headline} ({})", at + 1),
        };
        Slide { headline, points, pointers: slide.pointers.clone() }
    };
    pages.into_iter().enumerate().map(page).collect()
}

impl Slide {
    fn write(&self, page: &mut Page, title: &str, surplus: &[Self]) {
        let mut notes: Vec<&str> = Vec::new();
        let whole = if self.headline.chars().any(char::is_alphanumeric) { &self.headline } else { title };
        let headline = shorten(whole, HEADLINE.0 + 1, HEADLINE.1 + 8);
        if headline != *whole {
            notes.push(whole);
        }
        page.text_element("h2", "", &headline);
        page.line();
        if !self.points.is_empty() {
            page.element("ul", "", |page| {
                for point in &self.points {
                    page.element("li", "", |page| {
                        shown(page, &point.text, &mut notes);
                        if !point.below.is_empty() {
                            page.element("ul", "", |page| {
                                for text in &point.below {
                                    page.element("li", "", |page| shown(page, text, &mut notes));
                                }
                            });
                        }
                    });
                }
            });
            page.line();
        }
        for slide in surplus {
            notes.push(&slide.headline);
            notes.extend(
                slide
                    .points
                    .iter()
                    .flat_map(|point| std::iter::once(&point.text).chain(&point.below))
                    .map(String::as_str),
            );
        }
        write_notes(page, &notes);
    }
}

/// A point as it fits; noted whole where it does not.
fn shown<'t>(page: &mut Page, text: &'t str, notes: &mut Vec<&'t str>) {
    let short = shorten(text, POINT.0, POINT.1);
    page.text(&short);
    if short != text {
        notes.push(text);
    }
}

fn write_notes(page: &mut Page, notes: &[&str]) {
    if notes.is_empty() {
        return;
    }
    page.element("aside", "class=\"notes\"", |page| {
        let mut left = MAX_NOTES;
        for note in notes {
            let length = note.chars().take(left + 1).count();
            let text = shorten(note, usize::MAX, left);
            page.text_element("p", "", &text);
            left = left.saturating_sub(length);
            if left < 20 {
                return;
            }
        }
    });
    page.line();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(slides: Vec<Slide>) -> String {
        Deck { language: "en", direction: "ltr", slides }.write("Deck").0
    }

    #[test]
    fn what_does_not_fit_goes_on_or_stands_in_the_notes() {
        let many = Slide::new("Many", (0..16).map(|at| Point::of(&format!("point {at}"))).collect(), "/outline");
        let nested = Slide::new("Deep", vec![Point { text: "top".into(), below: vec!["low".into(); 10] }], "/outline");
        let long = Slide::new("Long", vec![Point::of(&"word ".repeat(60))], "/outline");
        let html = written(vec![many, nested, long]);
        for headline in
            ["<h2>Many</h2>", "<h2>Many (2)</h2>", "<h2>Many (3)</h2>", "<h2>Deep (2)</h2>", "<h2>Long</h2>"]
        {
            assert!(html.contains(headline), "{headline}: {html}");
        }
        assert_eq!(html.matches("low").count(), 10);
        assert!(html.contains(&format!("<aside class=\"notes\"><p>{}</p>", "word ".repeat(60))), "{html}");
    }

    #[test]
    fn a_deck_ends_somewhere() {
        let html = written((0..150).map(|at| Slide::new(&format!("h{at}"), Vec::new(), "/outline")).collect());
        assert_eq!(html.matches("<section").count(), MAX_SLIDES);
        assert!(html.contains("<p>h149</p>"));
    }
}
