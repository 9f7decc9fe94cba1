//! `POST /v1/content/classrooms/{classroomId}/slides/{slideId}/part-drafts`: another version of one slide of a deck.

use edge::answer::Answer;
use edge::body::{Body, Check, list};
use edge::problem::{ContentErrorBody, Problem};
use engine::{Part, PartContent};
use kernel::json::JsonText;
use serde::Serialize;

use super::Slide;
use crate::generation::generated::Generated;
use crate::generation::part_drafts::{
    self, DraftCredit, DraftPart, HasParts, WantedPart, divided, earlier, instruction, place, take_out,
};
use crate::resources::fields;

/// The most slides that a caller can send.
const MOST_SLIDES: usize = 1_000;

/// A slide of a deck to draft another version of.
#[derive(Body)]
pub struct DraftSlideRequest {
    /// The slide's place in the deck, from 0; the place behind the last one for a further slide.
    #[field(place(), example = 0)]
    place: i64,
    /// All slides as they stand with the caller, each as HTML or Markdown; those of the stored content when they are absent.
    #[field(list(0..=MOST_SLIDES, slide()))]
    slides: Option<Vec<String>>,
    /// Versions of the slide that were shown before, which are not to come again.
    #[field(earlier(slide()), default)]
    earlier_slides: Vec<String>,
    /// What the person wants of the new version. A language model follows it; the built-in generator does not.
    #[field(instruction(), default, example = "Say more about the membrane.")]
    instruction: String,
}

/// A drafted slide. Nothing is stored: the caller puts it in its place with the change of the deck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftedSlide {
    /// The place that was asked for.
    pub place: i64,
    /// The slide as HTML.
    pub slide: String,
    /// The generator.
    #[serde(flatten)]
    pub credit: DraftCredit,
}

/// Drafts another version of one slide of a deck.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/slides/{slideId}/part-drafts", tag = "Slides",
    operation_id = "draftSlide", security(("contentKey" = [])), request_body = DraftSlideRequest,
    responses(
        (status = 200, description = "The draft; nothing is stored", body = DraftedSlide),
        (status = 409, description = "The source gives no other slide, or the deck is still being generated", body = ContentErrorBody),
        (status = 503, description = "The generator is away or took too long; try again", body = ContentErrorBody),
    )
)]
pub async fn draft(request: DraftPart) -> Result<Answer, Problem> {
    part_drafts::draft::<Slide>(request).await
}

fn slide() -> impl Check<Value = String> {
    fields::content().named("SlideText", "A slide of a deck, as HTML or Markdown.")
}

impl HasParts for Slide {
    type Request = DraftSlideRequest;
    type Answer = DraftedSlide;
    const DRAFT_PART: &'static str = "slides.draft_part";

    fn subject(&self) -> String {
        self.topic()
    }

    fn metadata(&self) -> &JsonText {
        &self.metadata
    }

    fn wanted(&self, request: &DraftSlideRequest) -> Result<WantedPart, Problem> {
        let slides = request.slides.clone().unwrap_or_else(|| divided(&self.content));
        let slides = slides.into_iter().map(Part::Slide).collect();
        let before = request.earlier_slides.iter().cloned().map(Part::Slide);
        let (present, others) = take_out(request.place, slides, before, Part::Slide(String::new()))?;
        Ok(WantedPart { present, others, question_kinds: Vec::new(), instruction: request.instruction.clone() })
    }

    fn answer(&self, request: &DraftSlideRequest, content: PartContent, credit: DraftCredit) -> DraftedSlide {
        let PartContent::Slide(slide) = content else { unreachable!("the gate lets only slides through") };
        DraftedSlide { place: request.place, slide, credit }
    }
}
