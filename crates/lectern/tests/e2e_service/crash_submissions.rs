//! SIGKILL while learners hand tests in: a test whose hand-in was answered is stored once, and its open answers are graded.

use std::collections::BTreeSet;

use http::{Method, StatusCode};
use serde_json::json;
use store::{Store, StoreError, Tx};
use testkit::lms::Lms;
use testkit::{TestStore, both_stores};
use tokio::task::JoinSet;

use super::client::Client;
use super::launches::{launch_page, post, register};
use super::process::{Installation, Process, Wait, count};

/// Learners who hand in at once, in each round.
const LEARNERS: usize = 8;
/// How many hand-ins a server lives to answer. Others are on their way then.
const ANSWERS: [usize; 5] = [1, 2, 4, 6, 8];

/// Makes a test with an item of each way to be graded.
async fn add_test(installation: &Installation, client: &Client) -> String {
    let tests = installation.resources("tests");
    let made =
        client.post(&tests, &json!({ "topicPrompt": "Cells", "name": "About cells" })).await.unwrap().expect(201);
    let id = made["id"].as_str().unwrap().to_owned();
    let items = json!({ "items": [
        { "question": "A bacterium has a nucleus.", "type": "true-false", "correctAnswers": ["False"], "score": 1 },
        { "question": "Why are plant cells green?", "type": "open-ended",
            "correctAnswers": ["Their chloroplasts hold chlorophyll, which is green."], "score": 3 },
    ] });
    let path = format!("{tests}/{id}");
    client.send(Method::PATCH, &path, &[], items.to_string().into()).await.unwrap().expect(200);
    id
}

/// A link to the test, as a teacher would have picked it.
async fn link_to(store: &Store, test: &str) -> String {
    let test = test.to_owned();
    let insert = move |tx: &mut Tx<'_>| {
        let id = tx.ambient().id::<kernel::id::LinkId>();
        tx.execute(
            "INSERT INTO lti_link (id, workspace_id, registration_id, session_id, kind, resource_id, title, trace_id, created_at)
             SELECT $1, workspace_id, id, id, 'test', $2, 'About cells', $2, 0 FROM lti_registration",
            &[&id, &test],
        )?;
        Ok::<_, StoreError>(id.to_string())
    };
    store.write("test", insert).await.unwrap()
}

/// The ids of the test's items, which name the fields of its form.
async fn items_of(installation: &Installation, client: &Client, test: &str) -> Vec<String> {
    let path = format!("{}/{test}", installation.resources("tests"));
    let found = client.get(&path).await.unwrap().expect(200);
    found["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

/// Every learner hands in at once, and the server is killed after so many answers; the attempts that were acknowledged.
async fn hand_in_and_kill(
    server: Process,
    pages: &[String],
    items: &[String],
    round: usize,
    answers: usize,
) -> BTreeSet<String> {
    let mut sent = JoinSet::new();
    for (learner, page) in pages.iter().enumerate() {
        let (client, page, attempt) = (server.client.clone(), page.clone(), format!("{round}-{learner}"));
        let (choice, text) = (format!("answer-{}", items[0]), format!("answer-{}", items[1]));
        sent.spawn(async move {
            let fields = [
                ("attempt", attempt.clone()),
                (&*choice, "False".to_owned()),
                (&*text, "Their chloroplasts hold chlorophyll, which is green.".to_owned()),
            ];
            (attempt, try_post(&client, &page, &fields).await)
        });
    }
    let mut acknowledged = BTreeSet::new();
    for _ in 0..answers {
        note(&mut acknowledged, sent.join_next().await.unwrap().unwrap());
    }
    server.kill();
    // The answers that were written before the kill arrive nevertheless.
    while let Some(answer) = sent.join_next().await {
        note(&mut acknowledged, answer.unwrap());
    }
    acknowledged
}

async fn try_post(client: &Client, path: &str, fields: &[(&str, String)]) -> Option<StatusCode> {
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    Some(client.send(Method::POST, path, &form, body.into()).await.ok()?.status)
}

fn note(acknowledged: &mut BTreeSet<String>, (attempt, status): (String, Option<StatusCode>)) {
    if let Some(status) = status {
        assert_eq!(status, StatusCode::SEE_OTHER, "{attempt}");
        acknowledged.insert(attempt);
    }
}

/// A service in which learners have launched a test.
struct Exam {
    installation: Installation,
    /// The pages of the launches.
    pages: Vec<String>,
    items: Vec<String>,
}

impl Exam {
    async fn new(test: &TestStore) -> Self {
        let (installation, lms) = (Installation::new(test), Lms::start().await);
        let server = installation.serve().await;
        // The workspace can pay for all of them.
        register(&installation, &server.client, &lms, json!({ "tests": { "tier": "fast" } })).await;
        let test_id = add_test(&installation, &server.client).await;
        let items = items_of(&installation, &server.client, &test_id).await;
        server.kill();
        let store = installation.open(test).await;
        let link = link_to(&store, &test_id).await;
        if test.engine == testkit::Engine::Sqlite {
            store.close().await;
        }
        let server = installation.serve().await;
        let mut pages = Vec::new();
        for learner in 0..LEARNERS {
            let custom = json!({ "lectern_link": link });
            pages.push(launch_page(&server.client, &lms, &format!("learner-{learner}"), custom).await);
        }
        server.kill();
        Self { installation, pages, items }
    }
}

/// The attempts that are graded.
async fn graded(store: &Store) -> Vec<String> {
    let read = |tx: &mut Tx<'_>| {
        tx.query("SELECT attempt_id FROM submission WHERE status = 'GRADED'", &[], |row| row.get::<String>(0))
    };
    store.read::<_, StoreError, _>("test", read).await.unwrap()
}

#[both_stores]
async fn a_killed_server_loses_no_test_whose_hand_in_was_answered(test: TestStore) {
    let exam = Exam::new(&test).await;
    let mut acknowledged = BTreeSet::new();
    for (round, answers) in ANSWERS.into_iter().enumerate() {
        let server = exam.installation.serve().await;
        acknowledged.extend(hand_in_and_kill(server, &exam.pages, &exam.items, round, answers).await);
    }
    assert!(acknowledged.len() >= ANSWERS.iter().sum());
    let server = exam.installation.serve().await;
    let store = exam.installation.open(&test).await;
    let wait = Wait::until("all open answers are graded");
    while count(&store, "SELECT count(*) FROM submission WHERE status = 'GRADING'").await > 0 {
        wait.on().await;
    }
    let attempts = graded(&store).await;
    let stored: BTreeSet<String> = attempts.iter().cloned().collect();
    assert_eq!(attempts.len(), stored.len(), "each form is one submission");
    assert!(acknowledged.is_subset(&stored), "lost: {:?}", acknowledged.difference(&stored).collect::<Vec<_>>());
    let evaluations = "SELECT count(*) FROM submission_evaluation";
    assert_eq!(count(&store, evaluations).await, i64::try_from(stored.len()).unwrap());
    // A form that was acknowledged finds its submission.
    let attempt = acknowledged.first().unwrap().clone();
    let learner: usize = attempt.split('-').nth(1).unwrap().parse().unwrap();
    let again = post(&server.client, &exam.pages[learner], &[("attempt", attempt)], &[]).await;
    assert_eq!((again.status, graded(&store).await.len()), (StatusCode::SEE_OTHER, attempts.len()));
    drop(server);
    store.close().await;
}
