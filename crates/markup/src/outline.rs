//! Headings in order: the content's first level is the one below the page's title, and none is left out.

use crate::allowed;
use crate::pieces::Piece;

/// Moves the headings so that the highest of them is at `top` and no heading jumps down more than one level.
pub(crate) fn arrange(pieces: &mut [Piece], top: u8) {
    let levels = pieces.iter().filter_map(|piece| match piece {
        Piece::Open { name, .. } => allowed::heading_level(name),
        _ => None,
    });
    let Some(highest) = levels.min() else { return };
    let mut before = top - 1;
    let mut open = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Open { name, .. } => {
                if let Some(level) = allowed::heading_level(name) {
                    before = (level - highest + top).min(before + 1).min(6);
                    *name = allowed::heading(before);
                    open.push(*name);
                }
            }
            Piece::Close(name) if allowed::heading_level(name).is_some() => {
                *name = open.pop().expect("pieces are properly nested");
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::{read, write};

    fn arranged(html: &str) -> String {
        let mut pieces = read(html);
        arrange(&mut pieces, 2);
        write(&pieces)
    }

    #[test]
    fn the_highest_heading_comes_right_below_the_page_title() {
        assert_eq!(arranged("<h1>a</h1><h2>b</h2><h1>c</h1>"), "<h2>a</h2><h3>b</h3><h2>c</h2>");
        assert_eq!(arranged("<h4>a</h4><h5>b</h5>"), "<h2>a</h2><h3>b</h3>");
        assert_eq!(arranged("<h2>a</h2><h3>b</h3>"), "<h2>a</h2><h3>b</h3>");
    }

    #[test]
    fn no_level_is_skipped_and_none_is_below_six() {
        assert_eq!(arranged("<h1>a</h1><h4>b</h4><h5>c</h5>"), "<h2>a</h2><h3>b</h3><h4>c</h4>");
        assert_eq!(arranged("<h3>a</h3><h2>b</h2>"), "<h2>a</h2><h2>b</h2>");
        let all: String = (1..=6).map(|level| format!("<h{level}>x</h{level}>")).collect();
        assert!(arranged(&all).ends_with("<h6>x</h6><h6>x</h6>"));
    }

    #[test]
    fn a_heading_inside_another_keeps_both_closed() {
        assert_eq!(arranged("<h1>a<div><h3>b</h3></div>c</h1>"), "<h2>a<div><h3>b</h3></div>c</h2>");
    }
}
