//! A text cut into words with the punctuation around them, and into formulas.

use language::script::is_unspaced;

/// A word, or a formula, with its punctuation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// Opening marks.
    pub(super) lead: String,
    pub(super) core: String,
    /// Closing marks.
    pub(super) trail: String,
    /// No space stands before it.
    pub(super) glued: bool,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// LaTeX, without its delimiters.
    Latex,
}

/// Longest formula that is looked for, in bytes.
const MAX_FORMULA: usize = 600;

/// The pieces of a text, in order.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    // A delimiter without its partner is looked for once.
    let mut unpaired: Vec<&str> = Vec::new();
    let (mut from, mut search) = (0, 0);
    while let Some(at) = text[search..].find(['$', '\\']).map(|at| search + at) {
        let Some((formula, length)) = latex_at(&text[at..], &mut unpaired) else {
            search = at + 1;
            continue;
        };
        push_words(text, from..at, &mut pieces);
        let after = &text[at + length..];
        let tail = after.find(|character: char| !is_closing(character)).unwrap_or(after.len());
        let glued = !is_spaced(text, at);
        let trail = after[..tail].to_owned();
        pieces.push(Piece { lead: String::new(), core: formula.to_owned(), trail, glued, kind: Kind::Latex });
        from = at + length + tail;
        search = from;
    }
    push_words(text, from..text.len(), &mut pieces);
    pieces
}

/// Whether white space stands before a place, or nothing.
fn is_spaced(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(char::is_whitespace)
}

/// The formula that a text begins with, and how many bytes it takes.
pub(super) fn latex_at<'t>(text: &'t str, unpaired: &mut Vec<&'static str>) -> Option<(&'t str, usize)> {
    for (open, close) in [("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")] {
        let Some(inside) = text.strip_prefix(open) else { continue };
        if unpaired.contains(&open) {
            return None;
        }
        let Some(end) = inside.find(close) else {
            unpaired.push(open);
            return None;
        };
        let formula = &inside[..end];
        let is_money = open == "$" && is_money(formula);
        let fits = !formula.trim().is_empty() && end <= MAX_FORMULA && !is_money;
        return fits.then_some((formula, open.len() + end + close.len()));
    }
    bare_command(text)
}

/// Between the signs of two amounts stand words, or a space before the second: "$5 and $6".
fn is_money(between: &str) -> bool {
    let maths = between.contains(['\\', '^', '_', '=', '{', '<', '>']);
    let words = between.split(|character: char| !character.is_alphabetic()).any(|word| word.chars().count() > 2);
    between.starts_with(|first: char| first.is_ascii_digit())
        && !maths
        && (words || between.ends_with(char::is_whitespace) || between.ends_with(['/', '-', '–', '(']))
}

/// A command without delimiters: up to the next white space outside its braces.
fn bare_command(text: &str) -> Option<(&str, usize)> {
    if !text.strip_prefix('\\')?.starts_with(|next: char| next.is_ascii_alphabetic()) {
        return None;
    }
    let mut depth = 0_usize;
    let end = text
        .char_indices()
        .take(MAX_FORMULA)
        .find(|(_, character)| {
            match character {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && (character.is_whitespace() || matches!(character, ',' | ';' | '.' | '$'))
        })
        .map_or(text.len().min(MAX_FORMULA), |(at, _)| at);
    text.is_char_boundary(end).then(|| (&text[..end], end))
}

fn push_words(text: &str, range: std::ops::Range<usize>, pieces: &mut Vec<Piece>) {
    let spaced = is_spaced(text, range.start);
    let text = &text[range];
    let spaced = spaced || text.starts_with(char::is_whitespace);
    for (at, word) in text.split_whitespace().enumerate() {
        for (within, part) in script_parts(word).into_iter().enumerate() {
            let mut piece = piece_of(part);
            piece.glued = within > 0 || at == 0 && !spaced;
            pieces.push(piece);
        }
    }
}

/// "约5km的" is three parts: signs and digits stand by themselves beside scripts without spaces and Hangul.
fn script_parts(word: &str) -> Vec<&str> {
    let foreign = |character: char| {
        (is_unspaced(character) && character.is_alphanumeric() || matches!(character, '\u{AC00}'..='\u{D7A3}'))
            && !matches!(character, '％' | '￥')
    };
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (at, character) in word.char_indices() {
        let turns = before.is_some_and(|last| {
            foreign(last) != foreign(character)
                && (last.is_ascii_alphanumeric()
                    || character.is_ascii_alphanumeric()
                    || is_sign(last)
                    || is_sign(character))
        });
        if turns {
            parts.push(&word[start..at]);
            start = at;
        }
        before = Some(character);
    }
    parts.push(&word[start..]);
    parts
}

fn is_sign(character: char) -> bool {
    "=<>≤≥≠≈×÷√±+−%°℃￥¥$€£₹₩".contains(character)
}

fn piece_of(word: &str) -> Piece {
    let from = word.find(|character: char| !is_opening(character)).unwrap_or(word.len());
    let mut end = word[from..]
        .rfind(|character: char| !is_closing(character))
        .map_or(from, |at| from + at + word[from + at..].chars().next().map_or(0, char::len_utf8));
    // "f(x)" and "print()" keep their bracket.
    if word[from..end].contains('(') && word[end..].starts_with(')') {
        end += 1;
    }
    Piece {
        lead: word[..from].to_owned(),
        core: word[from..end].to_owned(),
        trail: word[end..].to_owned(),
        glued: false,
        kind: Kind::Word,
    }
}

fn is_opening(character: char) -> bool {
    matches!(
        character,
        '(' | '[' | '"' | '\'' | '„' | '“' | '‘' | '«' | '»' | '¿' | '¡' | '「' | '『' | '（' | '《' | '`'
    )
}

fn is_closing(character: char) -> bool {
    matches!(
        character,
        '.' | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | ')'
            | ']'
            | '"'
            | '\''
            | '”'
            | '’'
            | '»'
            | '«'
            | '“'
            | '…'
            | '。'
            | '，'
            | '、'
            | '；'
            | '：'
            | '！'
            | '？'
            | '」'
            | '』'
            | '）'
            | '》'
            | '،'
            | '؛'
            | '؟'
            | '।'
            | '۔'
            | '`'
    )
}
