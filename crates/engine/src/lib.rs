//! The engine: turns source lessons, and what callers ask for directly, into drafts of classroom content.
//!
//! [`Authored`] has a language model write, staged and held against the source. [`Builtin`] is the generator that needs nothing but the source: deterministic, offline, no
//! downloads. What it writes comes from the source's own words; it never invents facts. Every draft,
//! whoever made it, passes the gate in [`checks`] before it may be stored.
//!
//! The way of a level: [`source`] -> `reading` (what shapes are in the JSON) -> `text` (sentences,
//! terms, definitions) -> `builtin` (module, video, quiz) -> [`checks`]. A [`request`] goes the same way
//! through `builtin::requested`, and so does one [`part`] of a resource; [`relevance`] helps its caller to choose material. The engine asks a language model through
//! [`kernel::model`]; it does no I/O and reads no clock. Start reading at [`builtin`], or at [`authored`].

pub mod authored;
pub mod builtin;
pub mod checks;
pub mod drafts;
pub mod generator;
pub mod part;
mod phrases;
mod reading;
pub mod relevance;
pub mod request;
pub mod source;
mod text;

pub use authored::Authored;
pub use builtin::{Builtin, scene_seconds};
pub use checks::{
    Citable, Defect, check_citations, check_course, check_module, check_part, check_quiz, check_slide, check_video,
};
pub use drafts::{
    Citation, CourseDraft, ModuleDraft, ModuleQuiz, ModuleQuizKind, Omission, OmissionReason, QuizDraft, QuizItem,
    QuizItemKind, SceneDraft, SlideDraft, VideoDraft,
};
pub use generator::{BareBench, BoxFuture, GenerationError, Generator, Interrupted, Remark, Workbench, compute};
pub use part::{Part, PartContent, PartDraft, PartMaterial, PartRequest, PresentQuestion};
pub use reading::is_metadata;
pub use relevance::{Candidate, Relevance, rank_modules};
pub use request::{CourseRequest, SlideRequest, SourceModule, TestRequest, VideoRequest};
pub use source::{DEFAULT_CATEGORY_TITLE, SourceField, SourceLesson, SourceLevel};
