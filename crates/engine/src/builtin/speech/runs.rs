//! Formulas that stand in running text without delimiters: "If a > 0, the graph opens upwards".

use super::Voice;
use super::amounts;
use super::pieces::{Kind, Piece};

/// What a piece is to a formula that stands in running text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A relation or an operator.
    Sign,
    /// Holds one between its letters.
    Formula,
    /// A number or a letter.
    Operand,
    /// A sign that is one only next to operands: "a - b".
    Weak,
    Word,
}

/// The stretches of pieces that are formulas.
pub(super) fn runs(pieces: &[Piece], voice: &Voice) -> Vec<std::ops::Range<usize>> {
    let roles: Vec<Role> = (0..pieces.len()).map(|at| role(pieces, at, voice)).collect();
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    let mut at = 0;
    while at < roles.len() {
        if !matches!(roles[at], Role::Sign | Role::Formula) {
            at += 1;
            continue;
        }
        let floor = runs.last().map_or(0, |run| run.end);
        let start = grown(pieces, &roles, at, floor);
        let mut end = at + 1;
        while end < roles.len()
            && pieces[end - 1].trail.is_empty()
            && pieces[end].lead.trim_start_matches('(').is_empty()
        {
            let joined = roles[end] != Role::Word || matches!(roles[end - 1], Role::Sign | Role::Weak);
            let after = roles.get(end + 1);
            let related = after.is_some() && roles[start..end].contains(&Role::Sign);
            let weak_end =
                roles[end] == Role::Weak && !related && !matches!(after, Some(Role::Operand | Role::Formula));
            if !joined || weak_end || pieces[end].kind == Kind::Latex {
                break;
            }
            end += 1;
        }
        runs.push(start..end);
        at = end;
    }
    runs
}

/// Where the formula begins that a sign belongs to.
fn grown(pieces: &[Piece], roles: &[Role], sign: usize, floor: usize) -> usize {
    let mut start = sign;
    while start > floor
        && pieces[start - 1].trail.trim_start_matches(')').is_empty()
        && pieces[start].lead.trim_start_matches('(').is_empty()
    {
        let before = roles[start - 1];
        let joined = match before {
            Role::Word => roles[start] == Role::Sign,
            Role::Weak => start >= 2 && roles[start - 2] == Role::Operand,
            _ => true,
        };
        if !joined || pieces[start - 1].kind == Kind::Latex {
            break;
        }
        start -= 1;
        if before == Role::Word {
            break;
        }
    }
    start
}

fn role(pieces: &[Piece], at: usize, voice: &Voice) -> Role {
    let piece = &pieces[at];
    if piece.kind == Kind::Latex {
        return Role::Word;
    }
    let core = piece.core.as_str();
    let mut characters = core.chars();
    let (first, second) = (characters.next(), characters.next());
    if matches!(core, "==" | "!=" | "<=" | ">=") || second.is_none() && first.is_some_and(is_relation) {
        return Role::Sign;
    }
    let is_letter = |letter: char| letter.is_ascii_alphabetic() || matches!(letter, 'α'..='ω');
    match (first, second) {
        (Some('+' | '×' | '·' | '÷' | '±'), None) => return Role::Sign,
        (Some('-' | '−' | '*' | '/'), None) => return Role::Weak,
        (Some(letter), None) if is_letter(letter) => return Role::Operand,
        _ => {}
    }
    if amounts::is_number(core) {
        return Role::Operand;
    }
    let is_unit = at > 0 && amounts::is_number(&pieces[at - 1].core) && voice.speech.unit(core).is_some();
    if is_unit {
        return Role::Operand;
    }
    if is_formula(core, voice) { Role::Formula } else { Role::Word }
}

fn is_relation(character: char) -> bool {
    matches!(character, '=' | '<' | '>' | '≤' | '≥' | '≠' | '≈')
}

/// "x=5", "2+3", "x²", "2/3", "f(x)", but no range, name, address or unit.
fn is_formula(core: &str, voice: &Voice) -> bool {
    let letters = |text: &str| text.chars().filter(|character| character.is_alphabetic()).count();
    if core.contains("://") || core.contains("->") || core.contains("=>") || core.contains('→') {
        return false;
    }
    if core.contains(is_relation) {
        return core.chars().any(char::is_alphanumeric);
    }
    let attached =
        core.find(|character: char| !character.is_ascii_digit() && !matches!(character, '.' | ',' | '-' | '−'));
    if attached.is_some_and(|unit| unit > 0 && voice.speech.unit(&core[unit..]).is_some())
        || voice.speech.unit(core).is_some()
    {
        return false;
    }
    if core.contains(['√', '²', '³', '^']) && core.chars().any(char::is_alphanumeric) {
        return true;
    }
    let bytes = core.as_bytes();
    let digits = |at: usize| {
        at > 0 && bytes[at - 1].is_ascii_alphanumeric() && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
    };
    let operator = |at: &usize| match bytes[*at] {
        b'+' | b'*' => digits(*at),
        b'/' => digits(*at) && core.matches('/').count() == 1,
        _ => false,
    };
    let short =
        letters(core) <= 3 && core.split(|character: char| !character.is_alphabetic()).all(|word| word.len() <= 1);
    if short && ((0..bytes.len()).any(|at| operator(&at)) || core.contains(['×', '÷', '·', '±'])) {
        return true;
    }
    let function = ["f(", "g(", "h("].iter().any(|start| core.starts_with(start));
    function && core.ends_with(')') && core.len() > 3
}
