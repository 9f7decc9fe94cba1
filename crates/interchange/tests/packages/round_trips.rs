//! What is exported is imported again as it was, format by format.

use interchange::model::{CourseContent, Entry, Item, ItemKind, ModuleContent, QuizItem, QuizKind, TestContent};
use interchange::{TestFormat, export_course, export_module, export_test, import};
use proptest::prelude::*;

use crate::{checker, contents};

fn item(question: &str, options: &[&str], explanation: &str) -> Item {
    Item {
        id: "1".to_owned(),
        question: question.to_owned(),
        kind: ItemKind::Select,
        options: options.iter().map(|option| (*option).to_owned()).collect(),
        correct_answers: vec![options[0].to_owned()],
        explanation: explanation.to_owned(),
        score: 1.0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_test_survives_qti(test in contents::test(1..=5), is_new in any::<bool>()) {
        let format = if is_new { TestFormat::Qti30 } else { TestFormat::Qti21 };
        let package = export_test(&test, format);
        prop_assert!(package.report.is_empty(), "{:?}", package.report);
        let imported = import(&package.bytes).unwrap();
        prop_assert!(imported.report.is_empty(), "{:?}", imported.report);
        prop_assert_eq!(&imported.tests, &[test]);
    }

    #[test]
    fn a_course_survives_a_cartridge(course in contents::course()) {
        let package = export_course(&course);
        let imported = import(&package.bytes).unwrap();
        prop_assert!(imported.report.is_empty(), "{:?}", imported.report);
        prop_assert_eq!(&imported.courses, &[course]);
        prop_assert!(imported.tests.is_empty() && imported.modules.is_empty() && imported.links.is_empty());
    }

    #[test]
    fn a_module_survives_a_page(module in contents::module()) {
        let package = export_module(&module);
        prop_assert!(package.report.is_empty(), "{:?}", package.report);
        let imported = import(&package.bytes).unwrap();
        prop_assert!(imported.report.is_empty(), "{:?}", imported.report);
        prop_assert_eq!(&imported.modules, &[module]);
    }

    #[test]
    fn formulas_go_out_as_mathml_and_come_back_as_latex(latex in contents::latex(), display in any::<bool>()) {
        let sign = if display { "$$" } else { "$" };
        let formula = format!("{sign}{latex}{sign}");
        let test = TestContent { items: vec![item(&format!("Is {formula} right?"), &[&formula, "no"], &formula)], ..TestContent::default() };
        let course = CourseContent { entries: vec![Entry::Test(test.clone())], ..CourseContent::default() };
        for (bytes, opening) in [
            (export_test(&test, TestFormat::Qti21).bytes, "<math xmlns="),
            (export_test(&test, TestFormat::Qti30).bytes, "<math xmlns="),
            (export_course(&course).bytes, "&lt;math xmlns="),
        ] {
            let files = checker::unpack(&bytes);
            let formulas: usize = files.values().map(|text| text.matches(opening).count()).sum();
            prop_assert_eq!(formulas, 3, "question, option and explanation: {:?}", files);
            let mut imported = import(&bytes).unwrap();
            prop_assert!(imported.report.is_empty(), "{:?}", imported.report);
            let back = match imported.courses.pop() {
                Some(mut course) => match course.entries.remove(0) {
                    Entry::Test(test) => test,
                    other => panic!("{other:?}"),
                },
                None => imported.tests.remove(0),
            };
            prop_assert_eq!(&back.items, &test.items);
        }
    }

    #[test]
    fn the_same_content_gives_the_same_bytes(course in contents::course(), test in contents::test(0..=2)) {
        prop_assert_eq!(export_course(&course), export_course(&course));
        prop_assert_eq!(export_test(&test, TestFormat::Qti30), export_test(&test, TestFormat::Qti30));
    }
}

#[test]
fn pictures_come_back_with_their_addresses_and_descriptions() {
    let html = "<h2>A</h2><figure><img alt=\"A bee\" src=\"https://a.example/b.png\" loading=\"lazy\"><figcaption>c</figcaption></figure>\
                <p><a href=\"https://a.example/b\" rel=\"nofollow noopener noreferrer ugc\">c</a></p>";
    let module = ModuleContent {
        title: "M".to_owned(),
        html: html.to_owned(),
        metadata: "{}".to_owned(),
        ..ModuleContent::default()
    };
    let page = String::from_utf8(export_module(&module).bytes).unwrap();
    assert!(!page.contains("<img"), "a page on its own loads nothing");
    let back = import(page.as_bytes()).unwrap();
    assert!(back.report.is_empty(), "{:?}", back.report);
    assert_eq!(back.modules, std::slice::from_ref(&module));
    let changed = page.replace("<figcaption>c</figcaption>", "<figcaption>d</figcaption>");
    let back = import(changed.as_bytes()).unwrap();
    assert!(back.modules[0].html.contains("<figcaption>d</figcaption>"), "what somebody wrote into the page counts");
    let course = CourseContent { entries: vec![Entry::Module(module)], ..CourseContent::default() };
    assert_eq!(import(&export_course(&course).bytes).unwrap().courses, [course]);
}

#[test]
fn a_quiz_on_a_page_shows_formulas_and_keeps_its_latex() {
    let quiz = QuizItem {
        id: "1".to_owned(),
        sequence: 1,
        title: String::new(),
        question: "What is $x^2$ for $5?".to_owned(),
        kind: QuizKind::Select,
        options: vec!["$y$".to_owned(), "no".to_owned()],
        correct_answers: vec!["$y$".to_owned()],
        show_feedback: true,
    };
    let module = ModuleContent { quizzes: vec![quiz], metadata: "{}".to_owned(), ..ModuleContent::default() };
    let page = String::from_utf8(export_module(&module).bytes).unwrap();
    assert_eq!(page.matches("<math ").count(), 3, "question, option and answer: {page}");
    assert!(page.contains("</math> for $5?"), "{page}");
    assert_eq!(import(page.as_bytes()).unwrap().modules, [module]);
}
