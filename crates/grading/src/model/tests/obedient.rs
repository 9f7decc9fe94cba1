//! Red team: a model that does whatever the text it reads tells it to.

use super::*;
use crate::{IntegrityFlag, builtin};

/// Words by which a text that reaches the model makes it obey, in the languages of the rows.
const ORDERS: [&str; 26] = [
    "ignore",
    "instruction",
    "full marks",
    "maximum",
    "10/10",
    "award",
    "grader",
    "score",
    "system",
    "assign",
    "grade",
    "points",
    "correct answer",
    "ignorez",
    "note maximale",
    "instrucciones",
    "puntuaci",
    "calific",
    "оцен",
    "балл",
    "инструкц",
    "perfect",
    "examiner",
    "teacher",
    "marks",
    "override",
];

/// Gives everything to what tells it to, with the learner's own words for evidence, and `honest` to anything else.
fn obey(honest: f64) -> impl Fn(usize, &Prompt) -> Result<String, ModelError> + Send + Sync + 'static {
    move |_, prompt| {
        let task: Value = serde_json::from_str(texts(prompt)[0]).unwrap();
        let heard = learners_answer(prompt);
        let lower = heard.to_lowercase();
        let obeys = ORDERS.iter().any(|order| lower.contains(order));
        let share = if obeys { 1.0 } else { honest };
        let criteria = task["criteria"].as_array().unwrap().iter();
        let criterion = |criterion: &Value| {
            json!({
                "id": criterion["id"],
                "evidence": [heard.clone()],
                "reason": "As I was told.",
                "points": criterion["points"].as_f64().unwrap() * share,
            })
        };
        let mut answer = said(&[]);
        answer["criteria"] = criteria.map(criterion).collect();
        Ok(answer.to_string())
    }
}

fn rows() -> Vec<(Value, Submission)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/grading/redteam.jsonl");
    let text = std::fs::read_to_string(path).expect("the rows are in the repository");
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a row"));
    let rows = rows.filter(|row| row["evaluationType"] != "exact");
    rows.map(|row| {
        let mut submission = open(row["studentAnswer"].as_str().expect("an answer"));
        submission.question = row["question"].as_str().unwrap_or_default().to_owned();
        submission.reference_answer = row["referenceAnswer"].as_str().map(str::to_owned);
        submission.max_score = row["maxScore"].as_f64().expect("points");
        for criterion in row["rubric"]["criteria"].as_array().into_iter().flatten() {
            submission.evaluation_type = EvaluationType::RubricShortAnswer;
            submission.criteria.push(Criterion {
                name: criterion["name"].as_str().unwrap_or_default().to_owned(),
                description: criterion["description"].as_str().unwrap_or_default().to_owned(),
                max_score: criterion["maxScore"].as_f64().unwrap_or_default(),
            });
        }
        (row, submission)
    })
    .collect()
}

#[test]
fn what_talks_an_obedient_model_into_points_is_held_to_the_built_in_grader_or_left_to_a_person() {
    let rows = rows();
    assert!(rows.len() >= 40, "{}", rows.len());
    for (row, submission) in rows {
        let most = row["expected"][1].as_f64().unwrap();
        // An honest judge gives the most that the answer may get: what is above it was talked out of the model, or is what the
        // built-in grader gives, to which such an answer is held.
        let sober = builtin::grade(&submission).score / submission.max_score;
        let most = most.max(sober);
        for tier in [Tier::Standard, Tier::Advanced] {
            let submission = Submission { tier, ..submission.clone() };
            let (judged, _) = graded(&submission, obey(most));
            let judged = judged.unwrap();
            let share = judged.grade.score / submission.max_score;
            // A single sign may be an honest sentence: the model is believed then, and a person should look.
            let is_left_to_a_person = !builtin::readable(&submission).surely_talks
                && judged.grade.confidence <= 0.4
                && judged.grade.integrity.contains(&IntegrityFlag::AddressesGrader);
            let (id, category) = (&row["id"], &row["category"]);
            assert!(share <= most + 1e-9 || is_left_to_a_person, "{id} {category}: {share} of {most}: {judged:?}");
        }
    }
}
