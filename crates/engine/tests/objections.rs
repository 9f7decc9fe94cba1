//! What a teacher objected to in drafts, each with the source that it was seen in.

mod support;

use engine::{OmissionReason, QuizItem, QuizItemKind, SourceLevel, builtin};
use serde_json::{Value, json};

fn level(payload: Value) -> SourceLevel {
    support::level_of(&payload)
}

fn html(level: &SourceLevel) -> String {
    builtin::module(level).expect("a draft").content_html
}

fn items(level: &SourceLevel) -> Vec<QuizItem> {
    builtin::quiz(level).expect("a draft").items
}

fn narration(level: &SourceLevel) -> String {
    builtin::video(level).expect("a draft").scenes.iter().map(|scene| scene.script.clone() + "\n").collect()
}

#[test]
fn an_untitled_lesson_is_headed_by_its_first_sentence() {
    let texts = [
        "Was the revolution necessary? Discuss with your neighbour.",
        "The three estates of the realm paid very different taxes to the king of France every year. Nobody liked it.",
    ];
    let both = level(json!({ "title": "1789", "lessons": texts }));
    let page = html(&both);
    assert!(page.contains("-title\">Was the revolution necessary?</h2>"), "{page}");
    assert!(page.contains("-title\">The three estates of the realm paid very different taxes to…</h2>"), "{page}");
    assert!(!page.contains("“Neighbour”"), "{page}");
    assert!(items(&both).iter().all(|item| !item.question.starts_with("Explain")), "{:#?}", items(&both));

    let only = level(json!({ "title": "The revolution", "lessons": [texts[0]] }));
    assert!(html(&only).contains("-title\">The revolution</h2>"));

    let headed =
        html(&level(json!({ "lessons": ["# Cells\nA cell is the smallest unit of life.", "# Sun\nIt shines."] })));
    assert_eq!(headed.matches(">Cells<").count(), 1, "{headed}");

    let chinese = level(json!({ "language": "zh", "title": "生物", "lessons":
        ["光合作用是绿色植物利用光能把二氧化碳和水变成有机物并且释放出氧气的一个十分重要的过程。它很重要。", "细胞很小。"] }));
    let page = html(&chinese);
    assert!(page.contains("-title\">光合作用是绿色植物利用光能把二氧化碳和水变成有机物并且释放出…</h2>"), "{page}");
    assert!(page.contains("-title\">细胞很小</h2>"), "{page}");
}

/// How often each verdict is right.
fn verdicts(items: impl Iterator<Item = (bool, Vec<String>)>) -> (usize, usize) {
    let keys: Vec<String> = items.filter(|(verdict, _)| *verdict).flat_map(|(_, keys)| keys).collect();
    let holds = keys.iter().filter(|key| *key == "True").count();
    (holds, keys.len() - holds)
}

#[test]
fn neither_verdict_is_right_most_of_the_time() {
    let plain = "The village lies quietly between two steep hills. Farmers often bring their cheese to the market. \
        Most houses there have thick walls of stone. Children usually walk to the small school. \
        Travellers sometimes stay for a night at the inn. The old bridge crosses a narrow river.";
    let dated = "The village was founded in 1204 by monks. In 1655 a fire destroyed the old mill. \
        The bridge was opened in 1789 by the mayor. Trains have stopped here since 1911. \
        The school was closed in 1974 for repairs. The inn has 14 rooms for travellers.";
    for text in [plain, dated] {
        let level = level(json!({ "title": "A village", "lessons": [text, plain, dated] }));
        let module = builtin::module(&level).expect("a draft").quizzes.into_iter();
        let (quiz, module) = (
            verdicts(
                items(&level).into_iter().map(|item| (item.kind == QuizItemKind::TrueFalse, item.correct_answers)),
            ),
            verdicts(module.map(|quiz| (quiz.kind == engine::ModuleQuizKind::TrueFalse, quiz.correct_answers))),
        );
        for (holds, fails) in [quiz, module] {
            let all = holds + fails;
            assert!(all < 3 || holds.max(fails) * 3 <= all * 2, "{holds} true, {fails} false");
        }
    }
}

#[test]
fn what_somebody_says_of_something_unnamed_is_not_judged() {
    let level = level(json!({ "title": "Sleep", "lessons":
        ["People sleep at night for about eight hours. Dr. Smith says it isn't that simple. Cats sleep by day and hunt by night."] }));
    let items = items(&level);
    assert!(
        items.iter().all(|item| item.kind != QuizItemKind::TrueFalse || !item.question.contains("Smith")),
        "{items:#?}"
    );
}

#[test]
fn bookkeeping_is_neither_shown_nor_asked() {
    let level = level(json!({ "language": "de", "title": "Biologie", "lessons": [{
        "title": "Die Zelle",
        "content": "Die Zelle ist die kleinste lebende Einheit. Sie hat eine Hülle und einen Kern.",
        "url": "https://example.org/zelle", "duration": 45, "meta": { "duration": 46, "published": true },
        "uuid": "8f14e45f-ceea-467f-a0a3-1f2b3c4d5e6f",
        "sections": [{ "title": "Kern", "content": "Der Kern steuert die Zelle.", "order": 1 }],
    }, { "title": "Kriege", "data": [{ "name": "Siebenjähriger Krieg", "duration": 7 }, { "name": "Erster Weltkrieg", "duration": 4 }] }] }));
    let page = html(&level);
    for technical in
        ["Url", "example.org", "Duration 45", ">45<", ">46<", "Meta", "Published", "Uuid", "8f14e45f", "Order"]
    {
        assert!(!page.contains(technical) && !narration(&level).contains(technical), "{technical}: {page}");
    }
    assert!(page.contains("Der Kern steuert die Zelle.") && page.contains("<td>7</td>"), "{page}");
    let citations = builtin::module(&level).expect("a draft").citations;
    assert!(citations.iter().any(|citation| citation.pointers.contains(&"/lessons/0/url".to_owned())));
}

#[test]
fn the_default_category_is_never_spoken() {
    let level = level(
        json!({ "language": "de", "lessons": [{ "title": "Die Zelle", "text": "Die Zelle ist klein und lebt." }] }),
    );
    let (module, video, quiz) = (
        builtin::module(&level).expect("a draft"),
        builtin::video(&level).expect("a draft"),
        builtin::quiz(&level).expect("a draft"),
    );
    assert_eq!(narration(&level), "Die Zelle ist klein und lebt.\n");
    for text in [
        &module.title,
        &module.description,
        &video.title,
        &video.description,
        &quiz.name,
        &quiz.description,
        &quiz.subject,
    ] {
        assert!(!text.contains("Imported"), "{text}");
    }
    assert_eq!(module.description, "Ein interaktives Modul zu „Die Zelle“.");
}

#[test]
fn a_tiny_source_is_asked_one_honest_question() {
    let level = level(json!({ "lessons": ["Hi"] }));
    let items = items(&level);
    assert_eq!(items.len(), 1, "{items:#?}");
    assert_eq!(
        (items[0].question.as_str(), &items[0].correct_answers[..]),
        ("What does the text say?", &["Hi".to_owned()][..])
    );
    assert_eq!(narration(&level), "Hi.\n");
    assert!(!html(&level).contains("main ideas"), "{}", html(&level));
    assert!(builtin::module(&level).expect("a draft").quizzes.is_empty());
}

#[test]
fn nothing_is_repeated_as_a_recap() {
    let level = level(json!({ "title": "France", "lessons": [
        { "title": "Terms", "content": "An estate is a class of people in a society." },
        { "title": "Population", "data": [{ "estate": "First", "share": "1 %" }, { "estate": "Second", "share": "2 %" }, { "estate": "Third", "share": "97 %" }] },
    ] }));
    assert!(!narration(&level).contains("Keep these terms in mind"), "{}", narration(&level));
    assert!(!html(&level).contains("Population: First") && !html(&level).contains("Recap"), "{}", html(&level));
    // Figures are nothing to learn by heart.
    assert!(items(&level).iter().all(|item| !item.question.contains("Share")), "{:#?}", items(&level));
}

#[test]
fn sentences_without_spaces_are_joined_without_spaces() {
    let level = level(json!({ "language": "zh", "title": "生物", "lessons": [{ "title": "光合作用", "content":
        "光合作用是植物利用光能制造养分的过程。它需要阳光和水。叶绿体是进行光合作用的地方。植物因此能够生长。" }] }));
    for item in items(&level) {
        for text in item.correct_answers.iter().chain([&item.explanation]) {
            assert!(!text.contains("。 "), "{text}");
        }
    }
}

#[test]
fn a_table_whose_header_lost_its_first_bar_is_a_table() {
    let level = level(json!({ "title": "Odd", "lessons": [
        { "title": "Broken", "content": "See the [broken](link) | a | b |\n|---|---|\n| 1 | 2 |" },
        { "title": "Bare", "content": "x | y\n---|---\n3 | 4" },
    ] }));
    let page = html(&level);
    assert!(page.contains("<p>See the broken</p>"), "{page}");
    assert!(page.contains("<th scope=\"col\">a</th><th scope=\"col\">b</th>"), "{page}");
    assert!(page.contains("<th scope=\"col\">x</th>") && page.contains("<th scope=\"row\">3</th>"), "{page}");
    assert!(!page.contains('|') && !page.contains("---"), "{page}");
}

#[test]
fn what_is_not_asked_is_counted_once() {
    let told = "Osmosis is the movement of water through a membrane. Diffusion is the spreading of particles through a liquid. \
        The membrane of the cell lets about 30 molecules through.";
    let level = level(json!({ "title": "Water", "lessons": [{ "title": "Membranes", "content": told }] }));
    let omitted = builtin::quiz(&level).expect("a draft").omitted;
    let vague: Vec<usize> =
        omitted.iter().filter(|found| found.reason == OmissionReason::VagueNumber).map(|found| found.count).collect();
    assert_eq!(vague, [1], "{omitted:?}");
}

#[test]
fn the_codes_of_lessons_are_not_shown_under_any_name() {
    let lesson = |code: &str| json!({ "zzq": code, "title": "Rivers", "text": "Rivers carry sand to the sea." });
    let page = |codes: &[&str]| {
        html(&level(json!({ "title": "Water", "lessons": codes.iter().map(|code| lesson(code)).collect::<Vec<_>>() })))
    };
    let shown = page(&["GEO-4.1", "GEO-4.2", "GEO-TEST"]);
    assert!(!shown.contains("GEO-4.1") && !shown.contains("GEO-TEST"), "{shown}");
    // A text beside codes is taught, and so is a single code.
    let shown = page(&["COVID-19", "A cold"]);
    assert!(shown.contains("COVID-19") && shown.contains("A cold"), "{shown}");
    let shown = page(&["COVID-19", "COVID-X"]);
    assert!(shown.contains("COVID-19"), "{shown}");
}
