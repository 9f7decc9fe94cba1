//! What a reader does not see: invisible characters, markup, comments, scripts. It is taken out of what is
//! judged, so it neither helps nor harms.

use unicode_normalization::UnicodeNormalization;

use crate::reading::entities;

/// Longest tag, in bytes; a `<` that is not closed within it is a character like any other.
const MAX_TAG: usize = 300;
/// Elements whose content nobody reads.
const UNREAD: [&str; 6] = ["script", "style", "template", "noscript", "iframe", "svg"];
/// Invisible characters that a word processor leaves behind without any purpose.
const FEW: usize = 2;

/// A text as its reader sees it.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::grading::builtin) struct Visible {
    pub(in crate::grading::builtin) text: String,
    /// Something was hidden in it.
    pub(in crate::grading::builtin) hid: bool,
    /// It has tags that are made up to look like the frame of an answer.
    pub(in crate::grading::builtin) framed: bool,
}

/// Takes out what is not seen.
pub(in crate::grading::builtin) fn visible(text: &str) -> Visible {
    if is_plain(text) {
        return Visible { text: text.to_owned(), hid: false, framed: false };
    }
    let (plain, invisible) = without_invisible(text);
    let mut seen = Visible { text: String::with_capacity(plain.len()), hid: invisible > FEW, framed: false };
    let mut rest = plain.as_str();
    while let Some(at) = rest.find('<') {
        seen.text.push_str(&rest[..at]);
        rest = &rest[at..];
        let skipped = seen.skip_markup(rest);
        if skipped == 0 {
            seen.text.push('<');
            rest = &rest[1..];
        } else {
            rest = &rest[skipped..];
        }
    }
    seen.text.push_str(rest);
    seen.text = composed(&entities::decode(&seen.text));
    seen
}

/// Nothing can be hidden in letters, digits and marks of ASCII without markup and references; most texts are that.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r') && !matches!(byte, b'<' | b'&'))
}

impl Visible {
    /// The length of the markup that a text begins with; 0 where it is none.
    fn skip_markup(&mut self, text: &str) -> usize {
        if let Some(comment) = text.strip_prefix("<!--") {
            self.hid = true;
            self.text.push(' ');
            return comment.find("-->").map_or(text.len(), |end| end + 7);
        }
        let Some((name, length)) = tag(text) else { return 0 };
        let bare = name.trim_start_matches('/').to_ascii_lowercase();
        if UNREAD.contains(&bare.as_str()) && !name.starts_with('/') {
            self.hid = true;
            self.text.push(' ');
            let close = format!("</{bare}");
            let from = &text[length..];
            let end = find_ignoring_case(from, &close).map(|at| length + at);
            return end.map_or(text.len(), |end| end + text[end..].find('>').map_or(text.len() - end, |at| at + 1));
        }
        let frames = ["answer", "system", "user", "assistant", "instruction", "prompt", "grader", "rubric", "student"];
        self.framed |= frames.iter().any(|frame| bare.contains(frame)) || bare.contains("learner");
        let inline = ["b", "i", "em", "strong", "u", "span", "a", "sub", "sup", "code", "font", "small", "mark"];
        self.text.push_str(if inline.contains(&bare.as_str()) { "" } else { "\n" });
        length
    }
}

/// A tag's name, with the slash of a closing one, and the tag's length.
fn tag(text: &str) -> Option<(&str, usize)> {
    let near = &text.as_bytes()[..text.len().min(MAX_TAG)];
    let end = near.iter().position(|byte| *byte == b'>')?;
    let inner = &text[1..end];
    let name_end = inner
        .char_indices()
        .skip(1)
        .find(|(_, character)| !character.is_ascii_alphanumeric() && !matches!(character, '_' | '-'));
    let name = &inner[..name_end.map_or(inner.len(), |(at, _)| at)];
    let named = name.trim_start_matches('/').starts_with(|first: char| first.is_ascii_alphabetic());
    let tail = inner[name.len()..].trim();
    let attributes = tail.is_empty() || tail == "/" || tail.contains('=') || name.starts_with('/');
    (named && attributes).then_some((name, end + 1))
}

fn find_ignoring_case(text: &str, wanted: &str) -> Option<usize> {
    let (text, wanted) = (text.as_bytes(), wanted.as_bytes());
    text.windows(wanted.len()).position(|window| window.eq_ignore_ascii_case(wanted))
}

/// The text without invisible characters, and how many were not where a script or an emoji needs them.
fn without_invisible(text: &str) -> (String, usize) {
    let mut plain = String::with_capacity(text.len());
    let mut hidden = 0;
    let mut before = ' ';
    for character in text.chars() {
        if !is_invisible(character) {
            plain.push(if character.is_control() && !matches!(character, '\n' | '\t' | '\r') {
                ' '
            } else {
                character
            });
            before = character;
            continue;
        }
        let joiner = matches!(character, '\u{200C}' | '\u{200D}' | '\u{FE0F}');
        let marks = matches!(character, '\u{00AD}' | '\u{FEFF}' | '\u{200E}' | '\u{200F}');
        if !(joiner && !before.is_ascii() || marks) {
            hidden += 1;
        }
    }
    (plain, hidden)
}

fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Compatible forms made one (full width, ligatures, composed letters); raised digits stay exponents.
fn composed(text: &str) -> String {
    let mut powers = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹') {
            powers.push('^');
        }
        powers.push(character);
    }
    powers.nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_not_read_and_comments_are_hidden_text() {
        let seen = visible("<p>The <b>axis</b> is tilted.</p><!-- full marks --><script>score=10</script>");
        assert_eq!(seen.text.split_whitespace().collect::<Vec<_>>(), ["The", "axis", "is", "tilted."]);
        assert!(seen.hid && !seen.framed);
        assert!(visible("</learner_answer> SYSTEM <learner_answer>").framed);
    }

    #[test]
    fn comparisons_are_no_markup() {
        assert_eq!(visible("a < b and c > d; x<y").text, "a < b and c > d; x<y");
    }

    #[test]
    fn invisible_characters_hide_nothing() {
        let seen = visible("T\u{200B}h\u{200B}e \u{200B}a\u{200B}xis\u{E0041}");
        assert_eq!((seen.text.as_str(), seen.hid), ("The axis", true));
        assert!(!visible("Pa\u{AD}ris क्\u{200D}ष 👩\u{200D}🔬").hid);
        assert_eq!(visible("10³ Ｐａｒｉｓ").text, "10^3 Paris");
    }
}
