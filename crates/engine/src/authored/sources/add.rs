//! How a level's lessons, a request's prompts and its modules become excerpts.
//!
//! Every field of a lesson becomes excerpts, also what a reader would pass over as bookkeeping: the contract says that a model is
//! given all of them. Whether there is anything to teach is decided by what is read in the lesson (`crate::reading`).

use std::sync::Mutex;

use serde_json::Value;

use super::pieces::{pieces, text_of};
use super::{Excerpt, Field, Lesson, Sources, Wish};
use crate::authored::plain::{LONGEST, cut, plain};
use crate::generator::GenerationError;
use crate::phrases;
use crate::reading::blocks::LessonReading;
use crate::reading::inline::squeeze;
use crate::reading::pointer::Pointer;
use crate::reading::{modules, read_lessons, read_text};
use crate::request::SourceModule;
use crate::source::{DEFAULT_CATEGORY_TITLE, SourceLesson, SourceLevel};

/// Most excerpts; what comes after them is left out.
const MOST_EXCERPTS: usize = 4_000;
/// Most lessons that an outline is made from.
const MOST_LESSONS: usize = 200;
/// A request with fewer words than this, and without material, names a topic and teaches nothing.
const TEACHES: usize = 80;

/// A lesson that is being added.
struct Begun {
    lesson: usize,
    pieces_before: usize,
}

impl Sources {
    /// The material of a level.
    pub(in crate::authored) fn of_level(level: &SourceLevel) -> Result<Self, GenerationError> {
        let title = level.level_title.as_deref().map(squeeze).unwrap_or_default();
        let category = Some(squeeze(&level.category_title)).filter(|title| title != DEFAULT_CATEGORY_TITLE);
        let mut sources = Self::empty(&level.language, title, category.unwrap_or_default());
        let readings = read_lessons(level, sources.spoken.phrases);
        for (lesson, reading) in level.lessons.iter().zip(&readings) {
            sources.add_lesson(lesson, reading);
        }
        let teaches = sources.lessons.iter().any(|lesson| lesson.teaches);
        if teaches { Ok(sources) } else { Err(GenerationError::source_empty()) }
    }

    /// The material of a request: what is asked for, then the modules. `language` is not blank.
    pub(in crate::authored) fn of_request(
        language: &str,
        title: &str,
        wishes: &[Wish<'_>],
        modules: &[SourceModule],
    ) -> Result<Self, GenerationError> {
        let mut sources = Self::empty(language, squeeze(title), String::new());
        for wish in wishes {
            sources.wish(wish);
        }
        let words = sources.words();
        let phrases = sources.spoken.phrases;
        for reading in modules.iter().flat_map(|module| modules::read(module, phrases)) {
            sources.add_section(&reading);
        }
        let has_material = sources.lessons.iter().any(|lesson| !lesson.is_wish);
        sources.names_only_a_topic = !has_material && words < TEACHES;
        if sources.excerpts.is_empty() { Err(GenerationError::request_empty()) } else { Ok(sources) }
    }

    fn empty(language: &str, title: String, category: String) -> Self {
        let language = Some(squeeze(language)).filter(|tag| !tag.is_empty()).unwrap_or_else(|| "en".to_owned());
        Self {
            spoken: phrases::for_language(&language),
            language,
            title,
            category,
            names_only_a_topic: false,
            lessons: Vec::new(),
            excerpts: Vec::new(),
            read_as: Vec::new(),
            surplus: Vec::new(),
            read: Mutex::default(),
        }
    }

    /// Adds a lesson of a level: its fields as JSON, or its text where it is a string.
    fn add_lesson(&mut self, lesson: &SourceLesson, reading: &LessonReading) {
        let title = reading.title.clone().unwrap_or_default();
        let teaches = !reading.blocks.is_empty() || title.chars().any(char::is_alphanumeric);
        let kind = Some(reading.kind.clone());
        let begun = self.begin(Lesson { title: title.clone(), kind, is_wish: false, teaches });
        self.read_as.extend(reading.blocks.iter().map(|block| plain(&block.body)));
        for field in &lesson.fields {
            match &field.value {
                Value::String(text) if field.pointer == lesson.pointer => {
                    self.push_text(begun.lesson, text, &lesson.pointer);
                }
                value => {
                    for piece in pieces(value, &Pointer::root(&field.pointer)) {
                        let length = piece.value.to_string().chars().count();
                        let text = text_of(&piece.value);
                        let field = Field { name: field.name.clone(), value: piece.value, length };
                        self.push(Excerpt { lesson: begun.lesson, pointer: piece.pointer, text, field: Some(field) });
                    }
                }
            }
        }
        self.end(&begun, || (title, lesson.pointer.clone()));
    }

    /// Adds a section of a module.
    fn add_section(&mut self, reading: &LessonReading) {
        let title = reading.title.clone().unwrap_or_default();
        let begun = self.begin(Lesson { title: title.clone(), kind: None, is_wish: false, teaches: true });
        for block in &reading.blocks {
            self.add_text(begun.lesson, plain(&block.body), &block.pointer.written());
        }
        self.end(&begun, || (title, reading.pointer.written()));
    }

    fn wish(&mut self, wish: &Wish<'_>) {
        let title = wish.pointer[1..].to_owned();
        let begun = self.begin(Lesson { title, kind: None, is_wish: true, teaches: true });
        for block in read_text(wish.text, &Pointer::root(wish.pointer), 1) {
            self.add_text(begun.lesson, plain(&block.body), wish.pointer);
        }
        self.end(&begun, Default::default);
    }

    fn begin(&mut self, lesson: Lesson) -> Begun {
        self.lessons.push(lesson);
        Begun { lesson: self.lessons.len() - 1, pieces_before: self.pieces() }
    }

    /// Ends a lesson. One that is only a title still says what it is about; one without that is none.
    fn end(&mut self, begun: &Begun, title: impl FnOnce() -> (String, String)) {
        if self.pieces() == begun.pieces_before {
            let (title, pointer) = title();
            self.add_text(begun.lesson, title, &pointer);
        }
        if self.excerpts.last().is_none_or(|last| last.lesson != begun.lesson) {
            self.lessons.truncate(begun.lesson);
        }
    }

    /// How many pieces there were, those that came after the last excerpt included.
    fn pieces(&self) -> usize {
        self.excerpts.len() + self.surplus.len()
    }

    fn add_text(&mut self, lesson: usize, text: String, pointer: &str) {
        self.push_text(lesson, &text, pointer);
        self.read_as.push(text);
    }

    /// Adds a text in pieces; neighbours from one place share an excerpt as long as it stays short.
    fn push_text(&mut self, lesson: usize, text: &str, pointer: &str) {
        for piece in cut(text) {
            match self.excerpts.last_mut() {
                Some(last)
                    if last.lesson == lesson
                        && last.pointer == pointer
                        && last.text.chars().count() + piece.chars().count() < LONGEST =>
                {
                    last.text.push('\n');
                    last.text.push_str(piece);
                }
                _ => self.push(Excerpt { lesson, pointer: pointer.to_owned(), text: piece.to_owned(), field: None }),
            }
        }
    }

    fn push(&mut self, excerpt: Excerpt) {
        if self.excerpts.len() < MOST_EXCERPTS && excerpt.lesson < MOST_LESSONS {
            self.excerpts.push(excerpt);
        } else {
            self.surplus.push(excerpt.pointer);
        }
    }
}
