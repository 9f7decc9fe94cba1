//! A module as a page: nothing runs, nothing is loaded, and the quiz can be answered.

use base64::Engine as _;
use interchange::model::{ModuleContent, QuizItem, QuizKind};
use interchange::{export_module, import};
use sha2::{Digest, Sha256};

fn quiz(kind: QuizKind, options: &[&str], answers: &[&str], show_feedback: bool) -> QuizItem {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    QuizItem {
        id: "1".to_owned(),
        sequence: 1,
        title: "Cells".to_owned(),
        question: "Which?".to_owned(),
        kind,
        options: texts(options),
        correct_answers: texts(answers),
        show_feedback,
    }
}

fn page(module: &ModuleContent) -> String {
    String::from_utf8(export_module(module).bytes).unwrap()
}

fn with(quizzes: Vec<QuizItem>) -> String {
    page(&ModuleContent { language: "de".to_owned(), quizzes, ..ModuleContent::default() })
}

#[test]
fn the_policy_allows_the_one_style_sheet_and_nothing_else() {
    let html = with(Vec::new());
    let style = html.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(style));
    let policy = format!(
        "content=\"default-src &#39;none&#39;; style-src &#39;sha256-{hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;\""
    );
    assert!(html.contains(&policy), "{html}");
    assert_eq!(html.matches("<style").count(), 1);
    assert!(
        !html.contains("<script") && !html.contains(" style=") && !html.contains("<link") && !html.contains("<form")
    );
}

#[test]
fn hostile_texts_stay_texts() {
    let hostile =
        "</title></style></script><script>alert(1)</script>\"><img src=x onerror=alert(1)>'<!--/lectern:content-->";
    let item = QuizItem {
        id: hostile.to_owned(),
        title: hostile.to_owned(),
        question: hostile.to_owned(),
        ..quiz(QuizKind::Select, &[hostile, "b"], &[hostile], true)
    };
    let blank = QuizItem { question: hostile.to_owned(), ..quiz(QuizKind::Blank, &[], &[hostile], false) };
    let module = ModuleContent {
        title: hostile.to_owned(),
        description: hostile.to_owned(),
        html: format!("<p>{hostile}</p>"),
        quizzes: vec![item, blank],
        metadata: serde_json::json!({ hostile: hostile }).to_string(),
        ..ModuleContent::default()
    };
    let html = page(&module);
    assert!(!html.contains("<script") && !html.contains("<img src"), "{html}");
    assert_eq!(html.matches("<title").count(), 1);
    let back = import(html.as_bytes()).unwrap().modules.remove(0);
    assert_eq!((back.title, back.quizzes, back.metadata), (module.title, module.quizzes, module.metadata));
}

#[test]
fn nothing_is_loaded_from_outside() {
    let module = ModuleContent {
        html: "<p><img src=\"https://a.example/b.png\" alt=\"A bee\"> <a href=\"https://a.example/c\">c</a></p>"
            .to_owned(),
        ..ModuleContent::default()
    };
    let html = page(&module);
    assert!(!html.contains("<img") && !html.contains("src=\"") && html.contains("A bee"), "{html}");
    assert!(html.contains("href=\"https://a.example/c\""), "a link may be followed");
}

#[test]
fn one_key_is_a_radio_button_and_several_are_checkboxes() {
    let html = with(vec![
        quiz(QuizKind::Select, &["a", "b"], &["b"], true),
        quiz(QuizKind::Select, &["a", "b", "c"], &["a", "c"], true),
        quiz(QuizKind::TrueFalse, &["Wahr", "Falsch"], &["Wahr"], true),
    ]);
    assert_eq!(html.matches("type=\"radio\"").count(), 4);
    assert_eq!(html.matches("type=\"checkbox\"").count(), 3);
    assert_eq!(html.matches(" class=\"key\"").count(), 4);
    assert!(
        html.contains("<html lang=\"de\">") && html.contains("Antwort prüfen") && html.contains("Mehrere Antworten")
    );
    for name in ["q1", "q2", "q3"] {
        assert!(html.contains(&format!("name=\"{name}\"")), "groups don't mix");
    }
}

#[test]
fn a_written_answer_fits_a_pattern() {
    let html = with(vec![quiz(QuizKind::Blank, &[], &["Zell Kern"], true)]);
    assert!(html.contains("pattern=\"\\s*(?:[zZ][eE][lL][lL]\\s+[kK][eE][rR][nN])\\s*\""), "{html}");
    assert!(html.contains("aria-label=\"Which?\""));
}

#[test]
fn answers_that_are_not_told_at_once_are_at_the_end() {
    let html =
        with(vec![quiz(QuizKind::Select, &["a", "b"], &["b"], false), quiz(QuizKind::Blank, &[], &["x"], false)]);
    assert!(!html.contains("Antwort prüfen") && !html.contains("pattern="), "{html}");
    assert_eq!(html.matches("<details>").count(), 1);
    assert!(html.contains("1. b") && html.contains("2. x"));
}

#[test]
fn a_page_is_written_in_the_direction_of_its_language() {
    let html = page(&ModuleContent { language: "ar".to_owned(), ..ModuleContent::default() });
    assert!(html.contains("<html lang=\"ar\" dir=\"rtl\">"));
    assert!(page(&ModuleContent::default()).contains("<html>\n"));
}
