//! Everybody else in a payment by request: a payer with a key, a facilitator that does what the test says, and a node.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use ::x402::{Authorization, Network, Payment, Version, encode};
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::StatusCode;
use k256::ecdsa::SigningKey;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// The first account of the mnemonic that development chains begin with.
const KEY: &str = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
/// Its address.
pub const PAYER: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
/// The account that is paid.
pub const PAY_TO: &str = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";

/// Makes the header of a payment for a member of a 402's `accepts`, of either version. `nonce` makes it unique, `now` is in seconds
/// since 1970, and `change` changes what is to be signed.
pub fn pay(accepted: &Value, nonce: u64, now: u64, change: impl FnOnce(&mut Authorization)) -> String {
    let version = if accepted.get("amount").is_some() { Version::V2 } else { Version::V1 };
    let text = |name: &str| accepted[name].as_str().unwrap();
    let value = text(if version == Version::V1 { "maxAmountRequired" } else { "amount" });
    let mut bytes = [0; 32];
    bytes[24..].copy_from_slice(&nonce.to_be_bytes());
    let mut authorization = Authorization {
        from: PAYER.parse().unwrap(),
        to: text("payTo").parse().unwrap(),
        value: value.parse().unwrap(),
        valid_after: now - 600,
        valid_before: now + accepted["maxTimeoutSeconds"].as_u64().unwrap(),
        nonce: bytes,
    };
    change(&mut authorization);
    let network = Network::find(text("network")).unwrap();
    let mut token = network.usdc();
    token.address = text("asset").parse().unwrap();
    let digest = authorization.digest(&network, &token);
    let key = SigningKey::from_slice(&hex::decode(KEY).unwrap()).unwrap();
    let (signature, id) = key.sign_prehash_recoverable(&digest);
    let signature = format!("0x{}{:02x}", hex::encode(signature.to_bytes()), 27 + id.to_byte());
    let authorization = json!({
        "from": authorization.from.to_string(), "to": authorization.to.to_string(),
        "value": authorization.value.to_string(), "validAfter": authorization.valid_after.to_string(),
        "validBefore": authorization.valid_before.to_string(),
        "nonce": format!("0x{}", hex::encode(authorization.nonce)),
    });
    let payload = json!({ "signature": signature, "authorization": authorization });
    encode(&match version {
        Version::V1 => json!({
            "x402Version": 1, "scheme": "exact", "network": accepted["network"], "payload": payload,
        }),
        Version::V2 => json!({ "x402Version": 2, "payload": payload, "accepted": accepted }),
    })
}

/// What a facilitator does when it is asked.
#[derive(Clone, Debug)]
pub enum Act {
    /// It does what it should: a payment is valid, and settled if it was not before.
    Work,
    /// It answers this with 200.
    Say(Value),
    /// It answers with this status.
    Fail(u16),
    /// It settles, and the answer is lost.
    SettleAndFail,
    /// It settles, and answers this with 200.
    SettleAndSay(Value),
    /// It does nothing before [`Facilitator::let_go`], then what it should.
    Hang,
}

/// What a node says of an authorization that was not settled here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// What the facilitator did.
    True,
    /// It was used for something else.
    Spent,
    /// It does not answer.
    Away,
}

/// A facilitator and a node of a chain, on one port of this machine.
#[derive(Clone)]
pub struct Facilitator(Arc<Inner>);

struct Inner {
    port: u16,
    state: Mutex<Known>,
    lets_go: Notify,
}

struct Known {
    verify: VecDeque<Act>,
    settle: VecDeque<Act>,
    verified: Vec<Value>,
    settled: Vec<Value>,
    /// The authorizations that have moved money, in the order of their transactions.
    paid: Vec<Payment>,
    /// The numbers of their transactions, which begin with 1, by nonce. Measurements settle thousands.
    numbers: HashMap<[u8; 32], usize>,
    chain: Chain,
}

impl Facilitator {
    /// One that works.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (verify, settle, verified, settled, paid, numbers) = Default::default();
        let known = Known { verify, settle, verified, settled, paid, numbers, chain: Chain::True };
        let facilitator = Self(Arc::new(Inner { port, state: Mutex::new(known), lets_go: Notify::new() }));
        let router = Router::new()
            .route("/verify", post(verify_payment))
            .route("/settle", post(settle_payment))
            .route("/supported", get(supported))
            .route("/node", post(node))
            .with_state(facilitator.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        facilitator
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.0.port)
    }

    /// The address of the node.
    pub fn node_url(&self) -> String {
        format!("{}/node", self.url())
    }

    /// Verifies the next payment so.
    pub fn verify(&self, act: Act) {
        self.known(|known| known.verify.push_back(act));
    }

    /// Settles the next payment so.
    pub fn settle(&self, act: Act) {
        self.known(|known| known.settle.push_back(act));
    }

    /// Has the node say this from now on.
    pub fn chain(&self, chain: Chain) {
        self.known(|known| known.chain = chain);
    }

    /// Has the first settlement that hangs go on.
    pub fn let_go(&self) {
        self.0.lets_go.notify_one();
    }

    /// How often it was asked to verify and to settle, and how many payments moved money.
    pub fn counts(&self) -> (usize, usize, usize) {
        self.known(|known| (known.verified.len(), known.settled.len(), known.paid.len()))
    }

    /// What it was last asked to settle.
    pub fn last_settled(&self) -> Value {
        self.known(|known| known.settled.last().cloned()).unwrap_or_default()
    }

    fn known<T>(&self, act: impl FnOnce(&mut Known) -> T) -> T {
        act(&mut self.0.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn verify_payment(State(facilitator): State<Facilitator>, Json(asked): Json<Value>) -> Response {
    let act = facilitator.known(|known| {
        known.verified.push(asked);
        known.verify.pop_front()
    });
    match act {
        None | Some(Act::Work | Act::SettleAndFail | Act::SettleAndSay(_) | Act::Hang) => {
            Json(json!({ "isValid": true, "payer": PAYER })).into_response()
        }
        Some(Act::Say(answer)) => Json(answer).into_response(),
        Some(Act::Fail(status)) => StatusCode::from_u16(status).unwrap().into_response(),
    }
}

async fn settle_payment(State(facilitator): State<Facilitator>, Json(asked): Json<Value>) -> Response {
    let act = facilitator.known(|known| {
        known.settled.push(asked.clone());
        known.settle.pop_front()
    });
    let network = &asked["paymentRequirements"]["network"];
    match act {
        None | Some(Act::Work) => Json(facilitator.move_money(&asked, network)).into_response(),
        Some(Act::Hang) => {
            facilitator.0.lets_go.notified().await;
            Json(facilitator.move_money(&asked, network)).into_response()
        }
        Some(Act::SettleAndFail) => {
            facilitator.move_money(&asked, network);
            StatusCode::BAD_GATEWAY.into_response()
        }
        Some(Act::SettleAndSay(answer)) => {
            facilitator.move_money(&asked, network);
            Json(answer).into_response()
        }
        Some(Act::Say(answer)) => Json(answer).into_response(),
        Some(Act::Fail(status)) => StatusCode::from_u16(status).unwrap().into_response(),
    }
}

impl Facilitator {
    /// As a chain does it: once.
    fn move_money(&self, asked: &Value, network: &Value) -> Value {
        let payment = Payment::of(asked["paymentPayload"].clone()).unwrap();
        self.known(|known| {
            let number = known.paid.len() + 1;
            if *known.numbers.entry(payment.authorization.nonce).or_insert(number) != number {
                let reason = "invalid_exact_evm_nonce_already_used";
                return json!({ "success": false, "errorReason": reason, "transaction": "", "network": network });
            }
            known.paid.push(payment);
            let transaction = format!("0x{number:064x}");
            json!({ "success": true, "transaction": transaction, "network": network, "payer": PAYER })
        })
    }
}

async fn supported() -> Json<Value> {
    Json(json!({ "kinds": [
        { "x402Version": 1, "scheme": "exact", "network": "base-sepolia" },
        { "x402Version": 2, "scheme": "exact", "network": "eip155:84532" },
    ] }))
}

async fn node(State(facilitator): State<Facilitator>, Json(call): Json<Value>) -> Response {
    let result = facilitator.known(|known| known.answer(&call));
    match result {
        Some(result) => Json(json!({ "jsonrpc": "2.0", "id": call["id"], "result": result })).into_response(),
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

impl Known {
    fn answer(&self, call: &Value) -> Option<Value> {
        let parameter = &call["params"][0];
        if self.chain == Chain::Away {
            return None;
        }
        Some(match call["method"].as_str()? {
            "eth_chainId" => json!("0x14a34"),
            "eth_getBlockByNumber" => json!({ "timestamp": "0x1" }),
            "eth_blockNumber" => json!("0x1000"),
            "eth_getCode" if parameter == PAYER => json!("0x"),
            "eth_getCode" => json!("0x6080"),
            "eth_call" => {
                let nonce = parameter["data"].as_str()?.get(2 + 8 + 64..)?.to_owned();
                json!(format!("0x{:064x}", u8::from(self.chain == Chain::Spent || self.transaction(&nonce).is_some())))
            }
            "eth_getLogs" => {
                let nonce = parameter["topics"][2].as_str()?.trim_start_matches("0x").to_owned();
                let transaction = self.transaction(&nonce).unwrap_or(0);
                json!([{ "transactionHash": format!("0x{transaction:064x}") }])
            }
            "eth_getTransactionReceipt" => self.receipt(parameter.as_str()?),
            _ => return None,
        })
    }

    /// The number of the transaction that used a nonce.
    fn transaction(&self, nonce: &str) -> Option<usize> {
        let nonce: [u8; 32] = hex::decode(nonce).ok()?.try_into().ok()?;
        self.numbers.get(&nonce).copied()
    }

    fn receipt(&self, hash: &str) -> Value {
        let number = usize::from_str_radix(hash.trim_start_matches("0x"), 16).unwrap();
        let Some(paid) = number.checked_sub(1).and_then(|at| self.paid.get(at)) else {
            return json!({ "status": "0x1", "logs": [] });
        };
        let word = |address: &str| format!("0x{:0>64}", address.trim_start_matches("0x").to_lowercase());
        let authorization = &paid.authorization;
        let token = Network::BASE_SEPOLIA.usdc().address.to_string();
        let used = json!({
            "address": token,
            "topics": [
                "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5",
                word(&authorization.from.to_string()),
                paid.nonce(),
            ],
            "data": "0x",
        });
        json!({ "status": "0x1", "logs": [used, {
            "address": Network::BASE_SEPOLIA.usdc().address.to_string(),
            "topics": [
                "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
                word(&authorization.from.to_string()),
                word(&authorization.to.to_string()),
            ],
            "data": format!("0x{:064x}", authorization.value),
        }] })
    }
}
