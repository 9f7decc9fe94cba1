//! Pictures that would be fetched from somebody whom the operator did not name: their descriptions stand for them, and lead to them.

use crate::clean;
use crate::pieces::Piece;

/// Puts the description of every picture that may not be loaded in its place, as a link to it; without one, nothing.
pub(crate) fn describe(pieces: Vec<Piece>, image_origins: &[String]) -> Vec<Piece> {
    let mut described = Vec::with_capacity(pieces.len());
    // A link holds no other link.
    let mut open_links = 0_usize;
    for piece in pieces {
        match piece {
            Piece::Open { name: "img", attributes, .. } if !is_loaded(&attributes, image_origins) => {
                let address = address(&attributes).filter(|_| open_links == 0);
                let description = attributes.into_iter().find(|(name, _)| *name == "alt").map(|(_, text)| text);
                if let Some(text) = description.filter(|text| !text.trim().is_empty()) {
                    stand_in(&mut described, text, address);
                }
            }
            other => {
                match &other {
                    Piece::Open { name: "a", .. } => open_links += 1,
                    Piece::Close("a") => open_links = open_links.saturating_sub(1),
                    _ => {}
                }
                described.push(other);
            }
        }
    }
    described
}

/// Writes a picture's description, which leads to the picture where that has an address.
fn stand_in(described: &mut Vec<Piece>, text: String, address: Option<String>) {
    let open = |name: &'static str, attribute, value| Piece::Open {
        name,
        attributes: vec![(attribute, value)],
        is_notes: false,
    };
    described.push(open("span", "class", clean::PICTURE.to_owned()));
    match address {
        Some(address) => {
            described.push(open("a", "href", address));
            described.push(Piece::Text(text));
            described.push(Piece::Close("a"));
        }
        None => described.push(Piece::Text(text)),
    }
    described.push(Piece::Close("span"));
}

/// The address of a picture, where a reader can open it.
fn address(attributes: &[(&str, String)]) -> Option<String> {
    let (_, value) = attributes.iter().find(|(name, _)| *name == "src")?;
    clean::link(value).filter(|address| address.starts_with("https:") || address.starts_with("http:"))
}

fn is_loaded(attributes: &[(&str, String)], image_origins: &[String]) -> bool {
    attributes.iter().any(|(name, value)| *name == "src" && clean::image(image_origins, value).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::{read, write};

    #[test]
    fn a_picture_that_is_not_loaded_is_its_description() {
        let named = ["https://media.example".to_owned()];
        let described = |html: &str| write(&describe(read(html), &named));
        let ours = "<img alt=\"a\" src=\"https://media.example/a.png\">";
        assert_eq!(described(ours), ours);
        assert_eq!(
            described("<img src=\"https://other.example/a\" alt=\"a <b>\">"),
            "<span class=\"picture\"><a href=\"https://other.example/a\">a &lt;b&gt;</a></span>"
        );
        assert_eq!(
            described(
                "<a href=\"https://a.example/\"><img src=\"https://other.example/a\" alt=b></a><img src=\"data:x\" alt=c>"
            ),
            "<a href=\"https://a.example/\"><span class=\"picture\">b</span></a><span class=\"picture\">c</span>",
            "no link in a link, and none to what nobody can open"
        );
        assert_eq!(described("x<img src=\"https://other.example/a\" alt=\" \"><img>y"), "xy");
    }
}
