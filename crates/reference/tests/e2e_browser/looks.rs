//! Every kind of page in light and dark, on a phone and a desktop: nothing is refused, nothing is wider than the window.

use serde_json::json;

use crate::browser::browse;

const PAGES: [&str; 12] = [
    "/docs",
    "/docs/platform",
    "/docs/identity",
    "/docs/platform/createEvaluation",
    "/docs/content/importPackage",
    "/docs/content/schemas/Module",
    "/docs/events",
    "/docs/events/evaluation.completed",
    "/docs/errors",
    "/docs/guides",
    "/docs/guides/webhooks",
    "/docs/search?q=module",
];

#[tokio::test]
async fn no_page_is_wider_than_a_phone_or_refused_by_its_policy() {
    browse(async |browser| {
        for (width, scheme) in [(360, "light"), (1280, "dark")] {
            let size = json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500 });
            browser.command("Emulation.setDeviceMetricsOverride", size).await;
            let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
            browser.command("Emulation.setEmulatedMedia", json!({ "features": features })).await;
            for page in PAGES {
                browser.open(page).await;
                let wider = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
                // A window that has no scroll bar keeps the place of one.
                assert!(browser.ask(wider).await.as_i64().unwrap() <= 0, "{page} at {width}");
            }
        }
    })
    .await;
}
