//! Blocks of a lesson as lines of plain text, with the structure that a reader needs to follow them, in pieces that are not
//! too long.

use crate::reading::blocks::{Body, Note, Question, Table};

/// Longest piece, in characters.
pub(super) const LONGEST: usize = 1_500;

/// A block's text. Empty when there is nothing to read in it.
pub(super) fn plain(body: &Body) -> String {
    let lines: Vec<String> = match body {
        Body::Heading { text, .. } => vec![format!("## {text}")],
        Body::Paragraph(passage) => vec![passage.text.clone()],
        Body::Code(code) => std::iter::once(&code.text).chain(&code.output).cloned().collect(),
        Body::Formula(formula) => vec![format!("$${formula}$$")],
        Body::Picture(picture) => [&picture.description].into_iter().chain(&picture.caption).cloned().collect(),
        Body::Quotation(quotation) => {
            let said = quotation.paragraphs.iter().map(|passage| format!("> {}", passage.text));
            said.chain(quotation.source.iter().map(|source| format!("– {source}"))).collect()
        }
        Body::Example(example) => {
            let steps = example.steps.iter().enumerate();
            let steps = steps.map(|(at, step)| format!("{}. {}{}", at + 1, step.text.text, noted(&step.notes)));
            let before = example.title.iter().chain([&example.problem.text]).cloned();
            before.chain(steps).chain(example.result.iter().map(|result| format!("= {}", result.text))).collect()
        }
        Body::List { steps, items } => items
            .iter()
            .enumerate()
            .map(|(at, item)| {
                let mark = if *steps { format!("{}.", at + 1) } else { "-".to_owned() };
                format!("{}{mark} {}{}", "  ".repeat(usize::from(item.level)), item.text.text, noted(&item.notes))
            })
            .collect(),
        Body::Table(table) => rows(table),
        Body::Definitions(pairs) => {
            pairs.iter().map(|pair| format!("{}: {}{}", pair.term, pair.definition, noted(&pair.notes))).collect()
        }
        Body::Questions(questions) => questions.iter().map(question).collect(),
        Body::Facts(facts) => facts.iter().map(|fact| format!("{}: {}", fact.label, fact.value)).collect(),
        Body::Dialogue(turns) => {
            turns.iter().map(|turn| format!("{}: {}{}", turn.speaker, turn.line, noted(&turn.notes))).collect()
        }
        Body::Timeline(events) => {
            events.iter().map(|event| format!("{}: {}{}", event.when, event.what, noted(&event.notes))).collect()
        }
    };
    lines.join("\n").trim().to_owned()
}

fn noted(notes: &[Note]) -> String {
    notes.iter().map(|note| format!(" ({}: {})", note.label, note.value)).collect()
}

fn rows(table: &Table) -> Vec<String> {
    let heading = Some(table.columns.join(" | ")).filter(|heading| !heading.is_empty());
    heading.into_iter().chain(table.rows.iter().map(|row| row.cells.join(" | "))).collect()
}

fn question(question: &Question) -> String {
    let mut text = format!("? {}", question.question);
    if !question.options.is_empty() {
        text.push_str(&format!(" [{}]", question.options.join(" / ")));
    }
    if !question.answers.is_empty() {
        text.push_str(&format!(" = {}", question.answers.join("; ")));
    }
    if let Some(explanation) = &question.explanation {
        text.push_str(&format!(" ({explanation})"));
    }
    text + &noted(&question.notes)
}

/// A text in pieces that are not too long, cut behind lines, sentences or words where there are some.
pub(super) fn cut(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text.trim();
    while let Some((limit, _)) = rest.char_indices().nth(LONGEST) {
        let window = &rest[..limit];
        let half = window.floor_char_boundary(limit / 2);
        let behind = |marks: &[char]| {
            window[half..].rfind(marks).map(|at| {
                let at = half + at;
                at + window[at..].chars().next().map_or(0, char::len_utf8)
            })
        };
        let end =
            behind(&['\n']).or_else(|| behind(&['.', '!', '?', '。', '！', '？', '।'])).or_else(|| behind(&[' ']));
        let (piece, more) = rest.split_at(end.unwrap_or(limit));
        pieces.push(piece.trim());
        rest = more.trim_start();
    }
    pieces.push(rest);
    pieces.retain(|piece| piece.chars().any(char::is_alphanumeric));
    pieces
}
