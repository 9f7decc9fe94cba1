//! A test from its prompts: questions about what the prompts and the material state, and tasks on the
//! topics where they state too little.
//!
//! The mix follows the level. An honest test on a single word has tasks only: there is nothing else that
//! could be asked without inventing it.

use std::collections::HashSet;

use language::fill;
use language::normal::{normal, shorten};
use language::script::word_count;
use language::sentences;

use crate::builtin::items::{Subject, Told, Workshop, for_test, quoted, tasks};
use crate::builtin::material::{Material, described, speakable};
use crate::builtin::quiz;
use crate::drafts::{Citation, QuizDraft, QuizItem};
use crate::generator::GenerationError;
use crate::request::TestRequest;

use super::Requested;
use super::brief::{Brief, Tongue};
use super::difficulty::Difficulty;
use super::sections::Sections;
use super::teaching;

/// Most sections of the material that are asked about.
const MAX_SECTIONS: usize = 16;
/// Most topics and targets that tasks are set on.
const MAX_TOPICS: usize = 8;
const MAX_TARGETS: usize = 4;
/// Longest model answer, in words and characters.
const ANSWER: (usize, usize) = (160, 900);

/// What the test is made from.
struct Plan {
    tongue: Tongue,
    topic: Brief,
    /// The prompt that names the topic.
    pointer: &'static str,
    targets: Vec<String>,
    difficulty: Difficulty,
    items: Option<usize>,
}

/// Drafts the test.
pub(super) fn draft(request: &TestRequest) -> Result<Requested<QuizDraft>, GenerationError> {
    let plan = Plan::of(request);
    let (material, untold) = plan.material(request);
    if !speakable(&plan.topic.title) && material.is_none() {
        return Err(GenerationError::request_empty());
    }
    let title = Some(plan.topic.title.clone()).filter(|title| speakable(title));
    let title = title.or_else(|| material.as_ref().map(|material| material.title.clone())).unwrap_or_default();
    let found = plan.items(&title, material.as_ref());
    let phrases = plan.tongue.phrases();
    let topics = plan.topics(&title, material.as_ref());
    // A title that is made of them names the topics already.
    let shown = topics.iter().map(String::as_str).filter(|topic| !plan.topic.composed || !title.contains(topic));
    let description = described(&plan.tongue.spoken, phrases.quiz_description, &title, shown);
    let (items, pointers): (Vec<QuizItem>, Vec<Vec<String>>) = found.into_iter().unzip();
    let citations = pointers.into_iter().enumerate();
    let citations = citations.map(|(at, pointers)| Citation::new("items", at, pointers)).collect();
    let draft = QuizDraft {
        name: fill(phrases.quiz_name, &[("title", &title)]),
        description,
        subject: title,
        language: plan.tongue.language,
        time_limit_minutes: quiz::time_limit_minutes(&items),
        level: super::label_of(&request.level),
        passing_percentage: quiz::PASSING_PERCENTAGE,
        items,
        citations,
        omitted: Vec::new(),
    };
    Ok(Requested { draft, untold })
}

impl Plan {
    fn of(request: &TestRequest) -> Self {
        let tongue = Tongue::of(&request.language, &[&request.topic_prompt, &request.target_prompt]);
        let topic = Brief::read(&request.topic_prompt, &tongue);
        let target = Brief::read(&request.target_prompt, &tongue);
        let items = topic.items.or(target.items);
        let named = speakable(&topic.title);
        // Without a topic, the target says what the test is about.
        let (topic, pointer) = if named { (topic, "/topicPrompt") } else { (target, "/targetPrompt") };
        let targets = if named { targets(&request.target_prompt, &tongue) } else { Vec::new() };
        Self { topic, pointer, targets, difficulty: Difficulty::of(&request.level), items, tongue }
    }

    /// What can be asked about: the statements of the prompt, and the sections of the material that have
    /// to do with it. Beside it the topics of which none of them speaks.
    fn material(&self, request: &TestRequest) -> (Option<Material>, Vec<String>) {
        let title = &self.topic.title;
        let told = teaching::lessons("/topicPrompt", &request.topic_prompt, title, &self.tongue);
        let sought = format!("{title}\n{}\n{}", self.topic.topics.join("\n"), self.targets.join("\n"));
        let mut sections = Sections::read(&request.material, &told, &self.tongue);
        sections.keep_near(&sought, MAX_SECTIONS);
        sections.readings.splice(0..0, told);
        let untold = match &sections.readings[..] {
            [] => vec![title.clone()],
            _ => {
                let index = sections.index();
                let named = self.topic.topics.iter().take(MAX_TOPICS);
                named.filter(|topic| index.rank(topic).is_empty()).cloned().collect()
            }
        };
        (Material::assemble(&self.tongue.language, title.clone(), String::new(), sections.readings), untold)
    }

    /// The items with what each cites: factual ones, then tasks.
    fn items(&self, title: &str, material: Option<&Material>) -> Vec<(QuizItem, Vec<String>)> {
        let wanted = self.items.unwrap_or_else(|| self.difficulty.items());
        let factual = wanted - self.difficulty.tasks(wanted).min(wanted);
        let found = material.map_or_else(Vec::new, |material| {
            for_test(&Workshop::new(material), factual, &|kind| self.difficulty.share(kind))
        });
        // Few facts make a shorter test, unless a number was asked for.
        let open = self.difficulty.open_items().saturating_sub(found.len()).max(wanted - factual);
        let room = self.items.unwrap_or_else(|| wanted.min(found.len() + open)).max(1);
        let mut asked: HashSet<String> = found.iter().map(|found| normal(&found.item.question)).collect();
        let mut items: Vec<(QuizItem, Vec<String>)> =
            found.into_iter().map(|found| (found.item, vec![found.pointer.written()])).collect();
        let topics = self.topics(title, material);
        let subject = Subject {
            phrases: self.tongue.phrases(),
            title,
            composed: self.topic.composed,
            topics: topics.iter().map(String::as_str).collect(),
            targets: self.targets.iter().map(String::as_str).collect(),
            told: &|topic| self.told(topic, material?),
        };
        for task in tasks(&subject, self.difficulty) {
            if items.len() >= room {
                break;
            }
            if asked.insert(normal(&task.item.question)) {
                let mut cited = self.cited(task.on_target, material);
                cited.extend(task.told_at.filter(|pointer| !cited.contains(pointer)));
                items.push((task.item, cited));
            }
        }
        items
    }

    /// What the sources say that a topic is, with or without its article.
    fn told(&self, topic: &str, material: &Material) -> Option<Told> {
        let form = normal(topic);
        let bare =
            form.split_once(' ').filter(|(first, _)| self.tongue.profile.is_article(first)).map(|(_, rest)| rest);
        let is_meant = |term: &str| term == form || Some(term) == bare;
        let (lesson, definition) = material.lessons.iter().find_map(|lesson| {
            let found = lesson.definitions.iter().find(|definition| is_meant(&normal(&definition.term)))?;
            Some((lesson, found))
        })?;
        let answer = match &definition.prose {
            Some(prose) => lesson.sentences[prose.sentence].text.clone(),
            None => definition.meaning.clone(),
        };
        let answer = shorten(&answer, ANSWER.0, ANSWER.1);
        let explanation = quoted(&answer, lesson.reading.origin, self.tongue.phrases());
        Some(Told { answer, explanation, pointer: definition.pointer.written() })
    }

    /// What a task cites: the prompt that it is about, else the material that gave the topic.
    fn cited(&self, on_target: bool, material: Option<&Material>) -> Vec<String> {
        let mut pointers = Vec::new();
        if speakable(&self.topic.title) {
            pointers.push(self.pointer.to_owned());
        } else if let Some(lesson) = material.and_then(|material| material.lessons.first()) {
            pointers.push(lesson.reading.pointer.written());
        }
        if on_target {
            pointers.push("/targetPrompt".to_owned());
        }
        pointers
    }

    /// The topics below the title that tasks are set on: those that the prompt names, else the terms of
    /// what it states.
    fn topics(&self, title: &str, material: Option<&Material>) -> Vec<String> {
        let mut topics: Vec<String> = self.topic.topics.iter().take(MAX_TOPICS).cloned().collect();
        let lessons = material.map_or(&[][..], |material| &material.lessons);
        if topics.is_empty() {
            let defined = lessons.iter().flat_map(|lesson| lesson.definitions.iter().take(4));
            let fitting = defined.map(|definition| &definition.term).filter(|term| term.chars().count() <= 40);
            let mut seen = HashSet::from([normal(title)]);
            topics.extend(fitting.filter(|term| seen.insert(normal(term))).take(MAX_TOPICS).cloned());
        }
        topics
    }
}

/// What a target prompt asks for, piece by piece: its lines, or its sentences.
fn targets(prompt: &str, tongue: &Tongue) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    crate::reading::outline::each_node(&crate::reading::outline::read(prompt), &mut |node| {
        if found.len() >= MAX_TARGETS {
            return;
        }
        if node.prose {
            found.extend(sentences::split(&node.text, tongue.profile).into_iter().take(MAX_TARGETS).map(str::to_owned));
        } else {
            found.push(node.text.clone());
        }
    });
    let mut seen = HashSet::new();
    found.retain(|target| speakable(target) && !is_audience(target, tongue) && seen.insert(normal(target)));
    found.truncate(MAX_TARGETS);
    found.iter().map(|target| target.trim_end_matches(['.', '。', '।']).to_owned()).collect()
}

/// "Grade 7": says who learns, and not what.
fn is_audience(target: &str, tongue: &Tongue) -> bool {
    let words = word_count(target);
    let brief = words <= 2 || words <= 5 && target.contains(char::is_numeric);
    brief && tongue.words.is_some_and(|words| words.names_people(target))
}
