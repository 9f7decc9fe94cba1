//! The review of a video in a browser: it looks well, scenes move by keyboard and by dragging, and two people who edit at once
//! are told.

use content::resources::Kind;
use serde_json::json;
use testkit_browser::*;

use crate::browser::{Browser, browse};

const SCRIPTS: &str = "return [...document.querySelectorAll('[name=script]')].map((one) => one.value)";

impl Browser {
    /// The path of a video's edit page.
    async fn edit_page(&self) -> String {
        let scenes = json!([["One", "First.", 4.0], ["Two", "Second.", 5.0], ["Three", "Third.", 6.5]]);
        let video = self.service.add(Kind::Video, json!({ "title": "Cells", "scenes": scenes })).await;
        self.service.edit_page(&video)
    }

    async fn save(&self) {
        self.click(".save-bar button").await;
        self.wait_for(".notice.good").await;
    }
}

#[test]
fn the_review_page_looks_well() {
    browse(async |browser| {
        let path = browser.edit_page().await;
        browser.open(&path).await;
        browser.look("review").await;
        browser.click("button.primary[value=render]").await;
        browser.wait_for("[data-under-way]").await;
        browser.look("review-queued").await;
    });
}

#[test]
fn a_film_stands_on_the_review_page_and_on_the_videos_own() {
    browse(async |browser| {
        let video = browser.service.add(Kind::Video, json!({ "scenes": [["One", "First.", 4.0]] })).await;
        // No film that a browser could play: it says so to nobody but its reader.
        browser.service.add_film(&video, "not a film").await;
        for path in [browser.service.edit_page(&video), browser.service.public(Kind::Video, &video)] {
            browser.go(&path).await;
            browser.wait_for("video track").await;
            assert_eq!(browser.ask("return window.violations").await, json!([]), "{path}");
        }
    });
}

#[test]
fn scenes_move_by_keyboard_and_the_order_is_saved() {
    browse(async |browser| {
        let path = browser.edit_page().await;
        browser.open(&path).await;
        let button = browser.driver.find(By::Css("[data-scene]:nth-child(2) [data-move='-1']")).await.unwrap();
        button.focus().await.unwrap();
        browser.press(Key::Enter).await;
        assert_eq!(browser.ask(SCRIPTS).await, json!(["Second.", "First.", "Third."]));
        assert_eq!(
            browser.text("return document.querySelector('[data-said]').textContent").await,
            "Scene is now number 1. Save to keep the order."
        );
        assert_eq!(browser.focus().await, "do", "the focus stays on the scene's buttons");
        browser.save().await;
        assert_eq!(browser.ask(SCRIPTS).await, json!(["Second.", "First.", "Third."]));
        browser.assert_quiet("the saved page").await;
    });
}

#[test]
fn the_preview_plays_what_is_in_the_form() {
    browse(async |browser| {
        let path = browser.edit_page().await;
        browser.open(&path).await;
        let caption = "return document.querySelector('[data-caption]').textContent";
        assert_eq!(browser.text(caption).await, "First.");
        browser.press_in("[data-scene]:nth-child(2) [data-script]", " Changed.").await;
        browser.click("[data-player] [data-next]").await;
        assert_eq!(browser.text(caption).await, "Second. Changed.");
        let button = browser.driver.find(By::Css("[data-scene]:nth-child(2) [data-move='-1']")).await.unwrap();
        button.focus().await.unwrap();
        browser.press(Key::Enter).await;
        browser.click("[data-player] [data-previous]").await;
        assert_eq!(browser.text(caption).await, "Second. Changed.", "the moved scene is the first one");
        browser.ask("for (const field of document.querySelectorAll('[data-seconds]')) field.value = '0,1'").await;
        let ended = "const done = arguments[0]; const play = document.querySelector('[data-play]');
            new MutationObserver(() => { if (play.textContent === 'Play') done(document.querySelector('[data-total]').textContent); })
                .observe(play, { childList: true });
            play.click();";
        let length = browser.driver.execute_async(ended, vec![]).await.unwrap();
        assert_eq!(length.json(), &json!("0:00"), "three scenes of a tenth of a second");
        assert_eq!(browser.text(caption).await, "Third.");
    });
}

#[test]
fn scenes_move_by_dragging_their_heading() {
    browse(async |browser| {
        let path = browser.edit_page().await;
        browser.open(&path).await;
        browser.ask("window.scrollTo(0, document.querySelector('[data-scenes]').offsetTop)").await;
        // The driver's own drags start none of the browser's.
        browser.ask("
            const [from, to] = [...document.querySelectorAll('[data-scene]')].filter((_, index) => index !== 1);
            const data = new DataTransfer();
            const at = (element, type, clientY) => element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data, clientY }));
            at(from.querySelector('legend'), 'dragstart', 0);
            const box = to.getBoundingClientRect();
            at(to, 'dragover', box.bottom - 1);
            at(to, 'drop', box.bottom - 1);
            at(from.querySelector('legend'), 'dragend', 0);").await;
        assert_eq!(browser.ask(SCRIPTS).await, json!(["Second.", "Third.", "First."]));
        browser.save().await;
        assert_eq!(browser.ask(SCRIPTS).await, json!(["Second.", "Third.", "First."]));
    });
}

#[test]
fn two_people_who_edit_at_once_are_told_and_lose_no_words() {
    browse(async |browser| {
        let path = browser.edit_page().await;
        browser.open(&path).await;
        let mine = browser.driver.window().await.unwrap();
        let theirs = browser.driver.new_tab().await.unwrap();
        browser.driver.switch_to_window(theirs).await.unwrap();
        browser.go(&path).await;
        browser.press_in("[data-scene]:first-child [data-script]", " Theirs.").await;
        browser.save().await;
        browser.driver.switch_to_window(mine).await.unwrap();
        browser.press_in("[data-scene]:first-child [data-script]", " Mine.").await;
        browser.click(".save-bar button").await;
        browser.wait_for(".notice.bad").await;
        assert_eq!(browser.ask(SCRIPTS).await[0], "First. Mine.");
        browser.save().await;
        assert_eq!(browser.ask(SCRIPTS).await[0], "First. Mine.");
    });
}
