//! Pairs of answers that differ by little: who does what to whom, a denial, a comparison, a number, a unit, a term.

use std::path::Path;

use anyhow::Context as _;
use grading::builtin::measure;
use serde::Deserialize;

use crate::collections::{Answer, Collection};

/// Their collection.
pub(crate) const NAME: &str = "pairs";

/// A right and a wrong answer.
pub(crate) struct Pair {
    pub(crate) kind: String,
    pub(crate) right: Answer,
    pub(crate) wrong: Answer,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    id: String,
    kind: String,
    language: String,
    question: String,
    reference_answer: String,
    right: String,
    wrong: String,
}

/// Reads and measures pairs.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Pair>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let read = |line: &str| -> anyhow::Result<Pair> {
        let row: Row = serde_json::from_str(line).with_context(|| path.display().to_string())?;
        let answer = |text: &str, share: f64| Answer {
            question: row.id.clone(),
            measured: measure(&row.language, &row.question, &[&row.reference_answer], text),
            share,
        };
        Ok(Pair { right: answer(&row.right, 1.0), wrong: answer(&row.wrong, 0.0), kind: row.kind })
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(read).collect()
}

/// The answers of the pairs as a collection: a right one has earned all points, a wrong one none.
pub(crate) fn as_collection(pairs: &[Pair]) -> Collection {
    let answers = pairs.iter().flat_map(|pair| [&pair.right, &pair.wrong]).cloned().collect();
    Collection { name: NAME.to_owned(), family: NAME.to_owned(), answers }
}
