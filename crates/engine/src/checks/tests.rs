//! The gate refuses what others have shipped.

use super::*;
use crate::drafts::{ModuleQuiz, QuizItem, SceneDraft};

fn item(options: &[&str], keys: &[&str], explanation: &str) -> QuizItem {
    QuizItem {
        question: "Which is a planet?".to_owned(),
        kind: QuizItemKind::Select,
        options: options.iter().map(ToString::to_string).collect(),
        correct_answers: keys.iter().map(ToString::to_string).collect(),
        explanation: explanation.to_owned(),
        score: 1.0,
    }
}

fn quiz(items: Vec<QuizItem>) -> QuizDraft {
    QuizDraft {
        name: "Quiz".to_owned(),
        description: "Questions.".to_owned(),
        subject: "Space".to_owned(),
        language: "en".to_owned(),
        time_limit_minutes: 5,
        level: "MEDIUM".to_owned(),
        passing_percentage: 60,
        items,
        citations: Vec::new(),
    }
}

fn rules(result: Result<(), Vec<Defect>>) -> Vec<&'static str> {
    result.err().unwrap_or_default().into_iter().map(|defect| defect.rule).collect()
}

fn module(html: &str) -> ModuleDraft {
    ModuleDraft {
        title: "T".to_owned(),
        description: "D".to_owned(),
        language: "en".to_owned(),
        content_html: html.to_owned(),
        quizzes: Vec::new(),
        citations: Vec::new(),
    }
}

#[test]
fn a_sound_item_passes() {
    let sound = item(&["Mars", "Moon", "Sun"], &["Mars"], "Mars is correct. The Sun is a star.");
    assert_eq!(check_quiz(&quiz(vec![sound])), Ok(()));
}

#[test]
fn keys_options_and_explanations_must_agree() {
    let cases = [
        (item(&["Mars", "Moon"], &["Mars "], "So."), "key_not_an_option"),
        (item(&["Mars", "Moon"], &["Venus"], "So."), "key_not_an_option"),
        (item(&["Mars", " mars "], &["Mars"], "So."), "options_alike"),
        (item(&["Mars", "Moon"], &["Mars"], "The correct answer is Moon."), "explanation_contradicts_key"),
        (item(&["Mars", "Moon"], &["Mars"], "The correct answer is B, of course."), "explanation_contradicts_key"),
        (item(&["Mars", "Moon"], &["Mars"], "Moon is correct."), "explanation_contradicts_key"),
        (item(&["Mars", "Moon"], &["Mars", "Moon"], "So."), "key_is_everything"),
        (item(&["Mars"], &["Mars"], "So."), "options_count"),
        (item(&["Mars", "Moon"], &[], "So."), "key_missing"),
        (item(&["Mars", ""], &["Mars"], "So."), "blank"),
        (item(&["Mars", "Moon"], &["Mars"], " "), "blank"),
    ];
    for (broken, rule) in cases {
        let shown = format!("{broken:?}");
        assert!(rules(check_quiz(&quiz(vec![broken]))).contains(&rule), "{rule}: {shown}");
    }
}

#[test]
fn a_question_is_asked_once() {
    let one = item(&["Mars", "Moon"], &["Mars"], "So.");
    let mut other = one.clone();
    other.question = "which  is a Planet".to_owned();
    assert_eq!(rules(check_quiz(&quiz(vec![one, other]))), ["question_repeated"]);
}

#[test]
fn html_is_well_formed_and_harmless() {
    assert_eq!(check_module(&module("<section id=\"a\"><h2>A</h2><p>x &lt; y<br/></p></section>")), Ok(()));
    let cases = [
        ("<p>x", "html_unclosed"),
        ("<p><b>x</p></b>", "html_nesting"),
        ("<script>x</script>", "html_element"),
        ("<p onclick=\"x\">x</p>", "html_attribute"),
        ("<p style=\"x\">x</p>", "html_attribute"),
        ("<a href=\"javascript:x\">x</a>", "html_url"),
        ("<a href=\" JaVaScript:x\">x</a>", "html_url"),
        ("<a href=\"//evil\">x</a>", "html_url"),
        ("<p id=\"a\">x</p><p id=\"a\">x</p>", "html_id"),
        ("<h2>x</h2><h4>x</h4>", "html_headings"),
        ("<p id=x>x</p>", "html_malformed"),
        ("<p", "html_malformed"),
        ("a > b", "html_malformed"),
        ("<!-- x --><p>x</p>", "html_element"),
        ("<p> </p>", "blank"),
    ];
    for (html, rule) in cases {
        assert!(rules(check_module(&module(html))).contains(&rule), "{rule}: {html}");
    }
}

#[test]
fn sequences_count_from_one() {
    let mut draft = module("<p>x</p>");
    draft.quizzes = vec![ModuleQuiz {
        sequence: 2,
        title: "T".to_owned(),
        question: "____ is red.".to_owned(),
        kind: ModuleQuizKind::Blank,
        options: Vec::new(),
        correct_answers: vec!["Mars".to_owned()],
        show_feedback: true,
    }];
    assert_eq!(rules(check_module(&draft)), ["sequence"]);
    draft.quizzes[0].sequence = 1;
    draft.quizzes[0].question = "Mars is ____.".to_owned();
    assert_eq!(rules(check_module(&draft)), ["answer_given_away"]);
}

#[test]
fn scenes_last_and_citations_point_somewhere() {
    let scene = SceneDraft { script: "Hello.".to_owned(), display_text: "Hello".to_owned(), duration_seconds: 0.0 };
    let citation = |part: &str, pointer: &str| Citation { part: part.to_owned(), pointers: vec![pointer.to_owned()] };
    let draft = VideoDraft {
        title: "V".to_owned(),
        description: "D".to_owned(),
        language: "en".to_owned(),
        aspect_ratio: "16:9".to_owned(),
        target_duration_seconds: 0,
        scenes: vec![scene],
        citations: vec![
            citation("scenes/0", "/lessons/0"),
            citation("scenes/1", "/lessons/0"),
            citation("scenes/0", "lessons~2"),
        ],
    };
    assert_eq!(rules(check_video(&draft)), ["duration", "citation_part", "citation_pointer"]);
}
