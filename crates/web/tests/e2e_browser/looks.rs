//! How pages look: in light and dark, on a screen and on a phone. Nothing is wider than the window (WCAG 2.2, 1.4.10), and
//! everybody can use them.

use content::resources::Kind;
use serde_json::json;

use crate::browser::{Browser, browse};
use crate::library;

/// Elements that are wider than the window, where the page is.
const WIDE: &str = r"
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll('body *')].map((element) => [element, element.getBoundingClientRect()])
        .filter(([, box]) => box.right > width + 1 || box.left < -1)
        .map(([element, box]) => `${element.tagName} ${element.className} ${box.left} ${box.right}`);";

impl Browser {
    /// Looks at the page that is open in every way, and takes pictures.
    pub(crate) async fn look(&self, name: &str) {
        for (way, width, height) in [("wide", 1280, 800), ("phone", 390, 844), ("narrow", 320, 640)] {
            self.resize(width, height).await;
            for scheme in ["light", "dark"] {
                self.prefer(scheme).await;
                assert_eq!(self.ask(WIDE).await, json!([]), "{name} {way} {scheme}");
                assert_eq!(self.barriers().await, [""; 0], "{name} {way} {scheme}");
                self.picture(&format!("{name}-{way}-{scheme}")).await;
            }
        }
        self.prefer("light").await;
        self.resize(1280, 800).await;
    }
}

#[test]
fn modules_and_their_results() {
    browse(async |browser| {
        let path = library::module(&browser.service).await;
        browser.open(&path).await;
        browser.look("module").await;
        browser.click("input[value='A green pigment']").await;
        browser.click("input[value='Oak']").await;
        browser.click("input[value='Moss']").await;
        browser.click("input[value='True']").await;
        browser.press_in("#field-4", "Hooke").await;
        browser.submit().await;
        browser.assert_quiet("the result").await;
        browser.look("module-result").await;
    });
}

#[test]
fn tests_and_their_results() {
    browse(async |browser| {
        let path = library::test(&browser.service).await;
        browser.open(&path).await;
        browser.look("test").await;
        browser.click("input[value^='The smallest unit']").await;
        browser.click("input[value='True']").await;
        browser.press_in("#field-4", "robert hooke").await;
        browser.press_in("#field-5", "Because of chlorophyll.").await;
        browser.submit().await;
        browser.assert_quiet("the result").await;
        browser.look("test-result").await;
    });
}

#[test]
fn courses() {
    browse(async |browser| {
        let (page, part) = library::course(&browser.service).await;
        browser.open(&page).await;
        browser.look("course").await;
        browser.open(&part).await;
        browser.look("course-part").await;
    });
}

#[test]
fn slides() {
    browse(async |browser| {
        let path = library::slides(&browser.service, "en").await;
        browser.open(&path).await;
        browser.look("slides").await;
        browser.click("[data-deck-toggle]").await;
        browser.look("slides-overview").await;
    });
}

#[test]
fn videos() {
    browse(async |browser| {
        let path = library::video(&browser.service, 8.0).await;
        browser.open(&path).await;
        browser.look("video").await;
    });
}

#[test]
fn pages_from_right_to_left() {
    browse(async |browser| {
        let path = library::arabic_module(&browser.service).await;
        browser.open(&path).await;
        browser.click("input[type=radio]").await;
        browser.submit().await;
        browser.look("module-arabic").await;
        let path = library::slides(&browser.service, "he").await;
        browser.open(&path).await;
        browser.look("slides-hebrew").await;
    });
}

#[test]
fn previews_notes_and_the_landing_page() {
    browse(async |browser| {
        let columns = json!({ "title": "Cells", "status": "failed", "error_code": "source_empty", "error_message": "The request has no text to write from." });
        let failed = browser.service.add(Kind::Slide, columns).await;
        browser.open(&browser.service.preview(Kind::Slide, &failed)).await;
        browser.look("preview-failed").await;
        browser.go("/public/modules/7").await;
        browser.log().await;
        browser.look("not-found").await;
        browser.service.account(None).await;
        browser.open("/").await;
        browser.look("landing").await;
    });
}

#[test]
fn on_paper_every_slide_is_there_and_no_button() {
    browse(async |browser| {
        let path = library::slides(&browser.service, "en").await;
        browser.open(&path).await;
        browser.command("Emulation.setEmulatedMedia", json!({ "media": "print" })).await;
        let shown = "return [...document.querySelectorAll('button')].filter((one) => one.offsetParent).length";
        assert_eq!(browser.ask(shown).await, json!(0));
        let pdf = browser.command("Page.printToPDF", json!({})).await;
        assert!(pdf["data"].as_str().is_some_and(|data| data.len() > 1000));
        assert_eq!(
            browser.ask("return document.querySelectorAll('.slide[hidden]').length").await,
            json!(3),
            "after it, one is shown"
        );
        browser.assert_quiet("printing").await;
    });
}
