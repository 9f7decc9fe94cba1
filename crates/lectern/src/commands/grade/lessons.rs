//! `lectern grade --teach`: answers that people have graded teach the grader how to grade others to the same question, as reviews do on a
//! server.
//!
//! A row of the file is a row of answers with a person's `score` and the `questionId` that it shares with rows to be graded. As on
//! a server, a question's last forty teach, and of each so many characters.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::Context as _;
use grading::ReviewedAnswer;
use platform::evaluations::{LONGEST_REVIEWED_ANSWER, MOST_REVIEWED_ANSWERS};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::rows::{Rubric, criteria_of, object, shares};
use super::{Line, Lines};
use crate::output;

/// Lines that are read at a time.
const LINES_AT_ONCE: usize = 1_000;

/// What people made of answers, by their questions.
#[derive(Debug, Default)]
pub(super) struct Lessons(HashMap<String, VecDeque<Lesson>>);

/// A reviewed answer, with the id of its row.
#[derive(Debug)]
struct Lesson {
    id: Value,
    answer: ReviewedAnswer,
}

/// A row of the file, as far as it teaches.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReviewedRow {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    question_id: Value,
    student_answer: String,
    /// What a person gave.
    #[serde(default)]
    score: Option<f64>,
    max_score: f64,
    /// What the worst answer gets; zero without it.
    #[serde(default)]
    min_score: Option<f64>,
    #[serde(default)]
    rubric: Option<Rubric>,
    /// A person's points by criterion.
    #[serde(default)]
    criteria: Option<Map<String, Value>>,
    /// What the person said, where that is a text.
    #[serde(default)]
    feedback: Value,
    /// What a model had given, for calibrating its confidence.
    #[serde(default)]
    model_score: Option<f64>,
}

impl Lessons {
    /// Reads a file of reviewed answers.
    ///
    /// # Errors
    /// For a file that can't be read, a line that is no row or has a score that it can't have, and a file that teaches nothing.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let about = || format!("{} can't be read", path.display());
        let mut lines = Lines { reader: BufReader::new(File::open(path).with_context(about)?), number: 0 };
        let (mut lessons, mut left_out) = (Self::default(), 0_usize);
        loop {
            let (batch, _) = lines.batch(LINES_AT_ONCE).with_context(about)?;
            if batch.is_empty() {
                break;
            }
            for Line { number, bytes } in batch {
                let is_lesson =
                    lessons.add(&bytes).map_err(|problem| anyhow::anyhow!("{}:{number}: {problem}", path.display()))?;
                left_out += usize::from(!is_lesson);
            }
        }
        if left_out > 0 {
            output::note(format!(
                "{}: rows without questionId, score or text, which teach nothing: {left_out}",
                path.display()
            ));
        }
        anyhow::ensure!(!lessons.0.is_empty(), "{} has no row with a questionId and a score", path.display());
        Ok(lessons)
    }

    /// Adds what a line teaches; whether it teaches anything.
    pub(super) fn add(&mut self, line: &[u8]) -> Result<bool, String> {
        let row: ReviewedRow = object(line).map_err(|error| format!("the line is no reviewed row: {error}"))?;
        let (Some(question), Some(score)) = (key_of(&row.question_id), row.score) else { return Ok(false) };
        let share = share_of(score, row.min_score.unwrap_or_default(), row.max_score)?;
        let model_share =
            row.model_score.map(|score| share_of(score, row.min_score.unwrap_or_default(), row.max_score));
        let model_share = model_share.transpose().map_err(|problem| format!("modelScore: {problem}"))?;
        let criteria = criteria_of(row.rubric).map_err(|error| error.to_string())?;
        let criteria = match row.criteria {
            Some(points) => {
                shares(&points, &criteria).ok_or("criteria must be points of all criteria of the row's rubric")?
            }
            None => Vec::new(),
        };
        let answer: String = row.student_answer.chars().take(LONGEST_REVIEWED_ANSWER).collect();
        if answer.trim().is_empty() {
            return Ok(false);
        }
        let feedback = row.feedback.as_str().unwrap_or_default().to_owned();
        let lessons = self.0.entry(question).or_default();
        lessons.push_back(Lesson {
            id: row.id,
            answer: ReviewedAnswer { answer, share, criteria, feedback, model_share },
        });
        if lessons.len() > MOST_REVIEWED_ANSWERS {
            lessons.pop_front();
        }
        Ok(true)
    }

    /// What teaches the grade of a row, the last first as on a server; not the row's own grade.
    pub(super) fn of(&self, question_id: &Value, id: &Value) -> Vec<ReviewedAnswer> {
        let lessons = key_of(question_id).and_then(|key| self.0.get(&key));
        let others = lessons.into_iter().flatten().rev().filter(|lesson| id.is_null() || lesson.id != *id);
        others.map(|lesson| lesson.answer.clone()).collect()
    }
}

/// A question's id as a key; `None` where there is none.
fn key_of(question_id: &Value) -> Option<String> {
    match question_id {
        Value::String(id) if !id.is_empty() => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}

pub(super) fn share_of(score: f64, least: f64, most: f64) -> Result<f64, String> {
    if !(least.is_finite() && most.is_finite() && least < most) {
        return Err("maxScore must be a number above 0, and above minScore".to_owned());
    }
    if !(least..=most).contains(&score) {
        return Err(format!("score must be from {least} to {most}"));
    }
    Ok((score - least) / (most - least))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lessons(rows: &[Value]) -> Result<Lessons, String> {
        let mut lessons = Lessons::default();
        rows.iter().try_for_each(|row| lessons.add(row.to_string().as_bytes()).map(|_| ()))?;
        Ok(lessons)
    }

    fn row(id: &str, score: f64) -> Value {
        json!({ "id": id, "questionId": "q", "studentAnswer": format!("answer {id}"), "score": score, "maxScore": 4 })
    }

    fn shares_of(lessons: &Lessons, question: Value, id: Value) -> Vec<f64> {
        lessons.of(&question, &id).iter().map(|answer| answer.share).collect()
    }

    #[test]
    fn rows_teach_others_of_their_question_and_never_themselves() {
        let mut other = row("c", 4.0);
        other["questionId"] = json!(7);
        let lessons = lessons(&[row("a", 1.0), row("b", 3.0), other]).unwrap();
        assert_eq!(shares_of(&lessons, json!("q"), json!("x")), [0.75, 0.25], "the last first");
        assert_eq!(shares_of(&lessons, json!("q"), json!("b")), [0.25]);
        assert_eq!(shares_of(&lessons, json!("q"), Value::Null), [0.75, 0.25]);
        assert_eq!(shares_of(&lessons, json!(7), Value::Null), [1.0]);
        for unknown in [json!("r"), json!(""), Value::Null] {
            assert_eq!(shares_of(&lessons, unknown, Value::Null), [0.0; 0]);
        }
    }

    #[test]
    fn scores_are_on_the_rows_own_scale_and_wrong_rows_are_refused() {
        let with = |name: &str, value: Value| {
            let mut row = row("a", 3.0);
            row[name] = value;
            row
        };
        assert_eq!(shares_of(&lessons(&[with("minScore", json!(2))]).unwrap(), json!("q"), Value::Null), [0.5]);
        let mut rubric = with("rubric", json!({ "criteria": [{ "name": "A", "maxScore": 2 }] }));
        rubric["criteria"] = json!({ "A": 1 });
        assert_eq!(lessons(std::slice::from_ref(&rubric)).unwrap().of(&json!("q"), &Value::Null)[0].criteria, [0.5]);
        rubric["criteria"] = json!({ "B": 1 });
        for (row, part) in [
            (with("score", json!(4.5)), "score must be from 0 to 4"),
            (with("score", json!(-1)), "score must be"),
            (with("maxScore", json!(0)), "maxScore"),
            (with("minScore", json!(4)), "maxScore"),
            (with("studentAnswer", json!(7)), "no reviewed row"),
            (rubric, "criteria must be"),
        ] {
            let problem = lessons(&[row]).unwrap_err();
            assert!(problem.contains(part), "{problem}");
        }
    }

    #[test]
    fn what_has_no_question_or_score_or_text_teaches_nothing() {
        for (name, value) in [("questionId", Value::Null), ("score", Value::Null), ("studentAnswer", json!(" "))] {
            let mut row = row("a", 3.0);
            row[name] = value;
            assert_eq!(Lessons::default().add(row.to_string().as_bytes()), Ok(false), "{name}");
        }
    }

    #[test]
    fn the_last_forty_of_a_question_teach() {
        let rows: Vec<Value> = (0..45).map(|n| row(&n.to_string(), f64::from(n % 5))).collect();
        let taught = lessons(&rows).unwrap().of(&json!("q"), &Value::Null);
        assert_eq!(
            (taught.len(), taught[0].answer.as_str(), taught[39].answer.as_str()),
            (40, "answer 44", "answer 5")
        );
    }
}
