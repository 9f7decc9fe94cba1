//! Shows what the built-in generator makes of a payload file, for reading with a teacher's eyes:
//! `cargo run -p engine --example preview -- FILE.json [module|video|quiz|time]`.

#![expect(clippy::print_stdout, reason = "showing things is what this program is for")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::error::Error;
use std::process::ExitCode;

use engine::builtin;
use engine::{Citation, SourceLevel};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        println!("usage: preview FILE.json [module|video|quiz|time]");
        return ExitCode::from(2);
    };
    match show(&path, arguments.next().as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn show(path: &str, only: Option<&str>) -> Result<(), Box<dyn Error>> {
    let level = support::level_of(&serde_json::from_str(&std::fs::read_to_string(path)?)?);
    let wanted = |name: &str| only.is_none_or(|only| only == name);
    if only == Some("time") {
        return time(&level);
    }
    if wanted("module") {
        show_module(&level)?;
    }
    if wanted("video") {
        show_video(&level)?;
    }
    if wanted("quiz") {
        show_quiz(&level)?;
    }
    Ok(())
}

fn time(level: &SourceLevel) -> Result<(), Box<dyn Error>> {
    let start = std::time::Instant::now();
    for _ in 0..20 {
        builtin::module(level)?;
        builtin::video(level)?;
        builtin::quiz(level)?;
    }
    println!("all three drafts: {:?}", start.elapsed() / 20);
    Ok(())
}

fn show_module(level: &SourceLevel) -> Result<(), Box<dyn Error>> {
    let module = builtin::module(level)?;
    println!("=== MODULE: {}\n{}\n\n{}", module.title, module.description, module.content_html);
    for (at, quiz) in module.quizzes.iter().enumerate() {
        println!(
            "\n[{}] ({}) {:?}: {}\n    options {:?}\n    key     {:?}  {}",
            quiz.sequence,
            quiz.title,
            quiz.kind,
            quiz.question,
            quiz.options,
            quiz.correct_answers,
            cited(&module.citations, &format!("quizzes/{at}"))
        );
    }
    Ok(())
}

fn show_video(level: &SourceLevel) -> Result<(), Box<dyn Error>> {
    let video = builtin::video(level)?;
    println!("\n=== VIDEO: {} ({} s)\n{}", video.title, video.target_duration_seconds, video.description);
    for (at, scene) in video.scenes.iter().enumerate() {
        println!(
            "\n{:>5.1} s  [{}]\n         {}\n         {}",
            scene.duration_seconds,
            scene.display_text,
            scene.script,
            cited(&video.citations, &format!("scenes/{at}"))
        );
    }
    Ok(())
}

fn show_quiz(level: &SourceLevel) -> Result<(), Box<dyn Error>> {
    let quiz = builtin::quiz(level)?;
    println!(
        "\n=== QUIZ: {} ({} items, {} min, {} %)\n{}",
        quiz.name,
        quiz.items.len(),
        quiz.time_limit_minutes,
        quiz.passing_percentage,
        quiz.description
    );
    for (at, item) in quiz.items.iter().enumerate() {
        println!("\n{}. {:?} ({} p): {}", at + 1, item.kind, item.score, item.question);
        for option in &item.options {
            println!("     {} {option}", if item.correct_answers.contains(option) { "(x)" } else { "( )" });
        }
        if item.options.is_empty() {
            println!("     key: {:?}", item.correct_answers);
        }
        println!("     why: {}  {}", item.explanation, cited(&quiz.citations, &format!("items/{at}")));
    }
    Ok(())
}

fn cited(citations: &[Citation], part: &str) -> String {
    citations
        .iter()
        .filter(|citation| citation.part == part)
        .flat_map(|citation| citation.pointers.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join(" ")
}
