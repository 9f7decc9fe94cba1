//! Writes a sample of every format into a folder, to try them in other systems:
//! `cargo run -p interchange --example packages -- target/packages`.

use std::path::Path;

use interchange::model::{Item, ItemKind, Passing, TestContent};
use interchange::{TestFormat, export_test};

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "target/packages".to_owned());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    for package in [export_test(&test(), TestFormat::Qti21), export_test(&test(), TestFormat::Qti30)] {
        std::fs::write(folder.join(format!("cells{}", package.file_name_suffix)), package.bytes)?;
    }
    Ok(())
}

fn item(id: &str, kind: ItemKind, question: &str, options: &[&str], answers: &[&str]) -> Item {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Item {
        id: id.to_owned(),
        question: question.to_owned(),
        kind,
        options: texts(options),
        correct_answers: texts(answers),
        explanation: "Cells were first described by Robert Hooke\nin 1665.".to_owned(),
        score: 2.5,
    }
}

fn test() -> TestContent {
    TestContent {
        title: "Cells".to_owned(),
        description: "What every cell has.".to_owned(),
        language: "en".to_owned(),
        subject: "Biology".to_owned(),
        level: "MEDIUM".to_owned(),
        time_limit_minutes: Some(20),
        passing: Some(Passing::Percentage(60.0)),
        items: vec![
            item("one", ItemKind::Select, "Who named the cell?", &["Hooke", "Darwin", "Newton"], &["Hooke"]),
            item(
                "some",
                ItemKind::Select,
                "Which are parts of a cell?",
                &["Nucleus", "Stone", "Membrane"],
                &["Nucleus", "Membrane"],
            ),
            item("0193-7000", ItemKind::TrueFalse, "Every cell has a wall.", &["True", "False"], &["False"]),
            item("gap", ItemKind::Blank, "The ____ holds the genes.", &[], &["nucleus", "cell nucleus"]),
            item(
                "essay",
                ItemKind::OpenEnded,
                "Explain:\n    osmosis",
                &[],
                &["Water moves to where more is dissolved."],
            ),
            item("hand in", ItemKind::Submission, "Draw a cell.", &[], &["A cell with\na nucleus"]),
            item("none", ItemKind::Select, "What do you like best?", &["This", "That"], &[]),
        ],
    }
}
