//! The generation of a test's items from its prompts.

use engine::{Defect, Generator, QuizDraft, SourceModule, TestRequest, Workbench, check_citations, check_quiz};
use kernel::json::JsonText;
use store::{KeyedRecord as _, StoreError, Tx};

use super::{OpenField, PassingValueType, Test, total};
use crate::generation::credit::Credit;
use crate::generation::generated::{Drafting, Generated};
use crate::generation::parts;
use crate::resources::{Failure, Status};

impl Generated for Test {
    type Request = TestRequest;
    type Draft = QuizDraft;

    fn topic(&self) -> String {
        [&self.topic_prompt, &self.target_prompt].map(|prompt| prompt.as_deref().unwrap_or_default()).join("\n")
    }

    fn request(&self, material: Vec<SourceModule>) -> TestRequest {
        let Self { topic_prompt, target_prompt, level, language, .. } = self.clone();
        let (topic_prompt, target_prompt) = (topic_prompt.unwrap_or_default(), target_prompt.unwrap_or_default());
        TestRequest { topic_prompt, target_prompt, level, language, material }
    }

    fn ask<'a>(generator: &'a dyn Generator, request: &'a TestRequest, bench: &'a dyn Workbench) -> Drafting<'a, Self> {
        generator.requested_test(request, bench)
    }

    fn check(draft: &QuizDraft, request: &TestRequest) -> Result<(), Vec<Defect>> {
        check_quiz(draft).and_then(|()| check_citations(&draft.citations, request))
    }

    /// A test that nobody can pass is refused when it is edited by hand; it is not generated either.
    fn fill(&mut self, tx: &mut Tx<'_>, draft: &QuizDraft, credit: &Credit) -> Result<Option<Failure>, StoreError> {
        let (points, scores) = (self.passing_value, total(draft.items.iter().map(|item| item.score)));
        if self.passing_value_type == PassingValueType::Points && points > scores {
            return Ok(Some(Failure {
                code: "passing_value_out_of_reach".to_owned(),
                message: format!("It takes {points} points to pass, and the generated items give {scores} together."),
            }));
        }
        (self.status, self.error) = (Status::Completed, None);
        for (field, text, drafted) in [
            (OpenField::Name, &mut self.name, &draft.name),
            (OpenField::Description, &mut self.description, &draft.description),
            (OpenField::Subject, &mut self.subject, &draft.subject),
        ] {
            if self.open_fields.contains(field.word()) {
                text.clone_from(drafted);
            }
        }
        if self.open_fields.contains(OpenField::TimeLimit.word()) {
            self.time_limit = f64::from(draft.time_limit_minutes);
        }
        self.items = JsonText::of(&parts::test_items(tx.ambient(), &draft.items));
        self.metadata = credit.sign_resource(&self.metadata, Some(&draft.citations));
        self.open_fields.clear();
        self.update(tx)?;
        Ok(None)
    }
}
