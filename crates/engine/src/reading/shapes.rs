//! Any JSON value to blocks, by its shape.
//!
//! The rules go from the particular to the general: a question, a definition, a talk, a table, a
//! list; what is none of them is walked through member by member under headings of its own. Nothing
//! is left out but nulls, empty strings and what [`super::metadata`] calls bookkeeping.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::blocks::{Block, Body, Fact, Item, LessonReading, Note, Objective, Origin, Pair, Purpose, Row, Table};
use super::codes::{is_serial, is_uuid, lesson_ids};
use super::documents::{self, Piece};
use super::flat::{flat, flat_text};
use super::inline::{Passage, squeeze};
use super::kinds::{MAX_KIND, is_called, is_for_teachers, is_kept_by, is_kind, is_word_for_kind};
use super::metadata::{is_about, is_bookkeeping, is_file_name, is_for_machines, is_meta, is_metadata};
use super::names::{Role, Roles, capitalise, has_role, label, names_a_kind, names_the_teacher};
use super::pointer::Pointer;
use super::quiz::{self, Gaps, Segment};
use super::records::find;
use super::sift::{self, Sifted, sift};
use super::{html, markdown, things, titles};
use crate::phrases::Phrases;
use crate::source::{SourceField, SourceLesson, SourceLevel};

/// Longest value that stands behind a label instead of below a heading, in characters.
const MAX_FACT: usize = 60;
/// Longest item of a list, in bytes; longer ones are paragraphs.
const MAX_ITEM: usize = 400;
/// Most values of a list that are looked at to tell whether they hold content.
const MOST_LOOKED_AT: usize = 8;
/// Deepest heading below a lesson's own.
const MAX_LEVEL: u8 = 4;

/// A member of an object or a field of a lesson.
#[derive(Clone)]
pub(super) struct Member<'v> {
    pub(super) name: &'v str,
    pub(super) value: &'v Value,
    pub(super) pointer: Pointer,
}

impl<'v> Member<'v> {
    /// The members of an object that hold content.
    pub(super) fn of(object: &'v Map<String, Value>, at: &Pointer) -> Vec<Self> {
        let has_content = |value: &Value| {
            value.as_object().is_some_and(|inner| inner.iter().any(|(name, value)| is_content(name, value)))
        };
        let holds_content = |value: &Value| match value {
            Value::Array(values) => values.iter().take(MOST_LOOKED_AT).any(has_content),
            value => has_content(value),
        };
        let beside_content = object.iter().any(|(name, value)| is_content(name, value) || holds_content(value));
        let quoted = object.keys().any(|name| has_role(name, Role::Quotation));
        let kept = |name: &str, value: &Value| {
            !is_bookkeeping(name, value, beside_content) || quoted && has_role(name, Role::Author) && value.is_string()
        };
        object
            .iter()
            .filter(|(name, value)| !is_void(value) && kept(name, value))
            .map(|(name, value)| Self { name, value, pointer: at.key(name) })
            .collect()
    }
}

/// Reads the lessons of a level, in order.
pub(crate) fn read_lessons(source: &SourceLevel, phrases: &'static Phrases) -> Vec<LessonReading> {
    let titles = titles::field(source);
    let ids = lesson_ids(source);
    source.lessons.iter().map(|lesson| read_lesson(lesson, titles, &ids, phrases)).collect()
}

/// `titles`: the name of the field with the title, where it is not the contract's. `ids`: those of fields with ids.
fn read_lesson(
    lesson: &SourceLesson,
    titles: Option<&str>,
    ids: &HashSet<&str>,
    phrases: &'static Phrases,
) -> LessonReading {
    let pointer = Pointer::root(&lesson.pointer);
    let is_title = |field: &&SourceField| Some(field.name.as_str()) == titles;
    let own_title = lesson.fields.iter().find(is_title).and_then(titles::titled);
    let fields = lesson.fields.iter().filter(|field| !is_void(&field.value));
    let picture = things::picture(fields.clone().map(|field| (field.name.as_str(), &field.value)));
    let shown: Vec<&str> = picture.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let quoted = fields.clone().any(|field| has_role(&field.name, Role::Quotation));
    let members: Vec<Member<'_>> = fields
        .clone()
        .filter(|field| {
            let attributed = quoted && has_role(&field.name, Role::Author) && field.value.is_string();
            // "ausbilder": whoever teaches, or what is said to them.
            let addressed = field.value.is_string() && names_the_teacher(&field.name);
            let coded = ids.contains(field.name.as_str()) && !has_role(&field.name, Role::Title);
            (attributed || !is_metadata(&field.name, &field.value, true))
                && !addressed
                && !coded
                && !is_title(field)
                && !shown.contains(&field.name.as_str())
        })
        .map(|field| Member { name: &field.name, value: &field.value, pointer: Pointer::root(&field.pointer) })
        .collect();
    let fields = fields.map(|field| Pointer::root(&field.pointer)).collect();
    let mut title = lesson.title.as_deref().map(flat_text).filter(|title| !title.is_empty()).or(own_title);
    let mut shaper = Shaper::new(phrases);
    if let Some((picture, _)) = picture {
        shaper.push(&pointer, Body::Picture(picture));
    }
    shaper.members("", &members, &pointer, 1);
    let Shaper { mut blocks, objectives, .. } = shaper;
    // A heading that opens the lesson is its title, and is not shown twice.
    if let Some(Block { body: Body::Heading { text, .. }, .. }) = blocks.first()
        && title.as_ref().is_none_or(|title| text.eq_ignore_ascii_case(title))
    {
        title = title.or_else(|| Some(text.clone()));
        blocks.remove(0);
    }
    LessonReading { pointer, fields, title, kind: squeeze(&lesson.kind), objectives, origin: Origin::Lesson, blocks }
}

/// Collects the blocks of one lesson.
pub(super) struct Shaper<'p> {
    pub(super) phrases: &'p Phrases,
    blocks: Vec<Block>,
    objectives: Vec<Objective>,
    /// What the values that are being read are there for.
    pub(super) purpose: Purpose,
}

impl<'p> Shaper<'p> {
    fn new(phrases: &'p Phrases) -> Self {
        Self { phrases, blocks: Vec::new(), objectives: Vec::new(), purpose: Purpose::Taught }
    }
}

impl Shaper<'_> {
    pub(super) fn push(&mut self, pointer: &Pointer, body: Body) {
        // Of a quiz nothing is only an instruction.
        let purpose = if matches!(body, Body::Questions(_)) { Purpose::Taught } else { self.purpose };
        self.blocks.push(Block { pointer: pointer.clone(), purpose, body });
    }

    /// A heading from a name, unless the name says nothing.
    pub(super) fn heading(&mut self, name: &str, pointer: &Pointer, level: u8) {
        if !self.is_silent(name) {
            let text = label(name, self.phrases);
            self.title(text, pointer, level);
        }
    }

    pub(super) fn title(&mut self, text: String, pointer: &Pointer, level: u8) {
        if !text.is_empty() {
            self.push(pointer, Body::Heading { level: level.min(MAX_LEVEL), text });
        }
    }

    pub(super) fn is_silent(&self, name: &str) -> bool {
        name.is_empty() || has_role(name, Role::Silent)
    }

    pub(super) fn value(&mut self, member: &Member<'_>, level: u8) {
        let Member { name, value, .. } = member;
        let roles = Roles::of(name);
        let composed = value.is_array() || value.is_object();
        if roles.has(Role::Objectives) && (composed || value.is_string()) {
            return self.goals(member);
        }
        if roles.has(Role::Quiz) && composed && !roles.has(Role::Steps) {
            return self.quiz(member, None, level);
        }
        let steps = roles.has(Role::Steps) && value.is_array() || roles.has(Role::Step);
        if roles.has(Role::Task) && !steps && (composed || value.is_string()) && self.purpose == Purpose::Taught {
            return self.instructed(|shaper| shaper.plain_value(member, level));
        }
        self.plain_value(member, level);
    }

    /// Reads a value by its shape.
    fn plain_value(&mut self, member: &Member<'_>, level: u8) {
        let Member { name, value, pointer } = member;
        match value {
            Value::Null => {}
            Value::Bool(_) | Value::Number(_) => self.scalar(name, flat(value, self.phrases), pointer),
            Value::String(text) => self.string(name, text, pointer, level),
            Value::Array(values) => self.array(name, values, pointer, level),
            Value::Object(object) => {
                if quiz::is_h5p(object) {
                    let found = quiz::of_object(object, pointer, false, self.phrases).unwrap_or_default();
                    return self.asked(name, found, pointer, level);
                }
                if is_for_teachers(object) || is_for_machines(object) {
                    return;
                }
                if let Some(found) = quiz::of_sheet(object, pointer, quiz::may_name_quiz(name), self.phrases) {
                    return self.asked(name, found, pointer, level);
                }
                if let Some((children, values)) = documents::nodes(object) {
                    return self.document(values, &pointer.key(children), level);
                }
                let mut members = Member::of(object, pointer);
                let asks = |member: &Member<'_>| {
                    let kind = member.value.as_str().unwrap_or_default();
                    names_a_kind(member.name) && kind.len() <= MAX_KIND && has_role(kind, Role::Quiz)
                };
                if members.iter().any(asks)
                    && let Some(found) = quiz::of_object(object, pointer, true, self.phrases)
                {
                    return self.asked(name, found, pointer, level);
                }
                if let Some((picture, names)) =
                    things::picture(object.iter().map(|(name, value)| (name.as_str(), value)))
                {
                    members.retain(|member| !names.contains(&member.name));
                    self.push(pointer, Body::Picture(picture));
                }
                members.retain(|member| {
                    !(is_about(name)
                        && (is_meta(name) && member.value.is_string() || is_metadata(member.name, member.value, true)))
                });
                self.members(name, &members, pointer, level);
            }
        }
    }

    /// What learners can do after the lesson, as the source says it.
    fn goals(&mut self, member: &Member<'_>) {
        let mut inner = Shaper::new(self.phrases);
        inner.plain_value(&Member { name: "", ..member.clone() }, 1);
        let found = inner.blocks.iter().flat_map(sift::objectives);
        self.objectives.extend(found);
        self.objectives.append(&mut inner.objectives);
    }

    /// The members of an object, or of a lesson (then `name` is empty).
    pub(super) fn members(&mut self, name: &str, members: &[Member<'_>], at: &Pointer, level: u8) {
        if members.is_empty() {
            return;
        }
        let whole = self.whole(name, members, at);
        if let Some(body) = whole {
            self.heading(name, at, level);
            self.push(at, body);
            return;
        }
        if self.question(name, members, at, level) {
            return;
        }
        let code = things::code(members);
        let written: Vec<&str> = code.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut code = code.map(|(code, _)| Body::Code(code));
        // Keys that stand beside a quiz belong to it alone.
        let keys = members.iter().any(|member| has_role(member.name, Role::Quiz) && member.value.is_array());
        let mut level = level;
        if !self.is_silent(name) {
            self.heading(name, at, level);
            level += 1;
        }
        let named = find(members, &[Role::Title, Role::Term])
            .filter(|member| member.value.is_string() && level > 0 && !at_lesson(at, members));
        if let Some(member) = named {
            self.title(capitalise(&flat(member.value, self.phrases)), &member.pointer, level);
            level += 1;
        }
        let holds_blocks = members
            .iter()
            .any(|member| member.value.is_array() || member.value.is_object() || is_content(member.name, member.value));
        let asks = |member: &Member<'_>| member.value.as_array().is_some_and(|values| quiz::names_questions(values));
        let holds_quiz = || members.iter().any(asks);
        // What a block has beside its kind is its content, whatever its name.
        let kinds: Vec<bool> = members.iter().map(is_kind).collect();
        let others = || members.iter().zip(&kinds).filter(|(_, is_kind)| !**is_kind);
        let only_content =
            kinds.contains(&true) && others().count() == 1 && !others().any(|(member, _)| is_called(member));
        for (member, is_kind) in members.iter().zip(&kinds) {
            let is_bookkeeping = is_kept_by(member) || is_word_for_kind(member);
            if *is_kind && (holds_blocks || only_content) || is_bookkeeping && holds_quiz() {
                continue;
            }
            if only_content && member.value.is_string() && !has_role(member.name, Role::Code) {
                self.value(&Member { name: "", ..member.clone() }, level);
                continue;
            }
            if written.contains(&member.name) {
                code.take().into_iter().for_each(|code| self.push(&member.pointer, code));
            } else if keys && quiz::is_key(member.name) {
                continue;
            } else if keys && has_role(member.name, Role::Quiz) && member.value.is_array() {
                let answers = members.iter().find(|other| quiz::is_key(other.name));
                self.quiz(member, answers.map(|answers| answers.value), level);
            } else if !named.is_some_and(|named| std::ptr::eq(named, member)) {
                self.value(member, level);
            }
        }
    }

    /// Members that make one thing together: a question, a table, a definition, a glossary.
    fn whole(&self, name: &str, members: &[Member<'_>], at: &Pointer) -> Option<Body> {
        if let Some(example) = self.example(members, has_role(name, Role::Example)) {
            return Some(example);
        }
        if let Some(quotation) = things::quotation(members) {
            return Some(Body::Quotation(quotation));
        }
        if let Some(table) = self.headed_table(members) {
            return Some(Body::Table(table));
        }
        let strings = members.len() > 1 && members.iter().all(|member| member.value.is_string());
        if has_role(name, Role::Glossary) && strings {
            let pairs = members.iter().map(|member| Pair {
                pointer: member.pointer.clone(),
                term: squeeze(member.name),
                definition: flat(member.value, self.phrases),
                notes: Vec::new(),
            });
            return Some(Body::Definitions(pairs.collect()));
        }
        let defined = find(members, &[Role::Term]).is_some_and(|member| member.value.is_string())
            && find(members, &[Role::Definition]).is_some_and(|member| member.value.is_string());
        defined.then(|| Body::Definitions(vec![self.pair(at, members)]))
    }

    /// `{"columns": […], "rows": [[…], …]}`.
    fn headed_table(&self, members: &[Member<'_>]) -> Option<Table> {
        let columns = find(members, &[Role::Columns]).filter(|member| is_scalars(member.value))?;
        let rows = find(members, &[Role::Rows])?;
        let arrays = rows.value.as_array().filter(|rows| rows.iter().all(is_scalars))?;
        if members.len() != 2 {
            return None;
        }
        Some(Table { columns: self.cells(columns.value), keyed: false, rows: self.rows(arrays, &rows.pointer) })
    }

    fn scalar(&mut self, name: &str, value: String, pointer: &Pointer) {
        if value.is_empty() || is_serial(&value) {
            return;
        }
        if self.is_silent(name) {
            self.push(pointer, Body::Paragraph(Passage::plain(&value)));
            return;
        }
        let technical = has_role(name, Role::Technical) || names_a_kind(name) || is_address(&value);
        let fact = Fact { pointer: pointer.clone(), label: label(name, self.phrases), value, technical };
        match self.blocks.last_mut() {
            Some(Block { body: Body::Facts(facts), .. }) => facts.push(fact),
            _ => self.push(pointer, Body::Facts(vec![fact])),
        }
    }

    fn string(&mut self, name: &str, text: &str, pointer: &Pointer, level: u8) {
        if has_role(name, Role::Code)
            && things::is_code(text)
            && let Some((code, _)) =
                things::code(&[Member { name, value: &Value::String(text.to_owned()), pointer: pointer.clone() }])
        {
            self.heading(name, pointer, level);
            self.push(pointer, Body::Code(code));
            return;
        }
        if text.contains('\t') {
            if let Some(found) = quiz::of_tabbed(text, pointer, quiz::may_name_quiz(name), self.phrases) {
                return self.asked(name, found, pointer, level);
            }
            if let Some(rows) = quiz::tabbed_rows(text) {
                self.heading(name, pointer, level);
                let mut body = self.grid(name, &rows, pointer);
                // In the source all rows are one text.
                match &mut body {
                    Body::Table(table) => table.rows.iter_mut().for_each(|row| row.pointer = pointer.clone()),
                    Body::Definitions(pairs) => pairs.iter_mut().for_each(|pair| pair.pointer = pointer.clone()),
                    _ => {}
                }
                return self.push(pointer, body);
            }
        }
        let short = text.chars().take(MAX_FACT + 1).count() <= MAX_FACT && !text.trim().contains('\n');
        let sentence = text.trim_end().ends_with(['.', '!', '?', '。', '！', '？', '।', '؟']);
        if short && !sentence && !self.is_silent(name) || is_address(text.trim()) {
            self.scalar(name, flat_text(text), pointer);
            return;
        }
        let silent = self.is_silent(name);
        let sifted = sift(read_text(text, pointer, if silent { level } else { level + 1 }));
        if !sifted.blocks.is_empty() {
            self.heading(name, pointer, level);
        }
        self.sifted(sifted);
    }

    /// The blocks of a text below the heading of its place.
    fn blocks_of(&mut self, text: &str, pointer: &Pointer, level: u8) {
        self.sifted(sift(read_text(text, pointer, level)));
    }

    fn sifted(&mut self, sifted: Sifted) {
        self.objectives.extend(sifted.objectives);
        let instructed = self.purpose == Purpose::Instruction;
        self.blocks.extend(sifted.blocks.into_iter().map(|mut block| {
            if instructed && !matches!(block.body, Body::Questions(_)) {
                block.purpose = Purpose::Instruction;
            }
            block
        }));
    }

    pub(super) fn array(&mut self, name: &str, values: &[Value], pointer: &Pointer, level: u8) {
        let filled = values.iter().filter(|value| !is_void(value));
        if filled.clone().next().is_none() {
            return;
        }
        if documents::pieces(values).is_some() {
            self.heading(name, pointer, level);
            self.document(values, pointer, level);
        } else if filled.clone().all(Value::is_object) {
            self.records(name, values, pointer, level);
        } else if values.len() > 1 && values.iter().all(is_scalars) {
            if let Some(found) = quiz::of_rows(values, pointer, quiz::may_name_quiz(name), self.phrases) {
                return self.asked(name, found, pointer, level);
            }
            self.heading(name, pointer, level);
            let body = self.grid(name, values, pointer);
            self.push(pointer, body);
        } else if filled.clone().all(|value| !value.is_array() && !value.is_object()) {
            self.scalars(name, values, pointer, level);
        } else {
            self.heading(name, pointer, level);
            for (index, value) in values.iter().enumerate() {
                self.value(&Member { name: "", value, pointer: pointer.index(index) }, level + 1);
            }
        }
    }

    /// Rich text in JSON, and what is embedded in it.
    fn document(&mut self, values: &[Value], pointer: &Pointer, level: u8) {
        for piece in documents::pieces(values).unwrap_or_default() {
            match piece {
                Piece::Html(html) => self.blocks_of(&html, pointer, level),
                Piece::Other(at) => {
                    let (value, pointer) = (&values[at], pointer.index(at));
                    match documents::embedded(value) {
                        Some(value) => {
                            let pointer = pointer.key("data").key("target");
                            self.value(&Member { name: "", value, pointer }, level + 1);
                        }
                        None => self.value(&Member { name: "", value, pointer }, level + 1),
                    }
                }
            }
        }
    }

    /// An array of scalars: numbers in a line, texts as a list, long texts as paragraphs.
    fn scalars(&mut self, name: &str, values: &[Value], pointer: &Pointer, level: u8) {
        if values.iter().filter_map(Value::as_str).any(sift::is_note) {
            // Its place stays, so that pointers count on.
            let kept =
                |value: &Value| if value.as_str().is_some_and(sift::is_note) { Value::Null } else { value.clone() };
            let kept: Vec<Value> = values.iter().map(kept).collect();
            return self.array(name, &kept, pointer, level);
        }
        let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        if texts.is_empty() && values.len() <= 12 {
            let line = values
                .iter()
                .map(|value| flat(value, self.phrases))
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join(", ");
            self.scalar(name, line, pointer);
            return;
        }
        self.heading(name, pointer, level);
        let blocky = |text: &&str| text.len() > MAX_ITEM || text.trim().contains('\n') || html::looks_like(text);
        if texts.iter().any(blocky) {
            for (index, value) in values.iter().enumerate() {
                self.value(&Member { name: "", value, pointer: pointer.index(index) }, level + 1);
            }
            return;
        }
        if texts.len() == values.len() && !has_role(name, Role::Steps) {
            if let Some(mut turns) = markdown::conversation(&texts, pointer) {
                for (index, turn) in turns.iter_mut().enumerate() {
                    turn.pointer = pointer.index(index);
                }
                self.push(pointer, Body::Dialogue(turns));
                return;
            }
            // Elsewhere what stands before a colon may be a party, a case or a step.
            if let Some(pairs) = colon_pairs(&texts, pointer).filter(|_| has_role(name, Role::Glossary)) {
                self.push(pointer, Body::Definitions(pairs));
                return;
            }
        }
        let counted = if texts.len() == values.len() { without_numbers(&texts) } else { None };
        let text_at = |index: usize| counted.as_ref().map(|texts| Value::from(texts[index]));
        let items = values
            .iter()
            .enumerate()
            .map(|(index, value)| self.item(text_at(index).as_ref().unwrap_or(value), pointer.index(index)))
            .filter(|item| !item.text.text.is_empty())
            .collect();
        self.push(pointer, Body::List { steps: has_role(name, Role::Steps), items });
    }

    fn item(&self, value: &Value, pointer: Pointer) -> Item {
        let text = match value {
            Value::String(text) => markdown::inline(&quiz::without_answers(text)),
            other => Passage::plain(&flat(other, self.phrases)),
        };
        Item { pointer, level: 0, text, notes: Vec::<Note>::new() }
    }

    /// An array of arrays: pairs under the name of a glossary are definitions, everything else is a table.
    fn grid(&self, name: &str, values: &[Value], pointer: &Pointer) -> Body {
        let mut rows = self.rows(values, pointer);
        let pairs = has_role(name, Role::Glossary)
            && rows
                .iter()
                .all(|row| row.cells.len() == 2 && row.cells.iter().all(|cell| cell.chars().any(char::is_alphabetic)));
        if pairs {
            let pair = |row: Row| {
                let mut cells = row.cells.into_iter();
                let term = cells.next().unwrap_or_default();
                Pair { pointer: row.pointer, term, definition: cells.next().unwrap_or_default(), notes: Vec::new() }
            };
            return Body::Definitions(rows.into_iter().map(pair).collect());
        }
        let numeric = |row: &Row| row.cells.iter().any(|cell| cell.starts_with(|first: char| first.is_ascii_digit()));
        let headed = rows.len() > 1
            && !numeric(&rows[0])
            && rows[0].cells.iter().all(|cell| !cell.is_empty())
            && rows[1..].iter().any(numeric);
        let columns = if headed { rows.remove(0).cells } else { Vec::new() };
        Body::Table(Table { columns, keyed: false, rows })
    }

    fn rows(&self, values: &[Value], pointer: &Pointer) -> Vec<Row> {
        values
            .iter()
            .enumerate()
            .map(|(index, value)| Row { pointer: pointer.index(index), cells: self.cells(value) })
            .collect()
    }

    fn cells(&self, value: &Value) -> Vec<String> {
        value.as_array().map_or_else(Vec::new, |cells| cells.iter().map(|cell| flat(cell, self.phrases)).collect())
    }
}

/// The blocks of a text: HTML, Markdown or plain, with the quizzes that are written in it.
pub(crate) fn read_text(text: &str, pointer: &Pointer, level: u8) -> Vec<Block> {
    if let Some((masked, gaps)) = Gaps::mask(text) {
        // GIFT parts its questions by empty lines, also where they are HTML.
        let parts: Vec<&str> = if text.contains("[html]") { masked.split("\n\n").collect() } else { vec![&masked] };
        return parts.into_iter().flat_map(|part| gaps.resolve(read_marked(part, pointer, level))).collect();
    }
    read_marked(text, pointer, level)
}

fn read_marked(text: &str, pointer: &Pointer, level: u8) -> Vec<Block> {
    if html::looks_like(text) {
        return html::read(text, pointer, level);
    }
    let Some(segments) = quiz::parted(text, pointer) else { return markdown::read(text, pointer, level) };
    let mut blocks = Vec::new();
    for segment in segments {
        match segment {
            Segment::Text(text) => blocks.extend(markdown::read(&text, pointer, level)),
            Segment::Questions(questions) => blocks.push(Block::taught(pointer.clone(), Body::Questions(questions))),
        }
    }
    blocks
}

/// Makes of an object more than a row: a body, or a text too long for a label.
pub(super) fn is_content(name: &str, value: &Value) -> bool {
    let long = value.as_str().is_some_and(|text| text.chars().count() > MAX_FACT);
    long || has_role(name, Role::Silent) && !value.is_number()
}

/// Members of the lesson itself: its title is a heading already.
fn at_lesson(at: &Pointer, members: &[Member<'_>]) -> bool {
    members.first().is_some_and(|member| member.pointer.is_root() && at.is_root())
}

/// Nothing in it to read.
fn is_void(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// A non-empty array of scalars.
fn is_scalars(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|values| !values.is_empty() && values.iter().all(|value| !value.is_array() && !value.is_object()))
}

/// "Term: definition" or "term – definition" on every line.
fn colon_pairs(texts: &[&str], pointer: &Pointer) -> Option<Vec<Pair>> {
    if texts.len() < 2 {
        return None;
    }
    let mut pairs = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        let (term, definition) = split_pair(&flat_text(text))?;
        pairs.push(Pair { pointer: pointer.index(index), term, definition, notes: Vec::new() });
    }
    Some(pairs)
}

/// Splits "term: definition" at the first colon, spaced dash or equals sign, if the front is short.
pub(crate) fn split_pair(text: &str) -> Option<(String, String)> {
    let (at, mark) = [": ", "：", " – ", " — ", " - ", " = ", "：", " → "]
        .iter()
        .filter_map(|mark| Some((text.find(mark)?, *mark)))
        .min()?;
    let term = text[..at].trim();
    let definition = text[at + mark.len()..].trim();
    let short = term.chars().count() <= 40 && term.split(' ').count() <= 5;
    let named = term.chars().any(char::is_alphabetic) && !term.contains(['.', '!', '?', ',', '。', '，']);
    (short && named && !definition.is_empty()).then(|| (term.to_owned(), definition.to_owned()))
}

/// A web address, mail address, UUID or file name: nothing to learn from.
pub(crate) fn is_address(text: &str) -> bool {
    if text.len() > 2048 || text.contains(char::is_whitespace) {
        return false;
    }
    text.contains("://") || text.starts_with("www.") || text.starts_with("data:") || is_uuid(text) || is_file_name(text)
}

/// Texts without the numbers in front of them, where these count from 1: "1. Wash the rice."
fn without_numbers<'t>(texts: &[&'t str]) -> Option<Vec<&'t str>> {
    let without = |(index, text): (usize, &&'t str)| {
        let text = text.trim_start().trim_start_matches(['(', '（']);
        let rest = text.strip_prefix(&(index + 1).to_string())?;
        Some(rest.strip_prefix(['.', ')', ':', '．', '）', '、', '：'])?.trim_start())
    };
    // "1.5 litres" is an amount.
    let is_text = |text: &&str| !text.starts_with(|first: char| first.is_ascii_digit());
    (texts.len() > 1).then(|| texts.iter().enumerate().map(|text| without(text).filter(is_text)).collect())?
}
