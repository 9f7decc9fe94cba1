//! The search by keyboard, and pages without script.

use serde_json::json;
use testkit_browser::*;

use crate::browser::browse;

#[tokio::test]
async fn a_slash_goes_to_the_search_and_arrows_choose_a_page() {
    browse(async |browser| {
        browser.open("/docs").await;
        browser.press("/").await;
        browser.press("creates a module").await;
        browser.shown("#found li").await;
        assert_eq!(browser.ask("return document.activeElement.value").await, "creates a module");
        browser.press(Key::Down + "").await;
        let chosen = browser.shown("#found [aria-selected=true]").await.attr("data-href").await.unwrap().unwrap();
        assert_eq!(browser.ask("return document.activeElement.getAttribute('aria-activedescendant')").await, "found-0");
        assert_eq!(chosen, "/docs/content/createModule");
        browser.press(Key::Enter + "").await;
        browser.shown("#request").await;
        assert_eq!(browser.path().await, "/docs/content/createModule");
    })
    .await;
}

#[tokio::test]
async fn the_language_of_examples_is_chosen_by_keyboard_and_stays() {
    browse(async |browser| {
        browser.open("/docs/content/createModule").await;
        let visible = "return [...document.querySelectorAll('.panel')].map((panel) => panel.offsetParent !== null)";
        assert_eq!(browser.ask(visible).await, json!([true, false, false]));
        browser.ask("document.getElementById('language-curl').focus()").await;
        browser.press(Key::Right + Key::Right).await;
        assert_eq!(browser.ask(visible).await, json!([false, false, true]));
        browser.open("/docs/platform/getEvaluation").await;
        assert_eq!(browser.ask(visible).await, json!([false, false, true]));
    })
    .await;
}

#[tokio::test]
async fn without_script_pages_are_whole_and_the_search_is_a_form() {
    browse(async |browser| {
        browser.command("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
        browser.go("/docs/content/createModule").await;
        assert!(browser.shown(".needs-script").await.text().await.unwrap().contains("needs JavaScript"));
        browser.shown("label[for=language-python]").await.click().await.unwrap();
        assert!(browser.shown(".panel:nth-of-type(3) pre").await.text().await.unwrap().contains("requests.post"));
        let field = browser.shown("#q").await;
        field.send_keys("rate limit" + Key::Enter).await.unwrap();
        browser.shown("main .operations a").await;
        assert_eq!(browser.path().await, "/docs/search");
    })
    .await;
}
