//! Items as a form, and what came of the answers: the same for a module's quiz and for a test.
//!
//! Verdicts are words and signs, not only colours, and stand inside the group that they are about.

use kernel::secret::sha256_hex;
use serde_json::json;

use crate::answers::{Answers, ItemKind, Verdict, chosen, grade, spaced};
use crate::texts::{Texts, fill};

/// The longest text of a blank, in characters.
const LONGEST_LINE: usize = 1_000;
/// The longest free text, in characters.
const LONGEST_TEXT: usize = 10_000;
/// Hexadecimal digits of an item's fingerprint.
const FINGERPRINT_LENGTH: usize = 16;

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

/// What was answered to an item, and what that is worth.
#[derive(Clone, Debug)]
pub(crate) struct Judged<'a> {
    pub(crate) given: Vec<&'a str>,
    pub(crate) verdict: Verdict,
}

impl Item {
    /// Judges what was answered.
    pub(crate) fn judge<'a>(&self, answers: &'a Answers) -> Judged<'a> {
        let given = self.given(answers);
        Judged { verdict: grade(self.kind, &self.key, &given), given }
    }

    /// Tells the item from others by what a learner sees of it. The key is no part of it: options could be tried out.
    pub(crate) fn fingerprint(&self) -> String {
        let is_single = self.key.len() < 2;
        let seen = json!([format!("{:?}", self.kind), self.title, self.question, self.options, is_single, self.points]);
        sha256_hex(seen.to_string().as_bytes())[..FINGERPRINT_LENGTH].to_owned()
    }

    /// What a page's own form could have sent: at most as many values as there are options, or one text that is not
    /// longer than its field. A form made by hand may repeat a field a hundred thousand times; the rest is not looked at.
    fn given<'a>(&self, answers: &'a Answers) -> Vec<&'a str> {
        let sent = answers.to(&self.id).iter().map(String::as_str);
        let written = |longest: usize| {
            // A form's line ends are two characters, in the field they were one.
            let is_whole = |text: &&str| text.chars().filter(|character| *character != '\r').nth(longest).is_none();
            sent.clone().take(1).filter(is_whole).collect()
        };
        match self.kind {
            ItemKind::Select | ItemKind::TrueFalse => sent.take(self.options.len()).collect(),
            ItemKind::Blank => written(LONGEST_LINE),
            ItemKind::OpenEnded => written(LONGEST_TEXT),
            ItemKind::Submission => Vec::new(),
        }
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
    /// An item to be answered; where something was answered before, the field has it.
    pub(crate) fn unanswered(texts: &'static Texts, item: &Item, number: usize, kept: Option<&Answers>) -> Self {
        let question = Self::new(texts, item, number, None);
        match kept {
            Some(kept) => Self { input: input(texts, item, &item.given(kept)), ..question },
            None => question,
        }
    }

    /// An item to be answered, or as it was answered.
    pub(crate) fn new(texts: &'static Texts, item: &Item, number: usize, judged: Option<&Judged<'_>>) -> Self {
        let given = judged.map_or(&[][..], |judged| &judged.given);
        Self {
            number,
            field: format!("{}{}", Answers::FIELD_PREFIX, item.id),
            label: fill(texts.question, &[("n", &number.to_string())]),
            title: item.title.clone(),
            text: item.question.clone(),
            points: item.points.map_or_else(String::new, |points| fill(texts.points, &[("n", &texts.number(points))])),
            hint: hint(texts, item),
            input: input(texts, item, given),
            feedback: judged.map(|judged| feedback(texts, item, judged.verdict)),
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

fn input(texts: &Texts, item: &Item, given: &[&str]) -> Input {
    let written = || given.first().copied().unwrap_or_default().to_owned();
    match item.kind {
        ItemKind::Select | ItemKind::TrueFalse => {
            let chosen = chosen(given);
            let options = item.options.iter().map(|option| Choice {
                value: option.clone(),
                text: option_text(texts, item.kind, option),
                is_chosen: chosen.contains(&spaced(option)),
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

fn feedback(texts: &Texts, item: &Item, verdict: Verdict) -> Feedback {
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

#[cfg(test)]
mod tests {
    use testkit::assert_linear;

    use super::*;
    use crate::language::Language;

    fn item(kind: ItemKind, options: &[String], key: &[String]) -> Item {
        Item {
            id: "a".into(),
            kind,
            title: String::new(),
            question: "?".into(),
            options: options.to_vec(),
            key: key.to_vec(),
            explanation: String::new(),
            points: None,
            shows_feedback: true,
        }
    }

    fn answers<'a>(values: impl IntoIterator<Item = &'a str>) -> Answers {
        Answers::from_fields(values.into_iter().map(|value| ("answer-a".to_owned(), value.to_owned())))
    }

    fn texts(count: usize) -> Vec<String> {
        (0..count).map(|at| format!("text {at}")).collect()
    }

    /// Judges an item and shows it.
    fn answer(item: &Item, answers: &Answers) {
        let judged = item.judge(answers);
        Question::new(Texts::of(&Language::of("en")), item, 1, Some(&judged));
    }

    #[test]
    fn of_a_repeated_field_only_what_a_form_could_send_is_looked_at() {
        let repeated = answers(std::iter::repeat_n("x", 95_000));
        let given = |kind, options: &[String]| item(kind, options, &[]).judge(&repeated).given.len();
        assert_eq!(given(ItemKind::Blank, &[]), 1);
        assert_eq!(given(ItemKind::OpenEnded, &[]), 1);
        assert_eq!(given(ItemKind::Select, &texts(4)), 4);
        assert_eq!(given(ItemKind::TrueFalse, &texts(2)), 2);
        let blank = item(ItemKind::Blank, &[], &["b".to_owned()]);
        assert_eq!(blank.judge(&answers(["b", "a"])).verdict, Verdict::Right);
        assert_eq!(blank.judge(&answers(["a", "b"])).verdict, Verdict::Wrong, "one text, one try");
    }

    #[test]
    fn repetitions_keys_and_options_are_not_multiplied() {
        let chosen = |n| (item(ItemKind::Select, &texts(n), &texts(n)), answers(texts(n).iter().map(String::as_str)));
        let repeated = |n| (item(ItemKind::Blank, &[], &texts(n)), answers(std::iter::repeat_n("x", 100 * n)));
        assert_linear("options", 500, chosen, |(item, answers)| answer(item, answers));
        assert_linear("keys", 100, repeated, |(item, answers)| answer(item, answers));
    }

    #[test]
    fn a_text_longer_than_its_field_is_no_answer() {
        let judged = |kind: ItemKind, text: &str| {
            let key = text.to_owned();
            item(kind, &[], &[key]).judge(&answers([text])).verdict
        };
        assert_eq!(judged(ItemKind::Blank, &"é".repeat(LONGEST_LINE)), Verdict::Right);
        assert_eq!(judged(ItemKind::Blank, &"é".repeat(LONGEST_LINE + 1)), Verdict::Unanswered);
        assert_eq!(judged(ItemKind::Blank, &format!("i{}", "\u{307}".repeat(1 << 19))), Verdict::Unanswered);
        let lines = "a\r\n".repeat(LONGEST_TEXT / 2);
        let free = item(ItemKind::OpenEnded, &[], &[]);
        assert_eq!(free.judge(&answers([lines.as_str()])).given, [lines.as_str()]);
        assert!(free.judge(&answers([format!("{lines}a").as_str()])).given.is_empty());
    }
}
