//! Slides on the whole screen, and in the whole window where the browser gives no screen.

use serde_json::json;
use testkit_browser::*;

use crate::browser::{Browser, browse};
use crate::library;

const SHOWN: &str =
    "return [...document.querySelectorAll('[data-slide]')].filter((one) => !one.hidden).map((one) => one.id).join()";
const PRESENTS: &str = "return document.querySelector('[data-deck]').classList.contains('is-presenting')";
const LABEL: &str = "return document.querySelector('[data-deck-present]').textContent";
/// Whether the deck has all of the window.
const FILLS: &str = "const box = document.querySelector('[data-deck]').getBoundingClientRect();
    return box.left === 0 && box.top === 0 && box.width === innerWidth && box.height === innerHeight";
/// A browser that gives no screen, as in a frame that may not have it.
const REFUSE: &str = "Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('refused'))";

impl Browser {
    async fn wait_until_presenting(&self, wanted: bool) {
        let selector = if wanted { "[data-deck].is-presenting" } else { "[data-deck]:not(.is-presenting)" };
        self.wait_for(selector).await;
        assert_eq!(self.ask(PRESENTS).await, json!(wanted));
    }
}

#[test]
fn a_deck_fills_the_screen_and_gives_it_back() {
    browse(async |browser| {
        let path = library::slides(&browser.service, "en").await;
        browser.open(&path).await;
        assert_eq!(browser.text(LABEL).await, "Full screen");
        browser.click("[data-deck-present]").await;
        browser.wait_until_presenting(true).await;
        browser.wait_for("[data-deck]:fullscreen").await;
        assert_eq!((browser.ask(FILLS).await, browser.text(LABEL).await.as_str()), (json!(true), "Leave full screen"));
        browser.press(Key::Right).await;
        assert_eq!(browser.text(SHOWN).await, "slide-2");
        browser.press(Key::End).await;
        assert_eq!(browser.text(SHOWN).await, "slide-4");
        browser.press(Key::Home).await;
        assert_eq!(browser.text(SHOWN).await, "slide-1");
        let notes =
            "return [...document.querySelectorAll('.slide-notes')].filter((one) => one.getClientRects().length).length";
        assert_eq!(browser.ask(notes).await, json!(0), "notes are for the speaker");
        browser.click("[data-deck-present]").await;
        browser.wait_until_presenting(false).await;
        browser.assert_quiet("presenting").await;
    });
}

#[test]
fn where_the_browser_gives_no_screen_the_deck_fills_the_window() {
    browse(async |browser| {
        let path = library::slides(&browser.service, "en").await;
        browser.open(&path).await;
        browser.ask(REFUSE).await;
        browser.click("[data-deck-present]").await;
        browser.wait_until_presenting(true).await;
        assert_eq!(browser.ask(FILLS).await, json!(true));
        assert_eq!(
            browser.ask("return document.querySelector('.opening').inert").await,
            json!(true),
            "nobody tabs behind it"
        );
        browser.press(Key::Right).await;
        assert_eq!(browser.text(SHOWN).await, "slide-2");
        browser.press(Key::Escape).await;
        browser.wait_until_presenting(false).await;
        assert_eq!(browser.text(SHOWN).await, "slide-2", "Escape leaves the screen and opens no overview");
        assert_eq!(browser.ask("return document.querySelector('.opening').inert").await, json!(false));
        assert_eq!(browser.focus().await, "Full screen");
        browser.assert_quiet("presenting").await;
    });
}
