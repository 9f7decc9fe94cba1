//! SIGKILL at many points of direct generations: each resource that was asked for is filled, once.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::client::Client;
use super::process::{Installation, Wait, count};

const ROUNDS: usize = 9;
const KINDS: [&str; 4] = ["courses", "videos", "slides", "tests"];

/// What was asked for, by idempotency key: the kind, and the resource's path once an answer arrived.
type Orders = BTreeMap<String, (&'static str, Option<String>)>;

/// When to kill the server, seen from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moment {
    /// The first answer arrived; others are on their way.
    FirstAnswer,
    /// A worker has a resource.
    Processing,
    /// A resource is filled.
    Completed,
}

const MOMENTS: [Moment; 3] = [Moment::FirstAnswer, Moment::Processing, Moment::Completed];

fn body_of(kind: &str, key: &str) -> Value {
    match kind {
        "courses" | "videos" => json!({
            "title": format!("Cells {key}"), "description": "The membrane. The nucleus.", "generate": true,
        }),
        "slides" => {
            json!({ "title": format!("Cells {key}"), "outline": "- The cell\n  - Membrane\n  - Nucleus\n- Tissue" })
        }
        _ => json!({ "topicPrompt": format!("The cell {key}"), "targetPrompt": "Year 7" }),
    }
}

/// Something to generate from.
async fn stock(client: &Client, installation: &Installation) {
    let module = json!({
        "title": "The cell",
        "content": "<h2>The cell</h2><p>A cell is the smallest unit of life. The membrane is the wall that keeps the \
                    cell together. The nucleus is the part that holds the plan of the cell.</p>",
    });
    client.create(&installation.resources("modules"), "stock", &module).await.unwrap().expect(201);
}

/// Asks for what has no answer yet, each with its own idempotency key.
async fn order(client: &Client, installation: &Installation, orders: &mut Orders, moment: Moment) {
    let mut calls = tokio::task::JoinSet::new();
    for (key, (kind, _)) in orders.iter().filter(|(_, (_, path))| path.is_none()) {
        let (client, key, kind, path) = (client.clone(), key.clone(), *kind, installation.resources(kind));
        calls.spawn(async move {
            let reply = client.create(&path, &key, &body_of(kind, &key)).await.ok()?;
            assert!(reply.status.is_success(), "{}", String::from_utf8_lossy(&reply.body));
            Some((key, format!("{path}/{}", reply.json()["id"].as_str().unwrap())))
        });
    }
    while let Some(answer) = calls.join_next().await {
        if let Some((key, path)) = answer.unwrap() {
            orders.get_mut(&key).unwrap().1 = Some(path);
            if moment == Moment::FirstAnswer {
                // The other calls are dropped: as if their answers had been lost on the way.
                return;
            }
        }
    }
}

async fn reached(client: &Client, path: &str, moment: Moment) {
    let wait = Wait::until("a resource has come to the moment to kill");
    loop {
        let status = client.get(path).await.unwrap().expect(200)["status"].take();
        match moment {
            Moment::Processing if status != "queued" => return,
            Moment::Completed if status == "completed" => return,
            Moment::FirstAnswer => return,
            _ => wait.on().await,
        }
    }
}

async fn wait_for_the_end(client: &Client, orders: &Orders) {
    let wait = Wait::until("all resources are filled");
    for path in orders.values().filter_map(|(_, path)| path.as_ref()) {
        loop {
            let resource = client.get(path).await.unwrap().expect(200);
            assert_ne!(resource["status"], "failed", "{resource}");
            if resource["status"] == "completed" {
                break;
            }
            wait.on().await;
        }
    }
}

#[both_stores]
async fn a_killed_server_fills_every_resource_that_was_asked_for_once(test: TestStore) {
    let installation = Installation::new(&test);
    let mut orders = Orders::new();
    let mut first = installation.serve().await;
    installation.sign_in(&mut first.client).await;
    let cookie = first.client.cookie.clone();
    stock(&first.client, &installation).await;
    first.kill();
    for round in 0..ROUNDS {
        let mut server = installation.serve().await;
        server.client.cookie.clone_from(&cookie);
        installation.renew_key(&mut server.client).await;
        let moment = MOMENTS[round % MOMENTS.len()];
        orders.extend(KINDS.map(|kind| (format!("{kind}-{round}"), (kind, None))));
        order(&server.client, &installation, &mut orders, moment).await;
        if let Some(path) = &orders[&format!("{}-{round}", KINDS[round % KINDS.len()])].1 {
            reached(&server.client, path, moment).await;
        }
        server.kill();
    }
    let mut server = installation.serve().await;
    server.client.cookie.clone_from(&cookie);
    installation.renew_key(&mut server.client).await;
    order(&server.client, &installation, &mut orders, Moment::Completed).await;
    assert!(orders.values().all(|(_, path)| path.is_some()));
    wait_for_the_end(&server.client, &orders).await;
    let store = installation.open(&test).await;
    let each = i64::try_from(ROUNDS).unwrap();
    for (what, sql, expected) in [
        ("tests with items", "SELECT count(*) FROM test WHERE items <> '[]'", each),
        ("slides with content", "SELECT count(*) FROM slide WHERE content <> ''", each),
        ("videos with scenes", "SELECT count(DISTINCT video_id) FROM scene", each),
        ("courses with modules", "SELECT count(DISTINCT course_id) FROM module", each),
        (
            "courses with a module twice",
            "SELECT count(*) FROM (SELECT course_id, title FROM module
                WHERE course_id IS NOT NULL GROUP BY course_id, title HAVING count(*) > 1) AS twice",
            0,
        ),
        // Made, taken up, filled: each exactly once, whoever was killed between them.
        ("changes of tests", "SELECT sum(version) FROM test", 3 * each),
        ("changes of slides", "SELECT sum(version) FROM slide", 3 * each),
        ("changes of videos", "SELECT sum(version) FROM video", 3 * each),
        ("changes of courses", "SELECT sum(version) FROM course", 3 * each),
        ("waiting jobs", "SELECT count(*) FROM job", 0),
    ] {
        assert_eq!(count(&store, sql).await, expected, "{what}");
    }
    server.terminate();
    assert_eq!(server.ended().await, Some(0));
    store.close().await;
}
