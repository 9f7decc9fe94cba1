//! An administrator connects a learning platform, which shows the registration in a frame or in a window of its own.

use serde_json::json;
use testkit::lms::Lms;
use testkit_browser::*;

use crate::browser::{Browser, browse};

impl Browser {
    /// A platform, and the address of a link for it.
    async fn platform_and_link(&self) -> (Lms, String) {
        let lms = Lms::of_another_site(&self.service.test.ambient).await;
        let token = self.service.registration_link(Some("Riverside Moodle")).await;
        (lms, self.url(&format!("/v1/platform/lti/register/{token}")))
    }

    async fn wait_for_heading(&self, text: &str) {
        self.driver.query(By::XPath(format!("//h1[text()='{text}']"))).first().await.unwrap();
    }
}

#[test]
fn a_platform_is_connected_in_its_frame_by_keyboard_and_on_a_phone() {
    browse(async |browser| {
        browser.resize(360, 740).await;
        let (lms, link) = browser.platform_and_link().await;
        browser.driver.goto(lms.administration(&link)).await.unwrap();
        browser.driver.enter_frame(0).await.unwrap();
        browser.wait_for_heading("Connect your learning platform").await;
        let is_wide = "return document.documentElement.scrollWidth > document.documentElement.clientWidth";
        assert_eq!(browser.ask(is_wide).await, json!(false));
        browser.picture("registration-phone").await;
        while browser.focus().await != "Connect" {
            browser.press(Key::Tab).await;
        }
        browser.press(Key::Enter).await;
        browser.wait_for_heading("Connected").await;
        assert_eq!(lms.registered_tools().len(), 1);
        browser.picture("registered-phone").await;
        browser.driver.enter_default_frame().await.unwrap();
        browser.wait_for_heading("Closed").await;
    });
}

#[test]
fn a_window_of_its_own_asks_the_platform_to_close_it_and_its_button_asks_again() {
    browse(async |browser| {
        let (lms, link) = browser.platform_and_link().await;
        browser.driver.goto(lms.administration(&link)).await.unwrap();
        browser.click("a[target]").await;
        let windows = async || browser.driver.windows().await.unwrap();
        while windows().await.len() < 2 {
            tokio::task::yield_now().await;
        }
        let windows = windows().await;
        browser.driver.switch_to_window(windows[1].clone()).await.unwrap();
        browser.wait_for_heading("Connect your learning platform").await;
        browser.click("form button").await;
        browser.wait_for_heading("Connected").await;
        browser.driver.switch_to_window(windows[0].clone()).await.unwrap();
        browser.wait_for_heading("Closed").await;
        browser.ask("document.querySelector('h1').textContent = 'Open'; return true").await;
        browser.driver.switch_to_window(windows[1].clone()).await.unwrap();
        browser.click("[data-close] button").await;
        browser.driver.switch_to_window(windows[0].clone()).await.unwrap();
        browser.wait_for_heading("Closed").await;
    });
}

#[test]
fn a_page_by_itself_offers_no_button_that_does_nothing() {
    browse(async |browser| {
        let (lms, link) = browser.platform_and_link().await;
        browser.driver.goto(lms.open_link(&link)).await.unwrap();
        browser.click("form button").await;
        browser.wait_for_heading("Connected").await;
        assert_eq!(browser.ask("return document.querySelector('[data-close]').hidden").await, json!(true));
        browser.assert_quiet("connected").await;
    });
}
