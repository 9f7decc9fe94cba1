//! Graded answers, collection by collection, with what the grader measures of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, bail};
use grading::builtin::measure;
use grading::builtin::scorer::Measured;
use serde::Deserialize;

/// Answers of one making.
pub(crate) struct Collection {
    pub(crate) name: String,
    /// Collections of one family count as one.
    pub(crate) family: String,
    pub(crate) answers: Vec<Answer>,
}

/// A graded answer as it stands in a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    question_id: String,
    #[serde(default)]
    question: Option<String>,
    #[serde(default)]
    reference_answer: Option<String>,
    #[serde(default)]
    reference_answers: Option<Vec<String>>,
    student_answer: String,
    score: f64,
    #[serde(default)]
    min_score: Option<f64>,
    max_score: f64,
    #[serde(default)]
    language: Option<String>,
}

/// A measured answer.
#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) question: String,
    pub(crate) measured: Measured,
    /// The teacher's share of the points.
    pub(crate) share: f64,
}

impl Row {
    fn question(&self) -> &str {
        self.question.as_deref().unwrap_or_default()
    }

    fn language(&self) -> &str {
        self.language.as_deref().unwrap_or("en")
    }

    /// The good answers, each once.
    fn references(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for text in self.reference_answer.iter().chain(self.reference_answers.iter().flatten()) {
            if !text.trim().is_empty() && !found.contains(&text.as_str()) {
                found.push(text);
            }
        }
        found
    }

    fn answer(&self) -> Answer {
        let least = self.min_score.unwrap_or(0.0);
        Answer {
            question: self.question_id.clone(),
            measured: measure(self.language(), self.question(), &self.references(), &self.student_answer),
            share: (self.score - least) / (self.max_score - least),
        }
    }
}

impl Collection {
    /// Whether its scores are more than all or nothing.
    pub(crate) fn gives_parts(&self) -> bool {
        let partly = self.answers.iter().filter(|answer| answer.share > 0.0 && answer.share < 1.0).count();
        partly * 20 > self.answers.len()
    }

    pub(crate) fn questions(&self) -> usize {
        self.answers.iter().map(|answer| &answer.question).collect::<BTreeSet<_>>().len()
    }

    pub(crate) fn mean(&self) -> f64 {
        self.answers.iter().map(|answer| answer.share).sum::<f64>() / self.answers.len() as f64
    }
}

/// Reads and measures every collection of a folder, in the order of their names.
pub(crate) fn read_all(folder: &Path, except: &[String], together: &[String]) -> anyhow::Result<Vec<Collection>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_some_and(|extension| extension == "jsonl") && !except.contains(&name) {
            files.insert(name, path);
        }
    }
    if files.is_empty() {
        bail!("{} has no collections", folder.display());
    }
    let mut collections = Vec::new();
    for (name, path) in files {
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let rows = lines
            .map(|(at, line)| serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), at + 1)))
            .collect::<anyhow::Result<Vec<Row>>>()?;
        let answers = rows.iter().map(Row::answer).collect();
        let family = if together.contains(&name) { together.join("+") } else { name.clone() };
        collections.push(Collection { name, family, answers });
    }
    Ok(collections)
}
