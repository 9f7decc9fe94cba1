//! Arrays of objects: which of them are definitions, steps, events, turns of a talk, questions or
//! the rows of a table.

use language::sentences::is_closed;
use serde_json::Value;

use super::blocks::{Body, Event, Item, Note, Pair, Row, Table, Turn};
use super::flat::flat;
use super::inline::Passage;
use super::kinds::is_kind;
use super::names::{Role, has_role, humanise, label};
use super::pointer::Pointer;
use super::quiz;
use super::shapes::{Member, Shaper};
use super::things::is_example;

/// Longest cell of a table, in bytes; longer values read better as paragraphs.
const MAX_CELL: usize = 220;
/// Most columns of a table.
const MAX_COLUMNS: usize = 12;

/// What the objects of an array are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Examples,
    Definitions,
    Dialogue,
    Steps,
    Timeline,
    Table,
    Sections,
}

impl Shaper<'_> {
    /// Reads an array whose elements are all objects.
    pub(super) fn records(&mut self, name: &str, values: &[Value], pointer: &Pointer, level: u8) {
        let records: Vec<(Pointer, Vec<Member<'_>>)> = values
            .iter()
            .enumerate()
            .filter_map(|(index, value)| {
                let at = pointer.index(index);
                let members = Member::of(value.as_object()?, &at);
                (!members.is_empty()).then_some((at, members))
            })
            .collect();
        if records.is_empty() {
            return;
        }
        if has_role(name, Role::Faq) && self.answered(name, &records, pointer, level) {
            return;
        }
        let class = classify(name, &records);
        if class != Class::Examples {
            let asked = quiz::of_records(values, pointer, false, self.phrases);
            let asks = matches!(asked, quiz::Asked::Each(_)) || quiz::names_questions(values);
            let in_quiz = quiz::may_name_quiz(name) && asks;
            match if in_quiz { quiz::of_records(values, pointer, true, self.phrases) } else { asked } {
                quiz::Asked::All(found) => return self.asked(name, found, pointer, level),
                quiz::Asked::Each(found) => return self.asked_between(name, values, found, pointer, level),
                quiz::Asked::Nothing => {}
            }
        }
        let body = match class {
            Class::Examples => {
                self.heading(name, pointer, level);
                let named = has_role(name, Role::Example);
                for (at, members) in &records {
                    match self.example(members, named) {
                        Some(example) => self.push(at, example),
                        None => self.members("", members, at, level + 1),
                    }
                }
                return;
            }
            Class::Definitions => {
                Body::Definitions(records.iter().map(|(at, members)| self.pair(at, members)).collect())
            }
            Class::Dialogue => Body::Dialogue(records.iter().map(|(at, members)| self.turn(at, members)).collect()),
            Class::Steps => {
                Body::List { steps: true, items: records.iter().map(|(at, members)| self.step(at, members)).collect() }
            }
            Class::Timeline => Body::Timeline(records.iter().map(|(at, members)| self.event(at, members)).collect()),
            Class::Table => Body::Table(self.table(&records)),
            Class::Sections => {
                self.heading(name, pointer, level);
                let below = level + u8::from(!self.is_silent(name));
                for (index, value) in values.iter().enumerate() {
                    self.value(&Member { name: "", value, pointer: pointer.index(index) }, below);
                }
                return;
            }
        };
        self.heading(name, pointer, level);
        self.push(pointer, body);
    }

    /// Reads questions that the source answers itself: each answer under its question.
    fn answered(&mut self, name: &str, records: &[(Pointer, Vec<Member<'_>>)], pointer: &Pointer, level: u8) -> bool {
        let (questions, answers) =
            ([Role::Question, Role::Title], [Role::Answer, Role::Silent, Role::Definition, Role::Explanation]);
        let mut found = Vec::new();
        for (_, members) in records {
            let text = |roles: &[Role]| find(members, roles).filter(|member| member.value.is_string());
            let (Some(question), Some(answer)) = (text(&questions), text(&answers)) else { return false };
            let others =
                members.iter().filter(|member| !std::ptr::eq(*member, question) && !std::ptr::eq(*member, answer));
            found.push((question, answer, others));
        }
        self.heading(name, pointer, level);
        for (question, answer, others) in found {
            self.title(flat(question.value, self.phrases), &question.pointer, level + 1);
            self.value(&Member { name: "", ..answer.clone() }, level + 2);
            others.for_each(|member| self.value(member, level + 2));
        }
        true
    }

    /// Reads values some of which are questions, one by one.
    fn asked_between(
        &mut self,
        name: &str,
        values: &[Value],
        asked: Vec<Option<Vec<(Pointer, Body)>>>,
        pointer: &Pointer,
        level: u8,
    ) {
        self.heading(name, pointer, level);
        let below = level + u8::from(!self.is_silent(name));
        for (index, (value, found)) in values.iter().zip(asked).enumerate() {
            match found {
                Some(found) => found.into_iter().for_each(|(place, body)| self.push(&place, body)),
                None => self.value(&Member { name: "", value, pointer: pointer.index(index) }, below),
            }
        }
    }

    /// A term with its definition, from the members of one object.
    pub(super) fn pair(&self, at: &Pointer, members: &[Member<'_>]) -> Pair {
        let (terms, definitions) = ([Role::Term, Role::Title], [Role::Definition, Role::Explanation]);
        let (pointer, [term, definition], notes) = self.two(at, members, &terms, &definitions);
        let is_unnamed = definition.is_empty() || find(members, &terms).is_none();
        let Some([word, translation]) = in_two_languages(members).filter(|_| is_unnamed) else {
            return Pair { pointer, term, definition, notes };
        };
        // Beside its translation, a word may also be explained.
        let told = find(members, &definitions).filter(|_| !definition.is_empty()).unwrap_or(translation);
        let [term, definition] = [word, told].map(|member| flat(member.value, self.phrases));
        let others = members.iter().filter(|member| ![word.name, told.name].contains(&member.name));
        Pair {
            pointer: word.pointer.clone(),
            term,
            definition,
            notes: others.filter_map(|member| self.note(member)).collect(),
        }
    }

    fn turn(&self, at: &Pointer, members: &[Member<'_>]) -> Turn {
        let speakers = [Role::Speaker, Role::Title];
        let (pointer, [speaker, line], notes) = self.two(at, members, &speakers, &[Role::Line]);
        Turn { pointer, speaker, line, notes }
    }

    fn event(&self, at: &Pointer, members: &[Member<'_>]) -> Event {
        let events = [Role::What, Role::Title, Role::Definition, Role::Line];
        let (pointer, [when, what], notes) = self.two(at, members, &[Role::When], &events);
        Event { pointer, when, what, notes }
    }

    fn step(&self, at: &Pointer, members: &[Member<'_>]) -> Item {
        let numbered = |member: &Member<'_>| {
            let number = member.value.is_number()
                && ["step", "order", "number", "n", "index", "no"].contains(&member.name.to_lowercase().as_str());
            let text = member.value.as_str().unwrap_or_default();
            number || !text.is_empty() && !text.chars().any(char::is_alphabetic)
        };
        let members: Vec<Member<'_>> = members.iter().filter(|member| !numbered(member)).cloned().collect();
        let roles = [Role::Step, Role::Title, Role::Line, Role::Definition];
        let (text, pointer, notes) = self.take(at, &members, &roles);
        Item {
            pointer,
            level: 0,
            text: Passage::plain(&text),
            notes: notes.into_iter().map(|(note, _)| note).collect(),
        }
    }

    /// Two texts that belong together, where the second one stands, and all other members as notes.
    fn two(
        &self,
        at: &Pointer,
        members: &[Member<'_>],
        first: &[Role],
        second: &[Role],
    ) -> (Pointer, [String; 2], Vec<Note>) {
        let (one, _, mut notes) = self.take(at, members, first);
        let (other, pointer) = match find(members, second) {
            Some(member) => {
                notes.retain(|(_, note)| !std::ptr::eq(note.value, member.value));
                (flat(member.value, self.phrases), member.pointer.clone())
            }
            None => (String::new(), at.clone()),
        };
        (pointer, [one, other], notes.into_iter().map(|(note, _)| note).collect())
    }

    /// The first member with one of the roles, as text, and all others as notes.
    fn take<'m, 'v>(
        &self,
        at: &Pointer,
        members: &'m [Member<'v>],
        roles: &[Role],
    ) -> (String, Pointer, Vec<(Note, &'m Member<'v>)>) {
        let found = find(members, roles).or_else(|| members.first());
        let notes = members
            .iter()
            .filter(|member| !found.is_some_and(|found| std::ptr::eq(*member, found)))
            .filter_map(|member| Some((self.note(member)?, member)))
            .collect();
        match found {
            Some(member) => (flat(member.value, self.phrases), member.pointer.clone(), notes),
            None => (String::new(), at.clone(), notes),
        }
    }

    /// A member as a labelled extra; none when it is empty.
    pub(super) fn note(&self, member: &Member<'_>) -> Option<Note> {
        let value = flat(member.value, self.phrases);
        (!value.is_empty()).then(|| Note { label: label(member.name, self.phrases), value })
    }

    fn table(&self, records: &[(Pointer, Vec<Member<'_>>)]) -> Table {
        let keys = columns(records);
        let rows = records
            .iter()
            .map(|(at, members)| {
                let cell = |key: &&str| {
                    members
                        .iter()
                        .find(|member| member.name == *key)
                        .map_or_else(String::new, |member| flat(member.value, self.phrases))
                };
                Row { pointer: at.clone(), cells: keys.iter().map(cell).collect() }
            })
            .collect();
        Table { columns: keys.iter().map(|key| humanise(key)).collect(), keyed: true, rows }
    }
}

/// The first member that plays one of the roles; earlier roles go first.
pub(super) fn find<'m, 'v>(members: &'m [Member<'v>], roles: &[Role]) -> Option<&'m Member<'v>> {
    roles.iter().find_map(|role| members.iter().find(|member| has_role(member.name, *role) && !member.value.is_null()))
}

/// The keys of all records in the order they first appear, those that name a row first.
fn columns<'v>(records: &[(Pointer, Vec<Member<'v>>)]) -> Vec<&'v str> {
    let mut keys: Vec<&str> = Vec::new();
    for (_, members) in records {
        for member in members {
            if keys.len() <= MAX_COLUMNS && !keys.contains(&member.name) {
                keys.push(member.name);
            }
        }
    }
    let names_row = |key: &str| has_role(key, Role::Title) || has_role(key, Role::Term);
    if let Some(at) = keys.iter().position(|key| names_row(key)) {
        let key = keys.remove(at);
        keys.insert(0, key);
    }
    keys
}

fn classify(name: &str, records: &[(Pointer, Vec<Member<'_>>)]) -> Class {
    let all = |test: &dyn Fn(&[Member<'_>]) -> bool| {
        let fitting = records.iter().filter(|(_, members)| test(members)).count();
        fitting * 10 >= records.len() * 8
    };
    let has = |members: &[Member<'_>], role| {
        members.iter().any(|member| has_role(member.name, role) && is_brief(member.value))
    };
    let extras = |members: &[Member<'_>]| members.len() > 3;
    let examples = has_role(name, Role::Example);
    if !has_role(name, Role::Quiz) && all(&|members| is_example(members, examples)) {
        Class::Examples
    } else if has_role(name, Role::Steps) || all(&|members| has(members, Role::Step)) {
        Class::Steps
    } else if all(&|members| has(members, Role::Term) && has(members, Role::Definition) || translates(members)) {
        Class::Definitions
    } else if all(&|members| has(members, Role::Speaker) && has(members, Role::Line)) {
        Class::Dialogue
    } else if all(&|members| {
        has(members, Role::When)
            && (has(members, Role::What)
                || members.len() <= 3 && (has(members, Role::Title) || has(members, Role::Definition)))
    }) {
        Class::Timeline
    } else if all(&|members| has(members, Role::Title) && has(members, Role::Definition) && !extras(members)) {
        Class::Definitions
    } else if records.len() > 1 && is_tabular(records) {
        Class::Table
    } else {
        Class::Sections
    }
}

/// A word and what it means in another language: `{"es": "la llave", "en": "key"}`. Whole sentences are examples.
fn translates(members: &[Member<'_>]) -> bool {
    let is_word = |member: &&Member<'_>| is_brief(member.value) && !member.value.as_str().is_some_and(is_closed);
    in_two_languages(members).is_some_and(|pair| pair.iter().all(is_word))
}

/// The members that are named after languages, where these are two.
fn in_two_languages<'m, 'v>(members: &'m [Member<'v>]) -> Option<[&'m Member<'v>; 2]> {
    let mut named = members.iter().filter(|member| language::named(member.name).is_some());
    let (first, second) = (named.next()?, named.next()?);
    (named.next().is_none() && language::named(first.name) != language::named(second.name)).then_some([first, second])
}

fn is_tabular(records: &[(Pointer, Vec<Member<'_>>)]) -> bool {
    let keys = columns(records);
    let filled: usize = records.iter().map(|(_, members)| members.len()).sum();
    let dense = filled * 2 >= keys.len() * records.len();
    // `[{"kind": "callout", "text": "…"}, …]` are the blocks of a text.
    let blocks = records.iter().all(|(_, members)| {
        members.iter().any(is_kind) && members.iter().any(|member| has_role(member.name, Role::Silent))
    });
    (2..=MAX_COLUMNS).contains(&keys.len())
        && dense
        && !blocks
        && records.iter().flat_map(|(_, members)| members).all(|member| is_brief(member.value))
}

/// Fits in a cell: a short scalar, or a few of them.
fn is_brief(value: &Value) -> bool {
    match value {
        // What has tabs is a table itself.
        Value::String(text) => text.len() <= MAX_CELL && !text.contains('\t'),
        Value::Array(values) => {
            values.len() <= 8 && values.iter().all(|value| !value.is_array() && !value.is_object() && is_brief(value))
        }
        Value::Object(_) => false,
        _ => true,
    }
}
