//! Models that read little.

use super::*;

/// A model that reads so many bytes of material.
fn reads(most: usize) -> Arc<Scripted> {
    Arc::new(Scripted::new(move |asked| match asked.texts[0].len() {
        length if length > most => Err(ModelError::TooLong),
        _ => Ok(good(asked).to_string()),
    }))
}

fn long_level() -> SourceLevel {
    let mut source = level();
    let long = (0..120).map(|at| format!("Tissue grows, says line {at}, and so do all the others. "));
    source.lessons[1].fields[0].value = json!(long.collect::<String>());
    source
}

#[test]
fn what_is_too_long_for_a_model_is_asked_of_less_material() {
    let (model, shelf) = (reads(3_500), Shelf::default());
    let draft = made(Authored::new(model.clone()).module(&long_level(), &shelf)).unwrap();
    assert_eq!(draft.content_html.matches("<section").count(), 5);
    assert!(model.asked().iter().any(|asked| asked.texts[0].len() > 3_500), "it is tried whole first");
    let remarks = shelf.remarks.lock().unwrap();
    assert_eq!(remarks[..], [Remark::LeftOut(vec!["/level/lessons/1/text".into()])], "what was not read is told");
}

#[test]
fn a_model_that_reads_next_to_nothing_is_given_up() {
    let model = reads(300);
    let error = made(Authored::new(model.clone()).module(&long_level(), &Shelf::default())).unwrap_err();
    assert_eq!((error.code, error.retryable, model.asked().len()), ("model_input_too_long", false, 3));
}

#[test]
fn material_and_two_answers_fit_into_the_window_that_an_operator_names() {
    for tokens in [8_192, 16_384, 32_768, 200_000] {
        let limits = Limits::for_window(tokens);
        let answers = 2 * usize::try_from(limits.answer_tokens).unwrap();
        assert!(2_000 + limits.part_characters / 4 + answers <= tokens, "{tokens}: {limits:?}");
        assert!(2_000 + limits.overview_characters / 4 + answers <= tokens, "{tokens}: {limits:?}");
        assert!(limits.part_characters >= 6_000 && limits.answer_tokens >= 2_000, "{tokens}: {limits:?}");
    }
    assert_eq!(Limits::for_window(200_000), Limits::default());
}

#[test]
fn no_answer_may_be_longer_than_the_window_has_room_for() {
    let limits = Limits::for_window(8_192);
    let model = reads(usize::MAX);
    made(Authored::new(model.clone()).with_limits(limits).module(&level(), &Shelf::default())).unwrap();
    assert!(model.longest_answers().iter().all(|tokens| *tokens == limits.answer_tokens));
    let model = reads(usize::MAX);
    made(Authored::new(model.clone()).module(&level(), &Shelf::default())).unwrap();
    assert_eq!(model.longest_answers(), [4_000, 8_000, 8_000, 8_000]);
}

#[test]
fn what_an_answer_without_room_for_another_says_right_is_used() {
    let model = Arc::new(Scripted::new(|asked| match &asked.complaint {
        Some(_) => Err(ModelError::TooLong),
        None => {
            let mut answer = good(asked);
            if asked.data["section"] == "Tissue" {
                answer["recap"] = "Darwin saw that Darwin was there.".into();
            }
            Ok(answer.to_string())
        }
    }));
    let shelf = Shelf::default();
    let draft = module_by(&model, &shelf).unwrap();
    assert!(!draft.content_html.contains("Darwin") && draft.quizzes.len() == 3);
    assert_eq!(model.count("section"), 4, "it is not asked of less material");
}

#[test]
fn what_looks_at_much_text_is_computed_where_the_bench_wants_it() {
    let shelf = Shelf::default();
    module_by(&Arc::new(Scripted::good()), &shelf).unwrap();
    // The material, the plan's and the sections' prompts and answers, the page, the gate.
    assert!(shelf.computed.load(std::sync::atomic::Ordering::SeqCst) >= 12);
}
