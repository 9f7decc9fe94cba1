//! A browser on the console, signed in.

use std::ops::Deref;

use axum::extract::Request;
use axum::middleware::map_request;
use http::HeaderValue;
use http::header::COOKIE;

use crate::fake::Fake;

/// A browser on the console, signed in.
pub(crate) struct Browser(testkit_browser::Browser);

impl Deref for Browser {
    type Target = testkit_browser::Browser;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Runs `body` with a browser of its own, and closes it also when the body panics.
pub(crate) async fn browse<F: Future<Output = ()>>(body: impl FnOnce(Browser) -> F) {
    browse_on(&Fake::default(), body).await;
}

/// The same, on an API of the test's choice.
pub(crate) async fn browse_on<F: Future<Output = ()>>(api: &Fake, body: impl FnOnce(Browser) -> F) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let signed_in = map_request(|mut request: Request| async {
        request.headers_mut().insert(COOKIE, HeaderValue::from_static("jwt=good"));
        request
    });
    let console = api.console().layer(signed_in);
    let serving = tokio::spawn(async { axum::serve(listener, console).await });
    testkit_browser::browse(&base, async |browser| body(Browser(browser)).await).await;
    serving.abort();
}

impl Browser {
    /// Opens a page, which must give the browser nothing to complain about.
    pub(crate) async fn open(&self, path: &str) {
        self.go(path).await;
        assert_eq!(self.refused().await, [""; 0], "{path}");
        // Chromium advises to name the user beside a password. The API does not say who is signed in.
        // Customers' text in a frame asks for pictures and scripts that the frame refuses.
        let is_expected = |message: &String| message.contains("[DOM]") || message.starts_with("about:srcdoc");
        let messages: Vec<_> = self.log().await.into_iter().filter(|message| !is_expected(message)).collect();
        assert!(messages.is_empty(), "{path}: {messages:?}");
    }
}
