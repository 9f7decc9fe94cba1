//! What may stand in a formula: elements of MathML Core, and for each attribute the values that it may have.
//!
//! Not here on purpose: `annotation-xml`, `mglyph`, `malignmark` and `maction` (HTML and images come in by them), `href`,
//! `style`, `id` and event attributes.

/// Elements that hold text and nothing else.
pub(super) const TOKENS: [&str; 5] = ["mi", "mn", "mo", "ms", "mtext"];

/// The other elements.
const LAYOUT: [&str; 20] = [
    "mfrac",
    "mmultiscripts",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtr",
    "munder",
    "munderover",
    "none",
];

/// Elements that older MathML has, with what stands for them.
const OLDER: [(&str, &str); 4] =
    [("mfenced", "mfenced"), ("mlabeledtr", "mtr"), ("menclose", "mrow"), ("merror", "mrow")];

/// Classes of rows and cells: the lines of a matrix.
const CLASSES: [&str; 7] = [
    "menv-border-only",
    "menv-hdashline",
    "menv-hline",
    "menv-left-dashed",
    "menv-left-solid",
    "menv-right-dashed",
    "menv-right-solid",
];

/// Largest size, in any unit.
const LARGEST: f64 = 100.0;
/// Longest value of an attribute, in bytes.
const LONGEST_VALUE: usize = 64;

/// The element of this name.
pub(super) fn element(name: &[u8]) -> Option<&'static str> {
    let known = TOKENS.into_iter().chain(LAYOUT).find(|known| known.as_bytes() == name);
    known.or_else(|| OLDER.into_iter().find(|(older, _)| older.as_bytes() == name).map(|(_, now)| now))
}

pub(super) fn is_token(name: &str) -> bool {
    TOKENS.contains(&name)
}

/// The attribute of this name with its value as it is written; `None` when it may not be there.
pub(super) fn attribute(element: &str, name: &[u8], value: &[u8]) -> Option<(&'static str, String)> {
    let value = std::str::from_utf8(value).ok().filter(|value| value.len() <= LONGEST_VALUE)?.trim();
    let is_cell = element == "mtd";
    let kept = |name, is_kept: bool| is_kept.then(|| (name, value.to_owned()));
    let one_of = |name, known: &[&str]| kept(name, known.contains(&value));
    let size = |name| kept(name, is_size(value));
    match name {
        b"mathvariant" => kept("mathvariant", !value.is_empty() && is_word(value)),
        b"dir" => one_of("dir", &["ltr", "rtl"]),
        b"displaystyle" => one_of("displaystyle", &["true", "false"]),
        b"scriptlevel" => kept("scriptlevel", matches!(value.trim_start_matches(['+', '-']).as_bytes(), [b'0'..=b'9'])),
        b"stretchy" => one_of("stretchy", &["true", "false"]),
        b"symmetric" => one_of("symmetric", &["true", "false"]),
        b"largeop" => one_of("largeop", &["true", "false"]),
        b"movablelimits" => one_of("movablelimits", &["true", "false"]),
        b"fence" => one_of("fence", &["true", "false"]),
        b"separator" => one_of("separator", &["true", "false"]),
        b"accent" => one_of("accent", &["true", "false"]),
        b"accentunder" => one_of("accentunder", &["true", "false"]),
        b"form" => one_of("form", &["prefix", "infix", "postfix"]),
        b"lspace" => size("lspace"),
        b"rspace" => size("rspace"),
        b"minsize" => size("minsize"),
        b"maxsize" => size("maxsize"),
        b"width" => size("width"),
        b"height" => size("height"),
        b"depth" => size("depth"),
        b"voffset" => size("voffset"),
        b"linethickness" => size("linethickness"),
        b"columnspan" if is_cell => kept("columnspan", is_span(value)),
        b"rowspan" if is_cell => kept("rowspan", is_span(value)),
        b"columnalign" if is_cell => one_of("columnalign", &["left", "center", "right"]),
        b"class" if matches!(element, "mtd" | "mtr") => class(value).map(|class| ("class", class)),
        _ => None,
    }
}

/// The known classes of a row or cell.
fn class(value: &str) -> Option<String> {
    let known: Vec<&str> = value.split_ascii_whitespace().filter(|class| CLASSES.contains(class)).collect();
    (!known.is_empty()).then(|| known.join(" "))
}

fn is_word(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

fn is_span(value: &str) -> bool {
    value.parse::<u8>().is_ok_and(|count| (1..=100).contains(&count))
}

/// A length that moves nothing out of its place: not negative, and not large.
fn is_size(value: &str) -> bool {
    let number_end =
        value.find(|character: char| !(character.is_ascii_digit() || character == '.')).unwrap_or(value.len());
    let (number, unit) = value.split_at(number_end);
    let is_number = number.parse::<f64>().is_ok_and(|number| number <= LARGEST);
    is_number && ["em", "ex", "px", "pt", "pc", "in", "cm", "mm", "mu", "%", ""].contains(&unit)
}
