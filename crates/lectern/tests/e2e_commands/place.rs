//! A folder to run the program in, and a server that runs there.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};

use kernel::ambient::Ambient;
use serde_json::Value;
use store::{Store, StoreError, StoreOptions, Tx};
use tempfile::TempDir;

const PASSWORD: &str = "correct horse";

/// A folder to run in, and what every run gets.
pub(crate) struct Place {
    pub(crate) folder: TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Place {
    pub(crate) fn new() -> Self {
        let variables = vec![
            ("LECTERN_ADMIN_PASSWORD", PASSWORD.to_owned()),
            ("LECTERN_LISTEN", "127.0.0.1:0".into()),
            ("LECTERN_DRAIN_PERIOD", "0s".into()),
        ];
        Self { folder: TempDir::new().unwrap(), variables }
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lectern"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        for name in std::env::vars().map(|(name, _)| name).filter(|name| name.starts_with("LECTERN_")) {
            command.env_remove(name);
        }
        command.envs(self.variables.iter().map(|(name, value)| (*name, value)));
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What a command prints that must work.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Changes the database as the service would.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        change: impl Fn(&mut Tx<'_>) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> T {
        let options = StoreOptions::sqlite(self.folder.path().join("lectern-data/lectern.db"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let store = Store::open(&options, Ambient::system()).await.unwrap();
            let changed = store.write("test", change).await.unwrap();
            store.close().await;
            changed
        })
    }

    pub(crate) fn serve(&self) -> Server {
        self.serve_as("all")
    }

    pub(crate) fn serve_as(&self, role: &str) -> Server {
        let mut child =
            self.command(&["serve", "--role", role]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit('/').next().unwrap().to_owned();
        assert!(line.starts_with("lectern is ready on http"), "{line}");
        Server { child, address }
    }
}

pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn get(&self, path: &str, key: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    }

    pub(crate) fn post(&self, path: &str, key: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    }

    /// SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends it as an init system does; returns the exit code and the log.
    pub(crate) fn terminate(self) -> (Option<i32>, String) {
        self.signal("TERM");
        self.ended()
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the end; returns the exit code and the log.
    pub(crate) fn ended(mut self) -> (Option<i32>, String) {
        let mut log = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        (self.child.wait().unwrap().code(), log)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}
