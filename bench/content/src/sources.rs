//! The sources: payloads as customers send them, with what must not be seen of them.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use engine::{SourceLesson, SourceLevel};
use serde::Deserialize;
use serde_json::Value;

use crate::support::level_of;
use crate::text;

/// What of a source must not reach learners by the wrong way.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Secrets {
    /// Pieces of notes, ids and markup, which no learner may see.
    pub(crate) never: Vec<String>,
    /// What belongs to one of the source's own questions.
    pub(crate) own: Vec<OwnQuestion>,
}

/// A question of the source itself.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct OwnQuestion {
    /// A piece of the question; an item that has it is the source's own.
    pub(crate) question: String,
    /// Pieces of its key, explanation and feedback, which only that item may have.
    pub(crate) texts: Vec<String>,
}

/// A source.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// The file's name without its ending.
    pub(crate) name: String,
    /// Whether only judges look at what is made of it.
    pub(crate) is_kept: bool,
    pub(crate) payload: Value,
    pub(crate) level: SourceLevel,
    pub(crate) secrets: Secrets,
}

impl Source {
    /// All texts and numbers of the lessons, with their titles.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.level.lessons.iter().flat_map(lesson_texts).collect()
    }
}

/// The title of a lesson, and the texts and numbers of its fields.
pub(crate) fn lesson_texts(lesson: &SourceLesson) -> Vec<String> {
    let fields = lesson.fields.iter().flat_map(|field| text::leaves(&field.value));
    lesson.title.iter().cloned().chain(fields).collect()
}

/// Reads the sources of a folder by name, and beside the folder `secrets.json` and `kept.txt`, where these exist.
pub(crate) fn read_all(folder: &Path) -> anyhow::Result<Vec<Source>> {
    let beside = folder.canonicalize().with_context(|| folder.display().to_string())?;
    let beside = beside.parent().unwrap_or(Path::new("/")).to_owned();
    let mut secrets: HashMap<String, Secrets> = match fs::read_to_string(beside.join("secrets.json")) {
        Ok(text) => serde_json::from_str(&text).context("secrets.json")?,
        Err(_) => HashMap::new(),
    };
    let kept = fs::read_to_string(beside.join("kept.txt")).unwrap_or_default();
    let entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    let mut paths: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let mut sources = Vec::new();
    for path in paths {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let payload: Value = serde_json::from_str(&fs::read_to_string(&path)?).with_context(|| file.clone())?;
        if !has_lessons(&payload) {
            bail!("{file}: the payload has no level with lessons");
        }
        sources.push(Source {
            name: file.trim_end_matches(".json").to_owned(),
            is_kept: kept.lines().any(|line| line.trim() == file),
            level: level_of(&payload),
            secrets: secrets.remove(&file).unwrap_or_default(),
            payload,
        });
    }
    if sources.is_empty() {
        bail!("{}: there is no source in this folder", folder.display());
    }
    Ok(sources)
}

fn has_lessons(payload: &Value) -> bool {
    let given = |level: &Value| level["lessons"].as_array().is_some_and(|lessons| !lessons.is_empty());
    let nested = payload["categories"].as_array().is_some_and(|categories| {
        categories.iter().any(|category| category["levels"].as_array().is_some_and(|levels| levels.iter().any(given)))
    });
    given(&payload["level"]) || (!payload["level"].is_object() && (nested || given(payload)))
}
