//! The editor of resources in a browser: parts are edited as they look, moved by keyboard and brought back.

use serde_json::json;
use testkit_browser::*;

use crate::browser::{Browser, browse};
use crate::fake::id_in;

/// The text of a part, once its frame can be edited.
const LOOK: &str = "const frame = document.querySelectorAll('[data-part] iframe')[arguments[0] ?? 0];
    return frame?.contentDocument?.body?.contentEditable === 'true' ? frame.contentDocument.body.textContent : null";

async fn open(browser: &Browser) {
    let (organization, classroom) = (id_in("organizations"), id_in("classrooms"));
    let module = id_in("module");
    browser.open(&format!("/console/organizations/{organization}/classrooms/{classroom}/modules/{module}")).await;
    browser.driver.query(By::Css("html.scripted [data-part]")).first().await.unwrap();
    while browser.ask(LOOK).await.is_null() {}
}

#[tokio::test]
async fn what_is_typed_into_the_look_of_a_part_is_its_source_and_moves_with_it() {
    browse(async |browser| {
        open(&browser).await;
        browser.driver.enter_frame(0).await.unwrap();
        let body = browser.driver.find(By::Tag("body")).await.unwrap();
        body.click().await.unwrap();
        browser.press("Quokka").await;
        browser.driver.enter_default_frame().await.unwrap();
        let source = "return document.querySelector('[data-source] textarea').value.includes('Quokka')";
        assert_eq!(browser.ask(source).await, json!(true));
        // Down by keyboard: what was typed goes along, in the frame too.
        browser.ask("document.querySelector('[data-move=\"1\"]').focus()").await;
        browser.press(Key::Enter).await;
        let second = "const frame = document.querySelectorAll('[data-part] iframe')[1];
            return frame.contentDocument?.body?.textContent.includes('Quokka') ?? false";
        while browser.ask(second).await != json!(true) {}
        let said = browser.ask("return document.querySelector('[data-said]').textContent").await;
        assert_eq!(said, json!("Moved to place 2. Save to keep the order."));
        let keys = "return [...document.querySelectorAll('[name=part]')].slice(0, 2).map((field) => field.value)";
        assert_eq!(browser.ask(keys).await, json!(["1", "0"]));
        assert_eq!(
            browser.ask("return window.violations.filter((text) => !text.startsWith('img-src'))").await,
            json!([])
        );
    })
    .await;
}

#[tokio::test]
async fn a_removed_part_comes_back_to_its_place() {
    browse(async |browser| {
        open(&browser).await;
        let keys = "return [...document.querySelectorAll('[name=part]')].map((field) => field.value)";
        let before = browser.ask(keys).await;
        browser.ask("document.querySelectorAll('[data-remove]')[1].focus()").await;
        browser.press(Key::Enter).await;
        assert_ne!(browser.ask(keys).await, before);
        browser.ask("document.querySelector('[data-restore]').focus()").await;
        browser.press(Key::Enter).await;
        assert_eq!(browser.ask(keys).await, before);
        assert_eq!(browser.ask("return document.querySelector('[data-removed]').hidden").await, json!(true));
    })
    .await;
}

#[tokio::test]
async fn an_option_that_is_filled_makes_room_for_a_further_one() {
    browse(async |browser| {
        open(&browser).await;
        browser.ask("document.querySelector('[data-add=item]').click()").await;
        let rows = "return document.querySelectorAll('#items-title ~ ol > li:last-child .of-choices li').length";
        let first = "document.querySelector('#items-title ~ ol > li:last-child [name$=option]').focus()";
        assert_eq!(browser.ask(rows).await, json!(1));
        browser.ask(first).await;
        browser.press("Yes").await;
        assert_eq!(browser.ask(rows).await, json!(2));
        let values = "return [...document.querySelectorAll('#items-title ~ ol > li:last-child [name$=right]')].map((box) => [box.name, box.value])";
        assert_eq!(browser.ask(values).await, json!([["item-s1-right", "0"], ["item-s1-right", "1"]]));
    })
    .await;
}

#[tokio::test]
async fn another_version_of_a_question_comes_into_view_and_is_saved() {
    browse(async |browser| {
        open(&browser).await;
        let ask = |script: &'static str| browser.ask(script);
        ask("document.querySelector('#f-title').value = 'Typed before'").await;
        ask("document.querySelector('#item-0-entry summary').click()").await;
        ask("document.querySelector('#item-0-instruction').focus()").await;
        browser.press("Shorter").await;
        ask("document.querySelector('[value=\"redraft:item:0\"]').focus()").await;
        browser.press(Key::Enter).await;
        let question = "return document.querySelector('#item-0-entry .versions [role=status]')
            ? document.querySelector('#item-0-question').value : null";
        while browser.ask(question).await != json!("What is drafted 0?") {}
        let kept = "return [document.querySelector('#f-title').value, document.querySelector('#item-0-instruction').value, location.hash]";
        assert_eq!(ask(kept).await, json!(["Typed before", "Shorter", "#item-0-entry"]));
        assert_eq!(browser.barriers().await, [""; 0]);
        ask("document.querySelector('.save-bar [value=save]').click()").await;
        let saved = "return document.querySelector('.notice.success')?.textContent.includes('Saved') ?? false";
        while browser.ask(saved).await != json!(true) {}
    })
    .await;
}

#[tokio::test]
async fn questions_that_are_added_before_and_after_a_draft_are_two() {
    browse(async |browser| {
        open(&browser).await;
        browser.ask("document.querySelector('[data-add=item]').click()").await;
        browser.press("First").await;
        browser.ask("document.querySelector('[value=\"redraft:item:0\"]').click()").await;
        browser.wait_for("#item-0-entry .versions [role=status]").await;
        browser.wait_for("html.scripted").await;
        browser.ask("document.querySelector('[data-add=item]').click()").await;
        browser.press("Second").await;
        let added = "return [...document.querySelectorAll('[name=item]')].filter((field) => /^s/.test(field.value))
            .map((field) => [field.value, document.querySelector(`#item-${field.value}-question`).value])";
        assert_eq!(browser.ask(added).await, json!([["s1", "First"], ["s2", "Second"]]));
    })
    .await;
}
