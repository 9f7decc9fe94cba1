//! Values and blocks as one line of text, for cells, notes and everything else that has no room for
//! structure.

use language::script::{is_thai, is_unspaced};
use serde_json::Value;

use super::blocks::{Body, Note};
use super::metadata::is_metadata;
use super::names::humanise;
use super::pointer::Pointer;
use super::quiz::without_answers;
use super::{html, markdown};
use crate::phrases::Phrases;

/// A value as a reader would write it in one line: never with JSON's braces.
pub(crate) fn flat(value: &Value, phrases: &Phrases) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(yes) => if *yes { phrases.yes } else { phrases.no }.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => flat_text(text),
        Value::Array(values) => joined(values.iter().map(|value| flat(value, phrases)), ", "),
        Value::Object(members) => {
            let told = members.iter().filter(|(name, value)| !is_metadata(name, value, false));
            let parts = told.map(|(name, value)| labelled(&humanise(name), &flat(value, phrases)));
            joined(parts, "; ")
        }
    }
}

/// "Label: value"; just the value when there is no label.
pub(crate) fn labelled(label: &str, value: &str) -> String {
    match (label.is_empty(), value.is_empty()) {
        (_, true) => String::new(),
        (true, false) => value.to_owned(),
        (false, false) if label.ends_with(|last| is_unspaced(last) && !is_thai(last)) => format!("{label}：{value}"),
        (false, false) => format!("{label}: {value}"),
    }
}

/// A string on one line, without markup.
pub(crate) fn flat_text(text: &str) -> String {
    let text = &*without_answers(text);
    if html::looks_like(text) {
        let pointer = Pointer::root("");
        let mut parts = Vec::new();
        for block in html::read(text, &pointer, 1) {
            each_text(&block.body, &mut |part| parts.push(part.to_owned()));
        }
        return joined(parts.into_iter(), " ");
    }
    markdown::plain_inline(text)
}

fn joined(parts: impl Iterator<Item = String>, separator: &str) -> String {
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(separator)
}

/// Calls back with every text of a block, in order.
pub(crate) fn each_text(body: &Body, say: &mut impl FnMut(&str)) {
    match body {
        Body::Heading { text, .. } => say(text),
        Body::Code(code) => {
            say(&code.text);
            code.output.iter().for_each(|output| say(output));
        }
        Body::Formula(formula) => say(formula),
        Body::Picture(picture) => {
            say(&picture.description);
            picture.caption.iter().for_each(|caption| say(caption));
        }
        Body::Quotation(quotation) => {
            quotation.paragraphs.iter().for_each(|passage| say(&passage.text));
            quotation.source.iter().for_each(|source| say(source));
        }
        Body::Example(example) => {
            example.title.iter().for_each(|title| say(title));
            say(&example.problem.text);
            example.steps.iter().for_each(|step| {
                say(&step.text.text);
                notes(&step.notes, say);
            });
            example.result.iter().for_each(|result| say(&result.text));
        }
        Body::Paragraph(passage) => say(&passage.text),
        Body::List { items, .. } => items.iter().for_each(|item| {
            say(&item.text.text);
            notes(&item.notes, say);
        }),
        Body::Table(table) => {
            table.columns.iter().for_each(|column| say(column));
            table.rows.iter().flat_map(|row| &row.cells).for_each(|cell| say(cell));
        }
        Body::Definitions(pairs) => pairs.iter().for_each(|pair| {
            say(&pair.term);
            say(&pair.definition);
            notes(&pair.notes, say);
        }),
        Body::Questions(questions) => questions.iter().for_each(|question| {
            say(&question.question);
            question.options.iter().chain(&question.answers).chain(&question.explanation).for_each(|text| say(text));
            notes(&question.notes, say);
        }),
        Body::Facts(facts) => facts.iter().for_each(|fact| {
            say(&fact.label);
            say(&fact.value);
        }),
        Body::Dialogue(turns) => turns.iter().for_each(|turn| {
            say(&turn.speaker);
            say(&turn.line);
            notes(&turn.notes, say);
        }),
        Body::Timeline(events) => events.iter().for_each(|event| {
            say(&event.when);
            say(&event.what);
            notes(&event.notes, say);
        }),
    }
}

fn notes(notes: &[Note], say: &mut impl FnMut(&str)) {
    for note in notes {
        say(&note.label);
        say(&note.value);
    }
}
