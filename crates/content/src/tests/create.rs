//! `POST /v1/content/classrooms/{classroomId}/tests` (content-api section 4).

use edge::answer::Answer;
use edge::body::{At, Body, Check, label, number, text};
use edge::problem::Problem;
use http::StatusCode;
use kernel::ambient::Ambient;
use kernel::json::JsonText;
use store::Record as _;

use super::passing::{is_of_type, passing_value};
use super::{OpenField, PassingValueType, Test};
use crate::generation;
use crate::resources::fields::{self, LONGEST_TITLE};
use crate::resources::{self, Create, Place, Status, Visibility};

pub(super) const DEFAULT_LEVEL: &str = "MEDIUM";
/// The longest level, in characters.
const LONGEST_LEVEL: usize = 50;
/// The longest prompt, in characters.
const LONGEST_PROMPT: usize = 20_000;
/// The longest time limit, in minutes: four weeks.
const LONGEST_TIME_LIMIT: f64 = 40_320.0;
/// The share of the score that passes when nobody says.
pub(super) const DEFAULT_PERCENTAGE: f64 = 60.0;

/// A test to create.
#[derive(Body)]
pub struct CreateTestRequest {
    /// What it is about: a word, a sentence or pages of text.
    #[field(topic_prompt(), example = "Photosynthesis: light, chlorophyll, glucose")]
    topic_prompt: String,
    /// What the learner should show, or whom the test is for.
    #[field(target_prompt(), example = "Year 7, after the first lesson")]
    target_prompt: Option<String>,
    /// `EASY`, `MEDIUM`, `HARD` or another label; `MEDIUM` when it is absent.
    #[field(level(), default = DEFAULT_LEVEL.to_owned(), example = "MEDIUM")]
    level: String,
    /// What `passingValue` counts; `PERCENTAGE` when it is absent.
    #[field(default = PassingValueType::Percentage)]
    passing_value_type: PassingValueType,
    /// What it takes to pass: 0 to 100 percent (60 when it is absent), or points, which have to be given.
    #[field(
        passing_value(),
        example = 60,
        rule = is_of_type(passing_value_type?, passing_value),
        rule = are_given_points(passing_value_type, passing_value)
    )]
    passing_value: Option<f64>,
    /// What it is called: 1 to 255 characters; told from the topic when it is absent.
    #[field(fields::title())]
    name: Option<String>,
    /// What it is about, for readers; generated when it is absent.
    #[field(fields::description())]
    description: Option<String>,
    /// `PRIVATE` when it is absent.
    #[field(default = Visibility::Private)]
    visibility: Visibility,
    /// A language tag; the classroom's language when it is absent.
    #[field(fields::language(), example = "en")]
    language: Option<String>,
    /// In minutes, at most 40320, with 0 for none; as long as the items take when it is absent.
    #[field(time_limit())]
    time_limit: Option<f64>,
    /// Whatever the caller wants to keep with it.
    #[field(fields::metadata(), default = JsonText::empty_object())]
    metadata: JsonText,
}

/// The rule of a new test: points have to be given.
fn are_given_points(at: &mut At<'_>, kind: &PassingValueType, value: &Option<f64>) {
    if *kind == PassingValueType::Points && value.is_none() {
        at.member("passingValue").refuse::<()>("is required");
    }
}

/// Creates a test in a classroom. Its items are generated from its prompts.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/tests", tag = "Tests",
    operation_id = "createTest", security(("contentKey" = [])), request_body = CreateTestRequest,
    responses((status = 201, description = "The test, `queued` until its items are there", body = Test))
)]
pub async fn create(request: Create) -> Result<Answer, Problem> {
    resources::create(request, "tests.create", StatusCode::CREATED, |tx, place, request: &CreateTestRequest| {
        let new = request.test(tx.ambient(), place);
        new.insert(tx)?;
        generation::enqueue::<Test>(tx, place.organization, new.id)?;
        Ok(new)
    })
    .await
}

/// The topic of a generated test.
pub(super) fn topic_prompt() -> impl Check<Value = String> {
    text(1..=LONGEST_PROMPT)
}

/// The audience and the aim of a generated test; it may be empty.
pub(super) fn target_prompt() -> impl Check<Value = String> {
    text(0..=LONGEST_PROMPT)
}

/// A test's difficulty.
pub(super) fn level() -> impl Check<Value = String> {
    label(1..=LONGEST_LEVEL)
}

/// In minutes; 0 for none.
pub(super) fn time_limit() -> impl Check<Value = f64> {
    number(0.0..=LONGEST_TIME_LIMIT)
}

/// The field of knowledge; it may be empty.
pub(super) fn subject() -> impl Check<Value = String> {
    text(0..=LONGEST_TITLE)
}

impl CreateTestRequest {
    /// What nobody gave is left to the generation.
    fn test(&self, ambient: &Ambient, place: &Place) -> Test {
        let name = self.name.clone().unwrap_or_else(|| generation::working_name(&self.topic_prompt));
        Test {
            description: self.description.clone().unwrap_or_default(),
            status: Status::Queued,
            visibility: self.visibility,
            topic_prompt: Some(self.topic_prompt.clone()),
            target_prompt: self.target_prompt.clone(),
            level: self.level.clone(),
            time_limit: self.time_limit.unwrap_or(0.0),
            passing_value_type: self.passing_value_type,
            passing_value: self.passing_value.unwrap_or(DEFAULT_PERCENTAGE),
            metadata: self.metadata.clone(),
            open_fields: self.open_fields(),
            ..Test::new(ambient, place.ids(), name, place.language(self.language.as_ref()))
        }
    }

    fn open_fields(&self) -> String {
        let fields = [
            (OpenField::Name, self.name.is_none()),
            (OpenField::Description, self.description.is_none()),
            (OpenField::Subject, true),
            (OpenField::TimeLimit, self.time_limit.is_none()),
        ];
        fields.into_iter().filter(|(_, is_open)| *is_open).map(|(field, _)| field.word()).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn a_topic_is_enough_and_the_test_is_queued_with_its_job(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let french = app.classroom(&tenant, "Français 3", "fr").await;
        let path = format!("/v1/content/classrooms/{}/tests", french.id);
        let body = json!({ "topicPrompt": "La cellule\nDix questions." });
        let made = app.post(&path).key(&tenant.key).json(&body).send().await.expect(201);
        assert_eq!(
            made,
            json!({
                "id": made["id"], "classroomId": french.id, "name": "La cellule", "slug": "la-cellule", "description": "",
                "status": "queued", "error": null, "visibility": "PRIVATE", "topicPrompt": "La cellule\nDix questions.",
                "targetPrompt": null, "subject": "", "language": "fr", "level": "MEDIUM", "timeLimit": 0,
                "passingValueType": "PERCENTAGE", "passingValue": 60.0, "items": [], "metadata": {}, "publicUrl": null,
                "previewUrl": made["previewUrl"], "version": 1, "createdAt": "2026-01-02T03:04:05.000Z",
                "updatedAt": "2026-01-02T03:04:05.000Z",
            })
        );
        let queued = app
            .read(|tx| {
                tx.query("SELECT kind, payload FROM job", &[], |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?)))
            })
            .await;
        let [(kind, payload)] = &queued[..] else { panic!("{queued:?}") };
        assert_eq!(kind, "GenerateResource");
        assert!(payload.contains(made["id"].as_str().unwrap()));
    }

    #[both_stores]
    async fn what_is_given_is_kept(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let body = json!({
            "topicPrompt": "Photosynthesis: light,\nchlorophyll", "targetPrompt": "Year 7", "level": "HARD",
            "passingValueType": "POINTS", "passingValue": 12.5, "name": "Leaves", "description": "About leaves.",
            "visibility": "PUBLIC", "language": "de", "timeLimit": 45, "metadata": { "z": 1, "externalId": "t-9" },
            "items": "are generated", "unknown": true, "status": "completed",
        });
        let made = app.make(&tenant, "tests", &body).await;
        for (field, value) in body.as_object().unwrap() {
            if !["items", "unknown", "status"].contains(&field.as_str()) {
                assert_eq!(&made[field], value, "{field}");
            }
        }
        assert_eq!((&made["status"], &made["items"]), (&json!("queued"), &json!([])));
        let id = made["id"].as_str().unwrap();
        assert_eq!(made["publicUrl"], format!("https://lectern.example/public/tests/{id}"));
        let read = app.get(&tenant.resources(&format!("tests/{id}"))).key(&tenant.key).send().await.expect(200);
        assert_eq!(read, made);
    }

    #[both_stores]
    async fn every_wrong_field_is_named_at_once(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let path = tenant.resources("tests");
        let before = app.stored().await;
        let faults = async |body: &Value| app.post(&path).key(&tenant.key).json(body).send().await.faults();
        let fields = [
            "topicPrompt",
            "targetPrompt",
            "level",
            "passingValueType",
            "passingValue",
            "name",
            "description",
            "visibility",
            "language",
            "timeLimit",
            "metadata",
        ];
        for wrong in [json!(-7), json!([]), json!(true), json!(1e300)] {
            let body: serde_json::Map<_, _> = fields.iter().map(|field| ((*field).to_owned(), wrong.clone())).collect();
            assert_eq!(faults(&body.into()).await, fields, "{wrong}");
        }
        for (body, fault) in [
            (json!({}), "topicPrompt"),
            (json!({ "topicPrompt": " \n" }), "topicPrompt"),
            (json!({ "topicPrompt": null }), "topicPrompt"),
            (json!({ "topicPrompt": "x".repeat(20_001) }), "topicPrompt"),
            (json!({ "topicPrompt": "a", "targetPrompt": "x".repeat(20_001) }), "targetPrompt"),
            (json!({ "topicPrompt": "a", "level": "" }), "level"),
            (json!({ "topicPrompt": "a", "passingValueType": "percentage" }), "passingValueType"),
            (json!({ "topicPrompt": "a", "passingValue": -0.1 }), "passingValue"),
            (json!({ "topicPrompt": "a", "passingValue": 100.1 }), "passingValue"),
            (json!({ "topicPrompt": "a", "passingValueType": "POINTS" }), "passingValue"),
            (json!({ "topicPrompt": "a", "passingValueType": "POINTS", "passingValue": 1_000_001 }), "passingValue"),
            (json!({ "topicPrompt": "a", "passingValueType": "POINTS", "passingValue": null }), "passingValue"),
            (json!({ "topicPrompt": "a", "name": "" }), "name"),
            (json!({ "topicPrompt": "a", "timeLimit": -1 }), "timeLimit"),
            (json!({ "topicPrompt": "a", "timeLimit": 40_320.5 }), "timeLimit"),
            (json!({ "topicPrompt": "a", "timeLimit": "5" }), "timeLimit"),
        ] {
            assert_eq!(faults(&body).await, [fault]);
        }
        for text in [
            "{\"topicPrompt\":\"\\u0000\"}",
            "{\"topicPrompt\":\"\\ud800\"}",
            "{\"topicPrompt\":\"a\",\"passingValue\":NaN}",
        ] {
            app.post(&path).key(&tenant.key).raw("application/json", text).send().await.expect(400);
        }
        assert_eq!(app.stored().await, before);
        for (kind, value) in [("PERCENTAGE", 0.0), ("PERCENTAGE", 100.0), ("POINTS", 0.0), ("POINTS", 1e6)] {
            let body = json!({ "topicPrompt": "a", "passingValueType": kind, "passingValue": value });
            assert_eq!(app.make(&tenant, "tests", &body).await["passingValue"], json!(value));
        }
    }
}
