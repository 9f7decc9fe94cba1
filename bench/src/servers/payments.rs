//! Evaluations that the workspace's credits pay for, and the same that payments pay for, in turns. The facilitator answers at once; it and
//! the callers are in this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use axum::Router;
use axum::body::Body;
use clap::Args;
use edge::operations::Draining;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Method, Request, StatusCode};
use lectern::app::Role;
use platform::payments::X402Options;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use testkit::x402::{Facilitator, PAY_TO, pay};
use tokio::task::JoinSet;
use tower::ServiceExt as _;
use x402::Network;

use super::service;
use crate::database::Place;
use crate::scenarios::answers;
use crate::seed;

const CALLERS: usize = 32;
const ROUNDS: usize = 3;

/// The number of evaluations, and where they are stored.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Evaluations of a round.
    #[arg(long)]
    count: usize,
}

/// Evaluations a second, each the best of the rounds.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Rates {
    pub(crate) exact_by_credits: f64,
    pub(crate) exact_by_payments: f64,
    pub(crate) open_by_credits: f64,
    pub(crate) open_by_payments: f64,
}

pub(super) async fn run(Arguments { place, count }: Arguments) -> anyhow::Result<()> {
    let facilitator = Facilitator::start().await;
    let options = X402Options {
        network: Network::BASE_SEPOLIA,
        token: Network::BASE_SEPOLIA.usdc(),
        pay_to: PAY_TO.parse()?,
        facilitator_url: facilitator.url().parse()?,
        facilitator_token: None,
        node_url: None,
        extra_ca_pem: None,
        queued_settlements: 8,
    };
    let service = service::open_with(&place, None, Some(options)).await?;
    let (store, ambient) = (service.app.door.store.clone(), service.app.ambient.clone());
    let rich = seed::workspace(&store, &ambient).await?;
    let poor = seed::poor_workspace(&store, &ambient).await?;
    let router = service.app.router(Role::Api, Draining::default(), service.metrics.clone());
    let mut rates =
        Rates { exact_by_credits: 0.0, exact_by_payments: 0.0, open_by_credits: 0.0, open_by_payments: 0.0 };
    let now = u64::try_from(ambient.now().as_seconds())?;
    let nonces = AtomicUsize::new(1);
    let payments = |micros: u64| -> Vec<String> {
        let offer = json!({
            "network": "base-sepolia", "maxAmountRequired": micros.to_string(), "payTo": PAY_TO,
            "maxTimeoutSeconds": 100_000, "asset": Network::BASE_SEPOLIA.usdc().address.to_string(),
        });
        (0..count).map(|_| pay(&offer, nonces.fetch_add(1, Ordering::Relaxed) as u64, now, |_| ())).collect()
    };
    for _ in 0..ROUNDS {
        let (exact, open) = (answers::exact(), answers::open());
        let rate = rate(&router, &rich, &exact, vec![String::new(); count]).await?;
        rates.exact_by_credits = rates.exact_by_credits.max(rate);
        let rate = self::rate(&router, &poor, &exact, payments(10_000)).await?;
        rates.exact_by_payments = rates.exact_by_payments.max(rate);
        let rate = self::rate(&router, &rich, &open, vec![String::new(); count]).await?;
        rates.open_by_credits = rates.open_by_credits.max(rate);
        let rate = self::rate(&router, &poor, &open, payments(50_000)).await?;
        rates.open_by_payments = rates.open_by_payments.max(rate);
    }
    ensure!(facilitator.counts().2 == 2 * ROUNDS * count, "every payment moves money once");
    super::say(&rates)
}

/// Evaluations a second, with one payment for each, or none.
async fn rate(router: &Router, key: &str, body: &Value, payments: Vec<String>) -> anyhow::Result<f64> {
    let (count, payments) = (payments.len(), Arc::new(payments));
    let (next, body) = (Arc::new(AtomicUsize::new(0)), Arc::<str>::from(body.to_string()));
    let started = Instant::now();
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let (router, key, body) = (router.clone(), key.to_owned(), body.clone());
        let (payments, next) = (payments.clone(), next.clone());
        callers.spawn(async move {
            while let Some(payment) = payments.get(next.fetch_add(1, Ordering::Relaxed)) {
                evaluate(&router, &key, &body, payment).await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(ended) = callers.join_next().await {
        ended??;
    }
    Ok(count as f64 / started.elapsed().as_secs_f64())
}

async fn evaluate(router: &Router, key: &str, body: &str, payment: &str) -> anyhow::Result<()> {
    let mut request = Request::builder()
        .method(Method::POST)
        .uri("/v1/platform/evaluations")
        .header(AUTHORIZATION, format!("Bearer {key}"))
        .header(CONTENT_TYPE, "application/json");
    if !payment.is_empty() {
        request = request.header("x-payment", payment);
    }
    let request = request.body(Body::from(body.to_owned())).context("a request")?;
    let response = router.clone().oneshot(request).await?;
    ensure!(response.status() == StatusCode::CREATED, "an evaluation was answered with {}", response.status());
    Ok(())
}
