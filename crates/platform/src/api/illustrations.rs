//! The examples of the document hold: the service takes every request as it stands there, and every answer is of the
//! form that its schema gives it.

use serde_json::Value;
use testkit::processor::FakeProcessor;
use testkit::{TestStore, both_stores};

use crate::testing::{App, CONTRACT, EVALUATIONS, Things};

const CREATE_EVALUATION: &str = "POST /v1/platform/evaluations";
const SHOW_VIDEO: &str = "GET /v1/platform/videos/edit/{editToken}";
const FROM_ORGANIZATION: &str = "POST /v1/platform/workspaces/from-organization";

fn example_body(operation: &str) -> &'static Value {
    CONTRACT.documented_body(operation).unwrap().1
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The ids of the examples, each with that of the test's own thing.
struct Cast(Vec<(String, String)>);

impl Cast {
    /// What the paths name, and what bodies name besides.
    async fn of(app: &App, things: &Things) -> Self {
        let mut pairs = Vec::new();
        for (operation, _) in CONTRACT.operations() {
            let own = things.path(&operation);
            let (_, template) = operation.split_once(' ').unwrap();
            for (segment, own) in
                template.split('/').zip(own.split('/')).filter(|(segment, _)| segment.starts_with('{'))
            {
                pairs.push((example_of_variable(&operation, segment), own.to_owned()));
            }
        }
        // The evaluation of the examples has a rubric.
        let evaluation = app.evaluate(&things.tenant, example_body(CREATE_EVALUATION)).await;
        let example = example_of_variable("GET /v1/platform/evaluations/{id}", "{id}");
        pairs.insert(0, (example, text(&evaluation["id"]).to_owned()));
        let organization = text(&example_body(FROM_ORGANIZATION)["organizationId"]).to_owned();
        pairs.push((organization, things.organization.to_string()));
        let shown = &CONTRACT.documented(SHOW_VIDEO)["responses"]["200"]["content"]["application/json"]["example"];
        let video: Value = things.call(app, SHOW_VIDEO).send().await.expect(200);
        let scenes = |video: &Value| video["scenes"].as_array().unwrap().clone();
        let scenes = scenes(shown).into_iter().zip(scenes(&video));
        pairs.extend(scenes.map(|(example, own)| (text(&example["id"]).to_owned(), text(&own["id"]).to_owned())));
        Self(pairs)
    }

    /// A text of the examples with the test's own things in it.
    fn own(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (example, own)| text.replace(example.as_str(), own))
    }
}

/// The documented example of a variable (`{id}`) of an operation's path.
fn example_of_variable(operation: &str, variable: &str) -> String {
    let parameters = CONTRACT.documented(operation)["parameters"].as_array().unwrap();
    let named = parameters.iter().find(|parameter| format!("{{{}}}", text(&parameter["name"])) == variable).unwrap();
    let example = named["example"].as_str();
    example.unwrap_or_else(|| panic!("{variable} of {operation} has no example")).to_owned()
}

#[test]
fn every_operation_has_an_example_of_its_body_and_of_its_answer() {
    CONTRACT.assert_every_operation_has_examples();
}

#[test]
fn the_answer_of_an_example_fits_its_request() {
    CONTRACT.assert_answers_fit_requests(|_| true);
}

#[both_stores]
async fn every_request_of_the_examples_is_accepted(test: TestStore) {
    let processor = FakeProcessor::start().await;
    let app = App::with_processor(test, &processor);
    let operations = CONTRACT.operations().into_iter().map(|(operation, _)| operation);
    for (n, operation) in operations.filter(|operation| CONTRACT.documented_body(operation).is_some()).enumerate() {
        let things = Things::of(&app, format!("things-{n}").leak()).await;
        let cast = Cast::of(&app, &things).await;
        let (method, template) = operation.split_once(' ').unwrap();
        let variables = template.split('/').filter(|segment| segment.starts_with('{'));
        let path = variables.fold(template.to_owned(), |path, variable| {
            path.replace(variable, &cast.own(&example_of_variable(&operation, variable)))
        });
        let body: Value = serde_json::from_str(&cast.own(&example_body(&operation).to_string())).unwrap();
        let reply = app.call(method.parse().unwrap(), &path).key(&things.admin_key).json(&body).send().await;
        assert!(reply.status.is_success(), "{operation}: {} {}", reply.status, reply.body);
        // Reviews of many answer for each.
        let results = if reply.body.starts_with('{') { reply.json()["results"].take() } else { Value::Null };
        for result in results.as_array().into_iter().flatten() {
            assert_eq!(result["status"], 200, "{operation}: {result}");
        }
    }
}

#[both_stores]
async fn the_examples_of_a_review_fit_the_evaluation_of_the_examples(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let evaluation = app.evaluate(&tenant, example_body(CREATE_EVALUATION)).await;
    let path = format!("{EVALUATIONS}/{}/review", text(&evaluation["id"]));
    let review = example_body("POST /v1/platform/evaluations/{id}/review");
    let reviewed: Value = app.post(&path).key(&tenant.key).json(review).send().await.expect(200);
    let operation = CONTRACT.documented("POST /v1/platform/evaluations/{id}/review");
    let example = &operation["responses"]["200"]["content"]["application/json"]["example"];
    for member in ["score", "maxScore", "normalizedScore", "confidence", "gradedBy", "version", "feedbackSummary"] {
        assert_eq!(reviewed[member], example[member], "{member}");
    }
}
