//! Compares what a learner wrote into a blank with the accepted texts: by the exact grader, as an `exact` evaluation does, in the
//! language of the item.

use grading::{EvaluationType, Submission, exact};

use super::Mark;

/// The mark of a text beside the accepted ones, of which the best counts.
pub(super) fn compare(question: &str, language: &str, accepted: &[String], text: &str) -> Mark {
    let mut submission = Submission::new(EvaluationType::Exact, question, text, 1.0);
    language.clone_into(&mut submission.language);
    let mut accepted = accepted.iter().cloned();
    submission.reference_answer = accepted.next();
    submission.other_references = accepted.collect();
    // Without an accepted text nobody can tell.
    let Ok(grade) = exact::grade(&submission) else { return Mark::ungraded() };
    let is_partial = grade.score > 0.0 && grade.score < 1.0;
    Mark {
        is_estimate: !grade.reasons_for_review().is_empty(),
        comments: if is_partial { grade.mistakes } else { Vec::new() },
        ..Mark::of_share(grade.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Verdict;

    fn verdict(language: &str, accepted: &[&str], text: &str) -> Verdict {
        let accepted: Vec<String> = accepted.iter().map(|text| (*text).to_owned()).collect();
        compare("Fill in: ____", language, &accepted, text).verdict
    }

    #[test]
    fn a_blank_is_right_in_any_form_of_an_accepted_text() {
        let right = [
            ("Mauer", " mauer. "),
            ("the cell", "The  Cell"),
            ("café", "cafe\u{301}"),
            ("ﬁlm", "film"),
            ("１２", "12"),
            ("don't", "Don’t!"),
            ("1914-1918", "1914–1918"),
            ("İzmir", "izmir"),
            ("10³", "10^3"),
            ("-3", "−3"),
            ("東京", "東京。"),
            ("...", "..."),
            ("1000", "10³"),
            ("0.5", "1/2"),
            ("5 km", "5000 m"),
            ("2x+3", "3+2x"),
        ];
        for (accepted, text) in right {
            assert_eq!(verdict("en", &["other", accepted], text), Verdict::Right, "{accepted} {text}");
        }
        let wrong = [("10³", "103"), ("-3", "3"), ("C++", "C"), ("a b", "ab"), ("5 km", "5 kg")];
        for (accepted, text) in wrong {
            assert_eq!(verdict("en", &[accepted], text), Verdict::Wrong, "{accepted} {text}");
        }
    }

    #[test]
    fn numbers_are_read_in_the_language_of_the_item() {
        assert_eq!(verdict("de", &["1,5"], "1.5"), verdict("de", &["1,5"], "1,50"));
        assert_eq!(verdict("de", &["1,5"], "1,50"), Verdict::Right);
        assert_eq!(verdict("es", &["tres"], "3"), Verdict::Right);
        assert_eq!(verdict("en", &["1,500"], "1.5"), Verdict::Wrong);
    }

    #[test]
    fn every_accepted_text_counts_and_the_best_decides() {
        assert_eq!(verdict("en", &["Mt Everest", "Sagarmatha", "Chomolungma"], "sagarmatha"), Verdict::Right);
        let part = compare("How far?", "en", &["5 km".to_owned()], "5");
        assert_eq!((part.verdict, part.share), (Verdict::Partly, Some(0.5)), "a unit is missing");
        assert!(!part.comments.is_empty());
    }

    #[test]
    fn a_text_that_may_mean_the_same_is_left_to_a_person() {
        let near = |text: &str| compare("What is a cell?", "en", &["the smallest unit of all life".to_owned()], text);
        let (part, other) = (near("a unit of life"), near("a unit of matter"));
        assert_eq!((part.verdict, part.is_estimate), (Verdict::Partly, true));
        assert!(!part.comments.is_empty());
        assert_eq!((other.verdict, other.is_estimate), (Verdict::Wrong, true));
        assert_eq!(compare("?", "en", &[], "x").verdict, Verdict::Ungraded);
    }
}
