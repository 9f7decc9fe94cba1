//! Tests of grading by a model: the model is a script, honest, wrong, hostile or obedient.

mod asking;
mod judging;
mod obedient;
mod records;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::FutureExt as _;
use kernel::model::{Call, Model, ModelError, NoReply, Part, Prompt, Reply, Turn, Usage};
use serde_json::{Value, json};

use super::{Here, ModelGrader};
use crate::{Criterion, EvaluationType, FeedbackOptions, Grader as _, GradingError, Judged, Submission, Tier};

const QUESTION: &str = "Why does bread dough rise?";
const REFERENCE: &str = "Yeast feeds on the sugar in the flour and releases carbon dioxide. The gas is trapped by the gluten and makes the dough expand.";
const ANSWER: &str = "The yeast eats sugar and gives off a gas, carbon dioxide. The gluten holds the gas.";

/// Answers as a function says, and remembers what it was asked.
struct Scripted<F> {
    says: F,
    asked: Mutex<Vec<Prompt>>,
}

#[async_trait]
impl<F: Fn(usize, &Prompt) -> Result<String, ModelError> + Send + Sync> Model for Scripted<F> {
    async fn answer(&self, prompt: &Prompt) -> Call {
        let mut asked = self.asked.lock().unwrap();
        let said = (self.says)(asked.len(), prompt);
        asked.push(prompt.clone());
        let reply = said.map(|text| Reply {
            text,
            usage: Usage { input_tokens: 100, output_tokens: 10, cached_tokens: 0 },
            provider: "script".to_owned(),
            model: "scripted-1".to_owned(),
            latency: Duration::from_millis(7),
            tries: 1,
            failures: Vec::new(),
        });
        reply.map_err(NoReply::from)
    }
}

/// Grades by a script that knows how often it was asked and what.
fn graded(
    submission: &Submission,
    says: impl Fn(usize, &Prompt) -> Result<String, ModelError> + Send + Sync + 'static,
) -> (Result<Judged, GradingError>, Vec<Prompt>) {
    let says = Arc::new(says);
    let ask = |reads_before: bool| {
        let says = says.clone();
        let model =
            Arc::new(Scripted { says: move |count, prompt: &Prompt| says(count, prompt), asked: Mutex::default() });
        let grader = ModelGrader::new(model.clone(), Arc::new(Here));
        let read = reads_before.then(|| grader.read_answer(Submission { reviewed: Vec::new(), ..submission.clone() }));
        let judged = match read.flatten() {
            Some(read) => grader.grade_read(submission, read),
            None => grader.grade(submission),
        };
        let judged = judged.now_or_never().expect("a script answers at once");
        let asked = model.asked.lock().unwrap().clone();
        (judged, asked)
    };
    let graded = ask(false);
    assert_eq!(ask(true), graded, "when an answer is read makes no difference");
    graded
}

/// Grades by a script that always says the same.
fn graded_as(submission: &Submission, said: &Value) -> Judged {
    let said = said.to_string();
    graded(submission, move |_, _| Ok(said.clone())).0.expect("a grade")
}

/// A whole answer of a model.
fn said(criteria: &[(&str, f64, &[&str])]) -> Value {
    let criterion = |(id, points, evidence): &(&str, f64, &[&str])| json!({ "id": id, "evidence": evidence, "reason": "Because.", "points": points });
    json!({
        "talksToGrader": [],
        "criteria": criteria.iter().map(criterion).collect::<Vec<_>>(),
        "strengths": ["You name the gas."],
        "mistakes": ["You don't say what the gas does."],
        "suggestions": ["Say what the gas does."],
        "summary": "A good start.",
        "nextStep": "Look at a loaf.",
    })
}

fn open(answer: &str) -> Submission {
    Submission {
        reference_answer: Some(REFERENCE.to_owned()),
        tenant: "workspace".to_owned(),
        ..Submission::new(EvaluationType::OpenEnded, QUESTION, answer, 10.0)
    }
}

fn rubric(answer: &str) -> Submission {
    let criterion = |name: &str, description: &str, max_score| Criterion {
        name: name.to_owned(),
        description: description.to_owned(),
        max_score,
    };
    Submission {
        evaluation_type: EvaluationType::RubricShortAnswer,
        criteria: vec![
            criterion("Gas", "Yeast releases carbon dioxide", 6.0),
            criterion("Gluten", "The gluten traps the gas", 4.0),
        ],
        ..open(answer)
    }
}

/// The texts of a prompt's first turn.
fn texts(prompt: &Prompt) -> Vec<&str> {
    let Some(Turn::User(parts)) = prompt.turns.first() else { panic!("the user begins") };
    parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.as_str()) } else { None }).collect()
}

/// The JSON Schema of a prompt's answer.
fn schema(prompt: &Prompt) -> Value {
    serde_json::from_str(prompt.schema.json().get()).unwrap()
}

/// The learner's answer as it stands in a prompt.
fn learners_answer(prompt: &Prompt) -> String {
    let block = texts(prompt).pop().expect("a block");
    let lines: Vec<&str> = block.lines().collect();
    assert_eq!((lines.len(), lines[1]), (4, lines[3]), "{block}");
    assert!(lines[0].ends_with(&format!("{}.", lines[1])), "{block}");
    serde_json::from_str(lines[2]).expect("one JSON string")
}
