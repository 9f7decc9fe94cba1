//! What all pages share: the tokens of type, colour and spacing, and the font with its licence. [`FRAME`], [`PARTS`] and [`ICON`]
//! make console and reference look like one product.
//!
//! Colours and sizes stand in `tokens.css` and nowhere else. [`Assets`] gives every file an address that holds a digest of its
//! content: a browser may keep the file for ever, and sees a new release at once. Nothing here does I/O.

use std::sync::LazyLock;

use kernel::secret::sha256_hex;

/// A file that pages refer to, embedded in the program.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its name, the last part of its address.
    pub name: &'static str,
    /// The value of its `Content-Type` header.
    pub media_type: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

const CSS: &str = "text/css; charset=utf-8";

/// The style sheet of the tokens. Its `@font-face` names the font by an address relative to its own.
const TOKENS: Asset = Asset { name: "tokens.css", media_type: CSS, bytes: include_bytes!("../assets/tokens.css") };

/// The style sheet of the frame around a page, and of its text.
pub const FRAME: Asset = Asset { name: "frame.css", media_type: CSS, bytes: include_bytes!("../assets/frame.css") };

/// The style sheet of the components.
pub const PARTS: Asset = Asset { name: "parts.css", media_type: CSS, bytes: include_bytes!("../assets/parts.css") };

/// The product's icon.
pub const ICON: Asset =
    Asset { name: "icon.svg", media_type: "image/svg+xml", bytes: include_bytes!("../assets/icon.svg") };

/// Instrument Sans in the weights 400 to 700, with the letters of Western European languages.
const FONT: Asset = Asset {
    name: "instrument-sans.woff2",
    media_type: "font/woff2",
    bytes: include_bytes!("../assets/instrument-sans.woff2"),
};

/// The same font's letters of further Latin scripts, such as Polish and Turkish.
const EXTENDED_FONT: Asset = Asset {
    name: "instrument-sans-extended.woff2",
    media_type: "font/woff2",
    bytes: include_bytes!("../assets/instrument-sans-extended.woff2"),
};

/// The SIL Open Font License of [`FONT`], which accompanies every copy of it.
const FONT_LICENSE: Asset = Asset {
    name: "instrument-sans.LICENSE",
    media_type: "text/plain; charset=utf-8",
    bytes: include_bytes!("../assets/instrument-sans.LICENSE"),
};

/// The files that all pages share.
pub const SHARED: [Asset; 4] = [TOKENS, FONT, EXTENDED_FONT, FONT_LICENSE];

static SHARED_VERSION: LazyLock<String> = LazyLock::new(|| version(&SHARED));

/// The files of a surface's pages together with the shared ones.
#[derive(Debug)]
pub struct Assets {
    own: &'static [Asset],
    own_version: String,
}

impl Assets {
    /// The shared files and these.
    pub fn new(own: &'static [Asset]) -> Self {
        Self { own, own_version: version(own) }
    }

    /// A file's address below the folder of assets: a digest and the name. The shared files keep their address while the
    /// surface's own change.
    pub fn address(&self, name: &str) -> String {
        format!("{}/{name}", self.version_of(name))
    }

    /// The file of this name, and whether this is the version that was asked for. While servers of two releases run side by
    /// side, a page of one may ask the other: it gets the file that there is, but must not keep it.
    pub fn find(&self, version: &str, name: &str) -> Option<(Asset, bool)> {
        let asset = self.all().find(|asset| asset.name == name)?;
        Some((asset, version == self.version_of(name)))
    }

    /// All files.
    pub fn all(&self) -> impl Iterator<Item = Asset> {
        self.own.iter().copied().chain(SHARED)
    }

    fn version_of(&self, name: &str) -> &str {
        let is_shared = SHARED.iter().any(|asset| asset.name == name);
        if is_shared { &SHARED_VERSION } else { &self.own_version }
    }
}

/// A digest of names and contents: 16 hexadecimal digits.
fn version(assets: &[Asset]) -> String {
    let all: Vec<u8> = assets.iter().flat_map(|asset| [asset.name.as_bytes(), asset.bytes].concat()).collect();
    sha256_hex(&all)[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: [Asset; 1] = [Asset { name: "page.css", media_type: "text/css; charset=utf-8", bytes: b"a{}" }];
    const CHANGED: [Asset; 1] = [Asset { bytes: b"b{}", ..OWN[0] }];

    #[test]
    fn an_address_changes_with_the_content_behind_it_and_only_then() {
        let (before, after) = (Assets::new(&OWN), Assets::new(&CHANGED));
        assert_ne!(before.address("page.css"), after.address("page.css"));
        assert_eq!(before.address("tokens.css"), after.address("tokens.css"));
        let (version, name) = (before.address("page.css"), "page.css");
        let version = version.split('/').next().unwrap_or_default();
        assert!(before.find(version, name).is_some_and(|(_, is_current)| is_current));
        assert!(after.find(version, name).is_some_and(|(asset, is_current)| !is_current && asset.bytes == b"b{}"));
        assert!(before.find(version, "other.css").is_none());
    }

    #[test]
    fn frame_and_parts_load_nothing_from_elsewhere() {
        for asset in [FRAME, PARTS, ICON] {
            let text = String::from_utf8_lossy(asset.bytes).replace("http://www.w3.org/2000/svg", "");
            for foreign in ["http://", "https://", "@import", "<script"] {
                assert!(!text.contains(foreign), "{}: {foreign}", asset.name);
            }
        }
    }

    #[test]
    fn the_tokens_load_the_fonts_from_beside_them_and_nothing_else() {
        let text = String::from_utf8_lossy(TOKENS.bytes);
        let fonts = [FONT, EXTENDED_FONT];
        assert_eq!(text.matches("url(").count(), fonts.len());
        assert!(fonts.iter().all(|font| text.contains(&format!("url(\"{}\")", font.name))));
        let assets = Assets::new(&OWN);
        let folder = |name: &str| assets.address(name).split('/').next().map(str::to_owned);
        assert_eq!(folder(TOKENS.name), folder(FONT.name));
        for foreign in ["http://", "https://", "@import"] {
            assert!(!text.contains(foreign), "{foreign}");
        }
        assert!(String::from_utf8_lossy(FONT_LICENSE.bytes).contains("SIL OPEN FONT LICENSE"));
    }
}
