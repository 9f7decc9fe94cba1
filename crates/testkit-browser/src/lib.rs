//! A headless browser for tests: what it is told, what it complains about, and how accessible its page is.
//!
//! `scripts/browser` starts its driver, `scripts/axe` installs the rules of accessibility; the variables below lead to both.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod accessibility;

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
pub use thirtyfour::prelude::*;
use thirtyfour::{ChromeCapabilities, LoggingPrefsLogLevel};
use tokio::sync::OnceCell;

const DRIVER: &str = "LECTERN_TEST_CHROMEDRIVER_URL";
/// A picture of a longer page shows its start.
const HIGHEST_PICTURE: u64 = 8000;

/// Keeps what the page's policy refused and how much of the page moved; runs before anything of the page.
const WATCH: &str = "window.violations = []; window.shift = 0;
    document.addEventListener('securitypolicyviolation', (event) =>
        window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shift += entry.value; })
        .observe({ type: 'layout-shift', buffered: true });";

/// A browser on a service.
pub struct Browser {
    /// The driver of its window.
    pub driver: WebDriver,
    base: String,
    rules: OnceCell<String>,
}

/// Runs `body` with a browser of its own on the service at `base`, and closes it also when the body panics.
///
/// # Panics
/// Without a driver, and when the body panics.
pub async fn browse<F: Future<Output = ()>>(base: &str, body: impl FnOnce(Browser) -> F) {
    let outcome = open_driver().await.run_and_quit(async |driver| {
        driver.cdp().send_raw("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await?;
        body(Browser { driver, base: base.to_owned(), rules: OnceCell::new() }).await;
        Ok::<_, WebDriverError>(())
    });
    outcome.await.unwrap();
}

/// A window of its own.
///
/// # Panics
/// Without a driver.
pub async fn open_driver() -> WebDriver {
    let url = variable(DRIVER, "scripts/browser start", "URL");
    let mut capabilities = ChromeCapabilities::new();
    // Chromium's sandbox needs what a container, or root, has not; the only pages are our own.
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en"] {
        capabilities.add_arg(argument).unwrap();
    }
    capabilities.set_logging_prefs("browser", LoggingPrefsLogLevel::All).unwrap();
    WebDriver::new(url, capabilities).await.unwrap()
}

#[expect(clippy::disallowed_methods, reason = "tests have no configuration")]
fn variable(name: &str, script: &str, what: &str) -> String {
    std::env::var(name)
        .unwrap_or_else(|_| panic!("{name} is not set: run `{script}` and export the {what} that it prints"))
}

impl Browser {
    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Goes to a page of the service.
    pub async fn go(&self, path: &str) {
        self.driver.goto(self.url(path)).await.unwrap();
    }

    /// What the page's policy refused, whoever watched; the watcher has to have been there.
    pub async fn refused(&self) -> Vec<String> {
        let refused = self.ask("return window.violations").await;
        let refused = refused.as_array().expect("the page is watched");
        refused.iter().map(|one| one.as_str().unwrap_or_default().to_owned()).collect()
    }

    /// What is in the browser's log since it was read last.
    pub async fn log(&self) -> Vec<String> {
        self.driver.browser_log().await.unwrap().into_iter().map(|entry| entry.message).collect()
    }

    /// What a script returns.
    pub async fn ask(&self, script: &str) -> Value {
        self.driver.execute(script, vec![]).await.unwrap().json().clone()
    }

    /// What a script returns, as text.
    pub async fn text(&self, script: &str) -> String {
        self.ask(script).await.as_str().unwrap_or_default().to_owned()
    }

    /// The path of the page.
    pub async fn path(&self) -> String {
        self.driver.current_url().await.unwrap().path().to_owned()
    }

    /// Sends a command of the developer tools.
    pub async fn command(&self, name: &str, parameters: Value) -> Value {
        self.driver.cdp().send_raw(name, parameters).await.unwrap()
    }

    /// Sets the window's width and height, as a phone would below 500.
    pub async fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.command("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Prefers `light` or `dark`, and colours that don't fade from one to the other while they are measured.
    pub async fn prefer(&self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.command("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// How many pixels the page is wider than the window; nothing where it is not.
    pub async fn overflow(&self) -> i64 {
        let script = "const page = document.documentElement; return Math.max(0, page.scrollWidth - page.clientWidth)";
        self.ask(script).await.as_i64().unwrap()
    }

    /// Presses keys wherever the focus is.
    pub async fn press(&self, keys: impl Into<TypingData>) {
        let pressed = self.driver.action_chain().send_keys(keys).perform().await;
        // The keys arrived; the driver complains that the page they lead to replaced the one it was looking at.
        if let Err(error) = pressed {
            assert!(error.to_string().contains("aborted by navigation"), "{error}");
        }
    }

    /// Writes into a field.
    pub async fn press_in(&self, selector: &str, text: &str) {
        self.driver.find(By::Css(selector)).await.unwrap().send_keys(text).await.unwrap();
    }

    /// Clicks the first element that a selector finds.
    pub async fn click(&self, selector: &str) {
        self.driver.find(By::Css(selector)).await.unwrap().click().await.unwrap();
    }

    /// Waits until the page has such an element.
    pub async fn wait_for(&self, selector: &str) -> WebElement {
        self.driver.query(By::Css(selector)).first().await.unwrap()
    }

    /// Waits until such an element can be seen.
    pub async fn shown(&self, selector: &str) -> WebElement {
        let element = self.wait_for(selector).await;
        element.wait_until().displayed().await.unwrap();
        element
    }

    /// Takes a picture of the whole page, or of its start when it is very long, and writes it to `folder`.
    pub async fn picture(&self, folder: &Path, name: &str) -> PathBuf {
        let height = self.ask("return document.documentElement.scrollHeight").await.as_u64().unwrap();
        let is_whole = json!({ "captureBeyondViewport": height < HIGHEST_PICTURE });
        let taken = self.command("Page.captureScreenshot", is_whole).await;
        let png = STANDARD.decode(taken["data"].as_str().unwrap()).unwrap();
        std::fs::create_dir_all(folder).unwrap();
        let path = folder.join(format!("{name}.png"));
        std::fs::write(&path, png).unwrap();
        path
    }
}
