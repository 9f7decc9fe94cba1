//! `POST /v1/content/classrooms/{classroomId}/tests/{testId}/part-drafts`: another version of one item.

use edge::answer::Answer;
use edge::body::{Body, Check as _, list, nested, one_of, text};
use edge::problem::{ContentErrorBody, Problem};
use engine::{Part, PartContent, PresentQuestion, QuizItem, QuizItemKind};
use kernel::json::JsonText;
use serde::Serialize;

use super::items::{MOST_ITEMS, TYPES, TestItemType};
use super::{Test, TestItem};
use crate::generation::part_drafts::{
    self, DraftCredit, DraftPart, HasParts, WantedPart, earlier, instruction, place, take_out,
};
use crate::generation::parts::{kind_of, word};
use crate::questions::{Form, LONGEST_QUESTION, answers};

/// An item of a test to draft another version of.
#[derive(Body)]
pub struct DraftTestItemRequest {
    /// The item's place among the items, from 0; the place behind the last one for a further item.
    #[field(place(), example = 0)]
    place: i64,
    /// All items as they stand with the caller, complete or not; the stored ones when they are absent.
    #[field(list(0..=MOST_ITEMS, nested()))]
    items: Option<Vec<PresentTestItem>>,
    /// Versions of the item that were shown before, which are not to come again.
    #[field(earlier(nested()), default)]
    earlier_items: Vec<PresentTestItem>,
    /// What the person wants of the new version. A language model follows it; the built-in generator does not.
    #[field(instruction(), default, example = "Ask about the nucleus.")]
    instruction: String,
}

/// An item as it stands, as far as it tells what is asked.
#[derive(Body)]
pub(crate) struct PresentTestItem {
    /// What is asked; empty when it is absent.
    #[field(text(0..=LONGEST_QUESTION), default, example = "Which part of the cell keeps the DNA?")]
    question: String,
    /// The type that is wanted again, where the source has such an item; `select` when it is absent.
    #[field(one_of(TYPES).shown_as::<TestItemType>(), name = "type", default = TYPES[0].1)]
    kind: (&'static str, Form),
    /// Its key.
    #[field(answers(0), default, example = ["The nucleus"])]
    correct_answers: Vec<String>,
}

/// A drafted item. Nothing is stored: the caller puts it in its place with the change of the test.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftedTestItem {
    /// The place that was asked for.
    pub place: i64,
    /// The item.
    pub item: TestItemDraft,
    /// The generator.
    #[serde(flatten)]
    pub credit: DraftCredit,
}

/// An item as the change of a test takes it.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestItemDraft {
    /// What is asked.
    pub question: String,
    /// How it is answered.
    #[serde(rename = "type")]
    #[schema(value_type = TestItemType)]
    pub kind: String,
    /// The choices of `select` and `true-false`; else empty.
    pub options: Vec<String>,
    /// The key.
    pub correct_answers: Vec<String>,
    /// Why the key is right.
    pub explanation: String,
    /// Points.
    pub score: f64,
}

/// Drafts another version of one item of a test.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/tests/{testId}/part-drafts", tag = "Tests",
    operation_id = "draftTestItem", security(("contentKey" = [])), request_body = DraftTestItemRequest,
    responses(
        (status = 200, description = "The draft; nothing is stored", body = DraftedTestItem),
        (status = 409, description = "The source gives no other item, or the test is still being generated", body = ContentErrorBody),
        (status = 503, description = "The generator is away or took too long; try again", body = ContentErrorBody),
    )
)]
pub async fn draft(request: DraftPart) -> Result<Answer, Problem> {
    part_drafts::draft::<Test>(request).await
}

impl PresentTestItem {
    fn part(&self) -> Part {
        let (word, _) = self.kind;
        let (question, correct_answers) = (self.question.clone(), self.correct_answers.clone());
        Part::Question(PresentQuestion { kind: kind_of(word), question, correct_answers })
    }
}

impl TestItem {
    fn part(self) -> Part {
        let Self { kind, question, correct_answers, .. } = self;
        Part::Question(PresentQuestion { kind: kind_of(&kind), question, correct_answers })
    }
}

impl HasParts for Test {
    type Request = DraftTestItemRequest;
    type Answer = DraftedTestItem;
    const DRAFT_PART: &'static str = "tests.draft_part";

    fn subject(&self) -> String {
        let prompts = [&self.topic_prompt, &self.target_prompt].map(|prompt| prompt.as_deref().unwrap_or_default());
        let names = [self.name.as_str(), &self.description, &self.subject];
        if prompts.iter().all(|prompt| prompt.trim().is_empty()) { names.join("\n") } else { prompts.join("\n") }
    }

    fn metadata(&self) -> &JsonText {
        &self.metadata
    }

    fn wanted(&self, request: &DraftTestItemRequest) -> Result<WantedPart, Problem> {
        let items: Vec<Part> = match &request.items {
            Some(items) => items.iter().map(PresentTestItem::part).collect(),
            None => part_drafts::stored::<TestItem>(&self.items).into_iter().map(TestItem::part).collect(),
        };
        let blank =
            PresentQuestion { kind: QuizItemKind::Select, question: String::new(), correct_answers: Vec::new() };
        let before = request.earlier_items.iter().map(PresentTestItem::part);
        let (present, others) = take_out(request.place, items, before, Part::Question(blank))?;
        let question_kinds = TYPES.iter().map(|(word, _)| kind_of(word)).collect();
        Ok(WantedPart { present, others, question_kinds, instruction: request.instruction.clone() })
    }

    fn answer(&self, request: &DraftTestItemRequest, content: PartContent, credit: DraftCredit) -> DraftedTestItem {
        let PartContent::Question { item, .. } = content else {
            unreachable!("the gate lets only items of tests through")
        };
        let QuizItem { question, kind, options, correct_answers, explanation, score } = item;
        let item = TestItemDraft { question, kind: word(&kind), options, correct_answers, explanation, score };
        DraftedTestItem { place: request.place, item, credit }
    }
}
