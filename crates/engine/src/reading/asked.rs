//! Where in a lesson's JSON quizzes stand, and what of them is shown: the questions, and what they refer to.

use serde_json::Value;

use super::blocks::{Body, Purpose, Question};
use super::flat::{flat, flat_text};
use super::names::{Role, Roles, fold, has_role, is_known};
use super::pointer::Pointer;
use super::quiz;
use super::records::find;
use super::shapes::{Member, Shaper, is_content, read_text};

impl Shaper<'_> {
    /// Reads what is named a quiz. What of it is no question and no instruction is left out. `answers` stand beside it.
    pub(super) fn quiz(&mut self, member: &Member<'_>, answers: Option<&Value>, level: u8) {
        let Member { name, value, pointer } = member;
        match value {
            Value::Array(values) if values.iter().any(|value| value.as_object().is_some_and(holds_quiz)) => {
                self.heading(name, pointer, level);
                for (index, value) in values.iter().enumerate() {
                    self.quiz(&Member { name: "", value, pointer: pointer.index(index) }, None, level + 1);
                }
            }
            Value::Array(values) => {
                if let Some(found) = quiz::of_array(values, pointer, true, self.phrases) {
                    self.asked(name, found, pointer, level);
                } else if let Some(questions) = self.asked_in_strings(values, answers, pointer) {
                    self.asked(name, vec![(pointer.clone(), Body::Questions(questions))], pointer, level);
                } else if !values.iter().any(Value::is_object) {
                    self.instructed(|shaper| shaper.array(name, values, pointer, level));
                }
            }
            Value::Object(object) => {
                let sheet = || quiz::of_sheet(object, pointer, true, self.phrases);
                if let Some(found) = sheet().or_else(|| quiz::of_object(object, pointer, false, self.phrases)) {
                    return self.asked(name, found, pointer, level);
                }
                if !holds_quiz(object) && object.values().all(Value::is_object) {
                    let values: Vec<Value> = object.values().cloned().collect();
                    let places = pointer.of_members(object.keys());
                    if let Some(found) = quiz::of_array(&values, &places, true, self.phrases) {
                        self.asked(name, found, pointer, level);
                    }
                    return;
                }
                self.container(name, object, pointer, level);
            }
            _ => {}
        }
    }

    /// An object around questions: its title, what learners are told to do, and the questions.
    fn container(&mut self, name: &str, object: &serde_json::Map<String, Value>, at: &Pointer, level: u8) {
        let answers = object.iter().find(|(name, _)| has_role(name, Role::Answer) || has_role(name, Role::Teacher));
        let title = object.iter().find(|(name, value)| has_role(name, Role::Title) && value.is_string());
        match title {
            Some((key, value)) => self.title(flat(value, self.phrases), &at.key(key), level),
            None => self.heading(name, at, level),
        }
        for (key, value) in object.iter().filter(|(_, value)| !value.is_null()) {
            let member = Member { name: key, value, pointer: at.key(key) };
            let roles = Roles::of(key);
            let told = roles.has(Role::Task) || roles.has(Role::Silent);
            if value.is_array() || value.is_object() {
                // `{"question": [{…}, {…}]}`, as an element that comes several times is written in JSON.
                let repeated = roles.has(Role::Question) && value.is_array();
                let asks = value.as_array().is_some_and(|values| quiz::ask_by_themselves(values));
                if roles.has(Role::Quiz) || repeated || asks || told && !roles.has(Role::Hint) {
                    self.quiz(&Member { name: "", ..member }, answers.map(|(_, value)| value), level + 1);
                }
            } else if told && value.is_string() && !has_role(key, Role::Title) {
                self.instructed(|shaper| shaper.value(&Member { name: "", ..member }, level + 1));
            } else if let Some(text) = value.as_str() {
                // A quiz in one text, such as GIFT, whatever its member is called.
                let found = read_text(text, &member.pointer, level).into_iter();
                let asked = found.filter(|block| matches!(block.body, Body::Questions(_)));
                asked.for_each(|block| self.push(&block.pointer, block.body));
            }
        }
    }

    /// Questions that are only texts, with answers that stand beside them in the same order.
    fn asked_in_strings<'v>(
        &self,
        values: &'v [Value],
        answers: Option<&Value>,
        at: &Pointer,
    ) -> Option<Vec<Question>> {
        let texts: Vec<(usize, &'v str)> =
            values.iter().enumerate().filter_map(|(index, value)| Some((index, value.as_str()?))).collect();
        // Among statements with their verdicts a text without one is a question, and the others are its options.
        let is_judged = texts.iter().all(|(_, text)| quiz::verdict_in_brackets(text).is_some());
        let answered = |text: &'v str| {
            quiz::answer_in_brackets(text).or_else(|| quiz::verdict_in_brackets(text).filter(|_| is_judged))
        };
        let told = |text: &'v str| answered(text).is_some() || language::sentences::asks(text) || text.contains("__");
        let asking = texts.iter().filter(|(_, text)| told(text)).count();
        if texts.len() != values.len() || asking * 2 < texts.len() || texts.is_empty() {
            return None;
        }
        let answers = answers.and_then(Value::as_array).filter(|answers| answers.len() == values.len());
        let question = |(index, text): &(usize, &'v str)| {
            let pointer = at.index(*index);
            let (asked, told) = answered(text).unwrap_or((text, ""));
            let mut question = Question::asking(pointer.clone(), flat_text(asked));
            if let Some(quiz::Segment::Questions(found)) =
                quiz::parted(text, &pointer).and_then(|parts| parts.into_iter().next())
            {
                question = found.into_iter().next().unwrap_or(question);
            }
            quiz::answer(&mut question, told);
            let beside = answers.map(|answers| flat(&answers[*index], self.phrases)).unwrap_or_default();
            quiz::answer(&mut question, &beside);
            question
        };
        Some(texts.iter().map(question).collect())
    }

    /// Shows questions under a heading.
    pub(super) fn asked(&mut self, name: &str, found: Vec<(Pointer, Body)>, at: &Pointer, level: u8) {
        if !found.is_empty() {
            // "quizz" and "toetsvragen" are names of members, and no headings that were written for readers.
            let is_a_members =
                name.starts_with(|first: char| first.is_ascii_lowercase()) && !name.contains(' ') && !is_known(name);
            self.heading(if is_a_members { self.phrases.questions } else { name }, at, level);
            found.into_iter().for_each(|(pointer, body)| self.push(&pointer, body));
        }
    }

    /// Reads a question with its members; what else stands beside it is read as what it is.
    pub(super) fn question(&mut self, name: &str, members: &[Member<'_>], at: &Pointer, level: u8) -> bool {
        let Some(found) = quiz::of_members(
            members.iter().map(|member| (member.name, member.value, member.pointer.clone())),
            at,
            self.phrases,
        ) else {
            return false;
        };
        let asked: Vec<String> = found
            .iter()
            .filter_map(|(_, body)| if let Body::Questions(questions) = body { Some(questions) } else { None })
            .flatten()
            .map(|question| question.question.clone())
            .collect();
        let others: Vec<&Member<'_>> = members.iter().filter(|member| self.is_apart(member, &asked)).collect();
        if others.is_empty() {
            self.asked(name, found, at, level);
            return true;
        }
        self.heading(name, at, level);
        let title = find(members, &[Role::Title]).filter(|member| member.value.is_string() && !at.is_root());
        if let Some(title) = title.filter(|title| !others.iter().any(|other| std::ptr::eq(*other, *title))) {
            let text = flat(title.value, self.phrases);
            if !asked.iter().any(|asked| asked.contains(&text)) {
                self.title(text, &title.pointer, level);
            }
        }
        others.into_iter().for_each(|member| self.value(member, level + 1));
        self.asked("", found, at, level + 1);
        true
    }

    /// Content beside a question, and no part of it.
    fn is_apart(&self, member: &Member<'_>, asked: &[String]) -> bool {
        let content = member.value.is_array() || member.value.is_object() || is_content(member.name, member.value);
        let text = if member.value.is_string() { flat(member.value, self.phrases) } else { String::new() };
        content && quiz::is_apart(member.name) && !asked.iter().any(|asked| !text.is_empty() && asked.contains(&text))
    }

    /// Reads what learners are told to do.
    pub(super) fn instructed(&mut self, read: impl FnOnce(&mut Self)) {
        let purpose = std::mem::replace(&mut self.purpose, Purpose::Instruction);
        read(self);
        self.purpose = purpose;
    }
}

/// Whether an object holds a quiz as a member.
fn holds_quiz(object: &serde_json::Map<String, Value>) -> bool {
    object.iter().any(|(name, value)| {
        (value.is_array() || value.is_object()) && has_role(name, Role::Quiz) && fold(name) != "test"
    })
}
