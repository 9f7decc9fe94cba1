//! Reads a module's quiz items: every fault at once, each with its path.

use edge::body::{Body, Check, one_of, text};
use kernel::ambient::Ambient;
use kernel::id::ItemId;

use super::ModuleQuizItem;
use crate::questions::{Form, answers, identified, in_order, item_id, make_sense, options_of, question, sequence};
use crate::resources::fields::LONGEST_TITLE;

/// The most quiz items of a module.
pub(crate) const MOST_ITEMS: usize = 200;

pub(super) const TYPES: &[(&str, (&str, Form))] = &[
    ("select", ("select", Form::Select)),
    ("blank", ("blank", Form::Blank)),
    ("true-false", ("true-false", Form::TrueFalse)),
];

edge::documented_words! {
    /// How a quiz item is answered.
    pub(crate) ModuleQuizItemType = TYPES
}

/// A quiz item that a caller gives a module (content-api section 4).
#[derive(Body)]
pub(crate) struct ModuleQuizItemRequest {
    /// Unique within the module, at most 100 characters; made when it is absent.
    #[field(item_id())]
    id: Option<String>,
    /// Its place among the others, given with all of them or with none; without it, the array tells the order.
    #[field(sequence())]
    sequence: Option<i64>,
    /// What it belongs to; empty when it is absent.
    #[field(text(0..=LONGEST_TITLE), default)]
    title: String,
    /// What is asked.
    #[field(question(), example = "Which part of the cell keeps the DNA?")]
    pub(crate) question: String,
    /// `select`, `blank` or `true-false`.
    #[field(one_of(TYPES).shown_as::<ModuleQuizItemType>(), name = "type")]
    kind: (&'static str, Form),
    /// At least two for `select`; `True` and `False` for `true-false` when they are absent; words to choose from for
    /// `blank`.
    #[field(answers(0), default, example = ["The nucleus", "The membrane"])]
    options: Vec<String>,
    /// At least one: options that are right (one for `true-false`), or accepted texts of a `blank`.
    #[field(
        answers(0).shown_like(answers(1)), default, required, example = ["The nucleus"],
        rule = make_sense(kind, options, correct_answers)
    )]
    correct_answers: Vec<String>,
    /// Whether the learner is told at once; true when it is absent.
    #[field(default = true)]
    show_feedback: bool,
}

/// An array of quiz items.
pub(super) fn quizzes() -> impl Check<Value = Vec<ModuleQuizItemRequest>> {
    identified(MOST_ITEMS)
}

/// The quiz items that a caller gave, in order. Ids are made where they are absent; sequences are numbered from 1 where they
/// are absent.
pub(super) fn quiz_items(given: &[ModuleQuizItemRequest], ambient: &Ambient) -> Vec<ModuleQuizItem> {
    let items = in_order(given, |item| item.sequence).map(|(sequence, given)| {
        let (kind, form) = given.kind;
        ModuleQuizItem {
            id: given.id.clone().unwrap_or_else(|| ambient.id::<ItemId>().to_string()),
            sequence,
            title: given.title.clone(),
            question: given.question.clone(),
            kind: kind.to_owned(),
            options: options_of(form, &given.options, &given.correct_answers).into_owned(),
            correct_answers: given.correct_answers.clone(),
            show_feedback: given.show_feedback,
        }
    });
    items.collect()
}

#[cfg(test)]
mod tests {
    use edge::body::JsonBody;
    use edge::problem::Problem;
    use kernel::time::Timestamp;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn judge(items: &Value) -> Result<Vec<ModuleQuizItem>, Vec<(String, String)>> {
        let (ambient, _) = Ambient::fixed(Timestamp::from_millis(0), 1);
        let read = JsonBody::of(json!({ "quizzes": items })).read_fields(|f| f.required("quizzes", quizzes()));
        read.map(|items| quiz_items(&items, &ambient)).map_err(|problem| match problem {
            Problem::Invalid(details) => details.into_iter().map(|detail| (detail.path, detail.message)).collect(),
            other => panic!("{other}"),
        })
    }

    fn faults(items: &Value) -> Vec<String> {
        judge(items).map_or_else(|faults| faults.into_iter().map(|(path, _)| path).collect(), |_| Vec::new())
    }

    fn select() -> Value {
        json!({ "question": "Which?", "type": "select", "options": ["a", "b"], "correctAnswers": ["a"] })
    }

    fn with(mut item: Value, field: &str, value: Value) -> Value {
        item[field] = value;
        item
    }

    #[test]
    fn what_is_absent_is_made() {
        let items = judge(&json!([
            select(),
            { "question": "Alive?", "type": "true-false", "correctAnswers": ["true"] },
            { "question": "A ___ is alive.", "type": "blank", "correctAnswers": ["cell", "Cell"] },
        ]));
        let items = items.unwrap();
        assert_eq!(items.iter().map(|item| item.sequence).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(
            items.iter().all(|item| item.id.parse::<ItemId>().is_ok() && item.show_feedback && item.title.is_empty())
        );
        assert_eq!(
            (&items[1].options[..], &items[1].correct_answers[..]),
            (&["true".to_owned(), "false".to_owned()][..], &["true".to_owned()][..])
        );
        assert!(items[2].options.is_empty());
        assert!(judge(&json!([])).unwrap().is_empty());
    }

    #[test]
    fn sequences_tell_the_order_and_stay_as_they_are() {
        let item = |id: &str, sequence: i64| with(with(select(), "id", json!(id)), "sequence", json!(sequence));
        let items = judge(&json!([item("c", 900), item("a", 0), item("b", 7)])).unwrap();
        let placed: Vec<_> = items.iter().map(|item| (item.id.as_str(), item.sequence)).collect();
        assert_eq!(placed, [("a", 0), ("b", 7), ("c", 900)]);
    }

    #[test]
    fn ids_and_sequences_are_each_there_once() {
        let item = |id: &str, sequence: Value| with(with(select(), "id", json!(id)), "sequence", sequence);
        assert_eq!(faults(&json!([item("a", json!(1)), item("a", json!(2))])), ["quizzes[1].id"]);
        assert_eq!(faults(&json!([item("a", json!(1)), item("b", json!(1.0))])), ["quizzes[1].sequence"]);
        assert_eq!(
            faults(&json!([item("a", json!(null)), item("b", json!(1)), select()])),
            ["quizzes[0].sequence", "quizzes[2].sequence"]
        );
        assert!(faults(&json!([item("a", json!(null)), item("b", json!(null))])).is_empty());
        for wrong in [json!(-1), json!(1.5), json!("1"), json!(1e300)] {
            assert_eq!(faults(&json!([item("a", wrong)])), ["quizzes[0].sequence"]);
        }
    }

    #[test]
    fn keys_are_options_and_there_is_at_least_one() {
        let cases = [
            (
                with(select(), "correctAnswers", json!(["a", "c", "b "])),
                vec!["quizzes[0].correctAnswers[1]", "quizzes[0].correctAnswers[2]"],
            ),
            (with(select(), "correctAnswers", json!([])), vec!["quizzes[0].correctAnswers"]),
            (with(select(), "correctAnswers", json!(null)), vec!["quizzes[0].correctAnswers"]),
            (with(select(), "correctAnswers", json!(["a", "a"])), vec!["quizzes[0].correctAnswers[1]"]),
            (with(select(), "options", json!(["a"])), vec!["quizzes[0].options"]),
            (with(select(), "options", json!([])), vec!["quizzes[0].options", "quizzes[0].correctAnswers[0]"]),
            (with(select(), "options", json!(["a", "b", " a  "])), vec!["quizzes[0].options[2]"]),
            (with(select(), "options", json!(["a", ""])), vec!["quizzes[0].options[1]"]),
            (with(select(), "options", json!("a")), vec!["quizzes[0].options"]),
            (
                with(with(select(), "type", json!("true-false")), "correctAnswers", json!(["a", "b"])),
                vec!["quizzes[0].correctAnswers"],
            ),
            (
                with(with(select(), "type", json!("true-false")), "options", json!(["a", "b", "c"])),
                vec!["quizzes[0].options"],
            ),
            (
                json!({ "question": "?", "type": "true-false", "correctAnswers": ["Maybe"] }),
                vec!["quizzes[0].correctAnswers[0]"],
            ),
            (json!({ "question": "?", "type": "blank" }), vec!["quizzes[0].correctAnswers"]),
            (
                json!({ "question": "?", "type": "blank", "correctAnswers": ["a", " "] }),
                vec!["quizzes[0].correctAnswers[1]"],
            ),
        ];
        for (item, expected) in cases {
            assert_eq!(faults(&json!([item])), expected, "{item}");
        }
        assert!(faults(&json!([with(select(), "correctAnswers", json!(["b", "a"]))])).is_empty());
        assert!(
            faults(&json!([{ "question": "?", "type": "blank", "options": ["x", "y"], "correctAnswers": ["z"] }]))
                .is_empty()
        );
    }

    #[test]
    fn every_fault_of_every_item_is_named_at_once() {
        let found = judge(&json!([
            select(),
            { "id": "", "sequence": "1", "title": 1, "question": " ", "type": "essay", "options": [1], "correctAnswers": {}, "showFeedback": "no" },
            7,
            { "question": "?", "type": "select", "options": ["a", "b"], "correctAnswers": ["c"], "id": "x" },
            { "id": "x" },
        ]));
        let found = found.unwrap_err();
        let paths: Vec<_> = found.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "quizzes[1].id",
                "quizzes[1].sequence",
                "quizzes[1].title",
                "quizzes[1].question",
                "quizzes[1].type",
                "quizzes[1].options[0]",
                "quizzes[1].correctAnswers",
                "quizzes[1].showFeedback",
                "quizzes[2]",
                "quizzes[3].correctAnswers[0]",
                "quizzes[4].question",
                "quizzes[4].type",
                "quizzes[4].id",
                "quizzes[0].sequence",
                "quizzes[3].sequence",
                "quizzes[4].sequence",
            ]
        );
        assert_eq!(found[4].1, "must be one of select, blank, true-false");
        assert_eq!(faults(&json!({})), ["quizzes"]);
        assert_eq!(faults(&Value::Array(vec![select(); 201])), ["quizzes"]);
    }

    /// Items that make sense but for a field or two.
    fn nearly_right() -> impl Strategy<Value = Value> {
        let blank = json!({ "question": "A ___.", "type": "blank", "correctAnswers": ["cell"] });
        let true_false = json!({ "question": "Alive?", "type": "true-false", "correctAnswers": ["False"] });
        let word =
            prop::sample::select(vec!["select", "blank", "true-false", "a", "b", "c", "", " a"]).prop_map(Value::from);
        let value = prop_oneof![
            4 => prop::collection::vec(word.clone(), 0..4).prop_map(Value::from),
            4 => word,
            1 => Just(Value::Null),
            1 => any::<bool>().prop_map(Value::from),
            1 => (-1_i64..4).prop_map(Value::from),
            1 => any::<f64>().prop_map(Value::from),
        ];
        let names = vec!["id", "sequence", "title", "question", "type", "options", "correctAnswers", "showFeedback"];
        let changes = prop::collection::vec((prop::sample::select(names), value), 0..3);
        let item = (prop::sample::select(vec![select(), blank, true_false]), changes).prop_map(|(item, changes)| {
            changes.into_iter().fold(item, |item, (field, value)| with(item, field, value))
        });
        prop::collection::vec(item, 0..4).prop_map(Value::from)
    }

    proptest! {
        #[test]
        fn what_is_accepted_makes_sense_and_nothing_panics(items in nearly_right()) {
            let read = judge(&items).unwrap_or_default();
            prop_assert!(read.is_sorted_by(|one, next| one.sequence < next.sequence));
            for item in read {
                prop_assert!(!item.correct_answers.is_empty());
                prop_assert!(item.kind == "blank" || item.correct_answers.iter().all(|answer| item.options.contains(answer)));
            }
        }

        #[test]
        fn the_order_is_that_of_the_sequences(sequences in prop::collection::hash_set(1_i64..1000, 0..20)) {
            let given: Vec<_> = sequences.into_iter().collect();
            let items: Vec<_> = given.iter().map(|n| with(with(select(), "id", json!(n.to_string())), "sequence", json!(n))).collect();
            let read = judge(&Value::Array(items)).unwrap();
            let mut sorted = given;
            sorted.sort_unstable();
            let ids: Vec<_> = read.iter().map(|item| item.id.parse::<i64>().unwrap()).collect();
            prop_assert_eq!(ids, sorted);
            prop_assert!(read.iter().all(|item| item.id == item.sequence.to_string()));
        }
    }
}
