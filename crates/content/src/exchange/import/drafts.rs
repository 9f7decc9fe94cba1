//! From what was found in an upload to what is stored of it: bodies as a client would send them, judged by the checks of
//! the operations that create.

use edge::problem::Problem;
use interchange::model::{CourseContent, Entry, Item, Link, ModuleContent, Passing, QuizItem, TestContent};
use interchange::{ImportError, Imported, Loss, Report};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::checks::{Body, accept};
use super::refusal;
use crate::courses::create::CreateCourseRequest;
use crate::exchange::MOST_TEXT_BYTES;
use crate::exchange::references::{self, is_link};
use crate::modules;
use crate::modules::create::CreateModuleRequest;
use crate::questions::HIGHEST_SEQUENCE;
use crate::resources::fields::LONGEST_TITLE;
use crate::tests::{self, WholeTest};

/// The type of a module that says nothing of its type: what came in is HTML.
const DEFAULT_TYPE: &str = "html";

/// What is stored of an upload; there is something.
pub(super) struct Draft {
    pub(super) course: Option<CourseDraft>,
    /// What stands by itself.
    pub(super) parts: Vec<Part>,
    pub(super) report: Report,
}

/// A course with its parts in order.
pub(super) struct CourseDraft {
    pub(super) course: CreateCourseRequest,
    pub(super) parts: Vec<Part>,
}

/// Something in a course, or by itself.
pub(super) enum Part {
    Module(CreateModuleRequest),
    Test(WholeTest),
}

impl Draft {
    /// Judges what was found. What the checks refuse is left out and noted.
    ///
    /// # Errors
    /// 400 when nothing is left, or when there is too much.
    pub(super) fn of(imported: Imported) -> Result<Self, Problem> {
        let Imported { tests, modules, mut courses, links, report } = imported;
        let mut judge = Judge { report, size_bytes: 0 };
        let mut entries: Vec<(String, Entry)> = Vec::new();
        let course = if courses.is_empty() { None } else { judge.course(courses.remove(0)) };
        for (number, course) in (2..).zip(courses) {
            judge.note(
                &format!("courses/{number}"),
                Loss::Structure,
                "A second course was dissolved; what is in it is kept.",
            );
            let place = |n: usize| format!("courses/{number}/contents/{n}");
            entries.extend((1..).zip(course.entries).map(|(n, entry)| (place(n), entry)));
        }
        entries.extend(placed("tests", tests).map(|(place, test)| (place, Entry::Test(test))));
        entries.extend(placed("modules", modules).map(|(place, module)| (place, Entry::Module(module))));
        entries.extend(placed("links", links).map(|(place, link)| (place, Entry::Link(link))));
        let parts: Vec<Part> = entries.into_iter().filter_map(|(place, entry)| judge.part(entry, &place)).collect();
        let Judge { report, size_bytes, .. } = judge;
        if size_bytes > MOST_TEXT_BYTES {
            let message = format!("too-much-text: The upload has more than {} MiB of text.", MOST_TEXT_BYTES >> 20);
            return Err(Problem::field("", &message));
        }
        if parts.is_empty() && course.is_none() {
            return Err(refusal(&ImportError::Nothing { report: Box::new(report) }));
        }
        Ok(Self { course, parts, report })
    }
}

fn placed<T>(kind: &'static str, all: Vec<T>) -> impl Iterator<Item = (String, T)> {
    (1..).zip(all).map(move |(number, one)| (format!("{kind}/{number}"), one))
}

/// Judges one thing after the other.
struct Judge {
    report: Report,
    /// How much text there was so far.
    size_bytes: usize,
}

impl Judge {
    /// The course with the parts that are kept; `None` when there are none.
    fn course(&mut self, course: CourseContent) -> Option<CourseDraft> {
        let mut entries = course.entries;
        let most = usize::try_from(modules::MOST_MODULES).unwrap_or(usize::MAX);
        if entries.len() > most {
            let message = format!("A course has at most {most} parts; {} were left out.", entries.len() - most);
            self.note("course", Loss::Structure, &message);
            entries.truncate(most);
        }
        let parts: Vec<Part> =
            placed("contents", entries).filter_map(|(place, entry)| self.part(entry, &place)).collect();
        if parts.is_empty() {
            return None;
        }
        let mut body = Map::new();
        body.insert("title".to_owned(), self.called(&course.title, "Untitled course", "course").into());
        add_texts(
            &mut body,
            [("description", course.description), ("level", course.level), ("language", course.language)],
        );
        let course = self.accept(Body::plain(body), "course")?;
        Some(CourseDraft { course, parts })
    }

    fn part(&mut self, entry: Entry, place: &str) -> Option<Part> {
        match entry {
            Entry::Module(module) => self.module(module, place).map(Part::Module),
            Entry::Test(test) => self.test(test, place).map(Part::Test),
            Entry::Link(link) => self.link(&link, place).map(Part::Module),
        }
    }

    fn module(&mut self, module: ModuleContent, place: &str) -> Option<CreateModuleRequest> {
        let ModuleContent { title, kind, description, language, html, mut quizzes, metadata } = module;
        quizzes.sort_by_key(|quiz| quiz.sequence);
        let kind = if kind.is_empty() { DEFAULT_TYPE.to_owned() } else { kind };
        let mut body = Map::new();
        body.insert("title".to_owned(), self.called(&title, "Untitled module", place).into());
        body.insert("content".to_owned(), html.into());
        body.insert("metadata".to_owned(), kernel::json::parse(metadata.as_bytes()).unwrap_or_else(|_| json!({})));
        add_texts(&mut body, [("description", description), ("type", kind), ("language", language)]);
        let quizzes = self.first(quizzes, modules::MOST_ITEMS, place);
        let is_numbered = are_numbers(&quizzes);
        let bodies = quizzes.iter().map(|quiz| quiz_body(quiz, is_numbered)).collect();
        let body = Body::with_items(body, "quizzes", bodies);
        self.accept(body, place)
    }

    fn test(&mut self, test: TestContent, place: &str) -> Option<WholeTest> {
        let TestContent { title, description, language, subject, level, time_limit_minutes, passing, items } = test;
        let mut body = Map::new();
        body.insert("name".to_owned(), self.called(&title, "Untitled test", place).into());
        body.insert("timeLimit".to_owned(), json!(time_limit_minutes));
        if let Some(passing) = passing {
            let (kind, value) = match passing {
                Passing::Percentage(value) => ("PERCENTAGE", value),
                Passing::Points(value) => ("POINTS", value),
            };
            body.insert("passingValueType".to_owned(), kind.into());
            body.insert("passingValue".to_owned(), json!(value));
        }
        let texts = [("description", description), ("language", language), ("subject", subject), ("level", level)];
        add_texts(&mut body, texts);
        let items = self.first(items, tests::MOST_ITEMS, place);
        let body = Body::with_items(body, "items", items.iter().map(item_body).collect());
        let test: WholeTest = self.accept(body, place)?;
        if !test.has_items() {
            self.note(place, Loss::Resource, "The test was left out: it has no question that could be kept.");
            return None;
        }
        Some(test)
    }

    /// A module that stands for the link.
    fn link(&mut self, link: &Link, place: &str) -> Option<CreateModuleRequest> {
        if !is_link(&link.url) {
            self.note(place, Loss::Link, "The link was left out: it is no address of a page, or too long a one.");
            return None;
        }
        let title = if link.title.trim().is_empty() { &link.url } else { &link.title };
        let stand = references::link(&link.url);
        let body = json!({
            "title": self.called(title, "Untitled link", place), "type": stand.kind, "content": stand.content,
            "metadata": stand.metadata,
        });
        let Value::Object(body) = body else { return None };
        self.accept(Body::plain(body), place)
    }

    fn accept<T: edge::body::Body<Context = ()>>(&mut self, body: Body, place: &str) -> Option<T> {
        self.size_bytes = self.size_bytes.saturating_add(body.size_bytes());
        accept(body, place, &mut self.report)
    }

    /// A title as the checks want it: on one line, not too long, and there.
    fn called(&mut self, title: &str, otherwise: &str, place: &str) -> String {
        let words: Vec<&str> =
            title.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
        let is_fit = title.chars().count() <= LONGEST_TITLE && !title.chars().any(char::is_control);
        if words.is_empty() {
            self.note(place, Loss::Metadata, &format!("There was no title; it was called “{otherwise}”."));
            return otherwise.to_owned();
        }
        if is_fit {
            return title.to_owned();
        }
        let joined = words.join(" ");
        let cut: String = joined.chars().take(LONGEST_TITLE).collect();
        if cut.len() < joined.len() {
            self.note(place, Loss::Metadata, &format!("The title was cut after {LONGEST_TITLE} characters."));
        }
        cut
    }

    /// As many questions as there may be.
    fn first<T>(&mut self, mut items: Vec<T>, most: usize, place: &str) -> Vec<T> {
        if items.len() > most {
            let message = format!("At most {most} questions are kept; {} were left out.", items.len() - most);
            self.note(place, Loss::Question, &message);
            items.truncate(most);
        }
        items
    }

    fn note(&mut self, place: &str, code: Loss, message: &str) {
        self.report.add(place, code, message);
    }
}

/// Texts that are absent when they say nothing.
fn add_texts<const N: usize>(body: &mut Map<String, Value>, texts: [(&str, String); N]) {
    let said = texts.into_iter().filter(|(_, text)| !text.is_empty());
    body.extend(said.map(|(name, text)| (name.to_owned(), text.into())));
}

fn item_body(item: &Item) -> Value {
    question_body(item, &item.id)
}

/// Whether quiz items in order have a number each that could be theirs.
fn are_numbers(quizzes: &[QuizItem]) -> bool {
    let is_within = quizzes.last().is_none_or(|last| i64::from(last.sequence) <= HIGHEST_SEQUENCE);
    is_within && quizzes.is_sorted_by(|one, next| one.sequence < next.sequence)
}

/// Without numbers, the order of the array counts.
fn quiz_body(quiz: &QuizItem, is_numbered: bool) -> Value {
    let mut body = question_body(quiz, &quiz.id);
    if let (false, Some(members)) = (is_numbered, body.as_object_mut()) {
        members.remove("sequence");
    }
    body
}

/// An id that says nothing is made anew.
fn question_body(question: &impl Serialize, id: &str) -> Value {
    let mut body = json!(question);
    if let (true, Some(members)) = (id.is_empty(), body.as_object_mut()) {
        members.remove("id");
    }
    body
}
