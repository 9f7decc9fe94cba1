//! SIGKILL a hundred times on each store while payments are verified and settled: what was paid is graded, what is graded was paid,
//! and both once.

use kernel::ambient::Ambient;
use serde_json::{Value, json};
use store::Store;
use testkit::x402::{Act, Facilitator, PAY_TO, pay};
use testkit::{TestStore, both_stores};
use tokio::task::JoinSet;
use x402::{Network, Payment, decode};

use super::client::{Client, Lost, Reply};
use super::process::{Installation, Process, Wait, count};

const EVALUATIONS: &str = "/v1/platform/evaluations";
const ROUNDS: usize = 100;
const ORDERS: usize = 4;
/// Of so many settlements the answer to one is lost, though nobody is killed.
const LOST: usize = 7;
/// Nothing is free.
const PRICES: &str = r#"[{"version":"1","fast":"0.01","standard":"0.03","advanced":"0.05","free_grant":"0"}]"#;

/// An evaluation that somebody wants and pays for.
#[derive(Clone)]
struct Order {
    name: String,
    body: Value,
    payment: String,
    is_answered: bool,
}

/// One that never was asked: an exact answer, an open one, one that waits in the queue.
fn order(number: usize, now: u64) -> Order {
    let name = format!("order-{number}");
    let reference = "The membrane keeps the cell together and controls what enters and leaves.";
    let (kind, tier, mode) =
        [("exact", 10_000, "sync"), ("open_ended", 50_000, "sync"), ("open_ended", 50_000, "async")][number % 3];
    let body = json!({
        "evaluationType": kind, "questionText": format!("What is the membrane for? ({name})"), "mode": mode,
        "learnerAnswer": "It keeps the cell together.", "referenceAnswer": reference, "idempotencyKey": name,
    });
    let accepted = json!({
        "network": "base-sepolia", "maxAmountRequired": tier.to_string(), "payTo": PAY_TO, "maxTimeoutSeconds": 100_000,
        "asset": Network::BASE_SEPOLIA.usdc().address.to_string(),
    });
    let payment = pay(&accepted, number as u64 + 1, now, |_| ());
    Order { name, body, payment, is_answered: false }
}

async fn ask(client: Client, order: Order) -> (String, Result<Reply, Lost>) {
    let headers = [("x-payment", order.payment.as_str())];
    let body = order.body.to_string().into();
    (order.name, client.send(http::Method::POST, EVALUATIONS, &headers, body).await)
}

/// Asks for what has no answer, all at once.
fn send(client: &Client, orders: &[Order]) -> JoinSet<(String, Result<Reply, Lost>)> {
    orders.iter().filter(|order| !order.is_answered).map(|order| ask(client.clone(), order.clone())).collect()
}

fn note(orders: &mut [Order], (name, reply): (String, Result<Reply, Lost>)) {
    let Ok(reply) = reply else { return };
    assert!(reply.status.is_success(), "{name}: {} {}", reply.status, String::from_utf8_lossy(&reply.body));
    let order = orders.iter_mut().find(|order| order.name == name).unwrap();
    order.is_answered = true;
}

/// Kills the server when the facilitator was asked so often more than before.
async fn pay_and_kill(server: Process, orders: &mut [Order], facilitator: &Facilitator, calls: usize) {
    let asked = |(verified, settled, _)| verified + settled;
    let before = asked(facilitator.counts());
    let mut answers = send(&server.client, orders);
    let wait = Wait::until("the facilitator was asked, or everything is answered");
    while asked(facilitator.counts()) < before + calls && !answers.is_empty() {
        while let Some(answer) = answers.try_join_next() {
            note(orders, answer.unwrap());
        }
        wait.on().await;
    }
    server.kill();
    while let Some(answer) = answers.join_next().await {
        note(orders, answer.unwrap());
    }
}

async fn check(store: &Store, facilitator: &Facilitator, orders: usize) {
    let paid = i64::try_from(facilitator.counts().2).unwrap();
    let orders = i64::try_from(orders).unwrap();
    assert_eq!(count(store, "SELECT count(*) FROM evaluation WHERE status = 'COMPLETED'").await, orders);
    assert_eq!(count(store, "SELECT count(*) FROM evaluation").await, orders);
    assert_eq!(count(store, "SELECT count(*) FROM x402_payment WHERE state = 'settled'").await, orders);
    assert_eq!(paid, orders, "every payment moved money once");
    let unfunded = "SELECT count(*) FROM evaluation e LEFT JOIN ledger_reservation r ON r.subject_id = e.id
        WHERE coalesce(r.funding, '') <> 'x402' OR r.state <> 'settled' OR r.amount_micros <> e.amount_micros";
    assert_eq!(count(store, unfunded).await, 0);
    let twice = "SELECT count(*) FROM (SELECT subject_id FROM usage GROUP BY subject_id HAVING count(*) > 1) AS twice";
    assert_eq!(count(store, twice).await, 0, "usage counted twice");
    assert_eq!(count(store, "SELECT count(*) FROM x402_payment WHERE credited_at IS NOT NULL").await, 0);
}

#[both_stores]
async fn a_killed_server_grades_what_was_paid_and_takes_every_payment_once(test: TestStore) {
    let facilitator = Facilitator::start().await;
    let settings = vec![
        ("LECTERN_PRICES", PRICES.to_owned()),
        ("LECTERN_X402_PAY_TO", PAY_TO.to_owned()),
        ("LECTERN_X402_NETWORK", "base-sepolia".to_owned()),
        ("LECTERN_X402_FACILITATOR_URL", facilitator.url()),
        ("LECTERN_X402_NODE_URL", facilitator.node_url()),
    ];
    let mut installation = Installation::with(&test, settings);
    installation.key = installation.workspace("paying");
    let now = u64::try_from(Ambient::system().now().as_seconds()).unwrap();
    let mut orders: Vec<Order> = Vec::new();
    for round in 0..ROUNDS {
        let first = orders.len();
        orders.extend((first..first + ORDERS).map(|number| order(number, now)));
        if round % LOST == 0 {
            facilitator.settle(Act::SettleAndFail);
        }
        let server = installation.serve().await;
        let calls = usize::from(test.ambient.random::<1>()[0]) % (3 * ORDERS);
        pay_and_kill(server, &mut orders, &facilitator, calls).await;
    }
    let server = installation.serve().await;
    let mut answers = send(&server.client, &orders);
    while let Some(answer) = answers.join_next().await {
        note(&mut orders, answer.unwrap());
    }
    assert!(orders.iter().all(|order| order.is_answered));
    let store = installation.open(&test).await;
    let wait = Wait::until("all evaluations have ended");
    while count(&store, "SELECT count(*) FROM job").await > 0 {
        wait.on().await;
    }
    check(&store, &facilitator, orders.len()).await;
    // A payment that was taken is taken by no other request.
    let used = Payment::read(&orders[0].payment).unwrap();
    let mut again = orders[0].clone();
    again.body["idempotencyKey"] = json!("another");
    let (_, reply) = ask(server.client.clone(), again).await;
    let refused = reply.unwrap();
    let required = decode(refused.headers["payment-required"].to_str().unwrap()).unwrap();
    assert_eq!(refused.expect(402)["error"]["code"], "x402_payment_failed", "{}", used.nonce());
    assert_eq!(required["error"], "invalid_exact_evm_nonce_already_used");
    server.terminate();
    assert_eq!(server.ended().await, Some(0));
    store.close().await;
}
