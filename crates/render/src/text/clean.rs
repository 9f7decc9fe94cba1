//! Text without what can't be drawn: control characters, bidi controls, storms of combining marks.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Marks on one letter. Vietnamese, Hebrew and Arabic need three.
const MOST_MARKS: usize = 4;

/// A text as one line: composed, with single spaces.
pub(crate) fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut marks = 0;
    for character in text.nfc() {
        if character.is_whitespace() || character.is_control() {
            if !cleaned.is_empty() && !cleaned.ends_with(' ') {
                cleaned.push(' ');
            }
            marks = 0;
            continue;
        }
        marks = if is_combining_mark(character) { marks + 1 } else { 0 };
        if marks <= MOST_MARKS && !is_invisible(character) && !(marks > 0 && cleaned.is_empty()) {
            cleaned.push(character);
        }
    }
    cleaned.truncate(cleaned.trim_end().len());
    cleaned
}

/// The lines of a text, each cleaned; empty ones are left out.
pub(crate) fn clean_lines(text: &str) -> Vec<String> {
    let lines = text.split(['\n', '\r', '\u{B}', '\u{C}', '\u{85}', '\u{2028}', '\u{2029}']).map(clean);
    lines.filter(|line| !line.is_empty()).collect()
}

/// Characters that change the order of others or have no form. Joiners stay: Persian and Hindi need them.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFD}' | '\u{E0000}'..='\u{E0FFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_not_be_drawn_is_left_out() {
        assert_eq!(clean("  a\u{0}b\t\u{202E}c\u{FEFF} "), "a b c");
        assert_eq!(clean("e\u{301}"), "é");
        let storm = format!("a{}b", "\u{20D7}".repeat(10_000));
        assert_eq!(clean(&storm).chars().count(), 2 + MOST_MARKS);
        assert_eq!(clean("\u{301}x"), "x");
        assert_eq!(clean("می\u{200C}سازند"), "می\u{200C}سازند");
        assert_eq!(clean_lines("a\r\n\nb\u{2028}c"), ["a", "b", "c"]);
    }
}
