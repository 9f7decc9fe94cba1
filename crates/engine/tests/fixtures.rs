//! What a teacher may expect of drafts made from realistic lessons, as properties: nothing here
//! pins words that may get better.

mod support;

use std::collections::HashSet;

use engine::{
    Citation, QuizItem, QuizItemKind, SourceLevel, builtin, check_citations, check_module, check_quiz, check_video,
    is_metadata,
};
use serde_json::Value;

fn levels() -> Vec<(String, SourceLevel)> {
    let mut paths: Vec<_> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures"))
        .expect("the fixtures are there")
        .map(|entry| entry.expect("a folder lists its files").path())
        .collect();
    paths.push(concat!(env!("CARGO_MANIFEST_DIR"), "/../lectern/assets/demo-course.json").into());
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("a fixture is readable");
        support::level_of(&serde_json::from_str(&text).expect("a fixture is JSON"))
    };
    paths.iter().map(|path| (path.display().to_string(), read(path))).collect()
}

/// Letters and digits only, lower case: the same words compare equal through markup and spaces.
fn bare(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn unescape(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for character in html.chars() {
        match character {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            other if !inside => text.push(other),
            _ => {}
        }
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}

fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Number(number) => found.push(number.to_string()),
        Value::Array(values) => values.iter().for_each(|value| strings(value, found)),
        // A module leaves out bookkeeping, and what gives the answers to the source's questions away.
        Value::Object(members) => {
            let asks = members.contains_key("question");
            let content = members.iter().filter(|(name, value)| {
                let shown = !asks || ["question", "options"].contains(&name.as_str());
                shown && !is_metadata(name, value, true)
            });
            content.for_each(|(_, value)| strings(value, found));
        }
        _ => {}
    }
}

fn source_text(level: &SourceLevel) -> Vec<String> {
    let mut found = Vec::new();
    for lesson in &level.lessons {
        found.extend(lesson.title.clone());
        for field in lesson.fields.iter().filter(|field| !is_metadata(&field.name, &field.value, true)) {
            strings(&field.value, &mut found);
        }
    }
    found
}

fn cites_everything(citations: &[Citation], list: &str, count: usize) {
    for at in 0..count {
        assert!(citations.iter().any(|citation| citation.part == format!("{list}/{at}")), "{list}/{at} is not cited");
    }
}

#[test]
fn every_draft_passes_the_gate_and_cites_its_source() {
    for (path, level) in levels() {
        let (module, video, quiz) =
            (builtin::module(&level).unwrap(), builtin::video(&level).unwrap(), builtin::quiz(&level).unwrap());
        assert_eq!(check_module(&module), Ok(()), "{path}");
        assert_eq!(check_video(&video), Ok(()), "{path}");
        assert_eq!(check_quiz(&quiz), Ok(()), "{path}");
        for citations in [&module.citations, &video.citations, &quiz.citations] {
            assert_eq!(check_citations(citations, &level), Ok(()), "{path}");
        }
        cites_everything(&module.citations, "sections", module.content_html.matches("<section ").count());
        cites_everything(&module.citations, "quizzes", module.quizzes.len());
        cites_everything(&video.citations, "scenes", video.scenes.len());
        cites_everything(&quiz.citations, "items", quiz.items.len());
    }
}

#[test]
fn the_same_source_gives_the_same_drafts() {
    for (path, level) in levels() {
        assert_eq!(builtin::module(&level), builtin::module(&level), "{path}");
        assert_eq!(builtin::video(&level), builtin::video(&level), "{path}");
        assert_eq!(builtin::quiz(&level), builtin::quiz(&level), "{path}");
    }
}

#[test]
fn a_module_holds_all_lessons_whole_and_in_order() {
    for (path, level) in levels() {
        let module = builtin::module(&level).unwrap();
        // What the source asks itself is asked as items.
        let asked = serde_json::to_string(&module.quizzes).unwrap();
        let text = bare(&(unescape(&module.content_html) + &asked));
        let mut from = 0;
        for title in level.lessons.iter().filter_map(|lesson| lesson.title.as_deref()) {
            let heading = format!("-title\">{}</h2>", title.replace('<', "&lt;").replace('>', "&gt;"));
            let at = module.content_html[from..].find(&heading);
            assert!(at.is_some(), "{path}: {title} is missing or out of order");
            from += at.unwrap_or(0);
        }
        for string in source_text(&level).iter().filter(|string| !string.contains("<script>")) {
            for word in string
                .split(|character: char| !character.is_alphanumeric())
                .filter(|word| word.len() > 3 && !string.contains("</") && !string.contains("```"))
            {
                assert!(text.contains(&bare(word)), "{path}: {word} of {string:?} is missing");
            }
        }
    }
}

/// HTML with the LaTeX of its formulas in their places.
fn with_latex(html: &str) -> String {
    let mut parts = html.split("<math ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (formula, rest) = part.split_once("</math>").expect("a formula ends");
        text += &markup::formulas::latex_of(&format!("<math {formula}</math>")).expect("a formula keeps its LaTeX");
        text += rest;
    }
    text
}

#[test]
fn key_terms_are_taken_from_the_source() {
    for (path, level) in levels() {
        let module = builtin::module(&level).unwrap();
        let source: Vec<String> = source_text(&level).iter().map(|text| bare(text)).collect();
        let Some(glossary) =
            module.content_html.split("id=\"key-terms\"").nth(1).and_then(|rest| rest.split("</section>").next())
        else {
            continue;
        };
        for definition in glossary.split("<dd>").skip(1).filter_map(|rest| rest.split("</dd>").next()) {
            let bare_definition = bare(&unescape(&with_latex(definition)));
            assert!(
                source.iter().any(|text| text.contains(&bare_definition)) || path.contains("html"),
                "{path}: {definition}"
            );
        }
    }
}

#[test]
fn scenes_are_short_and_their_durations_add_up() {
    for (path, level) in levels() {
        let video = builtin::video(&level).unwrap();
        let sum: f64 = video.scenes.iter().map(|scene| scene.duration_seconds).sum();
        assert!((sum - f64::from(video.target_duration_seconds)).abs() <= 0.5, "{path}");
        for scene in &video.scenes {
            assert!(
                (3.0..=46.0).contains(&scene.duration_seconds),
                "{path}: {} s: {}",
                scene.duration_seconds,
                scene.script
            );
            assert!(
                scene.display_text.split_whitespace().count() <= 12 && scene.display_text.chars().count() <= 80,
                "{path}: {}",
                scene.display_text
            );
            assert!(
                !scene.script.contains(['<', '>', '{', '}', '|', '`', '\\']) && !scene.script.contains("://"),
                "{path}: {}",
                scene.script
            );
            assert!(
                scene.script.ends_with(['.', '!', '?', '…', '。', '।', '؟', '”', '»', '“', '’', ')', '」']),
                "{path}: {}",
                scene.script
            );
        }
    }
}

fn sound(path: &str, item: &QuizItem, source: &[String]) {
    let question = item.question.to_lowercase();
    match item.kind {
        QuizItemKind::Select | QuizItemKind::TrueFalse => {
            assert!(item.correct_answers.iter().all(|key| item.options.contains(key)), "{path}: {item:?}");
        }
        QuizItemKind::Blank => {
            let key = bare(&item.correct_answers[0]);
            assert!(!key.is_empty() && key.len() > 1 || path.contains("maths"), "{path}: {item:?}");
            assert!(!question.split_whitespace().any(|word| bare(word) == key), "{path}: {item:?}");
        }
        QuizItemKind::OpenEnded | QuizItemKind::Submission => assert!(item.options.is_empty(), "{path}"),
    }
    // The topic may stand in front.
    let mut asks = language::taught().filter_map(|(_, teaching)| teaching.drafts.true_false.split_once("{statement}"));
    let stated = asks.find_map(|(before, _)| item.question.split_once(before));
    if let Some((_, statement)) = stated.filter(|_| item.kind == QuizItemKind::TrueFalse) {
        let statement = bare(statement);
        let stated = source.iter().any(|text| text.contains(&statement));
        let holds = item.explanation.starts_with(item.options[0].as_str());
        assert_eq!(stated, holds, "{path}: {item:?}");
    }
    for text in item.options.iter().chain([&item.question, &item.explanation]) {
        assert!(!text.contains("\":") && !text.contains("{\""), "{path}: JSON shows in {text}");
    }
}

#[test]
fn questions_are_sound_and_varied() {
    for (path, level) in levels() {
        let quiz = builtin::quiz(&level).unwrap();
        let source: Vec<String> = source_text(&level).iter().map(|text| bare(text)).collect();
        let questions: HashSet<String> = quiz.items.iter().map(|item| bare(&item.question)).collect();
        assert_eq!(questions.len(), quiz.items.len(), "{path}");
        assert!(quiz.items.len() <= 30, "{path}");
        quiz.items.iter().for_each(|item| sound(&path, item, &source));
        // No item is better than a doubtful one, but a quiz needs one.
        assert!(!quiz.items.is_empty(), "{path}");
    }
}

#[test]
fn a_module_asks_about_each_lesson_that_has_something_to_ask() {
    let mut spread = 0;
    for (path, level) in levels().into_iter().filter(|(_, level)| level.lessons.len() <= 6) {
        let module = builtin::module(&level).unwrap();
        let titles: HashSet<&str> = module.quizzes.iter().map(|quiz| quiz.title.as_str()).collect();
        // One item may be a spare one, which is made where there is no other.
        let asked_alone = level.lessons.iter().filter(|lesson| {
            let alone = SourceLevel { lessons: vec![(*lesson).clone()], ..level.clone() };
            builtin::module(&alone).unwrap().quizzes.len() > 1
        });
        let asked: Vec<&str> = asked_alone.filter_map(|lesson| lesson.title.as_deref()).collect();
        assert!(asked.iter().all(|title| titles.contains(title)), "{path}: {titles:?} of {asked:?}");
        spread += asked.len();
    }
    assert!(spread > 2, "{spread} lessons have items of their own");
}

#[test]
fn a_lab_asks_for_work_to_be_handed_in() {
    let level = levels().into_iter().find(|(path, _)| path.contains("lab_en")).unwrap().1;
    let quiz = builtin::quiz(&level).unwrap();
    assert!(quiz.items.iter().any(|item| item.kind == QuizItemKind::Submission), "{quiz:#?}");
}

#[test]
fn the_demo_course_is_rich() {
    let payload: Value = serde_json::from_str(include_str!("../../lectern/assets/demo-course.json")).unwrap();
    let categories = payload["categories"].as_array().unwrap();
    let lessons: usize = categories
        .iter()
        .flat_map(|category| category["levels"].as_array().unwrap())
        .map(|level| level["lessons"].as_array().unwrap().len())
        .sum();
    assert!(categories.len() >= 3 && lessons >= 8);
    let level = support::level_of(&payload);
    assert!(level.lessons.len() >= 5);
    let kinds: HashSet<QuizItemKind> = builtin::quiz(&level).unwrap().items.iter().map(|item| item.kind).collect();
    assert_eq!(kinds.len(), 5, "{kinds:?}");
}

/// Words, with scripts without spaces at two characters a word.
fn words(texts: impl Iterator<Item = String>) -> usize {
    let count = |text: String| {
        let unspaced = |character: char| matches!(character, '\u{3040}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}');
        let spaced = text.split(|character: char| character.is_whitespace() || unspaced(character));
        let words = spaced.filter(|word| word.chars().any(char::is_alphanumeric)).count();
        words + text.chars().filter(|character| unspaced(*character)).count() / 2
    };
    texts.map(count).sum()
}

#[test]
fn a_video_speaks_at_most_a_third_of_what_is_taught_and_two_minutes_a_lesson() {
    for (path, level) in levels() {
        let video = builtin::video(&level).unwrap();
        let taught = words(source_text(&level).into_iter());
        let spoken = words(video.scenes.iter().map(|scene| scene.script.clone()));
        // One sentence is told of the shortest source.
        assert!(spoken * 3 <= taught || video.scenes.len() == 1, "{path}: {spoken} of {taught} words");
        assert!(video.target_duration_seconds as usize <= 120 * level.lessons.len(), "{path}");
    }
}

#[test]
fn a_script_holds_no_sign_that_nobody_says() {
    for (path, level) in levels() {
        for scene in builtin::video(&level).unwrap().scenes {
            assert!(!scene.script.contains(['$', '\\', '#', '<', '>', '=']), "{path}: {}", scene.script);
            assert!(!scene.display_text.contains(['$', '\\', '<', '>']), "{path}: {}", scene.display_text);
        }
    }
}

#[test]
fn a_screen_shows_no_sentence_that_is_cut_off() {
    for (path, level) in levels() {
        for scene in builtin::video(&level).unwrap().scenes {
            assert!(!scene.display_text.ends_with('…'), "{path}: {}", scene.display_text);
        }
    }
}
