//! Arbitrary tests, modules and courses that make sense: what the formats promise to hold.

use interchange::model::{
    CourseContent, Entry, Item, ItemKind, Link, ModuleContent, Passing, QuizItem, QuizKind, TestContent,
};
use proptest::collection::{hash_set, vec};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Any text that XML can hold, with much of what is hard in it.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let hard = "([a-zA-Z<>&\"'ü漢\u{a0}\u{2028}]| |\n|\t|\r|]]>|<!--|&amp;|____|True|\\$\\{x\\}){0,8}";
    prop_oneof![3 => "[A-Za-z ,.?]{0,30}", 2 => hard, 1 => "\\PC{0,12}", 2 => technical()]
}

/// LaTeX that authors write, in its shortest form.
pub(crate) fn latex() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "x^2",
        "\\frac{1}{2}",
        "\\sqrt{x}",
        " + ",
        " = ",
        "a_1",
        "\\le 3",
        "\\alpha ",
        "\\text{if }",
        "(b)",
        " < c",
        "\\& d",
        "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}",
    ]);
    vec(piece, 0..5).prop_map(|pieces| format!("y^2{}", pieces.concat().trim_end()))
}

/// Text with formulas, prices and code.
fn technical() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => latex().prop_map(|latex| format!("${latex}$")),
        1 => latex().prop_map(|latex| format!("$${latex}$$")),
        1 => Just("costs $5 or $7".to_owned()),
        1 => Just("for x in y:\n    print(\"a < b\")".to_owned()),
        2 => "[a-z]{1,6}",
    ];
    vec(piece, 1..5).prop_map(|pieces| pieces.join(" "))
}

/// A text that is not empty.
pub(crate) fn some_text() -> impl Strategy<Value = String> {
    text().prop_map(|text| if text.is_empty() { "x".to_owned() } else { text })
}

/// A language tag, or nothing.
pub(crate) fn language() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), Just("en".to_owned()), Just("pt-BR".to_owned()), Just("ar".to_owned())]
}

/// Points: whole, halves, and odd ones.
pub(crate) fn points() -> impl Strategy<Value = f64> {
    prop_oneof![(0_u32..100).prop_map(f64::from), (0_u32..20).prop_map(|n| f64::from(n) / 2.0), 0.0..1e9]
}

fn distinct(sizes: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Vec<String>> {
    hash_set(text(), sizes).prop_map(|texts| {
        let mut texts: Vec<String> = texts.into_iter().collect();
        texts.sort();
        texts
    })
}

/// Options, and which of them are right.
pub(crate) fn choice(options: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    distinct(options).prop_flat_map(|options| {
        let keys = proptest::sample::subsequence(options.clone(), 0..=options.len());
        (Just(options), keys.prop_shuffle())
    })
}

fn item_kind() -> impl Strategy<Value = (ItemKind, Vec<String>, Vec<String>)> {
    let answers = || distinct(0..=3);
    prop_oneof![
        choice(1..=5).prop_map(|(options, keys)| (ItemKind::Select, options, keys)),
        choice(1..=3).prop_map(|(options, keys)| (ItemKind::TrueFalse, options, keys)),
        Just((ItemKind::TrueFalse, vec!["True".to_owned(), "False".to_owned()], vec!["False".to_owned()])),
        Just((ItemKind::Select, vec!["True".to_owned(), "False".to_owned()], vec!["True".to_owned()])),
        answers().prop_map(|answers| (ItemKind::Blank, Vec::new(), answers)),
        answers().prop_map(|answers| (ItemKind::OpenEnded, Vec::new(), answers)),
        answers().prop_map(|answers| (ItemKind::Submission, Vec::new(), answers)),
    ]
}

fn item() -> impl Strategy<Value = Item> {
    let id = prop_oneof!["[a-z][a-z0-9-]{0,8}", "[0-9a-f]{8}-7000", some_text()];
    (id, text(), item_kind(), text(), points()).prop_map(
        |(id, question, (kind, options, correct_answers), explanation, score)| Item {
            id,
            question,
            kind,
            options,
            correct_answers,
            explanation,
            score,
        },
    )
}

/// A test with items whose ids are distinct.
pub(crate) fn test(items: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = TestContent> {
    let passing = prop_oneof![
        Just(None),
        (0.0..=100.0).prop_map(|value| Some(Passing::Percentage(value))),
        points().prop_map(|value| Some(Passing::Points(value))),
    ];
    let limit = prop_oneof![Just(None), (1_u32..=4 * 527_040).prop_map(|quarters| Some(f64::from(quarters) / 4.0))];
    (text(), text(), language(), text(), text(), limit, passing, vec(item(), items)).prop_map(
        |(title, description, language, subject, level, time_limit_minutes, passing, mut items)| {
            for number in 0..items.len() {
                if items[..number].iter().any(|item| item.id == items[number].id) {
                    items[number].id = format!("{} {number}", items[number].id);
                }
            }
            TestContent { title, description, language, subject, level, time_limit_minutes, passing, items }
        },
    )
}

fn quiz_item() -> impl Strategy<Value = QuizItem> {
    let kind = prop_oneof![
        choice(1..=4).prop_map(|(options, keys)| (QuizKind::Select, options, keys)),
        choice(2..=2).prop_map(|(options, keys)| (QuizKind::TrueFalse, options, keys)),
        distinct(0..=3).prop_map(|answers| (QuizKind::Blank, Vec::new(), answers)),
    ];
    (any_text(), 1_u32..100, any_text(), any_text(), kind, any::<bool>()).prop_map(
        |(id, sequence, title, question, (kind, options, correct_answers), show_feedback)| QuizItem {
            id,
            sequence,
            title,
            question,
            kind,
            options,
            correct_answers,
            show_feedback,
        },
    )
}

/// Any text but NUL, which the API refuses: JSON can hold every other character.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![text(), any::<String>().prop_map(|text| text.replace('\0', ""))]
}

/// Safe HTML in the form that it is stored in.
fn html() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<h2>One</h2>".to_owned()),
        Just("<h3>Two</h3>".to_owned()),
        Just("<ul><li>a</li><li>b</li></ul>".to_owned()),
        Just("<table><tbody><tr><td>1</td></tr></tbody></table>".to_owned()),
        Just("<pre><code>if x:\n    y</code></pre>".to_owned()),
        Just("<pre><code class=\"language-python\">if x:\n    y</code></pre>".to_owned()),
        (latex(), any::<bool>()).prop_map(|(latex, display)| {
            format!("<p>a {}</p>", markup::formulas::mathml(&latex, display).expect("the pieces can be read"))
        }),
        Just("<p><a href=\"https://a.example/b\" rel=\"nofollow noopener noreferrer ugc\">c</a></p>".to_owned()),
        "[a-z ü]{1,12}".prop_map(|text| format!("<p>{}</p>", text.trim())),
        Just("<p>1 &lt; 2 &amp; 3</p>".to_owned()),
        Just("\n".to_owned()),
    ];
    vec(piece, 0..6).prop_map(|pieces| format!("<h2>Start</h2>{}", pieces.concat()))
}

fn metadata() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        any_text().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(Value::from),
        Just(json!({ "z": [1, null], "a": { "externalId": "x" } })),
    ];
    vec((any_text(), value), 0..3).prop_map(|fields| Value::Object(fields.into_iter().collect()).to_string())
}

/// A module whose text is in the safe form.
pub(crate) fn module() -> impl Strategy<Value = ModuleContent> {
    (any_text(), text(), any_text(), language(), html(), vec(quiz_item(), 0..4), metadata()).prop_map(
        |(title, kind, description, language, html, quizzes, metadata)| ModuleContent {
            title,
            kind,
            description,
            language,
            html,
            quizzes,
            metadata,
        },
    )
}

fn link() -> impl Strategy<Value = Link> {
    (text(), "https?://[a-z.]{1,10}/[a-z<&\"']{0,6}").prop_map(|(title, url)| Link { title, url })
}

/// A course with entries of all kinds.
pub(crate) fn course() -> impl Strategy<Value = CourseContent> {
    let entry =
        prop_oneof![module().prop_map(Entry::Module), test(1..=4).prop_map(Entry::Test), link().prop_map(Entry::Link),];
    (text(), text(), text(), language(), vec(entry, 1..6)).prop_map(|(title, description, level, language, entries)| {
        CourseContent { title, description, level, language, entries }
    })
}
