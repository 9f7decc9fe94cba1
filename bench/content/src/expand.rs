//! Expands a source with the built-in generator, and takes the time of the processor.

use std::time::Duration;

use engine::{GenerationError, ModuleDraft, Omission, QuizDraft, SourceLevel, VideoDraft, builtin};
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use serde_json::{Value, json};

use crate::sources::Source;
use crate::support::level_of;

/// Lessons of the level that is long.
pub(crate) const LONG_LEVEL: usize = 60;

/// How often a level is expanded for its time; the fastest counts.
const ROUNDS: u32 = 3;

/// A source with what was made of it.
pub(crate) struct Expansion {
    pub(crate) source: Source,
    pub(crate) module: Result<ModuleDraft, GenerationError>,
    pub(crate) video: Result<VideoDraft, GenerationError>,
    pub(crate) quiz: Result<QuizDraft, GenerationError>,
    /// The processor's time for all three.
    pub(crate) cpu: Duration,
    /// The candidates that the generator dropped; none where no quiz was made.
    pub(crate) dropped: Option<Vec<Dropped>>,
}

/// A candidate that did not become an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Dropped {
    /// The kind of item that it would have been.
    pub(crate) kind: String,
    /// Why it was dropped.
    pub(crate) reason: String,
}

impl Expansion {
    /// Expands a source.
    pub(crate) fn of(source: Source) -> Self {
        let level = &source.level;
        let quiz = builtin::quiz(level);
        Self {
            module: builtin::module(level),
            video: builtin::video(level),
            dropped: quiz.as_ref().ok().map(dropped),
            quiz,
            cpu: time(level),
            source,
        }
    }

    /// The drafts that could not be made: which, and the code of the error.
    pub(crate) fn failures(&self) -> Vec<(&'static str, &'static str)> {
        let module = self.module.as_ref().err().map(|error| ("module", error.code));
        let video = self.video.as_ref().err().map(|error| ("video", error.code));
        let quiz = self.quiz.as_ref().err().map(|error| ("quiz", error.code));
        [module, video, quiz].into_iter().flatten().collect()
    }
}

/// What a quiz could have asked and did not.
fn dropped(quiz: &QuizDraft) -> Vec<Dropped> {
    let name = |value: Value| value.as_str().unwrap_or_default().replace('_', " ");
    let each = |omission: &Omission| {
        let (kind, reason) = (json!(omission.kind), json!(omission.reason));
        std::iter::repeat_n(Dropped { kind: name(kind), reason: name(reason) }, omission.count)
    };
    quiz.omitted.iter().flat_map(each).collect()
}

/// The processor's time for a level of 60 lessons: those of the sources in turn, again from the first where there are
/// fewer.
pub(crate) fn time_of_long_level(expansions: &[Expansion]) -> Duration {
    let lessons = expansions.iter().flat_map(|expansion| {
        let pointers = expansion.source.level.lessons.iter().map(|lesson| lesson.pointer.as_str());
        pointers.filter_map(|pointer| expansion.source.payload.pointer(pointer))
    });
    let lessons: Vec<&Value> = lessons.collect();
    let lessons: Vec<&Value> = lessons.iter().copied().cycle().take(LONG_LEVEL).collect();
    time(&level_of(&json!({ "language": "en", "level": { "title": "All lessons", "lessons": lessons } })))
}

/// The processor's time for all three drafts of a level, the fastest of some rounds.
fn time(level: &SourceLevel) -> Duration {
    let mut fastest = Duration::MAX;
    for _ in 0..ROUNDS {
        let before = processor_time();
        // The drafts are only timed here.
        drop((builtin::module(level), builtin::video(level), builtin::quiz(level)));
        fastest = fastest.min(processor_time().saturating_sub(before));
    }
    fastest
}

/// The processor's time that this process took.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}
