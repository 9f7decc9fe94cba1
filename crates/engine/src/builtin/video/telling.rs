//! Blocks that are no prose, put into sentences: steps, rows, pairs, events.
//!
//! Of many entries those are told that fit, and the narrator says that they are examples. Of steps that don't fit, the first and
//! the last are told, with their number.

use language::fill;
use language::normal::shorten;
use language::profile;
use language::script::is_unspaced;

use crate::builtin::lesson::Lesson;
use crate::builtin::speech::{Voice, close, plain};
use crate::phrases::Phrases;
use crate::reading::blocks::{Block, Body, Item, Table};
use crate::reading::flat::{each_text, labelled};
use crate::reading::names::capitalise;
use crate::reading::pointer::Pointer;

use super::budget::Allowance;
use super::{Line, Screen};

/// Most entries of a list, table or conversation that are told.
const MAX_ENTRIES: usize = 8;
/// Longest entry that is told, in words.
const MAX_ENTRY: usize = 40;

/// An entry: what is said, where it stands, what the screen shows.
struct Entry {
    text: String,
    pointer: Pointer,
    screen: Screen,
}

/// Whether a block says how something is done, which is worth more than its share of the words.
pub(super) fn are_steps(block: &Block) -> bool {
    matches!(block.body, Body::List { steps: true, .. })
}

/// What is told of a block, within an allowance. `label` introduces the block; it may be empty.
pub(super) fn told(
    block: &Block,
    label: &str,
    allowance: &mut Allowance,
    voice: &Voice,
    phrases: &Phrases,
) -> Vec<Line> {
    let mut teller = Teller { block, label, allowance, voice, phrases };
    match &block.body {
        Body::List { steps: true, items } => teller.steps(items),
        Body::List { items, .. } => teller.list(items),
        Body::Table(table) => teller.entries(rows(table, phrases, voice), true),
        Body::Definitions(pairs) => {
            let entry = |term: &str, meaning: &str, pointer: &Pointer| Entry {
                text: labelled(term, meaning),
                pointer: pointer.clone(),
                screen: Screen::Definition(term.to_owned(), meaning.to_owned()),
            };
            teller.entries(pairs.iter().map(|pair| entry(&pair.term, &pair.definition, &pair.pointer)).collect(), false)
        }
        Body::Timeline(events) => {
            let entry = |when: &str, what: &str, pointer: &Pointer| Entry {
                text: labelled(when, what),
                pointer: pointer.clone(),
                screen: Screen::Definition(when.to_owned(), what.to_owned()),
            };
            teller.entries(events.iter().map(|event| entry(&event.when, &event.what, &event.pointer)).collect(), false)
        }
        Body::Dialogue(turns) => {
            let spoken = turns.iter().map(|turn| (labelled(&turn.speaker, &turn.line), &turn.pointer));
            teller.in_order(spoken.map(|(text, pointer)| (text, pointer.clone())).take(2).collect())
        }
        Body::Facts(facts) => {
            let told = facts.iter().filter(|fact| !fact.technical).map(|fact| Entry {
                text: labelled(&fact.label, &fact.value),
                pointer: fact.pointer.clone(),
                screen: Screen::Definition(fact.label.clone(), fact.value.clone()),
            });
            teller.entries(told.collect(), false)
        }
        Body::Example(example) => {
            let said = [Some(&example.problem), example.result.as_ref()].into_iter().flatten();
            teller.in_order(said.map(|passage| (passage.text.clone(), block.pointer.clone())).collect())
        }
        Body::Quotation(quotation) => {
            let first = quotation.paragraphs.first().map(|passage| passage.text.as_str()).unwrap_or_default();
            let text = labelled(quotation.source.as_deref().unwrap_or_default(), first);
            teller.in_order(vec![(text, block.pointer.clone())])
        }
        Body::Formula(formula) => teller.formula(formula),
        Body::Questions(_) | Body::Paragraph(_) | Body::Heading { .. } | Body::Code(_) | Body::Picture(_) => Vec::new(),
    }
}

/// The beginning of a lesson that has no sentence: its first text that can be spoken.
pub(super) fn beginning(lesson: &Lesson, voice: &Voice) -> Option<Line> {
    let told = |block: &&Block| {
        block.teaches()
            && !matches!(block.body, Body::Heading { .. } | Body::Code(_) | Body::Formula(_) | Body::Questions(_))
    };
    lesson.reading.blocks.iter().filter(told).find_map(|block| {
        let mut said = None;
        each_text(&block.body, &mut |text| {
            if said.is_none() {
                said = voice.say(shorten(text, 40, 240).trim_end_matches('…'));
            }
        });
        Some(Line { said: said?, pointer: block.pointer.clone(), screen: Screen::Words, heading: None })
    })
}

struct Teller<'b> {
    block: &'b Block,
    label: &'b str,
    allowance: &'b mut Allowance,
    voice: &'b Voice,
    phrases: &'b Phrases,
}

impl Teller<'_> {
    fn line(&self, said: String, pointer: Pointer, screen: Screen) -> Line {
        let heading = Some(self.label.to_owned()).filter(|label| !label.is_empty());
        Line { said, pointer, screen, heading }
    }

    /// Says a text where there is room.
    fn say(&mut self, text: &str) -> Option<String> {
        if language::script::word_count(text) > MAX_ENTRY || text.contains(['?', '？', '؟']) {
            return None;
        }
        let said = self.voice.say(&capitalise(text))?;
        self.allowance.take(&said, self.voice.seconds(&said)).then_some(said)
    }

    /// Entries that fit, spread over all; where they need it, the first says that it is an example.
    fn entries(&mut self, entries: Vec<Entry>, introduced: bool) -> Vec<Line> {
        let most = entries.len().min(MAX_ENTRIES);
        let (mut lines, mut whole) = (Vec::new(), self.allowance.words);
        let cost = |entry: &Entry| super::cost(&entry.text);
        let all: usize = entries.iter().map(cost).sum();
        #[expect(clippy::cast_precision_loss, reason = "a block has few words")]
        let partial = all as f64 > whole || entries.len() > most;
        let step = if partial { spread(&entries, &mut whole) } else { 1 };
        for entry in entries.into_iter().step_by(step).take(MAX_ENTRIES) {
            let text = if introduced && partial && lines.is_empty() {
                let text = entry.text.replacen(": ", ", ", 1).replacen('：', "，", 1);
                fill(self.voice.speech().signs.for_example, &[("text", &text)])
            } else {
                entry.text
            };
            if let Some(said) = self.say(&text) {
                lines.push(self.line(said, entry.pointer, entry.screen));
            }
        }
        lines
    }

    /// All texts, or none where one has no room.
    fn in_order(&mut self, texts: Vec<(String, Pointer)>) -> Vec<Line> {
        let before = *self.allowance;
        let mut lines = Vec::new();
        for (text, pointer) in texts {
            let Some(said) = self.say(&text) else {
                *self.allowance = before;
                return Vec::new();
            };
            lines.push(self.line(said, pointer, Screen::Words));
        }
        lines
    }

    /// The names of a list in one sentence.
    fn list(&mut self, items: &[Item]) -> Vec<Line> {
        let top: Vec<&str> = items
            .iter()
            .filter(|item| item.level == 0)
            .map(|item| item.text.text.trim_end_matches(['.', ';', ',', ':']))
            .collect();
        for count in (1..=top.len().min(MAX_ENTRIES)).rev() {
            if count < top.len() && count < 2 {
                break;
            }
            let joined = self.phrases.join(&top[..count]);
            let told = if count < top.len() {
                fill(self.voice.speech().signs.for_example, &[("text", &joined)])
            } else {
                joined
            };
            let introduced = labelled(self.label, &told);
            if let Some(said) = self.say(&introduced).or_else(|| self.say(&told)) {
                let names = top[..count].iter().map(|name| (*name).to_owned()).collect();
                return vec![self.line(said, self.block.pointer.clone(), Screen::List(names))];
            }
        }
        Vec::new()
    }

    /// All steps, or their number with the first and the last.
    fn steps(&mut self, items: &[Item]) -> Vec<Line> {
        let top: Vec<&Item> = items.iter().filter(|item| item.level == 0).collect();
        let names = || Screen::List(top.iter().map(|item| item.text.text.clone()).collect());
        let before = *self.allowance;
        let mut lines = Vec::new();
        for (at, item) in top.iter().enumerate().take(MAX_ENTRIES) {
            let name = fill(self.phrases.step_n, &[("n", &(at + 1).to_string())]);
            let Some(said) = self.say(&labelled(&name, &item.text.text)) else { break };
            lines.push(self.line(said, item.pointer.clone(), names()));
        }
        if lines.len() == top.len() {
            return lines;
        }
        *self.allowance = before;
        let [first, .., last] = top[..] else { return Vec::new() };
        let spoken = |item: &Item| {
            let said = self.voice.say(first_clause(&item.text.text))?;
            Some(said.trim_end_matches(['.', '。', '।', '!']).to_owned())
        };
        let (Some(first_said), Some(last_said)) = (spoken(first), spoken(last)) else { return Vec::new() };
        let count = top.len().to_string();
        let template = self.voice.speech().signs.steps_told;
        let text = fill(template, &[("n", &count), ("first", &first_said), ("last", &last_said)]);
        let told = close(&text);
        if !self.allowance.take(&told, self.voice.seconds(&told)) {
            return Vec::new();
        }
        vec![self.line(told, first.pointer.clone(), names())]
    }

    fn formula(&mut self, formula: &str) -> Vec<Line> {
        let Some(shown) = plain(formula) else { return Vec::new() };
        let text = labelled(self.label, &format!("${formula}$"));
        let Some(said) = self.say(&text) else { return Vec::new() };
        vec![self.line(said, self.block.pointer.clone(), Screen::Formula(shown))]
    }
}

/// How far entries that are told lie apart, so that they are spread over all.
fn spread(entries: &[Entry], words: &mut f64) -> usize {
    let mut fitting = 0;
    for entry in entries.iter().take(MAX_ENTRIES) {
        *words -= super::budget::counted(&entry.text);
        fitting += usize::from(*words >= 0.0);
    }
    entries.len() / fitting.max(1)
}

/// A step up to its first pause.
fn first_clause(text: &str) -> &str {
    let end = text
        .char_indices()
        .find(|(at, character)| {
            let next = &text[at + character.len_utf8()..];
            matches!(character, '，' | '；' | '。' | '।')
                || matches!(character, ',' | ';' | '.' | '(' | ':') && next.starts_with(char::is_whitespace)
        })
        .map_or(text.len(), |(at, _)| at);
    let clause = &text[..end];
    if language::script::word_count(clause) >= 3 || clause.starts_with(is_unspaced) { clause } else { text }
}

/// "Helium: symbol He, atomic number 2."
fn rows(table: &Table, phrases: &Phrases, voice: &Voice) -> Vec<Entry> {
    let capitals = profile::of(voice.tag()).nouns_are_capitalised;
    let comma = if phrases.list_comma == "、" { "，" } else { phrases.list_comma };
    let named = |at: usize| table.columns.get(at).filter(|_| table.columns.len() > 2);
    let names: Vec<String> = table.rows.iter().take(4).filter_map(|row| row.cells.first().cloned()).collect();
    let entry = |row: &crate::reading::blocks::Row| {
        let cells = row
            .cells
            .iter()
            .enumerate()
            .skip(1)
            .take(3)
            .filter(|(_, cell)| !cell.is_empty() && !crate::reading::is_address(cell));
        let told: Vec<String> = cells
            .map(|(at, cell)| {
                named(at).map_or_else(
                    || cell.clone(),
                    |column| format!("{} {cell}", if capitals { column.clone() } else { uncapitalised(column) }),
                )
            })
            .collect();
        let name = row.cells.first().map_or("", String::as_str);
        Entry {
            text: labelled(name, &told.join(comma)),
            pointer: row.pointer.clone(),
            screen: if table.columns.len() > 2 {
                Screen::List(names.clone())
            } else {
                Screen::Definition(name.to_owned(), told.join(comma))
            },
        }
    };
    table.rows.iter().map(entry).filter(|entry| !entry.text.is_empty()).collect()
}

/// "Atomic number" within a sentence is "atomic number"; "DNA" stays.
fn uncapitalised(label: &str) -> String {
    let mut letters = label.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain([second]).chain(letters).collect()
        }
        _ => label.to_owned(),
    }
}
