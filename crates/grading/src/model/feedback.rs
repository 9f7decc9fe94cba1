//! A model's words as feedback: bounded, without characters that nobody can store, with what the model can't know.

use std::collections::BTreeSet;

use language::fill;
use language::normal::shorten;

use super::verdict::Verdict;
use crate::builtin::{Readable, unread_phrase};
use crate::{CriterionGrade, DetailLevel, Grade, IntegrityFlag, ReviewReason, Submission};

/// Most entries of a list, by how much detail is wanted.
const BRIEF: usize = 1;
const DETAILED: usize = 5;
/// Longest entry, in words and characters: a model that goes on and on is cut where a reader stops.
const MOST_WORDS: usize = 150;
const MOST_CHARACTERS: usize = 1_200;

/// Writes a grade.
pub(super) fn write(
    submission: &Submission,
    readable: &Readable,
    unread: &[&str],
    verdict: Verdict,
    confidence: f64,
) -> Grade {
    let share = verdict.share();
    let most = if submission.feedback.detail_level == DetailLevel::Brief { BRIEF } else { DETAILED };
    let list = |texts: Vec<String>| -> Vec<String> {
        texts.iter().map(|text| plain(text)).filter(|text| !text.is_empty()).take(most).collect()
    };
    let mut suggestions = list(verdict.suggestions);
    let mut summary = plain(&verdict.summary);
    if !unread.is_empty() {
        let unread = fill(unread_phrase(&submission.language), &[("files", &unread.join(", "))]);
        if !summary.contains(&unread) {
            summary = format!("{summary} {unread}");
        }
        if !suggestions.contains(&unread) {
            suggestions.insert(0, unread);
        }
    }
    let mut flags: BTreeSet<IntegrityFlag> = readable.flags.clone();
    if verdict.is_talked_to {
        flags.insert(IntegrityFlag::AddressesGrader);
    }
    let criterion = |criterion: super::verdict::Criterion| CriterionGrade {
        score: (criterion.share * criterion.most).min(criterion.most),
        criterion: criterion.name,
        max_score: criterion.most,
        feedback: plain(&criterion.reason),
    };
    Grade {
        score: (share * submission.max_score).min(submission.max_score).max(0.0),
        confidence: confidence.clamp(0.0, 1.0),
        rubric_breakdown: verdict.has_breakdown.then(|| verdict.criteria.into_iter().map(criterion).collect()),
        strengths: list(verdict.strengths),
        mistakes: list(verdict.mistakes),
        suggestions,
        feedback_summary: summary,
        next_step: plain(&verdict.next_step),
        integrity: flags.into_iter().collect(),
        review_reasons: (!unread.is_empty()).then_some(ReviewReason::UnreadFiles).into_iter().collect(),
    }
}

/// One line without control characters.
fn plain(text: &str) -> String {
    let spaced: String = text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    let line: Vec<&str> = spaced.split_whitespace().collect();
    shorten(&line.join(" "), MOST_WORDS, MOST_CHARACTERS)
}
