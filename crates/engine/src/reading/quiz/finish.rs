//! Turns a draft into questions: reads its key, and orders its options so that their order tells nothing.

use serde_json::Value;

use super::super::blocks::{Body, Question};
use super::super::codes::is_machines;
use super::super::flat::{flat_text, labelled};
use super::super::inline::squeeze;
use super::super::names::asks_order;
use super::super::pointer::Pointer;
use super::draft::{Draft, texts};
use super::gaps::Gaps;
use super::keys::{Base, Key, circled, names_verdicts, right, verdict_of};
use super::letters::place_of;
use super::links;
use super::values::Choice;
use crate::phrases::Phrases;
use language::fill;
use language::script::is_han;
use language::sentences::asks;

/// Most pairs that are asked for at once.
const MOST_PAIRS: usize = 6;

impl Draft {
    /// What the question refers to, and the question or, of pairs, the questions.
    pub(super) fn finish(self, at: &Pointer, base: Option<Base>, phrases: &Phrases) -> (Vec<Body>, Vec<Question>) {
        let pointer = self.pointer.clone().unwrap_or_else(|| at.clone());
        if self.pairs.len() > 1
            && let Some(questions) = judged_apart(&self.pairs, &pointer, phrases)
        {
            return (self.beside, questions);
        }
        if self.pairs.len() > 1 {
            let questions = matched(&self.text, &self.pairs, &pointer, phrases);
            return (self.beside, questions);
        }
        if let Some((text, gaps)) = Gaps::mask(&self.raw) {
            return (self.beside, vec![gaps.question(&flat_text(&text), &pointer)]);
        }
        let mut question = Question::asking(pointer, self.text.clone());
        if let Some(context) = self.context.as_ref().filter(|context| !context.is_empty()) {
            question.question = format!("{context} {}", self.text);
        }
        let is_order = asks_order(&self.kind);
        let asks_order = is_order || asks_order(&self.text);
        let listed = self.keys.iter().any(|key| links::listed(&key.value).is_some_and(|key| key.len() > 2));
        let ordered = is_order
            || asks_order && (listed || !self.choices.is_empty() && self.keys.is_empty())
            || self.is_permuted();
        question.options = self.choices.iter().map(|choice| choice.text.clone()).collect();
        if let Some(verdict) = self.judged() {
            question.options.clear();
            question.answers = vec![if verdict { phrases.answer_true } else { phrases.answer_false }.to_owned()];
        } else if let Some(order) = self.order().filter(|_| asks_order) {
            let mut entries = order.clone();
            entries.sort();
            let task = question.question.trim_end_matches(['.', ':', '。', '：']);
            question.question = labelled(task, &entries.join("; "));
            question.options.clear();
            question.answers = vec![order.join(" → ")];
        } else if ordered {
            question.options.sort();
        } else if self.choices.len() > 1 {
            let right = right(&self.choices, &self.keys, base);
            question.answers = right.into_iter().map(|at| self.choices[at].text.clone()).collect();
        } else {
            question.options.clear();
            question.answers = if ordered { Vec::new() } else { self.written(phrases) };
        }
        if question.options.is_empty() && question.answers.iter().any(|answer| verdict_of(answer).is_some()) {
            question.question = without_verdicts(&question.question).to_owned();
        }
        // Letters are not shown, and the options may stand in another order.
        let labels = || self.choices.iter().flat_map(|choice| &choice.labels);
        let by_letters = |text: &str| labels().any(|label| names_letter(text, label));
        question.explanation = self.explanation.as_ref().map(|text| squeeze(text)).filter(|text| !by_letters(text));
        question.tolerance = self.tolerance;
        // What can't be asked without what stands beside it has no key.
        if !self.beside.is_empty() {
            question.answers.clear();
            question.explanation = None;
        }
        (self.beside, vec![question])
    }

    /// The options of an export: a statement that is "true" or "false".
    fn judged(&self) -> Option<bool> {
        let [one, other] = &self.choices[..] else { return None };
        // Words of the source's own are options as they are, and "F" may be a force.
        let is_sign = |text: &str| text.chars().nth(1).is_none() && (self.judges || !text.is_ascii());
        let short = |text: &str| is_sign(text) || ["true", "false"].contains(&text.to_lowercase().as_str());
        let verdict = |choice: &Choice| Some(choice.text.trim()).filter(|text| short(text)).and_then(verdict_of);
        let (one, other) = (verdict(one)?, verdict(other)?);
        let right = right(&self.choices, &self.keys, None);
        (one != other && right.len() == 1).then(|| if right[0] == 0 { one } else { other })
    }

    /// The entries of a question that asks for their order, in the order that the key has them.
    fn order(&self) -> Option<Vec<String>> {
        let told = self.keys.iter().filter_map(|key| links::listed(&key.value));
        let words = |entries: &Vec<String>| entries.iter().all(|entry| entry.chars().any(char::is_alphabetic));
        let mut texts: Vec<&str> = self.choices.iter().map(|choice| choice.text.as_str()).collect();
        texts.sort_unstable();
        told.filter(words).find(|entries| {
            let mut sorted: Vec<&str> = entries.iter().map(String::as_str).collect();
            sorted.sort_unstable();
            entries.len() > 2 && (texts.is_empty() || texts == sorted)
        })
    }

    /// A key that names every option is their order.
    fn is_permuted(&self) -> bool {
        let many = self.choices.len() > 2;
        let in_order = |values: &[Value]| {
            values.iter().zip(&self.choices).all(|(value, choice)| value.as_str() == Some(choice.text.as_str()))
        };
        many && self.keys.iter().any(|key| {
            key.value.as_array().is_some_and(|values| values.len() == self.choices.len() && !in_order(values))
        })
    }

    /// The answers of a question without options.
    fn written(&self, phrases: &Phrases) -> Vec<String> {
        // A statement, and not a question: "Is it so?" is answered by yes.
        let states = || !asks(&self.text) && !self.text.contains("__");
        let told = self.text.split_once([':', '：']).is_some_and(|(before, _)| names_verdicts(before));
        let verdict = |value: &Value| match value {
            Value::Bool(verdict) => Some(*verdict),
            Value::String(text) if text == "true" || text == "false" => Some(text == "true"),
            // "O" and "X" are circle and cross in Korean.
            Value::String(text) if self.judges || told => verdict_of(text).or_else(|| circled(text)),
            Value::String(text) if states() && text.trim().chars().count() == 1 && !text.is_ascii() => verdict_of(text),
            // "F" may be fluorine.
            Value::String(text) if states() && text.trim().len() > 2 => verdict_of(text),
            _ => None,
        };
        if let Some(verdict) = self.keys.iter().find_map(|key| verdict(&key.value)) {
            return vec![if verdict { phrases.answer_true } else { phrases.answer_false }.to_owned()];
        }
        let counted = |key: &&Key| !(key.is_index && key.value.is_number());
        let mut found: Vec<String> = self.keys.iter().filter(counted).flat_map(|key| texts(&key.value)).collect();
        found.extend(self.accepted.iter().cloned());
        found.iter_mut().for_each(|text| *text = without_tolerance(&without_codes(text)).to_owned());
        // Some names also mean an id: a code under such a name is no answer.
        let doubtful: Vec<String> =
            self.keys.iter().filter(|key| key.is_doubtful).flat_map(|key| texts(&key.value)).collect();
        found.retain(|text| !(doubtful.contains(text) && is_machines(text)));
        // A letter or a place without its option is no answer.
        let places = found.len() > 2 && found.iter().all(|text| text.parse::<u8>().is_ok());
        if places || !self.text.contains("__") && found.iter().any(|text| is_label(text) || links::is_key(text)) {
            found.clear();
        }
        if found.len() == 1
            && let Some(verdict) = verdict_of(&found[0]).filter(|_| self.judges)
        {
            return vec![if verdict { phrases.answer_true } else { phrases.answer_false }.to_owned()];
        }
        let mut seen = std::collections::HashSet::new();
        found.retain(|text| !text.is_empty() && seen.insert(text.clone()));
        found
    }
}

/// Whether a text speaks of an option by its letter: "Whoever takes B".
fn names_letter(text: &str, label: &str) -> bool {
    let mut letters = label.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else { return false };
    let capital = letter.to_uppercase().next().unwrap_or(letter);
    text.match_indices(capital).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + found.len()..].chars().next();
        let joins = |other: Option<char>| {
            other.is_some_and(|other| other.is_alphanumeric() && !is_han(other) && !is_hiragana(other))
        };
        // "A whale is a mammal."
        let article = capital == 'A' && behind == Some(' ') && (at == 0 || text[..at].ends_with(". "));
        letter.is_alphabetic() && !joins(before) && !joins(behind) && !article
    })
}

fn is_hiragana(sign: char) -> bool {
    ('\u{3040}'..='\u{309f}').contains(&sign)
}

/// A letter alone, or several: "B, D"; or all places of a list: "2, 4, 1, 3".
fn is_label(text: &str) -> bool {
    let labels: Vec<&str> = text.split([',', ';', '/', ' ']).map(str::trim).filter(|label| !label.is_empty()).collect();
    let mut numbers: Vec<usize> = labels.iter().filter_map(|label| label.parse().ok()).collect();
    numbers.sort_unstable();
    let counted = numbers.len() > 2 && numbers.iter().copied().eq(1..=labels.len());
    !labels.is_empty() && labels.iter().all(|label| place_of(label).is_some()) && (numbers.is_empty() || counted)
}

/// A model answer without a remark in brackets that refers markers to something by its code: "(2 points, see KEY-8)".
fn without_codes(text: &str) -> String {
    let coded = |inner: &str| {
        inner.split(|sign: char| !sign.is_alphanumeric() && sign != '-').any(|word| {
            let parts = word.split_once('-');
            parts.is_some_and(|(name, number)| {
                name.len() > 2
                    && name.chars().all(char::is_uppercase)
                    && !number.is_empty()
                    && number.bytes().all(|digit| digit.is_ascii_digit())
            })
        })
    };
    let Some((before, rest)) = text.rsplit_once('(') else { return text.to_owned() };
    match rest.split_once(')') {
        Some((inner, behind)) if coded(inner) => format!("{}{behind}", before.trim_end()),
        _ => text.to_owned(),
    }
}

/// A number without how far an answer may be from it: "2400 (±0)".
fn without_tolerance(text: &str) -> &str {
    let is_number =
        |number: &str| !number.is_empty() && number.chars().all(|sign| sign.is_ascii_digit() || "., -".contains(sign));
    let bare = text.split_once('±').map(|(number, _)| number.trim_end_matches(['(', ' ']));
    bare.filter(|number| is_number(number)).unwrap_or(text)
}

/// `[["…", "true"], ["…", "false"]]`: statements, each of which is judged; none where these are pairs.
fn judged_apart(pairs: &[(String, String)], pointer: &Pointer, phrases: &Phrases) -> Option<Vec<Question>> {
    let judged = |(statement, verdict): &(String, String)| {
        // "O" beside "symbol of oxygen" is a symbol.
        let is_sign = verdict.trim().len() == 1;
        let states = statement.ends_with(['.', '!', '。', '।']);
        let verdict =
            verdict_of(verdict).filter(|_| if is_sign { states } else { statement.contains(char::is_whitespace) })?;
        let mut question = Question::asking(pointer.clone(), statement.clone());
        question.answers = vec![if verdict { phrases.answer_true } else { phrases.answer_false }.to_owned()];
        Some(question)
    };
    pairs.iter().map(judged).collect()
}

/// "Cells divide. (T/F)" without what says how it is answered: the options say it, perhaps in other words.
fn without_verdicts(text: &str) -> &str {
    let told = text
        .trim_end()
        .trim_end_matches('.')
        .strip_suffix([')', '）', ']'])
        .and_then(|text| text.rsplit_once(['(', '（', '[']));
    match told {
        Some((statement, verdicts)) if names_verdicts(verdicts) && !statement.trim().is_empty() => statement.trim_end(),
        _ => text,
    }
}

/// Options without the marks that they end with, where these differ: "What else?" would tell which question it answers. "n!", "println!", "String?"
/// and "5 p.m." end with a part of themselves.
fn unmarked(options: &[String]) -> Option<Vec<String>> {
    const MARKS: [char; 9] = ['.', '?', '!', '…', '。', '？', '！', '؟', '।'];
    let mark = |option: &String| option.chars().next_back().filter(|last| MARKS.contains(last));
    let belongs = |option: &String| {
        let last = option.rsplit(' ').next().unwrap_or_default();
        mark(option).is_some() && (!option.contains(' ') || last.trim_end_matches(MARKS).contains(MARKS))
    };
    if options.iter().any(belongs) {
        return None;
    }
    let differ = options.windows(2).any(|pair| mark(&pair[0]) != mark(&pair[1]));
    let bare: Vec<String> = options
        .iter()
        .map(|option| option.trim_start_matches(['¿', '¡']).trim_end_matches(MARKS).trim_end().to_owned())
        .collect();
    let mut distinct: Vec<&String> = bare.iter().filter(|option| !option.is_empty()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    (differ && distinct.len() == options.len()).then_some(bare)
}

/// A question whose options are pairs, each left side with its own right side and with that of another one. Where the source
/// says nothing of how they are matched, a question for each left side.
pub(super) fn matched(text: &str, pairs: &[(String, String)], pointer: &Pointer, phrases: &Phrases) -> Vec<Question> {
    let mut options: Vec<String> = pairs.iter().map(|(_, right)| right.clone()).collect();
    options.sort();
    options.dedup();
    if options.len() < 2 {
        return Vec::new();
    }
    if text.is_empty() {
        let shown = unmarked(&options).unwrap_or_else(|| options.clone());
        let ask = |(left, right): &(String, String)| {
            let asked = fill(phrases.belongs_to, &[("heading", left)]);
            let mut question = Question::asking(pointer.clone(), asked);
            question.answers =
                options.iter().position(|option| option == right).map(|at| shown[at].clone()).into_iter().collect();
            question.options.clone_from(&shown);
            question
        };
        return pairs.iter().map(ask).collect();
    }
    let mut lefts: Vec<&String> = pairs.iter().map(|(left, _)| left).collect();
    lefts.sort_unstable();
    lefts.dedup();
    // Where one side comes twice, a pair that the source does not list may be right as well.
    if lefts.len() < pairs.len() || options.len() < pairs.len() {
        return vec![Question::asking(pointer.clone(), text.to_owned())];
    }
    let pairs = &pairs[..pairs.len().min(MOST_PAIRS)];
    let joined = |(left, right): (&String, &String)| format!("{left} – {right}");
    let told = |left: &String, right: &String| pairs.iter().any(|pair| pair.0 == *left && pair.1 == *right);
    let mut question = Question::asking(pointer.clone(), text.to_owned());
    for (at, (left, right)) in pairs.iter().enumerate() {
        let others = pairs[at + 1..].iter().chain(&pairs[..at]).map(|(_, other)| other);
        let wrong = others.filter(|other| !told(left, other)).take(1).map(|other| joined((left, other)));
        question.options.push(joined((left, right)));
        question.options.extend(wrong);
        question.answers.push(joined((left, right)));
    }
    question.options.sort();
    question.options.dedup();
    question.answers.dedup();
    vec![question]
}
