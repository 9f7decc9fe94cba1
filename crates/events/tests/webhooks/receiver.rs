//! A webhook receiver that answers as it is told, and can hold its answers back.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Response};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

/// A request as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no header {name}")).to_str().unwrap()
    }
}

/// What to answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: String,
    is_held: bool,
}

impl Reply {
    pub(crate) fn status(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: String::new(), is_held: false }
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(crate) fn body(mut self, body: String) -> Self {
        self.body = body;
        self
    }

    /// Answers only when [`Receiver::let_go`] says so.
    pub(crate) fn held(mut self) -> Self {
        self.is_held = true;
        self
    }
}

#[derive(Clone)]
pub(crate) struct Receiver {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    script: Mutex<VecDeque<Reply>>,
    otherwise: Mutex<Reply>,
    received: Mutex<Vec<Received>>,
    /// Requests so far, and of them those whose answer is held back.
    counts: watch::Sender<(usize, usize)>,
    gate: Semaphore,
}

impl Receiver {
    /// Answers 200 until it is told otherwise.
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            script: Mutex::default(),
            otherwise: Mutex::new(Reply::status(200)),
            received: Mutex::default(),
            counts: watch::Sender::new((0, 0)),
            gate: Semaphore::new(0),
        });
        let app = axum::Router::new().fallback(answer).with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { port, shared }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    /// The next answers, in this order.
    pub(crate) fn then(&self, replies: impl IntoIterator<Item = Reply>) {
        self.shared.script.lock().unwrap().extend(replies);
    }

    /// The answer when the script has ended.
    pub(crate) fn otherwise(&self, reply: Reply) {
        *self.shared.otherwise.lock().unwrap() = reply;
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.shared.received.lock().unwrap().clone()
    }

    /// Answers this many of the requests that are or will be held.
    pub(crate) fn let_go(&self, count: usize) {
        self.shared.gate.add_permits(count);
    }

    pub(crate) async fn until_received(&self, count: usize) {
        self.shared.counts.subscribe().wait_for(|(received, _)| *received >= count).await.unwrap();
    }

    pub(crate) async fn until_held(&self, count: usize) {
        self.shared.counts.subscribe().wait_for(|(_, held)| *held >= count).await.unwrap();
    }

    pub(crate) fn held(&self) -> usize {
        self.shared.counts.borrow().1
    }
}

async fn answer(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response<String> {
    shared.received.lock().unwrap().push(Received { headers, body });
    let scripted = shared.script.lock().unwrap().pop_front();
    let reply = scripted.unwrap_or_else(|| shared.otherwise.lock().unwrap().clone());
    let held = usize::from(reply.is_held);
    shared.counts.send_modify(|(received, waiting)| {
        *received += 1;
        *waiting += held;
    });
    if reply.is_held {
        shared.gate.acquire().await.unwrap().forget();
        shared.counts.send_modify(|(_, waiting)| *waiting -= 1);
    }
    let mut response = Response::builder().status(reply.status);
    for (name, value) in reply.headers {
        response = response.header(name, value);
    }
    response.body(reply.body).unwrap()
}
