//! Whatever JSON a lesson holds, the built-in generator answers with drafts that pass the gate or
//! with `source_empty`; it never panics and never takes long.

use engine::{Builtin, Generator, SourceField, SourceLesson, SourceLevel, builtin};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use testkit::Stopwatch;

const NAMES: [&str; 46] = [
    "content",
    "title",
    "term",
    "definition",
    "question",
    "options",
    "answer",
    "steps",
    "rows",
    "columns",
    "date",
    "event",
    "speaker",
    "line",
    "name",
    "text",
    "vocabulary",
    "url",
    "é",
    "词",
    "a/b~c",
    "",
    "x y",
    "correctIndex",
    "explanation",
    "value",
    "quiz",
    "questions",
    "correct",
    "isCorrect",
    "answers",
    "optionA",
    "optionB",
    "pairs",
    "left",
    "right",
    "type",
    "library",
    "params",
    "problem",
    "solution",
    "code",
    "quote",
    "objectives",
    "homework",
    "teacherNotes",
];
const PIECES: [&str; 47] = [
    "A cell is the smallest unit of life in the body. ",
    "Osmosis is the movement of water through a membrane. ",
    "Plants grow. ",
    "In 1914 the war began in Europe and it lasted four years. ",
    "- item\n",
    "1. first\n2. second\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "# Head\n",
    "**bold** ",
    "_",
    "*",
    "`",
    "```\n",
    "$x^2$ ",
    "\\frac{1}{2}",
    "<p>",
    "</p>",
    "<b>x</b>",
    "<script>alert(1)</script>",
    "<!--",
    "<table><tr><td>1</td></tr></table>",
    "<ul><li>x",
    "&amp;",
    "&#",
    "\u{202E}",
    "\u{0}",
    "\u{7}",
    "\u{FEFF}",
    "光合作用是植物利用光能的过程。",
    "光合成とは、植物のはたらきである。",
    "الخلية هي أصغر وحدة حية في الجسم. ",
    "फल ",
    "👩‍🔬",
    "\"",
    "'",
    "{terms}",
    "____",
    "https://example.org/x?y=z ",
    "Anna: Hi!\nBen: Hello.\nAnna: Bye.\n",
    "\n\n",
    "{=a ~b}",
    "{1:MC:=a~b}",
    "Which one?\nA) x\nB) y\nAnswer: B\n",
    "Example: 2x = 4. Solution: x = 2.",
    "H5P.Blanks 1",
    "> said\n> — Ann\n",
    "![水\n水](https://example.org/x.png)",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::collection::vec(prop::sample::select(&PIECES[..]), 0..8).prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
        1 => Just(String::new()),
    ]
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from)
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((name(), inner.clone()), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
            // Records of one form: what tables, glossaries and quizzes look like.
            (prop::collection::vec(name(), 1..5), prop::collection::vec(prop::collection::vec(inner, 5), 1..5))
                .prop_map(|(names, rows)| {
                    rows.into_iter().map(|row| Value::Object(names.iter().cloned().zip(row).collect())).collect()
                }),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![6 => prop::sample::select(&NAMES[..]).prop_map(str::to_owned), 1 => any::<String>()]
}

fn level() -> impl Strategy<Value = SourceLevel> {
    let language = prop_oneof![
        prop::sample::select(&["en", "de", "es", "fr", "ja", "zh-Hans", "ar", "hi", "ru", "ko", "tr", "sw", ""][..])
            .prop_map(str::to_owned),
        any::<String>()
    ];
    let fields = prop::collection::vec((name(), json_value()), 0..6);
    let lesson = (prop::option::of(text()), prop::sample::select(&["content", "quiz", "lab", "<x>"][..]), fields);
    (language, text(), prop::option::of(text()), prop::collection::vec(lesson, 0..5)).prop_map(
        |(language, category_title, level_title, lessons)| SourceLevel {
            language,
            category_title,
            level_title,
            lessons: lessons
                .into_iter()
                .enumerate()
                .map(|(at, (title, kind, fields))| lesson_of(at, title, kind, fields))
                .collect(),
        },
    )
}

fn lesson_of(at: usize, title: Option<String>, kind: &str, fields: Vec<(String, Value)>) -> SourceLesson {
    let pointer = format!("/level/lessons/{at}");
    let fields = fields
        .into_iter()
        .map(|(name, value)| SourceField {
            pointer: format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")),
            name,
            value,
        })
        .collect();
    SourceLesson { pointer, title, kind: kind.to_owned(), fields }
}

fn of_value(value: Value) -> SourceLevel {
    SourceLevel {
        language: "en".to_owned(),
        category_title: "C".to_owned(),
        level_title: None,
        lessons: vec![lesson_of(0, Some("T".to_owned()), "content", vec![("content".to_owned(), value)])],
    }
}

fn fine<T>(result: Result<T, engine::GenerationError>) -> Result<(), TestCaseError> {
    if let Err(error) = result {
        prop_assert_eq!(error.code, "source_empty", "{}", error);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_lesson_gives_sound_drafts_or_is_empty(level in level()) {
        fine(builtin::module(&level))?;
        fine(builtin::video(&level))?;
        fine(builtin::quiz(&level))?;
    }
}

/// Sentences of a lesson, some with what is hard to say.
const SENTENCES: [&str; 12] = [
    "Osmosis is the movement of water through a thin membrane. ",
    "Plants, however, need light as well as water. ",
    "It takes place in every living cell of the plant. ",
    "The area of a circle is $A = \\pi r^2$ in every case. ",
    "A car that drives 50 km/h needs 20 m to stop. ",
    "C# and C++ are languages for programs # of many kinds. ",
    "If a > 0 and b < 5, the graph opens upwards. ",
    "The ticket costs $5.50, and 20% of it is tax. ",
    "In 1492 three ships sailed to the west, e.g. the Santa Maria. ",
    "Use `x == y` to compare, and \\frac{1}{2} for a half. ",
    "The heart pumps blood through the arteries of the body. ",
    "Dr. Smith measured 3–5 g of salt at 20 °C. ",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_script_can_be_spoken_and_is_a_third_of_a_longer_source(
        lessons in prop::collection::vec(prop::collection::vec(prop::sample::select(&SENTENCES[..]), 14..40), 1..5),
    ) {
        let lesson_of_text = |(at, text): (usize, &Vec<&str>)| {
            lesson_of(at, Some(format!("Lesson {at}")), "content", vec![("content".to_owned(), json!(text.concat()))])
        };
        let source = lessons.iter().map(|text| text.concat()).collect::<Vec<_>>().join(" ");
        let level = SourceLevel { lessons: lessons.iter().enumerate().map(lesson_of_text).collect(), ..of_value(json!("")) };
        let video = builtin::video(&level).unwrap();
        let spoken: Vec<&str> = video.scenes.iter().map(|scene| scene.script.as_str()).collect();
        let spoken = spoken.join(" ");
        prop_assert!(!spoken.contains(['$', '\\', '#', '<', '>', '=']), "{}", spoken);
        let count = |text: &str| text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
        prop_assert!(count(&spoken) * 3 <= count(&source), "{} of {}", count(&spoken), count(&source));
    }
}

#[test]
fn no_sentence_is_told_that_leans_on_one_that_is_left_out() {
    let told =
        "The heart pumps blood through the arteries of the body. Veins carry the blood back to the heart again. ";
    let text = format!(
        "{}Is water enough? Plants, however, need light as well as water. {}They are red. ",
        told,
        told.repeat(6)
    );
    let script: String =
        builtin::video(&of_value(json!(text))).unwrap().scenes.into_iter().map(|scene| scene.script).collect();
    assert!(
        script.contains("The heart pumps") && !script.contains("however") && !script.contains("They are"),
        "{script}"
    );
}

#[test]
fn nothing_to_teach_is_an_error_of_its_own() {
    for value in
        [json!(null), json!(""), json!("  \n\u{200B}"), json!([]), json!({}), json!([null, ["", {}]]), json!("...")]
    {
        let mut level = of_value(value.clone());
        level.lessons[0].title = None;
        for code in [builtin::module(&level).err(), builtin::video(&level).err(), builtin::quiz(&level).err()] {
            assert_eq!(code.map(|error| (error.code, error.retryable)), Some(("source_empty", false)), "{value}");
        }
    }
    let none = SourceLevel { lessons: Vec::new(), ..of_value(json!("x")) };
    assert_eq!(builtin::module(&none).unwrap_err().code, "source_empty");
}

#[test]
fn little_is_enough() {
    for value in [json!("Hi"), json!(7), json!(true), json!("水"), json!(["a"]), json!({"x": 1.5})] {
        let level = of_value(value.clone());
        assert!(builtin::module(&level).is_ok() && builtin::video(&level).is_ok(), "{value}");
        assert!(builtin::quiz(&level).is_ok(), "{value}: {:?}", builtin::quiz(&level));
    }
}

#[test]
fn a_name_that_begins_with_signs_leaves_a_title() {
    let endless = "osm".repeat(80);
    for name in [format!("& {endless}osis."), format!("{} {endless}", "! ".repeat(20)), "!".repeat(300) + "osmosis"] {
        let mut level = of_value(json!(format!("{name} is the movement of water through a membrane.")));
        level.category_title.clear();
        for title in [None, Some(name)] {
            level.lessons[0].title = title;
            assert!(builtin::module(&level).unwrap().title.contains(char::is_alphabetic));
            builtin::video(&level).unwrap();
            builtin::quiz(&level).unwrap();
        }
    }
}

#[test]
fn hostile_text_stays_text() {
    let hostile =
        "<img src=x onerror=alert(1)> \"><script>alert(1)</script> javascript:alert(1) ' onload='x \u{202E}\u{0}";
    let mut level = of_value(json!({ hostile: hostile, "list": [hostile, {"term": hostile, "definition": hostile}] }));
    level.lessons[0].title = Some(hostile.to_owned());
    hostile.clone_into(&mut level.language);
    hostile.clone_into(&mut level.category_title);
    let module = builtin::module(&level).unwrap();
    assert!(
        !module.content_html.contains("<img") && !module.content_html.contains("<script"),
        "{}",
        module.content_html
    );
    assert!(!module.content_html.contains(['\u{202E}', '\u{0}']));
    builtin::video(&level).unwrap();
    builtin::quiz(&level).unwrap();
}

#[test]
fn the_trait_answers_like_the_functions() {
    let level = of_value(json!("Osmosis is the movement of water through a membrane."));
    let generator: &dyn Generator = &Builtin;
    let drafts =
        futures_util::FutureExt::now_or_never(generator.module(&level, &engine::BareBench::default())).unwrap();
    assert_eq!(drafts, builtin::module(&level));
}

#[test]
fn an_unknown_language_falls_back_and_says_so() {
    let level = SourceLevel {
        language: "sw-KE".to_owned(),
        ..of_value(json!("Seli ni sehemu ndogo zaidi ya uhai katika mwili. Damu hubeba hewa mwilini."))
    };
    let module = builtin::module(&level).unwrap();
    assert!(module.language == "sw-KE" && module.content_html.contains("lang=\"sw-KE\""));
    assert!(module.description.contains("English") && module.content_html.contains("Objectives"));
}

/// The drafts of each source, made within a limit for debug builds. Linear work stays far below it;
/// quadratic work does not.
fn takes_little_time(sources: Vec<(String, Value)>, limit_seconds: f64) {
    for (name, value) in sources {
        let level = of_value(value);
        let watch = Stopwatch::start();
        let results = [builtin::module(&level).err(), builtin::video(&level).err(), builtin::quiz(&level).err()];
        let taken = watch.seconds();
        assert!(results.iter().flatten().all(|error| error.code == "source_empty"), "{name}: {results:?}");
        assert!(taken < limit_seconds, "{name}: {taken} s");
    }
}

#[test]
fn a_mebibyte_takes_little_time() {
    let prose = "A cell is the smallest unit of life in the body. In 1665 Robert Hooke described cells. ";
    let repeated = |piece: &&str| ((*piece).to_owned(), json!(piece.repeat((1 << 20) / piece.len())));
    let mut sources: Vec<(String, Value)> =
        [prose, "光合作用是植物利用光能的过程。", "<p>x</p>", "\n- "].iter().map(repeated).collect();
    sources.push(("records".to_owned(), json!(vec![json!({"term": "t", "definition": "d"}); 1 << 15])));
    takes_little_time(sources, 20.0);
}

#[test]
fn no_text_takes_more_than_linear_time() {
    let size = 1 << 16;
    let single = [
        "a", "a ", "A ", "<", "</", "<a ", "<!", "<script ", "<script>", "[", "![", "](", "**a ", "*a", "__", "&",
        "1.", "1 ", "x: ", "\n ", ":", "水", "<ul>", "<td>", "\\frac{", "$", "| ", "\n- ",
    ];
    let pieces = PIECES.iter().filter(|piece| !piece.trim().is_empty()).chain(&single);
    let mut sources: Vec<(String, Value)> =
        pieces.map(|piece| ((*piece).to_owned(), json!(piece.repeat(size / piece.len())))).collect();
    sources.push(("numbers".to_owned(), json!(vec![1; size / 2])));
    sources.push(("strings".to_owned(), json!(vec!["a"; size / 4])));
    sources.push(("table".to_owned(), json!(vec![json!({"a": 1, "b": 2}); size / 14])));
    sources.push(("long key".to_owned(), json!({ "k".repeat(size): vec![json!({"x": [1]}); 2_000] })));
    let keys = (0..4_000).map(|at| (format!("key{at}"), json!(at)));
    sources.push(("keys".to_owned(), json!(keys.collect::<Map<_, _>>())));
    takes_little_time(sources, 5.0);
}
