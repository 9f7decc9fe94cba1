//! Every kind of page in light and dark, on a phone and a desktop: nothing is refused,
//! nothing is wider than the window, and everybody can use them.

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
async fn pages_fit_a_phone_keep_to_their_policy_and_are_accessible() {
    browse(async |browser| {
        for (width, scheme) in [(360, "light"), (1280, "dark")] {
            browser.resize(width, 800).await;
            browser.prefer(scheme).await;
            for page in PAGES {
                browser.open(page).await;
                assert_eq!(browser.overflow().await, 0, "{page} at {width}");
                assert_eq!(browser.barriers().await, [""; 0], "{page} at {width}, {scheme}");
            }
        }
    })
    .await;
}
