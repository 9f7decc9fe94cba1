//! The tokens of a formula, in LaTeX or as it is typed in running text.

/// A token of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// Digits, with a decimal separator where there is one.
    Number(String),
    /// A letter of LaTeX; in running text, a word or a name of a program.
    Word(String),
    /// Words inside a formula: `\text{…}`.
    Text(String),
    /// A command of LaTeX without its backslash.
    Command(String),
    /// An operator, a relation, `^`, `_` or a comma.
    Sign(char),
    Open(char),
    Close(char),
    /// What nobody can read aloud.
    Unknown,
}

/// Signs of more than one character, with the one that stands for them.
const SIGNS: [(&str, char); 11] = [
    ("==", '='),
    ("!=", '≠'),
    ("<>", '≠'),
    ("<=", '≤'),
    (">=", '≥'),
    ("=>", '→'),
    ("->", '→'),
    ("**", '^'),
    ("\\\\", ','),
    ("\\%", '%'),
    ("+-", '±'),
];
/// Commands whose argument is words.
const TEXTS: [&str; 8] = ["text", "mathrm", "textbf", "textit", "mathbf", "mathit", "operatorname", "mbox"];

/// The tokens of a formula.
pub(super) fn tokens(formula: &str, latex: bool) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = formula;
    while let Some(character) = rest.chars().next() {
        if let Some((sign, meant)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            tokens.push(Token::Sign(*meant));
            rest = &rest[sign.len()..];
            continue;
        }
        let length = match character {
            _ if character.is_whitespace() => character.len_utf8(),
            '\\' => command(rest, &mut tokens),
            _ if character.is_ascii_digit() => number(rest, &mut tokens),
            '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁻' => raised(rest, &mut tokens),
            '₀'..='₉' => {
                tokens.extend([Token::Sign('_'), Token::Number(plain_digit(character).to_string())]);
                character.len_utf8()
            }
            _ if character.is_alphabetic() => letters(rest, latex, &mut tokens),
            _ => {
                tokens.push(match character {
                    '(' | '{' | '[' => Token::Open(character),
                    ')' | '}' | ']' => Token::Close(character),
                    '&' | '~' if latex => Token::Sign(' '),
                    other => Token::Sign(other),
                });
                character.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    tokens.retain(|token| *token != Token::Sign(' '));
    tokens
}

fn command(text: &str, tokens: &mut Vec<Token>) -> usize {
    let length = text[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
    if length == 0 {
        let next = text[1..].chars().next();
        let spacing = matches!(next, Some(',' | ';' | '!' | ':' | ' ' | '(' | ')' | '[' | ']'));
        if !spacing {
            tokens.push(Token::Unknown);
        }
        return 1 + next.map_or(0, char::len_utf8);
    }
    let name = &text[1..=length];
    let after = &text[1 + length..];
    if TEXTS.contains(&name) {
        let inside = after.trim_start().strip_prefix('{').and_then(|inside| inside.split_once('}'));
        if let Some((words, rest)) = inside {
            tokens.push(Token::Text(words.trim().to_owned()));
            return text.len() - rest.len();
        }
    }
    tokens.push(Token::Command(name.to_owned()));
    1 + length
}

fn number(text: &str, tokens: &mut Vec<Token>) -> usize {
    let bytes = text.as_bytes();
    let separates = |at: usize| matches!(bytes[at], b'.' | b',') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
    let length = (0..bytes.len()).find(|at| !bytes[*at].is_ascii_digit() && !separates(*at)).unwrap_or(bytes.len());
    tokens.push(Token::Number(text[..length].to_owned()));
    length
}

fn raised(text: &str, tokens: &mut Vec<Token>) -> usize {
    let digits: String = text.chars().take_while(|character| "⁰¹²³⁴⁵⁶⁷⁸⁹⁻".contains(*character)).collect();
    let plain: String = digits.chars().map(plain_digit).collect();
    tokens.push(Token::Sign('^'));
    match plain.strip_prefix('-') {
        Some(size) => {
            tokens.extend([Token::Open('{'), Token::Sign('-'), Token::Number(size.to_owned()), Token::Close('}')]);
        }
        None => tokens.push(Token::Number(plain)),
    }
    digits.len()
}

/// The plain form of a raised or lowered digit.
pub(super) fn plain_digit(character: char) -> char {
    let place = |digits: &str| digits.chars().position(|digit| digit == character);
    match place("⁰¹²³⁴⁵⁶⁷⁸⁹").or_else(|| place("₀₁₂₃₄₅₆₇₈₉")) {
        Some(value) => "0123456789".chars().nth(value).unwrap_or(character),
        None if character == '⁻' => '-',
        None => character,
    }
}

fn letters(text: &str, latex: bool, tokens: &mut Vec<Token>) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let ends = |character: char| {
        !(character.is_alphanumeric() || matches!(character, '_' | '.' | '\'' | '’'))
            || plain_digit(character) != character
    };
    let length = if latex { first } else { text.find(ends).unwrap_or(text.len()) };
    tokens.push(Token::Word(text[..length].trim_end_matches('.').to_owned()));
    length
}
