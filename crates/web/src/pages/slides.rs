//! Slides: one below the other, and, with script, one at a time.

use askama::Template;

use super::Markup;
use super::shell::Shell;
use crate::texts::fill;

/// A slide on a page.
#[derive(Clone, Debug)]
pub(crate) struct SlideView {
    pub(crate) number: usize,
    /// “Slide 2 of 5”.
    pub(crate) label: String,
    /// Its headline; the label where it has none.
    pub(crate) title: String,
    pub(crate) content: Markup,
    pub(crate) notes: Markup,
}

#[derive(Template)]
#[template(path = "slides.html")]
pub(crate) struct SlidesPage {
    pub(crate) shell: Shell,
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) slides: Vec<SlideView>,
}

impl SlidesPage {
    pub(crate) fn new(shell: Shell, title: String, description: String, slides: Vec<markup::Slide>) -> Self {
        let total = slides.len().to_string();
        let regions = shell.texts.regions();
        let views = (1..).zip(slides).map(|(number, slide): (usize, _)| {
            let label = fill(shell.texts.slide, &[("n", &number.to_string()), ("total", &total)]);
            let title = if slide.title.is_empty() { label.clone() } else { slide.title };
            SlideView {
                number,
                label,
                title,
                content: Markup(slide.content.with_regions(&regions)),
                notes: Markup(slide.notes),
            }
        });
        Self { kind: shell.texts.slides, title, description, slides: views.collect(), shell }
    }
}
