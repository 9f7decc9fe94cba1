//! A generator that does as it is told.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use engine::{
    BoxFuture, Builtin, Citation, CourseDraft, CourseRequest, GenerationError, Generator, ModuleDraft, ModuleQuiz,
    ModuleQuizKind, QuizDraft, QuizItem, QuizItemKind, SceneDraft, SlideDraft, SlideRequest, SourceLevel, TestRequest,
    VideoDraft, VideoRequest,
};

use crate::expansions::OutputKind;

/// What one call of the generator does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Makes a small valid draft.
    Succeed,
    /// Makes a draft with this title.
    SucceedAs(&'static str),
    /// Fails for good with this code.
    Fail(&'static str),
    /// Fails in passing with this code.
    Defer(&'static str),
    /// Panics.
    Panic,
}

/// The steps to come, by output; when there are no more, all calls succeed.
#[derive(Default)]
pub(crate) struct Script {
    steps: Mutex<HashMap<OutputKind, VecDeque<Step>>>,
    asked: Mutex<Vec<(OutputKind, SourceLevel)>>,
}

impl Script {
    /// The next calls for this output do these steps.
    pub(crate) fn then(&self, kind: OutputKind, steps: impl IntoIterator<Item = Step>) {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner).entry(kind).or_default().extend(steps);
    }

    /// All calls so far, each with the source it was given.
    pub(crate) fn asked(&self) -> Vec<(OutputKind, SourceLevel)> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The draft's title, or what goes wrong.
    fn next(&self, kind: OutputKind, source: &SourceLevel) -> Result<String, GenerationError> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push((kind, source.clone()));
        let steps = &mut *self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        let step = steps.get_mut(&kind).and_then(VecDeque::pop_front).unwrap_or(Step::Succeed);
        let failure = |code, retryable| GenerationError { code, message: format!("Scripted: {code}."), retryable };
        match step {
            Step::Succeed => Ok(format!("{} {}", source.title(), kind.resource_type())),
            Step::SucceedAs(title) => Ok(title.to_owned()),
            Step::Fail(code) => Err(failure(code, false)),
            Step::Defer(code) => Err(failure(code, true)),
            Step::Panic => panic!("scripted"),
        }
    }
}

fn cites(part: &str, source: &SourceLevel) -> Vec<Citation> {
    vec![Citation { part: part.to_owned(), pointers: vec![source.lessons[0].pointer.clone()] }]
}

impl Generator for Script {
    fn module<'a>(&'a self, source: &'a SourceLevel) -> BoxFuture<'a, Result<ModuleDraft, GenerationError>> {
        Box::pin(async move {
            let title = self.next(OutputKind::InteractiveModule, source)?;
            let quiz = ModuleQuiz {
                sequence: 1,
                title: "The cell".into(),
                question: "Is a cell alive?".into(),
                kind: ModuleQuizKind::TrueFalse,
                options: vec!["True".into(), "False".into()],
                correct_answers: vec!["True".into()],
                show_feedback: true,
            };
            Ok(ModuleDraft {
                title,
                description: "A module.".into(),
                language: source.language.clone(),
                content_html: "<article><section><h2>The cell</h2><p>A cell is alive.</p></section></article>".into(),
                quizzes: vec![quiz],
                citations: cites("sections/0", source),
            })
        })
    }

    fn video<'a>(&'a self, source: &'a SourceLevel) -> BoxFuture<'a, Result<VideoDraft, GenerationError>> {
        Box::pin(async move {
            let title = self.next(OutputKind::SummaryVideo, source)?;
            let scene = |script: &str| SceneDraft {
                script: script.into(),
                display_text: "The cell".into(),
                duration_seconds: 3.5,
            };
            Ok(VideoDraft {
                title,
                description: "A video.".into(),
                language: source.language.clone(),
                aspect_ratio: "16:9".into(),
                target_duration_seconds: 7,
                scenes: vec![scene("A cell is alive."), scene("That was the cell.")],
                citations: cites("scenes/0", source),
            })
        })
    }

    fn quiz<'a>(&'a self, source: &'a SourceLevel) -> BoxFuture<'a, Result<QuizDraft, GenerationError>> {
        Box::pin(async move {
            let name = self.next(OutputKind::ExpandedQuiz, source)?;
            let item = QuizItem {
                question: "What is alive?".into(),
                kind: QuizItemKind::Select,
                options: vec!["A cell".into(), "A stone".into()],
                correct_answers: vec!["A cell".into()],
                explanation: "A cell is alive.".into(),
                score: 1.0,
            };
            Ok(QuizDraft {
                name,
                description: "A test.".into(),
                subject: source.category_title.clone(),
                language: source.language.clone(),
                time_limit_minutes: 5,
                level: "MEDIUM".into(),
                passing_percentage: 60,
                items: vec![item],
                citations: cites("items/0", source),
            })
        })
    }

    fn requested_test<'a>(&'a self, request: &'a TestRequest) -> BoxFuture<'a, Result<QuizDraft, GenerationError>> {
        Builtin.requested_test(request)
    }

    fn requested_slide<'a>(&'a self, request: &'a SlideRequest) -> BoxFuture<'a, Result<SlideDraft, GenerationError>> {
        Builtin.requested_slide(request)
    }

    fn requested_course<'a>(
        &'a self,
        request: &'a CourseRequest,
    ) -> BoxFuture<'a, Result<CourseDraft, GenerationError>> {
        Builtin.requested_course(request)
    }

    fn requested_video<'a>(&'a self, request: &'a VideoRequest) -> BoxFuture<'a, Result<VideoDraft, GenerationError>> {
        Builtin.requested_video(request)
    }
}
