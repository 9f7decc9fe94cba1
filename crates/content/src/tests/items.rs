//! Reads a test's items: every fault at once, each with its path.

use edge::body::{Body, Check, number, one_of, text};
use kernel::ambient::Ambient;
use kernel::id::ItemId;

use super::TestItem;
use crate::questions::{Form, answers, identified, in_order, item_id, make_sense, options_of, question, sequence};

/// The most items of a test.
pub(crate) const MOST_ITEMS: usize = 500;
/// The longest explanation, in characters.
const LONGEST_EXPLANATION: usize = 5_000;
/// The most points of an item.
const MOST_POINTS: f64 = 10_000.0;
/// The points of an item when nobody says.
const DEFAULT_SCORE: f64 = 1.0;

pub(super) const TYPES: &[(&str, (&str, Form))] = &[
    ("select", ("select", Form::Select)),
    ("blank", ("blank", Form::Blank)),
    ("open-ended", ("open-ended", Form::Free)),
    ("true-false", ("true-false", Form::TrueFalse)),
    ("submission", ("submission", Form::Free)),
];

edge::documented_words! {
    /// How a test item is answered.
    pub(crate) TestItemType = TYPES
}

/// An item that a caller gives a test (content-api section 4).
#[derive(Body)]
pub(crate) struct TestItemRequest {
    /// Unique within the test, at most 100 characters; made when it is absent.
    #[field(item_id())]
    id: Option<String>,
    /// Its place among the others, given with all of them or with none; without it, the array tells the order.
    #[field(sequence())]
    sequence: Option<i64>,
    /// What is asked.
    #[field(question(), example = "Which part of the cell keeps the DNA?")]
    question: String,
    /// `select`, `blank`, `open-ended`, `true-false` or `submission`.
    #[field(one_of(TYPES).shown_as::<TestItemType>(), name = "type")]
    kind: (&'static str, Form),
    /// At least two for `select`; `True` and `False` for `true-false` when they are absent; words to choose from for
    /// `blank`; none for the others.
    #[field(answers(0), default, example = ["The nucleus", "The membrane"])]
    options: Vec<String>,
    /// Options that are right (one for `true-false`), accepted texts of a `blank`, or model answers.
    #[field(answers(0), default, example = ["The nucleus"], rule = make_sense(kind, options, correct_answers))]
    correct_answers: Vec<String>,
    /// Why the key is right.
    #[field(text(0..=LONGEST_EXPLANATION), default)]
    explanation: String,
    /// Points: 0 to 10000; 1 when they are absent.
    #[field(number(0.0..=MOST_POINTS), default = DEFAULT_SCORE, example = 2)]
    pub(super) score: f64,
}

/// An array of items.
pub(super) fn items() -> impl Check<Value = Vec<TestItemRequest>> {
    identified(MOST_ITEMS)
}

/// The items that a caller gave, in order. Ids are made where they are absent; sequences are numbered from 1 where they are
/// absent.
pub(super) fn test_items(given: &[TestItemRequest], ambient: &Ambient) -> Vec<TestItem> {
    let items = in_order(given, |item| item.sequence).map(|(sequence, given)| {
        let (kind, form) = given.kind;
        TestItem {
            id: given.id.clone().unwrap_or_else(|| ambient.id::<ItemId>().to_string()),
            sequence,
            question: given.question.clone(),
            kind: kind.to_owned(),
            options: options_of(form, &given.options, &given.correct_answers).into_owned(),
            correct_answers: given.correct_answers.clone(),
            explanation: given.explanation.clone(),
            score: given.score,
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

    fn judge(given: &Value) -> Result<Vec<TestItem>, Vec<(String, String)>> {
        let (ambient, _) = Ambient::fixed(Timestamp::from_millis(0), 1);
        let read = JsonBody::of(json!({ "items": given })).read_fields(|fields| fields.required("items", items()));
        read.map(|items| test_items(&items, &ambient)).map_err(|problem| match problem {
            Problem::Invalid(details) => details.into_iter().map(|detail| (detail.path, detail.message)).collect(),
            other => panic!("{other}"),
        })
    }

    fn faults(given: &Value) -> Vec<String> {
        judge(given).map_or_else(|faults| faults.into_iter().map(|(path, _)| path).collect(), |_| Vec::new())
    }

    fn item(kind: &str, options: &[&str], answers: &[&str]) -> Value {
        json!({ "question": "Which?", "type": kind, "options": options, "correctAnswers": answers })
    }

    fn with(mut item: Value, field: &str, value: Value) -> Value {
        item[field] = value;
        item
    }

    #[test]
    fn what_is_absent_is_made() {
        let items = judge(&json!([
            { "question": "Alive?", "type": "true-false", "correctAnswers": ["false"] },
            { "question": "Why?", "type": "open-ended" },
            { "question": "Draw a cell.", "type": "submission", "options": null, "explanation": null, "score": null },
        ]));
        let items = items.unwrap();
        assert_eq!(items.iter().map(|item| item.sequence).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(items.iter().all(|item| item.id.parse::<ItemId>().is_ok() && item.explanation.is_empty()));
        assert!(items.iter().all(|item| item.score.to_bits() == 1.0_f64.to_bits()));
        assert_eq!(
            (items[0].options.join(" "), items[0].correct_answers.join(" ")),
            ("true false".into(), "false".into())
        );
        assert!(items[1..].iter().all(|item| item.options.is_empty() && item.correct_answers.is_empty()));
    }

    #[test]
    fn a_key_must_make_sense_for_its_type() {
        for (sound, senseless, fault) in [
            (item("select", &["a", "b"], &["b"]), item("select", &["a"], &["a"]), "items[0].options"),
            (item("select", &["a", "b"], &["a", "b"]), item("select", &["a", "b"], &[]), "items[0].correctAnswers"),
            (item("select", &["a", "b"], &["a"]), item("select", &["a", "b"], &["a "]), "items[0].correctAnswers[0]"),
            (item("select", &["a", "b"], &["a"]), item("select", &["a", "b", " a"], &["b"]), "items[0].options[2]"),
            (item("true-false", &["Yes", "No"], &["No"]), item("true-false", &["Yes"], &["Yes"]), "items[0].options"),
            (item("true-false", &[], &["True"]), item("true-false", &[], &["Maybe"]), "items[0].correctAnswers[0]"),
            (
                item("true-false", &[], &["TRUE"]),
                item("true-false", &[], &["True", "False"]),
                "items[0].correctAnswers",
            ),
            (item("blank", &[], &["cell"]), item("blank", &[], &[]), "items[0].correctAnswers"),
            (
                item("blank", &["cell", "stone"], &["cell"]),
                item("blank", &[], &["x", "x"]),
                "items[0].correctAnswers[1]",
            ),
            (item("open-ended", &[], &["A model."]), item("open-ended", &["a"], &[]), "items[0].options"),
            (item("submission", &[], &[]), item("submission", &["a", "b"], &["a"]), "items[0].options"),
        ] {
            assert_eq!(faults(&json!([sound])), Vec::<String>::new(), "{sound}");
            assert_eq!(faults(&json!([senseless])), [fault], "{senseless}");
        }
    }

    #[test]
    fn a_score_is_not_negative_and_has_an_end() {
        let scored = |score: Value| faults(&json!([with(item("open-ended", &[], &[]), "score", score)]));
        for sound in [json!(0), json!(1), json!(0.25), json!(10_000), json!(1e-300)] {
            assert_eq!(scored(sound.clone()), Vec::<String>::new(), "{sound}");
        }
        for wrong in [json!(-0.1), json!(-1), json!(10_000.5), json!(1e308), json!("1"), json!(true), json!([1])] {
            assert_eq!(scored(wrong.clone()), ["items[0].score"], "{wrong}");
        }
    }

    #[test]
    fn every_fault_of_every_item_is_named_at_once() {
        let found = faults(&json!([
            { "id": 1, "sequence": -1, "question": "", "type": "choice", "options": "a", "correctAnswers": [1], "explanation": 2, "score": -1 },
            7,
            { "type": "select", "options": ["a", "a"], "correctAnswers": ["b", "b"] },
        ]));
        let expected = [
            "items[0].id",
            "items[0].sequence",
            "items[0].question",
            "items[0].type",
            "items[0].options",
            "items[0].correctAnswers[0]",
            "items[0].explanation",
            "items[0].score",
            "items[1]",
            "items[2].question",
            "items[2].options[1]",
            "items[2].correctAnswers[0]",
            "items[2].correctAnswers[1]",
            "items[2].correctAnswers[1]",
            "items[2].sequence",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn sequences_tell_the_order_and_identities_are_unique() {
        let item = || item("open-ended", &[], &[]);
        let turned = json!([
            with(with(item(), "sequence", json!(9)), "id", json!("b")),
            with(with(item(), "sequence", json!(4)), "id", json!("a"))
        ]);
        let items: Vec<_> = judge(&turned).unwrap().into_iter().map(|item| (item.sequence, item.id)).collect();
        assert_eq!(items, [(4, "a".to_owned()), (9, "b".to_owned())]);
        for (field, value) in [("id", json!("a")), ("sequence", json!(1))] {
            let twice = json!([with(item(), field, value.clone()), with(item(), field, value)]);
            assert_eq!(faults(&twice), [format!("items[1].{field}")]);
        }
        assert_eq!(faults(&json!([with(item(), "sequence", json!(1)), item()])), ["items[1].sequence"]);
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "[a-zA-Z <>]{0,6}".prop_map(Value::from),
            prop::sample::select(vec!["select", "blank", "open-ended", "true-false", "submission"])
                .prop_map(Value::from),
        ];
        leaf.prop_recursive(2, 12, 4, |inner| prop::collection::vec(inner, 0..4).prop_map(Value::from))
    }

    proptest! {
        #[test]
        fn whatever_is_given_is_read_whole_or_refused_by_path(
            given in prop::collection::vec(prop::collection::btree_map(
                prop::sample::select(vec!["id", "sequence", "question", "type", "options", "correctAnswers", "explanation", "score"]),
                any_json(), 2..9,
            ), 0..5),
        ) {
            let given = json!(given);
            match judge(&given) {
                Err(faults) => prop_assert!(!faults.is_empty() && faults.iter().all(|(path, _)| path.starts_with("items"))),
                Ok(items) => {
                    prop_assert_eq!(items.len(), given.as_array().unwrap().len());
                    prop_assert!(items.is_sorted_by(|one, next| one.sequence < next.sequence));
                    prop_assert!(items.iter().all(|item| item.score >= 0.0));
                    prop_assert_eq!(judge(&json!(items)).unwrap().len(), items.len());
                }
            }
        }
    }
}
