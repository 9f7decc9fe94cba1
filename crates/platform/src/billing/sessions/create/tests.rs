//! A visit is made once, with the customer of the workspace, whatever the processor does.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::processor::{FakeProcessor, Fault};
use testkit::{TestStore, both_stores};

use crate::testing::{App, Reply, Tenant};
use crate::workspaces::create::NewWorkspace;

const PATH: &str = "/v1/platform/agent/billing/session";
const SESSIONS: &str = "POST /v1/checkout/sessions";
const CUSTOMERS: &str = "POST /v1/customers";

async fn start(test: TestStore) -> (App, Tenant, FakeProcessor) {
    let processor = FakeProcessor::start().await;
    let app = App::with_processor(test, &processor);
    let tenant = app.tenant("riverside").await;
    (app, tenant, processor)
}

async fn ask(app: &App, tenant: &Tenant, body: &Value) -> Reply {
    app.post(PATH).key(&tenant.key).json(body).send().await
}

async fn customer(app: &App, tenant: &Tenant) -> Value {
    let workspace: Value = app.get(&tenant.path("")).key(&tenant.key).send().await.expect(200);
    workspace["processorCustomerId"].clone()
}

#[both_stores]
async fn without_a_body_a_payment_method_is_set_up_for_a_new_customer(test: TestStore) {
    let (app, tenant, processor) = start(test).await;
    let shown = app.post(PATH).key(&tenant.key).send().await.expect(201);
    assert_eq!(shown["expiresAt"], "2100-01-01T00:00:00.000Z");
    assert!(shown["url"].as_str().unwrap().starts_with("https://checkout.processor.example/c/pay/cs_test_"));
    assert_eq!(customer(&app, &tenant).await, "cus_1");
    let [made] = processor.calls_of(CUSTOMERS).try_into().unwrap();
    assert_eq!((made.get("name"), made.get("email")), ("riverside", "riverside@example.com"));
    assert_eq!(made.get("metadata[workspace]"), tenant.workspace.to_string());
    let [session] = processor.calls_of(SESSIONS).try_into().unwrap();
    for (name, value) in [
        ("mode", "setup"),
        ("currency", "usd"),
        ("customer", "cus_1"),
        ("success_url", "https://lectern.example/done"),
        ("cancel_url", "https://lectern.example/left"),
        ("metadata[workspace]", &tenant.workspace.to_string()),
    ] {
        assert_eq!(session.get(name), value, "{name}");
    }
    ask(&app, &tenant, &json!({ "mode": "setup" })).await.expect(201);
    assert_eq!(processor.calls_of(CUSTOMERS).len(), 1, "the customer is there");
    assert_eq!(processor.calls_of(SESSIONS).len(), 2);
}

#[both_stores]
async fn credits_are_bought_for_their_price_and_the_caller_says_where_the_page_leads(test: TestStore) {
    let (app, tenant, processor) = start(test).await;
    let body = json!({ "mode": "payment", "credits": 1250, "successUrl": "https://a.example/?id={CHECKOUT_SESSION_ID}",
        "cancelUrl": "http://localhost:3000/left" });
    ask(&app, &tenant, &body).await.expect(201);
    let [session] = processor.calls_of(SESSIONS).try_into().unwrap();
    for (name, value) in [
        ("mode", "payment"),
        ("line_items[0][quantity]", "1"),
        ("line_items[0][price_data][currency]", "usd"),
        ("line_items[0][price_data][unit_amount]", "1250"),
        ("success_url", "https://a.example/?id={CHECKOUT_SESSION_ID}"),
        ("cancel_url", "http://localhost:3000/left"),
    ] {
        assert_eq!(session.get(name), value, "{name}");
    }
    assert_eq!(app.balance(&tenant).await.0, json!(0), "nothing is paid yet");
}

#[both_stores]
async fn what_makes_no_sense_is_refused_by_name_and_the_processor_is_not_asked(test: TestStore) {
    let (app, tenant, processor) = start(test).await;
    let before = app.stored().await;
    for (body, faults) in [
        (json!({ "mode": "payment" }), ["credits"]),
        (json!({ "mode": "setup", "credits": 5 }), ["credits"]),
        (json!({ "credits": 5 }), ["credits"]),
        (json!({ "mode": "payment", "credits": 0 }), ["credits"]),
        (json!({ "mode": "payment", "credits": 1.5 }), ["credits"]),
        (json!({ "mode": "payment", "credits": 100_000_000 }), ["credits"]),
        (json!({ "mode": "subscription" }), ["mode"]),
        (json!({ "successUrl": "http://a.example/" }), ["successUrl"]),
        (json!({ "successUrl": "javascript:alert(1)" }), ["successUrl"]),
        (json!({ "successUrl": "/done" }), ["successUrl"]),
        (json!({ "cancelUrl": "https://user:password@a.example/" }), ["cancelUrl"]),
        (json!({ "cancelUrl": format!("https://a.example/{}", "x".repeat(2048)) }), ["cancelUrl"]),
    ] {
        assert_eq!(ask(&app, &tenant, &body).await.faults(), faults, "{body}");
    }
    assert_eq!((app.stored().await, processor.calls().len()), (before, 0));
}

#[both_stores]
async fn a_repeated_request_gets_the_same_page_and_another_one_is_refused(test: TestStore) {
    let (app, tenant, processor) = start(test).await;
    let ask = |credits: u32| {
        app.post(PATH).key(&tenant.key).idempotency("k").json(&json!({ "mode": "payment", "credits": credits })).send()
    };
    let first = ask(5).await;
    first.expect(201);
    let again = futures_util::future::join_all((0..4).map(|_| ask(5))).await;
    assert!(again.iter().all(|reply| reply.is_replay() && reply.body == first.body));
    ask(6).await.expect(409);
    assert_eq!(processor.calls_of(SESSIONS).len(), 1);
    assert_eq!(app.count("SELECT count(*) FROM billing_session").await, 1);
}

#[both_stores]
async fn many_at_once_make_one_customer(test: TestStore) {
    let (app, tenant, processor) = start(test).await;
    let body = json!({});
    let asked = (0..6).map(|_| ask(&app, &tenant, &body));
    futures_util::future::join_all(asked).await.iter().for_each(|reply| drop(reply.expect(201)));
    let mut customers: Vec<_> =
        processor.calls_of(SESSIONS).iter().map(|call| call.get("customer").to_owned()).collect();
    customers.dedup();
    assert_eq!(customers, ["cus_1"]);
}

#[both_stores]
async fn a_processor_that_fails_for_a_moment_is_asked_again_and_acts_once(test: TestStore) {
    let (app, tenant, processor) = start(test).await;
    processor.fail([Fault::ActsAndFails, Fault::None, Fault::LostAnswer]);
    ask(&app, &tenant, &json!({})).await.expect(201);
    let keys: Vec<_> = processor.calls().into_iter().map(|call| (call.operation, call.idempotency_key)).collect();
    assert_eq!((keys.len(), &keys[0], &keys[2]), (4, &keys[1], &keys[3]));
    assert_eq!(customer(&app, &tenant).await, "cus_1");
}

#[both_stores]
async fn a_processor_that_is_away_is_503_and_the_same_request_may_be_sent_again(test: TestStore) {
    let (app, tenant, processor) = start(test).await;
    let ask = || app.post(PATH).key(&tenant.key).idempotency("k").json(&json!({})).send();
    processor.fail([Fault::Busy(77)]);
    let reply = ask().await;
    assert_eq!((reply.status.as_u16(), reply.header("retry-after")), (503, "77"));
    processor.set_down(true);
    ask().await.expect(503);
    processor.set_down(false);
    ask().await.expect(201);
    assert_eq!(app.count("SELECT count(*) FROM billing_session").await, 1);
}

#[both_stores]
async fn a_refusal_is_told_without_the_processors_words(test: TestStore) {
    let (app, tenant, processor) = start(test).await;
    processor.fail([Fault::Status(400)]);
    let reply = ask(&app, &tenant, &json!({})).await;
    assert_eq!(reply.expect(409)["error"]["code"], "platform_conflict");
    assert!(!reply.body.contains("scripted"));
    processor.fail([Fault::Status(401)]);
    ask(&app, &tenant, &json!({})).await.expect(503);
}

#[both_stores]
async fn without_a_processor_the_service_says_so(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let refused = ask(&app, &tenant, &json!({})).await.expect(409);
    assert!(refused["error"]["message"].as_str().unwrap().contains("no payment processor"));
}

#[both_stores]
async fn a_workspace_without_credits_or_a_verified_address_may_ask(test: TestStore) {
    let processor = FakeProcessor::start().await;
    let app = App::with_processor(test, &processor);
    let unverified = NewWorkspace {
        email: Some("ann@example.com".to_owned()),
        ..NewWorkspace::named("hillside".into(), "hillside".into())
    };
    let tenant = app.tenant_of(unverified).await;
    let spend = "UPDATE ledger_balance SET free_micros = 0";
    app.test.store.write("test", move |tx| tx.execute(spend, &[])).await.unwrap();
    ask(&app, &tenant, &json!({})).await.expect(201);
    processor.delay(Duration::from_millis(1));
    ask(&app, &tenant, &json!({ "mode": "payment", "credits": 1 })).await.expect(201);
}
