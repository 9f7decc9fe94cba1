//! Pictures that would be fetched from somebody whom the operator did not name: their descriptions stand for them.

use crate::clean;
use crate::pieces::Piece;

/// Puts the description of every picture that may not be loaded in its place; without one, nothing.
pub(crate) fn describe(pieces: Vec<Piece>, image_origins: &[String]) -> Vec<Piece> {
    let mut described = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match piece {
            Piece::Open { name: "img", attributes, .. } if !is_loaded(&attributes, image_origins) => {
                let description = attributes.into_iter().find(|(name, _)| *name == "alt").map(|(_, text)| text);
                if let Some(text) = description.filter(|text| !text.trim().is_empty()) {
                    let attributes = vec![("class", clean::PICTURE.to_owned())];
                    described.push(Piece::Open { name: "span", attributes, is_notes: false });
                    described.push(Piece::Text(text));
                    described.push(Piece::Close("span"));
                }
            }
            other => described.push(other),
        }
    }
    described
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
            "<span class=\"picture\">a &lt;b&gt;</span>"
        );
        assert_eq!(described("x<img src=\"https://other.example/a\" alt=\" \"><img>y"), "xy");
    }
}
