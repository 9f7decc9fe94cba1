//! A row of a file of answers: read strictly, graded, and written as one object.
//!
//! A row that is wrong or that nobody can grade gets `score: null` and an `error`; it never gets a zero.

use grading::{
    Criterion, EvaluationType, Grade, GradingError, IntegrityFlag, ReviewReason, ReviewedAnswer, Submission, exact,
};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::grader::RowGrader;
use super::lessons::{Lessons, share_of};

/// Points of a scale whose grades are compared point by point, at most.
const MOST_WHOLE_POINTS: f64 = 12.0;
/// The feedback's language where a row names none; the service's own default.
const DEFAULT_LANGUAGE: &str = "en";

/// A row as the file has it. Other members are left alone: files of data sets have many.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    #[serde(default)]
    question: Option<String>,
    #[serde(default)]
    reference_answer: Option<String>,
    #[serde(default)]
    reference_answers: Option<Vec<String>>,
    #[serde(default)]
    rubric: Option<Rubric>,
    student_answer: String,
    max_score: f64,
    #[serde(default)]
    evaluation_type: Option<EvaluationType>,
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    reviewed_answers: Option<Vec<Reviewed>>,
    #[serde(default)]
    id: Value,
    /// By which it shares what `--teach` teaches.
    #[serde(default)]
    question_id: Value,
}

/// Another answer to the same question with the grade that a person gave it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reviewed {
    answer: String,
    /// On the row's own scale.
    score: f64,
    /// Points by criterion, as this command prints them.
    #[serde(default)]
    criteria: Option<Map<String, Value>>,
    #[serde(default)]
    feedback: Option<String>,
    /// What a model had given, for calibrating its confidence.
    #[serde(default)]
    model_score: Option<f64>,
}

#[derive(Deserialize)]
pub(super) struct Rubric {
    criteria: Vec<RubricCriterion>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RubricCriterion {
    name: String,
    #[serde(default)]
    description: Option<String>,
    max_score: f64,
}

/// What is printed of a row.
#[derive(Serialize)]
pub(super) struct Graded {
    /// The row's `id` as it was; null where the row has none.
    id: Value,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Outcome {
    Grade {
        /// From 0 to 100: `normalizedScore`.
        score: f64,
        confidence: f64,
        /// Points by criterion; absent without a rubric.
        #[serde(skip_serializing_if = "Option::is_none")]
        criteria: Option<Map<String, Value>>,
        feedback: Value,
        integrity: Vec<IntegrityFlag>,
        /// Why a person should look.
        #[serde(rename = "reviewReasons")]
        review_reasons: Vec<ReviewReason>,
    },
    Failure {
        score: Option<f64>,
        error: String,
    },
}

impl Graded {
    /// Why there is no grade.
    pub(super) fn problem(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Grade { .. } => None,
            Outcome::Failure { error, .. } => Some(error),
        }
    }
}

/// Why a row has no grade.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowError {
    #[error("the line is no JSON object with the members of a row: {0}")]
    Unreadable(#[from] serde_json::Error),
    #[error("{0}")]
    Invalid(&'static str),
    #[error("{0}")]
    Given(String),
    #[error(transparent)]
    Grading(#[from] GradingError),
}

/// Reads a line that is a JSON object. Members are told by their names only: a list in their order is no row.
pub(super) fn object<T: DeserializeOwned>(line: &[u8]) -> Result<T, serde_json::Error> {
    if line.trim_ascii_start().first() == Some(&b'[') {
        return Err(serde_json::Error::custom("it is a list"));
    }
    serde_json::from_slice(line)
}

/// Grades the row that a line holds.
pub(super) fn grade(line: &[u8], grader: &RowGrader, lessons: &Lessons) -> Graded {
    let id = object::<Map<String, Value>>(line).ok().and_then(|mut row| row.remove("id")).unwrap_or_default();
    let graded = read(line, lessons).and_then(|mut submission| {
        submission.tier = grader.tier;
        Ok((grade_submission(&submission, grader)?, submission))
    });
    let outcome = match graded {
        Ok((grade, submission)) => outcome(&grade, submission.max_score),
        Err(error) => Outcome::Failure { score: None, error: error.to_string() },
    };
    Graded { id, outcome }
}

/// What a person gave for a row.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Given {
    #[serde(default)]
    score: Option<f64>,
    max_score: f64,
    /// What the worst answer gets; zero without it.
    #[serde(default)]
    min_score: Option<f64>,
    #[serde(default)]
    question_id: Value,
    #[serde(default)]
    question: Value,
}

/// A row that a person graded, for comparing.
pub(super) struct GivenRow {
    pub(super) submission: Submission,
    /// The share of the points between the least and the most that the person gave.
    pub(super) share: f64,
    /// The points between the least and the most, where those and the person's are whole.
    pub(super) whole_points: Option<u8>,
    /// What tells its question from others: `questionId`, else the question.
    pub(super) question: String,
}

/// The row that a line holds, with what a person gave; `None` where nobody did.
pub(super) fn read_given(line: &[u8], lessons: &Lessons) -> Result<Option<GivenRow>, RowError> {
    let Given { score, max_score, min_score, question_id, question } = object(line)?;
    let Some(score) = score else { return Ok(None) };
    let least = min_score.unwrap_or_default();
    let share = share_of(score, least, max_score).map_err(RowError::Given)?;
    let question = if question_id.is_null() { question } else { question_id };
    Ok(Some(GivenRow {
        submission: read(line, lessons)?,
        share,
        whole_points: whole_points(score, least, max_score),
        question: question.to_string(),
    }))
}

fn whole_points(score: f64, least: f64, most: f64) -> Option<u8> {
    let is_whole = [score, least, most].iter().all(|points| points.fract() == 0.0);
    (is_whole && most - least <= MOST_WHOLE_POINTS).then_some((most - least) as u8)
}

/// The submission that a line holds.
fn read(line: &[u8], lessons: &Lessons) -> Result<Submission, RowError> {
    let row: Row = object(line)?;
    if !(row.max_score.is_finite() && row.max_score > 0.0) {
        return Err(RowError::Invalid("maxScore must be a number above 0"));
    }
    let criteria = criteria_of(row.rubric)?;
    let usual = if criteria.is_empty() { EvaluationType::OpenEnded } else { EvaluationType::RubricShortAnswer };
    let evaluation_type = row.evaluation_type.unwrap_or(usual);
    if matches!(evaluation_type, EvaluationType::RubricShortAnswer) && criteria.is_empty() {
        return Err(RowError::Invalid("rubric_short_answer needs a rubric with criteria"));
    }
    let mut reviewed = reviewed(row.reviewed_answers, row.max_score, &criteria)?;
    reviewed.extend(lessons.of(&row.question_id, &row.id));
    let is_text = |text: &String| !text.trim().is_empty();
    let given = row.reference_answer.filter(is_text);
    let mut others: Vec<String> = row.reference_answers.unwrap_or_default().into_iter().filter(is_text).collect();
    others.retain(|other| Some(other) != given.as_ref());
    let reference_answer = given.or_else(|| (!others.is_empty()).then(|| others.remove(0)));
    if matches!(evaluation_type, EvaluationType::Exact) && reference_answer.is_none() {
        return Err(RowError::Invalid("exact needs a referenceAnswer"));
    }
    Ok(Submission {
        reference_answer,
        other_references: others,
        criteria,
        language: row.language.filter(is_text).unwrap_or_else(|| DEFAULT_LANGUAGE.to_owned()),
        reviewed,
        ..Submission::new(evaluation_type, row.question.unwrap_or_default(), row.student_answer, row.max_score)
    })
}

/// The criteria of a rubric.
pub(super) fn criteria_of(rubric: Option<Rubric>) -> Result<Vec<Criterion>, RowError> {
    let of = |criterion: RubricCriterion| {
        let RubricCriterion { name, description, max_score } = criterion;
        if max_score.is_finite() && max_score >= 0.0 {
            return Ok(Criterion { name, description: description.unwrap_or_default(), max_score });
        }
        Err(RowError::Invalid("a criterion's maxScore must be a number, 0 or more"))
    };
    rubric.into_iter().flat_map(|rubric| rubric.criteria).map(of).collect()
}

fn reviewed(
    answers: Option<Vec<Reviewed>>,
    max_score: f64,
    criteria: &[Criterion],
) -> Result<Vec<ReviewedAnswer>, RowError> {
    let read = |reviewed: Reviewed| {
        let wrong_model_score = || RowError::Invalid("a reviewed answer's modelScore must be from 0 to maxScore");
        let model_share = |score| share(score, max_score).ok_or_else(wrong_model_score);
        let shares = reviewed.criteria.map_or(Some(Vec::new()), |points| shares(&points, criteria));
        Ok(ReviewedAnswer {
            answer: reviewed.answer,
            share: share(reviewed.score, max_score)
                .ok_or(RowError::Invalid("a reviewed answer's score must be from 0 to maxScore"))?,
            criteria: shares.ok_or(RowError::Invalid("a reviewed answer's criteria must be points of all criteria"))?,
            feedback: reviewed.feedback.unwrap_or_default(),
            model_share: reviewed.model_score.map(model_share).transpose()?,
        })
    };
    answers.into_iter().flatten().map(read).collect()
}

/// The share of each criterion, in the rubric's order; `None` where the points are not those of all criteria.
pub(super) fn shares(points: &Map<String, Value>, criteria: &[Criterion]) -> Option<Vec<f64>> {
    let mut taken = Map::new();
    let mut shares = Vec::new();
    for criterion in criteria {
        let name = free_name(&taken, &criterion.name);
        shares.push(share(points.get(&name)?.as_f64()?, criterion.max_score)?);
        taken.insert(name, Value::Null);
    }
    (points.len() == taken.len()).then_some(shares)
}

/// Points as a share of the most; of nothing there is nothing to miss.
fn share(points: f64, most: f64) -> Option<f64> {
    (0.0..=most).contains(&points).then(|| if most > 0.0 { points / most } else { 1.0 })
}

fn grade_submission(submission: &Submission, grader: &RowGrader) -> Result<Grade, RowError> {
    Ok(match submission.evaluation_type {
        EvaluationType::Exact => exact::grade(submission)?,
        EvaluationType::OpenEnded | EvaluationType::RubricShortAnswer => grader.grade(submission)?.grade,
    })
}

/// What a grader gave of the points that it was asked for. They begin at 0 on every scale: graders learn from people's shares of the
/// points between the least and the most, and give such shares.
pub(super) fn share_of_grade(grade: &Grade, max_score: f64) -> f64 {
    grade.score / max_score
}

fn outcome(grade: &Grade, max_score: f64) -> Outcome {
    Outcome::Grade {
        score: share_of_grade(grade, max_score) * 100.0,
        confidence: grade.confidence,
        criteria: grade.rubric_breakdown.as_ref().map(|breakdown| {
            let mut points = Map::new();
            for criterion in breakdown {
                points.insert(free_name(&points, &criterion.criterion), json!(criterion.score));
            }
            points
        }),
        feedback: json!({
            "strengths": grade.strengths,
            "mistakes": grade.mistakes,
            "suggestions": grade.suggestions,
            "feedbackSummary": grade.feedback_summary,
            "nextStep": grade.next_step,
        }),
        integrity: grade.integrity.clone(),
        review_reasons: grade.review_reasons.clone(),
    }
}

/// The criterion's name; with a number behind it where an earlier criterion has the same.
fn free_name(taken: &Map<String, Value>, name: &str) -> String {
    let numbered = (2_usize..).map(|number| format!("{name} ({number})"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken.contains_key(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission(row: &Value) -> Result<Submission, String> {
        read(row.to_string().as_bytes(), &Lessons::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_row_without_a_type_is_never_exact() {
        let mut row = json!({ "id": "a", "studentAnswer": "x", "maxScore": 2, "referenceAnswer": "x" });
        assert_eq!(submission(&row).unwrap().evaluation_type, EvaluationType::OpenEnded);
        row["rubric"] = json!({ "criteria": [{ "name": "A", "maxScore": 2 }] });
        assert_eq!(submission(&row).unwrap().evaluation_type, EvaluationType::RubricShortAnswer);
        row["evaluationType"] = json!("exact");
        assert_eq!(submission(&row).unwrap().evaluation_type, EvaluationType::Exact);
    }

    #[test]
    fn references_are_said_once_and_the_first_is_the_reference() {
        let row = json!({
            "studentAnswer": "x", "maxScore": 1, "referenceAnswer": "one", "referenceAnswers": ["one", " ", "two"],
        });
        let read = submission(&row).unwrap();
        assert_eq!((read.reference_answer.as_deref(), read.other_references), (Some("one"), vec!["two".to_owned()]));
        let row = json!({ "studentAnswer": "x", "maxScore": 1, "referenceAnswer": "", "referenceAnswers": ["two"] });
        assert_eq!(submission(&row).unwrap().reference_answer.as_deref(), Some("two"));
    }

    #[test]
    fn what_is_absent_or_null_has_a_default_and_what_is_wrong_is_named() {
        let row = json!({ "studentAnswer": "", "maxScore": 1, "rubric": null, "language": null, "label3": "correct" });
        let read = submission(&row).unwrap();
        assert_eq!((read.language.as_str(), read.question.as_str(), read.criteria.len()), ("en", "", 0));
        let criterion = json!({ "criteria": [{ "name": "A", "maxScore": -1 }] });
        for (member, value, part) in [
            ("maxScore", json!(0), "maxScore"),
            ("maxScore", Value::Null, "members of a row"),
            ("studentAnswer", json!(7), "members of a row"),
            ("evaluationType", json!("essay"), "unknown variant"),
            ("evaluationType", json!("exact"), "referenceAnswer"),
            ("evaluationType", json!("rubric_short_answer"), "rubric"),
            ("rubric", criterion, "criterion"),
        ] {
            let mut row = row.clone();
            row[member] = value;
            let problem = submission(&row).unwrap_err();
            assert!(problem.contains(part), "{member}: {problem}");
        }
    }

    #[test]
    fn reviewed_answers_become_shares_and_what_is_wrong_with_them_is_named() {
        let rubric = json!({ "criteria": [{ "name": "A", "maxScore": 3 }, { "name": "A", "maxScore": 1 }] });
        let row = |reviewed: Value| {
            let row = json!({ "studentAnswer": "x", "maxScore": 4, "rubric": rubric, "reviewedAnswers": reviewed });
            submission(&row)
        };
        let points = json!({ "A": 3, "A (2)": 0 });
        let both = row(json!([{ "answer": "y", "score": 3, "criteria": points }, { "answer": "z", "score": 1 }]));
        let reviewed = both.unwrap().reviewed;
        assert_eq!((reviewed[0].share, reviewed[0].criteria.as_slice()), (0.75, &[1.0, 0.0][..]));
        assert_eq!((reviewed[1].share, reviewed[1].criteria.len()), (0.25, 0));
        assert!(row(Value::Null).unwrap().reviewed.is_empty());
        for (reviewed, part) in [
            (json!({ "answer": "y", "score": 5 }), "score must be"),
            (json!({ "answer": "y", "score": -1 }), "score must be"),
            (json!({ "answer": "y", "score": 4, "criteria": { "A": 3 } }), "all criteria"),
            (json!({ "answer": "y", "score": 4, "criteria": { "A": 3, "A (2)": 2 } }), "all criteria"),
            (json!({ "answer": "y", "score": 4, "criteria": { "A": 3, "A (2)": 1, "B": 1 } }), "all criteria"),
            (json!({ "answer": "y" }), "members of a row"),
        ] {
            let problem = row(json!([reviewed])).unwrap_err();
            assert!(problem.contains(part), "{problem}");
        }
    }

    #[test]
    fn what_is_taught_of_a_question_joins_what_the_row_brings() {
        let mut lessons = Lessons::default();
        for (question, score) in [("q", 1), ("r", 2)] {
            let line = json!({ "questionId": question, "studentAnswer": "z", "score": score, "maxScore": 4 });
            lessons.add(line.to_string().as_bytes()).unwrap();
        }
        let own = json!([{ "answer": "y", "score": 2 }]);
        let row = json!({ "id": "a", "questionId": "q", "studentAnswer": "x", "maxScore": 2, "reviewedAnswers": own });
        let read = read(row.to_string().as_bytes(), &lessons).unwrap();
        let reviewed: Vec<_> = read.reviewed.iter().map(|one| (one.answer.as_str(), one.share)).collect();
        assert_eq!(reviewed, [("y", 1.0), ("z", 0.25)]);
    }

    #[test]
    fn a_row_that_cannot_be_graded_has_no_score_and_keeps_its_id() {
        let grader = RowGrader::builtin().unwrap();
        let objects = [(r#"{"id":"7","maxScore":1}"#, json!("7")), (r#"{"id":7}"#, json!(7)), ("{", Value::Null)];
        let others = ["[", "[1,2]", "[null,null,null,null,\"x\",2]", "5", "\"x\"", "true", "null"];
        for (line, id) in objects.into_iter().chain(others.map(|line| (line, Value::Null))) {
            let graded = serde_json::to_value(grade(line.as_bytes(), &grader, &Lessons::default())).unwrap();
            assert_eq!((&graded["id"], graded.get("score")), (&id, Some(&Value::Null)), "{line}");
            assert!(graded["error"].as_str().is_some_and(|error| error.contains("members of a row")), "{graded}");
        }
    }

    #[test]
    fn a_grade_is_printed_as_a_share_of_the_maximum_with_points_by_name() {
        let criterion = |score| grading::CriterionGrade {
            criterion: "A".to_owned(),
            score,
            max_score: 2.0,
            feedback: String::new(),
        };
        let grade = Grade {
            score: 3.0,
            confidence: 0.5,
            rubric_breakdown: Some(vec![criterion(1.0), criterion(2.0)]),
            strengths: vec!["good".to_owned()],
            mistakes: Vec::new(),
            suggestions: Vec::new(),
            feedback_summary: "Fine.".to_owned(),
            next_step: "On.".to_owned(),
            integrity: vec![IntegrityFlag::HiddenText],
            review_reasons: vec![ReviewReason::FewSharedWords],
        };
        let printed = serde_json::to_value(Graded { id: json!("x"), outcome: outcome(&grade, 4.0) }).unwrap();
        assert_eq!(printed["score"], json!(75.0));
        assert_eq!(printed["criteria"], json!({ "A": 1.0, "A (2)": 2.0 }));
        assert_eq!(printed["feedback"]["feedbackSummary"], "Fine.");
        assert_eq!(printed["integrity"], json!(["hidden_text"]));
        assert_eq!(printed["reviewReasons"], json!(["few_shared_words"]));
        assert_eq!(printed.get("error"), None);
    }
}
