//! A headless browser and the service that it looks at.

use std::ops::Deref;
use std::path::Path;

use serde_json::json;
use testkit::{Engine, TestStore};

use crate::service::Service;

/// A browser on a running service.
pub(crate) struct Browser {
    browser: testkit_browser::Browser,
    pub(crate) service: Service,
}

impl Deref for Browser {
    type Target = testkit_browser::Browser;

    fn deref(&self) -> &Self::Target {
        &self.browser
    }
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
    testkit_browser::browse(&base, async |browser| body(Browser { browser, service }).await).await;
    serving.abort();
}

impl Browser {
    /// Opens a page of the service and makes sure that it gave no offence.
    pub(crate) async fn open(&self, path: &str) {
        self.go(path).await;
        self.assert_quiet(path).await;
    }

    /// Opens a page with script off. The watcher of its policy is there all the same, but no listener is called: what the
    /// policy refuses is seen on the console only.
    pub(crate) async fn open_without_script(&self, path: &str) {
        self.command("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
        self.go(path).await;
        let made_up = "document.dispatchEvent(new Event('securitypolicyviolation')); return window.violations";
        assert_eq!(self.ask(made_up).await, json!([]), "{path}: script is off");
        self.assert_quiet_unwatched(path).await;
    }

    /// Nothing on the console, nothing refused by the policy, nothing loaded from elsewhere.
    pub(crate) async fn assert_quiet(&self, about: &str) {
        assert_eq!(self.refused().await, [""; 0], "{about}");
        self.assert_quiet_unwatched(about).await;
    }

    async fn assert_quiet_unwatched(&self, about: &str) {
        let entries = self.log().await;
        assert!(entries.is_empty(), "{about}: {entries:?}");
        let loaded = self.ask("return performance.getEntriesByType('resource').map((one) => one.name)").await;
        for address in loaded.as_array().unwrap() {
            assert!(address.as_str().unwrap().starts_with(&self.url("")), "{about}: {address}");
        }
    }

    /// What has the focus: its id, else its name, else its text.
    pub(crate) async fn focus(&self) -> String {
        self.text("const e = document.activeElement; return e.id || e.name || e.textContent.trim()").await
    }

    /// Sends the form and waits for the result.
    pub(crate) async fn submit(&self) {
        self.click("button.primary[type=submit]").await;
        self.wait_for("#result").await;
    }

    /// Takes a picture of the whole page, or of its start when it is very long.
    pub(crate) async fn picture(&self, name: &str) {
        self.browser.picture(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages"), name).await;
    }
}
