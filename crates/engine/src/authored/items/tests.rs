use super::super::sources::{Sources, Wish};
use super::*;

const MATERIAL: &str = "Paris is the capital of France, and Rome is the capital of Italy. The Seine flows through Paris. It is \
    777 kilometres long. The Tiber flows through Rome. Both rivers carry water to the sea, and both towns grew at their \
    rivers. People crossed the water on wooden bridges, and later on bridges of stone. Ships brought salt, wine and corn to \
    the markets of the towns. In winter the rivers were high, and the low streets stood under water for some days. Then the \
    people moved to the upper floors and waited. Today walls of stone keep the water out of the streets. The bridges are \
    still there, and many visitors cross them every day of the year without a thought of the water that is below them.";

fn item(kind: QuizItemKind, question: &str, options: &[&str], keys: &[&str], explanation: &str) -> Item {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Item {
        kind,
        question: question.into(),
        options: owned(options),
        correct_answers: owned(keys),
        explanation: explanation.into(),
        excerpts: vec![1],
    }
}

fn capital() -> Item {
    let options = ["Paris", "Rome", "Seine", "Tiber"];
    item(
        QuizItemKind::Select,
        "What is the capital of France?",
        &options,
        &["Paris"],
        "Paris is the capital of France.",
    )
}

fn faults(item: &Item) -> Vec<String> {
    use QuizItemKind::{Blank, OpenEnded, Select, TrueFalse};
    let wishes = [Wish { pointer: "/topicPrompt", text: MATERIAL }];
    let sources = Sources::of_request("en", "", &wishes, &[]).unwrap();
    let bar = Bar { ground: &Ground::of(&sources), given: &[0], kinds: &[Select, TrueFalse, Blank, OpenEnded] };
    item.faults(&bar)
}

#[test]
fn a_sound_question_of_each_type_has_no_faults() {
    for sound in [
        capital(),
        item(
            QuizItemKind::TrueFalse,
            "The Seine is 999 kilometres long.",
            &["True", "False"],
            &["False"],
            "False: it is 777 kilometres long.",
        ),
        item(QuizItemKind::Blank, "The ____ flows through Rome.", &[], &["Tiber"], "The Tiber flows through Rome."),
        item(QuizItemKind::OpenEnded, "Why did towns grow at rivers?", &[], &["Ships brought corn."], "Ships came."),
    ] {
        assert_eq!(faults(&sound), [""; 0], "{sound:?}");
    }
}

#[test]
fn keys_are_written_as_their_options_are() {
    for (key, options) in [
        (" Paris ", ["Paris", "Rome", "Seine"]),
        ("paris.", ["Paris", "Rome", "Seine"]),
        ("A", ["Paris", "Rome", "Seine"]),
        ("A) Paris", ["Paris", "Rome", "Seine"]),
        ("A) Paris", ["A) Paris", "B) Rome", "C) Seine"]),
        ("Paris", ["(a) Paris", "(b) Rome", "(c) Seine"]),
    ] {
        let fitted = item(QuizItemKind::Select, "?", &options, &[key], "").fitted();
        assert_eq!((fitted.options[0].as_str(), fitted.correct_answers), ("Paris", vec!["Paris".to_owned()]), "{key}");
    }
    let twice = item(QuizItemKind::Select, "?", &["Paris", "Rome", "Seine"], &["Paris", " paris"], "").fitted();
    assert_eq!(twice.correct_answers, ["Paris"]);
    let drawn = item(QuizItemKind::Blank, "The _____________ flows.", &[], &["Tiber"], "").fitted();
    assert_eq!(drawn.question, "The ____ flows.");
}

type Change = fn(&mut Item);

#[test]
fn what_makes_a_question_unusable_is_found() {
    let of = |change: Change| {
        let mut item = capital();
        change(&mut item);
        faults(&item.fitted())
    };
    let cases: [(&str, Change); 14] = [
        ("key_not_an_option", |item| item.correct_answers = vec!["London".into()]),
        ("key_missing", |item| item.correct_answers.clear()),
        ("options_alike", |item| item.options[2] = "paris ".into()),
        ("key_is_everything", |item| item.correct_answers.clone_from(&item.options)),
        ("explanation_contradicts_key", |item| item.explanation = "The correct answer is Rome.".into()),
        ("explanation_contradicts_key", |item| item.explanation = "Rome is right. Paris is wrong.".into()),
        ("names a wrong option", |item| item.explanation = "Rome stands at the Tiber.".into()),
        ("by its letter", |item| item.explanation = "Option B is Rome, and so it is Paris.".into()),
        ("is empty", |item| item.excerpts.clear()),
        ("not given", |item| item.excerpts = vec![7]),
        ("the number 1789", |item| item.explanation = "Paris is the capital since 1789.".into()),
        ("the name Berlin", |item| item.question = "What is the capital, if not Berlin?".into()),
        ("holds its own answer", |item| item.question = "Paris is the capital of which land, or what is it?".into()),
        ("longer than", |item| item.question = "What is it? ".repeat(100)),
    ];
    for (fault, change) in cases {
        let found = of(change);
        assert!(found.iter().any(|found| found.contains(fault)), "{fault}: {found:?}");
    }
    let submission = item(QuizItemKind::Submission, "Draw the bridges.", &[], &["A drawing."], "It shows the bridges.");
    assert!(faults(&submission)[0].contains("was not asked for"));
    let gapless =
        item(QuizItemKind::Blank, "Which river flows through Rome?", &[], &["Tiber"], "The Tiber flows there.");
    assert!(faults(&gapless)[0].contains("has a gap"));
}

#[test]
fn questions_that_ask_the_same_are_one() {
    let mut again = capital();
    again.question = "what is the capital of France".into();
    let mut turned = capital();
    turned.question = "Of France, what is the chief capital?".into();
    let other =
        item(QuizItemKind::Select, "What is the capital of Italy?", &["Rome", "Paris", "Po"], &["Rome"], "Rome.");
    let (kept, dropped) = different(vec![capital(), again, turned, other.clone()]);
    assert_eq!((kept.len(), dropped), (2, 2));
    assert_eq!(kept[1], other);
}

#[test]
fn the_right_option_has_no_favourite_place() {
    let mut places = [0; 4];
    for at in 0..200 {
        let question = Item { question: format!("Question number {at}?"), ..capital() };
        let made = question.clone().into_item();
        assert_eq!(made, question.into_item(), "the order depends on the question alone");
        places[made.options.iter().position(|option| option == "Paris").unwrap()] += 1;
    }
    assert!(places.iter().all(|count| *count > 20), "{places:?}");
    let stated = item(QuizItemKind::TrueFalse, "It is.", &["True", "False"], &["True"], "It is.").into_item();
    assert_eq!(stated.options, ["True", "False"]);
}
