use std::collections::HashSet;

use language::normal::normal;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::builtin;
use crate::drafts::{QuizItem, QuizItemKind};
use crate::part::PresentQuestion;
use crate::request::SourceModule;
use crate::source::{SourceField, SourceLesson, SourceLevel};

use QuizItemKind::{Blank, OpenEnded, Select, Submission, TrueFalse};

const ALL: [QuizItemKind; 5] = [Select, TrueFalse, Blank, OpenEnded, Submission];

const CELLS: &str = "A **cell** is the smallest unit of life. A **tissue** is a group of cells of one kind. An **organ** is a \
    part of the body with one task. The **nucleus** is the part of a cell that holds its plan. A **membrane** is the thin \
    skin around a cell. The cell wall keeps a plant firm because it is made of cellulose.";
const WATER: &str = "**Evaporation** is the change of a liquid into a gas. **Condensation** is the change of a gas into a \
    liquid. A **cloud** is a mass of tiny drops in the air. Rain falls when the drops of a cloud become too heavy. Rivers \
    carry the water of the rain back to the sea.";

fn level() -> SourceLevel {
    let lesson = |(at, (title, text)): (usize, (&str, &str))| SourceLesson {
        pointer: format!("/lessons/{at}"),
        title: Some(title.to_owned()),
        kind: "content".to_owned(),
        fields: vec![SourceField {
            pointer: format!("/lessons/{at}/text"),
            name: "text".to_owned(),
            value: json!(text),
        }],
    };
    SourceLevel {
        language: "en".to_owned(),
        category_title: "Science".to_owned(),
        level_title: Some("Life and water".to_owned()),
        lessons: [("Cells", CELLS), ("The water cycle", WATER)].into_iter().enumerate().map(lesson).collect(),
    }
}

fn modules() -> Vec<SourceModule> {
    let module = |id: &str, title: &str, text: &str| SourceModule {
        id: id.to_owned(),
        title: title.to_owned(),
        html: format!("<p>{}</p>", text.replace("**", "")),
    };
    vec![module("a", "Cells", CELLS), module("b", "The water cycle", WATER)]
}

fn request(present: Part, others: Vec<Part>) -> PartRequest {
    PartRequest {
        topic: "Life and water".to_owned(),
        language: "en".to_owned(),
        material: PartMaterial::Level(level()),
        question_kinds: ALL.to_vec(),
        present,
        others,
        instruction: String::new(),
    }
}

fn asked(item: &QuizItem) -> Part {
    let QuizItem { kind, question, correct_answers, .. } = item.clone();
    Part::Question(PresentQuestion { kind, question, correct_answers })
}

fn blank_question(kind: QuizItemKind) -> Part {
    Part::Question(PresentQuestion { kind, question: String::new(), correct_answers: Vec::new() })
}

fn question(request: &PartRequest) -> Result<QuizItem, GenerationError> {
    match draft(request)?.content {
        PartContent::Question { item, .. } => Ok(item),
        other => panic!("{other:?}"),
    }
}

/// A request and, again and again, one for the question that came of it, until there is nothing else.
fn all_versions(mut request: PartRequest) -> Vec<QuizItem> {
    let mut found = Vec::new();
    for _ in 0..200 {
        match question(&request) {
            Ok(item) => {
                let earlier = std::mem::replace(&mut request.present, asked(&item));
                request.others.push(earlier);
                found.push(item);
            }
            Err(error) => {
                assert_eq!(error, GenerationError::nothing_else("question"));
                return found;
            }
        }
    }
    panic!("the versions have no end");
}

#[test]
fn another_question_is_another_until_the_source_gives_none() {
    for material in [PartMaterial::Level(level()), PartMaterial::Modules(modules())] {
        let quiz = builtin::quiz(&level()).unwrap();
        let others: Vec<Part> = quiz.items[1..].iter().map(asked).collect();
        let before = 1 + others.len();
        let found = all_versions(PartRequest { material, ..request(asked(&quiz.items[0]), others) });
        assert!(!found.is_empty());
        let all: HashSet<String> = quiz.items.iter().chain(&found).map(|item| normal(&item.question)).collect();
        assert_eq!(all.len(), before + found.len());
    }
}

#[test]
fn the_type_is_the_present_one_while_the_source_has_one() {
    for kind in [Select, TrueFalse] {
        // What comes of it is of the present type for as long as that is asked for.
        let mut wanted = request(blank_question(kind), Vec::new());
        let mut kinds = Vec::new();
        while let Ok(item) = question(&wanted) {
            kinds.push(item.kind);
            wanted.others.push(asked(&item));
        }
        let own = kinds.iter().take_while(|found| **found == kind).count();
        assert!(own > 0 && kinds[own..].iter().all(|found| *found != kind), "{kind:?}: {kinds:?}");
    }
    assert!(question(&request(blank_question(Submission), Vec::new())).is_ok_and(|item| item.kind != Submission));
}

#[test]
fn a_resource_is_given_no_type_that_it_can_not_have() {
    let only = PartRequest { question_kinds: vec![TrueFalse], ..request(blank_question(Select), Vec::new()) };
    assert!(all_versions(only).iter().all(|item| item.kind == TrueFalse));
}

#[test]
fn another_question_is_about_the_lesson_of_the_present_one() {
    let present = PresentQuestion {
        kind: Select,
        question: "What falls when the drops of a cloud are heavy?".to_owned(),
        correct_answers: vec!["Rain".to_owned()],
    };
    let found = draft(&request(Part::Question(present), Vec::new())).unwrap();
    let PartContent::Question { lesson, .. } = found.content else { panic!("{found:?}") };
    assert_eq!(lesson, "The water cycle");
}

#[test]
fn an_answer_that_is_asked_for_already_is_not_asked_for_again() {
    let present = PresentQuestion {
        kind: Blank,
        question: "Which word did a teacher write here?".to_owned(),
        correct_answers: vec!["nucleus".to_owned()],
    };
    let found = all_versions(request(Part::Question(present), Vec::new()));
    let single = found.iter().filter(|item| matches!(item.kind, Select | Blank));
    assert!(single.clone().count() > 0);
    assert!(single.flat_map(|item| &item.correct_answers).all(|key| normal(key) != "nucleus"), "{found:?}");
}

#[test]
fn the_same_request_has_the_same_answer_and_says_that_the_instruction_was_not_read() {
    for present in
        [blank_question(Select), Part::Section(String::new()), Part::Slide(String::new()), Part::Scene(String::new())]
    {
        let plain = request(present, Vec::new());
        let first = draft(&plain).unwrap();
        assert_eq!(first, draft(&plain).unwrap());
        assert!(!first.ignores_instruction);
        let told = PartRequest { instruction: "Make it about frogs.".to_owned(), ..plain };
        let second = draft(&told).unwrap();
        assert!(second.ignores_instruction);
        assert_eq!(first.content, second.content);
    }
}

#[test]
fn a_section_says_what_no_section_says_yet_and_keeps_its_id() {
    let present = "<section id=\"lesson-1\" aria-labelledby=\"lesson-1-title\">\n<h2 id=\"lesson-1-title\">Cells</h2>\n\
        <p>A cell is the smallest unit of life.</p></section>\n";
    let other = "<section id=\"lesson-2\"><h2>Tissue</h2><p>A tissue is a group of cells of one kind.</p></section>";
    let wanted = request(Part::Section(present.to_owned()), vec![Part::Section(other.to_owned())]);
    let PartContent::Section(html) = draft(&wanted).unwrap().content else { panic!() };
    assert!(html.starts_with("<section id=\"lesson-1\" aria-labelledby=\"lesson-1-title\">"), "{html}");
    assert!(html.contains("The nucleus is the part of a cell") && html.ends_with("</section>\n"), "{html}");
    for said in ["smallest unit of life", "group of cells"] {
        assert!(!html.contains(said), "{html}");
    }
}

#[test]
fn a_section_has_the_form_of_the_present_one() {
    for (present, begins) in [
        ("<h2>Cells</h2><p>Old.</p>", "<h2>Cells</h2>\n<p>"),
        ("## Cells\n\nOld.", "<h2>Cells</h2>\n<p>"),
        ("<section><h2>Cells</h2><p>Old.</p></section>", "<section>\n<h2>Cells</h2>\n<p>"),
        ("<section id=\"a b\"><h2>Cells</h2></section>", "<section>\n<h2>Cells</h2>"),
    ] {
        let PartContent::Section(html) =
            draft(&request(Part::Section(present.to_owned()), Vec::new())).unwrap().content
        else {
            panic!()
        };
        assert!(html.starts_with(begins), "{present}: {html}");
    }
}

#[test]
fn where_all_is_said_there_is_no_other_section_slide_or_scene() {
    let whole = format!("<h2>All</h2><p>{CELLS}</p><p>{WATER}</p>").replace("**", "");
    for (present, other) in [
        (Part::Section(whole.clone()), Part::Section(String::new())),
        (Part::Slide("<h2>Cells</h2>".to_owned()), Part::Slide(whole)),
        (Part::Scene(CELLS.replace("**", "")), Part::Scene(WATER.replace("**", ""))),
    ] {
        let noun = present.noun();
        let error = draft(&request(present, vec![other])).unwrap_err();
        assert_eq!((error.code, error.message), ("nothing_else", format!("The source gives no other {noun}.")));
    }
}

#[test]
fn nothing_is_made_without_material() {
    for material in
        [PartMaterial::Modules(Vec::new()), PartMaterial::Level(SourceLevel { lessons: Vec::new(), ..level() })]
    {
        for present in [blank_question(Select), Part::Section("<h2>Cells</h2>".to_owned())] {
            let error = draft(&PartRequest { material: material.clone(), ..request(present, Vec::new()) }).unwrap_err();
            assert_eq!(error.code, "nothing_else");
        }
    }
}

#[test]
fn a_slide_has_new_points_under_its_headline() {
    let present = "<section class=\"slide\" lang=\"en\" dir=\"ltr\">\n<h2>Clouds and rain</h2>\n<ul><li>A cloud is a mass of \
        tiny drops in the air.</li></ul>\n</section>\n";
    let PartContent::Slide(html) = draft(&request(Part::Slide(present.to_owned()), Vec::new())).unwrap().content else {
        panic!()
    };
    assert!(html.starts_with("<section class=\"slide\" lang=\"en\" dir=\"ltr\">\n<h2>Clouds and rain</h2>"), "{html}");
    assert!(html.contains("<li>Rain falls when") && !html.contains("tiny drops in the air"), "{html}");
}

#[test]
fn scenes_go_on_until_all_sentences_are_told() {
    let mut wanted = request(Part::Scene("A cell is the smallest unit of life.".to_owned()), Vec::new());
    let mut told: Vec<String> = Vec::new();
    let error = loop {
        match draft(&wanted) {
            Ok(found) => {
                let PartContent::Scene(scene) = found.content else { panic!("{found:?}") };
                assert!(scene.duration_seconds >= 3.0 && !scene.display_text.is_empty());
                let earlier = std::mem::replace(&mut wanted.present, Part::Scene(scene.script.clone()));
                wanted.others.push(earlier);
                told.push(scene.script);
            }
            Err(error) => break error,
        }
        assert!(told.len() < 50);
    };
    assert_eq!(error.code, "nothing_else");
    assert!(told.len() > 1 && told[0].contains("cell"), "{told:?}");
    let whole = told.join(" ");
    assert_eq!(whole.matches("cloud is a mass").count(), 1, "{told:?}");
    assert!(!whole.contains("smallest unit of life"));
}

proptest! {
    #[test]
    fn no_question_that_is_there_comes_again(kept in proptest::collection::vec(any::<bool>(), 40), at in 0_usize..40) {
        let mut quiz = builtin::quiz(&level()).unwrap().items;
        quiz.extend(all_versions(request(blank_question(Select), Vec::new())).into_iter().take(20));
        let there: Vec<Part> = quiz.iter().zip(kept).filter(|(_, kept)| *kept).map(|(item, _)| asked(item)).collect();
        let wanted = request(asked(&quiz[at % quiz.len()]), there);
        match question(&wanted) {
            Ok(item) => {
                let form = normal(&item.question);
                prop_assert!(wanted.asked().all(|present| normal(&present.question) != form));
                prop_assert!(check_part(&draft(&wanted).unwrap(), &wanted).is_ok());
            }
            Err(error) => prop_assert_eq!(error.code, "nothing_else"),
        }
    }
}
