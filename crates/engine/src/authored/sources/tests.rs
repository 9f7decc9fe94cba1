use super::*;
use crate::authored::plain::LONGEST;
use crate::request::SourceModule;
use crate::source::{SourceField, SourceLesson, SourceLevel};

fn level(lessons: &[(&str, &str)]) -> SourceLevel {
    let lesson = |(at, (title, text)): (usize, &(&str, &str))| SourceLesson {
        pointer: format!("/lessons/{at}"),
        title: Some((*title).to_owned()),
        kind: "content".into(),
        fields: vec![SourceField { pointer: format!("/lessons/{at}/text"), name: "text".into(), value: json!(text) }],
    };
    SourceLevel {
        language: "en".into(),
        category_title: "Science".into(),
        level_title: Some("Cells".into()),
        lessons: lessons.iter().enumerate().map(lesson).collect(),
    }
}

#[test]
fn excerpts_are_numbered_and_know_their_places() {
    let sources = Sources::of_level(&level(&[("One", "A cell is alive."), ("Two", "It divides.")])).unwrap();
    let shown = sources.overview(10_000);
    assert_eq!(shown.json["lessons"][1]["excerpts"][0], json!({ "n": 2, "field": "text", "value": "It divides." }));
    assert_eq!(sources.pointers(&[2, 1, 2, 9, 0]), ["/lessons/1/text", "/lessons/0/text"]);
    assert_eq!(sources.left_out().len(), 2, "nobody has read it yet");
    sources.note_read(&shown.whole);
    assert!(sources.left_out().is_empty());
}

#[test]
fn a_long_text_is_cut_into_excerpts_of_which_nothing_is_lost() {
    let text = "Every cell has a wall. ".repeat(400);
    let sources = Sources::of_level(&level(&[("One", &text)])).unwrap();
    assert!(sources.excerpts.len() > 5);
    assert!(sources.excerpts.iter().all(|excerpt| excerpt.text.chars().count() <= LONGEST));
    let all: Vec<&str> = sources.excerpts.iter().map(|excerpt| excerpt.text.as_str()).collect();
    assert_eq!(all.join(" "), text.trim());
}

#[test]
fn what_does_not_fit_is_chosen_by_relevance_and_what_is_left_out_is_told() {
    let long = |topic: &str| format!("{topic} {}", "and more of it. ".repeat(60));
    let lessons = [("A", long("Rivers")), ("B", long("Volcanoes")), ("C", long("Glaciers"))];
    let lessons: Vec<(&str, &str)> = lessons.iter().map(|(title, text)| (*title, text.as_str())).collect();
    let sources = Sources::of_level(&level(&lessons)).unwrap();
    assert!(sources.overview(300).whole.is_empty(), "an overview that cuts shows nothing whole");
    let shown = sources.excerpts_for("Volcanoes", &[0, 1, 2], 1_100);
    assert_eq!(shown.whole, [1]);
    sources.note_read(&shown.whole);
    assert_eq!(sources.left_out(), ["/lessons/0/text", "/lessons/2/text"]);
}

#[test]
fn what_no_part_names_goes_to_its_neighbour_and_lessons_without_a_part_are_given_back() {
    let long = "Every cell has a wall. ".repeat(200);
    let sources = Sources::of_level(&level(&[("One", &long), ("Two", "It divides.")])).unwrap();
    let last = sources.count();
    let (parts, homeless) = sources.share_out(&[vec![1], vec![2]]);
    assert_eq!(parts[0], [0]);
    assert_eq!(parts[1], (1..last - 1).collect::<Vec<_>>());
    assert_eq!(homeless, [vec![last - 1]]);
}

#[test]
fn a_request_that_only_names_a_topic_is_known_as_one() {
    let wish = |text| Wish { pointer: "/topicPrompt", text };
    let topic = Sources::of_request("en", "", &[wish("Photosynthesis")], &[]).unwrap();
    assert!(topic.names_only_a_topic);
    assert_eq!(topic.overview(1_000).json["lessons"][0]["role"], "request");
    let text = "Plants take light and make sugar of it. ".repeat(20);
    assert!(!Sources::of_request("en", "", &[wish(&text)], &[]).unwrap().names_only_a_topic);
    let module = SourceModule { id: "m".into(), title: "Plants".into(), html: "<p>Plants are green.</p>".into() };
    let given = Sources::of_request("en", "", &[wish("Photosynthesis")], &[module]).unwrap();
    assert!(!given.names_only_a_topic);
    assert_eq!(given.pointers(&[1, 2]), ["/topicPrompt", "/material/m/content"]);
    assert!(Sources::of_request("en", "", &[wish(" … ")], &[]).is_err());
}

#[test]
fn a_lesson_is_given_with_its_type_and_the_json_of_its_fields_in_the_order_of_their_keys() {
    let field =
        |name: &str, value: Value| SourceField { pointer: format!("/lessons/0/{name}"), name: name.into(), value };
    let mut level = level(&[("One", "")]);
    let lesson = &mut level.lessons[0];
    lesson.kind = "lab".into();
    lesson.fields = vec![
        field("z", json!({ "b": [1, { "y": 2.50, "a": null }], "a": "<b>Salt</b>" })),
        field("updatedAt", json!("2026-01-02")),
        field("a", json!(["one", "two"])),
    ];
    let shown = Sources::of_level(&level).unwrap().overview(10_000);
    let expected = json!([{ "role": "material", "type": "lab", "title": "One", "excerpts": [
        { "n": 1, "field": "z", "value": { "b": [1, { "y": 2.50, "a": null }], "a": "<b>Salt</b>" } },
        { "n": 2, "field": "updatedAt", "value": "2026-01-02" },
        { "n": 3, "field": "a", "value": ["one", "two"] },
    ] }]);
    assert_eq!(shown.json["lessons"].to_string(), expected.to_string());
}

#[test]
fn a_lesson_that_is_a_string_is_given_as_text() {
    let mut level = level(&[("One", "")]);
    let pointer = level.lessons[0].pointer.clone();
    let text = "# Salt\n\nSalt is **white**.";
    level.lessons[0].title = None;
    level.lessons[0].fields = vec![SourceField { pointer, name: String::new(), value: json!(text) }];
    let shown = Sources::of_level(&level).unwrap().overview(10_000);
    assert_eq!(shown.json["lessons"][0]["excerpts"], json!([{ "n": 1, "text": text }]));
}

#[test]
fn a_lesson_with_nothing_to_teach_is_shown_and_becomes_no_part() {
    let mut level = level(&[("One", "A cell is alive."), ("", "")]);
    level.lessons[1].fields[0].value = json!(null);
    let sources = Sources::of_level(&level).unwrap();
    assert_eq!(sources.overview(1_000).json["lessons"][1]["excerpts"][0]["value"], Value::Null);
    assert!(sources.share_out(&[vec![1]]).1.is_empty());
    level.lessons.remove(0);
    assert!(Sources::of_level(&level).is_err(), "nothing else is there");
}
