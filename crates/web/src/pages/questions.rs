//! Items as a form, and what came of the answers: the same for a module's quiz and for a test.
//!
//! Verdicts are words and signs, not only colours, and stand inside the group that they are about.

use crate::answers::{Answers, ItemKind, Verdict, grade};
use crate::texts::{Texts, fill};

/// The longest text of a blank, in characters.
const LONGEST_LINE: usize = 1_000;
/// The longest free text, in characters.
const LONGEST_TEXT: usize = 10_000;

/// An item as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) kind: ItemKind,
    /// What it belongs to; may be empty.
    pub(crate) title: String,
    pub(crate) question: String,
    pub(crate) options: Vec<String>,
    pub(crate) key: Vec<String>,
    /// May be empty.
    pub(crate) explanation: String,
    /// Points, where the item has any.
    pub(crate) points: Option<f64>,
    /// Whether the learner is told what was right.
    pub(crate) shows_feedback: bool,
}

impl Item {
    /// The verdict on what was answered.
    pub(crate) fn grade(&self, answers: &Answers) -> Verdict {
        grade(self.kind, &self.key, answers.to(&self.id))
    }
}

/// An item on a page.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) number: usize,
    /// The name of its form field.
    pub(crate) field: String,
    /// “Question 3”.
    pub(crate) label: String,
    pub(crate) title: String,
    pub(crate) text: String,
    /// Points, in words; may be empty.
    pub(crate) points: String,
    /// How to answer; may be empty.
    pub(crate) hint: String,
    pub(crate) input: Input,
    pub(crate) feedback: Option<Feedback>,
}

/// How an answer is entered.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Choice {
        is_single: bool,
        options: Vec<Choice>,
    },
    Line {
        value: String,
        longest: usize,
    },
    Text {
        value: String,
        longest: usize,
    },
    /// Not on this page.
    Elsewhere,
}

/// An option.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) text: String,
    pub(crate) is_chosen: bool,
}

/// What the learner is told of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Feedback {
    /// A class: `right`, `wrong` or `open`.
    pub(crate) tone: &'static str,
    /// A sign for the eye; the words say the same.
    pub(crate) sign: &'static str,
    pub(crate) words: String,
    /// Further lines: the key, the explanation.
    pub(crate) lines: Vec<String>,
}

impl Question {
    /// An item to be answered, or, with answers, as it was answered.
    pub(crate) fn new(texts: &'static Texts, item: &Item, number: usize, answers: Option<&Answers>) -> Self {
        let given = answers.map_or(&[][..], |answers| answers.to(&item.id));
        Self {
            number,
            field: format!("{}{}", Answers::FIELD_PREFIX, item.id),
            label: fill(texts.question, &[("n", &number.to_string())]),
            title: item.title.clone(),
            text: item.question.clone(),
            points: item.points.map_or_else(String::new, |points| fill(texts.points, &[("n", &texts.number(points))])),
            hint: hint(texts, item),
            input: input(texts, item, given),
            feedback: answers.map(|_| feedback(texts, item, given)),
        }
    }

    /// For the attribute of a text field.
    pub(crate) fn is_wrong(&self) -> bool {
        self.feedback.as_ref().is_some_and(|feedback| feedback.tone == "wrong")
    }
}

fn hint(texts: &Texts, item: &Item) -> String {
    match item.kind {
        ItemKind::Select if item.key.len() > 1 => texts.choose_several.to_owned(),
        ItemKind::Select | ItemKind::TrueFalse => texts.choose_one.to_owned(),
        ItemKind::Blank if !item.options.is_empty() => fill(texts.word_bank, &[("words", &item.options.join(" · "))]),
        ItemKind::Blank => String::new(),
        ItemKind::OpenEnded => texts.ungraded.to_owned(),
        ItemKind::Submission => texts.submission.to_owned(),
    }
}

fn input(texts: &Texts, item: &Item, given: &[String]) -> Input {
    let written = || given.first().cloned().unwrap_or_default();
    match item.kind {
        ItemKind::Select | ItemKind::TrueFalse => {
            let spaced: Vec<String> = given.iter().map(|text| crate::answers::spaced(text)).collect();
            let options = item.options.iter().map(|option| Choice {
                value: option.clone(),
                text: option_text(texts, item.kind, option),
                is_chosen: spaced.contains(&crate::answers::spaced(option)),
            });
            Input::Choice { is_single: item.key.len() < 2, options: options.collect() }
        }
        ItemKind::Blank => Input::Line { value: written(), longest: LONGEST_LINE },
        ItemKind::OpenEnded => Input::Text { value: written(), longest: LONGEST_TEXT },
        ItemKind::Submission => Input::Elsewhere,
    }
}

/// `True` and `False` are what the API fills in where an item names no options: they are shown in the page's language.
fn option_text(texts: &Texts, kind: ItemKind, option: &str) -> String {
    match (kind, option) {
        (ItemKind::TrueFalse, "True") => texts.yes.to_owned(),
        (ItemKind::TrueFalse, "False") => texts.no.to_owned(),
        _ => option.to_owned(),
    }
}

fn feedback(texts: &Texts, item: &Item, given: &[String]) -> Feedback {
    let verdict = grade(item.kind, &item.key, given);
    let (tone, sign, words) = match verdict {
        _ if !item.shows_feedback => ("open", "•", texts.withheld),
        Verdict::Right => ("right", "✓", texts.right),
        Verdict::Wrong => ("wrong", "✗", texts.wrong),
        Verdict::Unanswered => ("open", "–", texts.unanswered),
        Verdict::Ungraded => ("open", "•", texts.ungraded),
    };
    let mut lines = Vec::new();
    if item.shows_feedback {
        lines.extend(key_line(texts, item, verdict));
        if !item.explanation.trim().is_empty() {
            lines.push(fill(texts.explanation, &[("text", &item.explanation)]));
        }
    }
    Feedback { tone, sign, words: words.to_owned(), lines }
}

/// The key, unless the learner has just found it.
fn key_line(texts: &Texts, item: &Item, verdict: Verdict) -> Option<String> {
    let text = match verdict {
        Verdict::Right => return None,
        Verdict::Wrong | Verdict::Unanswered => texts.right_answer,
        Verdict::Ungraded => texts.model_answer,
    };
    let answers: Vec<String> = item.key.iter().map(|answer| option_text(texts, item.kind, answer)).collect();
    (!answers.is_empty()).then(|| fill(text, &[("answers", &answers.join(" · "))]))
}

/// What came of all answers together.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    /// A class: `right`, `wrong` or `open`.
    pub(crate) tone: &'static str,
    /// The most important line; may be empty.
    pub(crate) verdict: String,
    pub(crate) lines: Vec<String>,
    /// The questions worth another look: number and label.
    pub(crate) look_again: Vec<(usize, String)>,
}

impl Summary {
    /// The questions that were not answered right, for a summary's links.
    pub(crate) fn worth_another_look(questions: &[Question]) -> Vec<(usize, String)> {
        questions
            .iter()
            .filter(|question| question.is_wrong())
            .map(|question| (question.number, question.label.clone()))
            .collect()
    }
}
