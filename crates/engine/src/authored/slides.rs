//! A deck of slides: an outline, then the slides of its parts at once.

use std::collections::HashSet;

use language::normal::{normal, shorten};
use language::script::direction;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::brief::Brief;
use super::desk::{Assignment, Desk};
use super::ground::Ground;
use super::items::{excerpt_faults, given_of};
use super::outline::{self, Product};
use super::prompt;
use super::sources::Shown;
use super::wording::{self, line};
use crate::builtin::page::{Page, escaped};
use crate::drafts::{Citation, SlideDraft};
use crate::generator::GenerationError;
use crate::reading::markdown::inline;

/// Most parts of a deck, and slides of a part.
const MOST_PARTS: usize = 20;
const SLIDES: usize = 4;
/// Longest headline, point and notes, in characters, and most points of a slide; the gate allows a little more.
const HEADLINE: usize = 110;
const POINT: usize = 150;
const POINTS: usize = 7;
const NOTES: usize = 2_000;

const INSTRUCTIONS: &str = "\
Your part of the work is some slides of a deck that somebody will speak to.

- `slides`: 1 to 4. `headline`: what the slide says, in a few words; no two alike. `points`: 2 to 6 short points, no whole \
paragraphs. `notes`: what the speaker says to them, in whole sentences. `excerpts`: what the slide is made from.";

/// Slides to be written.
pub(super) struct Showing<'a>(pub(super) Brief<'a>);

/// Slides as a model writes them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Slides {
    pub(super) slides: Vec<Slide>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Slide {
    pub(super) headline: String,
    pub(super) points: Vec<String>,
    pub(super) notes: String,
    excerpts: Vec<u32>,
}

pub(super) async fn draft(desk: &Desk<'_>, ground: &Ground) -> Result<SlideDraft, GenerationError> {
    let sources = desk.sources;
    let outline = outline::plan(desk, ground, Product::Slides, MOST_PARTS).await?;
    let parts = outline::parts(sources, &outline.parts, MOST_PARTS);
    let plan: Vec<String> = parts.iter().map(|part| part.heading.clone()).collect();
    let characters = desk.limits.part_characters;
    let brief = |part| Brief::new((sources, ground), part, &plan, characters);
    let showing: Vec<Showing<'_>> = desk.compute(|| parts.iter().map(brief).map(Showing).collect());
    let slides: Vec<Slide> = desk.all(&showing).await?.into_iter().flat_map(|slides| slides.slides).collect();
    let cite = |(at, slide): (usize, &Slide)| Citation::new("slides", at, sources.pointers(&slide.excerpts));
    Ok(SlideDraft {
        title: outline.title,
        description: outline.description,
        language: sources.language.clone(),
        content_html: written(&slides, &sources.language),
        citations: slides.iter().enumerate().map(cite).collect(),
    })
}

pub(super) fn written(slides: &[Slide], language: &str) -> String {
    let attributes = format!("class=\"slide\" lang=\"{}\" dir=\"{}\"", escaped(language), direction(language));
    let mut page = Page::default();
    for slide in slides {
        page.element("section", &attributes, |page| {
            page.line();
            page.text_element("h2", "", &slide.headline);
            page.line();
            if !slide.points.is_empty() {
                page.element("ul", "", |page| {
                    slide.points.iter().for_each(|point| page.element("li", "", |page| page.passage(&inline(point))));
                });
                page.line();
            }
            if !slide.notes.is_empty() {
                page.element("aside", "class=\"notes\"", |page| page.text_element("p", "", &slide.notes));
                page.line();
            }
        });
        page.line();
    }
    page.finish()
}

impl Showing<'_> {
    fn slide_faults(&self, slide: &Slide) -> Vec<String> {
        let mut faults: Vec<String> = excerpt_faults(&slide.excerpts, self.0.given()).into_iter().collect();
        faults.extend(wording::length("`headline`", &slide.headline, HEADLINE));
        faults.extend(wording::entries("`points`", slide.points.len(), POINTS));
        faults.extend(slide.points.iter().take(POINTS).filter_map(|point| wording::length("a point", point, POINT)));
        faults.extend(wording::length("`notes`", &slide.notes, NOTES).filter(|_| !slide.notes.is_empty()));
        faults.extend(self.0.ground.inventions_in_heading(&slide.headline));
        let texts = slide.points.iter().chain([&slide.notes]);
        faults.extend(texts.flat_map(|text| self.0.ground.inventions(text)));
        faults
    }
}

impl Assignment for Showing<'_> {
    type Piece = Slides;
    const MOST_TOKENS: u32 = 4_000;

    fn name(&self) -> &'static str {
        "slides"
    }

    fn instructions(&self) -> String {
        INSTRUCTIONS.to_owned()
    }

    fn schema(&self) -> Value {
        let slide = prompt::object(json!({
            "headline": prompt::text("A few words."),
            "points": prompt::list(prompt::plain_text()),
            "notes": prompt::text("What the speaker says."),
            "excerpts": prompt::numbers(),
        }));
        prompt::object(json!({ "slides": prompt::list(slide) }))
    }

    fn material(&self) -> &Shown {
        &self.0.shown
    }

    fn shorter(&self) -> Self {
        Self(self.0.shorter())
    }

    fn task(&self) -> String {
        "Write the slides of the part that `part` names; `plan` lists the headings of all parts.".to_owned()
    }

    fn data(&self) -> Value {
        self.0.data("part")
    }

    fn fitted(&self, slides: Slides) -> Slides {
        let slide = |slide: Slide| Slide {
            headline: line(&slide.headline),
            points: slide.points.iter().map(|point| line(point)).filter(|point| !point.is_empty()).collect(),
            notes: line(&slide.notes),
            excerpts: slide.excerpts,
        };
        Slides { slides: slides.slides.into_iter().map(slide).collect() }
    }

    fn texts(&self, slides: &Slides) -> Vec<String> {
        let slides = slides.slides.iter();
        let said: Vec<&str> =
            slides.flat_map(|slide| slide.points.iter().chain([&slide.notes])).map(String::as_str).collect();
        vec![said.join(". ")]
    }

    fn faults(&self, slides: &Slides) -> Vec<String> {
        let mut faults = Vec::new();
        faults.extend(wording::entries("`slides`", slides.slides.len(), SLIDES));
        for (at, slide) in slides.slides.iter().enumerate().take(SLIDES) {
            faults.extend(self.slide_faults(slide).into_iter().map(|fault| format!("slides[{at}]: {fault}")));
        }
        faults.extend(outline::repeated("the headline", slides.slides.iter().map(|slide| slide.headline.as_str())));
        faults
    }

    fn mended(&self, slides: Slides) -> Option<(Slides, usize)> {
        let mut dropped = 0;
        let mut seen = HashSet::new();
        let mut mend = |mut slide: Slide| {
            let before = slide.points.len();
            slide.points.retain(|point| self.0.ground.inventions(point).is_empty());
            slide.points.truncate(POINTS);
            dropped += before - slide.points.len();
            slide.points.iter_mut().for_each(|point| *point = shorten(point, usize::MAX, POINT - 1));
            let (notes, sentences) = self.0.ground.without_inventions(&slide.notes);
            slide.notes = shorten(&notes, usize::MAX, NOTES - 1);
            dropped += sentences;
            slide.excerpts = given_of(slide.excerpts, self.0.given());
            let sound = self.slide_faults(&slide).is_empty() && seen.insert(normal(&slide.headline));
            dropped += usize::from(!sound);
            sound.then_some(slide)
        };
        let slides: Vec<Slide> = slides.slides.into_iter().take(SLIDES).filter_map(&mut mend).collect();
        (!slides.is_empty()).then_some((Slides { slides }, dropped))
    }
}
