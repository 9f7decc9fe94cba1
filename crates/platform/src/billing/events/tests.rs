//! Events that are badly signed, old, repeated, out of order or meant for others.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::processor::{BAD_SIGNATURES, FakeProcessor, event, sign};
use testkit::{TestStore, both_stores};

use super::{failures, forget_old};
use crate::billing::payment_methods::has_active;
use crate::billing::sessions;
use crate::testing::{App, BILLING_SECRETS, EVALUATIONS, Reply, Tenant, exact, open};

const PATH: &str = "/v1/platform/agent/billing/webhook";
const SESSION: &str = "/v1/platform/agent/billing/session";
const METHODS: &str = "/v1/platform/agent/billing/payment-methods";

struct Scene {
    app: App,
    tenant: Tenant,
    processor: FakeProcessor,
    customer: String,
}

impl Scene {
    /// A workspace that is the processor's customer.
    async fn of(test: TestStore) -> Self {
        let processor = FakeProcessor::start().await;
        let app = App::with_processor(test, &processor);
        let tenant = app.tenant("riverside").await;
        let mut scene = Self { app, tenant, processor, customer: String::new() };
        scene.visit(&json!({})).await;
        scene.customer = scene.processor.calls_of("POST /v1/checkout/sessions")[0].get("customer").to_owned();
        scene
    }

    /// Begins a visit; the session as the processor has it.
    async fn visit(&self, body: &Value) -> Value {
        self.app.post(SESSION).key(&self.tenant.key).json(body).send().await.expect(201);
        let call = self.processor.calls_of("POST /v1/checkout/sessions").pop().unwrap();
        let cents = call.get("line_items[0][price_data][unit_amount]").parse::<i64>().ok();
        let url: String = self
            .app
            .read(|tx| {
                tx.find("SELECT url FROM billing_session ORDER BY created_at DESC, id DESC LIMIT 1", &[], |row| {
                    row.get(0)
                })
            })
            .await
            .unwrap();
        json!({
            "id": url.rsplit('/').next(), "object": "checkout.session", "mode": call.get("mode"),
            "customer": call.get("customer"), "client_reference_id": call.get("client_reference_id"),
            "metadata": { "workspace": call.get("metadata[workspace]") }, "payment_status": "paid",
            "amount_total": cents, "currency": "usd", "setup_intent": "seti_1",
        })
    }

    async fn buy(&self, credits: u32) -> Value {
        self.visit(&json!({ "mode": "payment", "credits": credits })).await
    }

    fn now(&self) -> i64 {
        self.app.test.ambient.now().as_seconds()
    }

    async fn deliver(&self, event: &Value) -> Reply {
        let body = event.to_string();
        let header = sign(BILLING_SECRETS[1], self.now(), body.as_bytes());
        self.post(&header, body).await
    }

    async fn post(&self, signature: &str, body: String) -> Reply {
        self.app.post(PATH).header("stripe-signature", signature).raw("application/json", body).send().await
    }

    async fn happen(&self, id: &str, kind: &str, object: &Value) {
        let reply = self.deliver(&event(id, kind, self.now(), object)).await;
        assert_eq!(reply.expect(200), json!({ "received": true }));
    }

    async fn credits(&self) -> Value {
        self.app.balance(&self.tenant).await.0
    }

    async fn is_active(&self) -> bool {
        let workspace = self.tenant.workspace;
        self.app.read(move |tx| has_active(tx, workspace)).await
    }

    async fn methods(&self) -> Value {
        self.app.get(METHODS).key(&self.tenant.key).send().await.expect(200)
    }

    fn method(&self) -> Value {
        json!({ "id": "pm_1", "object": "payment_method", "type": "card", "customer": self.customer,
            "card": { "brand": "visa", "last4": "4242", "exp_month": 12, "exp_year": 2030 } })
    }
}

#[both_stores]
async fn a_visit_that_is_complete_registers_a_payment_method_and_the_processor_describes_it(test: TestStore) {
    let scene = Scene::of(test).await;
    let session = scene.visit(&json!({})).await;
    assert!(!scene.is_active().await);
    scene.processor.attach("pm_1", &scene.customer);
    scene.processor.set_up("seti_1", "pm_1");
    scene.happen("evt_1", "checkout.session.completed", &session).await;
    assert!(scene.is_active().await);
    assert_eq!(scene.app.run_jobs().await, 1);
    let shown = scene.methods().await;
    let [method] = shown.as_array().unwrap().as_slice() else { panic!("{shown}") };
    assert_eq!(
        (&method["status"], &method["brand"], &method["last4"], &method["processorPaymentMethodId"]),
        (&json!("active"), &json!("visa"), &json!("4242"), &json!("pm_1"))
    );
    let setup = json!({ "id": "seti_1", "customer": scene.customer, "payment_method": "pm_1" });
    scene.happen("evt_2", "setup_intent.succeeded", &setup).await;
    scene.happen("evt_3", "payment_method.attached", &scene.method()).await;
    assert_eq!(scene.methods().await, shown, "one method, whoever reports it");
    scene.app.finish().await;
}

#[both_stores]
async fn who_registers_a_payment_method_goes_on_when_the_credits_are_used_up(test: TestStore) {
    let scene = Scene::of(test).await;
    scene.visit(&json!({})).await;
    let (app, tenant) = (&scene.app, &scene.tenant);
    app.spend_all(tenant).await;
    let ask = || async { app.post(EVALUATIONS).key(&tenant.key).json(&exact()).send().await };
    assert_eq!(ask().await.expect(403)["error"]["code"], "free_credits_exhausted");
    let setup = json!({ "id": "seti_1", "customer": scene.customer, "payment_method": "pm_1" });
    scene.happen("evt_1", "setup_intent.succeeded", &setup).await;
    let mut queued = open();
    queued["mode"] = json!("async");
    ask().await.expect(201);
    app.evaluate(tenant, &queued).await;
    app.run_jobs().await;
    let billed = "SELECT CAST(sum(amount_micros) AS BIGINT) FROM ledger_transfer WHERE debit_account = 'processor'";
    assert_eq!(app.count(billed).await, 60_000, "USD 0.01 and 0.05");
    scene.happen("evt_2", "payment_method.detached", &scene.method()).await;
    let refused = ask().await;
    assert_eq!(refused.status, 403);
    scene.app.finish().await;
}

#[both_stores]
async fn a_method_that_the_processor_does_not_describe_can_be_paid_with_all_the_same(test: TestStore) {
    let scene = Scene::of(test).await;
    let setup = json!({ "id": "seti_9", "customer": scene.customer, "payment_method": "pm_9" });
    scene.happen("evt_1", "setup_intent.succeeded", &setup).await;
    assert_eq!(scene.app.run_jobs().await, 1);
    assert!(scene.is_active().await);
    scene.app.finish().await;
}

#[both_stores]
async fn a_payment_adds_its_credits_once_however_often_it_is_reported(test: TestStore) {
    let scene = Scene::of(test).await;
    let session = scene.buy(500).await;
    let paid = event("evt_1", "checkout.session.completed", scene.now(), &session);
    let replies = join_all((0..6).map(|_| scene.deliver(&paid))).await;
    assert!(replies.iter().all(|reply| reply.status == 200));
    assert_eq!(scene.credits().await, json!(500));
    let others: Vec<_> = ["evt_2", "evt_3", "evt_4"]
        .map(|id| event(id, "checkout.session.async_payment_succeeded", scene.now(), &session))
        .to_vec();
    join_all(others.iter().map(|event| scene.deliver(event))).await;
    assert_eq!(scene.credits().await, json!(500));
    let note = "SELECT count(*) FROM ledger_transfer WHERE kind = 'top_up' AND note LIKE 'Payment cs_test_%'";
    assert_eq!(scene.app.count(note).await, 1);
}

#[both_stores]
async fn different_events_of_one_payment_at_once_add_its_credits_once(test: TestStore) {
    let scene = Scene::of(test).await;
    let session = scene.buy(7).await;
    let events: Vec<_> =
        (0..8).map(|n| event(&format!("evt_{n}"), "checkout.session.completed", scene.now(), &session)).collect();
    let replies = join_all(events.iter().map(|event| scene.deliver(event))).await;
    assert!(replies.iter().all(|reply| reply.status == 200));
    assert_eq!(scene.credits().await, json!(7));
}

#[both_stores]
async fn money_that_is_on_its_way_adds_nothing_until_it_has_come(test: TestStore) {
    let scene = Scene::of(test).await;
    let mut session = scene.buy(40).await;
    session["payment_status"] = json!("unpaid");
    scene.happen("evt_1", "checkout.session.completed", &session).await;
    assert_eq!(scene.credits().await, json!(0));
    scene.happen("evt_2", "checkout.session.async_payment_succeeded", &session).await;
    assert_eq!(scene.credits().await, json!(40));
    scene.happen("evt_3", "checkout.session.async_payment_failed", &session).await;
    scene.happen("evt_4", "checkout.session.completed", &session).await;
    assert_eq!(scene.credits().await, json!(40));

    let mut other = scene.buy(9).await;
    other["payment_status"] = json!("unpaid");
    scene.happen("evt_5", "checkout.session.async_payment_failed", &other).await;
    scene.happen("evt_6", "checkout.session.completed", &other).await;
    assert_eq!(scene.credits().await, json!(40));
    assert_eq!(scene.app.count("SELECT count(*) FROM payment_failure").await, 1);
}

#[both_stores]
async fn a_payment_that_is_not_for_what_was_begun_adds_nothing(test: TestStore) {
    let scene = Scene::of(test).await;
    let other = scene.app.tenant("hillside").await;
    let session = scene.buy(500).await;
    let wrong = |n: usize, change: &dyn Fn(&mut Value)| {
        let mut changed = session.clone();
        change(&mut changed);
        event(&format!("evt_{n}"), "checkout.session.completed", scene.now(), &changed)
    };
    let changes: [&dyn Fn(&mut Value); 8] = [
        &|session| session["customer"] = json!("cus_99"),
        &|session| session["customer"] = Value::Null,
        &|session| session["amount_total"] = json!(499),
        &|session| session["currency"] = json!("jpy"),
        &|session| session["id"] = json!("cs_test_of_another_visit"),
        &|session| session["payment_status"] = json!("no_payment_required"),
        &|session| {
            session["client_reference_id"] = json!("0192aee1-5a3b-7c2d-8e4f-123456789abc");
            session["id"] = json!("cs_test_unknown");
            session["metadata"] = json!({ "workspace": other.workspace, "credits": "500" });
        },
        &|_| {},
    ];
    let mut events: Vec<_> = changes.into_iter().enumerate().map(|(n, change)| wrong(n, change)).collect();
    let right = events.pop().unwrap();
    for event in &events {
        scene.deliver(event).await.expect(200);
    }
    assert_eq!(scene.credits().await, json!(0));
    assert_eq!(scene.app.balance(&other).await.0, json!(0));
    scene.deliver(&right).await.expect(200);
    assert_eq!(scene.credits().await, json!(500));
}

#[both_stores]
async fn a_bad_signature_is_refused_and_nothing_is_stored(test: TestStore) {
    let scene = Scene::of(test).await;
    let session = scene.buy(500).await;
    let body = event("evt_1", "checkout.session.completed", scene.now(), &session).to_string();
    let before = scene.app.stored().await;
    let good = sign(BILLING_SECRETS[0], scene.now(), body.as_bytes());
    for off in [-301, 301] {
        let header = sign(BILLING_SECRETS[0], scene.now() + off, body.as_bytes());
        assert_eq!(scene.post(&header, body.clone()).await.faults(), ["Stripe-Signature"], "{off} s");
    }
    let unsigned = scene.app.post(PATH).raw("application/json", body.clone()).send().await;
    assert_eq!(unsigned.faults(), ["Stripe-Signature"]);
    for header in BAD_SIGNATURES.iter().map(|bad| bad.replace("{good}", &good)) {
        assert_eq!(scene.post(&header, body.clone()).await.faults(), ["Stripe-Signature"], "{header}");
    }
    let foreign = sign("whsec_of_somebody_else", scene.now(), body.as_bytes());
    assert_eq!(scene.post(&foreign, body.clone()).await.faults(), ["Stripe-Signature"]);
    assert_eq!(scene.post(&good, body.replace("500", "999")).await.faults(), ["Stripe-Signature"]);
    let long = format!("{body}{}", " ".repeat(300 * 1024));
    let header = sign(BILLING_SECRETS[0], scene.now(), long.as_bytes());
    scene.post(&header, long).await.expect(413);
    for text in ["{}", "[]", "nonsense", ""] {
        let header = sign(BILLING_SECRETS[0], scene.now(), text.as_bytes());
        scene.post(&header, text.to_owned()).await.expect(400);
    }
    let plain = scene.app.post(PATH).header("stripe-signature", &good).raw("text/plain", body.clone()).send().await;
    plain.expect(415);
    assert_eq!(scene.app.stored().await, before);
    scene.post(&good, body).await.expect(200);
    assert_eq!(scene.credits().await, json!(500));
}

#[both_stores]
async fn an_event_of_another_account_mode_or_customer_is_acknowledged_without_effect(test: TestStore) {
    let scene = Scene::of(test).await;
    let session = scene.buy(500).await;
    let mut of_account = event("evt_1", "checkout.session.completed", scene.now(), &session);
    of_account["account"] = json!("acct_2");
    let mut live = event("evt_2", "checkout.session.completed", scene.now(), &session);
    live["livemode"] = json!(true);
    let mut method = scene.method();
    method["customer"] = json!("cus_99");
    let of_customer = event("evt_3", "payment_method.attached", scene.now(), &method);
    let unknown = event("evt_4", "charge.refunded", scene.now(), &session);
    for event in [&of_account, &live, &of_customer, &unknown] {
        scene.deliver(event).await.expect(200);
    }
    assert_eq!((scene.credits().await, scene.is_active().await), (json!(0), false));
    assert_eq!(scene.app.count("SELECT count(*) FROM processor_event WHERE outcome = 'ignored'").await, 4);
}

#[both_stores]
async fn events_of_one_method_may_come_in_any_order(test: TestStore) {
    let scene = Scene::of(test).await;
    let at = scene.now();
    let mut gone = scene.method();
    gone["customer"] = Value::Null;
    let mut detached = event("evt_3", "payment_method.detached", at + 20, &gone);
    detached["data"]["previous_attributes"] = json!({ "customer": scene.customer });
    scene.deliver(&detached).await.expect(200);
    scene.deliver(&event("evt_2", "payment_method.updated", at + 10, &scene.method())).await.expect(200);
    scene.deliver(&event("evt_1", "payment_method.attached", at, &scene.method())).await.expect(200);
    assert!(!scene.is_active().await, "what was detached last is gone");
    assert_eq!(scene.methods().await, json!([]));
}

/// The texts are what earlier versions of the program wrote and read: jobs wait in the database while it is updated.
#[both_stores]
async fn the_rows_of_jobs_are_those_of_earlier_versions(test: TestStore) {
    let scene = Scene::of(test).await;
    let setup = json!({ "id": "seti_1", "customer": scene.customer, "payment_method": "pm_1" });
    scene.happen("evt_1", "setup_intent.succeeded", &setup).await;
    let id = scene.methods().await[0]["id"].as_str().unwrap().to_owned();
    scene.app.delete(&format!("{METHODS}/{id}")).key(&scene.tenant.key).send().await.expect(202);
    let rows = scene.app.read(|tx| {
        tx.query("SELECT kind, payload, priority FROM job ORDER BY kind", &[], |row| {
            Ok((row.get::<String>(0)?, row.get::<String>(1)?, row.get::<i64>(2)?))
        })
    });
    let payload = format!(r#"{{"version":1,"paymentMethodId":"{id}"}}"#);
    let row = |kind: &str, priority| (kind.to_owned(), payload.clone(), priority);
    assert_eq!(rows.await, [row("DescribePaymentMethod", 0), row("DetachPaymentMethod", -1)]);
}

#[both_stores]
async fn a_method_that_is_taken_away_is_not_paid_with_and_the_processor_is_told(test: TestStore) {
    let scene = Scene::of(test).await;
    scene.processor.attach("pm_1", &scene.customer);
    scene.happen("evt_1", "payment_method.attached", &scene.method()).await;
    let id = scene.methods().await[0]["id"].as_str().unwrap().to_owned();
    let path = format!("{METHODS}/{id}");
    let other = scene.app.tenant("hillside").await;
    scene.app.delete(&path).key(&other.key).send().await.expect(404);
    for _ in 0..2 {
        let shown = scene.app.delete(&path).key(&scene.tenant.key).send().await.expect(202);
        assert_eq!(shown["status"], "detaching");
    }
    assert!(!scene.is_active().await);
    scene.processor.set_down(true);
    assert_eq!(scene.app.run_jobs().await, 1);
    scene.processor.set_down(false);
    assert_eq!(scene.processor.attached().len(), 1);
    scene.app.test.clock.advance(Duration::from_secs(10));
    assert_eq!(scene.app.run_jobs().await, 1);
    assert_eq!(scene.processor.attached(), []);
    scene.happen("evt_2", "payment_method.updated", &scene.method()).await;
    let mut gone = scene.method();
    gone["customer"] = Value::Null;
    scene.happen("evt_3", "payment_method.detached", &gone).await;
    assert_eq!(scene.methods().await, json!([]));
    scene.app.delete(&path).key(&scene.tenant.key).send().await.expect(404);
    scene.app.finish().await;
}

#[both_stores]
async fn a_deleted_customer_pays_no_more_and_the_next_visit_makes_another(test: TestStore) {
    let scene = Scene::of(test).await;
    scene.happen("evt_1", "payment_method.attached", &scene.method()).await;
    assert!(scene.is_active().await);
    scene.happen("evt_2", "customer.deleted", &json!({ "id": scene.customer, "object": "customer" })).await;
    assert!(!scene.is_active().await);
    scene.happen("evt_3", "payment_method.updated", &scene.method()).await;
    assert!(!scene.is_active().await, "the customer is nobody's now");
    let session = scene.visit(&json!({})).await;
    assert_ne!(session["customer"], json!(scene.customer));
}

#[both_stores]
async fn an_invoice_that_could_not_be_collected_is_noted_once(test: TestStore) {
    let scene = Scene::of(test).await;
    let invoice = json!({ "id": "in_1", "object": "invoice", "customer": scene.customer, "amount_due": 1234,
        "currency": "usd", "attempt_count": 2, "next_payment_attempt": scene.now() + 3600 });
    for id in ["evt_1", "evt_1"] {
        scene.happen(id, "invoice.payment_failed", &invoice).await;
    }
    let workspace = scene.tenant.workspace;
    let [failure] = scene.app.read(move |tx| failures::list_after(tx, workspace, None, 10)).await.try_into().unwrap();
    assert_eq!(
        (failure.invoice_id.as_deref(), failure.amount_minor, failure.attempts),
        (Some("in_1"), Some(1234), Some(2))
    );
    let after = Some(failure.id);
    assert!(scene.app.read(move |tx| failures::list_after(tx, workspace, after, 10)).await.is_empty());
}

#[both_stores]
async fn a_failure_in_another_currency_is_told_in_that_currency(test: TestStore) {
    let scene = Scene::of(test).await;
    for (n, currency, amount) in
        [(1, json!("eur"), json!(1234)), (2, json!("jpy"), json!(1234)), (3, json!(null), json!(null))]
    {
        let invoice = json!({ "id": "in_1", "object": "invoice", "customer": scene.customer, "amount_due": amount,
            "currency": currency });
        scene.happen(&format!("evt_{n}"), "invoice.payment_failed", &invoice).await;
    }
    let told: Vec<Value> = scene
        .app
        .read(|tx| {
            let sql = "SELECT body FROM event WHERE type = 'billing.payment_failed' ORDER BY id";
            tx.query(sql, &[], |row| row.get::<String>(0).map(|text| serde_json::from_str(&text).unwrap()))
        })
        .await;
    let amounts: Vec<_> =
        told.iter().map(|event| json!([event["amountUsd"], event["amount"], event["currency"]])).collect();
    assert_eq!(amounts, [json!([null, "12.34", "EUR"]), json!([null, "1234", "JPY"]), json!([null, null, null])]);
}

#[both_stores]
async fn a_page_that_has_ended_ends_its_visit_and_tells_nobody(test: TestStore) {
    let scene = Scene::of(test).await;
    let states = || async {
        scene
            .app
            .read(|tx| tx.query("SELECT state FROM billing_session ORDER BY id", &[], |row| row.get::<String>(0)))
            .await
    };
    let session = scene.buy(40).await;
    let mut stranger = session.clone();
    stranger["customer"] = json!("cus_99");
    scene.happen("evt_1", "checkout.session.expired", &stranger).await;
    assert_eq!(states().await, ["open", "open"]);
    scene.happen("evt_2", "checkout.session.expired", &session).await;
    scene.happen("evt_3", "checkout.session.expired", &session).await;
    assert_eq!(states().await, ["open", "failed"]);
    assert_eq!(scene.app.count("SELECT count(*) FROM payment_failure").await, 0);
    let paid = scene.buy(7).await;
    scene.happen("evt_4", "checkout.session.completed", &paid).await;
    scene.happen("evt_5", "checkout.session.expired", &paid).await;
    assert_eq!((scene.credits().await, states().await[2].as_str()), (json!(7), "completed"));
}

#[both_stores]
async fn old_visits_are_forgotten_unless_their_money_is_on_its_way(test: TestStore) {
    let scene = Scene::of(test).await;
    let mut pending = scene.buy(40).await;
    pending["payment_status"] = json!("unpaid");
    scene.happen("evt_1", "checkout.session.completed", &pending).await;
    let paid = scene.buy(7).await;
    scene.happen("evt_2", "checkout.session.completed", &paid).await;
    scene.app.test.clock.advance(Duration::from_secs(89 * 24 * 3600));
    scene.app.test.store.claim("test", sessions::forget_old).await.unwrap();
    assert_eq!(scene.app.count("SELECT count(*) FROM billing_session").await, 3);
    scene.app.test.clock.advance(Duration::from_secs(2 * 24 * 3600));
    scene.app.test.store.claim("test", sessions::forget_old).await.unwrap();
    assert_eq!(scene.app.count("SELECT count(*) FROM billing_session WHERE state = 'pending'").await, 1);
    assert_eq!(scene.app.count("SELECT count(*) FROM billing_session").await, 1);
    scene.happen("evt_3", "checkout.session.async_payment_succeeded", &pending).await;
    scene.happen("evt_4", "checkout.session.async_payment_succeeded", &paid).await;
    assert_eq!(scene.credits().await, json!(47), "each once");
}

#[both_stores]
async fn old_events_are_forgotten_and_deleted_customers_are_not(test: TestStore) {
    let scene = Scene::of(test).await;
    scene.happen("evt_1", "payment_method.attached", &scene.method()).await;
    scene.happen("evt_2", "customer.deleted", &json!({ "id": scene.customer, "object": "customer" })).await;
    scene.app.test.clock.advance(Duration::from_secs(91 * 24 * 3600));
    scene.app.test.store.claim("test", forget_old).await.unwrap();
    assert_eq!(scene.app.count("SELECT count(*) FROM processor_event").await, 1);
}
