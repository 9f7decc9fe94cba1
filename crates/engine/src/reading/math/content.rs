//! Tells formulas from prices and shell variables by what stands between the delimiters.

/// Longest formula, in bytes.
pub(super) const LONGEST: usize = 4_000;
/// Longest formula between single dollar signs that has no TeX in it, in bytes.
const LONGEST_PLAIN: usize = 80;
/// Names of functions that stand in formulas as they are.
const FUNCTIONS: [&str; 22] = [
    "sin", "cos", "tan", "cot", "sec", "csc", "log", "ln", "lg", "exp", "lim", "max", "min", "mod", "gcd", "lcm",
    "det", "dim", "arg", "deg", "sqrt", "abs",
];

/// LaTeX on one line.
pub(in crate::reading) fn normalise(latex: &str) -> String {
    latex.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the text between two dollar signs is a formula. `before` and `after` stand outside of them.
pub(super) fn is_formula(text: &str, before: Option<char>, after: Option<char>) -> bool {
    let trimmed = text.trim();
    if trimmed.is_empty() || text.len() > LONGEST || trimmed.contains('$') {
        return false;
    }
    if has_tex(trimmed) {
        return true;
    }
    let hugged = trimmed.len() == text.len();
    let glued = before.is_some_and(char::is_alphanumeric) || after.is_some_and(|after| after.is_ascii_digit());
    let relation = trimmed.contains(['=', '<', '>', '+', '≤', '≥', '≠', '·', '×']);
    !glued && (hugged || relation) && text.len() <= LONGEST_PLAIN && is_plain(trimmed)
}

/// Whether the text between `\(` and `\)` or `\[` and `\]` is a formula; Markdown writes brackets like that, too.
pub(in crate::reading) fn is_bracketed_formula(text: &str) -> bool {
    let trimmed = text.trim();
    !trimmed.is_empty()
        && text.len() <= LONGEST
        && (has_tex(trimmed) || text.len() <= LONGEST_PLAIN && is_plain(trimmed))
}

/// A command, or an exponent or index behind something short.
fn has_tex(text: &str) -> bool {
    let mut word = 0;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        match character {
            '\\' if next.is_some_and(|next| {
                next.is_ascii_alphabetic() || matches!(next, '\\' | '{' | '}' | ',' | ';' | '|')
            }) =>
            {
                return true;
            }
            '^' | '_' if word <= 2 && next.is_some_and(|next| !next.is_whitespace()) => return true,
            letter if letter.is_alphabetic() => word += 1,
            _ => word = 0,
        }
    }
    false
}

/// Numbers, letters and operators, and no words.
fn is_plain(text: &str) -> bool {
    let sign = |character: char| "=<>+-−*/·×÷±≤≥≠≈∞∈∪∩→()[]{}|,.;:!'′° ".contains(character);
    if !text.chars().all(|character| character.is_alphanumeric() || sign(character)) {
        return false;
    }
    let words = text.split(|character: char| !character.is_alphabetic());
    let short = |word: &str| word.chars().count() <= 2 || FUNCTIONS.contains(&word);
    if !words.filter(|word| !word.is_empty()).all(short) {
        return false;
    }
    // "5 to", "a is": words that stand alone, with more than one letter.
    if text
        .split(' ')
        .any(|word| word.chars().count() > 1 && word.chars().all(char::is_alphabetic) && !FUNCTIONS.contains(&word))
    {
        return false;
    }
    let ends_open = text.ends_with(['=', '<', '>', '+', '-', '−', '*', '/', '·', '×', ',', ';', ':', '.', '(', '[']);
    let lettered = text.contains(char::is_alphabetic);
    let relation = text.contains(['=', '<', '>', '+', '≤', '≥', '≠']);
    !ends_open && (lettered || relation || text.chars().all(|character| character.is_ascii_digit()))
}
