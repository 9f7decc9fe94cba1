//! Pages that follow work: they are told of it, and change without being loaded again.

use std::sync::atomic::Ordering;

use serde_json::json;
use testkit_browser::*;

use crate::browser::browse_on;
use crate::fake::{Fake, id_in};

const SAID: &str = "return document.querySelector('[data-follow]').textContent";
const SKELETONS: &str = "return document.querySelectorAll('.skeleton').length";

#[tokio::test]
async fn a_job_is_followed_without_loading_the_page_again() {
    let api = Fake::default();
    api.is_working.store(true, Ordering::Relaxed);
    browse_on(&api, async |browser| {
        browser
            .open(&format!("/console/organizations/{}/expansions/{}", id_in("organizations"), id_in("expansion")))
            .await;
        browser.ask("window.isTheSame = true").await;
        while browser.ask(SAID).await != json!("2 of 3 outputs are ready.") {}
        assert_eq!(browser.ask(SKELETONS).await, json!(2), "one output is not ready");
        browser.ask("document.querySelector('#job a').focus()").await;
        api.is_working.store(false, Ordering::Relaxed);
        while browser.ask(SAID).await != json!("The job is done.") {}
        while browser.ask(SKELETONS).await != json!(0) {}
        assert_eq!(browser.text("return document.querySelector('#job-state').textContent.trim()").await, "Completed");
        assert_eq!(
            browser.ask("return document.activeElement === document.querySelector('#job a')").await,
            json!(true)
        );
        assert_eq!(browser.ask("return window.isTheSame").await, json!(true), "the page was loaded again");
        assert_eq!(browser.refused().await, [""; 0]);
    })
    .await;
}

#[tokio::test]
async fn a_grade_that_is_there_brings_the_form_of_its_review() {
    let api = Fake::default();
    api.is_working.store(true, Ordering::Relaxed);
    browse_on(&api, async |browser| {
        browser.open(&format!("/console/workspaces/{}/evaluations/{}", id_in("workspace"), id_in("evaluation"))).await;
        while browser.ask(SAID).await != json!("The answer waits to be graded.") {}
        api.is_working.store(false, Ordering::Relaxed);
        browser.wait_for("#evaluation form input[type=number]").await;
        assert_eq!(browser.ask(SAID).await, json!("The answer is graded."));
    })
    .await;
}

#[tokio::test]
async fn without_script_the_page_loads_itself() {
    let api = Fake::default();
    api.is_working.store(true, Ordering::Relaxed);
    browse_on(&api, async |browser| {
        browser.command("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
        browser
            .go(&format!("/console/organizations/{}/expansions/{}", id_in("organizations"), id_in("expansion")))
            .await;
        assert!(browser.driver.find(By::Css("meta[http-equiv=refresh]")).await.is_ok());
        api.is_working.store(false, Ordering::Relaxed);
        browser.driver.query(By::Css("meta[http-equiv=refresh]")).not_exists().await.unwrap();
    })
    .await;
}
