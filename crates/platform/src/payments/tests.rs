//! Evaluations that payments pay for, on both stores, with a facilitator that does what the test says.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use store::Tx;
use testkit::x402::{Act, Chain, Facilitator, pay};
use testkit::{TestStore, both_stores};
use x402::{Authorization, decode};

use crate::payments::resolve::{Finding, resolve_by_hand};
use crate::testing::{App, EVALUATIONS, Reply, Tenant, exact, open};

/// A workspace that has spent its free credits, with an app that takes payments.
struct Shop {
    app: App,
    facilitator: Facilitator,
    tenant: Tenant,
}

impl Shop {
    async fn open(test: TestStore, with_node: bool) -> Self {
        let facilitator = Facilitator::start().await;
        let app = App::taking_payments(test, &facilitator, with_node);
        let tenant = app.broke("riverside").await;
        Self { app, facilitator, tenant }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.app.test.ambient.now().as_seconds()).unwrap()
    }

    async fn ask(&self, body: &Value) -> Reply {
        self.app.post(EVALUATIONS).key(&self.tenant.key).json(body).send().await
    }

    async fn ask_paying(&self, body: &Value, header: (&'static str, &str)) -> Reply {
        self.app.post(EVALUATIONS).key(&self.tenant.key).header(header.0, header.1).json(body).send().await
    }

    /// What version 1 and version 2 offer for a body.
    async fn offers(&self, body: &Value) -> [Value; 2] {
        let reply = self.ask(body).await;
        let required = decode(reply.header("payment-required")).unwrap();
        [reply.expect(402)["accepts"][0].clone(), required["accepts"][0].clone()]
    }

    /// A payment for a body, of version 1.
    async fn payment(&self, body: &Value, nonce: u64) -> String {
        self.payment_with(body, nonce, |_| ()).await
    }

    async fn payment_with(&self, body: &Value, nonce: u64, change: impl FnOnce(&mut Authorization)) -> String {
        pay(&self.offers(body).await[0], nonce, self.now(), change)
    }

    async fn shown(&self, id: &Value) -> Reply {
        self.app.get(&format!("{EVALUATIONS}/{}", id.as_str().unwrap())).key(&self.tenant.key).send().await
    }

    async fn states(&self) -> Vec<String> {
        self.app
            .read(|tx| tx.query("SELECT state FROM x402_payment ORDER BY created_at, nonce", &[], |row| row.get(0)))
            .await
    }
}

fn queued() -> Value {
    let mut body = open();
    body["mode"] = json!("async");
    body
}

#[both_stores]
async fn who_has_nothing_left_is_told_how_to_pay_in_both_versions(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let before = shop.app.stored().await;
    let reply = shop.ask(&exact()).await;
    let required = decode(reply.header("payment-required")).unwrap();
    let body = reply.expect(402);
    assert_eq!(body["error"]["code"], "payment_required");
    let url = "https://lectern.example/v1/platform/evaluations";
    assert_eq!(body["x402"]["price"], "$0.01");
    assert_eq!(body["x402"]["resource"], url);
    assert_eq!(body["billingSessionUrl"], "https://lectern.example/v1/platform/agent/billing/session");
    assert_eq!((&body["x402Version"], &body["accepts"][0]["maxAmountRequired"]), (&json!(1), &json!("10000")));
    assert_eq!(required["accepts"][0]["amount"], "10000");
    assert_eq!(required["resource"]["url"], url);
    assert_eq!(shop.app.stored().await, before);
    assert_eq!(shop.facilitator.counts(), (0, 0, 0));
    shop.app.finish().await;
}

#[both_stores]
async fn a_payment_of_either_version_pays_and_is_receipted(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let before = shop.app.balance(&shop.tenant).await;
    for (version, (name, receipt)) in
        [("x-payment", "x-payment-response"), ("payment-signature", "payment-response")].into_iter().enumerate()
    {
        let offer = &shop.offers(&exact()).await[version];
        let payment = pay(offer, version as u64, shop.now(), |_| ());
        let reply = shop.ask_paying(&exact(), (name, &payment)).await;
        let settled = decode(reply.header(receipt)).unwrap();
        assert_eq!((&settled["success"], &settled["network"]), (&json!(true), &offer["network"]));
        let evaluation = reply.expect(201);
        assert_eq!((&evaluation["status"], &evaluation["score"]), (&json!("COMPLETED"), &json!(10)));
        assert_eq!(&shop.facilitator.last_settled()["paymentRequirements"], offer);
        let again = shop.shown(&evaluation["id"]).await;
        assert_eq!(decode(again.header(receipt)).unwrap(), settled);
    }
    assert_eq!(shop.facilitator.counts(), (2, 2, 2));
    assert_eq!(shop.states().await, ["settled", "settled"]);
    assert_eq!(shop.app.balance(&shop.tenant).await, before, "the balance pays nothing");
    let transfers = "SELECT count(*) FROM ledger_transfer WHERE debit_account = 'x402' AND amount_micros = 10000";
    assert_eq!(shop.app.count(transfers).await, 2);
    shop.app.finish().await;
}

#[both_stores]
async fn what_the_balance_pays_takes_no_payment(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let payment = shop.payment(&exact(), 1).await;
    let rich = shop.app.tenant("hillside").await;
    let reply = shop.app.post(EVALUATIONS).key(&rich.key).header("x-payment", &payment).json(&exact()).send().await;
    assert_eq!(reply.header("x-payment-response"), "");
    reply.expect(201);
    assert_eq!(shop.facilitator.counts(), (0, 0, 0));
    shop.app.finish().await;
}

#[both_stores]
async fn a_payment_is_used_once_whatever_it_is_sent_with(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let payment = shop.payment(&exact(), 1).await;
    shop.ask_paying(&exact(), ("x-payment", &payment)).await.expect(201);
    let other = shop.app.broke("hillside").await;
    let mut another_body = exact();
    another_body["learnerAnswer"] = json!("43");
    for (key, body) in [(&shop.tenant.key, &exact()), (&shop.tenant.key, &another_body), (&other.key, &exact())] {
        let reply = shop.app.post(EVALUATIONS).key(key).header("x-payment", &payment).json(body).send().await;
        assert_eq!(reply.expect(402)["error"]["code"], "x402_payment_failed");
    }
    assert_eq!(shop.facilitator.counts(), (1, 1, 1));
    shop.app.finish().await;
}

#[both_stores]
async fn of_many_requests_with_one_payment_one_is_graded(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let payment = shop.payment(&exact(), 1).await;
    let (body, header) = (exact(), ("x-payment", payment.as_str()));
    let replies = join_all((0..8).map(|_| shop.ask_paying(&body, header))).await;
    let graded = replies.iter().filter(|reply| reply.status == 201).count();
    assert_eq!((graded, replies.iter().filter(|reply| reply.status == 402).count()), (1, 7));
    let (_, settled, paid) = shop.facilitator.counts();
    assert_eq!((settled, paid), (1, 1));
    shop.app.finish().await;
}

#[both_stores]
async fn an_idempotency_key_is_answered_before_any_payment(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let mut body = exact();
    body["idempotencyKey"] = json!("order-1");
    let payment = shop.payment(&body, 1).await;
    let first = shop.ask_paying(&body, ("x-payment", &payment)).await.expect(201);
    let again = shop.ask_paying(&body, ("x-payment", &payment)).await;
    assert!(!again.header("x-payment-response").is_empty());
    let again = again.expect(201);
    assert_eq!((&again["id"], &again["idempotentReplay"]), (&first["id"], &json!(true)));
    assert_eq!(shop.facilitator.counts(), (1, 1, 1));
    shop.app.finish().await;
}

#[both_stores]
async fn a_payment_that_is_not_for_this_request_is_refused_before_the_facilitator_is_asked(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let [v1, v2] = shop.offers(&exact()).await;
    let now = shop.now();
    let with = |name: &str, value: Value| {
        let mut offer = v1.clone();
        offer[name] = value;
        pay(&offer, 1, now, |_| ())
    };
    let elsewhere = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
    let mut payments = vec![
        with("maxAmountRequired", json!("9999")),
        with("maxAmountRequired", json!("10001")),
        with("network", json!("base")),
        with("payTo", json!(elsewhere)),
        with("asset", json!(elsewhere)),
        pay(&v1, 1, now, |authorization| authorization.valid_before = now + 5),
        pay(&v1, 1, now, |authorization| authorization.valid_after = now + 1),
        pay(&v2, 1, now, |authorization| authorization.value = 1),
        // Somebody else's name on it.
        pay(&v1, 1, now, |authorization| authorization.from = elsewhere.parse().unwrap()),
        "garbage".to_owned(),
        "A".repeat(17 * 1024),
    ];
    let good = pay(&v1, 1, now, |_| ());
    payments.push(good[..good.len() / 2].to_owned());
    let before = shop.app.stored().await;
    for payment in &payments {
        let error = shop.ask_paying(&exact(), ("x-payment", payment)).await.expect(402);
        assert_eq!(error["error"]["code"], "x402_payment_failed", "{payment}");
        assert_eq!(error["accepts"][0], v1);
    }
    let twice = shop.app.post(EVALUATIONS).key(&shop.tenant.key).header("x-payment", &good);
    let twice = twice.header("payment-signature", &good).json(&exact()).send().await;
    assert_eq!(twice.expect(402)["error"]["code"], "x402_payment_failed");
    assert_eq!(shop.app.stored().await, before);
    assert_eq!(shop.facilitator.counts(), (0, 0, 0));
    shop.app.finish().await;
}

#[both_stores]
async fn a_facilitator_that_does_not_vouch_leaves_nothing_behind(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let payment = shop.payment(&exact(), 1).await;
    let before = shop.app.stored().await;
    shop.facilitator.verify(Act::Say(json!({ "isValid": false, "invalidReason": "insufficient_funds" })));
    let refused = shop.ask_paying(&exact(), ("x-payment", &payment)).await.expect(402);
    assert_eq!(refused["error"]["message"], "The payment was not verified: insufficient_funds.");
    for act in [Act::Fail(500), Act::Fail(400), Act::Say(json!("yes")), Act::Say(json!({ "isValid": "true" }))] {
        shop.facilitator.verify(act);
        let reply = shop.ask_paying(&exact(), ("x-payment", &payment)).await;
        assert_eq!((reply.status.as_u16(), reply.header("retry-after")), (503, "5"));
    }
    assert_eq!(shop.app.stored().await, before);
    // Nothing was used up.
    shop.ask_paying(&exact(), ("x-payment", &payment)).await.expect(201);
    shop.app.finish().await;
}

#[both_stores]
async fn without_the_money_there_is_no_grade_and_the_key_is_free_for_another_payment(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let mut body = exact();
    body["idempotencyKey"] = json!("order-1");
    let payment = shop.payment(&body, 1).await;
    shop.facilitator.settle(Act::Say(json!({ "success": false, "errorReason": "insufficient_funds" })));
    let reply = shop.ask_paying(&body, ("x-payment", &payment)).await;
    assert_eq!(decode(reply.header("x-payment-response")).unwrap()["success"], false);
    let refused = reply.expect(402);
    assert_eq!(refused["error"]["code"], "x402_payment_failed");
    assert!(refused["error"]["message"].as_str().unwrap().contains("insufficient_funds"));
    let failed = "SELECT count(*) FROM evaluation WHERE status = 'FAILED' AND score IS NULL AND feedback IS NULL
        AND idempotency_key IS NULL AND error_code = 'x402_payment_failed'";
    assert_eq!(shop.app.count(failed).await, 1);
    assert_eq!(shop.states().await, ["refused"]);
    shop.ask_paying(&body, ("x-payment", &payment)).await.expect(402);
    let payment = shop.payment(&body, 2).await;
    shop.ask_paying(&body, ("x-payment", &payment)).await.expect(201);
    assert_eq!(shop.facilitator.counts(), (2, 2, 1));
    shop.app.finish().await;
}

#[both_stores]
async fn without_a_grade_nothing_is_settled(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let payment = shop.payment(&open(), 1).await;
    shop.app.script.fail("model_refused", false);
    let failed = shop.ask_paying(&open(), ("x-payment", &payment)).await.expect(201);
    assert_eq!(failed["status"], "FAILED");
    assert_eq!(shop.states().await, ["released"]);
    assert_eq!(shop.facilitator.counts(), (1, 0, 0));
    shop.ask_paying(&open(), ("x-payment", &payment)).await.expect(402);
    shop.app.finish().await;
}

#[both_stores]
async fn a_queued_evaluation_is_settled_when_it_is_graded(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let payment = shop.payment(&queued(), 1).await;
    let pending = shop.ask_paying(&queued(), ("x-payment", &payment)).await.expect(201);
    assert_eq!(pending["status"], "PENDING");
    assert_eq!(shop.facilitator.counts(), (1, 0, 0));
    assert_eq!(shop.app.run_jobs().await, 1);
    let shown = shop.shown(&pending["id"]).await;
    assert!(!shown.header("x-payment-response").is_empty());
    assert_eq!(shown.expect(200)["status"], "COMPLETED");
    assert_eq!(shop.facilitator.counts(), (1, 1, 1));
    shop.app.finish().await;
}

/// A settlement whose answer is lost is found out, with so many questions to the facilitator.
async fn found_out(test: TestStore, with_node: bool, lost: Act, settles: usize) {
    let shop = Shop::open(test, with_node).await;
    let payment = shop.payment(&queued(), 1).await;
    let pending = shop.ask_paying(&queued(), ("x-payment", &payment)).await.expect(201);
    shop.facilitator.settle(lost);
    shop.app.run_jobs().await;
    if settles == 2 {
        let open = shop.shown(&pending["id"]).await.expect(200);
        assert_eq!((&open["status"], &open["score"]), (&json!("PROCESSING"), &json!(null)), "no grade is shown");
        shop.app.test.clock.advance(Duration::from_secs(5));
        shop.app.run_jobs().await;
    }
    let ended = shop.shown(&pending["id"]).await;
    assert!(!ended.header("x-payment-response").is_empty());
    assert_eq!(ended.expect(200)["status"], "COMPLETED");
    assert_eq!(shop.facilitator.counts(), (1, settles, 1));
    assert_eq!(shop.app.script.seen().len(), 1, "it is graded once");
    shop.app.finish().await;
}

#[both_stores]
async fn a_settlement_whose_answer_is_lost_is_found_on_the_chain(test: TestStore) {
    found_out(test, true, Act::SettleAndFail, 1).await;
}

#[both_stores]
async fn a_settlement_that_did_not_happen_is_tried_again(test: TestStore) {
    found_out(test, true, Act::Fail(502), 2).await;
}

#[both_stores]
async fn a_settlement_that_did_not_happen_is_tried_again_without_a_node(test: TestStore) {
    found_out(test, false, Act::Fail(502), 2).await;
}

#[both_stores]
async fn without_a_node_a_lost_answer_is_left_to_the_operator_when_the_payments_time_is_over(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let payment = shop.payment(&queued(), 1).await;
    let pending = shop.ask_paying(&queued(), ("x-payment", &payment)).await.expect(201);
    shop.facilitator.settle(Act::SettleAndFail);
    for _ in 0..3 {
        shop.app.run_jobs().await;
        assert_eq!(shop.shown(&pending["id"]).await.expect(200)["status"], "PROCESSING");
        shop.app.test.clock.advance(Duration::from_secs(60));
    }
    shop.app.test.clock.advance(Duration::from_secs(2 * 3600));
    shop.app.run_jobs().await;
    let ended = shop.shown(&pending["id"]).await.expect(200);
    assert_eq!((&ended["status"], &ended["error"]["code"]), (&json!("FAILED"), &json!("x402_payment_unresolved")));
    assert_eq!(shop.states().await, ["unresolved"]);
    assert_eq!(shop.facilitator.counts().2, 1);
    shop.app.finish().await;
}

#[both_stores]
async fn an_authorization_that_was_used_elsewhere_pays_for_nothing(test: TestStore) {
    let shop = Shop::open(test, true).await;
    let payment = shop.payment(&queued(), 1).await;
    let pending = shop.ask_paying(&queued(), ("x-payment", &payment)).await.expect(201);
    shop.facilitator.settle(Act::Fail(502));
    shop.facilitator.chain(Chain::Spent);
    shop.app.run_jobs().await;
    let ended = shop.shown(&pending["id"]).await.expect(200);
    assert_eq!((&ended["status"], &ended["error"]["code"]), (&json!("FAILED"), &json!("x402_payment_failed")));
    assert_eq!(shop.states().await, ["refused"]);
    shop.app.finish().await;
}

#[both_stores]
async fn money_that_came_for_no_grade_becomes_credits_once(test: TestStore) {
    let shop = Shop::open(test, true).await;
    let payment = shop.payment(&queued(), 1).await;
    let pending = shop.ask_paying(&queued(), ("x-payment", &payment)).await.expect(201);
    shop.facilitator.settle(Act::SettleAndFail);
    shop.facilitator.chain(Chain::Away);
    shop.app.run_jobs().await;
    assert_eq!(shop.shown(&pending["id"]).await.expect(200)["status"], "PROCESSING");
    // The operator cancels it while nobody knows.
    let cancelled = shop.app.test.store.write("test", |tx| {
        let job = tx.find("SELECT id FROM job", &[], |row| row.get(0))?.expect("it waits");
        store::jobs::cancel(tx, job, &crate::jobs::types())
    });
    assert!(cancelled.await.unwrap());
    assert_eq!(shop.shown(&pending["id"]).await.expect(200)["status"], "FAILED");
    assert_eq!(shop.states().await, ["open"]);
    shop.facilitator.chain(Chain::True);
    shop.app.run_jobs().await;
    assert_eq!(shop.states().await, ["settled"]);
    assert_eq!(shop.app.balance(&shop.tenant).await.0, json!(5), "USD 0.05 are 5 credits");
    shop.app.run_jobs().await;
    assert_eq!(shop.app.balance(&shop.tenant).await.0, json!(5));
    shop.app.finish().await;
}

#[both_stores]
async fn who_is_erased_while_the_money_waits_gets_no_grade_and_pays_nothing(test: TestStore) {
    let shop = Shop::open(test, true).await;
    let mut body = queued();
    body["submitter"] = json!({ "learnerId": "ann" });
    let payment = shop.payment(&body, 1).await;
    let pending = shop.ask_paying(&body, ("x-payment", &payment)).await.expect(201);
    shop.facilitator.settle(Act::Fail(429));
    shop.app.run_jobs().await;
    let kept = "SELECT count(*) FROM x402_payment WHERE graded IS NOT NULL";
    assert_eq!(shop.app.count(kept).await, 1, "the grade waits for the money");
    shop.app.delete("/v1/platform/learners/ann").key(&shop.tenant.key).send().await;
    let left = "SELECT count(*) FROM x402_payment WHERE graded IS NOT NULL OR body_digest <> ''";
    assert_eq!(shop.app.count(left).await, 0, "nothing of the answer is left");
    shop.app.test.clock.advance(Duration::from_secs(60));
    shop.app.run_jobs().await;
    let ended = shop.shown(&pending["id"]).await.expect(200);
    assert_eq!((&ended["status"], &ended["score"]), (&json!("FAILED"), &json!(null)));
    assert_eq!(shop.states().await, ["released"]);
    assert_eq!(shop.facilitator.counts().2, 0);
    shop.app.finish().await;
}

#[both_stores]
async fn a_payment_that_holds_for_ever_is_left_to_the_operator_after_a_day(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let for_ever = |authorization: &mut Authorization| authorization.valid_before = 99_999_999_999;
    let payment = shop.payment_with(&queued(), 1, for_ever).await;
    let pending = shop.ask_paying(&queued(), ("x-payment", &payment)).await.expect(201);
    shop.facilitator.settle(Act::SettleAndFail);
    shop.app.run_jobs().await;
    shop.app.test.clock.advance(Duration::from_secs(25 * 3600));
    shop.app.run_jobs().await;
    let ended = shop.shown(&pending["id"]).await.expect(200);
    assert_eq!(ended["error"]["code"], "x402_payment_unresolved");
    assert_eq!(shop.states().await, ["unresolved"]);
    // The operator looks it up: it was settled.
    let id = ended["id"].as_str().unwrap().parse().unwrap();
    let settled = Finding::Settled { transaction: format!("0x{:064x}", 1) };
    for is_news in [true, false] {
        let settled = settled.clone();
        let resolve = move |tx: &mut Tx<'_>| resolve_by_hand(tx, id, &settled);
        assert_eq!(shop.app.test.store.write("test", resolve).await.unwrap(), is_news);
        assert_eq!(shop.app.balance(&shop.tenant).await.0, json!(5));
    }
    shop.app.finish().await;
}

#[both_stores]
async fn an_answer_that_may_hide_a_transfer_is_not_the_end(test: TestStore) {
    let shop = Shop::open(test, true).await;
    let payment = shop.payment(&queued(), 1).await;
    let pending = shop.ask_paying(&queued(), ("x-payment", &payment)).await.expect(201);
    let failed = json!({ "success": false, "errorReason": "Timed out while waiting.\nDetails: …", "transaction": "" });
    shop.facilitator.settle(Act::Say(failed));
    shop.app.run_jobs().await;
    assert_eq!(shop.shown(&pending["id"]).await.expect(200)["status"], "PROCESSING");
    shop.app.test.clock.advance(Duration::from_secs(5));
    shop.app.run_jobs().await;
    assert_eq!(shop.shown(&pending["id"]).await.expect(200)["status"], "COMPLETED");
    assert_eq!(shop.facilitator.counts().2, 1);
    shop.app.finish().await;
}

#[both_stores]
async fn a_facilitator_that_was_never_reached_has_charged_nobody(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let payment = shop.payment(&queued(), 1).await;
    let pending = shop.ask_paying(&queued(), ("x-payment", &payment)).await.expect(201);
    shop.facilitator.settle(Act::Fail(429));
    shop.app.run_jobs().await;
    assert_eq!(shop.shown(&pending["id"]).await.expect(200)["status"], "PROCESSING");
    shop.app.test.clock.advance(Duration::from_secs(2 * 3600));
    shop.app.run_jobs().await;
    let ended = shop.shown(&pending["id"]).await.expect(200);
    assert_eq!((&ended["status"], &ended["error"]["code"]), (&json!("FAILED"), &json!("x402_payment_failed")));
    assert_eq!(shop.states().await, ["refused"]);
    shop.app.finish().await;
}

#[both_stores]
async fn what_the_facilitator_refused_and_the_chain_has_settled_becomes_credits(test: TestStore) {
    let shop = Shop::open(test, true).await;
    let refusal = json!({ "success": false, "errorReason": "invalid_payload", "transaction": "" });
    for (nonce, act) in [(1, Act::SettleAndSay(refusal.clone())), (2, Act::Say(refusal))] {
        let payment = shop.payment(&exact(), nonce).await;
        shop.facilitator.settle(act);
        shop.ask_paying(&exact(), ("x-payment", &payment)).await.expect(402);
    }
    assert_eq!(shop.states().await, ["refused", "refused"]);
    assert_eq!(shop.app.run_jobs().await, 0, "their time is not over");
    shop.app.test.clock.advance(Duration::from_secs(300 + 121));
    assert_eq!(shop.app.run_jobs().await, 2);
    assert_eq!(shop.states().await, ["settled", "refused"]);
    assert_eq!(shop.app.balance(&shop.tenant).await.0, json!(1), "the amount of the one that was settled");
    // The other is looked at until the chain has a block of a later time, or nobody asks any more.
    shop.app.test.clock.advance(Duration::from_secs(25 * 3600));
    shop.app.run_jobs().await;
    assert_eq!(shop.states().await, ["settled", "refused"]);
    assert_eq!(shop.facilitator.counts(), (2, 2, 1));
    shop.app.finish().await;
}

#[both_stores]
async fn a_facilitator_that_hangs_leaves_workers_for_other_jobs(test: TestStore) {
    let shop = Shop::open(test, false).await;
    for nonce in 1..=3 {
        let payment = shop.payment(&queued(), nonce).await;
        shop.ask_paying(&queued(), ("x-payment", &payment)).await.expect(201);
    }
    shop.facilitator.settle(Act::Hang);
    let others = async {
        while shop.facilitator.counts().1 == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(shop.app.run_jobs().await, 2, "the one place for settlements is taken");
        assert_eq!(shop.facilitator.counts(), (3, 1, 0));
        let kept = "SELECT count(*) FROM x402_payment WHERE state = 'open' AND maybe_sent = 0 AND graded IS NOT NULL";
        assert_eq!(shop.app.count(kept).await, 2);
        shop.facilitator.let_go();
    };
    let (first, ()) = tokio::join!(shop.app.run_jobs(), others);
    assert_eq!(first, 1);
    assert_eq!(shop.states().await, ["settled", "open", "open"]);
    shop.app.test.clock.advance(Duration::from_secs(2));
    assert_eq!(shop.app.run_jobs().await, 2);
    assert_eq!(shop.states().await, ["settled"; 3]);
    assert_eq!(shop.app.script.seen().len(), 3, "each is graded once");
    shop.app.finish().await;
}

#[both_stores]
async fn receipts_stay_when_payments_are_taken_no_more(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let payment = shop.payment(&exact(), 1).await;
    let paid = shop.ask_paying(&exact(), ("x-payment", &payment)).await.expect(201);
    let Shop { app, tenant, .. } = shop;
    let receipt = app.get(&format!("{EVALUATIONS}/{}", paid["id"].as_str().unwrap())).key(&tenant.key);
    assert!(!receipt.send().await.header("x-payment-response").is_empty());
    let app = App::new(app.test.clone());
    let shown = app.get(&format!("{EVALUATIONS}/{}", paid["id"].as_str().unwrap())).key(&tenant.key).send().await;
    assert!(!shown.header("x-payment-response").is_empty());
    app.finish().await;
}

#[both_stores]
async fn a_compared_answer_is_stored_with_its_grade_and_payment_before_the_facilitator_is_asked(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let payment = shop.payment(&exact(), 1).await;
    shop.facilitator.settle(Act::Hang);
    let body = exact();
    let meanwhile = async {
        while shop.facilitator.counts().1 == 0 {
            tokio::task::yield_now().await;
        }
        let kept = "SELECT count(*) FROM x402_payment p JOIN evaluation e ON e.id = p.evaluation_id
            WHERE p.state = 'open' AND p.maybe_sent = 1 AND p.graded IS NOT NULL AND e.status = 'PROCESSING' AND e.score IS NULL";
        assert_eq!(shop.app.count(kept).await, 1);
        shop.facilitator.let_go();
    };
    let (reply, ()) = tokio::join!(shop.ask_paying(&body, ("x-payment", &payment)), meanwhile);
    assert!(!reply.header("x-payment-response").is_empty());
    assert_eq!(reply.expect(201)["score"], json!(10));
    assert_eq!(shop.app.script.seen().len(), 0, "nobody else was asked for a grade");
    shop.app.finish().await;
}

#[both_stores]
async fn a_compared_answer_that_can_not_be_sent_keeps_its_grade_for_the_next_run(test: TestStore) {
    let shop = Shop::open(test, false).await;
    let mut body = exact();
    body["idempotencyKey"] = json!("order-1");
    let payment = shop.payment(&body, 1).await;
    shop.facilitator.settle(Act::Fail(429));
    let asked = shop.ask_paying(&body, ("x-payment", &payment));
    let meanwhile = async {
        let unsent = "SELECT count(*) FROM x402_payment WHERE state = 'open' AND maybe_sent = 0 AND graded IS NOT NULL";
        while shop.app.count(unsent).await == 0 {
            tokio::task::yield_now().await;
        }
        shop.app.test.clock.advance(Duration::from_secs(2));
        assert_eq!(shop.app.run_jobs().await, 1);
    };
    let (reply, ()) = tokio::join!(asked, meanwhile);
    assert_eq!(reply.expect(201)["status"], "COMPLETED");
    assert_eq!(shop.facilitator.counts(), (1, 2, 1));
    shop.app.finish().await;
}
