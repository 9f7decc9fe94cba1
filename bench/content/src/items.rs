//! Items as judges see them: one row each, whichever draft they stand in.

use anyhow::Context as _;
use engine::{Citation, ModuleQuizKind, QuizItemKind, SourceLesson};
use serde::Serialize;
use serde_json::Value;

use crate::csv;
use crate::expand::Expansion;
use crate::sources::{Source, lesson_texts};
use crate::text::{self, squeeze};

/// Longest text that is quoted from the source, in characters.
const MAX_CITED: usize = 1_500;
/// The columns of an item, as sheets name them.
pub(crate) const COLUMNS: [&str; 10] =
    ["id", "source", "language", "kind", "question", "options", "answer", "explanation", "cited", "pointers"];
/// Stands between options in a cell.
const BETWEEN: &str = " | ";

/// An item of a quiz or of a module.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Item {
    /// `{source}/{quiz|module}/{number}`, or the number of a drawn item.
    pub(crate) id: String,
    pub(crate) source: String,
    pub(crate) language: String,
    /// `select`, `true-false`, `blank`, `open-ended` or `submission`.
    pub(crate) kind: String,
    pub(crate) question: String,
    pub(crate) options: Vec<String>,
    pub(crate) keys: Vec<String>,
    pub(crate) explanation: String,
    /// The text of the places that the item cites.
    pub(crate) cited: String,
    pub(crate) pointers: Vec<String>,
    /// The whole lesson that the item cites first, for pages only.
    pub(crate) lesson: String,
}

/// The items of an expansion: those of the quiz, then those of the module.
pub(crate) fn of(expansion: &Expansion) -> Vec<Item> {
    let source = &expansion.source;
    let quoted = |citations: &[Citation], part: String| {
        let pointers: Vec<String> =
            citations.iter().filter(|cited| cited.part == part).flat_map(|cited| cited.pointers.clone()).collect();
        (quote(&source.payload, &pointers), pointers)
    };
    let mut items = Vec::new();
    for (at, item) in expansion.quiz.iter().flat_map(|quiz| quiz.items.iter().enumerate()) {
        let citations = expansion.quiz.as_ref().map(|quiz| quiz.citations.as_slice()).unwrap_or_default();
        let (cited, pointers) = quoted(citations, format!("items/{at}"));
        items.push(Item {
            id: format!("{}/quiz/{}", source.name, at + 1),
            source: source.name.clone(),
            language: source.level.language.clone(),
            kind: quiz_kind(item.kind).to_owned(),
            question: item.question.clone(),
            options: item.options.clone(),
            keys: item.correct_answers.clone(),
            explanation: item.explanation.clone(),
            cited,
            lesson: lesson(source, &pointers),
            pointers,
        });
    }
    for (at, item) in expansion.module.iter().flat_map(|module| module.quizzes.iter().enumerate()) {
        let citations = expansion.module.as_ref().map(|module| module.citations.as_slice()).unwrap_or_default();
        let (cited, pointers) = quoted(citations, format!("quizzes/{at}"));
        items.push(Item {
            id: format!("{}/module/{}", source.name, at + 1),
            source: source.name.clone(),
            language: source.level.language.clone(),
            kind: module_kind(item.kind).to_owned(),
            question: item.question.clone(),
            options: item.options.clone(),
            keys: item.correct_answers.clone(),
            explanation: String::new(),
            cited,
            lesson: lesson(source, &pointers),
            pointers,
        });
    }
    items
}

/// Draws items at random, the same for the same seed, and numbers them. No two have the same question.
pub(crate) fn draw(items: &[Item], count: usize, seed: u64) -> Vec<Item> {
    let mut different: Vec<&Item> = Vec::new();
    for item in items {
        let is_new = different.iter().all(|other| other.source != item.source || other.question != item.question);
        different.extend(is_new.then_some(item));
    }
    let mut state = seed;
    let mut keyed: Vec<(u64, &Item)> = different.into_iter().map(|item| (next(&mut state), item)).collect();
    keyed.sort_by_key(|(key, _)| *key);
    let drawn = keyed.into_iter().take(count).enumerate();
    drawn.map(|(at, (_, item))| Item { id: format!("item-{:03}", at + 1), ..item.clone() }).collect()
}

/// `SplitMix64`, a generator of random numbers that is the same everywhere.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// The cells of an item, in the order of [`COLUMNS`].
pub(crate) fn cells(item: &Item) -> [String; 10] {
    [
        item.id.clone(),
        item.source.clone(),
        item.language.clone(),
        item.kind.clone(),
        item.question.clone(),
        item.options.join(BETWEEN),
        item.keys.join(BETWEEN),
        item.explanation.clone(),
        item.cited.clone(),
        item.pointers.join(" "),
    ]
}

/// Reads the items of a sheet with all columns.
pub(crate) fn read(sheet: &str) -> anyhow::Result<Vec<Item>> {
    let table = csv::Table::read(sheet)?;
    let rows = (0..table.len()).map(|row| {
        let cell = |column: &str| table.cell(row, column).with_context(|| format!("the sheet has no column {column}"));
        let list = |column: &str| -> anyhow::Result<Vec<String>> {
            let cell = cell(column)?;
            Ok(cell.split(BETWEEN).filter(|part| !part.is_empty()).map(str::to_owned).collect())
        };
        Ok(Item {
            id: cell("id")?.to_owned(),
            source: cell("source")?.to_owned(),
            language: cell("language")?.to_owned(),
            kind: cell("kind")?.to_owned(),
            question: cell("question")?.to_owned(),
            options: list("options")?,
            keys: list("answer")?,
            explanation: cell("explanation")?.to_owned(),
            cited: cell("cited")?.to_owned(),
            pointers: cell("pointers")?.split_whitespace().map(str::to_owned).collect(),
            lesson: String::new(),
        })
    });
    rows.collect()
}

/// The texts of the lesson that the first pointer leads into.
fn lesson(source: &Source, pointers: &[String]) -> String {
    let cited = pointers.first().map_or("", String::as_str);
    let is_in = |lesson: &&SourceLesson| {
        cited.strip_prefix(lesson.pointer.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let Some(lesson) = source.level.lessons.iter().find(is_in) else { return String::new() };
    lesson_texts(lesson).join("\n")
}

fn quote(payload: &Value, pointers: &[String]) -> String {
    let texts = pointers.iter().filter_map(|pointer| payload.pointer(pointer));
    let texts: Vec<String> = texts
        .map(|value| text::leaves(value).iter().map(|leaf| squeeze(leaf)).collect::<Vec<_>>().join(" / "))
        .collect();
    let quoted = texts.join(" // ");
    match quoted.char_indices().nth(MAX_CITED) {
        Some((end, _)) => format!("{} …", &quoted[..end]),
        None => quoted,
    }
}

fn quiz_kind(kind: QuizItemKind) -> &'static str {
    match kind {
        QuizItemKind::Select => "select",
        QuizItemKind::TrueFalse => "true-false",
        QuizItemKind::Blank => "blank",
        QuizItemKind::OpenEnded => "open-ended",
        QuizItemKind::Submission => "submission",
    }
}

fn module_kind(kind: ModuleQuizKind) -> &'static str {
    match kind {
        ModuleQuizKind::Select => "select",
        ModuleQuizKind::TrueFalse => "true-false",
        ModuleQuizKind::Blank => "blank",
    }
}
