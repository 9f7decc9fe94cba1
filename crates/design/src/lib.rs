//! The look that all pages share: the tokens of type, colour and spacing, the font with its licence, the frame of a page, the
//! components, and the icon. [`EntrancePage`] is a page for one form or one sentence.
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
const FRAME: Asset = Asset { name: "frame.css", media_type: CSS, bytes: include_bytes!("../assets/frame.css") };

/// The style sheet of the components.
const PARTS: Asset = Asset { name: "parts.css", media_type: CSS, bytes: include_bytes!("../assets/parts.css") };

/// The product's icon.
const ICON: Asset =
    Asset { name: "lectern.svg", media_type: "image/svg+xml", bytes: include_bytes!("../assets/lectern.svg") };

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
pub const SHARED: [Asset; 7] = [TOKENS, FRAME, PARTS, ICON, FONT, EXTENDED_FONT, FONT_LICENSE];

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

/// A page in the look of the sign-in for one form or one sentence, which a link of an e-mail leads to.
#[derive(Clone, Copy, Debug)]
pub struct EntrancePage<'a> {
    /// The path below which the service is reached, without a slash at its end.
    pub root: &'a str,
    /// The language of the texts.
    pub language: &'a str,
    /// `ltr` or `rtl`.
    pub direction: &'a str,
    /// The heading, as HTML.
    pub title: &'a str,
    /// The page below its heading, as HTML.
    pub content: &'a str,
}

impl EntrancePage<'_> {
    /// The policy that lets the page load the style sheets and the font of this service, send its form here, and do no more.
    pub const POLICY: &'static str = "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; \
         form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    /// The page, with its style sheets below `/assets`.
    pub fn html(&self) -> String {
        let Self { root, language, direction, title, content } = self;
        let address = |asset: Asset| format!("{root}/assets/{}/{}", *SHARED_VERSION, asset.name);
        format!(
            include_str!("../assets/entrance.html"),
            language = language,
            direction = direction,
            title = title,
            content = content,
            font = address(FONT),
            icon = address(ICON),
            tokens = address(TOKENS),
            frame = address(FRAME),
            parts = address(PARTS),
        )
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
    fn an_entrance_has_its_texts_and_the_shared_style_sheets() {
        let page = EntrancePage {
            root: "/school",
            language: "ar",
            direction: "rtl",
            title: "{content}",
            content: "<p>Done</p>",
        };
        let html = page.html();
        assert!(html.contains("lang=\"ar\" dir=\"rtl\"") && html.contains("<h1>{content}</h1>\n<p>Done</p>"), "{html}");
        let assets = Assets::new(&OWN);
        for name in ["instrument-sans.woff2", "tokens.css", "frame.css", "parts.css", "lectern.svg"] {
            assert!(html.contains(&format!("href=\"/school/assets/{}\"", assets.address(name))), "{name}: {html}");
        }
        assert!(!html.contains("style=") && !EntrancePage::POLICY.contains("unsafe"));
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
