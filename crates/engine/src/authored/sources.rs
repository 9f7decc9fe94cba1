//! What a draft is written from: the material as numbered excerpts, each with the place it came from.
//!
//! A level's lessons and a request's prompts are read as the built-in generator reads them, then cut into [`Excerpt`]s.
//! A model names excerpts by their numbers; only code knows pointers. Everything here is the customer's text: it is sent
//! as data and never becomes a part of the instructions.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::plain::{LONGEST, cut, plain};
use crate::generator::GenerationError;
use crate::phrases::{self, Spoken};
use crate::reading::blocks::LessonReading;
use crate::reading::flat::flat_text;
use crate::reading::inline::squeeze;
use crate::reading::pointer::Pointer;
use crate::reading::{modules, read_lessons, read_text};
use crate::relevance::{Candidate, rank_modules};
use crate::request::SourceModule;
use crate::source::{DEFAULT_CATEGORY_TITLE, SourceLevel};
use crate::text::script::word_count;

/// Most excerpts; what comes after them is left out.
const MOST_EXCERPTS: usize = 4_000;
/// Most lessons that an outline is made from.
const MOST_LESSONS: usize = 200;
/// Least that an overview shows of an excerpt, in characters.
const LEAST_SHOWN: usize = 60;
/// A request with fewer words than this, and without material, names a topic and teaches nothing.
const TEACHES: usize = 80;

/// A piece of the material. Its number is its place, counted from 1.
#[derive(Debug)]
pub(super) struct Excerpt {
    lesson: usize,
    pointer: String,
    text: String,
}

/// A lesson, a prompt or a section of a module.
#[derive(Debug)]
struct Lesson {
    title: String,
    /// What the caller asks for, not what is taught.
    is_wish: bool,
}

/// The material of one draft.
pub(super) struct Sources {
    /// Language tag of the draft, as the payload or the request gave it.
    pub(super) language: String,
    pub(super) spoken: Spoken,
    /// The level's title, or the request's. May be blank.
    pub(super) title: String,
    /// The category's title. May be blank.
    pub(super) category: String,
    /// Nothing is taught in it: the model may say what it knows.
    pub(super) names_only_a_topic: bool,
    lessons: Vec<Lesson>,
    excerpts: Vec<Excerpt>,
    /// Places that came after the last excerpt.
    surplus: Vec<String>,
    /// Excerpts that some prompt has held whole, of those that were answered.
    read: Mutex<BTreeSet<usize>>,
}

/// Material as a prompt shows it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shown {
    pub(super) json: Value,
    /// The excerpts (from 0) that it holds whole.
    pub(super) whole: Vec<usize>,
    /// How much of the material it holds, in characters.
    pub(super) characters: usize,
}

/// A prompt of a request, by the name that citations know it by.
pub(super) struct Wish<'a> {
    pub(super) pointer: &'static str,
    pub(super) text: &'a str,
}

impl Sources {
    /// The material of a level.
    pub(super) fn of_level(level: &SourceLevel) -> Result<Self, GenerationError> {
        let title = level.level_title.as_deref().map(squeeze).unwrap_or_default();
        let category = Some(squeeze(&level.category_title)).filter(|title| title != DEFAULT_CATEGORY_TITLE);
        let mut sources = Self::empty(&level.language, title, category.unwrap_or_default());
        for reading in read_lessons(level, sources.spoken.phrases) {
            sources.add(&reading);
        }
        if sources.excerpts.is_empty() { Err(GenerationError::source_empty()) } else { Ok(sources) }
    }

    /// The material of a request: what is asked for, then the modules. `language` is not blank.
    pub(super) fn of_request(
        language: &str,
        title: &str,
        wishes: &[Wish<'_>],
        modules: &[SourceModule],
    ) -> Result<Self, GenerationError> {
        let mut sources = Self::empty(language, squeeze(title), String::new());
        for wish in wishes {
            sources.wish(wish);
        }
        let words: usize = sources.excerpts.iter().map(|excerpt| word_count(&excerpt.text)).sum();
        let phrases = sources.spoken.phrases;
        for reading in modules.iter().flat_map(|module| modules::read(module, phrases)) {
            sources.add(&reading);
        }
        let has_material = sources.lessons.iter().any(|lesson| !lesson.is_wish);
        sources.names_only_a_topic = !has_material && words < TEACHES;
        if sources.excerpts.is_empty() { Err(GenerationError::request_empty()) } else { Ok(sources) }
    }

    fn empty(language: &str, title: String, category: String) -> Self {
        let language = Some(squeeze(language)).filter(|tag| !tag.is_empty()).unwrap_or_else(|| "en".to_owned());
        Self {
            spoken: phrases::for_language(&language),
            language,
            title,
            category,
            names_only_a_topic: false,
            lessons: Vec::new(),
            excerpts: Vec::new(),
            surplus: Vec::new(),
            read: Mutex::default(),
        }
    }

    fn add(&mut self, reading: &LessonReading) {
        let title = reading.title.clone().unwrap_or_default();
        let pieces = reading.blocks.iter().map(|block| (plain(&block.body), block.pointer.written()));
        self.lesson(Lesson { title: title.clone(), is_wish: false }, pieces);
        // A lesson that is only a title still says what it is about.
        if reading.blocks.is_empty() && title.chars().any(char::is_alphanumeric) {
            let pointer = reading.pointer.written();
            self.lesson(Lesson { title: title.clone(), is_wish: false }, std::iter::once((title, pointer)));
        }
    }

    fn wish(&mut self, wish: &Wish<'_>) {
        let blocks = read_text(wish.text, &Pointer::root(wish.pointer), 1);
        let pieces = blocks.iter().map(|block| (plain(&block.body), wish.pointer.to_owned()));
        self.lesson(Lesson { title: wish.pointer[1..].to_owned(), is_wish: true }, pieces);
    }

    /// Adds a lesson with its pieces; neighbours from one place share an excerpt as long as it stays short.
    fn lesson(&mut self, lesson: Lesson, pieces: impl Iterator<Item = (String, String)>) {
        let (at, first) = (self.lessons.len(), self.excerpts.len());
        for (text, pointer) in pieces {
            for text in cut(&text) {
                let has_room = self.excerpts.len() < MOST_EXCERPTS && at < MOST_LESSONS;
                match self.excerpts[first..].last_mut() {
                    Some(last)
                        if last.pointer == pointer && last.text.chars().count() + text.chars().count() < LONGEST =>
                    {
                        last.text.push('\n');
                        last.text.push_str(text);
                    }
                    _ if has_room => {
                        self.excerpts.push(Excerpt { lesson: at, pointer: pointer.clone(), text: text.to_owned() });
                    }
                    _ => self.surplus.push(pointer.clone()),
                }
            }
        }
        if self.excerpts.len() > first {
            self.lessons.push(lesson);
        }
    }

    /// How much there is to read, in words.
    pub(super) fn words(&self) -> usize {
        self.excerpts.iter().map(|excerpt| word_count(&excerpt.text)).sum()
    }

    /// How many excerpts there are.
    pub(super) fn count(&self) -> usize {
        self.excerpts.len()
    }

    /// Every text of the material, titles included.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let titles = self.lessons.iter().map(|lesson| lesson.title.as_str());
        let texts = self.excerpts.iter().map(|excerpt| excerpt.text.as_str());
        texts.chain(titles).chain([self.title.as_str(), self.category.as_str()])
    }

    /// The title of the lesson that an excerpt (from 0) stands in.
    pub(super) fn lesson_title(&self, excerpt: usize) -> &str {
        self.excerpts.get(excerpt).map_or("", |excerpt| &self.lessons[excerpt.lesson].title)
    }

    /// The places of excerpts by their numbers, each once, in the order of the material.
    pub(super) fn pointers(&self, numbers: &[u32]) -> Vec<String> {
        let mut pointers: Vec<String> = Vec::new();
        for at in places(numbers) {
            if let Some(excerpt) = self.excerpts.get(at).filter(|excerpt| !pointers.contains(&excerpt.pointer)) {
                pointers.push(excerpt.pointer.clone());
            }
        }
        pointers
    }

    /// The material for an outline, in about `characters`: every excerpt, cut short where there is too much.
    pub(super) fn overview(&self, characters: usize) -> Shown {
        let whole: usize = self.excerpts.iter().map(|excerpt| excerpt.text.chars().count()).sum();
        let share = (characters / self.excerpts.len().max(1)).max(LEAST_SHOWN);
        let fits = |at: &usize| whole <= characters || self.excerpts[*at].text.chars().count() <= share;
        let shown = |at: usize| -> String {
            let text = &self.excerpts[at].text;
            if fits(&at) { text.clone() } else { text.chars().take(share).chain(['…']).collect() }
        };
        // Even the beginnings can be too much; what is not listed then is given to the parts of its lesson.
        let listed = 0..self.excerpts.len().min((characters / LEAST_SHOWN).max(1));
        let characters = listed.clone().map(|at| shown(at).chars().count()).sum();
        Shown { json: self.material(listed.clone(), &shown), whole: listed.filter(fits).collect(), characters }
    }

    /// The material for one part, in about `characters`: of the excerpts those that have most to do with `topic`, where
    /// there are too many.
    pub(super) fn excerpts_for(&self, topic: &str, excerpts: &[usize], characters: usize) -> Shown {
        let mut chosen = Vec::new();
        let mut left = characters;
        for at in self.by_relevance(topic, excerpts, characters) {
            let length = self.excerpts[at].text.chars().count();
            if length <= left || chosen.is_empty() {
                left = left.saturating_sub(length);
                chosen.push(at);
            }
        }
        chosen.sort_unstable();
        let characters = chosen.iter().map(|at| self.excerpts[*at].text.chars().count()).sum();
        let json = self.material(chosen.iter().copied(), &|at| self.excerpts[at].text.clone());
        Shown { json, whole: chosen, characters }
    }

    /// In order where they all fit, else the most relevant first, and those that say nothing of the topic last.
    fn by_relevance(&self, topic: &str, excerpts: &[usize], characters: usize) -> Vec<usize> {
        let length: usize = excerpts.iter().map(|at| self.excerpts[*at].text.chars().count()).sum();
        if length <= characters {
            return excerpts.to_vec();
        }
        let candidates: Vec<Candidate<'_>> = excerpts
            .iter()
            .map(|at| Candidate { description: &self.excerpts[*at].text, ..Candidate::default() })
            .collect();
        let ranked = rank_modules(topic, &self.language, &candidates);
        let mut order: Vec<usize> = ranked.into_iter().map(|relevance| excerpts[relevance.index]).collect();
        let ranked: BTreeSet<usize> = order.iter().copied().collect();
        let rest: Vec<usize> = excerpts.iter().copied().filter(|at| !ranked.contains(at)).collect();
        order.extend(rest);
        order
    }

    fn material(&self, excerpts: impl Iterator<Item = usize>, text: &dyn Fn(usize) -> String) -> Value {
        let mut lessons: Vec<Value> = Vec::new();
        let mut current = None;
        for at in excerpts {
            let lesson = self.excerpts[at].lesson;
            if current != Some(lesson) {
                let Lesson { title, is_wish } = &self.lessons[lesson];
                let role = if *is_wish { "request" } else { "material" };
                lessons.push(json!({ "role": role, "title": title, "excerpts": [] }));
                current = Some(lesson);
            }
            if let Some(list) = lessons.last_mut().and_then(|lesson| lesson["excerpts"].as_array_mut()) {
                list.push(json!({ "n": at + 1, "text": text(at) }));
            }
        }
        json!({
            "language": self.language,
            "knowledge": if self.names_only_a_topic { "general" } else { "material_only" },
            "title": self.title,
            "category": self.category,
            "lessons": lessons,
        })
    }

    /// Shares the excerpts out to the parts of an outline. Each part has those that it names; what no part names goes to
    /// the part with the excerpt before it in the same lesson, else to the lesson's first part. What a level's lesson
    /// without any part holds is given back, lesson by lesson; of a request's material it is not used.
    pub(super) fn share_out(&self, named: &[Vec<u32>]) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let mut parts: Vec<Vec<usize>> = named.iter().map(|numbers| places(numbers).collect()).collect();
        let taken: Vec<Vec<usize>> = parts.clone();
        let holder = |at: usize| taken.iter().position(|part| part.contains(&at));
        let mut homeless: Vec<Vec<usize>> = Vec::new();
        let mut current: Option<(usize, Option<usize>)> = None;
        for at in 0..self.excerpts.len() {
            let lesson = self.excerpts[at].lesson;
            if current.is_none_or(|(known, _)| known != lesson) {
                let in_lesson = |at: &usize| self.excerpts.get(*at).is_some_and(|excerpt| excerpt.lesson == lesson);
                current = Some((lesson, taken.iter().position(|part| part.iter().any(in_lesson))));
                if current.is_some_and(|(_, part)| part.is_none()) {
                    homeless.push(Vec::new());
                }
            }
            match (holder(at), current) {
                (Some(part), _) => current = Some((lesson, Some(part))),
                (None, Some((_, Some(part)))) => parts[part].push(at),
                (None, _) => homeless.last_mut().into_iter().for_each(|lesson| lesson.push(at)),
            }
        }
        parts.iter_mut().for_each(|part| {
            part.retain(|at| *at < self.excerpts.len());
            part.sort_unstable();
            part.dedup();
        });
        // What was asked for is no lesson to be taught, and what belongs to no part of it was not asked for.
        if self.lessons.iter().any(|lesson| lesson.is_wish) {
            homeless.clear();
        }
        (parts, homeless)
    }

    /// The places of what no prompt has held whole, each once.
    pub(super) fn left_out(&self) -> Vec<String> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let unread = (0..self.excerpts.len()).filter(|at| !read.contains(at)).map(|at| &self.excerpts[at].pointer);
        let mut seen = BTreeSet::new();
        unread.chain(&self.surplus).filter(|pointer| seen.insert(pointer.as_str())).cloned().collect()
    }

    /// A prompt was answered that held these excerpts whole.
    pub(super) fn note_read(&self, excerpts: &[usize]) {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).extend(excerpts);
    }
}

/// Numbers as places.
pub(super) fn places(numbers: &[u32]) -> impl Iterator<Item = usize> {
    numbers.iter().filter_map(|number| usize::try_from(*number).ok()?.checked_sub(1))
}

/// A request's title as plain text.
pub(super) fn title_of(text: &str) -> String {
    flat_text(text)
}

#[cfg(test)]
#[path = "sources/tests.rs"]
mod tests;
