//! A headless browser and the service that it looks at.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use testkit::{Engine, TestStore};
use thirtyfour::prelude::*;
use thirtyfour::{ChromeCapabilities, LoggingPrefsLogLevel};

use crate::service::Service;

const VARIABLE: &str = "LECTERN_TEST_CHROMEDRIVER_URL";

/// Keeps what the page's policy refused; runs before anything of the page.
const WATCH: &str = "window.violations = [];
    document.addEventListener('securitypolicyviolation', (event) =>
        window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));";

/// A browser on a running service.
pub(crate) struct Browser {
    pub(crate) driver: WebDriver,
    pub(crate) service: Service,
    base: String,
}

/// Runs `body` with a browser of its own, and closes it also when the body panics.
pub(crate) fn browse<F: Future<Output = ()> + Send + 'static>(body: impl FnOnce(Browser) -> F + Send + 'static) {
    testkit::run(Engine::Sqlite, |test| serve_and_browse(test, body));
}

async fn serve_and_browse<F: Future<Output = ()>>(test: TestStore, body: impl FnOnce(Browser) -> F) {
    let listener = edge::server::listen(([127, 0, 0, 1], 0).into()).unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let service = Service::new(test, &base).await;
    let serving = tokio::spawn(edge::server::serve(listener, service.router.clone(), std::future::pending()));
    let driver = open_driver().await;
    let outcome = driver.run_and_quit(async |driver| {
        driver.cdp().send_raw("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await?;
        body(Browser { driver, service, base }).await;
        Ok::<_, WebDriverError>(())
    });
    outcome.await.unwrap();
    serving.abort();
}

/// A window of its own.
#[expect(clippy::disallowed_methods, reason = "tests have no configuration")]
pub(crate) async fn open_driver() -> WebDriver {
    let url = std::env::var(VARIABLE).unwrap_or_else(|_| {
        panic!("{VARIABLE} is not set: run `scripts/browser start` and export the URL that it prints")
    });
    let mut capabilities = ChromeCapabilities::new();
    // Chromium's sandbox needs what a container, or root, has not; the only pages are our own.
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en"] {
        capabilities.add_arg(argument).unwrap();
    }
    capabilities.set_logging_prefs("browser", LoggingPrefsLogLevel::All).unwrap();
    WebDriver::new(url, capabilities).await.unwrap()
}

impl Browser {
    /// A page's address.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Opens a page of the service and makes sure that it gave no offence.
    pub(crate) async fn open(&self, path: &str) {
        self.driver.goto(self.url(path)).await.unwrap();
        self.assert_quiet(path).await;
    }

    /// Opens a page with script off. The watcher of its policy is there all the same, but no listener is called: what the
    /// policy refuses is seen on the console only.
    pub(crate) async fn open_without_script(&self, path: &str) {
        self.command("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
        self.driver.goto(self.url(path)).await.unwrap();
        let made_up = "document.dispatchEvent(new Event('securitypolicyviolation')); return window.violations";
        assert_eq!(self.ask(made_up).await, json!([]), "{path}: script is off");
        self.assert_quiet_unwatched(path).await;
    }

    /// Nothing on the console, nothing refused by the policy, nothing loaded from elsewhere.
    pub(crate) async fn assert_quiet(&self, about: &str) {
        assert_eq!(self.ask("return Array.isArray(window.violations)").await, json!(true), "{about}: nobody watched");
        assert_eq!(self.ask("return window.violations").await, json!([]), "{about}");
        self.assert_quiet_unwatched(about).await;
    }

    async fn assert_quiet_unwatched(&self, about: &str) {
        let entries: Vec<String> =
            self.driver.browser_log().await.unwrap().into_iter().map(|entry| entry.message).collect();
        assert!(entries.is_empty(), "{about}: {entries:?}");
        let loaded = self.ask("return performance.getEntriesByType('resource').map((one) => one.name)").await;
        for address in loaded.as_array().unwrap() {
            assert!(address.as_str().unwrap().starts_with(&self.base), "{about}: {address}");
        }
    }

    /// What a script returns.
    pub(crate) async fn ask(&self, script: &str) -> Value {
        self.driver.execute(script, vec![]).await.unwrap().json().clone()
    }

    /// What a script returns, as text.
    pub(crate) async fn text(&self, script: &str) -> String {
        self.ask(script).await.as_str().unwrap_or_default().to_owned()
    }

    /// Sends a command of the developer tools.
    pub(crate) async fn command(&self, name: &str, parameters: Value) -> Value {
        self.driver.cdp().send_raw(name, parameters).await.unwrap()
    }

    /// Sets the window's width and height, as a phone would below 500.
    pub(crate) async fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.command("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Prefers `light` or `dark`, and colours that don't fade from one to the other while they are measured.
    pub(crate) async fn prefer(&self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.command("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// Presses keys wherever the focus is.
    pub(crate) async fn press(&self, keys: impl Into<TypingData>) {
        self.driver.action_chain().send_keys(keys).perform().await.unwrap();
    }

    /// Writes into a field.
    pub(crate) async fn press_in(&self, selector: &str, text: &str) {
        self.driver.find(By::Css(selector)).await.unwrap().send_keys(text).await.unwrap();
    }

    /// What has the focus: its id, else its name, else its text.
    pub(crate) async fn focus(&self) -> String {
        self.text("const e = document.activeElement; return e.id || e.name || e.textContent.trim()").await
    }

    /// Clicks the first element that a selector finds.
    pub(crate) async fn click(&self, selector: &str) {
        self.driver.find(By::Css(selector)).await.unwrap().click().await.unwrap();
    }

    /// Sends the form and waits for the result.
    pub(crate) async fn submit(&self) {
        self.click("button.primary[type=submit]").await;
        self.wait_for("#result").await;
    }

    /// Waits until the page has such an element.
    pub(crate) async fn wait_for(&self, selector: &str) {
        self.driver.query(By::Css(selector)).first().await.unwrap();
    }

    /// Takes a picture of the whole page, or of its start when it is very long.
    pub(crate) async fn picture(&self, name: &str) {
        let height = self.ask("return document.documentElement.scrollHeight").await.as_u64().unwrap();
        let is_whole = json!({ "captureBeyondViewport": height < 8000 });
        let taken = self.command("Page.captureScreenshot", is_whole).await;
        let png = STANDARD.decode(taken["data"].as_str().unwrap()).unwrap();
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pages");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), png).unwrap();
    }
}
