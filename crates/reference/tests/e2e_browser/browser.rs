//! A headless browser, the reference that it looks at, and an API that notes what it is asked.

use std::ops::Deref;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::response::IntoResponse as _;
use http::{HeaderMap, Method, StatusCode, Uri};

/// A request that the API got.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: Method,
    pub(crate) target: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

/// A browser on the reference.
pub(crate) struct Browser {
    browser: testkit_browser::Browser,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// Runs `body` with a browser of its own, and closes it also when the body panics.
pub(crate) async fn browse<F: Future<Output = ()>>(body: impl FnOnce(Browser) -> F) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::<Mutex<Vec<Asked>>>::default();
    let service = crate::service::router("").merge(api(asked.clone()));
    let serving = tokio::spawn(async { axum::serve(listener, service).await });
    testkit_browser::browse(&base, async |browser| body(Browser { browser, asked }).await).await;
    serving.abort();
}

/// Answers every operation alike.
fn api(asked: Arc<Mutex<Vec<Asked>>>) -> Router {
    Router::new().fallback(async move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
        if !uri.path().starts_with("/v1/") {
            return StatusCode::NO_CONTENT.into_response();
        }
        let body = String::from_utf8_lossy(&body).into_owned();
        asked.lock().unwrap().push(Asked { method, target: uri.to_string(), headers, body });
        let headers =
            [("x-request-id", "request-7"), ("ratelimit-remaining", "41"), ("content-type", "application/json")];
        (headers, r#"{"answer":"<b>42</b>"}"#).into_response()
    })
}

impl Deref for Browser {
    type Target = testkit_browser::Browser;

    fn deref(&self) -> &Self::Target {
        &self.browser
    }
}

impl Browser {
    /// Opens a page, which must give the browser nothing to complain about.
    pub(crate) async fn open(&self, path: &str) {
        self.go(path).await;
        self.assert_calm(path).await;
    }

    /// Nothing was refused, and nothing is in the browser's log.
    pub(crate) async fn assert_calm(&self, path: &str) {
        assert_eq!(self.refused().await, [""; 0], "{path}");
        let messages: Vec<_> = self.log().await.into_iter().filter(|message| !message.contains("[DOM]")).collect();
        assert!(messages.is_empty(), "{path}: {messages:?}");
    }

    /// What the API was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}
