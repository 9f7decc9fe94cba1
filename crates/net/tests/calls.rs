//! The guarded client against real sockets: what it refuses, what it bounds, what it never follows.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod peer;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use net::header::HeaderMap;
use net::{Answer, Limits, Looking, Lookup, OutboundClient, OutboundError, OutboundPolicy, Url};
use peer::Peer;

const LIMITS: Limits = Limits { timeout: Duration::from_secs(5), max_response_bytes: 1024 };

fn loopback_allowed() -> OutboundPolicy {
    let allow_networks = vec!["127.0.0.0/8".parse().unwrap()];
    OutboundPolicy { allow_networks, allow_http: true, extra_ca_pem: None }
}

fn strict_but_http() -> OutboundPolicy {
    OutboundPolicy { allow_http: true, ..OutboundPolicy::default() }
}

/// A name server that does not know any name.
struct Never;

impl Lookup for Never {
    fn lookup(&self, _name: &str) -> Looking {
        Box::pin(async { Err(std::io::Error::other("10.0.0.53 does not know it")) })
    }
}

/// A name server that knows one answer.
struct Always(Vec<IpAddr>);

impl Lookup for Always {
    fn lookup(&self, _name: &str) -> Looking {
        let found = self.0.clone();
        Box::pin(async move { Ok(found) })
    }
}

fn resolving_to(policy: OutboundPolicy, addresses: &[&str]) -> OutboundClient {
    let addresses = addresses.iter().map(|text| text.parse().unwrap()).collect();
    OutboundClient::with_lookup(policy, Arc::new(Always(addresses))).unwrap()
}

async fn post(client: &OutboundClient, url: &str) -> Result<Answer, OutboundError> {
    client.post(&Url::parse(url).unwrap(), HeaderMap::new(), b"{}".to_vec(), LIMITS).await
}

#[tokio::test]
async fn the_whole_answer_comes_back_and_the_connection_is_kept() {
    let peer = Peer::answering("HTTP/1.1 200 OK\r\nx-a: b\r\ncontent-length: 5\r\n\r\nhello").await;
    let client = OutboundClient::new(loopback_allowed()).unwrap();
    for _ in 0..3 {
        let answer = post(&client, &peer.url()).await.unwrap();
        assert_eq!((answer.status.as_u16(), answer.body.as_slice()), (200, b"hello".as_slice()));
        assert_eq!(answer.headers["x-a"], "b");
    }
    assert_eq!((peer.connections(), peer.requests()), (1, 3));
}

#[tokio::test]
async fn redirects_are_answers() {
    let target = Peer::answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let head = format!("HTTP/1.1 307 Temporary Redirect\r\nlocation: {}\r\ncontent-length: 0\r\n\r\n", target.url());
    let peer = Peer::answering(&head).await;
    let answer = post(&OutboundClient::new(loopback_allowed()).unwrap(), &peer.url()).await.unwrap();
    assert_eq!(answer.status.as_u16(), 307);
    assert_eq!(target.connections(), 0);
}

#[tokio::test]
async fn literal_addresses_are_checked_in_front_of_the_call() {
    let peer = Peer::answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let client = OutboundClient::new(strict_but_http()).unwrap();
    let port = peer.port();
    for host in ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "localhost"] {
        let refused = post(&client, &format!("http://{host}:{port}/")).await;
        assert_eq!(refused.unwrap_err(), OutboundError::Refused, "{host}");
    }
    assert_eq!(peer.connections(), 0);
}

#[tokio::test]
async fn names_that_lead_inside_are_refused() {
    let peer = Peer::answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let url = format!("http://hooks.example.com:{}/", peer.port());
    for addresses in
        [&["127.0.0.1"][..], &["::ffff:127.0.0.1"], &["127.0.0.1", "10.0.0.1", "::1"], &["169.254.169.254"]]
    {
        let client = resolving_to(strict_but_http(), addresses);
        assert_eq!(post(&client, &url).await.unwrap_err(), OutboundError::Refused, "{addresses:?}");
    }
    assert_eq!(peer.connections(), 0);
}

#[tokio::test]
async fn the_connection_goes_to_the_allowed_addresses_of_a_name() {
    let peer = Peer::answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let client = resolving_to(loopback_allowed(), &["10.0.0.1", "::1", "127.0.0.1"]);
    let answer = post(&client, &format!("http://hooks.example.com:{}/", peer.port())).await.unwrap();
    assert_eq!(answer.status.as_u16(), 200);
}

#[tokio::test]
async fn long_bodies_stop_at_the_limit() {
    let body = "x".repeat(LIMITS.max_response_bytes + 1);
    let peer = Peer::answering(&format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len())).await;
    let client = OutboundClient::new(loopback_allowed()).unwrap();
    assert_eq!(post(&client, &peer.url()).await.unwrap_err(), OutboundError::TooLarge);
    let url = Url::parse(&peer.url()).unwrap();
    let noticed = client.notify(&url, HeaderMap::new(), Vec::new(), LIMITS).await.unwrap();
    assert_eq!(noticed.status.as_u16(), 200, "the status arrived, whatever follows");
}

#[tokio::test]
async fn endless_headers_are_refused() {
    let many: String = (0..200).map(|n| format!("x-{n}: y\r\n")).collect();
    let long = format!("x-long: {}\r\n", "y".repeat(100_000));
    let client = OutboundClient::new(loopback_allowed()).unwrap();
    for headers in [many, long] {
        let peer = Peer::answering(&format!("HTTP/1.1 200 OK\r\n{headers}content-length: 0\r\n\r\n")).await;
        let error = post(&client, &peer.url()).await.unwrap_err();
        assert!(matches!(error, OutboundError::TooLarge | OutboundError::Protocol), "{error:?}");
    }
}

#[tokio::test]
async fn a_silent_peer_times_out() {
    let peer = Peer::answering("").await;
    let client = OutboundClient::new(loopback_allowed()).unwrap();
    let limits = Limits { timeout: Duration::from_millis(50), ..LIMITS };
    let url = Url::parse(&peer.url()).unwrap();
    let error = client.notify(&url, HeaderMap::new(), Vec::new(), limits).await.unwrap_err();
    assert_eq!(error, OutboundError::Timeout);
}

#[tokio::test]
async fn a_body_that_never_ends_does_not_undo_the_status() {
    let peer = Peer::answering("HTTP/1.1 202 Accepted\r\ncontent-length: 10\r\n\r\nfive!").await;
    let client = OutboundClient::new(loopback_allowed()).unwrap();
    let url = Url::parse(&peer.url()).unwrap();
    let noticed = client.notify(&url, HeaderMap::new(), Vec::new(), LIMITS).await.unwrap();
    assert_eq!(noticed.status.as_u16(), 202);
}

#[tokio::test]
async fn failures_are_classes_without_details() {
    let client = OutboundClient::new(loopback_allowed()).unwrap();
    let closed = Peer::closed_port().await;
    let babbling = Peer::answering("secret internal text\r\n\r\n").await;
    let unknown = OutboundClient::with_lookup(loopback_allowed(), Arc::new(Never)).unwrap();
    let nowhere = resolving_to(loopback_allowed(), &[]);
    let cases = [
        (post(&client, &format!("http://127.0.0.1:{closed}/")).await, OutboundError::Connect),
        (post(&client, &babbling.url()).await, OutboundError::Protocol),
        (post(&client, &format!("https://127.0.0.1:{}/", babbling.port())).await, OutboundError::Tls),
        (post(&nowhere, "http://hooks.example.com/").await, OutboundError::Refused),
        (post(&unknown, "http://hooks.example.com/").await, OutboundError::Dns),
    ];
    for (result, expected) in cases {
        let error = result.unwrap_err();
        assert_eq!(error, expected);
        let text = error.to_string();
        assert!(!text.contains("127.0.0.1") && !text.contains("10.0.0.53") && !text.contains("secret"), "{text}");
    }
}

#[tokio::test]
async fn only_trusted_certificates_are_accepted() {
    let (peer, ca_pem) = Peer::answering_over_tls("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let url = format!("https://127.0.0.1:{}/", peer.port());
    let distrusting = OutboundClient::new(loopback_allowed()).unwrap();
    assert_eq!(post(&distrusting, &url).await.unwrap_err(), OutboundError::Tls);
    let policy = OutboundPolicy { extra_ca_pem: Some(ca_pem.into_bytes()), allow_http: false, ..loopback_allowed() };
    let trusting = OutboundClient::new(policy).unwrap();
    assert_eq!(post(&trusting, &url).await.unwrap().status.as_u16(), 200);
    let broken = OutboundPolicy { extra_ca_pem: Some(b"no certificate".to_vec()), ..loopback_allowed() };
    assert!(OutboundClient::new(broken).is_err());
}
