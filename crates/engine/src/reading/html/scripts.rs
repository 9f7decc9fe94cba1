//! Takes scripts and styles out of HTML before it is tokenized: what is in them may look like tags.

/// The elements that hold no markup.
const RAW: [&str; 2] = ["script", "style"];

/// The text without scripts and styles. Formulas that are written as scripts stay, as formulas. An element that does not end is
/// left as it is.
pub(super) fn without(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut missing = [false; RAW.len()];
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let tag = &rest[at + 1..];
        let name = super::elements::name_of(tag);
        let found = RAW.iter().position(|raw| *raw == name).filter(|raw| !missing[*raw]);
        let Some(raw) = found else {
            out.push_str(&rest[..=at]);
            rest = tag;
            continue;
        };
        let Some((end, after)) = find_closing(tag, RAW[raw]) else {
            missing[raw] = true;
            out.push_str(&rest[..=at]);
            rest = tag;
            continue;
        };
        out.push_str(&rest[..at]);
        if let Some(formula) = formula(&tag[..end]) {
            out.push_str(&formula);
        }
        rest = &tag[after..];
    }
    out.push_str(rest);
    drop_half_comments(out)
}

/// Where the closing tag of an element begins and ends.
fn find_closing(text: &str, name: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    while let Some(at) = text[from..].find("</").map(|at| from + at) {
        if super::elements::name_of(&text[at + 2..]) == name {
            return Some((at, text[at..].find('>').map_or(text.len(), |end| at + end + 1)));
        }
        from = at + 2;
    }
    None
}

/// A script that holds TeX, as MathJax writes it.
fn formula(script: &str) -> Option<String> {
    let (tag, body) = script.split_once('>')?;
    let display = tag.contains("mode=display");
    let body = body.trim().replace('&', "&amp;").replace('<', "&lt;");
    match tag.contains("math/tex") {
        true if display => Some(format!("\\[{body}\\]")),
        true => Some(format!("\\({body}\\)")),
        false => None,
    }
}

/// A comment that does not end would swallow the rest.
fn drop_half_comments(text: String) -> String {
    let last = text.rfind("-->").map_or(0, |at| at + 3);
    if text[last..].contains("<!--") {
        return format!("{}{}", &text[..last], text[last..].replace("<!--", "&lt;!--"));
    }
    text
}
