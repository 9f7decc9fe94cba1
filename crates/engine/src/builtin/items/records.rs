//! Questions about what is no prose: tables, steps, timelines, conversations, lists, labelled values.
//!
//! The wrong options are other entries of the same column, list or conversation.

use language::fill;
use language::normal::{mentions, normal, stable_hash};
use language::script::word_count;
use language::sentences::is_closed;

use crate::reading::blocks::{Block, Body, Event, Fact, Item as Entry, Row, Table, Turn};
use crate::reading::flat::labelled;
use crate::reading::is_address;
use crate::reading::names::{Role, has_role};
use crate::text::numbers;

use super::options::{arrange, pick, rotated};
use super::{Evidence, Item, MAX_OPTION, Workshop, fits};

/// Most questions about one block.
const MOST: usize = 4;
/// Longest row name, column name or value in a question, in characters.
const MAX_LABEL: usize = 80;
/// Most entries of a block that are looked at.
const MAX_ENTRIES: usize = 200;

impl Workshop<'_> {
    pub(super) fn about_records(&self, lesson: usize, items: &mut Vec<Item>) {
        let mut heading: Option<&str> = None;
        for block in self.lesson(lesson).reading.blocks.iter().take(MAX_ENTRIES) {
            match &block.body {
                Body::Heading { text, .. } => heading = Some(text),
                Body::Table(table) => self.about_table(lesson, table, items),
                Body::List { steps: true, items: steps } => self.about_steps(lesson, steps, items),
                Body::List { items: entries, .. } => items.extend(self.about_list(lesson, block, heading, entries)),
                Body::Timeline(events) => self.about_events(lesson, events, items),
                Body::Dialogue(turns) => self.about_turns(lesson, turns, items),
                Body::Facts(facts) => self.about_facts(lesson, heading, facts, items),
                _ => {}
            }
        }
    }

    fn about_table(&self, lesson: usize, table: &Table, items: &mut Vec<Item>) {
        let rows: Vec<&Row> = table.rows.iter().take(MAX_ENTRIES).collect();
        let columns = table.columns.len();
        if columns < 2 || rows.len() < 3 {
            return;
        }
        let seed = table.columns.join(" ");
        let mut made = 0;
        for (turn, at) in rotated(rows.len(), &seed).enumerate() {
            let column = 1 + (turn + pick(&seed, columns - 1)) % (columns - 1);
            if let Some(item) = self.about_cell(lesson, table, &rows, at, column) {
                items.push(item);
                made += 1;
            }
            if made == MOST {
                return;
            }
        }
    }

    fn about_cell(&self, lesson: usize, table: &Table, rows: &[&Row], at: usize, column: usize) -> Option<Item> {
        let label = &table.columns[column];
        let row = rows[at];
        let (name, cell) = (row.cells.first()?, row.cells.get(column)?);
        let told = !name.is_empty()
            && !cell.is_empty()
            && fits(name, MAX_LABEL)
            && fits(cell, MAX_OPTION)
            && fits(label, MAX_LABEL)
            && !is_address(cell);
        let alone = rows.iter().filter(|other| other.cells.first() == Some(name)).count() == 1;
        if !told
            || !alone
            || label.is_empty()
            || has_role(label, Role::Technical)
            || stable_hash(cell) == stable_hash(name)
        {
            return None;
        }
        // "Estate: First" says what is first; "Name: Helium" would say no more than "Helium".
        let of = table.columns.first().filter(|first| fits(first, MAX_LABEL) && !has_role(first, Role::Title));
        let row_name = labelled(of.map_or("", String::as_str), name);
        let question = fill(self.phrases().cell_of, &[("column", label), ("row", &row_name)]);
        let wrong = rotated(rows.len(), &question)
            .filter_map(|other| rows[other].cells.get(column))
            .filter(|other| fits(other, MAX_OPTION) && !is_address(other))
            .cloned();
        let options = arrange(cell, wrong, 2, &question)?;
        let quote = format!("{name} – {label}: {cell}");
        let fact = format!("cell {} {column}", normal(name));
        let evidence = Evidence { lesson, pointer: &row.pointer, quote: &quote, fact };
        Some(self.choice(evidence, question, options, cell.clone()))
    }

    fn about_steps(&self, lesson: usize, steps: &[Entry], items: &mut Vec<Item>) {
        let texts: Vec<&str> = steps
            .iter()
            .take(MAX_ENTRIES)
            .map(|step| step.text.text.as_str())
            .filter(|text| fits(text, MAX_OPTION))
            .collect();
        if texts.len() < 4 || texts.len() < steps.len().min(MAX_ENTRIES) {
            return;
        }
        let mut asked: Vec<usize> = rotated(texts.len() - 1, texts[0]).step_by(3).take(2).collect();
        asked.sort_unstable();
        for at in asked {
            let (step, next) = (texts[at], texts[at + 1]);
            let question = fill(
                self.phrases().next_step,
                &[("title", &self.lesson(lesson).short), ("step", step.trim_end_matches('.'))],
            );
            let wrong = rotated(texts.len(), &question)
                .filter(|other| *other != at && *other != at + 1)
                .map(|other| texts[other].to_owned());
            let Some(options) = arrange(next, wrong, 2, &question) else { continue };
            let quote = format!("{}. {step} {}. {next}", at + 1, at + 2);
            let fact = format!("step {lesson} {at}");
            let evidence = Evidence { lesson, pointer: &steps[at + 1].pointer, quote: &quote, fact };
            items.push(self.choice(evidence, question, options, next.to_owned()));
        }
    }

    /// Which entry stands under this heading? The wrong ones stand under other headings.
    fn about_list(&self, lesson: usize, block: &Block, heading: Option<&str>, entries: &[Entry]) -> Option<Item> {
        let heading = heading.filter(|heading| fits(heading, MAX_LABEL))?;
        let short = |entry: &&Entry| {
            fits(&entry.text.text, MAX_LABEL)
                && word_count(&entry.text.text) >= 1
                && !is_address(&entry.text.text)
                && !is_closed(&entry.text.text)
        };
        let own: Vec<&Entry> = entries.iter().take(MAX_ENTRIES).filter(short).collect();
        let entry = own.get(pick(heading, own.len()))?;
        let held: Vec<String> = entries.iter().take(MAX_ENTRIES).map(|entry| normal(&entry.text.text)).collect();
        let title = &self.lesson(lesson).short;
        let question = fill(self.phrases().belongs_to, &[("heading", heading), ("title", title)]);
        let wrong = self
            .entries_elsewhere(lesson, block, heading)
            .filter(|text| !held.iter().any(|own| mentions(own, &normal(text)) || mentions(&normal(text), own)));
        let options = arrange(&entry.text.text, wrong, 2, &question)?;
        let quote = format!("{heading}: {}", entry.text.text);
        let fact = format!("entry {lesson} {}", normal(heading));
        let evidence = Evidence { lesson, pointer: &entry.pointer, quote: &quote, fact };
        Some(self.choice(evidence, question, options, entry.text.text.clone()))
    }

    fn entries_elsewhere<'s>(
        &'s self,
        lesson: usize,
        block: &'s Block,
        heading: &'s str,
    ) -> impl Iterator<Item = String> + 's {
        let lessons = &self.material.lessons;
        let order = (0..lessons.len().min(12)).map(move |at| (lesson + at) % lessons.len());
        order.flat_map(move |at| {
            let mut under = None;
            lessons[at].reading.blocks.iter().take(MAX_ENTRIES).flat_map(move |other| {
                if let Body::Heading { text, .. } = &other.body {
                    under = Some(text.as_str());
                }
                let fits_in = !std::ptr::eq(other, block) && under.is_some_and(|under| under != heading);
                let entries = match &other.body {
                    Body::List { steps: false, items } if fits_in => &items[..items.len().min(6)],
                    _ => &[],
                };
                entries
                    .iter()
                    .map(|entry| entry.text.text.clone())
                    .filter(|text| fits(text, MAX_LABEL) && !text.ends_with('.'))
            })
        })
    }

    fn about_events(&self, lesson: usize, events: &[Event], items: &mut Vec<Item>) {
        let events: Vec<&Event> = events
            .iter()
            .take(MAX_ENTRIES)
            .filter(|event| {
                !event.when.is_empty()
                    && !event.what.is_empty()
                    && fits(&event.when, MAX_LABEL)
                    && fits(&event.what, MAX_OPTION)
            })
            .collect();
        if events.len() < 3 {
            return;
        }
        items.extend(self.first_event(lesson, &events));
        for at in rotated(events.len(), &events[0].what).step_by(2).take(3) {
            let event = events[at];
            let question = fill(self.phrases().when_event, &[("event", event.what.trim_end_matches('.'))]);
            let wrong = rotated(events.len(), &question).map(|other| events[other].when.clone());
            let Some(options) = arrange(&event.when, wrong, 2, &question) else { continue };
            let quote = format!("{}: {}", event.when, event.what);
            let fact = format!("when {}", normal(&event.what));
            let evidence = Evidence { lesson, pointer: &event.pointer, quote: &quote, fact };
            items.push(self.choice(evidence, question, options, event.when.clone()));
        }
    }

    /// Among events whose years are known and differ: which came first?
    fn first_event(&self, lesson: usize, events: &[&Event]) -> Option<Item> {
        let mut dated: Vec<(i64, &Event)> =
            events.iter().filter_map(|event| Some((year(&event.when)?, *event))).collect();
        dated.sort_by_key(|(year, _)| *year);
        dated.dedup_by_key(|(year, _)| *year);
        if dated.len() < 3 || dated.len() < events.len() / 2 {
            return None;
        }
        let start = pick(&dated[0].1.what, dated.len().saturating_sub(3).max(1));
        let chosen = &dated[start..dated.len().min(start + 4)];
        let first = chosen[0].1;
        let question = fill(self.phrases().first_event, &[("title", &self.lesson(lesson).short)]);
        let options = arrange(&first.what, chosen[1..].iter().map(|(_, event)| event.what.clone()), 2, &question)?;
        let quote = format!("{}: {}", first.when, first.what);
        let fact = format!("when {}", normal(&first.what));
        let evidence = Evidence { lesson, pointer: &first.pointer, quote: &quote, fact };
        Some(self.choice(evidence, question, options, first.what.clone()))
    }

    fn about_turns(&self, lesson: usize, turns: &[Turn], items: &mut Vec<Item>) {
        let turns: Vec<&Turn> = turns.iter().take(MAX_ENTRIES).collect();
        let mut speakers: Vec<&str> = turns
            .iter()
            .map(|turn| turn.speaker.as_str())
            .filter(|speaker| !speaker.is_empty() && fits(speaker, MAX_LABEL))
            .collect();
        speakers.sort_unstable();
        speakers.dedup();
        if speakers.len() < 2 {
            return;
        }
        let telling = |turn: &&Turn| {
            let once = turns.iter().filter(|other| other.line == turn.line).count() == 1;
            let names = speakers.iter().any(|speaker| mentions(&normal(&turn.line), &normal(speaker)));
            once && !names && word_count(&turn.line) >= 3 && fits(&turn.line, MAX_OPTION)
        };
        let asked: Vec<&&Turn> = turns.iter().filter(|turn| telling(turn)).collect();
        for turn in asked.iter().step_by(asked.len().div_ceil(3).max(1)).take(3) {
            let question =
                fill(self.phrases().who_says, &[("title", &self.lesson(lesson).short), ("line", &turn.line)]);
            let Some(options) =
                arrange(&turn.speaker, speakers.iter().map(|speaker| (*speaker).to_owned()), 1, &question)
            else {
                continue;
            };
            let quote = format!("{}: {}", turn.speaker, turn.line);
            let fact = format!("says {}", normal(&turn.line));
            let evidence = Evidence { lesson, pointer: &turn.pointer, quote: &quote, fact };
            items.push(self.choice(evidence, question, options, turn.speaker.clone()));
        }
    }

    fn about_facts(&self, lesson: usize, heading: Option<&str>, facts: &[Fact], items: &mut Vec<Item>) {
        let row = heading.filter(|heading| fits(heading, MAX_LABEL)).unwrap_or(&self.lesson(lesson).short);
        let usable =
            facts.iter().filter(|fact| !fact.technical && fits(&fact.label, MAX_LABEL) && fits(&fact.value, MAX_LABEL));
        for fact in usable.take(3) {
            let question = fill(self.phrases().cell_of, &[("column", &fact.label), ("row", row)]);
            let wrong: Vec<String> = self.values_elsewhere(lesson, fact).chain(near_values(&fact.value)).collect();
            let Some(options) = arrange(&fact.value, wrong.into_iter(), 2, &question) else { continue };
            let quote = format!("{row} – {}: {}", fact.label, fact.value);
            let tested = format!("cell {} {}", normal(row), normal(&fact.label));
            let evidence = Evidence { lesson, pointer: &fact.pointer, quote: &quote, fact: tested };
            items.push(self.choice(evidence, question, options, fact.value.clone()));
        }
    }

    /// What stands behind the same label in other places.
    fn values_elsewhere<'s>(&'s self, lesson: usize, fact: &'s Fact) -> impl Iterator<Item = String> + 's {
        let lessons = &self.material.lessons;
        let order = (0..lessons.len().min(12)).map(move |at| &lessons[(lesson + at) % lessons.len()]);
        order.flat_map(|lesson| lesson.reading.blocks.iter().take(MAX_ENTRIES)).flat_map(move |block| {
            let facts = if let Body::Facts(facts) = &block.body { &facts[..] } else { &[] };
            facts
                .iter()
                .filter(move |other| {
                    other.label == fact.label && other.value != fact.value && fits(&other.value, MAX_LABEL)
                })
                .map(|other| other.value.clone())
        })
    }
}

/// "20 °C" with other numbers; nothing when there is not exactly one number.
fn near_values(value: &str) -> Vec<String> {
    let found = numbers::find(value);
    let [number] = found[..] else { return Vec::new() };
    let end = number.start + number.text.len();
    numbers::near(number, stable_hash(value))
        .into_iter()
        .map(|near| format!("{}{near}{}", &value[..number.start], &value[end..]))
        .collect()
}

/// The year that a date names: its four digits, or a number that stands alone. BC counts down.
fn year(when: &str) -> Option<i64> {
    let digits: Vec<&str> =
        when.split(|character: char| !character.is_ascii_digit()).filter(|run| !run.is_empty()).collect();
    let run = digits.iter().find(|run| run.len() == 4).or(if digits.len() == 1 { digits.first() } else { None })?;
    let number: i64 = run.parse().ok().filter(|_| run.len() <= 9)?;
    let lower = when.to_lowercase();
    let before = language::cues(|cues| cues.before_christ).any(|mark| lower.contains(mark));
    Some(if before { -number } else { number })
}
