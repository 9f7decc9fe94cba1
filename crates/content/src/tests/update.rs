//! `PATCH /v1/content/classrooms/{classroomId}/tests/{testId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Fields, JsonBody};
use edge::openapi::AnyObject;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use kernel::ambient::Ambient;
use kernel::json::JsonText;
use serde_json::{Value, json};
use store::{StoreError, Tx};

use super::create::{level, subject, target_prompt, time_limit, topic_prompt};
use super::items::{TestItemRequest, items};
use super::passing::{self, passing_value, passing_value_type};
use super::{OpenField, PassingValueType, Test, TestItem};
use crate::resources::{self, SUCCEEDED, Status, Succeeded, Visibility, fields, set};
use crate::{Content, ContentKey};

/// What to change of a test; what is absent stays.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase", min_properties = 1)]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct UpdateTestRequest {
    /// What it is called: 1 to 255 characters.
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    name: Option<String>,
    /// In minutes, at most 40320; with 0 or null there is none.
    #[schema(minimum = 0, maximum = 40320, example = 20)]
    time_limit: Option<f64>,
    /// All items: those that are not among them are gone.
    #[schema(max_items = 500, nullable = false)]
    items: Option<Vec<TestItemRequest>>,
    /// What it is about; null clears it.
    #[schema(max_length = 5000)]
    description: Option<String>,
    /// The field of knowledge; null clears it.
    #[schema(max_length = 255)]
    subject: Option<String>,
    /// How hard it is.
    #[schema(min_length = 1, max_length = 50, nullable = false, example = "MEDIUM")]
    level: Option<String>,
    /// What `passingValue` counts.
    #[schema(nullable = false)]
    passing_value_type: Option<PassingValueType>,
    /// What it takes to pass: 0 to 100 percent, or points, at most the items' scores together.
    #[schema(minimum = 0, maximum = 1000000, nullable = false, example = 60)]
    passing_value: Option<f64>,
    /// What it is generated about when its generation is tried again; null where it has none.
    #[schema(min_length = 1, max_length = 20000)]
    topic_prompt: Option<String>,
    /// For whom it is generated when its generation is tried again; null clears it.
    #[schema(max_length = 20000)]
    target_prompt: Option<String>,
    /// Whether anybody may open its public page.
    #[schema(nullable = false)]
    visibility: Option<Visibility>,
    /// A language tag.
    #[schema(min_length = 1, max_length = 35, nullable = false)]
    language: Option<String>,
    /// All metadata: members that are not among them are gone; null clears it.
    #[schema(value_type = Option<AnyObject>)]
    metadata: Option<Value>,
}

struct Changes {
    name: Option<String>,
    time_limit: Option<f64>,
    items: Option<Vec<TestItem>>,
    description: Option<String>,
    subject: Option<String>,
    level: Option<String>,
    passing_value_type: Option<PassingValueType>,
    passing_value: Option<f64>,
    topic_prompt: Option<Option<String>>,
    target_prompt: Option<Option<String>>,
    visibility: Option<Visibility>,
    language: Option<String>,
    metadata: Option<Value>,
}

/// Changes a test. Who gives it items ends its generation: it is `completed`.
#[utoipa::path(
    patch, path = "/v1/content/classrooms/{classroomId}/tests/{testId}", tag = "Tests",
    operation_id = "updateTest", security(("contentKey" = [])), request_body = UpdateTestRequest,
    params(("classroomId" = String, Path), ("testId" = String, Path)),
    responses((status = 200, description = "The test was changed", body = Succeeded))
)]
pub async fn update(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    expected: IfMatch,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let changes = body.read_changes(|fields| read(fields, &content.door.ambient));
    resources::change::<Test, _>(content, key, "tests.update", path, expected, changes, |tx, mut test, changes| {
        if changes.topic_prompt == Some(None) && test.topic_prompt.is_some() {
            return Err(Problem::field("topicPrompt", "must be a string"));
        }
        changes.apply(&mut test);
        if let Some(field) = changes.of_passing() {
            passing::check(&test, field)?;
        }
        super::save(tx, &test)?;
        if test.status != Status::Completed {
            changes.close(tx, &test)?;
        }
        Ok(Answer::ok(&SUCCEEDED).with_version(test.version + 1))
    })
    .await
}

fn read(fields: &mut Fields<'_>, ambient: &Ambient) -> Option<Changes> {
    let name = fields.change("name", fields::title);
    let time_limit = fields.clearable("timeLimit", time_limit);
    let items = fields.change("items", items(ambient));
    let description = fields.clearable("description", fields::description);
    let subject = fields.clearable("subject", subject);
    let level = fields.change("level", level);
    let kind = fields.change("passingValueType", passing_value_type);
    let passing_value = fields.change("passingValue", passing_value(kind.flatten()));
    let topic_prompt = fields.clearable("topicPrompt", topic_prompt);
    let target_prompt = fields.clearable("targetPrompt", target_prompt);
    let visibility = fields.change("visibility", fields::visibility);
    let language = fields.change("language", fields::stored_language);
    let metadata = fields.clearable("metadata", fields::metadata);
    Some(Changes {
        name: name?,
        time_limit: time_limit?.map(|minutes| minutes.unwrap_or(0.0)),
        items: items?,
        description: description?.map(Option::unwrap_or_default),
        subject: subject?.map(Option::unwrap_or_default),
        level: level?,
        passing_value_type: kind?,
        passing_value: passing_value?,
        topic_prompt: topic_prompt?,
        target_prompt: target_prompt?,
        visibility: visibility?,
        language: language?,
        metadata: metadata?.map(|metadata| metadata.unwrap_or_else(|| json!({}))),
    })
}

impl Changes {
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
    fn close(&self, tx: &mut Tx<'_>, test: &Test) -> Result<(), StoreError> {
        let given = [
            (OpenField::Name, self.name.is_some()),
            (OpenField::Description, self.description.is_some()),
            (OpenField::Subject, self.subject.is_some()),
            (OpenField::TimeLimit, self.time_limit.is_some()),
        ];
        for (field, _) in given.into_iter().filter(|(_, is_given)| *is_given) {
            tx.execute_later(
                "UPDATE test SET open_fields = replace(open_fields, $3, '') WHERE id = $1 AND organization_id = $2",
                &[&test.id, &test.organization_id, &field.word()],
            )?;
        }
        Ok(())
    }

    fn apply(&self, test: &mut Test) {
        set(&mut test.name, self.name.as_ref());
        set(&mut test.time_limit, self.time_limit.as_ref());
        set(&mut test.description, self.description.as_ref());
        set(&mut test.subject, self.subject.as_ref());
        set(&mut test.level, self.level.as_ref());
        set(&mut test.passing_value_type, self.passing_value_type.map(|kind| kind.word().to_owned()).as_ref());
        set(&mut test.passing_value, self.passing_value.as_ref());
        set(&mut test.topic_prompt, self.topic_prompt.as_ref());
        set(&mut test.target_prompt, self.target_prompt.as_ref());
        set(&mut test.visibility, self.visibility.as_ref());
        set(&mut test.language, self.language.as_ref());
        set(&mut test.metadata, self.metadata.as_ref().map(JsonText::of).as_ref());
        if let Some(items) = &self.items {
            test.items = JsonText::of(items);
            if !items.is_empty() {
                (test.status, test.error) = (Status::Completed, None);
            }
        }
    }
}

#[cfg(test)]
mod tests;
