//! What is asked for directly: tests, slides, courses and videos.

use super::*;
use crate::request::SourceModule;

fn material() -> Vec<SourceModule> {
    let module = |(at, (title, text)): (usize, &(&str, &str))| SourceModule {
        id: format!("m{at}"),
        title: (*title).to_owned(),
        html: format!("<p>{text}</p>"),
    };
    LESSONS.iter().enumerate().map(module).collect()
}

#[test]
fn a_test_from_a_topic_alone_is_the_models_own_knowledge_and_says_so() {
    let model = Arc::new(Scripted::spoilt(true, |asked, answer| {
        if asked.name == "questions" {
            assert_eq!((&asked.material["knowledge"], &asked.data["level"]), (&json!("general"), &json!("HARD")));
            let item = |(at, verb): (usize, &str)| {
                json!({
                    "type": "open-ended", "question": format!("{verb} what happened in 179{at}, and why it did."),
                    "options": [], "correctAnswers": [format!("Ingenhousz saw number {at} of them.")],
                    "explanation": "Plants take light.", "excerpts": [1],
                })
            };
            answer["items"] = ["Explain", "Judge"].into_iter().enumerate().map(item).collect();
        }
    }));
    let request = TestRequest {
        topic_prompt: "Create 2 questions about photosynthesis".into(),
        level: "HARD".into(),
        ..TestRequest::default()
    };
    let shelf = Shelf::default();
    let draft = made(Authored::new(model).requested_test(&request, &shelf)).unwrap();
    assert_eq!((draft.level.as_str(), draft.language.as_str()), ("HARD", "en"));
    assert_eq!(draft.citations[0].pointers, ["/topicPrompt"]);
    assert!(shelf.remarks.lock().unwrap().contains(&Remark::OwnKnowledge));
}

#[test]
fn a_test_on_material_is_held_against_it() {
    let request = TestRequest { topic_prompt: "Life".into(), material: material(), ..TestRequest::default() };
    let shelf = Shelf::default();
    let draft = made(Authored::new(Arc::new(Scripted::good())).requested_test(&request, &shelf)).unwrap();
    assert!(draft.items.len() >= 5);
    assert!(draft.citations.iter().all(|citation| citation.pointers.iter().all(|pointer| pointer.starts_with('/'))));
    assert!(!shelf.remarks.lock().unwrap().contains(&Remark::OwnKnowledge));
}

#[test]
fn slides_follow_the_outline_with_notes_for_the_speaker() {
    let request = SlideRequest {
        title: "Life for beginners".into(),
        outline: "- What a cell is\n- What an organ does".into(),
        material: material(),
        ..SlideRequest::default()
    };
    let draft = made(Authored::new(Arc::new(Scripted::good())).requested_slide(&request, &Shelf::default())).unwrap();
    assert_eq!(draft.title, "Life for beginners", "the caller's title stands");
    assert!(draft.content_html.starts_with("<section class=\"slide\" lang=\"en\" dir=\"ltr\">"));
    assert!(draft.content_html.contains("<aside class=\"notes\"><p>"));
    let slides = draft.content_html.matches("<section").count();
    assert_eq!((slides, draft.citations.len()), (5, 5), "{}", draft.content_html);
    assert!(draft.citations.iter().any(|citation| citation.pointers == ["/outline"]));
}

#[test]
fn a_course_has_its_modules_each_with_its_sections() {
    let request = CourseRequest {
        title: "Life".into(),
        description: "From the cell to the organ.".into(),
        level: "EASY".into(),
        material: material(),
        ..CourseRequest::default()
    };
    let model = Arc::new(Scripted::spoilt(true, |asked, answer| {
        if asked.name == "course_outline" {
            let modules = answer["modules"].as_array_mut().unwrap();
            modules.retain(|module| LESSONS.iter().any(|(title, _)| module["title"] == *title));
        }
    }));
    let draft = made(Authored::new(model.clone()).requested_course(&request, &Shelf::default())).unwrap();
    let titles: Vec<&str> = draft.modules.iter().map(|module| module.title.as_str()).collect();
    assert_eq!(titles, ["The cell", "Tissue", "Organs"]);
    assert_eq!((draft.level.as_str(), draft.title.as_str(), model.count("section")), ("EASY", "Life", 3));
    let places = &draft.modules[1].citations[1].pointers;
    assert_eq!(places, &["/material/m1/content"]);
}

#[test]
fn material_that_belongs_to_no_part_of_what_was_asked_for_is_not_used() {
    let request = SlideRequest { outline: "What a cell is".into(), material: material(), ..SlideRequest::default() };
    let model = Arc::new(Scripted::spoilt(true, |asked, answer| {
        if asked.name == "slides_outline" {
            answer["parts"].as_array_mut().unwrap().truncate(2);
        }
    }));
    let draft = made(Authored::new(model).requested_slide(&request, &Shelf::default())).unwrap();
    assert_eq!(draft.citations.len(), 2, "the outline, and the module on cells");
    assert!(draft.content_html.contains("smallest unit") && !draft.content_html.contains("Muscle"));
}

#[test]
fn many_questions_on_few_topics_are_asked_for_in_sets() {
    let request = TestRequest {
        topic_prompt: "Create 20 questions about life".into(),
        material: material(),
        ..TestRequest::default()
    };
    let model = Arc::new(Scripted::spoilt(true, |asked, answer| {
        if asked.name == "quiz_outline" {
            answer["parts"].as_array_mut().unwrap().drain(..1);
            answer["parts"].as_array_mut().unwrap().truncate(1);
        }
    }));
    let _ = made(Authored::new(model.clone()).requested_test(&request, &Shelf::default()));
    let tasks: Vec<String> =
        model.asked().into_iter().map(|asked| asked.task).filter(|task| task.contains("of these types")).collect();
    assert!(tasks[0].starts_with("Write 8 questions") && !tasks[0].contains("already"), "{tasks:?}");
    assert!(tasks.iter().any(|task| task.contains("There are 16 questions on it already")), "{tasks:?}");
}

#[test]
fn a_requested_video_tells_of_the_material() {
    let request = VideoRequest { title: "Life".into(), material: material(), ..VideoRequest::default() };
    let draft = made(Authored::new(Arc::new(Scripted::good())).requested_video(&request, &Shelf::default())).unwrap();
    assert_eq!(draft.title, "Life");
    assert!(!draft.scenes.is_empty());
}

#[test]
fn a_request_without_a_word_is_refused() {
    let model = Arc::new(Scripted::good());
    let error =
        made(Authored::new(model.clone()).requested_test(&TestRequest::default(), &Shelf::default())).unwrap_err();
    assert_eq!((error.code, model.asked().len()), ("source_empty", 0));
}
