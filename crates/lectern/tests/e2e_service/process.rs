//! The program itself as a child process on a folder and a database of its own.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::Duration;

use kernel::secret::ExposeSecret as _;
use serde_json::{Value, json};
use store::{Database, Store, StoreError, StoreOptions};
use tempfile::TempDir;
use testkit::{Engine, TestStore};
use tokio::time::Instant;

use super::client::Client;

const EMAIL: &str = "admin@example.com";
const PASSWORD: &str = "correct horse battery staple";
/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(150);

/// An installation: a data folder with an organization, and whatever processes run on it.
pub(crate) struct Installation {
    folder: TempDir,
    database_url: Option<String>,
    pub(crate) key: String,
    pub(crate) platform_key: String,
    pub(crate) organization: String,
    pub(crate) classroom: String,
    /// Settings of every command.
    settings: Vec<(&'static str, String)>,
}

impl Installation {
    /// Runs `lectern init` on a new folder, with the test's own database where it is PostgreSQL's.
    pub(crate) fn new(test: &TestStore) -> Self {
        Self::with(test, Vec::new())
    }

    /// The same with settings for every command.
    pub(crate) fn with(test: &TestStore, settings: Vec<(&'static str, String)>) -> Self {
        let mut new = Self::empty(test, settings);
        let made: Value = serde_json::from_slice(&new.run(&["init", "--json"])).unwrap();
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        (new.key, new.organization, new.classroom) =
            (text("contentApiKey"), text("organizationId"), text("classroomId"));
        new.platform_key = text("platformApiKey");
        new
    }

    /// A new folder on which no command was run.
    pub(crate) fn empty(test: &TestStore, settings: Vec<(&'static str, String)>) -> Self {
        let database_url = match (&test.engine, &test.options.database) {
            (Engine::Postgres, Database::Postgres { url, .. }) => Some(url.expose_secret().to_owned()),
            _ => None,
        };
        Self {
            folder: TempDir::new().unwrap(),
            database_url,
            key: String::new(),
            platform_key: String::new(),
            organization: String::new(),
            classroom: String::new(),
            settings,
        }
    }

    /// Writes the configuration file, for every command from now on.
    pub(crate) fn configure(&self, toml: &str) {
        std::fs::write(self.folder.path().join("lectern.toml"), toml).unwrap();
    }

    /// Runs a command to its end; what it printed.
    pub(crate) fn run(&self, arguments: &[&str]) -> Vec<u8> {
        let Output { status, stdout, stderr } = self.command(arguments).output().unwrap();
        assert!(status.success(), "lectern {arguments:?}: {}", String::from_utf8_lossy(&stderr));
        stdout
    }

    /// Runs a command as beside the server at this address; what it printed, whatever its exit code.
    pub(crate) fn run_beside(&self, server: SocketAddr, arguments: &[&str]) -> Vec<u8> {
        self.command(arguments).env("LECTERN_LISTEN", server.to_string()).output().unwrap().stdout
    }

    /// A command of the program on this installation.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lectern"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("LECTERN_LISTEN", "127.0.0.1:0")
            .env("LECTERN_DRAIN_PERIOD", "0s")
            .env("LECTERN_DATA_DIR", self.folder.path().join("data"))
            .env("LECTERN_ADMIN_PASSWORD", PASSWORD)
            .env("LECTERN_OUTBOUND_ALLOW_NETWORKS", "127.0.0.0/8")
            .env("LECTERN_OUTBOUND_ALLOW_HTTP", "true")
            .env("LECTERN_LOG", "warn")
            .env_remove("LECTERN_DATABASE_URL")
            .envs(self.settings.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        if let Some(url) = &self.database_url {
            command.env("LECTERN_DATABASE_URL", url);
        }
        command
    }

    /// Starts `lectern serve`; it is ready when this returns.
    pub(crate) async fn serve(&self) -> Process {
        let (process, _) = self.ready(self.command(&["serve"]).stdout(Stdio::piped()).spawn().unwrap()).await;
        process
    }

    /// A server that was started with its stdout piped, when it is ready, and what it says afterwards.
    pub(crate) async fn ready(&self, mut child: Child) -> (Process, BufReader<ChildStdout>) {
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let read = move || {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            (line, stdout)
        };
        let (line, stdout) = tokio::task::spawn_blocking(read).await.unwrap();
        let address = line.trim().rsplit('/').next().unwrap();
        let address: SocketAddr = address.parse().unwrap_or_else(|_| panic!("the server said {line:?}"));
        let client = Client { address, key: self.key.clone(), cookie: String::new() };
        (Process { child, client }, stdout)
    }

    /// A body that the create endpoint accepts, with so many lessons.
    pub(crate) fn source(&self, title: &str, lessons: usize) -> Value {
        let lesson = |n: usize| {
            let text = format!(
                "Cell type {n} is a unit of living tissue. The membrane of cell type {n} keeps {} parts together. \
                 A nucleus is the part that holds the plan of cell type {n}.",
                n * 3
            );
            json!({ "id": format!("l{n}"), "title": format!("Cell type {n}"), "type": "reading", "text": text })
        };
        let lessons: Vec<_> = (1..=lessons).map(lesson).collect();
        json!({
            "classroomId": self.classroom,
            "payload": { "category": "Biology", "level": { "title": title, "lessons": lessons } },
        })
    }

    /// The path of the classroom's resources of a kind (`modules`).
    pub(crate) fn resources(&self, kind: &str) -> String {
        format!("/v1/content/classrooms/{}/{kind}", self.classroom)
    }

    /// Signs a client in as the admin.
    pub(crate) async fn sign_in(&self, client: &mut Client) {
        client.sign_in(EMAIL, PASSWORD).await;
    }

    /// Signs a client in and registers a receiver for both events; the secret.
    pub(crate) async fn register(&self, client: &mut Client, receiver: SocketAddr) -> String {
        self.sign_in(client).await;
        let body =
            json!({ "url": format!("http://{receiver}/hook"), "events": ["content.completed", "content.failed"] });
        let path = format!("/v1/content/organizations/{}/webhooks", self.organization);
        let made = client.post(&path, &body).await.unwrap().expect(201);
        made["secret"].as_str().unwrap().to_owned()
    }

    /// Another key for a signed-in client: what a killed server had leased of a key's window is gone with it.
    pub(crate) async fn renew_key(&self, client: &mut Client) {
        let body = json!({ "name": "round", "rateLimitPerMinute": 100_000 });
        let path = format!("/v1/content/organizations/{}/api-keys", self.organization);
        let made = client.post(&path, &body).await.unwrap().expect(201);
        client.key = made["apiKey"].as_str().unwrap().to_owned();
    }

    /// A workspace with a verified address and nothing but its free credits; a key of it.
    pub(crate) fn workspace(&self, slug: &str) -> String {
        let limit = ["--rate-limit-per-minute", "1000000"];
        let made = ["workspace", "create", "--name", slug, "--slug", slug, "--email", "pay@example.com", "--verified"];
        self.run(&[&made[..], &limit].concat());
        let made = self.run(&["key", "create", "--workspace", slug, "--name", "test", "--json"]);
        let made: Value = serde_json::from_slice(&made).unwrap();
        made["apiKey"].as_str().unwrap().to_owned()
    }

    /// Opens the database beside a running server, or after it.
    pub(crate) async fn open(&self, test: &TestStore) -> Store {
        match test.engine {
            Engine::Sqlite => {
                let options = StoreOptions::sqlite(self.folder.path().join("data/lectern.db"));
                Store::open(&options, test.ambient.clone()).await.unwrap()
            }
            Engine::Postgres => test.store.clone(),
        }
    }
}

/// A running server. It is killed when it is dropped.
pub(crate) struct Process {
    child: Child,
    pub(crate) client: Client,
}

impl Process {
    /// SIGKILL: nothing is finished, flushed or closed.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM.
    pub(crate) fn terminate(&self) {
        let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the end; the exit code.
    pub(crate) async fn ended(mut self) -> Option<i32> {
        let wait = Wait::until("the server ends");
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            wait.on().await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for something that only a defect keeps from happening in time.
pub(crate) struct Wait {
    what: &'static str,
    deadline: Instant,
}

impl Wait {
    /// The time runs from now.
    pub(crate) fn until(what: &'static str) -> Self {
        Self { what, deadline: Instant::now() + PATIENCE }
    }

    /// A short rest before the next look.
    pub(crate) async fn on(&self) {
        assert!(Instant::now() < self.deadline, "waited in vain until {}", self.what);
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// The one number that a statement without parameters gives.
pub(crate) async fn count(store: &Store, sql: &'static str) -> i64 {
    let counted = store.read("test", move |tx| tx.find(sql, &[], |row| row.get(0))).await;
    counted.map_err(|error: StoreError| error).unwrap().unwrap_or(0)
}
