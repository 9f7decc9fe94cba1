//! How an answer did against a reference: its share of the points, how sure that is, and what the feedback is about.

use super::compare::{Difference, Verdict};
use super::texts::Words;

/// What a missing unit leaves of the points.
const WITHOUT_UNIT: f64 = 0.5;
/// A wrong answer that was compared as a value is as certain as a right one; a sentence that wasn't understood isn't.
const SURELY_WRONG: f64 = 1.0;
const LIKELY_WRONG: f64 = 0.85;
/// An answer that shares words with the reference may be the same in other words.
const NEARLY: f64 = 0.35;
/// Some items of a list: how many points they are worth is the teacher's choice.
const PARTLY: f64 = 0.4;

/// How an answer did against one reference.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judgement {
    /// Of the points, from 0 to 1.
    pub(super) share: f64,
    pub(super) confidence: f64,
    pub(super) finding: Finding,
}

/// What the feedback is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Finding {
    Right,
    Empty,
    OnlyOrders,
    CopiedQuestion,
    NoUnit,
    Differs(Difference),
    /// It says less than the reference and nothing else: the share is an estimate.
    Less,
    /// It shares words with the reference, or is a sentence: it may mean the same.
    Near,
    Part {
        right: usize,
        counted: usize,
        missing: Vec<String>,
    },
    Marks,
    Negated,
    Several,
    /// The value is right, the form isn't the one that the question asks for.
    Form,
}

impl Judgement {
    pub(super) fn right(confidence: f64) -> Self {
        Self { share: 1.0, confidence, finding: Finding::Right }
    }

    pub(super) fn wrong(finding: Finding) -> Self {
        let confidence = match finding {
            Finding::Differs(Difference::Value | Difference::Kind)
            | Finding::Negated
            | Finding::Several
            | Finding::Form => LIKELY_WRONG,
            _ => SURELY_WRONG,
        };
        Self { share: 0.0, confidence, finding }
    }

    /// By points, then by how much there is to say.
    pub(super) fn rank(&self) -> (u64, bool, u64) {
        let part = |value: f64| (value * 1e6).max(0.0) as u64;
        let says_more = !matches!(self.finding, Finding::Near | Finding::Differs(Difference::Value | Difference::Kind));
        (part(self.share), says_more, part(self.confidence))
    }

    pub(super) fn of_words(words: Words) -> Self {
        match words {
            Words::Same(confidence) => Self::right(confidence),
            Words::Part { right, counted, missing } => {
                let share = right as f64 / counted.max(1) as f64;
                Self { share, confidence: PARTLY, finding: Finding::Part { right, counted, missing } }
            }
            Words::Shuffled => Self::wrong(Finding::Differs(Difference::Order)),
            Words::Marks => Self::wrong(Finding::Marks),
            Words::Negated => Self::wrong(Finding::Negated),
            Words::Several => Self::wrong(Finding::Several),
            Words::Less => Self { confidence: NEARLY, ..Self::wrong(Finding::Less) },
            Words::Near => Self { confidence: NEARLY, ..Self::wrong(Finding::Near) },
            Words::Different => Self::wrong(Finding::Differs(Difference::Value)),
        }
    }

    pub(super) fn of_value(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Same(confidence) => Self::right(confidence),
            Verdict::NoUnit => Self { share: WITHOUT_UNIT, confidence: 0.8, finding: Finding::NoUnit },
            Verdict::Different(difference) => Self::wrong(Finding::Differs(difference)),
        }
    }
}
