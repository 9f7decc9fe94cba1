//! SIGTERM: what is in flight is finished, what was accepted is kept, and the process says that it drains.

use std::net::SocketAddr;

use http::StatusCode;
use testkit::{TestStore, both_stores};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::process::{Installation, Wait, count};

/// A connection on which a request was begun.
struct Begun(TcpStream);

impl Begun {
    async fn with(address: SocketAddr, head: &str) -> Self {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        Self(stream)
    }

    /// Sends the rest; the whole answer.
    async fn finish(mut self, rest: &str) -> String {
        self.0.write_all(rest.as_bytes()).await.unwrap();
        let mut answer = String::new();
        self.0.read_to_string(&mut answer).await.unwrap();
        answer
    }
}

/// Waits until new connections are refused.
async fn until_it_stops_accepting(address: SocketAddr) {
    let wait = Wait::until("the server stops accepting");
    while TcpStream::connect(address).await.is_ok() {
        wait.on().await;
    }
}

#[both_stores]
async fn a_request_in_flight_is_finished_and_readiness_says_draining(test: TestStore) {
    let installation = Installation::new(&test);
    let server = installation.serve().await;
    let address = server.client.address;
    assert_eq!(server.client.get("/readyz").await.unwrap().status, StatusCode::OK);
    let body = installation.source("In flight", 3).to_string();
    let (first_half, second_half) = body.split_at(body.len() / 2);
    let head = format!(
        "POST /v1/content/integrations/expansions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{first_half}",
        installation.key,
        body.len()
    );
    let create = Begun::with(address, &head).await;
    let ready = Begun::with(address, "GET /readyz HTTP/1.1\r\n").await;
    // Answered only after the two connections above were accepted: they stand before it in the backlog.
    server.client.get("/healthz").await.unwrap().expect(200);
    server.terminate();
    until_it_stops_accepting(address).await;
    let ready = ready.finish("host: x\r\n\r\n").await;
    assert!(ready.starts_with("HTTP/1.1 503 ") && ready.contains("\"draining\""), "{ready}");
    let created = create.finish(second_half).await;
    assert!(created.starts_with("HTTP/1.1 202 "), "{created}");
    assert_eq!(server.ended().await, Some(0));
    let store = installation.open(&test).await;
    assert_eq!(count(&store, "SELECT count(*) FROM expansion").await, 1);
    store.close().await;
}

#[both_stores]
async fn of_many_requests_each_is_answered_and_kept_or_never_begun(test: TestStore) {
    let installation = Installation::new(&test);
    let server = installation.serve().await;
    let mut calls = tokio::task::JoinSet::new();
    for n in 0..40 {
        let (client, body) = (server.client.clone(), installation.source(&format!("Job {n}"), 2));
        calls.spawn(
            async move { client.expand(&format!("order-{n}"), &body).await.ok().map(|reply| reply.expect(202)) },
        );
    }
    let mut accepted: i64 = 0;
    while let Some(answer) = calls.join_next().await {
        accepted += i64::from(answer.unwrap().is_some());
        if accepted == 5 {
            server.terminate();
        }
    }
    assert!(accepted >= 5);
    assert_eq!(server.ended().await, Some(0));
    let store = installation.open(&test).await;
    assert_eq!(count(&store, "SELECT count(*) FROM expansion").await, accepted, "what was not answered was not begun");
    assert_eq!(count(&store, "SELECT count(*) FROM job WHERE state = 'running'").await, 0, "nothing stays leased");
    let again = installation.serve().await;
    let wait = Wait::until("the next process finishes the jobs");
    while count(&store, "SELECT count(*) FROM job").await > 0 {
        wait.on().await;
    }
    assert_eq!(count(&store, "SELECT count(*) FROM expansion WHERE status = 'completed'").await, accepted);
    again.terminate();
    assert_eq!(again.ended().await, Some(0));
    store.close().await;
}
