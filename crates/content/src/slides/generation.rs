//! The generation of a slide deck from its outline.

use engine::{Defect, Generator, SlideDraft, SlideRequest, SourceModule, Workbench, check_citations, check_slide};
use store::{KeyedRecord as _, StoreError, Tx};

use super::Slide;
use crate::generation::credit::Credit;
use crate::generation::generated::{Drafting, Generated};
use crate::resources::{Failure, Status};

impl Generated for Slide {
    type Request = SlideRequest;
    type Draft = SlideDraft;

    fn topic(&self) -> String {
        [&self.title, &self.description, self.outline.as_deref().unwrap_or_default()].join("\n")
    }

    fn request(&self, material: Vec<SourceModule>) -> SlideRequest {
        let Self { title, description, language, outline, .. } = self.clone();
        SlideRequest { title, description, outline: outline.unwrap_or_default(), language, material }
    }

    fn ask<'a>(
        generator: &'a dyn Generator,
        request: &'a SlideRequest,
        bench: &'a dyn Workbench,
    ) -> Drafting<'a, Self> {
        generator.requested_slide(request, bench)
    }

    fn check(draft: &SlideDraft, request: &SlideRequest) -> Result<(), Vec<Defect>> {
        check_slide(draft).and_then(|()| check_citations(&draft.citations, request))
    }

    fn fill(&mut self, tx: &mut Tx<'_>, draft: &SlideDraft, credit: &Credit) -> Result<Option<Failure>, StoreError> {
        (self.status, self.error) = (Status::Completed, None);
        self.content.clone_from(&draft.content_html);
        if self.description.is_empty() {
            self.description.clone_from(&draft.description);
        }
        self.metadata = credit.sign_resource(&self.metadata, Some(&draft.citations));
        self.update(tx)?;
        Ok(None)
    }
}
