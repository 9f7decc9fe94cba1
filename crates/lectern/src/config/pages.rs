//! `[pages]`: what the pages for learners may load, and who may embed them.

use web::PageOptions;

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

static IMAGE_ORIGINS: Setting =
    Setting::new("pages", "image_origins", "LECTERN_PAGE_IMAGE_ORIGINS").or("none").shaped(Shape::List);

static FRAME_ORIGINS: Setting =
    Setting::new("pages", "frame_origins", "LECTERN_FRAME_ORIGINS").or("none").shaped(Shape::List);

/// `[pages]`
#[derive(Clone, Debug)]
pub struct Pages {
    /// What pages are made with.
    pub options: PageOptions,
}

impl Pages {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let image_origins = reader.required(&IMAGE_ORIGINS, parse::origins);
        let frame_origins = reader.required(&FRAME_ORIGINS, parse::frame_origins);
        Some(Self { options: PageOptions { image_origins: image_origins?, frame_origins: frame_origins? } })
    }
}
