//! `lectern grade --compare` with a scripted model.

use serde_json::{Value, json};
use testkit::model::{Asked, FakeModel, Line};
use tokio::runtime::Runtime;

use super::place::{Place, stderr, text};

/// Gives what an answer says that it is worth, and refuses the one that is broken.
fn verdict(asked: &Asked) -> Line {
    let said = asked.text();
    if said.contains("broken") {
        return Line::error(400, "no");
    }
    let worth = [("entirely", 100), ("partly", 50), ("hardly", 0)];
    let (word, points) = worth.into_iter().find(|(word, _)| said.contains(word)).unwrap();
    let criterion = json!({ "id": "whole", "evidence": [word], "reason": "So.", "points": points });
    Line::say(
        json!({
            "talksToGrader": [], "criteria": [criterion], "strengths": [], "mistakes": [], "suggestions": [],
            "summary": "Read.", "nextStep": "Go on.",
        })
        .to_string(),
    )
}

fn row(id: usize, answer: &str, score: Value) -> Value {
    json!({
        "id": id, "questionId": "q", "question": "Why does dough rise?", "referenceAnswer": "Yeast makes gas.",
        "studentAnswer": answer, "score": score, "maxScore": 2,
    })
}

/// Nine answers whose scores the model meets, and what nobody can compare.
fn rows() -> Vec<Value> {
    let worth = ["This is entirely so.", "This is partly so.", "This is hardly so."];
    let mut rows: Vec<Value> = (0..9).map(|at| row(at, worth[at % 3], json!(2 - at % 3))).collect();
    rows.push(row(9, "This is entirely so.", Value::Null));
    rows.push(
        json!({ "studentAnswer": "4", "referenceAnswer": "4", "evaluationType": "exact", "score": 1, "maxScore": 1 }),
    );
    rows
}

fn place(model: &FakeModel, rows: &[Value]) -> Place {
    let place = Place::new()
        .with("LECTERN_MODEL_PROVIDER", "openai")
        .with("LECTERN_MODEL_BASE_URL", &model.url())
        .with("LECTERN_MODEL_STANDARD", "large-1")
        .with("LECTERN_MODEL_FAST", "small-1");
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    std::fs::write(place.folder.path().join("graded.jsonl"), lines.join("\n")).unwrap();
    place
}

#[test]
fn a_model_is_compared_with_people_and_the_built_in_grader() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::start(verdict));
    let place = place(&model, &rows());
    let arguments = ["grade", "graded.jsonl", "--model", "fast", "--compare", "--prices", "1000,0", "--json"];
    let found = place.json(&arguments);
    assert_eq!(found["answers"], 9);
    assert_eq!(found["leftOut"], json!({ "withoutScore": 1, "exact": 1, "unreadable": 0 }));
    let (own, said) = (&found["builtin"], &found["model"]);
    assert_eq!((&own["name"], &said["name"]), (&Value::Null, &json!("small-1 (openai)")));
    assert_eq!([&said["rmse"], &said["bias"]], [0.0, 0.0]);
    assert_eq!(said["points"], json!({ "exact": 1.0, "adjacent": 1.0, "kappa": 1.0 }));
    for figure in ["r", "rWithinQuestions", "withinQuarter"] {
        assert!((said[figure].as_f64().unwrap() - 1.0).abs() < 1e-9, "{figure}: {said}");
    }
    assert!((said["rmseOfMean"].as_f64().unwrap() - (1.0_f64 / 6.0).sqrt()).abs() < 1e-9);
    assert!(own["rmse"].as_f64().unwrap() > 0.1, "no answer has the reference's words: {own}");
    assert_eq!(said["confidenceFifths"].as_array().unwrap().len(), 5);
    assert_eq!((said["sureAndWrong"].as_f64(), own["cost"].is_null()), (Some(0.0), true));
    let read = said["tokens"]["inputTokens"].as_f64().unwrap();
    assert!(read > 0.0 && (said["cost"]["total"].as_f64().unwrap() - read / 1e3).abs() < 1e-9, "{said}");
    assert!(said["latency"]["p50Ms"].as_f64().unwrap() <= said["latency"]["p99Ms"].as_f64().unwrap());
    assert!(model.asked().iter().all(|asked| asked.model() == "small-1"));
    let table = place.run(&["grade", "graded.jsonl", "--compare"]);
    let shown = String::from_utf8(table.stdout.clone()).unwrap();
    assert!(table.status.success(), "{shown}\n{}", stderr(&table));
    for part in ["9 answers graded by both", "large-1 (openai)", "quadratic weighted kappa", "no --prices"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn on_a_scale_that_begins_above_zero_half_a_graders_points_are_half_of_a_persons_scale() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::start(verdict));
    let worth = [("This is entirely so.", 5), ("This is partly so.", 3), ("This is hardly so.", 1)];
    let of = |(id, (answer, score)): (usize, (&str, i64))| {
        let mut row = row(id, answer, json!(score));
        (row["minScore"], row["maxScore"]) = (json!(1), json!(5));
        row
    };
    let rows: Vec<Value> = worth.into_iter().enumerate().map(of).collect();
    let found = place(&model, &rows).json(&["grade", "graded.jsonl", "--compare", "--json"]);
    assert_eq!([&found["model"]["rmse"], &found["model"]["bias"]], [0.0, 0.0], "{found}");
    assert_eq!(found["model"]["points"]["exact"], 1.0);
}

#[test]
fn an_answer_that_the_model_does_not_grade_is_named_and_counted() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::start(verdict));
    let broken = row(11, "This is broken.", json!(0));
    let rows: Vec<Value> = rows().into_iter().chain([broken.clone(), json!({ "score": 1, "maxScore": 1 })]).collect();
    let output = place(&model, &rows).run(&["grade", "graded.jsonl", "--compare", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["answers"], &found["leftOut"]["unreadable"]), (&json!(9), &json!(1)));
    assert_eq!(found["model"]["failures"], json!({ "model_misconfigured": 1 }));
    let told = stderr(&output);
    assert!(told.contains("graded.jsonl:12: no grade of the model: model_misconfigured"), "{told}");
    assert!(told.contains("graded.jsonl:13: the line is no JSON object with the members of a row"), "{told}");
    let nothing = place(&model, &[broken]).run(&["grade", "graded.jsonl", "--compare"]);
    assert_eq!((nothing.status.code(), nothing.stdout.len()), (Some(1), 0));
    assert!(stderr(&nothing).contains("none of the 1 answers was graded by both"), "{}", stderr(&nothing));
}

#[test]
fn a_comparison_that_cannot_be_made_says_what_it_lacks() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::start(verdict));
    let ungraded = place(&model, &[row(1, "This is entirely so.", Value::Null)]);
    let output = ungraded.run(&["grade", "graded.jsonl", "--compare"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("has no row of a rubric or open answer with a score"), "{}", stderr(&output));
    for (arguments, part) in [
        (["--compare", "--model=huge"].as_slice(), "no model huge is configured"),
        (&["--compare", "--prices=1"], "two numbers with a comma"),
        (&["--compare", "--by=builtin"], "cannot be used with"),
        (&["--json"], "--compare"),
    ] {
        let output = ungraded.run(&[["grade", "graded.jsonl"].as_slice(), arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
    let without = Place::new();
    std::fs::write(without.folder.path().join("graded.jsonl"), "").unwrap();
    let output = without.run(&["grade", "graded.jsonl", "--compare"]);
    assert_eq!((output.status.code(), model.times()), (Some(2), 0));
    assert!(stderr(&output).contains("set LECTERN_MODEL_PROVIDER"), "{}", stderr(&output));
}

#[test]
fn a_model_that_is_named_grades_without_a_comparison_too() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::start(verdict));
    let graded = place(&model, &rows()[..1]).json(&["grade", "graded.jsonl", "--model", "small-1"]);
    assert_eq!((&graded["score"], model.asked()[0].model()), (&json!(100.0), "small-1"));
    assert_eq!(text(&graded["feedback"]["feedbackSummary"]), "Read.");
}
