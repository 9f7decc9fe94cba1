//! Questions that ask to retell a section, or a lesson by its points: for material that gives little else to ask.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::{Range, RangeInclusive};

use language::fill;
use language::normal::shorten;
use language::script::{is_unspaced, word_count};
use language::sentences::{self, asks, joined};

use crate::builtin::lesson::{Lesson, Sentence};
use crate::reading::blocks::{Block, Body};
use crate::reading::flat::{each_text, labelled};
use crate::reading::pointer::Pointer;

use super::open::{MAX_ANSWER, MAX_ANSWER_WORDS, numbered, open};
use super::statements::names_examples;
use super::{Candidate, Evidence, Rank, Workshop, fits, topic_of};

/// Words of a section that can be retold, and of one that can be where there is nothing else.
const RETOLD: RangeInclusive<usize> = 40..=100;
const LAST_RETOLD: RangeInclusive<usize> = 20..=MAX_ANSWER_WORDS;
/// Points that a lesson can be retold by, and the words of one.
const FEWEST_POINTS: usize = 2;
const MOST_POINTS: usize = 10;
const POINT: RangeInclusive<usize> = 4..=45;
/// Most characters of a point's number and what stands around it.
const MAX_NUMBER: usize = 5;

/// The context that a sentence has to stand in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Nothing,
    SentenceBefore,
}

impl Workshop<'_> {
    /// The longest of a lesson's short sections, retold. The model answer is all of it: nobody can tell which of its sentences say most.
    pub(super) fn retell(&self, lesson: usize, read: &Lesson, found: &mut Vec<Candidate>) {
        let sections = sections(read).into_iter().filter(|section| RETOLD.contains(&section.words));
        let longest = sections.max_by_key(|section| section.words);
        found.extend(longest.map(|section| self.retold(lesson, &section, &section.text)));
    }

    fn retold(&self, lesson: usize, section: &Section<'_>, answer: &str) -> Candidate {
        let Section { topic, pointer, text, .. } = section;
        let question = fill(self.phrases().retell, &[("topic", topic)]);
        // One is enough for a quiz.
        let fact = "retell".to_owned();
        let evidence = Evidence { lesson, pointer, quote: text, fact, weight: 1.0 };
        self.candidate(evidence, Rank::Spare, question, open(answer))
    }

    /// The questions for material that gives no other, the best first: a short section is retold, a lesson by its points, or any lesson.
    pub(super) fn last_resorts(&self) -> Vec<Candidate> {
        let lessons = || self.material.lessons.iter().enumerate();
        let sections = lessons().flat_map(|(at, read)| sections(read).into_iter().map(move |found| (at, found)));
        let section = sections.min_by_key(|(_, section)| section.words);
        let is_short = section.as_ref().is_some_and(|(_, section)| section.words <= *RETOLD.end());
        let titled = lessons().filter(|(_, read)| has_topic(read));
        let told = titled.map(|(at, _)| (at, self.points(at))).filter(|(_, points)| points.len() >= FEWEST_POINTS);
        let told = told.max_by_key(|(at, points)| (self.covered(*at, points), points.len(), Reverse(*at)));
        let by_points = told.map(|(lesson, points)| {
            let points = points.into_iter().map(|point| point.text.as_str());
            let Lesson { short, reading, .. } = self.lesson(lesson);
            let text = joined(points.clone());
            let section = Section { topic: short, pointer: &reading.pointer, words: word_count(&text), text };
            self.retold(lesson, &section, &numbered(points))
        });
        let whole = section.map(|(lesson, section)| self.retold(lesson, &section, &section.text));
        let (first, second) = if is_short { (whole, by_points) } else { (by_points, whole) };
        first.into_iter().chain(second).chain([self.any_retold()]).collect()
    }

    /// The best sentences of a lesson that can be understood without code, tables and pictures, in their order.
    fn points(&self, lesson: usize) -> Vec<&Sentence> {
        let sentences = &self.lesson(lesson).sentences;
        let contexts = self.contexts(lesson);
        let usable = (0..sentences.len()).filter(|at| contexts[*at].is_some()).collect();
        let mut points: Vec<usize> = Vec::new();
        for at in best_of_blocks(sentences, usable) {
            let follows = points.last().is_some_and(|before| before + 1 == at);
            if follows || contexts[at] == Some(Context::Nothing) {
                points.push(at);
            }
        }
        points.into_iter().map(|at| &sentences[at]).collect()
    }

    /// The context of each sentence as a point of its lesson; none for a sentence that is no point.
    fn contexts(&self, lesson: usize) -> Vec<Option<Context>> {
        let read = self.lesson(lesson);
        let blocks = &read.reading.blocks;
        let tells = |at: usize| {
            blocks.get(at).is_none_or(|block| {
                matches!(block.body, Body::Paragraph(_) | Body::List { .. } | Body::Heading { .. } | Body::Questions(_))
            })
        };
        // "The last row": of the table above.
        let stands_apart = |at: usize| at.checked_sub(1).is_none_or(tells) && tells(at + 1);
        // An example makes no point of the lesson.
        let in_example = |sentence: &Sentence| self.heading_above(lesson, sentence).is_some_and(names_examples);
        let is_told = |sentence: &Sentence| {
            sentence.prose
                && POINT.contains(&sentence.words)
                && sentences::is_complete(&sentence.text)
                && !read.commands(&sentence.text)
                && !in_example(sentence)
                && stands_apart(sentence.block)
        };
        let is_open = |sentence: &Sentence| read.points_elsewhere(sentence) || read.leaves_its_subject_open(sentence);
        let mut contexts: Vec<Option<Context>> = Vec::new();
        let mut before: Option<&Sentence> = None;
        for sentence in &read.sentences {
            let is_alone = read.states(sentence) && !is_open(sentence);
            // Under another heading a sentence leans on nothing.
            let is_held = contexts.last().is_some_and(Option::is_some)
                && before.is_some_and(|before| !parts_topics(&blocks[before.block..sentence.block]));
            let context = if is_alone { Context::Nothing } else { Context::SentenceBefore };
            contexts.push(Some(context).filter(|_| (is_alone || is_held) && is_told(sentence)));
            before = Some(sentence);
        }
        contexts
    }

    /// The share of a lesson's blocks that have a point, in percent.
    fn covered(&self, lesson: usize, points: &[&Sentence]) -> usize {
        let blocks = self.lesson(lesson).reading.blocks.iter();
        let teaching = blocks.filter(|block| block.teaches() && !matches!(block.body, Body::Heading { .. })).count();
        let told: HashSet<usize> = points.iter().map(|point| point.block).collect();
        told.len() * 100 / teaching.max(1)
    }

    fn any_retold(&self) -> Candidate {
        let lessons = &self.material.lessons;
        let says = |lesson: &Lesson| !lesson.reading.blocks.is_empty();
        let lesson = lessons.iter().position(|lesson| says(lesson) && has_topic(lesson));
        let lesson = lesson.or_else(|| lessons.iter().position(says)).unwrap_or(0);
        let read = self.lesson(lesson);
        let told = summary(read);
        let told = if told.trim().is_empty() { read.short.clone() } else { told };
        let evidence =
            Evidence { lesson, pointer: &read.reading.pointer, quote: &told, fact: String::new(), weight: 0.0 };
        let question = if has_topic(read) {
            fill(self.phrases().retell, &[("topic", &read.short)])
        } else {
            self.phrases().open_text.to_owned()
        };
        self.candidate(evidence, Rank::Spare, question, open(&told))
    }
}

/// The sentences that say most, of those that are `usable`, in their order: each block has one before any has two, and all fit into a model
/// answer.
fn best_of_blocks(sentences: &[Sentence], mut usable: Vec<usize>) -> Vec<usize> {
    usable.sort_by(|one, other| sentences[*other].score.total_cmp(&sentences[*one].score));
    let mut in_block: HashMap<usize, usize> = HashMap::new();
    let mut ranked: Vec<(usize, usize)> = Vec::new();
    for at in usable {
        let rank = in_block.entry(sentences[at].block).or_default();
        *rank += 1;
        ranked.push((*rank, at));
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    let (mut words, mut characters) = (MAX_ANSWER_WORDS, MAX_ANSWER);
    let mut fits = |at: &usize| {
        let Sentence { text, words: own, .. } = &sentences[*at];
        // Each point has a number in front.
        let left = words.checked_sub(own + 1).zip(characters.checked_sub(text.chars().count() + MAX_NUMBER));
        left.inspect(|left| (words, characters) = *left).is_some()
    };
    let fitting = ranked.into_iter().map(|(_, at)| at).filter(|at| fits(at));
    let mut best: Vec<usize> = fitting.take(MOST_POINTS).collect();
    best.sort_unstable();
    best
}

/// Whether a heading stands among the blocks.
fn parts_topics(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| matches!(block.body, Body::Heading { .. }))
}

/// Whether the title of a lesson is a topic, and no question.
fn has_topic(read: &Lesson) -> bool {
    read.named && !asks(&read.short)
}

/// The prose below a heading, or of a lesson without headings, where it is short enough to be retold.
struct Section<'l> {
    topic: &'l str,
    pointer: &'l Pointer,
    text: String,
    words: usize,
}

fn sections(read: &Lesson) -> Vec<Section<'_>> {
    let mut found: Vec<Section<'_>> = Vec::new();
    let blocks = &read.reading.blocks;
    // The text above the first heading is only a part of the topic that the title names. A heading of questions opens no topic.
    let is_topic = |pair: &[Block]| topic_of(&pair[0]).is_some() && !matches!(pair[1].body, Body::Questions(_));
    let is_whole = !blocks.windows(2).any(is_topic);
    let mut topic = (read.named && is_whole).then_some(read.short.as_str());
    let mut from = 0;
    for (at, block) in blocks.iter().enumerate() {
        if matches!(block.body, Body::Heading { .. }) {
            found.extend(topic.and_then(|topic| section(read, topic, from..at)));
            topic = topic_of(block);
            from = at + 1;
        }
    }
    found.extend(topic.and_then(|topic| section(read, topic, from..blocks.len())));
    found
}

/// The prose and the lists between two headings; none where other blocks stand among them.
fn section<'l>(read: &'l Lesson, topic: &'l str, blocks: Range<usize>) -> Option<Section<'l>> {
    let blocks = &read.reading.blocks[blocks];
    let told = |block: &Block| matches!(block.body, Body::Paragraph(_) | Body::List { .. }) && block.teaches();
    let mut text = String::new();
    for block in blocks.iter().filter(|block| told(block)) {
        let mut mark = '.';
        each_text(&block.body, &mut |part| {
            close(&mut text, mark);
            sentences::append(&mut text, part);
            // Behind the first item come others of the same list.
            mark = ';';
        });
    }
    let whole = !asks(topic)
        && !text.contains(['?', '？', '؟', '$'])
        && LAST_RETOLD.contains(&word_count(&text))
        && fits(&text, MAX_ANSWER)
        && blocks.iter().all(|block| told(block) || matches!(block.body, Body::Heading { .. }));
    // "bolt M6 140 0.12": the lines of a file say nothing.
    let is_said = |block: &Block| match &block.body {
        Body::Paragraph(passage) => sentences::is_complete(&passage.text) || passage.text.ends_with([':', '：']),
        _ => true,
    };
    let pointer = &blocks.iter().find(|block| told(block))?.pointer;
    // The heading of a list alone is often the beginning of its items.
    let is_prose = |block: &Block| matches!(block.body, Body::Paragraph(_));
    let whole = whole && blocks.iter().all(is_said) && blocks.iter().any(is_prose);
    whole.then(|| Section { topic, pointer, words: word_count(&text), text })
}

/// Adds a closing mark where the text has none. Scripts without spaces get none.
fn close(text: &mut String, mark: char) {
    if text.ends_with(|last: char| (last.is_alphanumeric() || last == ')') && !is_unspaced(last)) {
        text.push(mark);
    }
}

/// The best sentences in source order, or the first texts of a lesson without sentences.
fn summary(found: &Lesson) -> String {
    let is_alone = |sentence: &Sentence| sentence.standalone && sentences::is_complete(&sentence.text);
    let any_alone = found.sentences.iter().any(is_alone);
    let mut best: Vec<usize> =
        (0..found.sentences.len()).filter(|at| is_alone(&found.sentences[*at]) || !any_alone).collect();
    best.sort_by(|left, right| found.sentences[*right].score.total_cmp(&found.sentences[*left].score));
    best.truncate(MOST_POINTS);
    best.sort_unstable();
    let sentences = joined(best.into_iter().map(|at| found.sentences[at].text.as_str()));
    let mut parts: Vec<String> = Vec::new();
    if sentences.is_empty() {
        for block in found.reading.blocks.iter().take(8) {
            if let Body::Table(table) = &block.body {
                parts.extend(table.rows.iter().take(12).map(|row| {
                    labelled(
                        row.cells.first().map_or("", String::as_str),
                        &row.cells[1.min(row.cells.len())..].join(", "),
                    )
                }));
                continue;
            }
            each_text(&block.body, &mut |text| {
                if parts.len() < 12 && !text.is_empty() {
                    parts.push(shorten(text, 40, 200));
                }
            });
        }
        return shorten(
            if parts.is_empty() { found.title.clone() } else { parts.join("; ") }.as_str(),
            120,
            MAX_ANSWER,
        );
    }
    shorten(&sentences, 160, MAX_ANSWER)
}
