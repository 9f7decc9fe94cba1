//! Shows what the built-in generator makes of a payload file, for reading with a teacher's eyes:
//! `cargo run -p engine --example preview -- FILE.json [module|video|quiz|time]`, and of a request
//! (`{ "topic_prompt": … }` and so on, what is left out is blank): `-- FILE.json asked`.

#![expect(clippy::print_stdout, reason = "showing things is what this program is for")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::error::Error;
use std::process::ExitCode;

use engine::builtin;
use engine::{
    Citation, CourseRequest, ModuleDraft, QuizDraft, SlideRequest, SourceLevel, SourceModule, TestRequest, VideoDraft,
    VideoRequest,
};
use serde_json::Value;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        println!("usage: preview FILE.json [module|video|quiz|time|asked]");
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
    let payload: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    if only == Some("asked") {
        return show_asked(&payload);
    }
    let level = support::level_of(&payload);
    let wanted = |name: &str| only.is_none_or(|only| only == name);
    if only == Some("time") {
        return time(&level);
    }
    if wanted("module") {
        show_module(&builtin::module(&level)?);
    }
    if wanted("video") {
        show_video(&builtin::video(&level)?);
    }
    if wanted("quiz") {
        show_quiz(&builtin::quiz(&level)?);
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

fn text(request: &Value, name: &str) -> String {
    request[name].as_str().unwrap_or_default().to_owned()
}

/// The drafts of all four kinds, where the request has the prompt that each begins with.
fn show_asked(request: &Value) -> Result<(), Box<dyn Error>> {
    let material: Vec<SourceModule> = serde_json::from_value(request["material"].clone()).unwrap_or_default();
    let (language, level, title) = (text(request, "language"), text(request, "level"), text(request, "title"));
    let description = text(request, "description");
    if request["topic_prompt"].is_string() {
        let (topic_prompt, target_prompt) = (text(request, "topic_prompt"), text(request, "target_prompt"));
        let asked = TestRequest { topic_prompt, target_prompt, level, language, material };
        show_quiz(&builtin::requested_test(&asked)?);
        return Ok(());
    }
    if request["outline"].is_string() {
        let outline = text(request, "outline");
        let deck = builtin::requested_slide(&SlideRequest { title, description, outline, language, material })?;
        println!("=== DECK: {}\n{}\n\n{}{:#?}", deck.title, deck.description, deck.content_html, deck.citations);
        return Ok(());
    }
    let asked = VideoRequest {
        title: title.clone(),
        description: description.clone(),
        language: language.clone(),
        material: material.clone(),
    };
    show_video(&builtin::requested_video(&asked)?);
    let course = builtin::requested_course(&CourseRequest { title, description, level, language, material })?;
    println!("\n=== COURSE: {} ({})\n{}\n", course.title, course.level, course.description);
    course.modules.iter().for_each(show_module);
    Ok(())
}

fn show_module(module: &ModuleDraft) {
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
}

fn show_video(video: &VideoDraft) {
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
}

fn show_quiz(quiz: &QuizDraft) {
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
}

fn cited(citations: &[Citation], part: &str) -> String {
    citations
        .iter()
        .filter(|citation| citation.part == part)
        .flat_map(|citation| citation.pointers.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join(" ")
}
