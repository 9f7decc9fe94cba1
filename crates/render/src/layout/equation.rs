//! Formulas that are written without LaTeX: `E = mc²`, `(1 + r)^t`, `speed = distance / time`.

/// Words of a formula at most; more are a sentence.
const MOST_WORDS: usize = 8;
/// Characters of a formula at most.
const LONGEST: usize = 70;
/// Names of functions, which are longer than a variable.
const FUNCTIONS: [&str; 10] = ["sin", "cos", "tan", "log", "ln", "lim", "exp", "max", "min", "mod"];

/// Whether a line is a formula.
pub(super) fn is_equation(line: &str) -> bool {
    let is_short = line.chars().count() <= LONGEST;
    let is_sentence = line.ends_with(['.', '!', '?', '。', '।', '؟', ',']);
    if !is_short
        || is_sentence
        || !line.chars().all(is_allowed)
        || line.starts_with(['-', '–', '•', '*', '>']) && line[1..].starts_with(' ')
    {
        return false;
    }
    let words: Vec<&str> =
        line.split(|character: char| !character.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let longest =
        words.iter().filter(|word| !FUNCTIONS.contains(word)).map(|word| word.chars().count()).max().unwrap_or(0);
    let relations = line.matches(['=', '≈', '≠', '≤', '≥', '<', '>', '→', '⇌', '∝', '≡']).count();
    let has_power = line.contains(['^', '√', '²', '³', '∑', '∫', 'π', '₂', '₃', '₀', '₁']);
    let has_operator =
        [" + ", " − ", " - ", " × ", " · ", " / ", "÷", "*", "+", "/"].iter().any(|sign| line.contains(sign));
    let has_symbols = words.len() <= MOST_WORDS && line.contains(|character: char| character.is_alphanumeric());
    // Both sides of a relation have something to compare.
    let sides = line.split(['=', '≈', '≠', '≤', '≥', '→', '⇌', '∝', '≡']);
    let is_whole = sides.into_iter().all(|side| side.contains(|character: char| character.is_alphanumeric()));
    let is_related =
        relations > 0 && is_whole && (longest <= 3 || line.contains('=') || line.contains('→') && has_operator);
    let is_expression =
        has_power && longest <= 2 || has_operator && longest <= 1 && words.len() >= 2 && line.contains('(');
    has_symbols && (is_related && relations <= 3 || is_expression)
}

/// Characters that a formula is written with.
fn is_allowed(character: char) -> bool {
    character.is_alphanumeric()
        || crate::formula::is_script_digit(character)
        || matches!(
            character,
            ' ' | '='
                | '+'
                | '-'
                | '−'
                | '–'
                | '×'
                | '·'
                | '⋅'
                | '*'
                | '/'
                | '÷'
                | '^'
                | '_'
                | '('
                | ')'
                | '['
                | ']'
                | '{'
                | '}'
                | '.'
                | ','
                | '<'
                | '>'
                | '≤'
                | '≥'
                | '≠'
                | '≈'
                | '±'
                | '√'
                | '∑'
                | '∫'
                | '∞'
                | '∂'
                | '∆'
                | '→'
                | '⇌'
                | '∝'
                | '≡'
                | '%'
                | '°'
                | '!'
                | '|'
                | '′'
                | '\''
        )
        || unicode_normalization::char::is_combining_mark(character)
}
