//! A headless browser, and the console that it looks at.

use axum::extract::Request;
use axum::middleware::map_request;
use http::HeaderValue;
use http::header::COOKIE;
use serde_json::{Value, json};
use thirtyfour::prelude::*;
use thirtyfour::{ChromeCapabilities, LoggingPrefsLogLevel};

use crate::fake::Fake;

const VARIABLE: &str = "LECTERN_TEST_CHROMEDRIVER_URL";

/// Keeps what the page's policy refused and how much of the page moved; runs before anything of the page.
const WATCH: &str = "window.violations = []; window.shift = 0;
    document.addEventListener('securitypolicyviolation', (event) =>
        window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shift += entry.value; })
        .observe({ type: 'layout-shift', buffered: true });";

/// A browser on the console, signed in.
pub(crate) struct Browser {
    pub(crate) driver: WebDriver,
    base: String,
}

/// Runs `body` with a browser of its own, and closes it also when the body panics.
pub(crate) async fn browse<F: Future<Output = ()>>(body: impl FnOnce(Browser) -> F) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let signed_in = map_request(|mut request: Request| async {
        request.headers_mut().insert(COOKIE, HeaderValue::from_static("jwt=good"));
        request
    });
    let console = Fake::default().console().layer(signed_in);
    let serving = tokio::spawn(async { axum::serve(listener, console).await });
    let outcome = open_driver().await.run_and_quit(async |driver| {
        driver.cdp().send_raw("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await?;
        body(Browser { driver, base }).await;
        Ok::<_, WebDriverError>(())
    });
    outcome.await.unwrap();
    serving.abort();
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
    /// Opens a page, which must give the browser nothing to complain about.
    pub(crate) async fn open(&self, path: &str) {
        self.driver.goto(format!("{}{path}", self.base)).await.unwrap();
        assert_eq!(self.ask("return window.violations").await, json!([]), "{path}");
        let entries = self.driver.browser_log().await.unwrap();
        let messages = entries.into_iter().map(|entry| entry.message);
        // Chromium advises to name the user beside a password. The API does not say who is signed in.
        // Customers' text in a frame asks for pictures and scripts that the frame refuses.
        let is_expected = |message: &String| message.contains("[DOM]") || message.starts_with("about:srcdoc");
        let messages: Vec<String> = messages.filter(|message| !is_expected(message)).collect();
        assert!(messages.is_empty(), "{path}: {messages:?}");
    }

    /// What a script returns.
    pub(crate) async fn ask(&self, script: &str) -> Value {
        self.driver.execute(script, vec![]).await.unwrap().json().clone()
    }

    /// The path of the page.
    pub(crate) async fn path(&self) -> String {
        self.driver.current_url().await.unwrap().path().to_owned()
    }

    /// Sends a command of the developer tools.
    pub(crate) async fn command(&self, name: &str, parameters: Value) {
        self.driver.cdp().send_raw(name, parameters).await.unwrap();
    }

    /// Sets the window's width and height, as a phone would below 500.
    pub(crate) async fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.command("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Prefers `light` or `dark`.
    pub(crate) async fn prefer(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.command("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// Presses keys wherever the focus is.
    pub(crate) async fn press(&self, keys: impl Into<TypingData>) {
        self.driver.action_chain().send_keys(keys).perform().await.unwrap();
    }
}
