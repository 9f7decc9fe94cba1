//! The material of a draft as numbered excerpts, each with the place it came from.
//!
//! A lesson of a level is given with its type and the values of its fields as JSON, in the order of their keys; a lesson that
//! is a string is given as text. A request's prompts and modules are given as the plain text that the built-in generator reads in
//! them. What is long is cut into several [`Excerpt`]s (`sources/add.rs`). A model names excerpts by their numbers; only
//! code knows pointers. All of it is the customer's text: it is sent as data and never becomes a part of the instructions.

mod add;
mod pieces;

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use language::script::word_count;
use serde_json::{Value, json};

use crate::phrases::Spoken;
use crate::reading::flat::flat_text;
use crate::relevance::{Candidate, rank_modules};

/// Least that an overview shows of an excerpt, in characters.
const LEAST_SHOWN: usize = 60;

/// A piece of the material. Its number is its place, counted from 1.
#[derive(Debug)]
pub(super) struct Excerpt {
    lesson: usize,
    pointer: String,
    /// What is read in it.
    text: String,
    /// The field of a lesson that it is the value of, or a piece of it.
    field: Option<Field>,
}

#[derive(Debug)]
struct Field {
    name: String,
    value: Value,
    /// The value's JSON, in characters.
    length: usize,
}

impl Excerpt {
    /// How much of a prompt it takes, in characters.
    fn length(&self) -> usize {
        self.field.as_ref().map_or_else(|| self.text.chars().count(), |field| field.length)
    }

    fn whole(&self, number: usize) -> Value {
        match &self.field {
            Some(Field { name, value, .. }) => json!({ "n": number, "field": name, "value": value }),
            None => json!({ "n": number, "text": self.text }),
        }
    }

    fn beginning(&self, number: usize, characters: usize) -> Value {
        json!({ "n": number, "text": self.text.chars().take(characters).chain(['…']).collect::<String>() })
    }
}

/// A lesson, a prompt or a section of a module.
#[derive(Debug)]
struct Lesson {
    title: String,
    /// Its type, where it is a lesson of a level.
    kind: Option<String>,
    /// What the caller asks for, not what is taught.
    is_wish: bool,
    /// There is something in it to teach.
    teaches: bool,
}

impl Lesson {
    /// As a prompt begins it, still without excerpts.
    fn shown(&self) -> Value {
        let role = if self.is_wish { "request" } else { "material" };
        match &self.kind {
            Some(kind) => json!({ "role": role, "type": kind, "title": self.title, "excerpts": [] }),
            None => json!({ "role": role, "title": self.title, "excerpts": [] }),
        }
    }
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
    /// The plain text of all that was read, whether an excerpt shows it as text or as JSON.
    read_as: Vec<String>,
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
    /// How much there is to read, in words.
    pub(super) fn words(&self) -> usize {
        self.read_as.iter().map(|text| word_count(text)).sum()
    }

    /// How many excerpts there are.
    pub(super) fn count(&self) -> usize {
        self.excerpts.len()
    }

    /// Every text of the material, titles included.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let titles = self.lessons.iter().map(|lesson| lesson.title.as_str());
        let excerpts = self.excerpts.iter().map(|excerpt| excerpt.text.as_str());
        let texts = self.read_as.iter().map(String::as_str).chain(excerpts);
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
        let whole: usize = self.excerpts.iter().map(Excerpt::length).sum();
        let share = (characters / self.excerpts.len().max(1)).max(LEAST_SHOWN);
        let fits = |at: &usize| whole <= characters || self.excerpts[*at].length() <= share;
        let shown = |at: usize| {
            let excerpt = &self.excerpts[at];
            if fits(&at) { excerpt.whole(at + 1) } else { excerpt.beginning(at + 1, share) }
        };
        // Even the beginnings can be too much; what is not listed then is given to the parts of its lesson.
        let listed = 0..self.excerpts.len().min((characters / LEAST_SHOWN).max(1));
        let length = |at: usize| if fits(&at) { self.excerpts[at].length() } else { share + 1 };
        let characters = listed.clone().map(length).sum();
        Shown { json: self.material(listed.clone(), &shown), whole: listed.filter(fits).collect(), characters }
    }

    /// The material for one part, in about `characters`: of the excerpts those that have most to do with `topic`, where
    /// there are too many.
    pub(super) fn excerpts_for(&self, topic: &str, excerpts: &[usize], characters: usize) -> Shown {
        let mut chosen = Vec::new();
        let mut left = characters;
        for at in self.by_relevance(topic, excerpts, characters) {
            let length = self.excerpts[at].length();
            if length <= left || chosen.is_empty() {
                left = left.saturating_sub(length);
                chosen.push(at);
            }
        }
        chosen.sort_unstable();
        let characters = chosen.iter().map(|at| self.excerpts[*at].length()).sum();
        let json = self.material(chosen.iter().copied(), &|at| self.excerpts[at].whole(at + 1));
        Shown { json, whole: chosen, characters }
    }

    /// In order where they all fit, else the most relevant first, and those that say nothing of the topic last.
    fn by_relevance(&self, topic: &str, excerpts: &[usize], characters: usize) -> Vec<usize> {
        let length: usize = excerpts.iter().map(|at| self.excerpts[*at].length()).sum();
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

    fn material(&self, excerpts: impl Iterator<Item = usize>, shown: &dyn Fn(usize) -> Value) -> Value {
        let mut lessons: Vec<Value> = Vec::new();
        let mut current = None;
        for at in excerpts {
            let lesson = self.excerpts[at].lesson;
            if current != Some(lesson) {
                lessons.push(self.lessons[lesson].shown());
                current = Some(lesson);
            }
            if let Some(list) = lessons.last_mut().and_then(|lesson| lesson["excerpts"].as_array_mut()) {
                list.push(shown(at));
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
        homeless.retain(|lesson| lesson.first().is_some_and(|at| self.lessons[self.excerpts[*at].lesson].teaches));
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
