//! The job that grades an answer, and what came of its runs. They are counted by why they failed: a restart is nobody's
//! failure, and a grader that was away may have a hiccup when it is back.

use std::time::Duration;

use kernel::id::EvaluationId;
use serde::{Deserialize, Serialize};

/// The waits after a grade that failed in passing; the next such failure is final.
const HICCUP_WAITS: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(30)];

/// Grades the answer of one evaluation.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GradeAnswer {
    pub(super) evaluation_id: EvaluationId,
    /// Runs in which the grader failed in passing.
    #[serde(default, skip_serializing_if = "is_none")]
    hiccups: u32,
    /// Runs in which the model or the files were away.
    #[serde(default, skip_serializing_if = "is_none")]
    outages: u32,
}

impl GradeAnswer {
    pub(in crate::evaluations) fn new(evaluation_id: EvaluationId) -> Self {
        Self { evaluation_id, hiccups: 0, outages: 0 }
    }

    /// How long to wait after another hiccup; `None` after the last.
    pub(super) fn after_hiccup(&mut self) -> Option<Duration> {
        next(&HICCUP_WAITS, &mut self.hiccups)
    }

    /// How long to wait after another outage; `None` after the last.
    pub(super) fn after_outage(&mut self, waits: &[Duration]) -> Option<Duration> {
        next(waits, &mut self.outages)
    }
}

fn next(waits: &[Duration], count: &mut u32) -> Option<Duration> {
    let wait = waits.get(usize::try_from(*count).unwrap_or(usize::MAX)).copied();
    *count = count.saturating_add(1);
    wait
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hiccup_and_outage_counts_and_the_last_of_a_kind_is_not_waited_for() {
        let id: EvaluationId = "018f4a3c-7b1d-7c3e-9a52-3f1d2b4c5d6e".parse().unwrap();
        let mut job = GradeAnswer::new(id);
        assert_eq!([(); 3].map(|()| job.after_hiccup()), [Some(HICCUP_WAITS[0]), Some(HICCUP_WAITS[1]), None]);
        let waits = [Duration::from_secs(5), Duration::from_secs(10)];
        assert_eq!([(); 3].map(|()| job.after_outage(&waits)), [Some(waits[0]), Some(waits[1]), None]);
        assert_eq!((job.evaluation_id, job.hiccups, job.outages), (id, 3, 3));
    }
}
