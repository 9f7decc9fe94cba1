//! A learning platform shows a launch in a frame, and the browser keeps no cookies of other sites' frames.

use kernel::id::RegistrationId;
use platform::lti::registrations::{Registration, Status};
use platform::workspaces::create::{NewWorkspace, insert};
use serde_json::json;
use store::{Record as _, Tx};
use testkit::lms::Lms;
use testkit_browser::*;

use crate::browser::{Browser, browse};

impl Browser {
    /// Opens a course of a platform that the service knows.
    async fn open_course(&self, has_storage: bool) -> Lms {
        let ambient = self.service.test.ambient.clone();
        let lms = Lms::of_another_site(&ambient).await;
        let url = lms.issuer().to_owned();
        let register = move |tx: &mut Tx<'_>| {
            let workspace = insert(tx, &NewWorkspace::named("Riverside".into(), "riverside".into()))?;
            let registration = Registration {
                id: ambient.id::<RegistrationId>(),
                workspace_id: workspace,
                name: "Riverside Moodle".to_owned(),
                issuer: url.clone(),
                client_id: testkit::lms::CLIENT_ID.to_owned(),
                authorization_endpoint: format!("{url}/auth"),
                token_endpoint: format!("{url}/token"),
                jwks_endpoint: format!("{url}/jwks"),
                status: Status::Active,
                metadata: None,
                created_at: tx.now(),
                updated_at: tx.now(),
                client_since: tx.now(),
                audience_since: tx.now(),
            };
            registration.insert(tx)?;
            Ok::<_, edge::problem::Problem>(())
        };
        self.service.test.store.write("test", register).await.unwrap();
        self.driver.goto(lms.course(&self.url(""), has_storage)).await.unwrap();
        self.enter_frame().await;
        lms
    }

    async fn enter_frame(&self) {
        self.driver.enter_default_frame().await.unwrap();
        self.driver.enter_frame(0).await.unwrap();
    }

    async fn launches(&self) -> i64 {
        let count = |tx: &mut Tx<'_>| tx.find("SELECT count(*) FROM lti_launch", &[], |row| row.get(0));
        self.service.test.store.read("test", count).await.unwrap().unwrap_or(0)
    }

    async fn wait_for_title(&self, title: &str) {
        self.driver.query(By::XPath(format!("//h1[text()='{title}']"))).first().await.unwrap();
    }
}

#[test]
fn the_storage_of_the_platform_stands_in_for_cookies() {
    browse(async |browser| {
        let _lms = browser.open_course(true).await;
        browser.wait_for_title("Photosynthesis").await;
        assert_eq!(browser.launches().await, 1);
        assert_eq!(browser.ask("return document.cookie").await, json!(""));
    });
}

#[test]
fn without_storage_the_launch_goes_on_in_a_window_of_its_own_by_keyboard_and_on_a_phone() {
    browse(async |browser| {
        browser.resize(360, 740).await;
        let _lms = browser.open_course(false).await;
        browser.driver.query(By::Css("[data-new-window]")).and_displayed().first().await.unwrap();
        assert_eq!(browser.focus().await, "Open in a new window");
        assert_eq!(browser.launches().await, 0);
        let is_wide = "return document.documentElement.scrollWidth > document.documentElement.clientWidth";
        assert_eq!(browser.ask(is_wide).await, json!(false));
        browser.picture("launch-new-window-phone").await;
        browser.press(Key::Enter).await;
        let windows = || async { browser.driver.windows().await.unwrap() };
        while windows().await.len() < 2 {
            tokio::task::yield_now().await;
        }
        browser.driver.switch_to_window(windows().await.remove(1)).await.unwrap();
        browser.wait_for_title("Photosynthesis").await;
        assert_eq!(browser.launches().await, 1);
        browser.picture("launched-phone").await;
    });
}
