//! Stores what was made of an upload: everything, or nothing.

use edge::answer::Answer;
use edge::problem::Problem;
use http::StatusCode;
use kernel::ambient::Ambient;
use kernel::id::CourseId;
use kernel::json::JsonText;
use store::{Record as _, StoreError, Tx};

use super::drafts::{CourseDraft, Draft, Part};
use super::{ImportResult, ImportedCourse, ImportedModule, ImportedTest};
use crate::exchange::references;
use crate::links::Links;
use crate::modules::Module;
use crate::resources::{Kind, Place};
use crate::tests::Test;

/// Adds everything to a classroom, and answers with what it is.
pub(super) fn add(tx: &mut Tx<'_>, links: &Links, place: &Place, draft: &Draft) -> Result<Answer, Problem> {
    let mut shelf = Shelf { links, place, modules: Vec::new(), tests: Vec::new() };
    let course = match &draft.course {
        Some(course) => Some(shelf.add_course(tx, course)?),
        None => None,
    };
    for part in &draft.parts {
        shelf.add(tx, part, None)?;
    }
    let Shelf { modules, tests, .. } = shelf;
    let result = ImportResult { course, modules, tests, report: draft.report.clone().into() };
    Ok(Answer::json(StatusCode::CREATED, &result))
}

/// Where the resources go, and what was added.
struct Shelf<'a> {
    links: &'a Links,
    place: &'a Place,
    modules: Vec<ImportedModule>,
    tests: Vec<ImportedTest>,
}

impl Shelf<'_> {
    fn add_course(&mut self, tx: &mut Tx<'_>, draft: &CourseDraft) -> Result<ImportedCourse, StoreError> {
        let course = draft.course.course(tx.ambient(), self.place);
        course.insert(tx)?;
        for (sequence, part) in (1..).zip(&draft.parts) {
            self.add(tx, part, Some((course.id, sequence)))?;
        }
        Ok(ImportedCourse { id: course.id, title: course.title })
    }

    /// Adds something to a course, or to the classroom alone.
    fn add(&mut self, tx: &mut Tx<'_>, part: &Part, part_of: Option<(CourseId, i64)>) -> Result<(), StoreError> {
        match part {
            Part::Module(module) => {
                let module = module.module(tx.ambient(), self.place);
                self.add_module(tx, module, part_of)
            }
            Part::Test(test) => {
                let test = test.test(tx.ambient(), self.place);
                test.insert(tx)?;
                if part_of.is_some() {
                    let module = self.stand_in(tx.ambient(), &test);
                    self.add_module(tx, module, part_of)?;
                }
                self.tests.push(ImportedTest { id: test.id, name: test.name });
                Ok(())
            }
        }
    }

    fn add_module(
        &mut self,
        tx: &mut Tx<'_>,
        module: Module,
        part_of: Option<(CourseId, i64)>,
    ) -> Result<(), StoreError> {
        let (course_id, sequence) = part_of.unzip();
        let module = Module { course_id, sequence, ..module };
        module.insert(tx)?;
        let Module { id, title, kind, .. } = module;
        self.modules.push(ImportedModule { id, title, kind, course_id, sequence });
        Ok(())
    }

    /// The module that stands for a test in a course.
    fn stand_in(&self, ambient: &Ambient, test: &Test) -> Module {
        let url = self.links.public(Kind::Test, &test.id, true).unwrap_or_default();
        let stand = references::test(test.id, &test.name, &url);
        Module {
            kind: stand.kind.to_owned(),
            content: stand.content,
            metadata: JsonText::of(&stand.metadata),
            ..Module::new(ambient, self.place.ids(), test.name.clone(), test.language.clone())
        }
    }
}
