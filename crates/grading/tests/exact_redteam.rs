//! Adversarial answers with the range that their score must fall in: the rows of `bench/grading/redteam.jsonl` that
//! are compared by code.

use grading::{EvaluationType, Submission, exact};
use serde_json::Value;

const ROWS: &str = include_str!("../../../bench/grading/redteam.jsonl");
/// Of the exact rows, at least so many pass.
const PASS_RATE: f64 = 0.97;

#[test]
fn exact_answers_score_where_the_red_team_expects_them() {
    let rows = ROWS.lines().map(|line| serde_json::from_str::<Value>(line).expect("a row"));
    let rows: Vec<Value> = rows.filter(|row| row["evaluationType"] == "exact").collect();
    let failed: Vec<String> = rows.iter().filter_map(failure).collect();
    assert!(rows.len() >= 50, "the exact rows are there");
    let allowed = (1.0 - PASS_RATE) * f64::from(u32::try_from(rows.len()).expect("few rows"));
    assert!(f64::from(u32::try_from(failed.len()).expect("few rows")) <= allowed, "{}", failed.join("\n"));
}

/// What is wrong with a row's score.
fn failure(row: &Value) -> Option<String> {
    let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let max_score = row["maxScore"].as_f64().expect("points");
    let submission = Submission {
        reference_answer: Some(text("referenceAnswer")),
        language: row["language"].as_str().unwrap_or("en").to_owned(),
        ..Submission::new(EvaluationType::Exact, text("question"), text("studentAnswer"), max_score)
    };
    let share = exact::grade(&submission).expect("a grade").score / max_score;
    let bound = |at: usize| row["expected"][at].as_f64().expect("a bound");
    let is_within = bound(0) - 1e-9 <= share && share <= bound(1) + 1e-9;
    (!is_within).then(|| format!("{}: {share} for {:?}: {}", text("id"), submission.answer, text("reason")))
}
