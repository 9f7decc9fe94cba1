//! Style sheets, scripts, font and icon, embedded in the program.
//!
//! Their address holds a digest of all of them: a browser may keep them for ever, and sees a new release at once.

use std::sync::LazyLock;

use kernel::secret::sha256_hex;

/// A file that pages refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asset {
    pub(crate) name: &'static str,
    pub(crate) media_type: &'static str,
    pub(crate) bytes: &'static [u8],
}

macro_rules! asset {
    ($name:literal, $media_type:literal) => {
        Asset { name: $name, media_type: $media_type, bytes: include_bytes!(concat!("../assets/", $name)) }
    };
}

/// Everything that is served below `/console/assets`.
pub(crate) const ASSETS: [Asset; 10] = [
    asset!("tokens.css", "text/css; charset=utf-8"),
    asset!("console.css", "text/css; charset=utf-8"),
    asset!("parts.css", "text/css; charset=utf-8"),
    asset!("console.js", "text/javascript; charset=utf-8"),
    asset!("editor.js", "text/javascript; charset=utf-8"),
    asset!("text.css", "text/css; charset=utf-8"),
    asset!("passkeys.js", "text/javascript; charset=utf-8"),
    asset!("sign-in.js", "text/javascript; charset=utf-8"),
    asset!("instrument-sans.woff2", "font/woff2"),
    asset!("icon.svg", "image/svg+xml"),
];

/// The part of their address that changes with them.
pub(crate) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let all: Vec<u8> = ASSETS.iter().flat_map(|asset| [asset.name.as_bytes(), asset.bytes].concat()).collect();
    sha256_hex(&all)[..16].to_owned()
});

/// The file of this name.
pub(crate) fn find(name: &str) -> Option<Asset> {
    ASSETS.into_iter().find(|asset| asset.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_load_nothing_from_elsewhere() {
        for asset in ASSETS.iter().filter(|asset| asset.name != "instrument-sans.woff2") {
            let text = std::str::from_utf8(asset.bytes).unwrap().replace("http://www.w3.org/2000/svg", "");
            for foreign in ["http://", "https://", "@import", "eval(", "innerHTML =", "outerHTML", "document.write"] {
                assert!(!text.contains(foreign), "{}: {foreign}", asset.name);
            }
        }
    }

    #[test]
    fn rules_take_colours_and_lengths_from_the_tokens() {
        for name in ["console.css", "parts.css", "text.css"] {
            let text = std::str::from_utf8(find(name).unwrap().bytes).unwrap();
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
