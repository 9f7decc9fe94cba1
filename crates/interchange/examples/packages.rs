//! Writes a sample of every format into a folder, to try them in other systems:
//! `cargo run -p interchange --example packages -- target/packages`.

use std::path::Path;

use interchange::model::{
    CourseContent, Entry, Item, ItemKind, Link, ModuleContent, Passing, QuizItem, QuizKind, TestContent,
};
use interchange::{TestFormat, export_course, export_module, export_test};

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "target/packages".to_owned());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let packages = [
        export_test(&test(), TestFormat::Qti21),
        export_test(&test(), TestFormat::Qti30),
        export_module(&module()),
        export_course(&course()),
    ];
    for package in packages {
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
        time_limit_minutes: Some(20.0),
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

fn module() -> ModuleContent {
    let quiz = |sequence: u32, kind, question: &str, options: &[&str], answers: &[&str], show_feedback| QuizItem {
        id: format!("quiz-{sequence}"),
        sequence,
        title: "Cells".to_owned(),
        question: question.to_owned(),
        kind,
        options: options.iter().map(|text| (*text).to_owned()).collect(),
        correct_answers: answers.iter().map(|text| (*text).to_owned()).collect(),
        show_feedback,
    };
    ModuleContent {
        kind: "markdown".to_owned(),
        title: "The cell".to_owned(),
        description: "What every living thing is made of.".to_owned(),
        language: "en".to_owned(),
        html: "<article><section><h2>The nucleus</h2><p>It holds the <strong>genes</strong>.</p>\
               <table><tr><th>Part</th><th>Work</th></tr><tr><td>Nucleus</td><td>keeps the plan</td></tr></table>\
               </section></article>"
            .to_owned(),
        quizzes: vec![
            quiz(1, QuizKind::Select, "What holds the genes?", &["The nucleus", "The wall"], &["The nucleus"], true),
            quiz(
                2,
                QuizKind::Select,
                "Which are parts?",
                &["Nucleus", "Stone", "Membrane"],
                &["Nucleus", "Membrane"],
                true,
            ),
            quiz(3, QuizKind::TrueFalse, "Every cell has a wall.", &["True", "False"], &["False"], true),
            quiz(4, QuizKind::Blank, "The ____ holds the genes.", &[], &["nucleus", "cell nucleus"], true),
            quiz(5, QuizKind::Blank, "Cells were named by ____.", &[], &["Hooke"], false),
        ],
        metadata: "{\"externalId\":\"cells-1\"}".to_owned(),
    }
}

fn course() -> CourseContent {
    let link = Link { title: "Cell biology".to_owned(), url: "https://example.org/cells".to_owned() };
    CourseContent {
        title: "Biology 7".to_owned(),
        description: "Cells and what they do.".to_owned(),
        level: "Grade 7".to_owned(),
        language: "en".to_owned(),
        entries: vec![Entry::Module(module()), Entry::Test(test()), Entry::Link(link)],
    }
}
