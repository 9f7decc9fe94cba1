//! The generator that has a language model write.
//!
//! The way of a draft: [`sources`] cuts the material into numbered excerpts; a model makes an [`outline`] of it; the parts
//! are written at once, each by a call of its own ([`desk`]): a [`section`], the scenes of a [`video`], the questions of a
//! [`quiz`], some [`slides`]. Each part names the excerpts that it was made from, and code turns these into pointers.
//!
//! What a model writes is untrusted. It gives structure, never HTML; it is held against the material ([`ground`]), against
//! the language that was asked for ([`wording`]), and, as every draft, against the gate in [`crate::checks`]. A part that is
//! wrong is asked for once more and told why; then what is wrong of it is dropped, or the part fails. Customers' texts reach
//! a model only as data ([`prompt`]).

mod brief;
mod course;
mod desk;
mod ground;
mod items;
mod module;
mod outline;
mod page;
mod part;
mod plain;
mod prompt;
mod quiz;
mod section;
mod slides;
mod sources;
mod video;
mod wording;

use std::sync::Arc;

use async_trait::async_trait;
use kernel::model::Model;
use language::normal::shorten;

use self::desk::Desk;
use self::ground::Ground;
use self::quiz::{Frame, Wanted};
use self::sources::{Sources, Wish, title_of};
use crate::builtin::{items_wanted, label_of, language_of};
use crate::checks::{
    Defect, check_citations, check_course, check_module, check_part, check_quiz, check_slide, check_video,
};
use crate::drafts::{CourseDraft, ModuleDraft, QuizDraft, SlideDraft, VideoDraft};
use crate::generator::{GenerationError, Generator, Workbench, compute};
use crate::part::{PartDraft, PartMaterial, PartRequest};
use crate::request::{CourseRequest, SlideRequest, TestRequest, VideoRequest};
use crate::source::SourceLevel;

/// The generator that asks a model. It is not deterministic.
#[derive(Clone)]
pub struct Authored {
    model: Arc<dyn Model>,
    limits: Limits,
}

/// What instructions, schema and plan take of a prompt, at most.
const INSTRUCTION_TOKENS: usize = 2_000;
/// In the languages of most tokenizers. Where a token is less, a model says that a prompt is too long, and is asked of less.
const CHARACTERS_PER_TOKEN: usize = 4;

/// How much is asked for at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most material in the prompt of an outline, in characters: about four are a token. More is shown cut short.
    pub overview_characters: usize,
    /// Most material in the prompt of a part, in characters. Of more, what has most to do with the part is chosen.
    pub part_characters: usize,
    /// Longest answer, in tokens; most kinds of parts are asked for less.
    pub answer_tokens: u32,
    /// Parts of one draft that are asked for at the same time, at least 1.
    pub parts_at_once: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { overview_characters: 32_000, part_characters: 16_000, answer_tokens: 8_000, parts_at_once: 4 }
    }
}

impl Limits {
    /// For a model that reads and writes so many tokens together, 8,192 and more. What the instructions leave of them is
    /// shared between the material and two answers, since a wrong one is shown again when it is to be mended.
    #[must_use]
    pub fn for_window(tokens: usize) -> Self {
        let usual = Self::default();
        let free = tokens.saturating_sub(INSTRUCTION_TOKENS);
        let answer_tokens = u32::try_from(free * 3 / 8).unwrap_or(u32::MAX);
        Self {
            overview_characters: usual.overview_characters.min(free / 4 * CHARACTERS_PER_TOKEN),
            part_characters: usual.part_characters.min(free / 4 * CHARACTERS_PER_TOKEN),
            answer_tokens: usual.answer_tokens.min(answer_tokens),
            ..usual
        }
    }
}

impl Authored {
    /// A generator that asks `model` in the role [`kernel::model::ModelRole::Content`].
    #[must_use]
    pub fn new(model: Arc<dyn Model>) -> Self {
        Self { model, limits: Limits::default() }
    }

    /// With limits for a model that reads less or more than most do.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    fn desk<'a>(&'a self, sources: &'a Sources, bench: &'a dyn Workbench) -> Desk<'a> {
        Desk::new(&*self.model, bench, sources, self.limits)
    }
}

#[async_trait]
impl Generator for Authored {
    async fn module(&self, source: &SourceLevel, bench: &dyn Workbench) -> Result<ModuleDraft, GenerationError> {
        let (sources, ground) = read(bench, || Sources::of_level(source))?;
        let desk = self.desk(&sources, bench);
        let draft = module::draft(&desk, &ground).await?;
        pass(&desk, || check_module(&draft).and_then(|()| check_citations(&draft.citations, source)))?;
        Ok(draft)
    }

    async fn video(&self, source: &SourceLevel, bench: &dyn Workbench) -> Result<VideoDraft, GenerationError> {
        let (sources, ground) = read(bench, || Sources::of_level(source))?;
        let desk = self.desk(&sources, bench);
        let draft = video::draft(&desk, &ground).await?;
        pass(&desk, || check_video(&draft).and_then(|()| check_citations(&draft.citations, source)))?;
        Ok(draft)
    }

    async fn quiz(&self, source: &SourceLevel, bench: &dyn Workbench) -> Result<QuizDraft, GenerationError> {
        let (sources, ground) = read(bench, || Sources::of_level(source))?;
        let desk = self.desk(&sources, bench);
        let frame = Frame {
            level: label_of(""),
            asked_level: String::new(),
            subject: shorten(&sources.category, 40, 140),
            wanted: Wanted::for_material(&sources),
        };
        let draft = quiz::draft(&desk, &ground, frame).await?;
        pass(&desk, || check_quiz(&draft).and_then(|()| check_citations(&draft.citations, source)))?;
        Ok(draft)
    }

    async fn requested_test(&self, request: &TestRequest, bench: &dyn Workbench) -> Result<QuizDraft, GenerationError> {
        let language = language_of(&request.language, &[&request.topic_prompt, &request.target_prompt]);
        let wishes = [
            Wish { pointer: "/topicPrompt", text: &request.topic_prompt },
            Wish { pointer: "/targetPrompt", text: &request.target_prompt },
        ];
        let (sources, ground) = read(bench, || Sources::of_request(&language, "", &wishes, &request.material))?;
        let desk = self.desk(&sources, bench);
        let (items, tasks) = items_wanted(request);
        let frame = Frame {
            level: label_of(&request.level),
            asked_level: shorten(&request.level, 20, 100),
            subject: String::new(),
            wanted: Wanted { items, tasks },
        };
        let draft = quiz::draft(&desk, &ground, frame).await?;
        pass(&desk, || check_quiz(&draft).and_then(|()| check_citations(&draft.citations, request)))?;
        Ok(draft)
    }

    async fn requested_slide(
        &self,
        request: &SlideRequest,
        bench: &dyn Workbench,
    ) -> Result<SlideDraft, GenerationError> {
        let language = language_of(&request.language, &[&request.outline, &request.title, &request.description]);
        let wishes = [
            Wish { pointer: "/title", text: &request.title },
            Wish { pointer: "/description", text: &request.description },
            Wish { pointer: "/outline", text: &request.outline },
        ];
        let (sources, ground) =
            read(bench, || Sources::of_request(&language, &title_of(&request.title), &wishes, &request.material))?;
        let desk = self.desk(&sources, bench);
        let mut draft = slides::draft(&desk, &ground).await?;
        keep_title(&mut draft.title, &sources);
        pass(&desk, || check_slide(&draft).and_then(|()| check_citations(&draft.citations, request)))?;
        Ok(draft)
    }

    async fn requested_course(
        &self,
        request: &CourseRequest,
        bench: &dyn Workbench,
    ) -> Result<CourseDraft, GenerationError> {
        let language = language_of(&request.language, &[&request.title, &request.description]);
        let wishes = [
            Wish { pointer: "/title", text: &request.title },
            Wish { pointer: "/description", text: &request.description },
            Wish { pointer: "/level", text: &request.level },
        ];
        let (sources, ground) =
            read(bench, || Sources::of_request(&language, &title_of(&request.title), &wishes, &request.material))?;
        let desk = self.desk(&sources, bench);
        let mut draft = course::draft(&desk, &ground, label_of(&request.level)).await?;
        keep_title(&mut draft.title, &sources);
        pass(&desk, || check_course(&draft).and_then(|()| check_citations(draft.citations(), request)))?;
        Ok(draft)
    }

    async fn requested_video(
        &self,
        request: &VideoRequest,
        bench: &dyn Workbench,
    ) -> Result<VideoDraft, GenerationError> {
        let language = language_of(&request.language, &[&request.title, &request.description]);
        let wishes = [
            Wish { pointer: "/title", text: &request.title },
            Wish { pointer: "/description", text: &request.description },
        ];
        let (sources, ground) =
            read(bench, || Sources::of_request(&language, &title_of(&request.title), &wishes, &request.material))?;
        let desk = self.desk(&sources, bench);
        let mut draft = video::draft(&desk, &ground).await?;
        keep_title(&mut draft.title, &sources);
        pass(&desk, || check_video(&draft).and_then(|()| check_citations(&draft.citations, request)))?;
        Ok(draft)
    }

    async fn part(&self, request: &PartRequest, bench: &dyn Workbench) -> Result<PartDraft, GenerationError> {
        let (sources, ground) = compute(bench, || {
            let sources = match &request.material {
                PartMaterial::Level(level) => Sources::of_level(level)?,
                PartMaterial::Modules(modules) => {
                    let wishes = [Wish { pointer: "/topic", text: &request.topic }];
                    Sources::of_request(&language_of(&request.language, &[&request.topic]), "", &wishes, modules)?
                }
            };
            let ground = Ground::beside(&sources, &part::own_texts(request));
            Ok::<_, GenerationError>((sources, ground))
        })?;
        let desk = self.desk(&sources, bench);
        let draft = part::draft(&desk, &ground, request).await?;
        pass(&desk, || check_part(&draft, request))?;
        Ok(draft)
    }
}

/// The material, and what it names.
fn read(
    bench: &dyn Workbench,
    sources: impl FnOnce() -> Result<Sources, GenerationError>,
) -> Result<(Sources, Ground), GenerationError> {
    compute(bench, || {
        let sources = sources()?;
        let ground = Ground::of(&sources);
        Ok((sources, ground))
    })
}

/// A title that the caller gave stands.
fn keep_title(title: &mut String, sources: &Sources) {
    if sources.title.chars().any(char::is_alphanumeric) {
        *title = shorten(&sources.title, 40, 140);
    }
}

/// The gate, and behind it what the readers of the draft should know.
fn pass(desk: &Desk<'_>, check: impl FnOnce() -> Result<(), Vec<Defect>>) -> Result<(), GenerationError> {
    desk.compute(check).map_err(|defects| GenerationError::draft_invalid(&defects))?;
    desk.remark();
    Ok(())
}

#[cfg(test)]
mod tests;
