//! Formulas as a keyboard writes them, as LaTeX.

/// Raised and lowered digits and signs, with those that they stand for.
const RAISED: [(char, char); 14] = [
    ('⁰', '0'),
    ('¹', '1'),
    ('²', '2'),
    ('³', '3'),
    ('⁴', '4'),
    ('⁵', '5'),
    ('⁶', '6'),
    ('⁷', '7'),
    ('⁸', '8'),
    ('⁹', '9'),
    ('⁺', '+'),
    ('⁻', '-'),
    ('ⁿ', 'n'),
    ('ⁱ', 'i'),
];
const LOWERED: [(char, char); 12] = [
    ('₀', '0'),
    ('₁', '1'),
    ('₂', '2'),
    ('₃', '3'),
    ('₄', '4'),
    ('₅', '5'),
    ('₆', '6'),
    ('₇', '7'),
    ('₈', '8'),
    ('₉', '9'),
    ('₊', '+'),
    ('ₙ', 'n'),
];
/// Signs with their commands.
const COMMANDS: [(char, &str); 24] = [
    ('×', r"\times "),
    ('*', r"\times "),
    ('·', r"\cdot "),
    ('⋅', r"\cdot "),
    ('÷', r"\div "),
    ('−', "-"),
    ('–', "-"),
    ('≤', r"\le "),
    ('≥', r"\ge "),
    ('≠', r"\ne "),
    ('≈', r"\approx "),
    ('±', r"\pm "),
    ('→', r"\to "),
    ('⇌', r"\rightleftharpoons "),
    ('∝', r"\propto "),
    ('≡', r"\equiv "),
    ('∞', r"\infty "),
    ('∂', r"\partial "),
    ('∆', r"\Delta "),
    ('∑', r"\sum "),
    ('∫', r"\int "),
    ('%', r"\%"),
    ('°', r"^{\circ}"),
    ('′', "'"),
];
const FUNCTIONS: [&str; 9] = ["sin", "cos", "tan", "log", "ln", "lim", "exp", "max", "min"];

/// Whether a character is a raised or lowered digit.
pub(crate) fn is_script_digit(character: char) -> bool {
    RAISED.iter().chain(&LOWERED).any(|(script, _)| *script == character)
}

/// The LaTeX of such a formula.
pub(super) fn to_latex(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut latex = String::new();
    let mut at = 0;
    while at < characters.len() {
        let from = at;
        let while_in =
            |is_in: &dyn Fn(char) -> bool| characters[from..].iter().take_while(|sign| is_in(**sign)).count();
        let (raised, lowered) = (while_in(&|sign| in_table(&RAISED, sign)), while_in(&|sign| in_table(&LOWERED, sign)));
        if raised + lowered > 0 {
            let (table, sign): (&[_], _) = if raised > 0 { (&RAISED, '^') } else { (&LOWERED, '_') };
            at += raised + lowered;
            let digits: String = characters[from..at].iter().filter_map(|sign| plain_of(table, *sign)).collect();
            latex.push_str(&format!("{sign}{{{digits}}}"));
        } else if characters[at].is_alphabetic() {
            // A raised digit counts as alphanumeric.
            at += while_in(&|sign| sign.is_alphanumeric() && !is_script_digit(sign));
            word(&characters[from..at], &mut latex);
        } else if matches!(characters[at], '^' | '_') {
            latex.push(characters[at]);
            at += 1;
            // The whole number or word is raised: `x^10`.
            let script = characters[at..].iter().take_while(|sign| sign.is_alphanumeric()).count();
            if script > 1 {
                let script: String = characters[at..at + script].iter().collect();
                at += script.chars().count();
                latex.push_str(&format!("{{{script}}}"));
            }
        } else if characters[at] == '√' {
            at += 1 + root(&characters[at + 1..], &mut latex);
        } else {
            sign(characters[at], &mut latex);
            at += 1;
        }
    }
    latex
}

fn in_table(table: &[(char, char)], sign: char) -> bool {
    table.iter().any(|(script, _)| *script == sign)
}

fn plain_of(table: &[(char, char)], sign: char) -> Option<char> {
    table.iter().find(|(script, _)| *script == sign).map(|(_, plain)| *plain)
}

fn sign(sign: char, latex: &mut String) {
    match COMMANDS.iter().find(|(known, _)| *known == sign) {
        Some((_, command)) => latex.push_str(command),
        None if matches!(sign, '{' | '}' | '#' | '&' | '$' | '~' | '\\') => {}
        None => latex.push(sign),
    }
}

/// Variables stay letters; names are upright, and in names of substances digits are lowered.
fn word(word: &[char], latex: &mut String) {
    let text: String = word.iter().collect();
    let has_digits = word.iter().any(|sign| sign.is_ascii_digit());
    let is_substance = has_digits && word[0].is_ascii_uppercase();
    if FUNCTIONS.contains(&text.as_str()) {
        latex.push_str(&format!("\\{text} "));
    } else if is_substance {
        let has_count = latex.trim_end().ends_with(|before: char| before.is_ascii_digit()) && latex.ends_with(' ');
        latex.push_str(if has_count { "\\,\\mathrm{" } else { "\\mathrm{" });
        let mut in_digits = false;
        for sign in word {
            match (in_digits, sign.is_ascii_digit()) {
                (false, true) => latex.push_str("_{"),
                (true, false) => latex.push('}'),
                _ => {}
            }
            in_digits = sign.is_ascii_digit();
            latex.push(*sign);
        }
        latex.push_str(if in_digits { "}}" } else { "}" });
    } else if word.len() <= 2 && word.iter().all(char::is_ascii_alphanumeric) {
        latex.push_str(&text);
    } else if let ([letter], true) = (word, ('α'..='ω').contains(&word[0]) || ('Α'..='Ω').contains(&word[0])) {
        latex.push(*letter);
    } else {
        latex.push_str(&format!("\\text{{{text}}}"));
    }
}

/// The root of what follows: parentheses, a number or a letter. Says how many characters that are.
fn root(rest: &[char], latex: &mut String) -> usize {
    let close = rest.iter().position(|sign| *sign == ')').filter(|_| rest.first() == Some(&'('));
    let (inside, taken) = match close {
        Some(close) => (&rest[1..close], close + 1),
        None => {
            let end = rest.iter().take_while(|sign| sign.is_alphanumeric() && !is_script_digit(**sign)).count();
            (&rest[..end], end)
        }
    };
    let inside = to_latex(&inside.iter().collect::<String>());
    latex.push_str(&format!("\\sqrt{{{inside}}}"));
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_a_keyboard_become_latex() {
        for (text, latex) in [
            ("E = mc²", "E = mc^{2}"),
            ("(1 + r)^t", "(1 + r)^t"),
            ("x^10", "x^{10}"),
            ("speed = distance / time", r"\text{speed} = \text{distance} / \text{time}"),
            ("6 CO2 → O2", r"6 \,\mathrm{CO_{2}} \to  \mathrm{O_{2}}"),
            ("√(a² + b²)", r"\sqrt{a^{2} + b^{2}}"),
            ("√2", r"\sqrt{2}"),
            ("H₂O", "H_{2}O"),
        ] {
            assert_eq!(to_latex(text), latex, "{text}");
        }
    }
}
