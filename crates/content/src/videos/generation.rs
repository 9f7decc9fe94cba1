//! The generation of a video's scenes from its title and description.

use engine::{Defect, Generator, SourceModule, VideoDraft, VideoRequest, Workbench, check_citations, check_video};
use store::{KeyedRecord as _, StoreError, Tx};

use super::{Video, scenes};
use crate::generation::credit::Credit;
use crate::generation::generated::{Drafting, Generated};
use crate::generation::parts;
use crate::resources::{Failure, Status};

impl Generated for Video {
    type Request = VideoRequest;
    type Draft = VideoDraft;

    fn topic(&self) -> String {
        [self.title.as_str(), &self.description].join("\n")
    }

    fn request(&self, material: Vec<SourceModule>) -> VideoRequest {
        let Self { title, description, language, .. } = self.clone();
        VideoRequest { title, description, language, material }
    }

    fn ask<'a>(
        generator: &'a dyn Generator,
        request: &'a VideoRequest,
        bench: &'a dyn Workbench,
    ) -> Drafting<'a, Self> {
        generator.requested_video(request, bench)
    }

    fn check(draft: &VideoDraft, request: &VideoRequest) -> Result<(), Vec<Defect>> {
        check_video(draft).and_then(|()| check_citations(&draft.citations, request))
    }

    fn fill(&mut self, tx: &mut Tx<'_>, draft: &VideoDraft, credit: &Credit) -> Result<Option<Failure>, StoreError> {
        (self.status, self.error) = (Status::Completed, None);
        if self.description.is_empty() {
            self.description.clone_from(&draft.description);
        }
        self.metadata = credit.sign_resource(&self.metadata, Some(&draft.citations));
        self.update(tx)?;
        let made = parts::scenes(tx.ambient(), &draft.scenes);
        scenes::replace(tx, self.id, &made)?;
        Ok(None)
    }
}
