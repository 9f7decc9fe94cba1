//! Scripts and own styles of the console, embedded in the program. [`design`] has the others.

use std::sync::LazyLock;

use design::{Asset, Assets};

macro_rules! asset {
    ($name:literal, $media_type:literal) => {
        Asset { name: $name, media_type: $media_type, bytes: include_bytes!(concat!("../assets/", $name)) }
    };
}

const OWN: [Asset; 5] = [
    asset!("console.js", "text/javascript; charset=utf-8"),
    asset!("editor.js", "text/javascript; charset=utf-8"),
    asset!("text.css", "text/css; charset=utf-8"),
    asset!("passkeys.js", "text/javascript; charset=utf-8"),
    asset!("sign-in.js", "text/javascript; charset=utf-8"),
];

/// Everything that is served below `/console/assets`.
pub(crate) static ASSETS: LazyLock<Assets> = LazyLock::new(|| Assets::new(&OWN));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_load_nothing_from_elsewhere() {
        for asset in OWN {
            let text = std::str::from_utf8(asset.bytes).unwrap().replace("http://www.w3.org/2000/svg", "");
            for foreign in ["http://", "https://", "@import", "eval(", "innerHTML =", "outerHTML", "document.write"] {
                assert!(!text.contains(foreign), "{}: {foreign}", asset.name);
            }
        }
    }

    #[test]
    fn rules_take_colours_and_lengths_from_the_tokens() {
        for name in ["frame.css", "parts.css", "text.css"] {
            let text = std::str::from_utf8(ASSETS.find("", name).unwrap().0.bytes).unwrap();
            // Conditions on the width of the window can't name a token.
            for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with("@media")) {
                let is_colour = ["#", "rgb(", "hsl(", "oklch("].iter().any(|start| line.contains(start));
                let before = |unit: &str| line.split(unit).collect::<Vec<_>>();
                let is_length = ["px", "rem"].iter().any(|unit| {
                    let pieces = before(unit);
                    pieces[..pieces.len() - 1]
                        .iter()
                        .any(|piece| piece.ends_with(|letter: char| letter.is_ascii_digit()))
                });
                assert!(!is_colour && !is_length, "{name}:{}: {line}", number + 1);
            }
        }
    }
}
