//! Whether a model tells a learner what others wrote: it was shown their reviewed answers, and asked not to.

use std::collections::HashSet;

use language::normal::stable_hash;

use super::evidence::folded;
use super::prompt::Task;
use super::verdict::Verdict;

/// A run of so many bytes in common is no chance: half a dozen words, or a dozen signs of a script without spaces.
const RUN_BYTES: usize = 36;

/// Whether something that the learner would read stands in another learner's answer, or in what a teacher said of it, and
/// neither in the task nor in the learner's own answer.
pub(super) fn tells(verdict: &Verdict, task: &Task<'_>) -> bool {
    let others: HashSet<u64> = task.others_words().flat_map(|text| runs(&folded(text)).collect::<Vec<_>>()).collect();
    if others.is_empty() {
        return false;
    }
    let told: HashSet<u64> = verdict
        .words()
        .flat_map(|text| runs(&folded(text)).collect::<Vec<_>>())
        .filter(|run| others.contains(run))
        .collect();
    if told.is_empty() {
        return false;
    }
    let mut own = task.own_words().flat_map(|text| runs(&folded(text)).collect::<Vec<_>>());
    let mut left = told;
    own.any(|run| {
        left.remove(&run);
        left.is_empty()
    });
    !left.is_empty()
}

/// Digests of all runs of a text.
fn runs(text: &str) -> impl Iterator<Item = u64> {
    text.char_indices().map_while(|(start, _)| {
        let end = (start + RUN_BYTES..=text.len()).find(|end| text.is_char_boundary(*end))?;
        Some(stable_hash(&text[start..end]))
    })
}
