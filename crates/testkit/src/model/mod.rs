//! A scripted language model on this machine, which speaks the protocols of real ones and has their faults.
//!
//! It answers `/v1/chat/completions`, `/v1/responses` and `/v1/messages`, streamed or whole as it is asked, `/v1/models`, and
//! `/v1/audio/speech` with what [`Line::raw`] says, such as the sound of [`crate::sound`].
//! What it says is up to a [`Script`]: a function of what it is asked, so that a test can be a model that grades, obeys
//! whatever it reads, or fails. [`Line`] lists what it can say and how it can fail; [`Manners`] what it refuses to take.
//!
//! ```ignore
//! let model = FakeModel::start(|asked: &Asked| Line::say(format!("{{\"heard\": {}}}", asked.text().len()))).await;
//! let model = FakeModel::saying([Line::error(503, "overloaded"), Line::say("{}")]).await;
//! ```

mod asked;
mod connection;
mod line;
mod manners;
mod speech;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::net::{TcpListener, TcpSocket};
use tokio::task::JoinHandle;

pub use asked::{Asked, Protocol};
pub use line::Line;
pub use manners::{LengthName, Manners};

/// Connections that may wait to be accepted: a burst of 2,000 must not lose any.
const BACKLOG: u32 = 4096;

/// What the model says to what it is asked.
pub type Script = Box<dyn Fn(&Asked) -> Line + Send + Sync>;

/// A model's server; it ends when it is dropped.
pub struct FakeModel {
    port: u16,
    stage: Arc<Stage>,
    server: JoinHandle<()>,
}

/// What all connections share.
struct Stage {
    script: Script,
    manners: Manners,
    asked: Mutex<Vec<Asked>>,
    connections: AtomicUsize,
    in_flight: AtomicUsize,
    most_in_flight: AtomicUsize,
}

impl FakeModel {
    /// A model that takes everything.
    pub async fn start(script: impl Fn(&Asked) -> Line + Send + Sync + 'static) -> Self {
        Self::with(Manners::default(), script).await
    }

    /// A model that says one thing after the other, the last one again and again.
    pub async fn saying(lines: impl IntoIterator<Item = Line>) -> Self {
        Self::saying_with(Manners::default(), lines).await
    }

    /// The same of a model that does not take everything. What its manners refuse uses up no line.
    pub async fn saying_with(manners: Manners, lines: impl IntoIterator<Item = Line>) -> Self {
        let lines: Vec<Line> = lines.into_iter().collect();
        let next = AtomicUsize::new(0);
        Self::with(manners, move |_| {
            let at = next.fetch_add(1, Ordering::SeqCst).min(lines.len() - 1);
            lines[at].clone()
        })
        .await
    }

    /// A model that does not take everything.
    pub async fn with(manners: Manners, script: impl Fn(&Asked) -> Line + Send + Sync + 'static) -> Self {
        let stage = Arc::new(Stage {
            script: Box::new(script),
            manners,
            asked: Mutex::default(),
            connections: AtomicUsize::new(0),
            in_flight: AtomicUsize::new(0),
            most_in_flight: AtomicUsize::new(0),
        });
        let listener = listen();
        let port = listener.local_addr().unwrap().port();
        let server = tokio::spawn(accept(listener, stage.clone()));
        Self { port, stage, server }
    }

    /// The base of its addresses, with the version in it.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Everything that it was asked until now, in the order in which it came; what its manners refused included.
    pub fn asked(&self) -> Vec<Asked> {
        self.stage.lock().clone()
    }

    /// How often it was asked.
    pub fn times(&self) -> usize {
        self.stage.lock().len()
    }

    /// How many connections there were.
    pub fn connections(&self) -> usize {
        self.stage.connections.load(Ordering::SeqCst)
    }

    /// How many requests it had at once, at most.
    pub fn most_in_flight(&self) -> usize {
        self.stage.most_in_flight.load(Ordering::SeqCst)
    }
}

impl Drop for FakeModel {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Stage {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Asked>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is answered, and that it is being answered.
    fn answer(&self, asked: Asked) -> Line {
        let now = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_in_flight.fetch_max(now, Ordering::SeqCst);
        let line = self.manners.refuse(&asked).unwrap_or_else(|| (self.script)(&asked));
        self.lock().push(asked);
        line
    }

    fn answered(&self) {
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
    }
}

fn listen() -> TcpListener {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    socket.listen(BACKLOG).unwrap()
}

async fn accept(listener: TcpListener, stage: Arc<Stage>) {
    // Dropped with this task, and every conversation with it.
    let mut conversations = tokio::task::JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        // A stream is many small writes; as real servers do, none waits for the last one's acknowledgement.
        stream.set_nodelay(true).unwrap();
        stage.connections.fetch_add(1, Ordering::SeqCst);
        conversations.spawn(connection::converse(stream, stage.clone()));
        while conversations.try_join_next().is_some() {}
    }
}
