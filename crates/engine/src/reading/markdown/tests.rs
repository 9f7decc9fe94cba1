use proptest::prelude::*;

use super::*;
use crate::reading::blocks::Body;
use crate::reading::inline::MarkKind;

fn blocks(text: &str) -> Vec<Body> {
    read(text, &Pointer::root("/x"), 1).into_iter().map(|block| block.body).collect()
}

fn kinds(text: &str) -> Vec<&'static str> {
    let kind = |body: &Body| match body {
        Body::Heading { .. } => "heading",
        Body::Paragraph(_) => "paragraph",
        Body::List { steps: false, .. } => "list",
        Body::List { .. } => "steps",
        Body::Table(_) => "table",
        Body::Code(_) => "code",
        Body::Dialogue(_) => "dialogue",
        Body::Formula(_) => "formula",
        Body::Picture(_) => "picture",
        Body::Quotation(_) => "quotation",
        _ => "other",
    };
    blocks(text).iter().map(kind).collect()
}

#[test]
fn marks_come_off_and_formulas_stay() {
    let passage = inline("A **cell** has `code_x`, 2*3*4, snake_case_name, $a_1*b_2$ and [a link](https://x.y).");
    assert_eq!(passage.text, "A cell has code_x, 2*3*4, snake_case_name, $a_1*b_2$ and a link.");
    assert_eq!(passage.marked_in(0..passage.text.len()).collect::<Vec<_>>(), ["cell", "code_x"]);
    let kinds: Vec<&MarkKind> = passage.marks.iter().map(|mark| &mark.kind).collect();
    assert_eq!(
        kinds,
        [&MarkKind::Strong, &MarkKind::Code, &MarkKind::Formula, &MarkKind::Link("https://x.y".to_owned())]
    );
}

#[test]
fn reads_blocks() {
    let text = "# Cells\nA cell is small.\n\n- one\n- two\n  - inner\n\n1. first\n2. second\n\n| a | b |\n|---|---|\n| 1 | 2 |\n```\nlet x = 1;\n```";
    assert_eq!(kinds(text), ["heading", "paragraph", "list", "steps", "table", "code"]);
    let Body::List { items, .. } = &blocks(text)[2] else { panic!() };
    assert_eq!(items[2].level, 1);
    let Body::Table(table) = &blocks(text)[4] else { panic!() };
    assert_eq!(
        (&table.columns[..], &table.rows[0].cells[..]),
        (&["a".to_owned(), "b".to_owned()][..], &["1".to_owned(), "2".to_owned()][..])
    );
}

#[test]
fn a_talk_needs_two_speakers_and_a_second_turn() {
    let pointer = Pointer::root("/x");
    assert!(conversation(&["Anna: Hi!", "Ben: Hello.", "Anna: Bye."], &pointer).is_some());
    assert!(conversation(&["Mitosis: division", "Osmosis: flow"], &pointer).is_none());
    assert_eq!(kinds("Anna: Hi!\nBen: Hello.\nAnna: Bye."), ["dialogue"]);
}

#[test]
fn what_looks_like_code_in_a_sentence_survives() {
    for text in [
        "C# is a language.",
        "If a > 0 and b < 0, swap.",
        "A List<T> holds <T>.",
        "Use <script> tags.",
        "x = *p; y = &q;",
        "5 ~ 6 and ~7",
        "a_b_c and 2*3*4",
        "[Anna]: Hello!",
        "1914. The war began.",
        "100% & more",
        "C:\\temp\\new",
        "#hashtag",
    ] {
        let passage = inline(text);
        assert_eq!(passage.text, text);
        let Body::Paragraph(passage) = &blocks(text)[0] else { panic!("{text}: {:?}", blocks(text)) };
        assert_eq!(passage.text, text);
    }
}

#[test]
fn references_are_decoded_once() {
    assert_eq!(inline("a &lt; b &amp;lt; c").text, "a < b &lt; c");
    assert_eq!(inline_decoded("a &lt; b").text, "a &lt; b");
}

#[test]
fn code_keeps_its_language_and_indentation() {
    let text = "Look:\n```python\ndef f(x):\n    return x < 1\n```\n\n    for i in x:\n        print(i)\n";
    let bodies = blocks(text);
    let Body::Code(code) = &bodies[1] else { panic!("{bodies:?}") };
    assert_eq!((code.language.as_deref(), code.text.as_str()), (Some("python"), "def f(x):\n    return x < 1"));
    let Body::Code(code) = &bodies[2] else { panic!("{bodies:?}") };
    assert_eq!(code.text, "for i in x:\n    print(i)");
    assert_eq!(kinds("Title\n\n    Just a line that is set in.\n"), ["paragraph", "paragraph"]);
    assert_eq!(kinds(">>> 1 + 1\n2\n\nThat was it."), ["code", "paragraph"]);
}

#[test]
fn display_formulas_and_pictures_end_the_paragraph() {
    assert_eq!(kinds("The rule $$a^2 + b^2 = c^2$$ holds."), ["paragraph", "formula", "paragraph"]);
    assert_eq!(kinds("Look ![a cell](https://x.y/cell.png) here."), ["paragraph", "picture", "paragraph"]);
    let bodies = blocks("![A cell](https://x.y/cell.png \"Seen by Hooke\")");
    let Body::Picture(picture) = &bodies[0] else { panic!("{bodies:?}") };
    assert_eq!(
        (picture.address.as_str(), picture.description.as_str(), picture.caption.as_deref()),
        ("https://x.y/cell.png", "A cell", Some("Seen by Hooke"))
    );
    assert_eq!(kinds("- one ![a](https://x.y/z.png)\n- two"), ["list", "picture"]);
    assert_eq!(kinds("![only text](javascript:x)"), ["paragraph"]);
}

#[test]
fn quotations_have_their_source() {
    let bodies = blocks("> Nothing is to be feared.\n> — Marie Curie\n\nShe said so.");
    let Body::Quotation(quotation) = &bodies[0] else { panic!("{bodies:?}") };
    assert_eq!(
        (quotation.paragraphs[0].text.as_str(), quotation.source.as_deref()),
        ("Nothing is to be feared.", Some("Marie Curie"))
    );
    assert_eq!(kinds("> **Note:** wear gloves.\n\nText."), ["paragraph", "paragraph"]);
}

#[test]
fn lists_are_read_as_people_write_them() {
    assert_eq!(kinds("Bring:\n• a pen\n• paper\nThen we begin."), ["paragraph", "list", "paragraph"]);
    assert_eq!(kinds("1. Heat it\n   - slowly\n2. Stir"), ["steps"]);
    assert_eq!(kinds("1) a\n2) b\n\n3) c"), ["steps"]);
    assert_eq!(kinds("一\n1、甲\n2、乙"), ["paragraph", "steps"]);
    let bodies = blocks("1. Write:\n   ```c\n   int x;\n   ```\n2. Run it");
    assert!(
        matches!(&bodies[..], [Body::List { .. }, Body::Code(code), Body::List { .. }] if code.text == "int x;"),
        "{bodies:?}"
    );
    let bodies = blocks("- one\n  goes on\n- [x] two");
    let Body::List { items, .. } = &bodies[0] else { panic!("{bodies:?}") };
    assert_eq!((items[0].text.text.as_str(), items[1].text.text.as_str()), ("one goes on", "two"));
}

#[test]
fn a_rule_below_a_sentence_makes_no_heading_of_it() {
    assert_eq!(kinds("A cell is small.\n---\nIt lives."), ["paragraph", "paragraph"]);
    assert_eq!(kinds("Cells\n-----\nThey live."), ["heading", "paragraph"]);
}

#[test]
fn no_cell_of_a_table_is_lost() {
    let bodies = blocks("| a | b |\n|---|---|\n| 1 | 2 | 3 |\nBehind it.");
    let [Body::Table(table), Body::Paragraph(_)] = &bodies[..] else { panic!("{bodies:?}") };
    assert_eq!(table.rows[0].cells, ["1", "2", "3"]);
    let bodies = blocks("| a | b |\n| c | d \\| e |");
    let [Body::Table(table)] = &bodies[..] else { panic!("{bodies:?}") };
    assert!(table.columns.is_empty());
    assert_eq!(table.rows[1].cells, ["c", "d | e"]);
}

#[test]
fn emphasis_touches_signs_in_scripts_without_spaces() {
    let passage = inline("这是**“重要”**的。");
    assert_eq!(passage.text, "这是**“重要”**的。");
    let Body::Paragraph(passage) = &blocks("这是**“重要”**的。")[0] else { panic!() };
    assert_eq!(passage.text, "这是“重要”的。");
}

#[test]
fn a_line_can_end_in_the_description_of_a_picture() {
    let text = "光合作用 and more.\n![水\n水 x](https://x.y/z.png) then\nmore 水.";
    let bodies = blocks(text);
    assert!(bodies.iter().any(|body| matches!(body, Body::Picture(_))), "{bodies:?}");
    assert!(format!("{bodies:?}").contains("more 水."), "{bodies:?}");
    blocks("水.\n![水水水水水\n水](x)\n水水水水水水.");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "[a-z水 \n*_`~$\\\\\\[\\]()!<>&;|#>.:0-9-]{0,80}") {
        read(&text, &Pointer::root("/x"), 1);
        inline(&text);
    }

    #[test]
    fn no_word_is_lost(words in prop::collection::vec("[a-z]{4,8}", 1..12), marks in prop::collection::vec(prop::sample::select(&[" ", "\n", "\n\n", " **", "** ", "\n- ", "\n1. ", "\n> ", " | ", " $", "$ ", " <", "> ", "`", "\n# ", "\n\t", "~", "_", " [", "](", "\\"][..]), 12)) {
        let text: String = words.iter().zip(&marks).map(|(word, mark)| format!("{word}{mark}")).collect();
        let mut found = String::new();
        for body in blocks(&text) {
            crate::reading::flat::each_text(&body, &mut |part| { found.push_str(part); found.push(' '); });
        }
        let inlined = inline(&text).text;
        for word in &words {
            prop_assert!(found.contains(word.as_str()), "{word} of {text:?} in {found:?}");
            prop_assert!(inlined.contains(word.as_str()), "{word} of {text:?} in {inlined:?}");
        }
    }
}
