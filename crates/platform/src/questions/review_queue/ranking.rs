//! Ranks unreviewed answers by how much their review would teach. A function of texts and numbers: the same answers in the same
//! order give the same queue.
//!
//! An answer is worth the sum of:
//!
//! - 1 where its evaluation needs a review: somebody has to look anyway,
//! - 1 − confidence: a sure grade is rarely changed,
//! - half of its distance from the reviewed answer that is most like it: graders learn from reviewed answers by likeness, so one
//!   that is like none is new to them. Without reviewed answers there is nothing to be unlike,
//! - its likeness to two reviewed answers whose grades differ by more than a quarter of the points, the lesser of the two times the
//!   difference: the teacher's line runs somewhere between those two.
//!
//! Likeness is the share of words in common (Jaccard). The queue takes the answer that is worth most, again and again. What
//! is like one that is in the queue already is worth less, and a near copy of it is left out: one review teaches both.

use std::collections::BTreeSet;

use language::normal::stable_hash;
use language::script::is_unspaced;

/// Words of an answer that are looked at: likeness of long answers shows early.
const MOST_WORDS: usize = 400;
/// The likeness from which two answers are near copies.
const NEAR_COPY: f64 = 0.8;
/// What the distance from reviewed answers is worth.
const NOVELTY: f64 = 0.5;
/// Grades that differ by more, as a share of the points, are on two sides of a teacher's line.
const TWO_GRADES: f64 = 0.25;

/// The words of an answer, as a set of hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words(Vec<u64>);

/// An answer that nobody has reviewed.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// `None` where they are not known, as in a photo: it is like no other answer.
    pub(super) words: Option<Words>,
    pub(super) confidence: f64,
    pub(super) needs_review: bool,
}

/// An answer that a person has graded.
#[derive(Clone, Debug)]
pub(super) struct Reviewed {
    pub(super) words: Words,
    /// What it got of all points.
    pub(super) share: f64,
}

/// Why a review teaches much: the part of an answer's worth that is largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ReviewQueueReason)]
pub(super) enum Reason {
    /// The evaluation needs a review.
    NeedsReview,
    /// The grader is not sure.
    LowConfidence,
    /// No reviewed answer is like it.
    UnlikeReviewed,
    /// It is like reviewed answers with different grades.
    BetweenGrades,
}

/// An answer of the queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ranked {
    /// The candidate's place.
    pub(super) index: usize,
    pub(super) reason: Reason,
    /// Candidates that are near copies of it.
    pub(super) near_copies: usize,
}

impl Words {
    /// Of a text in any language: in scripts without spaces, two neighbouring characters are a word.
    pub(super) fn of(text: &str) -> Self {
        let mut words = BTreeSet::new();
        let lower = text.to_lowercase();
        for run in lower.split(|character: char| !character.is_alphanumeric()).filter(|run| !run.is_empty()) {
            if words.len() >= MOST_WORDS {
                break;
            }
            if !run.contains(is_unspaced) {
                words.insert(stable_hash(run));
                continue;
            }
            let characters: Vec<char> = run.chars().take(2 * MOST_WORDS).collect();
            let pairs = characters.windows(2.min(characters.len()));
            words.extend(pairs.map(|pair| stable_hash(&pair.iter().collect::<String>())));
        }
        Self(words.into_iter().collect())
    }

    /// The share of words in common: 1 for the same words, 0 for none.
    fn likeness(&self, other: &Self) -> f64 {
        let (mut common, mut own, mut others) = (0_u32, self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some(one), Some(two)) = (own.peek(), others.peek()) {
            let order = one.cmp(two);
            common += u32::from(order.is_eq());
            if order.is_le() {
                own.next();
            }
            if order.is_ge() {
                others.next();
            }
        }
        let all = self.0.len() + other.0.len() - usize::try_from(common).unwrap_or(usize::MAX);
        if all == 0 { 1.0 } else { f64::from(common) / f64::from(u32::try_from(all).unwrap_or(u32::MAX)) }
    }
}

impl Candidate {
    fn likeness(&self, other: &Words) -> f64 {
        self.words.as_ref().map_or(0.0, |words| words.likeness(other))
    }

    fn likeness_to(&self, other: &Self) -> f64 {
        other.words.as_ref().map_or(0.0, |words| self.likeness(words))
    }
}

/// The answers whose review teaches most, so many at most, the most instructive first. Of two that are worth the same, the earlier
/// candidate goes first.
pub(super) fn rank(candidates: &[Candidate], reviewed: &[Reviewed], most: usize) -> Vec<Ranked> {
    let worths: Vec<(f64, Reason)> = candidates.iter().map(|candidate| worth(candidate, reviewed)).collect();
    // How unlike each is to those in the queue; `None` for what is in it, or a near copy of one that is.
    let mut novelty: Vec<Option<f64>> = vec![Some(1.0); candidates.len()];
    let mut queue = Vec::new();
    while queue.len() < most {
        let open = (0..candidates.len()).filter_map(|index| Some((index, worths[index].0 * novelty[index]?)));
        let best = open.fold(None, |best: Option<(usize, f64)>, one| match best {
            Some(best) if best.1 >= one.1 => Some(best),
            _ => Some(one),
        });
        let Some((index, _)) = best else { break };
        novelty[index] = None;
        let mut near_copies = 0;
        for (other, left) in novelty.iter_mut().enumerate() {
            let Some(unlike) = left else { continue };
            let likeness = candidates[index].likeness_to(&candidates[other]);
            if likeness >= NEAR_COPY {
                near_copies += 1;
                *left = None;
            } else {
                *left = Some(unlike.min(1.0 - likeness));
            }
        }
        queue.push(Ranked { index, reason: worths[index].1, near_copies });
    }
    queue
}

/// What the review of an answer is worth, and the largest part of that.
fn worth(candidate: &Candidate, reviewed: &[Reviewed]) -> (f64, Reason) {
    let likeness: Vec<(f64, f64)> =
        reviewed.iter().map(|reviewed| (candidate.likeness(&reviewed.words), reviewed.share)).collect();
    let nearest = likeness.iter().map(|(likeness, _)| *likeness).reduce(f64::max);
    let parts = [
        (f64::from(u8::from(candidate.needs_review)), Reason::NeedsReview),
        (between(&likeness), Reason::BetweenGrades),
        (1.0 - candidate.confidence.clamp(0.0, 1.0), Reason::LowConfidence),
        (nearest.map_or(0.0, |nearest| NOVELTY * (1.0 - nearest)), Reason::UnlikeReviewed),
    ];
    let largest = parts.iter().fold(parts[2], |largest, part| if part.0 > largest.0 { *part } else { largest });
    (parts.iter().map(|(part, _)| part).sum(), largest.1)
}

/// How much an answer is like two reviewed ones with different grades.
fn between(likeness: &[(f64, f64)]) -> f64 {
    let pairs = likeness.iter().enumerate().flat_map(|(index, one)| {
        likeness[index + 1..].iter().map(move |other| ((one.1 - other.1).abs(), one.0.min(other.0)))
    });
    let apart = pairs.filter(|(difference, _)| *difference > TWO_GRADES);
    apart.map(|(difference, likeness)| difference * likeness).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(text: &str, confidence: f64) -> Candidate {
        Candidate { words: Some(Words::of(text)), confidence, needs_review: false }
    }

    fn reviewed(text: &str, share: f64) -> Reviewed {
        Reviewed { words: Words::of(text), share }
    }

    fn order(candidates: &[Candidate], reviewed: &[Reviewed], most: usize) -> Vec<(usize, Reason, usize)> {
        rank(candidates, reviewed, most)
            .into_iter()
            .map(|Ranked { index, reason, near_copies }| (index, reason, near_copies))
            .collect()
    }

    #[test]
    fn likeness_is_the_share_of_words_in_common_in_any_script() {
        let of = |one: &str, other: &str| Words::of(one).likeness(&Words::of(other));
        assert_eq!((of("Blue light.", "blue LIGHT"), of("blue light", "red light")), (1.0, 1.0 / 3.0));
        assert_eq!((of("blue", "red"), of("", "…"), of("blue", "")), (0.0, 1.0, 0.0));
        assert_eq!((of("光合作用", "光合作用"), of("光合作用", "光合成")), (1.0, 0.25));
        assert_eq!(of("光", "光"), 1.0, "a single character is a word");
    }

    #[test]
    fn unsure_grades_go_first_and_equal_ones_in_their_order() {
        let candidates = [candidate("a b", 0.9), candidate("c d", 0.4), candidate("e f", 0.9)];
        let expected = [(1, Reason::LowConfidence, 0), (0, Reason::LowConfidence, 0), (2, Reason::LowConfidence, 0)];
        assert_eq!(order(&candidates, &[], 9), expected);
        assert_eq!(order(&candidates, &[], 1), expected[..1]);
    }

    #[test]
    fn what_needs_a_review_goes_before_what_is_only_unsure() {
        let flagged = Candidate { needs_review: true, ..candidate("a b", 0.9) };
        let ranked = order(&[candidate("c d", 0.1), flagged], &[], 9);
        assert_eq!(ranked, [(1, Reason::NeedsReview, 0), (0, Reason::LowConfidence, 0)]);
    }

    #[test]
    fn what_is_like_no_reviewed_answer_goes_before_what_is() {
        let candidates = [candidate("air scatters blue light", 0.9), candidate("the sea mirrors it", 0.9)];
        let ranked = order(&candidates, &[reviewed("air scatters blue light more", 1.0)], 9);
        assert_eq!(ranked[0], (1, Reason::UnlikeReviewed, 0));
    }

    #[test]
    fn what_lies_between_two_grades_teaches_where_the_line_runs() {
        let candidates = [candidate("blue light is scattered", 0.95), candidate("something else entirely", 0.95)];
        let known = [reviewed("blue light is scattered more", 1.0), reviewed("blue light is absorbed", 0.0)];
        assert_eq!(order(&candidates, &known, 9)[0], (0, Reason::BetweenGrades, 0));
        let alike = [reviewed("blue light is scattered more", 1.0), reviewed("blue light is absorbed", 0.8)];
        assert_eq!(order(&candidates, &alike, 9)[0].0, 1, "no line runs between grades that are nearly the same");
    }

    #[test]
    fn near_copies_are_left_out_and_counted_and_others_come_by_turns() {
        let candidates = [
            candidate("air scatters blue light", 0.2),
            candidate("Air scatters blue light!", 0.1),
            candidate("air scatters red light", 0.2),
            candidate("the sea mirrors it", 0.3),
        ];
        let ranked = order(&candidates, &[], 9);
        assert_eq!(ranked.iter().map(|one| (one.0, one.2)).collect::<Vec<_>>(), [(1, 1), (3, 0), (2, 0)]);
    }

    #[test]
    fn what_was_not_read_is_a_copy_of_nothing_and_like_no_reviewed_answer() {
        let unread = Candidate { words: None, confidence: 0.9, needs_review: false };
        let candidates = [unread.clone(), unread, candidate("", 0.9), candidate("", 0.9)];
        let ranked = order(&candidates, &[], 9);
        assert_eq!(ranked.iter().map(|one| (one.0, one.2)).collect::<Vec<_>>(), [(0, 0), (1, 0), (2, 1)]);
        assert_eq!(order(&candidates[..1], &[reviewed("", 1.0)], 9)[0].1, Reason::UnlikeReviewed);
    }

    #[test]
    fn long_answers_are_looked_at_as_far_as_their_first_words() {
        let text: String = (0..100_000).map(|word| format!("{word} ")).collect();
        assert_eq!(Words::of(&text).0.len(), MOST_WORDS);
        assert!(Words::of(&"光合".repeat(100_000)).0.len() <= 2 * MOST_WORDS);
    }
}
