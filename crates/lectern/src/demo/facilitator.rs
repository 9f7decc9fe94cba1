//! The demo's own x402 facilitator: it settles on a chain that does not exist, each authorization once, as a real one does.

use std::collections::HashSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use kernel::ambient::Ambient;
use platform::payments::X402Options;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use x402::{Network, Payment};

/// The account that is paid: anybody's, as no money moves.
const PAY_TO: &str = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
/// Settlements of queued evaluations that wait at once; the demo has none.
const QUEUED: usize = 8;

/// A running facilitator.
pub(super) struct Facilitator(SocketAddr);

#[derive(Clone)]
struct Chain {
    ambient: Ambient,
    used: Arc<Mutex<HashSet<[u8; 32]>>>,
}

impl Facilitator {
    /// Listens on a free loopback port until the program ends.
    pub(super) async fn start(ambient: Ambient) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await;
        let listener = listener.context("the facilitator can't listen")?;
        let address = listener.local_addr()?;
        let router = Router::new()
            .route("/verify", post(verify))
            .route("/settle", post(settle))
            .with_state(Chain { ambient, used: Arc::default() });
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self(address))
    }

    /// How the service takes payments that this facilitator settles.
    pub(super) fn options(&self) -> anyhow::Result<X402Options> {
        Ok(X402Options {
            network: Network::BASE_SEPOLIA,
            token: Network::BASE_SEPOLIA.usdc(),
            pay_to: PAY_TO.parse()?,
            facilitator_url: format!("http://{}", self.0).parse()?,
            facilitator_token: None,
            node_url: None,
            extra_ca_pem: None,
            queued_settlements: QUEUED,
        })
    }
}

/// The service has judged the signature before it asks.
async fn verify(Json(asked): Json<Value>) -> Json<Value> {
    let is_valid = Payment::of(asked["paymentPayload"].clone()).is_ok();
    Json(json!({ "isValid": is_valid, "invalidReason": if is_valid { Value::Null } else { json!("invalid_payload") } }))
}

async fn settle(State(chain): State<Chain>, Json(asked): Json<Value>) -> Json<Value> {
    let network = &asked["paymentRequirements"]["network"];
    let refusal =
        |reason: &str| json!({ "success": false, "errorReason": reason, "transaction": "", "network": network });
    let Ok(payment) = Payment::of(asked["paymentPayload"].clone()) else { return Json(refusal("invalid_payload")) };
    let authorization = payment.authorization;
    if !chain.used.lock().unwrap_or_else(PoisonError::into_inner).insert(authorization.nonce) {
        return Json(refusal("invalid_exact_evm_nonce_already_used"));
    }
    let hash: [u8; 32] = chain.ambient.random();
    let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    Json(json!({
        "success": true, "transaction": format!("0x{digits}"), "network": network, "payer": authorization.from.to_string(),
    }))
}
