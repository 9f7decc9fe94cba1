//! The program with a learning platform that others wrote: what the one signs the other verifies, both ways.

use http::StatusCode;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::browser::{Browser, Page};
use super::learning_platform::{LearningPlatform, Workspace, launch, session};
use super::process::{Installation, Wait, count};

/// Each mistake of the platform with the reason that the log gives.
const FAULTS: &[(&str, &str)] = &[
    ("audience", "audience"),
    ("second audience", "audience"),
    ("authorized party", "authorized_party"),
    ("issuer", "issuer"),
    ("expired", "expired"),
    ("no life", "no_expiry"),
    ("future", "issued_in_future"),
    ("nonce", "nonce"),
    ("deployment", "deployment"),
    ("target", "target"),
    ("user", "subject"),
    ("unknown key", "unknown_key"),
    ("no key", "no_key_id"),
    ("signature", "signature"),
    ("unsigned", "algorithm"),
    ("mac", "algorithm"),
    ("resource link", "no_resource_link"),
    ("gradebook", "service_claim"),
    ("roster", "service_claim"),
    ("version", "version"),
    ("message type", "message_type"),
    ("roles", "no_roles"),
];

/// Waits until a score is in the gradebook.
async fn synced(workspace: &Workspace<'_>, evaluation: &str) {
    let wait = Wait::until("the score is synced");
    loop {
        let sync = workspace.sync(evaluation).await;
        if sync["status"] == "synced" {
            return;
        }
        assert_eq!((&sync["status"], &sync["error"]), (&json!("pending"), &Value::Null), "{sync}");
        wait.on().await;
    }
}

/// These numbers of an object, and its other members.
fn split<const N: usize>(object: &Value, numbers: [&str; N]) -> ([f64; N], Value) {
    let mut rest = object.clone();
    let numbers = numbers.map(|name| rest.as_object_mut().unwrap().remove(name).unwrap().as_f64().unwrap());
    (numbers, rest)
}

fn is_time(value: &Value) -> bool {
    value.as_str().is_some_and(|time| time.len() == 24 && time.ends_with('Z'))
}

#[both_stores]
async fn a_score_arrives_in_the_gradebook_of_another_implementation(test: TestStore) {
    let installation = Installation::new(&test);
    let server = installation.serve().await;
    let workspace = Workspace::new(&server, &installation.platform_key);
    let lms = LearningPlatform::new(&server.client, &json!({})).await;
    workspace.register(&lms).await;

    let launched = launch(&lms, "learner-1", "quiz").await;
    assert!(launched.html.contains("Photosynthesis") && launched.html.contains("Biology"), "{launched:?}");
    synced(&workspace, &workspace.grade(&session(&launched), "42").await).await;
    let seen = lms.seen().await;
    let (item, score) = (&seen["lineItems"][4], &seen["scores"][0]);
    let expected = json!({
        "id": item["id"], "label": "Photosynthesis", "resourceId": item["resourceId"], "resourceLinkId": "quiz",
    });
    assert_eq!(split(item, ["scoreMaximum"]), ([10.0], expected));
    let expected = json!({
        "scoreOf": item["id"], "userId": "learner-1", "activityProgress": "Completed", "gradingProgress": "FullyGraded",
        "timestamp": score["timestamp"], "submission": { "submittedAt": score["submission"]["submittedAt"] },
    });
    assert_eq!(split(score, ["scoreGiven", "scoreMaximum"]), ([10.0, 10.0], expected));
    assert!(is_time(&score["timestamp"]) && is_time(&score["submission"]["submittedAt"]), "{score}");
    let assertion = &seen["assertions"][0];
    assert_eq!((&assertion["iss"], &assertion["sub"]), (&json!(lms.client_id()), &json!(lms.client_id())));

    // Another learner's score goes to the same column, and one of another link to the column that its launch names.
    synced(&workspace, &workspace.grade(&session(&launch(&lms, "learner-2", "quiz").await), "41").await).await;
    let essay = session(&launch(&lms, "learner-3", "essay").await);
    synced(&workspace, &workspace.grade(&essay, "42").await).await;
    // A later score of the same learner is later for the platform too.
    synced(&workspace, &workspace.grade(&essay, "41").await).await;
    let seen = lms.seen().await;
    let cell = |at: usize| {
        let score = &seen["scores"][at];
        (score["userId"].as_str(), score["scoreOf"].clone(), score["scoreGiven"].as_f64())
    };
    let [quiz, essay] = [4, 3].map(|at| seen["lineItems"][at]["id"].clone());
    assert_eq!(cell(1), (Some("learner-2"), quiz, Some(0.0)));
    assert_eq!(cell(2), (Some("learner-3"), essay.clone(), Some(10.0)));
    assert_eq!(cell(3), (Some("learner-3"), essay, Some(0.0)));
    let counts = ["lineItems", "scores", "assertions", "refused"].map(|list| seen[list].as_array().unwrap().len());
    assert_eq!(counts, [5, 4, 1, 0], "{seen}");
}

#[both_stores]
async fn a_column_is_found_behind_the_pages_of_a_gradebook_that_filters_nothing(test: TestStore) {
    let installation = Installation::new(&test);
    let server = installation.serve().await;
    let workspace = Workspace::new(&server, &installation.platform_key);
    let lms = LearningPlatform::new(&server.client, &json!({ "pageSize": 2, "honoursFilters": false })).await;
    for learner in ["learner-1", "learner-2"] {
        let registration = workspace.register(&lms).await;
        let session = session(&launch(&lms, learner, "quiz").await);
        synced(&workspace, &workspace.grade(&session, "42").await).await;
        // With it goes what is known of the gradebook.
        workspace.delete(&registration).await;
    }
    let seen = lms.seen().await;
    assert_eq!(seen["lineItems"].as_array().unwrap().len(), 5, "{seen}");
    for score in seen["scores"].as_array().unwrap() {
        assert_eq!(score["scoreOf"], seen["lineItems"][4]["id"]);
    }
    assert_eq!((seen["scores"].as_array().unwrap().len(), &seen["refused"]), (2, &json!([])));
}

#[both_stores]
async fn what_another_implementation_signs_wrongly_is_refused_for_its_reason(test: TestStore) {
    let installation = Installation::new(&test);
    let server = installation.serve().await;
    let workspace = Workspace::new(&server, &installation.platform_key);
    let lms = LearningPlatform::new(&server.client, &json!({})).await;
    let registration = workspace.register(&lms).await;
    for (fault, reason) in FAULTS {
        let mut browser = Browser::default();
        let form = browser.open(&lms.wrong_link(fault)).await;
        let refused = browser.submit(&form).await;
        assert_eq!(workspace.refusals(&registration).await[0], *reason, "{fault}");
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{fault}: {}", refused.html);
    }
    assert_eq!(workspace.refusals(&registration).await.len(), FAULTS.len());
    let store = installation.open(&test).await;
    for nothing in ["SELECT count(*) FROM lti_launch", "SELECT count(*) FROM event WHERE type = 'lti.launch_completed'"]
    {
        assert_eq!(count(&store, nothing).await, 0, "{nothing}");
    }
    store.close().await;
}

#[both_stores]
async fn a_launch_is_for_one_time_and_one_browser_and_a_refused_login_is_told(test: TestStore) {
    let installation = Installation::new(&test);
    let server = installation.serve().await;
    let workspace = Workspace::new(&server, &installation.platform_key);
    let lms = LearningPlatform::new(&server.client, &json!({})).await;
    let registration = workspace.register(&lms).await;
    let newest = async |refused: Page| {
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.html);
        workspace.refusals(&registration).await.remove(0)
    };

    let mut browser = Browser::default();
    let form = browser.open(&lms.link("learner-1", "quiz")).await;
    assert_eq!(newest(Browser::default().submit(&form).await).await, "other_browser");
    let mut copy = browser.clone();
    session(&browser.submit(&form).await);
    assert_eq!(newest(copy.submit(&form).await).await, "replayed");

    // The platform misses the nonce, and tells the tool so.
    let mut asked = form.url.clone();
    let without = form.url.query_pairs().filter(|(name, _)| name != "nonce");
    asked.query_pairs_mut().clear().extend_pairs(without);
    let told = copy.open(&asked).await;
    assert_eq!(told.field("error").as_deref(), Some("invalid_request"), "{told:?}");
    assert_eq!(newest(copy.submit(&told).await).await, "platform_error");
}

#[both_stores]
async fn a_platform_that_has_other_keys_for_the_tool_gets_the_score_when_that_is_mended(test: TestStore) {
    let installation = Installation::new(&test);
    let server = installation.serve().await;
    let workspace = Workspace::new(&server, &installation.platform_key);
    let lms = LearningPlatform::new(&server.client, &json!({})).await;
    workspace.register(&lms).await;
    let keys = format!("http://{}/v1/platform/lti/.well-known/jwks.json", server.client.address);
    lms.move_keys(lms.key_set()).await;
    let evaluation = workspace.grade(&session(&launch(&lms, "learner-1", "essay").await), "42").await;
    let wait = Wait::until("the platform has refused an assertion");
    let mut sync = workspace.sync(&evaluation).await;
    while sync["error"].is_null() {
        wait.on().await;
        sync = workspace.sync(&evaluation).await;
    }
    assert_eq!((&sync["status"], &sync["attempts"]), (&json!("pending"), &json!(1)), "{sync}");
    assert!(sync["error"].as_str().unwrap().contains("invalid_client"), "{sync}");
    let refused = &lms.seen().await["refused"][0];
    assert_eq!((&refused["request"], &refused["status"]), (&json!("POST /token"), &json!(400)));
    assert_eq!(refused["answer"]["error_description"], "Unable to find public key");

    lms.move_keys(&keys).await;
    workspace.post(&format!("/v1/platform/evaluations/{evaluation}/lti-sync"), &Value::Null).await;
    synced(&workspace, &evaluation).await;
    assert_eq!(lms.seen().await["scores"][0]["userId"], "learner-1");
}
