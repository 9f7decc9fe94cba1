//! Every page without script.

use serde_json::json;

use crate::browser::{Browser, browse};
use crate::library;

impl Browser {
    /// How many elements of a selector can be seen.
    async fn count_shown(&self, selector: &str) -> serde_json::Value {
        let script = format!(
            "return [...document.querySelectorAll({})].filter((one) => one.offsetParent).length",
            json!(selector)
        );
        self.ask(&script).await
    }
}

#[test]
fn slides_stand_one_below_the_other() {
    browse(async |browser| {
        let path = library::slides(&browser.service, "en").await;
        browser.open_without_script(&path).await;
        assert_eq!(browser.count_shown("[data-slide]").await, json!(4));
        assert_eq!(
            (browser.count_shown("button").await, browser.count_shown(".deck-overview a").await),
            (json!(0), json!(4))
        );
        browser.picture("slides-without-script").await;
    });
}

#[test]
fn a_video_is_a_storyboard() {
    browse(async |browser| {
        let path = library::video(&browser.service, 8.0).await;
        browser.open_without_script(&path).await;
        assert_eq!(
            (browser.count_shown("[data-scene]").await, browser.count_shown("button").await),
            (json!(3), json!(0))
        );
        browser.picture("video-without-script").await;
    });
}

#[test]
fn a_quiz_is_checked() {
    browse(async |browser| {
        let path = library::module(&browser.service).await;
        browser.open_without_script(&path).await;
        browser.click("input[value^='The smallest unit']").await;
        browser.submit().await;
        assert_eq!(browser.focus().await, "result");
        assert_eq!(browser.text("return document.querySelector('.outcome').textContent").await, "Right: 1 of 4");
    });
}
