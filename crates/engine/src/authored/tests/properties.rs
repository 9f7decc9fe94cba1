//! Whatever a customer or a model writes: nothing panics, and what is handed out has passed the gate.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

/// Texts with what cuts and counts get wrong: letters of several bytes, gaps, quotations, numbers, markup.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC{0,40}",
        "[ -~]{0,60}",
        "(A) |B[).] |__+|“.{0,9}”|\"|„.{0,5}|«»|[0-9٠-٩]{1,4}[.,' ][0-9]{3}|</?[a-z]{1,6}>|。|細胞は小さい|\u{0}|\n",
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// An answer in which some texts are others.
fn spoil(value: &mut Value, texts: &mut impl Iterator<Item = String>) {
    match value {
        Value::String(text) => texts.next().into_iter().for_each(|other| {
            if other.len() % 3 > 0 {
                *text = other;
            }
        }),
        Value::Array(values) => values.iter_mut().for_each(|value| spoil(value, texts)),
        Value::Object(members) => members.values_mut().for_each(|value| spoil(value, texts)),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_draft_from_any_texts_is_sound_or_there_is_none(
        source in prop::collection::vec(text(), 1..4),
        said in prop::collection::vec(text(), 1..12),
        language in "[a-z]{2}(-[A-Za-z]{2,4})?|\\PC{0,6}",
    ) {
        let mut level = level();
        level.language = language;
        for (lesson, text) in level.lessons.iter_mut().zip(&source) {
            lesson.fields[0].value = json!(text);
        }
        let said = Arc::new(said);
        let answers = move |asked: &Asked, answer: &mut Value| {
            let from = asked.texts.iter().map(String::len).sum::<usize>() % said.len();
            spoil(answer, &mut said.iter().cycle().skip(from).cloned());
        };
        let authored = Authored::new(Arc::new(Scripted::spoilt(true, answers)));
        if let Ok(draft) = made(authored.module(&level, &Shelf::default())) {
            prop_assert!(check_module(&draft).is_ok());
        }
        if let Ok(draft) = made(authored.quiz(&level, &Shelf::default())) {
            prop_assert!(check_quiz(&draft).is_ok());
        }
        if let Ok(draft) = made(authored.video(&level, &Shelf::default())) {
            prop_assert!(check_video(&draft).is_ok());
        }
        let request = SlideRequest { outline: source.concat(), ..SlideRequest::default() };
        if let Ok(draft) = made(authored.requested_slide(&request, &Shelf::default())) {
            prop_assert!(check_slide(&draft).is_ok());
        }
    }
}
