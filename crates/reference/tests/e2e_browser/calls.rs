//! Calls that the reader sends from a page.

use testkit_browser::*;

use crate::browser::browse;

#[tokio::test]
async fn a_read_sends_the_key_to_this_service_and_shows_what_came_back() {
    browse(async |browser| {
        browser.open("/docs/platform/getEvaluation").await;
        assert!(browser.asked().is_empty(), "nothing is sent before the reader presses");
        browser.shown("#call-key").await.send_keys("svc_platform_example").await.unwrap();
        browser.driver.find(By::Css("[data-call] button[type=submit]")).await.unwrap().click().await.unwrap();
        assert_eq!(browser.shown("[data-status]").await.text().await.unwrap(), "200 OK");
        let asked = browser.asked();
        assert_eq!(asked.len(), 1);
        assert_eq!(
            (asked[0].method.as_str(), &asked[0].headers["authorization"]),
            ("GET", &"Bearer svc_platform_example".parse().unwrap())
        );
        assert!(asked[0].target.starts_with("/v1/platform/evaluations/0"), "{}", asked[0].target);
        assert!(!asked[0].headers.contains_key("cookie"));
        let shown = browser.shown("[data-headers]").await.text().await.unwrap();
        assert!(shown.contains("request-7") && shown.contains("41"), "{shown}");
        let body = browser.shown("[data-text]").await.text().await.unwrap();
        assert!(body.contains("\"answer\": \"<b>42</b>\""), "the body is text: {body}");
        browser.assert_calm("after the call").await;
        // The tab keeps the key until it is forgotten; nothing outlives the tab.
        assert_eq!(browser.ask("return [sessionStorage.length, localStorage.length]").await, serde_json::json!([1, 0]));
        browser.open("/docs/platform/listEvaluations").await;
        assert_eq!(browser.shown("#call-key").await.value().await.unwrap().unwrap(), "svc_platform_example");
        browser.driver.find(By::Css("[data-forget]")).await.unwrap().click().await.unwrap();
        assert_eq!(browser.ask("return sessionStorage.length").await, 0);
        assert_eq!(browser.asked().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_write_asks_first_and_has_an_idempotency_key() {
    browse(async |browser| {
        browser.open("/docs/platform/createEvaluation").await;
        browser.shown("#call-key").await.send_keys("svc_platform_example").await.unwrap();
        let send = browser.driver.find(By::Css("[data-call] button[type=submit]")).await.unwrap();
        send.click().await.unwrap();
        let target = browser.shown("[data-target]").await.text().await.unwrap();
        assert_eq!(target, "POST /v1/platform/evaluations");
        browser.driver.find(By::Css("[data-cancel]")).await.unwrap().click().await.unwrap();
        assert!(browser.asked().is_empty(), "a cancelled call is not sent");
        send.click().await.unwrap();
        browser.shown("[data-send]").await.click().await.unwrap();
        browser.shown("[data-status]").await;
        let asked = browser.asked();
        assert_eq!((asked.len(), asked[0].method.as_str()), (1, "POST"));
        assert!(asked[0].headers["idempotency-key"].to_str().unwrap().starts_with("try-"));
        assert!(serde_json::from_str::<serde_json::Value>(&asked[0].body).unwrap()["questionText"].is_string());
    })
    .await;
}

#[tokio::test]
async fn a_path_that_leads_elsewhere_stays_on_this_service() {
    browse(async |browser| {
        browser.open("/docs/content/getModule").await;
        let field = browser.shown("[data-name=moduleId]").await;
        field.clear().await.unwrap();
        field.send_keys("../../../../evil.example/x?y#z").await.unwrap();
        browser.driver.find(By::Css("[data-call] button[type=submit]")).await.unwrap().click().await.unwrap();
        browser.shown("[data-status]").await;
        let asked = browser.asked();
        assert!(
            asked[0].target.ends_with("/modules/..%2F..%2F..%2F..%2Fevil.example%2Fx%3Fy%23z"),
            "{}",
            asked[0].target
        );
    })
    .await;
}
