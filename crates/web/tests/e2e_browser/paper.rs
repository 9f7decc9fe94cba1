//! Pages on paper: sheets of exercises with room to write, without a word of what is right.

use serde_json::json;

use crate::browser::{Browser, browse};
use crate::library;

/// The texts that paper shows, and the values of the fields whose ink is not transparent.
const SHOWN: &str = r"
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (walker.currentNode.data.trim() && element.getClientRects().length) texts.push(walker.currentNode.data.trim());
    }
    for (const field of document.querySelectorAll('.line, .free')) {
        if (getComputedStyle(field).color !== 'rgba(0, 0, 0, 0)') texts.push(field.value);
    }
    return texts.join('\n');";

impl Browser {
    async fn print(&self) -> String {
        self.command("Emulation.setEmulatedMedia", json!({ "media": "print" })).await;
        self.text(SHOWN).await
    }
}

#[test]
fn a_printed_quiz_has_its_questions_and_no_answer() {
    browse(async |browser| {
        let path = library::module(&browser.service).await;
        browser.open(&path).await;
        browser.click("input[value='A green pigment']").await;
        browser.press_in("#field-4", "Hooke").await;
        browser.submit().await;
        let shown = browser.print().await;
        assert!(shown.contains("first described cells in 1665") && shown.contains("A green pigment"), "{shown}");
        for leak in [
            "Robert Hooke\n",
            "Right answer",
            "Not right",
            "Right:",
            "\nHooke",
            "genetic instructions",
            "Check my answers",
        ] {
            assert!(!shown.contains(leak), "{leak} in {shown}");
        }
        let marked = "return [...document.querySelectorAll('.option')].filter((one) => {
            const [option, input] = [getComputedStyle(one), getComputedStyle(one.querySelector('input'))];
            return option.backgroundColor !== 'rgba(0, 0, 0, 0)' || input.appearance !== 'none';
        }).length";
        assert_eq!(browser.ask(marked).await, json!(0), "an option that was chosen looks like the others");
    });
}

#[test]
fn a_question_stays_on_one_page_and_has_room_to_write() {
    browse(async |browser| {
        let path = library::test(&browser.service).await;
        browser.open(&path).await;
        browser.print().await;
        let broken = "return [...document.querySelectorAll('.item')].filter((one) => getComputedStyle(one).breakInside !== 'avoid').length";
        assert_eq!(browser.ask(broken).await, json!(0));
        let room = "return document.querySelector('.free').getBoundingClientRect().height >= 120";
        assert_eq!(browser.ask(room).await, json!(true));
        let buttons = "return [...document.querySelectorAll('button, nav, .skip')].filter((one) => one.getClientRects().length && !one.classList.contains('unseen')).length";
        assert_eq!(browser.ask(buttons).await, json!(0));
    });
}

#[test]
fn a_printed_link_says_where_it_leads() {
    browse(async |browser| {
        let path = library::module(&browser.service).await;
        browser.open(&path).await;
        browser.print().await;
        let address = "return getComputedStyle(document.querySelector('.prose a[href^=http]'), '::after').content";
        let address = browser.text(address).await;
        assert!(address.contains("https://example.org/photosynthesis") || address.contains("attr(href)"), "{address}");
    });
}
