//! The small valid drafts that the script makes.

use async_trait::async_trait;
use engine::{
    Citation, CourseDraft, CourseRequest, GenerationError, Generator, ModuleDraft, ModuleQuiz, ModuleQuizKind, Part,
    PartContent, PartDraft, PartRequest, QuizDraft, QuizItem, QuizItemKind, SceneDraft, SlideDraft, SlideRequest,
    SourceLevel, TestRequest, VideoDraft, VideoRequest, Workbench,
};

use super::Script;
use crate::expansions::OutputKind;
use crate::resources::Kind;

#[async_trait]
impl Generator for Script {
    async fn module(&self, source: &SourceLevel, _: &dyn Workbench) -> Result<ModuleDraft, GenerationError> {
        let title = self.output(OutputKind::InteractiveModule, source).await?;
        Ok(module(title, &source.language, cites("sections/0", &source.lessons[0].pointer)))
    }

    async fn video(&self, source: &SourceLevel, _: &dyn Workbench) -> Result<VideoDraft, GenerationError> {
        let title = self.output(OutputKind::SummaryVideo, source).await?;
        Ok(video(title, &source.language, cites("scenes/0", &source.lessons[0].pointer)))
    }

    async fn quiz(&self, source: &SourceLevel, _: &dyn Workbench) -> Result<QuizDraft, GenerationError> {
        let name = self.output(OutputKind::ExpandedQuiz, source).await?;
        let citations = cites("items/0", &source.lessons[0].pointer);
        Ok(quiz(name, &source.category_title, &source.language, citations))
    }

    async fn requested_test(&self, request: &TestRequest, _: &dyn Workbench) -> Result<QuizDraft, GenerationError> {
        let name = self.resource(Kind::Test, request).await?;
        Ok(quiz(name, "Life", &request.language, cites("items/0", "/topicPrompt")))
    }

    async fn requested_slide(&self, request: &SlideRequest, _: &dyn Workbench) -> Result<SlideDraft, GenerationError> {
        let title = self.resource(Kind::Slide, request).await?;
        Ok(SlideDraft {
            title,
            description: "A deck.".into(),
            language: request.language.clone(),
            content_html: "<section class=\"slide\"><h2>The cell</h2><ul><li>Alive</li></ul></section>".into(),
            citations: cites("slides/0", "/outline"),
        })
    }

    async fn requested_course(
        &self,
        request: &CourseRequest,
        _: &dyn Workbench,
    ) -> Result<CourseDraft, GenerationError> {
        let title = self.resource(Kind::Course, request).await?;
        let part = |name: &str| module(name.into(), &request.language, cites("sections/0", "/title"));
        Ok(CourseDraft {
            title,
            description: "A course.".into(),
            level: "EASY".into(),
            language: request.language.clone(),
            modules: vec![part("Cells"), part("Tissues")],
        })
    }

    async fn requested_video(&self, request: &VideoRequest, _: &dyn Workbench) -> Result<VideoDraft, GenerationError> {
        let title = self.resource(Kind::Video, request).await?;
        Ok(video(title, &request.language, cites("scenes/0", "/title")))
    }

    async fn part(&self, request: &PartRequest, _: &dyn Workbench) -> Result<PartDraft, GenerationError> {
        let title = self.drafted_part(request).await?;
        let content = match &request.present {
            Part::Question(present) => {
                let kind =
                    request.question_kinds.iter().find(|kind| **kind == present.kind).unwrap_or(&QuizItemKind::Select);
                PartContent::Question { item: item(title, *kind), lesson: String::new() }
            }
            Part::Section(_) => {
                PartContent::Section(format!("<section><h2>{title}</h2><p>All cells divide.</p></section>\n"))
            }
            Part::Slide(_) => PartContent::Slide(format!(
                "<section class=\"slide\"><h2>{title}</h2><ul><li>All cells divide.</li></ul></section>\n"
            )),
            Part::Scene(_) => {
                let script = format!("{title}: all cells divide.");
                PartContent::Scene(SceneDraft { script, display_text: title, duration_seconds: 4.5 })
            }
        };
        Ok(PartDraft { content, ignores_instruction: !request.instruction.is_empty() })
    }
}

/// A sound question of a type.
fn item(question: String, kind: QuizItemKind) -> QuizItem {
    let options: &[&str] = match kind {
        QuizItemKind::Select => &["All cells", "No cell", "A stone"],
        QuizItemKind::TrueFalse => &["True", "False"],
        _ => &[],
    };
    let key = options.first().unwrap_or(&"Divide");
    QuizItem {
        question,
        kind,
        options: options.iter().map(|option| (*option).to_owned()).collect(),
        correct_answers: vec![(*key).to_owned()],
        explanation: "All cells divide.".into(),
        score: 1.0,
    }
}

fn cites(part: &str, pointer: &str) -> Vec<Citation> {
    vec![Citation { part: part.to_owned(), pointers: vec![pointer.to_owned()] }]
}

fn module(title: String, language: &str, citations: Vec<Citation>) -> ModuleDraft {
    let quiz = ModuleQuiz {
        sequence: 1,
        title: "The cell".into(),
        question: "Is a cell alive?".into(),
        kind: ModuleQuizKind::TrueFalse,
        options: vec!["True".into(), "False".into()],
        correct_answers: vec!["True".into()],
        show_feedback: true,
    };
    ModuleDraft {
        title,
        description: "A module.".into(),
        language: language.into(),
        content_html: "<article><section><h2>The cell</h2><p>A cell is alive.</p></section></article>".into(),
        quizzes: vec![quiz],
        citations,
    }
}

fn video(title: String, language: &str, citations: Vec<Citation>) -> VideoDraft {
    let scene =
        |script: &str| SceneDraft { script: script.into(), display_text: "The cell".into(), duration_seconds: 3.5 };
    VideoDraft {
        title,
        description: "A video.".into(),
        language: language.into(),
        aspect_ratio: "16:9".into(),
        target_duration_seconds: 7,
        scenes: vec![scene("A cell is alive."), scene("That was the cell.")],
        citations,
    }
}

fn quiz(name: String, subject: &str, language: &str, citations: Vec<Citation>) -> QuizDraft {
    let item = QuizItem {
        question: "What is alive?".into(),
        kind: QuizItemKind::Select,
        options: vec!["A cell".into(), "A stone".into()],
        correct_answers: vec!["A cell".into()],
        explanation: "A cell is alive.".into(),
        score: 1.0,
    };
    QuizDraft {
        name,
        description: "A test.".into(),
        subject: subject.into(),
        language: language.into(),
        time_limit_minutes: 5,
        level: "MEDIUM".into(),
        passing_percentage: 60,
        items: vec![item],
        citations,
        omitted: Vec::new(),
    }
}
