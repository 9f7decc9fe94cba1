//! Style sheets, scripts and icon, embedded in the program. [`design`] adds the tokens and the font.

use std::sync::LazyLock;

use design::{Asset, Assets};

macro_rules! asset {
    ($name:literal, $media_type:literal) => {
        Asset { name: $name, media_type: $media_type, bytes: include_bytes!(concat!("../assets/", $name)) }
    };
}

const OWN: [Asset; 14] = [
    asset!("page.css", "text/css; charset=utf-8"),
    asset!("prose.css", "text/css; charset=utf-8"),
    asset!("quiz.css", "text/css; charset=utf-8"),
    asset!("media.css", "text/css; charset=utf-8"),
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

/// Everything that is served below `/assets`.
pub(crate) static ASSETS: LazyLock<Assets> = LazyLock::new(|| Assets::new(&OWN));

/// The icon in the format that browsers ask for without being told: the same picture as `icon.svg`.
pub(crate) const FAVICON: &[u8] = include_bytes!("../assets/favicon.ico");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_ask_nobody_else_for_anything() {
        for asset in OWN {
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

    #[test]
    fn rules_take_colours_and_lengths_from_the_tokens() {
        for name in ["page.css", "prose.css", "quiz.css", "media.css"] {
            let asset = OWN.into_iter().find(|asset| asset.name == name).unwrap();
            // Conditions on the width of the window can't name a token.
            let lines = std::str::from_utf8(asset.bytes)
                .unwrap()
                .lines()
                .filter(|line| !line.trim_start().starts_with("@media"));
            for line in lines {
                let has_colour = ["#", "rgb(", "hsl(", "oklch("].iter().any(|start| line.contains(start));
                let ends_in_digit = |piece: &str| piece.ends_with(|letter: char| letter.is_ascii_digit());
                let has_length = ["px", "rem", "pt"].iter().any(|unit| {
                    let pieces: Vec<&str> = line.split(unit).collect();
                    pieces[..pieces.len() - 1].iter().any(|piece| ends_in_digit(piece))
                });
                assert!(!has_colour && !has_length, "{name}: {line}");
            }
        }
    }

    #[test]
    fn rules_name_no_side_of_the_page() {
        for name in ["page.css", "prose.css", "quiz.css", "media.css"] {
            let asset = OWN.into_iter().find(|asset| asset.name == name).unwrap();
            let text = std::str::from_utf8(asset.bytes).unwrap();
            for sided in [
                "margin-left",
                "margin-right",
                "padding-left",
                "padding-right",
                "border-left",
                "border-right",
                "float: left",
                "float: right",
            ] {
                assert!(!text.contains(sided), "{name}: {sided}");
            }
        }
    }
}
