//! Items as a form, and what came of the answers: the same for a module's quiz and for a test.
//!
//! Verdicts are words and signs, not only colours, and stand inside the group that they are about.

use kernel::secret::sha256_hex;
use serde_json::json;

use super::inline::Inline;
use crate::answers::{AnswerForm, Answers, Asked, ItemKind, Mark, OpenGrades, Verdict, chosen, grade, spaced};
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
    /// The language in which it is asked.
    pub(crate) language: String,
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
    pub(crate) mark: Mark,
}

impl Item {
    /// Judges what was answered; an open answer by the grade that it was given.
    pub(crate) fn judge<'a>(&self, answers: &'a Answers, grades: &OpenGrades) -> Judged<'a> {
        let given = self.given(answers);
        let asked = Asked { kind: self.kind, question: &self.question, language: &self.language, key: &self.key };
        let mark = grade(&asked, &given);
        let is_open = self.kind == ItemKind::OpenEnded && mark.verdict == Verdict::Ungraded;
        let given_grade = if is_open { grades.0.get(&self.grade_name()) } else { None };
        Judged { mark: given_grade.map_or(mark, |grade| grade.mark()), given }
    }

    /// The open answer that a grader may judge: there is one, and it can earn points.
    pub(crate) fn open_answer<'a>(&self, answers: &'a Answers) -> Option<&'a str> {
        let is_open = self.kind == ItemKind::OpenEnded && self.points.is_some_and(|points| points > 0.0);
        self.given(answers).first().copied().filter(|text| is_open && !text.trim().is_empty())
    }

    /// The name under which a grade of its answer is kept while the page is made: of the item as it was asked.
    pub(crate) fn grade_name(&self) -> String {
        format!("{} {}", self.fingerprint(), self.id)
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
    /// The item's id.
    pub(crate) id: String,
    pub(crate) number: usize,
    /// The name of its form field.
    pub(crate) field: String,
    /// “Question 3”.
    pub(crate) label: String,
    pub(crate) title: Inline,
    pub(crate) text: Inline,
    /// Points, in words; may be empty.
    pub(crate) points: String,
    /// How to answer; may be empty.
    pub(crate) hint: Inline,
    pub(crate) input: Input,
    /// It has a button of its own, which checks it alone.
    pub(crate) is_checked_alone: bool,
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
    pub(crate) text: Inline,
    pub(crate) is_chosen: bool,
}

/// What the learner is told of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Feedback {
    /// A class: `right`, `partly`, `wrong`, `person` where somebody has to look at the answer, or `open`.
    pub(crate) tone: &'static str,
    /// A sign for the eye; the words say the same.
    pub(crate) sign: &'static str,
    pub(crate) words: String,
    /// Further lines: points, what the grader says, the key, the explanation.
    pub(crate) lines: Vec<Inline>,
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

    /// The items of a form of which one is checked alone: the others are as they were sent, and say nothing of their keys.
    pub(crate) fn of_form(texts: &'static Texts, items: &[Item], form: &AnswerForm) -> Vec<Self> {
        let checked = form.checked_of(items.iter().map(|item| item.id.as_str()));
        let question = |(number, item): (usize, &Item)| match checked {
            Some(id) if id != item.id => Self::unanswered(texts, item, number, Some(&form.answers)),
            _ => Self::new(texts, item, number, Some(&item.judge(&form.answers, &form.grades))),
        };
        (1..).zip(items).map(question).collect()
    }

    /// An item to be answered, or as it was answered.
    pub(crate) fn new(texts: &'static Texts, item: &Item, number: usize, judged: Option<&Judged<'_>>) -> Self {
        let given = judged.map_or(&[][..], |judged| &judged.given);
        Self {
            id: item.id.clone(),
            number,
            field: format!("{}{}", Answers::FIELD_PREFIX, item.id),
            label: fill(texts.question, &[("n", &number.to_string())]),
            title: Inline::of(&item.title),
            text: Inline::of(&item.question),
            points: item.points.map_or_else(String::new, |points| fill(texts.points, &[("n", &texts.number(points))])),
            hint: hint(texts, item),
            input: input(texts, item, given),
            is_checked_alone: false,
            feedback: judged.map(|judged| feedback(texts, item, &judged.mark)),
        }
    }

    /// The same with a button that checks it alone, where there is something to say about an answer.
    pub(crate) fn with_own_button(self, item: &Item) -> Self {
        Self { is_checked_alone: item.kind != ItemKind::Submission && item.shows_feedback, ..self }
    }

    /// For the attribute of a text field.
    pub(crate) fn is_wrong(&self) -> bool {
        self.feedback.as_ref().is_some_and(|feedback| feedback.tone == "wrong")
    }
}

fn hint(texts: &Texts, item: &Item) -> Inline {
    match item.kind {
        ItemKind::Select if item.key.len() > 1 => Inline::of(texts.choose_several),
        ItemKind::Select | ItemKind::TrueFalse => Inline::of(texts.choose_one),
        ItemKind::Blank if !item.options.is_empty() => {
            let words: Vec<_> = item.options.iter().map(|word| Inline::of(word)).collect();
            Inline::filled(texts.word_bank, "words", &Inline::joined(&words))
        }
        ItemKind::Blank | ItemKind::OpenEnded => Inline::default(),
        ItemKind::Submission => Inline::of(texts.submission),
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
fn option_text(texts: &Texts, kind: ItemKind, option: &str) -> Inline {
    Inline::of(match (kind, option) {
        (ItemKind::TrueFalse, "True") => texts.yes,
        (ItemKind::TrueFalse, "False") => texts.no,
        _ => option,
    })
}

fn feedback(texts: &Texts, item: &Item, mark: &Mark) -> Feedback {
    let (tone, sign, words) = match mark.verdict {
        _ if !item.shows_feedback => ("open", "•", texts.withheld),
        Verdict::Right => ("right", "✓", texts.right),
        Verdict::Partly => ("partly", "◐", texts.partly),
        Verdict::Wrong => ("wrong", "✗", texts.wrong),
        Verdict::Graded if mark.is_estimate => ("open", "•", texts.estimate),
        Verdict::Graded => ("open", "✓", texts.is_graded),
        Verdict::Unanswered => ("open", "–", texts.unanswered),
        Verdict::Ungraded if item.kind == ItemKind::OpenEnded => ("person", "?", texts.ask_person),
        Verdict::Ungraded => ("person", "?", texts.ungraded),
    };
    let mut lines = Vec::new();
    if item.shows_feedback {
        lines.extend(points_line(texts, item, mark));
        lines.extend(mark.comments.iter().filter(|text| !text.trim().is_empty()).map(|text| Inline::of(text)));
        if mark.is_estimate && mark.verdict != Verdict::Graded {
            lines.push(Inline::of(texts.estimate));
        }
        lines.extend(key_line(texts, item, mark.verdict));
        if !item.explanation.trim().is_empty() {
            lines.push(Inline::filled(texts.explanation, "text", &Inline::of(&item.explanation)));
        }
    }
    Feedback { tone, sign, words: words.to_owned(), lines }
}

/// The points, where they are neither all nor none as a matter of course.
fn points_line(texts: &Texts, item: &Item, mark: &Mark) -> Option<Inline> {
    let (points, share) = (item.points?, mark.share?);
    if !matches!(mark.verdict, Verdict::Partly | Verdict::Graded) {
        return None;
    }
    let values = [("n", &*texts.number(points * share)), ("total", &*texts.number(points))];
    Some(Inline::of(&fill(texts.points_of, &values)))
}

/// The key, unless the learner has just found it.
fn key_line(texts: &Texts, item: &Item, verdict: Verdict) -> Option<Inline> {
    let text = match verdict {
        Verdict::Right => return None,
        _ if item.kind == ItemKind::OpenEnded => texts.model_answer,
        Verdict::Ungraded => texts.model_answer,
        _ => texts.right_answer,
    };
    let answers: Vec<Inline> = item.key.iter().map(|answer| option_text(texts, item.kind, answer)).collect();
    (!answers.is_empty()).then(|| Inline::filled(text, "answers", &Inline::joined(&answers)))
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
    use crate::answers::OpenGrade;
    use crate::language::Language;

    fn item(kind: ItemKind, options: &[String], key: &[String]) -> Item {
        Item {
            id: "a".into(),
            kind,
            title: String::new(),
            question: "?".into(),
            language: "en".into(),
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
        let judged = item.judge(answers, &OpenGrades::default());
        Question::new(Texts::of(&Language::of("en")), item, 1, Some(&judged));
    }

    #[test]
    fn of_a_repeated_field_only_what_a_form_could_send_is_looked_at() {
        let repeated = answers(std::iter::repeat_n("x", 95_000));
        let given =
            |kind, options: &[String]| item(kind, options, &[]).judge(&repeated, &OpenGrades::default()).given.len();
        assert_eq!(given(ItemKind::Blank, &[]), 1);
        assert_eq!(given(ItemKind::OpenEnded, &[]), 1);
        assert_eq!(given(ItemKind::Select, &texts(4)), 4);
        assert_eq!(given(ItemKind::TrueFalse, &texts(2)), 2);
        let blank = item(ItemKind::Blank, &[], &["b".to_owned()]);
        let verdict = |given: [&str; 2]| blank.judge(&answers(given), &OpenGrades::default()).mark.verdict;
        assert_eq!(verdict(["b", "a"]), Verdict::Right);
        assert_eq!(verdict(["a", "b"]), Verdict::Wrong, "one text, one try");
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
            item(kind, &[], &[key]).judge(&answers([text]), &OpenGrades::default()).mark.verdict
        };
        assert_eq!(judged(ItemKind::Blank, &"é".repeat(LONGEST_LINE)), Verdict::Right);
        assert_eq!(judged(ItemKind::Blank, &"é".repeat(LONGEST_LINE + 1)), Verdict::Unanswered);
        assert_eq!(judged(ItemKind::Blank, &format!("i{}", "\u{307}".repeat(1 << 19))), Verdict::Unanswered);
        let lines = "a\r\n".repeat(LONGEST_TEXT / 2);
        let free = item(ItemKind::OpenEnded, &[], &[]);
        let grades = OpenGrades::default();
        assert_eq!(free.judge(&answers([lines.as_str()]), &grades).given, [lines.as_str()]);
        assert!(free.judge(&answers([format!("{lines}a").as_str()]), &grades).given.is_empty());
    }

    #[test]
    fn a_form_that_checks_one_item_shows_no_other_key() {
        let named = |id: &str, key: &str| Item { id: id.into(), ..item(ItemKind::Blank, &[], &[key.to_owned()]) };
        let items = [named("a", "alpha"), named("b", "beta")];
        let fields = [("answer-a", "x"), ("answer-b", "y"), ("check", "b")];
        let form = AnswerForm::from_fields(fields.map(|(name, value)| (name.into(), value.into())).into());
        let shown = Question::of_form(Texts::of(&Language::of("en")), &items, &form);
        assert!(shown[0].feedback.is_none() && shown[1].is_wrong());
        assert!(matches!(&shown[0].input, Input::Line { value, .. } if value == "x"), "what was written stays");
        assert!(!format!("{:?}", shown[0]).contains("alpha") && format!("{:?}", shown[1]).contains("beta"));
    }

    #[test]
    fn a_grade_belongs_to_the_question_that_was_asked() {
        let open = Item { points: Some(4.0), ..item(ItemKind::OpenEnded, &[], &["Chlorophyll.".to_owned()]) };
        let grade = OpenGrade { share: 0.5, needs_review: false, feedback: "Half of it.".into() };
        let grades = OpenGrades([(open.grade_name(), grade)].into());
        let given = answers(["Green."]);
        let mark = |item: &Item| item.judge(&given, &grades).mark;
        assert_eq!((mark(&open).verdict, mark(&open).share), (Verdict::Graded, Some(0.5)));
        let changed = Item { question: "Another?".into(), ..open.clone() };
        assert_eq!(mark(&changed).verdict, Verdict::Ungraded);
        let empty = open.judge(&Answers::default(), &grades).mark;
        assert_eq!((empty.verdict, empty.share), (Verdict::Unanswered, Some(0.0)));
        let feedback = feedback(Texts::of(&Language::of("en")), &open, &mark(&open));
        let lines: Vec<String> = feedback.lines.iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["Points: 2 of 4", "Half of it.", "A good answer: <bdi>Chlorophyll.</bdi>"]);
    }
}
