//! What is said, as a text with a heading for each scene.

use crate::storyboard::Storyboard;
use crate::text::{clean, clean_lines};

/// The transcript as plain text: the title, then each scene's number and title above its script.
pub(crate) fn transcript(board: &Storyboard) -> String {
    let mut text = format!("{}\n", clean(&board.title));
    for (index, scene) in board.scenes.iter().enumerate() {
        text.push_str(&format!("\n{}. {}\n", index + 1, board.scene_title(index)));
        let lines = clean_lines(&scene.script);
        if !lines.is_empty() {
            text.push_str(&format!("\n{}\n", lines.join("\n\n")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_have_headings() {
        let board: Storyboard = serde_json::from_str(
            r#"{"title": "Light", "language": "en", "scenes": [
                {"script": "Light is\u0000 fast.\nVery.", "display_text": "Light"},
                {"script": "", "display_text": "a · b", "title": "Two things"}]}"#,
        )
        .unwrap();
        assert_eq!(transcript(&board), "Light\n\n1. Light\n\nLight is fast.\n\nVery.\n\n2. Two things\n");
    }
}
