//! Style sheet, scripts and icon, embedded in the program.
//!
//! Their address holds a digest of all of them, so a browser may keep them for ever and a new release is seen at once.

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

/// Everything that is served below `/assets`.
pub(crate) const ASSETS: [Asset; 11] = [
    asset!("page.css", "text/css; charset=utf-8"),
    Asset { name: "formulas.css", media_type: "text/css; charset=utf-8", bytes: markup::formulas::STYLE.as_bytes() },
    asset!("check.js", "text/javascript; charset=utf-8"),
    asset!("launch.js", "text/javascript; charset=utf-8"),
    asset!("progress.js", "text/javascript; charset=utf-8"),
    asset!("registration.js", "text/javascript; charset=utf-8"),
    asset!("review.js", "text/javascript; charset=utf-8"),
    asset!("slides.js", "text/javascript; charset=utf-8"),
    asset!("storyboard.js", "text/javascript; charset=utf-8"),
    asset!("submit.js", "text/javascript; charset=utf-8"),
    asset!("icon.svg", "image/svg+xml"),
];

/// The icon in the format that browsers ask for without being told: the same picture as `icon.svg`.
pub(crate) const FAVICON: &[u8] = include_bytes!("../assets/favicon.ico");

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
    fn files_ask_nobody_else_for_anything() {
        for asset in ASSETS {
            let text = std::str::from_utf8(asset.bytes).unwrap();
            for foreign in ["http://", "https://", "url(", "@import", "fetch(", "XMLHttpRequest", "eval(", "innerHTML"]
            {
                // One script asks the page that it is on, another what the page is about.
                let own = match asset.name {
                    "check.js" => "request.open(\"POST\", location.pathname + location.search)",
                    "review.js" => "request.open(\"GET\", form.dataset.state)",
                    _ => "",
                };
                let text = text.replace("http://www.w3.org/2000/svg", "");
                if foreign == "XMLHttpRequest" && !own.is_empty() {
                    assert_eq!((text.matches(foreign).count(), text.matches(own).count()), (1, 1));
                    assert_eq!(text.matches(".open(").count(), 1);
                    continue;
                }
                assert!(!text.contains(foreign), "{}: {foreign}", asset.name);
            }
        }
    }
}
