//! `PATCH /v1/content/classrooms/{classroomId}/tests/{testId}` (content-api section 4).

use edge::answer::Answer;
use edge::body::Body;
use edge::problem::Problem;
use kernel::ambient::Ambient;
use kernel::json::JsonText;
use store::{KeyedRecord as _, Tx};

use super::create::{level, subject, target_prompt, time_limit, topic_prompt};
use super::items::{TestItemRequest, items, test_items};
use super::passing::{self, passing_value, stays_of_type};
use super::{OpenField, PassingValueType, Test};
use crate::links::Links;
use crate::resources::{self, SUCCEEDED, Status, Succeeded, Update, Visibility, fields};

/// What to change of a test; what is absent stays.
#[derive(Body)]
#[body(changes = Test)]
pub struct UpdateTestRequest {
    /// What it is called: 1 to 255 characters.
    #[field(fields::title())]
    name: Option<String>,
    /// In minutes, at most 40320; with 0 or null there is none.
    #[field(time_limit(), null = 0.0, example = 20)]
    time_limit: Option<f64>,
    /// All items: those that are not among them are gone.
    #[field(items(), apart)]
    items: Option<Vec<TestItemRequest>>,
    /// What it is about; null clears it.
    #[field(fields::description(), null = "")]
    description: Option<String>,
    /// The field of knowledge; null clears it.
    #[field(subject(), null = "")]
    subject: Option<String>,
    /// How hard it is.
    #[field(level(), example = "MEDIUM")]
    level: Option<String>,
    /// What `passingValue` counts.
    passing_value_type: Option<PassingValueType>,
    /// What it takes to pass: 0 to 100 percent, or points, at most the items' scores together.
    #[field(passing_value(), example = 60, rule = stays_of_type(passing_value_type?, passing_value))]
    passing_value: Option<f64>,
    /// What it is generated about when its generation is tried again; null where it has none.
    #[field(topic_prompt())]
    topic_prompt: Option<Option<String>>,
    /// For whom it is generated when its generation is tried again; null clears it.
    #[field(target_prompt())]
    target_prompt: Option<Option<String>>,
    /// Whether anybody may open its public page.
    visibility: Option<Visibility>,
    /// A language tag.
    #[field(fields::stored_language())]
    language: Option<String>,
    /// All metadata: members that are not among them are gone; null clears it.
    #[field(fields::metadata(), null = JsonText::empty_object())]
    metadata: Option<JsonText>,
}

/// Changes a test. Who gives it items ends its generation: it is `completed`.
#[utoipa::path(
    patch, path = "/v1/content/classrooms/{classroomId}/tests/{testId}", tag = "Tests",
    operation_id = "updateTest", security(("contentKey" = [])), request_body = UpdateTestRequest,
    responses((status = 200, description = "The test was changed", body = Succeeded))
)]
pub async fn update(request: Update) -> Result<Answer, Problem> {
    let change = |tx: &mut Tx<'_>, _: &Links, mut test: Test, changes: &UpdateTestRequest| {
        if changes.topic_prompt == Some(None) && test.topic_prompt.is_some() {
            return Err(Problem::field("topicPrompt", "must be a string"));
        }
        changes.carry_out(&mut test, tx.ambient());
        if let Some(field) = changes.of_passing() {
            passing::check(&test, field)?;
        }
        if test.status != Status::Completed {
            changes.close(&mut test);
        }
        test.update(tx)?;
        Ok(Answer::ok(&SUCCEEDED).with_version(test.version + 1))
    };
    resources::update(request, "tests.update", change).await
}

impl UpdateTestRequest {
    /// The field that decides about what it takes to pass, where the request has one.
    fn of_passing(&self) -> Option<&'static str> {
        let fields = [
            ("passingValue", self.passing_value.is_some()),
            ("passingValueType", self.passing_value_type.is_some()),
            ("items", self.items.is_some()),
        ];
        fields.into_iter().find(|(_, is_given)| *is_given).map(|(field, _)| field)
    }

    /// What is given here is not for the generation to fill any more.
    fn close(&self, test: &mut Test) {
        for (field, is_given) in [
            (OpenField::Name, self.name.is_some()),
            (OpenField::Description, self.description.is_some()),
            (OpenField::Subject, self.subject.is_some()),
            (OpenField::TimeLimit, self.time_limit.is_some()),
        ] {
            if is_given {
                test.open_fields = test.open_fields.replace(field.word(), "");
            }
        }
    }

    /// Sets what is given.
    fn carry_out(&self, test: &mut Test, ambient: &Ambient) {
        self.apply(test);
        if let Some(items) = &self.items {
            test.items = JsonText::of(&test_items(items, ambient));
            if !items.is_empty() {
                (test.status, test.error) = (Status::Completed, None);
            }
        }
    }
}

#[cfg(test)]
mod tests;
