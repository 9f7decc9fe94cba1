//! Content of H5P: `{"library": "H5P.MultiChoice 1.16", "params": {…}}`, alone or within each other.

use serde_json::{Map, Value};

use super::super::blocks::{Body, Question};
use super::super::pointer::Pointer;
use super::super::shapes::read_text;
use super::values::text_of;
use super::{Draft, Learned, ask};
use crate::phrases::Phrases;

/// Deepest content within content.
const DEEPEST: usize = 12;

/// Whether an object is content of H5P.
pub(super) fn is_content(object: &Map<String, Value>) -> bool {
    let library = object.get("library").and_then(Value::as_str);
    library.is_some_and(|library| library.starts_with("H5P.")) && object.get("params").is_some_and(Value::is_object)
}

/// What an object of H5P holds: its texts, and its questions. What is neither is left out: it may be a key.
pub(super) fn read(object: &Map<String, Value>, at: &Pointer, phrases: &Phrases) -> Vec<(Pointer, Body)> {
    let mut found = Vec::new();
    content(object, at, phrases, DEEPEST, &mut found);
    let mut joined: Vec<(Pointer, Body)> = Vec::with_capacity(found.len());
    for (pointer, body) in found {
        match (body, joined.last_mut()) {
            (Body::Questions(more), Some((_, Body::Questions(questions)))) => questions.extend(more),
            (body, _) => joined.push((pointer, body)),
        }
    }
    joined
}

fn content(
    object: &Map<String, Value>,
    at: &Pointer,
    phrases: &Phrases,
    deepest: usize,
    found: &mut Vec<(Pointer, Body)>,
) {
    let library = object.get("library").and_then(Value::as_str).unwrap_or_default();
    let name = library.trim_start_matches("H5P.").split(' ').next().unwrap_or_default();
    let (Some(params), at) = (object.get("params").and_then(Value::as_object), at.key("params")) else { return };
    let questions =
        |questions: Vec<Question>| (!questions.is_empty()).then(|| (at.clone(), Body::Questions(questions)));
    match name {
        "AdvancedText" | "Text" => {
            let text = params.get("text").and_then(Value::as_str).unwrap_or_default();
            let pointer = at.key("text");
            found.extend(read_text(text, &pointer, 2).into_iter().map(|block| (block.pointer, block.body)));
        }
        "Blanks" => {
            let texts =
                params.get("questions").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            found.extend(questions(texts.flat_map(|text| starred(text, &at.key("questions"))).collect()));
        }
        "DragText" => {
            let text = params.get("textField").and_then(Value::as_str).unwrap_or_default();
            found.extend(questions(starred(text, &at.key("textField"))));
        }
        "SingleChoiceSet" => found.extend(questions(first_is_right(params, "choices", "answers", &at))),
        "Summary" => found.extend(questions(first_is_right(params, "summaries", "summary", &at))),
        "Dialogcards" | "Flashcards" => found.extend(questions(cards(params, &at))),
        "MultiChoice" | "TrueFalse" => {
            let draft = Draft::read(params, &at, true, &Learned::default()).map(|draft| (at.clone(), draft));
            found.extend(ask(draft.into_iter().collect(), phrases));
        }
        _ if deepest > 0 => nested(&Value::Object(params.clone()), &at, phrases, deepest - 1, found),
        _ => {}
    }
}

/// Content within content of any kind: question sets, books, presentations, columns.
fn nested(value: &Value, at: &Pointer, phrases: &Phrases, deepest: usize, found: &mut Vec<(Pointer, Body)>) {
    match value {
        Value::Object(object) if is_content(object) => content(object, at, phrases, deepest, found),
        Value::Object(object) if deepest > 0 => {
            object.iter().for_each(|(name, value)| nested(value, &at.key(name), phrases, deepest - 1, found));
        }
        Value::Array(values) if deepest > 0 => {
            values
                .iter()
                .enumerate()
                .for_each(|(index, value)| nested(value, &at.index(index), phrases, deepest - 1, found));
        }
        _ => {}
    }
}

/// Questions whose first option is right; the options are put in the order of their letters.
fn first_is_right(params: &Map<String, Value>, list: &str, options: &str, at: &Pointer) -> Vec<Question> {
    let entries = params.get(list).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
    let ask = |entry: &Map<String, Value>| {
        let mut choices: Vec<String> = entry.get(options)?.as_array()?.iter().map(text_of).collect();
        let asked =
            entry.get("question").or_else(|| params.get("intro")).map(text_of).filter(|text| !text.is_empty())?;
        let right = choices.first()?.clone();
        choices.sort();
        let mut question = Question::asking(at.key(list), asked);
        question.options = choices;
        question.answers = vec![right];
        Some(question)
    };
    entries.filter_map(ask).collect()
}

fn cards(params: &Map<String, Value>, at: &Pointer) -> Vec<Question> {
    let list = if params.contains_key("dialogs") { "dialogs" } else { "cards" };
    let entries = params.get(list).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
    let ask = |entry: &Map<String, Value>| {
        let mut question = Question::asking(at.key(list), text_of(entry.get("text")?));
        question.answers = vec![text_of(entry.get("answer")?)];
        (!question.question.is_empty() && !question.answers[0].is_empty()).then_some(question)
    };
    entries.filter_map(ask).collect()
}

/// Sentences with gaps that are written between stars: `*answer/other answer:tip*`. A sentence with several gaps has no key.
fn starred(text: &str, at: &Pointer) -> Vec<Question> {
    let mut questions = Vec::new();
    for block in read_text(&text.replace('*', GAP_MARK), at, 1) {
        super::super::flat::each_text(&block.body, &mut |text| {
            let pieces: Vec<&str> = text.split(GAP_MARK).collect();
            if pieces.len() < 2 {
                return;
            }
            let asked: String =
                pieces.iter().enumerate().map(|(at, piece)| if at % 2 == 0 { piece } else { "____" }).collect();
            let mut question = Question::asking(at.clone(), asked);
            if let [_, gap, _] = pieces[..] {
                let answers = gap.split(':').next().unwrap_or_default().split('/');
                question.answers =
                    answers.map(|answer| answer.trim().to_owned()).filter(|answer| !answer.is_empty()).collect();
            }
            questions.push(question);
        });
    }
    questions
}

/// Stands for a star while the text around it is read.
const GAP_MARK: &str = "\u{10FFF0}";
