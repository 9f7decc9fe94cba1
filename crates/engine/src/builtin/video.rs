//! The summary video: an opening, the lessons' main points to be spoken, a closing.
//!
//! A short lesson is told whole. Of a long one the sentences that carry most are told, in source
//! order, and never one that leans on a sentence left out.

use language::fill;
use language::normal::{mentions, normal, shorten};
use language::sentences::append;

use crate::drafts::{Citation, SceneDraft, VideoDraft};
use crate::phrases::Phrases;
use crate::reading::blocks::{Block, Body, Item, Row, Table};
use crate::reading::flat::labelled;
use crate::reading::pointer::Pointer;

use super::lesson::{Lesson, Sentence};
use super::material::{Material, tidy};
use super::speech;

/// Longest scene, in seconds.
const MAX_SCENE: f64 = 45.0;
/// Scenes of this length are aimed at, in seconds.
const FULL_SCENE: f64 = 36.0;
/// What is shorter joins the scene before it, in seconds.
const SHORT_SCENE: f64 = 8.0;
/// What is told of a lesson, in seconds; less each when there are many.
const LESSON_SECONDS: f64 = 75.0;
const LESSON_SECONDS_OF_MANY: f64 = 40.0;
/// More lessons than this are many.
const MANY: usize = 10;
/// Most entries of a list, table or conversation that are told.
const MAX_ENTRIES: usize = 8;
/// Most words and characters of one sentence that are told.
const MAX_SENTENCE: (usize, usize) = (120, 700);
/// Words and characters on a scene.
const DISPLAY: (usize, usize) = (11, 70);

/// Something to say, and where it came from.
struct Line {
    text: String,
    pointer: Pointer,
}

/// Drafts the video of a level.
pub(super) fn draft(material: &Material) -> VideoDraft {
    let phrases = material.phrases();
    let mut film = Film::default();
    film.opening(material);
    for at in 0..material.lessons.len() {
        film.lesson(material, at);
    }
    film.closing(material);
    let sum: f64 = film.scenes.iter().map(|scene| scene.duration_seconds).sum();
    VideoDraft {
        title: fill(phrases.video_title, &[("title", &material.title)]),
        description: material.description(phrases.video_description),
        language: material.language.clone(),
        aspect_ratio: "16:9".to_owned(),
        target_duration_seconds: sum.round() as u32,
        scenes: film.scenes,
        citations: film.citations,
    }
}

#[derive(Default)]
struct Film {
    scenes: Vec<SceneDraft>,
    citations: Vec<Citation>,
}

impl Film {
    fn scene(&mut self, script: String, display: &str, pointers: Vec<String>) {
        let display_text = shorten(&plain_display(display), DISPLAY.0, DISPLAY.1);
        self.citations.push(Citation::new("scenes", self.scenes.len(), pointers));
        self.scenes.push(SceneDraft { duration_seconds: speech::duration(&script), script, display_text });
    }

    fn opening(&mut self, material: &Material) {
        let phrases = material.phrases();
        let mut script = sentence(phrases.video_welcome, "title", &material.title, phrases);
        let mut topics: Vec<&str> = material.lessons.iter().map(|lesson| lesson.short.as_str()).collect();
        topics.dedup();
        topics.truncate(6);
        if topics.len() > 1 {
            append(&mut script, &sentence(phrases.video_topics, "topics", &phrases.join(&topics), phrases));
        }
        self.scene(script, &material.title, cited(material, 6));
    }

    fn closing(&mut self, material: &Material) {
        let phrases = material.phrases();
        let mut script = sentence(phrases.video_closing, "title", &material.title, phrases);
        let mut terms: Vec<&str> = material
            .lessons
            .iter()
            .filter_map(|lesson| lesson.definitions.first())
            .map(|definition| definition.term.as_str())
            .collect();
        terms.retain(|term| term.chars().count() <= 40);
        terms.truncate(6);
        if terms.len() > 1 {
            append(&mut script, &sentence(phrases.video_remember, "terms", &phrases.join(&terms), phrases));
        }
        append(&mut script, phrases.video_practice);
        self.scene(script, phrases.recap, cited(material, 6));
    }

    fn lesson(&mut self, material: &Material, at: usize) {
        let phrases = material.phrases();
        let lesson = &material.lessons[at];
        let mut pointers = vec![lesson.reading.pointer.written()];
        let mut display = lesson.short.clone();
        let limit = if material.lessons.len() > MANY { LESSON_SECONDS_OF_MANY } else { LESSON_SECONDS };
        let lines = lines(lesson, limit, phrases);
        let mut script = String::new();
        // A heading that is the lesson's first sentence, or was said in the welcome, is not said twice.
        if lesson.named && lesson.title != material.title || lines.is_empty() {
            let template = if at == 0 { phrases.video_first } else { phrases.video_next };
            script = sentence(template, "title", &lesson.short, phrases);
        }
        let mut left: f64 = lines.iter().map(|line| speech::seconds(&line.text)).sum();
        let full = even_length(speech::seconds(&script) + left);
        for line in lines {
            for part in speech::split(&line.text, MAX_SCENE - 5.0) {
                let together = speech::seconds(&script) + speech::seconds(&part);
                if together > MAX_SCENE || speech::seconds(&script) >= full && left > SHORT_SCENE {
                    self.scene(std::mem::take(&mut script), &display, std::mem::take(&mut pointers));
                    display = display_of(&part, lesson);
                }
                left -= speech::seconds(&part);
                append(&mut script, &part);
                let pointer = line.pointer.written();
                if !pointers.contains(&pointer) && pointers.len() < 12 {
                    pointers.push(pointer);
                }
            }
        }
        self.scene(script, &display, pointers);
    }
}

/// How long each scene of a lesson should be, so that none is left with a single sentence.
fn even_length(total: f64) -> f64 {
    let scenes = (total / FULL_SCENE).ceil().max(1.0);
    if scenes > 1.0 { total / scenes * 0.92 } else { MAX_SCENE }
}

fn cited(material: &Material, most: usize) -> Vec<String> {
    material.lessons.iter().take(most).map(|lesson| lesson.reading.pointer.written()).collect()
}

fn sentence(template: &str, name: &str, value: &str, phrases: &Phrases) -> String {
    speech::spoken(&tidy(&fill(template, &[(name, value)])), phrases)
}

/// Short words for the screen: terms that the part speaks of, or its beginning.
fn display_of(part: &str, lesson: &Lesson) -> String {
    let said = normal(part);
    let mut terms: Vec<&str> = Vec::new();
    for term in &lesson.terms {
        let overlaps = terms.iter().any(|taken| {
            mentions(&normal(taken), &normal(&term.text)) || mentions(&normal(&term.text), &normal(taken))
        });
        if terms.len() < 3 && !overlaps && term.text.chars().count() <= 24 && mentions(&said, &normal(&term.text)) {
            terms.push(&term.text);
        }
    }
    match terms[..] {
        [] => lesson.short.clone(),
        _ => crate::reading::names::capitalise(&terms.join(" · ")),
    }
}

/// Nothing on the screen may look like markup.
fn plain_display(text: &str) -> String {
    text.chars().filter(|character| !matches!(character, '<' | '>')).collect::<String>().trim().to_owned()
}

/// What is told of a lesson, in source order, within the limit.
fn lines(lesson: &Lesson, limit: f64, phrases: &Phrases) -> Vec<Line> {
    let chosen = summary(&lesson.sentences, limit);
    let mut lines: Vec<Line> = Vec::new();
    let mut rest = &chosen[..];
    let mut heading: Option<&str> = None;
    let mut spent: f64 = 0.0;
    let prose: f64 = chosen.iter().map(|at| speech::seconds(&lesson.sentences[*at].text)).sum();
    for (at, block) in lesson.reading.blocks.iter().enumerate() {
        let mut say = |text: &str, pointer: &Pointer, counts: bool| {
            let text = speech::spoken(text, phrases);
            let seconds = speech::seconds(&text);
            let room = !counts || spent + seconds <= (limit - prose).max(limit / 2.0);
            if !text.is_empty() && room {
                spent += if counts { seconds } else { 0.0 };
                lines.push(Line { text, pointer: pointer.clone() });
            }
        };
        // Sentences come in the order of their blocks, so each is looked at once.
        let told = rest.iter().take_while(|index| lesson.sentences[**index].block == at).count();
        let (here, later) = rest.split_at(told);
        rest = later;
        if !here.is_empty() {
            for sentence in here.iter().map(|index| &lesson.sentences[*index]) {
                say(&shorten(&sentence.text, MAX_SENTENCE.0, MAX_SENTENCE.1), &sentence.pointer, false);
            }
        } else {
            for (text, pointer) in told_block(block, heading, phrases) {
                say(&crate::reading::names::capitalise(&text), &pointer, true);
            }
        }
        heading = if let Body::Heading { text, .. } = &block.body { Some(text) } else { None };
    }
    if lines.is_empty() {
        lines.extend(beginning(lesson, phrases));
    }
    lines
}

/// Something of a lesson whose texts are no sentences and whose blocks had no room.
fn beginning(lesson: &Lesson, phrases: &Phrases) -> Option<Line> {
    let block = lesson
        .reading
        .blocks
        .iter()
        .find(|block| !matches!(block.body, Body::Heading { .. } | Body::Code(_) | Body::Formula(_)))?;
    let mut first = String::new();
    crate::reading::flat::each_text(&block.body, &mut |text| {
        if first.is_empty() {
            first = shorten(text, 60, 300);
        }
    });
    let text = speech::spoken(&first, phrases);
    (!text.is_empty()).then(|| Line { text, pointer: block.pointer.clone() })
}

/// All sentences of a short lesson; of a long one those with the highest score that fit.
fn summary(sentences: &[Sentence], limit: f64) -> Vec<usize> {
    let total: f64 = sentences.iter().map(|sentence| speech::seconds(&sentence.text)).sum();
    if total <= limit * 1.2 {
        return (0..sentences.len()).collect();
    }
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    order.sort_by(|left, right| sentences[*right].score.total_cmp(&sentences[*left].score));
    let mut taken = vec![false; sentences.len()];
    let mut spent = 0.0;
    for at in order {
        let leans = !sentences[at].standalone && (at == 0 || !taken[at - 1]) && at > 0;
        let seconds = speech::seconds(&sentences[at].text);
        if !leans && spent + seconds <= limit {
            taken[at] = true;
            spent += seconds;
        }
    }
    if spent == 0.0 && !taken.is_empty() {
        taken[0] = true;
    }
    (0..sentences.len()).filter(|at| taken[*at]).collect()
}

/// A block that is no prose, put into sentences.
fn told_block(block: &Block, heading: Option<&str>, phrases: &Phrases) -> Vec<(String, Pointer)> {
    match &block.body {
        Body::List { steps: true, items } => steps(items, phrases),
        Body::List { items, .. } => {
            let texts: Vec<&str> = items
                .iter()
                .filter(|item| item.level == 0)
                .take(MAX_ENTRIES)
                .map(|item| item.text.text.trim_end_matches(['.', ';', ',']))
                .collect();
            vec![(labelled(heading.unwrap_or_default(), &phrases.join(&texts)), block.pointer.clone())]
        }
        Body::Table(table) => rows(table, phrases),
        Body::Definitions(pairs) => pairs
            .iter()
            .take(MAX_ENTRIES)
            .map(|pair| (labelled(&pair.term, &pair.definition), pair.pointer.clone()))
            .collect(),
        Body::Timeline(events) => events
            .iter()
            .take(MAX_ENTRIES)
            .map(|event| (labelled(&event.when, &event.what), event.pointer.clone()))
            .collect(),
        Body::Dialogue(turns) => turns
            .iter()
            .take(MAX_ENTRIES)
            .map(|turn| (labelled(&turn.speaker, &turn.line), turn.pointer.clone()))
            .collect(),
        Body::Questions(questions) => {
            questions.iter().take(3).map(|question| (question.question.clone(), question.pointer.clone())).collect()
        }
        Body::Facts(facts) => {
            let told: Vec<String> = facts
                .iter()
                .filter(|fact| !fact.technical)
                .take(MAX_ENTRIES)
                .map(|fact| format!("{} {}", fact.label, fact.value))
                .collect();
            let text = if told.is_empty() {
                String::new()
            } else {
                labelled(heading.unwrap_or_default(), &told.join(comma(phrases)))
            };
            vec![(text, block.pointer.clone())]
        }
        Body::Example(example) => {
            let said = [Some(&example.problem), example.result.as_ref()].into_iter().flatten();
            said.map(|passage| (passage.text.clone(), block.pointer.clone())).collect()
        }
        Body::Quotation(quotation) => {
            quotation.paragraphs.iter().map(|passage| (passage.text.clone(), block.pointer.clone())).collect()
        }
        Body::Paragraph(_) | Body::Heading { .. } | Body::Code(_) | Body::Formula(_) | Body::Picture(_) => Vec::new(),
    }
}

fn steps(items: &[Item], phrases: &Phrases) -> Vec<(String, Pointer)> {
    let top = items.iter().filter(|item| item.level == 0).take(MAX_ENTRIES * 2).enumerate();
    top.map(|(at, item)| {
        (labelled(&fill(phrases.step_n, &[("n", &(at + 1).to_string())]), &item.text.text), item.pointer.clone())
    })
    .collect()
}

fn comma(phrases: &Phrases) -> &'static str {
    if phrases.list_comma == "、" { "，" } else { phrases.list_comma }
}

/// "Helium: symbol He, atomic number 2."
fn rows(table: &Table, phrases: &Phrases) -> Vec<(String, Pointer)> {
    let tell = |row: &Row| {
        let cells = row
            .cells
            .iter()
            .enumerate()
            .skip(1)
            .take(4)
            .filter(|(_, cell)| !cell.is_empty() && !crate::reading::is_address(cell));
        let named = |at: usize| table.columns.get(at).filter(|_| table.columns.len() > 2);
        let told: Vec<String> = cells
            .map(|(at, cell)| named(at).map_or_else(|| cell.clone(), |column| format!("{column} {cell}")))
            .collect();
        (labelled(row.cells.first().map_or("", String::as_str), &told.join(comma(phrases))), row.pointer.clone())
    };
    table.rows.iter().take(6).map(tell).collect()
}
