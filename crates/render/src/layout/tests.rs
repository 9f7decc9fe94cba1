use proptest::prelude::*;

use super::*;
use crate::storyboard::{Resolution, Scene};

fn board(title: &str, texts: &[&str]) -> Storyboard {
    let scene =
        |text: &&str| Scene { script: String::new(), display_text: (*text).to_owned(), seconds: 1.0, title: None };
    Storyboard {
        title: title.to_owned(),
        language: "en".to_owned(),
        aspect_ratio: (16, 9),
        resolution: Resolution::Hd,
        burns_captions: false,
        scenes: texts.iter().map(scene).collect(),
    }
}

fn kind(text: &str) -> &'static str {
    match Layout::of_text(text) {
        Layout::Title { .. } => "title",
        Layout::Text { .. } => "text",
        Layout::Definition { .. } => "definition",
        Layout::List { .. } => "list",
        Layout::Figure { .. } => "figure",
        Layout::Quote { .. } => "quote",
        Layout::Table { .. } => "table",
        Layout::Formula { .. } => "formula",
    }
}

#[test]
fn the_content_decides_the_layout() {
    for (expected, texts) in [
        (
            "text",
            &[
                "Plants make their own food",
                "Why? Because of light",
                "A and B",
                "In 1492",
                "3 kinds of cells",
                "植物为什么是绿色的",
                "",
            ][..],
        ),
        (
            "list",
            &[
                "Light\nWater\nAir",
                "Light · Water · Air",
                "You need:\n- light\n- water",
                "You need: light · water",
                "1. Mix\n2. Heat",
            ],
        ),
        (
            "figure",
            &[
                "37 %",
                "25,937 ₹",
                "37%",
                "1,000,000",
                "70 % of the earth is water",
                "8 Mrd",
                "+4 °C",
                "300 000 km/h",
                "$5.2 billion",
                "Water: 71%",
                "٪٣٧",
                "3.14",
                "Speed of light: 299,792,458 m/s",
                "$5 billion in sales",
            ],
        ),
        (
            "quote",
            &[
                "“I think, therefore I am.” — Descartes",
                "„Wissen ist Macht“",
                "« L’État, c’est moi »",
                "「学びて時に習う」",
                "> To be\n> or not to be\n— Hamlet",
                "\"Eureka!\" (Archimedes)",
                "»Sapere aude!«",
            ],
        ),
        ("table", &["| a | b |\n|---|---|\n| 1 | 2 |", "Iron: Fe\nGold: Au", "a | b\nc | d"]),
        (
            "formula",
            &[
                "$E = mc^2$",
                r"\(a^2 + b^2 = c^2\)",
                "W = mg",
                "(1 + r)^t",
                "E = mc²",
                "speed = distance / time",
                r"Area: $\pi r^2$",
                "6 CO2 + 6 H2O → C6H12O6 + 6 O2",
                "F = m × a",
                "Energy: E = mc²",
                "x ≤ 5",
                "a² + b²",
            ],
        ),
        (
            "definition",
            &[
                "Mass: the amount of matter in an object",
                "光合作用：植物制造养分的过程",
                "Photosynthesis: light becomes food",
            ],
        ),
    ] {
        for text in texts {
            assert_eq!(kind(text), expected, "{text}: {:?}", Layout::of_text(text));
        }
    }
    assert_eq!(kind("You need:\n- $\\frac{1}{2}$ litre of milk\n- two eggs"), "list");
    assert_eq!(kind("The letter $x$ stands for a number"), "text");
    assert_eq!(kind("Here $F = ma$ is the force"), "text");
    let figure = Layout::of_text("$5 billion in sales");
    assert_eq!(figure, Layout::Figure { number: "$5 billion".into(), label: Some("in sales".into()) });
    assert_eq!(kind("From $5 to $10 a day"), "text");
    assert_eq!(kind("It starts at 12:30"), "text");
}

#[test]
fn parts_are_told_apart() {
    let quote = Layout::of_text("“I think, therefore I am.” — René Descartes");
    assert_eq!(quote, Layout::Quote { text: "I think, therefore I am.".into(), source: Some("René Descartes".into()) });
    let list = Layout::of_text("You need:\n- light\n• water");
    assert_eq!(list, Layout::List { heading: Some("You need".into()), items: vec!["light".into(), "water".into()] });
    let figure = Layout::of_text("70 % of the earth is water");
    assert_eq!(figure, Layout::Figure { number: "70 %".into(), label: Some("of the earth is water".into()) });
    let Layout::Table { rows, has_header } = Layout::of_text("| Metal | Sign |\n|---|---|\n| Iron | Fe |") else {
        panic!()
    };
    assert!(has_header && rows == [["Metal", "Sign"], ["Iron", "Fe"]]);
    let formula = Layout::of_text(r"Area: $\pi r^2$");
    assert_eq!(formula, Layout::Formula { formula: Formula::Latex(r"\pi r^2".into()), label: Some("Area".into()) });
}

#[test]
fn the_first_scene_and_the_title_again_are_title_cards() {
    let cards = board("Green plants", &["Why are plants green?", "Green plants", "Light", "a · b", "Mass: matter"]);
    let is_title = |index| matches!(Layout::of(&cards, index), Layout::Title { .. });
    assert_eq!([0, 1, 2, 3, 4, 9].map(is_title), [true, true, false, false, false, false]);
    let list = board("Green", &["Light · Water"]);
    assert!(matches!(Layout::of(&list, 0), Layout::List { .. }));
    let empty = board("Green", &["", "", " "]);
    assert_eq!(Layout::of(&empty, 0), Layout::Title { title: "Green".into() });
}

/// The letters and digits of a text, sorted.
fn letters(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().filter(|character| character.is_alphanumeric()).collect();
    letters.sort_unstable();
    letters
}

/// Everything that a layout shows.
fn content(layout: &Layout) -> String {
    let or_none = |text: &Option<String>| text.clone().unwrap_or_default();
    match layout {
        Layout::Title { title: text } | Layout::Text { text } => text.clone(),
        Layout::Definition { term, meaning } => format!("{term} {meaning}"),
        Layout::List { heading, items } => format!("{} {}", or_none(heading), items.join(" ")),
        Layout::Figure { number, label } => format!("{number} {}", or_none(label)),
        Layout::Quote { text, source } => format!("{text} {}", or_none(source)),
        Layout::Table { rows, .. } => rows.concat().join(" "),
        Layout::Formula { formula: Formula::Latex(text) | Formula::Plain(text), label } => {
            format!("{text} {}", or_none(label))
        }
    }
}

proptest! {
    #[test]
    fn no_word_is_lost(text in "([a-zé植ب0-9]{1,6}|[ \n:|>$·•“”„«»()=^+*-]| [—·|] |: |> |\n- |\n){0,24}") {
        let shown = content(&Layout::of_text(&text));
        prop_assert_eq!(letters(&shown), letters(&text), "{:?}", Layout::of_text(&text));
    }

    #[test]
    fn every_text_has_a_layout(text in "\\PC{0,80}", title in "\\PC{0,10}", index in 0_usize..3) {
        let layout = Layout::of(&board(&title, &[&text, &text]), index);
        prop_assert_eq!(layout.heading().is_empty(), content(&layout).trim().is_empty(), "{:?}", layout);
    }
}
