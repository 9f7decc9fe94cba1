//! Answers that are written into a text in braces, as Moodle's GIFT and Cloze formats have it.
//!
//! `The capital is {1:SHORTANSWER:=Paris}.` and `What is 2+2? {=4 ~3 ~5}` hold their keys in the text. A mark takes the place of
//! the braces before the text is read, and the paragraphs that hold marks become questions behind it.

use super::super::blocks::{Block, Body, Question};
use super::super::inline::{Passage, squeeze};
use super::super::pointer::Pointer;

/// Longest stretch between braces, in bytes.
const LONGEST: usize = 4_000;
/// Longest closing tag, in characters.
const LONGEST_TAG: usize = 16;
/// Stand around the number of a gap.
const MARKS: [char; 2] = ['\u{10FFF1}', '\u{10FFF2}'];
/// What a gap is shown as.
const GAP: &str = "____";
/// The types of Cloze questions.
const CLOZE: [&str; 24] = [
    "SHORTANSWER",
    "SA",
    "MW",
    "SHORTANSWER_C",
    "SAC",
    "MWC",
    "NUMERICAL",
    "NM",
    "MULTICHOICE",
    "MC",
    "MULTICHOICE_V",
    "MCV",
    "MULTICHOICE_H",
    "MCH",
    "MULTICHOICE_S",
    "MCS",
    "MULTICHOICE_VS",
    "MCVS",
    "MULTICHOICE_HS",
    "MCHS",
    "MULTIRESPONSE",
    "MR",
    "MULTIRESPONSE_H",
    "MRH",
];

/// The gaps of a text.
pub(in crate::reading) struct Gaps(Vec<Gap>);

#[derive(Debug, Default, PartialEq)]
struct Gap {
    options: Vec<String>,
    answers: Vec<String>,
    tolerance: Option<String>,
}

impl Gaps {
    /// The text with marks in place of answers; none where it holds no answers.
    pub(in crate::reading) fn mask(text: &str) -> Option<(String, Self)> {
        if !text.contains('{') {
            return None;
        }
        let mut gaps = Vec::new();
        let mut masked = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            let before = rest[..at].chars().next_back();
            let end = find_end(&rest[at + 1..]);
            let gap = end.filter(|_| before != Some('\\')).and_then(|end| gap(&rest[at + 1..at + 1 + end], before));
            let Some((gap, end)) = gap.zip(end) else {
                masked.push_str(&rest[..=at]);
                rest = &rest[at + 1..];
                continue;
            };
            masked.push_str(&rest[..at]);
            let mark = format!("{}{}{}", MARKS[0], gaps.len(), MARKS[1]);
            // "<p>Which one?</p>{…}": the answers belong to the paragraph.
            let closing = masked
                .char_indices()
                .rev()
                .take(LONGEST_TAG)
                .map(|(at, _)| at)
                .find(|at| masked[*at..].starts_with("</"));
            let within = closing.filter(|at| masked[*at..].find('>') == Some(masked.len() - at - 1));
            masked.insert_str(within.unwrap_or(masked.len()), &mark);
            gaps.push(gap);
            rest = &rest[at + 1 + end + 1..];
        }
        masked.push_str(rest);
        (!gaps.is_empty()).then(|| (untitled(&masked), Self(gaps)))
    }

    /// Makes questions of what holds marks.
    pub(in crate::reading) fn resolve(&self, blocks: Vec<Block>) -> Vec<Block> {
        let mut found = Vec::with_capacity(blocks.len());
        for mut block in blocks {
            match &mut block.body {
                Body::Paragraph(passage) if holds_mark(&passage.text) => {
                    let question = self.question(&passage.text, &block.pointer);
                    push(&mut found, &block.pointer, question);
                    continue;
                }
                Body::List { items, .. } if items.iter().any(|item| holds_mark(&item.text.text)) => {
                    let all = std::mem::take(items);
                    let (asked, kept): (Vec<_>, Vec<_>) = all.into_iter().partition(|item| holds_mark(&item.text.text));
                    *items = kept;
                    let questions: Vec<Question> =
                        asked.iter().map(|item| self.question(&item.text.text, &block.pointer)).collect();
                    let pointer = block.pointer.clone();
                    if matches!(&block.body, Body::List { items, .. } if !items.is_empty()) {
                        found.push(block);
                    }
                    questions.into_iter().for_each(|question| push(&mut found, &pointer, question));
                    continue;
                }
                body => scrub(body),
            }
            found.push(block);
        }
        found
    }

    /// A question with one gap has its key; of several gaps, each would tell the others'.
    pub(super) fn question(&self, text: &str, pointer: &Pointer) -> Question {
        let mut gaps = Vec::new();
        let mut asked = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(MARKS[0]) {
            asked.push_str(&rest[..at]);
            let end = rest[at..].find(MARKS[1]).map_or(rest.len(), |end| at + end);
            gaps.extend(rest[at + MARKS[0].len_utf8()..end].parse().ok().and_then(|number: usize| self.0.get(number)));
            rest = rest[end..].strip_prefix(MARKS[1]).unwrap_or_default();
            let ends = rest.trim().is_empty()
                && gaps.len() == 1
                && asked.trim_end().ends_with(['?', '.', ':', '!', '？', '。', '：', '؟']);
            if !ends {
                asked.push_str(GAP);
            }
        }
        asked.push_str(rest);
        let mut question = Question::asking(pointer.clone(), squeeze(&asked));
        if let [only] = gaps[..] {
            question.options.clone_from(&only.options);
            question.answers.clone_from(&only.answers);
            question.tolerance.clone_from(&only.tolerance);
        }
        question
    }
}

fn push(found: &mut Vec<Block>, at: &Pointer, question: Question) {
    match found.last_mut() {
        Some(Block { body: Body::Questions(questions), .. }) => questions.push(question),
        _ => found.push(Block::taught(at.clone(), Body::Questions(vec![question]))),
    }
}

/// Whether a text is a quiz in GIFT: it has answers in braces, and titles or options.
pub(in crate::reading) fn is_gift(text: &str) -> bool {
    let titled =
        || text.lines().any(|line| line.trim_start().strip_prefix("::").is_some_and(|line| line.contains("::")));
    Gaps::mask(text).is_some_and(|(_, gaps)| titled() || gaps.0.iter().any(|gap| !gap.options.is_empty()))
}

/// A text with gaps in place of the answers that are written into it.
pub(in crate::reading) fn without_answers(text: &str) -> std::borrow::Cow<'_, str> {
    match Gaps::mask(text) {
        Some((mut masked, _)) => {
            leave_gaps(&mut masked);
            masked.into()
        }
        None => text.into(),
    }
}

/// Leaves gaps where marks stand.
fn leave_gaps(text: &mut String) {
    if holds_mark(text) {
        let kept = text.split(MARKS[0]).enumerate().map(|(at, part)| {
            let part = if at == 0 { part } else { part.split_once(MARKS[1]).map_or("", |(_, rest)| rest) };
            if at == 0 { part.to_owned() } else { format!("{GAP}{part}") }
        });
        *text = kept.collect();
    }
}

fn holds_mark(text: &str) -> bool {
    text.contains(MARKS[0])
}

/// Leaves gaps where marks stand in what can be no question.
fn scrub(body: &mut Body) {
    let clean = leave_gaps;
    match body {
        Body::Heading { text, .. } | Body::Formula(text) => clean(text),
        Body::Table(table) => {
            table.columns.iter_mut().for_each(clean);
            table.rows.iter_mut().flat_map(|row| &mut row.cells).for_each(clean);
        }
        Body::Definitions(pairs) => pairs.iter_mut().for_each(|pair| {
            clean(&mut pair.term);
            clean(&mut pair.definition);
        }),
        Body::Dialogue(turns) => turns.iter_mut().for_each(|turn| clean(&mut turn.line)),
        Body::Code(code) => clean(&mut code.text),
        Body::Quotation(quotation) => quotation.paragraphs.iter_mut().for_each(|passage| {
            clean(&mut passage.text);
            *passage = Passage::plain(&passage.text);
        }),
        _ => {}
    }
}

/// Where a stretch in braces ends.
fn find_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().take(LONGEST) {
        match byte {
            b'}' if !escaped => return Some(at),
            b'{' if !escaped => return None,
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
    }
    None
}

/// Reads what stands between braces; none where it is no answer.
fn gap(inner: &str, before: Option<char>) -> Option<Gap> {
    let inner = inner.trim();
    if let Some((kind, answers)) = cloze(inner) {
        return Some(answered(answers, kind.starts_with('N')));
    }
    // LearnDash: `{[7|seven]}`.
    if let Some(accepted) = inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        let answers: Vec<String> = accepted.split(['|', '[', ']']).map(|text| text.trim().to_owned()).collect();
        let plain = answers.iter().all(|text| !text.is_empty() && !text.contains(['"', '\'', ',', ':', '{', '=']));
        return (answers.len() > 1 && plain).then(|| Gap { answers, ..Gap::default() });
    }
    let apart = before.is_none_or(|before| before.is_whitespace() || ".?!:。？！：>".contains(before));
    if !apart || inner.contains("\n\n") {
        return None;
    }
    let verdict = inner.split('#').next().unwrap_or_default().trim();
    if matches!(verdict, "T" | "TRUE" | "F" | "FALSE") {
        let answer = if verdict.starts_with('T') { "true" } else { "false" };
        return Some(Gap { answers: vec![answer.to_owned()], ..Gap::default() });
    }
    if let Some(number) = inner.strip_prefix('#') {
        let number = number.trim_start().trim_start_matches('=');
        return number
            .starts_with(|first: char| first.is_ascii_digit() || first == '-')
            .then(|| answered(&format!("={number}"), true));
    }
    let signed = inner.starts_with(['=', '~']) && !inner.starts_with("==") && !inner.starts_with("=>");
    signed.then(|| answered(inner, false))
}

/// "1:MULTICHOICE:=a~b".
fn cloze(inner: &str) -> Option<(&str, &str)> {
    let (weight, rest) = inner.split_once(':')?;
    let (kind, answers) = rest.split_once(':')?;
    let known = weight.len() <= 3 && weight.bytes().all(|byte| byte.is_ascii_digit()) && CLOZE.contains(&kind.trim());
    known.then(|| (kind.trim(), answers))
}

/// "=right~wrong#feedback~%50%half".
fn answered(text: &str, is_number: bool) -> Gap {
    let mut parts: Vec<(bool, String)> = Vec::new();
    let mut escaped = false;
    for character in text.trim().chars() {
        match character {
            '=' | '~' if !escaped => parts.push((character == '=', String::new())),
            _ => {
                let fresh = parts.is_empty();
                if fresh {
                    parts.push((false, String::new()));
                }
                if let Some((_, part)) = parts.last_mut() {
                    part.push(character);
                }
            }
        }
        escaped = character == '\\' && !escaped;
    }
    let mut gap = Gap::default();
    let wrong = parts.iter().any(|(right, _)| !right);
    for (right, part) in parts {
        let told = part.split('#').next().unwrap_or_default().trim();
        let (share, text) = told.strip_prefix('%').and_then(|rest| rest.split_once('%')).unwrap_or(("", told));
        let right = if share.is_empty() { right } else { share.parse::<f64>().is_ok_and(|share| share >= 100.0) };
        let (text, tolerance) = if is_number { text.split_once(':').unwrap_or((text, "")) } else { (text, "") };
        let text = squeeze(&text.replace('\\', ""));
        if text.is_empty() || text == "*" || text.contains("->") {
            continue;
        }
        if right {
            gap.answers.push(text.clone());
            gap.tolerance =
                Some(tolerance.trim().to_owned()).filter(|tolerance| !tolerance.is_empty() && tolerance != "0");
        }
        if wrong && !is_number {
            gap.options.push(text);
        }
    }
    gap
}

/// Takes titles (`::title::`), comments and formats of GIFT off.
fn untitled(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        if trimmed.starts_with("//") || trimmed.starts_with("$CATEGORY") {
            continue;
        }
        let line = trimmed.strip_prefix("::").and_then(|rest| rest.split_once("::")).map_or(line, |(_, rest)| rest);
        let formats = ["[html]", "[markdown]", "[plain]", "[moodle]"];
        kept.push_str(formats.iter().find_map(|format| line.strip_prefix(format)).unwrap_or(line));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::shapes::read_text;

    fn questions(text: &str) -> Vec<Question> {
        let blocks = read_text(text, &Pointer::root("/x"), 1);
        blocks
            .into_iter()
            .filter_map(|block| if let Body::Questions(questions) = block.body { Some(questions) } else { None })
            .flatten()
            .collect()
    }

    #[test]
    fn gift_and_cloze_are_questions() {
        let found = questions(
            "::Capital:: What is the capital of France? {=Paris ~Lyon#No! ~%-50%Nice}\n\nThe sun is a star. {T}",
        );
        assert_eq!(
            (found[0].question.as_str(), &found[0].options[..], &found[0].answers[..]),
            (
                "What is the capital of France?",
                &["Paris".to_owned(), "Lyon".to_owned(), "Nice".to_owned()][..],
                &["Paris".to_owned()][..]
            )
        );
        assert_eq!(
            (found[1].question.as_str(), &found[1].answers[..]),
            ("The sun is a star.", &["true".to_owned()][..])
        );
        let found = questions(
            "<p>The capital is {1:SHORTANSWER:=Paris~%100%Paris (France)}.</p><p>{:MC:=a~b} and {:SA:=c}</p>",
        );
        assert_eq!((found[0].question.as_str(), found[0].answers.len()), ("The capital is ____.", 2));
        assert_eq!((found[1].question.as_str(), found[1].answers.len()), ("____ and ____", 0));
        let found = questions("Pi is {#3.14:0.01}.");
        assert_eq!((&found[0].answers[..], found[0].tolerance.as_deref()), (&["3.14".to_owned()][..], Some("0.01")));
    }

    #[test]
    fn other_braces_are_no_answers() {
        for text in [r"A matrix $A^{T}$ and {x = 1}", "Write {name} here.", "if (x) { y = 1; }", "a set {1, 2}", "x{=}"]
        {
            assert!(Gaps::mask(text).is_none(), "{text}");
        }
    }
}
