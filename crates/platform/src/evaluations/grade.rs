//! A grade as it is stored: numbers within their ranges, the total worked out from its parts, and how it came about.

use grading::{CriterionGrade, GradingError, Judged};
use serde::{Deserialize, Serialize};

use super::records::KeptRecord;
use super::row::{CriterionScore, Feedback};

/// A grade, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Graded {
    pub(super) score: f64,
    pub(super) confidence: f64,
    pub(super) feedback: Feedback,
    pub(super) record: KeptRecord,
}

impl Graded {
    /// Scores are rounded to what their maximum makes worth writing, and none lies outside its range, whoever judged.
    /// Where there are parts, the total is what they add up to.
    ///
    /// # Errors
    /// A grade with what is no number.
    pub(super) fn of(judged: Judged, max_score: f64) -> Result<Self, GradingError> {
        let Judged { grade, record } = judged;
        let review_reasons = grade.reasons_for_review();
        let parts: Option<Vec<CriterionGrade>> = grade.rubric_breakdown;
        let numbers = parts.iter().flatten().flat_map(|part| [part.score, part.max_score]);
        let votes = record.votes.iter().copied();
        if !numbers.chain(votes).chain([grade.score, grade.confidence]).all(f64::is_finite) {
            return Err(GradingError::lasting("grade_invalid", "The grader gave no number."));
        }
        let criterion = |part: CriterionGrade| CriterionScore {
            score: points(part.score, part.max_score),
            criterion: part.criterion,
            max_score: part.max_score,
            feedback: part.feedback,
        };
        let parts: Option<Vec<CriterionScore>> = parts.map(|parts| parts.into_iter().map(criterion).collect());
        let share = parts.as_deref().and_then(share_of);
        let flag = |flag| serde_json::to_value(flag).ok()?.as_str().map(str::to_owned);
        Ok(Self {
            score: points(share.map_or(grade.score, |share| share * max_score), max_score),
            confidence: hundredths(grade.confidence.clamp(0.0, 1.0)),
            feedback: Feedback {
                rubric_breakdown: parts,
                strengths: grade.strengths,
                mistakes: grade.mistakes,
                suggestions: grade.suggestions,
                feedback_summary: grade.feedback_summary,
                next_step: grade.next_step,
                integrity: grade.integrity.into_iter().filter_map(flag).collect(),
                review_reasons,
            },
            record: KeptRecord::alone(record),
        })
    }
}

/// What of all points the parts' points are, as they are shown; `None` where there are none to get.
pub(super) fn share_of(parts: &[CriterionScore]) -> Option<f64> {
    let (reached, most) =
        parts.iter().fold((0.0, 0.0), |(reached, most), part| (reached + part.score, most + part.max_score));
    (most > 0.0).then(|| reached / most)
}

/// Two decimals, or three digits where the maximum is below 1; but the maximum itself where that is reached: it may have
/// more.
pub(super) fn points(score: f64, max_score: f64) -> f64 {
    if score >= max_score {
        return max_score;
    }
    let finer = if max_score < 1.0 { max_score.log10().floor().max(-290.0) } else { 0.0 };
    let unit = 10_f64.powf(2.0 - finer);
    ((score.max(0.0) * unit).round() / unit).min(max_score)
}

pub(super) fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use grading::Grade;
    use serde_json::json;

    use super::*;

    fn grade(score: f64, parts: &[(f64, f64)]) -> Judged {
        let part = |(score, max_score): &(f64, f64)| CriterionGrade {
            criterion: "One".to_owned(),
            score: *score,
            max_score: *max_score,
            feedback: String::new(),
        };
        let grade = Grade {
            score,
            confidence: 0.5,
            rubric_breakdown: (!parts.is_empty()).then(|| parts.iter().map(part).collect()),
            strengths: Vec::new(),
            mistakes: Vec::new(),
            suggestions: Vec::new(),
            feedback_summary: String::new(),
            next_step: String::new(),
            integrity: Vec::new(),
            review_reasons: Vec::new(),
        };
        let record = json!({ "gradedBy": "model", "version": null, "rubricSha256": null, "reviewedAnswers": 0,
            "prompt": null, "calls": [], "votes": [0.5] });
        Judged { grade, record: serde_json::from_value(record).unwrap() }
    }

    fn score(judged: Judged, max_score: f64) -> f64 {
        Graded::of(judged, max_score).unwrap().score
    }

    #[test]
    fn the_total_is_what_the_criteria_add_up_to_whatever_the_grader_says() {
        assert_eq!(score(grade(10.0, &[(1.0, 4.0), (3.0, 6.0)]), 10.0), 4.0);
        assert_eq!(score(grade(0.0, &[(9.0, 4.0), (-3.0, 6.0)]), 20.0), 8.0, "each within its range");
        let thirds = [(1.0 / 3.0, 1.0); 3];
        assert_eq!(score(grade(0.0, &thirds), 3.0), 0.99, "as the points of each are shown");
        assert_eq!(score(grade(7.0, &[(0.0, 0.0)]), 10.0), 7.0, "criteria without points add up to nothing");
    }

    #[test]
    fn scores_lie_in_their_range_and_small_maxima_keep_their_digits() {
        assert_eq!((score(grade(-1.0, &[]), 10.0), score(grade(11.0, &[]), 10.0)), (0.0, 10.0));
        assert_eq!((score(grade(3.33333, &[]), 10.0), score(grade(0.002, &[]), 0.004)), (3.33, 0.002));
        assert_eq!((score(grade(1e-320, &[]), 4e-320), score(grade(2.0, &[]), 1.0 / 3.0)), (0.0, 1.0 / 3.0));
    }

    #[test]
    fn what_is_no_number_is_no_grade() {
        let mut vote = grade(1.0, &[]);
        vote.record.votes.push(f64::NAN);
        for wrong in [grade(f64::NAN, &[]), grade(1.0, &[(f64::INFINITY, 1.0)]), grade(1.0, &[(1.0, f64::NAN)]), vote] {
            assert_eq!(Graded::of(wrong, 10.0).unwrap_err().code, "grade_invalid");
        }
    }
}
