//! Quizzes that are written as lines of text: questions, lettered options or boxes, and a line with the answer.

use super::super::blocks::Question;
use super::super::markdown::{bullet_mark, inline};
use super::super::names::{Role, Roles, heads};
use super::super::pointer::Pointer;
use super::answer;
use super::edx;
use super::keys::{names_verdicts, verdict_of};
use super::letters::{place_of, split_letter};
use super::links;
use super::names::{Part, part};
use language::sentences::asks;

/// Most lines between a question and its answer.
const MOST_BESIDE: usize = 6;
/// Longest label in front of a colon, in characters.
const LONGEST_LABEL: usize = 30;

/// A part of a text.
pub(in crate::reading) enum Segment {
    Text(String),
    Questions(Vec<Question>),
}

/// The parts of a text; none where it holds no quiz.
pub(in crate::reading) fn parted(text: &str, pointer: &Pointer) -> Option<Vec<Segment>> {
    if let Some(segments) = edx::parted(text, pointer) {
        return Some(segments);
    }
    if !text.contains('\n')
        || !text.lines().any(|line| option(line).is_some() || label(line).or_else(|| key_behind(line)).is_some())
    {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut segments: Vec<Segment> = Vec::new();
    let mut at = 0;
    let mut fenced = false;
    while at < lines.len() {
        fenced ^= lines[at].trim_start().starts_with("```");
        let found = if fenced { None } else { question(&lines, at, pointer) };
        match (found, segments.last_mut()) {
            (Some((question, next)), Some(Segment::Questions(questions))) => {
                questions.push(question);
                at = next;
            }
            (Some((question, next)), _) => {
                segments.push(Segment::Questions(vec![question]));
                at = next;
            }
            (None, Some(Segment::Text(text))) => {
                text.push_str(lines[at]);
                text.push('\n');
                at += 1;
            }
            (None, _) => {
                if !lines[at].trim().is_empty() {
                    segments.push(Segment::Text(format!("{}\n", lines[at])));
                }
                at += 1;
            }
        }
    }
    segments.iter().any(|segment| matches!(segment, Segment::Questions(_))).then_some(segments)
}

/// The question that begins on a line, and the line behind it.
fn question(lines: &[&str], at: usize, pointer: &Pointer) -> Option<(Question, usize)> {
    let line = lines[at].trim();
    if line.is_empty() || line.starts_with('#') || line.starts_with('|') || option(line).is_some() {
        return None;
    }
    let labelled = label(line).filter(|(role, rest)| *role == Role::Question && !rest.is_empty()).map(|(_, rest)| rest);
    let numbered = is_numbered(line);
    let mut asked = inline(unnumbered(labelled.unwrap_or(line))).text;
    let mut tail = Tail::default();
    // What stands between a numbered question and its answer belongs to it, such as two lists to be matched.
    let beside = if numbered { beside(lines, at + 1) } else { 0 };
    for line in &lines[at + 1..at + 1 + beside] {
        asked = format!("{asked} {}", inline(line.trim()).text);
    }
    let next = tail.read(lines, at + 1 + beside, labelled.is_some());
    let chosen = tail.options.len() > 1;
    let answered = !tail.answer.is_empty() || tail.options.iter().any(|(_, right)| *right);
    let judged = asked.split_once([':', '：']).is_some_and(|(before, _)| names_verdicts(before));
    let is_question = judged && answered
        || labelled.is_some()
        || numbered && !tail.answer.is_empty()
        || chosen && (answered || asks(&asked) || asked.contains("__"))
        || asks(&asked) && answered;
    if !is_question || asked.is_empty() {
        return None;
    }
    let mut question = Question::asking(pointer.clone(), asked);
    if chosen {
        question.options = tail.options.iter().map(|(text, _)| text.clone()).collect();
        question.answers = tail.options.iter().filter(|(_, right)| *right).map(|(text, _)| text.clone()).collect();
    }
    // "1-b; 2-a" names places in lists that nobody is asked to fill in.
    if chosen || !links::is_key(&tail.answer) {
        answer(&mut question, &tail.answer);
    }
    question.explanation = Some(tail.explanation).filter(|text| !text.is_empty()).or(question.explanation);
    Some((question, next))
}

/// What follows a question.
#[derive(Default)]
struct Tail {
    options: Vec<(String, bool)>,
    answer: String,
    explanation: String,
}

impl Tail {
    /// Reads options and labelled lines; answers the line behind them. `short`: a line may be labelled with a letter.
    fn read(&mut self, lines: &[&str], mut at: usize, short: bool) -> usize {
        let mut end = at;
        while let Some(line) = lines.get(at) {
            at += 1;
            let line = line.trim();
            if line.is_empty() {
                if at - end > 1 {
                    break;
                }
                continue;
            }
            if let Some((label, text, right)) = option(line)
                && self.answer.is_empty()
                && label.is_none_or(|label| label == self.options.len())
                && !(short && self.options.is_empty() && line.starts_with("A:"))
            {
                self.options.push((inline(text).text, right));
            } else {
                // "(Answer: 45)" on a line of its own.
                let inner = line.strip_prefix('(').and_then(|line| line.strip_suffix(')')).unwrap_or(line);
                match label(inner).or_else(|| key_behind(inner)) {
                    Some((Role::Answer, rest)) if self.answer.is_empty() && (short || !is_letter(line)) => {
                        self.answer = inline(before_label(rest)).text;
                    }
                    Some((Role::Explanation, rest)) => self.explanation = inline(rest).text,
                    Some((Role::Hint, _)) => {}
                    // "Difficulty: easy", "Points: 2".
                    _ if !self.answer.is_empty() && is_remark(inner) => {}
                    _ => break,
                }
            }
            end = at;
        }
        end
    }
}

/// How many lines behind a numbered question stand before its answer, and are no options.
fn beside(lines: &[&str], from: usize) -> usize {
    let told = |line: &str| label(line).or_else(|| key_behind(line)).is_some_and(|(role, _)| role == Role::Answer);
    let most = lines[from..].iter().take(MOST_BESIDE);
    let ends = |line: &&str| line.is_empty() || is_numbered(line) || option(line).is_some() || line.starts_with('#');
    let lines: Vec<&str> = most.map(|line| line.trim()).take_while(|line| !ends(line)).collect();
    lines.iter().position(|line| told(line)).unwrap_or(0)
}

/// "1. …", "2) …", "3、…": a question of a list of questions.
fn is_numbered(line: &str) -> bool {
    let line = line.trim_start_matches(['*', '_']);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    (1..=3).contains(&digits) && line[digits..].starts_with(['.', ')', '、', '．', '）'])
}

/// An answer without what is said of it on the same line, behind a wide space: "3.65  Tolerance: 0.05".
fn before_label(text: &str) -> &str {
    let wide = ["\u{3000}", "  ", "\t"].into_iter().filter_map(|space| text.find(space)).min();
    let cut = wide.filter(|at| text[*at..].contains([':', '：']));
    cut.map_or(text, |at| text[..at].trim_end())
}

/// Labelled as something that is said about a question, and not in it.
fn is_remark(line: &str) -> bool {
    let name = line.split([':', '：']).next().filter(|name| name.len() < line.len()).unwrap_or_default();
    let roles = Roles::of(name.trim());
    [Role::Technical, Role::Metadata, Role::Count, Role::Teacher, Role::Kind].into_iter().any(|role| roles.has(role))
}

/// Labelled with a single letter: "A: …".
fn is_letter(line: &str) -> bool {
    line.chars().nth(1).is_some_and(|second| matches!(second, ':' | '：'))
}

/// The text of an option, its place where it has a letter, and whether it is marked as right.
fn option(line: &str) -> Option<(Option<usize>, &str, bool)> {
    let line = line.trim();
    let bare = bullet_mark(line).unwrap_or(line);
    for (mark, right) in [("[ ]", false), ("[x]", true), ("[X]", true), ("( )", false), ("(x)", true), ("(X)", true)] {
        if let Some(text) = bare.strip_prefix(mark).filter(|text| text.starts_with(' ')) {
            return Some((None, text.trim(), right));
        }
    }
    let (label, text) = split_letter(bare)?;
    let place = place_of(label).filter(|_| label.starts_with(|first: char| first.is_ascii_alphabetic()))?;
    let (text, right) = marked(text);
    Some((Some(place), text, right))
}

/// "Paris ✓", "Paris (correct)".
fn marked(text: &str) -> (&str, bool) {
    if let Some(bare) = ["✓", "✔", "✅"].iter().find_map(|mark| text.strip_suffix(mark)) {
        return (bare.trim_end(), true);
    }
    match text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
        Some((bare, label)) if heads(label, Role::Answer) => (bare.trim_end(), true),
        _ => (text, false),
    }
}

/// What a line is labelled as, and the text behind the label.
pub(in crate::reading) fn label(line: &str) -> Option<(Role, &str)> {
    let (at, mark) = line.char_indices().take(LONGEST_LABEL).find(|(_, character)| matches!(character, ':' | '：'))?;
    let rest = line[at + mark.len_utf8()..].trim_start_matches(['*', '_', ' ', '\t']).trim();
    let name = line[..at].trim();
    let roles = [Role::Question, Role::Answer, Role::Explanation, Role::Hint];
    roles.into_iter().find(|role| heads(name, *role)).map(|role| (role, rest))
}

/// "Key: B", behind a question. Elsewhere it may be the key of a map.
fn key_behind(line: &str) -> Option<(Role, &str)> {
    let (name, rest) = line.trim_start_matches(['*', '_']).split_once([':', '：'])?;
    let is_key = name.len() <= LONGEST_LABEL && part(name) == Part::Key;
    is_key.then(|| (Role::Answer, rest.trim_start_matches(['*', '_', ' ']).trim()))
}

/// A question without its number.
fn unnumbered(text: &str) -> &str {
    let text = bullet_mark(text).unwrap_or(text);
    let bare = text.trim_start_matches(['*', '_']);
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &bare[digits..];
    if (1..=3).contains(&digits)
        && let Some(rest) = rest.strip_prefix(['.', ')', '、', '．', '）'])
    {
        return rest.trim_start().trim_end_matches(['*', '_']);
    }
    text
}

/// "What is 2+2? (Answer: 4)": the text and the answer in brackets at its end.
pub(in crate::reading) fn answer_in_brackets(text: &str) -> Option<(&str, &str)> {
    let (asked, told) = in_brackets(text)?;
    let (role, rest) = label(told)?;
    (role == Role::Answer && !rest.is_empty()).then_some((asked, rest))
}

/// "Spiders are insects. (false)": a statement and its verdict. "Paris (correct)" is an option, and a gap takes a word.
pub(in crate::reading) fn verdict_in_brackets(text: &str) -> Option<(&str, &str)> {
    let is_statement = |stated: &str| stated.contains(char::is_whitespace) && !stated.contains("__") && !asks(stated);
    in_brackets(text).filter(|(stated, told)| told.len() > 1 && is_statement(stated) && verdict_of(told).is_some())
}

/// A text and what stands in brackets at its end.
fn in_brackets(text: &str) -> Option<(&str, &str)> {
    let inner = text.trim_end().strip_suffix([')', ']', '）'])?;
    let at = inner.rfind(['(', '[', '（'])?;
    let bracket = inner[at..].chars().next()?;
    Some((inner[..at].trim_end(), &inner[at + bracket.len_utf8()..]))
}
