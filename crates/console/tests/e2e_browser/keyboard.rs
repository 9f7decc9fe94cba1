//! The console by keyboard alone, and without script.

use serde_json::json;
use testkit_browser::*;

use crate::browser::{browse, browse_on};
use crate::fake::{Fake, id_in};

#[tokio::test]
async fn the_first_tab_skips_to_the_content() {
    browse(async |browser| {
        browser.open("/console").await;
        browser.press(Key::Tab).await;
        assert_eq!(browser.ask("return document.activeElement.textContent").await, json!("Skip to the content"));
        assert_eq!(browser.ask("return document.activeElement.getBoundingClientRect().top >= 0").await, json!(true));
        browser.press(Key::Enter).await;
        assert_eq!(browser.ask("return document.activeElement.id").await, json!("main"));
    })
    .await;
}

#[tokio::test]
async fn two_keys_lead_to_a_section_but_not_while_somebody_types() {
    browse(async |browser| {
        browser.open("/console/workspaces").await;
        browser.ask("document.getElementById('f-name').focus()").await;
        browser.press("gs").await;
        assert_eq!(browser.path().await, "/console/workspaces");
        browser.ask("document.activeElement.blur()").await;
        browser.press("gs").await;
        browser.driver.query(By::Id("by-day")).first().await.unwrap();
        assert_eq!(browser.path().await, "/console/statistics");
    })
    .await;
}

/// Opens the dialog that revokes a key, and closes it again.
const IS_OPEN: &str = "return document.querySelectorAll('dialog[open]').length";

#[tokio::test]
async fn a_dialog_opens_by_keyboard_and_gives_the_focus_back() {
    browse(async |browser| {
        browser.open(&format!("/console/organizations/{}/keys", id_in("organizations"))).await;
        browser.ask("document.querySelector('button[commandfor=revoke-1]').focus()").await;
        browser.press(Key::Enter).await;
        assert_eq!(browser.ask(IS_OPEN).await, json!(1));
        assert_eq!(browser.ask("return !!document.activeElement.closest('dialog')").await, json!(true));
        browser.press(Key::Escape).await;
        assert_eq!(browser.ask(IS_OPEN).await, json!(0));
        let focus = "return document.activeElement.getAttribute('commandfor')";
        assert_eq!(browser.ask(focus).await, json!("revoke-1"));
    })
    .await;
}

#[tokio::test]
async fn without_script_a_dialog_opens_and_its_form_is_sent() {
    browse(async |browser| {
        browser.command("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
        browser.open(&format!("/console/organizations/{}/keys", id_in("organizations"))).await;
        browser.driver.find(By::Css("button[commandfor=revoke-1]")).await.unwrap().click().await.unwrap();
        assert_eq!(browser.ask(IS_OPEN).await, json!(1));
        browser.driver.find(By::Css("dialog[open] form[action] button")).await.unwrap().click().await.unwrap();
        let notice = browser.driver.query(By::Css("main [role=status]")).first().await.unwrap();
        assert!(notice.text().await.unwrap().contains("The key is revoked"));
    })
    .await;
}

#[tokio::test]
async fn a_refused_form_leads_to_the_field_to_correct() {
    let details = json!([{ "path": "email", "message": "must be an e-mail address" }]);
    let fake = Fake { refusal: Some((400, json!({ "message": "No.", "details": details }))), ..Fake::default() };
    browse_on(&fake, async |browser| {
        browser.open(&format!("/console/organizations/{}/people", id_in("organizations"))).await;
        browser.ask("document.getElementById('f-email').focus()").await;
        browser.press("ann@b").await;
        browser.press(Key::Enter).await;
        browser.driver.query(By::Css("[aria-invalid=true]")).first().await.unwrap();
        while browser.ask("return document.readyState").await != json!("complete") {}
        assert_eq!(browser.ask("return document.activeElement.id").await, json!("f-email"));
        assert_eq!(browser.ask("return document.activeElement.getAttribute('aria-invalid')").await, json!("true"));
    })
    .await;
}
