//! The gate refuses what others have shipped.

use super::*;
use crate::drafts::{Citation, ModuleQuiz, SceneDraft, SlideDraft};
use crate::request::{SourceModule, TestRequest};

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
        omitted: Vec::new(),
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
fn a_formula_is_what_its_latex_becomes() {
    let root = markup::formulas::mathml("\\sqrt{2} < 3", false).unwrap();
    let block = markup::formulas::mathml("x^2", true).unwrap();
    assert_eq!(check_module(&module(&format!("<p>The root {root} of</p><p>{block}</p>"))), Ok(()));
    let cases = [
        (root.replace("<mn>2</mn>", "<mn>3</mn>"), "html_formula"),
        (root.replace("<msqrt>", "<msqrt href=\"https://a.example\">"), "html_formula"),
        ("<math display=\"inline\"><mi>x</mi></math>".to_owned(), "html_formula"),
        ("<math display=\"inline\"><mi>x</mi>".to_owned(), "html_malformed"),
        ("<math><mi>x</mi></math>".to_owned(), "html_element"),
        ("<mi>x</mi>".to_owned(), "html_element"),
        (root.replace("</math>", "<p onclick=\"x\">x</p></math>"), "html_formula"),
    ];
    for (html, rule) in cases {
        assert!(rules(check_module(&module(&html))).contains(&rule), "{rule}: {html}");
    }
}

#[test]
fn code_names_a_language_and_pictures_have_addresses() {
    let sound = "<pre><code class=\"language-c++\">a</code></pre>\
                 <figure><img src=\"https://a.example/b.png\" alt=\"A cell\"><figcaption>A</figcaption></figure>";
    assert_eq!(check_module(&module(sound)), Ok(()));
    let cases = [
        ("<pre><code class=\"banner\">a</code></pre>", "html_class"),
        ("<pre class=\"language-C language-b\">a</pre>", "html_class"),
        ("<p>a</p><img src=\"javascript:x\" alt=\"\">", "html_url"),
        ("<p>a</p><img src=\"b.png\" alt=\"\">", "html_url"),
        ("<p src=\"https://a.example/b.png\">a</p>", "html_attribute"),
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

#[test]
fn a_deck_holds_slides_that_fit_on_a_screen() {
    let deck = |html: &str| SlideDraft {
        title: "T".to_owned(),
        description: "D".to_owned(),
        language: "en".to_owned(),
        content_html: html.to_owned(),
        citations: Vec::new(),
    };
    let slide = |inside: &str| format!("<section class=\"slide\">{inside}</section>\n");
    let sound = slide("<h2>A &amp; B</h2><ul><li>One</li></ul><aside class=\"notes\"><p>Long.</p></aside>");
    assert_eq!(check_slide(&deck(&sound.repeat(2))), Ok(()));
    let points = "<p>x</p>".repeat(9);
    let cases = [
        (String::new(), "slide_count"),
        (sound.repeat(101), "slide_count"),
        ("<section><h2>A</h2></section>".to_owned(), "slide"),
        ("<p>A</p>".to_owned(), "slide"),
        (format!("{sound}text"), "slide"),
        (slide("<p>A</p>"), "headline"),
        (slide("<p>A</p><h2>A</h2>"), "headline"),
        (slide("<h2>A</h2><h2>B</h2>"), "headline"),
        (slide("<h2> </h2><section><p>x</p></section>"), "headline"),
        (slide(&format!("<h2>{}</h2>", "x".repeat(121))), "headline"),
        (slide(&format!("<h2>A</h2>{points}")), "slide_points"),
        (slide(&format!("<h2>A</h2><p>{}</p>", "x".repeat(1200))), "slide_length"),
        (slide(&format!("<h2>A</h2><aside class=\"notes\">{}</aside>", "x".repeat(20_001))), "notes_length"),
        (slide("<h2>A</h2><script>x</script>"), "html_element"),
    ];
    for (html, rule) in cases {
        assert!(rules(check_slide(&deck(&html))).contains(&rule), "{rule}: {html:.200}");
    }
    let formula = |terms: usize| {
        let latex = format!("x{}", "+1".repeat(terms));
        slide(&format!("<h2>A</h2><p>{}</p>", markup::formulas::mathml(&latex, false).unwrap()))
    };
    assert_eq!(check_slide(&deck(&formula(599))), Ok(()), "its LaTeX is 1199 characters");
    assert_eq!(rules(check_slide(&deck(&formula(600)))), ["slide_length"]);
    let notes = slide(&format!("<h2>A</h2><aside class=\"notes\">{points}</aside><p>y</p>"));
    assert_eq!(check_slide(&deck(&notes)), Ok(()));
}

#[test]
fn a_course_is_checked_with_its_modules() {
    let sound = CourseDraft {
        title: "C".to_owned(),
        description: "D".to_owned(),
        level: "Beginner".to_owned(),
        language: "en".to_owned(),
        modules: vec![module("<p>x</p>")],
    };
    assert_eq!(check_course(&sound), Ok(()));
    let empty = CourseDraft { modules: Vec::new(), ..sound.clone() };
    assert_eq!(rules(check_course(&empty)), ["modules_count"]);
    let broken = CourseDraft { modules: vec![module("<p>x</p>"), module("<p>x")], ..sound };
    let defects = check_course(&broken).unwrap_err();
    assert_eq!(rules(Err(defects.clone())), ["html_unclosed", "title_repeated"]);
    assert_eq!(defects[0].part, "modules/1/content_html");
}

#[test]
fn citations_of_a_request_name_its_prompts_and_its_material() {
    let request = TestRequest {
        topic_prompt: "Cells".to_owned(),
        material: vec![SourceModule { id: "a/b".to_owned(), title: String::new(), html: "<p>x</p>".to_owned() }],
        ..TestRequest::default()
    };
    let cited = |pointer: &str| {
        let citation = Citation { part: "items/0".to_owned(), pointers: vec![pointer.to_owned()] };
        check_citations([&citation], &request).is_ok()
    };
    assert!(cited("/topicPrompt") && cited("/material/a~1b") && cited("/material/a~1b/content"));
    for pointer in ["", "/targetPrompt", "/outline", "/material/c", "/material/a~1b/title", "/material/a~1b/"] {
        assert!(!cited(pointer), "{pointer}");
    }
}
