//! What is wide scrolls by itself, code has colours, and pages from right to left are mirrored.

use content::resources::Kind;
use serde_json::{Value, json};
use testkit_browser::*;

use crate::browser::{Browser, browse};

const CODE: &str = "def area(r):  # <of> a circle & more\n    return 3.14 * r ** 2\n";

async fn page(browser: &Browser, language: &str, content: &str) -> String {
    let columns = json!({ "title": "Reading", "language": language, "content": content });
    let id = browser.service.add(Kind::Module, columns).await;
    browser.service.public(Kind::Module, &id)
}

fn code() -> String {
    let escaped = CODE.replace('&', "&amp;").replace('<', "&lt;");
    format!("<pre><code class=\"language-python\">{escaped}</code></pre>")
}

#[test]
fn code_has_colours_and_the_same_text() {
    browse(async |browser| {
        let path = page(&browser, "en", &code()).await;
        browser.open(&path).await;
        assert_eq!(browser.text("return document.querySelector('pre code').textContent").await, CODE);
        for scheme in ["light", "dark"] {
            browser.prefer(scheme).await;
            let colours = "const of = (selector) => getComputedStyle(document.querySelector(selector)).color;
                return new Set(['pre', '.code-keyword', '.code-function', '.code-comment', '.code-constant'].map(of)).size";
            assert_eq!(browser.ask(colours).await, json!(5), "{scheme}");
        }
    });
}

#[test]
fn wide_tables_code_and_formulas_scroll_by_keyboard_in_regions_with_names() {
    browse(async |browser| {
        let cells = "<td>0123456789012345678901234567890123456789</td>".repeat(6);
        let formula =
            "$$ a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v = 1000000 $$";
        let content = format!(
            "<table><caption>Wide</caption><tr>{cells}</tr></table><p>{formula}</p><pre><code class=\"language-c\">int {};</code></pre>",
            "x".repeat(200)
        );
        let path = page(&browser, "en", &content).await;
        browser.resize(320, 640).await;
        browser.open(&path).await;
        assert_eq!(browser.ask("return document.documentElement.scrollWidth").await, json!(320));
        let regions =
            "return [...document.querySelectorAll('[role=region][tabindex=\"0\"]')].map((one) => one.ariaLabel)";
        assert_eq!(browser.ask(regions).await, json!(["Table 1: Wide", "Formula 1", "Code 1: c"]));
        for (at, _) in ["table", "formula", "code"].iter().enumerate() {
            let focus = format!(
                "const one = document.querySelectorAll('[role=region]')[{at}]; one.focus();
                return one === document.activeElement && one.scrollWidth > one.clientWidth"
            );
            assert_eq!(browser.ask(&focus).await, json!(true), "{at}");
            browser.press(Key::Right).await;
            let scrolled = format!("const [one, done] = [document.querySelectorAll('[role=region]')[{at}], arguments[0]];
                if (one.scrollLeft > 0) done(true); else one.addEventListener('scroll', () => done(true), {{ once: true }})");
            assert_eq!(browser.driver.execute_async(&scrolled, vec![]).await.unwrap().json(), &json!(true), "{at}");
        }
    });
}

#[test]
fn from_right_to_left_the_page_is_mirrored_and_code_is_not() {
    browse(async |browser| {
        for language in ["ar", "he", "ur"] {
            let content = format!("<h2>א</h2><blockquote>ب</blockquote>{}<p>$x^2$</p>", code());
            let path = page(&browser, language, &content).await;
            browser.open(&path).await;
            let facts = "const of = (selector) => getComputedStyle(document.querySelector(selector));
                return [document.documentElement.dir, of('main').direction, of('pre').direction, of('math').direction,
                    of('blockquote').borderRightWidth !== '0px', of('blockquote').borderLeftWidth, parseFloat(of('h1').letterSpacing) || 0]";
            let expected: Value = json!(["rtl", "rtl", "ltr", "ltr", true, "0px", 0]);
            assert_eq!(browser.ask(facts).await, expected, "{language}");
        }
    });
}
