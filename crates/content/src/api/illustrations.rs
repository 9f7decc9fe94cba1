//! The examples of the document hold: the service takes every request as it stands there, and every answer is of the
//! form that its schema gives it.

use serde_json::Value;
use testkit::{TestStore, both_stores};

use crate::testing::{App, CONTRACT, PASSWORD, SIGN_IN_PAGE, Things, schema};

/// What stands for the test's own things in the examples, each with the thing.
pub(super) fn stand_ins(things: &Things, email: &str) -> Vec<(String, String)> {
    let mut pairs =
        vec![("admin@example.com".into(), email.into()), ("correct horse battery staple".into(), PASSWORD.into())];
    let parameters = CONTRACT
        .operations()
        .into_iter()
        .flat_map(|(operation, _)| CONTRACT.documented(&operation)["parameters"].as_array());
    for parameter in parameters.flatten().filter(|parameter| parameter["in"] == "path") {
        let name = parameter["name"].as_str().unwrap();
        let id = parameter["example"].as_str().unwrap_or_else(|| panic!("{name} has no example"));
        let (_, own) = things.names.iter().find(|(known, _)| *known == name).unwrap();
        pairs.push((id.to_owned(), own.clone()));
    }
    let video = &CONTRACT.documented("GET /v1/content/classrooms/{classroomId}/videos/{videoId}")["responses"]["200"];
    let scenes = video["content"]["application/json"]["example"]["scenes"].as_array().unwrap();
    assert_eq!(scenes.len(), things.scenes.len(), "the example's video has as many scenes as the test's");
    pairs.extend(
        scenes.iter().zip(&things.scenes).map(|(scene, own)| (scene["id"].as_str().unwrap().into(), own.clone())),
    );
    pairs
}

/// An example with the test's own things in it.
pub(super) fn about_own(pairs: &[(String, String)], example: &Value) -> Value {
    let text = pairs.iter().fold(example.to_string(), |text, (stand_in, own)| text.replace(stand_in.as_str(), own));
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_operation_has_an_example_of_its_body_and_of_its_answer() {
    CONTRACT.assert_every_operation_has_examples();
}

#[test]
fn every_webhook_has_an_example() {
    let webhooks = CONTRACT.document["webhooks"].as_object().unwrap();
    assert_eq!(webhooks.keys().collect::<Vec<_>>(), ["content.completed", "content.failed"]);
    for (name, webhook) in webhooks {
        let media = &webhook["post"]["requestBody"]["content"]["application/json"];
        CONTRACT.assert_has_example(media, name);
        assert_eq!(&media["example"]["type"], name);
        let parameters = webhook["post"]["parameters"].as_array().unwrap();
        assert_eq!(parameters[0]["name"], "X-Content-Integration-Event");
        assert_eq!(parameters[1]["name"], "X-Content-Integration-Signature");
    }
}

#[test]
fn the_schema_of_every_error_has_an_example() {
    for (operation, statuses) in CONTRACT.operations() {
        for status in statuses.iter().filter(|status| status.starts_with(['4', '5'])) {
            let listed = &CONTRACT.documented(&operation)["responses"][status]["content"]["application/json"]["schema"];
            let schema = schema::resolved(&CONTRACT.document, listed);
            let example = schema.get("example").unwrap_or_else(|| panic!("{status} of {operation} has no example"));
            assert_eq!(
                schema::faults(&CONTRACT.document, schema, example),
                Vec::<String>::new(),
                "{status} of {operation}"
            );
        }
    }
}

#[test]
fn the_answer_of_an_example_fits_its_request() {
    // The fields of a scene are not those of its video, the answer.
    CONTRACT.assert_answers_fit_requests(|operation| !operation.contains("/scenes"));
}

#[both_stores]
async fn every_request_of_the_examples_is_accepted(test: TestStore) {
    let app = App::new(test);
    for (n, (operation, _)) in CONTRACT.operations().into_iter().enumerate() {
        let email = format!("{n}@example.com");
        let things = Things::of_operator(&app, &email).await;
        if operation.ends_with("/retry") {
            things.fail(&app).await;
        }
        let call = match CONTRACT.documented_body(&operation) {
            Some((_, example)) => {
                things.bare_call(&app, &operation).json(&about_own(&stand_ins(&things, &email), example))
            }
            None => things.call(&app, &operation),
        };
        let call = call.header("referer", SIGN_IN_PAGE);
        let reply = call.key(&things.tenant.key).cookie(&things.cookie).send().await;
        let is_listed = CONTRACT.successes(&operation).any(|(status, _)| *status == reply.status.as_u16().to_string());
        assert!(is_listed, "{operation}: {} {}", reply.status, reply.body);
    }
}

#[both_stores]
async fn what_receivers_are_told_is_of_the_documented_form(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
    app.script.then(crate::expansions::OutputKind::SummaryVideo, [crate::testing::Step::Fail("model_refused")]);
    app.expand(&things.tenant, &things.tenant.source()).await;
    app.run_jobs().await;
    let told = app.read(|tx| {
        tx.query(
            "SELECT type, body FROM event WHERE type NOT IN ('content.queued', 'webhook.test') ORDER BY type",
            &[],
            |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?)),
        )
    });
    let told = told.await;
    assert_eq!(told.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["content.completed", "content.failed"]);
    for (name, body) in told {
        let schema =
            &CONTRACT.document["webhooks"][&name]["post"]["requestBody"]["content"]["application/json"]["schema"];
        let faults = schema::faults(&CONTRACT.document, schema, &serde_json::from_str(&body).unwrap());
        assert_eq!(faults, Vec::<String>::new(), "{body}");
    }
}
