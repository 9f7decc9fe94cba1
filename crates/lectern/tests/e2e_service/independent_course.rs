//! A course of a learning platform that others wrote: a teacher picks content, a learner takes a test, the grade and the
//! roster travel. The platform's library verifies what the service signs.

use http::StatusCode;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::browser::{Browser, Page};
use super::client::Client;
use super::learning_platform::{LearningPlatform, Workspace, launch, session};
use super::process::{Installation, Process, Wait};

/// A module and a test of the organization that the workspace is linked to.
struct Content {
    module: String,
    test: String,
}

impl Content {
    async fn new(installation: &Installation, client: &Client) -> Self {
        let module = made(client, &installation.resources("modules"), &json!({ "title": "Inside the cell" })).await;
        let tests = installation.resources("tests");
        let test = made(client, &tests, &json!({ "topicPrompt": "Cells", "name": "About cells" })).await;
        let items = json!({ "items": [
            { "question": "Which part keeps the DNA?", "type": "select", "options": ["Nucleus", "Membrane"],
                "correctAnswers": ["Nucleus"], "score": 2 },
            { "question": "A bacterium has a nucleus.", "type": "true-false", "correctAnswers": ["False"], "score": 1 },
            { "question": "Why are plant cells green?", "type": "open-ended",
                "correctAnswers": ["Their chloroplasts hold chlorophyll, which is green."], "score": 3 },
        ] });
        let path = format!("{tests}/{test}");
        let changed = client.send(http::Method::PATCH, &path, &[], items.to_string().into()).await.unwrap();
        changed.expect(200);
        Self { module: format!("modules/{module}"), test: format!("tests/{test}") }
    }
}

async fn made(client: &Client, path: &str, body: &Value) -> String {
    let id = client.post(path, body).await.unwrap().expect(201)["id"].clone();
    id.as_str().unwrap().to_owned()
}

/// A teacher opens the picker in a browser of their own.
async fn picker(lms: &LearningPlatform) -> (Browser, Page) {
    let mut browser = Browser::default();
    let form = browser.open(&lms.picker("teacher-1")).await;
    let page = browser.submit(&form).await;
    session(&page);
    (browser, page)
}

/// What a learner answers, of which the first and the last are right.
fn answers(test: &Page) -> [(String, &'static str); 3] {
    let open = "Their chloroplasts hold chlorophyll, which is green.";
    [(test.choice("Nucleus"), "Nucleus"), (test.choice("True"), "True"), (test.text_area(), open)]
}

/// The platform once its gradebook has so many scores.
async fn with_scores(lms: &LearningPlatform, count: usize) -> Value {
    let wait = Wait::until("the scores are in the gradebook");
    loop {
        let seen = lms.seen().await;
        assert_eq!(seen["refused"], json!([]));
        if seen["scores"].as_array().unwrap().len() == count {
            return seen;
        }
        wait.on().await;
    }
}

async fn platform_of(server: &Process, workspace: &Workspace<'_>, more: &Value) -> (LearningPlatform, String) {
    let lms = LearningPlatform::new(&server.client, more).await;
    let registration = workspace.register(&lms).await;
    (lms, registration)
}

#[both_stores]
async fn the_grades_of_a_picked_test_arrive_in_the_column_that_launches_name(test: TestStore) {
    pick_and_grade(&test, true).await;
}

#[both_stores]
async fn the_grades_of_a_picked_test_arrive_in_the_column_of_the_picked_resource(test: TestStore) {
    pick_and_grade(&test, false).await;
}

async fn pick_and_grade(test: &TestStore, names_line_items: bool) {
    let installation = Installation::new(test);
    let server = installation.serve().await;
    let workspace = Workspace::new(&server, &installation.platform_key);
    let (lms, _) = platform_of(&server, &workspace, &json!({ "namesLineItems": names_line_items })).await;
    let content = Content::new(&installation, &server.client).await;
    let [test, module] = pick(&lms, &content).await;
    take(&lms, &test).await;
    with_scores(&lms, 1).await;
    review(&workspace).await;
    let seen = with_scores(&lms, 2).await;
    for (score, points) in seen["scores"].as_array().unwrap().iter().zip([5.0, 3.0]) {
        assert_eq!((&score["userId"], &score["scoreOf"]), (&json!("learner-1"), &seen["lineItems"][4]["id"]));
        assert_eq!(
            (score["scoreGiven"].as_f64(), score["scoreMaximum"].as_f64(), &score["gradingProgress"]),
            (Some(points), Some(6.0), &json!("FullyGraded"))
        );
    }
    let module = launch(&lms, "learner-2", &module).await;
    assert!(module.html.contains("Inside the cell"), "{}", module.html);
    assert_eq!(lms.seen().await["lineItems"].as_array().unwrap().len(), 5);
}

/// The links of the test and the module that a teacher picks; the test has brought its column along.
async fn pick(lms: &LearningPlatform, content: &Content) -> [String; 2] {
    let (mut browser, page) = picker(lms).await;
    assert!(page.html.contains("About cells") && page.html.contains("Inside the cell"), "{}", page.html);
    let picks = [("pick", content.test.as_str()), ("pick", content.module.as_str())];
    let answer = browser.submit_with(&page, &picks).await;
    let placed = browser.submit(&answer).await;
    assert!(placed.html.contains("2 links were added."), "{placed:?}");
    let seen = lms.seen().await;
    let [test, module] = [2, 3].map(|at| &seen["links"][at]);
    assert_eq!((&test["title"], &module["title"]), (&json!("About cells"), &json!("Inside the cell")));
    let item = &seen["lineItems"][4];
    assert_eq!((&item["label"], &item["resourceLinkId"]), (&json!("About cells"), &test["id"]));
    assert_eq!((item["scoreMaximum"].as_f64(), seen["lineItems"].as_array().unwrap().len()), (Some(6.0), 5), "{seen}");
    [test, module].map(|link| link["id"].as_str().unwrap().to_owned())
}

/// A learner opens the link of the test and hands it in.
async fn take(lms: &LearningPlatform, link: &str) {
    let mut browser = Browser::default();
    let form = browser.open(&lms.link("learner-1", link)).await;
    let test = browser.submit(&form).await;
    let given = answers(&test);
    let given: Vec<_> = given.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let result = browser.submit_with(&test, &given).await;
    assert_eq!((result.status, result.url), (StatusCode::OK, test.url));
}

/// A reviewer takes two of the three points of the open answer away.
async fn review(workspace: &Workspace<'_>) {
    let list = workspace.get("/v1/platform/submissions?limit=1").await.expect(200);
    let submission = format!("/v1/platform/submissions/{}", list["items"][0]["id"].as_str().unwrap());
    let submission = workspace.get(&submission).await.expect(200);
    let evaluation = submission["items"][2]["evaluationId"].as_str().unwrap();
    let path = format!("/v1/platform/evaluations/{evaluation}/review");
    workspace.post(&path, &json!({ "score": 1 })).await.expect(200);
}

#[both_stores]
async fn a_teacher_may_go_back_and_nobody_else_picks(test: TestStore) {
    let installation = Installation::new(&test);
    let server = installation.serve().await;
    let workspace = Workspace::new(&server, &installation.platform_key);
    let (lms, registration) = platform_of(&server, &workspace, &json!({})).await;
    Content::new(&installation, &server.client).await;

    let (mut browser, page) = picker(&lms).await;
    let answer = browser.submit_with(&page, &[("cancel", "1")]).await;
    assert!(browser.submit(&answer).await.html.contains("0 links were added."));
    // The platform takes an answer once.
    assert_eq!(browser.submit(&answer).await.status, StatusCode::BAD_REQUEST);

    for (address, status) in [
        (lms.picker("learner-1"), StatusCode::FORBIDDEN),
        (lms.wrong_picker("no links"), StatusCode::CONFLICT),
        (lms.wrong_picker("no return"), StatusCode::BAD_REQUEST),
    ] {
        let mut browser = Browser::default();
        let form = browser.open(&address).await;
        let refused = browser.submit(&form).await;
        assert_eq!(refused.status, status, "{address}: {}", refused.html);
    }
    assert_eq!(workspace.refusals(&registration).await, ["deep_linking_settings"]);
    assert_eq!(lms.seen().await["links"].as_array().unwrap().len(), 2);
}

#[both_stores]
async fn the_roster_of_a_launch_is_read_page_by_page(test: TestStore) {
    let installation = Installation::new(&test);
    let server = installation.serve().await;
    let workspace = Workspace::new(&server, &installation.platform_key);
    let (lms, _) = platform_of(&server, &workspace, &json!({ "pageSize": 2 })).await;
    let session = session(&launch(&lms, "teacher-1", "quiz").await);
    let path = format!("/v1/platform/lti/sessions/{session}/roster");
    for path in [path.clone(), format!("{path}?resourceLinkOnly=true")] {
        let roster = workspace.get(&path).await.expect(200);
        let ids: Vec<_> = roster["items"].as_array().unwrap().iter().map(|member| &member["userId"]).collect();
        assert_eq!(ids, ["teacher-1", "learner-1", "learner-2", "learner-3", "learner-4"]);
        let expected = json!({
            "userId": "learner-3", "roles": ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
            "status": "Active", "name": "Zoë Löwe", "givenName": null, "familyName": null,
            "email": "learner-3@school.example",
        });
        assert_eq!((&roster["items"][3], &roster["items"][4]["status"]), (&expected, &json!("Inactive")));
    }
    assert_eq!(lms.seen().await["refused"], json!([]));
}

#[both_stores]
async fn the_doctor_finds_nothing_wrong_until_the_platform_has_other_keys(test: TestStore) {
    let installation = Installation::new(&test);
    let server = installation.serve().await;
    let workspace = Workspace::new(&server, &installation.platform_key);
    let (lms, registration) = platform_of(&server, &workspace, &json!({})).await;
    session(&launch(&lms, "learner-1", "quiz").await);
    let checks = |verdict: &str| -> Vec<String> {
        let found = installation.run_beside(server.client.address, &["lti", "doctor", &registration, "--json"]);
        let found: Vec<Value> = serde_json::from_slice(&found).unwrap();
        let of_verdict = found.iter().filter(|finding| finding["verdict"] == verdict);
        of_verdict.map(|finding| finding["check"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(checks("wrong"), <[&str; 0]>::default());
    let fine = checks("fine");
    for check in ["own key set", "key set", "sign-in", "clock", "access token", "scope score", "scope roster"] {
        assert!(fine.iter().any(|own| own == check), "{check}: {fine:?}");
    }
    lms.move_keys(lms.key_set()).await;
    assert_eq!(checks("wrong"), ["access token"]);
}
