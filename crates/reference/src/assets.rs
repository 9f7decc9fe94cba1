//! Scripts and own styles of the reference, embedded in the program. [`design`] has the others.

use std::sync::LazyLock;

use design::{Asset, Assets};

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! asset {
    ($name:literal, $media_type:expr) => {
        Asset { name: $name, media_type: $media_type, bytes: include_bytes!(concat!("../assets/", $name)) }
    };
}

const OWN: [Asset; 4] =
    [asset!("docs.css", CSS), asset!("docs.js", SCRIPT), asset!("search.js", SCRIPT), asset!("call.js", SCRIPT)];

/// Everything that is served below `/docs/assets`, but for the index that scripts search.
pub(crate) static ASSETS: LazyLock<Assets> = LazyLock::new(|| Assets::new(&OWN));

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> impl Iterator<Item = (&'static str, &'static str)> {
        let own = ["docs.css", "docs.js", "search.js", "call.js"];
        own.into_iter().map(|name| (name, std::str::from_utf8(ASSETS.find("", name).unwrap().0.bytes).unwrap()))
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
