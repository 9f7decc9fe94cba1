//! A deck of slides from an outline: a headline and a few short points each.
//!
//! An outline's line that says nothing further is filled from the material that has to do with it, else
//! it becomes a question to the audience. What is too long for a screen stands whole in the notes.

use std::collections::HashSet;

use language::normal::{normal, shorten};
use language::script::direction;
use language::sentences;
use language::{Cues, fill};

use crate::builtin::lesson::Lesson;
use crate::builtin::material::{Material, described, speakable, tidy};
use crate::drafts::{Citation, SlideDraft};
use crate::generator::GenerationError;
use crate::reading::outline::{self, Node};
use crate::reading::split_pair;
use crate::relevance::{Candidate, Index, Relevance};
use crate::request::SlideRequest;

use super::Requested;
use super::brief::{Brief, Tongue, subject, summary, title_of, topic_of};
use super::deck::{Deck, Point, Slide};
use super::sections::Sections;

/// Most sections of the material that slides are filled from, and most points of one of them.
const MAX_SECTIONS: usize = 24;
const MAX_FILLED: usize = 4;
/// Most lines below a line that share its slide.
const MAX_TOGETHER: usize = 7;
/// Most sections that an overview lists.
const MAX_OVERVIEW: usize = 6;
/// Longest sentence of the material that becomes a point, in words.
const MAX_SENTENCE: usize = 30;

/// Drafts the deck.
pub(super) fn draft(request: &SlideRequest) -> Result<Requested<SlideDraft>, GenerationError> {
    let tongue = Tongue::of(&request.language, &[&request.outline, &request.title, &request.description]);
    let brief = Brief::read(&request.outline, &tongue);
    let own = title_of(&request.title);
    let told = title_of(&summary(&request.description, &tongue).unwrap_or_default());
    let sought = format!("{own}\n{}\n{}", brief.title, brief.topics.join("\n"));
    let mut sections = Sections::read(&request.material, &[], &tongue);
    sections.keep_near(&sought, MAX_SECTIONS);
    let index = sections.index();
    let material = Material::assemble(&tongue.language, own.clone(), String::new(), sections.readings);
    let of_material = material.as_ref().map(|material| material.title.clone()).unwrap_or_default();
    let title = [own, brief.title.clone(), told, of_material].into_iter().find(|title| speakable(title));
    let title = title.ok_or_else(GenerationError::request_empty)?;
    let mut maker = Maker {
        tongue: &tongue,
        index: &index,
        material: material.as_ref(),
        slides: Vec::new(),
        told: HashSet::new(),
        untold: Vec::new(),
    };
    maker.note(&brief.nodes);
    maker.outline(&title, &brief.nodes);
    if maker.slides.is_empty() {
        maker.alone(&title, request);
    }
    maker.overview(&title, request);
    let deck = Deck { language: &tongue.language, direction: direction(&tongue.language), slides: maker.slides };
    let headlines: Vec<String> = deck.slides.iter().map(|slide| slide.headline.clone()).collect();
    let (content_html, pointers) = deck.write(&title);
    let description = summary(&request.description, &tongue).unwrap_or_else(|| {
        let template = tongue.phrases().deck_description;
        let topics = headlines.iter().map(String::as_str).filter(|headline| *headline != title);
        described(&tongue.spoken, template, &title, topics)
    });
    let citations = pointers.into_iter().enumerate();
    let citations = citations.map(|(at, pointers)| Citation::new("slides", at, pointers)).collect();
    let untold = maker.untold;
    let draft = SlideDraft { title, description, language: tongue.language, content_html, citations };
    Ok(Requested { draft, untold })
}

struct Maker<'m> {
    tongue: &'m Tongue,
    index: &'m Index,
    material: Option<&'m Material>,
    slides: Vec<Slide>,
    /// The sentences of the outline and of the slides so far, in normal form.
    told: HashSet<String>,
    /// The lines of which nothing is known.
    untold: Vec<String>,
}

impl Maker<'_> {
    /// Notes what the outline says itself.
    fn note(&mut self, nodes: &[Node]) {
        outline::each_node(nodes, &mut |node| {
            let sentences = sentences::split(&node.text, self.tongue.profile);
            self.told.extend(sentences.into_iter().map(normal));
        });
    }

    /// Slides for the lines of the outline, in order.
    fn outline(&mut self, title: &str, nodes: &[Node]) {
        let mut together: Vec<Point> = Vec::new();
        let bare = nodes.iter().filter(|node| !node.prose && node.below.is_empty()).count();
        // Very many bare lines are points; a slide for each would only be leafed through.
        let listed = bare > 24;
        for node in nodes {
            if listed && !node.prose && node.below.is_empty() {
                together.push(Point::of(&node.text));
                continue;
            }
            self.gathered(title, &mut together);
            if node.prose {
                self.prose(title, nodes.len(), &node.text);
            } else {
                self.section(title, node);
            }
        }
        self.gathered(title, &mut together);
    }

    fn gathered(&mut self, title: &str, points: &mut Vec<Point>) {
        if !points.is_empty() {
            self.slides.push(Slide::new(title, std::mem::take(points), "/outline"));
        }
    }

    /// A line with what stands below it: one slide, or one for each line that has more below it.
    fn section(&mut self, title: &str, node: &Node) {
        if node.below.is_empty() {
            return self.leaf(title, &node.text);
        }
        let together = node.below.iter().map(|child| 1 + child.below.len()).sum::<usize>() <= MAX_TOGETHER;
        let points = node.below.iter().flat_map(|child| {
            if child.prose {
                return self.sentences(&child.text);
            }
            let below = if together { child.below.iter().map(told).collect() } else { Vec::new() };
            vec![Point { text: child.text.clone(), below }]
        });
        let slide = Slide::new(&headline(&node.text), points.collect(), "/outline");
        self.slides.push(slide);
        if !together {
            for child in node.below.iter().filter(|child| !child.below.is_empty()) {
                self.section(title, child);
            }
        }
    }

    /// A line with nothing below it.
    fn leaf(&mut self, title: &str, text: &str) {
        let lower = normal(text);
        let general = |kind: fn(&Cues) -> &'static str| language::cues(kind).any(|headline| headline == lower);
        if general(|cues| cues.closings) && !self.slides.is_empty() {
            let points = self.slides.iter().map(|slide| Point::of(&slide.headline)).collect();
            return self.slides.push(Slide::new(text, points, "/outline"));
        }
        let pair = split_pair(text).filter(|(front, _)| !front.ends_with(char::is_numeric));
        if let Some((front, rest)) = pair {
            let parts = rest.split(['；', ';']).map(str::trim).filter(|part| speakable(part));
            return self.slides.push(Slide::new(&front, parts.map(Point::of).collect(), "/outline"));
        }
        let mut slide = Slide::new(&headline(text), Vec::new(), "/outline");
        // An introduction is to what the deck is about.
        let topic = if general(|cues| cues.openings) { title } else { text };
        self.fill_or_ask(&mut slide, topic);
        self.slides.push(slide);
    }

    fn fill_or_ask(&mut self, slide: &mut Slide, topic: &str) {
        self.fill(slide, topic);
        if slide.points.is_empty() {
            slide.points.push(Point::of(&self.question(topic)));
            self.untold.push(headline(topic));
        }
    }

    fn question(&self, text: &str) -> String {
        let topic = topic_of(text);
        if sentences::asks(&topic) {
            return tidy(&fill(self.tongue.phrases().ask_points, &[("topic", &topic)]));
        }
        fill(self.tongue.phrases().known_already, &[("topic", &topic)])
    }

    /// The sentences of a paragraph as points.
    fn prose(&mut self, title: &str, paragraphs: usize, text: &str) {
        let points = self.sentences(text);
        let headline = if paragraphs == 1 { title.to_owned() } else { subject(text, self.tongue) };
        self.slides.push(Slide::new(&headline, points, "/outline"));
    }

    fn sentences(&self, text: &str) -> Vec<Point> {
        sentences::split(text, self.tongue.profile).into_iter().map(Point::of).collect()
    }

    /// The sentences of the material that say most of a topic and stand on no slide yet, in the material's order.
    fn fill(&mut self, slide: &mut Slide, topic: &str) {
        let Some(material) = self.material else { return };
        for found in self.index.rank(topic).into_iter().take(2) {
            let Some(lesson) = material.lessons.get(found.index) else { continue };
            let best = self.fitting(lesson, topic, MAX_FILLED.saturating_sub(slide.points.len()));
            if !best.is_empty() {
                slide.pointers.push(lesson.reading.pointer.written());
                slide.points.extend(best.into_iter().map(|at| Point::of(&lesson.sentences[at].text)));
            }
        }
    }

    /// At most `most` sentences of a lesson: those that matter most to it where its title names the topic, else those
    /// that name the topic themselves.
    fn fitting(&mut self, lesson: &Lesson, topic: &str, most: usize) -> Vec<usize> {
        let usable = |at: &usize| {
            let sentence = &lesson.sentences[*at];
            sentence.standalone && sentence.words <= MAX_SENTENCE && !self.told.contains(&normal(&sentence.text))
        };
        let usable: Vec<usize> = (0..lesson.sentences.len()).filter(usable).collect();
        let titled = [Candidate { title: &lesson.title, ..Candidate::default() }];
        let mut best = if self.rank(topic, &titled).is_empty() {
            let texts: Vec<Candidate<'_>> = usable
                .iter()
                .map(|at| Candidate { title: &lesson.sentences[*at].text, ..Candidate::default() })
                .collect();
            self.rank(topic, &texts).into_iter().map(|found| usable[found.index]).collect()
        } else {
            let mut usable = usable;
            usable.sort_by(|left, right| lesson.sentences[*right].score.total_cmp(&lesson.sentences[*left].score));
            usable
        };
        best.truncate(most);
        best.sort_unstable();
        best.retain(|at| self.told.insert(normal(&lesson.sentences[*at].text)));
        best
    }

    fn rank(&self, topic: &str, candidates: &[Candidate<'_>]) -> Vec<Relevance> {
        Index::new(candidates, self.tongue.profile).rank(topic)
    }

    /// A deck whose outline says nothing further: its title, filled.
    fn alone(&mut self, title: &str, request: &SlideRequest) {
        let prompts =
            [("/outline", &request.outline), ("/title", &request.title), ("/description", &request.description)];
        let named = prompts.iter().find(|(_, text)| speakable(text)).map(|(name, _)| *name);
        let Some(name) = named else {
            return self.sections(title);
        };
        let mut slide = Slide::new(title, Vec::new(), name);
        self.fill_or_ask(&mut slide, title);
        self.slides.push(slide);
    }

    /// A slide for each section of the material that says something new.
    fn sections(&mut self, title: &str) {
        let lessons = self.material.map_or(&[][..], |material| &material.lessons);
        for lesson in lessons {
            let new = lesson.sentences.iter().filter(|sentence| self.told.insert(normal(&sentence.text)));
            let points: Vec<Point> = new.take(MAX_FILLED).map(|sentence| Point::of(&sentence.text)).collect();
            if points.is_empty() {
                continue;
            }
            let headline = if lesson.named { &lesson.title } else { title };
            self.slides.push(Slide::new(headline, points, &lesson.reading.pointer.written()));
        }
        if let Some(first) = lessons.first().filter(|_| self.slides.is_empty()) {
            let points = vec![Point::of(&self.question(title))];
            self.slides.push(Slide::new(title, points, &first.reading.pointer.written()));
        }
    }

    /// Opens the deck with its title, what it is about and what comes.
    fn overview(&mut self, title: &str, request: &SlideRequest) {
        let headed = self.slides.first().is_none_or(|first| normal(&first.headline) == normal(title));
        if self.slides.len() < 2 || headed {
            return;
        }
        let mut points: Vec<Point> = Vec::new();
        let mut pointers = Vec::new();
        if let Some(told) = summary(&request.description, self.tongue) {
            points.push(Point::of(&told));
            pointers.push("/description".to_owned());
        }
        let headlines: Vec<String> = self.slides.iter().map(|slide| slide.headline.clone()).collect();
        if headlines.len() <= MAX_OVERVIEW {
            points.extend(headlines.iter().map(|headline| Point::of(headline)));
        }
        if speakable(&request.title) {
            pointers.push("/title".to_owned());
        }
        if pointers.is_empty() {
            pointers.extend(self.slides[0].pointers.first().cloned());
        }
        if !points.is_empty() {
            let mut opening = Slide::new(title, points, "");
            opening.pointers = pointers;
            self.slides.insert(0, opening);
        }
    }
}

/// A line as a headline: without what closes it.
fn headline(text: &str) -> String {
    text.trim_end_matches([':', '：', '.', '。', '।']).trim().to_owned()
}

/// A line with all that stands below it, on one line.
fn told(node: &Node) -> String {
    let mut text = node.text.clone();
    if !node.below.is_empty() {
        let below: Vec<String> = node.below.iter().map(told).collect();
        text = format!("{}: {}", text.trim_end_matches([':', '：']), below.join("; "));
    }
    shorten(&text, 4_000, 16_000)
}
