//! A module whose writers left not one sound question.

use super::*;
use crate::drafts::ModuleQuizKind;
use crate::request::SourceModule;

/// Questions of sections are never sound; `asked` says what comes of asking for some by themselves.
fn without_questions(
    asked: impl Fn(&Asked) -> Result<String, ModelError> + Send + Sync + 'static,
) -> (Result<ModuleDraft, GenerationError>, Arc<Scripted>, Shelf) {
    let model = Arc::new(Scripted::new(move |one| match one.name {
        "section" => {
            let mut section = good(one);
            section["items"][0]["correctAnswers"] = json!(["Maybe"]);
            Ok(section.to_string())
        }
        "questions" => asked(one),
        _ => Ok(good(one).to_string()),
    }));
    let shelf = Shelf::default();
    (module_by(&model, &shelf), model, shelf)
}

#[test]
fn a_module_without_a_sound_question_is_asked_for_some_once_more() {
    let (draft, model, _) = without_questions(|asked| Ok(good(asked).to_string()));
    let draft = draft.unwrap();
    assert_eq!((draft.quizzes.len(), model.count("questions")), (3, 1));
    let kinds: Vec<_> = draft.quizzes.iter().map(|quiz| quiz.kind).collect();
    assert_eq!(kinds, [ModuleQuizKind::Select, ModuleQuizKind::TrueFalse, ModuleQuizKind::Blank]);
    assert!(draft.quizzes.iter().all(|quiz| quiz.title == "The cell"), "where its excerpts are: {:?}", draft.quizzes);
}

#[test]
fn a_module_that_has_no_sound_question_even_then_is_made_without_and_says_so() {
    let failures = [
        Ok("{\"items\": []}".to_owned()),
        Ok("no questions".to_owned()),
        Err(ModelError::Declined),
        Err(ModelError::CutOff),
        Err(ModelError::TooLong),
    ];
    for failure in failures {
        let (draft, _, shelf) = without_questions({
            let failure = failure.clone();
            move |_| failure.clone()
        });
        let draft = draft.unwrap_or_else(|error| panic!("{failure:?}: {error}"));
        assert!(draft.quizzes.is_empty() && draft.content_html.contains("Muscle moves the bones"), "{failure:?}");
        let remarks = shelf.remarks.lock().unwrap();
        assert!(remarks.contains(&Remark::WithoutQuestions(vec!["All about it".into()])), "{remarks:?}");
    }
}

#[test]
fn a_module_waits_for_its_questions_while_the_model_is_away() {
    for (failure, retryable) in [(ModelError::TimedOut, true), (ModelError::Misconfigured, false)] {
        let code = failure.code();
        let (draft, _, shelf) = without_questions(move |_| Err(failure.clone()));
        let error = draft.unwrap_err();
        assert_eq!((error.code, error.retryable), (code, retryable));
        assert_eq!(shelf.kept.lock().unwrap().len(), 4, "nothing else is asked for again");
    }
}

#[test]
fn one_module_without_questions_does_not_cost_a_course_the_others() {
    let model = Arc::new(Scripted::new(|asked| {
        let mut answer = good(asked);
        match asked.name {
            "section" if asked.data["section"] == "Tissue" => answer["items"][0]["correctAnswers"] = json!(["Maybe"]),
            "questions" => answer["items"] = json!([]),
            _ => {}
        }
        Ok(answer.to_string())
    }));
    let lesson = |(title, text): &(&str, &str)| SourceModule {
        id: (*title).to_owned(),
        title: (*title).to_owned(),
        html: format!("<p>{text}</p>"),
    };
    let material = LESSONS.iter().map(lesson).collect();
    let request = CourseRequest { title: "Life".into(), material, ..CourseRequest::default() };
    let shelf = Shelf::default();
    let draft = made(Authored::new(model.clone()).requested_course(&request, &shelf)).unwrap();
    let asks: Vec<_> = draft.modules.iter().map(|module| (module.title.as_str(), !module.quizzes.is_empty())).collect();
    assert!(asks.contains(&("Tissue", false)) && asks.contains(&("Organs", true)), "{asks:?}");
    assert!(shelf.remarks.lock().unwrap().contains(&Remark::WithoutQuestions(vec!["Tissue".into()])));
    let asked = model.asked().into_iter().find(|asked| asked.name == "questions").unwrap();
    assert_eq!(
        (&asked.data["topic"], asked.material["lessons"][0]["title"].as_str()),
        (&json!("Tissue"), Some("Tissue"))
    );
}
