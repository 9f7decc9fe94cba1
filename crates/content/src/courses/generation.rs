//! The generation of a course's modules from its title and description.

use engine::{CourseDraft, CourseRequest, Defect, Generator, SourceModule, Workbench, check_citations, check_course};
use kernel::json::JsonText;
use serde_json::{Map, json};
use store::{KeyedRecord as _, Record as _, StoreError, Tx};

use super::{Course, size_of};
use crate::generation::credit::Credit;
use crate::generation::generated::{Drafting, Generated};
use crate::generation::parts;
use crate::modules::Module;
use crate::modules::copy_to_course::MOST_MODULES;
use crate::resources::{Failure, Status};

impl Generated for Course {
    type Request = CourseRequest;
    type Draft = CourseDraft;

    fn topic(&self) -> String {
        [self.title.as_str(), &self.description].join("\n")
    }

    fn request(&self, material: Vec<SourceModule>) -> CourseRequest {
        let Self { title, description, level, language, .. } = self.clone();
        CourseRequest { title, description, level: level.unwrap_or_default(), language, material }
    }

    fn ask<'a>(
        generator: &'a dyn Generator,
        request: &'a CourseRequest,
        bench: &'a dyn Workbench,
    ) -> Drafting<'a, Self> {
        generator.requested_course(request, bench)
    }

    fn check(draft: &CourseDraft, request: &CourseRequest) -> Result<(), Vec<Defect>> {
        check_course(draft).and_then(|()| check_citations(draft.citations(), request))
    }

    /// Modules that were copied into the course meanwhile stay in front.
    fn fill(&mut self, tx: &mut Tx<'_>, draft: &CourseDraft, credit: &Credit) -> Result<Option<Failure>, StoreError> {
        let (organization, classroom) = (self.organization_id, self.classroom_id);
        let size = size_of(tx, organization, classroom, self.id)?.unwrap_or(0);
        if size + i64::try_from(draft.modules.len()).unwrap_or(i64::MAX) > MOST_MODULES {
            return Ok(Some(Failure {
                code: "course_full".to_owned(),
                message: format!("A course has at most {MOST_MODULES} modules, and this one has {size} already."),
            }));
        }
        (self.status, self.error) = (Status::Completed, None);
        if self.description.is_empty() {
            self.description.clone_from(&draft.description);
        }
        self.metadata = credit.sign_resource(&self.metadata, None);
        self.update(tx)?;
        for (sequence, draft) in (size + 1..).zip(&draft.modules) {
            let mut metadata = Map::from_iter([("sources".to_owned(), json!(draft.citations))]);
            credit.sign(&mut metadata);
            let module = parts::module(tx.ambient(), (organization, classroom), draft, JsonText::of(&metadata));
            Module { course_id: Some(self.id), sequence: Some(sequence), ..module }.insert(tx)?;
        }
        Ok(None)
    }
}
