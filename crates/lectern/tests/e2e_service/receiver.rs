//! A webhook receiver on loopback that answers 200 and remembers.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use http::HeaderMap;
use serde_json::Value;
use tokio::net::TcpListener;

#[derive(Clone, Default)]
pub(crate) struct Receiver {
    received: Arc<Mutex<Vec<Received>>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Received {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }
}

impl Receiver {
    /// Starts to listen; the address is its second half.
    pub(crate) async fn start() -> (Self, SocketAddr) {
        let receiver = Self::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().fallback(note).with_state(receiver.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (receiver, address)
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

async fn note(State(receiver): State<Receiver>, headers: HeaderMap, body: Bytes) {
    receiver.received.lock().unwrap().push(Received { headers, body });
}
