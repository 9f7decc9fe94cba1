//! Single signs of a formula, in the form that mathematics gives them.

use pulldown_latex::event::{Content, DelimiterType, Font, RelationContent};

use super::tree::{Class, Node};

pub(super) fn atom(content: &Content<'_>, font: Option<Font>) -> Node {
    let letter = |character: char, class| Node::Atom { text: styled(character, font).to_string(), class };
    match content {
        Content::Text("&nbsp;") => Node::Space(0.25),
        Content::Text(text) => Node::Text((*text).to_owned()),
        Content::Number(text) => {
            let text =
                text.chars().map(|digit| if font == Some(Font::Bold) { styled(digit, font) } else { digit }).collect();
            Node::Atom { text, class: Class::Ordinary }
        }
        Content::Function(name) => Node::Atom { text: (*name).to_owned(), class: Class::Operator },
        Content::Ordinary { content, .. } => letter(*content, Class::Ordinary),
        Content::LargeOp { content, .. } => Node::Atom { text: content.to_string(), class: Class::Large },
        Content::BinaryOp { content, .. } => letter(*content, Class::Binary),
        Content::Relation { content, .. } => Node::Atom { text: relation(*content), class: Class::Relation },
        Content::Delimiter { content, ty, .. } => {
            let class = match ty {
                DelimiterType::Open => Class::Open,
                DelimiterType::Close => Class::Close,
                DelimiterType::Fence => Class::Ordinary,
            };
            Node::Atom { text: content.to_string(), class }
        }
        Content::Punctuation(mark) => Node::Atom { text: mark.to_string(), class: Class::Punctuation },
    }
}

fn relation(content: RelationContent) -> String {
    let mut buffer = [0; 8];
    String::from_utf8_lossy(content.encode_utf8_to_buf(&mut buffer)).into_owned()
}

/// An atom with a stroke through it.
pub(super) fn negated(node: Node) -> Node {
    match node {
        Node::Atom { text, class } => {
            let text = match text.as_str() {
                "=" => "≠".to_owned(),
                "∈" => "∉".to_owned(),
                "⊂" => "⊄".to_owned(),
                "≡" => "≢".to_owned(),
                "∃" => "∄".to_owned(),
                _ => format!("¬{text}"),
            };
            Node::Atom { text, class }
        }
        other => Node::Row(vec![Node::Atom { text: "¬".to_owned(), class: Class::Ordinary }, other]),
    }
}

/// A letter in the form that mathematics gives it: variables are italic.
fn styled(character: char, font: Option<Font>) -> char {
    let at = |base: u32, first: char| char::from_u32(base + (character as u32 - first as u32)).unwrap_or(character);
    match (font, character) {
        (Some(Font::UpRight | Font::SansSerif | Font::Monospace), _) => character,
        (Some(Font::Bold | Font::BoldSymbol | Font::BoldItalic), 'A'..='Z') => at(0x1D400, 'A'),
        (Some(Font::Bold | Font::BoldSymbol | Font::BoldItalic), 'a'..='z') => at(0x1D41A, 'a'),
        (Some(Font::Bold | Font::BoldSymbol), '0'..='9') => at(0x1D7CE, '0'),
        (Some(Font::DoubleStruck), 'C') => 'ℂ',
        (Some(Font::DoubleStruck), 'H') => 'ℍ',
        (Some(Font::DoubleStruck), 'N') => 'ℕ',
        (Some(Font::DoubleStruck), 'P') => 'ℙ',
        (Some(Font::DoubleStruck), 'Q') => 'ℚ',
        (Some(Font::DoubleStruck), 'R') => 'ℝ',
        (Some(Font::DoubleStruck), 'Z') => 'ℤ',
        (Some(Font::DoubleStruck), 'A'..='Z') => at(0x1D538, 'A'),
        (_, 'h') => 'ℎ',
        (_, 'a'..='z') => at(0x1D44E, 'a'),
        (_, 'A'..='Z') => at(0x1D434, 'A'),
        (_, 'α'..='ω') => at(0x1D6FC, 'α'),
        (_, '-') => '−',
        _ => character,
    }
}
