//! The confidence of a model's grade in the light of what people made of its earlier grades for the same question.
//!
//! Only the confidence moves. The reviewed answers themselves are shown to the model, which may learn where the teacher draws the
//! line; moving its points as well would count them twice.

use crate::ReviewedAnswer;
use crate::metrics::is_hit;

/// How many reviewed grades the stated confidence counts as: the weight of the Beta prior around it.
const BEFORE: f64 = 5.0;

/// The mean of the Beta distribution that begins at the stated confidence and has seen, for each reviewed answer that a model had
/// graded, whether the model was within a quarter of the person's share. Without such answers the stated confidence.
pub(super) fn calibrated(stated: f64, reviewed: &[ReviewedAnswer]) -> f64 {
    let grades = reviewed.iter().filter_map(|answer| Some((answer.model_share?, answer.share)));
    let (known, hits) = grades.fold((0.0, 0.0), |(known, hits), (share, given)| {
        (known + 1.0, hits + f64::from(u8::from(is_hit(share, given))))
    });
    if known > 0.0 { (hits + BEFORE * stated) / (known + BEFORE) } else { stated }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reviewed(share: f64, model_share: Option<f64>) -> ReviewedAnswer {
        ReviewedAnswer { answer: "Gas.".to_owned(), share, criteria: Vec::new(), feedback: String::new(), model_share }
    }

    /// So many grades that people confirmed, and so many that they did not.
    fn reviews(hits: usize, misses: usize) -> Vec<ReviewedAnswer> {
        let right = (0..hits).map(|_| reviewed(0.5, Some(0.75)));
        right.chain((0..misses).map(|_| reviewed(0.5, Some(0.9)))).collect()
    }

    #[test]
    fn ten_reviews_count_twice_as_much_as_what_was_stated() {
        assert!((calibrated(0.85, &reviews(4, 6)) - (4.0 + 5.0 * 0.85) / 15.0).abs() < 1e-12);
        assert!((calibrated(0.65, &reviews(10, 0)) - (10.0 + 5.0 * 0.65) / 15.0).abs() < 1e-12);
    }

    #[test]
    fn answers_that_no_model_graded_say_nothing_of_a_model() {
        assert_eq!(calibrated(0.85, &[]).to_bits(), 0.85_f64.to_bits());
        assert_eq!(calibrated(0.85, &[reviewed(0.1, None), reviewed(1.0, None)]).to_bits(), 0.85_f64.to_bits());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_confidence_stays_one_and_rises_with_each_grade_that_a_person_confirms(
            stated in 0.0..=1.0_f64,
            hits in 0_usize..40,
            misses in 0_usize..40,
        ) {
            let confidence = calibrated(stated, &reviews(hits, misses));
            prop_assert!((0.0..=1.0).contains(&confidence));
            prop_assert!(calibrated(stated, &reviews(hits + 1, misses)) >= confidence);
            prop_assert!(calibrated(stated, &reviews(hits, misses + 1)) <= confidence);
            prop_assert!(calibrated(stated, &reviews(hits + 1, misses)) >= calibrated(stated, &reviews(hits, misses + 1)));
        }

        #[test]
        fn whatever_shares_are_stored_the_confidence_stays_one(
            stated in 0.0..=1.0_f64,
            shares in prop::collection::vec((0.0..=1.0_f64, prop::option::of(any::<f64>())), 0..40),
        ) {
            let reviews: Vec<_> = shares.into_iter().map(|(share, model)| reviewed(share, model)).collect();
            prop_assert!((0.0..=1.0).contains(&calibrated(stated, &reviews)));
        }
    }
}
