//! Signs in a line that tell what it is: quotation marks, numbers with units, colons, pipes, dollars.

/// Quotation marks of the languages that are taught, by pairs.
const QUOTES: [(char, char); 11] = [
    ('“', '”'),
    ('„', '“'),
    ('„', '”'),
    ('”', '”'),
    ('«', '»'),
    ('»', '«'),
    ('「', '」'),
    ('『', '』'),
    ('"', '"'),
    ('‘', '’'),
    ('《', '》'),
];
/// Dashes before the name of who said so.
const DASHES: [char; 4] = ['—', '–', '-', '―'];
/// Signs of money before a number.
const CURRENCIES: [char; 8] = ['$', '€', '£', '¥', '₹', '₽', '₴', '₩'];
/// Characters of a number with its unit, at most.
const LONGEST_FIGURE: usize = 16;
/// Words of a label, at most.
const LONGEST_LABEL: usize = 60;

/// A quotation with what stands behind it, which begins with a dash or in parentheses.
pub(super) fn quotation(line: &str) -> Option<(&str, &str)> {
    QUOTES.into_iter().find_map(|(open, close)| {
        let inside = line.strip_prefix(open)?;
        let (text, behind) = inside.rsplit_once(close)?;
        let behind = behind.trim();
        let is_source = behind.is_empty() || behind.starts_with(DASHES) || behind.starts_with('(');
        let is_whole = !text.trim().is_empty() && (open == close || !text.contains(open));
        let is_single = open != close || !text.contains(close);
        (is_source && is_whole && is_single).then(|| (text.trim(), source(behind)))
    })
}

/// A text without its quotation marks, if they are around all of it.
pub(super) fn unquoted(text: &str) -> String {
    match quotation(text) {
        Some((inside, "")) => inside.to_owned(),
        _ => text.to_owned(),
    }
}

/// Who said so, without the dash or parentheses.
pub(super) fn source(line: &str) -> &str {
    let bare = line.trim_start_matches(DASHES).trim();
    bare.strip_prefix('(').and_then(|inside| inside.strip_suffix(')')).unwrap_or(bare)
}

/// The cells of a row of Markdown.
pub(super) fn cells(line: &str) -> Vec<String> {
    let inside = line.trim().strip_prefix('|').unwrap_or(line);
    let inside = inside.strip_suffix('|').unwrap_or(inside);
    inside.split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// The parts before and behind the first colon; a colon within a time, a ratio or a link is none.
pub(super) fn split_at_colon(line: &str) -> Option<(&str, &str)> {
    let (at, colon) = line.char_indices().find(|(at, character)| {
        let next = line[at + character.len_utf8()..].chars().next();
        *character == '：' || (*character == ':' && next.is_none_or(char::is_whitespace))
    })?;
    let (before, behind) = (line[..at].trim(), line[at + colon.len_utf8()..].trim());
    let has_words = before.contains(char::is_alphanumeric) && behind.contains(char::is_alphanumeric);
    // A second colon would make it a table on one line, or a conversation.
    has_words.then_some((before, behind))
}

/// The only LaTeX of a line, with the texts around.
pub(super) fn latex(line: &str) -> Option<(&str, &str, &str)> {
    [("$$", "$$"), (r"\[", r"\]"), (r"\(", r"\)"), ("$", "$")].into_iter().find_map(|(open, close)| {
        let (before, rest) = line.split_once(open)?;
        let (latex, after) = rest.split_once(close)?;
        let is_formula = !latex.trim().is_empty()
            && !after.contains(open)
            // Two prices: "from $5 to $10".
            && (open != "$" || !(latex.starts_with(' ') || latex.ends_with(' ')) && is_mathematical(latex));
        is_formula.then_some((before, latex, after))
    })
}

/// Whether dollars around it mean a formula, not money.
fn is_mathematical(latex: &str) -> bool {
    latex.contains(['\\', '^', '_', '=', '+', '<', '>', '*', '/']) || latex.chars().count() <= 3
}

/// Whether a line begins with a number of a list: `1.` or `2)`.
pub(super) fn has_number(line: &str) -> bool {
    let rest = line.trim_start_matches(char::is_numeric);
    rest.len() < line.len() && rest.starts_with(['.', ')', '、']) && !rest[1..].starts_with(char::is_numeric)
}

/// A number with its unit, with what stands before or behind it.
pub(super) fn figure(line: &str) -> Option<(&str, &str)> {
    let words: Vec<&str> = line.split(' ').collect();
    // The number stands at the begin or at the end of the line.
    let leading = (1..=words.len().min(3)).rev().find_map(|count| {
        let (number, label) = split_words(line, count);
        is_figure(number, label).then_some((number, label))
    });
    leading.or_else(|| {
        // The unit may be a word of its own.
        (1..words.len().min(3)).rev().find_map(|count| {
            let (before, number) = line.split_at(line.match_indices(' ').nth_back(count - 1)?.0);
            let (label, number) = (before.trim_end_matches([':', '=', ' ', '–', '—']), number.trim_start());
            let is_number = is_figure(number, "") && number.chars().count() > 1 && !is_year(number);
            (is_number && label.len() < before.len()).then_some((number, label))
        })
    })
}

/// The first words of a line and the rest.
fn split_words(line: &str, count: usize) -> (&str, &str) {
    let at = line.match_indices(' ').nth(count - 1).map_or(line.len(), |(at, _)| at);
    let (head, rest) = line.split_at(at);
    (head, rest.trim_start_matches([' ', ':', '–', '—', '-', '=']))
}

/// Whether these words are a number with a unit, and the rest says what is counted.
fn is_figure(words: &str, label: &str) -> bool {
    let bare = words.trim_start_matches(CURRENCIES);
    let digits = words.chars().filter(|character| character.is_numeric()).count();
    let units: String = bare.chars().filter(|character| !character.is_numeric() && !is_of_number(*character)).collect();
    let is_short = words.chars().count() <= LONGEST_FIGURE && label.chars().count() <= LONGEST_LABEL;
    let is_unit = units.is_empty() && !words.ends_with(':') || is_unit(units.trim());
    // A number alone needs a unit or three digits; before a label a small one is as good as a word.
    let stands_out = !units.is_empty() || bare != words || digits >= if label.is_empty() { 1 } else { 3 };
    let starts = words.starts_with(|first: char| {
        first.is_numeric()
            || matches!(first, '+' | '−' | '-' | '~' | '≈' | '<' | '>' | '٪' | '%')
            || CURRENCIES.contains(&first)
    });
    digits > 0 && is_short && is_unit && stands_out && starts && (label.is_empty() || !is_year(words))
}

fn is_of_number(character: char) -> bool {
    matches!(
        character,
        ' ' | '.'
            | ','
            | '\''
            | '’'
            | '\u{66B}'
            | '\u{66C}'
            | '+'
            | '-'
            | '−'
            | '–'
            | '~'
            | '≈'
            | '<'
            | '>'
            | '×'
            | '/'
    )
}

fn is_year(words: &str) -> bool {
    words.len() == 4
        && words.bytes().all(|byte| byte.is_ascii_digit())
        && (words.starts_with('1') || words.starts_with('2'))
}

/// Units that numbers are seen with.
fn is_unit(units: &str) -> bool {
    const UNITS: [&str; 66] = [
        "%", "٪", "‰", "°", "°C", "°F", "K", "€", "$", "£", "¥", "₹", "₽", "₴", "₩", "zł", "kr", "m", "km", "cm", "mm",
        "nm", "µm", "μm", "m²", "km²", "m³", "g", "kg", "mg", "t", "l", "L", "ml", "mL", "s", "ms", "min", "h", "d",
        "Hz", "kHz", "MHz", "GHz", "W", "kW", "MW", "GW", "kWh", "J", "kJ", "MJ", "N", "Pa", "hPa", "V", "A", "Ω",
        "mol", "km/h", "kmh", "ms²", "bn", "M", "x", "×",
    ];
    UNITS.contains(&units)
        || matches!(
            units,
            "万" | "億"
                | "亿"
                | "만"
                | "억"
                | "円"
                | "元"
                | "원"
                | "人"
                | "年"
                | "млн"
                | "млрд"
                | "тыс"
                | "million"
                | "billion"
                | "Mio"
                | "Mrd"
                | "%以上"
        )
}
