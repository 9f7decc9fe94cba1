//! Where formulas stand in plain text: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`.
//!
//! A dollar sign is money until it is surely not: "$5 and $7" is text, and so is what a shell calls `$HOME`.

use super::bounds::LONGEST;

/// A part of a plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'t> {
    /// Text as it stands there.
    Text(&'t str),
    /// A formula.
    Formula {
        /// Without its delimiters and the space inside of them.
        latex: &'t str,
        /// Whether it is on a line of its own.
        display: bool,
    },
}

/// Longest word, in letters, of a formula that has no other mark of LaTeX: "ABC" is a triangle, "each" is English.
const LONGEST_WORD: usize = 3;
/// Names of functions that may be longer.
const FUNCTIONS: [&str; 8] = ["sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "sqrt", "mod"];

/// Divides a text into text and formulas. The parts are in order, no text is empty, and nothing but delimiters is lost.
pub fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    let mut closers = Closers::default();
    while let Some(found) = text[at..].find(['$', '\\']).map(|found| at + found) {
        match formula(text, found, &mut closers) {
            Some((latex, display, end)) => {
                if from < found {
                    parts.push(Part::Text(&text[from..found]));
                }
                parts.push(Part::Formula { latex, display });
                (from, at) = (end, end);
            }
            None => at = after(text, found),
        }
    }
    if from < text.len() {
        parts.push(Part::Text(&text[from..]));
    }
    parts
}

/// Where to look on when no formula begins: behind the whole run of dollars, or behind what a backslash escapes.
fn after(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    match rest.strip_prefix('\\') {
        Some(escaped) => at + 1 + escaped.chars().next().map_or(0, char::len_utf8),
        None => at + rest.bytes().take_while(|byte| *byte == b'$').count(),
    }
}

/// Delimiters that only LaTeX has: what opens, what closes, and whether the formula is on a line of its own.
const DELIMITERS: [(&str, &str, bool); 3] = [("\\(", "\\)", false), ("\\[", "\\]", true), ("$$", "$$", true)];

/// Where the next closing delimiter of each kind is. It is looked for once, so that a text takes linear time.
#[derive(Default)]
struct Closers([usize; DELIMITERS.len()]);

impl Closers {
    fn find(&mut self, text: &str, from: usize, kind: usize) -> Option<usize> {
        let next = &mut self.0[kind];
        if *next < from {
            *next = text[from..].find(DELIMITERS[kind].1).map_or(usize::MAX, |found| from + found);
        }
        (*next - from <= LONGEST).then_some(*next)
    }
}

/// The formula that begins at a delimiter: its LaTeX, its kind, and where it ends.
fn formula<'t>(text: &'t str, at: usize, closers: &mut Closers) -> Option<(&'t str, bool, usize)> {
    let rest = &text[at..];
    for (kind, (opener, closer, display)) in DELIMITERS.into_iter().enumerate() {
        if rest.starts_with(opener) {
            let from = at + opener.len();
            let end = closers.find(text, from, kind)?;
            let latex = text[from..end].trim();
            let is_formula = !latex.contains(opener)
                && !latex.contains('$')
                && !latex.contains("\n\n")
                && is_explicit(latex, display);
            return is_formula.then_some((latex, display, end + closer.len()));
        }
    }
    dollars(text, at)
}

/// `$…$`: the sign stands right before and behind the formula, and not where a price or a variable would have it.
fn dollars(text: &str, at: usize) -> Option<(&str, bool, usize)> {
    let inside = text[at..].strip_prefix('$')?;
    let before = text[..at].chars().next_back();
    if before.is_some_and(|sign| sign.is_ascii_alphanumeric()) || inside.starts_with(char::is_whitespace) {
        return None;
    }
    let length = closing_dollar(inside)?;
    let latex = &inside[..length];
    let after = inside[length + 1..].chars().next();
    let is_closed = !latex.ends_with(char::is_whitespace)
        && !latex.contains("\n\n")
        && !after.is_some_and(|sign| sign.is_ascii_digit() || sign == '$');
    (is_closed && is_formula(latex)).then_some((latex, false, at + length + 2))
}

/// Where the next dollar sign is that no backslash escapes.
fn closing_dollar(inside: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in inside.bytes().enumerate().take(LONGEST + 1) {
        match byte {
            b'$' if !escaped => return (at > 0).then_some(at),
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}

/// Whether what stands between two dollar signs is mathematics rather than what two prices have between them.
fn is_formula(latex: &str) -> bool {
    if latex.contains(['€', '£', '¥', '₹', '₽']) {
        return false;
    }
    let first = latex.chars().next().unwrap_or(' ');
    if has_command(latex) || latex.contains(['^', '_']) || (latex.contains('=') && !first.is_ascii_digit()) {
        return true;
    }
    let last = latex.chars().next_back().unwrap_or(' ');
    let ends_well =
        last.is_alphanumeric() || matches!(last, ')' | ']' | '}' | '|' | '!' | '\'' | '%' | '°' | '∞' | '…');
    let is_begun = first.is_alphanumeric() || "([{|-+−±√∞∑∫<>=≤≥¬∀∃".contains(first);
    let longest_word = if first.is_ascii_digit() { LONGEST_WORD - 1 } else { LONGEST_WORD };
    is_begun && ends_well && !latex.contains([';', '"', '?', '@', '#', '&']) && words_are_short(latex, longest_word)
}

/// Whether what stands between delimiters that only LaTeX has is a formula. Markdown has the same signs for brackets that
/// are no markup: "\[1\]" is a note, "\[x\]" a box.
fn is_explicit(latex: &str, display: bool) -> bool {
    let has_sign = has_command(latex) || latex.contains(['^', '_', '=', '<', '>', '+']);
    let has_content = latex.contains(|sign: char| sign.is_alphanumeric() || sign == '\\');
    has_content && (has_sign || (!display && words_are_short(latex, LONGEST_WORD)))
}

/// Whether a backslash begins a command: of LaTeX, or for a sign.
fn has_command(latex: &str) -> bool {
    latex.contains('\\')
}

fn words_are_short(latex: &str, longest: usize) -> bool {
    let mut words = latex.split(|sign: char| !sign.is_alphabetic());
    words.all(|word| (word.chars().count() <= longest && !is_small_word(word)) || FUNCTIONS.contains(&word))
}

/// English words that are as short as names of variables; "a" is a variable.
fn is_small_word(word: &str) -> bool {
    const WORDS: [&str; 18] = [
        "and", "are", "at", "but", "for", "if", "in", "is", "not", "of", "off", "on", "or", "per", "so", "the", "to",
        "was",
    ];
    WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of a text, formulas in braces, display ones in two.
    fn shown(text: &str) -> String {
        let part = |part: &Part<'_>| match part {
            Part::Text(text) => (*text).to_owned(),
            Part::Formula { latex, display: false } => format!("{{{latex}}}"),
            Part::Formula { latex, display: true } => format!("{{{{{latex}}}}}"),
        };
        parts(text).iter().map(part).collect()
    }

    #[test]
    fn formulas_stand_between_their_delimiters() {
        for (text, expected) in [
            ("The root $x=-\\frac{b}{2a}$ of it", "The root {x=-\\frac{b}{2a}} of it"),
            ("$$E = mc^2$$", "{{E = mc^2}}"),
            ("a \\( x + 1 \\) b \\[ \\sum_i i \\] c", "a {x + 1} b {{\\sum_i i}} c"),
            ("$n$th, $f(x)$, $AB$ and $-3$", "{n}th, {f(x)}, {AB} and {-3}"),
            ("函数$f(x)=x^2$是", "函数{f(x)=x^2}是"),
            ("$5$ apples cost $p \\cdot 5$", "{5} apples cost {p \\cdot 5}"),
            ("$a < b$ and $\\$5$", "{a < b} and {\\$5}"),
            ("$x$$y$", "$x$$y$"),
            ("$x$, $y$", "{x}, {y}"),
            ("$2 + 3 = 5$.", "{2 + 3 = 5}."),
            ("$speed = distance / time$", "{speed = distance / time}"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn money_variables_and_remarks_are_text() {
        for text in [
            "$5 and $7",
            "from $5 to $7.50, or $9",
            "$5–$7",
            "$3+$4",
            "US$5 or CA$7",
            "5$ or 7$",
            "costs $20, not 30$",
            "$HOME/bin:$PATH",
            "$name$ and $value$",
            "$a = $b",
            "It is $ 5 $ here",
            "a $ b",
            "$",
            "$$",
            "$$$",
            "$$ $$",
            "\\$5 and \\$7$",
            "\\(see the remark there\\)",
            "\\[1\\] and \\[x\\]",
            "\\( \\)",
            "\\(never closed",
            "$x\n\ny$",
            "$5 = 4€, 10$ = 8€",
            "C:\\(x86",
        ] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn nothing_but_delimiters_is_lost() {
        for text in ["a $x$ b $$y$$ c", "$x", "é$x$é", "\\", "\\é$x^2$"] {
            let kept: String = parts(text)
                .iter()
                .map(|part| match part {
                    Part::Text(text) => (*text).to_owned(),
                    Part::Formula { latex, display } => {
                        let sign = if *display { "$$" } else { "$" };
                        format!("{sign}{latex}{sign}")
                    }
                })
                .collect();
            assert_eq!(kept, text);
        }
    }
}
