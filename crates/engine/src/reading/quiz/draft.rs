//! A question as its members say it, before its key is understood.

use std::cell::LazyCell;

use language::sentences::joined;
use serde_json::{Map, Value};

use super::super::addresses;
use super::super::blocks::{Body, Code, Picture};
use super::super::inline::keep_lines;
use super::super::names::{Role, Roles, asks_order, fold, has_role};
use super::super::pointer::Pointer;
use super::keys::{Key, names_verdicts, verdict_of};
use super::learned::Learned;
use super::letters::names_place;
use super::links;
use super::names::{Part, fallback, is_option, is_wrapper, part};
use super::values::{Choice, choices, is_matching, pairs, question_of, raw_text, strip_marks, text_of};

/// Deepest object that only wraps the members of a question.
const DEEPEST: usize = 4;
/// Longest answer within a gap, in bytes.
const LONGEST_GAP: usize = 100;
/// Fewest parts of a text that are options: of two the second is often another way to write the first.
const FEWEST_WRITTEN_OUT: usize = 3;
/// Longest name of a kind, in bytes.
const LONGEST_KIND: usize = 40;
/// Most lists of a question of which two may belong together.
const MOST_LISTS: usize = 12;
/// Most members that are looked at.
const MOST_MEMBERS: usize = 200;

/// What the source says of a question.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) pointer: Option<Pointer>,
    pub(super) text: String,
    /// The same as the source has it: answers may be written into it.
    pub(super) raw: String,
    /// A member is called a question.
    named: bool,
    pub(super) context: Option<String>,
    pub(super) choices: Vec<Choice>,
    pub(super) keys: Vec<Key>,
    pub(super) accepted: Vec<String>,
    pub(super) pairs: Vec<(String, String)>,
    pub(super) explanation: Option<String>,
    pub(super) tolerance: Option<String>,
    /// What the question refers to: code, a picture.
    pub(super) beside: Vec<Body>,
    /// What the source says that it is, folded.
    pub(super) kind: String,
    /// It says that the question is answered by true or false.
    pub(super) judges: bool,
}

/// A member of a question, also of one that is wrapped.
struct Field<'v> {
    name: &'v str,
    value: &'v Value,
    pointer: Pointer,
    is_wrapped: bool,
}

/// Members that are understood when all others are read.
#[derive(Default)]
struct Late<'f, 'v> {
    /// A list of answers, each of which may be an option.
    answers: Option<&'f Field<'v>>,
    /// A solution beside shorter answers.
    worked: Option<&'f Field<'v>>,
    /// The explanation is more than feedback.
    explained: bool,
}

fn fields<'v>(
    members: impl Iterator<Item = (&'v str, &'v Value, Pointer)>,
    learned: &Learned<'_>,
    deepest: usize,
    into: &mut Vec<Field<'v>>,
) {
    for (name, value, pointer) in members.take(MOST_MEMBERS) {
        match value {
            Value::Object(inner)
                if deepest > 0
                    && (learned.wraps(name)
                        || is_wrapper(name) && inner.values().any(|value| value.is_array() || value.is_object())) =>
            {
                let inside: Vec<(&str, &Value, Pointer)> =
                    inner.iter().map(|(name, value)| (name.as_str(), value, pointer.key(name))).collect();
                fields(inside.into_iter(), learned, deepest - 1, into);
            }
            _ => into.push(Field { name, value, pointer, is_wrapped: deepest < DEEPEST }),
        }
    }
}

impl Draft {
    /// Reads an object; none where it is no question. In a quiz everything with a text is one.
    pub(super) fn read(
        object: &Map<String, Value>,
        at: &Pointer,
        in_quiz: bool,
        learned: &Learned<'_>,
    ) -> Option<Self> {
        Self::of_members(object.iter().map(|(name, value)| (name.as_str(), value, at.key(name))), in_quiz, learned)
    }

    /// The same of the members of an object.
    pub(super) fn of_members<'v>(
        all: impl Iterator<Item = (&'v str, &'v Value, Pointer)>,
        in_quiz: bool,
        learned: &Learned<'_>,
    ) -> Option<Self> {
        let mut members = Vec::new();
        fields(all, learned, DEEPEST, &mut members);
        let mut draft = Self::default();
        let mut late = Late::default();
        let longest = LazyCell::new(|| longest_answer(&members, learned));
        for field in &members {
            draft.take(field, learned.part(field.name), &longest, &mut late);
        }
        draft.lettered(&members);
        draft.weigh(&members);
        draft.explain(late.worked, late.answers.is_some());
        if draft.keys.is_empty() {
            strip_marks(&mut draft.choices);
        }
        draft.link(&members, in_quiz);
        draft.answered(late.answers);
        draft.distracted(&members);
        draft.verdicts(&members);
        draft.numbered(&members);
        draft.fall_back(&members, in_quiz);
        draft.is_question(in_quiz).then_some(draft)
    }

    /// Takes what one member says. Members that others have to be read before are put into `late`.
    fn take<'f, 'v>(
        &mut self,
        field: &'f Field<'v>,
        part: Part,
        longest: &LazyCell<usize, impl FnOnce() -> usize>,
        late: &mut Late<'f, 'v>,
    ) {
        match part {
            Part::Type => self.is_of(field.value.as_str().unwrap_or_default()),
            Part::Question if self.text.is_empty() => {
                self.text = with_gaps(question_of(field.value), &mut self.accepted);
                self.raw = raw_text(field.value);
                self.named = !self.text.is_empty();
                self.pointer = Some(field.pointer.clone());
            }
            Part::Options if self.choices.is_empty() => self.choices = choices(field.value),
            // An element of XML that comes several times keeps its name in JSON.
            Part::Other if self.choices.is_empty() && field.value.is_array() && is_option(field.name) => {
                self.choices = choices(field.value);
            }
            // Pairs of places are a key.
            Part::Pairs => self.pairs.extend(
                pairs(field.value)
                    .into_iter()
                    .filter(|(left, right)| left.parse::<u8>().is_err() || right.parse::<u8>().is_err()),
            ),
            Part::Tolerance => self.tolerance = Some(text_of(field.value)).filter(|text| !text.is_empty()),
            Part::Context => self.context = Some(text_of(field.value)),
            Part::Accepted => self.accepted.extend(texts(field.value)),
            Part::Key if measured(field.value).is_some() => {
                let (number, tolerance) = measured(field.value).unwrap_or_default();
                self.accepted.push(number);
                self.tolerance = tolerance;
            }
            Part::Key if field.value.as_array().is_some_and(|values| is_matching(values)) => {
                self.pairs.extend(pairs(field.value));
            }
            Part::Key
                if late.answers.is_none()
                    && (is_list(field.value) || writes_options_out(field.value))
                    && (has_role(field.name, Role::Answers)
                        || choices(field.value).iter().any(|choice| choice.worth.is_some())) =>
            {
                late.answers = Some(field);
            }
            Part::Key if is_worked(field, longest) => late.worked = Some(field),
            Part::Key if !field.value.is_null() => self.keys.push(Key::new(field.name, field.value)),
            Part::Explanation if !late.explained => {
                self.explanation = Some(text_of(field.value)).filter(|text| !text.is_empty());
                late.explained = fold(field.name) != "feedback" && self.explanation.is_some();
            }
            // A text under this name is the right side of a pair.
            Part::Other if fold(field.name) == "right" && (field.value.is_boolean() || field.value.is_number()) => {
                self.keys.push(Key::new(field.name, field.value));
            }
            // "modele": "VRAI_FAUX".
            Part::Other
                if field.value.as_str().is_some_and(|kind| kind.len() <= LONGEST_KIND && names_verdicts(kind)) =>
            {
                self.judges = true;
            }
            Part::Code => self.beside.extend(code(field.value)),
            Part::Picture => self.beside.extend(picture(field.value)),
            _ => {}
        }
    }

    /// Whether what was read asks something. In a quiz everything with a text does.
    fn is_question(&self, in_quiz: bool) -> bool {
        let is_answered =
            !self.choices.is_empty() || !self.keys.is_empty() || !self.accepted.is_empty() || !self.pairs.is_empty();
        let has_worth = self.choices.iter().any(|choice| choice.worth.is_some());
        let is_chosen = self.choices.len() > 1 && (!self.keys.is_empty() || has_worth);
        let is_judged = self.choices.is_empty() && self.keys.iter().any(|key| key.value.is_boolean());
        let is_paired = self.pairs.len() > 1;
        (self.named && is_answered || is_chosen || is_judged || is_paired || in_quiz)
            && (!self.text.is_empty() || is_paired)
    }

    /// Takes a solution for the way to the answer, or, beside options, for a key: it may name one of them.
    fn explain(&mut self, worked: Option<&Field<'_>>, may_choose: bool) {
        let Some(field) = worked else { return };
        if may_choose || !self.choices.is_empty() {
            self.keys.push(Key::new(field.name, field.value));
            return;
        }
        let told = text_of(field.value);
        self.explanation = Some(joined(self.explanation.iter().map(String::as_str).chain([told.as_str()])));
    }

    /// The name of the member that asks.
    pub(super) fn question_member(&self) -> Option<String> {
        self.pointer.as_ref()?.keys().next().map(std::borrow::Cow::into_owned)
    }

    /// Says where the source asks it.
    pub(super) fn cite(&mut self, pointer: Pointer) {
        self.pointer = Some(pointer);
    }

    /// Takes the source's name for this kind of question.
    fn is_of(&mut self, kind: &str) {
        self.kind = fold(kind);
        self.judges =
            names_verdicts(kind) || ["true", "bool", "tf", "yesno"].iter().any(|kind| self.kind.contains(kind));
    }

    /// Two lists, and a key that links their places.
    fn link(&mut self, members: &[Field<'_>], in_quiz: bool) {
        if !self.choices.is_empty() || !self.pairs.is_empty() {
            return;
        }
        let lists = || members.iter().filter_map(|field| Some((field, links::side(field.value)?)));
        let named = |pairs: &[(String, String)]| {
            lists().any(|(_, texts)| pairs.iter().all(|(left, _)| texts.contains(left)))
                && lists().any(|(_, texts)| pairs.iter().all(|(_, right)| texts.contains(right)))
        };
        // Where nothing is asked, or something else is the key, a list of pairs is a table.
        let pairs = || members.iter().map(|field| listed_pairs(field.value)).find(|pairs| pairs.len() > 1);
        if let Some(pairs) = Some(())
            .filter(|()| (self.named || in_quiz) && self.keys.iter().all(|key| key.value.is_array()))
            .and_then(|()| pairs())
        {
            self.pairs = pairs;
            return;
        }
        // `{"potassium": "alkali metal", …}` beside the lists of both.
        if let Some(pairs) =
            members.iter().map(|field| texts_paired(field.value)).find(|pairs| pairs.len() > 1 && named(pairs))
        {
            self.pairs = pairs;
            return;
        }
        // Where nothing is asked, only a member that is called a key, and that stands beside the lists, may link them.
        let is_key = |field: &Field<'_>| !field.is_wrapped && self.keys.iter().any(|key| key.value == *field.value);
        let may_link = |field: &&Field<'_>| self.named || in_quiz || is_key(field);
        let links: Vec<&Field<'_>> = members.iter().filter(may_link).collect();
        if links.is_empty() {
            return;
        }
        let lists: Vec<(&Field<'_>, Vec<String>)> = lists().take(MOST_LISTS).collect();
        for (left, from) in &lists {
            for (right, to) in lists.iter().filter(|(right, _)| !std::ptr::eq(*right, *left)) {
                let others =
                    links.iter().filter(|field| !std::ptr::eq(**field, *left) && !std::ptr::eq(**field, *right));
                let mut keys = others.filter_map(|field| links::linked(from, to, field.value));
                if let Some(pairs) = keys.next() {
                    self.pairs = pairs;
                    return;
                }
            }
        }
    }

    /// "optionA", "optionB"; "alt_1", "alt_2"; "a", "b", "c": options that are members.
    fn lettered(&mut self, members: &[Field<'_>]) {
        if !self.choices.is_empty() {
            return;
        }
        let mut series: Vec<(String, Vec<&Field<'_>>)> = Vec::new();
        for field in members.iter().filter(|field| field.value.is_string() || field.value.is_number()) {
            let folded = fold(field.name);
            let Some((at, label)) = folded.char_indices().next_back() else { continue };
            let prefix = &folded[..at];
            match series.iter_mut().find(|(known, _)| known == prefix) {
                Some((_, found)) if names_place(&label.to_string(), found.len()) => found.push(field),
                None if names_place(&label.to_string(), 0) => series.push((prefix.to_owned(), vec![field])),
                _ => {}
            }
        }
        let is_option = |prefix: &str| {
            ["option", "choice", "opt", "alt", "answer", ""].contains(&prefix)
                || Roles::of_word(prefix).has(Role::Options)
        };
        // Only a key that is no number tells options from steps or hints that are numbered in the same way.
        let is_keyed = |found: &[&Field<'_>]| {
            let choices: Vec<Choice> = found.iter().map(lettered_option).collect();
            self.keys.iter().any(|key| key.numbers().is_none() && key.named(&choices).is_some())
        };
        series.retain(|(prefix, found)| {
            let texts = found.iter().all(|field| field.value.is_string());
            found.len() > 1
                && (is_option(prefix) && !prefix.is_empty() || self.named)
                && (is_option(prefix) || texts && !is_distracting(prefix) && is_keyed(found))
        });
        let Some((prefix, found)) = series.iter().min_by_key(|(prefix, _)| (!is_option(prefix), prefix.is_empty()))
        else {
            return;
        };
        self.choices = found.iter().map(lettered_option).filter(|choice| !choice.text.is_empty()).collect();
        // An option is not also a key.
        self.keys.retain(|key| !prefix.is_empty() || !found.iter().any(|field| *field.value == key.value));
    }

    /// Options by their names, and an object that says for the same names what each is worth.
    fn weigh(&mut self, members: &[Field<'_>]) {
        let labelled = |members: &Map<String, Value>| {
            let fits = |choice: &Choice| choice.labels.first().is_some_and(|label| members.contains_key(label));
            members.len() == self.choices.len() && self.choices.iter().all(fits)
        };
        let worth = |value: &Value| value.as_f64().or_else(|| value.as_bool().map(f64::from));
        let weights = |field: &Field<'_>| {
            let weights = field.value.as_object().filter(|weights| labelled(weights))?;
            let worths = self.choices.iter().map(|choice| worth(weights.get(choice.labels.first()?)?));
            worths.collect::<Option<Vec<f64>>>()
        };
        if self.choices.len() > 1
            && self.choices.iter().all(|choice| choice.worth.is_none())
            && let Some(worths) = members.iter().find_map(weights)
        {
            self.choices.iter_mut().zip(worths).for_each(|(choice, worth)| choice.worth = Some(worth));
        }
    }

    /// A list of answers: options with flags, options beside a key, or what is accepted.
    fn answered(&mut self, answers: Option<&Field<'_>>) {
        let Some(field) = answers else { return };
        let listed = choices(field.value);
        if field.value.is_string() {
            // A part that the key repeats may be a wrong option's neighbour or the first of several right answers.
            let repeats = |key: &Key| listed.iter().any(|choice| key.value.as_str() == Some(&choice.text));
            let names = |key: &Key| key.named(&listed).is_some() || key.numbers().is_some();
            if self.choices.is_empty() && !self.keys.iter().any(repeats) && self.keys.iter().any(names) {
                self.choices = listed;
            } else if !self.keys.iter().any(repeats) {
                self.keys.push(Key::new(field.name, field.value));
            }
            return;
        }
        let flagged = listed.iter().any(|choice| choice.worth.is_some());
        let written = ["short", "numer", "fill", "blank", "gap", "open", "text", "essay"]
            .iter()
            .any(|kind| self.kind.contains(kind));
        // Where every answer earns something, none of them is a wrong option.
        let wrong = listed.iter().any(|choice| choice.worth.is_some_and(|worth| worth <= 0.0));
        let others = !self.keys.is_empty() || flagged && wrong && !written;
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

    /// `{"TRUE": 0, "FALSE": 100}`: what each verdict is worth.
    fn verdicts(&mut self, members: &[Field<'_>]) {
        if !self.keys.is_empty() || !self.choices.is_empty() {
            return;
        }
        let worth = |wanted: bool| {
            let fields = members.iter().filter(|field| verdict_of(field.name) == Some(wanted));
            let mut worths =
                fields.filter_map(|field| field.value.as_f64().or_else(|| field.value.as_bool().map(f64::from)));
            worths.next().filter(|_| worths.next().is_none())
        };
        if let (Some(of_true), Some(of_false)) = (worth(true), worth(false))
            && (of_true > 0.0) != (of_false > 0.0)
        {
            self.keys.push(Key::new("verdict", &Value::Bool(of_true > 0.0)));
        }
    }

    /// Entries that are asked to be put in order, each with its place: `[{"text": "…", "place": 2}, …]`.
    fn numbered(&mut self, members: &[Field<'_>]) {
        let ordered = asks_order(&self.kind) || asks_order(&self.text);
        if !ordered || !self.choices.is_empty() || !self.keys.is_empty() || self.text.is_empty() {
            return;
        }
        if let Some(entries) = members.iter().find_map(|field| numbered_entries(field.value)) {
            self.pairs.clear();
            self.keys.push(Key::new("order", &Value::from(entries)));
        }
    }

    /// Wrong options beside a right answer: the order of the source would show which is right.
    fn distracted(&mut self, members: &[Field<'_>]) {
        let wrong: Vec<Choice> = members
            .iter()
            .filter(|field| part(field.name) == Part::Distractors || is_distracting(&fold(field.name)))
            .flat_map(|field| match field.value {
                Value::String(text) if choices(field.value).is_empty() => choices(&Value::from(vec![text.clone()])),
                value => choices(value),
            })
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
            self.text = question_of(field.value);
            self.named = has_role(field.name, Role::Problem) && field.value.is_string();
            self.pointer = Some(field.pointer.clone());
            self.keys.retain(|key| key.value != *field.value);
        }
    }
}

/// A solution beside answers that are shorter says how they are found.
fn is_worked(field: &Field<'_>, longest: &LazyCell<usize, impl FnOnce() -> usize>) -> bool {
    let is_solution = field.value.is_string() && has_role(field.name, Role::Solution);
    is_solution && (1..text_of(field.value).chars().count()).contains(&**longest)
}

/// The length of the longest answer, in characters; 0 without one.
fn longest_answer(members: &[Field<'_>], learned: &Learned<'_>) -> usize {
    let is_answer = |field: &&Field<'_>| match learned.part(field.name) {
        Part::Accepted => true,
        Part::Key => !has_role(field.name, Role::Solution) && !is_list(field.value) || lists_only_texts(field),
        _ => false,
    };
    let length = |field: &Field<'_>| match field.value {
        Value::Bool(_) => Some(1),
        value => texts(value).iter().map(|text| text.chars().count()).max(),
    };
    members.iter().filter(is_answer).filter_map(length).max().unwrap_or(0)
}

/// Texts that are accepted, also of several gaps: `{"1": ["1854", "1 854"]}`. Of a list of answers some may be wrong.
fn lists_only_texts(field: &Field<'_>) -> bool {
    let is_listed = |value: &Value| value.as_array().is_some_and(|values| values.iter().all(Value::is_string));
    let by_gap = |members: &Map<String, Value>| members.values().all(is_listed);
    !has_role(field.name, Role::Answers) && (is_listed(field.value) || field.value.as_object().is_some_and(by_gap))
}

/// The option that a member of a series is, with its letter and its name.
fn lettered_option(field: &&Field<'_>) -> Choice {
    let label: String = fold(field.name).chars().next_back().into_iter().collect();
    let mut choice = Choice::named(text_of(field.value), &label);
    choice.labels.push(field.name.to_owned());
    choice
}

/// "wrong1", "distractor": a wrong option, with or without its number.
fn is_distracting(folded: &str) -> bool {
    let bare = folded.trim_end_matches(|sign: char| sign.is_ascii_digit());
    part(bare) == Part::Distractors || part(&format!("{bare}s")) == Part::Distractors
}

/// The pairs of a list of lists of two texts.
fn listed_pairs(value: &Value) -> Vec<(String, String)> {
    let pair = |value: &Value| match value.as_array()?.as_slice() {
        [left, right] => Some((left.as_str()?.trim().to_owned(), right.as_str()?.trim().to_owned())),
        _ => None,
    };
    value.as_array().and_then(|values| values.iter().map(pair).collect()).unwrap_or_default()
}

/// Texts in the order of the numbers beside them, which count from 1 or from 0.
fn numbered_entries(value: &Value) -> Option<Vec<String>> {
    let entry = |value: &Value| {
        let values: Vec<&Value> = match value {
            Value::Object(members) => members.values().collect(),
            Value::Array(values) => values.iter().collect(),
            _ => return None,
        };
        let mut texts = values.iter().filter_map(|value| value.as_str());
        let mut places = values.iter().filter_map(|value| value.as_u64());
        let (text, place) = (texts.next()?, places.next()?);
        (texts.next().is_none() && places.next().is_none()).then(|| (place, text.trim().to_owned()))
    };
    let mut entries: Vec<(u64, String)> = value.as_array()?.iter().map(entry).collect::<Option<_>>()?;
    entries.sort();
    let first = entries.first()?.0;
    let counts = first < 2 && entries.iter().zip(first..).all(|((place, _), at)| *place == at);
    (counts && entries.len() > 2).then(|| entries.into_iter().map(|(_, text)| text).collect())
}

/// The pairs of an object of texts.
fn texts_paired(value: &Value) -> Vec<(String, String)> {
    let pair = |(left, right): (&String, &Value)| Some((left.trim().to_owned(), right.as_str()?.trim().to_owned()));
    value.as_object().and_then(|members| members.iter().map(pair).collect()).unwrap_or_default()
}

/// Moodle numbers the places of words to drag: "[[1]]". Others write the accepted answers there: "[[Paris|Paname]]".
fn with_gaps(text: String, accepted: &mut Vec<String>) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.as_str();
    let mut gaps = 0;
    while let Some((before, after)) = rest.split_once("[[") {
        kept.push_str(before);
        let Some((inner, behind)) = after.split_once("]]").filter(|(inner, _)| inner.len() <= LONGEST_GAP) else {
            kept.push_str("[[");
            rest = after;
            continue;
        };
        kept.push_str("____");
        gaps += 1;
        if !inner.bytes().all(|byte| byte.is_ascii_digit()) {
            accepted.extend(inner.split('|').map(|answer| answer.trim().to_owned()));
        }
        rest = behind;
    }
    // Of several gaps, each would tell the others'.
    if gaps > 1 {
        accepted.clear();
    }
    kept.push_str(rest);
    kept
}

/// The texts of a value, without empty ones.
pub(super) fn texts(value: &Value) -> Vec<String> {
    let texts: Vec<String> = match value {
        Value::Array(values) => values.iter().map(text_of).collect(),
        Value::Object(members) if members.values().any(Value::is_array) => {
            members.values().filter_map(Value::as_array).flatten().map(text_of).collect()
        }
        value => vec![text_of(value)],
    };
    texts.into_iter().filter(|text| !text.is_empty()).collect()
}

/// A number and how far an answer may be from it: `{"wartość": 18, "tolerancja": 0.5, "jednostka": "l"}`.
fn measured(value: &Value) -> Option<(String, Option<String>)> {
    let members = value.as_object()?;
    let (_, tolerance) = members.iter().find(|(name, _)| part(name) == Part::Tolerance)?;
    let mut numbers = members.iter().filter(|(name, value)| value.is_number() && part(name) != Part::Tolerance);
    let (_, number) = numbers.next().filter(|_| numbers.next().is_none())?;
    Some((text_of(number), Some(text_of(tolerance)).filter(|text| !text.is_empty() && text != "0")))
}

/// "18% / 20% / 25%": options where something else is the key.
fn writes_options_out(value: &Value) -> bool {
    value.is_string() && choices(value).len() >= FEWEST_WRITTEN_OUT
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
