//! The rules of accessibility find what shuts people out, and nothing where nobody is.

use testkit_browser::browse;

const FINE: &str = "data:text/html,<!doctype html><html lang=en><title>A leaf</title><main><h1>A leaf</h1><img alt='An oak leaf' src=x></main>";

#[tokio::test]
async fn a_picture_without_words_and_a_pale_text_are_barriers() {
    browse("", async |browser| {
        browser.go(FINE).await;
        assert_eq!(browser.barriers().await, [""; 0]);
        browser.go(&FINE.replace(" alt='An oak leaf'", "").replace("<h1>", "<h1 style='color:silver'>")).await;
        let mut found = browser.barriers().await;
        found.iter_mut().for_each(|one| one.truncate(one.find(':').unwrap()));
        assert_eq!(found, ["color-contrast", "image-alt"]);
    })
    .await;
}
