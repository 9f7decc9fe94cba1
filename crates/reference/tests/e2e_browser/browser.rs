//! A headless browser, the reference that it looks at, and an API that notes what it is asked.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::response::IntoResponse as _;
use http::{HeaderMap, Method, StatusCode, Uri};
use serde_json::{Value, json};
use thirtyfour::prelude::*;
use thirtyfour::{ChromeCapabilities, LoggingPrefsLogLevel};

const VARIABLE: &str = "LECTERN_TEST_CHROMEDRIVER_URL";
/// Keeps what the page's policy refused; runs before anything of the page.
const WATCH: &str = "window.violations = [];
    document.addEventListener('securitypolicyviolation', (event) =>
        window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));";

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
    pub(crate) driver: WebDriver,
    base: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// Runs `body` with a browser of its own, and closes it also when the body panics.
pub(crate) async fn browse<F: Future<Output = ()>>(body: impl FnOnce(Browser) -> F) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::<Mutex<Vec<Asked>>>::default();
    let service = crate::service::router("").merge(api(asked.clone()));
    let serving = tokio::spawn(async { axum::serve(listener, service).await });
    let outcome = open_driver().await.run_and_quit(async |driver| {
        driver.cdp().send_raw("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await?;
        body(Browser { driver, base, asked }).await;
        Ok::<_, WebDriverError>(())
    });
    outcome.await.unwrap();
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

#[expect(clippy::disallowed_methods, reason = "tests have no configuration")]
async fn open_driver() -> WebDriver {
    let url = std::env::var(VARIABLE).unwrap_or_else(|_| {
        panic!("{VARIABLE} is not set: run `scripts/browser start` and export the URL that it prints")
    });
    let mut capabilities = ChromeCapabilities::new();
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en"] {
        capabilities.add_arg(argument).unwrap();
    }
    capabilities.set_logging_prefs("browser", LoggingPrefsLogLevel::All).unwrap();
    WebDriver::new(url, capabilities).await.unwrap()
}

impl Browser {
    /// The address of a path.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Opens a page, which must give the browser nothing to complain about.
    pub(crate) async fn open(&self, path: &str) {
        self.driver.goto(self.address(path)).await.unwrap();
        self.assert_calm(path).await;
    }

    /// Nothing was refused, and nothing is in the browser's log.
    pub(crate) async fn assert_calm(&self, path: &str) {
        assert_eq!(self.ask("return window.violations").await, json!([]), "{path}");
        let messages: Vec<_> =
            self.driver.browser_log().await.unwrap().into_iter().map(|entry| entry.message).collect();
        let messages: Vec<_> = messages.into_iter().filter(|message| !message.contains("[DOM]")).collect();
        assert!(messages.is_empty(), "{path}: {messages:?}");
    }

    /// What a script returns.
    pub(crate) async fn ask(&self, script: &str) -> Value {
        self.driver.execute(script, vec![]).await.unwrap().json().clone()
    }

    /// An element once it is shown.
    pub(crate) async fn shown(&self, selector: &str) -> WebElement {
        let element = self.driver.query(By::Css(selector)).first().await.unwrap();
        element.wait_until().displayed().await.unwrap();
        element
    }

    /// The path of the page.
    pub(crate) async fn path(&self) -> String {
        self.driver.current_url().await.unwrap().path().to_owned()
    }

    /// Presses keys wherever the focus is.
    pub(crate) async fn press(&self, keys: impl Into<TypingData>) {
        self.driver.action_chain().send_keys(keys).perform().await.unwrap();
    }

    /// What the API was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Sends a command of the developer tools.
    pub(crate) async fn command(&self, name: &str, parameters: Value) {
        self.driver.cdp().send_raw(name, parameters).await.unwrap();
    }
}
