//! From rows to what is exchanged. What the exchange has no place for is noted.

use std::collections::HashMap;

use edge::problem::Problem;
use interchange::model::{CourseContent, Entry, Link, ModuleContent, Passing, TestContent};
use interchange::{Loss, Report};
use kernel::id::{ClassroomId, ModuleId, OrganizationId, TestId};
use kernel::json::JsonText;
use serde::de::DeserializeOwned;
use store::{Statement, Tx};

use crate::courses::Course;
use crate::exchange::MOST_TEXT_BYTES;
use crate::exchange::references::{Reference, is_bare, reference_of, stands_for_something};
use crate::links::Links;
use crate::modules::Module;
use crate::resources::{self, Resource, Status};
use crate::tests::{PassingValueType, Test, TestItem};

/// Resources that are read at a time, between two looks at how much text there is.
const READ_AT_ONCE: usize = 50;

/// What goes out.
pub(super) struct Outgoing<T> {
    pub(super) what: T,
    pub(super) title: String,
    pub(super) version: i64,
    /// What the exchange has no place for, whatever the format.
    pub(super) report: Report,
}

/// A test.
pub(super) fn test(test: Test) -> Result<Outgoing<TestContent>, Problem> {
    check_made(test.status, "The test is still being generated.")?;
    let mut report = Report::default();
    let what = test_content(&test, "test", &mut report)?;
    Ok(Outgoing { what, title: test.name, version: test.version, report })
}

/// A module.
pub(super) fn module(module: Module) -> Result<Outgoing<ModuleContent>, Problem> {
    check_made(module.status, "The module is still being generated.")?;
    let (title, version) = (module.title.clone(), module.version);
    Ok(Outgoing { what: module_content(module)?, title, version, report: Report::default() })
}

/// A course with all its parts.
pub(super) fn course(tx: &mut Tx<'_>, links: &Links, course: Course) -> Result<Outgoing<CourseContent>, Problem> {
    let (organization, classroom) = (course.organization_id, course.classroom_id);
    check_made(course.status, "The course is still being generated.")?;
    let mut shelf = Shelf { tx, links, organization, classroom, remaining_bytes: MOST_TEXT_BYTES };
    let ids: Vec<ModuleId> = course.contents.iter().map(|entry| entry.id).collect();
    let modules: Vec<Module> = shelf.take(&ids, |module: &Module| {
        module.content.len() + module.quizzes.as_str().len() + module.description.len() + module.metadata.as_str().len()
    })?;
    let tests: Vec<TestId> = modules
        .iter()
        .filter_map(|module| match reference_of(module) {
            Some(Reference::Test(id)) => Some(id),
            _ => None,
        })
        .collect();
    let tests = shelf.take(&tests, |test: &Test| test.items.as_str().len() + test.description.len())?;
    let tests: HashMap<TestId, Test> = tests.into_iter().map(|test| (test.id, test)).collect();
    let mut report = Report::default();
    note_metadata(&course.metadata, "course", &mut report);
    let mut entries = Vec::new();
    for (number, module) in (1..).zip(modules) {
        add_entries(module, &tests, &format!("contents/{number}"), &mut entries, &mut report)?;
    }
    let what = CourseContent {
        title: course.title.clone(),
        description: course.description,
        level: course.level.unwrap_or_default(),
        language: course.language,
        entries,
    };
    Ok(Outgoing { what, title: course.title, version: course.version, report })
}

/// Adds what a module of a course is: itself, or what it stands for.
fn add_entries(
    module: Module,
    tests: &HashMap<TestId, Test>,
    place: &str,
    entries: &mut Vec<Entry>,
    report: &mut Report,
) -> Result<(), Problem> {
    check_made(module.status, "A module of the course is still being generated.")?;
    let reference = reference_of(&module);
    let found = match &reference {
        Some(Reference::Test(id)) => tests.get(id),
        _ => None,
    };
    let stands = matches!(reference, Some(Reference::Link(_))) || found.is_some();
    let stands_alone = stands && is_bare(&module);
    let stands_for_nothing_known = reference.is_none() && stands_for_something(&module);
    let title = module.title.clone();
    if !stands_alone {
        entries.push(Entry::Module(module_content(module)?));
    }
    match reference {
        Some(Reference::Link(url)) if stands_alone => {
            entries.push(Entry::Link(Link { title, url }));
        }
        Some(Reference::Test(_)) => match found {
            Some(test) => {
                check_made(test.status, "A test of the course is still being generated.")?;
                if stands_alone && title != test.name {
                    let message = format!("The title “{title}” was left out: the part is called as its test is.");
                    report.add(place, Loss::Metadata, message);
                }
                entries.push(Entry::Test(test_content(test, place, report)?));
            }
            None => {
                report.add(place, Loss::Resource, "The classroom does not have the test that the module stands for.");
            }
        },
        Some(Reference::Link(_)) => {}
        None if stands_for_nothing_known => {
            report.add(place, Loss::Resource, "The module's metadata names nothing that it could stand for.");
        }
        None => {}
    }
    Ok(())
}

/// Where a course's parts are read from, as long as there is not too much of them.
struct Shelf<'t, 'x, 'l> {
    tx: &'t mut Tx<'x>,
    links: &'l Links,
    organization: OrganizationId,
    classroom: ClassroomId,
    remaining_bytes: usize,
}

impl Shelf<'_, '_, '_> {
    /// The resources with these ids, in their order; those that are not there are missing.
    fn take<R: Resource>(&mut self, ids: &[R::Id], size_bytes: impl Fn(&R) -> usize) -> Result<Vec<R>, Problem> {
        let Self { links, organization, classroom, .. } = *self;
        let mut all = Vec::with_capacity(ids.len());
        for some in ids.chunks(READ_AT_ONCE) {
            let found = self.tx.query_each(
                some,
                |id| Statement { sql: R::SQL.find, parameters: [id, &organization, &classroom] },
                |row| resources::read_row(row, links),
            )?;
            let size = found.iter().map(&size_bytes).sum();
            self.remaining_bytes = self.remaining_bytes.checked_sub(size).ok_or(Problem::Conflict(
                "The course has too much text for one package: its modules and tests can be exported one by one.",
            ))?;
            all.extend(found);
        }
        Ok(all)
    }
}

fn check_made(status: Status, still_at_it: &'static str) -> Result<(), Problem> {
    match status {
        Status::Queued | Status::Processing => Err(Problem::Conflict(still_at_it)),
        Status::Completed | Status::Failed => Ok(()),
    }
}

fn module_content(module: Module) -> Result<ModuleContent, Problem> {
    Ok(ModuleContent {
        title: module.title,
        kind: module.kind,
        description: module.description,
        language: module.language,
        html: module.content,
        quizzes: stored(&module.quizzes)?,
        metadata: module.metadata.as_str().to_owned(),
    })
}

/// `place` is where its losses are noted.
fn test_content(test: &Test, place: &str, report: &mut Report) -> Result<TestContent, Problem> {
    note_metadata(&test.metadata, place, report);
    if test.topic_prompt.is_some() || test.target_prompt.is_some() {
        report.add(place, Loss::Metadata, "The prompts that the test was generated from were left out.");
    }
    let numbered: Vec<TestItem> = stored(&test.items)?;
    if (1..).zip(&numbered).any(|(number, item)| item.sequence != number) {
        report.add(place, Loss::Structure, "The questions were numbered from 1: their order is kept.");
    }
    let passing = match test.passing_value_type {
        PassingValueType::Percentage => Passing::Percentage,
        PassingValueType::Points => Passing::Points,
    };
    Ok(TestContent {
        title: test.name.clone(),
        description: test.description.clone(),
        language: test.language.clone(),
        subject: test.subject.clone(),
        level: test.level.clone(),
        time_limit_minutes: Some(test.time_limit).filter(|minutes| *minutes > 0.0),
        passing: Some(passing(test.passing_value)),
        items: stored(&test.items)?,
    })
}

/// Only modules take their metadata along.
fn note_metadata(metadata: &JsonText, place: &str, report: &mut Report) {
    if metadata.as_str() != "{}" {
        report.add(place, Loss::Metadata, "The metadata was left out: the format has no place for it.");
    }
}

/// Items as this program stored them.
fn stored<T: DeserializeOwned>(items: &JsonText) -> Result<Vec<T>, Problem> {
    serde_json::from_str(items.as_str()).map_err(Problem::unexpected)
}
