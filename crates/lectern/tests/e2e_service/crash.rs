//! SIGKILL at many points of expansions: nothing accepted is lost, nothing is made twice.

use std::collections::BTreeMap;

use serde_json::Value;
use store::Store;
use testkit::{TestStore, both_stores};

use super::client::Client;
use super::process::{Installation, Wait, count};
use super::receiver::Receiver;

const ROUNDS: usize = 15;
const CREATES_PER_ROUND: usize = 3;

/// What was asked for: the job's id once an answer arrived.
type Orders = BTreeMap<String, Option<String>>;

/// When to kill the server, seen from outside.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// The first answer arrived; others are on their way.
    FirstAnswer,
    /// A worker has a job.
    Processing,
    /// So many outputs of a job are completed.
    Outputs(usize),
    /// A job has ended; its event is being delivered.
    Ended,
}

const MOMENTS: [Moment; 5] =
    [Moment::FirstAnswer, Moment::Processing, Moment::Outputs(1), Moment::Outputs(2), Moment::Ended];

/// Asks for what has no answer yet, each with its own idempotency key.
async fn order(client: &Client, installation: &Installation, orders: &mut Orders, moment: Moment) {
    let open: Vec<_> = orders.iter().filter(|(_, id)| id.is_none()).map(|(key, _)| key.clone()).collect();
    let mut calls = tokio::task::JoinSet::new();
    for key in open {
        let (client, body) = (client.clone(), installation.source(&key, 12));
        calls.spawn(async move {
            let answer = client.expand(&key, &body).await.ok();
            answer.map(|reply| (key, reply.expect(202)["id"].as_str().unwrap().to_owned()))
        });
    }
    while let Some(answer) = calls.join_next().await {
        if let Some((key, id)) = answer.unwrap() {
            orders.insert(key, Some(id));
            if matches!(moment, Moment::FirstAnswer) {
                // The other calls are dropped: as if their answers had been lost on the way.
                return;
            }
        }
    }
}

fn completed_outputs(job: &Value) -> usize {
    job["outputs"].as_array().unwrap().iter().filter(|output| output["status"] == "completed").count()
}

async fn reached(client: &Client, id: &str, moment: Moment) {
    let wait = Wait::until("a job has come to the moment to kill");
    loop {
        let job = client.job(id).await;
        let is_reached = match moment {
            Moment::FirstAnswer => true,
            Moment::Processing => job["status"] == "processing",
            Moment::Outputs(number) => completed_outputs(&job) >= number,
            Moment::Ended => false,
        };
        if is_reached || job["completedAt"].is_string() {
            return;
        }
        wait.on().await;
    }
}

/// Every job is completed, and every delivery made.
async fn wait_for_the_end(client: &Client, store: &Store, orders: &Orders) {
    let wait = Wait::until("all jobs have ended and are told");
    for id in orders.values().flatten() {
        loop {
            let job = client.job(id).await;
            assert_ne!(job["status"], "failed", "{job}");
            if job["status"] == "completed" {
                break;
            }
            wait.on().await;
        }
    }
    while count(store, "SELECT count(*) FROM delivery WHERE state <> 'delivered'").await > 0 {
        wait.on().await;
    }
}

async fn check_rows(store: &Store, jobs: i64) {
    for (what, sql, expected) in [
        ("expansions", "SELECT count(*) FROM expansion", jobs),
        ("completed expansions", "SELECT count(*) FROM expansion WHERE status = 'completed'", jobs),
        ("outputs", "SELECT count(*) FROM expansion_output WHERE status = 'completed'", 3 * jobs),
        ("modules", "SELECT count(*) FROM module", jobs),
        ("videos", "SELECT count(*) FROM video", jobs),
        ("tests", "SELECT count(*) FROM test", jobs),
        ("completed events", "SELECT count(*) FROM event WHERE type = 'content.completed'", jobs),
        ("jobs told of", "SELECT count(DISTINCT subject_id) FROM event WHERE type = 'content.completed'", jobs),
        ("failed events", "SELECT count(*) FROM event WHERE type = 'content.failed'", 0),
        ("deliveries", "SELECT count(*) FROM delivery WHERE state = 'delivered'", jobs),
        ("waiting jobs", "SELECT count(*) FROM job", 0),
    ] {
        assert_eq!(count(store, sql).await, expected, "{what}");
    }
}

/// Each output names a resource that was made for its expansion, and no two name the same.
async fn check_resources(store: &Store, jobs: i64) {
    let made_for_its_expansion = "
        SELECT count(DISTINCT o.resource_id) FROM expansion_output o
        JOIN (SELECT id, metadata FROM module UNION ALL SELECT id, metadata FROM video
              UNION ALL SELECT id, metadata FROM test) r ON r.id = o.resource_id
        WHERE r.metadata LIKE '%\"expansionId\":\"' || o.expansion_id || '\"%'";
    assert_eq!(count(store, made_for_its_expansion).await, 3 * jobs);
}

#[both_stores]
async fn a_killed_server_loses_no_accepted_job_and_does_none_twice(test: TestStore) {
    let installation = Installation::new(&test);
    let (receiver, address) = Receiver::start().await;
    let mut orders = Orders::new();
    let mut first = installation.serve().await;
    installation.register(&mut first.client, address).await;
    let cookie = first.client.cookie.clone();
    first.kill();
    for round in 0..ROUNDS {
        let mut server = installation.serve().await;
        server.client.cookie.clone_from(&cookie);
        installation.renew_key(&mut server.client).await;
        let moment = MOMENTS[round % MOMENTS.len()];
        orders.extend((0..CREATES_PER_ROUND).map(|n| (format!("order-{round}-{n}"), None)));
        order(&server.client, &installation, &mut orders, moment).await;
        if let Some(id) = orders.get(&format!("order-{round}-0")).and_then(Option::as_ref) {
            reached(&server.client, id, moment).await;
        }
        server.kill();
    }
    let mut server = installation.serve().await;
    server.client.cookie.clone_from(&cookie);
    installation.renew_key(&mut server.client).await;
    order(&server.client, &installation, &mut orders, Moment::Ended).await;
    assert!(orders.values().all(Option::is_some));
    let store = installation.open(&test).await;
    wait_for_the_end(&server.client, &store, &orders).await;
    let jobs = i64::try_from(ROUNDS * CREATES_PER_ROUND).unwrap();
    check_rows(&store, jobs).await;
    check_resources(&store, jobs).await;
    let told: std::collections::BTreeSet<_> =
        receiver.received().iter().map(|one| one.json()["jobId"].to_string()).collect();
    assert_eq!(told.len(), orders.len(), "each job's end was told at least once");
    server.terminate();
    assert_eq!(server.ended().await, Some(0));
    store.close().await;
}
