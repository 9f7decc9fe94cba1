//! A question as its members say it, before its key is understood.

use serde_json::{Map, Value};

use super::super::addresses;
use super::super::blocks::{Body, Code, Picture, Question};
use super::super::flat::{flat_text, labelled};
use super::super::inline::{keep_lines, squeeze};
use super::super::names::{Role, fold, has_role};
use super::super::pointer::Pointer;
use super::gaps::Gaps;
use super::keys::{Base, Key, right, verdict_of};
use super::names::{Part, fallback, is_wrapper, part};
use super::values::{Choice, choices, pairs, raw_text, text_of};
use crate::phrases::Phrases;

/// Deepest object that only wraps the members of a question.
const DEEPEST: usize = 4;
/// Most members that are looked at.
const MOST_MEMBERS: usize = 200;

/// What the source says of a question.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pointer: Option<Pointer>,
    text: String,
    /// The same as the source has it: answers may be written into it.
    raw: String,
    /// A member is called a question.
    named: bool,
    context: Option<String>,
    pub(super) choices: Vec<Choice>,
    pub(super) keys: Vec<Key>,
    accepted: Vec<String>,
    pairs: Vec<(String, String)>,
    explanation: Option<String>,
    tolerance: Option<String>,
    /// What the question refers to: code, a picture.
    beside: Vec<Body>,
    /// What the source says that it is, folded.
    kind: String,
}

/// A member of a question, also of one that is wrapped.
struct Field<'v> {
    name: &'v str,
    value: &'v Value,
    pointer: Pointer,
}

fn fields<'v>(members: impl Iterator<Item = (&'v str, &'v Value, Pointer)>, deepest: usize, into: &mut Vec<Field<'v>>) {
    for (name, value, pointer) in members.take(MOST_MEMBERS) {
        match value {
            Value::Object(inner)
                if deepest > 0
                    && is_wrapper(name)
                    && inner.values().any(|value| value.is_array() || value.is_object()) =>
            {
                let inside: Vec<(&str, &Value, Pointer)> =
                    inner.iter().map(|(name, value)| (name.as_str(), value, pointer.key(name))).collect();
                fields(inside.into_iter(), deepest - 1, into);
            }
            _ => into.push(Field { name, value, pointer }),
        }
    }
}

impl Draft {
    /// Reads an object; none where it is no question. In a quiz everything with a text is one.
    pub(super) fn read(object: &Map<String, Value>, at: &Pointer, in_quiz: bool) -> Option<Self> {
        Self::of_members(object.iter().map(|(name, value)| (name.as_str(), value, at.key(name))), in_quiz)
    }

    /// The same of the members of an object.
    pub(super) fn of_members<'v>(
        all: impl Iterator<Item = (&'v str, &'v Value, Pointer)>,
        in_quiz: bool,
    ) -> Option<Self> {
        let mut members = Vec::new();
        fields(all, DEEPEST, &mut members);
        let mut draft = Self::default();
        let mut answers: Option<&Field<'_>> = None;
        let mut explained = false;
        for field in &members {
            match part(field.name) {
                Part::Type => draft.kind = fold(field.value.as_str().unwrap_or_default()),
                Part::Question if draft.text.is_empty() => {
                    draft.text = with_gaps(text_of(field.value));
                    draft.raw = raw_text(field.value);
                    draft.named = !draft.text.is_empty();
                    draft.pointer = Some(field.pointer.clone());
                }
                Part::Options if draft.choices.is_empty() => draft.choices = choices(field.value),
                Part::Pairs => draft.pairs.extend(pairs(field.value)),
                Part::Tolerance => draft.tolerance = Some(text_of(field.value)).filter(|text| !text.is_empty()),
                Part::Context => draft.context = Some(text_of(field.value)),
                Part::Accepted => draft.accepted.extend(texts(field.value)),
                Part::Key
                    if matches!(fold(field.name).as_str(), "answers" | "answer" | "a")
                        && answers.is_none()
                        && is_list(field.value) =>
                {
                    answers = Some(field);
                }
                Part::Key if !field.value.is_null() => draft.keys.push(Key::new(field.name, field.value)),
                Part::Explanation if !explained => {
                    draft.explanation = Some(text_of(field.value)).filter(|text| !text.is_empty());
                    explained = fold(field.name) != "feedback" && draft.explanation.is_some();
                }
                Part::Code => draft.beside.extend(code(field.value)),
                Part::Picture => draft.beside.extend(picture(field.value)),
                _ => {}
            }
        }
        draft.lettered(&members);
        draft.answered(answers);
        draft.distracted(&members);
        draft.fall_back(&members, in_quiz);
        let answered = !draft.choices.is_empty()
            || !draft.keys.is_empty()
            || !draft.accepted.is_empty()
            || !draft.pairs.is_empty();
        let chosen = draft.choices.len() > 1
            && (!draft.keys.is_empty() || draft.choices.iter().any(|choice| choice.worth.is_some()));
        let judged = draft.choices.is_empty() && draft.keys.iter().any(|key| key.value.is_boolean());
        let sound = draft.named && answered || chosen || judged || draft.pairs.len() > 1 || in_quiz;
        (sound && (!draft.text.is_empty() || draft.pairs.len() > 1)).then_some(draft)
    }

    /// "optionA", "optionB"; "a", "b", "c": options that are members.
    fn lettered(&mut self, members: &[Field<'_>]) {
        if !self.choices.is_empty() {
            return;
        }
        for start in ["option", "choice", "opt", "answer", ""] {
            let mut found: Vec<Choice> = Vec::new();
            let mut keys: Vec<&str> = Vec::new();
            for field in members {
                let folded = fold(field.name);
                let Some(label) = folded.strip_prefix(start).filter(|label| label.len() == 1) else { continue };
                let expected = [
                    char::from(b'a' + u8::try_from(found.len()).unwrap_or(0)),
                    char::from(b'1' + u8::try_from(found.len()).unwrap_or(0)),
                ];
                if !label.chars().all(|label| expected.contains(&label))
                    || !(field.value.is_string() || field.value.is_number())
                {
                    continue;
                }
                let mut choice = Choice::named(text_of(field.value), label);
                choice.labels.push(field.name.to_owned());
                found.push(choice);
                keys.push(field.name);
            }
            if found.len() > 1 && (!start.is_empty() || self.named) {
                self.choices = found;
                // Of a member that is an option, its value is no key.
                let options: Vec<&Value> =
                    members.iter().filter(|field| keys.contains(&field.name)).map(|field| field.value).collect();
                self.keys.retain(|key| !options.contains(&&key.value) || !start.is_empty());
                return;
            }
        }
    }

    /// A list of answers: options with flags, options beside a key, or what is accepted.
    fn answered(&mut self, answers: Option<&Field<'_>>) {
        let Some(field) = answers else { return };
        let listed = choices(field.value);
        let flagged = listed.iter().any(|choice| choice.worth.is_some());
        let written = ["short", "numer", "fill", "blank", "gap", "open", "text", "essay"]
            .iter()
            .any(|kind| self.kind.contains(kind));
        let others = !self.keys.is_empty() || flagged && !written;
        if self.choices.is_empty() && others && listed.len() > 1 {
            self.choices = listed;
        } else if flagged {
            let most = listed.iter().filter_map(|choice| choice.worth).fold(0.0, f64::max);
            let right = listed.iter().filter(|choice| most > 0.0 && choice.worth.is_some_and(|worth| worth >= most));
            self.accepted.extend(right.map(|choice| choice.text.clone()));
            self.tolerance = self.tolerance.take().or_else(|| tolerance(field.value));
        } else if !self.choices.is_empty() || listed.len() == 1 || written {
            self.keys.push(Key::new(field.name, field.value));
        }
        // Several answers without a word on them may be options or right: nobody is shown them.
    }

    /// Wrong options beside a right answer: the order of the source would show which is right.
    fn distracted(&mut self, members: &[Field<'_>]) {
        let wrong: Vec<Choice> = members
            .iter()
            .filter(|field| part(field.name) == Part::Distractors)
            .flat_map(|field| choices(field.value))
            .collect();
        if wrong.is_empty() || !self.choices.is_empty() {
            return;
        }
        let right: Vec<String> = self.keys.iter().flat_map(|key| texts(&key.value)).collect();
        if right.is_empty() {
            return;
        }
        self.choices = right
            .iter()
            .map(|text| Choice { text: text.clone(), labels: Vec::new(), worth: Some(1.0), is_number: false })
            .collect();
        self.choices.extend(wrong);
        self.choices.sort_by(|one, other| one.text.cmp(&other.text));
        self.keys.clear();
    }

    /// What is asked where no member is called a question.
    fn fall_back(&mut self, members: &[Field<'_>], in_quiz: bool) {
        if !self.text.is_empty() {
            return;
        }
        let texts = members.iter().filter_map(|field| Some((fallback(field.name)?, field)));
        let found = texts.filter(|(_, field)| !text_of(field.value).is_empty() && (in_quiz || !field.value.is_array()));
        if let Some((_, field)) = found.min_by_key(|(likely, _)| *likely) {
            self.text = text_of(field.value);
            self.named = has_role(field.name, Role::Problem) && field.value.is_string();
            self.pointer = Some(field.pointer.clone());
            self.keys.retain(|key| key.value != *field.value);
        }
    }

    /// What the question refers to, and the question or, of pairs, the questions.
    pub(super) fn finish(self, at: &Pointer, base: Option<Base>, phrases: &Phrases) -> (Vec<Body>, Vec<Question>) {
        let pointer = self.pointer.clone().unwrap_or_else(|| at.clone());
        if self.pairs.len() > 1 {
            let questions = matched(&self.text, &self.pairs, &pointer);
            return (self.beside, questions);
        }
        if let Some((text, gaps)) = Gaps::mask(&self.raw) {
            return (self.beside, vec![gaps.question(&flat_text(&text), &pointer)]);
        }
        let mut question = Question::asking(pointer, self.text.clone());
        if let Some(context) = self.context.as_ref().filter(|context| !context.is_empty()) {
            question.question = format!("{context} {}", self.text);
        }
        let ordered = ["order", "sequenc", "sort", "rank", "arrang"].iter().any(|kind| self.kind.contains(kind))
            || self.is_permuted();
        question.options = self.choices.iter().map(|choice| choice.text.clone()).collect();
        if ordered {
            question.options.sort();
        } else if self.choices.len() > 1 {
            let right = right(&self.choices, &self.keys, base);
            question.answers = right.into_iter().map(|at| self.choices[at].text.clone()).collect();
        } else {
            question.options.clear();
            question.answers = self.written(phrases);
        }
        question.explanation = self.explanation.map(|text| squeeze(&text));
        question.tolerance = self.tolerance;
        // What can't be asked without what stands beside it has no key.
        if !self.beside.is_empty() {
            question.answers.clear();
            question.explanation = None;
        }
        (self.beside, vec![question])
    }

    /// A key that names every option is their order.
    fn is_permuted(&self) -> bool {
        let many = self.choices.len() > 2;
        many && self
            .keys
            .iter()
            .any(|key| key.value.as_array().is_some_and(|values| values.len() == self.choices.len()))
    }

    /// The answers of a question without options.
    fn written(&self, phrases: &Phrases) -> Vec<String> {
        let verdict = |value: &Value| match value {
            Value::Bool(verdict) => Some(*verdict),
            Value::String(text) if text == "true" || text == "false" => Some(text == "true"),
            Value::String(text) if ["true", "bool", "tf", "yesno"].iter().any(|kind| self.kind.contains(kind)) => {
                verdict_of(text)
            }
            _ => None,
        };
        if let Some(verdict) = self.keys.iter().find_map(|key| verdict(&key.value)) {
            return vec![if verdict { phrases.answer_true } else { phrases.answer_false }.to_owned()];
        }
        let counted = |key: &&Key| !(key.is_index && key.value.is_number());
        let mut found: Vec<String> = self.keys.iter().filter(counted).flat_map(|key| texts(&key.value)).collect();
        found.extend(self.accepted.iter().cloned());
        if found.len() == 1
            && let Some(verdict) = verdict_of(&found[0]).filter(|_| self.kind.contains("true"))
        {
            return vec![if verdict { phrases.answer_true } else { phrases.answer_false }.to_owned()];
        }
        let mut seen = std::collections::HashSet::new();
        found.retain(|text| !text.is_empty() && seen.insert(text.clone()));
        found
    }
}

/// Moodle numbers the places of words to drag: "[[1]]".
fn with_gaps(text: String) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("[[") {
        kept.push_str(before);
        let numbered = after
            .split_once("]]")
            .filter(|(number, _)| number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit()));
        kept.push_str(if numbered.is_some() { "____" } else { "[[" });
        rest = numbered.map_or(after, |(_, behind)| behind);
    }
    kept.push_str(rest);
    kept
}

/// A question for each pair; the options are all right sides.
fn matched(text: &str, pairs: &[(String, String)], pointer: &Pointer) -> Vec<Question> {
    let mut options: Vec<String> = pairs.iter().map(|(_, right)| right.clone()).collect();
    options.sort();
    options.dedup();
    let ask = |(left, right): &(String, String)| {
        let mut question =
            Question::asking(pointer.clone(), labelled(text.trim_end_matches([':', '.', '：', '。']), left));
        question.options.clone_from(&options);
        question.answers = vec![right.clone()];
        question
    };
    if options.len() > 1 { pairs.iter().map(ask).collect() } else { Vec::new() }
}

fn texts(value: &Value) -> Vec<String> {
    let texts: Vec<String> = match value {
        Value::Array(values) => values.iter().map(text_of).collect(),
        Value::Object(members) if members.values().any(Value::is_array) => {
            members.values().filter_map(Value::as_array).flatten().map(text_of).collect()
        }
        value => vec![text_of(value)],
    };
    texts.into_iter().filter(|text| !text.is_empty()).collect()
}

fn is_list(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.len() > 1 || values.first().is_some_and(Value::is_object),
        Value::Object(_) => true,
        _ => false,
    }
}

/// How far a number may be off, as Moodle says it of an answer.
fn tolerance(value: &Value) -> Option<String> {
    let answers = value.as_array()?;
    let found = answers.iter().filter_map(Value::as_object).find_map(|answer| answer.get("tolerance").map(text_of));
    found.filter(|text| !text.is_empty() && text != "0")
}

fn code(value: &Value) -> Option<Body> {
    let text = keep_lines(value.as_str()?);
    // "EK-7" under the name of code is an id.
    let text =
        Some(text).filter(|text| text.contains(|sign: char| sign.is_whitespace() || "(){}[]=;<>+*".contains(sign)))?;
    (!text.is_empty()).then_some(Body::Code(Code { language: None, text, output: None }))
}

fn picture(value: &Value) -> Option<Body> {
    let (address, description) = match value {
        Value::String(address) => (address.as_str(), String::new()),
        Value::Object(members) => {
            let address = ["url", "src", "path", "href"].iter().find_map(|name| members.get(*name)?.as_str())?;
            (address, members.get("alt").map(text_of).unwrap_or_default())
        }
        _ => return None,
    };
    let address = addresses::picture(address)?;
    Some(Body::Picture(Picture { address, description, caption: None }))
}
