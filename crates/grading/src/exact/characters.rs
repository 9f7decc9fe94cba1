//! One way of writing for what looks the same: NFKC, one minus, one quotation mark, ASCII digits, nothing invisible.
//!
//! NFKC alone would make 103 of 10³; superscripts become `^(…)`, subscripts `_…` and ½ becomes `(1/2)` before it.
//! Case and diacritics stay: they mean something in mathematics. [`super::folding`] takes them away from words.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

/// Elements that only say how a text looks; `<` and `>` around anything else compare.
const LOOKS: [&str; 14] =
    ["b", "i", "u", "p", "br", "em", "strong", "span", "div", "font", "small", "mark", "h1", "h2"];
/// Longest tag, in bytes.
const MOST_TAG_BYTES: usize = 200;

/// The text without tags that only say how it looks.
pub(super) fn without_tags(text: &str) -> Cow<'_, str> {
    // "1 < b > 0" closes nothing.
    if !text.contains("</") && !text.contains("<br") {
        return Cow::Borrowed(text);
    }
    let mut bare = Cow::Borrowed("");
    let (mut rest, mut from) = (text, 0);
    while let Some(open) = rest[from..].find('<').map(|at| from + at) {
        let tag = &rest[open + 1..rest.floor_char_boundary(open + MOST_TAG_BYTES)];
        let inner = tag.find(['<', '>']).filter(|end| tag[*end..].starts_with('>')).map(|end| &tag[..end]);
        let name = inner.map(|inner| inner.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default());
        match inner.filter(|_| name.is_some_and(|name| LOOKS.iter().any(|look| look.eq_ignore_ascii_case(name)))) {
            Some(inner) => {
                bare.to_mut().push_str(&rest[..open]);
                bare.to_mut().push(' ');
                (rest, from) = (&rest[open + inner.len() + 2..], 0);
            }
            None => from = open + 1,
        }
    }
    if rest.len() == text.len() { Cow::Borrowed(text) } else { bare + rest }
}

/// The text in its one way of writing.
pub(super) fn plain(text: &str) -> String {
    let mut shaped = String::with_capacity(text.len() + 8);
    let mut characters = text.chars().filter(|one| !is_invisible(*one)).peekable();
    while let Some(character) = characters.next() {
        if let Some(first) = raised(character) {
            shaped.push_str("^(");
            shaped.push(first);
            while let Some(next) = characters.peek().copied().and_then(raised) {
                shaped.push(next);
                characters.next();
            }
            shaped.push(')');
        } else if let Some(digit) = lowered(character) {
            if !shaped.ends_with('_') && !shaped.chars().next_back().is_some_and(|last| last.is_ascii_digit()) {
                shaped.push('_');
            }
            shaped.push(digit);
        } else if let Some(fraction) = vulgar_fraction(character) {
            let follows_number = shaped.chars().next_back().is_some_and(|last| digit_of(last).is_some());
            shaped.push_str(&if follows_number { format!(" {fraction}") } else { format!("({fraction})") });
        } else {
            shaped.push(character);
        }
    }
    let plain: String = shaped.nfkc().map(one_of_its_kind).collect();
    // NFKC takes the Thai vowel of "คำ" apart, which nobody writes in two.
    let plain = if plain.contains("ํา") { plain.replace("ํา", "ำ") } else { plain };
    let plain = if plain.contains("...") { plain.replace("...", "…") } else { plain };
    if plain.contains(['x', 'X']) { with_signs_of_times(&plain) } else { plain }
}

/// `6.02 x 10^23` is a product: between a number and a power of ten, the letter is the sign that keyboards lack.
fn with_signs_of_times(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        let is_sign = matches!(character, 'x' | 'X')
            && written.trim_end_matches(' ').ends_with(|one: char| one.is_ascii_digit())
            && text[at + 1..]
                .trim_start_matches(' ')
                .strip_prefix("10")
                .is_some_and(|rest| rest.trim_start_matches(' ').starts_with('^'));
        written.push(if is_sign { '*' } else { character });
    }
    written
}

/// Whether there is a character that hides something or turns the direction of what follows.
pub(super) fn hides_something(text: &str) -> bool {
    let hides = |one: char| matches!(one, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}' | '\u{200b}' | '\u{2060}' | '\u{feff}' | '\0');
    text.chars().any(hides)
}

fn is_invisible(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' => false,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' => true,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => true,
        '\u{fe00}'..='\u{fe0f}' | '\u{3164}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => character.is_control(),
    }
}

fn raised(character: char) -> Option<char> {
    Some(match character {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴'..='⁹' => char::from_digit(u32::from(character) - u32::from('⁰'), 10)?,
        '⁺' => '+',
        '⁻' => '-',
        '⁽' => '(',
        '⁾' => ')',
        'ⁿ' => 'n',
        'ˣ' => 'x',
        _ => return None,
    })
}

fn lowered(character: char) -> Option<char> {
    char::from_digit(u32::from(character).checked_sub(u32::from('₀')).filter(|digit| *digit < 10)?, 10)
}

fn vulgar_fraction(character: char) -> Option<&'static str> {
    Some(match character {
        '½' => "1/2",
        '⅓' => "1/3",
        '⅔' => "2/3",
        '¼' => "1/4",
        '¾' => "3/4",
        '⅕' => "1/5",
        '⅖' => "2/5",
        '⅗' => "3/5",
        '⅘' => "4/5",
        '⅙' => "1/6",
        '⅚' => "5/6",
        '⅐' => "1/7",
        '⅛' => "1/8",
        '⅜' => "3/8",
        '⅝' => "5/8",
        '⅞' => "7/8",
        '⅑' => "1/9",
        '⅒' => "1/10",
        '↉' => "0/3",
        _ => return None,
    })
}

/// Where the decimal digits of other scripts begin.
const ZEROS: [u32; 20] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20,
    0x1040, 0x17e0, 0x1810, 0x1946,
];

fn digit_of(character: char) -> Option<char> {
    let code = u32::from(character);
    ZEROS.iter().find_map(|zero| char::from_digit(code.checked_sub(*zero).filter(|digit| *digit < 10)?, 10))
}

fn one_of_its_kind(character: char) -> char {
    if character.is_ascii() {
        return character;
    }
    match character {
        '\u{2010}'..='\u{2015}' | '−' | '﹣' | '⁻' => '-',
        '×' | '⋅' | '·' | '∙' | '∗' | '⨯' | '✕' | '✖' | '•' => '*',
        '÷' | '∕' | '⁄' => '/',
        '∶' => ':',
        '“' | '”' | '„' | '‟' | '«' | '»' | '「' | '」' | '『' | '』' | '″' => '"',
        '‘' | '’' | '‚' | '‛' | '‹' | '›' | '′' | '`' | '´' => '\'',
        '、' | '،' => ',',
        '؛' => ';',
        '。' | '।' => '.',
        '؟' => '?',
        '٪' => '%',
        '≦' | '⩽' => '≤',
        '≧' | '⩾' => '≥',
        '≃' | '≅' | '≒' => '≈',
        '˚' | 'º' => '°',
        'ϕ' => 'φ',
        'ϵ' => 'ε',
        'µ' => 'μ',
        'Ω' => 'Ω',
        '⟨' | '〈' | '〔' => '(',
        '⟩' | '〉' | '〕' => ')',
        '【' => '[',
        '】' => ']',
        other if other.is_whitespace() && other != '\n' => ' ',
        other => digit_of(other).unwrap_or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_the_same_is_written_the_same() {
        for (written, expected) in [
            ("10³", "10^(3)"),
            ("10⁻²", "10^(-2)"),
            ("H₂O", "H_2O"),
            ("½", "(1/2)"),
            ("2½", "2 1/2"),
            ("１２", "12"),
            ("٣٫٥", "3٫5"),
            ("Pa\u{ad}ris", "Paris"),
            ("−7", "-7"),
            ("5\u{a0}000", "5 000"),
            ("\u{202e}12\u{202c}", "12"),
            ("a\0b", "ab"),
            ("℃", "°C"),
            ("Sa\u{303}o", "São"),
            ("คำว่าน้ำ", "คำว่าน้ำ"),
        ] {
            assert_eq!(plain(written), expected, "{written}");
        }
    }
}
