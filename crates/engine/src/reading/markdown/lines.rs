//! What single lines of a text are.

use super::super::math::{GUARD, LESS_THAN};

/// How far a line is set in; a tab counts as four spaces.
pub(in crate::reading) fn indent(line: &str) -> usize {
    line.chars()
        .take_while(|character| character.is_whitespace())
        .map(|character| if character == '\t' { 4 } else { 1 })
        .sum()
}

/// A line of nothing but dashes or the like.
pub(in crate::reading) fn is_rule(line: &str) -> bool {
    line.len() >= 3
        && (line.bytes().all(|byte| byte == b'-')
            || line.bytes().all(|byte| byte == b'*')
            || line.bytes().all(|byte| byte == b'_')
            || line.bytes().all(|byte| byte == b'='))
}

/// An item's text behind its bullet.
pub(in crate::reading) fn bullet_mark(line: &str) -> Option<&str> {
    ["- ", "* ", "+ ", "• ", "– ", "‣ ", "・", "◦ ", "▪ ", "● ", "·\u{20}"]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .map(str::trim)
}

/// An item's text behind its bullet or number; the flag says that it is numbered.
pub(super) fn bullet(line: &str) -> Option<(bool, &str)> {
    if let Some(text) = bullet_mark(line) {
        return Some((false, text));
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=3).contains(&digits) {
        return None;
    }
    let rest = &line[digits..];
    let text = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")).or_else(|| rest.strip_prefix('、'))?;
    Some((true, text.trim()))
}

/// Whether a line is a heading with number signs.
pub(super) fn is_heading(line: &str) -> bool {
    let depth = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&depth) && line[depth..].starts_with([' ', '\t'])
}

/// The marks of the fence that a line opens.
pub(super) fn fence(line: &str) -> Option<&str> {
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let marks = &line[..line.len() - line.trim_start_matches(sign).len()];
    (marks.len() >= 3 && !(sign == '`' && line[marks.len()..].contains('`'))).then_some(marks)
}

/// Whether a line would begin a block in Markdown that its writer did not mean: a definition of a link without an address, a
/// list that begins with a year, a setext heading.
pub(super) fn needs_guard(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    match line.as_bytes().first() {
        Some(b'[') => line.split_once("]:").is_some_and(|(_, address)| {
            let address = address.trim_start().trim_start_matches(LESS_THAN);
            !["http", "mailto:", "/", "#", "./", "../"].iter().any(|start| address.starts_with(start))
        }),
        Some(b'0'..=b'9') => digits > 3 && line[digits..].starts_with(['.', ')']),
        _ => false,
    }
}

/// A line that begins no block, for text that has no room for any.
pub(super) fn guarded(line: &str, into: &mut String) {
    let marks = |sign: char| line.chars().all(|character| character == sign || character == ' ');
    let emphasis = line.starts_with(['*', '_', '~'])
        && !line[1..].starts_with(' ')
        && !line.starts_with("~~~")
        && !['*', '_'].into_iter().any(marks);
    if !emphasis && line.starts_with(|first: char| first.is_ascii_digit() || first.is_ascii_punctuation()) {
        into.push(GUARD);
    }
    into.push_str(line);
}
