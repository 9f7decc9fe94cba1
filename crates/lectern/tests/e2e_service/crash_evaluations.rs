//! SIGKILL at many points of evaluations: each that was accepted ends, is paid for once or not at all, and is told once.

use std::collections::BTreeMap;
use std::time::Duration;

use billing::{catalog, ledger};
use edge::keys::NewKey;
use edge::problem::Problem;
use kernel::id::WorkspaceId;
use kernel::money::MicroUsd;
use kernel::secret::ExposeSecret as _;
use platform::credentials::PlatformKeys;
use platform::workspaces::create::{NewWorkspace, insert};
use serde_json::{Value, json};
use store::{Store, Tx};
use testkit::{TestStore, both_stores};
use tokio::task::JoinSet;

use super::client::{Client, Reply};
use super::process::{Installation, Process, Wait, count};

const EVALUATIONS: &str = "/v1/platform/evaluations";
/// A server takes what it leased of the rate limit along when it is killed.
const ROUNDS: usize = 12;
const COPIES: usize = 3;
/// How many answers a server lives to give. Others are on their way then.
const ANSWERS: [usize; 6] = [1, 3, 6, 10, 15, 0];
const RATE_LIMIT_PER_MINUTE: u32 = 1_000_000_000;
const CREDITS: u64 = 10_000;
const TEN_YEARS: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// One evaluation that somebody wants.
#[derive(Clone)]
struct Order {
    kind: Kind,
    has_key: bool,
    /// What was answered first.
    answer: Option<Value>,
    /// Whether it was asked for at all.
    is_asked: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Exact,
    Open,
    Later,
}

/// By name; it is the idempotency key where there is one.
type Orders = BTreeMap<String, Order>;

impl Order {
    fn body(&self, name: &str) -> Value {
        match self.kind {
            Kind::Exact => json!({
                "evaluationType": "exact", "questionText": format!("What is 6 times 7? ({name})"),
                "learnerAnswer": "42", "referenceAnswer": "42",
            }),
            Kind::Open | Kind::Later => json!({
                "evaluationType": "open_ended", "questionText": format!("What is the membrane for? ({name})"),
                "learnerAnswer": "It keeps the cell together and decides what enters.",
                "referenceAnswer": "The membrane keeps the cell together and controls what enters and leaves.",
                "mode": if self.kind == Kind::Later { "async" } else { "sync" },
            }),
        }
    }

    /// Without a key nobody can ask again without ordering twice.
    fn is_to_be_asked(&self) -> bool {
        self.answer.is_none() && (self.has_key || !self.is_asked)
    }
}

fn orders_of(round: usize) -> Orders {
    let mut orders = Orders::new();
    for (what, kind) in [("exact", Kind::Exact), ("open", Kind::Open), ("later", Kind::Later)] {
        for (with, has_key) in [("keyed", true), ("plain", false)] {
            for copy in 0..COPIES {
                let order = Order { kind, has_key, answer: None, is_asked: false };
                orders.insert(format!("{what}-{with}-{round}-{copy}"), order);
            }
        }
    }
    orders
}

/// A workspace that can pay for everything; its key.
async fn tenant(test: &TestStore, installation: &Installation) -> (WorkspaceId, String) {
    let store = installation.open(test).await;
    let make = |tx: &mut Tx<'_>| {
        let new = NewWorkspace {
            email: Some("crash@example.com".to_owned()),
            is_email_verified: true,
            rate_limit_per_minute: RATE_LIMIT_PER_MINUTE,
            ..NewWorkspace::named("Crash".to_owned(), "crash".to_owned())
        };
        let workspace = insert(tx, &new)?;
        ledger::top_up(tx, workspace, MicroUsd::from_credits(CREDITS).unwrap(), None).unwrap();
        let ambient = tx.ambient().clone();
        let key = NewKey { name: "crash".into(), rate_limit_per_minute: 1, expires_at: None, is_service_admin: false };
        let minted = edge::keys::create::<PlatformKeys>(tx, &ambient, &workspace.to_string(), &key)?;
        Ok::<_, Problem>((workspace, minted.raw.expose_secret().to_owned()))
    };
    let made = store.write("test", make).await.unwrap();
    if test.engine == testkit::Engine::Sqlite {
        store.close().await;
    }
    made
}

type Answers = JoinSet<(String, Option<Reply>)>;

/// Sends every order that has no answer, all at once.
fn send(client: &Client, orders: &mut Orders) -> Answers {
    let mut calls = JoinSet::new();
    for (name, order) in orders.iter_mut().filter(|(_, order)| order.is_to_be_asked()) {
        order.is_asked = true;
        let (client, name, body, has_key) = (client.clone(), name.clone(), order.body(name), order.has_key);
        calls.spawn(async move {
            let answer = match has_key {
                true => client.create(EVALUATIONS, &name, &body).await,
                false => client.post(EVALUATIONS, &body).await,
            };
            (name, answer.ok())
        });
    }
    calls
}

fn note(orders: &mut Orders, (name, reply): (String, Option<Reply>)) {
    if let Some(reply) = reply {
        assert!(reply.status.is_success(), "{}", String::from_utf8_lossy(&reply.body));
        orders.get_mut(&name).unwrap().answer = Some(reply.json());
    }
}

/// Sends orders and kills the server after so many answers, while it is at work on the others.
async fn order_and_kill(server: Process, orders: &mut Orders, answers: usize) {
    let mut calls = send(&server.client, orders);
    for _ in 0..answers {
        note(orders, calls.join_next().await.unwrap().unwrap());
    }
    server.kill();
    // What was written before the kill arrives nevertheless.
    while let Some(answer) = calls.join_next().await {
        note(orders, answer.unwrap());
    }
}

/// The operator takes a waiting job out of the queue; its evaluation fails.
fn cancel_one(installation: &Installation) -> usize {
    let queued: Value =
        serde_json::from_slice(&installation.run(&["jobs", "list", "--state", "queued", "--json"])).unwrap();
    let Some(job) = queued[0]["id"].as_str() else { return 0 };
    installation.run(&["jobs", "cancel", job]);
    1
}

async fn wait_for_the_end(store: &Store) {
    let wait = Wait::until("all evaluations have ended");
    while count(store, "SELECT count(*) FROM job").await > 0 {
        wait.on().await;
    }
}

/// Every number here is one of faults, beside those that the proof of the books finds.
const FAULTS: [(&str, &str); 4] = [
    ("evaluations that never end", "SELECT count(*) FROM evaluation WHERE status NOT IN ('COMPLETED', 'FAILED')"),
    (
        "evaluations without the event of their end",
        "SELECT count(*) FROM evaluation e WHERE (
            SELECT count(*) FROM event v WHERE v.subject_id = e.id AND v.owner_id = e.workspace_id
              AND v.type = CASE e.status WHEN 'COMPLETED' THEN 'evaluation.completed' ELSE 'evaluation.failed' END) <> 1",
    ),
    (
        "events beside those",
        "SELECT (SELECT count(*) FROM event WHERE type LIKE 'evaluation.%') - (SELECT count(*) FROM evaluation)",
    ),
    (
        "usage of another price than its evaluation's",
        "SELECT count(*) FROM usage u WHERE NOT EXISTS (
            SELECT 1 FROM evaluation e WHERE e.id = u.subject_id AND e.amount_micros = u.billable_micros)",
    ),
];

async fn check_books(store: &Store, workspace: WorkspaceId) {
    for (what, sql) in FAULTS {
        assert_eq!(count(store, sql).await, 0, "{what}");
    }
    let settled =
        "SELECT CAST(coalesce(sum(amount_micros), 0) AS BIGINT) FROM ledger_reservation WHERE state = 'settled'";
    let settled = count(store, settled).await;
    assert!(settled > 0);
    let balance = store.read("test", move |tx| ledger::find_balance(tx, workspace)).await.unwrap().unwrap();
    let given = catalog::FREE_GRANT.micros() + MicroUsd::from_credits(CREDITS).unwrap().micros();
    assert_eq!(balance.available().micros(), given - settled);
    let report = platform::reconcile::reconcile(store).await.unwrap();
    assert!(report.differences.is_empty(), "{report:?}");
    let evaluations = u64::try_from(count(store, "SELECT count(*) FROM evaluation").await).unwrap();
    assert_eq!((report.evaluations, report.payments), (evaluations, evaluations));
}

/// What was answered is there, and a final answer is what it was.
async fn check_answers(client: &Client, orders: &Orders) {
    for (name, order) in orders {
        let Some(answer) = &order.answer else { continue };
        let now = client.get(&format!("{EVALUATIONS}/{}", answer["id"].as_str().unwrap())).await.unwrap().expect(200);
        assert_eq!(now["isTerminal"], true, "{name}: {now}");
        if answer["isTerminal"] == true {
            assert_eq!((&now["status"], &now["score"]), (&answer["status"], &answer["score"]), "{name}");
        }
        if order.has_key {
            let again = client.create(EVALUATIONS, name, &order.body(name)).await.unwrap().expect(201);
            assert_eq!((&again["id"], &again["idempotentReplay"]), (&answer["id"], &json!(true)), "{name}");
        }
    }
}

#[both_stores]
async fn a_killed_server_ends_every_accepted_evaluation_and_takes_its_price_once(test: TestStore) {
    let mut installation = Installation::new(&test);
    let (workspace, key) = tenant(&test, &installation).await;
    installation.key = key;
    let (mut orders, mut cancelled) = (Orders::new(), 0);
    for round in 0..ROUNDS {
        orders.extend(orders_of(round));
        let server = installation.serve().await;
        order_and_kill(server, &mut orders, ANSWERS[round % ANSWERS.len()]).await;
        cancelled += cancel_one(&installation);
    }
    let server = installation.serve().await;
    let mut calls = send(&server.client, &mut orders);
    while let Some(answer) = calls.join_next().await {
        note(&mut orders, answer.unwrap());
    }
    assert!(orders.values().all(|order| order.answer.is_some() || !order.has_key));
    let store = installation.open(&test).await;
    wait_for_the_end(&store).await;
    // What is proved has ended by the test's clock, which stands before the server's; the sums by day are of days before it.
    test.clock.advance(TEN_YEARS);
    check_books(&store, workspace).await;
    check_answers(&server.client, &orders).await;
    let failed = "SELECT count(*) FROM evaluation WHERE status = 'FAILED'";
    assert_eq!(count(&store, failed).await, i64::try_from(cancelled).unwrap());
    let keyed = i64::try_from(orders.values().filter(|order| order.has_key).count()).unwrap();
    assert_eq!(count(&store, "SELECT count(*) FROM evaluation WHERE idempotency_key IS NOT NULL").await, keyed);
    let answered = i64::try_from(orders.values().filter(|order| order.answer.is_some()).count()).unwrap();
    let stored = count(&store, "SELECT count(*) FROM evaluation").await;
    assert!((answered..=i64::try_from(orders.len()).unwrap()).contains(&stored), "{stored}, {answered} answered");
    // Asking again changed nothing.
    check_books(&store, workspace).await;
    server.terminate();
    assert_eq!(server.ended().await, Some(0));
    store.close().await;
}
