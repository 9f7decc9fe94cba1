//! One text, many slides: where a deck is divided, and what is for the speaker only.

use std::ops::Range;

use crate::allowed;
use crate::pieces::Piece;

/// The titles of slides are cut at this many characters.
const LONGEST_TITLE: usize = 120;

/// Divides a deck: at its sections, else at its rules (`<hr>`, `---`), else at its headings; else it is one slide.
/// Nothing that can be seen is lost. A deck without content has no slides.
pub(crate) fn divide(pieces: &[Piece]) -> Vec<&[Piece]> {
    let nodes: Vec<&[Piece]> = children(pieces).map(|node| &pieces[node]).filter(|node| shows(node)).collect();
    let wrapper = match nodes[..] {
        [one] if is_container(one) || (opens(one, "section") && has_sections(inside(one))) => Some(inside(one)),
        _ => None,
    };
    if let Some(wrapped) = wrapper {
        return divide(wrapped);
    }
    if nodes.iter().any(|node| opens(node, "section")) {
        return by_sections(pieces);
    }
    let is_rule = |node: &[Piece]| opens(node, "hr");
    if nodes.iter().any(|node| is_rule(node)) {
        return runs(pieces, |node| if is_rule(node) { Edge::Drop } else { Edge::None });
    }
    match dividing_level(&nodes) {
        Some(level) => runs(pieces, |node| match level_of(node) {
            Some(found) if found <= level => Edge::Before,
            _ => Edge::None,
        }),
        None => runs(pieces, |_| Edge::None),
    }
}

/// Makes one slide of several; rules show where they were divided.
pub(crate) fn join(slides: &[&[Piece]]) -> Vec<Piece> {
    let rule = [Piece::Open { name: "hr", attributes: Vec::new(), is_notes: false }];
    slides.join(&rule[..])
}

/// Takes the speaker's notes out of a slide: what is left, and the notes.
pub(crate) fn take_notes(slide: &[Piece]) -> (Vec<Piece>, Vec<Piece>) {
    let (mut shown, mut notes) = (Vec::new(), Vec::new());
    let mut depth = 0_usize;
    for piece in slide {
        let begins = matches!(piece, Piece::Open { is_notes: true, .. });
        if depth > 0 || begins {
            match piece {
                Piece::Open { name, .. } if !allowed::is_void(name) => depth += 1,
                Piece::Close(_) => depth -= 1,
                _ => {}
            }
            if !(depth == 0 || (begins && depth == 1)) {
                notes.push(piece.clone());
            }
        } else {
            shown.push(piece.clone());
        }
    }
    (shown, notes)
}

/// The text of a slide's first heading; empty without one.
pub(crate) fn title(slide: &[Piece]) -> String {
    let is_heading =
        |piece: &Piece| matches!(piece, Piece::Open { name, .. } if allowed::heading_level(name).is_some());
    let Some(start) = slide.iter().position(is_heading) else { return String::new() };
    let until = |piece: &&Piece| !matches!(piece, Piece::Close(name) if allowed::heading_level(name).is_some());
    let text: String = slide[start..].iter().take_while(until).filter_map(Piece::visible_text).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST_TITLE).collect()
}

enum Edge {
    None,
    /// A slide begins here.
    Before,
    /// A slide ended before this, which belongs to none.
    Drop,
}

/// The deck cut at edges; what shows nothing is no slide.
fn runs(pieces: &[Piece], edge: impl Fn(&[Piece]) -> Edge) -> Vec<&[Piece]> {
    let mut slides = Vec::new();
    let mut from = 0;
    for node in children(pieces) {
        match edge(&pieces[node.clone()]) {
            Edge::None => {}
            Edge::Before => {
                slides.push(&pieces[from..node.start]);
                from = node.start;
            }
            Edge::Drop => {
                slides.push(&pieces[from..node.start]);
                from = node.end;
            }
        }
    }
    slides.push(&pieces[from..]);
    slides.retain(|slide| shows(slide));
    slides
}

/// Each section is a slide, or several when it holds sections itself; what stands between sections is one too.
fn by_sections(pieces: &[Piece]) -> Vec<&[Piece]> {
    let mut slides = Vec::new();
    let mut from = 0;
    for node in children(pieces) {
        let section = &pieces[node.clone()];
        if !opens(section, "section") {
            continue;
        }
        slides.push(&pieces[from..node.start]);
        from = node.end;
        if has_sections(inside(section)) {
            slides.extend(by_sections(inside(section)));
        } else {
            slides.push(inside(section));
        }
    }
    slides.push(&pieces[from..]);
    slides.retain(|slide| shows(slide));
    slides
}

/// The highest level that occurs more than once among the headings at the top.
fn dividing_level(nodes: &[&[Piece]]) -> Option<u8> {
    let levels: Vec<u8> = nodes.iter().filter_map(|node| level_of(node)).collect();
    (1..=6).find(|level| levels.iter().filter(|found| *found == level).count() > 1)
}

fn level_of(node: &[Piece]) -> Option<u8> {
    match node.first() {
        Some(Piece::Open { name, .. }) => allowed::heading_level(name),
        _ => None,
    }
}

/// The elements and texts at the top, as ranges.
fn children(pieces: &[Piece]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let mut depth = 0_usize;
        while at < pieces.len() {
            match &pieces[at] {
                Piece::Open { name, .. } if !allowed::is_void(name) => depth += 1,
                Piece::Close(_) => depth -= 1,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
        (at > start).then_some(start..at)
    })
}

fn opens(node: &[Piece], element: &str) -> bool {
    matches!(node.first(), Some(Piece::Open { name, .. }) if *name == element)
}

fn is_container(node: &[Piece]) -> bool {
    let is_wrapping = ["article", "div"].iter().any(|element| opens(node, element));
    is_wrapping && children(inside(node)).any(|child| !matches!(inside(node)[child.start], Piece::Text(_)))
}

fn has_sections(pieces: &[Piece]) -> bool {
    children(pieces).any(|node| opens(&pieces[node], "section"))
}

/// A node without its own tags.
fn inside(node: &[Piece]) -> &[Piece] {
    &node[1..node.len() - 1]
}

/// Whether there is anything to look at.
fn shows(node: &[Piece]) -> bool {
    node.iter().any(|piece| match piece {
        Piece::Open { name, .. } => matches!(*name, "hr" | "img" | "table"),
        Piece::Formula(_) => true,
        other => other.visible_text().is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::{read, write};

    fn slides(html: &str) -> Vec<String> {
        let pieces = read(html);
        divide(&pieces).into_iter().map(|slide| write(slide).trim().to_owned()).collect()
    }

    #[test]
    fn sections_are_slides_and_what_stands_between_them_too() {
        assert_eq!(slides("<section><h2>a</h2></section>\n<section>b</section>"), ["<h2>a</h2>", "b"]);
        assert_eq!(slides("<p>intro</p><section>a</section> end"), ["<p>intro</p>", "a", "end"]);
        assert_eq!(slides("<section>only</section>"), ["only"]);
    }

    #[test]
    fn wrappers_and_nested_sections_are_looked_into() {
        let reveal = "<div class=reveal><div class=slides><section><section>a</section><section>b</section></section><section>c</section></div></div>";
        assert_eq!(slides(reveal), ["a", "b", "c"]);
        assert_eq!(slides("<article><section>a</section><section>b</section></article>"), ["a", "b"]);
        assert_eq!(slides("<div>just text</div>"), ["<div>just text</div>"]);
    }

    #[test]
    fn without_sections_rules_divide_and_without_rules_headings() {
        assert_eq!(slides("<h1>a</h1><p>x</p><hr><h1>b</h1><hr>"), ["<h1>a</h1><p>x</p>", "<h1>b</h1>"]);
        assert_eq!(slides("<h1>a</h1>x<h1>b</h1>y"), ["<h1>a</h1>x", "<h1>b</h1>y"]);
        assert_eq!(slides("<h1>title</h1><h2>a</h2>x<h2>b</h2>"), ["<h1>title</h1>", "<h2>a</h2>x", "<h2>b</h2>"]);
        assert_eq!(slides("<h1>a</h1><p>one slide</p>"), ["<h1>a</h1><p>one slide</p>"]);
        assert!(slides("  <p> </p>").is_empty());
    }

    #[test]
    fn slides_beyond_the_most_are_in_the_last() {
        let sanitizer = crate::Sanitizer::new(vec![]);
        let deck = |count: usize| sanitizer.slides(&"x<hr>".repeat(count));
        assert_eq!(deck(crate::MOST_SLIDES).last().unwrap().content.as_str(), "x");
        let slides = deck(200_000);
        assert_eq!(slides.len(), crate::MOST_SLIDES);
        let count = |sign: &str| slides.iter().map(|slide| slide.content.as_str().matches(sign).count()).sum::<usize>();
        assert_eq!(count("x"), 200_000, "nothing is lost");
        assert_eq!(count("<hr>"), 200_000 - crate::MOST_SLIDES, "what was divided is not run together");
    }

    #[test]
    fn notes_are_taken_out_and_kept() {
        let pieces = read("<h2>a</h2><aside class=\"x notes\">say <b>this</b><br></aside><p>b</p><aside>c</aside>");
        let (shown, notes) = take_notes(&pieces);
        assert_eq!(write(&shown), "<h2>a</h2><p>b</p><aside>c</aside>");
        assert_eq!(write(&notes), "say <b>this</b><br>");
    }

    #[test]
    fn a_title_is_the_first_heading_as_text() {
        assert_eq!(title(&read("<p>x</p><h2>The <i>living</i>\n cell</h2><h2>b</h2>")), "The living cell");
        assert_eq!(title(&read("<p>x</p>")), "");
    }
}
