//! Tests of exact grading: tables of answers, and properties that hold for all.

mod metamorphic;
mod properties;
mod questions;
mod tables;

use super::super::{EvaluationType, Grade, Submission};

/// A submission worth two points.
fn submission(question: &str, reference: &str, answer: &str, language: &str) -> Submission {
    Submission {
        reference_answer: Some(reference.to_owned()),
        language: language.to_owned(),
        ..Submission::new(EvaluationType::Exact, question, answer, 2.0)
    }
}

fn graded(question: &str, reference: &str, answer: &str, language: &str) -> Grade {
    super::grade(&submission(question, reference, answer, language)).unwrap()
}

/// The part of the points, from 0 to 1.
fn share(question: &str, reference: &str, answer: &str, language: &str) -> f64 {
    graded(question, reference, answer, language).score / 2.0
}
