//! Attacks, in a browser that would carry them out.

use content::resources::Kind;
use serde_json::json;

use crate::browser::browse;

const ATTACK: &str = r#"<h2 id="main" onclick="alert(1)">A</h2><script>window.owned = 1</script><img src=x onerror="window.owned = 1">
<svg onload="window.owned = 1"><style><img src=x onerror="window.owned = 1"></style></svg>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.owned=1&gt;">
<style>body { display: none } @import "https://elsewhere.example/x.css"</style>
<link rel="stylesheet" href="https://elsewhere.example/y.css"><meta http-equiv="refresh" content="0;url=https://elsewhere.example/">
<base href="https://elsewhere.example/"><iframe src="https://elsewhere.example/"></iframe><img src="https://elsewhere.example/pixel.gif" srcset="https://elsewhere.example/2.gif 2x">
<p style="background:url(https://elsewhere.example/z)">styled</p><a href="javascript:window.owned=1" id="link">go</a>
<form action="https://elsewhere.example/"><input name="password" autofocus onfocus="window.owned = 1"><button>Send</button></form>
<video src="https://elsewhere.example/v" onerror="window.owned = 1" autoplay></video><details open ontoggle="window.owned = 1">d</details>"#;

#[test]
fn attacks_in_content_do_nothing_at_all() {
    browse(async |browser| {
        let items = json!([{
            "id": "\"><script>window.owned = 1</script>", "sequence": 1, "title": ATTACK, "question": ATTACK, "type": "select",
            "options": [ATTACK, "b"], "correctAnswers": ["b"], "showFeedback": true, "explanation": ATTACK, "score": 1.0,
        }]);
        let scenes = json!([[ATTACK, ATTACK, 5.0]]);
        for (kind, columns) in [
            (Kind::Module, json!({ "title": ATTACK, "description": ATTACK, "content": ATTACK, "quizzes": items })),
            (
                Kind::Module,
                json!({ "content": format!("# T\n\n{ATTACK}\n\n[x](javascript:window.owned=1) ![y](https://elsewhere.example/i.png)") }),
            ),
            (
                Kind::Slide,
                json!({ "title": ATTACK, "content": format!("<section>{ATTACK}</section><section>{ATTACK}</section>") }),
            ),
            (Kind::Test, json!({ "name": ATTACK, "description": ATTACK, "items": items })),
            (Kind::Video, json!({ "title": ATTACK, "scenes": scenes })),
            (Kind::Course, json!({ "title": ATTACK, "description": ATTACK, "level": ATTACK })),
        ] {
            let id = browser.service.add(kind, columns).await;
            let path = browser.service.public(kind, &id);
            browser.open(&path).await;
            // The description of a picture leads to the picture: whoever clicks it leaves.
            let away =
                "return [...document.querySelectorAll('.picture a')].every((link) => link.rel.includes('noreferrer'))";
            assert_eq!(browser.ask(away).await, json!(true), "{kind:?}");
            let links = "document.querySelectorAll('.prose a:not(.picture a)').forEach((link) => link.click())";
            browser.ask(links).await;
            assert_eq!(browser.ask("return window.owned === undefined").await, json!(true), "{kind:?}");
            assert_eq!(browser.text("return location.pathname").await, path, "{kind:?}");
            assert_eq!(browser.ask("return getComputedStyle(document.body).display").await, json!("flex"));
            if matches!(kind, Kind::Module | Kind::Test)
                && browser.ask("return document.forms.length").await == json!(1)
            {
                browser.click("input[type=radio]").await;
                browser.submit().await;
                assert_eq!(browser.ask("return window.owned === undefined").await, json!(true), "{kind:?} answered");
            }
            browser.assert_quiet(&path).await;
        }
    });
}

#[test]
fn the_policy_is_a_wall_of_its_own() {
    browse(async |browser| {
        let id = browser.service.add(Kind::Module, json!({})).await;
        browser.open(&browser.service.public(Kind::Module, &id)).await;
        let refused = "const image = document.createElement('img');
            const style = document.createElement('p');
            style.setAttribute('style', 'color: red');
            document.body.append(image, style);
            image.src = 'https://elsewhere.example/x.gif';
            let threw = 0;
            try { style.setAttribute('onclick', '1'); } catch { threw += 1; }
            try { style.innerHTML = '<b>x</b>'; } catch { threw += 1; }
            return [threw, getComputedStyle(style).color === 'rgb(255, 0, 0)'];";
        assert_eq!(browser.ask(refused).await, json!([2, false]));
        let violations = browser.ask("return new Promise((done) => setTimeout(() => done(window.violations.map((one) => one.split(' ')[0]).sort()), 0))").await;
        for directive in ["img-src", "style-src-attr", "require-trusted-types-for"] {
            assert!(violations.to_string().contains(directive), "{directive}: {violations}");
        }
    });
}
