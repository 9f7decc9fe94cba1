//! Quizzes in Open edX's Markdown: `>>question||hint<<`, then choices, a number, texts or a menu, and an explanation.

use super::super::blocks::Question;
use super::super::inline::squeeze;
use super::super::markdown::inline;
use super::super::pointer::Pointer;
use super::text::Segment;

const EXPLANATION: &str = "[explanation]";

/// The parts of a text; none where nothing in it is asked in this way. Code has shifts, and French and German have such quotation
/// marks: something has to be offered or answered.
pub(super) fn parted(text: &str, pointer: &Pointer) -> Option<Vec<Segment>> {
    if !text.contains(">>") || !text.contains("<<") {
        return None;
    }
    let parts: Vec<Segment> = split(text).into_iter().filter_map(|part| segment(&part, pointer)).collect();
    let answered = |part: &Segment| match part {
        Segment::Questions(questions) => {
            questions.iter().any(|question| !question.answers.is_empty() || question.options.len() > 1)
        }
        Segment::Text(_) => false,
    };
    parts.iter().any(answered).then_some(parts)
}

/// The problems, each from the line that asks on, and what stands between them.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for line in text.lines() {
        if line.trim() == "---" || opens(line) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| line.trim() != "---") {
            part.push_str(line);
            part.push('\n');
        }
    }
    parts
}

/// ">>> 1 << 3" is a line of a Python session.
fn opens(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(">>") && !line.starts_with(">>>")
}

/// A problem, or text between problems; `None` for an empty part.
fn segment(part: &str, pointer: &Pointer) -> Option<Segment> {
    let asked = part.trim_start().strip_prefix(">>").filter(|_| opens(part)).and_then(|rest| rest.split_once("<<"));
    let Some((asked, tail)) = asked else {
        return Some(Segment::Text(part.to_owned())).filter(|_| !part.trim().is_empty());
    };
    let asked = asked.split("||").next().unwrap_or(asked);
    let mut question = Question::asking(pointer.clone(), inline(&squeeze(asked)).text);
    let (tail, explanation) = explained(tail);
    question.explanation = Some(inline(&squeeze(&explanation)).text).filter(|text| !text.is_empty());
    for line in tail.lines().map(str::trim) {
        read(line, &mut question);
    }
    Some(Segment::Questions(vec![question]))
}

/// What stands around the explanation, and the explanation.
fn explained(tail: &str) -> (String, String) {
    let Some((before, rest)) = tail.split_once(EXPLANATION) else { return (tail.to_owned(), String::new()) };
    let (explanation, behind) = rest.split_once(EXPLANATION).unwrap_or((rest, ""));
    (format!("{before}\n{behind}"), explanation.to_owned())
}

/// Reads a line behind a question. Hints, and what is said of a written answer, are left out.
fn read(line: &str, question: &mut Question) {
    let choice = [("(x)", true), ("(X)", true), ("[x]", true), ("[X]", true), ("( )", false), ("[ ]", false)];
    if let Some((text, right)) = choice.into_iter().find_map(|(mark, right)| Some((line.strip_prefix(mark)?, right))) {
        offer(text, right, question);
    } else if let Some(menu) = line.strip_prefix("[[").and_then(|line| line.strip_suffix("]]")) {
        for option in menu.split(',').map(str::trim).filter(|_| menu.contains('(')) {
            let right = option.strip_prefix('(').and_then(|option| option.strip_suffix(')'));
            offer(right.unwrap_or(option), right.is_some(), question);
        }
    } else if let Some(answer) = ["s=", "or=", "="].into_iter().find_map(|mark| line.strip_prefix(mark)) {
        let (answer, tolerance) = answer.split_once("+-").unwrap_or((answer, ""));
        let answer = without_feedback(answer);
        // A further answer has a tolerance of its own, which nobody could tell from the first.
        if question.answers.is_empty() {
            question.tolerance = Some(tolerance.trim().to_owned()).filter(|text| !text.is_empty());
        }
        question.answers.extend(Some(answer).filter(|text| !text.is_empty()));
    }
}

fn offer(text: &str, right: bool, question: &mut Question) {
    let text = without_feedback(text);
    if right {
        question.answers.push(text.clone());
    }
    question.options.push(text);
}

/// A text without what is said to whoever chooses it: "Rome {{No, that is Italy's.}}".
fn without_feedback(text: &str) -> String {
    inline(text.split("{{").next().unwrap_or(text).trim()).text
}
