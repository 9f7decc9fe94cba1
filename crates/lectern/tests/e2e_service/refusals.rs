//! Requests that are refused before they were sent whole.

use std::time::Duration;

use testkit::{TestStore, both_stores};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::process::Installation;

/// One answer with a body of known length.
async fn answer(stream: &mut TcpStream) -> String {
    let mut answer = String::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some((head, body)) = answer.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
            if body.len() == length.parse::<usize>().unwrap() {
                return answer;
            }
        }
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read(&mut buffer)).await.unwrap().unwrap();
        assert!(read > 0, "closed after {answer:?}");
        answer.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
    }
}

#[both_stores]
async fn a_client_that_sends_its_body_after_the_refusal_reads_the_refusal_and_goes_on(test: TestStore) {
    let installation = Installation::new(&test);
    let server = installation.serve().await;
    let body = installation.source("Refused", 3).to_string();
    for key in ["none", &format!("svc_content_{}", "x".repeat(43))] {
        let mut stream = TcpStream::connect(server.client.address).await.unwrap();
        let head = format!(
            "POST /v1/content/integrations/expansions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\n\
                 content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let refused = answer(&mut stream).await;
        assert!(refused.starts_with("HTTP/1.1 401 "), "{refused}");
        stream.write_all(body.as_bytes()).await.unwrap();
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        let next = answer(&mut stream).await;
        assert!(next.starts_with("HTTP/1.1 200 "), "{next}");
    }
}
