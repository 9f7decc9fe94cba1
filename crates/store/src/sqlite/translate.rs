//! The shared SQL text in SQLite's words.
//!
//! `$n` becomes `?n`, because SQLite numbers `$n` by first occurrence. `FOR UPDATE` and `FOR NO KEY UPDATE`, with or
//! without `SKIP LOCKED`, and `FOR KEY SHARE` disappear: only one writer runs at a time. Literals, quoted names and comments stay.

/// Translates one statement.
pub(super) fn translate(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let token = token_length(rest, first);
        let (head, tail) = rest.split_at(token);
        match head {
            "$" if tail.starts_with(|next: char| next.is_ascii_digit()) => text.push('?'),
            "FOR" => {
                if let Some(tail) = after_lock_clause(tail) {
                    rest = tail;
                    continue;
                }
                text.push_str(head);
            }
            _ => text.push_str(head),
        }
        rest = tail;
    }
    text
}

/// The length in bytes of the literal, comment, word or single character that `text` starts with.
fn token_length(text: &str, first: char) -> usize {
    let closed_by = |end: &str| text[1..].find(end).map_or(text.len(), |at| 1 + at + end.len());
    match first {
        '\'' => closed_by("'"),
        '"' => closed_by("\""),
        '-' if text.starts_with("--") => closed_by("\n"),
        '/' if text.starts_with("/*") => closed_by("*/"),
        word if is_word(word) => text.find(|next| !is_word(next)).unwrap_or(text.len()),
        other => other.len_utf8(),
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// What follows ` KEY SHARE`, ` UPDATE` or ` NO KEY UPDATE`, and ` SKIP LOCKED` after an update.
fn after_lock_clause(text: &str) -> Option<&str> {
    if let Some(tail) = after_word(text, "KEY").and_then(|tail| after_word(tail, "SHARE")) {
        return Some(tail);
    }
    let weaker = after_word(text, "NO").and_then(|tail| after_word(tail, "KEY"));
    let tail = after_word(weaker.unwrap_or(text), "UPDATE")?;
    let skipping = after_word(tail, "SKIP").and_then(|tail| after_word(tail, "LOCKED"));
    Some(skipping.unwrap_or(tail))
}

fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let tail = text.trim_start().strip_prefix(word)?;
    (!tail.starts_with(is_word)).then_some(tail)
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[test]
    fn numbers_parameters_whatever_their_order() {
        assert_eq!(translate("SELECT $2, $1, $10"), "SELECT ?2, ?1, ?10");
    }

    #[test]
    fn leaves_literals_names_and_comments_alone() {
        let sql = "SELECT '$1 FOR UPDATE', 'it''s $2', \"$3\", 'é' -- $4\n, $5 /* $6 */ FROM t";
        let expected = "SELECT '$1 FOR UPDATE', 'it''s $2', \"$3\", 'é' -- $4\n, ?5 /* $6 */ FROM t";
        assert_eq!(translate(sql), expected);
    }

    #[test]
    fn drops_row_locks_and_nothing_like_them() {
        assert_eq!(translate("SELECT id FROM t FOR UPDATE"), "SELECT id FROM t ");
        assert_eq!(translate("SELECT id FROM t FOR NO KEY UPDATE"), "SELECT id FROM t ");
        assert_eq!(translate("SELECT id FROM t FOR KEY SHARE"), "SELECT id FROM t ");
        assert_eq!(translate("(SELECT id FROM t LIMIT $1 FOR UPDATE\n SKIP LOCKED)"), "(SELECT id FROM t LIMIT ?1 )");
        let others = "SELECT FOR_UPDATE, FORUPDATE FROM t -- open\n";
        assert_eq!(translate(others), others);
        assert_eq!(translate("SELECT 'open"), "SELECT 'open");
    }
}
