//! Parts what a text teaches from what it says to teachers, from objectives, tasks, and answers.
//!
//! A heading or a label says what stands below or behind it: "Teacher notes" is dropped, "Learning objectives" are collected,
//! "Homework" is for learners to do, "Example" and "Solution" belong together, and an "Answer" belongs to its question.

use super::blocks::{Block, Body, Item, Objective, Purpose, Question, WorkedExample};
use super::flat::each_text;
use super::inline::{MarkKind, Passage};
use super::names::{Role, heads};
use super::quiz::{answer, answer_in_brackets};

/// Longest label, in characters.
const LONGEST_LABEL: usize = 40;

/// What is in a text.
#[derive(Default)]
pub(super) struct Sifted {
    pub(super) blocks: Vec<Block>,
    pub(super) objectives: Vec<Objective>,
}

/// What is done with the blocks below a heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    Kept,
    Dropped,
    Objectives,
    Tasks,
}

impl Below {
    /// By the text of a heading or a label.
    fn of(text: &str) -> Self {
        let named = |role| heads(text, role);
        if named(Role::Teacher) {
            Self::Dropped
        } else if named(Role::Objectives) {
            Self::Objectives
        } else if named(Role::Task) && !named(Role::Steps) {
            Self::Tasks
        } else {
            Self::Kept
        }
    }
}

/// Sifts the blocks of a text.
pub(super) fn sift(blocks: Vec<Block>) -> Sifted {
    let mut sifted = Sifted::default();
    // What the last heading says, with its level; a label stands below every heading.
    let mut below = (Below::Kept, 0);
    for mut block in blocks {
        let opened = opens(&block);
        if let Some((what, level)) = opened {
            // A heading below one that is dropped goes with it.
            if below.0 == Below::Kept || level <= below.1 {
                below = (what, level);
                if matches!(what, Below::Dropped | Below::Objectives) {
                    continue;
                }
            }
        }
        match below.0 {
            Below::Dropped => {}
            Below::Objectives => sifted.objectives.extend(objectives(&block)),
            what => {
                if what == Below::Tasks {
                    block.purpose = Purpose::Instruction;
                }
                sifted.push(block);
            }
        }
    }
    sifted
}

/// What is done with the blocks below a heading or a label that stands alone.
fn opens(block: &Block) -> Option<(Below, u8)> {
    match &block.body {
        Body::Heading { level, text } => Some((Below::of(text), *level)),
        Body::Paragraph(passage) => {
            let strong = passage
                .marks
                .first()
                .is_some_and(|mark| mark.kind == MarkKind::Strong && mark.start == 0 && mark.end == passage.text.len());
            let label = passage.text.ends_with([':', '：']) || strong;
            let short = passage.text.chars().count() <= LONGEST_LABEL * 2;
            (label && short).then(|| (Below::of(&passage.text), 9))
        }
        _ => None,
    }
}

/// The objectives that a block lists.
pub(super) fn objectives(block: &Block) -> Vec<Objective> {
    let mut found = Vec::new();
    let mut take = |text: &str| {
        if !text.ends_with([':', '：']) && text.chars().any(char::is_alphabetic) {
            found.push(Objective { pointer: block.pointer.clone(), text: text.to_owned() });
        }
    };
    match &block.body {
        Body::Heading { .. } => {}
        Body::List { items, .. } => items.iter().for_each(|item| take(&item.text.text)),
        body => each_text(body, &mut take),
    }
    found
}

impl Sifted {
    /// Takes a block in, or gives it to the one that it belongs to.
    fn push(&mut self, mut block: Block) {
        let Body::Paragraph(passage) = &mut block.body else { return self.follow(block) };
        if let Some((asked, told)) = answer_in_brackets(&passage.text) {
            let mut question = Question::asking(block.pointer.clone(), asked.to_owned());
            answer(&mut question, told);
            let asks = language::sentences::asks(asked);
            block.body =
                if asks { Body::Questions(vec![question]) } else { Body::Paragraph(passage.before(asked.len())) };
            return self.blocks.push(block);
        }
        if is_note(&passage.text) {
            return;
        }
        let Some((label, at)) = label_of(passage) else { return self.blocks.push(block) };
        let named = |role| heads(label, role);
        if named(Role::Objectives) && at < passage.text.len() {
            let text = passage.behind(at).text;
            return self.objectives.push(Objective { pointer: block.pointer, text });
        }
        if named(Role::Example) && at < passage.text.len() {
            let (title, rest) = (label.trim().to_owned(), passage.behind(at));
            block.body = Body::Example(example(Some(title), rest));
            return self.blocks.push(block);
        }
        if named(Role::Answer) || named(Role::Solution) {
            let rest = passage.behind(at);
            return self.settle(block, rest);
        }
        if named(Role::Task) && at < passage.text.len() {
            block.purpose = Purpose::Instruction;
        }
        self.blocks.push(block);
    }

    /// Steps behind a worked example that has no result yet are its own.
    fn follow(&mut self, block: Block) {
        if let (Body::List { items, steps: true }, Some(Block { body: Body::Example(example), .. })) =
            (&block.body, self.blocks.last_mut())
            && example.steps.is_empty()
            && example.result.is_none()
        {
            let copied = |item: &Item| Item {
                pointer: item.pointer.clone(),
                level: item.level,
                text: item.text.clone(),
                notes: Vec::new(),
            };
            if items.iter().all(|item| item.notes.is_empty()) {
                example.steps = items.iter().map(copied).collect();
                return;
            }
        }
        self.blocks.push(block);
    }

    /// Gives an answer or a solution to the task or question in front of it. Where nothing is asked, it is text.
    fn settle(&mut self, mut block: Block, told: Passage) {
        let options = matches!(self.blocks.last(), Some(Block { body: Body::List { .. }, .. }))
            && matches!(self.blocks.iter().nth_back(1), Some(Block { body: Body::Paragraph(_), .. }));
        if options
            && let Some(Block { body: Body::List { items, .. }, .. }) = self.blocks.pop()
            && let Some(asked) = self.blocks.last_mut()
            && let Body::Paragraph(passage) = &asked.body
        {
            let mut question = Question::asking(asked.pointer.clone(), passage.text.clone());
            question.options = items.into_iter().map(|item| item.text.text).collect();
            answer(&mut question, &told.text);
            asked.body = Body::Questions(vec![question]);
            return;
        }
        match self.blocks.last_mut() {
            Some(Block { body: Body::Example(example), .. }) if example.result.is_none() => {
                if !told.text.is_empty() {
                    example.result = Some(told);
                }
            }
            Some(last) if matches!(&last.body, Body::Paragraph(passage) if language::sentences::asks(&passage.text)) => {
                if let Body::Paragraph(passage) = &last.body {
                    let mut question = Question::asking(last.pointer.clone(), passage.text.clone());
                    answer(&mut question, &told.text);
                    last.body = Body::Questions(vec![question]);
                }
            }
            Some(Block { body: Body::Questions(questions), .. }) => {
                if let Some(question) = questions.last_mut() {
                    answer(question, &told.text);
                }
            }
            _ => {
                block.purpose = Purpose::Taught;
                self.blocks.push(block);
            }
        }
    }
}

fn example(title: Option<String>, text: Passage) -> WorkedExample {
    // "Example: … Solution: …" in one paragraph.
    let parted = text.text.match_indices([':', '：']).find_map(|(at, mark)| {
        let start = text.text[..at].rfind(['.', '?', '!', '。', '？']).map_or(0, |dot| dot + 1);
        let start = text.text.ceil_char_boundary(start);
        let label = &text.text[start..at];
        (start > 0 && (heads(label, Role::Solution) || heads(label, Role::Answer))).then_some((start, at + mark.len()))
    });
    match parted {
        Some((start, end)) => {
            WorkedExample { title, problem: text.before(start), steps: Vec::new(), result: Some(text.behind(end)) }
        }
        None => WorkedExample { title, problem: text, steps: Vec::new(), result: None },
    }
}

/// "For colleagues: …", "[Teacher's note: …]": a text for whoever teaches.
pub(super) fn is_note(text: &str) -> bool {
    let text = text.trim_start_matches(|sign: char| sign.is_whitespace() || "[(（【*_".contains(sign));
    let label = text.char_indices().take(LONGEST_LABEL).find(|(_, sign)| matches!(sign, ':' | '：'));
    label.is_some_and(|(at, _)| heads(&text[..at], Role::Teacher))
}

/// The label that opens a paragraph, and where the text behind it begins.
fn label_of(passage: &Passage) -> Option<(&str, usize)> {
    let text = &passage.text;
    let (at, mark) = text.char_indices().take(LONGEST_LABEL).find(|(_, character)| matches!(character, ':' | '：'))?;
    Some((&text[..at], at + mark.len_utf8()))
}
