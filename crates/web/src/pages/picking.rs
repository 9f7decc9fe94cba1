//! The page on which a teacher picks what a course links to, and the page that brings it to the platform.

use askama::Template;
use content::catalog::{self, Entry, Wanted};
use content::classrooms::Classroom;
use content::resources::Kind;
use lti::deep_linking::Settings;
use platform::lti::deep_linking::Answer;

use super::launch::shell;
use super::shell::{Shell, Site};
use crate::texts::Texts;

/// The list of what can be linked, as a form.
#[derive(Template)]
#[template(path = "picking.html")]
pub(crate) struct PickingPage {
    shell: Shell,
    title: &'static str,
    /// The course that the links are for; may be empty.
    course: String,
    words: String,
    classrooms: Vec<Choice>,
    kinds: Vec<Choice>,
    entries: Vec<Pickable>,
    /// One of them, or several.
    is_single: bool,
    /// Whether the platform makes columns of the gradebook.
    offers_columns: bool,
    is_cut: bool,
    /// Why the page is shown again; empty the first time.
    notice: &'static str,
}

/// What narrows the list.
pub(crate) struct Filter {
    pub(crate) wanted: Wanted,
    pub(crate) classrooms: Vec<Classroom>,
    /// There is more than is listed.
    pub(crate) is_cut: bool,
}

/// An option of a filter.
pub(crate) struct Choice {
    value: String,
    text: String,
    is_chosen: bool,
}

/// A resource that can be picked.
pub(crate) struct Pickable {
    /// The value of its form field.
    value: String,
    title: String,
    /// What it is, and where it lives.
    facts: String,
    is_picked: bool,
}

/// A form for the platform.
#[derive(Template)]
#[template(path = "picked.html")]
pub(crate) struct AnswerPage {
    shell: Shell,
    title: &'static str,
    url: String,
    token: String,
}

impl PickingPage {
    /// The page of a launch that asks for links.
    pub(crate) fn new(
        site: &Site,
        texts: &'static Texts,
        course: String,
        settings: &Settings,
        filter: Filter,
        entries: &[Entry],
    ) -> Self {
        let Filter { wanted, classrooms, is_cut } = filter;
        let classroom_of = |entry: &Entry| classrooms.iter().find(|classroom| classroom.id == entry.classroom_id);
        let pickable = |entry: &Entry| Pickable {
            value: format!("{}/{}", entry.kind.plural(), entry.id),
            title: entry.title.clone(),
            facts: [Some(kind_name(texts, entry.kind)), classroom_of(entry).map(|classroom| classroom.name.as_str())]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" · "),
            is_picked: false,
        };
        let kind = |kind: Kind| Choice {
            value: kind.plural().to_owned(),
            text: kind_name(texts, kind).to_owned(),
            is_chosen: wanted.kind == Some(kind),
        };
        let classroom = |classroom: &Classroom| Choice {
            value: classroom.id.to_string(),
            text: classroom.name.clone(),
            is_chosen: wanted.classroom == Some(classroom.id),
        };
        Self {
            shell: shell(site, texts),
            title: texts.pick,
            course,
            kinds: catalog::KINDS.into_iter().map(kind).collect(),
            classrooms: classrooms.iter().map(classroom).collect(),
            entries: entries.iter().map(pickable).collect(),
            is_single: !settings.accepts_several(),
            offers_columns: settings.accepts_line_items() && entries.iter().any(|entry| has_points(entry.kind)),
            words: wanted.words,
            is_cut,
            notice: "",
        }
    }

    /// The page once more, with the entries that were picked before.
    pub(crate) fn with_picks(mut self, picked: &[String], notice: &'static str) -> Self {
        for entry in &mut self.entries {
            entry.is_picked = picked.contains(&entry.value);
        }
        Self { notice, ..self }
    }
}

impl AnswerPage {
    /// The page that brings an answer to the platform.
    pub(crate) fn new(site: &Site, texts: &'static Texts, answer: &Answer) -> Self {
        Self {
            shell: shell(site, texts),
            title: texts.opening,
            url: answer.url.to_string(),
            token: answer.token.clone(),
        }
    }
}

/// Whether links of a kind may have a column of the gradebook.
fn has_points(kind: Kind) -> bool {
    matches!(kind, Kind::Test | Kind::Course)
}

fn kind_name(texts: &Texts, kind: Kind) -> &'static str {
    match kind {
        Kind::Module => texts.module,
        Kind::Course => texts.course,
        Kind::Video => texts.video,
        Kind::Slide => texts.slides,
        Kind::Test => texts.test,
    }
}
