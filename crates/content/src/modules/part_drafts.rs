//! `POST /v1/content/classrooms/{classroomId}/modules/{moduleId}/part-drafts`: another version of one question or section.

use edge::answer::Answer;
use edge::body::{Body, Check, list, nested, one_of, text};
use edge::problem::{ContentErrorBody, Problem};
use engine::{Part, PartContent, PresentQuestion, QuizItemKind, SourceModule};
use kernel::json::JsonText;
use serde::{Deserialize, Serialize};

use super::quizzes::{MOST_ITEMS, ModuleQuizItemType, TYPES};
use super::{Module, ModuleQuizItem};
use crate::generation::part_drafts::{
    self, DraftCredit, DraftPart, HasParts, WantedPart, divided, earlier, instruction, place, take_out,
};
use crate::generation::parts::{kind_of, word};
use crate::questions::{Form, LONGEST_QUESTION, answers};
use crate::resources::fields::{self, LONGEST_TITLE};

/// The most sections that a caller can send.
const MOST_SECTIONS: usize = 1_000;

const PART_KINDS: &[(&str, ModulePartKind)] =
    &[("question", ModulePartKind::Question), ("section", ModulePartKind::Section)];

/// A part of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ModulePartKind {
    /// A quiz item.
    Question,
    /// A section of the content.
    Section,
}

/// A part of a module to draft another version of.
#[derive(Body)]
pub struct DraftModulePartRequest {
    /// `question` or `section`.
    #[field(one_of(PART_KINDS).shown_as::<ModulePartKind>())]
    kind: ModulePartKind,
    /// The part's place among those of its kind, from 0; the place behind the last one for a further part.
    #[field(place(), example = 0)]
    place: i64,
    /// All quiz items as they stand with the caller, complete or not; the stored ones when they are absent.
    #[field(list(0..=MOST_ITEMS, nested()))]
    quizzes: Option<Vec<PresentQuizItem>>,
    /// All sections as they stand with the caller, each as HTML or Markdown; those of the stored content when they are absent.
    #[field(sections())]
    sections: Option<Vec<String>>,
    /// Versions of the question that were shown before, which are not to come again.
    #[field(earlier(nested()), default)]
    earlier_quizzes: Vec<PresentQuizItem>,
    /// Versions of the section that were shown before, which are not to come again.
    #[field(earlier(section()), default)]
    earlier_sections: Vec<String>,
    /// What the person wants of the new version. A language model follows it; the built-in generator does not.
    #[field(instruction(), default, example = "Ask about the nucleus.")]
    instruction: String,
}

/// A quiz item as it stands, as far as it tells what is asked.
#[derive(Body)]
pub(crate) struct PresentQuizItem {
    /// What it belongs to; empty when it is absent.
    #[field(text(0..=LONGEST_TITLE), default, example = "The cell")]
    title: String,
    /// What is asked; empty when it is absent.
    #[field(text(0..=LONGEST_QUESTION), default, example = "Which part of the cell keeps the DNA?")]
    question: String,
    /// The type that is wanted again, where the source has such a question; `select` when it is absent.
    #[field(one_of(TYPES).shown_as::<ModuleQuizItemType>(), name = "type", default = TYPES[0].1)]
    kind: (&'static str, Form),
    /// Its key.
    #[field(answers(0), default, example = ["The nucleus"])]
    correct_answers: Vec<String>,
    /// Whether the learner is told at once; true when it is absent.
    #[field(default = true)]
    show_feedback: bool,
}

/// A drafted part. Nothing is stored: the caller puts it in its place with the change of the module.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftedModulePart {
    /// The kind that was asked for.
    #[schema(example = "question")]
    pub kind: ModulePartKind,
    /// The place that was asked for.
    pub place: i64,
    /// The quiz item, where one was asked for. Else absent.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiz: Option<ModuleQuizItemDraft>,
    /// The section as HTML, where one was asked for. Else absent.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The generator.
    #[serde(flatten)]
    pub credit: DraftCredit,
}

/// A quiz item as the change of a module takes it.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModuleQuizItemDraft {
    /// What it belongs to.
    pub title: String,
    /// What is asked.
    pub question: String,
    /// How it is answered.
    #[serde(rename = "type")]
    #[schema(value_type = ModuleQuizItemType)]
    pub kind: String,
    /// The choices; empty for `blank`.
    pub options: Vec<String>,
    /// The key.
    pub correct_answers: Vec<String>,
    /// Whether the learner is told at once.
    pub show_feedback: bool,
}

/// Drafts another version of one question or section of a module.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/modules/{moduleId}/part-drafts", tag = "Modules",
    operation_id = "draftModulePart", security(("contentKey" = [])), request_body = DraftModulePartRequest,
    responses(
        (status = 200, description = "The draft; nothing is stored", body = DraftedModulePart),
        (status = 409, description = "The source gives no other part, or the module is still being generated", body = ContentErrorBody),
        (status = 503, description = "The generator is away or took too long; try again", body = ContentErrorBody),
    )
)]
pub async fn draft(request: DraftPart) -> Result<Answer, Problem> {
    part_drafts::draft::<Module>(request).await
}

fn section() -> impl Check<Value = String> {
    fields::content().named("SectionText", "A section of a content, as HTML or Markdown.")
}

fn sections() -> impl Check<Value = Vec<String>> {
    list(0..=MOST_SECTIONS, section())
}

impl PresentQuizItem {
    fn part(&self) -> Part {
        let (word, _) = self.kind;
        let (question, correct_answers) = (self.question.clone(), self.correct_answers.clone());
        Part::Question(PresentQuestion { kind: kind_of(word), question, correct_answers })
    }

    fn of(item: ModuleQuizItem) -> Self {
        let kind = TYPES.iter().find(|(word, _)| *word == item.kind).unwrap_or(&TYPES[0]).1;
        let ModuleQuizItem { title, question, correct_answers, show_feedback, .. } = item;
        Self { title, question, kind, correct_answers, show_feedback }
    }
}

impl Module {
    /// The quiz items that are stored, as a caller would send them.
    fn present_quizzes(&self) -> Vec<PresentQuizItem> {
        part_drafts::stored::<ModuleQuizItem>(&self.quizzes).into_iter().map(PresentQuizItem::of).collect()
    }
}

impl HasParts for Module {
    type Request = DraftModulePartRequest;
    type Answer = DraftedModulePart;
    const DRAFT_PART: &'static str = "modules.draft_part";

    fn subject(&self) -> String {
        [self.title.as_str(), &self.description].join("\n")
    }

    fn metadata(&self) -> &JsonText {
        &self.metadata
    }

    fn wanted(&self, request: &DraftModulePartRequest) -> Result<WantedPart, Problem> {
        let (present, others) = match request.kind {
            ModulePartKind::Question => {
                let stored = || self.present_quizzes().iter().map(PresentQuizItem::part).collect();
                let sent = request.quizzes.as_ref().map(|items| items.iter().map(PresentQuizItem::part).collect());
                let kind = QuizItemKind::Select;
                let blank = PresentQuestion { kind, question: String::new(), correct_answers: Vec::new() };
                let before = request.earlier_quizzes.iter().map(PresentQuizItem::part);
                take_out(request.place, sent.unwrap_or_else(stored), before, Part::Question(blank))?
            }
            ModulePartKind::Section => {
                let sections = request.sections.clone().unwrap_or_else(|| divided(&self.content));
                let sections = sections.into_iter().map(Part::Section).collect();
                let before = request.earlier_sections.iter().cloned().map(Part::Section);
                take_out(request.place, sections, before, Part::Section(String::new()))?
            }
        };
        let question_kinds = TYPES.iter().map(|(word, _)| kind_of(word)).collect();
        Ok(WantedPart { present, others, question_kinds, instruction: request.instruction.clone() })
    }

    /// A module's questions can be asked of its own text; another section can't be made of what its sections say.
    fn own_material(&self, wanted: &WantedPart) -> Option<SourceModule> {
        let is_question = matches!(wanted.present, Part::Question(_));
        let own = || SourceModule { id: self.id.to_string(), title: self.title.clone(), html: self.content.clone() };
        (is_question && !self.content.trim().is_empty()).then(own)
    }

    fn answer(&self, request: &DraftModulePartRequest, content: PartContent, credit: DraftCredit) -> DraftedModulePart {
        let stored = || self.present_quizzes();
        let (quiz, section) = match content {
            PartContent::Question { item, lesson } => {
                let stored = if request.quizzes.is_none() { stored() } else { Vec::new() };
                let present = usize::try_from(request.place).ok();
                let present = present.and_then(|at| request.quizzes.as_ref().unwrap_or(&stored).get(at));
                let own_title = present.map(|present| present.title.clone()).unwrap_or_default();
                let quiz = ModuleQuizItemDraft {
                    title: if lesson.trim().is_empty() { own_title } else { lesson },
                    question: item.question,
                    kind: word(&item.kind),
                    options: item.options,
                    correct_answers: item.correct_answers,
                    show_feedback: present.is_none_or(|present| present.show_feedback),
                };
                (Some(quiz), None)
            }
            PartContent::Section(section) => (None, Some(section)),
            _ => unreachable!("the gate lets only parts of modules through"),
        };
        let (kind, place) = (request.kind, request.place);
        DraftedModulePart { kind, place, quiz, section, credit }
    }
}
