//! Style sheets, scripts, font and icon, embedded in the program, and the index that scripts search.
//!
//! Tokens, frame and components are the console's: reference and console look like one product. The address of the files holds a
//! digest of all of them, so a browser may keep them for ever and sees a new release at once.

use std::sync::LazyLock;

use kernel::secret::sha256_hex;

/// A file that pages refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asset {
    pub(crate) name: &'static str,
    pub(crate) media_type: &'static str,
    pub(crate) bytes: &'static [u8],
}

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! asset {
    ($folder:literal, $name:literal, $media_type:expr) => {
        Asset { name: $name, media_type: $media_type, bytes: include_bytes!(concat!($folder, $name)) }
    };
}

/// Everything that is served below `/docs/assets`.
pub(crate) const ASSETS: [Asset; 9] = [
    asset!("../../console/assets/", "tokens.css", CSS),
    asset!("../../console/assets/", "console.css", CSS),
    asset!("../../console/assets/", "parts.css", CSS),
    asset!("../../console/assets/", "instrument-sans.woff2", "font/woff2"),
    asset!("../../console/assets/", "icon.svg", "image/svg+xml"),
    asset!("../assets/", "docs.css", CSS),
    asset!("../assets/", "docs.js", SCRIPT),
    asset!("../assets/", "search.js", SCRIPT),
    asset!("../assets/", "call.js", SCRIPT),
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

    fn own() -> impl Iterator<Item = (&'static str, &'static str)> {
        let own = ["docs.css", "docs.js", "search.js", "call.js"];
        own.into_iter().map(|name| (name, std::str::from_utf8(find(name).unwrap().bytes).unwrap()))
    }

    #[test]
    fn files_load_nothing_from_elsewhere() {
        for (name, text) in own() {
            for foreign in
                ["http://", "https://", "url(", "@import", "eval(", "innerHTML", "document.write", "localStorage"]
            {
                assert!(!text.contains(foreign), "{name}: {foreign}");
            }
        }
    }

    #[test]
    fn one_script_calls_the_api_and_it_calls_this_origin_alone() {
        let calls = own()
            .filter(|(_, text)| text.contains("fetch("))
            .map(|(name, text)| (name, text.matches("fetch(").count()));
        assert_eq!(calls.collect::<Vec<_>>(), [("search.js", 1), ("call.js", 1)]);
        let (_, call) = own().find(|(name, _)| *name == "call.js").unwrap();
        assert!(call.contains("if (url.origin !== location.origin) throw"));
        assert!(!call.contains("XMLHttpRequest") && !call.contains("sendBeacon"));
    }
}
