//! Serves the console on this machine, in front of the API of a running service:
//!
//! `cargo run -p console --example against -- http://127.0.0.1:8080 127.0.0.1:8791 [session]`
//!
//! With a session (the value of the cookie `jwt`), every request has it: for looking at pages without signing in.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for developers")]
#![expect(clippy::disallowed_methods, reason = "the tool calls the service that its user names")]

use std::convert::Infallible;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use console::{ApiClient, ConsoleOptions};
use http::HeaderValue;
use http::header::{CONTENT_LENGTH, COOKIE, HOST, ORIGIN, TRANSFER_ENCODING};
use kernel::ambient::Ambient;

const MAX_BODY_BYTES: usize = 16 * 1024 * 1024;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (service, listen) = (arguments[1].clone(), arguments[2].clone());
    let client = reqwest::Client::new();
    let (base, session) = (service.clone(), arguments.get(3).cloned());
    let api = tower::service_fn(move |request: Request| {
        let (client, base) = (client.clone(), base.clone());
        async move { Ok::<_, Infallible>(forward(&client, &base, request).await) }
    });
    let rest = api.clone();
    let options =
        ConsoleOptions { base_url: format!("http://{listen}"), has_base_url: true, ambient: Ambient::system() };
    let mut router = console::router(ApiClient::new(api), options).fallback_service(rest);
    if let Some(session) = session {
        let cookie = HeaderValue::from_str(&format!("jwt={session}")).unwrap();
        router = router.layer(axum::middleware::map_request(move |mut request: Request| {
            request.headers_mut().insert(COOKIE, cookie.clone());
            async move { request }
        }));
    }
    let listener = tokio::net::TcpListener::bind(&listen).await.unwrap();
    println!("http://{listen}/console, in front of {service}");
    axum::serve(listener, router).await.unwrap();
}

async fn forward(client: &reqwest::Client, base: &str, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, MAX_BODY_BYTES).await.unwrap();
    for name in [HOST, CONTENT_LENGTH] {
        parts.headers.remove(name);
    }
    parts.headers.insert(ORIGIN, HeaderValue::from_str(base).unwrap());
    let call = client.request(parts.method, format!("{base}{}", parts.uri)).headers(parts.headers).body(body);
    let answer = call.send().await.unwrap();
    let mut response = Response::builder().status(answer.status());
    let mut headers = answer.headers().clone();
    headers.remove(TRANSFER_ENCODING);
    response.headers_mut().unwrap().extend(headers);
    response.body(Body::from(answer.bytes().await.unwrap())).unwrap()
}
