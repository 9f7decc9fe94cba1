//! A course: its parts in order.

use askama::Template;

use super::shell::Shell;
use crate::texts::fill;

/// A part of a course.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) description: String,
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
