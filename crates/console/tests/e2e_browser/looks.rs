//! How pages look: nothing moves, nothing is cut off, and every text is in contrast.

use serde_json::json;

use crate::browser::browse;
use crate::fake::id_in;

/// The texts whose contrast with the ground below them is under 4.5 to 1.
const PALE: &str = r"
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const channels = (colour) => {
        canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
        .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const colour = channels(getComputedStyle(at).backgroundColor);
            if (colour[3] === 255) return colour;
        }
        return [255, 255, 255, 255];
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !element.checkVisibility({ checkVisibilityCSS: true })) continue;
        const style = getComputedStyle(element);
        const text = light(channels(element.closest('svg') ? style.fill : style.color));
        const below = light(ground(element));
        const ratio = (Math.max(text, below) + 0.05) / (Math.min(text, below) + 0.05);
        if (ratio < 4.5) found.push(`${ratio.toFixed(2)}: ${walker.currentNode.data.trim()}`);
    }
    return found;";

fn addresses() -> Vec<String> {
    let organization = format!("/console/organizations/{}", id_in("organizations"));
    let workspace = format!("/console/workspaces/{}", id_in("workspace"));
    let mut pages = [
        "/console",
        "/console/components",
        "/console/account",
        "/console/start",
        "/console/users",
        "/console/organizations",
        "/console/workspaces",
        "/console/statistics",
    ]
    .map(str::to_owned)
    .to_vec();
    pages.extend(["", "/jobs", "/audit-log"].map(|rest| format!("/console/operations{rest}")));
    pages.push(format!("{organization}/webhooks/{}", id_in("webhooks")));
    pages.push(format!("{organization}/classrooms/{}/modules", id_in("classrooms")));
    for kind in ["modules", "tests", "videos"] {
        pages.push(format!("{organization}/classrooms/{}/{kind}/{}", id_in("classrooms"), id_in("module")));
    }
    pages.push(format!("{organization}/expansions/{}", id_in("expansion")));
    pages.extend(
        ["/keys", "/playground", "/people", "/page-grading", "/classrooms", "/settings"]
            .map(|rest| format!("{organization}{rest}")),
    );
    pages.push(format!("/console/users/{}", id_in("user")));
    pages.push(format!("{workspace}/evaluations/{}", id_in("evaluation")));
    pages.push(format!("{workspace}/questions/{}", id_in("question")));
    pages.push(format!("{workspace}/lti/registrations/{}", id_in("registration")));
    pages.extend(
        ["", "/evaluations", "/lti", "/ledger", "/invoices", "/settings"].map(|rest| format!("{workspace}{rest}")),
    );
    pages
}

#[tokio::test]
async fn pages_fit_the_window_stand_still_and_can_be_read() {
    browse(async |browser| {
        for (width, height, scheme) in
            [(1280, 860, "light"), (1280, 860, "dark"), (390, 844, "light"), (390, 844, "dark")]
        {
            browser.resize(width, height).await;
            browser.prefer(scheme).await;
            for path in addresses() {
                browser.open(&path).await;
                let about = format!("{path} at {width}, {scheme}");
                let overflow =
                    "const page = document.documentElement; return Math.max(0, page.scrollWidth - page.clientWidth)";
                assert_eq!(browser.ask(overflow).await, json!(0), "{about}");
                assert_eq!(browser.ask("return window.shift").await, json!(0), "{about}: something moved");
                assert_eq!(browser.ask(PALE).await, json!([]), "{about}");
            }
        }
    })
    .await;
}
