//! The operator's client against real sockets: where it goes, what it bounds, what it never follows.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod peer;

use std::time::Duration;

use net::header::{AUTHORIZATION, HeaderMap};
use net::{OperatorClient, OperatorServer, OutboundError, Url};
use peer::Peer;

const WITHIN: Duration = Duration::from_secs(5);
const MOST_BYTES: usize = 1024;

fn client(base: &str) -> OperatorClient {
    let secret = Some((AUTHORIZATION, "Bearer hunter2"));
    let server = OperatorServer { base: Url::parse(base).unwrap(), secret, extra_ca_pem: None, connections: 8 };
    OperatorClient::new(&server).unwrap()
}

async fn post(client: &OperatorClient, path: &str) -> Result<(u16, Vec<u8>), OutboundError> {
    let mut answer = client.post(path, HeaderMap::new(), b"{}".to_vec(), WITHIN, MOST_BYTES).await?;
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk(WITHIN).await? {
        body.extend_from_slice(&chunk);
    }
    Ok((answer.status().as_u16(), body))
}

#[tokio::test]
async fn an_address_of_the_operator_may_be_this_machine_over_plain_http_and_its_connection_is_kept() {
    let peer = Peer::answering("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello").await;
    let client = client(&format!("http://127.0.0.1:{}/v1", peer.port()));
    for _ in 0..3 {
        assert_eq!(post(&client, "chat/completions").await.unwrap(), (200, b"hello".to_vec()));
    }
    assert_eq!((peer.connections(), peer.requests()), (1, 3));
}

#[tokio::test]
async fn a_key_goes_to_no_other_server_whatever_path_or_redirect_says() {
    let other = Peer::answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let head = format!("HTTP/1.1 307 Temporary Redirect\r\nlocation: {}\r\ncontent-length: 0\r\n\r\n", other.url());
    let peer = Peer::answering(&head).await;
    let client = client(&format!("http://127.0.0.1:{}/v1/", peer.port()));
    let elsewhere = [other.url(), format!("//127.0.0.1:{}/", other.port()), format!("@127.0.0.1:{}/", other.port())];
    for path in elsewhere.iter().map(String::as_str).chain(["../../x", "?q#f", "models"]) {
        assert_eq!(post(&client, path).await.unwrap().0, 307, "{path}");
    }
    assert_eq!((other.connections(), peer.requests()), (0, 6));
}

#[tokio::test]
async fn a_long_answer_stops_at_the_limit_and_a_silent_one_at_its_time() {
    let body = "x".repeat(MOST_BYTES + 1);
    let long = Peer::answering(&format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len())).await;
    let long = client(&format!("http://127.0.0.1:{}", long.port()));
    assert_eq!(post(&long, "x").await.unwrap_err(), OutboundError::TooLarge);
    let silent = Peer::answering("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello").await;
    let silent = client(&format!("http://127.0.0.1:{}", silent.port()));
    let mut answer = silent.post("x", HeaderMap::new(), Vec::new(), WITHIN, MOST_BYTES).await.unwrap();
    assert_eq!(&*answer.chunk(WITHIN).await.unwrap().unwrap(), b"hello");
    assert_eq!(answer.chunk(Duration::from_millis(20)).await.unwrap_err(), OutboundError::Timeout);
}

#[tokio::test]
async fn endless_headers_a_closed_port_and_an_unknown_authority_are_told_apart() {
    let headers = format!("HTTP/1.1 200 OK\r\n{}content-length: 0\r\n\r\n", "x-a: b\r\n".repeat(101));
    let many = Peer::answering(&headers).await;
    let refused = post(&client(&format!("http://127.0.0.1:{}", many.port())), "x").await;
    assert_eq!(refused.unwrap_err(), OutboundError::Protocol);
    let closed = Peer::closed_port().await;
    let refused = post(&client(&format!("http://127.0.0.1:{closed}")), "x").await;
    assert_eq!(refused.unwrap_err(), OutboundError::Connect);
    let (tls, ca_pem) = Peer::answering_over_tls("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let base = format!("https://127.0.0.1:{}", tls.port());
    assert_eq!(post(&client(&base), "x").await.unwrap_err(), OutboundError::Tls);
    let extra_ca_pem = Some(ca_pem.as_bytes());
    let server = OperatorServer { base: Url::parse(&base).unwrap(), secret: None, extra_ca_pem, connections: 1 };
    assert_eq!(post(&OperatorClient::new(&server).unwrap(), "x").await.unwrap().0, 200);
}
