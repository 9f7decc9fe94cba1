//! A course: its parts in order, and where one of them stands.

use askama::Template;

use super::shell::Shell;
use crate::texts::fill;

/// A part of a course.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) description: String,
}

/// A link to another page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) url: String,
    pub(crate) title: String,
}

/// Where a page stands in the course that it is read in.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    /// What the browser remembers as done.
    pub(crate) part_id: String,
    pub(crate) course: Link,
    /// “Part 2 of 5”.
    pub(crate) part: String,
    pub(crate) previous: Option<Link>,
    pub(crate) next: Option<Link>,
}

#[derive(Template)]
#[template(path = "course.html")]
pub(crate) struct CoursePage {
    pub(crate) shell: Shell,
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    pub(crate) description: String,
    /// In words; may be empty.
    pub(crate) level: String,
    pub(crate) parts: Vec<Part>,
}

impl CoursePage {
    pub(crate) fn new(shell: Shell, title: String, description: String, level: &str, parts: Vec<Part>) -> Self {
        let level = match level.trim() {
            "" => String::new(),
            level => fill(shell.texts.level, &[("level", level)]),
        };
        Self { kind: shell.texts.course, title, description, level, parts, shell }
    }
}
