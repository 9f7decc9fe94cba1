//! What stands in a quotation: somebody's words with their source, or a remark that is only set off.

use super::blocks::{Body, Quotation};
use super::inline::{MarkKind, Passage};

/// Longest source of a quotation, in characters.
const LONGEST_SOURCE: usize = 120;

/// The blocks inside of a quotation: its paragraphs are quoted, everything else stands behind them as it is.
pub(super) fn quoted(inside: impl Iterator<Item = Body>) -> Vec<Body> {
    let mut paragraphs = Vec::new();
    let mut others = Vec::new();
    for body in inside {
        match body {
            Body::Paragraph(passage) if others.is_empty() => paragraphs.push(passage),
            other => others.push(other),
        }
    }
    if let Some(first) = paragraphs.first_mut()
        && let Some(remark) = remark(first)
    {
        *first = remark;
        paragraphs.retain(|passage| !passage.text.is_empty());
        return paragraphs.into_iter().map(Body::Paragraph).chain(others).collect();
    }
    let source = if paragraphs.len() > 1 { paragraphs.last().and_then(|last| signature(&last.text)) } else { None };
    if source.is_some() {
        paragraphs.pop();
    }
    let quotation = (!paragraphs.is_empty()).then_some(Body::Quotation(Quotation { paragraphs, source }));
    quotation.into_iter().chain(others).collect()
}

/// "— Marie Curie" without its dash.
pub(super) fn signature(text: &str) -> Option<String> {
    let name = ["— ", "– ", "― ", "-- ", "—"].iter().find_map(|dash| text.strip_prefix(dash))?;
    let name = name.trim();
    (!name.is_empty() && name.chars().count() <= LONGEST_SOURCE).then(|| name.to_owned())
}

/// "**Note:** …" or "[!TIP] …" is nobody's words.
fn remark(first: &Passage) -> Option<Passage> {
    if let Some(rest) = first.text.strip_prefix("[!")
        && let Some(end) = rest.find(']')
    {
        return Some(first.behind(2 + end + 1));
    }
    let mark = first.marks.first().filter(|mark| mark.start == 0 && mark.kind == MarkKind::Strong)?;
    let label = &first.text[..mark.end];
    let labels = label.ends_with([':', '：']) || first.text[mark.end..].starts_with([':', '：']);
    labels.then(|| first.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::markdown::inline;

    #[test]
    fn words_are_told_from_remarks() {
        let quote = |texts: &[&str]| quoted(texts.iter().map(|text| Body::Paragraph(inline(text))));
        let found = quote(&["Nothing in life is to be feared.", "— Marie Curie"]);
        let [Body::Quotation(quotation)] = &found[..] else { panic!("{found:?}") };
        assert_eq!((quotation.paragraphs.len(), quotation.source.as_deref()), (1, Some("Marie Curie")));
        for remark in ["**Note:** wear gloves.", "[!TIP] Wear gloves."] {
            assert!(matches!(&quote(&[remark])[..], [Body::Paragraph(_)]), "{remark}");
        }
    }
}
