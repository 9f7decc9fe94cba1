//! `lectern grade --replay`: works grades out again from their records (`GET /v1/platform/evaluations/{id}/record`), without
//! asking anybody. A grade that comes out otherwise, or for which a model would be asked something else, is one that this
//! version of the program would not give.

use std::fs::File;
use std::io::{BufReader, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use grading::model::replay;
use grading::{Grade, GradedBy, Record, Submission};
use serde::{Deserialize, Serialize};

use crate::output;

/// What scores are rounded to, as a part of a point; below a maximum of 1 as a part of it.
const ROUNDING: f64 = 0.005;

/// A record, as far as it takes to grade again.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EvaluationRecord {
    evaluation_id: String,
    versions: Vec<Version>,
    submission: Option<Submission>,
    is_replayable: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    version: i64,
    grade: Option<RecordedGrade>,
    record: Option<Record>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecordedGrade {
    score: f64,
    confidence: f64,
    #[serde(default)]
    rubric_breakdown: Option<Vec<RecordedPart>>,
    #[serde(default)]
    integrity_flags: Vec<String>,
    /// Records of versions that kept them with the evaluation alone have none.
    #[serde(default)]
    review_reasons: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct RecordedPart {
    score: f64,
}

impl RecordedGrade {
    /// Whether a grade says the same, as far as it is counted.
    fn is(&self, grade: &Grade, max_score: f64) -> bool {
        let is_near = |one: f64, other: f64, most: f64| (one - other).abs() <= ROUNDING * most.min(1.0) * (1.0 + 1e-9);
        let parts = grade.rubric_breakdown.as_deref().unwrap_or_default();
        let recorded = self.rubric_breakdown.as_deref().unwrap_or_default();
        let flags: Vec<serde_json::Value> = grade.integrity.iter().map(|flag| serde_json::json!(flag)).collect();
        is_near(self.score, grade.score, max_score)
            && is_near(self.confidence, grade.confidence, 1.0)
            && parts.len() == recorded.len()
            && parts.iter().zip(recorded).all(|(part, recorded)| is_near(part.score, recorded.score, part.max_score))
            && flags.len() == self.integrity_flags.len()
            && flags.iter().zip(&self.integrity_flags).all(|(flag, recorded)| flag == recorded)
            && self.review_reasons.as_ref().is_none_or(|recorded| *recorded == grade.reasons_for_review())
    }
}

/// What is printed of a record.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    evaluation_id: String,
    /// The newest version that no person gave.
    version: Option<i64>,
    recorded_score: Option<f64>,
    score: Option<f64>,
    /// Why a person should look at the grade that comes out now; null without one.
    review_reasons: Option<Vec<String>>,
    /// Score, parts, confidence, flags and review reasons are what was recorded.
    is_same: bool,
    /// The model would be asked the same.
    is_same_prompt: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Exits 1 when a grade comes out otherwise or can't be worked out.
pub(super) fn run(file: &Path) -> anyhow::Result<ExitCode> {
    let about = || format!("{} can't be read", file.display());
    let reader = BufReader::new(File::open(file).with_context(about)?);
    let runtime = tokio::runtime::Builder::new_current_thread().build().context("the runtime can't be started")?;
    let (mut all_same, mut lines) = (true, 0_usize);
    let mut stdout = std::io::stdout().lock();
    for record in serde_json::Deserializer::from_reader(reader).into_iter::<EvaluationRecord>() {
        let line = runtime.block_on(graded_again(record.with_context(about)?));
        all_same &= line.is_same && line.is_same_prompt;
        lines += 1;
        serde_json::to_writer(&mut stdout, &line).map_err(std::io::Error::from)?;
        stdout.write_all(b"\n")?;
        if let Some(error) = &line.error {
            output::note(format!("{}: {}", output::plain(&line.evaluation_id), output::plain(error)));
        }
    }
    stdout.flush()?;
    anyhow::ensure!(lines > 0, "{} holds no record", file.display());
    Ok(if all_same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn graded_again(evaluation: EvaluationRecord) -> Line {
    let EvaluationRecord { evaluation_id, versions, submission, is_replayable } = evaluation;
    let by_a_machine = versions.into_iter().find_map(|version| match (version.record, version.grade) {
        (Some(record), Some(grade)) if record.graded_by != GradedBy::Reviewer => Some((version.version, grade, record)),
        _ => None,
    });
    let nothing = Line {
        evaluation_id,
        version: None,
        recorded_score: None,
        score: None,
        review_reasons: None,
        is_same: false,
        is_same_prompt: false,
        error: None,
    };
    let Some(submission) = submission else {
        return Line { error: Some("what was graded is not in the record any more".to_owned()), ..nothing };
    };
    let Some((version, recorded, record)) = by_a_machine else {
        return Line { error: Some("no version of it was graded by the service".to_owned()), ..nothing };
    };
    let found = Line { version: Some(version), recorded_score: Some(recorded.score), ..nothing };
    if !(submission.max_score.is_finite() && submission.max_score > 0.0) {
        return Line { error: Some("the record has no maximum that points could be given of".to_owned()), ..found };
    }
    match replay(&submission, &record).await {
        Err(error) => Line { error: Some(error.to_string()), ..found },
        Ok(replayed) => {
            let (score, reasons) = (replayed.judged.grade.score, replayed.judged.grade.reasons_for_review());
            let is_same = recorded.is(&replayed.judged.grade, submission.max_score);
            let told = "the record says that it does not hold all that was graded";
            let error = (!is_same && !is_replayable).then(|| told.to_owned());
            Line {
                score: Some(score),
                review_reasons: Some(reasons),
                is_same,
                is_same_prompt: replayed.is_same_prompt,
                error,
                ..found
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use grading::{Builtin, EvaluationType, Grader as _};
    use serde_json::{Value, json};

    use super::*;

    fn submission() -> Submission {
        Submission {
            reference_answer: Some("Yeast makes gas. The gluten holds it.".to_owned()),
            ..Submission::new(
                EvaluationType::OpenEnded,
                "Why does dough rise?",
                "Yeast makes gas, which the gluten holds.",
                10.0,
            )
        }
    }

    async fn line_of(record: Value) -> Value {
        serde_json::to_value(graded_again(serde_json::from_value(record).unwrap()).await).unwrap()
    }

    async fn record() -> Value {
        let submission = submission();
        let judged = Builtin.grade(&submission).await.unwrap();
        let human = json!({ "version": 2, "gradedBy": "reviewer", "grade": { "score": 1.0, "confidence": 1.0 }, "record": null });
        json!({
            "evaluationId": "e",
            "version": 2,
            "versions": [human, { "version": 1, "grade": { "score": judged.grade.score, "confidence": judged.grade.confidence }, "record": judged.record }],
            "submission": submission,
            "isReplayable": true,
        })
    }

    #[tokio::test]
    async fn the_newest_grade_that_no_person_gave_comes_out_again() {
        let line = line_of(record().await).await;
        assert_eq!((&line["version"], &line["isSame"], &line["isSamePrompt"]), (&json!(1), &json!(true), &json!(true)));
    }

    #[tokio::test]
    async fn a_grade_that_comes_out_otherwise_is_said() {
        let mut other = record().await;
        other["versions"][1]["grade"]["score"] = json!(0.5);
        let line = line_of(other).await;
        assert_eq!((&line["isSame"], &line["recordedScore"]), (&json!(false), &json!(0.5)));
    }

    #[tokio::test]
    async fn review_reasons_are_compared_where_they_are_recorded() {
        let mut other = record().await;
        other["submission"]["answer"] = json!("Tiny fungi breathe out something that cannot leave the elastic net.");
        let judged = Builtin.grade(&serde_json::from_value(other["submission"].clone()).unwrap()).await.unwrap();
        let grade = json!({ "score": judged.grade.score, "confidence": judged.grade.confidence });
        other["versions"][1] = json!({ "version": 1, "grade": grade, "record": judged.record });
        let unrecorded = line_of(other.clone()).await;
        assert_eq!((&unrecorded["isSame"], &unrecorded["reviewReasons"]), (&json!(true), &json!(["few_shared_words"])));
        for (recorded, is_same) in [(json!(["few_shared_words"]), true), (json!([]), false), (json!(["essay"]), false)]
        {
            other["versions"][1]["grade"]["reviewReasons"] = recorded;
            assert_eq!(line_of(other.clone()).await["isSame"], is_same);
        }
    }

    #[tokio::test]
    async fn what_was_erased_or_graded_by_people_only_can_not_be_replayed() {
        let mut erased = record().await;
        erased["submission"] = Value::Null;
        assert!(line_of(erased).await["error"].is_string());
        let mut by_hand = record().await;
        by_hand["versions"].as_array_mut().unwrap().truncate(1);
        let line = line_of(by_hand).await;
        assert!(line["error"].is_string() && line["isSame"] == json!(false));
    }
}
