//! Puts placeholders where formulas stand.

use super::content::{LONGEST, is_bracketed_formula, is_formula, normalise};
use super::{CLOSES, Formula, LESS_THAN, OPENS, Part, TILDE, TIMES, is_placeholder, unmasked};

/// How far the end of a code span is looked for, in bytes.
const CODE_REACH: usize = 400;
/// How far the end of a formula between single dollar signs is looked for, in bytes.
const INLINE_REACH: usize = 600;
/// Environments that are formulas.
const ENVIRONMENTS: [&str; 12] = [
    "equation",
    "equation*",
    "align",
    "align*",
    "gather",
    "gather*",
    "multline",
    "multline*",
    "eqnarray",
    "eqnarray*",
    "displaymath",
    "math",
];

/// What else is in the text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::reading) enum Syntax {
    /// Code in backticks and fences is left alone, and `<` is masked.
    Markdown,
    /// Tags stand in no formula, and references are decoded in formulas.
    Html,
}

/// A text with placeholders.
pub(in crate::reading) struct Masked {
    pub(in crate::reading) text: String,
    pub(in crate::reading) formulas: Vec<Formula>,
}

impl Masked {
    /// The parts of a stretch of the masked text.
    pub(in crate::reading) fn parts<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Part<'t>> {
        let mut rest = text;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let start = rest.find(OPENS).unwrap_or(rest.len());
            if start > 0 {
                let (before, more) = rest.split_at(start);
                rest = more;
                return Some(Part::Text(before));
            }
            let end = rest.find(CLOSES).unwrap_or(rest.len());
            let number = rest[OPENS.len_utf8()..end].parse::<usize>().ok();
            rest = &rest[(end + CLOSES.len_utf8()).min(rest.len())..];
            Some(number.and_then(|number| self.formulas.get(number)).map_or(Part::Text(""), Part::Formula))
        })
    }

    /// A stretch of the masked text as the source has it.
    pub(in crate::reading) fn restored(&self, text: &str) -> String {
        let mut restored = String::with_capacity(text.len());
        for part in self.parts(text) {
            match part {
                Part::Text(text) => {
                    restored.extend(text.chars().map(unmasked));
                }
                Part::Formula(formula) => restored.push_str(&formula.raw),
            }
        }
        restored
    }
}

/// Masks the formulas of a text.
pub(in crate::reading) fn mask(text: &str, syntax: Syntax) -> Masked {
    let mut masker = Masker { syntax, text: String::with_capacity(text.len()), formulas: Vec::new() };
    if syntax == Syntax::Html {
        masker.run(text);
    } else {
        masker.lines(text);
    }
    Masked { text: masker.text, formulas: masker.formulas }
}

struct Masker {
    syntax: Syntax,
    text: String,
    formulas: Vec<Formula>,
}

impl Masker {
    /// Masks what stands outside of fences.
    fn lines(&mut self, text: &str) {
        let mut run = 0;
        let mut at = 0;
        let mut fence: Option<&str> = None;
        for line in text.split_inclusive('\n') {
            let trimmed = line.trim_start();
            let marks = fence_of(trimmed);
            match (fence, marks) {
                (None, Some(marks)) => {
                    self.run(&text[run..at]);
                    fence = Some(marks);
                    self.keep(line);
                }
                (Some(open), _) => {
                    self.keep(line);
                    let closes = marks.is_some_and(|marks| marks.starts_with(open))
                        && trimmed.trim_end().len() == marks.map_or(0, str::len);
                    if closes {
                        fence = None;
                    }
                }
                (None, None) => {
                    at += line.len();
                    continue;
                }
            }
            at += line.len();
            run = at;
        }
        self.run(&text[run..]);
    }

    /// Copies code.
    fn keep(&mut self, text: &str) {
        self.text.extend(text.chars().filter(|character| !is_placeholder(*character)));
    }

    fn run(&mut self, text: &str) {
        let mut rest = text;
        let mut before = None;
        while let Some(first) = rest.chars().next() {
            let taken = self.special(rest, first, before).max(first.len_utf8());
            before = rest[..taken].chars().next_back();
            rest = &rest[taken..];
        }
    }

    /// Reads what begins with a sign; answers its length, 0 for a character that was copied.
    fn special(&mut self, rest: &str, first: char, before: Option<char>) -> usize {
        match first {
            '`' if self.syntax == Syntax::Markdown => {
                let length = code_span(rest);
                self.keep(&rest[..length]);
                return length;
            }
            '$' => {
                let length = self.dollars(rest, before);
                if length > 0 {
                    return length;
                }
            }
            '\\' => {
                let length = self.backslash(rest);
                if length > 0 {
                    return length;
                }
                if self.syntax == Syntax::Markdown && rest[1..].starts_with(['$', '\\', '`']) {
                    self.text.push_str(&rest[..2]);
                    return 2;
                }
            }
            '<' if self.syntax == Syntax::Markdown && !rest.starts_with("<http") => {
                self.text.push(LESS_THAN);
                return 1;
            }
            '~' if self.syntax == Syntax::Markdown && before != Some('~') && !rest[1..].starts_with('~') => {
                self.text.push(TILDE);
                return 1;
            }
            '*' if self.syntax == Syntax::Markdown && multiplies(rest, before) => {
                self.text.push(TIMES);
                return 1;
            }
            '\u{2005}' => {
                self.text.push(' ');
                return first.len_utf8();
            }
            _ => {}
        }
        if !is_placeholder(first) {
            self.text.push(first);
        }
        0
    }

    fn dollars(&mut self, rest: &str, before: Option<char>) -> usize {
        if let Some(body) = rest.strip_prefix("$$") {
            let Some(end) = find_within(body, "$$", LONGEST) else {
                return if body.is_empty() { 0 } else { self.copy("$$") };
            };
            let inner = &body[..end];
            let sound = !inner.trim().is_empty()
                && !inner.contains("\n\n")
                && !inner.contains('$')
                && self.is_free_of_tags(inner);
            return if sound { self.push(&rest[..end + 4], inner, true) } else { self.copy("$$") };
        }
        let body = &rest[1..];
        let Some(end) = find_within(body, "$", INLINE_REACH) else { return 0 };
        let inner = &body[..end];
        let after = body[end + 1..].chars().next();
        let sound =
            !inner.contains("\n\n") && is_formula(&self.decoded(inner), before, after) && self.is_free_of_tags(inner);
        if sound { self.push(&rest[..end + 2], inner, false) } else { 0 }
    }

    fn backslash(&mut self, rest: &str) -> usize {
        for (open, close, display) in [(r"\(", r"\)", false), (r"\[", r"\]", true)] {
            let Some(body) = rest.strip_prefix(open) else { continue };
            let Some(end) = find_within(body, close, if display { LONGEST } else { INLINE_REACH }) else { return 0 };
            let inner = &body[..end];
            let sound =
                !inner.contains("\n\n") && is_bracketed_formula(&self.decoded(inner)) && self.is_free_of_tags(inner);
            return if sound { self.push(&rest[..end + 4], inner, display) } else { 0 };
        }
        let Some(body) = rest.strip_prefix(r"\begin{") else { return 0 };
        let Some(name) = ENVIRONMENTS.iter().find(|name| body.starts_with(&format!("{name}}}"))) else { return 0 };
        let end_mark = format!(r"\end{{{name}}}");
        let Some(end) = find_within(rest, &end_mark, LONGEST) else { return 0 };
        let length = end + end_mark.len();
        if self.is_free_of_tags(&rest[..length]) { self.push(&rest[..length], &rest[..length], true) } else { 0 }
    }

    fn push(&mut self, raw: &str, inner: &str, display: bool) -> usize {
        let latex = normalise(&self.decoded(inner));
        self.text.push_str(&format!("{OPENS}{}{CLOSES}", self.formulas.len()));
        self.formulas.push(Formula { raw: self.decoded(raw).into_owned(), latex, display });
        raw.len()
    }

    fn copy(&mut self, text: &str) -> usize {
        self.text.push_str(text);
        text.len()
    }

    fn decoded<'t>(&self, text: &'t str) -> std::borrow::Cow<'t, str> {
        if self.syntax == Syntax::Html && text.contains('&') {
            markup::entities::decode(text).into()
        } else {
            text.into()
        }
    }

    /// In HTML, a tag ends a formula.
    fn is_free_of_tags(&self, text: &str) -> bool {
        self.syntax == Syntax::Markdown || !super::super::html::holds_tag(text)
    }
}

/// Whether a star stands between two numbers or short names: "2*3".
fn multiplies(rest: &str, before: Option<char>) -> bool {
    let after = rest[1..].chars().next();
    let operand = |character: Option<char>| character.is_some_and(|character| character.is_ascii_alphanumeric());
    operand(before) && operand(after)
}

/// The marks that a fence opens with.
fn fence_of(line: &str) -> Option<&str> {
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let marks = &line[..line.len() - line.trim_start_matches(sign).len()];
    (marks.len() >= 3 && !(sign == '`' && line[marks.len()..].contains('`'))).then_some(marks)
}

/// The length of the code span that a text begins with; of the backticks where there is none.
fn code_span(text: &str) -> usize {
    let marks = text.len() - text.trim_start_matches('`').len();
    let mut from = marks;
    while let Some(at) = find_within(&text[from..], "`", CODE_REACH).map(|at| from + at) {
        let run = text[at..].len() - text[at..].trim_start_matches('`').len();
        if run == marks {
            return at + run;
        }
        from = at + run;
        if from > CODE_REACH * 2 {
            break;
        }
    }
    marks
}

/// `text.find(mark)` within reach.
fn find_within(text: &str, mark: &str, reach: usize) -> Option<usize> {
    text[..text.floor_char_boundary(reach)].find(mark)
}
