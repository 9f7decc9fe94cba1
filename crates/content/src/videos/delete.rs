//! `DELETE /v1/content/classrooms/{classroomId}/videos/{videoId}` (content-api section 4).

use edge::problem::Problem;
use http::StatusCode;
use store::Tx;

use super::Video;
use crate::resources::{self, Delete};

impl Delete for Video {
    type Answer = ();
    const SUMMARY: &'static str = "Deletes a video with its scenes.";
    const ANSWER: &'static str = "The video was deleted";
    const STATUS: StatusCode = StatusCode::NO_CONTENT;

    fn delete(self, tx: &mut Tx<'_>) -> Result<(), Problem> {
        Ok(resources::remove(tx, &self)?)
    }
}
