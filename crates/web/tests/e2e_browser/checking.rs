//! One answer is checked where it stands, and what is done is remembered.

use serde_json::json;
use testkit_browser::Key;

use crate::browser::{Browser, browse};
use crate::library;

/// What is in the way of a reader who does not look: the place of the page, the number of verdicts, and what has the focus.
const STATE: &str =
    "return [location.hash, document.querySelectorAll('.feedback').length, document.activeElement.name]";

impl Browser {
    async fn focus_on(&self, selector: &str) {
        self.ask(&format!("document.querySelector({}).focus()", json!(selector))).await;
    }
}

#[test]
fn an_answer_is_checked_in_place_and_the_focus_stays() {
    browse(async |browser| {
        let path = library::module(&browser.service).await;
        browser.open(&path).await;
        browser.press_in("#field-4", "a monk").await;
        browser.focus_on("#question-4 [data-check]").await;
        browser.press(Key::Enter).await;
        browser.wait_for("#verdict-4 .feedback.wrong").await;
        assert_eq!(browser.ask(STATE).await, json!(["", 1, "check"]));
        let field = "const f = document.querySelector('#field-4'); return [f.value, f.getAttribute('aria-invalid')]";
        assert_eq!(browser.ask(field).await, json!(["a monk", "true"]));
        let live = "return document.querySelector('#verdict-4').getAttribute('aria-live')";
        assert_eq!(browser.text(live).await, "polite");
        browser.ask("document.querySelector('#field-4').value = ''").await;
        browser.press_in("#field-4", "robert hooke").await;
        browser.press(Key::Enter).await;
        browser.wait_for("#verdict-4 .feedback.right").await;
        assert_eq!(browser.ask(field).await, json!(["robert hooke", null]));
        browser.click("input[value='A green pigment']").await;
        browser.click("#question-1 [data-check]").await;
        browser.wait_for("#verdict-1 .feedback.wrong").await;
        assert_eq!(browser.ask(STATE).await, json!(["", 2, "check"]));
        browser.assert_quiet("checked in place").await;
    });
}

#[test]
fn an_open_answer_is_graded_in_place() {
    browse(async |browser| {
        let path = library::test(&browser.service).await;
        browser.open(&path).await;
        browser.press_in("#field-5", "Leaves are green because chlorophyll reflects green light.").await;
        browser.click("#question-5 [data-check]").await;
        browser.wait_for("#verdict-5 .feedback").await;
        let words = browser.text("return document.querySelector('#verdict-5').textContent").await;
        assert!(words.contains("Points: ") && words.contains("A good answer"), "{words}");
        browser.assert_quiet("graded in place").await;
    });
}

#[test]
fn without_script_the_page_comes_back_at_the_answer() {
    browse(async |browser| {
        let path = library::module(&browser.service).await;
        browser.open_without_script(&path).await;
        browser.press_in("#field-4", "a monk").await;
        browser.click("#question-4 [name=check]").await;
        browser.wait_for("#verdict-4 .feedback.wrong").await;
        assert_eq!(browser.focus().await, "verdict-4");
        let seen = "const box = document.querySelector('#question-4').getBoundingClientRect();
            return box.bottom > 0 && box.top < innerHeight && document.querySelectorAll('.feedback').length";
        assert_eq!(browser.ask(seen).await, json!(1));
        assert_eq!(browser.text("return document.querySelector('#field-4').value").await, "a monk");
    });
}

#[test]
fn what_is_done_is_remembered_by_the_browser_alone() {
    browse(async |browser| {
        let (page, part) = library::course(&browser.service).await;
        browser.open(&part).await;
        let pressed = "return document.querySelector('[data-done] button').getAttribute('aria-pressed')";
        assert_eq!(browser.text(pressed).await, "false");
        browser.click("[data-done] button").await;
        assert_eq!(browser.text(pressed).await, "true");
        browser.open(&page).await;
        let count = "return document.querySelector('[data-done-count]').textContent";
        assert_eq!(browser.text(count).await, "Done: 1 of 3");
        let marks = "return [...document.querySelectorAll('[data-done-mark]')].map((mark) => mark.hidden)";
        assert_eq!(browser.ask(marks).await, json!([true, false, true]));
        let goes_on = "return document.querySelector('[data-go-on]').href === document.querySelector('.parts a').href";
        assert_eq!(browser.ask(goes_on).await, json!(true), "to the first part that is not done");
        assert_eq!(browser.ask("return document.cookie").await, json!(""));
        browser.open(&part).await;
        browser.click("[data-done] button").await;
        browser.open(&page).await;
        assert_eq!(browser.text(count).await, "Done: 0 of 3");
        browser.ask("localStorage.setItem('lectern-done', '{')").await;
        browser.open(&page).await;
        assert_eq!(browser.text(count).await, "Done: 0 of 3", "what is no list is nothing");
    });
}
