//! Every page by keyboard alone.

use serde_json::json;
use testkit_browser::*;

use crate::browser::{Browser, browse};
use crate::library;

/// The number of the slide that is shown.
const SHOWN: &str =
    "return [...document.querySelectorAll('[data-slide]')].filter((one) => !one.hidden).map((one) => one.id).join()";
const POSITION: &str = "return document.querySelector('[data-deck-position]').textContent";

impl Browser {
    async fn presses<const N: usize>(&self, steps: [(Key, u32); N]) {
        for (at, (key, shown)) in steps.into_iter().enumerate() {
            self.press(key).await;
            assert_eq!(self.text(SHOWN).await, format!("slide-{shown}"), "step {at}");
        }
    }
}

#[test]
fn the_first_tab_skips_to_the_content() {
    browse(async |browser| {
        let path = library::module(&browser.service).await;
        browser.open(&path).await;
        browser.press(Key::Tab).await;
        assert_eq!(browser.focus().await, "Skip to the content");
        assert_eq!(browser.ask("return document.activeElement.getBoundingClientRect().top >= 0").await, json!(true));
        browser.press(Key::Enter).await;
        assert_eq!(browser.focus().await, "main");
    });
}

#[test]
fn a_quiz_is_answered_and_the_result_takes_the_focus() {
    browse(async |browser| {
        let path = library::module(&browser.service).await;
        browser.open(&path).await;
        browser.ask("document.querySelector('input').focus()").await;
        browser.press(" ").await;
        browser.press(Key::Down).await;
        assert_eq!(
            browser.text("return document.querySelector('input:checked').value").await,
            "A process that releases energy"
        );
        browser.press(Key::Up).await;
        // Past the answer's own button.
        browser.press(Key::Tab + Key::Tab).await;
        browser.press(" ").await;
        browser.press(Key::Tab + Key::Tab + Key::Tab + Key::Tab + Key::Tab + Key::Tab).await;
        assert_eq!(browser.focus().await, "field-4");
        browser.press("robert hooke").await;
        browser.press(Key::Enter).await;
        browser.wait_for("#verdict-4 .feedback.right").await;
        assert_eq!(browser.focus().await, "field-4", "Enter checks the line that it is pressed in");
        browser.press(Key::Tab + Key::Tab).await;
        browser.press(Key::Enter).await;
        browser.wait_for("#result").await;
        browser.assert_quiet("the result").await;
        assert_eq!(browser.focus().await, "result");
        assert_eq!(browser.text("return document.querySelector('.outcome').textContent").await, "Right: 2 of 4");
        browser.press(Key::Tab).await;
        browser.press(Key::Enter).await;
        assert_eq!(browser.text("return location.hash").await, "#question-2");
    });
}

#[test]
fn slides_are_turned_by_keys_and_their_position_is_announced() {
    browse(async |browser| {
        let path = library::slides(&browser.service, "en").await;
        browser.open(&path).await;
        browser.resize(1280, 1600).await;
        assert_eq!(browser.text(SHOWN).await, "slide-1");
        assert_eq!(
            browser.ask("return document.activeElement === document.body").await,
            json!(true),
            "nothing takes the focus"
        );
        browser.presses([(Key::Right, 2), (Key::Right, 3), (Key::Left, 2), (Key::Space, 3)]).await;
        browser.presses([(Key::Home, 1), (Key::Left, 1), (Key::End, 4), (Key::Right, 4)]).await;
        browser.presses([(Key::PageUp, 3), (Key::PageDown, 4), (Key::Up, 3), (Key::Down, 4)]).await;
        assert_eq!(browser.text(POSITION).await, "Slide 4 of 4: Recap");
        assert_eq!(browser.text("return location.hash").await, "#slide-4");
        let live = "return document.querySelector('[data-deck-position]').getAttribute('role')";
        assert_eq!(browser.text(live).await, "status");
        browser.assert_quiet("slides").await;
    });
}

#[test]
fn escape_opens_the_overview_and_enter_goes_to_a_slide() {
    browse(async |browser| {
        let path = library::slides(&browser.service, "en").await;
        browser.open(&format!("{path}#slide-3")).await;
        assert_eq!(browser.text(SHOWN).await, "slide-3");
        browser.press(Key::Escape).await;
        assert_eq!((browser.text(SHOWN).await.as_str(), browser.focus().await.as_str()), ("", "Equation"));
        let expanded = "return document.querySelector('[data-deck-toggle]').getAttribute('aria-expanded')";
        assert_eq!(browser.text(expanded).await, "true");
        browser.press(Key::Escape).await;
        assert_eq!((browser.text(SHOWN).await.as_str(), browser.text(expanded).await.as_str()), ("slide-3", "false"));
        browser.press(Key::Escape).await;
        browser.press(Key::Tab).await;
        browser.press(Key::Enter).await;
        assert_eq!((browser.text(SHOWN).await.as_str(), browser.focus().await.as_str()), ("slide-4", "slide-4"));
        browser.assert_quiet("overview").await;
    });
}

#[test]
fn from_right_to_left_the_left_arrow_goes_on() {
    browse(async |browser| {
        let path = library::slides(&browser.service, "ar").await;
        browser.open(&path).await;
        browser.presses([(Key::Left, 2), (Key::Right, 1)]).await;
    });
}

#[test]
fn a_swipe_turns_a_slide() {
    browse(async |browser| {
        let path = library::slides(&browser.service, "en").await;
        browser.resize(360, 740).await;
        browser.open(&path).await;
        let swipe = |from: i32, to: i32| {
            let touch = move |kind: &str, x: i32| {
                let points = if kind == "touchEnd" { json!([]) } else { json!([{ "x": x, "y": 500 }]) };
                (kind.to_owned(), points)
            };
            [
                touch("touchStart", from),
                touch("touchMove", (from + to) / 2),
                touch("touchMove", to),
                touch("touchEnd", to),
            ]
        };
        browser.command("Emulation.setTouchEmulationEnabled", json!({ "enabled": true })).await;
        for (from, to, shown) in [(300, 60, "slide-2"), (60, 300, "slide-1"), (200, 180, "slide-1")] {
            for (kind, points) in swipe(from, to) {
                browser.command("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points })).await;
            }
            assert_eq!(browser.text(SHOWN).await, shown, "{from} {to}");
        }
    });
}

#[test]
fn a_video_plays_with_captions_and_can_be_paused() {
    browse(async |browser| {
        let path = library::video(&browser.service, 3600.0).await;
        browser.open(&path).await;
        let shown = "return document.querySelector('[data-screen]').textContent";
        let caption = "return document.querySelector('[data-caption]').textContent";
        assert_eq!(browser.text(shown).await, "What is a cell?");
        browser.ask("document.querySelector('[data-play]').focus()").await;
        browser.press(" ").await;
        assert_eq!(browser.focus().await, "Pause");
        browser.press(Key::Right).await;
        assert_eq!(browser.text(shown).await, "Robert Hooke, 1665");
        assert!(browser.text(caption).await.starts_with("Robert Hooke first described"));
        assert_eq!(
            browser.ask("return document.querySelectorAll('[data-scene][aria-current]').length").await,
            json!(1)
        );
        browser.press(" ").await;
        assert_eq!(browser.focus().await, "Play");
        browser.press(Key::Left).await;
        assert_eq!(browser.text(shown).await, "What is a cell?");
        browser.assert_quiet("video").await;
    });
}

#[test]
fn a_video_goes_on_by_itself_to_its_end() {
    browse(async |browser| {
        let path = library::video(&browser.service, 0.05).await;
        browser.open(&path).await;
        let ended = "const done = arguments[0]; const play = document.querySelector('[data-play]');
            new MutationObserver(() => { if (play.textContent === 'Play') done(document.querySelector('[data-screen]').textContent); })
                .observe(play, { childList: true });
            play.click();";
        let last = browser.driver.execute_async(ended, vec![]).await.unwrap();
        assert_eq!(last.json(), &json!("Remember: every living thing is made of cells"));
        assert_eq!(browser.ask("return document.querySelector('[data-progress]').value").await, json!(1));
    });
}
