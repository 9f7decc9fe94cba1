//! Relations, breaks and letters of formulas.

use language::Signs;

use super::tokens::Token;

/// Whether a side of a formula ends at a token.
pub(super) fn relation_or_break(token: Option<&Token>, signs: &Signs) -> bool {
    token.is_some_and(|token| is_break(token) || relation(token, signs).is_some())
}

/// A comma or an arrow, behind which a formula begins anew.
pub(super) fn is_break(token: &Token) -> bool {
    match token {
        Token::Sign(sign) => matches!(sign, ',' | ';' | '→' | '⇒' | '\n'),
        Token::Command(name) => {
            matches!(
                name.as_str(),
                "to" | "rightarrow" | "Rightarrow" | "implies" | "Longrightarrow" | "iff" | "Leftrightarrow"
            )
        }
        _ => false,
    }
}

/// The template of a relation.
pub(super) fn relation(token: &Token, signs: &Signs) -> Option<&'static str> {
    Some(match token {
        Token::Sign('=') => signs.equals,
        Token::Sign('≠') => signs.not_equal,
        Token::Sign('<') => signs.less,
        Token::Sign('>') => signs.greater,
        Token::Sign('≤' | '⩽') => signs.at_most,
        Token::Sign('≥' | '⩾') => signs.at_least,
        Token::Sign('≈' | '≃') => signs.nearly,
        Token::Command(name) => match name.as_str() {
            "neq" | "ne" => signs.not_equal,
            "lt" => signs.less,
            "gt" => signs.greater,
            "le" | "leq" | "leqslant" => signs.at_most,
            "ge" | "geq" | "geqslant" => signs.at_least,
            "approx" | "simeq" | "sim" => signs.nearly,
            _ => return None,
        },
        _ => return None,
    })
}

/// The only character of a word.
pub(super) fn single(word: &str) -> Option<char> {
    let mut letters = word.chars();
    letters.next().filter(|_| letters.next().is_none())
}

/// The letter of a command such as `\alpha`.
pub(super) fn greek_letter(command: &str) -> Option<char> {
    let name = command.strip_prefix("var").unwrap_or(command);
    let small = [
        ("alpha", 'α'),
        ("beta", 'β'),
        ("gamma", 'γ'),
        ("delta", 'δ'),
        ("epsilon", 'ε'),
        ("theta", 'θ'),
        ("lambda", 'λ'),
        ("mu", 'μ'),
        ("pi", 'π'),
        ("rho", 'ρ'),
        ("sigma", 'σ'),
        ("tau", 'τ'),
        ("phi", 'φ'),
        ("omega", 'ω'),
    ];
    let lower = name.to_lowercase();
    let (_, letter) = small.iter().find(|(known, _)| *known == lower)?;
    Some(if name == lower { *letter } else { letter.to_uppercase().next().unwrap_or(*letter) })
}
