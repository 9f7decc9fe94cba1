//! What the generator made of a request. Whoever made it, it passes the engine's gate.

use engine::{
    CourseDraft, Defect, GenerationError, Generator, QuizDraft, SlideDraft, VideoDraft, Workbench, check_citations,
    check_course, check_quiz, check_slide, check_video,
};

use super::request::Request;

/// A draft that passed.
#[derive(Clone, Debug)]
pub(super) enum Made {
    Test(QuizDraft),
    Slide(SlideDraft),
    Course(CourseDraft),
    Video(VideoDraft),
}

/// Asks the generator.
pub(super) async fn make(
    generator: &dyn Generator,
    request: &Request,
    bench: &dyn Workbench,
) -> Result<Made, GenerationError> {
    match request {
        Request::Test(request) => {
            let draft = generator.requested_test(request, bench).await?;
            pass(bench, || check_quiz(&draft).and_then(|()| check_citations(&draft.citations, request)))?;
            Ok(Made::Test(draft))
        }
        Request::Slide(request) => {
            let draft = generator.requested_slide(request, bench).await?;
            pass(bench, || check_slide(&draft).and_then(|()| check_citations(&draft.citations, request)))?;
            Ok(Made::Slide(draft))
        }
        Request::Course(request) => {
            let draft = generator.requested_course(request, bench).await?;
            pass(bench, || check_course(&draft).and_then(|()| check_citations(draft.citations(), request)))?;
            Ok(Made::Course(draft))
        }
        Request::Video(request) => {
            let draft = generator.requested_video(request, bench).await?;
            pass(bench, || check_video(&draft).and_then(|()| check_citations(&draft.citations, request)))?;
            Ok(Made::Video(draft))
        }
    }
}

/// The gate, away from where others wait.
///
/// # Errors
/// With the first of the defects.
pub(crate) fn pass(
    bench: &dyn Workbench,
    check: impl FnOnce() -> Result<(), Vec<Defect>>,
) -> Result<(), GenerationError> {
    engine::compute(bench, check).map_err(|defects| GenerationError::draft_invalid(&defects))
}
