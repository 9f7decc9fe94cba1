//! The demo's own webhook receiver, as a customer would write one: it verifies before it believes.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use http::{HeaderMap, StatusCode};
use kernel::ambient::Ambient;
use kernel::time::Timestamp;
use net::signing::EndpointSecret;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// An older delivery may be a replayed one.
const OLDEST: Duration = Duration::from_secs(300);
const PATH: &str = "/webhook";

/// A delivery whose two signatures are right.
pub(super) struct Delivery {
    pub(super) event: String,
    pub(super) id: String,
    pub(super) body: Value,
    pub(super) received_at: Timestamp,
}

/// A running receiver.
pub(super) struct Receiver {
    pub(super) url: String,
    secret: Arc<Mutex<Option<EndpointSecret>>>,
    deliveries: mpsc::Receiver<Result<Delivery, &'static str>>,
}

#[derive(Clone)]
struct Desk {
    ambient: Ambient,
    secret: Arc<Mutex<Option<EndpointSecret>>>,
    out: mpsc::Sender<Result<Delivery, &'static str>>,
}

impl Receiver {
    /// Listens on a free loopback port until the program ends.
    pub(super) async fn start(ambient: Ambient) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await;
        let listener = listener.context("the webhook receiver can't listen")?;
        let url = format!("http://{}{PATH}", listener.local_addr()?);
        let secret = Arc::new(Mutex::new(None));
        let (out, deliveries) = mpsc::channel(16);
        let desk = Desk { ambient, secret: secret.clone(), out };
        let router = Router::new().route(PATH, post(receive)).with_state(desk);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { url, secret, deliveries })
    }

    /// From now on deliveries are verified with this secret.
    pub(super) fn trust(&self, secret: EndpointSecret) {
        *self.secret.lock().unwrap_or_else(PoisonError::into_inner) = Some(secret);
    }

    /// The next delivery.
    pub(super) async fn next(&mut self) -> Option<Result<Delivery, &'static str>> {
        self.deliveries.recv().await
    }
}

async fn receive(State(desk): State<Desk>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let secret = desk.secret.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let delivery = match secret {
        Some(secret) => verify(&secret, &headers, &body, desk.ambient.now()),
        None => Err("a delivery came before the endpoint was made"),
    };
    let status = if delivery.is_ok() { StatusCode::NO_CONTENT } else { StatusCode::UNAUTHORIZED };
    // Nobody listens any more when the demo ends.
    let _ = desk.out.try_send(delivery);
    status
}

fn verify(secret: &EndpointSecret, headers: &HeaderMap, body: &[u8], now: Timestamp) -> Result<Delivery, &'static str> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !secret.verify_hex(body, header("x-content-integration-signature")) {
        return Err("the signature X-Content-Integration-Signature is wrong");
    }
    let id = header("webhook-id");
    let sent_seconds: i64 = header("webhook-timestamp").parse().map_err(|_| "webhook-timestamp is no number")?;
    let sent_at = Timestamp::from_millis(sent_seconds.saturating_mul(1000));
    if now.duration_since(sent_at) > OLDEST || sent_at.duration_since(now) > OLDEST {
        return Err("the delivery is too old");
    }
    if !secret.verify_standard(id, sent_seconds, body, header("webhook-signature")) {
        return Err("the Standard Webhooks signature is wrong");
    }
    let body: Value = serde_json::from_slice(body).map_err(|_| "the body is no JSON")?;
    let event = header("x-content-integration-event").to_owned();
    Ok(Delivery { event, id: id.to_owned(), body, received_at: now })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(body: &str, now: Timestamp) -> (EndpointSecret, HeaderMap) {
        let secret = EndpointSecret::generate(&Ambient::system());
        let mut headers = HeaderMap::new();
        let mut put = |name: &'static str, value: String| headers.insert(name, value.parse().unwrap());
        put("x-content-integration-event", "content.completed".to_owned());
        put("x-content-integration-signature", secret.hex_signature(body.as_bytes()));
        put("webhook-id", "id".to_owned());
        put("webhook-timestamp", now.as_seconds().to_string());
        put("webhook-signature", secret.standard_signature("id", now.as_seconds(), body.as_bytes()));
        (secret, headers)
    }

    #[test]
    fn only_a_fresh_delivery_with_both_signatures_is_believed() {
        let now = Timestamp::from_millis(1_000_000_000);
        let (secret, headers) = signed("{}", now);
        assert!(verify(&secret, &headers, b"{}", now).is_ok());
        assert!(verify(&secret, &headers, b"{ }", now).is_err(), "another body");
        assert!(verify(&secret, &headers, b"{}", now.plus(OLDEST).plus(OLDEST)).is_err(), "replayed");
        for missing in ["x-content-integration-signature", "webhook-signature", "webhook-timestamp", "webhook-id"] {
            let mut headers = headers.clone();
            headers.remove(missing);
            assert!(verify(&secret, &headers, b"{}", now).is_err(), "{missing}");
        }
    }
}
