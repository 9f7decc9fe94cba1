//! Several judgements of one answer, and how sure they leave a grader.

use super::calibration::calibrated;
use super::verdict::Verdict;
use crate::{Grade, ReviewReason, ReviewedAnswer};

/// Shares of all points between which a grade is close: pass or fail hangs on it.
const CLOSE_TOTAL: std::ops::RangeInclusive<f64> = 0.35..=0.75;
/// Shares of a criterion's points between which a model may as well have said another.
const CLOSE_CRITERION: std::ops::RangeInclusive<f64> = 0.25..=0.75;
/// What one clear judgement is worth, one close one, and several that agree.
const SURE: f64 = 0.85;
const SURE_WHEN_CLOSE: f64 = 0.65;
const SURE_WHEN_AGREED: f64 = 0.95;
/// Confidence that is lost where judgements are a whole grade apart.
const LOST_BY_SPREAD: f64 = 1.4;
const LEAST: f64 = 0.2;
/// A share of all points that two graders of the same answer are not apart by chance, and how sure the one that gives more
/// can be at most.
const FAR: f64 = 0.5;
pub(super) const SURE_FAR_ABOVE: f64 = 0.5;
/// How sure it can be at most: points that rest on nothing or on what the model was told, and on a picture.
const SURE_WITHOUT_EVIDENCE: f64 = 0.4;
const SURE_OF_PICTURES: f64 = 0.6;
/// What is left of it where not everything was read.
const UNREAD: f64 = 0.6;

/// Whether the same model might well say something else the next time.
pub(super) fn is_close(verdict: &Verdict) -> bool {
    let is_part_of_it = |most: f64| most > 0.0;
    CLOSE_TOTAL.contains(&verdict.share())
        || verdict
            .criteria
            .iter()
            .any(|criterion| is_part_of_it(criterion.most) && CLOSE_CRITERION.contains(&criterion.share))
}

/// Whether a model gives so much more than the built-in grader that one of them is wrong. A grader that had nothing to compare
/// with contradicts nobody.
pub(super) fn is_far_above(verdict: &Verdict, sober: &Grade, max_score: f64) -> bool {
    let is_unguided = sober.review_reasons.contains(&ReviewReason::NothingToCompare);
    !is_unguided && verdict.share() - sober.score / max_score > FAR
}

/// How far apart votes are; `None` where there is one.
pub(super) fn spread(votes: &[f64]) -> Option<f64> {
    let most = votes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = votes.iter().copied().fold(f64::INFINITY, f64::min);
    (votes.len() > 1).then_some(most - least)
}

/// The judgement in the middle, whose words fit its points; of two, the lower: nobody is given what only one saw.
///
/// # Panics
/// Without a verdict.
pub(super) fn median(mut verdicts: Vec<Verdict>) -> Verdict {
    assert!(!verdicts.is_empty(), "somebody has judged");
    let talked_to = verdicts.iter().any(|verdict| verdict.is_talked_to);
    verdicts.sort_by(|one, other| one.share().total_cmp(&other.share()));
    let middle = (verdicts.len() - 1) / 2;
    Verdict { is_talked_to: talked_to, ..verdicts.swap_remove(middle) }
}

/// How sure a grade is, from 0 to 1: by how clear it is or how far judgements agree, by how often people confirmed the model's
/// grades of the question, and by what it rests on, which bounds it whatever people confirmed.
pub(super) fn confidence(
    verdict: &Verdict,
    spread: Option<f64>,
    is_talked_to: bool,
    is_whole: bool,
    reviewed: &[ReviewedAnswer],
) -> f64 {
    let stated = match spread {
        Some(spread) => (SURE_WHEN_AGREED - LOST_BY_SPREAD * spread).max(LEAST),
        None if is_close(verdict) => SURE_WHEN_CLOSE,
        None => SURE,
    };
    let mut sure = calibrated(stated, reviewed);
    if !verdict.is_founded || !verdict.is_in_range || is_talked_to {
        sure = sure.min(SURE_WITHOUT_EVIDENCE);
    }
    if verdict.sees {
        sure = sure.min(SURE_OF_PICTURES);
    }
    if !is_whole {
        sure *= UNREAD;
    }
    sure
}
