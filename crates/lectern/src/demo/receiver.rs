//! The demo's own webhook receiver, as a customer would write one: it verifies before it believes.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use http::{HeaderMap, StatusCode};
use kernel::ambient::Ambient;
use kernel::secret::SecretString;
use kernel::time::Timestamp;
use net::signing::EndpointSecret;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::client::Client;
use super::excerpts::text;

/// An older delivery may be a replayed one.
const OLDEST: Duration = Duration::from_secs(300);
const SENDERS: [Sender; 2] = [Sender::Content, Sender::Platform];

/// The surface that sends. Each has an address here, headers and a secret of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sender {
    Content,
    Platform,
}

impl Sender {
    const fn path(self) -> &'static str {
        match self {
            Self::Content => "/content",
            Self::Platform => "/platform",
        }
    }

    const fn event_header(self) -> &'static str {
        match self {
            Self::Content => "x-content-integration-event",
            Self::Platform => "x-platform-event",
        }
    }

    const fn signature_header(self) -> &'static str {
        match self {
            Self::Content => "x-content-integration-signature",
            Self::Platform => "x-platform-signature",
        }
    }
}

/// A delivery whose two signatures are right.
pub(super) struct Delivery {
    pub(super) event: String,
    pub(super) id: String,
    pub(super) body: Value,
    pub(super) received_at: Timestamp,
}

/// A running receiver.
pub(super) struct Receiver {
    address: SocketAddr,
    secrets: [Secret; 2],
    deliveries: mpsc::Receiver<Result<Delivery, &'static str>>,
}

/// None until the endpoint is made.
type Secret = Arc<Mutex<Option<EndpointSecret>>>;

#[derive(Clone)]
struct Desk {
    ambient: Ambient,
    sender: Sender,
    secret: Secret,
    out: mpsc::Sender<Result<Delivery, &'static str>>,
}

impl Receiver {
    /// Listens on a free loopback port until the program ends.
    pub(super) async fn start(ambient: Ambient) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await;
        let listener = listener.context("the webhook receiver can't listen")?;
        let address = listener.local_addr()?;
        let secrets = SENDERS.map(|_| Secret::default());
        let (out, deliveries) = mpsc::channel(16);
        let mut router = Router::new();
        for (sender, secret) in SENDERS.into_iter().zip(&secrets) {
            let desk = Desk { ambient: ambient.clone(), sender, secret: secret.clone(), out: out.clone() };
            router = router.route(sender.path(), post(receive).with_state(desk));
        }
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, secrets, deliveries })
    }

    /// Where a surface is to send.
    pub(super) fn url(&self, sender: Sender) -> String {
        format!("http://{}{}", self.address, sender.path())
    }

    /// From now on a surface's deliveries are verified with this secret.
    fn trust(&self, sender: Sender, secret: EndpointSecret) {
        let [content, platform] = &self.secrets;
        let held = if sender == Sender::Content { content } else { platform };
        *held.lock().unwrap_or_else(PoisonError::into_inner) = Some(secret);
    }

    /// Registers this receiver as a surface's one endpoint, and gives the secret that it signs with.
    pub(super) async fn register(
        &self,
        client: &Client,
        path: &str,
        sender: Sender,
        events: &[&str],
    ) -> anyhow::Result<String> {
        // The receivers of earlier demos are gone.
        let old = client.get(path).await?.json(StatusCode::OK)?;
        for endpoint in old.as_array().into_iter().flatten() {
            let reply = client.delete(&format!("{path}/{}", text(endpoint, "id"))).await?;
            ensure!(reply.status.is_success(), "an old webhook endpoint can't be deleted: {}", reply.status);
        }
        let request = json!({ "url": self.url(sender), "events": events });
        let endpoint = client.post(path, &request).await?.json(StatusCode::CREATED)?;
        let secret = text(&endpoint, "secret").to_owned();
        ensure!(!secret.is_empty(), "the new webhook endpoint has no secret");
        self.trust(sender, EndpointSecret::new(SecretString::from(secret.as_str())));
        Ok(secret)
    }

    /// The next delivery, which has to come and to be right.
    pub(super) async fn next_in_time(&mut self, patience: Duration) -> anyhow::Result<Delivery> {
        let delivery = tokio::time::timeout(patience, self.next()).await;
        let delivery = delivery.context("no webhook arrived in time")?.context("the receiver stopped")?;
        delivery.map_err(anyhow::Error::msg)
    }

    /// The next delivery.
    pub(super) async fn next(&mut self) -> Option<Result<Delivery, &'static str>> {
        self.deliveries.recv().await
    }
}

async fn receive(State(desk): State<Desk>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let secret = desk.secret.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let delivery = match secret {
        Some(secret) => verify(desk.sender, &secret, &headers, &body, desk.ambient.now()),
        None => Err("a delivery came before the endpoint was made"),
    };
    let status = if delivery.is_ok() { StatusCode::NO_CONTENT } else { StatusCode::UNAUTHORIZED };
    // Nobody listens any more when the demo ends.
    let _ = desk.out.try_send(delivery);
    status
}

fn verify(
    sender: Sender,
    secret: &EndpointSecret,
    headers: &HeaderMap,
    body: &[u8],
    now: Timestamp,
) -> Result<Delivery, &'static str> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !secret.verify_hex(body, header(sender.signature_header())) {
        return Err("the hexadecimal signature is wrong");
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
    let event = header(sender.event_header()).to_owned();
    Ok(Delivery { event, id: id.to_owned(), body, received_at: now })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(sender: Sender, body: &str, now: Timestamp) -> (EndpointSecret, HeaderMap) {
        let secret = EndpointSecret::generate(&Ambient::system());
        let mut headers = HeaderMap::new();
        let mut put = |name: &'static str, value: String| headers.insert(name, value.parse().unwrap());
        put(sender.event_header(), "content.completed".to_owned());
        put(sender.signature_header(), secret.hex_signature(body.as_bytes()));
        put("webhook-id", "id".to_owned());
        put("webhook-timestamp", now.as_seconds().to_string());
        put("webhook-signature", secret.standard_signature("id", now.as_seconds(), body.as_bytes()));
        (secret, headers)
    }

    #[test]
    fn only_a_fresh_delivery_with_both_signatures_is_believed() {
        let now = Timestamp::from_millis(1_000_000_000);
        for sender in SENDERS {
            let (secret, headers) = signed(sender, "{}", now);
            let verify = |headers: &HeaderMap, body: &[u8], now| verify(sender, &secret, headers, body, now);
            assert!(verify(&headers, b"{}", now).is_ok());
            assert!(verify(&headers, b"{ }", now).is_err(), "another body");
            assert!(verify(&headers, b"{}", now.plus(OLDEST).plus(OLDEST)).is_err(), "replayed");
            for missing in [sender.signature_header(), "webhook-signature", "webhook-timestamp", "webhook-id"] {
                let mut headers = headers.clone();
                headers.remove(missing);
                assert!(verify(&headers, b"{}", now).is_err(), "{missing}");
            }
        }
    }
}
